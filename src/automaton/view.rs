//! What one intruder sees of the automaton.
//!
//! An [`Observer`] says of each event whether it is seen, unseen, or seen as one of a group of events that look alike. A
//! [`Projection`] says what that means: under P (natural) the groups are ignored; under Pstr (strong) every event of a group
//! shows the group's one label γ; under Pw (weak) it shows γi, where i numbers the agent who acts. A [`View`] is an automaton
//! with both.
//!
//! Every anonymous event has a label, its group, and an *agent*: who acts. An event is its own agent, unless an agent is named
//! for it; a named agent may have events in several groups, and several in one. Two runs look alike under Pw iff they show
//! equally many observations, and a bijection between the agents that they have used exists under which the labels agree,
//! position by position. The numbers say the same: agents are numbered in the order in which the run first shows them. All
//! agents of groups with a named agent share one sequence of numbers; a group without named agents has its own. So two runs
//! look alike iff they show the same symbols, and without named agents Pw is the paper's projection, group by group.

use super::{Automaton, EventId, id};
use rustc_hash::FxHashMap;
use std::fmt;

id! {
    /// A group of events that look alike.
    GroupId
}

id! {
    /// An agent with a name, who may have several events.
    AgentId
}

/// How one event appears to an intruder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observability {
    /// Not seen: in Σuo.
    Silent,
    /// Seen as itself: in Σo \ Γ.
    Visible,
    /// Seen, but like every other event of its group: in Γ.
    Anonymous(GroupId),
}

/// How every event appears to one intruder: Σo and Γ, and who acts in the events of Γ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer {
    observabilities: Vec<Observability>,
    n_groups: u32,
    /// None: every anonymous event is its own agent.
    named: Option<NamedAgents>,
}

/// The agents of an observer with named agents.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedAgents {
    /// The named agent of each event.
    of: Vec<Option<AgentId>>,
    /// The first event of each event's agent.
    actors: Vec<EventId>,
    /// The first event with the same agent and the same label as each event.
    acts: Vec<EventId>,
    /// Whether a group has an event of a named agent.
    in_groups: Vec<bool>,
}

impl Observer {
    /// One sight per event; every anonymous event is its own agent.
    pub fn new(observabilities: Vec<Observability>) -> Observer {
        let groups = observabilities.iter().filter_map(|&observability| group_of(observability));
        let n_groups = groups.map(|group| group.0 + 1).max().unwrap_or(0);
        Observer { n_groups, observabilities, named: None }
    }

    /// One sight per event, and the named agent of each anonymous event; none: it is its own agent. Agents of events that are
    /// not anonymous do not count.
    pub fn with_agents(observabilities: Vec<Observability>, agents: &[Option<AgentId>]) -> Observer {
        let mut observer = Observer::new(observabilities);
        let sights = observer.observabilities.iter().enumerate();
        let of: Vec<Option<AgentId>> = sights
            .map(|(event, &observability)| group_of(observability).and_then(|_| agents.get(event).copied().flatten()))
            .collect();
        if of.iter().any(Option::is_some) {
            observer.named = Some(NamedAgents::new(&observer, of));
        }
        observer
    }

    /// How an event appears.
    pub fn observability(&self, event: EventId) -> Observability {
        self.observabilities[event.index()]
    }

    /// All sights, by event.
    pub fn observabilities(&self) -> &[Observability] {
        &self.observabilities
    }

    /// How many groups of anonymous events there are.
    pub fn n_groups(&self) -> usize {
        self.n_groups as usize
    }

    /// Whether some anonymous event has a named agent.
    pub fn has_named_agents(&self) -> bool {
        self.named.is_some()
    }

    /// The named agent of an event; none if it is its own agent, or not anonymous.
    pub fn agent(&self, event: EventId) -> Option<AgentId> {
        self.named.as_ref()?.of[event.index()]
    }

    /// The agent of an event, as the first event of that agent; without a named agent the event itself.
    pub fn actor(&self, event: EventId) -> EventId {
        self.named.as_ref().map_or(event, |named| named.actors[event.index()])
    }

    /// The first event with the same agent and the same label: no anonymous projection tells the two apart.
    pub fn act(&self, event: EventId) -> EventId {
        self.named.as_ref().map_or(event, |named| named.acts[event.index()])
    }

    /// Every anonymous event of an event's agent, in order.
    pub fn events_of_actor(&self, event: EventId) -> impl Iterator<Item = EventId> + '_ {
        let actor = self.actor(event);
        self.anonymous(None).filter(move |&other| self.actor(other) == actor)
    }

    /// How many sequences of numbers there are: one for each group, and one for all agents of groups with named agents.
    pub fn n_sequences(&self) -> usize {
        self.n_groups() + usize::from(self.has_named_agents())
    }

    /// The sequence in which the agents of a group are numbered: the group's own, or the last one.
    pub fn sequence(&self, group: GroupId) -> usize {
        let shared = self.named.as_ref().is_some_and(|named| named.in_groups[group.index()]);
        if shared { self.n_groups() } else { group.index() }
    }

    /// How many agents are numbered in the sequence of a group: no number of its label is larger.
    pub fn n_numbers(&self, group: GroupId) -> usize {
        let sequence = self.sequence(group);
        let is_first = |event: EventId| {
            let here = |event: EventId| group_of(self.observability(event)).map(|group| self.sequence(group));
            here(event) == Some(sequence) && self.actor(event) == event
        };
        self.anonymous(None).filter(|&event| is_first(event)).count()
    }

    /// Γ, or the part of it in one group.
    pub fn anonymous(&self, group: Option<GroupId>) -> impl Iterator<Item = EventId> + '_ {
        self.observabilities.iter().enumerate().filter_map(move |(at, observability)| match *observability {
            Observability::Anonymous(of) if group.is_none_or(|group| group == of) => Some(EventId::from_index(at)),
            _ => None,
        })
    }
}

/// The group of an anonymous event.
fn group_of(observability: Observability) -> Option<GroupId> {
    match observability {
        Observability::Anonymous(group) => Some(group),
        Observability::Silent | Observability::Visible => None,
    }
}

impl NamedAgents {
    /// The agents of an observer that has none yet.
    fn new(observer: &Observer, of: Vec<Option<AgentId>>) -> NamedAgents {
        let mut in_groups = vec![false; observer.n_groups()];
        let mut first_events: FxHashMap<AgentId, EventId> = FxHashMap::default();
        let mut first_acts: FxHashMap<(AgentId, GroupId), EventId> = FxHashMap::default();
        let (mut actors, mut acts) = (Vec::with_capacity(of.len()), Vec::with_capacity(of.len()));
        for (at, (&agent, &observability)) in of.iter().zip(observer.observabilities()).enumerate() {
            let event = EventId::from_index(at);
            let (mut actor, mut act) = (event, event);
            if let (Some(agent), Some(group)) = (agent, group_of(observability)) {
                in_groups[group.index()] = true;
                actor = *first_events.entry(agent).or_insert(event);
                act = *first_acts.entry((agent, group)).or_insert(event);
            }
            actors.push(actor);
            acts.push(act);
        }
        NamedAgents { of, actors, acts, in_groups }
    }
}

/// How the events of a group are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Projection {
    /// P: groups are ignored, every observable event shows itself.
    Natural,
    /// Pstr: every event of a group shows the same label.
    Strong,
    /// Pw: an event of a group shows the label and the number of its agent, in the order of first appearance.
    Weak,
}

impl Projection {
    /// The word for it in the language.
    pub fn word(self) -> &'static str {
        match self {
            Projection::Natural => "natural",
            Projection::Strong => "strong",
            Projection::Weak => "weak",
        }
    }
}

impl fmt::Display for Projection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What an intruder sees of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// The event itself.
    Event(EventId),
    /// γ: some event of the group.
    Group(GroupId),
    /// γi: an event of the group, whose agent was the i-th to appear in the group's sequence, i from 1.
    Nth(GroupId, u32),
}

/// An automaton as one intruder sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The automaton.
    pub automaton: &'a Automaton,
    /// How its events appear.
    pub observer: &'a Observer,
    /// How the events of a group are told apart.
    pub projection: Projection,
}

impl View<'_> {
    /// Whether labels depend on the past: weak, and something is anonymous.
    pub fn is_dynamic(&self) -> bool {
        self.projection == Projection::Weak && self.observer.n_groups() > 0
    }

    /// What a string of events shows: P(s), Pstr(s) or Pw(s). Cost: |s|.
    pub fn project(&self, string: &[EventId]) -> Vec<Symbol> {
        self.signs(string).flatten().collect()
    }

    /// What each event of a string shows; none: nothing.
    pub(crate) fn signs<'s>(&self, string: &'s [EventId]) -> impl Iterator<Item = Option<Symbol>> + use<'_, 's> {
        let mut counts: Vec<u32> = vec![0; self.observer.n_sequences()];
        let mut numbers: FxHashMap<EventId, u32> = FxHashMap::default();
        string.iter().map(move |&event| match (self.observer.observability(event), self.projection) {
            (Observability::Silent, _) => None,
            (Observability::Visible, _) | (_, Projection::Natural) => Some(Symbol::Event(event)),
            (Observability::Anonymous(group), Projection::Strong) => Some(Symbol::Group(group)),
            (Observability::Anonymous(group), Projection::Weak) => {
                let number = *numbers.entry(self.observer.actor(event)).or_insert_with(|| {
                    let count = &mut counts[self.observer.sequence(group)];
                    *count += 1;
                    *count
                });
                Some(Symbol::Nth(group, number))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Builder;

    /// Labels 0 and 1 of two badges, events 0 to 3; event 4 is label 2 without agents, event 5 has label 1 and no named agent.
    fn badges() -> Observer {
        let groups = [0, 1, 0, 1, 2, 1].map(|group| Observability::Anonymous(GroupId(group)));
        let agents = [Some(7), Some(7), Some(3), Some(3), None, None].map(|agent: Option<u32>| agent.map(AgentId));
        Observer::with_agents(groups.to_vec(), &agents)
    }

    fn shown(observer: &Observer, string: [u32; 6]) -> Vec<(u32, u32)> {
        let automaton = Builder::new(1, 6).freeze();
        let view = View { automaton: &automaton, observer, projection: Projection::Weak };
        let symbols = view.project(&string.map(EventId)).into_iter();
        let pairs = symbols.map(|symbol| match symbol {
            Symbol::Nth(group, number) => (group.0, number),
            other => panic!("{other:?}"),
        });
        pairs.collect()
    }

    #[test]
    fn an_agent_keeps_its_number_across_labels() {
        let observer = badges();
        assert_eq!(shown(&observer, [2, 3, 0, 4, 5, 1]), [(0, 1), (1, 1), (0, 2), (2, 1), (1, 3), (1, 2)]);
        assert_eq!([0, 1, 2].map(|group| observer.n_numbers(GroupId(group))), [3, 3, 1]);
    }

    #[test]
    fn without_named_agents_each_group_counts_on_its_own() {
        let observer = Observer::with_agents(badges().observabilities().to_vec(), &[None; 6]);
        assert_eq!(observer, Observer::new(badges().observabilities().to_vec()));
        assert_eq!(shown(&observer, [2, 3, 0, 4, 5, 1]), [(0, 1), (1, 1), (0, 2), (2, 1), (1, 2), (1, 3)]);
    }
}
