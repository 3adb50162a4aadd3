//! The command line: what each command prints, writes and ends with; files of other tools; drawings.

mod cli;
mod composed_stories;
mod damaged;
mod draw;
mod fmt;
mod foreign;
mod formats;
mod limit_law;
mod limits;
#[cfg(unix)]
mod packaging;
#[cfg(unix)]
mod pipelines;
mod show;
mod stories;
mod suggestions;
#[path = "../support/mod.rs"]
mod support;
mod undecided;
mod vacuity;
#[cfg(target_os = "linux")]
mod watch;
