//! From a view to the checker's labels: which label each event has, and the kind and the agent of each label.

use super::model::EPSILON;
use crate::automaton::view::{AgentId, GroupId, Observability, Observer, Projection, View};
use std::collections::BTreeMap;

/// What the intruder learns from a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelKind {
    Silent,
    Visible,
    /// Anonymous under Pw, in this group, and its agent shares a group with another.
    Anonymous(u32),
}

/// The label of each event, and the kind and the agent of each label.
pub(super) struct Labels {
    pub(super) labels: Vec<u32>,
    pub(super) kinds: Vec<LabelKind>,
    pub(super) agents: Vec<u32>,
}

/// The labels of a view.
pub(super) fn labels(view: &View<'_>) -> Labels {
    let n_events = view.automaton.n_events();
    let n_labels = 1 + n_events + view.observer.n_groups();
    let mut found = Labels {
        labels: Vec::with_capacity(n_events),
        kinds: vec![LabelKind::Visible; n_labels],
        agents: (0..n_labels as u32).collect(),
    };
    found.kinds[0] = LabelKind::Silent;
    let acts = if view.projection == Projection::Weak { acts(view.observer) } else { Vec::new() };
    let hides = ambiguous(view.observer, &acts);
    for (event, observability) in view.observer.observabilities().iter().enumerate() {
        found.labels.push(match (*observability, acts.get(event).copied().flatten()) {
            (Observability::Silent, _) => EPSILON,
            (Observability::Anonymous(group), Some((agent, act))) => {
                if hides[agent as usize] {
                    found.kinds[act as usize] = LabelKind::Anonymous(group.0);
                    found.agents[act as usize] = agent;
                }
                act
            }
            (Observability::Anonymous(group), _) if view.projection == Projection::Strong => {
                1 + n_events as u32 + group.0
            }
            _ => 1 + event as u32,
        });
    }
    found
}

/// The agent of each anonymous event, and its label under Pw: the first events of the agent, and of the agent in the group.
fn acts(observer: &Observer) -> Vec<Option<(u32, u32)>> {
    let mut agents: BTreeMap<AgentId, u32> = BTreeMap::new();
    let mut acts: BTreeMap<(AgentId, GroupId), u32> = BTreeMap::new();
    let mut found = vec![None; observer.observabilities().len()];
    for event in observer.anonymous(None) {
        let own = 1 + event.0;
        found[event.index()] = match (observer.agent(event), observer.observability(event)) {
            (Some(agent), Observability::Anonymous(group)) => {
                Some((*agents.entry(agent).or_insert(own), *acts.entry((agent, group)).or_insert(own)))
            }
            _ => Some((own, own)),
        };
    }
    found
}

/// Whether each agent has a group in which there is another agent.
fn ambiguous(observer: &Observer, acts: &[Option<(u32, u32)>]) -> Vec<bool> {
    let mut first: Vec<Option<u32>> = vec![None; observer.n_groups()];
    let mut shared = vec![false; observer.n_groups()];
    let of_event = |event: usize| match observer.observabilities()[event] {
        Observability::Anonymous(group) => acts.get(event).copied().flatten().map(|(agent, _)| (agent, group.index())),
        Observability::Silent | Observability::Visible => None,
    };
    let all = || (0..acts.len()).filter_map(of_event);
    all().for_each(|(agent, group)| shared[group] |= *first[group].get_or_insert(agent) != agent);
    let mut ambiguous = vec![false; 1 + acts.len()];
    all().for_each(|(agent, group)| ambiguous[agent as usize] |= shared[group]);
    ambiguous
}
