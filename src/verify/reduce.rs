//! From an automaton to another one with the same answers: class-respecting branching-bisimilar states are merged; a property
//! that says more than the state at one instant becomes the opacity of an automaton that remembers one bit.

mod components;
pub(crate) mod derive;
mod partition;
pub(crate) mod quotient;
