//! From the checks of a system to searches, and back to outcomes.
//!
//! Checks that share a view and a property share one search, bounded by the largest horizon asked; initial-state questions
//! are searches of their own.

use super::engine::driver::{Task, decide};
use super::search::forward::Goal;
use super::witness::estimate::delayed;
use super::{Finding, Limits, Measured, Options, Outcome, Results, Stop, Verdict};
use crate::automaton::view::View;
use crate::clock::Instant;
use crate::model::{Horizon, Lens, Property, Question, System};
use crate::paper::bound::bound;
use crate::parallel::Pool;
use crate::verify::engine::tuning::Switches;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Duration;

/// What makes two checks share a search.
pub(super) type Key<'a> = (Lens, &'a Property, bool);

/// Decides every check and every measure.
pub(crate) fn carry_out(system: &System, options: &Options<'_>, switches: Switches) -> Results {
    let started = Instant::now();
    let (keys, asked) = searches(system);
    let one = |&key: &Key<'_>, options: &Options<'_>, turn: Option<Duration>| {
        let (lens, property, initial) = key;
        let (horizon, shortest) = asked[&key];
        let goal = Goal { horizon, initial };
        let task = Task { view: view(system, lens), lens, property, goal, shortest };
        let finding = Arc::new(decide(&task, options, switches, started, turn));
        if let (Some(found), None) = (options.found, finding.stopped) {
            found(initial, &finding);
        }
        finding
    };
    let found = each(&keys, options, started, &one);
    let findings: FxHashMap<Key<'_>, Arc<Finding>> = keys.into_iter().zip(found).collect();
    let checks =
        system.checks.iter().map(|check| outcome(system, &check.question, |key| findings[&key].clone())).collect();
    let measures = system.measures.iter().map(|measure| Measured {
        finding: findings[&(measure.lens, &measure.property, false)].clone(),
        bound: bound(view(system, measure.lens)),
    });
    Results { checks, measures: measures.collect() }
}

/// A first turn of this length is enough for most searches.
const FIRST_TURN: Duration = Duration::from_millis(250);

/// Decides what a key asks, with a share of what there is, the search in a turn of this length.
type One<'f, 'a> = dyn Fn(&Key<'a>, &Options<'_>, Option<Duration>) -> Arc<Finding> + Sync + 'f;

/// Runs the searches, several at once when there are threads for it; each has its share of the threads. What a search finds does
/// not depend on how many there are.
///
/// Where there are several, each has a short turn first, so that none waits for one that takes long; those that need more begin anew,
/// and share the time that is left. Searches side by side share the memory; one for which its share was too little has all of it
/// afterwards.
fn each<'a>(keys: &[Key<'a>], options: &Options<'_>, started: Instant, one: &One<'_, 'a>) -> Vec<Arc<Finding>> {
    if let [alone] = keys {
        return vec![one(alone, options, None)];
    }
    let threads = options.n_threads();
    let pool = Pool::new(threads.min(keys.len()));
    let side_by_side = pool.threads();
    let limits = Limits { memory: options.limits.memory.map(|bytes| bytes / side_by_side as u64), ..options.limits };
    let sharing = match side_by_side {
        1 => *options,
        // WHY nothing is measured: what the program holds tells nothing about one of them.
        _ => Options { limits, threads: threads / side_by_side, grown: None, ..*options },
    };
    let run = |chosen: &[usize], turn: &(dyn Fn(usize) -> Option<Duration> + Sync)| -> Vec<Arc<Finding>> {
        pool.map(chosen, |at, &number| one(&keys[number], &sharing, turn(at)))
    };
    let stopped = |found: &[Arc<Finding>], why: Stop| -> Vec<usize> {
        (0..keys.len()).filter(|&number| found[number].stopped == Some(why)).collect()
    };
    let left = || options.limits.timeout.map(|most| most.saturating_sub(started.elapsed()));
    // WHY half of the time at most: so that there is some left for those that need more.
    let first = options.limits.timeout.map_or(FIRST_TURN, |most| FIRST_TURN.min(most / 2 / keys.len().max(1) as u32));
    let mut found = run(&(0..keys.len()).collect::<Vec<_>>(), &|_| Some(first));
    let longer = if left().is_some_and(|left| left.is_zero()) { Vec::new() } else { stopped(&found, Stop::Timeout) };
    let share = |at: usize| left().map(|left| left.saturating_mul(side_by_side as u32) / (longer.len() - at) as u32);
    for (&number, again) in longer.iter().zip(run(&longer, &share)) {
        learn(&mut found[number], again);
    }
    if side_by_side > 1 {
        for number in stopped(&found, Stop::Memory) {
            learn(&mut found[number], one(&keys[number], options, None));
        }
    }
    found
}

/// What a search has found when it began anew, unless it was stopped again and came less far.
fn learn(found: &mut Arc<Finding>, again: Arc<Finding>) {
    if again.stopped.is_none() || again.cost.pairs >= found.cost.pairs {
        *found = again;
    }
}

/// The view that a lens gives of a system.
pub(crate) fn view(system: &System, lens: Lens) -> View<'_> {
    View {
        automaton: &system.automaton,
        observer: &system.observer(lens.observer).observer,
        projection: lens.projection,
    }
}

/// The searches that are needed, in the order of the text; for each the largest horizon, and the shortest one beside "for ever".
#[allow(clippy::type_complexity)]
fn searches(system: &System) -> (Vec<Key<'_>>, FxHashMap<Key<'_>, (u64, Option<u64>)>) {
    let mut keys = Vec::new();
    let mut asked: FxHashMap<Key<'_>, (u64, Option<u64>)> = FxHashMap::default();
    let checks = system.checks.iter().filter_map(|check| match &check.question {
        Question::Property { lens, property, horizon } => Some((key(*lens, property, *horizon), *horizon)),
        Question::Estimate { .. } | Question::Projection { .. } => None,
    });
    let measures = system.measures.iter().map(|measure| ((measure.lens, &measure.property, false), Horizon::Infinite));
    for (key, horizon) in checks.chain(measures) {
        let (largest, shortest) = asked.entry(key).or_insert_with(|| {
            keys.push(key);
            (0, None)
        });
        *largest = depth(horizon).max(*largest);
        if let Horizon::Steps(steps) | Horizon::Exactly(steps) = horizon {
            *shortest = Some(shortest.map_or(steps, |least: u64| least.min(steps)));
        }
    }
    (keys, asked)
}

fn key(lens: Lens, property: &Property, horizon: Horizon) -> Key<'_> {
    (lens, property, horizon == Horizon::Initial)
}

/// How long a β must be looked at.
pub(super) fn depth(horizon: Horizon) -> u64 {
    match horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Exactly(steps) => steps.saturating_add(1),
        Horizon::Infinite | Horizon::Initial => u64::MAX,
    }
}

/// What becomes of a question, given what the search for a property found.
pub(super) fn outcome<'q>(
    system: &System,
    question: &'q Question,
    of: impl FnOnce(Key<'q>) -> Arc<Finding>,
) -> Outcome {
    match question {
        Question::Property { lens, property, horizon } => {
            let finding = of(key(*lens, property, *horizon));
            Outcome::Property(Verdict { answer: finding.exposure.answer(*horizon), horizon: *horizon, finding })
        }
        Question::Estimate { lens, observation, at, expected } => {
            let actual = delayed(&view(system, *lens), observation, *at);
            let as_expected = actual == *expected;
            Outcome::Estimate { actual, as_expected }
        }
        Question::Projection { lens, string, expected } => {
            let actual = view(system, *lens).project(string);
            let as_expected = actual == *expected;
            Outcome::Projection { actual, as_expected }
        }
    }
}
