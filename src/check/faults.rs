//! Where faults gather: each cause once, in the end sorted by position.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// How many faults are kept: a reader of ten thousand has read enough.
const KEPT: usize = 10_000;

/// The faults found so far.
#[derive(Debug, Default)]
pub(super) struct Faults {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Code, Span)>,
    errors: usize,
    /// Where the errors are.
    places: BTreeSet<Span>,
}

impl Faults {
    /// Adds a fault, unless the same one was found at this place before: a body that is expanded twice is written once.
    pub fn add(&mut self, fault: Diagnostic) {
        self.errors += usize::from(fault.is_error());
        if self.list.len() < KEPT && self.seen.insert((fault.code, fault.primary.span)) {
            self.note(&fault);
            self.list.push(fault);
        }
    }

    /// Adds the faults of another stage as they are.
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

    /// Whether some text inside a span is wrong.
    pub fn any_within(&self, span: Span) -> bool {
        let (first, last) = (Span { end: 0, ..span }, Span { start: span.end, end: u32::MAX, ..span });
        self.places.range(first..=last).any(|at| at.end <= span.end)
    }

    /// Whether there is a fault of a kind.
    pub fn has(&self, code: Code) -> bool {
        self.list.iter().any(|fault| fault.code == code)
    }

    /// How many errors were added so far, repeats counted: "has anything gone wrong since?"
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// All of them, in order of position: file by file as they were read.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|fault| (fault.primary.span.file, fault.primary.span.start, fault.primary.span.end));
        self.list
    }
}
