//! From the checks of a system to queries, and from their findings to verdicts.
//!
//! Checks that share a view and a property share one search, bounded by the greatest horizon; initial-state questions are
//! searches of their own.

use super::engine::driver::{Query, decide};
use super::localise::{self, Asked, Sharing, turns};
use super::search::forward::SearchBound;
use super::witness::estimate::delayed;
use super::{Limits, Options};
use crate::automaton::view::{Symbol, View};
use crate::automaton::{EventId, StateSet};
use crate::clock::Instant;
use crate::model::of_parts::PropertyOfParts;
use crate::model::parts::Parts;
use crate::model::{Horizon, Property, Question, System, ViewId};
use crate::paper::bound::bound;
use crate::parallel::Pool;
use crate::resources::Stop;
use crate::resources::{Monitor, Resources};
use crate::verdict::{Answer, Exposure, Finding, Measured, Refutation, Results, Verdict};
use crate::verify::engine::tuning::Tuning;
use crate::verify::reduce::two_sided::SharedSides;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// What two checks that share a search have in common: view, property, and whether it is about the initial state.
pub(super) type Key<'a> = (ViewId, &'a Property, bool);

/// Decides every check and every measure.
pub(crate) fn run(system: &System, options: &Options<'_>, tuning: Tuning) -> Results {
    let started = Instant::now();
    let (keys, wanted) = searches(system);
    let searcher = Searcher { system, tuning, started, sharing: OnceLock::new(), sides: SharedSides::default() };
    let search = |&key: &Key<'_>, options: &Options<'_>, slice: Option<Duration>| {
        let finding = Arc::new(searcher.search(key, &wanted[&key], options, slice));
        if let (Some(found), None) = (options.found, finding.stopped) {
            found(key.2, &finding);
        }
        finding
    };
    let found = Schedule::new(&keys, options, started).run_all(&search);
    let findings: FxHashMap<Key<'_>, Arc<Finding>> = keys.into_iter().zip(found).collect();
    Answers::new(system, options.resources(started)).results(&findings)
}

/// What some parts of a system say about a check, if they decide it.
pub(super) fn keep_parts(system: &System, check: usize, kept: &[usize], options: &Options<'_>) -> Option<Finding> {
    let Question::Property { view_id, property, horizon } = &system.checks[check].question else { return None };
    let key = key(*view_id, property, *horizon);
    let mut wanted = Wanted::default();
    wanted.add(*horizon);
    wanted.by_parts = system.checks[check].by_parts.as_ref();
    let searcher = Searcher {
        system,
        tuning: Tuning::default(),
        started: Instant::now(),
        sharing: OnceLock::new(),
        sides: SharedSides::default(),
    };
    let asked = searcher.asked(key, &wanted, options).ok()??;
    localise::keep(asked, kept, options, Tuning::default())
}

/// Decides the questions of a system, one at a time.
struct Searcher<'a> {
    system: &'a System,
    tuning: Tuning,
    started: Instant,
    /// What each event does to each part, once somebody asks.
    sharing: OnceLock<Result<Sharing, Stop>>,
    /// The cells of views that several large searches are about.
    sides: SharedSides,
}

impl<'a> Searcher<'a> {
    fn search(&self, key: Key<'a>, wanted: &'a Wanted<'a>, options: &Options<'_>, slice: Option<Duration>) -> Finding {
        let (view_id, property, initial) = key;
        let bound = SearchBound { horizon: wanted.horizon, initial };
        let is_uncomposed = matches!(property, Property::OfParts(_));
        let asked = || self.asked(key, wanted, options);
        let stopped = |stop| Finding { stopped: Some(stop), ..Finding::unsearched(view_id, property.clone()) };
        if is_uncomposed {
            return match asked() {
                Ok(Some(asked)) => localise::decide(asked, options, self.tuning, self.started, slice),
                Ok(None) => stopped(Stop::States),
                Err(stop) => stopped(stop),
            };
        }
        let (shortest, enough) = (wanted.shortest, wanted.enough());
        let view = view(self.system, view_id);
        let size = (view.automaton.n_states() + view.automaton.n_transitions()) as u64;
        let is_shared = wanted.is_shared && size >= Tuning::SHARED_SIDES_FROM && self.tuning.cells_after < u64::MAX;
        let shared = is_shared.then_some(&self.sides);
        let query = Query { view, view_id, property, bound, shortest, enough, shared };
        match wanted.by_parts {
            Some(_) => turns::decide(&query, &asked, options, self.tuning, (self.started, slice)),
            None => decide(&query, options, self.tuning, self.started, slice),
        }
    }

    /// The question by the states of parts. None: it is not known by these, or the automaton is not the product of the parts.
    fn asked<'s>(
        &'s self,
        key: Key<'a>,
        wanted: &'s Wanted<'a>,
        options: &Options<'_>,
    ) -> Result<Option<Asked<'s>>, Stop> {
        let system = self.system;
        let (view_id, property, initial) = key;
        let by_parts = match property {
            Property::OfParts(by_parts) => Some(by_parts),
            _ => wanted.by_parts,
        };
        let is_product = |parts: &&dyn Parts| Arc::ptr_eq(parts.product(), &system.automaton);
        let Some((by_parts, parts)) = by_parts.zip(system.names.composition().filter(is_product)) else {
            return Ok(None);
        };
        let monitor = || options.resources(self.started).monitor();
        let sharing = self.sharing.get_or_init(|| Sharing::new(parts, system.automaton.n_events(), &mut monitor()));
        let sharing = sharing.as_ref().map_err(|stop| *stop)?;
        Ok(Some(Asked { system, sharing, view_id, property, by_parts, initial, wanted }))
    }
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
    let levels = found.levels.clone().further(again.levels.clone());
    let progress = |finding: &Finding| (Reverse(finding.exposure.most().unwrap_or(u64::MAX)), finding.cost.pairs);
    if again.stopped.is_none() || progress(&again) >= progress(found) {
        *found = again;
    }
    if let (true, Some(finding)) = (is_sane, Arc::get_mut(found)) {
        finding.exposure = known;
        finding.levels = levels;
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

/// What is wanted of one search.
#[derive(Debug, Default)]
pub(super) struct Wanted<'a> {
    /// The greatest |β| that is asked about.
    pub(super) horizon: u64,
    /// The least finite horizon.
    pub(super) shortest: Option<u64>,
    /// The horizons of its checks.
    pub(super) horizons: FxHashSet<Horizon>,
    /// Whether other searches are about the same view.
    pub(super) is_shared: bool,
    /// Whether a measure asks for the distance itself.
    pub(super) is_measured: bool,
    /// The property by the states of parts, if the product is built and this is known.
    pub(super) by_parts: Option<&'a Arc<PropertyOfParts>>,
}

impl Wanted<'_> {
    fn add(&mut self, horizon: Horizon) {
        self.horizon = depth(horizon).max(self.horizon);
        if let Horizon::Steps(steps) | Horizon::Exactly(steps) = horizon {
            self.shortest = Some(self.shortest.map_or(steps, |least: u64| least.min(steps)));
        }
        self.horizons.insert(horizon);
    }

    /// The greatest |β| of an exposure that answers all that is wanted; none: the distance itself is wanted.
    pub(super) fn enough(&self) -> Option<u64> {
        let is_exact = |horizon: &Horizon| matches!(horizon, Horizon::Exactly(_));
        let wants_distance = self.is_measured || self.horizons.iter().any(is_exact);
        (!wants_distance).then(|| self.shortest.unwrap_or(u64::MAX))
    }

    /// Whether a distance answers all that is wanted.
    pub(super) fn is_answered(&self, exposure: Exposure) -> bool {
        (!self.is_measured || exposure.is_exact()) && self.n_answered(exposure) == self.horizons.len()
    }

    /// How many of the horizons a distance answers.
    pub(super) fn n_answered(&self, exposure: Exposure) -> usize {
        self.horizons.iter().filter(|&&horizon| exposure.answer(horizon) != Answer::Undecided).count()
    }
}

/// The searches that are needed, in the order of the text, and what is wanted of each.
pub(super) fn searches(system: &System) -> (Vec<Key<'_>>, FxHashMap<Key<'_>, Wanted<'_>>) {
    let mut keys = Vec::new();
    let mut asked: FxHashMap<Key<'_>, Wanted<'_>> = FxHashMap::default();
    for check in &system.checks {
        let Question::Property { view_id, property, horizon } = &check.question else { continue };
        let wanted = wanted(&mut asked, &mut keys, key(*view_id, property, *horizon));
        wanted.add(*horizon);
        wanted.by_parts = wanted.by_parts.or(check.by_parts.as_ref());
    }
    for measure in &system.measures {
        let wanted = wanted(&mut asked, &mut keys, (measure.view_id, &measure.property, false));
        (wanted.horizon, wanted.is_measured) = (u64::MAX, true);
    }
    let mut of_view: FxHashMap<ViewId, usize> = FxHashMap::default();
    keys.iter().for_each(|key| *of_view.entry(key.0).or_default() += 1);
    asked.iter_mut().for_each(|(key, wanted)| wanted.is_shared = of_view[&key.0] > 1);
    (keys, asked)
}

/// What is wanted of a search, which is new perhaps.
fn wanted<'w, 'a>(
    all: &'w mut FxHashMap<Key<'a>, Wanted<'a>>,
    keys: &mut Vec<Key<'a>>,
    key: Key<'a>,
) -> &'w mut Wanted<'a> {
    all.entry(key).or_insert_with(|| {
        keys.push(key);
        Wanted::default()
    })
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
