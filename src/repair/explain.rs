//! Why a choice is as it is: what goes wrong without a lever, what survives all of them, and what else would have helped.

use super::Problem;
use super::candidate::{Bench, Exposed, Tried};
use super::choice::Choice;
use crate::automaton::view::Observability;
use crate::clock::Instant;
use crate::model::change::{Change, ChangeKind, Lever};
use crate::model::{System, ViewId};
use crate::resources::Stop;
use crate::verdict::Witness;
use crate::verify::Options;

/// A check that is violated under a choice.
#[derive(Debug)]
pub struct Loss {
    /// The check, by number.
    pub check: usize,
    /// Through whose eyes.
    pub view_id: ViewId,
    /// The system under the choice: what its labels are called.
    pub system: System,
    /// A run that exposes it; none: an `exactly` that is violated because nothing is exposed.
    pub witness: Option<Witness>,
}

/// What goes wrong without one lever of a choice; none: nothing does, or a limit was reached.
pub fn loss_without(problem: &Problem<'_>, choice: &Choice, lever: usize, options: &Options<'_>) -> Option<Loss> {
    loss(problem, &choice.without(lever), options)
}

/// What survives every lever: what goes wrong when as many levers are moved as can be at once.
pub fn survivor(problem: &Problem<'_>, options: &Options<'_>) -> Option<Loss> {
    loss(problem, &everything(&problem.levers), options)
}

fn loss(problem: &Problem<'_>, choice: &Choice, options: &Options<'_>) -> Option<Loss> {
    let bench = problem.bench(options, Instant::now());
    let Tried::Violated(Exposed { goal, witness }) = bench.decide(choice, 0, options.threads) else { return None };
    let goal = bench.goals[goal];
    let system = problem.system.changed(&choice.changes(&problem.levers))?;
    Some(Loss { check: goal.check, view_id: goal.view_id, system, witness: witness.map(|(witness, _)| witness) })
}

/// As many levers as can be moved at once, in their order.
fn everything(levers: &[Lever]) -> Choice {
    (0..levers.len()).fold(Choice::default(), |choice, lever| {
        let fits = !choice.iter().any(|other| levers[other].change.contradicts(&levers[lever].change));
        if fits { choice.with(lever) } else { choice }
    })
}

/// How many further levers are tried.
const TRIED: usize = 128;

/// One further lever that would have made a repair possible: an event to hide, or to merge into the plain group.
///
/// Each is tried alone, and together with all levers that it does not contradict.
pub fn further(problem: &Problem<'_>, options: &Options<'_>) -> Result<Option<Lever>, Stop> {
    let started = Instant::now();
    for lever in candidates(problem.system).take(TRIED) {
        let offered = |change: &Change| problem.levers.iter().any(|known| known.change == *change);
        if offered(&lever.change) {
            continue;
        }
        let levers: Vec<Lever> = std::iter::once(lever.clone()).chain(problem.levers.iter().cloned()).collect();
        let wider = Problem { system: problem.system, levers: levers.into(), checks: problem.checks.clone() };
        let bench: Bench<'_> = wider.bench(options, started);
        for choice in [everything(&wider.levers), Choice::new([0])] {
            match bench.decide(&choice, 0, options.threads) {
                Tried::Holds => return Ok(Some(lever)),
                Tried::Undecided(stop @ (Stop::Timeout | Stop::Interrupted)) => return Err(stop),
                _ => {}
            }
        }
    }
    Ok(None)
}

/// Every event that someone observes, to hide or to merge.
fn candidates(system: &System) -> impl Iterator<Item = Lever> + '_ {
    let kinds = [ChangeKind::Hide, ChangeKind::Anonymise { label: None, agent: None }];
    let is_seen = |event| system.observers.iter().any(|of| of.observer.observability(event) != Observability::Silent);
    let change = |kind: ChangeKind, event| Change { kind, events: vec![event], from: None };
    let of_kind = move |kind: ChangeKind| {
        let seen = system.automaton.events().filter(move |&event| is_seen(event));
        seen.map(move |event| Lever { change: change(kind.clone(), event), cost: 1, span: None })
    };
    kinds.into_iter().flat_map(of_kind)
}
