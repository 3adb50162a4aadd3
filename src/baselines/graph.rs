//! A view as a graph whose edges carry a label or nothing.
//!
//! Under the weak projection a node is a state and the order in which the agents of each sequence of numbers first appeared; without
//! named agents, the anonymous events of each group.

use super::Meter;
use crate::automaton::view::{Observability, Projection, Symbol, View};
use crate::automaton::{EventId, StateId};
use crate::resources::Stop;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// An edge: a label (none: silent) and the node it leads to.
pub(super) type Edge = (Option<u32>, u32);

/// A view, unfolded.
pub(super) struct Graph {
    /// The state of each node.
    pub(super) states: Vec<StateId>,
    pub(super) initial: Vec<u32>,
    pub(super) edges: Vec<Vec<Edge>>,
    /// How many labels there are.
    pub(super) labels: u32,
}

type Past = Vec<Vec<EventId>>;

impl Graph {
    /// Unfolds a view as far as it is reachable.
    pub(super) fn new(view: View<'_>, meter: &mut Meter<'_>) -> Result<Graph, Stop> {
        let sequences = if view.is_dynamic() { view.observer.n_sequences() } else { 0 };
        let mut known: FxHashMap<(StateId, Past), u32> = FxHashMap::default();
        let mut open: Vec<(StateId, Past)> = Vec::new();
        let mut node = |at: (StateId, Past), open: &mut Vec<(StateId, Past)>| {
            let fresh = known.len() as u32;
            *known.entry(at).or_insert_with_key(|at| {
                open.push(at.clone());
                fresh
            })
        };
        let start = |state: &StateId| (*state, vec![Vec::new(); sequences]);
        let initial = view.automaton.initial().iter().map(|state| node(start(state), &mut open)).collect();
        let mut labels: FxHashMap<Symbol, u32> = FxHashMap::default();
        let mut graph = Graph { states: Vec::new(), initial, edges: Vec::new(), labels: 0 };
        let mut at = 0;
        while at < open.len() {
            let (state, past) = open[at].clone();
            meter.pay(64)?;
            let mut edges = Vec::new();
            for step in view.automaton.steps(state) {
                let (sign, past) = shown(view, step.event, &past);
                let fresh = labels.len() as u32;
                let label = sign.map(|sign| *labels.entry(sign).or_insert(fresh));
                edges.push((label, node((step.target, past), &mut open)));
            }
            graph.states.push(state);
            graph.edges.push(edges);
            at += 1;
        }
        graph.labels = labels.len() as u32;
        Ok(graph)
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The same graph with every edge turned round.
    pub(super) fn reversed(&self) -> Vec<Vec<Edge>> {
        let mut turned = vec![Vec::new(); self.len()];
        for (source, edges) in self.edges.iter().enumerate() {
            for &(label, target) in edges {
                turned[target as usize].push((label, source as u32));
            }
        }
        turned
    }

    pub(super) fn set(&self, nodes: impl IntoIterator<Item = u32>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.len());
        nodes.into_iter().for_each(|node| set.insert(node as usize));
        set
    }
}

/// Everything that silent edges reach from a set, the set itself included.
pub(super) fn close(edges: &[Vec<Edge>], set: &mut FixedBitSet) {
    let mut open: Vec<usize> = set.ones().collect();
    while let Some(node) = open.pop() {
        for &(label, target) in &edges[node] {
            if label.is_none() && !set.put(target as usize) {
                open.push(target as usize);
            }
        }
    }
}

/// For each label, the nodes that it reaches from a set.
pub(super) fn post(edges: &[Vec<Edge>], set: &FixedBitSet) -> Vec<(u32, FixedBitSet)> {
    let mut reached: Vec<(u32, FixedBitSet)> = Vec::new();
    for node in set.ones() {
        for &(label, target) in &edges[node] {
            let Some(label) = label else { continue };
            let at = reached.binary_search_by_key(&label, |entry| entry.0).unwrap_or_else(|at| {
                reached.insert(at, (label, FixedBitSet::with_capacity(edges.len())));
                at
            });
            reached[at].1.insert(target as usize);
        }
    }
    reached
}

/// What an event shows after a past, and the past after it.
fn shown(view: View<'_>, event: EventId, past: &Past) -> (Option<Symbol>, Past) {
    match (view.observer.observability(event), view.projection) {
        (Observability::Silent, _) => (None, past.clone()),
        (Observability::Visible, _) | (_, Projection::Natural) => (Some(Symbol::Event(event)), past.clone()),
        (Observability::Anonymous(group), Projection::Strong) => (Some(Symbol::Group(group)), past.clone()),
        (Observability::Anonymous(group), Projection::Weak) => {
            let mut after = past.clone();
            let (order, agent) = (&mut after[view.observer.sequence(group)], view.observer.actor(event));
            if !order.contains(&agent) {
                order.push(agent);
            }
            let order = order.iter().position(|&earlier| earlier == agent);
            (order.map(|order| Symbol::Nth(group, order as u32 + 1)), after)
        }
    }
}
