//! From verdicts to a report: plain data that says everything a reader needs, with names and places and no ids to look up.
//!
//! [`text`], [`json`], [`sarif`], [`junit`] and [`html`] are small readers of it. The [`story`] of a violated check (what the
//! intruder saw, what it could think after each step, and why) is computed here once, from the definitions.

pub mod html;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod story;
pub mod text;
pub mod words;

use crate::automaton::view::{Projection, Sign};
use crate::automaton::{EventId, StateSet};
use crate::diagnostic::{Diagnostic, any_error};
use crate::draw::{Graph, figure, layout};
use crate::model::{self, Classes, Horizon, Lens, Model, ObserverId, Property, Question, System};
use crate::source::{FileId, Sources, Span};
use crate::verify::{Answer, Cost, Exposure, Finding, Measured, Outcome, Results, Stop, Verdict};
use rustc_hash::FxHashMap;
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
    /// Files with an error: none of their checks was looked at.
    pub faulty_files: usize,
}

impl FileReport {
    /// The report of a file: its model and the results of each of its systems, in order. A file with errors has none.
    pub fn new(
        sources: &Sources,
        entry: FileId,
        diagnostics: Vec<Diagnostic>,
        model: Option<&Model>,
        results: &[Results],
    ) -> FileReport {
        let systems = model.map_or(&[][..], Model::systems);
        let systems = systems.iter().zip(results).map(|(system, results)| SystemReport::new(system, results));
        FileReport { sources: sources.clone(), entry, diagnostics, systems: systems.collect() }
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        self.sources.get(self.entry).name()
    }
}

impl SystemReport {
    /// The report of a system.
    pub fn new(system: &System, results: &Results) -> SystemReport {
        let mut stories = Stories::default();
        let checks = system.checks.iter().zip(&results.checks);
        let measures = system.measures.iter().zip(&results.measures);
        SystemReport {
            name: system.name.clone(),
            docs: system.docs.clone(),
            span: system.span,
            states: system.automaton.n_states(),
            events: system.automaton.n_events(),
            transitions: system.automaton.n_transitions(),
            checks: checks.map(|(check, outcome)| check_report(system, check, outcome, &mut stories)).collect(),
            measures: measures.map(|(measure, measured)| measure_report(system, measure, measured)).collect(),
            pairs: pairs(results),
            graph: None,
        }
    }

    /// Adds the drawing of the system, unless it is too large to be looked at.
    pub fn draw(&mut self, system: &System) {
        let small = self.states <= layout::MOST_NODES && self.transitions <= 10 * layout::MOST_EDGES;
        let lens = Lens { observer: model::OWN, projection: Projection::Strong };
        let eye = figure::Eye { system, lens, ascii: false };
        self.graph = small.then(|| figure::system(&eye, false));
    }
}

/// The pairs of all searches; checks may share one.
fn pairs(results: &Results) -> u64 {
    let of_checks = results.checks.iter().filter_map(|outcome| match outcome {
        Outcome::Property(verdict) => Some(&verdict.finding),
        _ => None,
    });
    let mut findings: Vec<&Arc<Finding>> = Vec::new();
    for finding in of_checks.chain(results.measures.iter().map(|measured| &measured.finding)) {
        if !findings.iter().any(|known| Arc::ptr_eq(known, finding)) {
            findings.push(finding);
        }
    }
    findings.iter().map(|finding| finding.cost.pairs).sum()
}

/// The stories that were told already: checks that share a finding share its story.
#[derive(Default)]
struct Stories(FxHashMap<(*const Finding, bool), Arc<Story>>);

impl Stories {
    fn of(&mut self, system: &System, verdict: &Verdict) -> Option<Arc<Story>> {
        let finding: &Finding = &verdict.finding;
        let witness = finding.witness.as_ref()?;
        let key = (Arc::as_ptr(&verdict.finding), verdict.horizon == Horizon::Initial);
        let new = || Arc::new(Story::new(system, finding, verdict.horizon, witness));
        Some(Arc::clone(self.0.entry(key).or_insert_with(new)))
    }
}

fn check_report(system: &System, check: &model::Check, outcome: &Outcome, stories: &mut Stories) -> CheckReport {
    let (lens, kind, answer) = kind_of(system, check, outcome, stories);
    CheckReport {
        name: check.name.clone(),
        text: check.text.clone(),
        docs: check.docs.clone(),
        span: check.span,
        negated: check.negated,
        answer,
        passed: match answer {
            Answer::Undecided => false,
            Answer::Holds => !check.negated,
            Answer::Violated => check.negated,
        },
        observer: system.observer(lens.observer).name.clone(),
        projection: lens.projection,
        kind,
    }
}

fn kind_of(system: &System, check: &model::Check, outcome: &Outcome, stories: &mut Stories) -> (Lens, Kind, Answer) {
    let so = |as_expected: bool| if as_expected { Answer::Holds } else { Answer::Violated };
    match (&check.question, outcome) {
        (Question::Estimate { lens, observation, at, expected }, Outcome::Estimate { actual, as_expected }) => {
            let kind = Kind::Estimate {
                observation: signs(system, *lens, observation),
                at: *at,
                expected: state_names(system, expected),
                actual: state_names(system, actual),
            };
            (*lens, kind, so(*as_expected))
        }
        (Question::Projection { lens, string, expected }, Outcome::Projection { actual, as_expected }) => {
            let kind = Kind::Projection {
                string: string.iter().map(|&event| event_name(system, event)).collect(),
                expected: signs(system, *lens, expected),
                actual: signs(system, *lens, actual),
            };
            (*lens, kind, so(*as_expected))
        }
        (_, Outcome::Property(verdict)) => {
            (verdict.finding.lens, property_kind(system, verdict, stories), verdict.answer)
        }
        _ => unreachable!("the outcome of a check is of the kind of its question"),
    }
}

fn property_kind(system: &System, verdict: &Verdict, stories: &mut Stories) -> Kind {
    let finding: &Finding = &verdict.finding;
    Kind::Property(Box::new(PropertyReport {
        goal: goal(&finding.property),
        horizon: verdict.horizon,
        exposure: finding.exposure,
        stopped: finding.stopped,
        fault: finding.fault.clone(),
        cost: finding.cost.clone(),
        story: stories.of(system, verdict),
    }))
}

fn measure_report(system: &System, measure: &model::Measure, measured: &Measured) -> MeasureReport {
    let finding: &Finding = &measured.finding;
    MeasureReport {
        name: measure.name.clone(),
        text: measure.text.clone(),
        span: measure.span,
        observer: system.observer(measure.lens.observer).name.clone(),
        projection: measure.lens.projection,
        goal: goal(&measure.property),
        exposure: finding.exposure,
        saturation: finding.saturation,
        bound: measured.bound.clone(),
        stopped: finding.stopped,
        cost: finding.cost.clone(),
    }
}

fn goal(property: &Property) -> Goal {
    match property {
        Property::Opacity { .. } => Goal::Opacity,
        Property::Anonymity { among, classes } => Goal::Anonymity { among: *among, about: classes.as_ref().map(about) },
    }
}

fn about(classes: &Classes) -> About {
    classes.subject.clone().map_or(About::Partition, About::Part)
}

fn signs(system: &System, lens: Lens, signs: &[Sign]) -> Vec<SignName> {
    signs.iter().map(|&sign| SignName::new(system, lens.observer, sign)).collect()
}

fn event_name(system: &System, event: EventId) -> String {
    system.names.event(event).into_owned()
}

fn state_names(system: &System, states: &StateSet) -> Vec<String> {
    states.iter().map(|state| system.names.state(state).into_owned()).collect()
}

/// The line on which a span begins.
fn line(sources: &Sources, span: Span) -> u32 {
    let file = sources.get(span.file);
    file.lines().position(file.text(), span.start).line
}
