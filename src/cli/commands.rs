//! One file per command: a struct of arguments, and what the command does with them.

pub mod check;
pub mod compare;
pub mod completions;
pub mod diff;
pub mod dump;
pub mod estimate;
pub mod examples;
pub mod explain;
pub mod explore;
pub mod export;
pub mod fmt;
pub mod import;
pub mod lsp;
pub mod max;
pub mod merge;
pub mod new;
pub mod project;
pub mod repair;
pub mod report;
pub mod schema;
pub mod show;
pub mod verify_certificate;
