//! The document of `desc check --message-format json`, and its schema.
//!
//! Fields are only ever added; one that changes its meaning raises `schema`.

pub(in crate::report) mod parts;

use crate::diagnostic::render::DiagnosticJson;
use crate::model::Horizon;
use crate::model::shard::{Kept, Shard};
use crate::model::vacuity::Vacuity;
use crate::report::baseline::Comparison;
use crate::report::counterexample::{BRIEF, Story};
use crate::report::scribe::{Teller, Written};
use crate::report::{FileReport, Goal, Report};
use crate::resources::Resources;
use crate::resources::Stop;
use crate::verdict::Answer;
use parts::{Part, Value};
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

// WHY not a tree: lists are made while they are written, because a report may have a million checks.
/// The output of `desc check --message-format json`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "desc check")]
pub struct Document<'a> {
    /// The version of this format: 1.
    pub schema: u32,
    /// The errors and warnings of all files.
    #[serde(serialize_with = "parts::diagnostics")]
    #[schemars(with = "Vec<DiagnosticJson>")]
    diagnostics: &'a Report,
    /// The systems of all files without errors, in the order of the files and of the text.
    #[serde(serialize_with = "parts::systems")]
    #[schemars(with = "Vec<SystemJson<'_>>")]
    systems: (&'a Report, &'a RefCell<Teller<'a>>),
    /// What is left out, if a limit was reached while the document was written.
    #[serde(serialize_with = "parts::left_out", skip_serializing_if = "parts::is_whole")]
    #[schemars(with = "Option<LeftOut>")]
    left_out: &'a RefCell<Teller<'a>>,
    /// What differs from the report that is given with `--baseline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'a Comparison>,
    /// Which share of the checks was decided, with `--shard`.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<ShardJson<'a>>,
}

/// A share of all checks, for `desc merge`.
#[derive(Serialize, JsonSchema)]
pub struct ShardJson<'a> {
    #[serde(flatten)]
    shard: Shard,
    /// For each system, in their order: the places in the text of the checks and measures that stand here, from 0.
    systems: Vec<&'a Kept>,
}

/// What is left out of a document.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LeftOut {
    /// How many checks.
    pub checks: usize,
    /// The limit that was reached.
    pub limit: Option<LimitJson>,
}

/// One system.
#[derive(Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct SystemJson<'a> {
    pub file: &'a str,
    pub name: &'a str,
    pub states: usize,
    pub events: usize,
    pub transitions: usize,
    /// The values of the swept constants, if `-D` gave several: each run has its own systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<BTreeMap<&'a str, i64>>,
    /// How long the run of a sweep took, in seconds: reading and deciding all systems of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    #[serde(serialize_with = "parts::checks")]
    #[schemars(with = "Vec<CheckJson<'_>>")]
    checks: Part<'a>,
    #[serde(serialize_with = "parts::measures")]
    #[schemars(with = "Vec<MeasureJson<'_>>")]
    measures: Part<'a>,
    /// How many parts it has, if their product was not built. The system then has no states here, its checks are decided on
    /// some of the parts, and no warning says where it gets stuck (W0410) or what it never reaches (W0401, W0402, W0405).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
    /// The limit that was reached before the system was built. The system then has no states here, and its checks are undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unbuilt: Option<LimitJson>,
}

/// One check.
#[derive(Serialize, JsonSchema)]
pub struct CheckJson<'a> {
    /// The `name:` of the check.
    pub name: Option<&'a str>,
    /// The text with normalised white space, without the `;`.
    pub text: &'a str,
    /// The first line.
    pub line: u32,
    /// The kind of check.
    pub kind: KindJson,
    /// The projection.
    pub projection: ProjectionJson,
    /// The observer after `against`.
    pub observer: Option<&'a str>,
    /// The property; null unless `kind` is `property`.
    pub property: Option<PropertyJson>,
    /// The horizon; null unless `kind` is `property`.
    pub horizon: Option<HorizonJson>,
    /// Whether the check has a `not`.
    pub negated: bool,
    /// The verdict, before `not` is applied.
    pub verdict: VerdictJson,
    pub passed: bool,
    /// Why the property holds whatever was meant: what it is about never occurs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vacuous: Option<VacuousJson>,
    /// The least K that violates the property; null if there is none, or if it was not computed.
    pub exposure: Option<u64>,
    /// The distance of an exposure that is known, but not known to be the shortest: `exposure` is then null, and at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposure_at_most: Option<u64>,
    /// The largest K for which the property holds; null if it was not computed.
    pub max_k: Option<MaxKJson>,
    /// The same as a number, for tables: -1 if there is none; null if it is infinite or was not computed.
    pub max_k_number: Option<i64>,
    /// Whether the property holds for every K; null if it was not computed.
    pub max_k_infinite: Option<bool>,
    /// A witness of a violation: the exposure with the least hindsight.
    pub witness: Option<WitnessJson>,
    /// The exposure with the fewest observations in all, if it has fewer than `witness`; this one is told in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<WitnessJson>,
    /// With `--all`: exposures that expose something else, or whose last observation is another; one of each kind, the fewest
    /// observations first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<Vec<WitnessJson>>,
    /// Whether there is no exposure of yet another kind; left out if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others_are_all: Option<bool>,
    /// How many observations an exposure within the horizon has at least; left out if that was not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fewest_observations: Option<u64>,
    /// The expected value of a `check estimate` or `check projection`; of a `check repair` a cost, or `"impossible"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<ValueJson>")]
    expected: Option<Value<'a>>,
    /// The computed value of a `check estimate`, `check projection` or `check repair`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<ValueJson>")]
    actual: Option<Value<'a>>,
    /// If undecided, or violated without `exposure`: the largest K for which the property is known to hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds_up_to: Option<u64>,
    /// If undecided: no exposure within the horizon has up to this many observations, α and β together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_exposure_up_to: Option<u64>,
    /// If undecided: for each number of observations from 0 on that was explored, the pairs that are left to extend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontier: Option<Vec<u64>>,
    /// If undecided: the limit that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitJson>,
    /// Violated, but without a witness: the limit that was reached while it was replayed or written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness_limit: Option<LimitJson>,
    /// The number of pairs that the search stored; for a property that holds, the size of its proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// Whether the independent checker verified the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified: Option<bool>,
    /// What can be written so that the check passes, or which limit to raise; absent if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The parts that decided it, if not all of them were composed: the other parts do not matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by_parts: Option<Vec<String>>,
    /// How many parts the system has, if not all of them were composed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts_total: Option<usize>,
    /// If undecided: the sets of parts that did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts_tried: Option<Vec<Vec<String>>>,
}

/// Why a property holds vacuously.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VacuousJson {
    /// Every run gets stuck.
    Stuck,
    /// No observable event ever occurs.
    NothingObservable,
    /// No anonymous event ever occurs.
    NothingAnonymous,
    /// No run visits a secret state.
    NothingSecret,
}

impl From<Vacuity> for VacuousJson {
    fn from(vacuity: Vacuity) -> VacuousJson {
        match vacuity {
            Vacuity::Stuck => VacuousJson::Stuck,
            Vacuity::NothingObservable => VacuousJson::NothingObservable,
            Vacuity::NothingAnonymous => VacuousJson::NothingAnonymous,
            Vacuity::NothingSecret => VacuousJson::NothingSecret,
        }
    }
}

/// The kind of a check.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum KindJson {
    Property,
    Estimate,
    Projection,
    Repair,
}

/// A value: states, labels, or what a repair costs.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum ValueJson {
    Names(Vec<String>),
    Cost(u64),
    Impossible(String),
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
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum PropertyJson {
    Anonymity,
    Opacity,
    OpacityThroughout,
    InitialFinalOpacity,
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
    States,
    Interrupted,
}

/// A witness of a violation.
#[derive(Serialize, JsonSchema)]
pub struct WitnessJson {
    /// αβ, in ASCII labels.
    #[serde(serialize_with = "parts::labels")]
    #[schemars(with = "Vec<String>")]
    observation: Arc<Story>,
    /// |α|: the number of symbols before the exposed instant.
    pub at: usize,
    /// The delayed estimate at α given αβ.
    #[serde(serialize_with = "parts::exposed")]
    #[schemars(with = "Vec<String>")]
    estimate: Arc<Story>,
    /// A run with the observation αβ.
    pub run: RunJson,
    /// The same in terms of the parts, if the system is composed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<PartsJson>,
}

/// A witness in terms of the parts of a composed system.
#[derive(Serialize, JsonSchema)]
pub struct PartsJson {
    /// The names of all parts, in the order of the states' names.
    pub names: Vec<String>,
    /// The parts that the question is about.
    pub about: Vec<String>,
    /// Where these parts are when they are exposed.
    pub exposed: Vec<String>,
    /// The steps that are told.
    pub steps: Vec<PartStepJson>,
    /// The run, event by event.
    pub run: Vec<PartEventJson>,
}

/// One step of the observation.
#[derive(Serialize, JsonSchema)]
pub struct PartStepJson {
    /// How many symbols were seen by now.
    pub step: usize,
    /// The symbol; null before the first.
    pub sees: Option<String>,
    /// Where the parts in question may be; after the exposed instant: may have been then.
    pub possible: Vec<String>,
    /// Why.
    pub because: String,
}

/// One event of the run.
#[derive(Serialize, JsonSchema)]
pub struct PartEventJson {
    /// The event.
    pub event: String,
    /// What is seen of it; null: nothing.
    pub sees: Option<String>,
    /// What the parts do that take part in it.
    pub moves: Vec<PartMoveJson>,
}

/// What one part does.
#[derive(Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct PartMoveJson {
    pub part: String,
    pub from: String,
    pub to: String,
}

/// A run: one more state than events.
#[derive(Serialize, JsonSchema)]
pub struct RunJson {
    #[serde(serialize_with = "parts::run_states")]
    #[schemars(with = "Vec<String>")]
    states: Arc<Story>,
    #[serde(serialize_with = "parts::run_events")]
    #[schemars(with = "Vec<String>")]
    events: Arc<Story>,
    /// Who acts in each event: the agent named with `by`, or null. Left out if the observer names no agents.
    #[serde(serialize_with = "parts::run_agents", skip_serializing_if = "parts::has_no_agents")]
    #[schemars(with = "Option<Vec<Option<String>>>")]
    agents: Arc<Story>,
}

/// One measure.
#[derive(Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct MeasureJson<'a> {
    pub name: Option<&'a str>,
    pub text: &'a str,
    pub line: u32,
    pub projection: ProjectionJson,
    pub observer: Option<&'a str>,
    pub property: PropertyJson,
    /// The least K that violates the property; null if there is none, or if it was not computed.
    pub exposure: Option<u64>,
    /// The distance of an exposure that is known, but not known to be the shortest: `exposure` is then null, and at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposure_at_most: Option<u64>,
    /// The largest K for which the property holds; null if it was not computed.
    pub max_k: Option<MaxKJson>,
    /// The same as a number, for tables: -1 if there is none; null if it is infinite or was not computed.
    pub max_k_number: Option<i64>,
    /// Whether the property holds for every K; null if it was not computed.
    pub max_k_infinite: Option<bool>,
    /// The layer after which the search finds no new pairs; null if it was not computed.
    pub saturation: Option<u64>,
    /// The paper's bound: digits, or a power such as `9*2^9`; `unknown` if the system was not built.
    pub bound: &'a str,
}

/// Writes the document, with a final line break.
///
/// # Errors
/// When it cannot be written.
pub fn write(report: &Report, out: &mut dyn io::Write, resources: Resources<'_>) -> io::Result<Written> {
    let teller = RefCell::new(Teller::new(resources, BRIEF).with_both().with_up_to(report.most_exposures));
    let baseline = report.comparison.as_ref();
    let systems = || report.files.iter().flat_map(FileReport::kept).collect();
    let shard = report.shard.map(|shard| ShardJson { shard, systems: systems() });
    let document =
        Document { schema: 1, diagnostics: report, systems: (report, &teller), left_out: &teller, baseline, shard };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")?;
    Ok(teller.borrow().written())
}

/// The JSON Schema of the document, with a final line break.
pub fn schema() -> String {
    let schema = schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Document<'_>>();
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
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
            Goal::Throughout => PropertyJson::OpacityThroughout,
            Goal::InitialFinal => PropertyJson::InitialFinalOpacity,
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
            Stop::States => LimitJson::States,
            Stop::Interrupted => LimitJson::Interrupted,
        }
    }
}
