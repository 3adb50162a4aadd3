//! Every set, table, projection and verdict that the paper prints, each test naming its place there; then its
//! propositions as laws on random models.

mod facts;
mod laws;
#[path = "../support/mod.rs"]
mod support;
mod tables;
