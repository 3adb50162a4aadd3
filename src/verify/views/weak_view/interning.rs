//! The ids of the weak view: domains (sets of used agents), actual states, hypotheses and labels.
//!
//! What cannot matter is forgotten before a value is interned, so that values which differ in nothing that matters share
//! an id.

use super::events::Reach;
use crate::verify::sets::{Interner, Set, SliceInterner, Sparse, ids};
use crate::verify::simulation::permutation::HypothesisRef;
use crate::verify::views::belief_system::{ActualId, EPSILON, HypothesisId, LabelId};
use rustc_hash::FxHashMap;

/// In place of π(a): the hypothesis can never reach it again.
pub(super) const DEAD: u32 = u32::MAX;

ids! {
    /// A set of used agents.
    DomainId,
}

/// No used agents.
pub(super) const EMPTY: DomainId = DomainId(0);

/// A move of the actual run, as hypotheses must reply to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Action {
    Silent,
    /// An act that no other agent has.
    Visible(u32),
    /// An act of an agent that the run has used.
    Old(u32),
    /// One of an agent that it has not.
    New(u32),
}

/// What a label stands for: an action, and the domains before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Label {
    pub(super) action: Action,
    pub(super) from: DomainId,
    pub(super) to: DomainId,
}

/// The interners.
#[derive(Debug)]
pub(super) struct Tables {
    reach: Reach,
    domains: Interner<Box<[u32]>, DomainId>,
    /// State and domain.
    actuals: Interner<(u32, DomainId), ActualId>,
    /// The number of the domain, the state, π in the order of the domain, then F sorted.
    hypotheses: SliceInterner<u32, HypothesisId>,
    labels: Interner<Label, LabelId>,
    /// Heap bytes of the domains themselves.
    domain_bytes: u64,
}

impl Tables {
    /// Nothing interned, except [`EMPTY`].
    pub(super) fn new(reach: Reach) -> Tables {
        let mut domains = Interner::new();
        domains.intern(Box::default());
        let (actuals, hypotheses, labels) = (Interner::new(), SliceInterner::new(), Interner::new());
        Tables { reach, domains, actuals, hypotheses, labels, domain_bytes: 0 }
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> u64 {
        let tables = self.domains.bytes() + self.actuals.bytes() + self.hypotheses.bytes() + self.labels.bytes();
        tables + self.domain_bytes + self.reach.bytes()
    }

    /// The used agents of a domain.
    pub(super) fn domain(&self, domain: DomainId) -> &[u32] {
        &self.domains[domain]
    }

    /// The domain after a move that may use a new agent, without agents that the target can never reach again.
    pub(super) fn domain_after(&mut self, from: DomainId, new: Option<u32>, target: u32) -> DomainId {
        let used = self.domains[from].iter().copied().chain(new);
        let mut kept: Vec<u32> = used.filter(|&agent| self.reach.has(target, agent)).collect();
        kept.sort_unstable();
        self.domain_of(&kept)
    }

    /// The domain of these agents, in order.
    pub(super) fn domain_of(&mut self, used: &[u32]) -> DomainId {
        let (domain, new) = self.domains.intern(used.into());
        self.domain_bytes += if new { size_of_val(used) as u64 } else { 0 };
        domain
    }

    /// The id of an actual state, and whether it is new.
    pub(super) fn actual(&mut self, state: u32, domain: DomainId) -> (ActualId, bool) {
        self.actuals.intern((state, domain))
    }

    /// The state and domain of an actual state.
    pub(super) fn actual_parts(&self, actual: ActualId) -> (u32, DomainId) {
        self.actuals[actual]
    }

    /// The agents that an actual state may still use for the first time.
    pub(super) fn ahead(&self, actual: ActualId, n_events: usize) -> Vec<u32> {
        let (state, domain) = self.actuals[actual];
        let used = self.domain(domain);
        let agents = 0..n_events as u32;
        agents.filter(|&agent| self.reach.has(state, agent) && used.binary_search(&agent).is_err()).collect()
    }

    /// The id of a label.
    pub(super) fn label(&mut self, action: Action, from: DomainId, to: DomainId) -> LabelId {
        match action {
            Action::Silent if from == to => EPSILON,
            _ => self.labels.intern(Label { action, from, to }).0,
        }
    }

    /// What a label stands for.
    pub(super) fn label_parts(&self, label: LabelId) -> Label {
        self.labels[label]
    }

    /// The id of a hypothesis, without what its state cannot do.
    pub(super) fn hypothesis(&mut self, domain: DomainId, hypothesis: HypothesisRef<'_>) -> HypothesisId {
        let HypothesisRef { state, images, spent } = hypothesis;
        let mut key = Vec::with_capacity(2 + images.len() + spent.len());
        key.extend([domain.0, state]);
        let alive = |&image: &u32| if image != DEAD && self.reach.has(state, image) { image } else { DEAD };
        key.extend(images.iter().map(alive));
        key.extend(spent.iter().copied().filter(|&agent| self.reach.has(state, agent)));
        key[2 + images.len()..].sort_unstable();
        self.hypotheses.intern(&key).0
    }

    /// A hypothesis as it is interned, to be read by [`Tables::parts`].
    pub(super) fn key(&self, hypothesis: HypothesisId) -> &[u32] {
        self.hypotheses.get(hypothesis)
    }

    /// The domain and the hypothesis of a key.
    pub(super) fn parts<'k>(&self, key: &'k [u32]) -> (DomainId, HypothesisRef<'k>) {
        let domain = DomainId(key[0]);
        let (images, spent) = key[2..].split_at(self.domains[domain].len());
        (domain, HypothesisRef { state: key[1], images, spent })
    }

    /// The state of a hypothesis.
    pub(super) fn hypothesis_state(&self, hypothesis: HypothesisId) -> u32 {
        self.key(hypothesis)[1]
    }

    /// The hypothesis of an id.
    pub(super) fn hypothesis_parts(&self, hypothesis: HypothesisId) -> HypothesisRef<'_> {
        self.parts(self.key(hypothesis)).1
    }

    /// The set of some hypotheses.
    pub(super) fn set(&self, hypotheses: Vec<HypothesisId>) -> Sparse {
        Sparse::collect(0, &mut self.minimal(hypotheses))
    }

    /// The hypotheses in order, without those that have the same y and π as another, and a larger F.
    pub(super) fn minimal(&self, mut hypotheses: Vec<HypothesisId>) -> Vec<HypothesisId> {
        hypotheses.sort_unstable();
        hypotheses.dedup();
        let split = |hypothesis: HypothesisId| {
            let key = self.key(hypothesis);
            key.split_at(2 + self.domains[DomainId(key[0])].len())
        };
        if hypotheses.iter().all(|&hypothesis| split(hypothesis).1.is_empty()) {
            return hypotheses;
        }
        let mut by_body: FxHashMap<&[u32], Vec<&[u32]>> = FxHashMap::default();
        for &hypothesis in &hypotheses {
            let (body, spent) = split(hypothesis);
            by_body.entry(body).or_default().push(spent);
        }
        hypotheses.retain(|&hypothesis| {
            let (body, spent) = split(hypothesis);
            let smaller = |other: &&[u32]| other.len() < spent.len() && other.iter().all(|agent| spent.contains(agent));
            !by_body[body].iter().any(smaller)
        });
        hypotheses
    }
}
