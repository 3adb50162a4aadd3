//! The agents of a pool of observers.
//!
//! Two runs look alike to a pool iff they look alike to each member: each has a bijection between the agents that *it* knows. The
//! pool is one observer again if those bijections determine each other. The agents of members that share an event are one agent of
//! the pool; that is exact if some member sees every event of that agent, and no other event identifies it. What is not exact is
//! refused, not approximated.

use super::NamedObserver;
use super::pool::group_of;
use crate::automaton::EventId;
use crate::automaton::union_find::UnionFind;
use crate::automaton::view::{AgentId, Observability};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The agents of a pool, by event.
#[derive(Debug, Default)]
pub(super) struct PooledAgents {
    pub of: Vec<Option<AgentId>>,
    pub names: Vec<String>,
}

/// The agents of the pool of some observers. None: they cannot be pooled.
pub(super) fn read(members: &[&NamedObserver]) -> Option<PooledAgents> {
    if members.iter().all(|member| !member.observer.has_named_agents()) {
        return Some(PooledAgents::default());
    }
    let pool = Pool { members, n_events: members[0].observer.observabilities().len() };
    let classes = pool.classes();
    let inexact =
        pool.identified().or_else(|| classes.iter().find(|class| !pool.is_exact(class)).map(|class| class[0]));
    inexact.is_none().then(|| pool.named(&classes))
}

struct Pool<'a> {
    members: &'a [&'a NamedObserver],
    n_events: usize,
}

impl Pool<'_> {
    fn events(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.n_events).map(EventId::from_index)
    }

    /// Whether some member sees an event as itself.
    fn is_visible(&self, event: EventId) -> bool {
        self.members.iter().any(|member| member.observer.observability(event) == Observability::Visible)
    }

    /// The members to whom an event is anonymous, each with the first event of its agent.
    fn actors(&self, event: EventId) -> impl Iterator<Item = (usize, EventId)> {
        let seen = move |(at, member): (usize, &&NamedObserver)| {
            group_of(member.observer.observability(event)).map(|_| (at, member.observer.actor(event)))
        };
        self.members.iter().enumerate().filter_map(seen)
    }

    /// An event that one member sees as itself, while another follows its agent to other events.
    fn identified(&self) -> Option<EventId> {
        let follows = |(at, _): (usize, EventId), event: EventId| {
            self.members[at].observer.events_of_actor(event).any(|other| other != event && !self.is_visible(other))
        };
        self.events().find(|&event| self.is_visible(event) && self.actors(event).any(|actor| follows(actor, event)))
    }

    /// The anonymous events of the pool, by agent: agents of members that share an event are one.
    fn classes(&self) -> Vec<Vec<EventId>> {
        let node = |(at, actor): (usize, EventId)| (at * self.n_events) as u32 + actor.0;
        let mut same = UnionFind::new(self.members.len() * self.n_events);
        let hidden = || self.events().filter(|&event| !self.is_visible(event));
        for event in hidden() {
            let nodes: Vec<u32> = self.actors(event).map(node).collect();
            nodes.windows(2).for_each(|pair| same.union(pair[0], pair[1]));
        }
        let mut classes: BTreeMap<u32, Vec<EventId>> = BTreeMap::new();
        for event in hidden() {
            if let Some(first) = self.actors(event).next() {
                classes.entry(same.find(node(first))).or_default().push(event);
            }
        }
        classes.into_values().collect()
    }

    /// Whether the members' bijections determine each other on a class: each knows one agent of it, and one sees all of its events.
    fn is_exact(&self, class: &[EventId]) -> bool {
        let knows =
            |at: usize| class.iter().flat_map(move |&event| self.actors(event)).filter(move |actor| actor.0 == at);
        let one_agent = |at: usize| knows(at).map(|(_, actor)| actor).collect::<FxHashSet<_>>().len() <= 1;
        let members = || 0..self.members.len();
        members().all(one_agent) && members().any(|at| knows(at).count() == class.len())
    }

    /// The agents of the pool: the classes with a named agent. Names that two classes have are told apart by the member.
    fn named(&self, classes: &[Vec<EventId>]) -> PooledAgents {
        let name = |class: &Vec<EventId>| {
            let agent = |&event: &EventId| {
                self.members.iter().find_map(|&member| member.observer.agent(event).map(|agent| (member, agent)))
            };
            class.iter().find_map(agent).map(|(member, agent)| (member, member.agents[agent.index()].clone()))
        };
        let mut pooled = PooledAgents { of: vec![None; self.n_events], names: Vec::new() };
        let mut taken = FxHashSet::default();
        for class in classes {
            let Some((member, name)) = name(class) else { continue };
            let whole = || format!("{}:{name}", member.name.as_deref().unwrap_or_default());
            let name = if taken.insert(name.clone()) { name } else { whole() };
            let agent = AgentId::from_index(pooled.names.len());
            pooled.names.push(name);
            class.iter().for_each(|event| pooled.of[event.index()] = Some(agent));
        }
        pooled
    }
}
