//! From a violated system to the least that must change for its checks to hold.
//!
//! A *lever* is a change that the author of the model allows, at a cost; a *choice* is a set of levers. The cheapest choice under which
//! every goal holds is found by [`solve`], and proved least: every cheaper one is violated. What is found is written into the file by
//! [`rewrite`], and believed only after a run on the changed text ([`fresh`]).
//!
//! ```text
//! goal         checks → what must hold                     monotone     levers that hide more and never less
//! search       the next cheapest choice, decided           frontier     choices in order of what they must cost
//! candidate    choice → verdicts of the changed system     known_runs   witnesses, tried on other choices
//! refuted      run → a clause of levers                    alike, looks what may look like a run, while levers are open
//! explain      what goes wrong without a lever             further      what else would have helped
//! rewrite      choice → changed text                       fresh        changed text → verdicts
//! ```
//!
//! Deciding the best static mask is PSPACE-complete (Cassez, Dubreil & Marchand 2012).

mod alike;
mod candidate;
mod choice;
mod explain;
pub mod fresh;
mod frontier;
mod further;
mod goal;
mod known_runs;
mod looks;
mod monotone;
pub mod offered;
mod refuted;
pub mod rewrite;
mod search;
pub mod spelling;

pub use choice::Choice;
pub use explain::{Loss, loss_without, survivor};
pub use further::{Further, Tries, further};
pub use goal::{is_goal, usual_levers};
pub use refuted::Refuted;
pub use search::Effort;

use crate::clock::Instant;
use crate::model::change::Lever;
use crate::model::{LeastCost, Question, System};
use crate::resources::Stop;
use crate::verdict::{Refutation, Results, Verdict};
use crate::verify::{self, Options};
use candidate::Bench;
use search::{Search, useful};
use std::borrow::Cow;

/// What is to be repaired.
#[derive(Debug)]
pub struct Problem<'a> {
    /// The system.
    pub system: &'a System,
    /// What may be changed.
    pub levers: Cow<'a, [Lever]>,
    /// The checks that must pass, by number.
    pub checks: Vec<usize>,
}

impl<'a> Problem<'a> {
    /// Every goal of a system, with its own levers; with the usual ones if it offers none.
    pub fn of(system: &'a System) -> Problem<'a> {
        let checks: Vec<usize> = (0..system.checks.len()).filter(|&at| is_goal(&system.checks[at])).collect();
        Problem { system, levers: levers(system, &checks), checks }
    }

    fn bench<'b>(&'b self, options: &'b Options<'b>, started: Instant) -> Bench<'b> {
        let goals = goal::goals(self.system, &self.checks);
        Bench { system: self.system, levers: &self.levers, goals, options, started }
    }
}

/// The levers of a system; the usual ones, if it offers none.
pub fn levers<'a>(system: &'a System, checks: &[usize]) -> Cow<'a, [Lever]> {
    match system.offers_levers {
        true => Cow::Borrowed(&system.levers[..]),
        false => Cow::Owned(usual_levers(system, checks)),
    }
}

/// How a repair ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every goal holds as it is.
    Nothing,
    /// The first choice is the cheapest, and all that were asked for are there.
    Repaired,
    /// No choice is enough.
    Impossible,
    /// A limit was reached.
    Undecided(Stop),
}

/// What was found.
#[derive(Debug)]
pub struct Solved {
    /// How it ended.
    pub ending: Ending,
    /// Choices that are enough, cheapest first. Minimal, unless it is undecided.
    pub choices: Vec<Choice>,
    /// No choice that is enough costs less; none: no choice is.
    pub lower_bound: Option<u64>,
    /// What it took.
    pub effort: Effort,
    /// What runs refuted: no choice that is enough is among it.
    pub refuted: Vec<Refuted>,
}

/// The cheapest choice, and with `most` above 1 the other minimal ones, cheapest first. The answer does not depend on the number of
/// threads.
pub fn solve(problem: &Problem<'_>, most: usize, options: &Options<'_>) -> Solved {
    let bench = problem.bench(options, Instant::now());
    let useful = useful(&bench);
    let found = Search::new(&bench, &useful, most.max(1)).run();
    let cost = |choice: &Choice| choice.cost(bench.levers);
    let mut choices = found.enough;
    let is_least = choices.first().is_some_and(|first| found.open.is_none_or(|open| open >= cost(first)));
    let ending = match (choices.first(), found.stop) {
        (Some(first), _) if first.is_empty() => Ending::Nothing,
        (Some(_), None) => Ending::Repaired,
        (Some(_), Some(_)) if is_least && most == 1 => Ending::Repaired,
        (None, None) => Ending::Impossible,
        (_, Some(stop)) => Ending::Undecided(stop),
    };
    let lower_bound = match choices.first() {
        Some(first) if is_least => Some(cost(first)),
        _ => found.open,
    };
    if choices.is_empty() {
        choices.extend(found.fallback);
    }
    Solved { ending, choices, lower_bound, effort: found.effort, refuted: found.refuted }
}

/// What the cheapest repair of a system costs.
///
/// # Errors
/// When a limit is reached.
pub fn least_cost(system: &System, options: &Options<'_>) -> Result<LeastCost, Stop> {
    let problem = Problem::of(system);
    let solved = solve(&problem, 1, options);
    match solved.ending {
        Ending::Undecided(stop) => Err(stop),
        Ending::Impossible => Ok(LeastCost::Impossible),
        Ending::Nothing | Ending::Repaired => {
            Ok(LeastCost::Costs(solved.choices.first().map_or(0, |choice| choice.cost(&problem.levers))))
        }
    }
}

/// Decides every check and every measure of a system, those about repairs included.
pub fn verify(system: &System, options: &Options<'_>) -> Results {
    let started = Instant::now();
    let mut results = verify::verify(system, options);
    let promises = system.checks.iter().zip(&mut results.checks).filter_map(|(check, verdict)| match check.question {
        Question::Repair { promised } => Some((promised, verdict)),
        _ => None,
    });
    let mut cost = None;
    for (promised, verdict) in promises {
        let actual = *cost.get_or_insert_with(|| least_cost(system, &options.left_since(started)));
        *verdict = match actual {
            Ok(actual) if actual == promised => Verdict::Holds(None),
            Ok(actual) => Verdict::Violated(Refutation::Repair { actual }),
            Err(stop) => Verdict::stopped(stop),
        };
    }
    results
}
