//! Sparse sets: sorted members.
//!
//! Cost: two sets are compared by galloping through the larger one, which is linear in the smaller set and logarithmic in
//! the gaps.

use super::dense::bits;
use super::id::Id;
use super::set::Set;

/// Sorted members.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Sparse(Box<[u32]>);

impl Set for Sparse {
    const DENSE: bool = false;

    fn collect<I: Id>(_universe: usize, members: &mut Vec<I>) -> Sparse {
        members.sort_unstable();
        members.dedup();
        Sparse(members.drain(..).map(I::number).collect())
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn iter<I: Id>(&self) -> impl Iterator<Item = I> + Clone + '_ {
        self.0.iter().copied().map(I::new)
    }

    fn contains<I: Id>(&self, member: I) -> bool {
        self.0.binary_search(&member.number()).is_ok()
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

    fn intersects(&self, other: &Sparse) -> bool {
        let (small, large) = if self.0.len() <= other.0.len() { (self, other) } else { (other, self) };
        let mut rest = &large.0[..];
        small.0.iter().any(|member| {
            let at = gallop(rest, *member);
            rest = &rest[at..];
            rest.first() == Some(member)
        })
    }

    fn intersection<'a, I: Id>(&'a self, other: &'a Sparse) -> impl Iterator<Item = I> + 'a {
        let (small, large) = if self.0.len() <= other.0.len() { (self, other) } else { (other, self) };
        let mut rest = &large.0[..];
        let both = small.0.iter().copied().filter(move |&member| {
            rest = &rest[gallop(rest, member)..];
            rest.first() == Some(&member)
        });
        both.map(I::new)
    }

    fn difference_with(&mut self, other: &Sparse) {
        if self.intersects(other) {
            self.0 = without(&self.0, &other.0);
        }
    }

    fn union_with(&mut self, other: &Sparse) {
        if self.0.is_empty() {
            self.0 = other.0.clone();
        } else if !other.is_subset(self) {
            let mut both: Vec<u32> = self.0.iter().chain(&other.0).copied().collect();
            *self = Sparse::collect(0, &mut both);
        }
    }

    fn fingerprint(&self) -> u64 {
        0
    }

    fn bytes(&self) -> u64 {
        (self.0.len() * size_of::<u32>()) as u64
    }

    fn words(&self) -> Option<&[u64]> {
        None
    }

    fn of_words(words: &[u64]) -> Sparse {
        Sparse(bits(words).collect())
    }

    fn write(&self, into: &mut Vec<u32>) {
        into.extend_from_slice(&self.0);
    }

    fn read(words: &[u32]) -> Sparse {
        Sparse(words.into())
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

/// The first position in a sorted slice whose value is not below the wanted one; fast when that position is near.
fn gallop(sorted: &[u32], wanted: u32) -> usize {
    let mut step = 1;
    while step < sorted.len() && sorted[step] < wanted {
        step *= 2;
    }
    let (low, high) = (step / 2, sorted.len().min(step + 1));
    low + sorted[low..high].partition_point(|&value| value < wanted)
}
