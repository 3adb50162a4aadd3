//! From verdicts to a report that says everything a reader needs, with names and places and no ids to look up.
//!
//! A [`Report`] holds what was decided; what is said about a check is made when a reader comes to it, and dropped afterwards, so
//! that a report of a million checks takes no more memory than one of ten. The modules of [`formats`] are readers of it: each
//! writes to a [`Scribe`](scribe::Scribe) and ends early, with a word about what is left out, when a limit is reached. The
//! [`counterexample`] of a violated check (what the intruder saw, what they could think after each step, and why) is computed from
//! the definitions; [`phrasing`] has the sentences that all formats share.

pub mod baseline;
mod build;
pub mod counterexample;
pub mod difference;
pub mod exposure;
pub mod formats;
pub mod merge;
pub mod phrasing;
mod recorded;
pub mod remedy;
pub mod repairs;
pub mod scribe;

use crate::automaton::StateSet;
use crate::automaton::view::{Projection, Symbol};
use crate::diagnostic::{Diagnostic, any_error};
use crate::model::shard::Shard;
use crate::model::vacuity::Vacuity;
use crate::model::{self, Horizon, LeastCost, Model, ObserverId, System};
use crate::resources::Stop;
use crate::source::{FileId, Sources, Span};
use crate::verdict::{Answer, Cost, Exposure, Finding, Mark, Results};
use counterexample::Story;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// The results of one run of the tool.
#[derive(Debug, Default)]
pub struct Report {
    /// The files, in the order of the command line.
    pub files: Vec<FileReport>,
    /// What differs from an older report, if there is one.
    pub comparison: Option<baseline::Comparison>,
    /// Which share of the checks was decided; none: all of them.
    pub shard: Option<Shard>,
    /// How many exposures of one check are told that are really different; 0 counts as 1.
    pub most_exposures: usize,
}

/// One file: its diagnostics, and its systems if it has no errors.
#[derive(Debug)]
pub struct FileReport {
    /// The file and its imports.
    pub sources: Sources,
    /// The file.
    pub entry: FileId,
    pub diagnostics: Vec<Diagnostic>,
    model: Option<Arc<Model>>,
    results: Vec<Results>,
    /// What repairs its violated systems, where that was asked for.
    pub repairs: Vec<repairs::RepairReport>,
    /// If it is one run of a sweep: which one.
    pub swept: Option<Swept>,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swept {
    /// The values of the swept constants.
    pub values: Vec<(String, i64)>,
    /// How long reading and deciding took.
    pub time: Duration,
}

impl Swept {
    /// `M = 3, N = 2`: by name, as in JSON.
    pub fn words(values: impl IntoIterator<Item = (String, i64)>) -> String {
        let mut words: Vec<String> = values.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
        words.sort();
        words.join(", ")
    }
}

/// One system and the results of its checks.
#[derive(Clone, Copy, Debug)]
pub struct SystemReport<'a> {
    /// The system.
    pub system: &'a System,
    /// What was found; of a system that was not built, nothing.
    results: Option<&'a Results>,
    /// Why the system was not built; it then has no states here, and its checks are undecided.
    pub unbuilt: Option<Stop>,
    /// If it is of one run of a sweep: which one.
    pub swept: Option<&'a Swept>,
    /// The constants that a smaller model can have less of, with their values.
    constants: &'a [(String, i64)],
}

/// One check and its verdict.
#[derive(Debug)]
pub struct CheckReport<'a> {
    /// `name:`.
    pub name: Option<&'a str>,
    /// Its text.
    pub text: &'a str,
    pub docs: &'a [String],
    /// Where it stands.
    pub span: Span,
    /// The check has a `not`.
    pub negated: bool,
    /// The verdict of the property, before `not` is applied.
    pub answer: Answer,
    /// Whether the check passed, with `not` applied.
    pub mark: Mark,
    /// Why it holds whatever was meant, if it does.
    pub vacuity: Option<Vacuity>,
    /// Through whose eyes; none: the system's own observer.
    pub observer: Option<&'a str>,
    /// How events of a group are told apart.
    pub projection: Projection,
    pub kind: Kind<'a>,
}

impl CheckReport<'_> {
    /// Whether the check passed: decided, and as it should be.
    pub fn passed(&self) -> bool {
        self.mark == Mark::Passed
    }

    /// Whether a run that is exposed was found.
    pub fn is_exposed(&self) -> bool {
        let Kind::Property(found) = &self.kind else { return false };
        self.answer == Answer::Violated && found.finding.is_some_and(|finding| finding.exposing().is_some())
    }
}

/// A check and its result.
#[derive(Debug)]
pub enum Kind<'a> {
    /// A property up to a horizon.
    Property(Box<PropertyReport<'a>>),
    /// The delayed estimate at α given αβ.
    Estimate {
        /// αβ.
        observation: Vec<SignName>,
        /// |α|.
        at: usize,
        expected: States<'a>,
        /// What it is, or why that is not known.
        actual: Result<States<'a>, Stop>,
    },
    /// What a string shows.
    Projection {
        /// The string.
        string: Vec<Cow<'a, str>>,
        /// What it must show.
        expected: Vec<SignName>,
        /// What it shows, or why that is not known.
        actual: Result<Vec<SignName>, Stop>,
    },
    /// What the cheapest repair costs.
    Repair {
        /// What it must cost.
        expected: LeastCost,
        /// What it costs, or why that is not known.
        actual: Result<LeastCost, Stop>,
    },
}

/// States that are named when they are asked for: a set may hold a million.
#[derive(Clone, Copy, Debug)]
pub struct States<'a> {
    system: &'a System,
    /// The states.
    pub set: &'a StateSet,
}

impl<'a> States<'a> {
    /// The names, in order.
    pub fn names(self) -> impl ExactSizeIterator<Item = Cow<'a, str>> {
        self.set.iter().map(move |state| self.system.names.state(state))
    }
}

/// A property up to a horizon, and the result of the search.
#[derive(Debug)]
pub struct PropertyReport<'a> {
    /// What must not be exposed.
    pub goal: Goal,
    pub horizon: Horizon,
    /// The least |β| that exposes, as far as it is known.
    pub exposure: Exposure,
    pub stopped: Option<Stop>,
    /// An internal error; the other fields are then meaningless.
    pub fault: Option<&'a str>,
    pub cost: Cost,
    /// What was found; of a system that was not built, nothing.
    pub finding: Option<&'a Finding>,
    /// An exposure, step by step, if it was asked for: the one with the fewest observations, as far as that is known.
    pub story: Option<Arc<Story>>,
    /// Whether no exposure within the horizon has fewer observations.
    pub is_fewest: bool,
    /// The one with the least hindsight, if that is another, and if both were asked for.
    pub nearest: Option<Arc<Story>>,
    /// Exposures that are really different from the one that is told, if they were asked for.
    pub others: Option<exposure::Others<Arc<Story>>>,
    /// What could be changed so that it passes, as far as it was tried.
    pub remedies: Vec<remedy::Remedy>,
    /// If undecided, for each number of observations from 0 on that was explored: the pairs that are left to extend. No exposure within
    /// the horizon has so few.
    pub levels: Vec<u64>,
    /// If undecided: what may be decided instead.
    pub easier: Vec<Easier>,
    /// Why an exposure is not told, though there is one.
    pub unreported: Option<Stop>,
    /// The parts that decided it, if the product of all was not built.
    pub parts: Option<PartsReport>,
}

impl PropertyReport<'_> {
    /// The observations and the hindsight of the exposure with the least hindsight, if another one is told, with fewer observations.
    pub fn least_hindsight(&self) -> Option<(u64, u64)> {
        let (story, known) = (self.story.as_ref()?, self.finding?.exposing()?);
        let total = known.observation.len();
        (story.observation.len() < total).then_some((total as u64, known.distance()))
    }
}

/// A question that may be decided where another one is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Easier {
    /// The same of a model with a smaller constant.
    Smaller(String, i64),
    /// One part instead of all states.
    About(String),
    /// An intruder who recognises nobody: what they see, the one who does sees too.
    Strong,
}

/// The parts of a composed system that decided a property, by name.
#[derive(Clone, Debug, Default)]
pub struct PartsReport {
    /// Those that were kept; empty: nothing was decided.
    pub kept: Vec<String>,
    /// How many there are.
    pub total: usize,
    /// The sets of parts that did not answer, if nothing was decided.
    pub tried: Vec<Vec<String>>,
}

/// The property of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// At least `among` states (or classes) stay possible.
    Anonymity {
        among: u32,
        /// The classes; `None`: single states.
        about: Option<About>,
    },
    /// A state that is not secret stays possible.
    Opacity,
    /// A run without a secret state stays possible.
    Throughout,
    /// Another beginning or another end stays possible.
    InitialFinal,
}

/// The classes that must stay ambiguous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// The states of a part: `u[1]`.
    Part(String),
    /// A partition written as sets.
    Partition,
}

/// The result of a measure.
#[derive(Debug)]
pub struct MeasureReport<'a> {
    /// `name:`.
    pub name: Option<&'a str>,
    /// Its text.
    pub text: &'a str,
    /// Where it stands.
    pub span: Span,
    /// Through whose eyes; none: the system's own observer.
    pub observer: Option<&'a str>,
    /// How events of a group are told apart.
    pub projection: Projection,
    /// What must not be exposed.
    pub goal: Goal,
    /// The least |β| that exposes, as far as it is known.
    pub exposure: Exposure,
    /// The layer after which the search finds no new pairs.
    pub saturation: Option<u64>,
    /// The paper's bound on K.
    pub bound: &'a str,
}

/// A symbol in both spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignName {
    /// `?1`.
    pub ascii: Arc<str>,
    /// `γ1`.
    pub greek: Arc<str>,
}

impl SignName {
    pub fn new(system: &System, observer: ObserverId, sign: Symbol) -> SignName {
        let ascii: Arc<str> = system.sign_name(observer, sign).into();
        let greek = system.sign_name_greek(observer, sign);
        SignName { greek: if *greek == *ascii { Arc::clone(&ascii) } else { greek.into() }, ascii }
    }

    pub fn text(&self, ascii: bool) -> &str {
        if ascii { &self.ascii } else { &self.greek }
    }
}

/// The maximal K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxK {
    Steps(u64),
    /// Any number.
    Infinite,
    /// Violated for 0 steps.
    None,
    /// Not computed.
    Unknown,
}

impl MaxK {
    /// A number, for tables: -1 if there is none; nothing if it is infinite or not computed.
    pub fn number(self) -> Option<i64> {
        match self {
            MaxK::Steps(steps) => i64::try_from(steps).ok(),
            MaxK::None => Some(-1),
            MaxK::Infinite | MaxK::Unknown => None,
        }
    }

    /// Whether it is infinite, if it was computed.
    pub fn is_infinite(self) -> Option<bool> {
        (self != MaxK::Unknown).then_some(self == MaxK::Infinite)
    }
}

impl From<Exposure> for MaxK {
    fn from(exposure: Exposure) -> MaxK {
        match exposure {
            Exposure::At(0) => MaxK::None,
            Exposure::At(least) => MaxK::Steps(least - 1),
            Exposure::Never => MaxK::Infinite,
            Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => MaxK::Unknown,
        }
    }
}

impl Report {
    /// Whether a check that does not pass is no worse than in the report that this one is compared with. The numbers are those of
    /// its file, of its system in the file, and its own.
    fn tolerates(&self, file: usize, system: usize, check: usize) -> bool {
        self.comparison.as_ref().is_some_and(|comparison| !comparison.is_worse(file, system, check))
    }

    /// Whether its files are runs of a sweep.
    pub fn is_sweep(&self) -> bool {
        self.files.iter().any(|file| file.swept.is_some())
    }

    /// The diagnostics of each file. What was said of an earlier run of a sweep is not said again.
    pub fn diagnostics(&self) -> impl Iterator<Item = (&FileReport, Cow<'_, [Diagnostic]>)> {
        let mut said = FxHashSet::default();
        let mut is_new = move |file: &FileReport, found: &Diagnostic| {
            let span = found.primary.span;
            said.insert((file.name().to_owned(), found.code, span.file, span.start, found.message.clone()))
        };
        self.files.iter().map(move |file| match file.swept {
            None => (file, Cow::Borrowed(&file.diagnostics[..])),
            Some(_) => {
                let fresh = file.diagnostics.iter().filter(|found| is_new(file, found));
                (file, Cow::Owned(fresh.cloned().collect()))
            }
        })
    }

    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for file in &self.files {
            tally.faulty_files += usize::from(any_error(&file.diagnostics));
            for system in file.systems() {
                tally.unbuilt += usize::from(system.unbuilt.is_some());
                tally.unmeasured += system.n_unmeasured();
                for (check, answer) in system.answers() {
                    tally.add(check, answer);
                }
            }
        }
        tally
    }
}

/// The number of checks per outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub undecided: usize,
    /// Measures that stopped at a limit.
    pub unmeasured: usize,
    /// Systems that were not built because of a limit.
    pub unbuilt: usize,
    /// Files with an error; their checks are not counted.
    pub faulty_files: usize,
}

impl Tally {
    /// How many checks there are.
    pub fn checks(&self) -> usize {
        self.passed + self.failed + self.undecided
    }

    fn add(&mut self, check: &model::Check, answer: Answer) {
        match answer.mark(check.negated) {
            Mark::Passed => self.passed += 1,
            Mark::Undecided => self.undecided += 1,
            Mark::Failed => self.failed += 1,
        }
    }
}

fn line(sources: &Sources, span: Span) -> u32 {
    let file = sources.get(span.file);
    file.lines().position(file.text(), span.start).line
}
