//! The last pass: uses.

use super::names::Names;
use crate::ide::index::{Occurrence, Symbol, SymbolId, SymbolKind};
use crate::model::label_readings;
use crate::source::{SourceFile, Span};
use crate::syntax::ast::*;
use std::borrow::Cow;

/// The kind of the elements of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elements {
    States,
    Events,
}

impl Elements {
    fn kind(self) -> SymbolKind {
        match self {
            Elements::States => SymbolKind::State,
            Elements::Events => SymbolKind::Event,
        }
    }
}

/// The last pass: uses, and the occurrences of declarations.
pub struct Using<'a> {
    names: &'a mut Names,
    file: &'a SourceFile,
    container: Option<SymbolId>,
    /// Indices in scope, innermost last.
    bound: Vec<(Span, SymbolId)>,
}

impl<'a> Using<'a> {
    pub fn new(names: &'a mut Names, file: &'a SourceFile) -> Using<'a> {
        Using { names, file, container: None, bound: Vec::new() }
    }

    fn text(&self, name: Name) -> Cow<'a, str> {
        name.text(self.file)
    }

    fn found(&mut self, name: Name, kind: SymbolKind, symbol: Option<SymbolId>) {
        let declares = symbol.is_some_and(|id| self.names.symbols[id.0 as usize].declared == Some(name.span));
        self.names.occurrences.push(Occurrence { span: name.span, kind, symbol, declares });
    }

    pub fn file(&mut self, file: &File) {
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

    /// A name of the enclosing container.
    fn member(&mut self, name: Name, kind: SymbolKind) {
        let symbol = self.container.and_then(|container| self.names.member(container, kind, &self.text(name)));
        self.found(name, kind, symbol);
    }

    /// A label or an agent of the enclosing container, with its indices.
    fn shown(&mut self, name: &Ref, kind: SymbolKind) {
        self.member(name.name, kind);
        name.expressions().for_each(|index| self.expr(index));
    }

    fn body(&mut self, body: &[Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::States(names) => names.iter().for_each(|name| self.reference(name, Elements::States)),
            StmtKind::Events(names) => names.iter().for_each(|name| self.reference(name, Elements::Events)),
            StmtKind::Initial(set) | StmtKind::Secret(set) | StmtKind::Final(set) => self.set(set, Elements::States),
            StmtKind::Observable(set) | StmtKind::Unobservable(set) => self.set(set, Elements::Events),
            StmtKind::Anonymous(anonymous) => {
                self.set(&anonymous.set, Elements::Events);
                anonymous.label.iter().for_each(|label| self.shown(label, SymbolKind::Group));
                anonymous.agent.iter().for_each(|agent| self.shown(agent, SymbolKind::Agent));
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
                observer.pooled.iter().for_each(|&name| self.member(name, SymbolKind::Observer));
                self.body(&observer.body);
            }
            StmtKind::Check(check) => self.check(check),
            StmtKind::Measure(measure) => {
                measure.name.into_iter().for_each(|name| self.member(name, SymbolKind::Check));
                self.subject(&measure.subject);
            }
            StmtKind::Lever(lever) => self.lever(lever),
            StmtKind::Error => {}
        }
    }

    fn lever(&mut self, lever: &Lever) {
        self.set(&lever.set, Elements::Events);
        lever.label.iter().for_each(|label| self.shown(label, SymbolKind::Group));
        lever.agent.iter().for_each(|agent| self.shown(agent, SymbolKind::Agent));
        lever.from.into_iter().for_each(|name| self.member(name, SymbolKind::Observer));
        lever.cost.iter().for_each(|cost| self.expr(&cost.value));
    }

    fn chain(&mut self, chain: &Chain) {
        self.set(chain.first(), Elements::States);
        for step in chain.steps() {
            self.set(step.events, Elements::Events);
            self.set(step.target, Elements::States);
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
        part.name.expressions().for_each(|index| self.expr(index));
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
                self.set(expected, Elements::States);
            }
            Question::Projection { string, against, expected, .. } => {
                self.observation(string);
                against.iter().for_each(|&name| self.member(name, SymbolKind::Observer));
                self.observation(expected);
            }
            Question::Repair { costs } => costs.iter().for_each(|costs| self.expr(costs)),
        }
    }

    fn subject(&mut self, subject: &Subject) {
        let of = subject.of.iter().flat_map(Of::sets);
        of.chain(&subject.except).for_each(|set| self.set(set, Elements::States));
        subject.among.iter().for_each(|among| self.expr(among));
        if let Some(about) = &subject.about {
            about.classes.iter().for_each(|class| self.set(class, Elements::States));
        }
        subject.against.into_iter().for_each(|name| self.member(name, SymbolKind::Observer));
    }

    /// The symbols of an observation: events, or labels of groups with or without a number.
    fn observation(&mut self, observation: &Observation) {
        for sign in &observation.signs {
            let reference = match sign {
                crate::syntax::ast::Symbol::Ref(reference) => reference,
                crate::syntax::ast::Symbol::Numbered { label, .. } => {
                    self.shown(label, SymbolKind::Group);
                    continue;
                }
                crate::syntax::ast::Symbol::Anonymous { .. } => continue,
            };
            let name = self.text(reference.name);
            let group = |text: &str| self.container.and_then(|of| self.names.member(of, SymbolKind::Group, text));
            let known = self.container.is_some_and(|container| self.names.event(container, &name).is_some());
            match label_readings(&name).find_map(|(label, _)| group(label)) {
                Some(found) if !known => {
                    self.found(reference.name, SymbolKind::Group, Some(found));
                    reference.expressions().for_each(|index| self.expr(index));
                }
                _ => self.reference(reference, Elements::Events),
            }
        }
    }

    fn set(&mut self, set: &SetExpr, of: Elements) {
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

    fn reference(&mut self, reference: &Ref, of: Elements) {
        reference.expressions().for_each(|index| self.expr(index));
        let Some(container) = self.container else { return };
        let name = self.text(reference.name);
        let instance = self.names.member(container, SymbolKind::Instance, &name);
        match (instance, of) {
            (Some(instance), Elements::States) => {
                self.found(reference.name, SymbolKind::Instance, Some(instance));
                let component = self.names.symbols[instance.0 as usize].component;
                reference.member().into_iter().for_each(|member| self.of_component(component, member));
            }
            (_, Elements::Events) => {
                let event = self.names.event_or_new(container, &name);
                self.found(reference.name, SymbolKind::Event, Some(event));
            }
            (None, Elements::States) => {
                let state = self.names.member(container, of.kind(), &name);
                self.found(reference.name, SymbolKind::State, state);
            }
        }
    }

    /// `waiting` in `u[1].waiting`: a state, or an instance inside the component.
    fn of_component(&mut self, component: Option<SymbolId>, reference: &Ref) {
        reference.expressions().for_each(|index| self.expr(index));
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

    /// An index, a parameter or a constant, innermost first.
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
