//! The runs that look alike so far, as sets of nodes: what one more sign makes of them, and which of them lead where.

use crate::automaton::view::{Observability, Observer, Projection, Symbol};
use crate::automaton::{Automaton, EventId, StateId, Step};
use crate::resources::{Monitor, Stop};
use crate::verify::{Histories, HistoryId};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::mem::size_of;
use std::sync::Arc;

/// A run as far as it matters: where it is, and under Pw which agent has which number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Node {
    pub(super) state: StateId,
    pub(super) history: HistoryId,
}

/// Nodes, sorted. Those of an instant are closed under unobservable events.
pub(super) type Layer = Vec<Node>;

/// Follows the runs of one view.
#[derive(Debug)]
pub(super) struct Runs<'a> {
    automaton: Arc<Automaton>,
    observer: &'a Observer,
    projection: Projection,
    histories: Histories,
}

impl<'a> Runs<'a> {
    pub(super) fn new(automaton: Arc<Automaton>, observer: &'a Observer, projection: Projection) -> Runs<'a> {
        let histories = Histories::new(automaton.n_events());
        Runs { automaton, observer, projection, histories }
    }

    pub(super) fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    pub(super) fn observer(&self) -> &'a Observer {
        self.observer
    }

    pub(super) fn projection(&self) -> Projection {
        self.projection
    }

    /// The nodes before anything happens.
    pub(super) fn initial(&self) -> Layer {
        self.automaton.initial().iter().map(|&state| Node { state, history: HistoryId::EMPTY }).collect()
    }

    /// The nodes before anything is seen.
    pub(super) fn start(&mut self, monitor: &mut Monitor<'_>) -> Result<Layer, Stop> {
        self.closed(self.initial().into_iter().collect(), monitor)
    }

    /// The signs that the nodes can show next, each with the nodes after it.
    pub(super) fn next(&mut self, nodes: &[Node], monitor: &mut Monitor<'_>) -> Result<BTreeMap<Symbol, Layer>, Stop> {
        let mut after: BTreeMap<Symbol, FxHashSet<Node>> = BTreeMap::new();
        for node in self.closed(nodes.iter().copied().collect(), monitor)? {
            for step in self.steps(node.state) {
                monitor.spend(1)?;
                if let Some((sign, target)) = self.shown(node, step, monitor)? {
                    after.entry(sign).or_default().insert(target);
                }
            }
        }
        after.into_iter().map(|(sign, nodes)| Ok((sign, self.closed(nodes, monitor)?))).collect()
    }

    /// The nodes of a layer that lead, silently and then by a sign, into `after`.
    pub(super) fn leading(
        &mut self,
        layer: &Layer,
        sign: Symbol,
        after: &[Node],
        monitor: &mut Monitor<'_>,
    ) -> Result<Layer, Stop> {
        let mut leads: FxHashSet<Node> = FxHashSet::default();
        let mut silent: Vec<(Node, Node)> = Vec::new();
        for &node in layer {
            for step in self.steps(node.state) {
                monitor.spend(1)?;
                match self.shown(node, step, monitor)? {
                    None => silent.push((Node { state: step.target, ..node }, node)),
                    Some((shown, target)) if shown == sign && after.binary_search(&target).is_ok() => {
                        leads.insert(node);
                    }
                    Some(_) => {}
                }
            }
        }
        spread_back(&mut leads, silent);
        Ok(sorted(leads))
    }

    /// What a step shows after a past and where it leads; none: it is not seen.
    pub(super) fn shown(
        &mut self,
        node: Node,
        step: Step,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<(Symbol, Node)>, Stop> {
        let moved = Node { state: step.target, ..node };
        Ok(match (self.observer.observability(step.event), self.projection) {
            (Observability::Silent, _) => None,
            (Observability::Visible, _) | (_, Projection::Natural) => Some((Symbol::Event(step.event), moved)),
            (Observability::Anonymous(group), Projection::Strong) => Some((Symbol::Group(group), moved)),
            (Observability::Anonymous(group), Projection::Weak) => {
                let (number, history) = self.numbered(node.history, step.event, monitor)?;
                Some((Symbol::Nth(group, number), Node { history, ..moved }))
            }
        })
    }

    /// The number of an event's agent, and the history with it.
    fn numbered(
        &mut self,
        history: HistoryId,
        event: EventId,
        monitor: &mut Monitor<'_>,
    ) -> Result<(u32, HistoryId), Stop> {
        let agent = self.observer.actor(event);
        if let Some(number) = self.histories.get(history, agent) {
            return Ok((number, history));
        }
        let sequence = self.sequence(agent);
        let used = self.histories.events(history).filter(|(other, _)| self.sequence(*other) == sequence).count();
        let before = self.histories.bytes();
        let number = used as u32 + 1;
        let after = self.histories.with(history, agent, number);
        monitor.spend(1 + used as u64)?;
        monitor.hold(self.histories.bytes() - before)?;
        Ok((number, after))
    }

    /// The sequence that numbers an anonymous event.
    fn sequence(&self, event: EventId) -> Option<usize> {
        match self.observer.observability(event) {
            Observability::Anonymous(group) => Some(self.observer.sequence(group)),
            Observability::Silent | Observability::Visible => None,
        }
    }

    /// Adds what unobservable events lead to.
    pub(super) fn closed(&self, mut nodes: FxHashSet<Node>, monitor: &mut Monitor<'_>) -> Result<Layer, Stop> {
        let mut open: Vec<Node> = nodes.iter().copied().collect();
        while let Some(node) = open.pop() {
            for step in self.automaton.steps(node.state) {
                monitor.spend(1)?;
                let next = Node { state: step.target, ..node };
                if self.observer.observability(step.event) == Observability::Silent && nodes.insert(next) {
                    open.push(next);
                }
            }
        }
        monitor.hold((nodes.len() * size_of::<Node>()) as u64)?;
        Ok(sorted(nodes))
    }

    /// The steps that leave a state.
    // WHY copied: following one may add a history.
    pub(super) fn steps(&self, state: StateId) -> Vec<Step> {
        self.automaton.steps(state).to_vec()
    }
}

fn sorted(nodes: FxHashSet<Node>) -> Layer {
    let mut layer: Layer = nodes.into_iter().collect();
    layer.sort_unstable();
    layer
}

/// Adds every source of an edge (target, source) whose target is there.
fn spread_back(nodes: &mut FxHashSet<Node>, mut edges: Vec<(Node, Node)>) {
    edges.sort_unstable();
    let mut open: Vec<Node> = nodes.iter().copied().collect();
    while let Some(target) = open.pop() {
        let first = edges.partition_point(|&(to, _)| to < target);
        for &(_, source) in edges[first..].iter().take_while(|&&(to, _)| to == target) {
            if nodes.insert(source) {
                open.push(source);
            }
        }
    }
}
