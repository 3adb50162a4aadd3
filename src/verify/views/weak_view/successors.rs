//! The successors of one hypothesis under one label; computed once.

use super::WeakView;
use super::events::Role;
use super::interning::{Action, DEAD, Label};
use crate::automaton::{EventId, StateId};
use crate::verify::sets::{Id, Slices, map_bytes, vec_bytes};
use crate::verify::simulation::permutation::HypothesisRef;
use crate::verify::views::belief_system::{HypothesisId, LabelId};
use rustc_hash::FxHashMap;

/// An event that the run does for the first time, and the one that a hypothesis does in its place.
type NewPair = Option<(u32, u32)>;

/// The successors that were computed.
//
// WHY a map for each label: one map for all labels has three times the bytes for each entry and is most of the memory
// of a weak search, twice so while it grows.
#[derive(Debug, Default)]
pub(super) struct SuccessorCache {
    /// For each label, the number of the slice of each hypothesis.
    numbers: Vec<FxHashMap<HypothesisId, u32>>,
    successors: Slices<HypothesisId>,
    /// Heap bytes of the maps in `numbers`.
    map_bytes: u64,
}

impl SuccessorCache {
    fn number(&self, hypothesis: HypothesisId, label: LabelId) -> Option<u32> {
        self.numbers.get(label.index())?.get(&hypothesis).copied()
    }

    fn insert(&mut self, hypothesis: HypothesisId, label: LabelId, successors: &[HypothesisId]) -> u32 {
        let number = self.successors.push(successors);
        let least = (label.index() + 1).max(self.numbers.len());
        self.numbers.resize_with(least, FxHashMap::default);
        let map = &mut self.numbers[label.index()];
        self.map_bytes -= map_bytes(map);
        map.insert(hypothesis, number);
        self.map_bytes += map_bytes(map);
        number
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.numbers) + self.map_bytes + self.successors.bytes()
    }
}

impl WeakView<'_> {
    /// The successors of a hypothesis, with silent moves after the label.
    pub(super) fn closed_successors(&mut self, hypothesis: HypothesisId, label: LabelId) -> &[HypothesisId] {
        let number = self.cache.number(hypothesis, label).unwrap_or_else(|| {
            let successors = self.find_successors(hypothesis, label);
            self.cache.insert(hypothesis, label, &successors)
        });
        self.cache.successors.get(number)
    }

    fn find_successors(&mut self, hypothesis: HypothesisId, label: LabelId) -> Vec<HypothesisId> {
        let label = self.tables.label_parts(label);
        let key = self.tables.key(hypothesis).to_vec();
        let (domain, hypothesis) = self.tables.parts(&key);
        let mut found = Vec::new();
        match label.action {
            Action::Silent => self.add_closure(&label, hypothesis, None, &mut found),
            Action::Visible(event) => self.perform(&label, event, hypothesis, None, &mut found),
            Action::Old(event) => {
                let at = self.tables.domain(domain).binary_search(&event).unwrap_or(0);
                if hypothesis.images[at] != DEAD {
                    self.perform(&label, hypothesis.images[at], hypothesis, None, &mut found);
                }
            }
            Action::New(event) => {
                for other in self.fresh(event, hypothesis) {
                    self.perform(&label, other, hypothesis, Some((event, other)), &mut found);
                }
            }
        }
        self.tables.minimal(found)
    }

    /// The events that a hypothesis may do for a new event: same group, enabled, not used before.
    fn fresh(&self, event: u32, hypothesis: HypothesisRef<'_>) -> Vec<u32> {
        let group = self.role[event as usize];
        let enabled = self.automaton.steps(StateId(hypothesis.state)).iter().map(|step| step.event.0);
        let mut fresh: Vec<u32> = enabled
            .filter(|&other| self.role[other as usize] == group)
            .filter(|other| !hypothesis.images.contains(other) && !hypothesis.spent.contains(other))
            .collect();
        fresh.dedup();
        fresh
    }

    /// Adds the hypotheses after an event, and after silent moves.
    fn perform(
        &mut self,
        label: &Label,
        event: u32,
        hypothesis: HypothesisRef<'_>,
        new_pair: NewPair,
        found: &mut Vec<HypothesisId>,
    ) {
        let automaton = self.automaton;
        for step in automaton.successors(StateId(hypothesis.state), EventId(event)) {
            self.add_closure(label, HypothesisRef { state: step.target.0, ..hypothesis }, new_pair, found);
        }
    }

    /// Adds the hypotheses after silent moves, with π restricted to the label's new domain.
    fn add_closure(
        &mut self,
        label: &Label,
        hypothesis: HypothesisRef<'_>,
        new_pair: NewPair,
        found: &mut Vec<HypothesisId>,
    ) {
        let (images, spent) = self.restricted(label, hypothesis, new_pair);
        for state in self.closure(hypothesis.state) {
            let reached = HypothesisRef { state, images: &images, spent: &spent };
            found.push(self.tables.hypothesis(label.to, reached));
        }
    }

    /// π and F of a hypothesis over a label's new domain.
    fn restricted(&self, label: &Label, hypothesis: HypothesisRef<'_>, new_pair: NewPair) -> (Vec<u32>, Vec<u32>) {
        let (from, to) = (self.tables.domain(label.from), self.tables.domain(label.to));
        let old = from.iter().copied().zip(hypothesis.images.iter().copied());
        let mut pairs: Vec<(u32, u32)> = old.chain(new_pair).collect();
        pairs.sort_unstable();
        let mut images = Vec::with_capacity(to.len());
        let mut spent = hypothesis.spent.to_vec();
        for (event, image) in pairs {
            if to.binary_search(&event).is_ok() {
                images.push(image);
            } else if image != DEAD {
                spent.push(image);
            }
        }
        (images, spent)
    }

    /// The states reached silently from a state, itself included.
    pub(super) fn closure(&mut self, state: u32) -> Box<[u32]> {
        if let Some(found) = self.closures.get(&state) {
            return found.clone();
        }
        self.visited.clear();
        self.visited.insert(state);
        let mut found = vec![state];
        let mut at = 0;
        while at < found.len() {
            for step in self.automaton.steps(StateId(found[at])) {
                if self.role[step.event.index()] == Role::Silent && self.visited.insert(step.target.0) {
                    found.push(step.target.0);
                }
            }
            at += 1;
        }
        self.list_bytes += size_of_val(&found[..]) as u64;
        self.closures.insert(state, found.clone().into_boxed_slice());
        found.into_boxed_slice()
    }
}
