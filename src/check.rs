//! From tree to meaning: names are resolved, families expanded, components composed; every fault has a code of its own.

use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::source::{FileId, Loader, Sources};

/// What a caller may set.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `-D NAME=VALUE`: constants that are given another value.
    pub defines: Vec<(String, i64)>,
    /// How large a model may become.
    pub limits: Limits,
}

/// How large a model may become before it is refused.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States of a system, after composition.
    pub states: usize,
    /// Transitions of a system, after composition.
    pub transitions: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 10_000_000, transitions: 100_000_000 }
    }
}

/// What the check of a file gives.
#[derive(Debug)]
pub struct Checked {
    /// The meaning, if nothing is wrong.
    pub model: Option<Model>,
    /// All faults of this file and what it imports, in order of position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a file and what it imports.
pub fn check(_entry: FileId, _sources: &mut Sources, _loader: &dyn Loader, _settings: &Settings) -> Checked {
    Checked { model: None, diagnostics: Vec::new() }
}
