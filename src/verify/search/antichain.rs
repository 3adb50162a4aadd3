//! Antichains of pairs (actual state, set): only the ⊆-minimal sets of each actual state are kept.
//!
//! If S ⊆ T, then whatever (x, T) leads to, (x, S) leads to at least as early; so a pair is admitted only if no subset was
//! admitted for the same actual state. Pairs are stored *by set*: one subset test between two sets serves all their
//! actual states, and the known subsets of a set are recorded, so that a set that is reached again is compared only with
//! sets that are new since.
//!
//! Pruning is optional, so its cost is bounded: when tests are many and rarely succeed, a set is compared only with the few
//! that subsumed something recently.

use crate::verify::engine::tuning::Tuning;
use crate::verify::sets::{Set, SetId, SetInterner, SetSummary, map_bytes, vec_bytes};
use rustc_hash::FxHashMap;

/// Pairs, by set.
#[derive(Debug)]
pub(crate) struct Antichain<S> {
    slots: FxHashMap<SetId, u32>,
    entries: Vec<Entry<S>>,
    /// The entries that are worth a comparison, in order, and some redundant ones.
    candidates: Vec<Candidate>,
    /// How many candidates are redundant.
    redundant: usize,
    recent_subsumers: Vec<Candidate>,
    subsumption: bool,
    /// Subset tests that were made.
    tests: u64,
    /// Summaries that were compared.
    scanned: u64,
    /// Sets all of whose actual states were subsumed.
    subsumed: u64,
    /// Pairs admitted.
    pub(crate) pairs: u64,
    /// Heap bytes of the entries' sets and lists.
    entry_bytes: u64,
}

#[derive(Debug)]
struct Entry<S> {
    set: SetId,
    /// The actual states that were ever admitted with this set.
    actuals: S,
    /// The slots of its known subsets.
    subsets: Vec<u32>,
    /// Slots before this one were compared.
    compared: u32,
    summary: SetSummary,
    /// Whether its subsets have all its actual states: then they subsume whatever it subsumes.
    redundant: bool,
}

/// An entry to compare with.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    summary: SetSummary,
    slot: u32,
}

impl<S: Set> Antichain<S> {
    /// No pairs; without `subsumption` only equal pairs are refused.
    pub(crate) fn new(subsumption: bool) -> Antichain<S> {
        Antichain {
            slots: FxHashMap::default(),
            entries: Vec::new(),
            candidates: Vec::new(),
            redundant: 0,
            recent_subsumers: Vec::new(),
            subsumption,
            tests: 0,
            scanned: 0,
            subsumed: 0,
            pairs: 0,
            entry_bytes: 0,
        }
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        map_bytes(&self.slots) + vec_bytes(&self.entries) + vec_bytes(&self.candidates) + self.entry_bytes
    }

    /// Work done so far, in subset tests.
    pub(crate) fn effort(&self) -> u64 {
        self.tests + self.scanned / Tuning::SUMMARIES_PER_TEST
    }

    /// Admits the pairs of a set with these actual states, except those that are subsumed; the actual states admitted.
    pub(crate) fn admit(&mut self, sets: &SetInterner<S>, set: SetId, mut actuals: S) -> Option<S> {
        let slot = self.slot(sets, set);
        actuals.difference_with(&self.entries[slot].actuals);
        if !actuals.is_empty() && self.subsumption {
            self.remove_subsumed(sets, slot, &mut actuals);
        }
        if actuals.is_empty() {
            return None;
        }
        let entry = &mut self.entries[slot];
        self.entry_bytes -= entry.actuals.bytes();
        entry.actuals.union_with(&actuals);
        self.entry_bytes += entry.actuals.bytes();
        self.pairs += actuals.len() as u64;
        Some(actuals)
    }

    /// Removes the actual states of an admitted set that were subsumed since.
    pub(crate) fn prune(&mut self, sets: &SetInterner<S>, set: SetId, actuals: &mut S) {
        if self.subsumption {
            let slot = self.slot(sets, set);
            self.remove_subsumed(sets, slot, actuals);
            if actuals.is_empty() {
                self.detect_redundant(slot);
            }
        }
    }

    /// Stops comparing with an entry if its subsets have all its actual states.
    fn detect_redundant(&mut self, slot: usize) {
        if self.entries[slot].redundant {
            return;
        }
        let mut own = self.entries[slot].actuals.clone();
        for at in 0..self.entries[slot].subsets.len() {
            own.difference_with(&self.entries[self.entries[slot].subsets[at] as usize].actuals);
        }
        if own.is_empty() {
            self.entries[slot].redundant = true;
            self.redundant += 1;
        }
        if self.redundant > Tuning::MIN_REDUNDANT && self.redundant * 2 > self.candidates.len() {
            let entries = &self.entries;
            self.candidates.retain(|other| !entries[other.slot as usize].redundant);
            self.redundant = 0;
        }
    }

    fn slot(&mut self, sets: &SetInterner<S>, set: SetId) -> usize {
        let next = self.entries.len() as u32;
        let slot = *self.slots.entry(set).or_insert(next);
        if slot == next {
            let summary = sets.summary(set);
            self.candidates.push(Candidate { slot, summary });
            let (actuals, subsets) = (S::default(), Vec::new());
            self.entries.push(Entry { set, actuals, subsets, compared: 0, summary, redundant: false });
        }
        slot as usize
    }

    fn remove_subsumed(&mut self, sets: &SetInterner<S>, slot: usize, actuals: &mut S) {
        for at in 0..self.entries[slot].subsets.len() {
            let subset = self.entries[slot].subsets[at] as usize;
            actuals.difference_with(&self.entries[subset].actuals);
            if actuals.is_empty() {
                self.subsumed += 1;
                return;
            }
        }
        self.compare_with_new(sets, slot, actuals);
    }

    /// Compares with the entries that are new since the last time.
    fn compare_with_new(&mut self, sets: &SetInterner<S>, slot: usize, actuals: &mut S) {
        if self.is_exhausted() {
            let recent = std::mem::take(&mut self.recent_subsumers);
            self.compare(sets, slot, actuals, &recent);
            self.recent_subsumers = recent;
        } else {
            let from = self.candidates.partition_point(|other| other.slot < self.entries[slot].compared);
            let candidates = std::mem::take(&mut self.candidates);
            let subsumer = self.compare(sets, slot, actuals, &candidates[from..]);
            self.candidates = candidates;
            if let Some(subsumer) = subsumer {
                self.remember(subsumer);
                self.entries[slot].compared = subsumer.slot + 1;
                return;
            }
        }
        self.entries[slot].compared = self.entries.len() as u32;
    }

    /// Removes what others subsume; the one after which nothing was left.
    fn compare(
        &mut self,
        sets: &SetInterner<S>,
        slot: usize,
        actuals: &mut S,
        others: &[Candidate],
    ) -> Option<Candidate> {
        let (summary, own) = (self.entries[slot].summary, sets.get(self.entries[slot].set));
        let mut at = 0;
        while let Some(next) = others[at..].iter().position(|other| other.summary.may_be_subset(summary)) {
            self.scanned += next as u64 + 1;
            at += next + 1;
            let other = others[at - 1];
            self.tests += 1;
            let smaller = &self.entries[other.slot as usize];
            if other.slot as usize == slot || !sets.get(smaller.set).is_subset(own) {
                continue;
            }
            actuals.difference_with(&smaller.actuals);
            self.add_subset(slot, other.slot);
            if actuals.is_empty() {
                self.subsumed += 1;
                return Some(other);
            }
        }
        self.scanned += (others.len() - at) as u64;
        None
    }

    fn add_subset(&mut self, slot: usize, subset: u32) {
        let subsets = &mut self.entries[slot].subsets;
        if !subsets.contains(&subset) {
            self.entry_bytes -= vec_bytes(subsets);
            subsets.push(subset);
            self.entry_bytes += vec_bytes(subsets);
        }
    }

    fn remember(&mut self, subsumer: Candidate) {
        if !self.recent_subsumers.iter().any(|recent| recent.slot == subsumer.slot) {
            self.recent_subsumers.truncate(Tuning::RECENT_SUBSUMERS - 1);
            self.recent_subsumers.insert(0, subsumer);
        }
    }

    /// Whether tests have cost more than they gained.
    fn is_exhausted(&self) -> bool {
        let per_set = Tuning::ANTICHAIN_TESTS_PER_SET * self.entries.len() as u64;
        let per_success = self.subsumed.saturating_mul(Tuning::ANTICHAIN_TESTS_PER_SUCCESS);
        self.effort() > Tuning::ANTICHAIN_FREE_TESTS + per_set + per_success
    }
}
