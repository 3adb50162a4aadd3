//! The observer: all estimates, by the subset construction.
//!
//! Current-state: some estimate exposes. Method: breadth first over sets of states, each closed under silent moves.
//! Cost: 2^|X| sets.

use super::graph::{Edge, Graph, close, post};
use super::{Meter, Outcome, exposes};
use crate::automaton::view::View;
use crate::model::Property;
use crate::resources::{Resources, Stop};
use crate::verdict::Exposure;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Builds the whole observer, and looks for an estimate that exposes. What it finds is 0 or "not 0".
pub fn observer(view: View<'_>, property: &Property, resources: Resources<'_>) -> Outcome {
    let mut meter = Meter::new(resources);
    let built = Graph::new(view, &mut meter).and_then(|graph| {
        let sets = estimates(&graph, &mut meter)?;
        let states = |set: &FixedBitSet| exposes(property, set.ones().map(|node| graph.states[node]));
        Ok((sets.iter().any(|(set, _)| states(set)), sets.len() as u64))
    });
    match built {
        Ok((true, states)) => meter.outcome(Exposure::At(0), states, None),
        Ok((false, states)) => meter.outcome(Exposure::Beyond(0), states, None),
        Err(stop) => meter.outcome(Exposure::Unknown, 0, Some(stop)),
    }
}

/// Every estimate S(α).
pub(super) fn estimates(graph: &Graph, meter: &mut Meter<'_>) -> Result<Vec<(FixedBitSet, u64)>, Stop> {
    subsets(&graph.edges, graph.set(graph.initial.iter().copied()), meter)
}

/// Every set that is reached from one by labels, with its distance; each is closed under silent moves.
pub(super) fn subsets(
    edges: &[Vec<Edge>],
    mut start: FixedBitSet,
    meter: &mut Meter<'_>,
) -> Result<Vec<(FixedBitSet, u64)>, Stop> {
    close(edges, &mut start);
    let mut known: FxHashMap<FixedBitSet, ()> = FxHashMap::default();
    known.insert(start.clone(), ());
    let mut sets = vec![(start, 0)];
    let mut at = 0;
    while at < sets.len() {
        let distance = sets[at].1;
        for (_, mut set) in post(edges, &sets[at].0) {
            close(edges, &mut set);
            meter.pay(0)?;
            if known.insert(set.clone(), ()).is_none() {
                meter.pay(2 * (set.len() / 8 + 48))?;
                sets.push((set, distance + 1));
            }
        }
        at += 1;
    }
    Ok(sets)
}
