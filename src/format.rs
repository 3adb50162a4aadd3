//! From text to text: the canonical format.
//!
//! The tree provides statements and blocks, the tokens their text; the layout depends only on these and on the positions of
//! comments and blank lines. One statement per line, four spaces per block, the operands of the declarations of a block in one
//! column, lines of at most [`WIDTH`] characters where a list can be broken. Comments stay at the end of their
//! line or on their own lines. Consecutive blank lines become one.
//!
//! The result is parsed again and rejected if its tree differs from that of the input.

mod layout;
pub mod print;
mod spacing;

use crate::diagnostic::any_error;
use crate::resources::{Monitor, Resources, Stop};
use crate::source::{FileId, SourceFile, Span};
use crate::syntax::ast::*;
use crate::syntax::dump::same_tree;
use crate::syntax::token::{Token, TokenKind, tokens};
use crate::syntax::{self, Parsed};
use layout::Layout;
use spacing::Form;

/// The maximal line width, where a statement can be broken.
pub const WIDTH: usize = 100;

/// Why a file was not formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has syntax errors, which are in its diagnostics.
    Broken,
    /// The formatted text has another syntax tree: an internal error.
    Changed,
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        Refusal::Stopped(stop)
    }
}

/// The text of a file in canonical format.
///
/// # Errors
/// See [`Refusal`].
pub fn format(file: &SourceFile, parsed: &Parsed) -> Result<String, Refusal> {
    format_within(file, parsed, Resources::default())
}

/// What laying out a text takes for each of its bytes: tokens, the new text, and both trees as text.
const PER_BYTE: u64 = 16;

/// The same within limits.
///
/// # Errors
/// As [`format()`], or when a limit is reached.
pub fn format_within(file: &SourceFile, parsed: &Parsed, resources: Resources<'_>) -> Result<String, Refusal> {
    if any_error(&parsed.diagnostics) {
        return Err(Refusal::Broken);
    }
    let mut monitor = resources.monitor();
    monitor.hold(parsed.bytes + PER_BYTE * file.text().len() as u64)?;
    let formatted = lay_out(file.text(), &parsed.file, &mut monitor)?;
    let again = SourceFile::new(file.name(), formatted);
    let reparsed = syntax::parse_within(parsed.file.id, &again, resources.less(monitor.held()))?;
    monitor.look()?;
    let same = !any_error(&reparsed.diagnostics)
        && same_tree(&parsed.file, file, &reparsed.file, &again)
        && comments(file.text()).eq(comments(again.text()));
    if same { Ok(again.text().to_owned()) } else { Err(Refusal::Changed) }
}

/// Every comment of a text, without trailing white space.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    let is_comment = |token: &Token| token.kind.is_trivia() && token.kind != TokenKind::Whitespace;
    tokens(text).filter(is_comment).map(move |token| token.text(text).trim_end())
}

fn lay_out(text: &str, tree: &File, monitor: &mut Monitor<'_>) -> Result<String, Stop> {
    let mut layout = Layout::new(text);
    let mut previous_has_block = false;
    for (at, item) in tree.items.iter().enumerate() {
        monitor.spend(1 + u64::from(item.span.end - item.span.start) / 4)?;
        let has_block = matches!(item.kind, ItemKind::Component(_) | ItemKind::System(_));
        layout.lead(item.span.start, at == 0, at > 0 && (has_block || previous_has_block));
        layout.item(item);
        previous_has_block = has_block;
    }
    Ok(layout.finish())
}

impl Layout<'_> {
    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Component(component) => self.block(Form::Call, &component.body, item.span),
            ItemKind::System(system) => self.block(Form::Plain, &system.body, item.span),
            _ => self.statement_text(Form::Plain, item.span.end, 0),
        }
    }

    /// `HEAD { BODY }`, which ends at the end of `span`.
    fn block(&mut self, form: Form, body: &[Stmt], span: Span) {
        self.head(form);
        self.body(body);
        self.close(span.end);
    }

    fn body(&mut self, body: &[Stmt]) {
        self.indent += 1;
        let width = body.iter().filter_map(|statement| declaration_word(&statement.kind)).map(str::len).max();
        for (at, statement) in body.iter().enumerate() {
            self.lead(statement.span.start, at == 0, false);
            self.statement(statement, width.unwrap_or(0));
        }
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Stmt, width: usize) {
        let end = statement.span.end;
        match &statement.kind {
            StmtKind::Transition(_) => self.statement_text(Form::Transition, end, 0),
            StmtKind::Compose(_) => self.statement_text(Form::Call, end, 0),
            StmtKind::Check(check) => self.statement_text(Form::Check(observations(&check.question)), end, 0),
            StmtKind::Measure(_) => self.statement_text(Form::Check([None; 2]), end, 0),
            StmtKind::Lever(_) => self.statement_text(Form::Plain, end, 0),
            StmtKind::For(for_loop) if for_loop.trails => {
                let width = declaration_word(&statement.kind).map_or(0, |_| width);
                self.statement_text(Form::Plain, end, width);
            }
            StmtKind::For(for_loop) => self.block(Form::Plain, &for_loop.body, statement.span),
            StmtKind::Observer(observer) if !observer.pooled.is_empty() => self.statement_text(Form::Plain, end, 0),
            StmtKind::Observer(observer) => self.block(Form::Plain, &observer.body, statement.span),
            StmtKind::If(condition) => self.condition(condition, end),
            _ => self.statement_text(Form::Plain, end, width),
        }
    }

    fn condition(&mut self, condition: &If, end: u32) {
        self.head(Form::Plain);
        self.body(&condition.then);
        if !self.close_before_else(end) {
            return;
        }
        match condition.otherwise.as_slice() {
            [Stmt { kind: StmtKind::If(nested), .. }] if self.next_is_if() => self.condition(nested, end),
            otherwise => {
                self.head(Form::Plain);
                self.body(otherwise);
                self.close(end);
            }
        }
    }
}

/// The keyword of a statement whose operand is aligned with those of its block.
fn declaration_word(kind: &StmtKind) -> Option<&'static str> {
    Some(match kind {
        StmtKind::States(_) => "states",
        StmtKind::Events(_) => "events",
        StmtKind::Initial(_) => "initial",
        StmtKind::Observable(_) => "observable",
        StmtKind::Unobservable(_) => "unobservable",
        StmtKind::Anonymous(_) => "anonymous",
        StmtKind::Secret(_) => "secret",
        StmtKind::Final(_) => "final",
        StmtKind::For(over) if over.trails => return declaration_word(&over.body.first()?.kind),
        _ => return None,
    })
}

/// The offsets of observations: a space precedes their brackets.
fn observations(question: &Question) -> [Option<u32>; 2] {
    match question {
        Question::Property(_) | Question::Repair { .. } => [None; 2],
        Question::Estimate { at, given, .. } => [Some(at.span.start), given.as_ref().map(|given| given.span.start)],
        Question::Projection { string, expected, .. } => [Some(string.span.start), Some(expected.span.start)],
    }
}

/// Formats a text.
///
/// # Errors
/// As [`format()`].
pub fn format_text(name: &str, text: &str) -> Result<String, Refusal> {
    let mut sources = crate::source::Sources::new();
    let id: FileId = sources.add(SourceFile::new(name, text));
    let parsed = syntax::parse(id, sources.get(id));
    format(sources.get(id), &parsed)
}
