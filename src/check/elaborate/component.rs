//! A body without `compose`: a flat system, or a component with its arguments.
//!
//! Two passes over the statements. The first one declares states and events, so that a name may be used before the line that
//! declares it. The second one reads everything else, in order; the built-in sets (`events`, `observable`, ...) denote
//! what is declared above the line.

use crate::automaton::{Automaton, EventId, StateId, Step};
use crate::check::context::{Bindings, Context};
use crate::check::deadline;
use crate::check::deferred::defer;
use crate::check::lint::transitions as lint;
use crate::check::observe::observability::{self, ObservabilityDecls};
use crate::check::resolve::names::{Lookup, Table};
use crate::check::resolve::sets::{self, Kind, Scope, Set};
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::{Place, Transition};
use crate::source::{FileId, Span};
use crate::syntax::ast::{Builtin, Ref, SetExpr, Stmt, StmtKind, statements};
use crate::syntax::spelling;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A body in progress.
#[derive(Debug)]
pub(in crate::check) struct ComponentBuilder<'w> {
    /// "system `Door`", "component `Mix`".
    pub owner: String,
    file: FileId,
    pub body: &'w [Stmt],
    pub is_system: bool,
    pub states: Table,
    pub events: Table,
    /// The initial states of all statements; in order once the body is complete.
    pub initial: Option<Set>,
    pub decls: ObservabilityDecls,
    /// The secret states of each statement.
    pub secrets: Vec<(Span, Set)>,
    /// The states in which a run may end.
    finals: Vec<u32>,
    pub transitions: Vec<Transition>,
    /// Deferred statements with the bound indices: observers, checks, measures.
    pub deferred: Vec<(&'w Stmt, Bindings<'w>)>,
    docs: Vec<(Place, String)>,
    /// The spans in `docs`.
    documented: FxHashSet<Span>,
    /// The number of states and events after each declaration, in the order of the first pass.
    counts: std::collections::VecDeque<(u32, u32)>,
    /// The number of states and events declared above the current line of the second pass.
    so_far: (u32, u32),
    /// Whether the events come from the transitions, because none are declared.
    implicit: bool,
    pub is_monitor: bool,
}

/// An elaborated body: its frozen automaton and its names.
#[derive(Debug)]
pub(in crate::check) struct Component {
    pub file: FileId,
    pub states: Table,
    pub events: Table,
    pub automaton: Arc<Automaton>,
    /// The span of each transition, by id.
    pub places: Vec<Place>,
    pub decls: ObservabilityDecls,
    /// For each event whether it is observable, and the declaration; `None` without a declaration.
    pub opinions: Vec<Option<(bool, Span)>>,
    pub secrets: Vec<(Span, Set)>,
    /// The states in which a run may end, sorted.
    pub finals: Vec<u32>,
    pub docs: Vec<(Place, String)>,
    /// Whether it only watches: it has a transition for each of its events in each state.
    pub is_monitor: bool,
}

/// Elaborates a body. `owner` is its name in messages.
pub(in crate::check) fn read<'w>(
    cx: &mut Context<'w>,
    owner: String,
    is_system: bool,
    name: Span,
    body: &'w [Stmt],
) -> ComponentBuilder<'w> {
    cx.tick(1, deadline::BODY, name);
    let implicit = !is_system && !contains(body, &|kind| matches!(kind, StmtKind::Events(_)));
    let mut builder = ComponentBuilder {
        owner,
        file: name.file,
        body,
        is_system,
        states: Table::new("state", name.file),
        events: Table::new("event", name.file),
        initial: None,
        decls: ObservabilityDecls::default(),
        secrets: Vec::new(),
        finals: Vec::new(),
        transitions: Vec::new(),
        deferred: Vec::new(),
        docs: Vec::new(),
        documented: FxHashSet::default(),
        counts: Default::default(),
        so_far: (0, 0),
        implicit,
        is_monitor: false,
    };
    // WHY: a loop of transitions is long, and declares nothing.
    let declares = |kind: &StmtKind| match kind {
        StmtKind::States(_) | StmtKind::Events(_) => true,
        StmtKind::Transition(_) => implicit,
        _ => false,
    };
    for stmt in body.iter().map(std::slice::from_ref).filter(|stmt| contains(stmt, &declares)) {
        cx.walk(stmt, &mut |cx, stmt| builder.declare(cx, stmt));
    }
    if builder.implicit {
        builder.so_far.1 = builder.events.len();
    }
    let undeclared = is_system && builder.events.len() == 0;
    if undeclared {
        no_events(cx, name, &builder, body);
    }
    cx.walk(body, &mut |cx, stmt| builder.take(cx, stmt));
    builder.complete(cx, name, body);
    builder
}

/// Whether a statement of a body, at any depth, satisfies a predicate.
pub(in crate::check) fn contains(body: &[Stmt], wanted: &dyn Fn(&StmtKind) -> bool) -> bool {
    statements(body).any(|stmt| wanted(&stmt.kind))
}

impl<'w> ComponentBuilder<'w> {
    /// The first pass.
    fn declare(&mut self, cx: &mut Context<'w>, stmt: &'w Stmt) {
        match &stmt.kind {
            StmtKind::States(names) => {
                declare_all(cx, &mut self.states, names);
                if stmt.docs.is_some() && self.documented.insert(stmt.span) {
                    self.docs.push((place(stmt.span), wording::docs(&stmt.docs, cx.file).join("\n")));
                }
            }
            StmtKind::Events(names) => declare_all(cx, &mut self.events, names),
            StmtKind::Transition(chain) if self.implicit => {
                chain.steps().for_each(|arrow| self.declare_used(cx, arrow.events));
                return;
            }
            _ => return,
        }
        self.counts.push_back((self.states.len(), self.events.len()));
    }

    /// Declares the events of an arrow in a body without `events`.
    fn declare_used(&mut self, cx: &mut Context<'w>, events: &SetExpr) {
        for reference in events.names() {
            let at = place(reference.span());
            let table = &mut self.events;
            cx.members(reference, &mut |_, name| {
                let _ = table.declare(name, at);
            });
        }
    }

    /// The second pass.
    fn take(&mut self, cx: &mut Context<'w>, stmt: &'w Stmt) {
        match &stmt.kind {
            StmtKind::States(_) | StmtKind::Events(_) => {
                let (states, events) = self.counts.pop_front().unwrap_or((self.states.len(), self.events.len()));
                self.so_far = (states, if self.implicit { self.events.len() } else { events });
            }
            StmtKind::Transition(chain) => {
                chain.steps().for_each(|arrow| self.arrow(cx, arrow));
                chain.steps().skip(1).for_each(|arrow| lint::over_a_line(cx, arrow.source));
            }
            StmtKind::Initial(set) => {
                let found = sets::evaluate(cx, self, Kind::State, set);
                let initial = self.initial.get_or_insert(Set { ids: Vec::new(), sound: true });
                initial.ids.extend(found.ids);
                initial.sound &= found.sound;
            }
            StmtKind::Secret(set) => {
                let found = sets::evaluate(cx, self, Kind::State, set);
                if cx.tick(1, deadline::STATEMENT + 4 * found.ids.len() as u64, stmt.span) {
                    self.secrets.push((set.span(), found));
                }
            }
            StmtKind::Final(set) => {
                let found = sets::evaluate(cx, self, Kind::State, set);
                self.finals.extend(found.ids);
            }
            StmtKind::Observer(_) | StmtKind::Check(_) | StmtKind::Measure(_) | StmtKind::Lever(_)
                if self.is_system =>
            {
                defer(cx, stmt, &mut self.deferred);
            }
            StmtKind::Observable(_) | StmtKind::Unobservable(_) | StmtKind::Anonymous(_) => {
                if let Some(declaration) = observability::declaration(cx, self, stmt) {
                    self.decls.take(cx, declaration);
                }
            }
            _ => cx.fault(misplaced(stmt, &self.owner)),
        }
    }

    /// Checks of the whole body.
    fn complete(&mut self, cx: &mut Context<'w>, name: Span, body: &[Stmt]) {
        self.decls.settle();
        self.initial = self.initial.take().map(|set| Set::of(set.ids, set.sound));
        let unreadable = contains(body, &|kind| matches!(kind, StmtKind::Error));
        cx.is_guess |= unreadable;
        if unreadable || cx.is_exhausted() {
            return;
        }
        if self.states.len() == 0 {
            let is_wanted = !contains(body, &|kind| matches!(kind, StmtKind::States(_)));
            if is_wanted {
                cx.fault(no_states(&self.owner, name));
            }
        } else if self.initial.is_none() {
            let first = self.states.names.get(0);
            let first = spelling::member(&first);
            cx.fault(no_initial(&self.owner, name, &first, self.states.end));
        } else if self.initial.as_ref().is_some_and(|set| set.sound && set.ids.is_empty()) {
            let at = body.iter().find_map(|stmt| match &stmt.kind {
                StmtKind::Initial(set) => Some(set.span()),
                _ => None,
            });
            cx.fault(empty_initial(&self.owner, at.unwrap_or(name)));
        }
    }

    /// A built-in set at the current line of the second pass.
    fn word(&self, word: Builtin) -> Vec<u32> {
        let ((states, events), decls) = (self.so_far, &self.decls);
        match word {
            Builtin::States => (0..states).collect(),
            Builtin::Events => (0..events).collect(),
            Builtin::Initial => self.initial.as_ref().map_or_else(Vec::new, |set| sets::sorted(set.ids.clone())),
            Builtin::Secret => self.secret().unwrap_or_default(),
            Builtin::Observable => decls.observable(events),
            Builtin::Unobservable => {
                let seen = decls.observable(events);
                sets::difference(&(0..events).collect::<Vec<_>>(), &seen)
            }
            Builtin::Anonymous => decls.anonymous(),
        }
    }

    /// All secret states, if any are declared.
    pub fn secret(&self) -> Option<Vec<u32>> {
        united(&self.secrets)
    }

    pub fn freeze(mut self, cx: &mut Context<'w>) -> (Component, Vec<(&'w Stmt, Bindings<'w>)>) {
        let initial = self.initial.map(|set| set.ids).unwrap_or_default();
        let key = |t: &Transition| (t.source, t.event, t.target, t.place.start, t.place.end);
        if cx.deadline.stopped().is_some() {
            // WHY: who is left needs no table, and making one takes as long as reading it did.
            self.transitions = Vec::new();
        } else if !self.transitions.is_sorted_by_key(key) {
            self.transitions.sort_unstable_by_key(key);
        }
        lint::repeats(cx, &self.transitions, self.body, self.file);
        self.docs.sort_unstable_by_key(|(at, _)| at.start);
        self.transitions.dedup_by_key(|t| (t.source, t.event, t.target));
        let steps = self
            .transitions
            .iter()
            .map(|t| (StateId(t.source), Step { event: EventId(t.event), target: StateId(t.target) }));
        let automaton = Automaton::from_sorted(self.states.names.len(), self.events.names.len(), initial, steps);
        let component = Component {
            file: self.file,
            automaton: Arc::new(automaton),
            places: self.transitions.iter().map(|t| t.place).collect(),
            opinions: self.decls.opinions(self.events.len()),
            states: self.states,
            events: self.events,
            decls: self.decls,
            secrets: self.secrets,
            finals: sets::sorted(self.finals),
            docs: self.docs,
            is_monitor: self.is_monitor,
        };
        (component, self.deferred)
    }
}

/// The union of the sets of several statements; `None` without statements.
pub(in crate::check) fn united(statements: &[(Span, Set)]) -> Option<Vec<u32>> {
    let all = || statements.iter().flat_map(|(_, set)| set.ids.iter().copied()).collect();
    (!statements.is_empty()).then(|| sets::sorted(all()))
}

impl Scope for ComponentBuilder<'_> {
    fn reference(&self, cx: &mut Context<'_>, kind: Kind, reference: &Ref, out: &mut Vec<u32>) -> bool {
        flat_reference(cx, &self.owner, (&self.states, &self.events), kind, reference, out)
    }

    fn builtin(&self, word: Builtin) -> Vec<u32> {
        self.word(word)
    }

    fn is_early(&self, word: Builtin) -> bool {
        match word {
            Builtin::States => self.so_far.0 == 0 && self.states.len() > 0,
            Builtin::Events => self.so_far.1 == 0 && self.events.len() > 0,
            Builtin::Observable => self.decls.is_silent() && self.is_early(Builtin::Events),
            _ => false,
        }
    }
}

/// A reference in a body without parts.
pub(in crate::check) fn flat_reference(
    cx: &mut Context<'_>,
    owner: &str,
    (states, events): (&Table, &Table),
    kind: Kind,
    reference: &Ref,
    out: &mut Vec<u32>,
) -> bool {
    let (table, other) = if kind == Kind::State { (states, events) } else { (events, states) };
    if let Some(member) = reference.member() {
        without_parts(cx, owner, reference, member);
        return false;
    }
    Lookup { table, others: &[other], owner }.resolve(cx, reference, out)
}

fn declare_all(cx: &mut Context<'_>, table: &mut Table, names: &[Ref]) {
    let is_first = table.end.is_none();
    for reference in names {
        let at = place(reference.span());
        if let Some(member) = reference.member() {
            let span = member.span();
            cx.fault(dotted(table.kind, span));
            continue;
        }
        let limit = cx.limits.states;
        let mut too_many = false;
        cx.declaring = true;
        let expanded = cx.members(reference, &mut |cx, name| {
            if table.len() as usize >= limit {
                too_many = true;
            } else if !cx.tick(0, deadline::NAME + name.len() as u64, reference.span()) {
            } else if let Err(first) = table.declare(name, at)
                && first != at
            {
                let first = first.span(reference.span().file);
                cx.fault(declared_twice(table.kind, name, reference.span(), first));
            }
        });
        cx.declaring = false;
        if !expanded || too_many {
            let base = cx.text(&reference.name);
            cx.suppress(table.kind, &base);
        }
        if too_many {
            cx.fault(too_many_names(table.kind, reference.span(), limit));
        }
        if is_first {
            table.end = Some(reference.span().after());
        }
    }
}

pub(in crate::check) fn place(span: Span) -> Place {
    Place { start: span.start, end: span.end }
}

/// Reports a flat system without declared events, once.
fn no_events(cx: &mut Context<'_>, name: Span, builder: &ComponentBuilder<'_>, body: &[Stmt]) {
    let unreadable = contains(body, &|kind| matches!(kind, StmtKind::Error));
    let declared = contains(body, &|kind| matches!(kind, StmtKind::Events(_)));
    let mut used: Vec<String> = Vec::new();
    for stmt in body {
        let StmtKind::Transition(chain) = &stmt.kind else { continue };
        for reference in chain.steps().flat_map(|arrow| arrow.events.names()) {
            let written = cx.written(reference);
            if used.len() < 50 && !used.contains(&written) {
                used.push(written);
            }
        }
    }
    if unreadable || declared || used.is_empty() {
        return;
    }
    cx.silence_all("event");
    cx.fault(undeclared_events(&builder.owner, name, &used, builder.states.end));
}

fn undeclared_events(owner: &str, name: Span, used: &[String], after: Option<Span>) -> Diagnostic {
    let list = used.join(", ");
    let fault = Diagnostic::new(Code::E0411, name, format!("{owner} declares no events"))
        .label("its transitions use some")
        .help(format!("declare them: `events {list};`"));
    match after {
        // After the last name of `states` comes a `;`: the new statement goes in front of it.
        Some(after) => fault.fix("declare the events", after, format!(";\n    events {list}")),
        None => fault,
    }
}

fn no_states(owner: &str, name: Span) -> Diagnostic {
    Diagnostic::new(Code::E0402, name, format!("{owner} has no states"))
        .label("no states are declared here")
        .help("declare them: `states A, B;`")
}

fn no_initial(owner: &str, name: Span, first: &str, after: Option<Span>) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0403, name, format!("{owner} has no initial state"))
        .label("no run can start")
        .help(format!("declare one: `initial {first};`"));
    match after {
        Some(after) => fault.fix(format!("start at `{first}`"), after, format!(";\n    initial {first}")),
        None => fault,
    }
}

fn empty_initial(owner: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0403, at, format!("{owner} has no initial state"))
        .label("this set is empty")
        .help("name at least one state that was declared above")
}

fn declared_twice(kind: &str, name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0203, again, format!("the {kind} `{name}` is declared twice"))
        .label("declared again here")
        .also(first, "first declared here")
        .help("remove one of the two")
}

fn too_many_names(kind: &str, at: Span, limit: usize) -> Diagnostic {
    Diagnostic::new(Code::E0412, at, format!("too many {kind}s: the limit is {}", wording::grouped(limit as u64)))
        .label("exceeds the limit")
        .help("make the family smaller, or raise the limit: `--max-states N`")
}

fn dotted(kind: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0401, at, format!("{} is declared with a plain name", wording::with_article(kind)))
        .label("a `.` selects a part of a composition")
        .help("remove the `.` and the name after it")
}

/// Reports that there are no parts, unless a `compose` with an error may have declared them.
pub(in crate::check) fn without_parts(cx: &mut Context<'_>, owner: &str, reference: &Ref, member: &Ref) {
    if !cx.is_silenced("part", &cx.text(&reference.name)) {
        let (name, alone) = (cx.text(&reference.name), cx.written(member));
        cx.fault(no_parts(owner, &name, reference.span(), &alone));
    }
}

fn no_parts(owner: &str, name: &str, at: Span, alone: &str) -> Diagnostic {
    Diagnostic::new(Code::E0201, at, format!("unknown part `{name}`"))
        .label(format!("{owner} is not composed of parts"))
        .help(format!("name the state alone: `{alone}`"))
}

/// A misplaced statement.
pub(in crate::check) fn misplaced(stmt: &Stmt, owner: &str) -> Diagnostic {
    let out = if owner.starts_with("observer") {
        "move it out of the observer"
    } else {
        "move it into the `system` that uses this component"
    };
    let (what, help) = match &stmt.kind {
        StmtKind::Check(_) => ("a check", out),
        StmtKind::Measure(_) => ("a measure", out),
        StmtKind::Observer(_) => ("an observer", out),
        StmtKind::Lever(_) => ("a lever", out),
        StmtKind::States(_) | StmtKind::Events(_) => ("a declaration", "move it before the observer"),
        StmtKind::Transition(_) => ("a transition", "move it before the observer"),
        StmtKind::Initial(_) | StmtKind::Secret(_) | StmtKind::Final(_) => {
            ("a set of states", "an observer declares only `observable`, `unobservable` and `anonymous`")
        }
        _ => ("this statement", "move it to where it belongs"),
    };
    Diagnostic::new(Code::E0401, stmt.span, format!("{what} is not allowed in {owner}"))
        .label("not allowed here")
        .help(help)
}

/// Whether a body composes parts.
pub(in crate::check) fn composes(body: &[Stmt]) -> bool {
    contains(body, &|kind| matches!(kind, StmtKind::Compose(_)))
}
