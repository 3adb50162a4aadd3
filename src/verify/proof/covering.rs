//! The pairs of a proof: those that were reached and not covered otherwise.

use crate::verdict::certificate::Cover;
use crate::verify::engine::tuning::Tuning;
use crate::verify::sets::SetId;
use crate::verify::views::belief_system::ActualId;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A pair, while its covers are being found.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) actual: ActualId,
    pub(super) set: SetId,
    pub(super) layer: u64,
    pub(super) covers: Vec<Cover>,
    /// A smaller pair that was reached later and replaces it.
    pub(super) replaced_by: Option<u32>,
}

/// The pairs of one phase.
#[derive(Debug, Default)]
pub(super) struct CoveringSet {
    pub(super) entries: Vec<Entry>,
    by_actual: FxHashMap<ActualId, Vec<u32>>,
    /// The first entry of each pair.
    exact: FxHashMap<(ActualId, SetId), u32>,
    /// Subset tests, and how many succeeded.
    pub(super) tests: u64,
    pub(super) successes: u64,
    /// Entries to be expanded, earlier layers first.
    pub(super) worklist: VecDeque<u32>,
}

impl CoveringSet {
    /// Adds a pair; `soon`: it belongs to the layer that is being expanded.
    pub(super) fn add(&mut self, actual: ActualId, set: SetId, layer: u64, soon: bool) -> u32 {
        let at = self.entries.len() as u32;
        self.entries.push(Entry { actual, set, layer, covers: Vec::new(), replaced_by: None });
        self.by_actual.entry(actual).or_default().push(at);
        self.exact.entry((actual, set)).or_insert(at);
        if soon {
            self.worklist.push_front(at)
        } else {
            self.worklist.push_back(at)
        }
        at
    }

    /// The entries of an actual state that are worth a comparison: all of them, or a few if tests rarely succeed.
    pub(super) fn of(&self, actual: ActualId) -> impl Iterator<Item = (u32, &Entry)> {
        let all = self.by_actual.get(&actual).map_or(&[][..], |all| all);
        let rarely = self.tests > Tuning::PROOF_FREE_TESTS
            && self.successes.saturating_mul(Tuning::PROOF_TESTS_PER_SUCCESS) < self.tests;
        let few = if rarely { &all[..all.len().min(Tuning::PROOF_FEW_TESTS)] } else { all };
        few.iter().map(|&at| (at, &self.entries[at as usize])).filter(|(_, entry)| entry.replaced_by.is_none())
    }

    /// The entry of this very pair, if its layer is not later.
    pub(super) fn same(&self, actual: ActualId, set: SetId, layer: u64) -> Option<u32> {
        let at = self.exact.get(&(actual, set)).copied()?;
        (self.entries[at as usize].layer <= layer).then(|| self.current(at))
    }

    /// The entry that replaces this one, if one does.
    pub(super) fn current(&self, mut at: u32) -> u32 {
        while let Some(other) = self.entries[at as usize].replaced_by {
            at = other;
        }
        at
    }
}
