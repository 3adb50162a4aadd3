//! Pairs that were met and not covered otherwise.

use crate::verify::certificate::Cover;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Comparisons that may be made before their gain is looked at, how many one gain may cost, and how many are made then.
const FREE_TESTS: u64 = 500_000;
const TESTS_PER_GAIN: u64 = 1_000;
const FEW: usize = 32;

/// A left with a set, while its covers are being found.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) left: u32,
    pub(super) set: u32,
    pub(super) layer: u64,
    pub(super) covers: Vec<Cover>,
    /// A smaller pair that was met later and stands in its place.
    pub(super) instead: Option<u32>,
}

/// The pairs of one phase.
#[derive(Debug, Default)]
pub(super) struct Chain {
    pub(super) entries: Vec<Entry>,
    by_left: FxHashMap<u32, Vec<u32>>,
    /// The first pair of each left with each set.
    exact: FxHashMap<(u32, u32), u32>,
    /// SetInterner that were compared, and how often one was smaller.
    pub(super) tests: u64,
    pub(super) gains: u64,
    /// Pairs to be explored, earlier layers first.
    pub(super) todo: VecDeque<u32>,
}

impl Chain {
    /// Adds a pair; `soon`: it belongs to the layer that is being explored.
    pub(super) fn add(&mut self, left: u32, set: u32, layer: u64, soon: bool) -> u32 {
        let at = self.entries.len() as u32;
        self.entries.push(Entry { left, set, layer, covers: Vec::new(), instead: None });
        self.by_left.entry(left).or_default().push(at);
        self.exact.entry((left, set)).or_insert(at);
        if soon {
            self.todo.push_front(at)
        } else {
            self.todo.push_back(at)
        }
        at
    }

    /// The pairs of a left that stand and are worth a comparison: all of them, or a few when comparisons rarely gain anything.
    pub(super) fn of(&self, left: u32) -> impl Iterator<Item = (u32, &Entry)> {
        let all = self.by_left.get(&left).map_or(&[][..], |all| all);
        let rarely = self.tests > FREE_TESTS && self.gains.saturating_mul(TESTS_PER_GAIN) < self.tests;
        let few = if rarely { &all[..all.len().min(FEW)] } else { all };
        few.iter().map(|&at| (at, &self.entries[at as usize])).filter(|(_, entry)| entry.instead.is_none())
    }

    /// The pair of this left with this very set, if it is there no later than that.
    pub(super) fn same(&self, left: u32, set: u32, layer: u64) -> Option<u32> {
        let at = self.exact.get(&(left, set)).copied()?;
        (self.entries[at as usize].layer <= layer).then(|| self.standing(at))
    }

    /// The pair that stands in place of this one.
    pub(super) fn standing(&self, mut at: u32) -> u32 {
        while let Some(other) = self.entries[at as usize].instead {
            at = other;
        }
        at
    }
}
