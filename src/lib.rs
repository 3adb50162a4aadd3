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
//! # Code map
//!
//! | module | from → to |
//! | --- | --- |
//! | `clock`, `parallel`, `resources` | the clock, the threads, the limits of a run |
//! | `source`, `diagnostic` | files and spans; diagnostics with codes, pages and renderers |
//! | `automaton` | states, events, transitions → frozen table; products, views |
//! | `model` | the checked model: systems, observers, checks, names |
//! | `syntax` | text → tokens → tree |
//! | `format` | text → formatted text |
//! | `import` | foreign file → parts |
//! | `check` | tree → model |
//! | `verdict` | verdicts, witnesses, certificates and their checker |
//! | `paper` | the paper's constructions, literal |
//! | `verify` | system → verdicts |
//! | `repair` | violated system → the least that must change |
//! | `baselines` | other methods of the literature |
//! | `draw`, `export`, `report` | drawings; files of other tools; reports |
//! | `explore` | observation, sign by sign → what the intruder knows |
//! | `ide` | editor features on byte offsets |
//! | `api` | the items that this crate exports |
//! | `law` | (tests only) limits never change a verdict |
//!
//! The modules are declared in the order of their dependencies: none uses a module that is declared after it
//! (`tests/docs/arrows.rs`). Each stage is a free function of its input. The library opens no file, prints nothing, reads no
//! environment and never exits. `ARCHITECTURE.md` describes the types between the stages and follows one check through them.

#![deny(clippy::print_stdout, clippy::print_stderr)]

// WHY: the law of limits is a test of this crate, and shares its random models with those in `tests`.
#[cfg(test)]
extern crate self as desc;

// The stages. They are hidden: only what is exported at the end is a promise, and the binary, the tests and the benchmarks are
// crates of their own that look inside.
#[doc(hidden)]
pub mod clock;
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
pub mod verdict;
#[doc(hidden)]
pub mod paper;
#[doc(hidden)]
pub mod verify;
#[doc(hidden)]
pub mod repair;
#[doc(hidden)]
pub mod baselines;
#[doc(hidden)]
pub mod draw;
#[doc(hidden)]
pub mod export;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod explore;
#[doc(hidden)]
pub mod ide;
mod api;
#[cfg(test)]
mod law;

pub use api::{Checked, SystemBuilder, check, check_foreign, check_with};
pub use automaton::Automaton;
pub use check::Settings;
pub use diagnostic::{Diagnostic, Severity};
pub use import::Format;
pub use import::options::Outside;
pub use model::{Model, System};
pub use repair::verify;
pub use report::Report;
pub use resources::{Resources, Stop};
pub use source::Loader;
pub use verdict::certificate::Certificate;
pub use verdict::{Evidence, Refutation, Results, Verdict, Witness};
pub use verify::Options;
