//! The scope of a system after its automaton is built: what a name means in its observers and checks.

use crate::automaton::view::{Observability, Observer};
use crate::automaton::{Automaton, StateId, StateSet};
use crate::check::context::Context;
use crate::check::elaborate::component::{self, Component};
use crate::check::elaborate::part_sets::PartScope;
use crate::check::elaborate::parts::Composed;
use crate::check::resolve::names::Table;
use crate::check::resolve::sets::{Kind, Scope, difference};
use crate::model::of_parts::PartSet;
use crate::syntax::ast::{Builtin, Ref};

/// The scope of a system after its automaton is built.
pub(in crate::check) struct SystemScope<'a, 'w> {
    pub body: Body<'a, 'w>,
    pub automaton: &'a Automaton,
    pub secret: Option<&'a StateSet>,
    /// The secret by the states of parts.
    pub hidden: Option<&'a PartSet>,
    pub own: Option<&'a Observer>,
}

/// The structure of a system: flat or composed.
#[derive(Clone, Copy)]
pub(in crate::check) enum Body<'a, 'w> {
    Flat(&'a Component),
    Composed(&'a Composed<'a, 'w>),
}

impl<'w> SystemScope<'_, 'w> {
    /// The scope of sets of a composition by the states of its parts. None: the system has no parts, or they may change.
    pub fn of_parts(&self) -> Option<PartScope<'_, 'w>> {
        match self.body {
            Body::Composed(composed) if composed.has_parts => {
                Some(PartScope { composed, node: &composed.tree.root, secret: self.hidden })
            }
            _ => None,
        }
    }

    pub fn state_name(&self, state: u32) -> String {
        match self.body {
            Body::Flat(component) => component.states.names.get(state).into_owned(),
            Body::Composed(composed) => composed.state_name(state),
        }
    }

    pub fn events(&self) -> &Table {
        match self.body {
            Body::Flat(component) => &component.events,
            Body::Composed(composed) => &composed.tree.events,
        }
    }
}

impl Scope for SystemScope<'_, '_> {
    fn reference(&self, cx: &mut Context<'_>, kind: Kind, reference: &Ref, out: &mut Vec<u32>) -> bool {
        match self.body {
            Body::Flat(component) => component::flat_reference(
                cx,
                "this system",
                (&component.states, &component.events),
                kind,
                reference,
                out,
            ),
            Body::Composed(composed) => composed.reference(cx, &composed.tree.root, kind, reference, out),
        }
    }

    fn builtin(&self, word: Builtin) -> Vec<u32> {
        let events: Vec<u32> = (0..self.events().len()).collect();
        let observable = || match self.own {
            Some(own) => (0..).zip(visible(own)).filter(|(_, seen)| *seen).map(|(id, _)| id).collect(),
            None => events.clone(),
        };
        match word {
            Builtin::States => (0..self.automaton.n_states() as u32).collect(),
            Builtin::Initial => self.automaton.initial().iter().map(|state| state.0).collect(),
            Builtin::Secret => self.secret.map_or_else(Vec::new, |set| set.iter().map(|state| state.0).collect()),
            Builtin::Observable => observable(),
            Builtin::Unobservable => difference(&events, &observable()),
            Builtin::Anonymous => {
                self.own.map_or_else(Vec::new, |own| own.anonymous(None).map(|event| event.0).collect())
            }
            Builtin::Events => events,
        }
    }
}

pub(in crate::check) fn states(ids: Vec<u32>) -> StateSet {
    ids.into_iter().map(StateId).collect()
}

pub(in crate::check) fn visible(observer: &Observer) -> Vec<bool> {
    observer.observabilities().iter().map(|observability| *observability != Observability::Silent).collect()
}
