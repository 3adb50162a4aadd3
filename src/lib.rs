//! `desc`: a language and compiler for anonymity and opacity of discrete-event systems.
//!
//! ```text
//! text ─SourceFile→ lex ─Tokens→ parse ─Parsed→ check ─Checked→ build ─Automaton→ verify ─Verdict→ report ─Report→ CLI, LSP, page
//! ```
//!
//! The modules stand below in the order in which data meets them. Each stage is a free function of its input. The library
//! opens no file, prints nothing, reads no environment and never exits: that is the business of the binary.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod resources;
pub mod source;
pub mod diagnostic;
pub mod syntax;
pub mod format;
pub mod foreign;
pub mod check;
pub mod model;
pub mod automaton;
pub mod verify;
pub mod ide;
pub mod paper;
pub mod baselines;
pub mod draw;
pub mod report;
