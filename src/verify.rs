//! From a system to verdicts.
//!
//! Every property says: the delayed estimate E(α|αβ), if not empty, never lies inside an *exposed set*. The least |β| at
//! which it does is the *exposure distance* k, and k decides every horizon at once: K-step holds iff K < k, infinite-step iff
//! there is no k. Checks that share a view and a property share one search, and its [`Finding`].
//!
//! ```text
//! schedule     checks → queries, findings → outcomes        partial      interrupted run → results
//! engine/      query → finding: driver, portfolio of searches, certification, tuning
//! exposed_sets property → exposed sets                      reduce/      automaton → quotient
//! views/       view → belief system                         sets/        sets of ids, interners
//! search/      belief system → exposure distance            simulation/  pair → proved or refuted
//! witness/     run → replayed witness                       proof/       search result → certificate
//! certificate/ certificate → checked, without the search; as text and back
//! ```

pub mod certificate;
mod engine;
mod exposed_sets;
pub(crate) mod limits;
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
pub use partial::partial_results;
pub(crate) use schedule::view;
pub(crate) use witness::estimate::Following;
pub(crate) use witness::history::{Histories, HistoryId};

pub use crate::resources::Stop;

use crate::automaton::view::{Sign, View};
use crate::automaton::{EventId, StateId, StateSet};
use crate::clock::Instant;
use crate::model::{Horizon, Lens, Property};
use crate::parallel;
use crate::resources::Resources;
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
    pub grown: Option<&'a (dyn Fn() -> u64 + Sync)>,
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

/// The results of a system: one for each check and each measure, in their order.
#[derive(Debug)]
pub struct Results {
    /// One per check.
    pub checks: Vec<Outcome>,
    /// One per measure.
    pub measures: Vec<Measured>,
}

/// What became of a check, before `not` is applied.
#[derive(Debug)]
pub enum Outcome {
    /// A property.
    Property(Verdict),
    /// An estimate or a projection is what was expected.
    AsExpected,
    /// An estimate is another than the expected one.
    Estimate {
        /// The delayed estimate.
        actual: StateSet,
    },
    /// A projection is another than the expected one.
    Projection {
        /// What the string shows.
        actual: Vec<Sign>,
    },
    /// An estimate or a projection was not computed.
    Stopped(Stop),
}

impl Outcome {
    /// Whether what is asked is so.
    pub fn answer(&self) -> Answer {
        match self {
            Outcome::Property(verdict) => verdict.answer,
            Outcome::AsExpected => Answer::Holds,
            Outcome::Estimate { .. } | Outcome::Projection { .. } => Answer::Violated,
            Outcome::Stopped(_) => Answer::Undecided,
        }
    }
}

/// A property up to a horizon: the answer, and the finding it was read from.
#[derive(Debug)]
pub struct Verdict {
    /// The answer.
    pub answer: Answer,
    /// The horizon it is for.
    pub horizon: Horizon,
    /// What the search found.
    pub finding: Arc<Finding>,
}

/// The three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Answer {
    Holds,
    Violated,
    Undecided,
}

impl Answer {
    /// Whether a check passes that has this answer.
    pub fn passes(self, negated: bool) -> bool {
        match self {
            Answer::Undecided => false,
            Answer::Holds => !negated,
            Answer::Violated => negated,
        }
    }
}

/// The exposure distance, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exposure {
    /// The least |β| that exposes.
    At(u64),
    /// Nothing ever exposes.
    Never,
    /// Nothing exposes with |β| up to this; longer ones were not looked at.
    Beyond(u64),
    /// Not even |β| = 0 was looked at to the end.
    Unknown,
}

impl Exposure {
    /// What it says about a horizon.
    pub fn answer(self, horizon: Horizon) -> Answer {
        match (self, horizon) {
            (Exposure::At(least), Horizon::Steps(steps)) if least <= steps => Answer::Violated,
            (Exposure::At(_) | Exposure::Never, Horizon::Steps(_)) => Answer::Holds,
            (Exposure::Beyond(safe), Horizon::Steps(steps)) if steps <= safe => Answer::Holds,
            (Exposure::At(least), Horizon::Exactly(steps)) if least == steps.saturating_add(1) => Answer::Holds,
            (Exposure::At(_) | Exposure::Never, Horizon::Exactly(_)) => Answer::Violated,
            (Exposure::Beyond(safe), Horizon::Exactly(steps)) if safe > steps => Answer::Violated,
            (Exposure::At(_), Horizon::Infinite | Horizon::Initial) => Answer::Violated,
            (Exposure::Never, Horizon::Infinite | Horizon::Initial) => Answer::Holds,
            (Exposure::Beyond(_) | Exposure::Unknown, _) => Answer::Undecided,
        }
    }
}

/// What one search found about one view and one property.
#[derive(Debug)]
pub struct Finding {
    /// Through whose eyes.
    pub lens: Lens,
    /// What must not be exposed.
    pub property: Property,
    /// The exposure distance.
    pub exposure: Exposure,
    /// An exposure with the shortest β, replayed; there is one iff `exposure` is [`Exposure::At`] and `unreplayed` is none.
    pub witness: Option<Witness>,
    /// Why the witness was left out, if a limit was reached while it was replayed.
    pub unreplayed: Option<Stop>,
    /// The layer after which nothing new appears, when the search went that far.
    pub saturation: Option<u64>,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stop>,
    /// An internal error: a witness that did not replay, a certificate that was refused. Then nothing else here counts.
    pub fault: Option<String>,
    /// The proof of what holds, unless it is large; checked.
    pub certificate: Option<certificate::Certificate>,
    /// What it cost.
    pub cost: Cost,
}

/// What a search cost.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// Pairs stored at the end: the size of the proof.
    pub pairs: u64,
    /// Different sets that were met.
    pub sets: u64,
    /// The most bytes held.
    pub memory: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// The part of it in which the proof of what holds was built and checked.
    pub proof: Duration,
    /// Which method decided it, if one did.
    pub by: Option<DecidedBy>,
    /// Whether the proof of what holds was checked by separate code.
    pub certified: bool,
}

/// The method that decided a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// Every estimate contains twins of every state that could be exposed.
    Twins,
    /// The forward search.
    Forward,
    /// The backward search.
    Backward,
    /// The two-way observer.
    TwoWay,
    /// The strong view, under which an exposure is one of the weak view too.
    StrongView,
    /// The paper's construction.
    Literal,
}

impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecidedBy::Twins => "twins",
            DecidedBy::Forward => "front",
            DecidedBy::Backward => "behind",
            DecidedBy::TwoWay => "two-way",
            DecidedBy::StrongView => "strong",
            DecidedBy::Literal => "literal",
        })
    }
}

/// An exposure: what the intruder saw, at which instant it was sure, and one real run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// αβ.
    pub observation: Vec<Sign>,
    /// |α|.
    pub at: usize,
    /// The delayed estimate at α given αβ: not empty, inside an exposed set.
    pub exposed: StateSet,
    /// A run that shows αβ.
    pub run: Run,
}

/// A run of the automaton.
//
// INVARIANT: `states.len() == events.len() + 1`, and each event leads from its state to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states it goes through.
    pub states: Vec<StateId>,
    /// The events between them.
    pub events: Vec<EventId>,
}

/// The answer to a measure.
#[derive(Debug)]
pub struct Measured {
    /// What the search found.
    pub finding: Arc<Finding>,
    /// The paper's bound on K: digits, or a power such as `9*2^9`.
    pub bound: String,
}

/// Decides every check and every measure of a system.
pub fn verify(system: &crate::model::System, options: &Options<'_>) -> Results {
    schedule::run(system, options, Tuning::default())
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
