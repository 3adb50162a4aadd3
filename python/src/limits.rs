//! The limits of a call, as keywords.

use crate::refusal::question;
use desc::check::Limits;
use desc::resources::{Resources, Stop};
use desc::verify::{self, Method};
use desc::{Options, Settings};
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a call may use.
#[derive(Clone, Copy, Default)]
pub struct Allowed {
    pub timeout: Option<Duration>,
    pub memory: Option<u64>,
    pub pairs: Option<u64>,
    pub threads: usize,
    pub method: Method,
    pub certificates: bool,
}

impl Allowed {
    /// The limits of the keywords; a time is in seconds, memory in bytes.
    pub fn new(timeout: Option<f64>, memory: Option<u64>, pairs: Option<u64>) -> PyResult<Allowed> {
        let read = |seconds: f64| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| question(format!("a time limit of {seconds} seconds"), Some("give a positive number")))
        };
        Ok(Allowed { timeout: timeout.map(read).transpose()?, memory, pairs, ..Allowed::default() })
    }

    pub fn by(self, threads: usize, method: &str, certificates: bool) -> PyResult<Allowed> {
        let method = match method {
            "engine" => Method::Engine,
            "literal" => Method::Literal,
            other => return Err(question(format!("unknown method `{other}`"), Some("use `engine` or `literal`"))),
        };
        Ok(Allowed { threads, method, certificates, ..self })
    }

    /// From now on.
    pub fn resources<'a>(&self, interrupted: &'a AtomicBool) -> Resources<'a> {
        Resources {
            deadline: self.timeout.and_then(|time| Instant::now().checked_add(time)),
            memory: self.memory,
            interrupted: Some(interrupted),
            ..Resources::default()
        }
    }

    pub fn options<'a>(&self, interrupted: &'a AtomicBool) -> Options<'a> {
        Options {
            limits: verify::Limits { timeout: self.timeout, memory: self.memory, pairs: self.pairs },
            threads: self.threads,
            method: self.method,
            certificates: self.certificates,
            interrupted: Some(interrupted),
            ..Options::default()
        }
    }

    /// What is left of the time after some of it was used.
    pub fn after(self, used: Duration) -> Allowed {
        Allowed { timeout: self.timeout.map(|time| time.saturating_sub(used)), ..self }
    }
}

/// How large a model may become.
#[derive(Clone, Copy, Default)]
pub struct Sizes {
    pub states: Option<usize>,
    pub transitions: Option<usize>,
}

/// The settings of reading. `whole`: every product is built; otherwise one that is too large is not, and its properties are decided on parts.
pub fn settings(
    whole: bool,
    defines: Vec<(String, i64)>,
    sizes: Sizes,
    allowed: &Allowed,
    interrupted: &'static AtomicBool,
) -> Settings {
    let mut settings = Settings { defines, ..Settings::default() };
    settings.limits.states = sizes.states.unwrap_or(settings.limits.states);
    settings.limits.transitions = sizes.transitions.unwrap_or(settings.limits.transitions);
    settings.limits.lazy = (!whole).then_some(Limits::LAZY);
    settings.limits.resources = allowed.resources(interrupted);
    settings
}

/// The word for a limit, as in the JSON document.
pub fn word(stop: Stop) -> &'static str {
    match stop {
        Stop::Timeout => "timeout",
        Stop::Memory => "memory",
        Stop::States => "states",
        Stop::Pairs => "pairs",
        Stop::Interrupted => "interrupted",
    }
}
