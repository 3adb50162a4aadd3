//! From a pair of runs to a proof, or a refutation, that one can imitate the other for ever.

pub(crate) mod colour_refinement;
pub(crate) mod game;
pub(crate) mod permutation;
pub(crate) mod pruning;
