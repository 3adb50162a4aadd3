//! `observer Both = Clerk + Insider;`: what several observers see together.
//!
//! An event is observable if one of them sees it. Two events look alike to the pool only if they look alike to each of its members:
//! an event that one of them sees as itself is seen as itself, and the others are grouped by the labels that the members see. Without
//! named agents this is exact under every projection: each member recognises an event that comes again, and so does the pool. Named
//! agents are pooled by [`pooled_agents`](super::pooled_agents).

use crate::automaton::view::{GroupId, Observability, Observer};
use crate::check::context::Context;
use crate::check::observe::observability::Seen;
use crate::check::observe::observers::{Observers, blind};
use crate::check::observe::pooled_agents::{self, PooledAgents};
use crate::check::questions::checks::no_observer;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::NamedObserver;
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::spelling;
use rustc_hash::FxHashMap;

/// Reads a pool of observers that are declared above it. After errors it sees nothing; its name stays known.
pub(in crate::check) fn read(
    cx: &mut Context<'_>,
    observers: &mut Observers,
    declared: &[&ast::Name],
    written: &ast::Observer,
) -> (NamedObserver, bool) {
    let found: Vec<Option<usize>> =
        written.pooled.iter().map(|name| member(cx, observers, (declared, written.name.span), name)).collect();
    found.iter().flatten().for_each(|&at| observers.pooled[at] = true);
    let sound = found.iter().all(|at| at.is_some_and(|at| observers.sound[at]));
    let members: Vec<&NamedObserver> = found.iter().flatten().map(|&at| &observers.all[at]).collect();
    let together = if sound { pooled_agents::read(cx, &members, written.name.span) } else { None };
    let sound = together.is_some();
    let seen = together.map_or_else(|| blind(&observers.all[0].observer), |of| pool(&members, of));
    let Seen { observer, labels, agents } = seen;
    let name = Some(cx.text(&written.name).into_owned());
    (NamedObserver { name, span: written.name.span, observer, labels, agents }, sound)
}

/// The observer of a name, declared above; an error if there is none.
fn member(
    cx: &mut Context<'_>,
    observers: &Observers,
    (declared, pool): (&[&ast::Name], Span),
    name: &ast::Name,
) -> Option<usize> {
    let text = cx.text(name);
    let found = observers.all.iter().position(|observer| observer.name.as_deref() == Some(&*text));
    if found.is_none() {
        match declared.iter().find(|other| cx.text(other) == text) {
            Some(other) if other.span == pool => cx.fault(of_itself(&text, name.span, pool)),
            Some(other) => cx.fault(further_down(&text, name.span, other.span)),
            None => {
                let names: Vec<&str> = observers.all.iter().filter_map(|observer| observer.name.as_deref()).collect();
                no_observer(cx, name, &names);
            }
        }
    }
    found
}

/// What the members see together. Cost: members times events.
fn pool(members: &[&NamedObserver], agents: PooledAgents) -> Seen {
    let mut numbers: FxHashMap<Vec<Option<GroupId>>, GroupId> = FxHashMap::default();
    let mut groups: Vec<Vec<Option<GroupId>>> = Vec::new();
    let n_events = members.first().map_or(0, |member| member.observer.observabilities().len());
    let seen = (0..n_events).map(|event| {
        let each = || members.iter().map(|member| member.observer.observabilities()[event]);
        if each().any(|seen| seen == Observability::Visible) {
            return Observability::Visible;
        }
        let shown: Vec<Option<GroupId>> = each().map(group_of).collect();
        if shown.iter().all(Option::is_none) {
            return Observability::Silent;
        }
        let next = GroupId::from_index(groups.len());
        let group = *numbers.entry(shown).or_insert_with_key(|shown| {
            groups.push(shown.clone());
            next
        });
        Observability::Anonymous(group)
    });
    let observer = Observer::with_agents(seen.collect(), &agents.of);
    Seen { observer, labels: labels(members, &groups), agents: agents.names }
}

pub(super) fn group_of(seen: Observability) -> Option<GroupId> {
    match seen {
        Observability::Anonymous(group) => Some(group),
        Observability::Visible | Observability::Silent => None,
    }
}

/// The labels of the pool: those of its members joined by `+`, with the names of the members where that is not enough.
fn labels(members: &[&NamedObserver], groups: &[Vec<Option<GroupId>>]) -> Vec<Option<String>> {
    let label = |member: &NamedObserver, group: GroupId| {
        member.labels[group.index()].clone().unwrap_or_else(|| UNNAMED.to_owned())
    };
    let named = |member: &NamedObserver, group: GroupId| {
        format!("{}:{}", member.name.as_deref().unwrap_or_default(), label(member, group))
    };
    let short: Vec<String> = groups.iter().map(|shown| joined(members, shown, &label)).collect();
    let mut times: FxHashMap<&str, usize> = FxHashMap::default();
    short.iter().for_each(|label| *times.entry(label).or_default() += 1);
    let unique = |at: usize| times[short[at].as_str()] == 1;
    let shown = |at: usize| if unique(at) { short[at].clone() } else { joined(members, &groups[at], &named) };
    (0..groups.len()).map(shown).map(|label| (label != UNNAMED).then_some(label)).collect()
}

/// The label of a group without one.
const UNNAMED: &str = "?";

fn joined(
    members: &[&NamedObserver],
    shown: &[Option<GroupId>],
    label: &dyn Fn(&NamedObserver, GroupId) -> String,
) -> String {
    let seen = members.iter().zip(shown).filter_map(|(member, group)| Some((member, (*group)?)));
    seen.map(|(member, group)| label(member, group)).collect::<Vec<_>>().join("+")
}

fn of_itself(name: &str, at: Span, pool: Span) -> Diagnostic {
    Diagnostic::new(Code::E0201, at, format!("the pool `{name}` contains itself"))
        .label("not known here yet")
        .also(pool, "declared here")
        .help("pool observers that are declared above: `observer Both = A + B;`")
}

fn further_down(name: &str, at: Span, declared: Span) -> Diagnostic {
    Diagnostic::new(Code::E0201, at, format!("the observer `{name}` is declared further down"))
        .label("not known here yet")
        .also(declared, "declared here")
        .help(format!("move this line below `observer {}`", spelling::name(name)))
}
