//! G and Ĝ: the automaton whose transitions say what they show.
//!
//! Under P and Pstr that is G itself (eq. 1). Under Pw what an event shows depends on the past, so the paper augments each
//! state with the order in which the anonymous events first appeared (eq. 6): (x, {(σ¹)₁, ..., (σⁱ)ᵢ}). Here that order is a
//! vector for each group of anonymous events; the paper has one group. Only the part of Ĝ that is reachable from X0 × {ε}
//! is built; |X̂| of the whole is in [`bound`](super::bound).
//!
//! Where agents are named, the order is that of the agents, each denoted by its first event. Two runs look alike iff a bijection
//! between the agents that they have used exists under which the labels agree, position by position. There is at most one such
//! bijection: it maps the i-th agent of one run to the i-th agent of the other. So the runs look alike iff each position
//! shows the same label and the same index. A group without named agents keeps an order of its own: no agent has events in it
//! and in another.

use super::Budget;
use crate::automaton::view::{GroupId, Observability, Projection, Symbol, View};
use crate::automaton::{EventId, StateId, id};
use crate::resources::Stop;
use std::collections::BTreeMap;

id! {
    /// A node of a plant: a state of G or of Ĝ.
    NodeId
}

/// A state of G, or a state (x, p) of Ĝ.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// l(x̂): the state of G.
    pub state: StateId,
    /// p: by sequence of indices ([`Observer::sequence`]), its agents in the order in which they first appeared, each as its first
    /// event. Without sequences in a static view.
    ///
    /// [`Observer::sequence`]: crate::automaton::view::Observer::sequence
    pub arrived: Vec<Vec<EventId>>,
}

/// One transition of a plant as seen from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The event of G.
    pub event: EventId,
    /// What it shows here: Pstr, or Pⁿ of the indexed event; nothing: unobservable.
    pub sign: Option<Symbol>,
    /// The node it leads to.
    pub target: NodeId,
}

/// G or Ĝ, with what its transitions show.
#[derive(Clone, Debug)]
pub struct Plant {
    nodes: Vec<Node>,
    initial: Vec<NodeId>,
    moves: Vec<Vec<Move>>,
    alphabet: Vec<Symbol>,
}

impl Plant {
    /// G for a static view, the reachable part of Ĝ for a weak one. A static plant keeps every declared state, and its
    /// nodes are numbered like the states.
    pub fn new(view: View<'_>, budget: &mut Budget<'_>) -> Result<Plant, Stop> {
        let mut growth = Growth::default();
        if view.is_dynamic() {
            for &state in view.automaton.initial() {
                growth.node(start(view, state), budget)?;
            }
        } else {
            for state in view.automaton.states() {
                growth.node(start(view, state), budget)?;
            }
        }
        let initial = view.automaton.initial().iter().map(|&state| growth.known[&start(view, state)]).collect();
        let moves = growth.close(view, budget)?;
        Ok(Plant { nodes: growth.nodes, initial, moves, alphabet: alphabet(view) })
    }

    /// G_m or Ĝ_w: every node is initial.
    pub fn variant(&self) -> Plant {
        Plant { initial: self.ids().collect(), ..self.clone() }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::from_index)
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// l(x̂): the state of G that a node stands for.
    pub fn state(&self, id: NodeId) -> StateId {
        self.nodes[id.index()].state
    }

    /// The initial nodes.
    pub fn initial(&self) -> &[NodeId] {
        &self.initial
    }

    /// The transitions that leave a node.
    pub fn moves(&self, id: NodeId) -> &[Move] {
        &self.moves[id.index()]
    }

    /// Σ_obs: everything that an intruder may see, whether or not some transition shows it.
    pub fn alphabet(&self) -> &[Symbol] {
        &self.alphabet
    }
}

#[derive(Default)]
struct Growth {
    nodes: Vec<Node>,
    known: BTreeMap<Node, NodeId>,
}

impl Growth {
    fn node(&mut self, node: Node, budget: &mut Budget<'_>) -> Result<NodeId, Stop> {
        if let Some(&id) = self.known.get(&node) {
            return Ok(id);
        }
        let id = NodeId::from_index(self.nodes.len());
        budget.pay(64 + 8 * node.arrived.iter().map(Vec::len).sum::<usize>())?;
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        Ok(id)
    }

    /// Follows δ̂ until nothing new appears.
    fn close(&mut self, view: View<'_>, budget: &mut Budget<'_>) -> Result<Vec<Vec<Move>>, Stop> {
        let mut moves = Vec::new();
        while moves.len() < self.nodes.len() {
            let node = self.nodes[moves.len()].clone();
            let mut row = Vec::new();
            for (event, sign, target) in steps(view, &node) {
                row.push(Move { event, sign, target: self.node(target, budget)? });
            }
            moves.push(row);
        }
        Ok(moves)
    }
}

/// (x, ε), or x itself in a static view.
pub fn start(view: View<'_>, state: StateId) -> Node {
    let sequences = if view.is_dynamic() { view.observer.n_sequences() } else { 0 };
    Node { state, arrived: vec![Vec::new(); sequences] }
}

/// δ̂ of eq. 6 (δ of G in a static view): the event, what it shows, and where it leads.
pub fn steps(view: View<'_>, node: &Node) -> Vec<(EventId, Option<Symbol>, Node)> {
    let leaving = view.automaton.steps(node.state).iter();
    leaving
        .map(|step| {
            let (sign, arrived) = show(view, step.event, &node.arrived);
            (step.event, sign, Node { state: step.target, arrived })
        })
        .collect()
}

/// What an event shows after a past, and the past after it.
fn show(view: View<'_>, event: EventId, arrived: &[Vec<EventId>]) -> (Option<Symbol>, Vec<Vec<EventId>>) {
    let same = arrived.to_vec();
    let Observability::Anonymous(group) = view.observer.observability(event) else {
        let seen = view.observer.observability(event) == Observability::Visible;
        return (seen.then_some(Symbol::Event(event)), same); // rule (1)
    };
    match view.projection {
        Projection::Natural => (Some(Symbol::Event(event)), same),
        Projection::Strong => (Some(Symbol::Group(group)), same),
        Projection::Weak => {
            let mut after = same;
            let order = &mut after[view.observer.sequence(group)];
            let agent = first_event_of_agent(view, event);
            let index = match order.iter().position(|&earlier| earlier == agent) {
                Some(at) => at + 1, // rule (2): it has an index already
                None => {
                    order.push(agent); // rule (3): it takes the next index
                    order.len()
                }
            };
            (Some(Symbol::Nth(group, index as u32)), after)
        }
    }
}

/// The agent of an anonymous event: the first event with the same named agent, or the event itself.
fn first_event_of_agent(view: View<'_>, event: EventId) -> EventId {
    let agent = view.observer.agent(event);
    let same = |other: &EventId| agent.is_some() && view.observer.agent(*other) == agent;
    view.observer.anonymous(None).find(same).unwrap_or(event)
}

/// Σ_obs: (Σo \ Γ) ∪ {γ}, or (Σo \ Γ) ∪ Γ_w, or Σo. A label has as many indices as there are agents in its sequence.
fn alphabet(view: View<'_>) -> Vec<Symbol> {
    let mut signs: Vec<Symbol> = Vec::new();
    for event in view.automaton.events() {
        match (view.observer.observability(event), view.projection) {
            (Observability::Silent, _) => {}
            (Observability::Visible, _) | (_, Projection::Natural) => signs.push(Symbol::Event(event)),
            (Observability::Anonymous(group), Projection::Strong) => signs.push(Symbol::Group(group)),
            (Observability::Anonymous(_), Projection::Weak) => {}
        }
    }
    if view.is_dynamic() {
        for group in (0..view.observer.n_groups()).map(GroupId::from_index) {
            signs.extend((1..=view.observer.n_numbers(group) as u32).map(|index| Symbol::Nth(group, index)));
        }
    }
    signs.sort_unstable();
    signs.dedup();
    signs
}
