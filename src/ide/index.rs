//! What every name of a document means: symbols, and where they occur.
//!
//! A *symbol* is a thing with a name: a state of a component, an event, a constant. An *occurrence* is a place where a name
//! stands; it has a symbol if the name is known, and a kind in any case, so that unknown names have a colour too. Members of a
//! family (`held[1]`, `held[2]`) are one symbol, since they are declared and renamed together.

use crate::source::{FileId, Span};

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum SymbolKind {
    Constant,
    Component,
    System,
    Parameter,
    /// `i` in `for i in 1..N`.
    Index,
    State,
    Event,
    Instance,
    Observer,
    /// `voted` in `anonymous vote as voted`.
    Group,
    Check,
}

impl SymbolKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            SymbolKind::Constant => "constant",
            SymbolKind::Component => "component",
            SymbolKind::System => "system",
            SymbolKind::Parameter => "parameter",
            SymbolKind::Index => "index",
            SymbolKind::State => "state",
            SymbolKind::Event => "event",
            SymbolKind::Instance => "instance",
            SymbolKind::Observer => "observer",
            SymbolKind::Group => "group",
            SymbolKind::Check => "check",
        }
    }
}

/// A symbol of an [`Index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub(super) u32);

/// A thing with a name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// What it is called, without quotes and indices.
    pub name: String,
    /// Its name where it is first declared. An event may be declared nowhere.
    pub declared: Option<Span>,
    /// The item or statement that declares it.
    pub whole: Option<Span>,
    /// Its lines of documentation.
    pub docs: Vec<Span>,
    /// The system or component that it belongs to.
    pub container: Option<SymbolId>,
    /// Whether it is declared with indices.
    pub family: bool,
    /// Of an instance: its component.
    pub component: Option<SymbolId>,
    /// Of a component: its parameters, in order.
    pub parameters: Vec<SymbolId>,
    /// Of a component: the foreign file that it is read from.
    pub foreign: Option<String>,
}

impl Symbol {
    /// A symbol that is known by its name only.
    pub fn new(kind: SymbolKind, name: impl Into<String>) -> Symbol {
        Symbol {
            kind,
            name: name.into(),
            declared: None,
            whole: None,
            docs: Vec::new(),
            container: None,
            family: false,
            component: None,
            parameters: Vec::new(),
            foreign: None,
        }
    }
}

/// A place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name alone, with its quotes.
    pub span: Span,
    /// What kind of thing is meant there.
    pub kind: SymbolKind,
    /// What is meant; none: nothing of that name is known.
    pub symbol: Option<SymbolId>,
    /// Whether this place declares it.
    pub declares: bool,
}

/// Every symbol and every occurrence of a document.
//
// INVARIANT: `occurrences` is sorted by file and start, and no two overlap.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) symbols: Vec<Symbol>,
    pub(super) occurrences: Vec<Occurrence>,
    /// The groups of containers whose events are shared, by symbol id: containers with one number synchronise.
    pub(super) shared: Vec<u32>,
}

impl Index {
    /// A symbol.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// Every symbol, in the order of the text.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter().enumerate().map(|(at, symbol)| (SymbolId(at as u32), symbol))
    }

    /// The name at an offset, or ending there. Cost: logarithmic.
    pub fn at(&self, file: FileId, offset: u32) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|found| (found.span.file, found.span.start) <= (file, offset));
        let found = self.occurrences[..after].last()?;
        (found.span.file == file && found.span.touches(offset)).then_some(found)
    }

    /// The names of one file, in order.
    pub fn in_file(&self, file: FileId) -> &[Occurrence] {
        let start = self.occurrences.partition_point(|found| found.span.file < file);
        let end = self.occurrences.partition_point(|found| found.span.file <= file);
        &self.occurrences[start..end]
    }

    /// Every place where a symbol is named.
    pub fn of(&self, symbol: SymbolId) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |found| found.symbol == Some(symbol))
    }

    /// What belongs to a container, of one kind. Events are those of every container that synchronises with it.
    pub fn members(&self, container: SymbolId, kind: SymbolKind) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        let group = self.shared_by(container);
        self.symbols().filter(move |(_, symbol)| {
            symbol.kind == kind
                && match (kind, symbol.container) {
                    (SymbolKind::Event, Some(of)) => self.shared_by(of) == group,
                    (_, of) => of == Some(container),
                }
        })
    }

    fn shared_by(&self, container: SymbolId) -> u32 {
        self.shared.get(container.0 as usize).copied().unwrap_or(container.0)
    }

    /// The system or component that an offset lies in.
    pub fn container_at(&self, file: FileId, offset: u32) -> Option<SymbolId> {
        let holds = |symbol: &Symbol| {
            matches!(symbol.kind, SymbolKind::System | SymbolKind::Component)
                && symbol.whole.is_some_and(|whole| whole.file == file && whole.start < offset && offset <= whole.end)
        };
        self.symbols().find(|(_, symbol)| holds(symbol)).map(|(id, _)| id)
    }
}
