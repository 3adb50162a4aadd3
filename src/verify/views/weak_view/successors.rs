//! The successors of one hypothesis under one label; computed once.

use super::WeakView;
use super::events::Role;
use super::interning::{Action, DEAD, Label};
use crate::automaton::{EventId, StateId};
use crate::verify::sets::{Id, Slices, map_bytes, vec_bytes};
use crate::verify::simulation::permutation::HypothesisRef;
use crate::verify::views::belief_system::{HypothesisId, LabelId};
use rustc_hash::FxHashMap;

/// An agent that the run uses for the first time, and the one that a hypothesis uses in its place.
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
            Action::Visible(act) => self.perform(&label, act, hypothesis, None, &mut found),
            Action::Old(act) => {
                let at = self.tables.domain(domain).binary_search(&self.roles.agent(act)).unwrap_or(0);
                let image = Some(hypothesis.images[at]).filter(|&image| image != DEAD);
                if let Some(reply) = image.and_then(|image| self.roles.act_of(image, act)) {
                    self.perform(&label, reply, hypothesis, None, &mut found);
                }
            }
            Action::New(act) => {
                for other in self.fresh(act, hypothesis) {
                    let new_pair = (self.roles.agent(act), self.roles.agent(other));
                    self.perform(&label, other, hypothesis, Some(new_pair), &mut found);
                }
            }
        }
        self.tables.minimal(found)
    }

    /// The acts that a hypothesis may do for one of a new agent: same label, enabled, of an agent that it has not used.
    fn fresh(&self, act: u32, hypothesis: HypothesisRef<'_>) -> Vec<u32> {
        let role = self.roles.role(act);
        let enabled = self.automaton.steps(StateId(hypothesis.state)).iter().map(|step| step.event.0);
        let is_free = |agent: u32| !hypothesis.images.contains(&agent) && !hypothesis.spent.contains(&agent);
        let mut fresh: Vec<u32> = enabled
            .filter(|&other| self.roles.role(other) == role && is_free(self.roles.agent(other)))
            .map(|other| self.roles.act(other))
            .collect();
        if self.roles.has_named_agents() {
            fresh.sort_unstable();
        }
        fresh.dedup();
        fresh
    }

    /// Adds the hypotheses after an act, and after silent moves.
    fn perform(
        &mut self,
        label: &Label,
        act: u32,
        hypothesis: HypothesisRef<'_>,
        new_pair: NewPair,
        found: &mut Vec<HypothesisId>,
    ) {
        let (automaton, from) = (self.automaton, StateId(hypothesis.state));
        let named = self.roles.has_named_agents();
        let steps = if named { automaton.steps(from) } else { automaton.successors(from, EventId(act)) };
        for step in steps {
            if !named || self.roles.act(step.event.0) == act {
                self.add_closure(label, HypothesisRef { state: step.target.0, ..hypothesis }, new_pair, found);
            }
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
        for (agent, image) in pairs {
            if to.binary_search(&agent).is_ok() {
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
                if self.roles.role(step.event.0) == Role::Silent && self.visited.insert(step.target.0) {
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
