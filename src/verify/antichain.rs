//! Pairs (left, set) of which only the ⊆-minimal sets of each left are of interest.
//!
//! If S ⊆ T then whatever (x, T) leads to, (x, S) leads to at least as early; so a pair is admitted only when no smaller set was
//! admitted for the same left. Pairs are kept *by set*: one subset test between two sets serves all their lefts, and what
//! lies below a set is remembered, so that a set that is met again is only compared with sets that are new since.
//!
//! Pruning is optional, so it is capped: when tests are many and hardly ever take a pair away, a set is only
//! compared with the few smallest.

use super::sets::{Mark, Set, SetId, Sets};
use rustc_hash::FxHashMap;

/// Pairs, by set.
#[derive(Debug)]
pub(crate) struct Antichain<S> {
    slots: FxHashMap<SetId, u32>,
    marks: Vec<Mark>,
    entries: Vec<Entry<S>>,
    subsumption: bool,
    /// Subset tests that were begun.
    pub(crate) tests: u64,
    /// Lefts that a smaller set took away.
    gains: u64,
    /// Pairs admitted.
    pub(crate) pairs: u64,
    bytes: u64,
}

#[derive(Debug)]
struct Entry<S> {
    set: SetId,
    /// The lefts that were ever admitted with this set.
    lefts: S,
    /// The slots of smaller sets that are known.
    below: Vec<u32>,
    /// Slots before this one were compared.
    compared: u32,
}

/// Tests that may be spent before the gain is looked at.
const FREE_TESTS: u64 = 2_000_000;
/// Tests that one lost left may cost.
const TESTS_PER_GAIN: u64 = 2_000;

impl<S: Set> Antichain<S> {
    /// No pairs; without `subsumption` only equal pairs are refused.
    pub(crate) fn new(subsumption: bool) -> Antichain<S> {
        Antichain {
            slots: FxHashMap::default(),
            marks: Vec::new(),
            entries: Vec::new(),
            subsumption,
            tests: 0,
            gains: 0,
            pairs: 0,
            bytes: 0,
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The sets, with their lefts.
    #[allow(dead_code)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (SetId, &S)> {
        self.entries.iter().map(|entry| (entry.set, &entry.lefts))
    }

    /// Admits the pairs of a set with these lefts, without those that are subsumed; gives the lefts that were admitted.
    pub(crate) fn admit(&mut self, sets: &Sets<S>, set: SetId, mut lefts: S) -> Option<S> {
        let slot = self.slot(sets, set);
        lefts.subtract(&self.entries[slot].lefts);
        if !lefts.is_empty() && self.subsumption {
            self.take_subsumed(sets, slot, &mut lefts);
        }
        if lefts.is_empty() {
            return None;
        }
        let entry = &mut self.entries[slot];
        self.bytes -= entry.lefts.bytes();
        entry.lefts.unite(&lefts);
        self.bytes += entry.lefts.bytes();
        self.pairs += lefts.len() as u64;
        Some(lefts)
    }

    /// Takes away the lefts of an admitted set that smaller sets have made needless since.
    pub(crate) fn refresh(&mut self, sets: &Sets<S>, set: SetId, lefts: &mut S) {
        if self.subsumption {
            let slot = self.slot(sets, set);
            self.take_subsumed(sets, slot, lefts);
        }
    }

    fn slot(&mut self, sets: &Sets<S>, set: SetId) -> usize {
        let next = self.entries.len() as u32;
        let slot = *self.slots.entry(set).or_insert(next);
        if slot == next {
            self.marks.push(sets.mark(set));
            self.entries.push(Entry { set, lefts: S::default(), below: Vec::new(), compared: 0 });
            self.bytes += 112;
        }
        slot as usize
    }

    fn take_subsumed(&mut self, sets: &Sets<S>, slot: usize, lefts: &mut S) {
        for at in 0..self.entries[slot].below.len() {
            let below = self.entries[slot].below[at] as usize;
            lefts.subtract(&self.entries[below].lefts);
            if lefts.is_empty() {
                self.gains += 1;
                return;
            }
        }
        self.compare_with_new(sets, slot, lefts);
    }

    /// Compares with the sets that are new since the last time.
    fn compare_with_new(&mut self, sets: &Sets<S>, slot: usize, lefts: &mut S) {
        let own = self.marks[slot];
        let set = self.entries[slot].set;
        let from = self.entries[slot].compared as usize;
        let until = self.until();
        let before = self.tests;
        for other in from..until {
            if !self.marks[other].may_be_below(own) || other == slot {
                continue;
            }
            self.tests += 1;
            if sets.get(self.entries[other].set).is_subset(sets.get(set)) {
                self.entries[slot].below.push(other as u32);
                self.bytes += 4;
                lefts.subtract(&self.entries[other].lefts);
                if lefts.is_empty() {
                    self.entries[slot].compared = other as u32 + 1;
                    self.gains += 1;
                    return;
                }
            }
        }
        self.tests = self.tests.max(before + (until.saturating_sub(from) / 8) as u64);
        self.entries[slot].compared = self.entries[slot].compared.max(until as u32);
    }

    /// How many slots are worth a comparison.
    fn until(&self) -> usize {
        let rarely = self.tests > FREE_TESTS && self.gains.saturating_mul(TESTS_PER_GAIN) < self.tests;
        if rarely { self.entries.len().min(256) } else { self.entries.len() }
    }
}
