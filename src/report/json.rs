//! The document of `desc check --message-format json`, and its schema.
//!
//! Fields are only ever added; one that changes its meaning raises `schema`.

use super::{CheckReport, FileReport, Goal, Kind, MaxK, MeasureReport, PropertyReport, Report, SignName, SystemReport};
use crate::diagnostic::render::DiagnosticJson;
use crate::model::Horizon;
use crate::verify::{Answer, Exposure, Stop};
use schemars::JsonSchema;
use serde::Serialize;

/// The output of `desc check --message-format json`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "desc check")]
pub struct Document {
    /// The version of this format: 1.
    pub schema: u32,
    /// The errors and warnings of all files.
    pub diagnostics: Vec<DiagnosticJson>,
    /// The systems of all files without errors, in the order of the files and of the text.
    pub systems: Vec<SystemJson>,
}

/// One system.
#[derive(Debug, Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct SystemJson {
    pub file: String,
    pub name: String,
    pub states: usize,
    pub events: usize,
    pub transitions: usize,
    pub checks: Vec<CheckJson>,
    pub measures: Vec<MeasureJson>,
    /// The limit that was reached before the system was built. The system then has no states here, and its checks are undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unbuilt: Option<LimitJson>,
}

/// One check.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckJson {
    /// The `name:` of the check.
    pub name: Option<String>,
    /// The text with normalised white space, without the `;`.
    pub text: String,
    /// The first line.
    pub line: u32,
    /// The kind of check.
    pub kind: KindJson,
    /// The projection.
    pub projection: ProjectionJson,
    /// The observer after `against`.
    pub observer: Option<String>,
    /// The property; null unless `kind` is `property`.
    pub property: Option<PropertyJson>,
    /// The horizon; null unless `kind` is `property`.
    pub horizon: Option<HorizonJson>,
    /// Whether the check has a `not`.
    pub negated: bool,
    /// The verdict, before `not` is applied.
    pub verdict: VerdictJson,
    pub passed: bool,
    /// The least K that violates the property; null if there is none, or if it was not computed.
    pub exposure: Option<u64>,
    /// The largest K for which the property holds; null if it was not computed.
    pub max_k: Option<MaxKJson>,
    /// A witness of a violation.
    pub witness: Option<WitnessJson>,
    /// The expected value of a `check estimate` or `check projection`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Vec<String>>,
    /// The computed value of a `check estimate` or `check projection`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<Vec<String>>,
    /// If undecided: the largest K for which the property is known to hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds_up_to: Option<u64>,
    /// If undecided: the limit that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitJson>,
    /// The number of pairs that the search stored; for a property that holds, the size of its proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// Whether the independent checker verified the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified: Option<bool>,
}

/// The kind of a check.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum KindJson {
    Property,
    Estimate,
    Projection,
}

/// What anonymous events show.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ProjectionJson {
    Natural,
    Strong,
    Weak,
}

/// The property to preserve.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum PropertyJson {
    Anonymity,
    Opacity,
}

/// A number of steps, `"infinite"`, `"initial"`, or `{"exactly": K}`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum HorizonJson {
    Steps(u64),
    Word(HorizonWord),
    Exactly { exactly: u64 },
}

/// A horizon without a number.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum HorizonWord {
    Infinite,
    Initial,
}

/// The verdict of a check.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum VerdictJson {
    Holds,
    Violated,
    Undecided,
}

/// A number of steps, `"infinite"` (any number) or `"none"` (not even 0).
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum MaxKJson {
    Steps(u64),
    Word(MaxKWord),
}

/// A maximal K without a number.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum MaxKWord {
    Infinite,
    None,
}

/// A limit that a search reached.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum LimitJson {
    Timeout,
    Memory,
    Pairs,
    Interrupted,
}

/// A witness of a violation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WitnessJson {
    /// αβ, in ASCII labels.
    pub observation: Vec<String>,
    /// |α|: the number of symbols before the exposed instant.
    pub at: usize,
    /// The delayed estimate at α given αβ.
    pub estimate: Vec<String>,
    /// A run with the observation αβ.
    pub run: RunJson,
}

/// A run: one more state than events.
#[derive(Debug, Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct RunJson {
    pub states: Vec<String>,
    pub events: Vec<String>,
}

/// One measure.
#[derive(Debug, Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct MeasureJson {
    pub name: Option<String>,
    pub text: String,
    pub line: u32,
    pub projection: ProjectionJson,
    pub observer: Option<String>,
    pub property: PropertyJson,
    /// The least K that violates the property; null if there is none, or if it was not computed.
    pub exposure: Option<u64>,
    /// The largest K for which the property holds; null if it was not computed.
    pub max_k: Option<MaxKJson>,
    /// The layer after which the search finds no new pairs; null if it was not computed.
    pub saturation: Option<u64>,
    /// The paper's bound: digits, or a power such as `9*2^9`; `unknown` if the system was not built.
    pub bound: String,
}

impl Document {
    /// The document of a report.
    pub fn new(report: &Report) -> Document {
        let files = &report.files;
        let faults = files
            .iter()
            .flat_map(|file| file.diagnostics.iter().map(|diagnostic| DiagnosticJson::new(&file.sources, diagnostic)));
        let systems = files.iter().flat_map(|file| file.systems.iter().map(|system| system_json(file, system)));
        Document { schema: 1, diagnostics: faults.collect(), systems: systems.collect() }
    }
}

/// The document as text, with a final line break.
pub fn json(report: &Report) -> String {
    let document = Document::new(report);
    serde_json::to_string_pretty(&document).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}")) + "\n"
}

/// The JSON Schema of [`json`], with a final line break.
pub fn schema() -> String {
    let schema = schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Document>();
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

fn system_json(file: &FileReport, system: &SystemReport) -> SystemJson {
    SystemJson {
        file: file.name().to_owned(),
        name: system.name.clone(),
        states: system.states,
        events: system.events,
        transitions: system.transitions,
        checks: system.checks.iter().map(|check| check_json(file, check)).collect(),
        measures: system.measures.iter().map(|measure| measure_json(file, measure)).collect(),
        unbuilt: system.unbuilt.map(LimitJson::from),
    }
}

fn check_json(file: &FileReport, check: &CheckReport) -> CheckJson {
    let blank = CheckJson {
        name: check.name.clone(),
        text: check.text.clone(),
        line: super::line(&file.sources, check.span),
        kind: KindJson::Property,
        projection: check.projection.into(),
        observer: check.observer.clone(),
        property: None,
        horizon: None,
        negated: check.negated,
        verdict: check.answer.into(),
        passed: check.passed,
        exposure: None,
        max_k: None,
        witness: None,
        expected: None,
        actual: None,
        holds_up_to: None,
        limit: None,
        pairs: None,
        certified: None,
    };
    match &check.kind {
        Kind::Property(found) => with_property(blank, check.answer, found),
        Kind::Estimate { .. } if check.answer == Answer::Undecided => CheckJson { kind: KindJson::Estimate, ..blank },
        Kind::Estimate { expected, actual, .. } => CheckJson {
            kind: KindJson::Estimate,
            expected: Some(expected.clone()),
            actual: Some(actual.clone()),
            ..blank
        },
        Kind::Projection { expected, actual, .. } => CheckJson {
            kind: KindJson::Projection,
            expected: Some(ascii(expected)),
            actual: Some(ascii(actual)),
            ..blank
        },
    }
}

fn with_property(blank: CheckJson, answer: Answer, found: &PropertyReport) -> CheckJson {
    let undecided = answer == Answer::Undecided;
    CheckJson {
        property: Some((&found.goal).into()),
        horizon: Some(found.horizon.into()),
        exposure: exposure(found.exposure),
        max_k: max_k(found.exposure),
        witness: found.story.as_ref().filter(|_| answer != Answer::Holds).map(|story| WitnessJson {
            observation: ascii(&story.observation),
            at: story.at,
            estimate: story.exposed.names.clone(),
            run: RunJson { states: story.run.states.names.clone(), events: story.run.events.clone() },
        }),
        holds_up_to: match found.exposure {
            Exposure::Beyond(safe) if undecided => Some(safe),
            _ => None,
        },
        limit: found.stopped.filter(|_| undecided).map(LimitJson::from),
        pairs: Some(found.cost.pairs),
        certified: Some(found.cost.certified),
        ..blank
    }
}

fn measure_json(file: &FileReport, measure: &MeasureReport) -> MeasureJson {
    MeasureJson {
        name: measure.name.clone(),
        text: measure.text.clone(),
        line: super::line(&file.sources, measure.span),
        projection: measure.projection.into(),
        observer: measure.observer.clone(),
        property: (&measure.goal).into(),
        exposure: exposure(measure.exposure),
        max_k: max_k(measure.exposure),
        saturation: measure.saturation,
        bound: measure.bound.clone(),
    }
}

fn ascii(signs: &[SignName]) -> Vec<String> {
    signs.iter().map(|sign| sign.ascii.clone()).collect()
}

fn exposure(exposure: Exposure) -> Option<u64> {
    match exposure {
        Exposure::At(least) => Some(least),
        _ => None,
    }
}

fn max_k(exposure: Exposure) -> Option<MaxKJson> {
    match MaxK::from(exposure) {
        MaxK::Steps(steps) => Some(MaxKJson::Steps(steps)),
        MaxK::Infinite => Some(MaxKJson::Word(MaxKWord::Infinite)),
        MaxK::None => Some(MaxKJson::Word(MaxKWord::None)),
        MaxK::Unknown => None,
    }
}

impl From<crate::automaton::view::Projection> for ProjectionJson {
    fn from(projection: crate::automaton::view::Projection) -> ProjectionJson {
        use crate::automaton::view::Projection;
        match projection {
            Projection::Natural => ProjectionJson::Natural,
            Projection::Strong => ProjectionJson::Strong,
            Projection::Weak => ProjectionJson::Weak,
        }
    }
}

impl From<&Goal> for PropertyJson {
    fn from(goal: &Goal) -> PropertyJson {
        match goal {
            Goal::Anonymity { .. } => PropertyJson::Anonymity,
            Goal::Opacity => PropertyJson::Opacity,
        }
    }
}

impl From<Horizon> for HorizonJson {
    fn from(horizon: Horizon) -> HorizonJson {
        match horizon {
            Horizon::Steps(steps) => HorizonJson::Steps(steps),
            Horizon::Exactly(exactly) => HorizonJson::Exactly { exactly },
            Horizon::Infinite => HorizonJson::Word(HorizonWord::Infinite),
            Horizon::Initial => HorizonJson::Word(HorizonWord::Initial),
        }
    }
}

impl From<Answer> for VerdictJson {
    fn from(answer: Answer) -> VerdictJson {
        match answer {
            Answer::Holds => VerdictJson::Holds,
            Answer::Violated => VerdictJson::Violated,
            Answer::Undecided => VerdictJson::Undecided,
        }
    }
}

impl From<Stop> for LimitJson {
    fn from(stop: Stop) -> LimitJson {
        match stop {
            Stop::Timeout => LimitJson::Timeout,
            Stop::Memory => LimitJson::Memory,
            Stop::Pairs => LimitJson::Pairs,
            Stop::Interrupted => LimitJson::Interrupted,
        }
    }
}
