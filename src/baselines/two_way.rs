//! The two-way observer: what is known from the past, met with what is known from the future.
//!
//! E(α|αβ) = S(α) ∩ R(β): S from the observer, R from the observer of the reversed system, which starts from every state and reads β
//! backwards. K-step: some S and some R at distance at most K meet in a set that exposes. Cost: 2^|X| · 2^|X| pairs.
//! X. Yin and S. Lafortune, "A new approach for the verification of infinite-step and K-step opacity using two-way
//! observers", Automatica 80, 2017.

use super::graph::Graph;
use super::observer::{estimates, subsets};
use super::{Meter, Outcome, exposes};
use crate::automaton::view::View;
use crate::model::Property;
use crate::resources::{Resources, Stop};
use crate::verdict::Exposure;

/// Builds both observers and meets every pair, nearest R first. `states` counts the pairs that were met.
pub fn two_way(view: View<'_>, property: &Property, resources: Resources<'_>) -> Outcome {
    let mut meter = Meter::new(resources);
    let mut pairs = 0;
    match search(view, property, &mut meter, &mut pairs) {
        Ok(exposure) => meter.outcome(exposure, pairs, None),
        Err((exposure, stop)) => meter.outcome(exposure, pairs, Some(stop)),
    }
}

fn search(
    view: View<'_>,
    property: &Property,
    meter: &mut Meter<'_>,
    pairs: &mut u64,
) -> Result<Exposure, (Exposure, Stop)> {
    let unknown = |stop| (Exposure::Unknown, stop);
    let graph = Graph::new(view, meter).map_err(unknown)?;
    let forward = estimates(&graph, meter).map_err(unknown)?;
    let everything = graph.set(0..graph.len() as u32);
    let backward = subsets(&graph.reversed(), everything, meter).map_err(unknown)?;
    for (behind, distance) in &backward {
        for (estimate, _) in &forward {
            meter.pay(0).map_err(|stop| (distance.checked_sub(1).map_or(Exposure::Unknown, Exposure::Beyond), stop))?;
            *pairs += 1;
            if exposes(property, estimate.intersection(behind).map(|node| graph.states[node])) {
                return Ok(Exposure::At(*distance));
            }
        }
    }
    Ok(Exposure::Never)
}
