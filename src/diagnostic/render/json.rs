//! A diagnostic in the JSON document of `desc check --message-format json`.

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Sources, Span};
use schemars::JsonSchema;
use serde::Serialize;

/// One fault of the input.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiagnosticJson {
    /// Which fault this is: `E0201`; `desc explain` has a page on each.
    pub code: String,
    /// How bad it is.
    pub severity: SeverityJson,
    /// What is wrong, on one line.
    pub message: String,
    /// The file.
    pub file: String,
    /// The main place.
    pub span: SpanJson,
    /// The places, the main one first, with what each is.
    pub labels: Vec<LabelJson>,
    /// The next act.
    pub help: Option<String>,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum SeverityJson {
    Error,
    Warning,
}

/// A place: byte offsets, and the line and column (in characters, from 1) of its start.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct SpanJson {
    pub start: u32,
    pub end: u32,
    pub line: u32,
    pub column: u32,
}

/// A place and what it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct LabelJson {
    pub file: String,
    pub span: SpanJson,
    pub message: String,
}

impl SpanJson {
    /// A span of one of the files.
    pub fn new(sources: &Sources, span: Span) -> SpanJson {
        let file = sources.get(span.file);
        let at = file.lines().position(file.text(), span.start);
        SpanJson { start: span.start, end: span.end, line: at.line, column: at.column }
    }
}

impl DiagnosticJson {
    /// A diagnostic over its files.
    pub fn new(sources: &Sources, diagnostic: &Diagnostic) -> DiagnosticJson {
        let file = |span: Span| sources.get(span.file).name().to_owned();
        let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).map(|label| LabelJson {
            file: file(label.span),
            span: SpanJson::new(sources, label.span),
            message: label.text.clone(),
        });
        DiagnosticJson {
            code: diagnostic.code.to_string(),
            severity: match diagnostic.severity {
                Severity::Error => SeverityJson::Error,
                Severity::Warning => SeverityJson::Warning,
            },
            message: diagnostic.message.clone(),
            file: file(diagnostic.primary.span),
            span: SpanJson::new(sources, diagnostic.primary.span),
            labels: labels.collect(),
            help: diagnostic.help.clone(),
        }
    }
}
