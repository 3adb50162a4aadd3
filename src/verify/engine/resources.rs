//! The limits of a search: when it gives up, and how it reports its progress.
//!
//! A [`ResourceMonitor`] watches the [`Resources`] of a run for one search, and the limit on its pairs. It is asked often and answers
//! cheaply: pairs and bytes are compared at every call, the clock and the interrupt flag once in a while. The members of a portfolio
//! have a monitor each and share the memory: a member beside the main search may have a third of it.

use crate::clock::Instant;
use crate::resources::{ENOUGH, MEASURE_EVERY, Resources, Stop, strike};
use crate::verify::{Options, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How many calls pass between two looks at the clock.
const CALLS_PER_LOOK: u32 = 16;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Watches the limits of a search.
pub(crate) struct ResourceMonitor<'a> {
    resources: Resources<'a>,
    /// The most pairs that may be stored.
    pairs: Option<u64>,
    told: Instant,
    calls: u32,
    progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    measured: Instant,
    /// What was counted at the last look.
    counted: u64,
    /// The limit that was passed, once one was.
    passed: Option<Stop>,
    member: MemberId,
    shared: Arc<Shared>,
}

/// Tells a long step of a search whether to give up in the middle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CancelToken<'a>(Resources<'a>);

impl CancelToken<'_> {
    /// Why to give up, if something holds this many bytes by now.
    pub(crate) fn stop(&self, bytes: u64) -> Option<Stop> {
        if let Some(stop) = strike::now() {
            Some(stop)
        } else if self.0.memory.is_some_and(|most| bytes > most) {
            Some(Stop::Memory)
        } else {
            self.0.late()
        }
    }
}

/// Which member of the portfolio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberId {
    Main,
    TwoWay,
    Backward,
    Lookout,
}

/// What the members of a portfolio know of each other.
#[derive(Debug, Default)]
struct Shared {
    /// Bytes held, by member.
    held: [AtomicU64; 4],
    /// The most bytes that were held at once.
    peak: AtomicU64,
    /// Whether the main search has its answer, so that no other is needed.
    over: AtomicBool,
}

impl<'a> ResourceMonitor<'a> {
    /// A monitor for a search that counts its time from `started`.
    pub(crate) fn new(options: &Options<'a>, started: Instant) -> ResourceMonitor<'a> {
        ResourceMonitor {
            resources: options.resources(started),
            pairs: options.limits.pairs,
            told: Instant::now(),
            calls: 0,
            progress: options.progress,
            measured: Instant::now(),
            counted: 0,
            passed: None,
            member: MemberId::Main,
            shared: Arc::default(),
        }
    }

    /// A monitor for a member beside the main search.
    pub(crate) fn beside(&self, member: MemberId) -> ResourceMonitor<'a> {
        ResourceMonitor { member, calls: 0, shared: self.shared.clone(), ..*self }
    }

    /// The same, telling no progress.
    pub(crate) fn quiet(self) -> ResourceMonitor<'a> {
        ResourceMonitor { progress: None, ..self }
    }

    /// A token for a step that may hold all that is left beside these bytes.
    pub(crate) fn cancel_token(&self, beside: u64) -> CancelToken<'a> {
        CancelToken(self.resources.less(beside))
    }

    /// The search is given up, and its memory is free.
    pub(crate) fn leave(&self) {
        self.shared.held[self.member as usize].store(0, Ordering::Relaxed);
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
        self.shared.held[self.member as usize].store(bytes, Ordering::Relaxed);
        let all = self.shared.held.iter().map(|held| held.load(Ordering::Relaxed)).sum();
        self.shared.peak.fetch_max(all, Ordering::Relaxed);
        all
    }

    /// Whether this many bytes are more than a third of what may be held.
    pub(crate) fn is_too_much(&self, bytes: u64) -> bool {
        self.resources.memory.is_some_and(|most| bytes > most / 3)
    }

    /// Whether the search may go on.
    pub(crate) fn check(&mut self, now: &Progress) -> Result<(), Stop> {
        if let Some(passed) = self.passed {
            return Err(passed);
        }
        let all = self.hold(now.memory);
        let side = self.member != MemberId::Main;
        if self.resources.memory.is_some_and(|most| all > most || (side && now.memory > most / 3)) {
            return Err(Stop::Memory);
        }
        if self.pairs.is_some_and(|most| now.pairs > most) {
            return Err(Stop::Pairs);
        }
        self.calls = self.calls.wrapping_add(1);
        let due = self.calls % CALLS_PER_LOOK == 1 || self.leaps(now) || strike::everywhere();
        if due { self.look(now) } else { Ok(()) }
    }

    /// Whether much was added since the last look: a step of the search may be large.
    fn leaps(&self, now: &Progress) -> bool {
        self.resources.memory.is_some_and(|most| now.memory.saturating_sub(self.counted) > most / 64)
    }

    /// Whether the program has grown by more than is allowed, whatever was counted. Members beside the main search give way first.
    fn outgrows(&mut self, now: bool) -> bool {
        if self.resources.growth.is_none() || (!now && self.measured.elapsed() < MEASURE_EVERY) {
            return false;
        }
        self.measured = Instant::now();
        self.resources.outgrows(if self.member == MemberId::Main { ENOUGH } else { ENOUGH - 10 })
    }

    /// Looks at the clock and the flag, and tells progress.
    pub(crate) fn look(&mut self, now: &Progress) -> Result<(), Stop> {
        if let Some(stop) = strike::now() {
            return Err(stop);
        }
        let over = self.member != MemberId::Main && self.shared.over.load(Ordering::Relaxed);
        if let Some(stop) = if over { Some(Stop::Interrupted) } else { self.resources.late() } {
            return Err(*self.passed.insert(stop));
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
    use crate::resources::UNCOUNTED;
    use crate::verify::Limits;

    /// Whether a search goes on that has counted nothing, in a program that has grown by `grown`.
    fn goes_on(most: u64, grown: u64) -> bool {
        let grown = || grown;
        let limits = Limits { memory: Some(most), ..Limits::default() };
        let options = Options { limits, grown: Some(&grown), ..Options::default() };
        let mut monitor = ResourceMonitor::new(&options, Instant::now());
        let leap = Progress { memory: most / 2, ..Progress::default() };
        monitor.look(&leap).is_ok()
    }

    #[test]
    fn a_long_step_is_told_to_give_up_in_the_middle() {
        let flag = AtomicBool::new(false);
        let limits = Limits { memory: Some(100), timeout: Some(Duration::from_secs(3_600)), pairs: None };
        let options = Options { limits, interrupted: Some(&flag), ..Options::default() };
        let token = ResourceMonitor::new(&options, Instant::now()).cancel_token(40);
        assert_eq!(token.stop(60), None);
        assert_eq!(token.stop(61), Some(Stop::Memory));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(token.stop(0), Some(Stop::Interrupted));
        let over = Options { limits: Limits { timeout: Some(Duration::ZERO), ..limits }, ..Options::default() };
        assert_eq!(ResourceMonitor::new(&over, Instant::now()).cancel_token(0).stop(0), Some(Stop::Timeout));
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
