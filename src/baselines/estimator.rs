//! The initial-state estimator: sets of pairs (where the run began, where it may be now).
//!
//! Initial-state: α = ε over X0 itself. After β the beginnings of the pairs are the delayed estimate of the start. Method:
//! breadth first over sets of pairs. Cost: 2^(|X0|·|X|) sets. A. Saboori and C. N. Hadjicostis, "Verification of initial-state
//! opacity in security applications of DES", WODES 2008.

use super::graph::{Edge, Graph};
use super::observer::subsets;
use super::{Meter, Outcome, exposes};
use crate::automaton::view::View;
use crate::model::Property;
use crate::resources::{Resources, Stop};
use crate::verdict::Exposure;
use fixedbitset::FixedBitSet;

/// Builds the estimator, and looks for the nearest set of pairs whose beginnings expose.
pub fn initial_estimator(view: View<'_>, property: &Property, resources: Resources<'_>) -> Outcome {
    let mut meter = Meter::new(resources);
    match search(view, property, &mut meter) {
        Ok((exposure, states)) => meter.outcome(exposure, states, None),
        Err(stop) => meter.outcome(Exposure::Unknown, 0, Some(stop)),
    }
}

fn search(view: View<'_>, property: &Property, meter: &mut Meter<'_>) -> Result<(Exposure, u64), Stop> {
    let graph = Graph::new(view, meter)?;
    let mut start = FixedBitSet::with_capacity(graph.initial.len() * graph.len());
    for (began, &node) in graph.initial.iter().enumerate() {
        start.insert(began * graph.len() + node as usize);
    }
    let sets = subsets(&copies(&graph), start, meter)?;
    let beginnings = |set: &FixedBitSet| {
        let mut states: Vec<_> =
            set.ones().map(|pair| graph.states[graph.initial[pair / graph.len()] as usize]).collect();
        states.dedup();
        states
    };
    let exposed = sets.iter().find(|(set, _)| exposes(property, beginnings(set).into_iter()));
    Ok((exposed.map_or(Exposure::Never, |(_, distance)| Exposure::At(*distance)), sets.len() as u64))
}

/// One copy of the graph for each beginning: node `began * |X| + x`.
fn copies(graph: &Graph) -> Vec<Vec<Edge>> {
    (0..graph.initial.len())
        .flat_map(|began| {
            let moved = move |&(label, target): &Edge| (label, (began * graph.len()) as u32 + target);
            graph.edges.iter().map(move |edges| edges.iter().map(moved).collect())
        })
        .collect()
}
