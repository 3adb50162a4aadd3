//! A choice: a set of levers.

use crate::model::change::{Change, Lever};
use std::cmp::Ordering;

/// Some levers, by number.
//
// INVARIANT: sorted, without repeats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choice(Vec<u32>);

impl Choice {
    /// These levers, in any order.
    pub fn new(levers: impl IntoIterator<Item = usize>) -> Choice {
        let mut levers: Vec<u32> = levers.into_iter().map(|lever| lever as u32).collect();
        levers.sort_unstable();
        levers.dedup();
        Choice(levers)
    }

    /// The numbers of its levers, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.0.iter().map(|&lever| lever as usize)
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many levers it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has a lever.
    pub fn contains(&self, lever: usize) -> bool {
        self.0.binary_search(&(lever as u32)).is_ok()
    }

    /// The same with one more lever.
    pub fn with(&self, lever: usize) -> Choice {
        Choice::new(self.iter().chain([lever]))
    }

    /// The same without a lever.
    pub fn without(&self, lever: usize) -> Choice {
        Choice(self.0.iter().copied().filter(|&other| other as usize != lever).collect())
    }

    /// Whether another choice has all its levers.
    pub fn is_within(&self, other: &Choice) -> bool {
        self.iter().all(|lever| other.contains(lever))
    }

    /// What its levers cost together.
    pub fn cost(&self, levers: &[Lever]) -> u64 {
        self.iter().map(|lever| levers[lever].cost).sum()
    }

    /// The changes that its levers make.
    pub fn changes<'l>(&self, levers: &'l [Lever]) -> Vec<&'l Change> {
        self.iter().map(|lever| &levers[lever].change).collect()
    }

    /// Of two choices with one cost, the one with fewer levers comes first, then the one whose levers come first.
    pub fn order(&self, other: &Choice) -> Ordering {
        self.len().cmp(&other.len()).then_with(|| self.0.cmp(&other.0))
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of::<Choice>() + size_of_val(&self.0[..])) as u64
    }
}
