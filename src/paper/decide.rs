//! The decision, as the theorems make it: build the composition, look for (·, ∅).
//!
//! The composition does not depend on K, so one [`Finding`] answers every horizon (theorems 4.1 and 4.2, and algorithm 3).
//! The witness is read off the ways that led to the nearest (·, ∅), and its estimates are computed again from their
//! definition.

use super::adjoint::{self, Row};
use super::budget::Budget;
use super::composition::{Composition, compose};
use super::estimate::History;
use super::notions::{Explored, Notion, Traced};
use super::observer::{self, Subsets};
use super::plant::{NodeId, Plant};
use crate::automaton::view::{Symbol, View};
use crate::automaton::{EventId, StateId};
use crate::clock::Instant;
use crate::model::{Horizon, Property, ViewId};
use crate::resources::Stop;
use crate::verdict::{Cost, DecidedBy, Exposure, Finding, Run, Witness};
use std::collections::{BTreeMap, VecDeque};

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
    ///
    /// # Panics
    /// If the property has no exposed sets ([`Property::has_exposed_sets`]).
    ///
    /// # Errors
    /// When the budget runs out before everything is built.
    pub fn new(
        view: View<'_>,
        property: &Property,
        horizon: Horizon,
        budget: &mut Budget<'_>,
    ) -> Result<Structures, Stop> {
        let structures = Structures::within(view, property, horizon, budget)?;
        structures.composition.stopped().map_or(Ok(structures), Err)
    }

    /// The same, with as much of the composition as the budget allows.
    fn within(
        view: View<'_>,
        property: &Property,
        horizon: Horizon,
        budget: &mut Budget<'_>,
    ) -> Result<Structures, Stop> {
        let (plant, observer, rows, modified) = parts(view, property, horizon, budget)?;
        let composition = compose(&plant, &observer, &modified, &rows, budget);
        Ok(Structures { plant, observer, rows, modified, composition })
    }
}

/// What decides a property.
enum Built {
    Structures(Box<Structures>),
    /// Of a property without exposed sets.
    Explored(Box<Explored>),
}

impl Built {
    fn new(view: View<'_>, property: &Property, horizon: Horizon, budget: &mut Budget<'_>) -> Result<Built, Stop> {
        let notion = match property {
            Property::Anonymity { .. } | Property::Opacity { .. } => {
                return Ok(Built::Structures(Structures::within(view, property, horizon, budget)?.into()));
            }
            Property::Throughout { secret } => Notion::Throughout(secret),
            Property::InitialFinal { from, to } => Notion::InitialFinal(from, to),
            Property::OfParts(_) => return Err(Stop::States),
        };
        Ok(Built::Explored(Explored::new(view, notion, horizon == Horizon::Initial, budget)?.into()))
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
pub fn decide(
    view: View<'_>,
    view_id: ViewId,
    property: &Property,
    horizon: Horizon,
    mut budget: Budget<'_>,
) -> Finding {
    let begun = Instant::now();
    let built = Built::new(view, property, horizon, &mut budget);
    let mut budget = budget.following();
    let mut finding = match &built {
        Ok(Built::Structures(structures)) => read_off(view, structures, horizon, &mut budget),
        Ok(Built::Explored(explored)) => read_notion(view, explored, &mut budget),
        Err(stop) => Finding { stopped: Some(*stop), ..empty() },
    };
    finding.view_id = view_id;
    finding.property = property.clone();
    finding.cost.memory = budget.bytes();
    finding.cost.time = begun.elapsed();
    finding
}

/// What the composition says. Pairs are visited in the order of their distance, so an exposure in a part of it is a nearest one, and
/// where there is none the complete layers are safe.
fn read_off(view: View<'_>, structures: &Structures, horizon: Horizon, budget: &mut Budget<'_>) -> Finding {
    let composition = &structures.composition;
    let witness = witness(view, structures, horizon, budget);
    let (exposure, stopped) = match (composition.exposure(), composition.stopped()) {
        (Some(least), _) => (Exposure::At(least), None),
        (None, None) => (Exposure::Never, None),
        (None, stop) => (composition.complete().checked_sub(1).map_or(Exposure::Unknown, Exposure::Beyond), stop),
    };
    Finding {
        exposure,
        unreplayed: witness.as_ref().err().copied(),
        witness: witness.ok().flatten(),
        saturation: composition.stopped().is_none().then(|| composition.saturation()),
        stopped,
        cost: Cost {
            pairs: composition.len() as u64,
            sets: (structures.observer.len() + structures.modified.len()) as u64,
            ..empty().cost
        },
        ..empty()
    }
}

/// What was explored of a property that has no exposed sets.
fn read_notion(view: View<'_>, explored: &Explored, budget: &mut Budget<'_>) -> Finding {
    let witness = notion_witness(view, explored, budget);
    let exposure = match (explored.exposed, explored.stopped) {
        (Some(_), _) => Exposure::At(explored.layer),
        (None, None) => Exposure::Never,
        (None, Some(_)) => explored.layer.checked_sub(1).map_or(Exposure::Unknown, Exposure::Beyond),
    };
    let (pairs, sets) = explored.size();
    Finding {
        exposure,
        unreplayed: witness.as_ref().err().copied(),
        witness: witness.ok().flatten(),
        saturation: (exposure == Exposure::Never).then_some(explored.layer),
        stopped: explored.stopped.filter(|_| explored.exposed.is_none()),
        cost: Cost { pairs, sets, ..empty().cost },
        ..empty()
    }
}

fn notion_witness(view: View<'_>, explored: &Explored, budget: &mut Budget<'_>) -> Result<Option<Witness>, Stop> {
    let Some(Traced { alpha, instant: (began, goal), after }) = explored.traced() else { return Ok(None) };
    let plant = &explored.plant;
    let is_start = |node: NodeId| began.is_none_or(|began| plant.state(node) == began);
    let mut run = run_to(plant, is_start, &alpha, goal, budget)?.expect("a hypothesis is reached by a run");
    run.states.extend(after.states.into_iter().skip(1));
    run.events.extend(after.events);
    let observation = view.project(&run.events);
    let exposed = History::within(view, &observation, budget)?.delayed(alpha.len());
    Ok(Some(Witness { observation, at: alpha.len(), exposed, run }))
}

fn empty() -> Finding {
    let view_id = ViewId { observer: crate::model::OWN, projection: crate::automaton::view::Projection::Natural };
    let cost = Cost { by: Some(DecidedBy::Literal), ..Cost::default() };
    Finding { cost, ..Finding::unsearched(view_id, adjoint::single_states()) }
}

/// The nearest exposure, if there is one: α leads to the estimate of its row, β along the composition to (·, ∅).
///
/// # Errors
/// When the resources are used up before it is followed.
fn witness(
    view: View<'_>,
    structures: &Structures,
    horizon: Horizon,
    budget: &mut Budget<'_>,
) -> Result<Option<Witness>, Stop> {
    let Structures { plant, observer, rows, composition, .. } = structures;
    let Some(exposed) = composition.exposed() else { return Ok(None) };
    let (row, _, joints) = composition.path(exposed);
    let mut observation = observer.observation(rows[row].set);
    let at = observation.len();
    let goal = rows[row].node;
    let mut run = match horizon {
        Horizon::Initial => Run { states: vec![plant.state(goal)], events: Vec::new() },
        _ => run_to(plant, |_| true, &observation, goal, budget)?
            .expect("a node of an estimate is reached by a run that shows it"),
    };
    for joint in joints {
        run.events.push(joint.event);
        run.states.push(plant.state(composition.pair(joint.target).node));
        observation.extend(joint.sign);
    }
    let history = History::within(view, &observation, budget)?;
    let exposed = match horizon {
        Horizon::Initial => history.initial(view),
        _ => history.delayed(at),
    };
    Ok(Some(Witness { observation, at, exposed, run }))
}

type Place = (usize, NodeId);

/// A shortest run from one of these initial nodes that shows exactly this and ends in a node.
fn run_to(
    plant: &Plant,
    is_start: impl Fn(NodeId) -> bool,
    observation: &[Symbol],
    goal: NodeId,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Stop> {
    let mut came: BTreeMap<Place, Option<(Place, EventId)>> = BTreeMap::new();
    let mut open: VecDeque<Place> = VecDeque::new();
    for &node in plant.initial().iter().filter(|node| is_start(**node)) {
        came.insert((0, node), None);
        open.push_back((0, node));
    }
    while let Some((seen, node)) = open.pop_front() {
        if (seen, node) == (observation.len(), goal) {
            return Ok(Some(trace(plant, &came, (seen, node))));
        }
        budget.pay(size_of::<(Place, Option<(Place, EventId)>)>())?;
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
    Ok(None)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Builder;
    use crate::automaton::view::{Observability, Observer, Projection};

    /// Starts in 1 and is certain of it at once; further pairs are met only later.
    #[test]
    fn an_exposure_in_hand_survives_every_limit() {
        let mut builder = Builder::new(2, 1);
        builder.initial(StateId(1));
        for (source, target) in [(0, 1), (1, 0), (1, 1)] {
            builder.transition(StateId(source), EventId(0), StateId(target));
        }
        let (automaton, observer) = (builder.freeze(), Observer::new(vec![Observability::Visible]));
        let view = View { automaton: &automaton, observer: &observer, projection: Projection::Natural };
        let view_id = ViewId { observer: crate::model::OWN, projection: Projection::Natural };
        let found = |most| decide(view, view_id, &adjoint::single_states(), Horizon::Infinite, Budget::items(most));
        let limited: Vec<Finding> = (0..40).map(found).collect();
        for finding in &limited {
            match finding.exposure {
                Exposure::At(0) => assert!(finding.witness.is_some() && finding.stopped.is_none()),
                other => assert_eq!((other, finding.stopped), (Exposure::Unknown, Some(Stop::Pairs))),
            }
        }
        assert!(limited.iter().any(|finding| finding.exposure == Exposure::At(0) && finding.saturation.is_none()));
    }
}
