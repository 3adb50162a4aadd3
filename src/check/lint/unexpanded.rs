//! Checks unexpanded blocks: `for i in 1..N` with `N = 0`, the branch of an `if` that is not taken.
//!
//! Only what does not depend on values is checked: every name is declared, of the right kind and with the right number of
//! indices; conditions are Booleans and indices integers; statements are allowed. So a mistake is found when it is
//! written, not when `-D N=1` is used for the first time. Conditions and guards are checked completely, since `&&` and `||`
//! are evaluated lazily.

use crate::check::context::{self, Context, key};
use crate::check::elaborate::component::{self, misplaced};
use crate::check::elaborate::compose::{self, component, own_statement};
use crate::check::elaborate::parts;
use crate::check::load::items::{ComponentItem, ComponentKind, ItemId};
use crate::check::questions::checks;
use crate::check::resolve::expand::index_twice;
use crate::check::resolve::names::{Lookup, Table};
use crate::check::resolve::sets::{self, Kind};
use crate::import::{Names, Place};
use crate::model::label_readings;
use crate::source::{FileId, SourceFile, Span};
use crate::syntax::ast::{
    self, Binder, Expr, HorizonKind, NameKind, Question, Ref, SetExpr, Stmt, StmtKind, statements,
};
use crate::syntax::spelling;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// Checks the blocks that were never expanded.
pub(in crate::check) fn check_unexpanded<'w>(cx: &mut Context<'w>) {
    if cx.is_exhausted() {
        return;
    }
    let items = cx.items;
    let library = Library::default();
    for item in &items.systems {
        let owner = format!("system `{}`", item.name);
        let body = Body { file: item.file, name: item.span, params: &[], statements: item.body };
        rehearse_body(cx, &library, owner, true, body);
    }
    for item in &items.components {
        if let ComponentKind::Written { file, params, body, .. } = item.kind {
            let owner = item.owner();
            let body = Body { file, name: item.span, params, statements: body };
            rehearse_body(cx, &library, owner, false, body);
        }
    }
}

/// The text of a system or a component.
#[derive(Clone, Copy)]
struct Body<'w> {
    file: &'w SourceFile,
    name: Span,
    params: &'w [ast::Name],
    statements: &'w [Stmt],
}

impl Body<'_> {
    /// How long it takes to look through it.
    fn effort(self) -> u64 {
        let ends = self.statements.first().zip(self.statements.last());
        ends.map_or(1, |(first, last)| context::effort(first.span.to(last.span)))
    }
}

/// What all bodies of a file have in common, each found once.
#[derive(Default)]
struct Library<'w> {
    /// The events of all components.
    events: OnceCell<Option<Arc<Table>>>,
    /// The names of each component, by the place of its own.
    bodies: RefCell<FxHashMap<Span, Arc<Mentioned<'w>>>>,
}

impl<'w> Library<'w> {
    /// The names of a component. None: there is no time for it.
    fn names(&self, cx: &mut Context<'w>, body: Body<'w>) -> Option<Arc<Mentioned<'w>>> {
        if let Some(known) = self.bodies.borrow().get(&body.name) {
            return Some(Arc::clone(known));
        }
        let names = Arc::new(Mentioned::of(cx, self, body, false)?);
        self.bodies.borrow_mut().insert(body.name, Arc::clone(&names));
        Some(names)
    }

    fn events(&self, cx: &Context<'w>, file: FileId) -> Option<Arc<Table>> {
        let gathered = self.events.get_or_init(|| {
            let mut events = Table::new("event", file);
            cx.items.components.iter().for_each(|item| events_of(item, &mut events));
            known(events)
        });
        gathered.clone()
    }
}

/// Events, if there are any: none are not known well enough to complain.
fn known(events: Table) -> Option<Arc<Table>> {
    (events.len() > 0).then(|| Arc::new(events))
}

fn rehearse_body<'w>(cx: &mut Context<'w>, library: &Library<'w>, owner: String, is_system: bool, body: Body<'w>) {
    let Body { file, params, statements, .. } = body;
    if !cx.tick(body.effort(), 0, body.name)
        || !component::contains(statements, &|kind| matches!(kind, StmtKind::For(_) | StmtKind::If(_)))
    {
        return;
    }
    cx.file = file;
    cx.bindings = params.iter().map(|param| (param.text(file), 1)).collect();
    let before = cx.enter(statements);
    if let Some(names) = Mentioned::of(cx, library, body, is_system) {
        Rehearsal { owner, is_system, names, whole: statements, library }.block(cx, statements, true);
    }
    cx.leave(statements, before);
    cx.bindings.clear();
}

/// Every name that a body declares, also in unexpanded blocks.
struct Mentioned<'w> {
    states: Table,
    /// `None`: too little is known to report errors.
    events: Option<Arc<Table>>,
    /// `None`: the body is flat.
    parts: Option<Parts<'w>>,
    labels: FxHashSet<Cow<'w, str>>,
    /// In the order of their declarations.
    observers: Vec<Cow<'w, str>>,
    is_observer: FxHashSet<Cow<'w, str>>,
}

struct Parts<'w> {
    table: Table,
    components: Vec<Option<&'w ComponentItem<'w>>>,
    /// Whether every component is known.
    is_whole: bool,
}

impl<'w> Mentioned<'w> {
    /// The names of a body. None: there is no time for it.
    fn of(cx: &mut Context<'w>, library: &Library<'w>, body: Body<'w>, is_system: bool) -> Option<Mentioned<'w>> {
        let Body { file, statements, name, .. } = body;
        if !cx.tick(body.effort(), 0, name) {
            return None;
        }
        let composed = component::composes(statements);
        let id = name.file;
        let parts = composed.then(|| Parts { table: Table::new("part", id), components: Vec::new(), is_whole: true });
        let mut names = Mentioned {
            states: Table::new("state", id),
            events: None,
            parts,
            labels: FxHashSet::default(),
            observers: Vec::new(),
            is_observer: FxHashSet::default(),
        };
        names.gather(cx, statements, file);
        names.events = if composed {
            library.events(cx, id)
        } else {
            let mut events = Table::new("event", id);
            declared_events(statements, file, &mut events, is_system);
            known(events)
        };
        Some(names)
    }

    fn gather(&mut self, cx: &Context<'w>, body: &'w [Stmt], file: &'w SourceFile) {
        for stmt in statements(body) {
            match &stmt.kind {
                StmtKind::States(names) => names.iter().for_each(|name| mention(&mut self.states, name, file)),
                StmtKind::Compose(parts) => parts.iter().for_each(|part| self.part(cx, part, file)),
                StmtKind::Observer(observer) => {
                    self.observers.push(observer.name.text(file));
                    self.is_observer.insert(observer.name.text(file));
                    self.gather(cx, &observer.body, file);
                }
                StmtKind::Anonymous(anonymous) => {
                    self.labels.extend(anonymous.label.iter().map(|label| label.name.text(file)));
                }
                StmtKind::Lever(lever) => {
                    self.labels.extend(lever.label.iter().map(|label| label.name.text(file)));
                }
                _ => {}
            }
        }
    }

    fn part(&mut self, cx: &Context<'w>, part: &'w ast::Part, file: &'w SourceFile) {
        let Some(parts) = &mut self.parts else { return };
        mention(&mut parts.table, &part.name, file);
        let found = match cx.items.find(&part.component.text(file)) {
            Some((ItemId::Component(at), _)) => Some(&cx.items.components[at]),
            _ => None,
        };
        parts.is_whole &= found.is_some();
        parts.components.resize(parts.table.names.len(), found);
    }
}

fn mention(table: &mut Table, reference: &Ref, file: &SourceFile) {
    table.mention(&reference.name.text(file), reference.indices().len(), component::place(reference.span()));
    table.end.get_or_insert(reference.span().after());
}

/// The events of a component: the declared ones, or those of its transitions.
fn events_of(item: &ComponentItem<'_>, events: &mut Table) {
    match item.kind {
        ComponentKind::Written { file, body, .. } => declared_events(body, file, events, false),
        ComponentKind::Foreign(model) => model.parts.iter().for_each(|part| mention_foreign(events, &part.events)),
        ComponentKind::Broken => {}
    }
    events.end = None;
}

/// The declared events of a body; of a component without any, those of its transitions.
fn declared_events(body: &[Stmt], file: &SourceFile, events: &mut Table, is_system: bool) {
    let implicit = !is_system && !component::contains(body, &|kind| matches!(kind, StmtKind::Events(_)));
    for stmt in statements(body) {
        match &stmt.kind {
            StmtKind::Events(names) => names.iter().for_each(|name| mention(events, name, file)),
            StmtKind::Transition(chain) if implicit => {
                let used = chain.steps().flat_map(|arrow| arrow.events.names());
                used.for_each(|reference| mention(events, reference, file));
            }
            _ => {}
        }
    }
}

fn mention_foreign(table: &mut Table, names: &Names) {
    names.iter().for_each(|name| table.mention(&name, 0, Place::default()));
}

/// The check of one body without values.
struct Rehearsal<'a, 'w> {
    owner: String,
    is_system: bool,
    names: Mentioned<'w>,
    whole: &'w [Stmt],
    library: &'a Library<'w>,
}

impl<'w> Rehearsal<'_, 'w> {
    /// Checks the statements of an unexpanded block, and descends into the blocks of expanded ones.
    fn block(&self, cx: &mut Context<'w>, block: &'w [Stmt], walked: bool) {
        for stmt in block {
            if !cx.tick(1, 0, stmt.span) {
                return;
            }
            match &stmt.kind {
                StmtKind::For(repeat) => {
                    let outer = cx.bindings.len();
                    self.binders(cx, &repeat.binders, repeat.guard.as_ref());
                    let walked = walked && was_walked(cx, &repeat.body);
                    self.block(cx, &repeat.body, walked);
                    cx.bindings.truncate(outer);
                }
                StmtKind::If(branch) => {
                    cx.rehearse_truth(&branch.condition);
                    for block in [&branch.then, &branch.otherwise] {
                        let walked = walked && was_walked(cx, block);
                        self.block(cx, block, walked);
                    }
                }
                StmtKind::Observer(observer) if self.is_system => self.block(cx, &observer.body, walked),
                StmtKind::Error => {}
                _ if walked => {}
                _ => self.statement(cx, stmt),
            }
        }
    }

    fn statement(&self, cx: &mut Context<'w>, stmt: &'w Stmt) {
        use StmtKind::*;
        match &stmt.kind {
            States(_) | Events(_) | Initial(_) | Transition(_) if self.names.parts.is_some() => {
                own_statement(cx, stmt, &self.owner, self.whole);
            }
            Check(_) | Measure(_) | Observer(_) | Lever(_) if !self.is_system => cx.fault(misplaced(stmt, &self.owner)),
            States(names) | Events(names) => names.iter().for_each(|name| self.indices(cx, name)),
            Initial(set) | Secret(set) | Final(set) => self.set(cx, Kind::State, set),
            Observable(set) | Unobservable(set) => self.set(cx, Kind::Event, set),
            Anonymous(anonymous) => {
                self.set(cx, Kind::Event, &anonymous.set);
                anonymous.label.iter().chain(&anonymous.agent).for_each(|label| self.indices(cx, label));
            }
            Transition(chain) => {
                self.set(cx, Kind::State, chain.first());
                for arrow in chain.steps() {
                    self.set(cx, Kind::Event, arrow.events);
                    self.set(cx, Kind::State, arrow.target);
                }
            }
            Compose(parts) => parts.iter().for_each(|part| self.part(cx, part)),
            Check(check) => self.question(cx, &check.question),
            Measure(measure) => self.subject(cx, &measure.subject),
            Lever(lever) => self.lever(cx, lever),
            For(_) | If(_) | Observer(_) | Error => {}
        }
    }

    /// Binds each index to an arbitrary value.
    fn binders(&self, cx: &mut Context<'w>, binders: &'w [Binder], guard: Option<&Expr>) {
        for (at, binder) in binders.iter().enumerate() {
            cx.rehearse_integer(&binder.low);
            cx.rehearse_integer(&binder.high);
            let name = cx.text(&binder.name);
            if let Some(first) = binders[..at].iter().find(|first| cx.text(&first.name) == name) {
                cx.fault(index_twice(&name, binder.name.span, first.name.span));
            }
            cx.bindings.push((name, 1));
        }
        guard.into_iter().for_each(|guard| cx.rehearse_truth(guard));
    }

    fn part(&self, cx: &mut Context<'w>, part: &'w ast::Part) {
        let outer = cx.bindings.len();
        self.binders(cx, &part.binders, part.guard.as_ref());
        self.indices(cx, &part.name);
        part.arguments.iter().for_each(|argument| cx.rehearse_integer(argument));
        if let Some(component) = component(cx, &part.component) {
            compose::takes(cx, &cx.items.components[component], part);
        }
        cx.bindings.truncate(outer);
    }

    fn lever(&self, cx: &mut Context<'w>, lever: &'w ast::Lever) {
        self.set(cx, Kind::Event, &lever.set);
        lever.label.iter().chain(&lever.agent).for_each(|label| self.indices(cx, label));
        lever.from.iter().for_each(|from| self.observer(cx, from));
        lever.cost.iter().for_each(|cost| cx.rehearse_integer(&cost.value));
    }

    fn question(&self, cx: &mut Context<'w>, question: &'w Question) {
        let (observations, expected, against) = match question {
            Question::Property(property) => {
                if let HorizonKind::Steps(steps) | HorizonKind::Exactly(steps) = &property.horizon.kind {
                    cx.rehearse_integer(steps);
                }
                return self.subject(cx, &property.subject);
            }
            Question::Repair { costs } => return costs.iter().for_each(|costs| cx.rehearse_integer(costs)),
            Question::Estimate { at, given, expected, against, .. } => {
                ([Some(at), given.as_ref()], Some(expected), against)
            }
            Question::Projection { string, expected, against, .. } => ([Some(string), Some(expected)], None, against),
        };
        let signs = observations.into_iter().flatten().flat_map(|observation| &observation.signs);
        signs.for_each(|sign| self.sign(cx, sign));
        expected.into_iter().for_each(|expected| self.set(cx, Kind::State, expected));
        against.iter().for_each(|against| self.observer(cx, against));
    }

    fn subject(&self, cx: &mut Context<'w>, subject: &'w ast::Subject) {
        let sets = subject.of.iter().flat_map(ast::Of::sets).chain(&subject.except);
        sets.for_each(|set| self.set(cx, Kind::State, set));
        subject.among.iter().for_each(|among| cx.rehearse_integer(among));
        for class in subject.about.iter().flat_map(|about| &about.classes) {
            match (class, &self.names.parts) {
                (SetExpr::Ref(reference), Some(parts)) => self.part_of(cx, parts, reference, false),
                _ => self.set(cx, Kind::State, class),
            }
        }
        subject.against.iter().for_each(|against| self.observer(cx, against));
    }

    fn observer(&self, cx: &mut Context<'w>, name: &ast::Name) {
        if !self.names.is_observer.contains(&cx.text(name)) {
            let names: Vec<&str> = self.names.observers.iter().map(|name| &**name).collect();
            checks::no_observer(cx, name, &names);
        }
    }

    /// An event, or the label of a group with or without a number.
    fn sign(&self, cx: &mut Context<'w>, sign: &'w ast::Symbol) {
        let reference = match sign {
            ast::Symbol::Ref(reference) => reference,
            ast::Symbol::Numbered { label, .. } => return self.indices(cx, label),
            ast::Symbol::Anonymous { .. } => return,
        };
        let text = cx.text(&reference.name);
        let is_label = label_readings(&text).any(|(label, _)| self.names.labels.contains(label));
        match is_label && reference.member().is_none() {
            true => self.indices(cx, reference),
            false => self.reference(cx, Kind::Event, reference),
        }
    }

    fn set(&self, cx: &mut Context<'w>, kind: Kind, set: &'w SetExpr) {
        for term in set.terms() {
            match term {
                SetExpr::Ref(reference) => self.reference(cx, kind, reference),
                SetExpr::Builtin(word) if sets::kind_of(word.value) != kind => {
                    cx.fault(sets::wrong_builtin(word.value, kind, word.span));
                }
                _ => {}
            }
        }
    }

    fn indices(&self, cx: &mut Context<'w>, reference: &Ref) {
        reference.expressions().for_each(|index| cx.rehearse_integer(index));
    }

    fn reference(&self, cx: &mut Context<'w>, kind: Kind, reference: &'w Ref) {
        match (&self.names.parts, kind) {
            (None, _) => self.flat(cx, kind, reference),
            (Some(parts), Kind::State) => self.part_of(cx, parts, reference, true),
            (Some(parts), Kind::Event) => self.shared(cx, parts, reference),
        }
    }

    fn flat(&self, cx: &mut Context<'w>, kind: Kind, reference: &'w Ref) {
        self.indices(cx, reference);
        if let Some(member) = reference.member() {
            return component::without_parts(cx, &self.owner, reference, member);
        }
        let states = &self.names.states;
        let lookup = match (kind, &self.names.events) {
            (Kind::State, None) => Lookup { table: states, others: &[], owner: &self.owner },
            (Kind::State, Some(events)) => Lookup { table: states, others: &[events], owner: &self.owner },
            (Kind::Event, Some(events)) => Lookup { table: events, others: &[states], owner: &self.owner },
            (Kind::Event, None) => return,
        };
        lookup.knows(cx, reference);
    }

    /// An event of a composition, in any part.
    fn shared(&self, cx: &mut Context<'w>, parts: &Parts<'w>, reference: &'w Ref) {
        self.indices(cx, reference);
        if let Some(member) = reference.member() {
            return cx.fault(parts::event_of_part(reference.span(), &cx.written(member)));
        }
        let is_whole = parts.is_whole && !cx.items.incomplete;
        if let Some(events) = self.names.events.as_ref().filter(|_| is_whole) {
            Lookup { table: events, others: &[&parts.table], owner: "any part" }.knows(cx, reference);
        }
    }

    /// A part of a composition, and its state if one is expected.
    fn part_of(&self, cx: &mut Context<'w>, parts: &Parts<'w>, reference: &'w Ref, wants_state: bool) {
        self.indices(cx, reference);
        let is_global = reference.name.kind == NameKind::Quoted && reference.rest.is_none();
        let owner = "this composition";
        if is_global || !(Lookup { table: &parts.table, others: &[], owner }).knows(cx, reference) {
            return;
        }
        let base = cx.text(&reference.name);
        let part = parts.table.names.find(&base).or_else(|| parts.table.family(&base).map(|members| members[0]));
        let item = part.and_then(|part| parts.components.get(part as usize).copied().flatten());
        let Some(item) = item else { return };
        let ComponentKind::Written { file, params, body, .. } = &item.kind else { return };
        let body = Body { file, name: item.span, params, statements: body };
        let Some(names) = self.library.names(cx, body) else { return };
        match (reference.member(), &names.parts) {
            (Some(member), Some(inner)) => self.part_of(cx, inner, member, wants_state),
            (Some(member), None) => {
                self.indices(cx, member);
                let owner = item.owner();
                Lookup { table: &names.states, others: &[], owner: &owner }.knows(cx, member);
            }
            (None, _) if wants_state => {
                let example = names.states.names.iter().next().unwrap_or(Cow::Borrowed("state"));
                let (name, at) = (cx.written(reference), reference.span());
                cx.fault(parts::part_for_state(&name, at, None, &spelling::member(&example)));
            }
            (None, _) => {}
        }
    }
}

fn was_walked(cx: &Context<'_>, block: &[Stmt]) -> bool {
    key(block).is_none_or(|key| cx.walked.contains(&key))
}
