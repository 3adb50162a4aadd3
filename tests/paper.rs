//! Every set, table, projection and verdict that the paper prints, each test naming its place there; then its
//! propositions as laws on random models.

#[path = "paper/facts.rs"]
mod facts;
#[path = "paper/laws.rs"]
mod laws;
#[path = "paper/systems.rs"]
mod systems;
#[path = "paper/tables.rs"]
mod tables;
