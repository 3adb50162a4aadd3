//! The product of the parts that are kept, with the question asked of it.

use crate::automaton::product::{self, Bounds, Exceeded};
use crate::automaton::{Automaton, Builder, EventId, StateId, Step};
use crate::model::of_parts::PropertyOfParts;
use crate::model::{NamedObserver, Naming, Property, System};
use crate::resources::{Resources, Stop};
use std::sync::Arc;

/// The product of some parts, and the property on it.
#[derive(Debug)]
pub(super) struct Small {
    /// The parts, in order.
    pub(super) kept: Vec<usize>,
    pub(super) automaton: Arc<Automaton>,
    pub(super) names: Box<dyn Naming>,
    pub(super) property: Property,
    /// How many bytes the product holds.
    pub(super) bytes: u64,
}

/// How large a product of kept parts may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) states: usize,
    pub(super) transitions: usize,
}

impl Small {
    /// None: it is too large, or the question makes no sense on it.
    pub(super) fn new(
        system: &System,
        property: &PropertyOfParts,
        kept: &[usize],
        size: Size,
        resources: Resources<'_>,
    ) -> Result<Option<Small>, Stop> {
        let Some(parts) = system.names.composition() else { return Ok(None) };
        let factors: Vec<_> = kept.iter().map(|&part| parts.factor(part)).collect();
        let bounds = Bounds { states: size.states, transitions: size.transitions, resources };
        let product = match product::product(&factors, system.automaton.n_events(), bounds) {
            Ok(product) => product,
            Err(Exceeded::States(_) | Exceeded::Transitions(_)) => return Ok(None),
            Err(Exceeded::Stopped(stop, _)) => return Err(stop),
        };
        let automaton = Arc::clone(product.automaton());
        let bytes = product.bytes();
        let names = parts.restricted(kept, product);
        let Some(own) = names.composition() else { return Ok(None) };
        let property = property.on(kept, own, automaton.n_states(), &mut resources.monitor())?;
        Ok(property.map(|property| Small { kept: kept.to_vec(), automaton, names, property, bytes }))
    }

    /// How many states and transitions it has.
    pub(super) fn size(&self) -> u64 {
        (self.automaton.n_states() + self.automaton.n_transitions()) as u64
    }

    /// How many bytes `with_free` needs for so many events: each move is in the builder, and then in the automaton.
    pub(super) fn bytes_with_free(&self, n_free: usize) -> u64 {
        let moves = self.automaton.n_transitions() as u64 + (n_free * self.automaton.n_states()) as u64;
        2 * moves * size_of::<(StateId, Step)>() as u64
    }

    /// The same product, in which these events, in which no kept part takes part, may happen at any time.
    pub(super) fn with_free(&self, free: &[EventId]) -> Automaton {
        let mut builder = Builder::from(&*self.automaton);
        for state in self.automaton.states() {
            free.iter().for_each(|&event| builder.transition(state, event, state));
        }
        builder.freeze()
    }

    /// It as a system of its own, whose observers are those of the whole.
    pub(super) fn into_system(self, whole: &System, automaton: Automaton) -> System {
        System {
            name: whole.name.clone(),
            docs: Vec::new(),
            span: whole.span,
            automaton: Arc::new(automaton),
            names: Arc::from(self.names),
            observers: whole.observers.iter().map(NamedObserver::clone).collect(),
            secret: None,
            checks: Vec::new(),
            measures: Vec::new(),
            levers: Vec::new(),
            offers_levers: false,
            occurrence: Default::default(),
            uncomposed: None,
            bytes: 0,
        }
    }
}

/// Where the run of some events, from the first initial state that allows it, goes. None: it is no run.
pub(super) fn follow(automaton: &Automaton, events: &[EventId]) -> Option<Vec<StateId>> {
    let mut layers: Vec<Vec<(StateId, usize)>> = vec![automaton.initial().iter().map(|&state| (state, 0)).collect()];
    for &event in events {
        let last = &layers[layers.len() - 1];
        let mut next: Vec<(StateId, usize)> = Vec::new();
        for (at, (state, _)) in last.iter().enumerate() {
            next.extend(automaton.successors(*state, event).iter().map(|step| (step.target, at)));
        }
        next.sort_unstable();
        next.dedup_by_key(|(state, _)| *state);
        layers.push(next);
    }
    let mut at = 0;
    let mut states = Vec::with_capacity(layers.len());
    for layer in layers.iter().rev() {
        let (state, before) = *layer.get(at)?;
        states.push(state);
        at = before;
    }
    states.reverse();
    Some(states)
}
