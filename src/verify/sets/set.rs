//! Sets of numbers in two forms, and a table that gives equal sets one number.
//!
//! [`Dense`]: one bit per member of the universe, for views of a few thousand states. [`Sparse`]: sorted members, for large
//! views whose estimates are small and for the weak view, whose universe is discovered while the search runs. The search is
//! written once, against [`Set`]. Each interned set carries its length and a 64-bit *signature*, so that most failing
//! subset tests cost two comparisons. Cost: a subset test is linear in the smaller form; interning is one hash.

use super::lists;
use hashbrown::HashTable;
use smallvec::{SmallVec, smallvec};
use std::hash::Hash;

/// A set of numbers below a universe.
pub(crate) trait Set: Clone + Eq + Hash + Default + std::fmt::Debug + Send + Sync {
    /// Whether there is a bit for each member of the universe.
    const DENSE: bool;
    /// The set of these numbers, in any order, repeats allowed.
    fn collect(universe: usize, members: &mut Vec<u32>) -> Self;
    /// How many members.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool;
    /// The members, in order.
    fn iter(&self) -> impl Iterator<Item = u32> + Clone + '_;
    /// Whether this is a member.
    fn contains(&self, member: u32) -> bool;
    /// Whether every member is one of the other's.
    fn is_subset(&self, other: &Self) -> bool;
    /// Whether there is a common member.
    fn meets(&self, other: &Self) -> bool;
    /// The common members.
    fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = u32> + 'a;
    /// Takes the other's members away.
    fn subtract(&mut self, other: &Self);
    /// Adds the other's members.
    fn unite(&mut self, other: &Self);
    /// Which of some 64 members of the universe, always the same ones, there are.
    fn sample(&self) -> u64;
    /// Bytes on the heap.
    fn bytes(&self) -> u64;
    /// Its bits, in the form that has them.
    fn words(&self) -> Option<&[u64]>;
    /// The set of these bits.
    fn of_words(words: &[u64]) -> Self;
}

/// One bit per member of the universe.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Dense(Words);

/// Words that need no room of their own when they are few.
type Words = SmallVec<[u64; 4]>;

impl Set for Dense {
    const DENSE: bool = true;

    fn collect(universe: usize, members: &mut Vec<u32>) -> Dense {
        let mut words: Words = smallvec![0; universe.div_ceil(64)];
        for member in members.drain(..) {
            words[member as usize / 64] |= 1 << (member % 64);
        }
        Dense(words)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn iter(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        bits(&self.0)
    }

    fn contains(&self, member: u32) -> bool {
        self.0.get(member as usize / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
    }

    fn is_subset(&self, other: &Dense) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }

    fn meets(&self, other: &Dense) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    fn common<'a>(&'a self, other: &'a Dense) -> impl Iterator<Item = u32> + 'a {
        let words = self.0.iter().zip(&other.0).enumerate();
        words.flat_map(|(at, (mine, theirs))| Bits { word: mine & theirs, base: at as u32 * 64 })
    }

    fn subtract(&mut self, other: &Dense) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= !theirs);
    }

    fn unite(&mut self, other: &Dense) {
        if self.0.is_empty() {
            self.clone_from(other);
        } else {
            self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
        }
    }

    fn sample(&self) -> u64 {
        self.0.get(self.0.len() / 2).copied().unwrap_or(0)
    }

    fn bytes(&self) -> u64 {
        if self.0.spilled() { self.0.len() as u64 * 8 } else { 0 }
    }

    fn words(&self) -> Option<&[u64]> {
        Some(&self.0)
    }

    fn of_words(words: &[u64]) -> Dense {
        Dense(Words::from_slice(words))
    }
}

/// The set bits of some words.
fn bits(words: &[u64]) -> impl Iterator<Item = u32> + Clone + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| Bits { word, base: at as u32 * 64 })
}

/// The set bits of a word.
#[derive(Clone)]
struct Bits {
    word: u64,
    base: u32,
}

impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.word == 0 {
            return None;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(self.base + bit)
    }
}

/// Sorted members.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Sparse(Box<[u32]>);

impl Set for Sparse {
    const DENSE: bool = false;

    fn collect(_universe: usize, members: &mut Vec<u32>) -> Sparse {
        members.sort_unstable();
        members.dedup();
        Sparse(members.drain(..).collect())
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        self.0.iter().copied()
    }

    fn contains(&self, member: u32) -> bool {
        self.0.binary_search(&member).is_ok()
    }

    fn is_subset(&self, other: &Sparse) -> bool {
        if self.0.len() > other.0.len() {
            return false;
        }
        let mut rest = &other.0[..];
        self.0.iter().all(|member| {
            let at = gallop(rest, *member);
            rest = &rest[at..];
            rest.first() == Some(member)
        })
    }

    fn meets(&self, other: &Sparse) -> bool {
        let (small, large) = if self.0.len() <= other.0.len() { (self, other) } else { (other, self) };
        let mut rest = &large.0[..];
        small.0.iter().any(|member| {
            let at = gallop(rest, *member);
            rest = &rest[at..];
            rest.first() == Some(member)
        })
    }

    fn common<'a>(&'a self, other: &'a Sparse) -> impl Iterator<Item = u32> + 'a {
        let (small, large) = if self.0.len() <= other.0.len() { (self, other) } else { (other, self) };
        let mut rest = &large.0[..];
        small.0.iter().copied().filter(move |&member| {
            rest = &rest[gallop(rest, member)..];
            rest.first() == Some(&member)
        })
    }

    fn subtract(&mut self, other: &Sparse) {
        if self.meets(other) {
            self.0 = without(&self.0, &other.0);
        }
    }

    fn unite(&mut self, other: &Sparse) {
        if self.0.is_empty() {
            self.0 = other.0.clone();
        } else if !other.is_subset(self) {
            let mut both: Vec<u32> = self.0.iter().chain(&other.0).copied().collect();
            *self = Sparse::collect(0, &mut both);
        }
    }

    fn sample(&self) -> u64 {
        0
    }

    fn bytes(&self) -> u64 {
        self.0.len() as u64 * 4
    }

    fn words(&self) -> Option<&[u64]> {
        None
    }

    fn of_words(words: &[u64]) -> Sparse {
        Sparse(bits(words).collect())
    }
}

/// The members that are not among the others.
fn without(members: &[u32], others: &[u32]) -> Box<[u32]> {
    let mut rest = others;
    let kept = members.iter().copied().filter(|&member| {
        rest = &rest[gallop(rest, member)..];
        rest.first() != Some(&member)
    });
    kept.collect()
}

/// The first place in a sorted slice whose value is not below the wanted one; quick when that place is near.
fn gallop(sorted: &[u32], wanted: u32) -> usize {
    let mut step = 1;
    while step < sorted.len() && sorted[step] < wanted {
        step *= 2;
    }
    let (low, high) = (step / 2, sorted.len().min(step + 1));
    low + sorted[low..high].partition_point(|&value| value < wanted)
}

/// The number of an interned set.
pub(crate) type SetId = u32;

/// Sets, each kept once.
#[derive(Debug)]
pub(crate) struct Sets<S> {
    universe: usize,
    table: HashTable<SetId>,
    sets: Vec<S>,
    marks: Vec<Mark>,
    bytes: u64,
}

/// What is tested before a subset test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// How many members.
    pub(crate) len: u32,
    /// One bit for each member's residue: a subset's bits are among the superset's.
    pub(crate) signature: u64,
    /// Which of some 64 members of the universe there are.
    pub(crate) sample: u64,
}

impl Mark {
    /// Whether a set with this mark may be a subset of one with that mark.
    pub(crate) fn may_be_below(self, other: Mark) -> bool {
        (self.signature & !other.signature) | (self.sample & !other.sample) == 0 && self.len <= other.len
    }
}

impl<S: Set> Sets<S> {
    /// No sets yet.
    pub(crate) fn new(universe: usize) -> Sets<S> {
        Sets { universe, table: HashTable::new(), sets: Vec::new(), marks: Vec::new(), bytes: 0 }
    }

    /// How many sets there are.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A set.
    pub(crate) fn get(&self, id: SetId) -> &S {
        &self.sets[id as usize]
    }

    /// All sets, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &S> {
        self.sets.iter()
    }

    /// The mark of a set.
    pub(crate) fn mark(&self, id: SetId) -> Mark {
        self.marks[id as usize]
    }

    /// The number of the set of these members.
    pub(crate) fn collect(&mut self, members: &mut Vec<u32>) -> SetId {
        self.intern(S::collect(self.universe, members))
    }

    /// The number of a set.
    pub(crate) fn intern(&mut self, set: S) -> SetId {
        let hash = lists::hash(&set);
        if let Some(&found) = self.table.find(hash, |&id| self.sets[id as usize] == set) {
            return found;
        }
        let id = self.sets.len() as SetId;
        self.bytes += set.bytes() + 64;
        self.marks.push(mark(&set));
        self.sets.push(set);
        let sets = &self.sets;
        self.table.insert_unique(hash, id, |&id| lists::hash(&sets[id as usize]));
        id
    }
}

fn mark<S: Set>(set: &S) -> Mark {
    let mut mark = Mark { len: 0, signature: 0, sample: set.sample() };
    for member in set.iter() {
        mark.len += 1;
        // WHY: a multiplicative hash, since neighbouring states often stand in the same estimates.
        mark.signature |= 1 << (member.wrapping_mul(0x9E37_79B1) >> 26);
    }
    mark
}
