//! The symbols of a document and their occurrences.
//!
//! A *symbol* is a named entity: a state of a component, an event, a constant. An *occurrence* is a position of a
//! name; it has a symbol if the name is known, and always a kind, so that unknown names are highlighted too. Members of a
//! family (`held[1]`, `held[2]`) are one symbol, since they are declared and renamed together.

use crate::source::{FileId, Span};

/// The kind of a symbol.
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
    /// `person` in `anonymous door as opens by person`.
    Agent,
    Check,
}

impl SymbolKind {
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
            SymbolKind::Agent => "agent",
            SymbolKind::Check => "check",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub(super) u32);

/// A named entity.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub kind: SymbolKind,
    /// The name without quotes and indices.
    pub name: String,
    /// The name in its first declaration. An event may have no declaration.
    pub declared: Option<Span>,
    pub whole: Option<Span>,
    pub docs: Vec<Span>,
    pub container: Option<SymbolId>,
    pub family: bool,
    /// The component of an instance.
    pub component: Option<SymbolId>,
    /// The parameters of a component.
    pub parameters: Vec<SymbolId>,
    /// The foreign file of a component.
    pub foreign: Option<String>,
}

impl Symbol {
    /// A symbol without a declaration.
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

/// A position of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name with its quotes, without its indices.
    pub span: Span,
    /// The kind that is expected at this position.
    pub kind: SymbolKind,
    /// `None`: an unknown name.
    pub symbol: Option<SymbolId>,
    pub declares: bool,
}

//
// INVARIANT: `occurrences` is sorted by file and start, and no two overlap.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) symbols: Vec<Symbol>,
    pub(super) occurrences: Vec<Occurrence>,
    /// The groups of containers that share events, by symbol id: containers with the same number synchronise.
    pub(super) shared: Vec<u32>,
}

impl Index {
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter().enumerate().map(|(at, symbol)| (SymbolId(at as u32), symbol))
    }

    /// The name that contains an offset or ends there. Cost: logarithmic.
    pub fn at(&self, file: FileId, offset: u32) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|found| (found.span.file, found.span.start) <= (file, offset));
        let found = self.occurrences[..after].last()?;
        (found.span.file == file && found.span.touches(offset)).then_some(found)
    }

    pub fn in_file(&self, file: FileId) -> &[Occurrence] {
        let start = self.occurrences.partition_point(|found| found.span.file < file);
        let end = self.occurrences.partition_point(|found| found.span.file <= file);
        &self.occurrences[start..end]
    }

    pub fn of(&self, symbol: SymbolId) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |found| found.symbol == Some(symbol))
    }

    /// The symbols of one kind in a container; for events, also those of the containers that synchronise with it.
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

    /// The system or component that contains an offset.
    pub fn container_at(&self, file: FileId, offset: u32) -> Option<SymbolId> {
        let holds = |symbol: &Symbol| {
            matches!(symbol.kind, SymbolKind::System | SymbolKind::Component)
                && symbol.whole.is_some_and(|whole| whole.file == file && whole.start < offset && offset <= whole.end)
        };
        self.symbols().find(|(_, symbol)| holds(symbol)).map(|(id, _)| id)
    }
}
