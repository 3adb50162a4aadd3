//! What a run may use: one deadline, one memory account and one interrupt flag, from the first byte that is read to the last
//! byte that is written.
//!
//! A caller makes one [`Resources`] and passes it down. Every loop that can be long has a [`Monitor`] of it, counts its work
//! there and ends with a [`Stop`] when something is used up. Counting is cheap: the clock, the flag and the size of the
//! process are looked at once in a few thousand units of work.
//!
//! Bytes are counted where they are known ([`Monitor::hold`]), so that the same limit ends the same work at the same place.
//! Beside that the growth of the whole process is measured, where the caller can tell it: it covers what nobody counts.
//!
//! A [`WorkCounter`] makes all of it measurable: it adds up every unit and keeps the largest number of bytes, and it can end the
//! work at any unit, the same one in every run.

pub mod json;
pub(crate) mod strike;
mod text;

pub use text::CountedText;

use crate::clock::Instant;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Why work ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The limit on stored pairs was reached.
    Pairs,
    /// The limit on the states or transitions of a product was reached.
    States,
    /// It was interrupted from outside.
    Interrupted,
}

impl Stop {
    /// How far the work got, to follow a phrase such as "was not composed".
    pub fn limit(self) -> &'static str {
        match self {
            Stop::Timeout => "within the time limit",
            Stop::Memory => "within the memory limit",
            Stop::Pairs => "within the limit on pairs",
            Stop::States => "within the limit on states",
            Stop::Interrupted => "before it was interrupted",
        }
    }

    /// What could help.
    pub fn remedy(self) -> &'static str {
        match self {
            Stop::Timeout => "allow more time: `--timeout 10m`",
            Stop::Memory => "allow more memory: `--memory 4GiB`",
            Stop::Pairs => "allow more pairs: `--max-pairs N`",
            Stop::States => "allow more states: `--max-states N`",
            Stop::Interrupted => "run it again and let it finish",
        }
    }
}

/// Measures by how many bytes the resident set of the process has grown since the run began.
pub type RssProbe<'a> = dyn Fn() -> u64 + Sync + 'a;

/// What a run may use. The default has no limits.
#[derive(Clone, Copy, Default)]
pub struct Resources<'a> {
    /// When the time is over.
    pub deadline: Option<Instant>,
    /// The most bytes by which the process may grow.
    pub memory: Option<u64>,
    /// Set from outside to end the work.
    pub interrupted: Option<&'a AtomicBool>,
    /// Measures the growth of the process.
    pub growth: Option<&'a RssProbe<'a>>,
    /// How many runs share the process at the same time; 0 counts as 1. Each has its own `memory`, and all of them grow together.
    pub together: u32,
    /// Counts the work that is done.
    pub work: Option<&'a WorkCounter>,
}

/// Adds up the work of a run, and may end it: a deadline that strikes at the same unit in every run.
#[derive(Debug, Default)]
pub struct WorkCounter {
    units: AtomicU64,
    bytes: AtomicU64,
    most: Option<u64>,
}

impl WorkCounter {
    /// A counter that ends the work after this many units.
    pub fn ending_after(units: u64) -> WorkCounter {
        WorkCounter { most: Some(units), ..WorkCounter::default() }
    }

    /// The units of work that were done.
    pub fn units(&self) -> u64 {
        self.units.load(Ordering::Relaxed)
    }

    /// The most bytes that one monitor held.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn spend(&self, units: u64) -> Result<(), Stop> {
        let before = self.units.fetch_add(units, Ordering::Relaxed);
        match self.most {
            Some(most) if before.saturating_add(units) > most => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Debug for Resources<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Resources { deadline, memory, interrupted, growth, together, work } = self;
        let mut shown = formatter.debug_struct("Resources");
        shown.field("deadline", deadline).field("memory", memory).field("interrupted", interrupted);
        shown.field("growth", &growth.map(|grown| grown())).field("together", together).field("work", work).finish()
    }
}

/// Growth that proves nothing: stacks, files that are read, what allocators keep. Up to here counted bytes decide alone, so that the
/// same limit ends the same work at the same place.
pub(crate) const UNCOUNTED: u64 = 44 << 20;

/// How long it may take to say what was found when the time is over.
const TIME_TO_TELL: Duration = Duration::from_millis(250);

/// How many bytes that may take, however little memory there is.
const MEMORY_TO_TELL: u64 = 8 << 20;

/// When the process has grown by this percentage of its limit, work ends.
//
// WHY not 100: a table is held twice while it grows, and the report needs memory, too. With 75 no family of `benches/limits`
// passes its limit by a tenth.
pub(crate) const ENOUGH: u64 = 75;

impl<'a> Resources<'a> {
    /// The time that is left; none: there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The same, with an earlier deadline if `time` ends before it.
    pub fn within(self, time: Duration) -> Resources<'a> {
        let end = Instant::now().checked_add(time);
        Resources { deadline: self.deadline.into_iter().chain(end).min(), ..self }
    }

    /// The same with `bytes` less memory: what the caller keeps.
    pub fn less(self, bytes: u64) -> Resources<'a> {
        Resources { memory: self.memory.map(|most| most.saturating_sub(bytes)), ..self }
    }

    /// What is left for saying what was found, when the work has ended or was ended: a short while at least, and some memory.
    pub fn to_tell(self) -> Resources<'a> {
        let now = Instant::now();
        let is_over = self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed));
        let from = if is_over { Some(now) } else { self.deadline.map(|deadline| deadline.max(now)) };
        Resources {
            deadline: from.and_then(|from| from.checked_add(TIME_TO_TELL)),
            memory: self.memory.map(|most| most.max(MEMORY_TO_TELL)),
            interrupted: self.interrupted.filter(|_| !is_over),
            growth: None,
            ..self
        }
    }

    /// What is used up now, memory included.
    pub fn stop(&self) -> Option<Stop> {
        self.late().or_else(|| self.outgrows(ENOUGH).then_some(Stop::Memory))
    }

    /// Whether it was interrupted or the time is over.
    pub(crate) fn late(&self) -> Option<Stop> {
        if self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupted);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Stop::Timeout)
    }

    /// Whether the process has grown by more than this percentage of its limit.
    pub(crate) fn outgrows(&self, percent: u64) -> bool {
        let all = |most: u64| most.saturating_mul(u64::from(self.together.max(1)));
        self.memory.zip(self.growth).is_some_and(|(most, grown)| grown() > (all(most) / 100 * percent).max(UNCOUNTED))
    }

    /// A monitor for one loop, or for loops that follow each other.
    pub fn monitor(self) -> Monitor<'a> {
        self.monitor_holding(0)
    }

    /// A monitor for work that begins with this many bytes held.
    pub fn monitor_holding(self, held: u64) -> Monitor<'a> {
        Monitor { resources: self, until_look: UNITS_PER_LOOK, measured: None, held, stopped: None }
    }

    /// A monitor for work that several threads do.
    pub fn shared_monitor(self, held: u64) -> SharedMonitor<'a> {
        SharedMonitor(Mutex::new(self.monitor_holding(held)))
    }
}

/// How many units of work pass between two looks, and before the first: small work is finished however short the time is.
const UNITS_PER_LOOK: u64 = 1 << 12;

/// How often the size of the process is measured.
pub(crate) const MEASURE_EVERY: Duration = Duration::from_millis(20);

/// Watches [`Resources`] for one piece of work. A unit is about what a hash look-up takes.
#[derive(Clone, Debug)]
pub struct Monitor<'a> {
    resources: Resources<'a>,
    until_look: u64,
    measured: Option<Instant>,
    held: u64,
    stopped: Option<Stop>,
}

impl<'a> Monitor<'a> {
    /// What it watches.
    pub fn resources(&self) -> Resources<'a> {
        self.resources
    }

    /// The bytes that are counted as held.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Why it ended, once it has.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Counts work. Once it has failed it fails always.
    pub fn spend(&mut self, units: u64) -> Result<(), Stop> {
        if let Some(stop) = self.stopped {
            return Err(stop);
        }
        if let Some(work) = self.resources.work
            && let Err(stop) = work.spend(units)
        {
            return self.end(stop);
        }
        match self.until_look.checked_sub(units) {
            Some(left) if !strike::everywhere() => {
                self.until_look = left;
                Ok(())
            }
            _ => self.look(),
        }
    }

    /// Counts bytes that are kept from now on.
    pub fn hold(&mut self, bytes: u64) -> Result<(), Stop> {
        self.held = self.held.saturating_add(bytes);
        if let Some(work) = self.resources.work {
            work.bytes.fetch_max(self.held, Ordering::Relaxed);
        }
        match self.resources.memory {
            Some(most) if self.held > most => self.end(Stop::Memory),
            _ => self.stopped.map_or(Ok(()), Err),
        }
    }

    /// Counts bytes that are given back.
    pub fn release(&mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// Gives back all that is held beyond this.
    pub fn release_to(&mut self, held: u64) {
        self.held = self.held.min(held);
    }

    /// How many more bytes may be held.
    pub fn memory_left(&self) -> u64 {
        self.resources.memory.map_or(u64::MAX, |most| most.saturating_sub(self.held))
    }

    /// Looks at the flag and the clock, and at the size of the process if that was not done just before.
    pub fn look(&mut self) -> Result<(), Stop> {
        self.until_look = UNITS_PER_LOOK;
        if let Some(stop) = self.stopped.or_else(|| self.resources.late()).or_else(strike::now) {
            return self.end(stop);
        }
        if self.resources.growth.is_some() && self.measured.is_none_or(|last| last.elapsed() >= MEASURE_EVERY) {
            self.measured = Some(Instant::now());
            if self.resources.outgrows(ENOUGH) {
                return self.end(Stop::Memory);
            }
        }
        Ok(())
    }

    fn end(&mut self, stop: Stop) -> Result<(), Stop> {
        Err(*self.stopped.get_or_insert(stop))
    }
}

/// A [`Monitor`] for several threads. It is asked once for each piece of work, not once for each unit.
#[derive(Debug)]
pub struct SharedMonitor<'a>(Mutex<Monitor<'a>>);

impl<'a> SharedMonitor<'a> {
    /// Counts work, and bytes that are kept from now on.
    pub fn spend(&self, units: u64, bytes: u64) -> Result<(), Stop> {
        let mut monitor = self.monitor();
        monitor.hold(bytes)?;
        monitor.spend(units)
    }

    /// Whether this many bytes more may be held for a moment.
    pub fn can_hold(&self, bytes: u64) -> Result<(), Stop> {
        let mut monitor = self.monitor();
        let held = monitor.hold(bytes);
        monitor.release(bytes);
        held
    }

    /// The bytes that are counted as held.
    pub fn held(&self) -> u64 {
        self.monitor().held()
    }

    /// Why it ended, once it has.
    pub fn stopped(&self) -> Option<Stop> {
        self.monitor().stopped()
    }

    fn monitor(&self) -> MutexGuard<'_, Monitor<'a>> {
        // WHY: a panic elsewhere does not make the count wrong.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_work_is_finished_and_long_work_ends_with_the_time() {
        let mut monitor = Resources::default().within(Duration::ZERO).monitor();
        assert_eq!(monitor.spend(UNITS_PER_LOOK), Ok(()));
        assert_eq!(monitor.spend(1), Err(Stop::Timeout));
        assert_eq!(monitor.hold(0), Err(Stop::Timeout), "what has ended stays so");
    }

    #[test]
    fn bytes_are_counted_until_they_are_given_back() {
        let mut monitor = Resources { memory: Some(100), ..Resources::default() }.less(20).monitor();
        assert_eq!(monitor.hold(80), Ok(()));
        assert_eq!(monitor.memory_left(), 0);
        monitor.release(30);
        assert_eq!(monitor.hold(31), Err(Stop::Memory));
        assert_eq!(monitor.stopped(), Some(Stop::Memory));
    }

    #[test]
    fn growth_that_nobody_counts_ends_the_work() {
        let most = 1_000_000_000;
        let ends = |grown: u64| {
            let probe = move || grown;
            Resources { memory: Some(most), growth: Some(&probe), ..Resources::default() }.monitor().look().is_err()
        };
        assert!(!ends(most / 100 * ENOUGH));
        assert!(ends(most / 100 * ENOUGH + 1));
    }

    #[test]
    fn what_a_process_grows_by_itself_ends_nothing() {
        let ends = |grown: u64| {
            let probe = move || grown;
            Resources { memory: Some(1 << 20), growth: Some(&probe), ..Resources::default() }.stop().is_some()
        };
        assert!(!ends(UNCOUNTED));
        assert!(ends(UNCOUNTED + 1));
    }

    #[test]
    fn runs_that_share_the_process_grow_together() {
        let ends = |together: u32| {
            let probe = || 200_000_000;
            let memory = Some(100_000_000);
            Resources { memory, growth: Some(&probe), together, ..Resources::default() }.stop().is_some()
        };
        assert!(ends(1) && ends(2) && !ends(3));
    }

    #[test]
    fn counted_work_ends_at_its_unit_and_is_added_up() {
        let counter = WorkCounter::ending_after(10);
        let resources = Resources { work: Some(&counter), ..Resources::default() };
        let (mut one, other) = (resources.monitor(), resources.shared_monitor(5));
        assert_eq!((one.spend(6), other.spend(4, 3)), (Ok(()), Ok(())));
        assert_eq!(one.spend(1), Err(Stop::Timeout));
        assert_eq!((counter.units(), counter.bytes()), (11, 8));
        assert_eq!((one.stopped(), other.stopped()), (Some(Stop::Timeout), None));
    }

    #[test]
    fn bytes_for_a_moment_are_given_back() {
        let monitor = Resources { memory: Some(100), ..Resources::default() }.shared_monitor(40);
        assert_eq!((monitor.can_hold(60), monitor.held()), (Ok(()), 40));
        assert_eq!(monitor.can_hold(61), Err(Stop::Memory));
        assert_eq!(monitor.stopped(), Some(Stop::Memory), "the work cannot go on");
    }

    #[test]
    fn there_is_a_while_to_tell_what_was_found_and_an_interrupt_ends_it() {
        let flag = AtomicBool::new(true);
        let over =
            Resources { memory: Some(0), interrupted: Some(&flag), ..Resources::default() }.within(Duration::ZERO);
        let telling = over.to_tell();
        assert!(telling.time_left().is_some_and(|left| left <= TIME_TO_TELL) && telling.memory == Some(MEMORY_TO_TELL));
        assert_eq!(telling.interrupted.map(|flag| flag.load(Ordering::Relaxed)), None, "it was heard already");
        flag.store(false, Ordering::Relaxed);
        let telling = Resources { interrupted: Some(&flag), ..Resources::default() }.to_tell();
        assert_eq!(telling.time_left(), None, "without a limit there is none");
        flag.store(true, Ordering::Relaxed);
        assert_eq!(telling.stop(), Some(Stop::Interrupted));
    }

    #[test]
    fn an_interrupt_comes_before_the_time() {
        let flag = AtomicBool::new(true);
        let resources = Resources { interrupted: Some(&flag), ..Resources::default() }.within(Duration::ZERO);
        assert_eq!(resources.stop(), Some(Stop::Interrupted));
    }
}
