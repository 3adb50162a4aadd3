//! The context of a proof, in the checker's own terms: ids of actual states, hypotheses and sets, and their successors.
//!
//! In a model without history an actual state and a hypothesis are states, and their ids are those of the states. Otherwise
//! ids are interned here; they differ from those of the search.

use super::budget::{ProofBudget, ProofLimits, Stopped};
use crate::resources::Monitor;
use crate::verdict::certificate::checker::is_subset;
use crate::verdict::certificate::model::{CheckerModel, EPSILON};
use crate::verdict::certificate::{Actual, Hypothesis};
use crate::verify::sets::{Id, Interner, SetId, map_bytes, vec_bytes};
use crate::verify::views::belief_system::{ActualId, HypothesisId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The interners and caches of a proof.
pub(super) struct ProofContext<'a> {
    pub(super) model: &'a CheckerModel,
    pub(super) budget: ProofBudget<'a>,
    /// Of single steps that may be long.
    monitor: Monitor<'a>,
    pub(super) actuals: Interner<Actual, ActualId>,
    pub(super) hypotheses: Interner<Hypothesis, HypothesisId>,
    sets: Interner<Vec<HypothesisId>, SetId>,
    /// For each set one bit for each member, modulo 64.
    masks: Vec<u64>,
    /// The labels that were used before a move and after it.
    histories: Interner<(Vec<u32>, Vec<u32>)>,
    /// The successors of a set under a label, for each history.
    posts: FxHashMap<(SetId, u32, u32), SetId>,
    /// Hypotheses that the certificate names although they may be in none of its sets: identities that are covers, and X0.
    pub(super) named: Vec<HypothesisId>,
    /// Empty between calls.
    buffer: Vec<u32>,
}

impl<'a> ProofContext<'a> {
    pub(super) fn new(model: &'a CheckerModel, limits: ProofLimits<'a>, monitor: Monitor<'a>) -> ProofContext<'a> {
        ProofContext {
            model,
            budget: ProofBudget::new(limits),
            monitor,
            actuals: Interner::new(),
            hypotheses: Interner::new(),
            sets: Interner::new(),
            masks: Vec::new(),
            histories: Interner::new(),
            posts: FxHashMap::default(),
            named: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Spends work; an error when a limit is reached.
    pub(super) fn spend(&mut self, work: u64) -> Result<(), Stopped> {
        self.budget.spend(work, || {
            let interners = self.actuals.bytes() + self.hypotheses.bytes() + self.sets.bytes() + self.histories.bytes();
            interners + vec_bytes(&self.masks) + map_bytes(&self.posts)
        })
    }

    /// The id of an actual state.
    pub(super) fn actual(&mut self, actual: Actual) -> ActualId {
        if !self.model.has_history() {
            return ActualId(actual.state);
        }
        let bytes = vec_bytes(&actual.used);
        let (id, new) = self.actuals.intern(actual);
        self.budget.bytes += if new { bytes } else { 0 };
        id
    }

    /// The id of a hypothesis.
    pub(super) fn hypothesis(&mut self, hypothesis: Hypothesis) -> HypothesisId {
        if !self.model.has_history() {
            return HypothesisId(hypothesis.state);
        }
        let bytes = vec_bytes(&hypothesis.images) + vec_bytes(&hypothesis.spent);
        let (id, new) = self.hypotheses.intern(hypothesis);
        self.budget.bytes += if new { bytes } else { 0 };
        id
    }

    /// The actual state of a run that starts at a state.
    pub(super) fn start_actual(&mut self, state: u32) -> ActualId {
        self.actual(Actual { state, used: Vec::new() })
    }

    /// The set of the hypotheses that start at these states.
    pub(super) fn start_set(&mut self, states: &[u32]) -> SetId {
        let fresh = |&state: &u32| Hypothesis { state, images: Vec::new(), spent: Vec::new() };
        let set = self.ids(states.iter().map(fresh).collect());
        self.set_of(set)
    }

    /// The state of an actual state.
    pub(super) fn actual_state(&self, actual: ActualId) -> u32 {
        self.actuals.get(actual).map_or(actual.0, |actual| actual.state)
    }

    /// The state of a hypothesis.
    pub(super) fn hypothesis_state(&self, hypothesis: HypothesisId) -> u32 {
        self.hypotheses.get(hypothesis).map_or(hypothesis.0, |hypothesis| hypothesis.state)
    }

    fn actual_of(&self, actual: ActualId) -> Actual {
        self.actuals.get(actual).cloned().unwrap_or(Actual { state: actual.0, used: Vec::new() })
    }

    fn hypothesis_class(&self, hypothesis: HypothesisId) -> u32 {
        self.model.class(self.hypothesis_state(hypothesis))
    }

    /// The members of a set.
    pub(super) fn set(&self, set: SetId) -> &[HypothesisId] {
        &self.sets[set]
    }

    /// The classes of a set's members, sorted.
    pub(super) fn classes(&self, set: SetId) -> Vec<u32> {
        let mut classes: Vec<u32> = self.set(set).iter().map(|&hypothesis| self.hypothesis_class(hypothesis)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// Makes the certificate name every member of a set.
    pub(super) fn name_all(&mut self, set: SetId) {
        self.named.extend(&self.sets[set]);
    }

    /// The id of a set of sorted members.
    pub(super) fn set_of(&mut self, members: Vec<HypothesisId>) -> SetId {
        let (id, new) = self.sets.intern(members);
        if new {
            let members = &self.sets[id];
            self.masks.push(members.iter().fold(0, |mask, member| mask | 1 << (member.0 % 64)));
            self.budget.bytes += vec_bytes(members);
        }
        id
    }

    /// Whether every member of a set is one of the other's.
    pub(super) fn is_subset(&self, small: SetId, large: SetId) -> bool {
        small == large
            || (self.masks[small.index()] & !self.masks[large.index()] == 0
                && is_subset(self.set(small), self.set(large)))
    }

    /// The moves of an actual state: label, and the number of the actual state that it leads to.
    pub(super) fn moves(&mut self, actual: ActualId) -> Cow<'a, [(u32, u32)]> {
        let model = self.model;
        if !model.has_history() {
            return Cow::Borrowed(model.moves(actual.0));
        }
        let from = self.actual_of(actual);
        let moves = model.moves(from.state).iter();
        moves
            .map(|&(label, target)| {
                let used = model.used_after(&from.used, label, target);
                (label, self.actual(Actual { state: target, used }).0)
            })
            .collect()
    }

    /// The hypothesis that is identical to the actual run.
    pub(super) fn identity(&mut self, actual: ActualId) -> HypothesisId {
        let identity = self.model.identity(&self.actual_of(actual));
        self.hypothesis(identity)
    }

    /// Whether a hypothesis has used ρ(a) for each a that the run used, and none that ρ will ask for.
    pub(super) fn agrees(&self, actual: ActualId, hypothesis: HypothesisId, rho: &[u32]) -> bool {
        let (Some(actual), Some(hypothesis)) = (self.actuals.get(actual), self.hypotheses.get(hypothesis)) else {
            return true;
        };
        self.model.agrees(actual, hypothesis, rho)
    }

    /// Replaces `replies` by the successors of a hypothesis under a move of an actual state, with silent moves before it.
    pub(super) fn reply(
        &mut self,
        hypothesis: HypothesisId,
        (actual, target): (ActualId, ActualId),
        label: u32,
        replies: &mut Vec<HypothesisId>,
    ) -> Result<(), Stopped> {
        let model = self.model;
        replies.clear();
        if model.has_history() {
            let before = model.close_hypotheses([self.hypotheses[hypothesis].clone()], &mut self.monitor)?;
            let (used, after) = (self.actual_of(actual).used, self.actual_of(target).used);
            let after = model.post_hypotheses(&before, &used, label, &after, &mut self.monitor)?;
            replies.extend(self.ids(after));
        } else {
            model.weak_successors(hypothesis.0, label, &mut self.buffer);
            replies.extend(self.buffer.drain(..).map(HypothesisId));
        }
        self.spend(1 + replies.len() as u64)
    }

    /// The successors of a set under a move of an actual state; computed once.
    pub(super) fn post(
        &mut self,
        model: &CheckerModel,
        set: SetId,
        (actual, target): (ActualId, ActualId),
        label: u32,
    ) -> Result<SetId, Stopped> {
        let history = match model.has_history() {
            true => self.histories.intern((self.actual_of(actual).used, self.actual_of(target).used)).0,
            false if label == EPSILON => return Ok(set),
            false => 0,
        };
        if let Some(&post) = self.posts.get(&(set, label, history)) {
            return Ok(post);
        }
        self.spend(1 + self.set(set).len() as u64)?;
        let post = if model.has_history() {
            let hypotheses = self.hypotheses_of(self.set(set));
            let (used, after) = &self.histories[history];
            let after = model.post_hypotheses(&hypotheses, used, label, after, &mut self.monitor)?;
            self.ids(minimal(after))
        } else {
            let states: Vec<u32> = self.set(set).iter().map(|member| member.0).collect();
            model.post(&states, label).into_iter().map(HypothesisId).collect()
        };
        let post = self.set_of(post);
        self.posts.insert((set, label, history), post);
        Ok(post)
    }

    /// Forgets the successors of sets: they differ in the reversed automaton.
    pub(super) fn forget_posts(&mut self) {
        self.posts.clear();
    }

    /// UR(S \ D), D being the states of these classes.
    pub(super) fn surviving(&mut self, set: SetId, exposed: &[u32]) -> Result<SetId, Stopped> {
        self.spend(1 + self.set(set).len() as u64)?;
        let kept = |hypothesis: &HypothesisId| !exposed.contains(&self.hypothesis_class(*hypothesis));
        let surviving: Vec<HypothesisId> = self.set(set).iter().copied().filter(kept).collect();
        let closed = if self.model.has_history() {
            let hypotheses = self.hypotheses_of(&surviving);
            let closed = self.model.close_hypotheses(hypotheses, &mut self.monitor)?;
            self.ids(minimal(closed))
        } else {
            self.model.close(surviving.into_iter().map(Id::number)).into_iter().map(HypothesisId).collect()
        };
        Ok(self.set_of(closed))
    }

    fn hypotheses_of(&self, ids: &[HypothesisId]) -> Vec<Hypothesis> {
        ids.iter().map(|&hypothesis| self.hypotheses[hypothesis].clone()).collect()
    }

    /// The ids of some hypotheses, sorted.
    fn ids(&mut self, hypotheses: Vec<Hypothesis>) -> Vec<HypothesisId> {
        let mut ids: Vec<HypothesisId> = hypotheses.into_iter().map(|hypothesis| self.hypothesis(hypothesis)).collect();
        ids.sort_unstable();
        ids
    }
}

/// The hypotheses without those that have the same state and π as another, and a larger F.
fn minimal(hypotheses: Vec<Hypothesis>) -> Vec<Hypothesis> {
    let mut kept: Vec<Hypothesis> = Vec::with_capacity(hypotheses.len());
    for some in hypotheses.chunk_by(|one, other| one.state == other.state && one.images == other.images) {
        let smaller = |one: &Hypothesis, other: &Hypothesis| {
            one.spent.len() < other.spent.len() && is_subset(&one.spent, &other.spent)
        };
        kept.extend(some.iter().filter(|hypothesis| !some.iter().any(|other| smaller(other, hypothesis))).cloned());
    }
    kept
}
