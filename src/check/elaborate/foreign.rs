//! A part of a foreign model as a leaf of a composition.

use crate::automaton::{Automaton, EventId, StateId, Step};
use crate::check::elaborate::component::Component;
use crate::check::observe::observability::{Events, Group, ObservabilityDecls};
use crate::check::resolve::names::Table;
use crate::check::resolve::sets::Set;
use crate::import::{Part, Transition};
use crate::source::Span;
use std::sync::Arc;

/// Cost: one sort of the transitions.
pub(in crate::check) fn component(part: &Part) -> Component {
    let mut transitions = part.transitions.clone();
    transitions.sort_unstable_by_key(key);
    transitions.dedup_by_key(|transition| (transition.source, transition.event, transition.target));
    let steps =
        transitions.iter().map(|t| (StateId(t.source), Step { event: EventId(t.event), target: StateId(t.target) }));
    let automaton = Automaton::from_sorted(part.states.len(), part.events.len(), part.initial.iter().copied(), steps);
    let opinion = |event: usize| part.facts[event].observable.map(|seen| (seen, part.event_span(event as u32)));
    Component {
        file: part.file,
        states: states(part),
        events: events(part),
        automaton: Arc::new(automaton),
        places: transitions.iter().map(|transition| transition.place).collect(),
        decls: decls(part),
        opinions: (0..part.events.len()).map(opinion).collect(),
        secrets: part.secret.iter().map(|ids| (start(part), secret(ids))).collect(),
        finals: Vec::new(),
        docs: Vec::new(),
        is_monitor: false,
    }
}

fn key(transition: &Transition) -> (u32, u32, u32, u32) {
    (transition.source, transition.event, transition.target, transition.place.start)
}

fn start(part: &Part) -> Span {
    Span::new(part.file, 0, 0)
}

fn states(part: &Part) -> Table {
    Table::of("state", part.file, part.states.clone(), part.state_places.clone())
}

fn events(part: &Part) -> Table {
    let places = part.facts.iter().map(|facts| facts.place).collect();
    Table::of("event", part.file, part.events.clone(), places)
}

/// The anonymous events of a part.
fn decls(part: &Part) -> ObservabilityDecls {
    let anonymous = (0u32..).zip(&part.facts).filter(|(_, facts)| facts.anonymous);
    let events: Vec<(u32, Span)> = anonymous.map(|(event, _)| (event, part.event_span(event))).collect();
    let mut decls = ObservabilityDecls::default();
    if let Some(&(_, at)) = events.first() {
        decls.anonymous = true;
        decls.join(Group { label: None, at, events: Events::new(events), acts: Vec::new(), has_agent: false });
    }
    decls
}

fn secret(ids: &[u32]) -> Set {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    Set { ids, sound: true }
}
