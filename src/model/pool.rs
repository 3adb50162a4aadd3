//! What several observers see together: `observer Both = Clerk + Insider;`.
//!
//! An event is observable if one of them sees it. Two events look alike to the pool only if they look alike to each of its members:
//! an event that one of them sees as itself is seen as itself, and the others are grouped by the labels that the members see. Without
//! named agents this is exact under every projection: each member recognises an event that comes again, and so does the pool. Named
//! agents are pooled by [`pooled_agents`](super::pooled_agents).

use super::{NamedObserver, pooled_agents};
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

/// What the members see together. Cost: members times events.
/// None: their agents cannot be pooled.
pub(crate) fn pool(members: &[&NamedObserver]) -> Option<Pool> {
    let agents = pooled_agents::read(members)?;
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
    Some(Pool { observer, labels: labels(members, &groups), agents: agents.names })
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
