//! The names and source locations of states, events and transitions.
//!
//! The names of a product are computed on demand: a million global states need no million names.

use crate::automaton::product::Product;
use crate::automaton::{Automaton, EventId, StateId};
use crate::check::elaborate::component::Component;
use crate::check::resolve::names::Table;
use crate::model::Naming;
use crate::model::parts::Parts;
use crate::source::Span;
use std::borrow::Cow;
use std::sync::Arc;

impl Component {
    fn state_span(&self, state: StateId) -> Option<Span> {
        self.states.span(state.0)
    }

    fn transition_span(&self, source: StateId, event: EventId, target: StateId) -> Option<Span> {
        let id = self.automaton.find(source, event, target)?;
        // A monitor that stays has no text for it.
        self.places.get(id.index()).filter(|place| place.start < place.end).map(|place| place.span(self.file))
    }

    fn docs_of(&self, state: StateId) -> Option<&str> {
        let place = self.states.places.get(state.index())?;
        let before = self.docs.partition_point(|(at, _)| at.start <= place.start);
        let (at, docs) = &self.docs[before.checked_sub(1)?];
        (place.end <= at.end).then_some(docs)
    }
}

/// The names of one automaton.
#[derive(Debug)]
pub(in crate::check) struct FlatNaming(pub Component);

impl Naming for FlatNaming {
    fn state(&self, state: StateId) -> Cow<'_, str> {
        self.0.states.names.get(state.0)
    }

    fn event(&self, event: EventId) -> Cow<'_, str> {
        self.0.events.names.get(event.0)
    }

    fn state_places(&self, state: StateId) -> Vec<Span> {
        self.0.state_span(state).into_iter().collect()
    }

    fn event_place(&self, event: EventId) -> Option<Span> {
        self.0.events.span(event.0)
    }

    fn transition_places(&self, source: StateId, event: EventId, target: StateId) -> Vec<Span> {
        self.0.transition_span(source, event, target).into_iter().collect()
    }

    fn state_docs(&self, state: StateId) -> Option<String> {
        self.0.docs_of(state).map(str::to_owned)
    }
}

/// A leaf of a composition.
#[derive(Clone, Debug)]
pub(in crate::check) struct Placed {
    /// How it is reached from the system, as it is written: `u[1].inner`.
    pub path: String,
    pub component: Arc<Component>,
    /// The event of the system for each local event.
    pub events: Vec<EventId>,
}

/// The names of a product.
#[derive(Debug)]
pub(in crate::check) struct ProductNaming {
    pub components: Vec<Placed>,
    pub events: Arc<Table>,
    pub product: Product,
}

impl ProductNaming {
    fn locals(&self, state: StateId) -> impl Iterator<Item = (&Placed, StateId)> {
        self.components.iter().enumerate().map(move |(at, placed)| (placed, self.product.local(state, at)))
    }
}

/// The name of a tuple of states: `(idle, held[2])`, or a single name.
pub(in crate::check) fn tuple_name<'a>(names: impl ExactSizeIterator<Item = Cow<'a, str>>) -> String {
    let alone = names.len() == 1;
    let names: Vec<Cow<'a, str>> = names.collect();
    if alone { names.concat() } else { format!("({})", names.join(", ")) }
}

impl Naming for ProductNaming {
    fn state(&self, state: StateId) -> Cow<'_, str> {
        let names: Vec<Cow<'_, str>> =
            self.locals(state).map(|(placed, local)| placed.component.states.names.get(local.0)).collect();
        Cow::Owned(tuple_name(names.into_iter()))
    }

    fn event(&self, event: EventId) -> Cow<'_, str> {
        self.events.names.get(event.0)
    }

    fn state_places(&self, state: StateId) -> Vec<Span> {
        self.locals(state).filter_map(|(placed, local)| placed.component.state_span(local)).collect()
    }

    fn event_place(&self, event: EventId) -> Option<Span> {
        self.events.span(event.0)
    }

    fn transition_places(&self, source: StateId, event: EventId, target: StateId) -> Vec<Span> {
        let ends = self.locals(source).zip(self.locals(target));
        ends.filter_map(|((placed, from), (_, to))| {
            let local = placed.events.iter().position(|&shared| shared == event)?;
            placed.component.transition_span(from, EventId::from_index(local), to)
        })
        .collect()
    }

    fn state_docs(&self, state: StateId) -> Option<String> {
        let docs: Vec<&str> =
            self.locals(state).filter_map(|(placed, local)| placed.component.docs_of(local)).collect();
        (!docs.is_empty()).then(|| docs.join("\n"))
    }

    fn parts(&self, state: StateId) -> Vec<(String, String)> {
        let named = |(placed, local): (&Placed, StateId)| {
            (placed.path.clone(), placed.component.states.names.get(local.0).into_owned())
        };
        self.locals(state).map(named).collect()
    }

    fn composition(&self) -> Option<&dyn Parts> {
        Some(self)
    }
}

impl Parts for ProductNaming {
    fn n_parts(&self) -> usize {
        self.components.len()
    }

    fn name(&self, part: usize) -> &str {
        &self.components[part].path
    }

    fn automaton(&self, part: usize) -> &Automaton {
        &self.components[part].component.automaton
    }

    fn local(&self, state: StateId, part: usize) -> StateId {
        self.product.local(state, part)
    }

    fn events(&self, part: usize) -> &[EventId] {
        &self.components[part].events
    }

    fn state_name(&self, part: usize, local: StateId) -> Cow<'_, str> {
        self.components[part].component.states.names.get(local.0)
    }

    fn state_place(&self, part: usize, local: StateId) -> Option<Span> {
        self.components[part].component.state_span(local)
    }

    fn transition_place(&self, part: usize, source: StateId, event: EventId, target: StateId) -> Option<Span> {
        self.components[part].component.transition_span(source, event, target)
    }

    fn product(&self) -> &Arc<Automaton> {
        self.product.automaton()
    }

    fn restricted(&self, kept: &[usize], product: Product) -> Box<dyn Naming> {
        let components = kept.iter().map(|&part| self.components[part].clone()).collect();
        Box::new(ProductNaming { components, events: Arc::clone(&self.events), product })
    }
}
