//! `desc`: a language and compiler for anonymity and opacity of discrete-event systems.
//!
//! ```text
//! text ─SourceFile→ lex ─Tokens→ parse ─Parsed→ check ─Checked→ build ─Automaton→ verify ─Verdict→ report ─Report→ CLI, LSP, page
//! ```
//!
//! The modules stand below in the order of their dependencies: none uses a module that stands after it, which a test sees to
//! (`tests/docs/arrows.rs`). Each stage is a free function of its input. The library opens no file, prints nothing, reads no
//! environment and never exits: that is the business of the binary.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod clock;
mod parallel;
pub mod resources;
pub mod source;
pub mod diagnostic;
pub mod automaton;
pub mod model;
pub mod syntax;
pub mod format;
pub mod import;
pub mod check;
pub mod paper;
pub mod verify;
pub mod baselines;
pub mod draw;
pub mod export;
pub mod report;
pub mod ide;
