//! From an automaton to a smaller one with the same answers: class-respecting branching-bisimilar states are merged.

mod components;
mod partition;
pub(crate) mod quotient;
