//! The names that a story uses, each kept once: a run may go through one state a million times.

use super::{Move, NamedSet};
use crate::automaton::view::{GroupId, Symbol, View};
use crate::automaton::{EventId, StateId, StateSet};
use crate::model::parts::Parts;
use crate::model::{System, ViewId};
use crate::report::SignName;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Gives names, and remembers them.
pub(super) struct Names<'a> {
    pub(super) system: &'a System,
    pub(super) view: View<'a>,
    view_id: ViewId,
    states: FxHashMap<StateId, Arc<str>>,
    locals: FxHashMap<(usize, StateId), Arc<str>>,
    events: FxHashMap<EventId, Arc<str>>,
    signs: FxHashMap<Symbol, SignName>,
    groups: FxHashMap<GroupId, Vec<EventId>>,
}

/// A transition, without names.
pub(super) type Transition = (StateId, EventId, StateId);

impl<'a> Names<'a> {
    /// No names yet.
    pub(super) fn new(system: &'a System, view_id: ViewId) -> Names<'a> {
        let (states, locals, events, signs) = Default::default();
        let view = crate::verify::view(system, view_id);
        Names { system, view, view_id, states, locals, events, signs, groups: FxHashMap::default() }
    }

    /// The name of a state.
    pub(super) fn state(&mut self, state: StateId) -> Arc<str> {
        let name = || Arc::from(&*self.system.names.state(state));
        Arc::clone(self.states.entry(state).or_insert_with(name))
    }

    /// The name of a part's own state.
    pub(super) fn local(&mut self, parts: &dyn Parts, part: usize, local: StateId) -> Arc<str> {
        let name = || Arc::from(&*parts.state_name(part, local));
        Arc::clone(self.locals.entry((part, local)).or_insert_with(name))
    }

    /// The name of an event.
    pub(super) fn event(&mut self, event: EventId) -> Arc<str> {
        let name = || Arc::from(&*self.system.names.event(event));
        Arc::clone(self.events.entry(event).or_insert_with(name))
    }

    /// The name of the agent of an event, if it has one.
    pub(super) fn agent(&mut self, event: EventId) -> Option<Arc<str>> {
        self.system.observer(self.view_id.observer).agent_name(event).map(Arc::from)
    }

    /// The name of a label.
    pub(super) fn sign(&mut self, sign: Symbol) -> SignName {
        let name = || SignName::new(self.system, self.view_id.observer, sign);
        self.signs.entry(sign).or_insert_with(name).clone()
    }

    /// The names of labels.
    pub(super) fn signs(&mut self, signs: &[Symbol]) -> Vec<SignName> {
        signs.iter().map(|&sign| self.sign(sign)).collect()
    }

    /// States, and the names of the first so many.
    pub(super) fn set(&mut self, states: &StateSet, most: usize) -> NamedSet {
        let names = states.iter().take(most).map(|state| self.state(state)).collect();
        NamedSet { ids: states.iter().map(|state| state.0).collect(), names }
    }

    /// A transition with its places.
    pub(super) fn transition(&mut self, (source, event, target): Transition, shows: Option<Symbol>) -> Move {
        Move {
            source: self.state(source),
            event: self.event(event),
            target: self.state(target),
            shows: shows.map(|sign| self.sign(sign)),
            places: self.system.names.transition_places(source, event, target),
        }
    }

    /// The first few events of a group.
    pub(super) fn some_of(&mut self, group: GroupId, most: usize) -> Vec<Arc<str>> {
        let observer = self.view.observer;
        let first = || observer.anonymous(Some(group)).take(most).collect();
        let events = self.groups.entry(group).or_insert_with(first).clone();
        events.into_iter().map(|event| self.event(event)).collect()
    }
}
