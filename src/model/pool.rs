//! What several observers see together: `observer Both = Clerk + Insider;`.
//!
//! An event is observable if one of them sees it. Two events look alike to the pool only if they look alike to each of its members:
//! an event that one of them sees as itself is seen as itself, and the others are grouped by the labels that the members see. Without
//! named agents this is exact under every projection: each member recognises an event that comes again, and so does the pool. Named
//! agents are pooled by [`pooled_agents`](super::pooled_agents); there an event that is seen as itself may say who an agent is.

use super::NamedObserver;
use super::pooled_agents::{self, Unpooled};
use crate::automaton::EventId;
use crate::automaton::view::{GroupId, Observability, Observer};
use rustc_hash::FxHashMap;

/// What a pool sees.
#[derive(Debug)]
pub(crate) struct Pool {
    pub observer: Observer,
    /// The label of each group.
    pub labels: Vec<Option<String>>,
    /// The name of each agent.
    pub agents: Vec<String>,
}

/// What a pool is shown of one event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shown {
    Nothing,
    /// Its name: some member sees it as itself.
    Itself(EventId),
    /// The group that each member sees.
    Groups(Vec<Option<GroupId>>),
}

impl Shown {
    pub(super) fn is_itself(&self) -> bool {
        matches!(self, Shown::Itself(_))
    }
}

/// What the members see together, with the names of events. Cost: members times events.
pub(crate) fn pool(members: &[&NamedObserver], name: &dyn Fn(EventId) -> String) -> Result<Pool, Unpooled> {
    let n_events = members.first().map_or(0, |member| member.observer.observabilities().len());
    let shown: Vec<Shown> = (0..n_events).map(EventId::from_index).map(|event| shown(members, event)).collect();
    let agents = pooled_agents::read(members, &shown)?;
    let mut groups: FxHashMap<&Shown, GroupId> = FxHashMap::default();
    let mut firsts: Vec<EventId> = Vec::new();
    let seen = shown.iter().enumerate().map(|(at, shown)| match shown {
        Shown::Nothing => Observability::Silent,
        Shown::Itself(_) if !agents.identifying[at] => Observability::Visible,
        Shown::Itself(_) | Shown::Groups(_) => Observability::Anonymous(*groups.entry(shown).or_insert_with(|| {
            firsts.push(EventId::from_index(at));
            GroupId::from_index(firsts.len() - 1)
        })),
    });
    let observer = Observer::with_agents(seen.collect(), &agents.of);
    Ok(Pool { observer, labels: labels(members, &firsts, name), agents: agents.names })
}

fn shown(members: &[&NamedObserver], event: EventId) -> Shown {
    let each = || members.iter().map(|member| member.observer.observability(event));
    if each().any(|seen| seen == Observability::Visible) {
        return Shown::Itself(event);
    }
    let groups: Vec<Option<GroupId>> = each().map(group_of).collect();
    if groups.iter().all(Option::is_none) { Shown::Nothing } else { Shown::Groups(groups) }
}

fn group_of(seen: Observability) -> Option<GroupId> {
    match seen {
        Observability::Anonymous(group) => Some(group),
        Observability::Visible | Observability::Silent => None,
    }
}

/// The labels of the groups with these first events: what each member sees joined by `+`, with the names of the members where that
/// is not enough.
fn labels(members: &[&NamedObserver], firsts: &[EventId], name: &dyn Fn(EventId) -> String) -> Vec<Option<String>> {
    let joined = |event: EventId, is_whole: bool| {
        let mut seen: Vec<String> = members.iter().filter_map(|member| word(member, event, name, is_whole)).collect();
        // Who sees the event as itself sees the same.
        seen.dedup_by(|next, last| next == last && *next == name(event));
        seen.join("+")
    };
    let short: Vec<String> = firsts.iter().map(|&event| joined(event, false)).collect();
    let mut times: FxHashMap<&str, usize> = FxHashMap::default();
    short.iter().for_each(|label| *times.entry(label).or_default() += 1);
    let unique = |at: usize| times[short[at].as_str()] == 1;
    let shown = |at: usize| if unique(at) { short[at].clone() } else { joined(firsts[at], true) };
    (0..firsts.len()).map(shown).map(|label| (label != UNNAMED).then_some(label)).collect()
}

/// The label of a group without one.
const UNNAMED: &str = "?";

/// What a member sees of an event: its name, or its label, with the member's own name if that is wanted.
fn word(member: &NamedObserver, event: EventId, name: &dyn Fn(EventId) -> String, is_whole: bool) -> Option<String> {
    let group = match member.observer.observability(event) {
        Observability::Silent => return None,
        Observability::Visible => return Some(name(event)),
        Observability::Anonymous(group) => group,
    };
    let label = member.labels[group.index()].as_deref().unwrap_or(UNNAMED);
    Some(if is_whole { format!("{}:{label}", member.name.as_deref().unwrap_or_default()) } else { label.to_owned() })
}
