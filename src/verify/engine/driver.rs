//! One view, one property, one search: picks the frame, runs the search, builds the witness and replays it.

use super::portfolio::{Found, Question, Shown, race, sprint};
use crate::automaton::view::{GroupId, Projection, View};
use crate::clock::Instant;
use crate::model::{Horizon, Lens, Property};
use crate::paper;
use crate::resources::Resources;
use crate::verify::certificate;
use crate::verify::engine::tuning::Switches;
use crate::verify::exposed_sets::Exposed;
use crate::verify::limits::Growth;
use crate::verify::proof::{Allowance, Hints, Proved, Wanted, prove};
use crate::verify::reduce::quotient::{self, Quotient};
use crate::verify::search::forward::Goal;
use crate::verify::sets::{Dense, Sparse};
use crate::verify::views::belief_system::{Frame, Left, Move};
use crate::verify::views::static_view::Fixed;
use crate::verify::views::weak_view::Relative;
use crate::verify::witness::estimate::follow;
use crate::verify::witness::replay::replay;
use crate::verify::{Cost, DecidedBy, Exposure, Finding, Limits, Method, Options, Run, Witness};
use std::time::Duration;

/// Views with at most this many states use dense sets.
const DENSE: usize = 4096;

/// What is to be decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    pub(crate) view: View<'a>,
    pub(crate) lens: Lens,
    pub(crate) property: &'a Property,
    pub(crate) goal: Goal,
    /// The shortest horizon that is asked for, beside "for ever".
    pub(crate) shortest: Option<u64>,
}

/// Decides a task. Time is counted from `started`; the search has a turn, if one is given, and ends as if its time were over.
pub(crate) fn decide(
    task: &Task<'_>,
    options: &Options<'_>,
    switches: Switches,
    started: Instant,
    turn: Option<Duration>,
) -> Finding {
    let here = Instant::now();
    let end = turn.map(|turn| started.elapsed().saturating_add(turn));
    let timeout = options.limits.timeout.into_iter().chain(end).min();
    let hurried = Options { limits: Limits { timeout, ..options.limits }, ..*options };
    if options.method == Method::Literal {
        return literal(task, &hurried, started);
    }
    let view = &task.view;
    let exposed = Exposed::of(task.property, view.automaton.n_states());
    let question = Question { exposed: &exposed, goal: task.goal, switches, options: &hurried, started };
    let Searched { found, run, quotient } = search(task, &question);
    let mut finding = Finding {
        lens: task.lens,
        property: task.property.clone(),
        exposure: found.exposure,
        witness: None,
        saturation: found.saturation,
        stopped: found.stopped,
        fault: None,
        certificate: None,
        cost: found.cost,
    };
    if let Some(hints) = found.hints {
        let free = FREE_WORK + found.effort / STEPS_PER_WORK;
        let blocks = quotient.map(|quotient| quotient.block);
        let begun = Instant::now();
        certify(&mut finding, task, (blocks, hints), free, options, started);
        finding.cost.proof = begun.elapsed();
    }
    match (run, finding.exposure) {
        (Some((run, before)), _) => attach(&mut finding, view, &exposed, run, before, task.goal.initial),
        (None, Exposure::At(_)) => refuse(&mut finding, "no run shows the exposure that was found"),
        (None, _) => {}
    }
    finding.cost.time = here.elapsed();
    finding
}

/// Bytes for each state and transition of the strong view while it is looked at first.
const STRONG_BYTES: u64 = 64;

/// What a search found, a run of the whole automaton, and the quotient on which it was done.
struct Searched {
    found: Found,
    run: Shown,
    quotient: Option<Quotient>,
}

/// Searches the view. Under the weak projection the strong one is looked at first: runs that look alike there are more, so what
/// exposes there exposes here, no later, and only shorter distances are left to search.
fn search(task: &Task<'_>, question: &Question<'_>) -> Searched {
    let strong = View { projection: Projection::Strong, ..task.view };
    let size = (task.view.automaton.n_states() + task.view.automaton.n_transitions()) as u64;
    let affordable = !question.meter().is_too_much(size * STRONG_BYTES);
    // WHY: a layer that is safe in the strong view need not be safe in the weak one.
    let untold = Options { progress: None, ..*question.options };
    let bound = match question.switches.strong_first && hides_history(&task.view) && affordable {
        true => Kind::fixed(&strong, question.switches).sprint(&Question { options: &untold, ..*question }, 1),
        false => None,
    };
    let Some((Found { exposure: Exposure::At(least), cost, .. }, run)) = bound else {
        return search_view(task, question);
    };
    let Some(shorter) = least.checked_sub(1) else {
        let cost = Cost { by: Some(DecidedBy::StrongView), ..cost };
        let found = Found { exposure: Exposure::At(0), saturation: None, stopped: None, cost, hints: None, effort: 0 };
        return Searched { found, run, quotient: None };
    };
    let goal = Goal { horizon: question.goal.horizon.min(shorter), ..question.goal };
    let mut searched = search_view(task, &Question { goal, ..*question });
    if searched.found.stopped.is_none() && searched.found.exposure == Exposure::Beyond(shorter) {
        (searched.found.exposure, searched.run) = (Exposure::At(least), run);
    }
    searched
}

/// Which part of the head start there is before states are merged: what merging does not need to see is seen early, and what holds
/// has a smaller proof on the quotient.
const BEFORE_MERGING: u64 = 8;

/// Searches the automaton; its quotient, where there is one and the head start does not suffice.
fn search_view(task: &Task<'_>, question: &Question<'_>) -> Searched {
    let (view, switches) = (&task.view, question.switches);
    let mut kind = Kind::of(view, switches);
    if view.automaton.n_states() >= switches.merged_from && quotient::may_merge(task.property) {
        if let Some((found, run)) = kind.sprint(question, BEFORE_MERGING) {
            return Searched { found, run, quotient: None };
        }
        let by_event = hides_history(view);
        if let Some(quotient) = quotient::quotient(view, by_event, task.property, &mut question.meter()) {
            let small = View { automaton: &quotient.automaton, ..*view };
            let exposed = Exposed::of(&quotient.property, quotient.automaton.n_states());
            let (found, run) = Kind::of(&small, switches).race(&Question { exposed: &exposed, ..*question });
            let run = run.and_then(|(run, before)| quotient.lift(view, by_event, &run, before));
            return Searched { found, run, quotient: Some(quotient) };
        }
    }
    let (found, run) = kind.race(question);
    Searched { found, run, quotient: None }
}

/// The frame that suits a view.
enum Kind<'a> {
    Relative(Box<Relative<'a>>),
    Dense(Box<Fixed<Dense>>),
    Sparse(Box<Fixed<Sparse>>),
}

impl<'a> Kind<'a> {
    fn of(view: &View<'a>, switches: Switches) -> Kind<'a> {
        if hides_history(view) {
            return Kind::Relative(Box::new(Relative::new(view)));
        }
        match Kind::fixed(view, switches) {
            Kind::Dense(frame) => Kind::Dense(Box::new(frame.with_lockstep(view))),
            Kind::Sparse(frame) => Kind::Sparse(Box::new(frame.with_lockstep(view))),
            other => other,
        }
    }

    /// Labels are fixed, and nobody looks for twins.
    fn fixed(view: &View<'_>, switches: Switches) -> Kind<'a> {
        if view.automaton.n_states() <= DENSE {
            Kind::Dense(Box::new(Fixed::new(view, switches.tables_from)))
        } else {
            Kind::Sparse(Box::new(Fixed::new(view, switches.tables_from)))
        }
    }

    fn race(&mut self, question: &Question<'_>) -> (Found, Shown) {
        match self {
            Kind::Relative(frame) => race(&mut **frame, question),
            Kind::Dense(frame) => race(&mut **frame, question),
            Kind::Sparse(frame) => race(&mut **frame, question),
        }
    }

    fn sprint(&mut self, question: &Question<'_>, part: u64) -> Option<(Found, Shown)> {
        match self {
            Kind::Relative(frame) => sprint(&mut **frame, question, part),
            Kind::Dense(frame) => sprint(&mut **frame, question, part),
            Kind::Sparse(frame) => sprint(&mut **frame, question, part),
        }
    }
}

/// Proofs of more work than this are built only when they are asked for: a member of a set is one unit.
const FREE_WORK: u64 = 100_000;
/// The search may have taken long; then the proof may, too: this many of its steps are one unit.
const STEPS_PER_WORK: u64 = 16;
/// So are proofs with more positions of rivals that answer for ever.
const FREE_HINTS: usize = 200_000;

/// Builds the proof of what holds, and has it checked.
fn certify(
    finding: &mut Finding,
    task: &Task<'_>,
    (blocks, hints): (Option<Vec<u32>>, Hints),
    free: u64,
    options: &Options<'_>,
    started: Instant,
) {
    let Some(wanted) = wanted(finding.exposure, task) else { return };
    if !options.certificates && hints.len() > FREE_HINTS {
        return;
    }
    let allowance = Allowance {
        work: if options.certificates { u64::MAX } else { free },
        memory: options.limits.memory.unwrap_or(u64::MAX),
        growth: Growth(options.grown),
        // WHY half of what is left: checking and writing the proof take about as long as building it.
        until: options.limits.timeout.and_then(|most| {
            let spent = started.elapsed();
            started.checked_add(spent + most.saturating_sub(spent) / 2)
        }),
        interrupted: options.interrupted,
    };
    match prove(&task.view, task.property, wanted, (blocks, hints), allowance) {
        Proved::TooLarge => {}
        Proved::Refuted => refuse(finding, "an exposure was found while the proof was built"),
        Proved::Certificate(proof) => match certificate::check(&task.view, task.property, &proof) {
            Ok(()) => {
                finding.cost.certified = true;
                finding.certificate = Some(*proof);
            }
            Err(fault) => refuse(finding, &format!("the certificate is refused: {fault}")),
        },
    }
}

fn refuse(finding: &mut Finding, fault: &str) {
    finding.fault = Some(fault.to_owned());
    finding.exposure = Exposure::Unknown;
}

/// The farthest horizon that holds, if one that is asked for does.
fn wanted(exposure: Exposure, task: &Task<'_>) -> Option<Wanted> {
    let initial = task.goal.initial;
    let up_to = |safe: u64| {
        let asked = task.shortest.filter(|&steps| steps <= safe);
        asked.map(|_| Wanted { horizon: Some(safe), initial })
    };
    match exposure {
        Exposure::Never => Some(Wanted { horizon: None, initial }),
        Exposure::At(least) if !initial => least.checked_sub(1).and_then(up_to),
        Exposure::Beyond(safe) if !initial => up_to(safe),
        Exposure::At(_) | Exposure::Beyond(_) | Exposure::Unknown => None,
    }
}

/// Decides a task by the paper's constructions.
fn literal(task: &Task<'_>, options: &Options<'_>, started: Instant) -> Finding {
    let deadline = options.limits.timeout.and_then(|most| started.checked_add(most));
    let resources = Resources {
        deadline,
        memory: options.limits.memory,
        interrupted: options.interrupted,
        growth: options.grown,
        ..Resources::default()
    };
    let budget = paper::Budget::new(options.limits.pairs, resources);
    let horizon = if task.goal.initial { Horizon::Initial } else { Horizon::Infinite };
    let mut finding = paper::decide(task.view, task.lens, task.property, horizon, budget);
    if let Some(witness) = &finding.witness {
        let exposed = Exposed::of(task.property, task.view.automaton.n_states());
        finding.fault = replay(&task.view, &exposed, witness, task.goal.initial).err();
    }
    finding
}

/// Whether labels depend on the past: weak, and some group has two events.
fn hides_history(view: &View<'_>) -> bool {
    view.is_dynamic()
        && (0..view.observer.n_groups())
            .any(|group| view.observer.anonymous(Some(GroupId::from_index(group))).nth(1).is_some())
}

pub(super) fn states_of<F: Frame>(frame: &F, start: Left, moves: &[Move]) -> Run {
    let mut states = vec![frame.left_state(start)];
    states.extend(moves.iter().map(|step| frame.left_state(step.target)));
    Run { states, events: moves.iter().map(|step| step.event).collect() }
}

/// Builds the witness from a run whose first `before` events belong to α, and replays it.
fn attach(finding: &mut Finding, view: &View<'_>, exposed: &Exposed, run: Run, before: usize, initial: bool) {
    let observation = view.project(&run.events);
    let at = view.project(&run.events[..before]).len();
    let followed = follow(view, &observation, at, initial);
    let distance = (observation.len() - at) as u64;
    let witness = Witness { observation, at, exposed: followed.delayed, estimates: followed.estimates, run };
    let replayed = replay(view, exposed, &witness, initial);
    if finding.exposure != Exposure::At(distance) {
        finding.fault =
            Some(format!("the witness is exposed after {distance} steps, the search found another distance"));
    } else if let Err(fault) = replayed {
        finding.fault = Some(format!("the witness does not replay: {fault}"));
    }
    if finding.fault.is_some() {
        finding.exposure = Exposure::Unknown;
    } else {
        finding.witness = Some(witness);
    }
}
