//! The answers to requests: each takes the request apart, asks [`desc::ide`], and wraps what it says.

pub mod looks;
pub mod names;
pub mod paths;
pub mod verdicts;
pub mod writing;
