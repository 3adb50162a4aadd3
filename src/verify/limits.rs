//! When a search gives up, and how it tells how far it is.
//!
//! A [`Meter`] is asked often and answers cheaply: pairs and bytes are compared at every call, the clock and the
//! interrupt flag once in a while. Searches that run beside each other have a meter each and share the memory: a side search
//! may have a third of it.

use super::{Limits, Options, Progress};
use crate::clock::Instant;
use crate::resources::Stop;
use crate::resources::strike;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How many calls pass between two looks at the clock.
const CALLS_PER_LOOK: u32 = 16;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// How often the memory of the whole program is measured.
pub(crate) const MEASURE_EVERY: Duration = Duration::from_millis(20);

/// Growth of the whole program that proves nothing: stacks, files that are read, what allocators keep. Up to here what was counted
/// decides alone, so that the same limit ends the same search at the same place.
const UNCOUNTED: u64 = 44 << 20;

/// When the program has grown by so many hundredths of its limit, it is enough.
//
// WHY: a table is held twice while it grows, and what an earlier search has freed in small pieces is no use to it. With three
// quarters no family of `benches/limits` passes its limit by a tenth.
pub(crate) const ENOUGH: u64 = 75;

/// By how many bytes the whole program has grown, where that can be told.
#[derive(Clone, Copy, Default)]
pub(crate) struct Growth<'a>(pub(crate) Option<&'a (dyn Fn() -> u64 + Sync)>);

impl Growth<'_> {
    /// Whether it is more than so many hundredths of a limit.
    //
    // WHY not all of it: a table that grows is held twice for a moment.
    pub(crate) fn passes(self, hundredths: u64, most: u64) -> bool {
        self.0.is_some_and(|grown| grown() > (most / 100 * hundredths).max(UNCOUNTED))
    }
}

impl std::fmt::Debug for Growth<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Growth").field(&self.0.map(|grown| grown())).finish()
    }
}

/// Watches the limits of a search.
pub(crate) struct Meter<'a> {
    limits: Limits,
    started: Instant,
    told: Instant,
    calls: u32,
    progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    interrupted: Option<&'a AtomicBool>,
    growth: Growth<'a>,
    measured: Instant,
    /// What was counted at the last look.
    counted: u64,
    /// The limit that was passed, once one was.
    passed: Option<Stop>,
    place: Place,
    shared: Arc<Shared>,
}

/// Tells a long step of a search whether to give up in the middle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brake<'a> {
    until: Option<Instant>,
    interrupted: Option<&'a AtomicBool>,
    memory: u64,
}

impl Brake<'_> {
    /// Why to give up, if something holds this many bytes by now.
    pub(crate) fn stop(&self, bytes: u64) -> Option<Stop> {
        if let Some(stop) = strike::now() {
            Some(stop)
        } else if bytes > self.memory {
            Some(Stop::Memory)
        } else if self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Stop::Interrupted)
        } else if self.until.is_some_and(|until| Instant::now() >= until) {
            Some(Stop::Timeout)
        } else {
            None
        }
    }
}

/// Which of the searches that run beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Main,
    TwoWay,
    Behind,
}

/// What searches beside each other know of each other.
#[derive(Debug, Default)]
struct Shared {
    /// Bytes held, by place.
    held: [AtomicU64; 3],
    /// The most bytes that were held at once.
    peak: AtomicU64,
    /// Whether the main search has its answer, so that no other is needed.
    over: AtomicBool,
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
            growth: Growth(options.grown),
            measured: Instant::now(),
            counted: 0,
            passed: None,
            place: Place::Main,
            shared: Arc::default(),
        }
    }

    /// A meter for a search beside.
    pub(crate) fn beside(&self, place: Place) -> Meter<'a> {
        Meter { place, calls: 0, shared: self.shared.clone(), ..*self }
    }

    /// A brake for what may hold all that is left beside these bytes.
    pub(crate) fn brake(&self, beside: u64) -> Brake<'a> {
        Brake {
            until: self.limits.timeout.and_then(|most| self.started.checked_add(most)),
            interrupted: self.interrupted,
            memory: self.limits.memory.unwrap_or(u64::MAX).saturating_sub(beside),
        }
    }

    /// The search is given up, and its memory is free.
    pub(crate) fn leave(&self) {
        self.shared.held[self.place as usize].store(0, Ordering::Relaxed);
    }

    /// No other search is needed.
    pub(crate) fn end_others(&self) {
        self.shared.over.store(true, Ordering::Relaxed);
    }

    /// The most bytes that were held at once.
    pub(crate) fn peak(&self) -> u64 {
        self.shared.peak.load(Ordering::Relaxed)
    }

    /// Writes down what this search holds; what all hold.
    fn hold(&self, bytes: u64) -> u64 {
        self.shared.held[self.place as usize].store(bytes, Ordering::Relaxed);
        let all = self.shared.held.iter().map(|held| held.load(Ordering::Relaxed)).sum();
        self.shared.peak.fetch_max(all, Ordering::Relaxed);
        all
    }

    /// Whether this many bytes are more than a third of what may be held.
    pub(crate) fn is_too_much(&self, bytes: u64) -> bool {
        self.limits.memory.is_some_and(|most| bytes > most / 3)
    }

    /// Whether the search may go on.
    pub(crate) fn check(&mut self, now: &Progress) -> Result<(), Stop> {
        if let Some(passed) = self.passed {
            return Err(passed);
        }
        let all = self.hold(now.memory);
        let side = self.place != Place::Main;
        if self.limits.memory.is_some_and(|most| all > most || (side && now.memory > most / 3)) {
            return Err(Stop::Memory);
        }
        if self.limits.pairs.is_some_and(|most| now.pairs > most) {
            return Err(Stop::Pairs);
        }
        self.calls = self.calls.wrapping_add(1);
        let due = self.calls % CALLS_PER_LOOK == 1 || self.leaps(now) || strike::everywhere();
        if due { self.look(now) } else { Ok(()) }
    }

    /// Whether much was added since the last look: a step of the search may be large.
    fn leaps(&self, now: &Progress) -> bool {
        self.limits.memory.is_some_and(|most| now.memory.saturating_sub(self.counted) > most / 64)
    }

    /// Whether the program has grown by more than is allowed, whatever was counted. Searches beside give way first.
    fn outgrows(&mut self, now: bool) -> bool {
        let Some(most) = self.limits.memory else { return false };
        if !now && self.measured.elapsed() < MEASURE_EVERY {
            return false;
        }
        self.measured = Instant::now();
        self.growth.passes(if self.place == Place::Main { ENOUGH } else { ENOUGH - 10 }, most)
    }

    /// Looks at the clock and the flag, and tells progress.
    pub(crate) fn look(&mut self, now: &Progress) -> Result<(), Stop> {
        if let Some(stop) = strike::now() {
            return Err(stop);
        }
        let over = self.place != Place::Main && self.shared.over.load(Ordering::Relaxed);
        if over || self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(*self.passed.insert(Stop::Interrupted));
        }
        if self.limits.timeout.is_some_and(|most| self.started.elapsed() >= most) {
            return Err(*self.passed.insert(Stop::Timeout));
        }
        let leaps = self.leaps(now);
        self.counted = now.memory;
        if self.outgrows(leaps) {
            return Err(*self.passed.insert(Stop::Memory));
        }
        if let Some(tell) = self.progress
            && (self.told.elapsed() >= TELL_EVERY || strike::everywhere())
        {
            self.told = Instant::now();
            tell(now);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a search goes on that has counted nothing, in a program that has grown by `grown`.
    fn goes_on(most: u64, grown: u64) -> bool {
        let grown = || grown;
        let limits = Limits { memory: Some(most), ..Limits::default() };
        let options = Options { limits, grown: Some(&grown), ..Options::default() };
        let mut meter = Meter::new(&options, Instant::now());
        let leap = Progress { memory: most / 2, ..Progress::default() };
        meter.look(&leap).is_ok()
    }

    #[test]
    fn a_long_step_is_told_to_give_up_in_the_middle() {
        let flag = AtomicBool::new(false);
        let limits = Limits { memory: Some(100), timeout: Some(Duration::from_secs(3_600)), pairs: None };
        let options = Options { limits, interrupted: Some(&flag), ..Options::default() };
        let brake = Meter::new(&options, Instant::now()).brake(40);
        assert_eq!(brake.stop(60), None);
        assert_eq!(brake.stop(61), Some(Stop::Memory));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(brake.stop(0), Some(Stop::Interrupted));
        let over = Options { limits: Limits { timeout: Some(Duration::ZERO), ..limits }, ..Options::default() };
        assert_eq!(Meter::new(&over, Instant::now()).brake(0).stop(0), Some(Stop::Timeout));
    }

    #[test]
    fn what_the_program_grows_by_itself_ends_no_search() {
        assert!(goes_on(1 << 20, UNCOUNTED));
        assert!(!goes_on(1 << 20, UNCOUNTED + 1));
    }

    #[test]
    fn a_program_that_comes_near_its_limit_ends_the_search() {
        assert!(goes_on(1_000_000_000, ENOUGH * 10_000_000));
        assert!(!goes_on(1_000_000_000, ENOUGH * 10_000_000 + 1));
    }
}
