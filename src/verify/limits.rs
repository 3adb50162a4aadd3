//! When a search gives up, and how it tells how far it is.
//!
//! A [`Meter`] is asked often and answers cheaply: pairs and bytes are compared at every call, the clock and the
//! interrupt flag once in a while.

use super::{Limits, Options, Progress, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many calls pass between two looks at the clock.
const CALLS_PER_LOOK: u32 = 16;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Watches the limits of a search.
pub(crate) struct Meter<'a> {
    limits: Limits,
    started: Instant,
    told: Instant,
    calls: u32,
    progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    interrupted: Option<&'a AtomicBool>,
    /// The limit that was passed, once one was.
    passed: Option<Stop>,
    /// Bytes held by what rests while this search goes on.
    pub(crate) beside: u64,
    /// The most bytes that were held at once.
    pub(crate) peak: u64,
}

impl<'a> Meter<'a> {
    /// A meter for a search that counts its time from `started`.
    pub(crate) fn new(options: &Options<'a>, started: Instant) -> Meter<'a> {
        Meter {
            limits: options.limits,
            started,
            told: Instant::now(),
            calls: 0,
            progress: options.progress,
            interrupted: options.interrupted,
            passed: None,
            beside: 0,
            peak: 0,
        }
    }

    /// Whether the search may go on.
    pub(crate) fn check(&mut self, now: &Progress) -> Result<(), Stop> {
        if let Some(passed) = self.passed {
            return Err(passed);
        }
        let memory = now.memory + self.beside;
        self.peak = self.peak.max(memory);
        if self.limits.memory.is_some_and(|most| memory > most) {
            return Err(Stop::Memory);
        }
        if self.limits.pairs.is_some_and(|most| now.pairs > most) {
            return Err(Stop::Pairs);
        }
        self.calls = self.calls.wrapping_add(1);
        if self.calls % CALLS_PER_LOOK == 1 { self.look(now) } else { Ok(()) }
    }

    /// Looks at the clock and the flag, and tells progress.
    pub(crate) fn look(&mut self, now: &Progress) -> Result<(), Stop> {
        if self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(*self.passed.insert(Stop::Interrupted));
        }
        if self.limits.timeout.is_some_and(|most| self.started.elapsed() >= most) {
            return Err(*self.passed.insert(Stop::Timeout));
        }
        if let Some(tell) = self.progress
            && self.told.elapsed() >= TELL_EVERY
        {
            self.told = Instant::now();
            tell(now);
        }
        Ok(())
    }
}
