//! Collects diagnostics: each cause once, sorted by position.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The maximal number of diagnostics.
const KEPT: usize = 10_000;

#[derive(Debug, Default)]
pub(in crate::check) struct Faults {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Code, Span)>,
    errors: usize,
    /// Where the errors are.
    places: BTreeSet<Span>,
}

impl Faults {
    /// Adds a diagnostic, unless it is a duplicate: a body may be expanded more than once.
    pub fn add(&mut self, fault: Diagnostic) {
        self.errors += usize::from(fault.is_error());
        if self.list.len() < KEPT && self.seen.insert((fault.code, fault.primary.span)) {
            self.note(&fault);
            self.list.push(fault);
        }
    }

    /// Adds the diagnostics of another stage.
    pub fn extend(&mut self, faults: Vec<Diagnostic>) {
        self.errors += faults.iter().filter(|fault| fault.is_error()).count();
        faults.iter().for_each(|fault| self.note(fault));
        self.list.extend(faults);
    }

    fn note(&mut self, fault: &Diagnostic) {
        if fault.is_error() {
            self.places.insert(fault.primary.span);
        }
    }

    /// Whether there is an error inside a span.
    pub fn any_within(&self, span: Span) -> bool {
        let (first, last) = (Span { end: 0, ..span }, Span { start: span.end, end: u32::MAX, ..span });
        self.places.range(first..=last).any(|at| at.end <= span.end)
    }

    /// Whether there is a diagnostic with a code.
    pub fn has(&self, code: Code) -> bool {
        self.list.iter().any(|fault| fault.code == code)
    }

    /// The number of errors so far, including duplicates.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The diagnostics in order of position, files in reading order.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|fault| (fault.primary.span.file, fault.primary.span.start, fault.primary.span.end));
        self.list
    }
}
