//! The language: words, syntax, names and types, and what is said of text that is wrong.

mod bad_input;
mod check_fixtures;
mod faults;
mod fixtures;
mod grammar;
mod growth;
mod proposals;
mod slips;
mod text_laws;
