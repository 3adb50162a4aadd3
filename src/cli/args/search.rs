//! The options of every command that searches: limits and method.

use crate::cli::run::limits::{RunLimits, grown};
use crate::cli::run::load::integer;
use clap::{Args, ValueEnum};
use desc::resources::Resources;
use desc::verify;
use std::time::{Duration, Instant};

/// Options of every command that searches.
#[derive(Clone, Debug, Args)]
pub struct Searching {
    /// Limits of the whole run.
    #[command(flatten)]
    pub limits: RunLimits,
    /// Limit on the pairs that one search stores
    #[arg(long, value_name = "N", value_parser = integer::<u64>, help_heading = "Search")]
    pub max_pairs: Option<u64>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = integer::<usize>, help_heading = "Search")]
    pub threads: Option<usize>,
    /// The method
    #[arg(long, value_name = "METHOD", default_value = "engine", help_heading = "Search")]
    pub method: Method,
}

/// How to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// The fast search
    Engine,
    /// The paper's constructions, literally: slow, for cross-checking
    Literal,
}

impl Searching {
    /// With an equal share of the time that is left to a run that began at `started`: that of the first of so many models.
    pub fn share(&self, started: Instant, shares: u32) -> Searching {
        let left = |timeout: Duration| timeout.saturating_sub(started.elapsed()) / shares.max(1);
        let limits = RunLimits { timeout: self.limits.timeout.map(left), ..self.limits };
        Searching { limits, ..self.clone() }
    }

    /// The limits of a search within the resources of a run.
    pub fn limits(&self, resources: &Resources<'_>) -> verify::Limits {
        verify::Limits { timeout: resources.time_left(), memory: resources.memory, pairs: self.max_pairs }
    }

    /// How to decide.
    pub fn method(&self) -> verify::Method {
        match self.method {
            Method::Engine => verify::Method::Engine,
            Method::Literal => verify::Method::Literal,
        }
    }
}

/// By how many bytes a search has grown that shares the process with `held` bytes of models and with the searches of other files.
pub fn grown_beside(held: u64, resources: &Resources<'_>) -> u64 {
    let others = u64::from(resources.together.max(1) - 1).saturating_mul(resources.memory.unwrap_or(0));
    grown().saturating_sub(held).saturating_sub(others)
}
