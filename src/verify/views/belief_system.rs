//! The interface through which every view is searched: transitions of the actual run, and of the hypotheses about it.
//!
//! A *belief* is a pair (x, S): the *actual state* x of the run, and the set S of *hypotheses*, the runs that are consistent
//! with the observation. A move of the run carries a *label* that updates S; [`EPSILON`] leaves S as it is. In a
//! [`StaticView`] actual states and hypotheses are states of the automaton, and labels are what the intruder sees. In a
//! [`WeakView`](super::weak_view::WeakView) an actual state also records which anonymous events the run has used, and a
//! hypothesis which events it used in their place.
//!
//! The interface has three parts: semantics ([`BeliefSystem`]), heuristics that steer the search and never decide
//! ([`Heuristics`]), and export of what the checker of proofs needs ([`ProofExport`]).

use super::static_view::StaticView;
use crate::automaton::{EventId, StateId};
use crate::resources::Stop;

use crate::verify::engine::resources::CancelToken;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Set, ids};
use crate::verify::simulation::game::SimulationKind;
use crate::verify::simulation::permutation::PermutationRelation;

ids! {
    /// The actual state of the run.
    ActualId,
    /// A run that is consistent with the observation.
    HypothesisId,
    /// The label of a belief update.
    LabelId,
}

/// The label of a move that leaves the hypotheses as they are. It is greater than every other label.
pub(crate) const EPSILON: LabelId = LabelId(u32::MAX);

/// A move of the actual run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Move {
    /// The belief update.
    pub(crate) label: LabelId,
    /// The actual state that it leads to.
    pub(crate) target: ActualId,
    /// Whether the intruder observes it.
    pub(crate) observed: bool,
    /// The event.
    pub(crate) event: EventId,
}

/// The successors of some actual states under one label, closed under ε.
#[derive(Clone, Debug)]
pub(crate) struct Successors<S> {
    /// The label.
    pub(crate) label: LabelId,
    /// Whether the intruder observes it.
    pub(crate) observed: bool,
    /// The actual states.
    pub(crate) targets: S,
}

/// The semantics of a view: how beliefs change.
///
/// Sets of hypotheses are closed under silent moves, unless stated otherwise.
pub(crate) trait BeliefSystem {
    /// The representation of sets.
    type Set: Set;

    /// The view itself when it is static: only then it can be searched backward.
    fn as_static(&self) -> Option<&StaticView<Self::Set>> {
        None
    }

    /// The size of the universe, for dense sets.
    fn universe(&self) -> usize;

    /// States and transitions of the automaton.
    fn size(&self) -> u64;

    /// Bytes held.
    fn bytes(&self) -> u64;

    /// The actual states and hypotheses of X0 itself, not closed under silent moves.
    fn initial(&mut self) -> (Vec<ActualId>, Vec<HypothesisId>);

    /// The state of the automaton.
    fn actual_state(&self, actual: ActualId) -> StateId;

    /// The state of the automaton.
    fn hypothesis_state(&self, hypothesis: HypothesisId) -> StateId;

    /// The hypothesis that is identical to the actual run.
    fn identity(&mut self, actual: ActualId) -> HypothesisId;

    /// The moves of an actual state, sorted by label, so that ε comes last.
    fn moves(&mut self, actual: ActualId) -> &[Move];

    /// The successors of some actual states under each label except ε.
    fn post_actuals(&mut self, actuals: &Self::Set) -> Vec<Successors<Self::Set>>;

    /// The actual states with those that they reach by ε.
    fn close_actuals(&mut self, actuals: Vec<ActualId>) -> Self::Set;

    /// The hypotheses with those that they reach silently.
    fn close(&mut self, hypotheses: Vec<HypothesisId>) -> Self::Set;

    /// The successors of a closed set of hypotheses; closed.
    fn post(&mut self, hypotheses: &Self::Set, label: LabelId) -> Self::Set;

    /// The same, unless the token ends it. A view whose sets are no larger than the automaton need not ask the token.
    fn post_within(
        &mut self,
        hypotheses: &Self::Set,
        label: LabelId,
        _token: &CancelToken<'_>,
    ) -> Result<Self::Set, Stop> {
        Ok(self.post(hypotheses, label))
    }

    /// Adds the successors of one hypothesis without silent moves; under ε, by at most one silent move.
    fn successors(&mut self, hypothesis: HypothesisId, label: LabelId, into: &mut Vec<HypothesisId>);

    /// Adds the successors of one hypothesis with silent moves before and after the label.
    fn weak_successors(&mut self, hypothesis: HypothesisId, label: LabelId, into: &mut Vec<HypothesisId>);

    /// Adds the hypotheses that one becomes silently, itself included.
    fn silent_closure(&mut self, hypothesis: HypothesisId, into: &mut Vec<HypothesisId>);
}

/// What steers the search, and simulations that a view can find on its own.
pub(crate) trait Heuristics: BeliefSystem {
    /// How unlikely a hypothesis is to simulate an actual state; less is better. Only orders candidates.
    fn dissimilarity(&self, actual: ActualId, hypothesis: HypothesisId) -> u32;

    /// The hypotheses of the same colour as an actual state; may be none.
    fn same_colour(&mut self, _actual: ActualId) -> Vec<HypothesisId> {
        Vec::new()
    }

    /// Whether some hypothesis simulates the actual state under a fixed permutation of events. The hypotheses are tried in
    /// order, beginning with the given one. An error names the one at which `most` work was done.
    fn permutation_simulates(
        &mut self,
        kind: SimulationKind,
        exposed: &ExposedSets,
        actual: ActualId,
        hypotheses: (&Self::Set, HypothesisId),
        most: u64,
    ) -> Result<bool, HypothesisId>;

    /// Work that was spent on simulation under permutations.
    fn permutation_work(&self) -> u64 {
        0
    }

    /// How many times more work may be spent on simulation under permutations, whose steps are cheap, than on the general
    /// simulation game before the search has done any.
    fn permutation_share(&self) -> u64;

    /// The cost of a step of the simulation game, in steps of the search.
    fn game_cost(&self) -> u64;
}

/// How several workers, each with a belief system of its own, tell each other what they mean.
pub(crate) trait Portable: BeliefSystem + Sized + Send {
    /// A belief system of the same view that knows nothing.
    fn fork(&self) -> Self;

    /// Adds what an actual state is, in words that mean the same to every fork.
    fn describe_actual(&self, actual: ActualId, into: &mut Vec<u32>);

    /// The actual state of such words.
    fn actual_of(&mut self, words: &[u32]) -> ActualId;

    /// Adds what a hypothesis is.
    fn describe_hypothesis(&self, hypothesis: HypothesisId, into: &mut Vec<u32>);

    /// The hypothesis of such words.
    fn hypothesis_of(&mut self, words: &[u32]) -> HypothesisId;
}

/// What a proof says about actual states and hypotheses, as plain data.
pub(crate) trait ProofExport: BeliefSystem {
    /// The anonymous events that the actual run has used and may use again.
    fn used_events(&self, _actual: ActualId) -> Vec<u32> {
        Vec::new()
    }

    /// The events that a hypothesis used in their place (`u32::MAX`: one that it can never do again), and others that it
    /// has used.
    fn replacements(&self, _hypothesis: HypothesisId) -> (Vec<u32>, Vec<u32>) {
        (Vec::new(), Vec::new())
    }

    /// The known simulations under permutations.
    fn permutation_relations(&self, _kind: SimulationKind) -> Vec<PermutationRelation> {
        Vec::new()
    }
}
