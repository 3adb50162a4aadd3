//! What a person or a program reads of a diagnostic: one small reader per form.

pub mod human;
mod json;
mod short;
pub mod wrap;

pub use json::DiagnosticJson;
pub(crate) use short::Lines;

use super::{Diagnostic, words};
use crate::source::Sources;

/// How text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// Whether to stay within ASCII.
    pub ascii: bool,
    /// Whether to say everything in sentences, for screen readers.
    pub narrated: bool,
    /// How many columns there are.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Style {
        Style { color: false, ascii: false, narrated: false, width: 80 }
    }
}

/// For a person at a terminal.
pub fn human(sources: &Sources, diagnostics: &[Diagnostic], style: &Style) -> String {
    let mut renderer = human::Renderer::new(sources, style);
    let first = diagnostics.iter().take(SHOWN);
    let mut shown: Vec<String> = first.map(|diagnostic| renderer.diagnostic(diagnostic)).collect();
    if diagnostics.len() > SHOWN {
        let more = words::grouped((diagnostics.len() - SHOWN) as u64);
        shown.push(format!("... and {more} more; `--message-format short` shows one line for each\n"));
    }
    shown.join("\n")
}

/// How many diagnostics of a file are shown to a person: whoever has so many repairs some and looks again.
const SHOWN: usize = 200;

/// One line for each diagnostic: for logs and for the problem matchers of editors.
pub fn short(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    short::short(sources, diagnostics)
}

#[cfg(test)]
mod tests;
