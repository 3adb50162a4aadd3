//! `desc`: a language and compiler for anonymity and opacity of discrete-event systems.
//!
//! ```text
//! text ─SourceFile→ lex ─Tokens→ parse ─Parsed→ check ─Checked→ build ─Automaton→ verify ─Verdict→ report ─Report→ CLI, LSP, page
//! ```
//!
//! A program begins with [`check()`], or with a [`SystemBuilder`], and ends with a [`Report`] or the [`Verdict`]s themselves:
//!
//! ```
//! let checked = desc::check("questioning.des", "system Questioning {
//!     states M, N, A, B; initial M, N;
//!     events a, b; anonymous events;
//!     M -a-> A; N -b-> B;
//!     check strong infinite-step;
//!     check not natural current-state;
//! }");
//! let report = checked.verify(&desc::Options::default());
//! assert_eq!(report.tally().passed, 2);
//! ```
//!
//! The modules stand below in the order of their dependencies: none uses a module that stands after it, which a test sees to
//! (`tests/docs/arrows.rs`). Each stage is a free function of its input. The library opens no file, prints nothing, reads no
//! environment and never exits: that is the business of the binary.

#![deny(clippy::print_stdout, clippy::print_stderr)]

// WHY: the law of limits is a test of this crate, and shares its random models with those in `tests`.
#[cfg(test)]
extern crate self as desc;

// The stages. They are hidden: only what is exported at the end is a promise, and the binary, the tests and the benchmarks are
// crates of their own that look inside.
mod clock;
mod parallel;
#[doc(hidden)]
pub mod resources;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod diagnostic;
#[doc(hidden)]
pub mod automaton;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod format;
#[doc(hidden)]
pub mod import;
#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod paper;
#[doc(hidden)]
pub mod verify;
#[doc(hidden)]
pub mod baselines;
#[doc(hidden)]
pub mod draw;
#[doc(hidden)]
pub mod export;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod ide;
mod api;
#[cfg(test)]
mod law;

pub use api::{Checked, SystemBuilder, check, check_with};
pub use automaton::Automaton;
pub use check::Settings;
pub use diagnostic::{Diagnostic, Severity};
pub use model::{Model, System};
pub use report::Report;
pub use resources::{Resources, Stop};
pub use source::Loader;
pub use verify::certificate::Certificate;
pub use verify::{Options, Outcome, Results, Verdict, Witness, verify};
