//! What test binaries and benchmarks share: the oracle, generators of models, the paper's systems. The unit tests of the library use it too.
#![allow(dead_code)] // No binary uses all of it.

pub mod agents;
pub mod composed;
pub mod compositions;
pub mod dice;
pub mod families;
pub mod fewest;
pub mod histogram;
pub mod kinds;
pub mod notions;
pub mod oracle;
pub mod plain;
pub mod random;
pub mod systems;
