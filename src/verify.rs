//! From a system to verdicts.
//!
//! Every property says: the delayed estimate E(α|αβ), if not empty, never lies inside an *exposed set*. The least |β| at
//! which it does is the *exposure distance* k, and k decides every horizon at once: K-step holds iff K < k, infinite-step iff
//! there is no k. Checks that share a view and a property share one search, and its [`Finding`].
//!
//! ```text
//! schedule     checks → queries, findings → verdicts        partial      interrupted run → results
//! engine/      query → finding: driver, portfolio of searches, resources, certification, tuning
//! exposed_sets property → exposed sets                      reduce/      automaton → quotient
//! views/       view → belief system                         sets/        sets of ids, interners
//! search/      belief system → exposure distance            simulation/  pair → proved or refuted
//! localise/    question about parts → finding on a few of them
//! witness/     run → replayed witness                       proof/       search result → certificate
//! ```

mod engine;
mod exposed_sets;
mod localise;
mod partial;
mod proof;
mod reduce;
mod schedule;
mod search;
pub(crate) mod sets;
mod simulation;
mod views;
mod witness;

#[doc(hidden)]
pub use engine::tuning::Tuning;
pub(crate) use exposed_sets::ExposedSets;
pub use partial::partial_results;
pub(crate) use reduce::derive::derive;
pub(crate) use schedule::view;
pub(crate) use witness::estimate::Following;
pub(crate) use witness::history::{Histories, HistoryId};
pub(crate) use witness::replay::{Suspect, again, events_before};

use crate::automaton::view::View;
use crate::clock::Instant;
use crate::model::{Horizon, Property};
use crate::parallel;
use crate::resources::{Resources, RssProbe};
use crate::verdict::{Fewest, Finding, Further, Results, Witness};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// For all checks of a system together.
    pub timeout: Option<Duration>,
    /// In bytes, for one search.
    pub memory: Option<u64>,
    /// The most pairs that one search may store.
    pub pairs: Option<u64>,
}

/// How to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// The engine, which picks the fastest method.
    #[default]
    Engine,
    /// The paper's constructions, literally.
    Literal,
}

/// What a caller may set.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// The limits.
    pub limits: Limits,
    /// How many threads; 0: one per core.
    pub threads: usize,
    /// How to decide.
    pub method: Method,
    /// Whether every property that holds is proved, however large the proof; otherwise only if that costs little.
    pub certificates: bool,
    /// Called from time to time with the progress of the search.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// Called when a search has ended by itself, with whether it was about the initial state, and its finding.
    pub found: Option<&'a Found<'a>>,
    /// Set from outside to end the search.
    pub interrupted: Option<&'a AtomicBool>,
    /// Measures by how many bytes the process has grown, so that the memory limit is kept even if counting errs or freed memory
    /// is fragmented.
    pub grown: Option<&'a RssProbe<'a>>,
}

/// Receives the finding of each search that has ended.
pub type Found<'a> = dyn Fn(bool, &Arc<Finding>) + Sync + 'a;

impl<'a> Options<'a> {
    /// What may be used from `started` on.
    pub(crate) fn resources(&self, started: Instant) -> Resources<'a> {
        Resources {
            deadline: self.limits.timeout.and_then(|most| started.checked_add(most)),
            memory: self.limits.memory,
            interrupted: self.interrupted,
            growth: self.grown,
            ..Resources::default()
        }
    }

    /// The same with a time that ends after this slice, if one is given, counted from now.
    pub(crate) fn ending(&self, started: Instant, slice: Option<Duration>) -> Options<'a> {
        let end = slice.map(|slice| started.elapsed().saturating_add(slice));
        let timeout = self.limits.timeout.into_iter().chain(end).min();
        Options { limits: Limits { timeout, ..self.limits }, ..*self }
    }

    /// The same with what is left of the time since `started`.
    pub(crate) fn left_since(&self, started: Instant) -> Options<'a> {
        let timeout = self.limits.timeout.map(|most| most.saturating_sub(started.elapsed()));
        Options { limits: Limits { timeout, ..self.limits }, ..*self }
    }

    /// How many threads there are to use.
    pub(crate) fn n_threads(&self) -> usize {
        parallel::threads(self.threads)
    }
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// The layer (|β|) that is being explored.
    pub layer: u64,
    /// Pairs stored.
    pub pairs: u64,
    /// Pairs not yet explored.
    pub frontier: u64,
    /// Bytes held.
    pub memory: u64,
}

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Phase {
    /// It merges equivalent states before anything else.
    Quotient,
    /// Phase 1: it collects estimates.
    #[default]
    Estimates,
    /// Phase 2: it explores delayed estimates, one layer for each |β|.
    Layers,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Quotient => "quotient",
            Phase::Estimates => "estimates",
            Phase::Layers => "layers",
        })
    }
}

/// Decides every check and every measure of a system.
pub fn verify(system: &crate::model::System, options: &Options<'_>) -> Results {
    schedule::run(system, options, Tuning::default())
}

/// [`verify`] with an engine that is tuned otherwise.
#[doc(hidden)]
pub fn verify_with(system: &crate::model::System, options: &Options<'_>, tuning: Tuning) -> Results {
    schedule::run(system, options, tuning)
}

/// Decides one property of one view up to a horizon, as the own observer of a system would ask it.
pub fn decide(view: &View<'_>, property: &Property, horizon: Horizon, options: &Options<'_>) -> Finding {
    decide_with(view, property, horizon, options, Tuning::default())
}

/// [`decide`] with an engine that is tuned otherwise: tests and benchmarks switch off what it prunes by.
#[doc(hidden)]
pub fn decide_with(
    view: &View<'_>,
    property: &Property,
    horizon: Horizon,
    options: &Options<'_>,
    tuning: Tuning,
) -> Finding {
    let query = engine::driver::Query::new(*view, property, horizon);
    engine::driver::decide(&query, options, tuning, Instant::now(), None)
}

/// The exposure with the fewest observations in all, up to a horizon at which the finding says that the property is violated: that of
/// its witness has the least hindsight, and may be seen later.
///
/// It is looked for with about twice the work that the finding took and `free` units more, within the limits.
pub fn fewest_observations(
    view: &View<'_>,
    property: &Property,
    horizon: Horizon,
    (finding, free): (&Finding, u64),
    options: &Options<'_>,
) -> Fewest {
    engine::fewest::beside((view, property, horizon), finding, free, options, Tuning::default())
}

/// [`fewest_observations`] with an engine that is tuned otherwise.
#[doc(hidden)]
pub fn fewest_observations_with(
    view: &View<'_>,
    property: &Property,
    horizon: Horizon,
    (finding, free): (&Finding, u64),
    options: &Options<'_>,
    tuning: Tuning,
) -> Fewest {
    engine::fewest::beside((view, property, horizon), finding, free, options, tuning)
}

/// Up to `most` exposures within a horizon that are really different from one that is told: they expose something else, or their last
/// observation is another. Of each kind the one with the fewest observations.
///
/// They are looked for with about sixteen times the work that the finding took and `free` units more, within the limits.
pub fn further_exposures(
    view: &View<'_>,
    property: &Property,
    horizon: Horizon,
    (finding, told): (&Finding, &Witness),
    (most, free): (usize, u64),
    options: &Options<'_>,
) -> Further {
    let work = finding.cost.work.saturating_mul(Tuning::FURTHER_WORK_SHARE).saturating_add(free);
    engine::further::beside((view, property, horizon), told, (most, work), options, Tuning::default())
}

/// Decides a check of a composed system on the product of some of its parts, if these decide it: tests and
/// benchmarks choose the parts themselves.
#[doc(hidden)]
pub fn keep_parts(
    system: &crate::model::System,
    check: usize,
    kept: &[usize],
    options: &Options<'_>,
) -> Option<Finding> {
    schedule::keep_parts(system, check, kept, options)
}
