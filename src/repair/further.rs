//! What else would have helped: one more event to hide, or to merge into the plain group.
//!
//! A repair is impossible without the further lever. So only choices with it count, and a lever that no goal feels cannot help.

use super::candidate::Tried;
use super::choice::Choice;
use super::explain::everything;
use super::{Ending, Problem, goal, solve};
use crate::automaton::view::Observability;
use crate::clock::Instant;
use crate::model::System;
use crate::model::change::{Change, ChangeKind, Lever};
use crate::resources::Stop;
use crate::verify::Options;

/// Whether one further lever makes an impossible repair possible.
#[derive(Debug)]
pub enum Further {
    /// With this one, some choice is enough.
    Helps(Lever),
    /// None is known that does.
    Unhelped(Tries),
}

/// Further levers of which none is known to help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tries {
    /// How many there are.
    pub levers: usize,
    /// How many of them were decided: no choice with them is enough.
    pub decided: usize,
    /// Why the others were not. None: all were, so none helps.
    pub stop: Option<Stop>,
}

/// One further lever under which some choice is enough, for a repair that is impossible.
pub fn further(problem: &Problem<'_>, options: &Options<'_>) -> Further {
    let started = Instant::now();
    let levers = candidates(problem);
    // WHY first: where a lever helps at all, it mostly does so alone or with all others, and that takes two searches.
    let quick = levers.iter().find_map(|lever| match at_once(problem, lever, &options.left_since(started)) {
        Ok(true) => Some(Further::Helps(lever.clone())),
        Ok(false) => None,
        Err(stop) => Some(Further::Unhelped(Tries { levers: levers.len(), decided: 0, stop: Some(stop) })),
    });
    quick.unwrap_or_else(|| one_by_one(problem, &levers, options, started))
}

/// Whether a further lever is enough alone, or together with all that it does not contradict.
fn at_once(problem: &Problem<'_>, lever: &Lever, options: &Options<'_>) -> Result<bool, Stop> {
    let wider = wider(problem, lever);
    let bench = wider.bench(options, Instant::now());
    for choice in [everything(&wider.levers), Choice::new([0])] {
        match bench.decide(&choice, 0, options.threads) {
            Tried::Holds => return Ok(true),
            Tried::Undecided(stop @ (Stop::Timeout | Stop::Interrupted)) => return Err(stop),
            _ => {}
        }
    }
    Ok(false)
}

/// Decides the repair with each further lever, until one helps.
fn one_by_one(problem: &Problem<'_>, levers: &[Lever], options: &Options<'_>, started: Instant) -> Further {
    let mut tries = Tries { levers: levers.len(), decided: 0, stop: None };
    for lever in levers {
        let solved = solve(&wider(problem, lever), 1, &options.left_since(started));
        match solved.ending {
            _ if !solved.choices.is_empty() => return Further::Helps(lever.clone()),
            Ending::Undecided(stop) => {
                tries.stop = Some(stop);
                if matches!(stop, Stop::Timeout | Stop::Interrupted) {
                    break;
                }
            }
            _ => tries.decided += 1,
        }
    }
    Further::Unhelped(tries)
}

/// The problem with a further lever, which is its first.
fn wider<'a>(problem: &Problem<'a>, lever: &Lever) -> Problem<'a> {
    let levers: Vec<Lever> = std::iter::once(lever).chain(problem.levers.iter()).cloned().collect();
    Problem { system: problem.system, levers: levers.into(), checks: problem.checks.clone() }
}

/// Every event that someone observes, to hide or to merge, if that is not offered yet and a goal can feel it.
fn candidates(problem: &Problem<'_>) -> Vec<Lever> {
    let system = problem.system;
    let goals = goal::goals(system, &problem.checks);
    let is_new = |change: &Change| problem.levers.iter().all(|known| known.change != *change);
    let is_felt = |change: &Change| goals.iter().any(|goal| goal.may_feel(system, change));
    let kinds = [ChangeKind::Hide, ChangeKind::Anonymise { label: None, agent: None }];
    let changes = kinds.iter().flat_map(|kind| seen(system).map(move |event| (kind, event)));
    let changes = changes.map(|(kind, event)| Change { kind: kind.clone(), events: vec![event], from: None });
    let further = changes.filter(|change| is_new(change) && is_felt(change));
    further.map(|change| Lever { change, cost: 1, span: None }).collect()
}

/// The events that someone observes.
fn seen(system: &System) -> impl Iterator<Item = crate::automaton::EventId> + '_ {
    let is_seen =
        |&event: &_| system.observers.iter().any(|of| of.observer.observability(event) != Observability::Silent);
    system.automaton.events().filter(is_seen)
}
