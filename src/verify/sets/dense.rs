//! Dense sets: one bit per member of the universe.
//!
//! Cost: every operation is linear in the universe, 64 members at a time.

use super::id::Id;
use super::memory::smallvec_bytes;
use super::set::Set;
use smallvec::{SmallVec, smallvec};

/// One bit per member of the universe.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Dense(Words);

/// Words, inline as long as they are few.
type Words = SmallVec<[u64; 4]>;

impl Set for Dense {
    const DENSE: bool = true;

    fn collect<I: Id>(universe: usize, members: &mut Vec<I>) -> Dense {
        let mut words: Words = smallvec![0; universe.div_ceil(64)];
        for member in members.drain(..) {
            words[member.index() / 64] |= 1 << (member.number() % 64);
        }
        Dense(words)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn iter<I: Id>(&self) -> impl Iterator<Item = I> + Clone + '_ {
        bits(&self.0).map(I::new)
    }

    fn contains<I: Id>(&self, member: I) -> bool {
        self.0.get(member.index() / 64).is_some_and(|word| word >> (member.number() % 64) & 1 == 1)
    }

    fn is_subset(&self, other: &Dense) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }

    fn intersects(&self, other: &Dense) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    fn intersection<'a, I: Id>(&'a self, other: &'a Dense) -> impl Iterator<Item = I> + 'a {
        let words = self.0.iter().zip(&other.0).enumerate();
        let bits = words.flat_map(|(at, (mine, theirs))| Bits { word: mine & theirs, base: at as u32 * 64 });
        bits.map(I::new)
    }

    fn difference_with(&mut self, other: &Dense) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= !theirs);
    }

    fn union_with(&mut self, other: &Dense) {
        if self.0.is_empty() {
            self.clone_from(other);
        } else {
            self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
        }
    }

    fn fingerprint(&self) -> u64 {
        self.0.get(self.0.len() / 2).copied().unwrap_or(0)
    }

    fn bytes(&self) -> u64 {
        smallvec_bytes(&self.0)
    }

    fn words(&self) -> Option<&[u64]> {
        Some(&self.0)
    }

    fn of_words(words: &[u64]) -> Dense {
        Dense(Words::from_slice(words))
    }

    fn write(&self, into: &mut Vec<u32>) {
        into.extend(self.0.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]));
    }

    fn read(words: &[u32]) -> Dense {
        Dense(words.chunks_exact(2).map(|halves| u64::from(halves[0]) | u64::from(halves[1]) << 32).collect())
    }
}

/// The set bits of some words.
pub(super) fn bits(words: &[u64]) -> impl Iterator<Item = u32> + Clone + '_ {
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
