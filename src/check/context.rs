//! What every part of the check has at hand: the items, the file it is in, the indices that are bound, and where faults go.

use super::budget::Budget;
use super::faults::Faults;
use super::items::Items;
use super::lints::Witnessed;
use super::near::Near;
use super::{Limits, words};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{Name, Stmt, StmtKind};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Indices and parameters with their values, the innermost last.
pub(super) type Bindings<'w> = Vec<(Cow<'w, str>, i64)>;

/// The state of one check.
pub(super) struct Context<'w> {
    /// Every item; constants have their values.
    pub items: &'w Items<'w>,
    /// The file of the text that is being looked at.
    pub file: &'w SourceFile,
    /// The indices and parameters in force.
    pub bindings: Bindings<'w>,
    pub faults: Faults,
    pub budget: Budget,
    pub near: Near,
    pub limits: Limits,
    /// Blocks that were expanded at least once: a `for` by its span, a branch of an `if` by its first statement's.
    pub visited: FxHashSet<Span>,
    /// Words of the body's text that could not be read, and names that were reported: nothing more is said about them.
    quiet: FxHashSet<(&'static str, String)>,
    /// The components that some system uses.
    pub instantiated: FxHashSet<usize>,
    /// What the instances of components did, for the warnings at the end.
    pub witnessed: Witnessed,
    /// Whether the budget ran out; said once.
    exhausted: bool,
}

/// The kind under which the words of unreadable text are kept quiet.
const ANY: &str = "";

impl<'w> Context<'w> {
    /// A context at the start of a file.
    pub fn new(items: &'w Items<'w>, file: &'w SourceFile, faults: Faults, limits: Limits) -> Context<'w> {
        Context {
            items,
            file,
            bindings: Vec::new(),
            faults,
            budget: Budget::new(&limits),
            near: Near::default(),
            limits,
            visited: FxHashSet::default(),
            quiet: FxHashSet::default(),
            instantiated: FxHashSet::default(),
            witnessed: Witnessed::default(),
            exhausted: false,
        }
    }

    /// What a name says.
    pub fn text(&self, name: &Name) -> Cow<'w, str> {
        name.text(self.file)
    }

    /// Reports a fault.
    pub fn fault(&mut self, fault: Diagnostic) {
        self.faults.add(fault);
    }

    /// Enters another body: what was said about names is forgotten, and what its unreadable text may have declared is
    /// remembered. The old memory comes back, for [`Context::leave`].
    pub fn enter(&mut self, body: &[Stmt]) -> FxHashSet<(&'static str, String)> {
        let mut quiet = FxHashSet::default();
        doubt(body, self.file, &mut quiet);
        std::mem::replace(&mut self.quiet, quiet)
    }

    /// Goes back to the body before.
    pub fn leave(&mut self, quiet: FxHashSet<(&'static str, String)>) {
        self.quiet = quiet;
    }

    /// Whether nothing more is to be said about a name.
    pub fn is_silenced(&self, kind: &'static str, name: &str) -> bool {
        !self.quiet.is_empty()
            && (self.quiet.contains(&(kind, name.to_owned())) || self.quiet.contains(&(ANY, name.to_owned())))
    }

    /// Says nothing more about a name in this body.
    pub fn silence(&mut self, kind: &'static str, name: &str) {
        self.quiet.insert((kind, name.to_owned()));
    }

    /// Whether the budget ran out, so that much was left undone.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Pays for work on behalf of the text at a place; false: it is too much, and that was said.
    pub fn spend(&mut self, units: u64, at: Span) -> bool {
        if self.budget.spend(units) {
            return true;
        }
        if !self.exhausted {
            self.exhausted = true;
            let fault = too_much(at, self.budget.total, self.limits.transitions);
            self.fault(fault);
        }
        false
    }
}

/// Remembers the words of statements that could not be read.
fn doubt(body: &[Stmt], file: &SourceFile, quiet: &mut FxHashSet<(&'static str, String)>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Error => {
                quiet.extend(words::identifiers(file.slice(stmt.span)).map(|word| (ANY, word.to_owned())))
            }
            StmtKind::For(repeat) => doubt(&repeat.body, file, quiet),
            StmtKind::If(branch) => {
                doubt(&branch.then, file, quiet);
                doubt(&branch.otherwise, file, quiet);
            }
            _ => {}
        }
    }
}

fn too_much(at: Span, total: u64, transitions: usize) -> Diagnostic {
    Diagnostic::new(Code::E0414, at, format!("this model takes more than {} to expand", words::count(total, "step")))
        .label("the limit was reached here")
        .help(format!(
            "make its ranges smaller, or allow more: `--max-transitions {}`",
            (transitions as u64).saturating_mul(10)
        ))
}
