//! Folding ranges, selection ranges and links.

use super::Document;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::token::{Token, TokenKind, tokens};

/// The kind of a folding range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FoldKind {
    Block,
    Comment,
    Imports,
}

/// A folding range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From 0.
    pub first: u32,
    /// From 0.
    pub last: u32,
    pub kind: FoldKind,
}

/// The folding ranges, in order of the first line.
pub fn folds(document: &Document) -> Vec<Fold> {
    let mut folds = blocks(document);
    folds.extend(comments(document));
    folds.extend(imports(document));
    folds.sort_by_key(|fold| (fold.first, fold.last));
    folds.dedup_by_key(|fold| fold.first);
    folds
}

fn line(document: &Document, offset: u32) -> u32 {
    document.file().lines().line_of(offset) as u32
}

/// Braces over several lines; the line of the closing brace stays visible.
fn blocks(document: &Document) -> Vec<Fold> {
    let mut open = Vec::new();
    let mut folds = Vec::new();
    for token in tokens(document.text()) {
        match token.kind {
            TokenKind::BraceOpen => open.push(line(document, token.start)),
            TokenKind::BraceClose => {
                let Some(first) = open.pop() else { continue };
                let last = line(document, token.start).saturating_sub(1);
                if last > first {
                    folds.push(Fold { first, last, kind: FoldKind::Block });
                }
            }
            _ => {}
        }
    }
    folds
}

/// Block comments, and runs of line comments.
fn comments(document: &Document) -> Vec<Fold> {
    let mut folds: Vec<Fold> = Vec::new();
    let mut run: Option<Fold> = None;
    for token in tokens(document.text()) {
        match token.kind {
            TokenKind::LineComment | TokenKind::DocComment => {
                let at = line(document, token.start);
                run = match run {
                    Some(run) if run.last + 1 == at => Some(Fold { last: at, ..run }),
                    other => {
                        folds.extend(other);
                        Some(Fold { first: at, last: at, kind: FoldKind::Comment })
                    }
                };
            }
            TokenKind::BlockComment => folds.push(Fold {
                first: line(document, token.start),
                last: line(document, token.end),
                kind: FoldKind::Comment,
            }),
            TokenKind::Whitespace => {}
            _ => folds.extend(run.take()),
        }
    }
    folds.extend(run);
    folds.retain(|fold| fold.last > fold.first);
    folds
}

fn imports(document: &Document) -> Option<Fold> {
    let imports = document.tree().items.iter().take_while(|item| matches!(item.kind, ItemKind::Import(_)));
    let span = imports.map(|item| item.span).reduce(Span::to)?;
    let fold = Fold { first: line(document, span.start), last: line(document, span.end), kind: FoldKind::Imports };
    (fold.last > fold.first).then_some(fold)
}

/// The selection ranges around an offset, from the smallest to the whole file.
pub fn selections(document: &Document, offset: u32) -> Vec<Span> {
    let file = Span::new(document.entry, 0, document.text().len() as u32);
    let mut spans = vec![file];
    for item in document.tree().items.iter().filter(|item| item.span.touches(offset)) {
        spans.push(item.span);
        if let ItemKind::Component(Component { body, .. }) | ItemKind::System(System { body, .. }) = &item.kind {
            statements(body, offset, &mut |statement| spans.push(statement.span));
        }
    }
    spans.extend(brackets(document, offset));
    spans.extend(token_at(document, offset));
    spans.sort_by_key(|span| (span.end - span.start, span.start));
    nested(spans)
}

/// Each span is inside the next one.
fn nested(spans: Vec<Span>) -> Vec<Span> {
    let mut chain: Vec<Span> = Vec::new();
    for span in spans {
        let grows =
            chain.last().is_none_or(|inner| span != *inner && span.start <= inner.start && inner.end <= span.end);
        if grows {
            chain.push(span);
        }
    }
    chain
}

/// The token at an offset; between two tokens, the name.
fn token_at(document: &Document, offset: u32) -> Option<Span> {
    let touching = |token: &Token| token.start <= offset && offset <= token.end && !token.kind.is_trivia();
    let found: Vec<Token> = tokens(document.text()).filter(touching).collect();
    let best = found.iter().find(|token| token.kind.is_name()).or(found.last())?;
    Some(Span::new(document.entry, best.start, best.end))
}

/// The innermost brackets around an offset, without and with the brackets.
fn brackets(document: &Document, offset: u32) -> Vec<Span> {
    let mut open: Vec<u32> = Vec::new();
    let mut spans = Vec::new();
    for token in tokens(document.text()) {
        match token.kind {
            TokenKind::BraceOpen | TokenKind::ParenOpen | TokenKind::BracketOpen => open.push(token.start),
            TokenKind::BraceClose | TokenKind::ParenClose | TokenKind::BracketClose => {
                let Some(start) = open.pop() else { continue };
                if start < offset && offset < token.end {
                    spans.push(Span::new(document.entry, start + 1, token.start));
                    spans.push(Span::new(document.entry, start, token.end));
                }
            }
            _ => {}
        }
    }
    spans
}

/// The statements that contain an offset, outermost first.
fn statements<'a>(body: &'a [Stmt], offset: u32, seen: &mut impl FnMut(&'a Stmt)) {
    for statement in body.iter().filter(|statement| statement.span.touches(offset)) {
        seen(statement);
        match &statement.kind {
            StmtKind::For(repeated) => statements(&repeated.body, offset, seen),
            StmtKind::If(condition) => {
                statements(&condition.then, offset, seen);
                statements(&condition.otherwise, offset, seen);
            }
            StmtKind::Observer(observer) => statements(&observer.body, offset, seen),
            _ => {}
        }
    }
}

/// The innermost statement that contains an offset.
pub fn statement_at(document: &Document, offset: u32) -> Option<&Stmt> {
    let mut found = None;
    for item in document.tree().items.iter().filter(|item| item.span.touches(offset)) {
        if let ItemKind::Component(Component { body, .. }) | ItemKind::System(System { body, .. }) = &item.kind {
            statements(body, offset, &mut |statement| found = Some(statement));
        }
    }
    found
}

/// Every check and measure of the file itself, in order.
pub fn questions(document: &Document) -> Vec<Span> {
    let mut found = Vec::new();
    for item in &document.tree().items {
        if let ItemKind::Component(Component { body, .. }) | ItemKind::System(System { body, .. }) = &item.kind {
            let asks = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Check(_) | StmtKind::Measure(_));
            found.extend(crate::syntax::ast::statements(body).filter(asks).map(|stmt| stmt.span));
        }
    }
    found
}

/// The paths of imports, with their spans.
pub fn links(document: &Document) -> Vec<(Span, String)> {
    let imports = document.tree().items.iter().filter_map(|item| match &item.kind {
        ItemKind::Import(import) => Some(import.path),
        _ => None,
    });
    imports.map(|path| (path.span, path.text(document.file()).into_owned())).collect()
}
