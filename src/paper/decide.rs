//! The decision, as the theorems make it: build the composition, look for (·, ∅).
//!
//! The composition does not depend on K, so one [`Finding`] answers every horizon (theorems 4.1 and 4.2, and algorithm 3).
//! The witness is read off the ways that led to the nearest (·, ∅), and its estimates are computed again from their
//! definition.

use super::adjoint::{self, Row};
use super::budget::Budget;
use super::composition::{Composition, Unfinished, compose};
use super::estimate::History;
use super::observer::{self, Subsets};
use super::plant::{NodeId, Plant};
use crate::automaton::view::{Sign, View};
use crate::automaton::{EventId, StateId};
use crate::model::{Horizon, Lens, Property};
use crate::verify::{Cost, Exposure, Finding, Run, Stop, Witness};
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

/// All the structures of one decision.
#[derive(Clone, Debug)]
pub struct Structures {
    /// G or Ĝ.
    pub plant: Plant,
    /// Obs(G) or Ôbs(Ĝ).
    pub observer: Subsets,
    /// The adjoint table.
    pub rows: Vec<Row>,
    /// Obs_m(G) or Obs_w(Ĝ).
    pub modified: Subsets,
    /// Their concurrent composition.
    pub composition: Composition,
}

impl Structures {
    /// Builds them all. `horizon` only matters when it is [`Horizon::Initial`], which has a table of its own.
    pub fn new(
        view: View<'_>,
        property: &Property,
        horizon: Horizon,
        budget: &mut Budget<'_>,
    ) -> Result<Structures, Unfinished> {
        let (plant, observer, rows, modified) =
            parts(view, property, horizon, budget).map_err(|stop| Unfinished { stop, complete: 0, exposure: None })?;
        let composition = compose(&plant, &observer, &modified, &rows, budget)?;
        Ok(Structures { plant, observer, rows, modified, composition })
    }
}

type Parts = (Plant, Subsets, Vec<Row>, Subsets);

fn parts(view: View<'_>, property: &Property, horizon: Horizon, budget: &mut Budget<'_>) -> Result<Parts, Stop> {
    let plant = Plant::new(view, budget)?;
    let observer = observer::observer(&plant, budget)?;
    let rows = match horizon {
        Horizon::Initial => adjoint::initial_table(&plant, &observer, property, budget)?,
        _ => adjoint::table(&plant, &observer, property, budget)?,
    };
    let modified = observer::modified(&plant, &rows, budget)?;
    Ok((plant, observer, rows, modified))
}

/// Decides a property for every K at once (`horizon` only tells the initial-state property from the others).
pub fn decide(view: View<'_>, lens: Lens, property: &Property, horizon: Horizon, mut budget: Budget<'_>) -> Finding {
    let begun = Instant::now();
    let built = Structures::new(view, property, horizon, &mut budget);
    let mut finding = match &built {
        Ok(structures) => finished(view, structures, horizon),
        Err(unfinished) => stopped(*unfinished),
    };
    finding.lens = lens;
    finding.property = property.clone();
    finding.cost.memory = budget.bytes();
    finding.cost.time = begun.elapsed();
    finding
}

fn finished(view: View<'_>, structures: &Structures, horizon: Horizon) -> Finding {
    let composition = &structures.composition;
    Finding {
        exposure: composition.exposure().map_or(Exposure::Never, Exposure::At),
        witness: witness(view, structures, horizon),
        saturation: Some(composition.saturation()),
        cost: Cost {
            pairs: composition.len() as u64,
            sets: (structures.observer.len() + structures.modified.len()) as u64,
            ..empty().cost
        },
        ..empty()
    }
}

/// What is known when the budget ran out: layers are complete one after the other.
fn stopped(unfinished: Unfinished) -> Finding {
    let exposure = match unfinished.complete {
        0 => Exposure::Unknown,
        layers => Exposure::Beyond(layers - 1),
    };
    Finding { exposure, stopped: Some(unfinished.stop), ..empty() }
}

fn empty() -> Finding {
    Finding {
        lens: Lens { observer: crate::model::OWN, projection: crate::automaton::view::Projection::Natural },
        property: adjoint::single_states(),
        exposure: Exposure::Unknown,
        witness: None,
        saturation: None,
        stopped: None,
        fault: None,
        certificate: None,
        cost: Cost { by: "literal", ..Cost::default() },
    }
}

/// The nearest exposure: α leads to the estimate of its row, β along the composition to (·, ∅).
fn witness(view: View<'_>, structures: &Structures, horizon: Horizon) -> Option<Witness> {
    let Structures { plant, observer, rows, composition, .. } = structures;
    let (row, _, joints) = composition.path(composition.exposed()?);
    let mut observation = observer.observation(rows[row].set);
    let at = observation.len();
    let goal = rows[row].node;
    let mut run = match horizon {
        Horizon::Initial => Run { states: vec![plant.state(goal)], events: Vec::new() },
        _ => run_to(plant, &observation, goal).expect("a node of an estimate is reached by a run that shows it"),
    };
    for joint in joints {
        run.events.push(joint.event);
        run.states.push(plant.state(composition.pair(joint.target).node));
        observation.extend(joint.sign);
    }
    let history = History::new(view, &observation);
    let exposed = match horizon {
        Horizon::Initial => history.initial(view),
        _ => history.delayed(at),
    };
    let estimates = (0..=observation.len()).map(|at| history.estimate(at)).collect();
    Some(Witness { observation, at, exposed, estimates, run })
}

type Place = (usize, NodeId);

/// A shortest run that shows exactly this and ends in a node.
fn run_to(plant: &Plant, observation: &[Sign], goal: NodeId) -> Option<Run> {
    let mut came: BTreeMap<Place, Option<(Place, EventId)>> = BTreeMap::new();
    let mut open: VecDeque<Place> = VecDeque::new();
    for &node in plant.initial() {
        came.insert((0, node), None);
        open.push_back((0, node));
    }
    while let Some((seen, node)) = open.pop_front() {
        if (seen, node) == (observation.len(), goal) {
            return Some(trace(plant, &came, (seen, node)));
        }
        for step in plant.moves(node) {
            let after = match step.sign {
                None => seen,
                Some(sign) if observation.get(seen) == Some(&sign) => seen + 1,
                Some(_) => continue,
            };
            let place = (after, step.target);
            came.entry(place).or_insert_with(|| {
                open.push_back(place);
                Some(((seen, node), step.event))
            });
        }
    }
    None
}

fn trace(plant: &Plant, came: &BTreeMap<Place, Option<(Place, EventId)>>, end: Place) -> Run {
    let mut states: Vec<StateId> = vec![plant.state(end.1)];
    let mut events = Vec::new();
    let mut at = end;
    while let Some((before, event)) = came[&at] {
        events.push(event);
        states.push(plant.state(before.1));
        at = before;
    }
    states.reverse();
    events.reverse();
    Run { states, events }
}
