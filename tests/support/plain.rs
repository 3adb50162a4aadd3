//! A system of the model made from a literal one.

use super::systems::Named;
use desc::automaton::view::Observer;
use desc::automaton::{EventId, StateId};
use desc::model::{NamedObserver, Naming, System};
use desc::source::{SourceFile, Sources, Span};
use std::borrow::Cow;
use std::sync::Arc;

#[derive(Debug)]
struct Names {
    states: Vec<String>,
    events: Vec<String>,
}

impl Naming for Names {
    fn state(&self, state: StateId) -> Cow<'_, str> {
        Cow::Borrowed(&self.states[state.index()])
    }

    fn event(&self, event: EventId) -> Cow<'_, str> {
        Cow::Borrowed(&self.events[event.index()])
    }

    fn state_places(&self, _: StateId) -> Vec<Span> {
        Vec::new()
    }

    fn event_place(&self, _: EventId) -> Option<Span> {
        None
    }

    fn transition_places(&self, _: StateId, _: EventId, _: StateId) -> Vec<Span> {
        Vec::new()
    }
}

/// The system, under a name, without checks.
pub fn system(name: &str, named: Named) -> System {
    let Named { automaton, observer, states, events } = named;
    let span = Span::new(Sources::new().add(SourceFile::new(name, "")), 0, 0);
    let labels = vec![None; Observer::n_groups(&observer)];
    System {
        name: name.to_owned(),
        docs: Vec::new(),
        span,
        automaton: Arc::new(automaton),
        names: Arc::new(Names { states, events }),
        observers: vec![NamedObserver { name: None, span, observer, labels, agents: Vec::new(), members: Vec::new() }],
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
