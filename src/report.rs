//! From verdicts to a report: plain data that says everything a reader needs, with names and places and no ids to look up.
//!
//! [`text`], [`json`], [`sarif`], [`junit`] and [`html`] are small readers of it. The [`story`] of a violated check (what the
//! intruder saw, what it could think after each step, and why) is computed here once, from the definitions.

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

/// Everything about one run of the tool.
#[derive(Debug, Default)]
pub struct Report {
    /// The files, in the order in which they were asked for.
    pub files: Vec<FileReport>,
}

/// One file: its faults, and its systems if it has a meaning.
#[derive(Debug)]
pub struct FileReport {
    /// The file and what it imports.
    pub sources: Sources,
    /// The file.
    pub entry: FileId,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// Its systems, in the order of the text.
    pub systems: Vec<SystemReport>,
}

/// One system and what became of its checks.
#[derive(Debug)]
pub struct SystemReport {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub docs: Vec<String>,
    /// Its name where it is declared.
    pub span: Span,
    /// |X|.
    pub states: usize,
    /// |Σ|.
    pub events: usize,
    /// How many transitions it has.
    pub transitions: usize,
    /// Its checks, in the order of the text.
    pub checks: Vec<CheckReport>,
    /// Its measures, in the order of the text.
    pub measures: Vec<MeasureReport>,
    /// How many pairs all searches together kept.
    pub pairs: u64,
    /// What to draw, if that was asked for and the system is small enough.
    pub graph: Option<Graph>,
    /// Why it was not built, if it was not: then it has no states here, and what needs them is undecided.
    pub unbuilt: Option<Stop>,
}

/// One check and its verdict.
#[derive(Debug)]
pub struct CheckReport {
    /// `name:`.
    pub name: Option<String>,
    /// Its text.
    pub text: String,
    /// Its documentation.
    pub docs: Vec<String>,
    /// Where it stands.
    pub span: Span,
    /// Whether it passes when what it asks is not so.
    pub negated: bool,
    /// Whether what it asks is so.
    pub answer: Answer,
    /// Whether it passed.
    pub passed: bool,
    /// Through whose eyes; none: the system's own observer.
    pub observer: Option<String>,
    /// How events of a group are told apart.
    pub projection: Projection,
    /// What it asks, and what was found.
    pub kind: Kind,
}

/// What a check asks, and what was found.
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
        /// What it must be.
        expected: Vec<String>,
        /// What it is.
        actual: Vec<String>,
    },
    /// What a string shows.
    Projection {
        /// The string.
        string: Vec<String>,
        /// What it must show.
        expected: Vec<SignName>,
        /// What it shows.
        actual: Vec<SignName>,
    },
}

/// A property up to a horizon, and what the search found.
#[derive(Debug)]
pub struct PropertyReport {
    /// What must not be exposed.
    pub goal: Goal,
    /// How late the intruder may be.
    pub horizon: Horizon,
    /// The least |β| that exposes, as far as it is known.
    pub exposure: Exposure,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stop>,
    /// An internal error: then nothing else here counts.
    pub fault: Option<String>,
    /// What the search cost.
    pub cost: Cost,
    /// An exposure, step by step.
    pub story: Option<Arc<Story>>,
}

/// What must never be exposed, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// At least `among` states (or classes) stay possible.
    Anonymity {
        /// How many.
        among: u32,
        /// What the classes are of, if there are any.
        about: Option<About>,
    },
    /// Some state that is not secret stays possible.
    Opacity,
}

/// What must stay ambiguous instead of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// The state of a component: `u[1]`.
    Part(String),
    /// The class in a partition that was written out.
    Partition,
}

/// The answer to a measure.
#[derive(Debug)]
pub struct MeasureReport {
    /// `name:`.
    pub name: Option<String>,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Through whose eyes; none: the system's own observer.
    pub observer: Option<String>,
    /// How events of a group are told apart.
    pub projection: Projection,
    /// What must not be exposed.
    pub goal: Goal,
    /// The least |β| that exposes, as far as it is known.
    pub exposure: Exposure,
    /// The layer after which nothing new appears.
    pub saturation: Option<u64>,
    /// The paper's bound on K.
    pub bound: String,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stop>,
    /// What the search cost.
    pub cost: Cost,
}

/// What the intruder sees of one event, in both spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignName {
    /// `?1`.
    pub ascii: String,
    /// `γ1`.
    pub greek: String,
}

impl SignName {
    /// The name of a sign.
    pub fn new(system: &System, observer: ObserverId, sign: Sign) -> SignName {
        SignName { ascii: system.sign_name(observer, sign), greek: system.sign_name_greek(observer, sign) }
    }

    /// The spelling to use.
    pub fn text(&self, ascii: bool) -> &str {
        if ascii { &self.ascii } else { &self.greek }
    }
}

/// The largest number of steps for which a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxK {
    /// This many.
    Steps(u64),
    /// Any number.
    Infinite,
    /// Not even 0.
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
    /// Every check of every file.
    pub fn checks(&self) -> impl Iterator<Item = &CheckReport> {
        self.files.iter().flat_map(|file| &file.systems).flat_map(|system| &system.checks)
    }

    /// How many checks passed, failed and stayed undecided.
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

/// How many checks ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: usize,
    /// Checks that did not pass.
    pub failed: usize,
    /// Checks that were not decided.
    pub undecided: usize,
    /// Measures that were not finished.
    pub unmeasured: usize,
    /// Systems that were left before they were built.
    pub unbuilt: usize,
    /// Files with an error: none of their checks was looked at.
    pub faulty_files: usize,
}

/// The line on which a span begins.
fn line(sources: &Sources, span: Span) -> u32 {
    let file = sources.get(span.file);
    file.lines().position(file.text(), span.start).line
}
