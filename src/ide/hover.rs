//! Hover texts in Markdown: for a name its declaration, its documentation and what the intruder sees of
//! it; for a check and for a keyword its meaning.

use super::Document;
use super::index::{Symbol, SymbolId, SymbolKind};
use super::tokens::{Traits, facts};
use super::{prose, shape};
use crate::model::Model;
use crate::source::Span;
use crate::syntax::ast::{Stmt, StmtKind};
use crate::syntax::token::{TokenKind, tokens};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The range of the hovered text.
    pub span: Span,
    /// Markdown.
    pub text: String,
}

/// Longer declarations are shortened.
const MAX_DECLARATION: usize = 400;

pub fn hover(document: &Document, model: Option<&Model>, offset: u32) -> Option<Hover> {
    if let Some(name) = document.name_at(offset) {
        let text = match name.symbol {
            Some(symbol) => self::symbol(document, model, symbol),
            None => format!("{} `{}`: not declared", name.kind.word(), document.sources.slice(name.span)),
        };
        return Some(Hover { span: name.span, text });
    }
    let word = word_at(document, offset);
    let question = shape::statement_at(document, offset).and_then(|statement| question(document, statement));
    match (question, word) {
        (Some((span, text)), None) => Some(Hover { span, text }),
        (question, Some(span)) => {
            let word = document.sources.slice(span);
            let asked =
                question.filter(|_| matches!(word, "check" | "measure" | "not" | "estimate" | "projection" | "repair"));
            let text = asked.map(|(_, text)| text).or_else(|| prose::keyword(word).map(str::to_owned))?;
            Some(Hover { span, text })
        }
        (None, None) => None,
    }
}

fn question(document: &Document, statement: &Stmt) -> Option<(Span, String)> {
    let text = match &statement.kind {
        StmtKind::Check(check) => prose::check(check, document.file()),
        StmtKind::Measure(measure) => prose::measure(measure, document.file()),
        _ => return None,
    };
    let docs = statement.docs.as_ref().map(|docs| document.doc_text(&docs.lines));
    Some((statement.span, [Some(text), docs].into_iter().flatten().collect::<Vec<_>>().join("\n\n")))
}

/// Cost: the tokens up to the offset.
pub fn word_at(document: &Document, offset: u32) -> Option<Span> {
    let found = tokens(document.text()).take_while(|token| token.start <= offset).last()?;
    let touches = found.kind == TokenKind::Ident && found.start <= offset && offset <= found.end;
    touches.then(|| Span::new(document.entry, found.start, found.end))
}

pub fn symbol(document: &Document, model: Option<&Model>, id: SymbolId) -> String {
    let symbol = document.index.symbol(id);
    let traits = model.and_then(|model| facts(document, model).get(&id).copied());
    let parts = [
        Some(heading(document, symbol)),
        declaration(document, symbol),
        Some(document.doc_text(&symbol.docs)).filter(|docs| !docs.is_empty()),
        (symbol.kind == SymbolKind::Agent).then(|| prose::AGENT.to_owned()),
        traits.and_then(|traits| observability(symbol, traits)),
        symbol.foreign.as_ref().map(|path| format!("Read from `{path}`.")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn heading(document: &Document, symbol: &Symbol) -> String {
    let family = if symbol.family { "family of " } else { "" };
    let plural = if symbol.family { "s" } else { "" };
    let of = symbol.container.map(|container| {
        let container = document.index.symbol(container);
        format!(" of {} `{}`", container.kind.word(), container.name)
    });
    let place = match symbol.kind {
        SymbolKind::Index => String::new(),
        _ => of.unwrap_or_default(),
    };
    format!("{family}{}{plural} `{}`{place}", symbol.kind.word(), symbol.name)
}

fn declaration(document: &Document, symbol: &Symbol) -> Option<String> {
    let whole = symbol.whole?;
    let text = document.sources.slice(whole);
    let shown = match symbol.kind {
        SymbolKind::Component | SymbolKind::System | SymbolKind::Observer if symbol.foreign.is_none() => head(text),
        SymbolKind::Parameter => return None,
        _ => text,
    };
    (shown.len() <= MAX_DECLARATION).then(|| format!("```des\n{}\n```", shown.trim()))
}

/// The head of a declaration: `component User(i)`, `observer Both = A + B;`.
fn head(text: &str) -> &str {
    text.split('{').next().unwrap_or(text)
}

fn observability(symbol: &Symbol, traits: Traits) -> Option<String> {
    let said = match symbol.kind {
        SymbolKind::Event if traits.unobservable => "Unobservable: the intruder does not see it.",
        SymbolKind::Event if traits.anonymous => "Observable and anonymous: the intruder sees it, but not its name.",
        SymbolKind::Event => "Observable: the intruder sees it.",
        SymbolKind::State if traits.secret => "Secret.",
        _ => return None,
    };
    Some(said.to_owned())
}
