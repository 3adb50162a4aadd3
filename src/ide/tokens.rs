//! Semantic highlighting.
//!
//! The lexer finds words, numbers and punctuation; the index classifies the names. A keyword in the position
//! of a name is a name: the index takes precedence.

use super::Document;
use super::index::{Occurrence, SymbolId, SymbolKind};
use crate::automaton::view::Observability;
use crate::automaton::{EventId, StateId};
use crate::model::{Model, OWN, System};
use crate::source::Span;
use crate::syntax::token::{self, Token, TokenKind, WordClass};
use rustc_hash::FxHashMap;

/// The type of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Class {
    Comment,
    Keyword,
    /// `strong`, `opacity`, `step`.
    Choice,
    Number,
    Text,
    Operator,
    /// `?`, `γ1`.
    Symbol,
    Name(SymbolKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Traits {
    pub declaration: bool,
    pub documentation: bool,
    pub unobservable: bool,
    pub anonymous: bool,
    pub secret: bool,
}

/// A highlighted range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coloured {
    pub span: Span,
    pub class: Class,
    pub traits: Traits,
}

/// The highlighted ranges of a file, in order. Cost: one pass over tokens and names.
pub fn tokens(document: &Document, model: Option<&Model>) -> Vec<Coloured> {
    let text = document.text();
    let facts = model.map_or_else(Facts::default, |model| facts(document, model));
    let mut names = document.index.in_file(document.entry).iter().peekable();
    let mut coloured = Vec::new();
    for token in token::tokens(text) {
        while names.next_if(|name| name.span.start < token.start).is_some() {}
        let name = names.next_if(|name| name.span.start == token.start && name.span.end == token.end);
        let span = Span::new(document.entry, token.start, token.end);
        let found = match name {
            Some(name) => Some((Class::Name(name.kind), named(name, &facts))),
            None => class(token, text).map(|class| (class, documents(token))),
        };
        coloured.extend(found.map(|(class, traits)| Coloured { span, class, traits }));
    }
    coloured
}

fn named(name: &Occurrence, facts: &Facts) -> Traits {
    let known = name.symbol.and_then(|symbol| facts.get(&symbol)).copied().unwrap_or_default();
    Traits { declaration: name.declares, ..known }
}

fn documents(token: Token) -> Traits {
    Traits { documentation: token.kind == TokenKind::DocComment, ..Traits::default() }
}

/// The type of a token that is not a name.
fn class(token: Token, text: &str) -> Option<Class> {
    use TokenKind::*;
    match token.kind {
        LineComment | DocComment | BlockComment => Some(Class::Comment),
        Ident => word(token.text(text)),
        Integer => Some(Class::Number),
        Quoted => Some(Class::Text),
        Symbol => Some(Class::Symbol),
        Arrow | Minus | Plus | Star | Slash | Percent | Equals | EqualsEquals | NotEquals | Less | LessEquals
        | Greater | GreaterEquals | Not | AndAnd | OrOr | Bar | Ampersand | Backslash | DotDot => Some(Class::Operator),
        _ => None,
    }
}

fn word(word: &str) -> Option<Class> {
    match token::class_of(word) {
        Some(WordClass::Projection | WordClass::Horizon | WordClass::Property) => Some(Class::Choice),
        Some(_) => Some(Class::Keyword),
        None if word.starts_with('γ') => Some(Class::Symbol),
        None => None,
    }
}

pub type Facts = FxHashMap<SymbolId, Traits>;

/// A family is anonymous if one of its members is, and unobservable if all of them are.
pub fn facts(document: &Document, model: &Model) -> Facts {
    let mut facts = Facts::default();
    for system in model.systems() {
        let index = &document.index;
        let container =
            index.symbols().find(|(_, symbol)| symbol.kind == SymbolKind::System && symbol.name == system.name);
        if let Some((container, _)) = container {
            facts_of_events(document, system, container, &mut facts);
            facts_of_states(document, system, container, &mut facts);
        }
    }
    facts
}

fn facts_of_events(document: &Document, system: &System, container: SymbolId, facts: &mut Facts) {
    let symbols = by_name(document, container, SymbolKind::Event);
    let observer = &system.observer(OWN).observer;
    for (at, observability) in observer.observabilities().iter().enumerate() {
        let name = system.names.event(EventId::from_index(at));
        let Some(&symbol) = symbols.get(family(&name)) else { continue };
        let first = !facts.contains_key(&symbol);
        let known = facts.entry(symbol).or_default();
        known.anonymous |= matches!(observability, Observability::Anonymous(_));
        known.unobservable = (first || known.unobservable) && *observability == Observability::Silent;
    }
}

fn facts_of_states(document: &Document, system: &System, container: SymbolId, facts: &mut Facts) {
    let Some(secret) = &system.secret else { return };
    let symbols = by_name(document, container, SymbolKind::State);
    if symbols.is_empty() {
        return;
    }
    for at in 0..system.automaton.n_states() {
        let state = StateId::from_index(at);
        let name = system.names.state(state);
        if let Some(&symbol) = symbols.get(family(&name)) {
            facts.entry(symbol).or_default().secret |= secret.contains(state);
        }
    }
}

fn by_name(document: &Document, container: SymbolId, kind: SymbolKind) -> FxHashMap<&str, SymbolId> {
    document.index.members(container, kind).map(|(id, symbol)| (symbol.name.as_str(), id)).collect()
}

/// `held` of `held[2]`.
pub fn family(name: &str) -> &str {
    name.strip_suffix(']').and_then(|open| open.split_once('[')).map_or(name, |(family, _)| family)
}
