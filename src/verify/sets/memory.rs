//! Heap bytes of collections, computed from their capacity.

use smallvec::{Array, SmallVec};
use std::collections::HashMap;

/// Heap bytes of a vector, without those of its elements.
pub(crate) fn vec_bytes<T>(vec: &Vec<T>) -> u64 {
    (vec.capacity() * size_of::<T>()) as u64
}

/// Heap bytes of a hash map, without those of its keys and values: one entry and one control byte for each bucket, of which
/// seven in eight may be occupied.
pub(crate) fn map_bytes<K, V, H>(map: &HashMap<K, V, H>) -> u64 {
    (map.capacity() / 7 * 8 * (size_of::<(K, V)>() + 1)) as u64
}

/// Heap bytes of a small vector: none as long as it is inline.
pub(crate) fn smallvec_bytes<A: Array>(vec: &SmallVec<A>) -> u64 {
    if vec.spilled() { (vec.capacity() * size_of::<A::Item>()) as u64 } else { 0 }
}
