//! The quotient by class-respecting branching bisimulation.
//!
//! Definition. States are in one *block* if they are of the same class and, after silent moves inside the block, can do the
//! same: show the same label, or leave the block silently, and reach the same block. Whatever a block can do, each of its
//! members can. So the estimates of the quotient are those of the automaton, block by block; what a state can show, its
//! block can; and exposed sets are unions of blocks: verdict and distance are the same. Under the weak projection blocks
//! are built on events (on acts, where agents are named), not on what they show, and the same holds.
//!
//! Method. Silent cycles inside a class are contracted ([`components`](super::components)), then blocks are
//! split by signatures ([`partition`](super::partition)).
//!
//! Where every state is a class of its own there is nothing to merge. States that cannot be exposed are one class.

use super::components::silent_components;
use super::partition::{Graph, Partition};
use crate::automaton::view::{Observability, View};
use crate::automaton::{Automaton, Builder, EventId, StateId};
use crate::verdict::Run;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::{ExposedSets, renumbered};
use crate::verify::views::belief_system::{EPSILON, LabelId};
use crate::verify::views::static_view::label;
use rustc_hash::FxHashMap;

/// A smaller automaton with the same answers.
#[derive(Debug)]
pub(crate) struct Quotient {
    pub(crate) automaton: Automaton,
    pub(crate) exposed: ExposedSets,
    /// The block of each state.
    pub(crate) block: Vec<u32>,
}

/// The quotient of a view, if it is smaller and the limits suffice.
pub(crate) fn quotient(
    view: &View<'_>,
    by_event: bool,
    exposed: &ExposedSets,
    meter: &mut ResourceMonitor<'_>,
) -> Option<Quotient> {
    let (class, n_classes) = exposed.partition();
    let most = view.automaton.n_states() * Tuning::QUOTIENT_EIGHTHS / 8;
    let size = (view.automaton.n_states() + view.automaton.n_transitions()) as u64;
    if n_classes > most || meter.is_too_much(size * Tuning::QUOTIENT_BYTES) {
        return None;
    }
    let labels: Vec<LabelId> = view.automaton.events().map(|event| event_label(view, by_event, event)).collect();
    let (component, n_components) = silent_components(view.automaton, &labels, &class);
    let graph = Graph::new(view.automaton, &labels, &class, &component, n_components);
    let of_component = Partition::new(&graph).refined(&graph, most, Tuning::QUOTIENT_WORK_PER_SIZE * size, meter)?;
    let (block, n_blocks) = renumbered(component.iter().map(|&component| of_component[component as usize]));
    let mut builder = Builder::new(n_blocks, view.automaton.n_events());
    view.automaton.initial().iter().for_each(|state| builder.initial(StateId(block[state.index()])));
    for (_, source, step) in view.automaton.transitions() {
        let (from, to) = (block[source.index()], block[step.target.index()]);
        if from != to || labels[step.event.index()] != EPSILON {
            builder.transition(StateId(from), step.event, StateId(to));
        }
    }
    Some(Quotient { automaton: builder.freeze(), exposed: exposed.merged(&block, n_blocks), block })
}

/// The label of an event, as far as blocks distinguish it.
pub(super) fn event_label(view: &View<'_>, by_event: bool, event: EventId) -> LabelId {
    match by_event {
        true if view.observer.observability(event) == Observability::Silent => EPSILON,
        true => LabelId(view.observer.act(event).0),
        false => label(view, event),
    }
}

impl Quotient {
    /// A run of the automaton that shows what a run of the quotient shows, and how many of its events belong to the first
    /// `before` events of the other.
    pub(crate) fn lift(&self, view: &View<'_>, by_event: bool, run: &Run, before: usize) -> Option<(Run, usize)> {
        let start = view.automaton.initial().iter().find(|state| self.block[state.index()] == run.states[0].0)?;
        let mut lifted = Run { states: vec![*start], events: Vec::new() };
        let mut lifted_before = 0;
        for (at, event) in run.events.iter().enumerate() {
            let moves = self.path(view, by_event, *lifted.states.last()?, *event, run.states[at + 1])?;
            for (event, state) in moves {
                lifted.events.push(event);
                lifted.states.push(state);
            }
            if at < before {
                lifted_before = lifted.events.len();
            }
        }
        Some((lifted, lifted_before))
    }

    /// Silent moves from a state inside its block, then one to the target block that shows what the event shows.
    fn path(
        &self,
        view: &View<'_>,
        by_event: bool,
        start: StateId,
        event: EventId,
        target: StateId,
    ) -> Option<Vec<(EventId, StateId)>> {
        let block = |state: StateId| self.block[state.index()];
        let wanted = event_label(view, by_event, event);
        let mut parents: Parents = FxHashMap::from_iter([(start, None)]);
        let mut queue = vec![start];
        let mut at = 0;
        while let Some(&state) = queue.get(at) {
            at += 1;
            for step in view.automaton.steps(state) {
                let label = event_label(view, by_event, step.event);
                if label == wanted && block(step.target) == target.0 {
                    return Some(read_back(&parents, state, (step.event, step.target)));
                }
                if label == EPSILON && block(step.target) == block(start) && !parents.contains_key(&step.target) {
                    parents.insert(step.target, Some((step.event, state)));
                    queue.push(step.target);
                }
            }
        }
        None
    }
}

/// The event and state that led to each state.
type Parents = FxHashMap<StateId, Option<(EventId, StateId)>>;

/// The path to a state, and one move more.
fn read_back(parents: &Parents, mut state: StateId, last: (EventId, StateId)) -> Vec<(EventId, StateId)> {
    let mut moves = vec![last];
    while let Some(&Some((event, parent))) = parents.get(&state) {
        moves.push((event, state));
        state = parent;
    }
    moves.reverse();
    moves
}
