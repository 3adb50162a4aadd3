//! Pairs (left, set) of which only the ⊆-minimal sets of each left are of interest.
//!
//! If S ⊆ T then whatever (x, T) leads to, (x, S) leads to at least as early; so a pair is admitted only when no smaller set was
//! admitted for the same left. Pairs are kept *by set*: one subset test between two sets serves all their lefts, and what
//! lies below a set is remembered, so that a set that is met again is only compared with sets that are new since.
//!
//! Pruning is optional, so it is capped: when tests are many and hardly ever take a pair away, a set is only
//! compared with the few that took something away before.

use crate::verify::sets::{Set, SetId, SetInterner, SetSummary};
use rustc_hash::FxHashMap;

/// Pairs, by set.
#[derive(Debug)]
pub(crate) struct Antichain<S> {
    slots: FxHashMap<SetId, u32>,
    /// The slots that are still worth a comparison, in order, with their marks.
    live: Vec<Other>,
    entries: Vec<Entry<S>>,
    /// Slots of `live` that have become needless.
    dead: usize,
    /// The slots that took lefts away last.
    champions: Vec<Other>,
    subsumption: bool,
    /// Subset tests that were begun.
    tests: u64,
    /// SetInterner that were passed by on the way.
    scanned: u64,
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
    mark: SetSummary,
    /// Whether smaller sets hold all its lefts: then they take away whatever it could.
    needless: bool,
}

/// A set to compare with.
#[derive(Clone, Copy, Debug)]
struct Other {
    mark: SetSummary,
    slot: u32,
}

/// Tests that may be spent before the gain is looked at.
const FREE_TESTS: u64 = 20_000;
/// Tests that each set may cost: about what it costs to make it.
const TESTS_PER_SET: u64 = 64;
/// Tests that one gain may cost.
const TESTS_PER_GAIN: u64 = 4_000;
/// How many champions are kept.
const CHAMPIONS: usize = 32;

impl<S: Set> Antichain<S> {
    /// No pairs; without `subsumption` only equal pairs are refused.
    pub(crate) fn new(subsumption: bool) -> Antichain<S> {
        Antichain {
            slots: FxHashMap::default(),
            live: Vec::new(),
            entries: Vec::new(),
            dead: 0,
            champions: Vec::new(),
            subsumption,
            tests: 0,
            scanned: 0,
            gains: 0,
            pairs: 0,
            bytes: 0,
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        self.tests + self.scanned / 8
    }

    /// Admits the pairs of a set with these lefts, without those that are subsumed; gives the lefts that were admitted.
    pub(crate) fn admit(&mut self, sets: &SetInterner<S>, set: SetId, mut lefts: S) -> Option<S> {
        let slot = self.slot(sets, set);
        lefts.difference_with(&self.entries[slot].lefts);
        if !lefts.is_empty() && self.subsumption {
            self.take_subsumed(sets, slot, &mut lefts);
        }
        if lefts.is_empty() {
            return None;
        }
        let entry = &mut self.entries[slot];
        self.bytes -= entry.lefts.bytes();
        entry.lefts.union_with(&lefts);
        self.bytes += entry.lefts.bytes();
        self.pairs += lefts.len() as u64;
        Some(lefts)
    }

    /// Takes away the lefts of an admitted set that smaller sets have made needless since.
    pub(crate) fn refresh(&mut self, sets: &SetInterner<S>, set: SetId, lefts: &mut S) {
        if self.subsumption {
            let slot = self.slot(sets, set);
            self.take_subsumed(sets, slot, lefts);
            if lefts.is_empty() {
                self.retire(slot);
            }
        }
    }

    /// Stops comparing with a set when smaller ones hold all its lefts.
    fn retire(&mut self, slot: usize) {
        if self.entries[slot].needless {
            return;
        }
        let mut own = self.entries[slot].lefts.clone();
        for at in 0..self.entries[slot].below.len() {
            own.difference_with(&self.entries[self.entries[slot].below[at] as usize].lefts);
        }
        if own.is_empty() {
            self.entries[slot].needless = true;
            self.dead += 1;
        }
        if self.dead > 64 && self.dead * 2 > self.live.len() {
            let entries = &self.entries;
            self.live.retain(|other| !entries[other.slot as usize].needless);
            self.dead = 0;
        }
    }

    fn slot(&mut self, sets: &SetInterner<S>, set: SetId) -> usize {
        let next = self.entries.len() as u32;
        let slot = *self.slots.entry(set).or_insert(next);
        if slot == next {
            let mark = sets.summary(set);
            self.live.push(Other { slot, mark });
            self.entries.push(Entry {
                set,
                lefts: S::default(),
                below: Vec::new(),
                compared: 0,
                mark,
                needless: false,
            });
            self.bytes += 112;
        }
        slot as usize
    }

    fn take_subsumed(&mut self, sets: &SetInterner<S>, slot: usize, lefts: &mut S) {
        for at in 0..self.entries[slot].below.len() {
            let below = self.entries[slot].below[at] as usize;
            lefts.difference_with(&self.entries[below].lefts);
            if lefts.is_empty() {
                self.gains += 1;
                return;
            }
        }
        self.compare_with_new(sets, slot, lefts);
    }

    /// Compares with the sets that are new since the last time.
    fn compare_with_new(&mut self, sets: &SetInterner<S>, slot: usize, lefts: &mut S) {
        if self.is_spent() {
            let champions = std::mem::take(&mut self.champions);
            self.compare(sets, slot, lefts, &champions);
            self.champions = champions;
        } else {
            let from = self.live.partition_point(|other| other.slot < self.entries[slot].compared);
            let live = std::mem::take(&mut self.live);
            let taken = self.compare(sets, slot, lefts, &live[from..]);
            self.live = live;
            if let Some(other) = taken {
                self.champion(other);
                self.entries[slot].compared = other.slot + 1;
                return;
            }
        }
        self.entries[slot].compared = self.entries.len() as u32;
    }

    /// Takes away what others make needless; the one that took the last.
    fn compare(&mut self, sets: &SetInterner<S>, slot: usize, lefts: &mut S, others: &[Other]) -> Option<Other> {
        let (mark, own) = (self.entries[slot].mark, sets.get(self.entries[slot].set));
        let mut at = 0;
        while let Some(next) = others[at..].iter().position(|other| other.mark.may_be_subset(mark)) {
            self.scanned += next as u64 + 1;
            at += next + 1;
            let other = others[at - 1];
            self.tests += 1;
            let smaller = &self.entries[other.slot as usize];
            if other.slot as usize == slot || !sets.get(smaller.set).is_subset(own) {
                continue;
            }
            lefts.difference_with(&smaller.lefts);
            if !self.entries[slot].below.contains(&other.slot) {
                self.entries[slot].below.push(other.slot);
                self.bytes += 4;
            }
            if lefts.is_empty() {
                self.gains += 1;
                return Some(other);
            }
        }
        self.scanned += (others.len() - at) as u64;
        None
    }

    /// Remembers a set that took something away.
    fn champion(&mut self, other: Other) {
        if !self.champions.iter().any(|champion| champion.slot == other.slot) {
            self.champions.truncate(CHAMPIONS - 1);
            self.champions.insert(0, other);
        }
    }

    /// Whether tests have cost more than they gained.
    fn is_spent(&self) -> bool {
        let earned = TESTS_PER_SET * self.entries.len() as u64 + self.gains.saturating_mul(TESTS_PER_GAIN);
        self.effort() > FREE_TESTS + earned
    }
}
