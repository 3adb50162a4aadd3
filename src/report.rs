//! From verdicts to a report: plain data with names and source locations instead of ids.
//!
//! [`text`], [`json`], [`sarif`], [`junit`] and [`html`] render it. The [`story`] of a violated check (each observation, the
//! estimate after it, and the reason) is computed here once, from the definitions.

mod build;
pub mod html;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod story;
pub mod text;
pub mod words;

use crate::automaton::view::{Projection, Sign};
use crate::diagnostic::{Diagnostic, any_error};
use crate::draw::Graph;
use crate::model::{Horizon, ObserverId, System};
use crate::source::{FileId, Sources, Span};
use crate::verify::{Answer, Cost, Exposure, Stop};
use build::{event_name, signs, state_names};
use std::sync::Arc;
use story::Story;

/// The results of one run of the tool.
#[derive(Debug, Default)]
pub struct Report {
    /// The files, in the order of the command line.
    pub files: Vec<FileReport>,
}

/// One file: its diagnostics, and its systems if it has no errors.
#[derive(Debug)]
pub struct FileReport {
    /// The file and its imports.
    pub sources: Sources,
    /// The file.
    pub entry: FileId,
    pub diagnostics: Vec<Diagnostic>,
    pub systems: Vec<SystemReport>,
}

/// One system and the results of its checks.
#[derive(Debug)]
pub struct SystemReport {
    pub name: String,
    pub docs: Vec<String>,
    /// The name in its declaration.
    pub span: Span,
    pub states: usize,
    pub events: usize,
    pub transitions: usize,
    pub checks: Vec<CheckReport>,
    pub measures: Vec<MeasureReport>,
    /// The pairs stored by all searches together.
    pub pairs: u64,
    /// The drawing, if requested and the system is small enough.
    pub graph: Option<Graph>,
    /// Why the system was not built; it then has no states here, and its checks are undecided.
    pub unbuilt: Option<Stop>,
}

/// One check and its verdict.
#[derive(Debug)]
pub struct CheckReport {
    /// `name:`.
    pub name: Option<String>,
    pub text: String,
    pub docs: Vec<String>,
    pub span: Span,
    /// The check has a `not`.
    pub negated: bool,
    /// The verdict of the property, before `not` is applied.
    pub answer: Answer,
    pub passed: bool,
    /// `None`: the observer declared by the system itself.
    pub observer: Option<String>,
    pub projection: Projection,
    pub kind: Kind,
}

/// A check and its result.
#[derive(Debug)]
pub enum Kind {
    /// A property up to a horizon.
    Property(Box<PropertyReport>),
    /// The delayed estimate at α given αβ.
    Estimate {
        /// αβ.
        observation: Vec<SignName>,
        /// |α|.
        at: usize,
        expected: Vec<String>,
        actual: Vec<String>,
    },
    /// The projection of a string.
    Projection { string: Vec<String>, expected: Vec<SignName>, actual: Vec<SignName> },
}

/// A property up to a horizon, and the result of the search.
#[derive(Debug)]
pub struct PropertyReport {
    /// The property to preserve.
    pub goal: Goal,
    pub horizon: Horizon,
    /// The exposure distance, as far as it is known.
    pub exposure: Exposure,
    pub stopped: Option<Stop>,
    /// An internal error; the other fields are then meaningless.
    pub fault: Option<String>,
    pub cost: Cost,
    /// A counterexample, step by step.
    pub story: Option<Arc<Story>>,
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
pub struct MeasureReport {
    /// `name:`.
    pub name: Option<String>,
    pub text: String,
    pub span: Span,
    /// `None`: the observer declared by the system itself.
    pub observer: Option<String>,
    pub projection: Projection,
    /// The property to preserve.
    pub goal: Goal,
    /// The exposure distance, as far as it is known.
    pub exposure: Exposure,
    /// The layer after which the search finds no new pairs.
    pub saturation: Option<u64>,
    /// The paper's bound on K.
    pub bound: String,
    pub stopped: Option<Stop>,
    pub cost: Cost,
}

/// A symbol in both spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignName {
    /// `?1`.
    pub ascii: String,
    /// `γ1`.
    pub greek: String,
}

impl SignName {
    pub fn new(system: &System, observer: ObserverId, sign: Sign) -> SignName {
        SignName { ascii: system.sign_name(observer, sign), greek: system.sign_name_greek(observer, sign) }
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

impl From<Exposure> for MaxK {
    fn from(exposure: Exposure) -> MaxK {
        match exposure {
            Exposure::At(0) => MaxK::None,
            Exposure::At(least) => MaxK::Steps(least - 1),
            Exposure::Never => MaxK::Infinite,
            Exposure::Beyond(_) | Exposure::Unknown => MaxK::Unknown,
        }
    }
}

impl Report {
    pub fn checks(&self) -> impl Iterator<Item = &CheckReport> {
        self.files.iter().flat_map(|file| &file.systems).flat_map(|system| &system.checks)
    }

    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for check in self.checks() {
            match (check.passed, check.answer) {
                (true, _) => tally.passed += 1,
                (false, Answer::Undecided) => tally.undecided += 1,
                (false, _) => tally.failed += 1,
            }
        }
        let systems = self.files.iter().flat_map(|file| &file.systems);
        tally.unbuilt = systems.clone().filter(|system| system.unbuilt.is_some()).count();
        tally.unmeasured =
            systems.flat_map(|system| &system.measures).filter(|measure| measure.stopped.is_some()).count();
        tally.faulty_files = self.files.iter().filter(|file| any_error(&file.diagnostics)).count();
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

fn line(sources: &Sources, span: Span) -> u32 {
    let file = sources.get(span.file);
    file.lines().position(file.text(), span.start).line
}
