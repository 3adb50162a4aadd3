//! From a view and a property to the states of the checker's model: the states themselves, or two copies of them.
//!
//! A property with exposed sets is about the states. The others are the opacity of a set of *derived* states. State x of
//! copy c has the number x + c · |X|.
//!
//! - *Throughout*: copy 0 is any run, copy 1 a run that avoids the secret states. A label leads from copy 0 to both copies, a
//!   silent move never changes the copy: so the run has avoided the secret states since some label entered copy 1, the state
//!   that it entered included, or since the start. Copy 0 is secret.
//! - *Initial-final*: copy 1 are the runs that began in `from`. Their states in `to` are secret.
//!
//! In both cases a run of the derived states is a run of the automaton that shows the same, and E(α|αβ) lies inside the
//! derived secret iff what the property forbids is certain.

use super::model::EPSILON;
use crate::automaton::view::View;
use crate::automaton::{StateId, StateSet};
use crate::model::Property;

/// The class of the derived secret.
pub(super) const SECRET: u32 = 0;

/// The states of a property, and where moves lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Derivation<'a> {
    view: &'a View<'a>,
    property: &'a Property,
}

/// The classes of a property.
pub(super) struct Exposed {
    /// The class of each state.
    pub(super) classes: Vec<u32>,
    /// The most classes of one exposed set.
    pub(super) max_classes: usize,
    /// The classes that are in no exposed set, sorted.
    pub(super) safe: Vec<u32>,
}

impl<'a> Derivation<'a> {
    pub(super) fn new(view: &'a View<'a>, property: &'a Property) -> Derivation<'a> {
        Derivation { view, property }
    }

    fn n(&self) -> u32 {
        self.view.automaton.n_states() as u32
    }

    fn copies(&self) -> u32 {
        if self.property.has_exposed_sets() { 1 } else { 2 }
    }

    /// How many states there are.
    pub(super) fn n_states(&self) -> usize {
        (self.n() * self.copies()) as usize
    }

    /// How many moves there are at most.
    pub(super) fn n_moves(&self) -> usize {
        let of_copies = if matches!(self.property, Property::Throughout { .. }) { 3 } else { self.copies() };
        self.view.automaton.n_transitions() * of_copies as usize
    }

    /// The initial states, sorted.
    pub(super) fn initial(&self) -> Vec<u32> {
        let n = self.n();
        let states = self.view.automaton.initial().iter();
        let mut initial: Vec<u32> = match self.property {
            Property::Anonymity { .. } | Property::Opacity { .. } | Property::OfParts(_) => {
                states.map(|state| state.0).collect()
            }
            Property::Throughout { secret } => {
                let clean = states.clone().filter(|state| !secret.contains(**state)).map(|state| n + state.0);
                states.map(|state| state.0).chain(clean).collect()
            }
            Property::InitialFinal { from, .. } => {
                states.map(|state| state.0 + n * u32::from(from.contains(*state))).collect()
            }
        };
        initial.sort_unstable();
        initial
    }

    /// The moves of a state, label and target, given the label of each event.
    pub(super) fn moves(&self, state: u32, labels: &[u32]) -> impl Iterator<Item = (u32, u32)> {
        let (n, copy, from) = (self.n(), state / self.n(), StateId(state % self.n()));
        let secret = match self.property {
            Property::Throughout { secret } => Some(secret),
            _ => None,
        };
        let is_clean = move |state: StateId| secret.is_some_and(|secret| !secret.contains(state));
        let stays = secret.is_none() || copy == 0 || is_clean(from);
        let steps = self.view.automaton.steps(from).iter().filter(move |_| stays);
        steps.flat_map(move |step| {
            let label = labels[step.event.index()];
            let here = secret.is_none() || copy == 0 || is_clean(step.target);
            let enters = copy == 0 && label != EPSILON && is_clean(step.target);
            let here = here.then_some((label, step.target.0 + copy * n));
            here.into_iter().chain(enters.then_some((label, step.target.0 + n)))
        })
    }

    /// The classes of the states.
    pub(super) fn exposed(&self) -> Exposed {
        let states = self.view.automaton.states();
        let one_set = |secret: Vec<bool>| Exposed {
            classes: secret.into_iter().map(|secret| u32::from(!secret)).collect(),
            max_classes: 1,
            safe: vec![1],
        };
        match self.property {
            Property::Anonymity { among, classes, except } => {
                let classes: Vec<u32> = match classes {
                    Some(classes) => classes.of.iter().map(|class| class.0).collect(),
                    None => states.map(|state| state.0).collect(),
                };
                let safe = except.as_ref().map(|except| classes_inside(&classes, except)).unwrap_or_default();
                Exposed { classes, max_classes: (*among as usize).saturating_sub(1).max(1), safe }
            }
            Property::Opacity { secret } => one_set(states.map(|state| secret.contains(state)).collect()),
            Property::Throughout { .. } => one_set((0..2 * self.n()).map(|state| state < self.n()).collect()),
            Property::InitialFinal { to, .. } => {
                let others = vec![false; self.n() as usize];
                one_set(others.into_iter().chain(states.map(|state| to.contains(state))).collect())
            }
            // INVARIANT: a proof is about states; one about parts is about the product of those it keeps.
            Property::OfParts(_) => one_set(vec![true; self.n() as usize]),
        }
    }

    /// A run of the automaton as a run of these states.
    pub(super) fn lifted(&self, states: &[StateId]) -> Vec<u32> {
        let copy = match self.property {
            Property::InitialFinal { from, .. } => u32::from(states.first().is_some_and(|start| from.contains(*start))),
            _ => 0,
        };
        states.iter().map(|state| state.0 + copy * self.n()).collect()
    }
}

/// The classes all of whose states lie in a set, sorted.
fn classes_inside(classes: &[u32], set: &StateSet) -> Vec<u32> {
    let mut by_class: Vec<(u32, bool)> =
        (0u32..).zip(classes).map(|(state, &class)| (class, set.contains(StateId(state)))).collect();
    by_class.sort_unstable();
    let inside = by_class.chunk_by(|one, other| one.0 == other.0).filter(|chunk| chunk.iter().all(|member| member.1));
    inside.map(|chunk| chunk[0].0).collect()
}
