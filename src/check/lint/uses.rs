//! The constants and components that a file uses, also in unexpanded blocks.

use crate::check::context::{self, Context};
use crate::check::load::imports::World;
use crate::check::load::items::ComponentKind;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, SourceFile, Span};
use crate::syntax::ast::{
    self, Expr, HorizonKind, ItemKind, Question, Ref, SetExpr, Stmt, StmtKind, Subject, statements,
};
use crate::syntax::spelling;
use rustc_hash::FxHashSet;

/// Warnings about unused items of the entry file. A file without systems is a library and has no such warnings.
pub(in crate::check) fn unused(world: &World, cx: &mut Context<'_>, entry: FileId) -> Vec<Diagnostic> {
    let items = cx.items;
    let mut uses = Uses::default();
    for unit in &world.units {
        uses.file = Some(&unit.source);
        for item in &unit.tree.items {
            if !cx.tick(context::effort(item.span), 0, item.span) {
                return Vec::new();
            }
            uses.item(item);
        }
    }
    // What an open comment hides may use everything.
    if items.systems.is_empty() || cx.faults.has(Code::E0106) {
        return Vec::new();
    }
    let here = |span: Span| span.file == entry;
    let is_used = |name: &str| uses.names.contains(name) || items.doubtful.contains(name) || cx.meant.contains(name);
    let consts = items.consts.iter().filter(|item| here(item.span) && !is_used(&item.name));
    let consts = consts.map(|item| unused_const(&item.name, item.span));
    let components = items.components.iter().filter(|item| here(item.span) && !is_used(&item.name));
    let components = components.map(|item| unused_component(&item.name, item.span, &item.kind));
    consts.chain(components).collect()
}

#[derive(Default)]
struct Uses<'w> {
    file: Option<&'w SourceFile>,
    names: FxHashSet<String>,
}

impl Uses<'_> {
    fn name(&mut self, name: &ast::Name) {
        if let Some(file) = self.file {
            let text = name.text(file);
            if !self.names.contains(&*text) {
                self.names.insert(text.into_owned());
            }
        }
    }

    fn item(&mut self, item: &ast::Item) {
        match &item.kind {
            ItemKind::Const(constant) => self.expr(&constant.value),
            ItemKind::Component(component) => self.body(&component.body),
            ItemKind::System(system) => self.body(&system.body),
            ItemKind::Import(_) | ItemKind::Error => {}
        }
    }

    fn body(&mut self, body: &[Stmt]) {
        statements(body).for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Transition(chain) => {
                self.set(chain.first());
                for arrow in chain.steps() {
                    self.set(arrow.events);
                    self.set(arrow.target);
                }
            }
            StmtKind::States(names) | StmtKind::Events(names) => names.iter().for_each(|name| self.reference(name)),
            StmtKind::Initial(set)
            | StmtKind::Observable(set)
            | StmtKind::Unobservable(set)
            | StmtKind::Secret(set)
            | StmtKind::Final(set) => {
                self.set(set);
            }
            StmtKind::Anonymous(anonymous) => {
                self.set(&anonymous.set);
                anonymous.label.iter().chain(&anonymous.agent).for_each(|label| self.reference(label));
            }
            StmtKind::For(repeat) => self.binders(&repeat.binders, repeat.guard.as_ref()),
            StmtKind::If(branch) => self.expr(&branch.condition),
            StmtKind::Compose(parts) => parts.iter().for_each(|part| self.part(part)),
            StmtKind::Observer(observer) => self.body(&observer.body),
            StmtKind::Check(check) => self.question(&check.question),
            StmtKind::Measure(measure) => self.subject(&measure.subject),
            StmtKind::Lever(lever) => {
                self.set(&lever.set);
                lever.label.iter().chain(&lever.agent).for_each(|label| self.reference(label));
                lever.cost.iter().for_each(|cost| self.expr(&cost.value));
            }
            StmtKind::Error => self.doubtful(stmt.span),
        }
    }

    /// Text with syntax errors may use every word in it.
    fn doubtful(&mut self, at: Span) {
        let text = self.file.map_or("", |file| file.slice(at));
        self.names.extend(wording::identifiers(text).map(str::to_owned));
    }

    fn part(&mut self, part: &ast::Part) {
        self.name(&part.component);
        self.reference(&part.name);
        part.arguments.iter().for_each(|argument| self.expr(argument));
        self.binders(&part.binders, part.guard.as_ref());
    }

    fn binders(&mut self, binders: &[ast::Binder], guard: Option<&Expr>) {
        for binder in binders {
            self.expr(&binder.low);
            self.expr(&binder.high);
        }
        guard.into_iter().for_each(|guard| self.expr(guard));
    }

    fn question(&mut self, question: &Question) {
        match question {
            Question::Property(property) => {
                if let HorizonKind::Steps(steps) | HorizonKind::Exactly(steps) = &property.horizon.kind {
                    self.expr(steps);
                }
                self.subject(&property.subject);
            }
            Question::Estimate { at, given, expected, .. } => {
                self.observation(at);
                given.iter().for_each(|given| self.observation(given));
                self.set(expected);
            }
            Question::Projection { string, expected, .. } => {
                self.observation(string);
                self.observation(expected);
            }
            Question::Repair { costs } => costs.iter().for_each(|costs| self.expr(costs)),
        }
    }

    fn observation(&mut self, observation: &ast::Observation) {
        for sign in &observation.signs {
            if let ast::Symbol::Ref(reference) | ast::Symbol::Numbered { label: reference, .. } = sign {
                self.reference(reference);
            }
        }
    }

    fn subject(&mut self, subject: &Subject) {
        let sets = subject.of.iter().flat_map(ast::Of::sets).chain(&subject.except);
        sets.for_each(|set| self.set(set));
        subject.among.iter().for_each(|among| self.expr(among));
        subject.about.iter().flat_map(|about| &about.classes).for_each(|class| self.set(class));
    }

    fn set(&mut self, set: &SetExpr) {
        set.names().for_each(|reference| self.reference(reference));
    }

    fn reference(&mut self, reference: &Ref) {
        reference.expressions().for_each(|index| self.expr(index));
        reference.member().into_iter().for_each(|member| self.reference(member));
    }

    fn expr(&mut self, expr: &Expr) {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match expr {
                Expr::Name(name) => self.name(name),
                Expr::Unary(_, inner, _) | Expr::Paren(inner, _) => pending.push(inner),
                Expr::Binary(binary) => pending.extend([&binary.left, &binary.right]),
                Expr::Integer(_) => {}
            }
        }
    }
}

fn unused_const(name: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::W0201, at, format!("the constant `{name}` is never used"))
        .label("has no effect")
        .help(format!("remove it, or use it: `1..{name}`"))
}

fn unused_component(name: &str, at: Span, kind: &ComponentKind<'_>) -> Diagnostic {
    let written = match kind {
        ComponentKind::Written { params, .. } if !params.is_empty() => format!("{}(...)", spelling::name(name)),
        _ => spelling::name(name).into_owned(),
    };
    Diagnostic::new(Code::W0202, at, format!("the component `{name}` is never used"))
        .label("part of no system")
        .help(format!("remove it, or compose it: `compose x = {written};`"))
}
