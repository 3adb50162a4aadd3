//! The document of `desc repair --message-format json`, and its schema.

use super::{Moved, Repair, RepairReport, StorySummary};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::DiagnosticJson;
use crate::repair::Ending;
use crate::report::formats::json::{CheckJson, parts};
use crate::report::line;
use crate::source::{SourceFile, Sources};
use schemars::JsonSchema;
use serde::Serialize;

/// The output of `desc repair --message-format json`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "desc repair")]
pub struct RepairDocument<'a> {
    /// The version of this format: 1.
    pub schema: u32,
    /// The errors and warnings of the file.
    pub diagnostics: Vec<DiagnosticJson>,
    /// The systems that were looked at, in the order of the text.
    pub systems: Vec<SystemRepairs<'a>>,
}

/// One system, and what it takes to repair it.
#[derive(Serialize, JsonSchema)]
pub struct SystemRepairs<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The name of the system.
    pub name: &'a str,
    /// How it ended.
    pub outcome: OutcomeJson,
    /// Choices that are enough, the cheapest first.
    pub repairs: Vec<RepairJson<'a>>,
    /// No choice that is enough costs less; null if none is enough.
    pub lower_bound: Option<u64>,
    /// The checks that had to pass.
    pub goal: &'a [String],
    /// The checks that state facts of the model as it is written, and were left out.
    pub left_out: &'a [String],
    /// Whether the file offers nothing by `may`, so that every observable event could be hidden or merged.
    pub usual_levers: bool,
    /// If no choice is enough: what survives all levers.
    pub survives: Option<StorySummaryJson<'a>>,
    /// If no choice is enough: a line that would make a repair possible, if one does.
    pub would_help: Option<&'a str>,
    /// If no choice is enough, and no line is known that would make a repair possible: what was tried. Null otherwise.
    pub further: Option<FurtherJson>,
    /// What the search took.
    pub effort: EffortJson,
}

/// How a repair ended.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum OutcomeJson {
    Nothing,
    Repaired,
    Impossible,
    Undecided,
}

/// A choice that is enough.
#[derive(Serialize, JsonSchema)]
pub struct RepairJson<'a> {
    /// What its levers cost together.
    pub cost: u64,
    /// Its levers.
    pub levers: Vec<LeverJson<'a>>,
    /// The checks of the repaired system, decided on the changed text, as `desc check` gives them.
    pub checks: Vec<CheckJson<'a>>,
    /// What changes in the file, in order.
    pub edits: Vec<EditJson<'a>>,
}

/// A lever that is moved.
#[derive(Serialize, JsonSchema)]
pub struct LeverJson<'a> {
    /// `hide`, `anonymise` or `disable`.
    pub kind: &'a str,
    /// The events.
    pub events: &'a [String],
    /// The label that anonymised events get; null: the plain group.
    pub label: Option<&'a str>,
    /// Who acts in anonymised events; null: each event is its own agent.
    pub agent: Option<&'a str>,
    /// The observer for whom it changes; null: everyone.
    pub from: Option<&'a str>,
    /// What it costs.
    pub cost: u64,
    /// The line that offers it; null: the file does not.
    pub line: Option<u32>,
    /// What goes wrong without it; null: that was not computed.
    pub without: Option<StorySummaryJson<'a>>,
}

/// A violation in two lines.
#[derive(Serialize, JsonSchema)]
pub struct StorySummaryJson<'a> {
    /// The check.
    pub check: &'a str,
    /// Its line.
    pub line: u32,
    /// What is seen, and what is known from it.
    pub story: &'a str,
}

/// A piece of the file that is replaced.
#[derive(Serialize, JsonSchema)]
pub struct EditJson<'a> {
    /// Its first byte.
    pub start: u32,
    /// After its last byte.
    pub end: u32,
    /// What stands there afterwards.
    pub text: &'a str,
}

/// Further lines that hide or merge one event, of which none is known to help.
#[derive(Clone, Copy, Serialize, JsonSchema)]
pub struct FurtherJson {
    /// How many there are.
    pub lines: usize,
    /// How many of them do not help. If it is all of them, none helps; of the others that is not known.
    pub decided: usize,
}

/// What the search took.
#[derive(Clone, Copy, Serialize, JsonSchema)]
pub struct EffortJson {
    /// How many levers there are.
    pub levers: usize,
    /// How many choices were visited.
    pub candidates: u64,
    /// How many were searched.
    pub searched: u64,
    /// How many a known run refuted.
    pub refuted: u64,
    /// How many were known to be violated, because a choice that hides more is.
    pub implied: u64,
}

/// The document, with a final line break.
pub fn document(file: &SourceFile, sources: &Sources, diagnostics: &[Diagnostic], reports: &[RepairReport]) -> String {
    let document = RepairDocument {
        schema: 1,
        diagnostics: diagnostics.iter().map(|diagnostic| DiagnosticJson::new(sources, diagnostic)).collect(),
        systems: reports.iter().map(|report| system(file, sources, report)).collect(),
    };
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// The JSON Schema of the document, with a final line break.
pub fn schema() -> String {
    let schema = schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<RepairDocument<'_>>();
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

fn system<'a>(file: &'a SourceFile, sources: &Sources, report: &'a RepairReport) -> SystemRepairs<'a> {
    SystemRepairs {
        file: file.name(),
        name: &report.name,
        outcome: match report.ending {
            Ending::Nothing => OutcomeJson::Nothing,
            Ending::Repaired => OutcomeJson::Repaired,
            Ending::Impossible => OutcomeJson::Impossible,
            Ending::Undecided(_) => OutcomeJson::Undecided,
        },
        repairs: report.repairs.iter().map(|found| repair(sources, found)).collect(),
        lower_bound: report.lower_bound,
        goal: &report.goal,
        left_out: &report.left_out,
        usual_levers: report.usual,
        survives: report.survives.as_ref().map(|story| summary(sources, story)),
        would_help: report.would_help.as_deref(),
        further: report.further.map(|tries| FurtherJson { lines: tries.levers, decided: tries.decided }),
        effort: EffortJson {
            levers: report.n_levers,
            candidates: report.effort.candidates,
            searched: report.effort.searched,
            refuted: report.effort.refuted,
            implied: report.effort.implied,
        },
    }
}

fn repair<'a>(sources: &Sources, found: &'a Repair) -> RepairJson<'a> {
    RepairJson {
        cost: found.cost,
        levers: found.levers.iter().map(|moved| lever(sources, moved)).collect(),
        checks: parts::checks_of(&found.after),
        edits: found.edits.iter().map(|edit| EditJson { start: edit.start, end: edit.end, text: &edit.text }).collect(),
    }
}

fn lever<'a>(sources: &Sources, moved: &'a Moved) -> LeverJson<'a> {
    LeverJson {
        kind: moved.kind,
        events: &moved.events,
        label: moved.label.as_deref(),
        agent: moved.agent.as_deref(),
        from: moved.from.as_deref(),
        cost: moved.cost,
        line: moved.span.map(|span| line(sources, span)),
        without: moved.without.as_ref().map(|story| summary(sources, story)),
    }
}

fn summary<'a>(sources: &Sources, story: &'a StorySummary) -> StorySummaryJson<'a> {
    StorySummaryJson { check: &story.check, line: line(sources, story.span), story: &story.story }
}
