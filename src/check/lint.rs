//! Warnings: what has no effect, and blocks that no value expands.

pub(in crate::check) mod stuck;
pub(in crate::check) mod synchronisation;
pub(in crate::check) mod systems;
pub(in crate::check) mod transitions;
pub(in crate::check) mod unexpanded;
pub(in crate::check) mod uses;
