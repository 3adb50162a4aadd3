//! A part of a foreign model as a leaf of a composition.

use super::leaf::Leaf;
use super::names::Table;
use super::sets::Set;
use super::sights::{Events, Group, Said};
use crate::automaton::{Automaton, EventId, StateId, Step};
use crate::import::{Part, Transition};
use crate::source::Span;
use std::sync::Arc;

/// Cost: one sort of the transitions.
pub(super) fn leaf(part: &Part) -> Leaf {
    let mut transitions = part.transitions.clone();
    transitions.sort_unstable_by_key(key);
    transitions.dedup_by_key(|transition| (transition.source, transition.event, transition.target));
    let steps =
        transitions.iter().map(|t| (StateId(t.source), Step { event: EventId(t.event), target: StateId(t.target) }));
    let automaton = Automaton::from_sorted(part.states.len(), part.events.len(), part.initial.iter().copied(), steps);
    let opinion = |event: usize| part.facts[event].observable.map(|seen| (seen, part.event_span(event as u32)));
    Leaf {
        file: part.file,
        states: states(part),
        events: events(part),
        automaton: Arc::new(automaton),
        places: transitions.iter().map(|transition| transition.place).collect(),
        said: said(part),
        opinions: (0..part.events.len()).map(opinion).collect(),
        secrets: part.secret.iter().map(|ids| (start(part), secret(ids))).collect(),
        docs: Vec::new(),
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
fn said(part: &Part) -> Said {
    let anonymous = (0u32..).zip(&part.facts).filter(|(_, facts)| facts.anonymous);
    let events: Vec<(u32, Span)> = anonymous.map(|(event, _)| (event, part.event_span(event))).collect();
    let mut said = Said::default();
    if let Some(&(_, at)) = events.first() {
        said.anonymous = true;
        said.join(Group { label: None, at, events: Events::new(events) });
    }
    said
}

fn secret(ids: &[u32]) -> Set {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    Set { ids, sound: true }
}
