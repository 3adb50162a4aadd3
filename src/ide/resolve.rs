//! From trees to an [`Index`]: who declares a name, who uses it.
//!
//! Three passes over the trees. First every item and every name that a body declares; then the containers that are composed
//! with each other are joined, because they share their events by name; then every use is looked up, innermost scope first.
//! All files of a document share one space of items: which of two imports wins is the checker's business.

use super::index::{Index, Occurrence, Symbol, SymbolId, SymbolKind};
use crate::source::{SourceFile, Sources, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{self, *};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The index of parsed files.
pub fn index(sources: &Sources, trees: &[Parsed]) -> Index {
    let mut names = Names::default();
    for tree in trees {
        Declaring { names: &mut names, file: sources.get(tree.file.id) }.file(&tree.file);
    }
    names.share_events();
    for tree in trees {
        let file = sources.get(tree.file.id);
        Using { names: &mut names, file, container: None, bound: Vec::new() }.file(&tree.file);
    }
    names.finish()
}

/// What a set is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    States,
    Events,
}

impl Of {
    fn kind(self) -> SymbolKind {
        match self {
            Of::States => SymbolKind::State,
            Of::Events => SymbolKind::Event,
        }
    }
}

type Table = FxHashMap<String, SymbolId>;

/// The tables that names are looked up in.
#[derive(Default)]
struct Names {
    symbols: Vec<Symbol>,
    occurrences: Vec<Occurrence>,
    /// Constants, components, systems.
    items: FxHashMap<SymbolKind, Table>,
    /// States, instances, observers, groups, checks, parameters of each container.
    members: FxHashMap<(SymbolId, SymbolKind), Table>,
    /// Events, by the group of containers that share them.
    events: FxHashMap<u32, Table>,
    /// `events` statements, kept until it is known who shares with whom.
    pending_events: Vec<Symbol>,
    /// The items by their place: an item declared twice is still one container each.
    containers: FxHashMap<Span, SymbolId>,
    /// `compose`: who names which component.
    parts: Vec<(SymbolId, String)>,
    /// The group of each container; `group[x] == x` at its root.
    shared: Vec<u32>,
}

impl Names {
    fn add(&mut self, symbol: Symbol) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.shared.push(id.0);
        self.symbols.push(symbol);
        id
    }

    fn add_item(&mut self, symbol: Symbol) -> SymbolId {
        let (kind, name) = (symbol.kind, symbol.name.clone());
        let id = self.add(symbol);
        self.items.entry(kind).or_default().entry(name).or_insert(id);
        id
    }

    /// A name declared twice is one symbol.
    fn add_member(&mut self, container: SymbolId, mut symbol: Symbol) -> SymbolId {
        if let Some(known) = self.member(container, symbol.kind, &symbol.name) {
            return known;
        }
        symbol.container = Some(container);
        let (kind, name) = (symbol.kind, symbol.name.clone());
        let id = self.add(symbol);
        self.members.entry((container, kind)).or_default().insert(name, id);
        id
    }

    fn item(&self, kind: SymbolKind, name: &str) -> Option<SymbolId> {
        self.items.get(&kind)?.get(name).copied()
    }

    fn member(&self, container: SymbolId, kind: SymbolKind, name: &str) -> Option<SymbolId> {
        self.members.get(&(container, kind))?.get(name).copied()
    }

    fn group(&self, container: SymbolId) -> u32 {
        let mut at = container.0;
        while self.shared[at as usize] != at {
            at = self.shared[at as usize];
        }
        at
    }

    fn event(&self, container: SymbolId, name: &str) -> Option<SymbolId> {
        self.events.get(&self.group(container))?.get(name).copied()
    }

    /// An event by its name; one that is declared nowhere becomes known by its first use.
    fn event_or_new(&mut self, container: SymbolId, name: &str) -> SymbolId {
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

    /// Joins what is composed with each other, then declares the events.
    fn share_events(&mut self) {
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

    fn finish(mut self) -> Index {
        self.occurrences.sort_by_key(|found| (found.span.file, found.span.start));
        self.occurrences.dedup_by_key(|found| found.span);
        let shared = (0..self.shared.len() as u32).map(|at| self.group(SymbolId(at))).collect();
        Index { symbols: self.symbols, occurrences: self.occurrences, shared }
    }
}

fn doc_lines(docs: &Docs) -> Vec<Span> {
    docs.as_ref().map_or_else(Vec::new, |docs| docs.lines.to_vec())
}

/// The first pass: what is declared.
struct Declaring<'a> {
    names: &'a mut Names,
    file: &'a SourceFile,
}

impl Declaring<'_> {
    fn file(&mut self, file: &File) {
        for item in &file.items {
            match &item.kind {
                ItemKind::Import(import) => self.import(item, import),
                ItemKind::Const(constant) => {
                    let symbol = self.symbol(SymbolKind::Constant, constant.name, item.span, &item.docs);
                    self.names.add_item(symbol);
                }
                ItemKind::Component(component) => self.component(item, component),
                ItemKind::System(system) => {
                    let symbol = self.symbol(SymbolKind::System, system.name, item.span, &item.docs);
                    let id = self.names.add_item(symbol);
                    self.names.containers.insert(item.span, id);
                    self.body(id, &system.body);
                }
                ItemKind::Error => {}
            }
        }
    }

    fn symbol(&self, kind: SymbolKind, name: Name, whole: Span, docs: &Docs) -> Symbol {
        Symbol {
            declared: Some(name.span),
            whole: Some(whole),
            docs: doc_lines(docs),
            ..Symbol::new(kind, name.text(self.file))
        }
    }

    /// A foreign model is a component, by its alias or by the stem of its file.
    fn import(&mut self, item: &Item, import: &Import) {
        let path = import.path.text(self.file).into_owned();
        if super::is_des(&path) {
            return;
        }
        let name = import.alias.unwrap_or(import.path);
        let mut symbol = self.symbol(SymbolKind::Component, name, item.span, &item.docs);
        if import.alias.is_none() {
            let last = path.rsplit(['/', '\\']).next().unwrap_or(&path);
            symbol.name = last.split('.').next().unwrap_or(last).to_owned();
        }
        symbol.foreign = Some(path);
        let id = self.names.add_item(symbol);
        self.names.containers.insert(item.span, id);
    }

    fn component(&mut self, item: &Item, component: &Component) {
        let symbol = self.symbol(SymbolKind::Component, component.name, item.span, &item.docs);
        let id = self.names.add_item(symbol);
        self.names.containers.insert(item.span, id);
        for &param in &component.params {
            let symbol = self.symbol(SymbolKind::Parameter, param, item.span, &None);
            let param = self.names.add_member(id, symbol);
            self.names.symbols[id.0 as usize].parameters.push(param);
        }
        self.body(id, &component.body);
    }

    fn body(&mut self, container: SymbolId, body: &[Stmt]) {
        for statement in body {
            self.statement(container, statement);
        }
    }

    fn statement(&mut self, container: SymbolId, statement: &Stmt) {
        match &statement.kind {
            StmtKind::States(names) => self.declared(container, SymbolKind::State, names, statement),
            StmtKind::Events(names) => self.declared(container, SymbolKind::Event, names, statement),
            StmtKind::Anonymous(anonymous) => {
                self.named(container, SymbolKind::Group, anonymous.label, statement);
            }
            StmtKind::For(repeated) => self.body(container, &repeated.body),
            StmtKind::If(condition) => {
                self.body(container, &condition.then);
                self.body(container, &condition.otherwise);
            }
            StmtKind::Compose(parts) => parts.iter().for_each(|part| self.part(container, part, statement)),
            StmtKind::Observer(observer) => {
                self.named(container, SymbolKind::Observer, Some(observer.name), statement);
                self.body(container, &observer.body);
            }
            StmtKind::Check(check) => self.named(container, SymbolKind::Check, check.name, statement),
            StmtKind::Measure(measure) => self.named(container, SymbolKind::Check, measure.name, statement),
            _ => {}
        }
    }

    fn declared(&mut self, container: SymbolId, kind: SymbolKind, names: &[Ref], statement: &Stmt) {
        for reference in names {
            let mut symbol = self.symbol(kind, reference.name, statement.span, &statement.docs);
            symbol.family = !reference.indices().is_empty();
            symbol.container = Some(container);
            match kind {
                SymbolKind::Event => self.names.pending_events.push(symbol),
                _ => drop(self.names.add_member(container, symbol)),
            }
        }
    }

    fn named(&mut self, container: SymbolId, kind: SymbolKind, name: Option<Name>, statement: &Stmt) {
        if let Some(name) = name {
            let symbol = self.symbol(kind, name, statement.span, &statement.docs);
            self.names.add_member(container, symbol);
        }
    }

    fn part(&mut self, container: SymbolId, part: &Part, statement: &Stmt) {
        let mut symbol = self.symbol(SymbolKind::Instance, part.name.name, part.span, &statement.docs);
        symbol.family = !part.name.indices().is_empty();
        self.names.add_member(container, symbol);
        self.names.parts.push((container, part.component.text(self.file).into_owned()));
    }
}

/// The last pass: what is used, and the places of declarations.
struct Using<'a> {
    names: &'a mut Names,
    file: &'a SourceFile,
    container: Option<SymbolId>,
    /// Indices in scope, innermost last.
    bound: Vec<(Span, SymbolId)>,
}

impl<'a> Using<'a> {
    fn text(&self, name: Name) -> Cow<'a, str> {
        name.text(self.file)
    }

    fn found(&mut self, name: Name, kind: SymbolKind, symbol: Option<SymbolId>) {
        let declares = symbol.is_some_and(|id| self.names.symbols[id.0 as usize].declared == Some(name.span));
        self.names.occurrences.push(Occurrence { span: name.span, kind, symbol, declares });
    }

    fn file(&mut self, file: &File) {
        for item in &file.items {
            self.container = self.names.containers.get(&item.span).copied();
            match &item.kind {
                ItemKind::Import(import) => self.import(import),
                ItemKind::Const(constant) => {
                    let name = constant.name;
                    self.found(name, SymbolKind::Constant, self.names.item(SymbolKind::Constant, &self.text(name)));
                    self.expr(&constant.value);
                }
                ItemKind::Component(component) => {
                    self.found(component.name, SymbolKind::Component, self.container);
                    component.params.iter().for_each(|&param| self.member(param, SymbolKind::Parameter));
                    self.body(&component.body);
                }
                ItemKind::System(system) => {
                    self.found(system.name, SymbolKind::System, self.container);
                    self.body(&system.body);
                }
                ItemKind::Error => {}
            }
        }
    }

    fn import(&mut self, import: &Import) {
        if let Some(alias) = import.alias {
            self.found(alias, SymbolKind::Component, self.container);
        }
    }

    /// A name of the container that is around.
    fn member(&mut self, name: Name, kind: SymbolKind) {
        let symbol = self.container.and_then(|container| self.names.member(container, kind, &self.text(name)));
        self.found(name, kind, symbol);
    }

    fn body(&mut self, body: &[Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::States(names) => names.iter().for_each(|name| self.reference(name, Of::States)),
            StmtKind::Events(names) => names.iter().for_each(|name| self.reference(name, Of::Events)),
            StmtKind::Initial(set) | StmtKind::Secret(set) => self.set(set, Of::States),
            StmtKind::Observable(set) | StmtKind::Unobservable(set) => self.set(set, Of::Events),
            StmtKind::Anonymous(anonymous) => {
                self.set(&anonymous.set, Of::Events);
                anonymous.label.into_iter().for_each(|label| self.member(label, SymbolKind::Group));
            }
            StmtKind::Transition(chain) => self.chain(chain),
            StmtKind::For(repeated) => self.repeated(repeated),
            StmtKind::If(condition) => {
                self.expr(&condition.condition);
                self.body(&condition.then);
                self.body(&condition.otherwise);
            }
            StmtKind::Compose(parts) => parts.iter().for_each(|part| self.part(part)),
            StmtKind::Observer(observer) => {
                self.member(observer.name, SymbolKind::Observer);
                self.body(&observer.body);
            }
            StmtKind::Check(check) => self.check(check),
            StmtKind::Measure(measure) => {
                measure.name.into_iter().for_each(|name| self.member(name, SymbolKind::Check));
                self.subject(&measure.subject);
            }
            StmtKind::Error => {}
        }
    }

    fn chain(&mut self, chain: &Chain) {
        self.set(chain.first(), Of::States);
        for step in chain.steps() {
            self.set(step.events, Of::Events);
            self.set(step.target, Of::States);
        }
    }

    fn repeated(&mut self, repeated: &For) {
        let before = self.bound.len();
        self.binders(&repeated.binders);
        repeated.guard.iter().for_each(|guard| self.expr(guard));
        self.body(&repeated.body);
        self.bound.truncate(before);
    }

    /// Each index is in scope from the next binder on.
    fn binders(&mut self, binders: &[Binder]) {
        for binder in binders {
            self.expr(&binder.low);
            self.expr(&binder.high);
            let mut symbol = Symbol::new(SymbolKind::Index, self.text(binder.name));
            symbol.declared = Some(binder.name.span);
            symbol.whole = Some(binder.name.span.to(binder.high.span()));
            symbol.container = self.container;
            let id = self.names.add(symbol);
            self.bound.push((binder.name.span, id));
            self.found(binder.name, SymbolKind::Index, Some(id));
        }
    }

    fn part(&mut self, part: &Part) {
        let before = self.bound.len();
        self.binders(&part.binders);
        self.member(part.name.name, SymbolKind::Instance);
        part.name.indices().iter().for_each(|index| self.index(index));
        let component = self.names.item(SymbolKind::Component, &self.text(part.component));
        self.found(part.component, SymbolKind::Component, component);
        self.give_component(part.name.name, component);
        part.arguments.iter().for_each(|argument| self.expr(argument));
        part.guard.iter().for_each(|guard| self.expr(guard));
        self.bound.truncate(before);
    }

    fn give_component(&mut self, instance: Name, component: Option<SymbolId>) {
        let name = self.text(instance);
        let known = self.container.and_then(|container| self.names.member(container, SymbolKind::Instance, &name));
        if let Some(instance) = known {
            self.names.symbols[instance.0 as usize].component = component;
        }
    }

    fn check(&mut self, check: &Check) {
        check.name.into_iter().for_each(|name| self.member(name, SymbolKind::Check));
        match &check.question {
            Question::Property(property) => {
                if let HorizonKind::Steps(count) | HorizonKind::Exactly(count) = &property.horizon.kind {
                    self.expr(count);
                }
                self.subject(&property.subject);
            }
            Question::Estimate { at, given, against, expected, .. } => {
                self.observation(at);
                given.iter().for_each(|given| self.observation(given));
                against.iter().for_each(|&name| self.member(name, SymbolKind::Observer));
                self.set(expected, Of::States);
            }
            Question::Projection { string, against, expected, .. } => {
                self.observation(string);
                against.iter().for_each(|&name| self.member(name, SymbolKind::Observer));
                self.observation(expected);
            }
        }
    }

    fn subject(&mut self, subject: &Subject) {
        subject.among.iter().for_each(|among| self.expr(among));
        if let Some(about) = &subject.about {
            about.classes.iter().for_each(|class| self.set(class, Of::States));
        }
        subject.against.into_iter().for_each(|name| self.member(name, SymbolKind::Observer));
    }

    /// What is seen: events, or labels of groups with or without a number.
    fn observation(&mut self, observation: &Observation) {
        for sign in &observation.signs {
            let Sign::Ref(reference) = sign else { continue };
            let name = self.text(reference.name);
            let label = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
            let group = |text: &str| self.container.and_then(|of| self.names.member(of, SymbolKind::Group, text));
            let known = self.container.is_some_and(|container| self.names.event(container, &name).is_some());
            match group(&name).or_else(|| group(label)) {
                Some(found) if !known => self.found(reference.name, SymbolKind::Group, Some(found)),
                _ => self.reference(reference, Of::Events),
            }
        }
    }

    fn set(&mut self, set: &SetExpr, of: Of) {
        match set {
            SetExpr::Ref(reference) => self.reference(reference, of),
            SetExpr::Builtin(_) => {}
            SetExpr::Braces(list) | SetExpr::List(list) => list.items.iter().for_each(|item| self.set(item, of)),
            SetExpr::Binary(binary) => {
                self.set(&binary.left, of);
                self.set(&binary.right, of);
            }
            SetExpr::Paren(paren) => self.set(&paren.inner, of),
        }
    }

    fn reference(&mut self, reference: &Ref, of: Of) {
        reference.indices().iter().for_each(|index| self.index(index));
        let Some(container) = self.container else { return };
        let name = self.text(reference.name);
        let instance = self.names.member(container, SymbolKind::Instance, &name);
        match (instance, of) {
            (Some(instance), Of::States) => {
                self.found(reference.name, SymbolKind::Instance, Some(instance));
                let component = self.names.symbols[instance.0 as usize].component;
                reference.member().into_iter().for_each(|member| self.of_component(component, member));
            }
            (_, Of::Events) => {
                let event = self.names.event_or_new(container, &name);
                self.found(reference.name, SymbolKind::Event, Some(event));
            }
            (None, Of::States) => {
                let state = self.names.member(container, of.kind(), &name);
                self.found(reference.name, SymbolKind::State, state);
            }
        }
    }

    /// `waiting` in `u[1].waiting`: a state, or an instance inside the component.
    fn of_component(&mut self, component: Option<SymbolId>, reference: &Ref) {
        reference.indices().iter().for_each(|index| self.index(index));
        let name = self.text(reference.name);
        let inner = component.and_then(|component| self.names.member(component, SymbolKind::Instance, &name));
        if let Some(inner) = inner {
            self.found(reference.name, SymbolKind::Instance, Some(inner));
            let component = self.names.symbols[inner.0 as usize].component;
            reference.member().into_iter().for_each(|member| self.of_component(component, member));
            return;
        }
        let state = component.and_then(|component| self.names.member(component, SymbolKind::State, &name));
        self.found(reference.name, SymbolKind::State, state);
    }

    fn index(&mut self, index: &ast::Index) {
        match index {
            ast::Index::One(value) => self.expr(value),
            ast::Index::Range(low, high) => {
                self.expr(low);
                self.expr(high);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Integer(_) => {}
            Expr::Name(name) => self.value(*name),
            Expr::Unary(_, inner, _) | Expr::Paren(inner, _) => self.expr(inner),
            Expr::Binary(binary) => {
                self.expr(&binary.left);
                self.expr(&binary.right);
            }
        }
    }

    /// A name with a value: an index, a parameter, a constant, innermost first.
    fn value(&mut self, name: Name) {
        let text = self.text(name);
        let bound = self.bound.iter().rev().find(|(span, _)| self.file.slice(*span) == text);
        if let Some(&(_, index)) = bound {
            return self.found(name, SymbolKind::Index, Some(index));
        }
        let parameter = self.container.and_then(|of| self.names.member(of, SymbolKind::Parameter, &text));
        match parameter {
            Some(parameter) => self.found(name, SymbolKind::Parameter, Some(parameter)),
            None => self.found(name, SymbolKind::Constant, self.names.item(SymbolKind::Constant, &text)),
        }
    }
}
