//! What an intruder sees: `observable`, `unobservable` and `anonymous`, from statements to an [`Observer`].
//!
//! Said once or more, in a system, a component or an `observer`: several statements unite. Saying only one of `observable` and
//! `unobservable` gives the other as its complement; saying both, they must split the events in two.

use super::context::Context;
use super::names::Table;
use super::sets::{self, Kind, Scope};
use super::words;
use crate::automaton::view::{GroupId, Observer, Sight};
use crate::diagnostic::{Code, Diagnostic};
use crate::import::Names;

use crate::source::Span;
use crate::syntax::ast::{SetExpr, Stmt, StmtKind};
use rustc_hash::FxHashMap;

/// What was said so far.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub observable: Option<Sets>,
    pub unobservable: Option<Sets>,
    /// The groups of anonymous events, in the order of their first statement.
    pub groups: Vec<Group>,
    /// Whether anything was said about anonymous events, even an empty set.
    pub anonymous: bool,
    /// Whether nothing was wrong with what was said.
    pub sound: bool,
    /// Whether nothing was wrong with what was said about what is observable.
    pub clear: bool,
}

impl Default for Said {
    fn default() -> Said {
        Said { observable: None, unobservable: None, groups: Vec::new(), anonymous: false, sound: true, clear: true }
    }
}

/// What several statements of one word unite to.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// The events, sorted, each with the place that names it.
    pub events: Vec<(u32, Span)>,
    /// The set of the first statement.
    pub at: Span,
}

/// A group of events that look alike.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// None: `?`.
    pub label: Option<String>,
    /// Where the label stands; without one, the set.
    pub at: Span,
    /// The events, sorted, each with the place that names it.
    pub events: Vec<(u32, Span)>,
}

/// What one statement says.
#[derive(Debug)]
pub(super) enum Saying {
    Observable(Sets),
    Unobservable(Sets),
    Anonymous(Group),
}

/// What a statement says about what is seen, and whether nothing was wrong with it; none: it is about something else.
pub(super) fn hear(cx: &mut Context<'_>, scope: &dyn Scope, stmt: &Stmt) -> Option<(Saying, bool)> {
    let read = |cx: &mut Context<'_>, set: &SetExpr| sets::evaluate_items(cx, scope, Kind::Event, set);
    Some(match &stmt.kind {
        StmtKind::Observable(set) => {
            let (events, sound) = read(cx, set);
            (Saying::Observable(Sets { events, at: set.span() }), sound)
        }
        StmtKind::Unobservable(set) => {
            let (events, sound) = read(cx, set);
            (Saying::Unobservable(Sets { events, at: set.span() }), sound)
        }
        StmtKind::Anonymous(anonymous) => {
            let (events, sound) = read(cx, &anonymous.set);
            let label = anonymous.label.as_ref().map(|name| cx.text(name).into_owned());
            let at = anonymous.label.as_ref().map_or(anonymous.set.span(), |name| name.span);
            (Saying::Anonymous(Group { label, at, events }), sound)
        }
        _ => return None,
    })
}

impl Said {
    /// Takes in what a statement says.
    pub fn take(&mut self, cx: &mut Context<'_>, (saying, sound): (Saying, bool)) {
        self.sound &= sound;
        self.clear &= sound || matches!(saying, Saying::Anonymous(_));
        match saying {
            Saying::Observable(sets) => unite(&mut self.observable, sets),
            Saying::Unobservable(sets) => unite(&mut self.unobservable, sets),
            Saying::Anonymous(group) => self.take_group(cx, group),
        }
    }

    fn take_group(&mut self, cx: &mut Context<'_>, group: Group) {
        self.anonymous = true;
        if !cx.spend(self.groups.len() as u64, group.at) {
            return;
        }
        let same = |other: &&Group| other.label.is_some() && other.label == group.label && other.at != group.at;
        if let Some(first) = self.groups.iter().find(same) {
            cx.fault(label_twice(group.label.as_deref().unwrap_or_default(), group.at, first.at));
            self.sound = false;
        }
        self.join(group);
    }

    /// Adds a group; groups of one label unite.
    pub fn join(&mut self, group: Group) {
        if group.events.is_empty() {
            return;
        }
        match self.groups.iter_mut().find(|other| other.label == group.label) {
            Some(other) => merge(&mut other.events, group.events),
            None => self.groups.push(group),
        }
    }

    /// Whether nothing was said about what is observable.
    pub fn is_silent(&self) -> bool {
        self.observable.is_none() && self.unobservable.is_none()
    }

    /// Σo among the first `n_events` events, as far as it was said: all of them when nothing was.
    pub fn observable(&self, n_events: u32) -> Vec<u32> {
        match (&self.observable, &self.unobservable) {
            (Some(sets), _) => sets.events.iter().map(|(id, _)| *id).collect(),
            (None, Some(sets)) => (0..n_events).filter(|&id| find(&sets.events, id).is_none()).collect(),
            (None, None) => (0..n_events).collect(),
        }
    }

    /// For each event whether it is observable, and what says so; all none when nothing was said.
    pub fn opinions(&self, n_events: u32) -> Vec<Option<(bool, Span)>> {
        let said = |id: u32| match (&self.observable, &self.unobservable) {
            (Some(seen), _) => Some((find(&seen.events, id).is_some(), find(&seen.events, id).unwrap_or(seen.at))),
            (None, Some(unseen)) => {
                Some((find(&unseen.events, id).is_none(), find(&unseen.events, id).unwrap_or(unseen.at)))
            }
            (None, None) => None,
        };
        (0..n_events).map(said).collect()
    }

    /// Γ, as far as it was said.
    pub fn anonymous(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.groups.iter().flat_map(|group| group.events.iter().map(|(id, _)| *id)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn unite(sets: &mut Option<Sets>, more: Sets) {
    match sets {
        Some(sets) => merge(&mut sets.events, more.events),
        None => *sets = Some(more),
    }
}

fn merge(events: &mut Vec<(u32, Span)>, more: Vec<(u32, Span)>) {
    // WHY: a `for` adds one event at a time, most often in order.
    let in_order = more.first().zip(events.last()).is_none_or(|(first, last)| first.0 > last.0);
    events.extend(more);
    if !in_order {
        events.sort_by_key(|(id, _)| *id);
        events.dedup_by_key(|(id, _)| *id);
    }
}

fn find(events: &[(u32, Span)], id: u32) -> Option<Span> {
    events.binary_search_by_key(&id, |(id, _)| *id).ok().map(|at| events[at].1)
}

/// An observer and the labels of its groups.
pub(super) type Seen = (Observer, Vec<Option<String>>);

/// What is seen of `events`, given what was said and, where nothing was, what is observable anyway. None: there were faults.
pub(super) fn observer(cx: &mut Context<'_>, said: &Said, table: &Table, otherwise: &[bool]) -> Option<Seen> {
    let (before, events) = (cx.faults.errors(), &table.names);
    if !said.clear {
        return None;
    }
    split(cx, said, table);
    let mut sights: Vec<Sight> = match said.is_silent() {
        true => otherwise.iter().map(|&seen| if seen { Sight::Visible } else { Sight::Silent }).collect(),
        false => {
            let mut sights = vec![Sight::Silent; events.len()];
            said.observable(events.len() as u32).into_iter().for_each(|id| sights[id as usize] = Sight::Visible);
            sights
        }
    };
    for (at, group) in said.groups.iter().enumerate() {
        for &(event, span) in &group.events {
            match sights[event as usize] {
                Sight::Visible => sights[event as usize] = Sight::Anonymous(GroupId::from_index(at)),
                Sight::Silent => cx.fault(hidden(&events.get(event), span, said, event)),
                Sight::Anonymous(other) => {
                    let first = find(&said.groups[other.index()].events, event).unwrap_or(group.at);
                    cx.fault(two_groups(&events.get(event), span, first));
                }
            }
        }
    }
    if !said.sound {
        return None;
    }
    collisions(cx, &said.groups, table);
    lonely(cx, &said.groups, events);
    let labels = said.groups.iter().map(|group| group.label.clone()).collect();
    (cx.faults.errors() == before).then(|| (Observer::new(sights), labels))
}

/// `observable` and `unobservable`, if both were said, must split the events.
pub(super) fn split(cx: &mut Context<'_>, said: &Said, table: &Table) {
    let events = &table.names;
    let (Some(seen), Some(unseen)) = (&said.observable, &said.unobservable) else { return };
    for &(event, span) in &unseen.events {
        if let Some(other) = find(&seen.events, event) {
            cx.fault(overlap(&events.get(event), span, other));
        }
    }
    let forgotten = |event: &u32| find(&seen.events, *event).is_none() && find(&unseen.events, *event).is_none();
    let left_out: Vec<String> =
        (0..events.len() as u32).filter(forgotten).map(|id| events.get(id).into_owned()).collect();
    if !left_out.is_empty() {
        let declared = events.find(&left_out[0]).and_then(|event| table.span(event));
        cx.fault(neither(&left_out, unseen.at, seen.at, declared));
    }
}

/// No label that may be shown is the name of an event or another group's label.
fn collisions(cx: &mut Context<'_>, groups: &[Group], table: &Table) {
    let mut taken: FxHashMap<String, Span> = FxHashMap::default();
    for group in groups {
        let words: &[&str] = match &group.label {
            Some(label) => &[label],
            None => &["?", "γ"],
        };
        let shown = words.iter().flat_map(|word| {
            let numbered = (1..=group.events.len()).map(move |number| format!("{word}{number}"));
            std::iter::once((*word).to_owned()).chain(numbered)
        });
        for label in shown {
            if let Some(event) = table.names.find(&label) {
                cx.fault(label_is_event(&label, group, table.span(event)));
            } else if let Some(other) = taken.insert(label.clone(), group.at) {
                cx.fault(label_is_label(&label, group.at, other));
            }
        }
    }
}

fn lonely(cx: &mut Context<'_>, groups: &[Group], events: &Names) {
    for group in groups {
        if let [(event, span)] = group.events[..] {
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

fn hidden(event: &str, at: Span, said: &Said, id: u32) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0404, at, format!("the anonymous event `{event}` is not observable"))
        .label("an unobservable event is never seen, so it needs no label");
    let written = words::written(event);
    match (&said.observable, &said.unobservable) {
        (Some(seen), _) => fault
            .also(seen.at, format!("`{event}` is not in this set"))
            .help(format!("add it to the observable events: `observable {written};`"))
            .fix(format!("make `{event}` observable"), seen.at.after(), format!(", {written}")),
        (None, Some(unseen)) => fault
            .also(find(&unseen.events, id).unwrap_or(unseen.at), "declared unobservable here")
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

fn overlap(event: &str, at: Span, other: Span) -> Diagnostic {
    Diagnostic::new(Code::E0405, at, format!("`{event}` is both observable and unobservable"))
        .label("declared unobservable here")
        .also(other, "declared observable here")
        .help("declare only one of the two sets: the other is its complement")
}

fn neither(left_out: &[String], at: Span, seen: Span, declared: Option<Span>) -> Diagnostic {
    let (names, is) = (words::list(left_out), if left_out.len() == 1 { "is" } else { "are" });
    let written: Vec<String> = left_out.iter().take(20).map(|name| words::written(name)).collect();
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

fn label_is_event(label: &str, group: &Group, declared: Option<Span>) -> Diagnostic {
    let (what, help) = match group.label {
        Some(_) => ("this group", "choose another label after `as`"),
        None => ("a group without a label", "rename the event, or give the group a label: `anonymous a, b as hidden;`"),
    };
    let fault = Diagnostic::new(Code::E0408, group.at, format!("the label `{label}` is also the name of an event"))
        .label(format!("{what} can show `{label}`"))
        .help(help);
    declared.into_iter().fold(fault, |fault, span| fault.also(span, "the event is declared here"))
}

fn label_is_label(label: &str, at: Span, other: Span) -> Diagnostic {
    Diagnostic::new(Code::E0408, at, format!("two groups can show the label `{label}`"))
        .label("this group")
        .also(other, "and this group")
        .help("`weak` appends a number to a label: choose labels that stay different")
}

fn single(event: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::W0403, at, format!("`{event}` is the only event of its group, so its label identifies it"))
        .label("a group of one event hides nothing")
        .help("add the events that look like it: `anonymous a, b;`")
}
