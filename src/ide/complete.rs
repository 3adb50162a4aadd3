//! Completion: states after an arrow, events inside it, horizons after `weak`, observers after `against`.
//!
//! Incomplete text has no useful tree, so completion uses the tokens before the offset: `place` finds the
//! statement at the offset and the enclosing blocks, `wants` determines what may come next, and this module
//! adds the names from the index.

mod place;
mod wants;

use super::Document;
use super::index::{Symbol, SymbolId, SymbolKind};
use crate::source::Span;
use crate::syntax::spelling;
use place::Place;
use wants::Want;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ProposalKind {
    Name(SymbolKind),
    Word,
    Symbol,
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The text that is shown and matched.
    pub label: String,
    pub insert: String,
    pub kind: ProposalKind,
    /// A short description.
    pub detail: Option<String>,
    /// Documentation, in Markdown.
    pub docs: Option<String>,
}

/// The proposals at an offset, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposals {
    /// The range to replace: the part of the word before the offset.
    pub replace: Span,
    pub items: Vec<Proposal>,
    /// Whether the list is complete; otherwise more typed letters may give other proposals.
    pub all: bool,
}

/// The maximal number of proposals: thousands take an editor longer than a keystroke.
const MOST: usize = 400;

/// Cost: the tokens before the offset, and the symbols of the document.
pub fn complete(document: &Document, offset: u32) -> Proposals {
    let place = place::place(document.text(), offset);
    let replace = Span::new(document.entry, place.prefix, offset);
    if place.dead {
        return Proposals { replace, items: Vec::new(), all: true };
    }
    let around = Around { document, container: document.index.container_at(document.entry, offset), place: &place };
    let mut items = Vec::new();
    for want in wants::wants(&place) {
        items.extend(around.fill(&want));
    }
    let mut seen = rustc_hash::FxHashSet::default();
    items.retain(|item| seen.insert(item.label.clone()));
    let all = items.len() <= MOST;
    if !all {
        fitting(&mut items, document.sources.slice(replace));
    }
    Proposals { replace, items, all }
}

/// Keeps the first proposals that start with the written prefix.
fn fitting(items: &mut Vec<Proposal>, written: &str) {
    let written = written.to_lowercase();
    items.retain(|item| item.label.to_lowercase().starts_with(&written));
    items.truncate(MOST);
}

/// The written part of the path, if the offset is inside the quotes of an import.
pub fn import_path(document: &Document, offset: u32) -> Option<Span> {
    let start = place::place(document.text(), offset).path?;
    (start <= offset).then(|| Span::new(document.entry, start, offset))
}

struct Around<'a> {
    document: &'a Document,
    container: Option<SymbolId>,
    place: &'a Place<'a>,
}

impl Around<'_> {
    fn fill(&self, want: &Want) -> Vec<Proposal> {
        match want {
            Want::Words(words) => words.iter().map(|word| self::word(word)).collect(),
            Want::States => self.states(),
            Want::Events => self.members(SymbolKind::Event),
            Want::Instances => self.members(SymbolKind::Instance),
            Want::Observers => self.members(SymbolKind::Observer),
            Want::Agents => self.members(SymbolKind::Agent),
            Want::Components => self.items(SymbolKind::Component),
            Want::Values => self.values(),
            Want::Signs => self.signs(),
            Want::StateSets => words(&["states", "initial", "secret"]),
            Want::EventSets => words(&["events", "observable", "unobservable", "anonymous"]),
            Want::Members(instance) => self.of_instance(instance),
        }
    }

    fn members(&self, kind: SymbolKind) -> Vec<Proposal> {
        let Some(container) = self.container else { return Vec::new() };
        let members = self.document.index.members(container, kind);
        members.map(|(id, symbol)| self.name(id, symbol)).collect()
    }

    /// The states of a container, or the instances of a composition.
    fn states(&self) -> Vec<Proposal> {
        let mut states = self.members(SymbolKind::State);
        states.extend(self.members(SymbolKind::Instance));
        states
    }

    fn items(&self, kind: SymbolKind) -> Vec<Proposal> {
        let items = self.document.index.symbols().filter(|(_, symbol)| symbol.kind == kind);
        items.map(|(id, symbol)| self.name(id, symbol)).collect()
    }

    /// Indices in scope, parameters, constants: innermost first.
    fn values(&self) -> Vec<Proposal> {
        let index = |name: &&str| proposal(name, name, ProposalKind::Name(SymbolKind::Index), Some("index".to_owned()));
        let mut values: Vec<Proposal> = self.place.bound.iter().rev().map(index).collect();
        values.extend(self.members(SymbolKind::Parameter));
        values.extend(self.items(SymbolKind::Constant));
        values
    }

    fn signs(&self) -> Vec<Proposal> {
        let detail = "an anonymous event";
        let mut signs: Vec<Proposal> =
            ["?", "?1", "?2"].map(|sign| proposal(sign, sign, ProposalKind::Symbol, Some(detail.to_owned()))).into();
        signs.extend(self.members(SymbolKind::Group));
        signs
    }

    /// The states and instances of the component of `u[1].inner.`.
    fn of_instance(&self, path: &[&str]) -> Vec<Proposal> {
        let index = &self.document.index;
        let inner = |container: SymbolId, name: &str| {
            let found = index.members(container, SymbolKind::Instance).find(|(_, symbol)| symbol.name == name);
            found.and_then(|(_, instance)| instance.component)
        };
        let component = path.iter().try_fold(self.container, |at, name| at.map(|at| inner(at, name)));
        let Some(component) = component.flatten() else { return Vec::new() };
        let members = |kind| index.members(component, kind).map(|(id, symbol)| self.name(id, symbol));
        members(SymbolKind::State).chain(members(SymbolKind::Instance)).collect()
    }

    fn name(&self, _id: SymbolId, symbol: &Symbol) -> Proposal {
        let container = symbol.container.map(|container| &self.document.index.symbol(container).name);
        let detail = match container {
            Some(container) => format!("{} of {container}", symbol.kind.word()),
            None => self.signature(symbol),
        };
        let docs = Some(self.document.doc_text(&symbol.docs)).filter(|docs| !docs.is_empty());
        let insert = match symbol.kind {
            SymbolKind::Constant | SymbolKind::Parameter | SymbolKind::Index => symbol.name.as_str().into(),
            _ => spelling::name(&symbol.name),
        };
        Proposal { docs, ..proposal(&symbol.name, &insert, ProposalKind::Name(symbol.kind), Some(detail)) }
    }

    fn signature(&self, symbol: &Symbol) -> String {
        let params: Vec<&str> =
            symbol.parameters.iter().map(|&param| self.document.index.symbol(param).name.as_str()).collect();
        if params.is_empty() { symbol.kind.word().to_owned() } else { format!("component({})", params.join(", ")) }
    }
}

fn words(words: &[&str]) -> Vec<Proposal> {
    words.iter().map(|word| self::word(word)).collect()
}

fn word(word: &str) -> Proposal {
    let first = word.split('-').find(|part| !part.is_empty()).unwrap_or(word);
    let docs = super::prose::keyword(word).or_else(|| super::prose::keyword(first));
    Proposal { docs: docs.map(str::to_owned), ..proposal(word, word, ProposalKind::Word, None) }
}

fn proposal(label: &str, insert: &str, kind: ProposalKind, detail: Option<String>) -> Proposal {
    Proposal { label: label.to_owned(), insert: insert.to_owned(), kind, detail, docs: None }
}
