//! From a property to its exposed sets: the sets that must not contain a delayed estimate.
//!
//! Every property gives each state a *class*. Anonymity: an exposed set is the union of at most `among - 1` classes. Opacity:
//! there are two classes, secret and not, and the secret is the only exposed set.

use crate::automaton::{StateId, StateSet};
use crate::model::Property;

/// The family of exposed sets, by classes of states.
#[derive(Clone, Debug)]
pub(crate) struct ExposedSets {
    class: Vec<u32>,
    /// The most classes of one exposed set: `among - 1`.
    pub(crate) max_classes: usize,
    secret_only: bool,
}

/// The class of the secret states.
const SECRET: u32 = 0;

impl ExposedSets {
    /// The exposed sets of a property over this many states.
    pub(crate) fn of(property: &Property, n_states: usize) -> ExposedSets {
        match property {
            Property::Anonymity { among, classes } => ExposedSets {
                class: match classes {
                    Some(classes) => classes.of.iter().map(|class| class.0).collect(),
                    None => (0..n_states as u32).collect(),
                },
                max_classes: among.saturating_sub(1).max(1) as usize,
                secret_only: false,
            },
            Property::Opacity { secret } => ExposedSets {
                class: (0..n_states).map(|at| u32::from(!secret.contains(StateId::from_index(at)))).collect(),
                max_classes: 1,
                secret_only: true,
            },
        }
    }

    /// The class of a state.
    pub(crate) fn class(&self, state: StateId) -> u32 {
        self.class[state.index()]
    }

    /// Whether a state lies in some exposed set.
    pub(crate) fn can_be_exposed(&self, state: StateId) -> bool {
        !self.secret_only || self.class(state) == SECRET
    }

    /// Whether an estimate is exposed: not empty, and inside an exposed set.
    pub(crate) fn exposes(&self, estimate: &StateSet) -> bool {
        let mut classes: Vec<u32> = estimate.iter().map(|state| self.class(state)).collect();
        classes.sort_unstable();
        classes.dedup();
        match classes.len() {
            0 => false,
            _ if self.secret_only => classes == [SECRET],
            n => n <= self.max_classes,
        }
    }
}
