//! The weak view, in an encoding relative to the actual run.
//!
//! Two runs look alike under Pw iff at each position the labels are equal, and the agent is new in both, or old in both with the
//! same first position. So the order of arrival need not be recorded. An actual state is (x, U): U are the agents that the run
//! has used. A hypothesis is (y, π, F): π gives for each agent of U the one that the hypothesis used in its place; F are agents
//! that it used in place of others that no longer matter, and may not use as new. When the run does an act of a ∈ U, hypotheses
//! do an act of π(a) with the same label; when it does one of a new a, they do one with the same label of any b outside the range
//! of π and F. Without named agents every anonymous event is its own agent: U, π and F are about events.
//!
//! What cannot matter is forgotten: an agent that x can never reach again leaves U, and its π(a) moves to F; F keeps only
//! agents that y can still reach; a π(a) that y can never reach again is [`DEAD`](interning::DEAD). Of two hypotheses with the
//! same y and π the one with the larger F is dropped. All of this is exact.
//!
//! Cost: hypotheses are interned; the successors of each under each label are computed once.

mod events;
mod interning;
pub(crate) mod once;
mod successors;

use super::belief_system::{
    ActualId, BeliefSystem, EPSILON, Heuristics, HypothesisId, LabelId, Move, Portable, ProofExport, Successors,
};
use crate::automaton::view::View;
use crate::automaton::{Automaton, StateId};
use crate::resources::Stop;
use crate::resources::strike;
use crate::verify::engine::resources::CancelToken;
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Id, Set, Sparse, VisitedSet, map_bytes, vec_bytes};
use crate::verify::simulation::colour_refinement::ColourRefinement;
use crate::verify::simulation::game::SimulationKind;
use crate::verify::simulation::permutation::{ActualRef, HypothesisRef, PermutationRelation, PermutationSimulation};
use events::{Reach, Role, Roles};
use interning::{Action, DomainId, EMPTY, Tables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::convert::Infallible;
use std::sync::OnceLock;
use successors::SuccessorCache;

/// The weak view as a belief system.
#[derive(Debug)]
pub(crate) struct WeakView<'a> {
    view: View<'a>,
    automaton: &'a Automaton,
    roles: Roles,
    tables: Tables,
    /// The moves of each actual state, once they were asked for.
    moves: Vec<Option<Box<[Move]>>>,
    cache: SuccessorCache,
    closures: FxHashMap<u32, Box<[u32]>>,
    visited: VisitedSet,
    colours: OnceLock<ColourRefinement>,
    permutation: PermutationSimulation,
    /// Heap bytes of the moves and of the closures.
    list_bytes: u64,
}

impl<'a> WeakView<'a> {
    /// The belief system of a view.
    pub(crate) fn new(view: &View<'a>) -> WeakView<'a> {
        let automaton = view.automaton;
        let roles = Roles::new(view);
        WeakView {
            view: *view,
            automaton,
            tables: Tables::new(Reach::new(automaton, &roles)),
            roles,
            moves: Vec::new(),
            cache: SuccessorCache::default(),
            closures: FxHashMap::default(),
            visited: VisitedSet::new(automaton.n_states()),
            colours: OnceLock::new(),
            permutation: PermutationSimulation::new(view),
            list_bytes: 0,
        }
    }

    fn actual(&mut self, state: u32, domain: DomainId) -> ActualId {
        let (actual, new) = self.tables.actual(state, domain);
        if new {
            self.moves.push(None);
        }
        actual
    }

    fn find_moves(&mut self, actual: ActualId) -> Box<[Move]> {
        let (state, from) = self.tables.actual_parts(actual);
        let automaton = self.automaton;
        let mut moves = Vec::new();
        for step in automaton.steps(StateId(state)) {
            let (action, target) = (self.action(from, step.event.0), step.target.0);
            let new = matches!(action, Action::New(_)).then(|| self.roles.agent(step.event.0));
            let to = self.tables.domain_after(from, new, target);
            let label = self.tables.label(action, from, to);
            let observed = action != Action::Silent;
            moves.push(Move { label, target: self.actual(target, to), observed, event: step.event });
        }
        moves.sort_unstable();
        moves.dedup_by_key(|step| (step.label, step.target));
        self.list_bytes += size_of_val(&moves[..]) as u64;
        moves.into_boxed_slice()
    }

    /// What an event means for the hypotheses when the run has used these agents.
    fn action(&self, used: DomainId, event: u32) -> Action {
        let (agent, act) = (self.roles.agent(event), self.roles.act(event));
        match self.roles.role(event) {
            Role::Silent => Action::Silent,
            Role::Visible => Action::Visible(act),
            Role::Anonymous(_) if self.tables.domain(used).binary_search(&agent).is_ok() => Action::Old(act),
            Role::Anonymous(_) => Action::New(act),
        }
    }

    fn colours(&self) -> &ColourRefinement {
        self.colours.get_or_init(|| {
            ColourRefinement::new(self.automaton.n_states(), |state, visit| {
                for step in self.automaton.steps(StateId(state)) {
                    let label = match self.roles.role(step.event.0) {
                        Role::Silent => 0,
                        Role::Visible => 1 + step.event.0,
                        Role::Anonymous(group) => 1 + self.roles.len() as u32 + group,
                    };
                    visit(label, step.target.0);
                }
            })
        })
    }

    /// The successors of a closed set of hypotheses, unless a look at the bytes held gives an error.
    fn post_unless<E>(
        &mut self,
        hypotheses: &Sparse,
        label: LabelId,
        look: impl Fn(u64) -> Result<(), E>,
    ) -> Result<Sparse, E> {
        let mut all = Vec::new();
        for (at, hypothesis) in hypotheses.iter().enumerate() {
            all.extend_from_slice(self.closed_successors(hypothesis, label));
            if at % Tuning::HYPOTHESES_PER_LOOK == Tuning::HYPOTHESES_PER_LOOK - 1 || strike::everywhere() {
                look(self.bytes() + vec_bytes(&all))?;
            }
        }
        Ok(self.tables.set(all))
    }
}

impl BeliefSystem for WeakView<'_> {
    type Set = Sparse;

    fn universe(&self) -> usize {
        0
    }

    fn size(&self) -> u64 {
        (self.automaton.n_states() + self.automaton.n_transitions()) as u64
    }

    fn bytes(&self) -> u64 {
        let colours = self.colours.get().map_or(0, ColourRefinement::bytes);
        let lists = vec_bytes(&self.moves) + map_bytes(&self.closures) + self.list_bytes;
        let tables = self.tables.bytes() + self.cache.bytes() + self.visited.bytes();
        lists + tables + self.permutation.bytes() + colours
    }

    fn initial(&mut self) -> (Vec<ActualId>, Vec<HypothesisId>) {
        let initial = self.automaton.initial().iter().map(|state| state.0);
        let actuals = initial.clone().map(|state| self.actual(state, EMPTY)).collect();
        let fresh = |state| HypothesisRef { state, images: &[], spent: &[] };
        let hypotheses = initial.map(|state| self.tables.hypothesis(EMPTY, fresh(state))).collect();
        (actuals, hypotheses)
    }

    fn actual_state(&self, actual: ActualId) -> StateId {
        StateId(self.tables.actual_parts(actual).0)
    }

    fn hypothesis_state(&self, hypothesis: HypothesisId) -> StateId {
        StateId(self.tables.hypothesis_state(hypothesis))
    }

    fn identity(&mut self, actual: ActualId) -> HypothesisId {
        let (state, domain) = self.tables.actual_parts(actual);
        let images = self.tables.domain(domain).to_vec();
        self.tables.hypothesis(domain, HypothesisRef { state, images: &images, spent: &[] })
    }

    fn moves(&mut self, actual: ActualId) -> &[Move] {
        if self.moves[actual.index()].is_none() {
            let found = self.find_moves(actual);
            self.moves[actual.index()] = Some(found);
        }
        self.moves[actual.index()].as_deref().unwrap_or(&[])
    }

    fn post_actuals(&mut self, actuals: &Sparse) -> Vec<Successors<Sparse>> {
        let mut all: Vec<(LabelId, bool, ActualId)> = Vec::new();
        for actual in actuals.iter() {
            let moves = self.moves(actual).iter().take_while(|step| step.label != EPSILON);
            all.extend(moves.map(|step| (step.label, step.observed, step.target)));
        }
        all.sort_unstable();
        let by_label = all.chunk_by(|one, other| one.0 == other.0);
        let successors = by_label.map(|chunk| Successors {
            label: chunk[0].0,
            observed: chunk[0].1,
            targets: self.close_actuals(chunk.iter().map(|step| step.2).collect()),
        });
        successors.collect()
    }

    fn close_actuals(&mut self, mut actuals: Vec<ActualId>) -> Sparse {
        let mut visited: FxHashSet<ActualId> = FxHashSet::default();
        let mut at = 0;
        while at < actuals.len() {
            let moves = self.moves(actuals[at]).iter().rev().take_while(|step| step.label == EPSILON);
            let targets: Vec<ActualId> = moves.map(|step| step.target).collect();
            if !targets.is_empty() && visited.is_empty() {
                visited.extend(actuals.iter().copied());
            }
            actuals.extend(targets.into_iter().filter(|&target| visited.insert(target)));
            at += 1;
        }
        Sparse::collect(0, &mut actuals)
    }

    fn close(&mut self, hypotheses: Vec<HypothesisId>) -> Sparse {
        let mut all = Vec::new();
        hypotheses.into_iter().for_each(|hypothesis| self.silent_closure(hypothesis, &mut all));
        self.tables.set(all)
    }

    fn post(&mut self, hypotheses: &Sparse, label: LabelId) -> Sparse {
        let Ok(set) = self.post_unless(hypotheses, label, |_| Ok::<(), Infallible>(()));
        set
    }

    fn post_within(&mut self, hypotheses: &Sparse, label: LabelId, token: &CancelToken<'_>) -> Result<Sparse, Stop> {
        self.post_unless(hypotheses, label, |bytes| token.stop(bytes).map_or(Ok(()), Err))
    }

    fn successors(&mut self, hypothesis: HypothesisId, label: LabelId, into: &mut Vec<HypothesisId>) {
        match label {
            EPSILON => self.silent_closure(hypothesis, into),
            _ => into.extend_from_slice(self.closed_successors(hypothesis, label)),
        }
    }

    fn weak_successors(&mut self, hypothesis: HypothesisId, label: LabelId, into: &mut Vec<HypothesisId>) {
        let mut before = Vec::new();
        self.silent_closure(hypothesis, &mut before);
        for hypothesis in before {
            into.extend_from_slice(self.closed_successors(hypothesis, label));
        }
    }

    fn silent_closure(&mut self, hypothesis: HypothesisId, into: &mut Vec<HypothesisId>) {
        let key = self.tables.key(hypothesis).to_vec();
        let (domain, from) = self.tables.parts(&key);
        let closure = self.closure(from.state);
        if closure.len() == 1 {
            return into.push(hypothesis);
        }
        into.extend(closure.iter().map(|&state| self.tables.hypothesis(domain, HypothesisRef { state, ..from })));
    }
}

impl Heuristics for WeakView<'_> {
    fn dissimilarity(&self, actual: ActualId, hypothesis: HypothesisId) -> u32 {
        let (state, domain) = self.tables.actual_parts(actual);
        let hypothesis = self.tables.hypothesis_parts(hypothesis);
        let pairs = self.tables.domain(domain).iter().zip(hypothesis.images);
        let moved = pairs.filter(|(event, image)| event != image).count() as u32;
        let colours = self.colours();
        // WHY: the colour counts for more than any number of moved events.
        let other_colour = if colours.same_colour(state, hypothesis.state) { 0 } else { 1_000 };
        moved + other_colour + u32::from(!colours.disconnected(state, hypothesis.state))
    }

    fn permutation_simulates(
        &mut self,
        kind: SimulationKind,
        exposed: &ExposedSets,
        actual: ActualId,
        (hypotheses, from): (&Sparse, HypothesisId),
        most: u64,
    ) -> Result<bool, HypothesisId> {
        let (state, domain) = self.tables.actual_parts(actual);
        let ahead = self.tables.ahead(actual, self.roles.len());
        let actual = ActualRef { state, used: self.tables.domain(domain), ahead: &ahead };
        let hypotheses = hypotheses.iter().map(|id| (id, self.tables.hypothesis_parts(id)));
        self.permutation.any_simulates((kind, exposed), actual, hypotheses, from, most)
    }

    fn permutation_work(&self) -> u64 {
        self.permutation.work
    }

    fn permutation_share(&self) -> u64 {
        Tuning::WEAK_PERMUTATION_SHARE
    }

    fn game_cost(&self) -> u64 {
        Tuning::WEAK_GAME_COST
    }
}

/// An actual state is its state and its used agents; a hypothesis is how many agents the run has used, these, its state, π and F.
impl Portable for WeakView<'_> {
    fn fork(&self) -> Self {
        WeakView::new(&self.view)
    }

    fn describe_actual(&self, actual: ActualId, into: &mut Vec<u32>) {
        let (state, used) = self.tables.actual_parts(actual);
        into.push(state);
        into.extend_from_slice(self.tables.domain(used));
    }

    fn actual_of(&mut self, words: &[u32]) -> ActualId {
        let (state, used) = words.split_first().map_or((0, words), |(&state, used)| (state, used));
        let used = self.tables.domain_of(used);
        self.actual(state, used)
    }

    fn describe_hypothesis(&self, hypothesis: HypothesisId, into: &mut Vec<u32>) {
        let key = self.tables.key(hypothesis);
        let used = self.tables.domain(self.tables.parts(key).0);
        into.push(used.len() as u32);
        into.extend_from_slice(used);
        into.extend_from_slice(&key[1..]);
    }

    fn hypothesis_of(&mut self, words: &[u32]) -> HypothesisId {
        let used = words[0] as usize;
        let (used, rest) = words[1..].split_at(used);
        let (images, spent) = rest[1..].split_at(used.len());
        let domain = self.tables.domain_of(used);
        self.tables.hypothesis(domain, HypothesisRef { state: rest[0], images, spent })
    }
}

impl ProofExport for WeakView<'_> {
    fn used_events(&self, actual: ActualId) -> Vec<u32> {
        self.tables.domain(self.tables.actual_parts(actual).1).to_vec()
    }

    fn replacements(&self, hypothesis: HypothesisId) -> (Vec<u32>, Vec<u32>) {
        let hypothesis = self.tables.hypothesis_parts(hypothesis);
        (hypothesis.images.to_vec(), hypothesis.spent.to_vec())
    }

    fn permutation_relations(&self, kind: SimulationKind) -> Vec<PermutationRelation> {
        self.permutation.relations(kind)
    }
}
