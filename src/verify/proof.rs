//! From the result of a search to a certificate.
//!
//! A search ends with an answer and with the simulations that it proved: the [`ProofSeeds`]. The proof itself is built from
//! them in the checker's own terms ([`prove`]): every pair that is reached is covered by a simulation, by a pair of the
//! proof, or becomes a new pair of the proof. A pair whose set is empty refutes the search.

mod budget;
mod context;
mod covering;
mod prover;
mod renumber;
mod simulation;

use super::search::forward::ForwardSearch;
use super::simulation::game::{SimulationKind, Tuple};
use super::simulation::permutation::PermutationRelation;
use super::simulation::pruning::SimulationPruner;
use super::views::belief_system::{ActualId, Heuristics, HypothesisId, ProofExport};
use crate::verdict::certificate::{Actual, Hypothesis};
pub(crate) use budget::ProofLimits;
pub(crate) use prover::{Goal, Proved, prove};
use std::collections::BTreeSet;

/// What a search knows that makes its proof short.
#[derive(Debug, Default)]
pub(crate) struct ProofSeeds {
    /// Twins.
    pub(crate) twins: Vec<Seed>,
    /// Plain simulations.
    pub(crate) simulations: Vec<Seed>,
    /// The actual states and hypotheses that have ids in these; none in a static view, where ids are states.
    pub(crate) actuals: Vec<(ActualId, Actual)>,
    pub(crate) hypotheses: Vec<(HypothesisId, Hypothesis)>,
    /// ρ-simulations, and whether they are class-avoiding.
    pub(crate) permutations: Vec<(PermutationRelation, bool)>,
    /// Whether the answer was found backward.
    pub(crate) backward: bool,
}

/// An actual state, and hypotheses that simulate it together.
pub(crate) type Seed = (ActualId, Tuple);

impl ProofSeeds {
    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        let permutations = self.permutations.iter().map(|(relation, _)| relation.pairs.len());
        self.twins.len() + self.simulations.len() + permutations.sum::<usize>()
    }
}

/// What a search knows when it ends.
pub(super) fn seeds<B: Heuristics + ProofExport>(search: &ForwardSearch<'_, B>, backward: bool) -> ProofSeeds {
    let beliefs = &*search.beliefs;
    let permutations = |kind: SimulationKind| {
        let relations = beliefs.permutation_relations(kind).into_iter();
        relations.map(move |relation| (relation, kind == SimulationKind::ClassAvoiding))
    };
    let positions = |pruner: &SimulationPruner<B::Set>| -> Vec<Seed> { pruner.relation().collect() };
    let (twins, simulations) = (positions(&search.twins), positions(&search.simulation));
    let (actuals, hypotheses) =
        if beliefs.as_static().is_some() { Default::default() } else { contents(beliefs, &twins, &simulations) };
    let permutations = permutations(SimulationKind::ClassAvoiding).chain(permutations(SimulationKind::Plain)).collect();
    ProofSeeds { twins, simulations, actuals, hypotheses, permutations, backward }
}

/// What several searches of one view know together, each of which has ids of its own.
pub(super) fn merged_seeds<'x, 's: 'x, B: Heuristics + ProofExport + 's>(
    searches: impl Iterator<Item = &'x ForwardSearch<'s, B>>,
) -> ProofSeeds {
    let mut all = ProofSeeds::default();
    for search in searches {
        let one = seeds(search, false);
        // WHY these: in a static view, where ids are states, nothing has contents.
        let actuals = all.actuals.last().map_or(0, |(id, _)| id.0 + 1);
        let hypotheses = all.hypotheses.last().map_or(0, |(id, _)| id.0 + 1);
        let (actual, hypothesis) =
            (|id: ActualId| ActualId(id.0 + actuals), |id: HypothesisId| HypothesisId(id.0 + hypotheses));
        let seed = |(id, tuple): Seed| (actual(id), tuple.into_iter().map(hypothesis).collect());
        all.twins.extend(one.twins.into_iter().map(seed));
        all.simulations.extend(one.simulations.into_iter().map(seed));
        all.actuals.extend(one.actuals.into_iter().map(|(id, content)| (actual(id), content)));
        all.hypotheses.extend(one.hypotheses.into_iter().map(|(id, content)| (hypothesis(id), content)));
        all.permutations.extend(one.permutations);
    }
    all
}

/// The actual states and hypotheses of some seeds, as plain data.
#[allow(clippy::type_complexity)]
fn contents<B: ProofExport>(
    beliefs: &B,
    twins: &[Seed],
    simulations: &[Seed],
) -> (Vec<(ActualId, Actual)>, Vec<(HypothesisId, Hypothesis)>) {
    let labels = |events: Vec<u32>| events.into_iter().map(|event| event.wrapping_add(1)).collect();
    let actual = |id: ActualId| Actual { state: beliefs.actual_state(id).0, used: labels(beliefs.used_events(id)) };
    let hypothesis = |id: HypothesisId| {
        let (images, spent) = beliefs.replacements(id);
        Hypothesis { state: beliefs.hypothesis_state(id).0, images: labels(images), spent: labels(spent) }
    };
    let all = || twins.iter().chain(simulations);
    let actuals: BTreeSet<ActualId> = all().map(|seed| seed.0).collect();
    let hypotheses: BTreeSet<HypothesisId> = all().flat_map(|seed| seed.1.iter().copied()).collect();
    (
        actuals.into_iter().map(|id| (id, actual(id))).collect(),
        hypotheses.into_iter().map(|id| (id, hypothesis(id))).collect(),
    )
}
