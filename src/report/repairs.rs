//! What `desc repair` says of a system: which levers to move, what goes wrong without each, and the verdicts afterwards.
//!
//! [`repair`] solves, writes each choice into the file, proves it there, and explains it; the result is plain data. A choice that is not
//! proved on the changed text is not reported.

pub mod json;
mod story;
pub mod text;

use super::FileReport;
use crate::clock::Instant;
use crate::model::System;
use crate::model::change::{ChangeKind, Lever};
use crate::repair::fresh::{Fresh, Original, Unproved, prove};
use crate::repair::rewrite::{Edit, applied};
use crate::repair::{
    Choice, Effort, Ending, Further, Problem, Solved, Tries, further, is_goal, levers, loss_without, solve, spelling,
    survivor,
};
use crate::resources::Stop;
use crate::source::{SourceFile, Span};
use crate::verify::{Limits, Options};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use story::summary;

/// What is asked of a repair.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The names of the checks that must pass; empty: all that are plain assertions of a property.
    pub checks: Vec<String>,
    /// How many minimal choices; 0 counts as 1.
    pub most: usize,
    /// The levers, if they are not those of the system.
    pub levers: Option<Vec<Lever>>,
}

/// A system, and what it takes to repair it.
#[derive(Debug)]
pub struct RepairReport {
    /// The name of the system.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// How it ended.
    pub ending: Ending,
    /// Choices that are enough, cheapest first, each proved on the changed text.
    pub repairs: Vec<Repair>,
    /// No repair costs less; none: there is none.
    pub lower_bound: Option<u64>,
    /// Whether the file offers nothing, so that every observable event could be hidden or merged.
    pub usual: bool,
    /// How many levers there are.
    pub n_levers: usize,
    /// The checks that had to pass, as they are written.
    pub goal: Vec<String>,
    /// The checks that state facts of the model as it is written: they were left out.
    pub left_out: Vec<String>,
    /// If no choice is enough: what survives all levers.
    pub survives: Option<StorySummary>,
    /// If no choice is enough: a line that would have helped.
    pub would_help: Option<String>,
    /// If no choice is enough, and no line is known that would have helped: how many were decided.
    pub further: Option<Tries>,
    /// An internal error: a choice that was found and not proved.
    pub fault: Option<String>,
    /// What the search took.
    pub effort: Effort,
}

/// A choice that is enough.
#[derive(Debug)]
pub struct Repair {
    /// What its levers cost together.
    pub cost: u64,
    /// Its levers.
    pub levers: Vec<Moved>,
    /// What changes in the file.
    pub edits: Vec<Edit>,
    /// The changed text.
    pub text: String,
    /// The repaired system in it, decided.
    pub after: FileReport,
    /// The checks that had to pass, by number.
    pub checks: Vec<usize>,
}

/// A lever that is moved.
#[derive(Debug)]
pub struct Moved {
    /// As it is written: `hide log`.
    pub text: String,
    /// `hide`, `anonymise` or `disable`.
    pub kind: &'static str,
    /// The names of its events.
    pub events: Vec<String>,
    /// The label of an anonymised event, if it has one of its own.
    pub label: Option<String>,
    /// Who acts in an anonymised event, if that is named.
    pub agent: Option<String>,
    /// The observer for whom it changes; none: for everyone.
    pub from: Option<String>,
    /// What it costs.
    pub cost: u64,
    /// The statement that offers it.
    pub span: Option<Span>,
    /// What goes wrong without it.
    pub without: Option<StorySummary>,
}

/// A violation in two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorySummary {
    /// The check, as it is written.
    pub check: String,
    /// Where it is.
    pub span: Span,
    /// What is seen, and what is known from it.
    pub story: String,
}

/// A check that cannot be a goal.
#[derive(Debug)]
pub enum NoGoal {
    /// No check has this name.
    Unknown(String),
    /// The check of this name states a fact of the model.
    Fact(String),
}

impl NoGoal {
    /// What to name instead of a fact.
    pub const HELP: &'static str = "name a check without `not` that asks for a property";

    /// Why a fact is no goal.
    pub fn message(name: &str) -> String {
        format!("the check `{name}` is no plain assertion of a property: it states a fact of the model")
    }
}

/// Whether every name is that of a check that can be a goal.
///
/// # Errors
/// The first that is not.
pub fn named_goals(systems: &[&System], names: &[String]) -> Result<(), NoGoal> {
    for name in names {
        let mut checks = systems.iter().flat_map(|system| &system.checks);
        match checks.find(|check| check.name.as_ref() == Some(name)) {
            None => return Err(NoGoal::Unknown(name.clone())),
            Some(check) if !is_goal(check) => return Err(NoGoal::Fact(name.clone())),
            Some(_) => {}
        }
    }
    Ok(())
}

/// The file with the cheapest repair of every system; none: nothing changes.
pub fn changed_text(file: &SourceFile, reports: &[RepairReport]) -> Option<String> {
    let firsts =
        reports.iter().filter(|report| report.ending != Ending::Nothing).filter_map(|report| report.repairs.first());
    let mut edits: Vec<_> = firsts.flat_map(|repair| repair.edits.clone()).collect();
    edits.sort();
    (!edits.is_empty()).then(|| applied(file.text(), &edits))
}

/// The share of the time that is left for proofs and explanations, once choices are found, is one in this many.
const TO_PROVE: u32 = 4;

/// How long a proof may take at least.
const SHORTEST: Duration = Duration::from_secs(2);

/// How long a further line that helps is looked for, at most; longer if the repair itself took longer.
const FURTHER: Duration = Duration::from_secs(10);

/// Repairs a system.
pub fn repair(
    original: &Original<'_>,
    system: &System,
    wanted: &Wanted,
    options: &Options<'_>,
    ascii: bool,
) -> RepairReport {
    let started = Instant::now();
    let problem = problem(system, wanted);
    let solving = within(options, options.limits.timeout.map(|most| most - most / TO_PROVE));
    let solved = solve(&problem, wanted.most, &solving);
    let spent = started.elapsed();
    // WHY not interrupted: what was found is proved before it is reported, whoever waits.
    let left = options.limits.timeout.map(|most| most.saturating_sub(spent).max(SHORTEST));
    let left = left.or_else(|| is_late(solved.ending).then_some(SHORTEST));
    let telling =
        Options { interrupted: options.interrupted.filter(|_| !is_late(solved.ending)), ..within(options, left) };
    let mut report = blank(&problem, &solved, wanted.levers.is_none() && !system.offers_levers);
    let since = Instant::now();
    for choice in &solved.choices {
        match proved(original, &problem, choice, (&telling, since), ascii) {
            Ok(repair) => report.repairs.push(repair),
            Err(Unproved::Stopped(stop)) => {
                report.ending = Ending::Undecided(stop);
            }
            Err(Unproved::Wrong(fault)) => {
                report.ending = Ending::Undecided(Stop::Interrupted);
                report.fault = Some(fault);
            }
        }
    }
    if solved.ending == Ending::Impossible {
        report.survives = survivor(&problem, &telling.left_since(since)).map(|loss| summary(&loss, ascii));
        let telling = telling.left_since(since);
        let most = spent.max(FURTHER).min(telling.limits.timeout.unwrap_or(Duration::MAX));
        match further(&problem, &within(&telling, Some(most))) {
            Further::Helps(lever) => report.would_help = Some(spelling::offer(system, &lever)),
            Further::Unhelped(tries) => report.further = Some(tries),
        }
    }
    report
}

fn is_late(ending: Ending) -> bool {
    matches!(ending, Ending::Undecided(_))
}

fn within<'a>(options: &Options<'a>, timeout: Option<Duration>) -> Options<'a> {
    Options { limits: Limits { timeout, ..options.limits }, ..*options }
}

fn problem<'a>(system: &'a System, wanted: &Wanted) -> Problem<'a> {
    let is_wanted = |name: &Option<String>| {
        wanted.checks.is_empty() || name.as_ref().is_some_and(|name| wanted.checks.contains(name))
    };
    let is_meant = |&at: &usize| is_goal(&system.checks[at]) && is_wanted(&system.checks[at].name);
    let checks: Vec<usize> = (0..system.checks.len()).filter(is_meant).collect();
    let levers = match &wanted.levers {
        Some(levers) => Cow::Owned(levers.clone()),
        None => levers(system, &checks),
    };
    Problem { system, levers, checks }
}

fn blank(problem: &Problem<'_>, solved: &Solved, usual: bool) -> RepairReport {
    let system = problem.system;
    let text = |at: usize| system.checks[at].text.clone();
    let left_out = (0..system.checks.len()).filter(|at| !problem.checks.contains(at));
    RepairReport {
        name: system.name.clone(),
        span: system.span,
        ending: solved.ending,
        repairs: Vec::new(),
        lower_bound: solved.lower_bound,
        usual,
        n_levers: problem.levers.len(),
        goal: problem.checks.iter().map(|&at| text(at)).collect(),
        left_out: left_out.map(text).collect(),
        survives: None,
        would_help: None,
        further: None,
        fault: None,
        effort: solved.effort,
    }
}

fn proved(
    original: &Original<'_>,
    problem: &Problem<'_>,
    choice: &Choice,
    (options, since): (&Options<'_>, Instant),
    ascii: bool,
) -> Result<Repair, Unproved> {
    let fresh = prove(original, problem, choice, &options.left_since(since))?;
    let Fresh { edits, text, sources, entry, diagnostics, model, results } = fresh;
    let after = FileReport::new(sources, entry, diagnostics, Some(Arc::new(model)), vec![results]);
    let levers = choice.iter().map(|lever| moved(problem, choice, lever, &options.left_since(since), ascii));
    let (cost, levers) = (choice.cost(&problem.levers), levers.collect());
    Ok(Repair { cost, levers, edits, text, after, checks: problem.checks.clone() })
}

fn moved(problem: &Problem<'_>, choice: &Choice, at: usize, options: &Options<'_>, ascii: bool) -> Moved {
    let (system, Lever { change, cost, span }) = (problem.system, &problem.levers[at]);
    let (label, agent) = match &change.kind {
        ChangeKind::Anonymise { label, agent } => (label.clone(), agent.clone()),
        ChangeKind::Hide | ChangeKind::Disable => (None, None),
    };
    Moved {
        text: spelling::change(system, change),
        kind: change.kind.word(),
        events: change.events.iter().map(|&event| system.names.event(event).into_owned()).collect(),
        label,
        agent,
        from: change.from.and_then(|from| system.observer(from).name.clone()),
        cost: *cost,
        span: *span,
        without: loss_without(problem, choice, at, options).map(|loss| summary(&loss, ascii)),
    }
}
