//! From an actual state and a hypothesis to a proof, or a refutation, that the hypothesis simulates it.

pub(crate) mod colour_refinement;
pub(crate) mod game;
pub(crate) mod permutation;
pub(crate) mod pruning;
