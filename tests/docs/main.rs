//! The documents: pages, examples and explanations are run, and what is built from outside is accounted for.

mod arrows;
mod examples;
mod explain;
mod face;
#[cfg(unix)]
mod pages;
mod paths;
mod supply;
