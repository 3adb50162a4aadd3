//! Prunes pairs whose set contains a hypothesis that simulates the actual state.
//!
//! In phase 1 an actual state is pruned from an estimate that contains a *twin* of it (for `among N`: N - 1 twins in different
//! classes); in phase 2 from a set with any hypothesis that simulates it. Both are queries to a [`SimulationGame`], asked
//! lazily and within a budget that grows with the work of the search, so that models without twins pay little.
//!
//! Before the game, a view tries [ρ-simulation](super::permutation), which is cheaper.

use super::game::{Arena, SimulationGame, SimulationKind, Tuple};
use crate::verify::Progress;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Set, map_bytes, smallvec_bytes, vec_bytes};
use crate::verify::views::belief_system::{ActualId, EPSILON, Heuristics, HypothesisId, LabelId};
use rustc_hash::FxHashMap;

/// A game, and its results by actual state.
#[derive(Debug)]
pub(crate) struct SimulationPruner<S> {
    game: SimulationGame,
    /// How many hypotheses simulate together.
    width: usize,
    /// Tuples that are known to simulate an actual state.
    proved: FxHashMap<ActualId, Vec<Tuple>>,
    /// Hypotheses that were tried without success.
    tried: FxHashMap<ActualId, S>,
    /// Where the last slice ended: at this hypothesis of this actual state, or after all of them.
    resume: Option<(ActualId, HypothesisId)>,
    /// Heap bytes of the values of `proved` and `tried`.
    list_bytes: u64,
}

impl<S: Set> SimulationPruner<S> {
    /// Twins, this many together.
    pub(crate) fn twins(width: usize) -> SimulationPruner<S> {
        SimulationPruner::new(SimulationKind::ClassAvoiding, width)
    }

    /// Plain simulation by one hypothesis.
    pub(crate) fn simulation() -> SimulationPruner<S> {
        SimulationPruner::new(SimulationKind::Plain, 1)
    }

    fn new(kind: SimulationKind, width: usize) -> SimulationPruner<S> {
        SimulationPruner {
            game: SimulationGame::new(kind),
            width,
            proved: FxHashMap::default(),
            tried: FxHashMap::default(),
            resume: None,
            list_bytes: 0,
        }
    }

    /// The proved positions of the game.
    pub(crate) fn relation(&self) -> impl Iterator<Item = (ActualId, Tuple)> {
        self.game.proved()
    }

    /// Work done so far, in steps of the search.
    pub(crate) fn effort(&self) -> u64 {
        self.game.work * Tuning::SEARCH_STEPS_PER_GAME_STEP
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.game.bytes() + map_bytes(&self.proved) + map_bytes(&self.tried) + self.list_bytes
    }

    /// The actual states that no hypothesis of the set is known to simulate, as far as the limits allow to find out.
    /// `search_work` is the work of the search so far; `progress.memory` includes what is held here.
    pub(crate) fn prune<B: Heuristics<Set = S>>(
        &mut self,
        beliefs: &mut B,
        exposed: &ExposedSets,
        (actuals, hypotheses): (S, &S),
        search_work: u64,
        (meter, mut progress): (&mut ResourceMonitor<'_>, Progress),
    ) -> S {
        let beside = progress.memory - self.bytes() - beliefs.bytes();
        let mut stopped = false;
        let mut is_simulated = |actual: ActualId| loop {
            // WHY: a limit that is passed here is noticed again at the next step of the search, which ends it.
            progress.memory = beside + self.bytes() + beliefs.bytes();
            stopped = stopped || meter.check(&progress).is_err();
            if stopped {
                return false;
            }
            match self.is_simulated(beliefs, exposed, actual, hypotheses, search_work) {
                Some(answer) => return answer,
                None => stopped = meter.look(&progress).is_err(),
            }
        };
        let mut kept: Vec<ActualId> = actuals.iter().filter(|&actual| !is_simulated(actual)).collect();
        S::collect(beliefs.universe(), &mut kept)
    }

    /// Whether a hypothesis of the set simulates an actual state. None: a slice of work is over, and it pays to ask again.
    fn is_simulated<B: Heuristics<Set = S>>(
        &mut self,
        beliefs: &mut B,
        exposed: &ExposedSets,
        actual: ActualId,
        hypotheses: &S,
        search_work: u64,
    ) -> Option<bool> {
        let free = Tuning::GAME_WORK_PER_SIZE * beliefs.size();
        let most = Tuning::GAME_FREE_WORK + free + search_work / Tuning::SEARCH_STEPS_PER_GAME_WORK;
        let by_permutation = Tuning::GAME_FREE_WORK
            + free * beliefs.permutation_share()
            + search_work * Tuning::PERMUTATION_WORK_PER_STEP;
        if self.is_known(actual, hypotheses)
            || (self.width == 1 && self.by_permutation(beliefs, exposed, (actual, hypotheses), by_permutation)?)
        {
            return Some(true);
        }
        let answer = self.try_new(beliefs, exposed, actual, hypotheses, most / beliefs.game_cost());
        if answer.is_none() {
            self.resume = Some((actual, HypothesisId(u32::MAX)));
        }
        answer
    }

    fn by_permutation<B: Heuristics<Set = S>>(
        &mut self,
        beliefs: &mut B,
        exposed: &ExposedSets,
        (actual, hypotheses): (ActualId, &S),
        most: u64,
    ) -> Option<bool> {
        let until = most.min(beliefs.permutation_work() + Tuning::GAME_SLICE);
        let resume = self.resume.take().filter(|resume| resume.0 == actual);
        let from = resume.map_or(HypothesisId(0), |resume| resume.1);
        match beliefs.permutation_simulates(self.game.kind(), exposed, actual, (hypotheses, from), until) {
            Ok(simulates) => Some(simulates),
            Err(_) if until == most => Some(false),
            Err(hypothesis) => {
                self.resume = Some((actual, hypothesis));
                None
            }
        }
    }

    fn is_known(&self, actual: ActualId, hypotheses: &S) -> bool {
        let proved = self.proved.get(&actual).map_or(&[][..], |proved| proved);
        proved.iter().any(|tuple| tuple.iter().all(|&hypothesis| hypotheses.contains(hypothesis)))
    }

    /// Tries the hypotheses that were not tried with this actual state before.
    fn try_new<B: Heuristics<Set = S>>(
        &mut self,
        beliefs: &mut B,
        exposed: &ExposedSets,
        actual: ActualId,
        hypotheses: &S,
        most: u64,
    ) -> Option<bool> {
        if self.game.work > most {
            return Some(false);
        }
        let until = most.min(self.game.work + Tuning::GAME_SLICE);
        let tried = self.tried.get(&actual).filter(|_| self.width == 1);
        if tried.is_some_and(|tried| hypotheses.is_subset(tried)) {
            return Some(false);
        }
        let mut untried = hypotheses.clone();
        if let Some(tried) = tried {
            untried.difference_with(tried);
        }
        for tuple in self.same_colour(beliefs, actual, &untried) {
            match self.query(beliefs, exposed, actual, &tuple, until) {
                None => return (until == most).then_some(false),
                Some(true) => return Some(true),
                Some(false) => {}
            }
        }
        self.game.work += 1 + untried.len() as u64 / 2;
        for tuple in self.tuples(&rank(beliefs, actual, &untried)) {
            match self.query(beliefs, exposed, actual, &tuple, until) {
                None => return (until == most).then_some(false),
                Some(true) => return Some(true),
                Some(false) => {}
            }
        }
        self.record_tried(actual, &untried);
        Some(false)
    }

    /// Where there are too many hypotheses to rank: those of the same colour, to be tried first.
    fn same_colour<B: Heuristics<Set = S>>(&self, beliefs: &mut B, actual: ActualId, untried: &S) -> Vec<Tuple> {
        if self.width > 1 || untried.len() <= Tuning::MAX_RANKED {
            return Vec::new();
        }
        let alike = beliefs.same_colour(actual).into_iter().filter(|&hypothesis| untried.contains(hypothesis));
        alike.take(Tuning::MAX_RANKED).map(|hypothesis| Tuple::from_slice(&[hypothesis])).collect()
    }

    fn record_tried(&mut self, actual: ActualId, untried: &S) {
        if self.width == 1 {
            let tried = self.tried.entry(actual).or_default();
            self.list_bytes -= tried.bytes();
            tried.union_with(untried);
            self.list_bytes += tried.bytes();
        }
    }

    /// Queries the game, and records what it proved.
    fn query<B: Heuristics<Set = S>>(
        &mut self,
        beliefs: &mut B,
        exposed: &ExposedSets,
        actual: ActualId,
        tuple: &[HypothesisId],
        until: u64,
    ) -> Option<bool> {
        let won = self.game.query(beliefs, exposed, actual, tuple, until)?;
        for (actual, tuple) in self.game.take_newly_proved() {
            self.record(actual, tuple);
        }
        let known = self.proved.get(&actual).is_some_and(|all| all.iter().any(|known| known[..] == *tuple));
        if won && !known {
            self.record(actual, Tuple::from_slice(tuple));
        }
        Some(won)
    }

    fn record(&mut self, actual: ActualId, tuple: Tuple) {
        let proved = self.proved.entry(actual).or_default();
        self.list_bytes -= vec_bytes(proved);
        self.list_bytes += smallvec_bytes(&tuple);
        proved.push(tuple);
        self.list_bytes += vec_bytes(proved);
    }

    /// The tuples that are tried.
    fn tuples(&self, ranked: &[HypothesisId]) -> Vec<Tuple> {
        if self.width == 1 {
            return ranked.iter().map(|&hypothesis| Tuple::from_slice(&[hypothesis])).collect();
        }
        let mut tuples: Vec<Tuple> = vec![Tuple::new()];
        for _ in 0..self.width {
            let longer = tuples.iter().flat_map(|tuple| {
                let rest = ranked.iter().skip_while(|one| tuple.contains(one)).filter(|one| !tuple.contains(one));
                rest.take(Tuning::MAX_EXTENSIONS).map(|&one| tuple.iter().copied().chain([one]).collect())
            });
            tuples = longer.take(Tuning::MAX_TUPLES).collect();
        }
        tuples
    }
}

/// The hypotheses, the most promising first.
fn rank<B: Heuristics>(beliefs: &mut B, actual: ActualId, hypotheses: &B::Set) -> Vec<HypothesisId> {
    let mut ranked: Vec<HypothesisId> = hypotheses.iter().collect();
    if ranked.len() <= Tuning::MAX_RANKED {
        ranked.sort_by_cached_key(|&hypothesis| beliefs.dissimilarity(actual, hypothesis));
    }
    ranked
}

impl<B: Heuristics> Arena for B {
    fn add_moves(&mut self, actual: ActualId, into: &mut Vec<(LabelId, ActualId)>) {
        into.extend(self.moves(actual).iter().map(|step| (step.label, step.target)));
    }

    fn add_replies(&mut self, hypothesis: HypothesisId, label: LabelId, weak: bool, into: &mut Vec<HypothesisId>) {
        match (label, weak) {
            (EPSILON, true) => self.silent_closure(hypothesis, into),
            (_, true) => self.weak_successors(hypothesis, label, into),
            (_, false) => self.successors(hypothesis, label, into),
        }
    }

    fn is_identity(&mut self, actual: ActualId, hypothesis: HypothesisId) -> bool {
        self.identity(actual) == hypothesis
    }

    fn actual_class(&self, actual: ActualId, exposed: &ExposedSets) -> Option<u32> {
        let state = self.actual_state(actual);
        exposed.can_be_exposed(state).then(|| exposed.class(state))
    }

    fn hypothesis_class(&self, hypothesis: HypothesisId, exposed: &ExposedSets) -> u32 {
        exposed.class(self.hypothesis_state(hypothesis))
    }

    fn reply_rank(&self, actual: ActualId, hypothesis: HypothesisId) -> u32 {
        self.dissimilarity(actual, hypothesis)
    }
}
