//! From an observer to the role and the agent of each event, and to the agents that each state can still reach.
//!
//! An agent is denoted by the first of its events; without named agents every event is its own agent. An *act* is an agent with
//! a label, denoted by the first of its events: all events of an act look alike.

use crate::automaton::Automaton;
use crate::automaton::view::{Observability, View};
use crate::verify::sets::vec_bytes;
use rustc_hash::FxHashMap;

/// What the intruder learns from an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Silent,
    Visible,
    /// Anonymous, in this group. Its agent may be taken for another one.
    Anonymous(u32),
}

/// The role, the agent and the act of each event.
#[derive(Debug)]
pub(super) struct Roles {
    role: Vec<Role>,
    /// None: every event is its own agent and its own act.
    named: Option<NamedAgents>,
}

#[derive(Debug)]
struct NamedAgents {
    agent: Vec<u32>,
    act: Vec<u32>,
    /// The act of an agent in a group.
    acts: FxHashMap<(u32, u32), u32>,
}

impl Roles {
    /// The roles of a view. An agent who shares no label hides nothing: all its acts are visible.
    pub(super) fn new(view: &View<'_>) -> Roles {
        let observer = view.observer;
        let mut n_agents = vec![0u32; observer.n_groups()];
        for event in observer.anonymous(None).filter(|&event| observer.act(event) == event) {
            if let Observability::Anonymous(group) = observer.observability(event) {
                n_agents[group.index()] += 1;
            }
        }
        let mut ambiguous = vec![false; observer.observabilities().len()];
        for event in observer.anonymous(None) {
            if let Observability::Anonymous(group) = observer.observability(event) {
                ambiguous[observer.actor(event).index()] |= n_agents[group.index()] > 1;
            }
        }
        let role = view.automaton.events().map(|event| match observer.observability(event) {
            Observability::Silent => Role::Silent,
            Observability::Anonymous(group) if ambiguous[observer.actor(event).index()] => Role::Anonymous(group.0),
            Observability::Visible | Observability::Anonymous(_) => Role::Visible,
        });
        Roles { role: role.collect(), named: observer.has_named_agents().then(|| NamedAgents::new(view)) }
    }

    /// How many events there are.
    pub(super) fn len(&self) -> usize {
        self.role.len()
    }

    /// The role of an event.
    pub(super) fn role(&self, event: u32) -> Role {
        self.role[event as usize]
    }

    /// The agent of an event.
    pub(super) fn agent(&self, event: u32) -> u32 {
        self.named.as_ref().map_or(event, |named| named.agent[event as usize])
    }

    /// The act of an event.
    pub(super) fn act(&self, event: u32) -> u32 {
        self.named.as_ref().map_or(event, |named| named.act[event as usize])
    }

    /// Whether an act may have several events.
    pub(super) fn has_named_agents(&self) -> bool {
        self.named.is_some()
    }

    /// The act of an agent with the label of another act, if it has one.
    pub(super) fn act_of(&self, agent: u32, like: u32) -> Option<u32> {
        match (&self.named, self.role(like)) {
            (Some(named), Role::Anonymous(group)) => named.acts.get(&(agent, group)).copied(),
            _ => Some(agent),
        }
    }
}

impl NamedAgents {
    fn new(view: &View<'_>) -> NamedAgents {
        let observer = view.observer;
        let acts = observer.anonymous(None).filter_map(|event| match observer.observability(event) {
            Observability::Anonymous(group) => Some(((observer.actor(event).0, group.0), observer.act(event).0)),
            _ => None,
        });
        NamedAgents {
            agent: view.automaton.events().map(|event| observer.actor(event).0).collect(),
            act: view.automaton.events().map(|event| observer.act(event).0).collect(),
            acts: acts.collect(),
        }
    }
}

/// Which agents with anonymous events each state can still reach.
//
// INVARIANT: the agents of state `s` are the bits of `words[s * stride..(s + 1) * stride]`.
#[derive(Debug)]
pub(super) struct Reach {
    stride: usize,
    words: Vec<u64>,
}

impl Reach {
    /// A backward fixpoint. Cost: at most |δ| for each agent.
    pub(super) fn new(automaton: &Automaton, roles: &Roles) -> Reach {
        let stride = automaton.n_events().div_ceil(64).max(1);
        let mut reach = Reach { stride, words: vec![0u64; automaton.n_states() * stride] };
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); automaton.n_states()];
        for (_, source, step) in automaton.transitions() {
            predecessors[step.target.index()].push(source.0);
            if let Role::Anonymous(_) = roles.role(step.event.0) {
                let agent = roles.agent(step.event.0);
                reach.words[source.index() * stride + agent as usize / 64] |= 1 << (agent % 64);
            }
        }
        let mut worklist: Vec<u32> = (0..automaton.n_states() as u32).collect();
        while let Some(state) = worklist.pop() {
            worklist.extend(predecessors[state as usize].iter().filter(|&&source| reach.propagate(state, source)));
        }
        reach
    }

    /// Adds the agents of a state to those of its predecessor; whether that is more than before.
    fn propagate(&mut self, state: u32, source: u32) -> bool {
        let mut changed = false;
        for word in 0..self.stride {
            let more =
                self.words[state as usize * self.stride + word] & !self.words[source as usize * self.stride + word];
            self.words[source as usize * self.stride + word] |= more;
            changed |= more != 0;
        }
        changed
    }

    /// Whether a state can still reach an event of an agent.
    pub(super) fn has(&self, state: u32, agent: u32) -> bool {
        self.words[state as usize * self.stride + agent as usize / 64] >> (agent % 64) & 1 == 1
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.words)
    }
}
