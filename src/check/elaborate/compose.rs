//! `compose`: from components and arguments to a tree of parts, whose leaves are the operands of the product.
//!
//! A component is elaborated once per list of arguments and shared. Composed parts are
//! inner nodes; the product uses only the leaves, because composition is associative.

use crate::automaton::EventId;
use crate::check::context::{Bindings, Context};
use crate::check::deadline;
use crate::check::deferred::{Deferred, defer};
use crate::check::elaborate::component::{self, Component, contains, misplaced};
use crate::check::elaborate::foreign;
use crate::check::elaborate::monitor;
use crate::check::elaborate::naming::Placed;
use crate::check::load::items::{ComponentItem, ComponentKind, ItemId};
use crate::check::observe::observability;
use crate::check::resolve::expand::mentions;
use crate::check::resolve::names::Table;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::Foreign;
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{self, Stmt, StmtKind};
use crate::syntax::spelling;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximal nesting depth of parts.
const DEPTH: usize = 64;

/// A part: a leaf, or a composition of parts.
#[derive(Debug)]
pub(in crate::check) enum Node<'w> {
    Component(usize),
    Inner(Box<Inner<'w>>),
    /// A part with an error, which was reported.
    Broken,
}

/// A composition.
#[derive(Debug)]
pub(in crate::check) struct Inner<'w> {
    pub parts: Table,
    /// Indexed by the ids of their names.
    pub children: Vec<Node<'w>>,
    /// The other statements of the body: `observable`, `anonymous`, `secret`, ...
    pub own: Deferred<'w>,
    pub file: &'w SourceFile,
    pub at: Span,
}

impl Inner<'_> {
    /// Whether no part has an error.
    fn is_whole(&self) -> bool {
        self.children.iter().all(|child| match child {
            Node::Component(_) => true,
            Node::Inner(inner) => inner.is_whole(),
            Node::Broken => false,
        })
    }
}

#[derive(Debug)]
pub(in crate::check) struct Tree<'w> {
    pub root: Inner<'w>,
    pub components: Vec<Placed>,
    pub events: Table,
    pub deferred: Deferred<'w>,
    /// Whether no part has an error.
    pub sound: bool,
}

pub(in crate::check) fn read<'w>(cx: &mut Context<'w>, owner: &str, name: Span, body: &'w [Stmt]) -> Tree<'w> {
    let before = cx.faults.errors();
    let mut maker = Maker {
        components: Vec::new(),
        events: Table::new("event", name.file),
        made: FxHashMap::default(),
        open: Vec::new(),
    };
    let mut deferred = Vec::new();
    let root = maker.inner(cx, owner, name, body, "", Some(&mut deferred));
    let whole = root.is_whole();
    if whole && cx.faults.errors() == before {
        monitor::watch_something(cx, &maker.components, &maker.events);
    }
    if !whole {
        // A part that could not be made may be the one that declares an event, or the secret.
        cx.silence_all("event");
        cx.silence_all("secret");
    }
    let sound = cx.faults.errors() == before && whole;
    Tree { root, components: maker.components, events: maker.events, deferred, sound }
}

/// Checks the components that no system uses. Parameters are 1,
/// so errors that depend on values are ignored.
pub(in crate::check) fn probe(cx: &mut Context<'_>) {
    for component in 0..cx.items.components.len() {
        if cx.instantiated.contains(&component) || cx.is_exhausted() {
            continue;
        }
        let ComponentKind::Written { file, params, body, .. } = &cx.items.components[component].kind else { continue };
        let item = &cx.items.components[component];
        let known = std::mem::take(&mut cx.faults);
        let mut maker = Maker {
            components: Vec::new(),
            events: Table::new("event", item.span.file),
            made: FxHashMap::default(),
            open: Vec::new(),
        };
        let bindings = params.iter().map(|param| (param.text(file), 1)).collect();
        maker.open.push((component, item.span));
        maker.within(cx, file, bindings, body, |maker, cx| {
            maker.written(cx, item, (component, Vec::new()), body, String::new())
        });
        let found = std::mem::replace(&mut cx.faults, known).into_sorted();
        let is_certain =
            |code: Code| matches!(&code.as_str()[..3], "E02" | "E04") && code != Code::E0414 || code == Code::E0302;
        found.into_iter().filter(|fault| is_certain(fault.code)).for_each(|fault| cx.fault(fault));
    }
}

struct Maker {
    components: Vec<Placed>,
    events: Table,
    /// The elaborated leaves, by component and arguments.
    made: FxHashMap<(usize, Vec<i64>), Arc<Component>>,
    /// The components in progress, with the span that refers to each.
    open: Vec<(usize, Span)>,
}

impl Maker {
    /// Elaborates a body with `compose`. `deferred` is present for a system, which may have checks.
    fn inner<'w>(
        &mut self,
        cx: &mut Context<'w>,
        owner: &str,
        name: Span,
        body: &'w [Stmt],
        path: &str,
        mut deferred: Option<&mut Deferred<'w>>,
    ) -> Inner<'w> {
        cx.tick(1, deadline::COMPOSITION, name);
        let parts = Table::new("part", name.file);
        let mut inner = Inner { parts, children: Vec::new(), own: Vec::new(), file: cx.file, at: name };
        let mut first = None;
        let before = cx.faults.errors();
        cx.walk(body, &mut |cx, stmt| match &stmt.kind {
            StmtKind::Compose(parts) => {
                first.get_or_insert(stmt.span);
                for part in parts {
                    self.part(cx, part, path, &mut inner);
                }
            }
            StmtKind::Observable(_)
            | StmtKind::Unobservable(_)
            | StmtKind::Anonymous(_)
            | StmtKind::Secret(_)
            | StmtKind::Final(_) => {
                defer(cx, stmt, &mut inner.own);
            }
            StmtKind::Observer(_) | StmtKind::Check(_) | StmtKind::Measure(_) | StmtKind::Lever(_) => {
                match &mut deferred {
                    Some(deferred) => defer(cx, stmt, deferred),
                    None => cx.fault(misplaced(stmt, owner)),
                }
            }
            _ => own_statement(cx, stmt, owner, body),
        });
        inner.at = first.unwrap_or(name);
        let unreadable = contains(body, &|kind| matches!(kind, StmtKind::Error));
        if inner.children.is_empty() && first.is_some() && !unreadable && cx.faults.errors() == before {
            cx.fault(empty(owner, inner.at));
        }
        inner
    }

    /// `u[i] = User(i) for i in 1..N`: one part per index.
    fn part<'w>(&mut self, cx: &mut Context<'w>, part: &'w ast::Part, path: &str, inner: &mut Inner<'w>) {
        let component = component(cx, &part.component);
        if component.is_none() {
            self.poison(cx, part, inner);
            return;
        }
        let (errors, children) = (cx.faults.errors(), inner.children.len());
        cx.repeated(&part.binders, part.guard.as_ref(), &mut |cx| {
            let Some(name) = one_name(cx, part) else { return };
            let at = component::place(part.name.span());
            let bytes = deadline::PART + deadline::NAME + (name.len() + path.len()) as u64;
            if !cx.tick(1, bytes, part.span) {
                return;
            }
            if let Err(first) = inner.parts.declare(&name, at) {
                let first = first.span(part.span.file);
                let base = cx.text(&part.name.name).into_owned();
                cx.suppress("part", &base);
                return cx.fault(part_twice(&name, part.name.span(), first));
            }
            let written = spelling::member(&name).into_owned();
            let path = if path.is_empty() { written } else { format!("{path}.{written}") };
            let node = match component {
                Some(component) => self.instance(cx, component, part, path),
                None => Node::Broken,
            };
            inner.children.push(node);
        });
        let doubtful = |name: &ast::Name| {
            let text = cx.text(name);
            let has_value = |at: usize| cx.items.consts[at].value.get().is_some();
            match cx.items.find(&text) {
                Some((ItemId::Const(at), _)) => !has_value(at),
                Some(_) => false,
                None => cx.items.is_doubtful(&text),
            }
        };
        let in_doubt =
            part.binders.iter().any(|binder| [&binder.low, &binder.high].iter().any(|end| mentions(end, &doubtful)));
        if (cx.faults.errors() > errors || in_doubt) && inner.children.len() == children {
            // WHY: the fault that kept the part out has been told; who names the part later is not to blame.
            let base = cx.text(&part.name.name).into_owned();
            cx.suppress("part", &base);
        }
    }

    /// Declares the names of parts whose component is unknown, to suppress follow-up errors.
    fn poison<'w>(&mut self, cx: &mut Context<'w>, part: &'w ast::Part, inner: &mut Inner<'w>) {
        cx.repeated(&part.binders, part.guard.as_ref(), &mut |cx| {
            if let Some(name) = one_name(cx, part)
                && inner.parts.declare(&name, component::place(part.name.span())).is_ok()
            {
                inner.children.push(Node::Broken);
            }
        });
    }

    fn instance<'w>(&mut self, cx: &mut Context<'w>, component: usize, part: &'w ast::Part, path: String) -> Node<'w> {
        let item: &'w ComponentItem<'w> = &cx.items.components[component];
        cx.instantiated.insert(component);
        let arguments: Vec<Option<i64>> = part.arguments.iter().map(|argument| cx.integer(argument)).collect();
        if !takes(cx, item, part) {
            return Node::Broken;
        }
        let Some(arguments) = arguments.into_iter().collect::<Option<Vec<i64>>>() else { return Node::Broken };
        match &item.kind {
            ComponentKind::Written { file, params, body, .. } => {
                if let Some((_, first)) = self.open.iter().find(|(other, _)| *other == component) {
                    cx.fault(contains_itself(item, part.component.span, *first));
                    return Node::Broken;
                }
                if self.open.len() >= DEPTH {
                    cx.fault(too_deep(part.span));
                    return Node::Broken;
                }
                self.open.push((component, part.component.span));
                let bindings = params.iter().map(|param| param.text(file)).zip(arguments.iter().copied()).collect();
                let node = self.within(cx, file, bindings, body, |maker, cx| {
                    maker.written(cx, item, (component, arguments), body, path)
                });
                self.open.pop();
                node
            }
            ComponentKind::Foreign(model) => self.foreign(cx, component, model, path, item.span),
            ComponentKind::Broken => Node::Broken,
        }
    }

    /// Runs a function in the scope of a component: its file, parameters and names.
    fn within<'w>(
        &mut self,
        cx: &mut Context<'w>,
        file: &'w SourceFile,
        bindings: Bindings<'w>,
        body: &'w [Stmt],
        act: impl FnOnce(&mut Maker, &mut Context<'w>) -> Node<'w>,
    ) -> Node<'w> {
        let outer = (std::mem::replace(&mut cx.file, file), std::mem::replace(&mut cx.bindings, bindings));
        let quiet = cx.enter(body);
        let node = act(self, cx);
        cx.leave(body, quiet);
        (cx.file, cx.bindings) = outer;
        node
    }

    fn written<'w>(
        &mut self,
        cx: &mut Context<'w>,
        item: &'w ComponentItem<'w>,
        key: (usize, Vec<i64>),
        body: &'w [Stmt],
        path: String,
    ) -> Node<'w> {
        if let Some(component) = self.made.get(&key) {
            let component = Arc::clone(component);
            return self.place(cx, component, path, item.span);
        }
        let owner = item.owner();
        if component::composes(body) {
            if item.is_monitor() {
                cx.fault(monitor::of_parts(&owner, item.span, body));
                return Node::Broken;
            }
            return Node::Inner(Box::new(self.inner(cx, &owner, item.span, body, &path, None)));
        }
        let mut builder = component::read(cx, owner, false, item.span, body);
        if item.is_monitor() {
            monitor::complete(cx, &mut builder, item.span);
        }
        observability::split(cx, &builder.decls, &builder.events);
        let component = Arc::new(builder.freeze(cx).0);
        self.made.insert(key, Arc::clone(&component));
        self.place(cx, component, path, item.span)
    }

    /// Adds a leaf and its events.
    fn place<'w>(&mut self, cx: &mut Context<'w>, component: Arc<Component>, path: String, at: Span) -> Node<'w> {
        let n_events = u64::from(component.events.len());
        if !cx.spend(1 + n_events, at) || !cx.tick(0, size_of::<EventId>() as u64 * n_events, at) {
            return Node::Broken;
        }
        let shared = |(id, name): (usize, std::borrow::Cow<'_, str>)| {
            EventId(self.events.share(&name, component.events.span(id as u32)))
        };
        let events = component.events.names.iter().enumerate().map(shared).collect();
        self.components.push(Placed { path, component, events });
        Node::Component(self.components.len() - 1)
    }

    fn foreign<'w>(
        &mut self,
        cx: &mut Context<'w>,
        component: usize,
        model: &'w Foreign,
        path: String,
        at: Span,
    ) -> Node<'w> {
        if model.parts.len() == 1 {
            return match self.foreign_leaf(cx, component, model, 0, at) {
                Some(component) => self.place(cx, component, path, at),
                None => Node::Broken,
            };
        }
        let mut inner =
            Inner { parts: Table::new("part", at.file), children: Vec::new(), own: Vec::new(), file: cx.file, at };
        for (number, part) in model.parts.iter().enumerate() {
            let name = &part.name;
            inner.parts.share(name, Some(Span::new(part.file, 0, 0)));
            let Some(component) = self.foreign_leaf(cx, component, model, number, at) else { return Node::Broken };
            let node = self.place(cx, component, format!("{path}.{}", spelling::member(name)), at);
            inner.children.push(node);
        }
        Node::Inner(Box::new(inner))
    }

    /// The leaf of a part of a foreign model. None: there is no time or memory for it.
    fn foreign_leaf(
        &mut self,
        cx: &mut Context<'_>,
        component: usize,
        model: &Foreign,
        number: usize,
        at: Span,
    ) -> Option<Arc<Component>> {
        let key = (component, vec![number as i64]);
        if let Some(known) = self.made.get(&key) {
            return Some(Arc::clone(known));
        }
        let part = &model.parts[number];
        let (states, transitions) = (part.states.len() as u64, part.transitions.len() as u64);
        let bytes = deadline::NAME * (states + part.events.len() as u64) + deadline::TRANSITION * transitions;
        if !cx.tick(1 + (states + transitions) / 4, bytes, at) {
            return None;
        }
        let component = Arc::new(foreign::component(part));
        self.made.insert(key, Arc::clone(&component));
        Some(component)
    }
}

pub(in crate::check) fn component(cx: &mut Context<'_>, name: &ast::Name) -> Option<usize> {
    let text = cx.text(name);
    match cx.items.find(&text) {
        Some((ItemId::Component(at), _)) => Some(at),
        Some((other, declared)) => {
            any_is_meant(cx);
            cx.fault(not_a_component(&text, other.kind(), name.span, declared));
            None
        }
        None => {
            if !cx.items.is_doubtful(&text) && !cx.is_silenced("component", &text) {
                let names = cx.items.components.iter().map(|component| component.name.as_str());
                let nearest = cx.near.nearest(&text, names);
                cx.suppress("component", &text);
                any_is_meant(cx);
                cx.fault(unknown_component(&text, name.span, nearest.as_deref()));
            }
            None
        }
    }
}

/// An unknown component was used: no component is reported as unused.
fn any_is_meant(cx: &mut Context<'_>) {
    let names = cx.items.components.iter().map(|component| component.name.clone());
    cx.meant.extend(names);
}

/// Whether the number of arguments matches; an error if not.
pub(in crate::check) fn takes(cx: &mut Context<'_>, item: &ComponentItem<'_>, part: &ast::Part) -> bool {
    let n_params = match &item.kind {
        ComponentKind::Written { params, .. } => params.len(),
        ComponentKind::Broken => part.arguments.len(),
        ComponentKind::Foreign(_) => 0,
    };
    let fits = part.arguments.len() == n_params;
    if !fits {
        cx.fault(wrong_count(item, n_params, part));
    }
    fits
}

/// The name of a part with evaluated indices.
fn one_name(cx: &mut Context<'_>, part: &ast::Part) -> Option<String> {
    let mut names = Vec::new();
    let sound = cx.members(&part.name, &mut |_, name| names.push(name.to_owned()));
    match (sound, names.len()) {
        (true, 1) => names.pop(),
        (true, _) => {
            cx.fault(several_names(part.name.span()));
            None
        }
        _ => None,
    }
}

/// A composition with states, events or transitions of its own: reported once.
pub(in crate::check) fn own_statement(cx: &mut Context<'_>, stmt: &Stmt, owner: &str, body: &[Stmt]) {
    const KIND: &str = "a statement of its own";
    if !cx.is_silenced(KIND, "") {
        cx.suppress(KIND, "");
        cx.fault(of_its_own(stmt, owner, body));
    }
}

fn of_its_own(stmt: &Stmt, owner: &str, body: &[Stmt]) -> Diagnostic {
    let what = match &stmt.kind {
        StmtKind::States(_) => "states",
        StmtKind::Events(_) => "events",
        StmtKind::Initial(_) => "initial states",
        _ => "transitions",
    };
    let compose = body.iter().find(|stmt| matches!(stmt.kind, StmtKind::Compose(_))).map(|stmt| stmt.span);
    let fault =
        Diagnostic::new(Code::E0415, stmt.span, format!("{owner} is composed, so it cannot have {what} of its own"))
            .label("belongs to no part")
            .help("move it, with the names that it uses, into a component, and add that component to `compose`");
    compose.into_iter().fold(fault, |fault, span| fault.also(span, "composed here"))
}

fn empty(owner: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0416, at, format!("the composition of {owner} has no parts"))
        .label("no index satisfies the range and the guard")
        .help("widen the range or the guard: `compose u[i] = User(i) for i in 1..3;`")
}

fn part_twice(name: &str, again: Span, first: Span) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0203, again, format!("two parts have the name `{name}`"));
    if first == again {
        return fault
            .label("the same name for each index")
            .help("name each part by the indices of its `for`: `u[i] = User(i) for i in 1..3`");
    }
    fault.label("used again here").also(first, "first used here").help("give one of them another name")
}

fn several_names(at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0417, at, "a part has exactly one name")
        .label("a range stands for several names")
        .help("name each part by an index: `u[i] = User(i) for i in 1..3`")
}

fn not_a_component(name: &str, kind: &str, at: Span, declared: Span) -> Diagnostic {
    Diagnostic::new(Code::E0202, at, format!("`{name}` is a {kind}, not a component"))
        .label("expected a component")
        .also(declared, format!("the {kind} is declared here"))
        .help("only components and imported models can be composed")
}

fn unknown_component(name: &str, at: Span, nearest: Option<&str>) -> Diagnostic {
    let fault =
        Diagnostic::new(Code::E0201, at, format!("unknown component `{name}`")).label("not declared in this file");
    match nearest.map(spelling::name) {
        Some(near) => fault.help(format!("did you mean `{near}`?")).fix(format!("replace with `{near}`"), at, near),
        None => {
            let written = spelling::name(name);
            fault.help(format!(
                "declare it: `component {written} {{ states ...; }}`, or import the file that declares it"
            ))
        }
    }
}

fn wrong_count(item: &ComponentItem<'_>, n_params: usize, part: &ast::Part) -> Diagnostic {
    let name = &item.name;
    let message =
        format!("{} takes {}, not {}", item.owner(), wording::count(n_params as u64, "argument"), part.arguments.len());
    let parameters = match &item.kind {
        ComponentKind::Written { file, params, .. } => {
            params.iter().map(|param| param.text(file)).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    };
    let written = spelling::name(name);
    let example = if n_params == 0 { written.into_owned() } else { format!("{written}({parameters})") };
    let at = part
        .arguments
        .first()
        .zip(part.arguments.last())
        .map_or(part.component.span, |(first, last)| first.span().to(last.span()));
    Diagnostic::new(Code::E0301, at, message)
        .label(format!("{} given here", part.arguments.len()))
        .also(item.span, "declared here")
        .help(format!("write `{example}`"))
}

fn contains_itself(item: &ComponentItem<'_>, at: Span, first: Span) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0409, at, format!("component `{}` contains itself", item.name))
        .label("used again here")
        .also(item.span, "declared here");
    let fault = if first == at { fault } else { fault.also(first, "first used here") };
    fault.help("compose it of other components only")
}

fn too_deep(at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0414, at, format!("parts are nested more than {DEPTH} deep"))
        .label("too deep")
        .help("list more parts in one `compose`: the product is associative")
}
