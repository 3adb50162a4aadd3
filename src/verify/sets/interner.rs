//! Interners: equal values share a dense id, given in the order in which they arrive.
//!
//! [`Interner`] owns values of any kind, [`SliceInterner`] keeps slices in one arena, [`SetInterner`] adds to each set a
//! [`SetSummary`] that rules out most failing subset tests in two comparisons. Cost: one hash and, on average, one
//! comparison for each lookup.

use super::id::{Id, ids};
use super::memory::vec_bytes;
use super::set::Set;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Index;

/// Values, each kept once.
#[derive(Debug)]
pub(crate) struct Interner<T, I = u32> {
    values: Vec<T>,
    table: HashTable<u32>,
    ids: PhantomData<I>,
}

impl<T: Eq + Hash, I: Id> Interner<T, I> {
    /// No values.
    pub(crate) fn new() -> Interner<T, I> {
        Interner { values: Vec::new(), table: HashTable::new(), ids: PhantomData }
    }

    /// The id of a value, and whether it is new.
    pub(crate) fn intern(&mut self, value: T) -> (I, bool) {
        let Interner { values, table, .. } = self;
        let hash = hash_of(&value);
        if let Some(&id) = table.find(hash, |&id| values[id as usize] == value) {
            return (I::new(id), false);
        }
        let id = values.len() as u32;
        values.push(value);
        table.insert_unique(hash, id, |&id| hash_of(&values[id as usize]));
        (I::new(id), true)
    }

    /// The value of an id, if there is one.
    pub(crate) fn get(&self, id: I) -> Option<&T> {
        self.values.get(id.index())
    }

    /// All values, in the order of their ids.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.values.iter()
    }

    /// Heap bytes, without those of the values.
    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.values) + self.table.allocation_size() as u64
    }
}

impl<T, I: Id> Index<I> for Interner<T, I> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.values[id.index()]
    }
}

/// Slices in one arena, numbered from 0.
#[derive(Debug)]
pub(crate) struct Slices<T> {
    items: Vec<T>,
    /// Where each slice ends.
    ends: Vec<usize>,
}

impl<T> Default for Slices<T> {
    fn default() -> Slices<T> {
        Slices { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Slices<T> {
    /// Adds a slice; its number.
    pub(crate) fn push(&mut self, slice: &[T]) -> u32 {
        self.items.extend_from_slice(slice);
        self.ends.push(self.items.len());
        self.ends.len() as u32 - 1
    }

    /// The slice of a number.
    pub(crate) fn get(&self, number: u32) -> &[T] {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.items[start..self.ends[at]]
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.items) + vec_bytes(&self.ends)
    }
}

/// Slices, each kept once.
#[derive(Debug)]
pub(crate) struct SliceInterner<T, I = u32> {
    slices: Slices<T>,
    table: HashTable<u32>,
    ids: PhantomData<I>,
}

impl<T: Copy + Eq + Hash, I: Id> SliceInterner<T, I> {
    /// No slices.
    pub(crate) fn new() -> SliceInterner<T, I> {
        SliceInterner { slices: Slices::default(), table: HashTable::new(), ids: PhantomData }
    }

    /// Forgets all slices and keeps the allocation.
    pub(crate) fn clear(&mut self) {
        self.slices.items.clear();
        self.slices.ends.clear();
        self.table.clear();
    }

    /// Whether there are no slices.
    pub(crate) fn is_empty(&self) -> bool {
        self.slices.ends.is_empty()
    }

    /// The slice of an id.
    pub(crate) fn get(&self, id: I) -> &[T] {
        self.slices.get(id.number())
    }

    /// The id of a slice, and whether it is new.
    pub(crate) fn intern(&mut self, slice: &[T]) -> (I, bool) {
        let SliceInterner { slices, table, .. } = self;
        let hash = hash_of(slice);
        if let Some(&id) = table.find(hash, |&id| slices.get(id) == slice) {
            return (I::new(id), false);
        }
        let id = slices.push(slice);
        table.insert_unique(hash, id, |&id| hash_of(slices.get(id)));
        (I::new(id), true)
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.slices.bytes() + self.table.allocation_size() as u64
    }
}

ids! {
    /// An interned set.
    SetId,
}

/// Sets, each kept once, with their summaries.
#[derive(Debug)]
pub(crate) struct SetInterner<S> {
    universe: usize,
    sets: Interner<S, SetId>,
    summaries: Vec<SetSummary>,
    /// Heap bytes of the sets themselves.
    set_bytes: u64,
}

/// Necessary conditions for being a subset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetSummary {
    /// How many members.
    pub(crate) len: u32,
    /// One bit for the hash of each member: a subset's bits are among the superset's.
    signature: u64,
    /// [`Set::fingerprint`].
    fingerprint: u64,
}

impl SetSummary {
    fn of<S: Set>(set: &S) -> SetSummary {
        let mut summary = SetSummary { len: 0, signature: 0, fingerprint: set.fingerprint() };
        for member in set.iter::<u32>() {
            summary.len += 1;
            // WHY: a multiplicative hash, since neighbouring states often lie in the same estimates.
            summary.signature |= 1 << (member.wrapping_mul(0x9E37_79B1) >> 26);
        }
        summary
    }

    /// Whether a set with this summary may be a subset of one with that summary.
    pub(crate) fn may_be_subset(self, other: SetSummary) -> bool {
        (self.signature & !other.signature) | (self.fingerprint & !other.fingerprint) == 0 && self.len <= other.len
    }
}

impl<S: Set> SetInterner<S> {
    /// No sets.
    pub(crate) fn new(universe: usize) -> SetInterner<S> {
        SetInterner { universe, sets: Interner::new(), summaries: Vec::new(), set_bytes: 0 }
    }

    /// How many sets there are.
    pub(crate) fn len(&self) -> usize {
        self.summaries.len()
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.sets.bytes() + vec_bytes(&self.summaries) + self.set_bytes
    }

    /// The set of an id.
    pub(crate) fn get(&self, id: SetId) -> &S {
        &self.sets[id]
    }

    /// All sets, in the order of their ids.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &S> {
        self.sets.iter()
    }

    /// The summary of a set.
    pub(crate) fn summary(&self, id: SetId) -> SetSummary {
        self.summaries[id.index()]
    }

    /// The id of the set of these members.
    pub(crate) fn collect<I: Id>(&mut self, members: &mut Vec<I>) -> SetId {
        self.intern(S::collect(self.universe, members))
    }

    /// The id of a set.
    pub(crate) fn intern(&mut self, set: S) -> SetId {
        let (id, new) = self.sets.intern(set);
        if new {
            let set = &self.sets[id];
            self.set_bytes += set.bytes();
            self.summaries.push(SetSummary::of(set));
        }
        id
    }
}

fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
