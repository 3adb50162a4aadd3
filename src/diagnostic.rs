//! What is wrong with a text, as plain data.
//!
//! A [`Diagnostic`] is written beside the check that finds the fault, in a small function named after the fault. Renderers
//! ([`render`]) turn it into what a person, an editor or a pipeline reads; nothing else knows how it will look.
//!
//! The message says what is wrong and can stand alone: lower case, no final stop, the user's words in backticks. A label says what
//! *this place* is. The help is the next act, as text to type.

pub mod code;
pub mod near;
pub mod render;
pub mod words;

pub use code::Code;

use crate::source::Span;
use words::legible;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth a look; the model is still checked.
    Warning,
    /// The model has no meaning until this is repaired.
    Error,
}

/// A place and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What this place is; may be empty.
    pub text: String,
}

/// Text to put in place of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// A repair that an editor can offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words: "insert `;`".
    pub title: String,
    /// The changes, in order of position, none overlapping.
    pub edits: Vec<Edit>,
}

/// One fault: code, message, places, the next act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which fault this is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, on one line.
    pub message: String,
    /// The main place; a fault of a whole file points at its start.
    pub primary: Label,
    /// The other half of the story: "first declared here".
    pub secondary: Vec<Label>,
    /// The next act.
    pub help: Option<String>,
    /// Repairs that an editor can offer.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A fault at a place; its severity is that of its code.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            message: legible(message.into()),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// Says what the main place is.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = legible(text.into());
        self
    }

    /// Shows another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: legible(text.into()) });
        self
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(legible(text.into()));
        self
    }

    /// Offers a repair made of one edit.
    pub fn fix(mut self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fixes.push(Fix { title: legible(title.into()), edits: vec![Edit { span, text: text.into() }] });
        self
    }

    /// A repair of several changes, in order of position.
    pub fn fix_all(mut self, title: impl Into<String>, edits: impl IntoIterator<Item = (Span, String)>) -> Diagnostic {
        let edits = edits.into_iter().map(|(span, text)| Edit { span, text }).collect();
        self.fixes.push(Fix { title: legible(title.into()), edits });
        self
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Whether any of them is an error.
pub fn any_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
