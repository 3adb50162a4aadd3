//! Statements outside a system, items inside one.

use super::Place;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};
use crate::syntax::patch::{Offsets, Patch};
use crate::syntax::token::{TokenKind, WordClass, class_of, tokens};

/// A statement or an item at the wrong level.
pub(super) fn misplaced(id: FileId, place: Place, patch: &Patch<'_>) -> Option<Diagnostic> {
    let text = patch.text();
    let mut significant = tokens(text).filter(|token| !token.kind.is_trivia());
    let (first, second) = (significant.next()?, significant.next());
    let offsets = Offsets::Patched(patch);
    let span = Span::new(id, offsets.original(first.start as usize), offsets.original_end(first.end as usize));
    let word = first.text(text);
    let names = second.is_some_and(|second| second.kind.is_name());
    match (place, class_of(word)) {
        (Place::File, Some(WordClass::Set | WordClass::Statement)) => Some(statement_outside(word, span)),
        (Place::File, _) if matches!(word, "for" | "if") => Some(statement_outside(word, span)),
        (Place::File, _) if is_transition(text) => Some(transition_outside(span)),
        (Place::Block, Some(WordClass::Item)) if names => Some(item_inside(word, span)),
        _ => None,
    }
}

/// Whether there is an arrow after a state.
fn is_transition(text: &str) -> bool {
    tokens(text).any(|token| token.kind == TokenKind::Arrow)
}

fn statement_outside(word: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::E0120, span, format!("`{word}` outside a system"))
        .label("not inside a system or component")
        .help(format!("move it into the braces of a system: `system Name {{ {word} ... }}`"))
}

fn transition_outside(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E0120, span, "a transition outside a system")
        .label("not inside a system or component")
        .help("move it into the braces of a system: `system Name { ... }`")
}

fn item_inside(word: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::E0121, span, format!("`{word}` inside a system or a component"))
        .label("belongs outside all braces")
        .help(format!("move the `{word}` before the `system` or `component` around it"))
}
