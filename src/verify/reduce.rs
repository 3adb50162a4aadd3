//! From an automaton to a smaller one with the same answers.

pub(crate) mod quotient;
