//! From a property to its exposed sets: the sets that must not contain a delayed estimate.
//!
//! Every property gives each state a *class*, and some classes are *exposable*. An exposed set is the union of at most
//! `max_classes` exposable classes. Anonymity: up to `among - 1` of the classes that do not lie inside `except`. Opacity: there
//! are two classes, secret and not, and only the secret is exposable. A state of another class is in no exposed set: an estimate
//! that holds one is safe.

use crate::automaton::{StateId, StateSet};
use crate::model::Property;

/// The family of exposed sets, by classes of states.
#[derive(Clone, Debug)]
pub(crate) struct ExposedSets {
    class: Vec<u32>,
    /// The most classes of one exposed set: `among - 1`.
    pub(crate) max_classes: usize,
    /// For each state, whether its class is exposable.
    exposable: Vec<bool>,
}

impl ExposedSets {
    /// The exposed sets of a property over this many states.
    ///
    /// # Panics
    /// If the property has no exposed sets: it is decided on its derived automaton.
    pub(crate) fn of(property: &Property, n_states: usize) -> ExposedSets {
        let states = (0..n_states).map(StateId::from_index);
        match property {
            Property::Anonymity { among, classes, except } => {
                let class: Vec<u32> = match classes {
                    Some(classes) => classes.of.iter().map(|class| class.0).collect(),
                    None => states.map(|state| state.0).collect(),
                };
                let exposable = except.as_ref().map_or_else(|| vec![true; n_states], |set| outside(&class, set));
                ExposedSets { class, max_classes: among.saturating_sub(1).max(1) as usize, exposable }
            }
            Property::Opacity { secret } => {
                let exposable: Vec<bool> = states.map(|state| secret.contains(state)).collect();
                let class = exposable.iter().map(|&secret| u32::from(!secret)).collect();
                ExposedSets { class, max_classes: 1, exposable }
            }
            Property::Throughout { .. } | Property::InitialFinal { .. } | Property::OfParts(_) => {
                unreachable!("the property is decided as the opacity of a derived automaton")
            }
        }
    }

    /// The class of a state.
    pub(crate) fn class(&self, state: StateId) -> u32 {
        self.class[state.index()]
    }

    /// Whether a state lies in some exposed set.
    pub(crate) fn can_be_exposed(&self, state: StateId) -> bool {
        self.exposable[state.index()]
    }

    /// Whether an estimate is exposed: not empty, and inside an exposed set.
    pub(crate) fn exposes(&self, estimate: &StateSet) -> bool {
        let mut classes: Vec<u32> = estimate.iter().map(|state| self.class(state)).collect();
        classes.sort_unstable();
        classes.dedup();
        !classes.is_empty()
            && classes.len() <= self.max_classes
            && estimate.iter().all(|state| self.can_be_exposed(state))
    }
}

/// For each state, whether its class has a member outside a set.
fn outside(class: &[u32], set: &StateSet) -> Vec<bool> {
    let mut has_other = vec![false; class.iter().max().map_or(0, |&last| last as usize + 1)];
    for (state, &class) in class.iter().enumerate() {
        has_other[class as usize] |= !set.contains(StateId::from_index(state));
    }
    class.iter().map(|&class| has_other[class as usize]).collect()
}
