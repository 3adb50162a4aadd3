//! Estimates by the letter of the definition, by following runs.
//!
//! E(α|αβ): the states x such that some string s leads from X0 to x and shows α, and some t leads on from x with st showing
//! αβ. Every run that shows the observation is followed, label by label, with the agents that it used. Runs that agree
//! on their state and on all that the rest of the observation can tell apart are one [`Node`], and the nodes after a prefix are a
//! *layer*. The delayed estimate is found backwards: a node of a layer is *live* if it leads to a live node of the next one.
//!
//! Layers are not kept: going back, the layers between two marks are computed again, so that √|β| of them are held at once.
//!
//! This module shares nothing with the search: it replays witnesses and answers `check estimate`. Cost: for fixed labels
//! |αβ| · |δ|; under Pw up to |Γ|! more.

use super::history::{Histories, HistoryId};
use crate::automaton::view::{Observability, Projection, Symbol, View};
use crate::automaton::{EventId, StateId, StateSet, Step};
use crate::resources::{Monitor, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::size_of;

/// A run as far as it matters: where it is, and which agents it used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node {
    pub(crate) state: StateId,
    /// The number of an agent who comes again; 0 if they do not.
    pub(crate) history: HistoryId,
}

/// The nodes after a prefix, sorted.
type Layer = Vec<Node>;

/// One label of an observation, and what the others say about it.
#[derive(Clone, Copy, Debug)]
struct Expected {
    sign: Symbol,
    /// Whether γi is the next number of its sequence, so that an agent shows it that was not used yet.
    fresh: bool,
    /// Whether the agent comes again.
    again: bool,
}

/// Follows an observation from its first label to its last.
#[derive(Debug)]
pub(crate) struct Following<'a> {
    view: View<'a>,
    expected: Vec<Expected>,
    histories: Histories,
    position: usize,
    layer: Layer,
    /// States that no run may visit from now on.
    avoided: Option<&'a StateSet>,
}

impl<'a> Following<'a> {
    /// Before anything is seen.
    pub(crate) fn new(
        view: View<'a>,
        observation: &[Symbol],
        monitor: &mut Monitor<'_>,
    ) -> Result<Following<'a>, Stop> {
        Following::starting(view, |_| true, None, observation, monitor)
    }

    /// The same, of the runs that start in some initial states and avoid a set.
    fn starting(
        view: View<'a>,
        is_start: impl Fn(&StateId) -> bool,
        avoided: Option<&'a StateSet>,
        observation: &[Symbol],
        monitor: &mut Monitor<'_>,
    ) -> Result<Following<'a>, Stop> {
        monitor.hold((observation.len() * size_of::<Expected>()) as u64)?;
        let start = view.automaton.initial().iter().filter(|state| is_start(state));
        let start = start.map(|&state| Node { state, history: HistoryId::EMPTY });
        let layer = with_silent(&view, start.collect(), avoided, monitor)?;
        let histories = Histories::new(view.automaton.n_events());
        Ok(Following { view, expected: expected(&view, observation), histories, position: 0, layer, avoided })
    }

    /// The estimate now.
    pub(crate) fn estimate(&self) -> StateSet {
        self.layer.iter().map(|node| node.state).collect()
    }

    /// Sees the next label, if there is one.
    pub(crate) fn advance(&mut self, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        let Some(&label) = self.expected.get(self.position) else { return Ok(()) };
        let before = self.histories.bytes();
        let mut next = FxHashSet::default();
        for at in 0..self.layer.len() {
            let node = self.layer[at];
            monitor.spend(1 + self.view.automaton.steps(node.state).len() as u64)?;
            let targets = self.view.automaton.steps(node.state).iter();
            next.extend(targets.filter_map(|&step| show(&self.view, &mut self.histories, node, step, label)));
        }
        monitor.hold(self.histories.bytes() - before)?;
        self.layer = with_silent(&self.view, next, self.avoided, monitor)?;
        self.position += 1;
        Ok(())
    }

    /// Goes on to a position, or back to one whose layer is given.
    fn advance_to(&mut self, position: usize, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        while self.position < position {
            self.advance(monitor)?;
        }
        Ok(())
    }

    fn restart(&mut self, position: usize, layer: &Layer) {
        (self.position, self.layer) = (position, layer.clone());
    }

    /// The live nodes of the layer now, all other layers being ahead.
    fn live_now(&mut self, monitor: &mut Monitor<'_>) -> Result<Layer, Stop> {
        let (here, end) = (self.position, self.expected.len());
        let stride = (end - here).isqrt().max(1);
        let mut marks = Vec::new();
        for position in (here..=end).step_by(stride) {
            self.advance_to(position, monitor)?;
            monitor.hold(bytes(&self.layer))?;
            marks.push((position, self.layer.clone()));
        }
        self.advance_to(end, monitor)?;
        let mut live = self.layer.clone();
        let mut after = end;
        for (position, layer) in marks.into_iter().rev() {
            live = self.live_before(position, &layer, after, live, monitor)?;
            monitor.release(bytes(&layer));
            after = position;
        }
        Ok(live)
    }

    /// The live nodes of a marked layer, given those of a later one.
    fn live_before(
        &mut self,
        position: usize,
        layer: &Layer,
        after: usize,
        mut live: Layer,
        monitor: &mut Monitor<'_>,
    ) -> Result<Layer, Stop> {
        let mut layers: Vec<Layer> = Vec::new();
        self.restart(position, layer);
        while self.position < after {
            monitor.hold(bytes(&self.layer))?;
            layers.push(self.layer.clone());
            self.advance(monitor)?;
        }
        for (at, layer) in layers.into_iter().enumerate().rev() {
            live = self.leading(&layer, position + at, &live, monitor)?;
            monitor.release(bytes(&layer));
        }
        Ok(live)
    }

    /// The nodes of a layer that lead, silently and then by the next label, to a live node.
    fn leading(
        &mut self,
        layer: &Layer,
        position: usize,
        live: &Layer,
        monitor: &mut Monitor<'_>,
    ) -> Result<Layer, Stop> {
        let label = self.expected[position];
        let mut leads = vec![false; layer.len()];
        // Silent steps inside the layer, by their targets.
        let mut silent: Vec<(u32, u32)> = Vec::new();
        for (at, &node) in layer.iter().enumerate() {
            monitor.spend(1 + self.view.automaton.steps(node.state).len() as u64)?;
            for &step in self.view.automaton.steps(node.state) {
                if self.view.observer.observability(step.event) == Observability::Silent {
                    let target = layer.binary_search(&Node { state: step.target, ..node });
                    silent.extend(target.ok().map(|target| (target as u32, at as u32)));
                } else if let Some(target) = show(&self.view, &mut self.histories, node, step, label) {
                    leads[at] |= live.binary_search(&target).is_ok();
                }
            }
        }
        spread_back(&mut leads, silent);
        Ok(layer.iter().zip(leads).filter(|(_, leads)| *leads).map(|(&node, _)| node).collect())
    }
}

/// Marks every source of an edge (target, source) whose target is marked.
fn spread_back(marked: &mut [bool], mut edges: Vec<(u32, u32)>) {
    edges.sort_unstable();
    let mut open: Vec<u32> = (0..marked.len() as u32).filter(|&at| marked[at as usize]).collect();
    while let Some(target) = open.pop() {
        let first = edges.partition_point(|&(to, _)| to < target);
        for &(_, source) in edges[first..].iter().take_while(|&&(to, _)| to == target) {
            if !std::mem::replace(&mut marked[source as usize], true) {
                open.push(source);
            }
        }
    }
}

/// The delayed estimate at α given αβ, with |α| = `at`. With `initial`, α must be ε and the estimate is over X0 itself.
pub(crate) fn delayed(
    view: &View<'_>,
    observation: &[Symbol],
    at: usize,
    initial: bool,
    monitor: &mut Monitor<'_>,
) -> Result<StateSet, Stop> {
    let held = monitor.held();
    let live = live_at(view, observation, at, monitor);
    monitor.release(monitor.held() - held);
    let is_meant = |state: &StateId| !initial || view.automaton.initial().binary_search(state).is_ok();
    Ok(live?.iter().map(|node| node.state).filter(is_meant).collect())
}

/// The delayed estimate at α given αβ of the runs that start in some initial states.
pub(crate) fn delayed_from(
    view: &View<'_>,
    is_start: impl Fn(&StateId) -> bool,
    observation: &[Symbol],
    at: usize,
    monitor: &mut Monitor<'_>,
) -> Result<StateSet, Stop> {
    let mut following = Following::starting(*view, is_start, None, observation, monitor)?;
    following.advance_to(at, monitor)?;
    let live = following.live_now(monitor)?;
    Ok(live.iter().map(|node| node.state).collect())
}

/// Whether some run that shows αβ avoids a set from the state on that the last label of α, with |α| = `at`, enters.
pub(crate) fn some_avoids<'a>(
    view: &View<'a>,
    set: &'a StateSet,
    observation: &[Symbol],
    at: usize,
    monitor: &mut Monitor<'_>,
) -> Result<bool, Stop> {
    let since_start = (at == 0).then_some(set);
    let mut following = Following::starting(*view, |_| true, since_start, observation, monitor)?;
    following.advance_to(at.saturating_sub(1), monitor)?;
    following.avoided = Some(set);
    following.advance_to(observation.len(), monitor)?;
    Ok(!following.layer.is_empty())
}

fn live_at(view: &View<'_>, observation: &[Symbol], at: usize, monitor: &mut Monitor<'_>) -> Result<Layer, Stop> {
    let mut following = Following::new(*view, observation, monitor)?;
    following.advance_to(at, monitor)?;
    following.live_now(monitor)
}

fn bytes(layer: &Layer) -> u64 {
    (layer.capacity() * size_of::<Node>()) as u64
}

/// What the other labels say about each label.
fn expected(view: &View<'_>, observation: &[Symbol]) -> Vec<Expected> {
    let mut arrived: FxHashMap<usize, u32> = FxHashMap::default();
    let fresh = observation.iter().map(|sign| match *sign {
        Symbol::Nth(group, number) => {
            let count = arrived.entry(view.observer.sequence(group)).or_default();
            let is_next = number == *count + 1;
            *count += u32::from(is_next);
            is_next
        }
        Symbol::Event(_) | Symbol::Group(_) => false,
    });
    let labels = observation.iter().zip(fresh.collect::<Vec<_>>());
    let mut later: FxHashSet<(usize, u32)> = FxHashSet::default();
    let backwards = labels.rev().map(|(&sign, fresh)| {
        let again = match sign {
            Symbol::Nth(group, number) => !later.insert((view.observer.sequence(group), number)),
            Symbol::Event(_) | Symbol::Group(_) => false,
        };
        Expected { sign, fresh, again }
    });
    let mut expected: Vec<Expected> = backwards.collect();
    expected.reverse();
    expected
}

/// Adds what unobservable events lead to, without the states that are avoided.
fn with_silent(
    view: &View<'_>,
    mut reached: FxHashSet<Node>,
    avoided: Option<&StateSet>,
    monitor: &mut Monitor<'_>,
) -> Result<Layer, Stop> {
    let may_visit = |state: StateId| !avoided.is_some_and(|avoided| avoided.contains(state));
    reached.retain(|node| may_visit(node.state));
    let mut open: Vec<Node> = reached.iter().copied().collect();
    while let Some(node) = open.pop() {
        monitor.spend(1 + view.automaton.steps(node.state).len() as u64)?;
        for step in view.automaton.steps(node.state) {
            let next = Node { state: step.target, ..node };
            let is_silent = view.observer.observability(step.event) == Observability::Silent;
            if is_silent && may_visit(step.target) && reached.insert(next) {
                open.push(next);
            }
        }
    }
    let mut layer: Layer = reached.into_iter().collect();
    layer.sort_unstable();
    Ok(layer)
}

/// Where a run is after one more event that shows this label; none: the event shows another.
fn show(view: &View<'_>, histories: &mut Histories, node: Node, step: Step, label: Expected) -> Option<Node> {
    let moved = Node { state: step.target, ..node };
    match (view.observer.observability(step.event), view.projection, label.sign) {
        (Observability::Visible, _, Symbol::Event(seen))
        | (Observability::Anonymous(_), Projection::Natural, Symbol::Event(seen)) => {
            (seen == step.event).then_some(moved)
        }
        (Observability::Anonymous(group), Projection::Strong, Symbol::Group(seen)) => (seen == group).then_some(moved),
        (Observability::Anonymous(group), Projection::Weak, Symbol::Nth(seen, number)) if seen == group => {
            let agent = view.observer.actor(step.event);
            let is_meant = match histories.get(node.history, agent) {
                None => label.fresh,
                Some(known) => known == number,
            };
            let history = is_meant.then(|| remembered(histories, node.history, agent, number, label))?;
            Some(Node { history, ..moved })
        }
        _ => None,
    }
}

/// A history with an agent who was seen once more.
fn remembered(
    histories: &mut Histories,
    history: HistoryId,
    agent: EventId,
    number: u32,
    label: Expected,
) -> HistoryId {
    match (label.fresh, label.again) {
        (false, true) => history,
        (_, again) => histories.with(history, agent, if again { number } else { 0 }),
    }
}
