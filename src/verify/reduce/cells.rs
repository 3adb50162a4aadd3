//! From a view to its cells, and from the cells to the states that are never exposed.
//!
//! Definition. States have the same *past* if every string that leads to one leads to the others; the same *future* if what one
//! can show, the others can. E(α|αβ) is the intersection of S(α), which holds all states of a past or none, and of the states that
//! can show β, which hold all of a future or none. So it holds all states of a *cell*, those with one past and one future, or
//! none of them. A state whose cell lies in no exposed set is in no exposed estimate: it is *safe*, and is left out of all exposed
//! sets. That changes neither verdict nor distance, and leaves less to search; nothing, if no run reaches an exposed set then.
//!
//! Method. Futures are blocks of branching bisimilarity, pasts those of the reversed automaton, in which initial states have a move
//! of their own. Both are finer than needed. Classes play no part, so cells serve every property of a view. Under the weak
//! projection blocks are built on acts, as in [`quotient`](super::quotient): runs with the same acts look alike.

use super::components::silent_components;
use super::partition::{Graph, Partition};
use super::quotient::event_label;
use crate::automaton::view::View;
use crate::automaton::{Automaton, Builder, EventId, StateId, StateSet};
use crate::verdict::certificate::Cells;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::{ExposedSets, renumbered};
use crate::verify::views::belief_system::{EPSILON, LabelId};

/// Cells that save states, and the exposed sets without these.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) cells: Cells,
    pub(crate) exposed: ExposedSets,
}

/// The cells of a view, if they save a state and the limits suffice; those of the start alone, where all that matters of the past is X0.
pub(crate) fn settle_start(
    view: &View<'_>,
    by_event: bool,
    exposed: &ExposedSets,
    meter: &mut ResourceMonitor<'_>,
) -> Option<Settled> {
    let future = futures(view, by_event, meter)?;
    let past = renumbered(view.automaton.states().map(|state| u32::from(view.automaton.is_initial(state)))).0;
    settle(view, Cells { past, future }, exposed)
}

/// What these cells save, if they save a state.
pub(crate) fn settle(view: &View<'_>, cells: Cells, exposed: &ExposedSets) -> Option<Settled> {
    let saved = saved(exposed, |state| (cells.past[state], cells.future[state]));
    (!saved.is_empty()).then(|| Settled { exposed: exposed.without(&saved, view.automaton), cells })
}

/// The future of each state, if the limits suffice.
pub(super) fn futures(view: &View<'_>, by_event: bool, meter: &mut ResourceMonitor<'_>) -> Option<Vec<u32>> {
    bisimilar(view.automaton, &labels(view, by_event), meter)
}

/// The past of each state, if the limits suffice.
pub(super) fn pasts(view: &View<'_>, by_event: bool, meter: &mut ResourceMonitor<'_>) -> Option<Vec<u32>> {
    let labels: Vec<LabelId> = labels(view, by_event).into_iter().chain([START]).collect();
    let mut past = bisimilar(&reversed(view.automaton), &labels, meter)?;
    past.pop();
    Some(renumbered(past.into_iter()).0)
}

fn labels(view: &View<'_>, by_event: bool) -> Vec<LabelId> {
    view.automaton.events().map(|event| event_label(view, by_event, event)).collect()
}

/// What the move of an initial state shows in the reversed automaton.
const START: LabelId = LabelId(EPSILON.0 - 1);

/// The reversed automaton, with one more state, to which initial states have a move.
fn reversed(automaton: &Automaton) -> Automaton {
    let mut builder = Builder::new(automaton.n_states() + 1, automaton.n_events() + 1);
    let (end, start) = (StateId::from_index(automaton.n_states()), EventId::from_index(automaton.n_events()));
    automaton.initial().iter().for_each(|&state| builder.transition(state, start, end));
    for (_, source, step) in automaton.transitions() {
        builder.transition(step.target, step.event, source);
    }
    builder.freeze()
}

/// The blocks of branching bisimilarity, whatever the classes.
fn bisimilar(automaton: &Automaton, labels: &[LabelId], meter: &mut ResourceMonitor<'_>) -> Option<Vec<u32>> {
    let class = vec![0; automaton.n_states()];
    let size = (automaton.n_states() + automaton.n_transitions()) as u64;
    if meter.is_too_much(2 * size * Tuning::QUOTIENT_BYTES) {
        return None;
    }
    let (component, n_components) = silent_components(automaton, labels, &class);
    let graph = Graph::new(automaton, labels, &class, &component, n_components);
    let work = Tuning::QUOTIENT_WORK_PER_SIZE * size;
    let block = Partition::new(&graph).refined(&graph, automaton.n_states(), work, meter)?;
    Some(renumbered(component.iter().map(|&component| block[component as usize])).0)
}

/// The states that can be exposed, but whose cell lies in no exposed set, in order.
fn saved(exposed: &ExposedSets, cell: impl Fn(usize) -> (u32, u32)) -> Vec<StateId> {
    let mut states: Vec<usize> = (0..exposed.n_states()).collect();
    states.sort_by_key(|&state| cell(state));
    let mut saved = Vec::new();
    for members in states.chunk_by(|&one, &other| cell(one) == cell(other)) {
        if let [_] = members {
            continue;
        }
        let members: StateSet = members.iter().copied().map(StateId::from_index).collect();
        if !exposed.exposes(&members) {
            saved.extend(members.iter().filter(|&state| exposed.can_be_exposed(state)));
        }
    }
    saved
}
