//! Why a choice is as it is: what goes wrong without a lever, and what survives all of them.

use super::Problem;
use super::candidate::{Exposed, Tried};
use super::choice::Choice;
use crate::clock::Instant;
use crate::model::change::Lever;
use crate::model::{System, ViewId};
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
pub(super) fn everything(levers: &[Lever]) -> Choice {
    (0..levers.len()).fold(Choice::default(), |choice, lever| {
        let fits = !choice.iter().any(|other| levers[other].change.contradicts(&levers[lever].change));
        if fits { choice.with(lever) } else { choice }
    })
}
