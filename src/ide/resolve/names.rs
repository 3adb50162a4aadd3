//! The symbol tables, and the containers that share events.

use crate::ide::index::{Index, Occurrence, Symbol, SymbolId, SymbolKind};
use crate::source::Span;
use rustc_hash::FxHashMap;

type Table = FxHashMap<String, SymbolId>;

#[derive(Default)]
pub struct Names {
    pub symbols: Vec<Symbol>,
    pub occurrences: Vec<Occurrence>,
    /// Constants, components, systems.
    items: FxHashMap<SymbolKind, Table>,
    /// States, instances, observers, groups, checks, parameters of each container.
    members: FxHashMap<(SymbolId, SymbolKind), Table>,
    /// Events, by the group of containers that share them.
    events: FxHashMap<u32, Table>,
    /// `events` statements, kept until the sharing containers are known.
    pub pending_events: Vec<Symbol>,
    /// The items by position: an item that is declared twice has two containers.
    pub containers: FxHashMap<Span, SymbolId>,
    /// The component names in `compose` statements.
    pub parts: Vec<(SymbolId, String)>,
    /// The group of each container; `group[x] == x` at its root.
    shared: Vec<u32>,
}

impl Names {
    pub fn add(&mut self, symbol: Symbol) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.shared.push(id.0);
        self.symbols.push(symbol);
        id
    }

    pub fn add_item(&mut self, symbol: Symbol) -> SymbolId {
        let (kind, name) = (symbol.kind, symbol.name.clone());
        let id = self.add(symbol);
        self.items.entry(kind).or_default().entry(name).or_insert(id);
        id
    }

    pub fn add_member(&mut self, container: SymbolId, mut symbol: Symbol) -> SymbolId {
        if let Some(known) = self.member(container, symbol.kind, &symbol.name) {
            return known;
        }
        symbol.container = Some(container);
        let (kind, name) = (symbol.kind, symbol.name.clone());
        let id = self.add(symbol);
        self.members.entry((container, kind)).or_default().insert(name, id);
        id
    }

    pub fn item(&self, kind: SymbolKind, name: &str) -> Option<SymbolId> {
        self.items.get(&kind)?.get(name).copied()
    }

    pub fn member(&self, container: SymbolId, kind: SymbolKind, name: &str) -> Option<SymbolId> {
        self.members.get(&(container, kind))?.get(name).copied()
    }

    fn group(&self, container: SymbolId) -> u32 {
        let mut at = container.0;
        while self.shared[at as usize] != at {
            at = self.shared[at as usize];
        }
        at
    }

    pub fn event(&self, container: SymbolId, name: &str) -> Option<SymbolId> {
        self.events.get(&self.group(container))?.get(name).copied()
    }

    /// An event by its name; an undeclared event is declared by its first use.
    pub fn event_or_new(&mut self, container: SymbolId, name: &str) -> SymbolId {
        if let Some(known) = self.event(container, name) {
            return known;
        }
        let mut symbol = Symbol::new(SymbolKind::Event, name);
        symbol.container = Some(container);
        let group = self.group(container);
        let id = self.add(symbol);
        self.events.entry(group).or_default().insert(name.to_owned(), id);
        id
    }

    /// Joins the containers that are composed with each other, then declares the events.
    pub fn share_events(&mut self) {
        for (composer, component) in std::mem::take(&mut self.parts) {
            if let Some(component) = self.item(SymbolKind::Component, &component) {
                let (one, other) = (self.group(composer), self.group(component));
                self.shared[one.max(other) as usize] = one.min(other);
            }
        }
        for symbol in std::mem::take(&mut self.pending_events) {
            let container = symbol.container.expect("events are declared in a container");
            if self.event(container, &symbol.name).is_none() {
                let (group, name) = (self.group(container), symbol.name.clone());
                let id = self.add(symbol);
                self.events.entry(group).or_default().insert(name, id);
            }
        }
    }

    pub fn finish(mut self) -> Index {
        self.occurrences.sort_by_key(|found| (found.span.file, found.span.start));
        self.occurrences.dedup_by_key(|found| found.span);
        let shared = (0..self.shared.len() as u32).map(|at| self.group(SymbolId(at))).collect();
        Index { symbols: self.symbols, occurrences: self.occurrences, shared }
    }
}
