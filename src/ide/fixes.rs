//! Quick fixes that need the tree. The checker reports a repetition; this module finds the text to remove with it (its comma, its `;`, its
//! line).

use super::{Document, shape};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::source::Span;
use crate::syntax::ast::{Ref, Stmt, StmtKind};

/// The quick fixes of a diagnostic in the document's own file: those of the checker, extended to whole lines where possible,
/// and those for repetitions.
pub fn fixes(document: &Document, fault: &Diagnostic) -> Vec<Fix> {
    let mut fixes = fault.fixes.clone();
    fixes.extend(repetition(document, fault));
    for edit in fixes.iter_mut().flat_map(|fix| &mut fix.edits).filter(|edit| edit.text.is_empty()) {
        edit.span = whole_lines(document, edit.span);
    }
    fixes
}

/// Removes a repeated transition or name.
fn repetition(document: &Document, fault: &Diagnostic) -> Option<Fix> {
    let again = fault.primary.span;
    let statement = Some(again).filter(|span| span.file == document.entry).and_then(|span| around(document, span))?;
    match (&statement.kind, fault.code) {
        (StmtKind::Transition(chain), Code::W0404) if chain.steps().len() == 1 => {
            Some(removal("remove the repeated line", statement.span))
        }
        (StmtKind::States(names) | StmtKind::Events(names), Code::E0203) => {
            Some(removal("remove the repeated name", from_list(names, statement, again)?))
        }
        _ => None,
    }
}

/// The innermost statement around a span.
fn around(document: &Document, span: Span) -> Option<&Stmt> {
    shape::statement_at(document, span.start).filter(|statement| span.end <= statement.span.end)
}

fn removal(title: &str, span: Span) -> Fix {
    Fix { title: title.to_owned(), edits: vec![Edit { span, text: String::new() }] }
}

/// A name with its comma; the whole statement if it is the only name.
fn from_list(names: &[Ref], statement: &Stmt, again: Span) -> Option<Span> {
    let at = names.iter().position(|name| name.span() == again)?;
    Some(match (at.checked_sub(1).map(|before| &names[before]), names.get(at + 1)) {
        (Some(before), _) => Span::new(again.file, before.span().end, again.end),
        (None, Some(after)) => Span::new(again.file, again.start, after.span().start),
        (None, None) => statement.span,
    })
}

/// The whole lines of a span with their line breaks, if they contain nothing else.
fn whole_lines(document: &Document, span: Span) -> Span {
    let text = document.text();
    if span.file != document.entry {
        return span;
    }
    let (start, end) = (span.start as usize, span.end as usize);
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let alone = text[first..start].trim().is_empty() && text[end..last].trim().is_empty();
    if alone { Span::new(span.file, first as u32, last as u32) } else { span }
}
