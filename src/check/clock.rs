//! What a system may take to build: the time since it was begun, and the bytes that are held for all systems.
//!
//! [`Budget`](super::budget::Budget) refuses a text that says too much, whoever reads it. A [`Clock`] leaves a system whose turn is
//! over, as a search is left that takes too long: nothing is wrong with the text.

use super::Limits;
use super::words;
use crate::automaton::product::Break;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Building, Lacking};
use crate::source::Span;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// How many units of work pass between two looks, and before the first: a small text is read however short the time is.
const UNITS_PER_LOOK: u64 = 1 << 12;

/// What may be held however small the limit is.
const LEAST: u64 = 1 << 20;

/// What a declared name takes beside its letters: where it ends, where it is written, its place in the table.
pub(super) const NAME: u64 = 32;

/// What a transition takes: as it was read, and as it is frozen.
pub(super) const TRANSITION: u64 = 40;

/// What is left of the time and the memory.
#[derive(Debug)]
pub(super) struct Clock {
    limits: Limits,
    /// What is being built.
    owner: String,
    started: Option<Instant>,
    until_look: u64,
    /// The bytes that are held for this system, and for those before it.
    kept: u64,
    before: u64,
    /// What was used up while the text was expanded: nothing more is done for it.
    passed: Option<Lacking>,
    /// What was used up while the product was built: what is asked about it is still read.
    uncomposed: Option<Lacking>,
}

impl Clock {
    /// A clock for the limits.
    pub fn new(limits: Limits) -> Clock {
        Clock {
            limits,
            owner: String::new(),
            started: None,
            until_look: 0,
            kept: 0,
            before: 0,
            passed: None,
            uncomposed: None,
        }
    }

    /// Begins with a system.
    pub fn start(&mut self, owner: String) {
        self.before += std::mem::take(&mut self.kept);
        self.started = self.limits.time.map(|_| Instant::now());
        (self.owner, self.until_look, self.passed, self.uncomposed) = (owner, UNITS_PER_LOOK, None, None);
    }

    /// Gives the memory of a system back.
    pub fn forget(&mut self) {
        self.kept = 0;
    }

    /// What the system has taken so far.
    pub fn taken(&self) -> Building {
        Building { time: self.started.map(|started| started.elapsed()).unwrap_or_default(), bytes: self.kept }
    }

    /// What was used up, if the system was left.
    pub fn passed(&self) -> Option<Lacking> {
        self.passed.or(self.uncomposed)
    }

    /// When the time is over.
    pub fn until(&self) -> Option<Instant> {
        self.started?.checked_add(self.limits.time?)
    }

    /// How many bytes may still be held.
    pub fn room(&self) -> u64 {
        self.limits.memory.unwrap_or(u64::MAX).max(LEAST).saturating_sub(self.before.saturating_add(self.kept))
    }

    /// Counts work and bytes; what to say when that is too much, once.
    pub fn spend(&mut self, units: u64, bytes: u64, at: Span) -> Result<(), Option<Box<Diagnostic>>> {
        if self.passed.is_some() {
            return Err(None);
        }
        self.kept = self.kept.saturating_add(bytes);
        if bytes > 0 && self.limits.memory.is_some() && self.room() == 0 {
            return Err(Some(self.stop(Lacking::Memory, at)));
        }
        if let Some(left) = self.until_look.checked_sub(units) {
            self.until_look = left;
            return Ok(());
        }
        self.until_look = UNITS_PER_LOOK;
        self.look().map_or(Ok(()), |lacking| Err(Some(self.stop(lacking, at))))
    }

    /// What is used up now, but for memory.
    fn look(&self) -> Option<Lacking> {
        if self.limits.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Lacking::Patience);
        }
        self.until().filter(|until| Instant::now() >= *until).map(|_| Lacking::Time)
    }

    fn stop(&mut self, lacking: Lacking, at: Span) -> Box<Diagnostic> {
        self.passed = Some(lacking);
        let message = format!("{} was not expanded {}", self.owner, lacking.limit());
        Box::new(Diagnostic::new(Code::W0902, at, message).label("it had come to here"))
    }

    /// The product of so many parts was broken off at so many states.
    pub fn composing(&mut self, why: Break, states: usize, parts: usize, at: Span) -> Diagnostic {
        let lacking = match why {
            Break::Time => Lacking::Time,
            Break::Memory => Lacking::Memory,
            Break::Interrupted => Lacking::Patience,
        };
        (self.uncomposed, self.started) = (Some(lacking), None);
        let (states, limit) = (words::count(states as u64, "state"), lacking.limit());
        let message = format!("{} was not composed {limit}: {states} so far", self.owner);
        let label = format!("the product of {}", words::count(parts as u64, "part"));
        Diagnostic::new(Code::W0902, at, message).label(label)
    }
}

/// What could help, in a file with a constant of this name.
pub(super) fn help(lacking: Lacking, constant: Option<&str>) -> String {
    let more = match lacking {
        Lacking::Time => "allow more time: `--timeout 10m`",
        Lacking::Memory => "allow more memory: `--memory 4GiB`",
        Lacking::Patience => "run it again and let it finish",
    };
    match constant {
        Some(name) => format!("{more}, or make the model smaller: `-D {name}=2`"),
        None => format!("{more}, or make the model smaller"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, Sources};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn nowhere() -> Span {
        Span::new(Sources::new().add(SourceFile::new("", "")), 0, 0)
    }

    fn clock(time: Option<Duration>, memory: Option<u64>) -> Clock {
        let mut clock = Clock::new(Limits { time, memory, ..Limits::default() });
        clock.start("system `Hall`".to_owned());
        clock
    }

    #[test]
    fn time_that_is_over_is_told_once_and_the_next_system_has_its_own() {
        let mut clock = clock(Some(Duration::ZERO), None);
        assert_eq!(clock.spend(UNITS_PER_LOOK, 0, nowhere()), Ok(()));
        let told = clock.spend(1, 0, nowhere()).unwrap_err().expect("a diagnostic");
        assert_eq!(told.message, "system `Hall` was not expanded within the time limit");
        assert_eq!(clock.spend(1, 0, nowhere()), Err(None));
        assert_eq!(clock.passed(), Some(Lacking::Time));
        clock.start("system `Next`".to_owned());
        assert_eq!(clock.passed(), None);
    }

    #[test]
    fn memory_is_that_of_all_systems_that_were_built() {
        let mut clock = clock(None, Some(1));
        assert_eq!(clock.spend(1, LEAST - 40, nowhere()), Ok(()));
        clock.start("system `Next`".to_owned());
        assert_eq!((clock.room(), clock.taken().bytes), (40, 0));
        assert!(clock.spend(1, 40, nowhere()).is_err());
        clock.forget();
        clock.start("system `Small`".to_owned());
        assert_eq!(clock.spend(1, 39, nowhere()), Ok(()));
    }

    #[test]
    fn an_interruption_is_told_of_whatever_is_being_built() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let mut clock = Clock::new(Limits { interrupted: Some(&FLAG), ..Limits::default() });
        clock.start("system `Hall`".to_owned());
        assert_eq!(clock.spend(UNITS_PER_LOOK + 1, 0, nowhere()), Ok(()));
        FLAG.store(true, Ordering::Relaxed);
        let told = clock.spend(UNITS_PER_LOOK + 1, 0, nowhere()).unwrap_err().expect("a diagnostic");
        assert_eq!(told.message, "system `Hall` was not expanded before it was interrupted");
        assert_eq!(clock.passed(), Some(Lacking::Patience));
    }

    #[test]
    fn without_limits_nothing_is_ever_over() {
        let mut clock = clock(None, None);
        assert_eq!(clock.spend(u64::MAX, u64::MAX, nowhere()), Ok(()));
    }
}
