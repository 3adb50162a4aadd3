//! From `observable`, `unobservable` and `anonymous` statements to an [`Observer`].
//!
//! Several statements in a system, a component or an `observer` are united. Only one of `observable` and
//! `unobservable` determines the other as its complement; if both are declared, they must partition the events.

use crate::automaton::view::{GroupId, Observability, Observer};
use crate::check::context::Context;
use crate::check::deadline;
use crate::check::observe::agents;
use crate::check::observe::labels;
use crate::check::resolve::names::Table;
use crate::check::resolve::sets::{self, Kind, Scope};
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::Names;

use crate::source::Span;
use crate::syntax::ast::{Ref, SetExpr, Stmt, StmtKind};
use crate::syntax::spelling;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The declarations so far.
#[derive(Clone, Debug)]
pub(in crate::check) struct ObservabilityDecls {
    pub observable: Option<Sets>,
    pub unobservable: Option<Sets>,
    /// The groups of anonymous events, in the order of their first statement.
    pub groups: Vec<Group>,
    /// The group of each label.
    by_label: FxHashMap<Option<String>, usize>,
    /// The labels, or the sets without one, of statements that name no event for some index.
    empty: FxHashSet<Span>,
    /// Whether there is an `anonymous` statement, even with an empty set.
    pub anonymous: bool,
    /// Whether the declarations have no errors.
    pub sound: bool,
    /// Whether the declarations of observability have no errors.
    pub clear: bool,
}

impl Default for ObservabilityDecls {
    fn default() -> ObservabilityDecls {
        ObservabilityDecls {
            observable: None,
            unobservable: None,
            groups: Vec::new(),
            by_label: FxHashMap::default(),
            empty: FxHashSet::default(),
            anonymous: false,
            sound: true,
            clear: true,
        }
    }
}

/// Events, each with the place that names it first; gathered piece by piece.
//
// INVARIANT: the first `sorted` of them are in order, without repeats.
#[derive(Clone, Debug, Default)]
pub(in crate::check) struct Events {
    list: Vec<(u32, Span)>,
    sorted: usize,
}

impl Events {
    /// These events, in any order.
    pub fn new(list: Vec<(u32, Span)>) -> Events {
        let mut events = Events { list, sorted: 0 };
        events.settle();
        events
    }

    /// Adds more. Cost: that of sorting them once, however small the pieces are.
    fn extend(&mut self, more: Events) {
        // WHY: a `for` adds one event at a time, most often in order.
        let in_order = more.is_settled() && self.is_settled() && self.last() < more.list.first().map(|first| first.0);
        self.list.extend(more.list);
        if in_order {
            self.sorted = self.list.len();
        } else if self.list.len() > 2 * self.sorted {
            self.settle();
        }
    }

    /// Brings them in order.
    pub fn settle(&mut self) {
        if !self.is_settled() {
            self.list.sort_by_key(|(id, _)| *id);
            self.list.dedup_by_key(|(id, _)| *id);
            self.sorted = self.list.len();
        }
    }

    fn is_settled(&self) -> bool {
        self.sorted == self.list.len()
    }

    fn last(&self) -> Option<u32> {
        self.list.last().map(|(id, _)| *id)
    }

    /// Their ids, sorted.
    fn ids(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = self.list.iter().map(|(id, _)| *id).collect();
        if !self.is_settled() {
            ids.sort_unstable();
            ids.dedup();
        }
        ids
    }

    /// All of them, in order. They are settled.
    pub fn as_slice(&self) -> &[(u32, Span)] {
        debug_assert!(self.is_settled());
        &self.list
    }

    /// The place that names an event. They are settled.
    fn find(&self, id: u32) -> Option<Span> {
        let events = self.as_slice();
        events.binary_search_by_key(&id, |(id, _)| *id).ok().map(|at| events[at].1)
    }
}

/// The union of several statements.
#[derive(Clone, Debug)]
pub(in crate::check) struct Sets {
    pub events: Events,
    /// The set of the first statement.
    pub at: Span,
}

/// A group of anonymous events.
#[derive(Clone, Debug)]
pub(in crate::check) struct Group {
    /// `None`: `?`.
    pub label: Option<String>,
    /// The label, or the set if there is none.
    pub at: Span,
    pub events: Events,
    /// The agents of its events, where `by` names one.
    pub acts: Vec<Act>,
    /// Whether `by` names an agent.
    pub has_agent: bool,
}

/// Who acts in an event.
#[derive(Clone, Debug)]
pub(in crate::check) struct Act {
    pub event: u32,
    pub agent: Arc<str>,
    /// The agent as written.
    pub at: Span,
}

/// The content of one statement.
#[derive(Debug)]
pub(in crate::check) enum Declaration {
    Observable(Sets),
    Unobservable(Sets),
    Anonymous(Group),
}

/// The content of an observability statement, and whether it has no errors; `None` for other statements.
pub(in crate::check) fn declaration(
    cx: &mut Context<'_>,
    scope: &dyn Scope,
    stmt: &Stmt,
) -> Option<(Declaration, bool)> {
    let read = |cx: &mut Context<'_>, set: &SetExpr| {
        let (events, sound) = sets::evaluate_items(cx, scope, Kind::Event, set);
        (Events::new(events), sound)
    };
    Some(match &stmt.kind {
        StmtKind::Observable(set) => {
            let (events, sound) = read(cx, set);
            (Declaration::Observable(Sets { events, at: set.span() }), sound)
        }
        StmtKind::Unobservable(set) => {
            let (events, sound) = read(cx, set);
            (Declaration::Unobservable(Sets { events, at: set.span() }), sound)
        }
        StmtKind::Anonymous(anonymous) => {
            let (events, sound) = read(cx, &anonymous.set);
            let label = anonymous.label.as_ref();
            let named = label.map(|label| labels::one_name(cx, label, "label"));
            let agent = anonymous.agent.as_ref();
            let actor = agent.map(|agent| labels::one_name(cx, agent, "agent"));
            let sound = sound && named != Some(None) && actor != Some(None);
            let at = label.map_or(anonymous.set.span(), Ref::span);
            let acts = agent.zip(actor.flatten()).map_or_else(Vec::new, |(by, agent)| acts(&events, agent.into(), by));
            let group = Group { label: named.flatten(), at, events, acts, has_agent: agent.is_some() };
            (Declaration::Anonymous(group), sound)
        }
        _ => return None,
    })
}

/// One act for each event of a statement with `by`.
fn acts(events: &Events, agent: Arc<str>, by: &Ref) -> Vec<Act> {
    let act = |&(event, _): &(u32, Span)| Act { event, agent: Arc::clone(&agent), at: by.span() };
    events.list.iter().map(act).collect()
}

impl ObservabilityDecls {
    /// Adds a statement.
    pub fn take(&mut self, cx: &mut Context<'_>, (declaration, sound): (Declaration, bool)) {
        self.sound &= sound;
        self.clear &= sound || matches!(declaration, Declaration::Anonymous(_));
        let (Declaration::Observable(Sets { events, at })
        | Declaration::Unobservable(Sets { events, at })
        | Declaration::Anonymous(Group { events, at, .. })) = &declaration;
        let extra = if matches!(declaration, Declaration::Anonymous(_)) { 2 * deadline::STATEMENT } else { 0 };
        if !cx.tick(1, extra + size_of_val(&events.list[..]) as u64, *at) {
            return;
        }
        match declaration {
            Declaration::Observable(sets) => union_with(&mut self.observable, sets),
            Declaration::Unobservable(sets) => union_with(&mut self.unobservable, sets),
            Declaration::Anonymous(group) => self.take_group(cx, group),
        }
    }

    fn take_group(&mut self, cx: &mut Context<'_>, group: Group) {
        self.anonymous = true;
        let known = self.by_label.get(&group.label).map(|&at| &self.groups[at]);
        let collides =
            |other: &&Group| other.label.is_some() && other.at != group.at && !other.has_agent && !group.has_agent;
        if let Some(first) = known.filter(collides) {
            cx.fault(label_twice(group.label.as_deref().unwrap_or_default(), group.at, first.at));
            self.sound = false;
        }
        self.join(group);
    }

    /// Adds a group; groups with the same label are united.
    pub fn join(&mut self, group: Group) {
        let is_named = group.label.is_some() || group.has_agent;
        if group.events.list.is_empty() {
            self.empty.extend(is_named.then_some(group.at));
            return;
        }
        match self.by_label.get(&group.label) {
            Some(&known) => {
                self.groups[known].events.extend(group.events);
                self.groups[known].acts.extend(group.acts);
            }
            None => {
                self.by_label.insert(group.label.clone(), self.groups.len());
                self.groups.push(group);
            }
        }
    }

    /// Warns of labels and agents of which no member has an event.
    fn told_empty(&self, cx: &mut Context<'_>) {
        let met: FxHashSet<Span> = self.groups.iter().map(|group| group.at).collect();
        let mut never: Vec<Span> = self.empty.iter().copied().filter(|at| !met.contains(at)).collect();
        never.sort_unstable();
        never.into_iter().for_each(|at| cx.fault(without_events(at)));
    }

    /// Brings everything in order: nothing more is said.
    pub fn settle(&mut self) {
        let sets = self.observable.iter_mut().chain(&mut self.unobservable).map(|sets| &mut sets.events);
        sets.chain(self.groups.iter_mut().map(|group| &mut group.events)).for_each(Events::settle);
    }

    /// Whether there is no declaration of observability.
    pub fn is_silent(&self) -> bool {
        self.observable.is_none() && self.unobservable.is_none()
    }

    /// Σo among the first `n_events` events, as declared; all of them without a declaration.
    pub fn observable(&self, n_events: u32) -> Vec<u32> {
        match (&self.observable, &self.unobservable) {
            (Some(sets), _) => sets.events.ids(),
            (None, Some(sets)) => sets::difference(&(0..n_events).collect::<Vec<_>>(), &sets.events.ids()),
            (None, None) => (0..n_events).collect(),
        }
    }

    /// Whether an event is observable, and what says so; none: nothing was said. It is settled.
    pub fn opinion(&self, event: u32) -> Option<(bool, Span)> {
        let named = |sets: &Sets| sets.events.find(event);
        match (&self.observable, &self.unobservable) {
            (Some(seen), _) => Some((named(seen).is_some(), named(seen).unwrap_or(seen.at))),
            (None, Some(unseen)) => Some((named(unseen).is_none(), named(unseen).unwrap_or(unseen.at))),
            (None, None) => None,
        }
    }

    /// For each event whether it is observable, and what says so; empty when nothing was said.
    pub fn opinions(&self, n_events: u32) -> Vec<Option<(bool, Span)>> {
        if self.is_silent() { Vec::new() } else { (0..n_events).map(|event| self.opinion(event)).collect() }
    }

    /// Γ, as declared so far.
    pub fn anonymous(&self) -> Vec<u32> {
        let mut all: Vec<u32> =
            self.groups.iter().flat_map(|group| group.events.list.iter().map(|(id, _)| *id)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn union_with(sets: &mut Option<Sets>, more: Sets) {
    match sets {
        Some(sets) => sets.events.extend(more.events),
        None => *sets = Some(more),
    }
}

/// What an observer sees.
#[derive(Debug)]
pub(in crate::check) struct Seen {
    pub observer: Observer,
    /// The label of each group.
    pub labels: Vec<Option<String>>,
    /// The name of each agent.
    pub agents: Vec<String>,
}

impl Seen {
    /// An observer without anonymous events.
    pub fn plain(observabilities: Vec<Observability>) -> Seen {
        Seen { observer: Observer::new(observabilities), labels: Vec::new(), agents: Vec::new() }
    }
}

/// The observer of `events` from its declarations, with a default observability. `None` after errors.
pub(in crate::check) fn observer(
    cx: &mut Context<'_>,
    decls: &ObservabilityDecls,
    table: &Table,
    otherwise: &[bool],
) -> Option<Seen> {
    let (before, events) = (cx.faults.errors(), &table.names);
    if !decls.clear {
        return None;
    }
    split(cx, decls, table);
    let mut observabilities: Vec<Observability> = match decls.is_silent() {
        true => {
            otherwise.iter().map(|&seen| if seen { Observability::Visible } else { Observability::Silent }).collect()
        }
        false => {
            let mut observabilities = vec![Observability::Silent; events.len()];
            decls
                .observable(events.len() as u32)
                .into_iter()
                .for_each(|id| observabilities[id as usize] = Observability::Visible);
            observabilities
        }
    };
    for (at, group) in decls.groups.iter().enumerate() {
        for &(event, span) in group.events.as_slice() {
            match observabilities[event as usize] {
                Observability::Visible => {
                    observabilities[event as usize] = Observability::Anonymous(GroupId::from_index(at))
                }
                Observability::Silent => cx.fault(hidden(&events.get(event), span, decls, event)),
                Observability::Anonymous(other) => {
                    let first = decls.groups[other.index()].events.find(event).unwrap_or(group.at);
                    cx.fault(two_groups(&events.get(event), span, first));
                }
            }
        }
    }
    if !decls.sound {
        return None;
    }
    labels::collisions(cx, &decls.groups, table);
    singleton_group(cx, &decls.groups, events);
    decls.told_empty(cx);
    let labels = decls.groups.iter().map(|group| group.label.clone()).collect();
    let (of, agents) = agents::read(cx, &decls.groups, events);
    let observer = || Observer::with_agents(observabilities, &of);
    (cx.faults.errors() == before).then(|| Seen { observer: observer(), labels, agents })
}

/// `observable` and `unobservable`, if both are declared, must partition the events.
pub(in crate::check) fn split(cx: &mut Context<'_>, decls: &ObservabilityDecls, table: &Table) {
    let events = &table.names;
    let (Some(seen), Some(unseen)) = (&decls.observable, &decls.unobservable) else { return };
    for &(event, span) in unseen.events.as_slice() {
        if let Some(other) = seen.events.find(event) {
            cx.fault(overlap(&events.get(event), span, other));
        }
    }
    let forgotten = |event: &u32| seen.events.find(*event).is_none() && unseen.events.find(*event).is_none();
    let left_out: Vec<u32> = (0..events.len() as u32).filter(forgotten).collect();
    if let Some(&first) = left_out.first() {
        let shown: Vec<_> = left_out.iter().take(SHOWN).map(|&event| events.get(event).into_owned()).collect();
        cx.fault(neither(&shown, left_out.len(), unseen.at, seen.at, table.span(first)));
    }
}

/// How many names a proposal writes out.
const SHOWN: usize = 20;

/// Groups of one event: one warning for each statement, however many labels it gives.
fn singleton_group(cx: &mut Context<'_>, groups: &[Group], events: &Names) {
    let mut told = FxHashSet::default();
    for group in groups.iter().filter(|group| group.acts.is_empty()) {
        if let [(event, span)] = *group.events.as_slice()
            && told.insert(span)
        {
            cx.fault(single(&events.get(event), span));
        }
    }
}

fn label_twice(label: &str, at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0408, at, format!("two groups have the label `{label}`"))
        .label("used again here")
        .also(first, "first used here")
        .help("give the groups different labels, or name all their events in one statement")
}

fn hidden(event: &str, at: Span, decls: &ObservabilityDecls, id: u32) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0404, at, format!("the anonymous event `{event}` is not observable"))
        .label("an unobservable event is never seen, so it needs no label");
    let written = spelling::member(event);
    match (&decls.observable, &decls.unobservable) {
        (Some(seen), _) => fault
            .also(seen.at, format!("`{event}` is not in this set"))
            .help(format!("add it to the observable events: `observable {written};`"))
            .fix(format!("make `{event}` observable"), seen.at.after(), format!(", {written}")),
        (None, Some(unseen)) => fault
            .also(unseen.events.find(id).unwrap_or(unseen.at), "declared unobservable here")
            .help(format!("remove `{event}` from one of the two sets")),
        (None, None) => fault.help(format!("make it observable: `observable {written};`")),
    }
}

fn two_groups(event: &str, at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0407, at, format!("the event `{event}` is in two groups of anonymous events"))
        .label("used again here")
        .also(first, "first used here")
        .help("an event has one label: keep it in one group")
}

/// `anonymous {} as voted;`
fn without_events(at: Span) -> Diagnostic {
    Diagnostic::new(Code::W0420, at, "this statement names no events, so nothing is shown like this")
        .label("no event, for any index")
        .help("name the events before `as`: `anonymous vote[i] as voted by voter[i] for i in 1..3;`")
}

fn overlap(event: &str, at: Span, other: Span) -> Diagnostic {
    Diagnostic::new(Code::E0405, at, format!("`{event}` is both observable and unobservable"))
        .label("declared unobservable here")
        .also(other, "declared observable here")
        .help("declare only one of the two sets: the other is its complement")
}

fn neither(shown: &[String], count: usize, at: Span, seen: Span, declared: Option<Span>) -> Diagnostic {
    let (names, is) = (wording::list_of(shown, count), if count == 1 { "is" } else { "are" });
    let written: Vec<String> = shown.iter().map(|name| spelling::member(name).into_owned()).collect();
    let written = written.join(", ");
    let fault = Diagnostic::new(Code::E0406, at, format!("{names} {is} neither observable nor unobservable"))
        .label("not in this set")
        .also(seen, "nor in this one");
    let fault = declared.into_iter().fold(fault, |fault, span| fault.also(span, "declared here"));
    fault.help(format!("add to one of the two sets: `unobservable {written};`")).fix(
        "add to `unobservable`",
        at.after(),
        format!(", {written}"),
    )
}

fn single(event: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::W0403, at, format!("`{event}` is the only event of its group, so its label identifies it"))
        .label("a group of one event hides nothing")
        .help("add the events that look like it: `anonymous a, b;`")
}
