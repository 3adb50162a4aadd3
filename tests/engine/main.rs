//! The engine: verdicts, distances and proofs, held against other routes to the same answer.

mod agents;
mod certificates;
mod composed;
mod explore;
mod laws;
mod pools;
mod baselines;
mod parts;
mod parts_law;
mod parts_unsound;
mod repair;
#[path = "../support/mod.rs"]
mod support;
