//! From a view to less to search: branching-bisimilar states of a class are merged; states that share past and future with others
//! leave the exposed sets; a property that says more than the state at one instant becomes the opacity of an automaton that
//! remembers one bit.

pub(crate) mod cells;
mod components;
pub(crate) mod derive;
mod partition;
pub(crate) mod quotient;
pub(crate) mod two_sided;

use crate::verdict::certificate::{Cells, Sides};

/// What was made of a view before it was searched, as far as a proof needs it.
#[derive(Debug, Default)]
pub(crate) struct Reduction {
    pub(crate) cells: Option<Cells>,
    /// The proof itself, if it was found on both sides.
    pub(crate) sides: Option<Sides>,
    /// The block of each state.
    pub(crate) blocks: Option<Vec<u32>>,
}
