//! The exposed sets of a property: what a delayed estimate must not lie inside.
//!
//! Every property gives each state a *class*. Anonymity: an exposed set is the union of at most `among - 1` classes.
//! Opacity: two classes, secret and not, and the secret is the one exposed set.

use crate::automaton::{StateId, StateSet};
use crate::model::Property;

/// The exposed sets, by classes of states.
#[derive(Clone, Debug)]
pub(crate) struct Exposed {
    class: Vec<u32>,
    /// How many classes together are still exposed: `among - 1`.
    pub(crate) together: usize,
    secret_only: bool,
}

/// The class of the secret states.
const SECRET: u32 = 0;

impl Exposed {
    /// The exposed sets of a property over this many states.
    pub(crate) fn of(property: &Property, n_states: usize) -> Exposed {
        match property {
            Property::Anonymity { among, classes } => Exposed {
                class: match classes {
                    Some(classes) => classes.of.iter().map(|class| class.0).collect(),
                    None => (0..n_states as u32).collect(),
                },
                together: among.saturating_sub(1).max(1) as usize,
                secret_only: false,
            },
            Property::Opacity { secret } => Exposed {
                class: (0..n_states).map(|at| u32::from(!secret.contains(StateId::from_index(at)))).collect(),
                together: 1,
                secret_only: true,
            },
        }
    }

    /// The class of a state.
    pub(crate) fn class(&self, state: StateId) -> u32 {
        self.class[state.index()]
    }

    /// Whether a state stands in some exposed set: whether the run may jump there.
    pub(crate) fn jumps(&self, state: StateId) -> bool {
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
            n => n <= self.together,
        }
    }
}
