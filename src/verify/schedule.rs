//! From the checks of a system to queries, and from their findings to verdicts.
//!
//! Checks that share a view and a property share one search, bounded by the greatest horizon; initial-state questions are
//! searches of their own.

use super::engine::driver::{Query, decide};
use super::localise::{self, Asked, Sharing};
use super::search::forward::SearchBound;
use super::witness::estimate::delayed;
use super::{Limits, Options};
use crate::automaton::view::{Symbol, View};
use crate::automaton::{EventId, StateSet};
use crate::clock::Instant;
use crate::model::{Horizon, Property, Question, System, ViewId};
use crate::paper::bound::bound;
use crate::parallel::Pool;
use crate::resources::Stop;
use crate::resources::{Monitor, Resources};
use crate::verdict::{Finding, Measured, Refutation, Results, Verdict};
use crate::verify::engine::tuning::Tuning;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// What two checks that share a search have in common: view, property, and whether it is about the initial state.
pub(super) type Key<'a> = (ViewId, &'a Property, bool);

/// Decides every check and every measure.
pub(crate) fn run(system: &System, options: &Options<'_>, tuning: Tuning) -> Results {
    let started = Instant::now();
    let (keys, asked) = searches(system);
    let sharing = OnceLock::new();
    let search = |&key: &Key<'_>, options: &Options<'_>, slice: Option<Duration>| {
        let (view_id, property, initial) = key;
        let (horizon, shortest) = asked[&key];
        let bound = SearchBound { horizon, initial };
        let finding = match property {
            Property::OfParts(property) => {
                let sharing = sharing.get_or_init(|| shared(system, options.resources(started)));
                match sharing {
                    Ok(sharing) => {
                        let asked = Asked { system, sharing, view_id, property, bound, shortest };
                        localise::decide(asked, options, tuning, started, slice)
                    }
                    Err(stop) => Finding { stopped: Some(*stop), ..Finding::unsearched(view_id, key.1.clone()) },
                }
            }
            _ => {
                let query = Query { view: view(system, view_id), view_id, property, bound, shortest };
                decide(&query, options, tuning, started, slice)
            }
        };
        let finding = Arc::new(finding);
        if let (Some(found), None) = (options.found, finding.stopped) {
            found(initial, &finding);
        }
        finding
    };
    let found = Schedule::new(&keys, options, started).run_all(&search);
    let findings: FxHashMap<Key<'_>, Arc<Finding>> = keys.into_iter().zip(found).collect();
    Answers::new(system, options.resources(started)).results(&findings)
}

/// What some parts of a system whose product is not built say about a check, if they decide it.
pub(super) fn keep_parts(system: &System, check: usize, kept: &[usize], options: &Options<'_>) -> Option<Finding> {
    let Question::Property { view_id, property, horizon } = &system.checks[check].question else { return None };
    let Property::OfParts(property) = property else { return None };
    let sharing = shared(system, options.resources(Instant::now())).ok()?;
    let bound = SearchBound { horizon: depth(*horizon), initial: *horizon == Horizon::Initial };
    let shortest = match horizon {
        Horizon::Steps(steps) | Horizon::Exactly(steps) => Some(*steps),
        Horizon::Infinite | Horizon::Initial => None,
    };
    let asked = Asked { system, sharing: &sharing, view_id: *view_id, property, bound, shortest };
    localise::keep(asked, kept, options, Tuning::default())
}

/// What each event does to each part of a system.
fn shared(system: &System, resources: Resources<'_>) -> Result<Sharing, Stop> {
    let Some(parts) = system.names.composition() else { return Err(Stop::States) };
    Sharing::new(parts, system.automaton.n_events(), &mut resources.monitor())
}

/// Runs the search of a key, with these options, in a slice of time.
type Search<'f, 'a> = dyn Fn(&Key<'a>, &Options<'_>, Option<Duration>) -> Arc<Finding> + Sync + 'f;

/// The searches of a system, and the threads, time and memory that they share. The findings do not depend on the number of
/// threads.
struct Schedule<'s, 'a> {
    keys: &'s [Key<'a>],
    options: &'s Options<'s>,
    started: Instant,
    /// Runs several searches at once.
    pool: Pool,
}

impl<'s, 'a> Schedule<'s, 'a> {
    fn new(keys: &'s [Key<'a>], options: &'s Options<'s>, started: Instant) -> Schedule<'s, 'a> {
        Schedule { keys, options, started, pool: Pool::new(options.n_threads().min(keys.len())) }
    }

    /// Runs the searches. If there are several, each has a short slice first, so that none waits for a long one; those that
    /// need more start again, and share the time that is left. Concurrent searches share the memory; one for which its
    /// share was too little starts again with all of it.
    fn run_all(&self, search: &Search<'_, 'a>) -> Vec<Arc<Finding>> {
        if let [single] = self.keys {
            return vec![search(single, self.options, None)];
        }
        let all: Vec<usize> = (0..self.keys.len()).collect();
        let first = self.first_slice();
        let mut found = self.run_some(&all, &|_| Some(first), search);
        let time_is_over = self.time_left().is_some_and(|left| left.is_zero());
        let longer = if time_is_over { Vec::new() } else { stopped(&found, Stop::Timeout) };
        let share = |at: usize| {
            let left = self.time_left()?.saturating_mul(self.pool.threads() as u32);
            Some(left / (longer.len() - at) as u32)
        };
        for (&number, again) in longer.iter().zip(self.run_some(&longer, &share, search)) {
            keep_better(&mut found[number], again);
        }
        if self.pool.threads() > 1 {
            for number in stopped(&found, Stop::Memory) {
                keep_better(&mut found[number], search(&self.keys[number], self.options, None));
            }
        }
        found
    }

    /// Runs some searches, each with its share of the threads and the memory, in a slice by its place.
    fn run_some(
        &self,
        chosen: &[usize],
        slice: &(dyn Fn(usize) -> Option<Duration> + Sync),
        search: &Search<'_, 'a>,
    ) -> Vec<Arc<Finding>> {
        let options = self.shared_options();
        self.pool.map(chosen, |at, &number| search(&self.keys[number], &options, slice(at)))
    }

    fn shared_options(&self) -> Options<'s> {
        let at_once = self.pool.threads();
        let memory = self.options.limits.memory.map(|bytes| bytes / at_once as u64);
        match at_once {
            1 => *self.options,
            // WHY no growth probe: the size of the process says nothing about one of several searches.
            _ => Options {
                limits: Limits { memory, ..self.options.limits },
                threads: self.options.n_threads() / at_once,
                grown: None,
                ..*self.options
            },
        }
    }

    fn time_left(&self) -> Option<Duration> {
        self.options.limits.timeout.map(|most| most.saturating_sub(self.started.elapsed()))
    }

    fn first_slice(&self) -> Duration {
        let share = |most: Duration| most / Tuning::FIRST_ATTEMPT_SHARE / self.keys.len().max(1) as u32;
        self.options.limits.timeout.map_or(Tuning::FIRST_ATTEMPT, |most| Tuning::FIRST_ATTEMPT.min(share(most)))
    }
}

/// The searches that were stopped for this reason.
fn stopped(found: &[Arc<Finding>], why: Stop) -> Vec<usize> {
    (0..found.len()).filter(|&number| found[number].stopped == Some(why)).collect()
}

/// Replaces a finding by that of a search that started again, unless that was stopped, too, and got less far. What both know
/// is kept.
fn keep_better(found: &mut Arc<Finding>, again: Arc<Finding>) {
    let is_sane = found.fault.is_none() && again.fault.is_none();
    let known = found.exposure.and(again.exposure);
    let progress = |finding: &Finding| (Reverse(finding.exposure.most().unwrap_or(u64::MAX)), finding.cost.pairs);
    if again.stopped.is_none() || progress(&again) >= progress(found) {
        *found = again;
    }
    if let (true, Some(finding)) = (is_sane, Arc::get_mut(found)) {
        finding.exposure = known;
        finding.stopped = finding.stopped.filter(|_| !known.is_exact());
    }
}

/// The view of a system through a lens.
pub(crate) fn view(system: &System, view_id: ViewId) -> View<'_> {
    View {
        automaton: &system.automaton,
        observer: &system.observer(view_id.observer).observer,
        projection: view_id.projection,
    }
}

/// The searches that are needed, in the order of the text; for each the greatest horizon, and the least finite one.
#[allow(clippy::type_complexity)]
pub(super) fn searches(system: &System) -> (Vec<Key<'_>>, FxHashMap<Key<'_>, (u64, Option<u64>)>) {
    let mut keys = Vec::new();
    let mut asked: FxHashMap<Key<'_>, (u64, Option<u64>)> = FxHashMap::default();
    let checks = system.checks.iter().filter_map(|check| match &check.question {
        Question::Property { view_id, property, horizon } => Some((key(*view_id, property, *horizon), *horizon)),
        Question::Estimate { .. } | Question::Projection { .. } | Question::Repair { .. } => None,
    });
    let measures =
        system.measures.iter().map(|measure| ((measure.view_id, &measure.property, false), Horizon::Infinite));
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

fn key(view_id: ViewId, property: &Property, horizon: Horizon) -> Key<'_> {
    (view_id, property, horizon == Horizon::Initial)
}

/// The greatest |β| that a horizon asks about.
pub(super) fn depth(horizon: Horizon) -> u64 {
    match horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Exactly(steps) => steps.saturating_add(1),
        Horizon::Infinite | Horizon::Initial => u64::MAX,
    }
}

/// From the questions of a system to verdicts.
pub(super) struct Answers<'a> {
    system: &'a System,
    monitor: Monitor<'a>,
    /// The estimate that was asked for last: questions inside `for` often share it.
    last: Option<(Moment<'a>, StateSet)>,
}

/// The instant of an estimate: through whose eyes, αβ, |α|.
type Moment<'a> = (ViewId, &'a [Symbol], usize);

impl<'a> Answers<'a> {
    /// Answers within these resources.
    pub(super) fn new(system: &'a System, resources: Resources<'a>) -> Answers<'a> {
        Answers { system, monitor: resources.monitor(), last: None }
    }

    /// The verdict of every check and the result of every measure, given what each search found.
    pub(super) fn results(mut self, findings: &FxHashMap<Key<'a>, Arc<Finding>>) -> Results {
        let system = self.system;
        let checks = system.checks.iter().map(|check| self.verdict(&check.question, |key| findings[&key].clone()));
        let checks = checks.collect();
        let measures = system.measures.iter().map(|measure| Measured {
            finding: findings[&(measure.view_id, &measure.property, false)].clone(),
            bound: bound(view(system, measure.view_id)),
        });
        Results { checks, measures: measures.collect() }
    }

    /// What becomes of a question, given what the search for a property found.
    fn verdict(&mut self, question: &'a Question, of: impl FnOnce(Key<'a>) -> Arc<Finding>) -> Verdict {
        match question {
            Question::Property { view_id, property, horizon } => {
                Verdict::of_property(of(key(*view_id, property, *horizon)), *horizon)
            }
            Question::Estimate { view_id, observation, at, expected } => {
                self.estimate((*view_id, observation, *at), expected).unwrap_or_else(Verdict::stopped)
            }
            Question::Projection { view_id, string, expected } => {
                self.projection(*view_id, string, expected).unwrap_or_else(Verdict::stopped)
            }
            // WHY: what a repair costs is decided by many searches, in [`repair`](crate::repair).
            Question::Repair { .. } => Verdict::stopped(Stop::Interrupted),
        }
    }

    fn estimate(&mut self, of: Moment<'a>, expected: &StateSet) -> Result<Verdict, Stop> {
        if self.system.uncomposed.is_some() {
            return Err(Stop::States);
        }
        let (view_id, observation, at) = of;
        if self.last.as_ref().is_none_or(|(known, _)| *known != of) {
            let actual = delayed(&view(self.system, view_id), observation, at, false, &mut self.monitor)?;
            self.last = Some((of, actual));
        }
        let actual = self.last.as_ref().map(|(_, actual)| actual).filter(|actual| *actual != expected);
        self.monitor.spend(expected.len() as u64)?;
        self.monitor.hold(actual.map_or(0, |actual| size_of_val(actual.as_slice()) as u64))?;
        Ok(actual
            .map_or(Verdict::Holds(None), |actual| Verdict::Violated(Refutation::Estimate { actual: actual.clone() })))
    }

    fn projection(&mut self, view_id: ViewId, string: &[EventId], expected: &[Symbol]) -> Result<Verdict, Stop> {
        self.monitor.spend(string.len() as u64)?;
        let actual = view(self.system, view_id).project(string);
        if actual == expected {
            return Ok(Verdict::Holds(None));
        }
        self.monitor.hold(size_of_val(&actual[..]) as u64)?;
        Ok(Verdict::Violated(Refutation::Projection { actual }))
    }
}
