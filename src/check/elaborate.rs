//! From component bodies to automata, and from compositions to products.

pub(in crate::check) mod component;
pub(in crate::check) mod compose;
pub(in crate::check) mod foreign;
pub(in crate::check) mod monitor;
pub(in crate::check) mod naming;
pub(in crate::check) mod part_sets;
pub(in crate::check) mod parts;
pub(in crate::check) mod transitions;
