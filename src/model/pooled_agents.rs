//! The agents of a pool of observers.
//!
//! Two runs look alike to a pool iff they look alike to each member: under `weak` each has a bijection between the agents that *it*
//! knows. The pool is one observer again, with one agent for each event, if one bijection of its own agents says the same as all of
//! theirs.
//!
//! *Construction.* An event that a member sees as itself shows its name, the others show the labels of all members. A member's agent
//! is *certain* if whatever its events show, all events that show the same are its own: it is its own partner. The other agents of
//! members that share an event are one agent of the pool; a name that they show becomes a label, which *identifies* that agent.
//! Events without other agents may have any agents.
//!
//! *Exactness.* Let two strings show the same labels of the pool.
//! - A bijection of each member gives one of the pool if any two events of an agent of the pool are *linked*: to some member they are
//!   events of one agent; or no other agent of the pool shows what they show. If two positions have one agent of the pool in one
//!   string, the member that links them finds one agent there in both strings.
//! - A bijection of the pool gives one of each member if the agent of the pool and its label determine the agent of the member, in
//!   the same way for all agents of the pool: labels that one agent of the member has in one of them belong to one agent of the
//!   member in all of them.
//!
//! What is not exact is refused, not approximated.

use super::NamedObserver;
use super::pool::Shown;
use crate::automaton::EventId;
use crate::automaton::union_find::UnionFind;
use crate::automaton::view::{AgentId, Observability};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The agents of a pool, by event.
#[derive(Debug)]
pub(super) struct PooledAgents {
    pub of: Vec<Option<AgentId>>,
    pub names: Vec<String>,
    /// The events that are seen as themselves and identify an agent.
    pub identifying: Vec<bool>,
}

/// Why observers cannot be pooled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unpooled {
    /// Events of one agent of the pool that no member links.
    Unlinked(EventId, EventId),
    /// A member, and two events whose agents it tells apart, while the pool could not.
    Apart(usize, EventId, EventId),
}

/// The agents of the pool of some observers, whose labels are given by event.
pub(super) fn read(members: &[&NamedObserver], shown: &[Shown]) -> Result<PooledAgents, Unpooled> {
    let mut pooled =
        PooledAgents { of: vec![None; shown.len()], names: Vec::new(), identifying: vec![false; shown.len()] };
    if members.iter().all(|member| !member.observer.has_named_agents()) {
        return Ok(pooled);
    }
    let pool = Pool { members, shown, doubtful: members.iter().map(|member| doubtful(member, shown)).collect() };
    let classes = pool.classes();
    let matters: Vec<&Vec<EventId>> = classes.iter().filter(|class| pool.actors(class[0]).next().is_some()).collect();
    let is_own = pool.own(&classes);
    let unlinked = matters.iter().find_map(|class| pool.unlinked(class, &is_own));
    if let Some(why) = unlinked.or_else(|| (0..members.len()).find_map(|at| pool.apart(at, &matters))) {
        return Err(why);
    }
    pool.name(&classes, &mut pooled);
    for event in classes.into_iter().flatten().filter(|event| shown[event.index()].is_itself()) {
        pooled.identifying[event.index()] = true;
    }
    Ok(pooled)
}

/// The agent of an event that is anonymous to a member, as the first event of that agent.
fn actor(member: &NamedObserver, event: EventId) -> Option<EventId> {
    let is_anonymous = matches!(member.observer.observability(event), Observability::Anonymous(_));
    is_anonymous.then(|| member.observer.actor(event))
}

/// The agents of a member that are not certain, by event.
fn doubtful(member: &NamedObserver, shown: &[Shown]) -> Vec<Option<EventId>> {
    let actors: Vec<Option<EventId>> = (0..shown.len()).map(|at| actor(member, EventId::from_index(at))).collect();
    let mut first: FxHashMap<&Shown, EventId> = FxHashMap::default();
    let mut doubtful: FxHashSet<EventId> = FxHashSet::default();
    for (&actor, shown) in actors.iter().zip(shown) {
        let Some(actor) = actor.filter(|_| !shown.is_itself()) else { continue };
        let first = *first.entry(shown).or_insert(actor);
        if actor != first {
            doubtful.extend([actor, first]);
        }
    }
    actors.into_iter().map(|actor| actor.filter(|actor| doubtful.contains(actor))).collect()
}

struct Pool<'a> {
    members: &'a [&'a NamedObserver],
    shown: &'a [Shown],
    /// The agents that are not certain, by member and event.
    doubtful: Vec<Vec<Option<EventId>>>,
}

impl Pool<'_> {
    /// The agents of an event that are not certain, by member.
    fn actors(&self, event: EventId) -> impl Iterator<Item = (usize, EventId)> {
        self.doubtful.iter().enumerate().filter_map(move |(at, actors)| Some((at, actors[event.index()]?)))
    }

    /// The agents of members that are one agent of the pool with this event: those that are not certain; if there is none, all of them,
    /// unless the event shows its name.
    fn agents(&self, event: EventId) -> Vec<(usize, EventId)> {
        let doubtful: Vec<_> = self.actors(event).collect();
        if !doubtful.is_empty() || self.shown[event.index()].is_itself() {
            return doubtful;
        }
        self.members.iter().enumerate().filter_map(|(at, member)| Some((at, actor(member, event)?))).collect()
    }

    /// The events of each agent of the pool, in order: agents of members that share an event are one.
    fn classes(&self) -> Vec<Vec<EventId>> {
        let n_events = self.shown.len();
        let node = |(at, actor): (usize, EventId)| (at * n_events) as u32 + actor.0;
        let mut same = UnionFind::new(self.members.len() * n_events);
        let events = || (0..n_events).map(EventId::from_index);
        for event in events() {
            let nodes: Vec<u32> = self.agents(event).into_iter().map(node).collect();
            nodes.windows(2).for_each(|pair| same.union(pair[0], pair[1]));
        }
        let mut classes: BTreeMap<u32, Vec<EventId>> = BTreeMap::new();
        for event in events() {
            if let Some(&first) = self.agents(event).first() {
                classes.entry(same.find(node(first))).or_default().push(event);
            }
        }
        classes.into_values().collect()
    }

    /// Whether only events of its class show what an event shows.
    fn own(&self, classes: &[Vec<EventId>]) -> Vec<bool> {
        let mut class_of: FxHashMap<&Shown, Option<usize>> = FxHashMap::default();
        for (class, events) in classes.iter().enumerate() {
            for event in events {
                let known = class_of.entry(&self.shown[event.index()]).or_insert(Some(class));
                *known = known.filter(|&known| known == class);
            }
        }
        self.shown.iter().map(|shown| class_of.get(shown).is_some_and(Option::is_some)).collect()
    }

    /// Two events of a class that no member links, and that others may show.
    fn unlinked(&self, class: &[EventId], is_own: &[bool]) -> Option<Unpooled> {
        let links = |actors: &Vec<Option<EventId>>, one: EventId, other: EventId| {
            actors[one.index()].is_some() && actors[one.index()] == actors[other.index()]
        };
        let follows_all = |actors: &Vec<_>| class.iter().all(|&event| links(actors, class[0], event));
        if self.doubtful.iter().any(follows_all) {
            return None;
        }
        let is_linked = |one: EventId, other: EventId| {
            is_own[one.index()] && is_own[other.index()] || self.doubtful.iter().any(|actors| links(actors, one, other))
        };
        let pairs = class.iter().enumerate().flat_map(|(at, &one)| class[..at].iter().map(move |&other| (other, one)));
        let unlinked = { pairs }.find(|&(one, other)| !is_linked(one, other));
        unlinked.map(|(one, other)| Unpooled::Unlinked(one, other))
    }

    /// Two events whose agents a member tells apart, where class and label do not. The labels are divided so that an agent has the
    /// labels of one part; in each class a part must have the labels of one agent.
    fn apart(&self, member: usize, classes: &[&Vec<EventId>]) -> Option<Unpooled> {
        let mut numbers: FxHashMap<&Shown, u32> = FxHashMap::default();
        let mut acts: Vec<(usize, EventId, u32)> = Vec::new();
        let actor = |event: EventId| self.doubtful[member][event.index()];
        for (class, events) in classes.iter().enumerate() {
            for &event in events.iter().filter(|&&event| actor(event).is_some()) {
                let next = numbers.len() as u32;
                acts.push((class, event, *numbers.entry(&self.shown[event.index()]).or_insert(next)));
            }
        }
        let mut parts = UnionFind::new(numbers.len());
        let mut label_of: FxHashMap<Option<EventId>, u32> = FxHashMap::default();
        for &(_, event, label) in &acts {
            parts.union(label, *label_of.entry(actor(event)).or_insert(label));
        }
        let mut first_of: FxHashMap<(usize, u32), EventId> = FxHashMap::default();
        acts.into_iter().find_map(|(class, event, label)| {
            let first = *first_of.entry((class, parts.find(label))).or_insert(event);
            (actor(first) != actor(event)).then_some(Unpooled::Apart(member, first, event))
        })
    }

    /// Names the agents of the pool: the classes with a named agent. Names that two classes have are told apart by the member.
    fn name(&self, classes: &[Vec<EventId>], pooled: &mut PooledAgents) {
        let mut taken = FxHashSet::default();
        for class in classes {
            let named =
                |&event: &EventId| self.members.iter().find_map(|member| Some((*member, member.agent_name(event)?)));
            let Some((member, name)) = class.iter().find_map(named) else { continue };
            let whole = || format!("{}:{name}", member.name.as_deref().unwrap_or_default());
            let name = if taken.insert(name.to_owned()) { name.to_owned() } else { whole() };
            let agent = AgentId::from_index(pooled.names.len());
            pooled.names.push(name);
            class.iter().for_each(|event| pooled.of[event.index()] = Some(agent));
        }
    }
}
