//! From the checks of a system to searches, and back to outcomes.
//!
//! Checks that share a view and a property share one search, bounded by the largest horizon asked; initial-state questions
//! are searches of their own.

use super::decide::{Task, decide};
use super::estimate::delayed;
use super::search::{Goal, Switches};
use super::{Finding, Limits, Measured, Options, Outcome, Results, Stop, Verdict};
use crate::automaton::view::View;
use crate::model::{Horizon, Lens, Property, Question, System};
use crate::paper::bound::bound;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// What makes two checks share a search.
pub(super) type Key<'a> = (Lens, &'a Property, bool);

/// Decides every check and every measure.
pub(crate) fn carry_out(system: &System, options: &Options<'_>, switches: Switches) -> Results {
    let started = Instant::now();
    let (keys, asked) = searches(system);
    let one = |&key: &Key<'_>, options: &Options<'_>| {
        let (lens, property, initial) = key;
        let (horizon, shortest) = asked[&key];
        let goal = Goal { horizon, initial };
        let task = Task { view: view(system, lens), lens, property, goal, shortest };
        let finding = Arc::new(decide(&task, options, switches, started));
        if let (Some(found), None) = (options.found, finding.stopped) {
            found(initial, &finding);
        }
        finding
    };
    let found = each(&keys, options, &one);
    let findings: FxHashMap<Key<'_>, Arc<Finding>> = keys.into_iter().zip(found).collect();
    let checks =
        system.checks.iter().map(|check| outcome(system, &check.question, |key| findings[&key].clone())).collect();
    let measures = system.measures.iter().map(|measure| Measured {
        finding: findings[&(measure.lens, &measure.property, false)].clone(),
        bound: bound(view(system, measure.lens)),
    });
    Results { checks, measures: measures.collect() }
}

/// Runs the searches, several at once when there are threads for it; each has its share of the threads. What a search finds does
/// not depend on how many there are. Searches side by side share the memory; one for which its share was too little has all
/// of it afterwards.
fn each<'a>(
    keys: &[Key<'a>],
    options: &Options<'_>,
    one: &(dyn Fn(&Key<'a>, &Options<'_>) -> Arc<Finding> + Sync),
) -> Vec<Arc<Finding>> {
    let threads = options.n_threads();
    let side_by_side = threads.min(keys.len());
    let pool = if side_by_side > 1 { ThreadPoolBuilder::new().num_threads(side_by_side).build().ok() } else { None };
    let Some(pool) = pool else { return keys.iter().map(|key| one(key, options)).collect() };
    let memory = options.limits.memory.map(|bytes| bytes / side_by_side as u64);
    let limits = Limits { memory, ..options.limits };
    // WHY nothing is measured: what the program holds tells nothing about one of them.
    let sharing = Options { limits, threads: threads / side_by_side, grown: None, ..*options };
    let found: Vec<_> = pool.install(|| keys.par_iter().map(|key| one(key, &sharing)).collect());
    let again = |(finding, key): (Arc<Finding>, _)| match finding.stopped {
        Some(Stop::Memory) => one(key, options),
        _ => finding,
    };
    found.into_iter().zip(keys).map(again).collect()
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
fn depth(horizon: Horizon) -> u64 {
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
