//! The interface of sets of ids, in two representations.
//!
//! [`Dense`](super::dense::Dense) suits views of a few thousand states. [`Sparse`](super::sparse::Sparse) suits larger views
//! with small estimates, and the weak view, whose universe is discovered during the search. The searches are generic over
//! [`Set`].

use super::id::Id;
use std::fmt::Debug;
use std::hash::Hash;

/// A set of ids below a universe.
pub(crate) trait Set: Clone + Eq + Hash + Default + Debug + Send + Sync {
    /// Whether there is a bit for each member of the universe.
    const DENSE: bool;
    /// The set of these members, in any order, repeats allowed. Leaves the list empty.
    fn collect<I: Id>(universe: usize, members: &mut Vec<I>) -> Self;
    /// How many members.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool;
    /// The members, in order.
    fn iter<I: Id>(&self) -> impl Iterator<Item = I> + Clone + '_;
    /// Whether this is a member.
    fn contains<I: Id>(&self, member: I) -> bool;
    /// Whether every member is one of the other's.
    fn is_subset(&self, other: &Self) -> bool;
    /// Whether there is a common member.
    fn intersects(&self, other: &Self) -> bool;
    /// The common members.
    fn intersection<'a, I: Id>(&'a self, other: &'a Self) -> impl Iterator<Item = I> + 'a;
    /// Removes the other's members.
    fn difference_with(&mut self, other: &Self);
    /// Adds the other's members.
    fn union_with(&mut self, other: &Self);
    /// Which of 64 fixed members of the universe it has: a subset's bits are among the superset's.
    fn fingerprint(&self) -> u64;
    /// Bytes on the heap.
    fn bytes(&self) -> u64;
    /// Its bits, in the dense representation.
    fn words(&self) -> Option<&[u64]>;
    /// The set of these bits.
    fn of_words(words: &[u64]) -> Self;
    /// Adds words from which another worker reads it.
    fn write(&self, into: &mut Vec<u32>);
    /// Reads what [`write`](Set::write) wrote.
    fn read(words: &[u32]) -> Self;
}
