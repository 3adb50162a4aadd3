//! The first pass: declarations.

use super::names::Names;
use crate::ide::index::{Symbol, SymbolId, SymbolKind};
use crate::ide::is_des;
use crate::source::{SourceFile, Span};
use crate::syntax::ast::*;

pub struct Declaring<'a> {
    pub names: &'a mut Names,
    pub file: &'a SourceFile,
}

impl Declaring<'_> {
    pub fn file(&mut self, file: &File) {
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

    /// A foreign model is a component named by its alias or its file name.
    fn import(&mut self, item: &Item, import: &Import) {
        let path = import.path.text(self.file).into_owned();
        if is_des(&path) {
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
                anonymous.label.iter().for_each(|label| self.shown(container, SymbolKind::Group, label, statement));
                anonymous.agent.iter().for_each(|agent| self.shown(container, SymbolKind::Agent, agent, statement));
            }
            StmtKind::Lever(lever) => {
                lever.label.iter().for_each(|label| self.shown(container, SymbolKind::Group, label, statement));
                lever.agent.iter().for_each(|agent| self.shown(container, SymbolKind::Agent, agent, statement));
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

    /// A label or an agent, declared by its use.
    fn shown(&mut self, container: SymbolId, kind: SymbolKind, name: &Ref, statement: &Stmt) {
        let mut symbol = self.symbol(kind, name.name, statement.span, &statement.docs);
        symbol.family = !name.indices().is_empty();
        self.names.add_member(container, symbol);
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

fn doc_lines(docs: &Docs) -> Vec<Span> {
    docs.as_ref().map_or_else(Vec::new, |docs| docs.lines.to_vec())
}
