//! The resources for elaborating a file: the time of the whole run, and the bytes of its systems.
//!
//! [`Budget`](crate::check::budget::Budget) rejects a text that is too large, deterministically. A [`Deadline`] abandons a system when
//! the time or memory limit is reached, as a search does: the text has no error.

use crate::check::Limits;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::resources::{Monitor, Resources, Stop};
use crate::source::Span;

/// The bytes that are always allowed.
const LEAST: u64 = 1 << 20;

/// The bytes of a declared name besides its letters: its end, its span, its table entry.
pub(in crate::check) const NAME: u64 = 32;

/// The bytes of a transition: before and after freezing.
pub(in crate::check) const TRANSITION: u64 = 40;

/// What an item of a file takes beside its name: a constant, a component, a system.
pub(in crate::check) const ITEM: u64 = 192;

/// What a part of a composition takes beside its name and its events.
pub(in crate::check) const PART: u64 = 160;

/// What a body takes that is read for itself: its tables, its automaton, what it says.
pub(in crate::check) const BODY: u64 = 1536;

/// What a composition takes beside its parts.
pub(in crate::check) const COMPOSITION: u64 = 448;

/// What a statement about what is seen or secret takes beside its events or states.
pub(in crate::check) const STATEMENT: u64 = 160;

/// What a check or a measure takes beside its text: in the model, among the verdicts, in the report.
pub(in crate::check) const CHECK: u64 = 768;

#[derive(Debug)]
pub(in crate::check) struct Deadline {
    /// What the whole run may use.
    whole: Resources<'static>,
    monitor: Monitor<'static>,
    /// The system in progress, for messages.
    owner: String,
    /// The bytes of the previous systems.
    before: u64,
    /// Why the expansion stopped; nothing more is done for the system.
    unexpanded: Option<Stop>,
    /// Why the product was not built; the checks are still elaborated.
    uncomposed: Option<Stop>,
}

impl Deadline {
    pub fn new(limits: Limits) -> Deadline {
        let memory = limits.resources.memory.map(|most| most.max(LEAST));
        let whole = Resources { memory, ..limits.resources };
        let owner = "the file".to_owned();
        Deadline { whole, monitor: whole.monitor(), owner, before: 0, unexpanded: None, uncomposed: None }
    }

    /// Counts what reading a file takes.
    pub fn read(&mut self, units: u64, bytes: u64) -> Result<(), Stop> {
        self.monitor.hold(bytes)?;
        self.monitor.spend(units)
    }

    /// Begins with a system, which has an equal share of the time that is left, one of `shares`; what it does not use is left for
    /// the others. What an earlier one has used up of the time is gone; what it gave back of the memory is not.
    pub fn start(&mut self, owner: String, shares: usize) {
        self.before = self.monitor.held();
        let share = self.whole.time_left().map(|left| left / shares.max(1) as u32);
        let resources = share.map_or(self.whole, |share| self.whole.within(share));
        self.monitor = resources.monitor_holding(self.before);
        (self.owner, self.unexpanded, self.uncomposed) = (owner, None, None);
    }

    /// Releases the memory of a system.
    pub fn forget(&mut self) {
        self.monitor.release(self.held());
    }

    pub fn held(&self) -> u64 {
        self.monitor.held() - self.before
    }

    pub fn stopped(&self) -> Option<Stop> {
        self.unexpanded.or(self.uncomposed)
    }

    pub fn left(&self) -> Resources<'static> {
        self.monitor.resources().less(self.monitor.held())
    }

    /// Charges work and bytes; a diagnostic if a limit is reached, once.
    pub fn spend(&mut self, units: u64, bytes: u64, at: Span) -> Result<(), Option<Box<Diagnostic>>> {
        if self.unexpanded.is_some() {
            return Err(None);
        }
        let spent = self.monitor.hold(bytes).and_then(|()| self.monitor.spend(units));
        spent.map_err(|stop| Some(self.leave(stop, at)))
    }

    fn leave(&mut self, stop: Stop, at: Span) -> Box<Diagnostic> {
        self.unexpanded = Some(stop);
        let message = format!("{} was not expanded {}", self.owner, stop.limit());
        Box::new(Diagnostic::new(Code::W0902, at, message).label("expanded up to here"))
    }

    pub fn composing(&mut self, stop: Stop, states: usize, parts: usize, at: Span) -> Diagnostic {
        self.uncomposed = Some(stop);
        let (states, limit) = (wording::count(states as u64, "state"), stop.limit());
        let message = format!("{} was not composed {limit}: {states} so far", self.owner);
        let label = format!("the product of {}", wording::count(parts as u64, "part"));
        Diagnostic::new(Code::W0902, at, message).label(label)
    }
}

/// The help text; `constant` is a constant of the file.
pub(in crate::check) fn help(stop: Stop, constant: Option<&str>) -> String {
    let more = stop.remedy();
    match constant {
        Some(name) => format!("{more}, or make the model smaller: `-D {name}=2`"),
        None => format!("{more}, or make the model smaller"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, Sources};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    const MUCH: u64 = 1 << 13;

    fn nowhere() -> Span {
        Span::new(Sources::new().add(SourceFile::new("", "")), 0, 0)
    }

    fn deadline(resources: Resources<'static>) -> Deadline {
        let mut deadline = Deadline::new(Limits { resources, ..Limits::default() });
        deadline.start("system `Hall`".to_owned(), 1);
        deadline
    }

    #[test]
    fn time_that_is_over_is_reported_once_for_each_system() {
        let mut deadline = deadline(Resources::default().within(Duration::ZERO));
        for owner in ["Hall", "Next"] {
            deadline.start(format!("system `{owner}`"), 1);
            assert_eq!(deadline.spend(1, 0, nowhere()), Ok(()), "what is small is read however short the time is");
            let told = deadline.spend(MUCH, 0, nowhere()).unwrap_err().expect("a diagnostic");
            assert_eq!(told.message, format!("system `{owner}` was not expanded within the time limit"));
            assert_eq!(deadline.spend(1, 0, nowhere()), Err(None));
            assert_eq!(deadline.stopped(), Some(Stop::Timeout));
        }
    }

    #[test]
    fn memory_is_that_of_all_systems_that_were_built() {
        let mut deadline = deadline(Resources { memory: Some(1), ..Resources::default() });
        assert_eq!(deadline.spend(1, LEAST - 40, nowhere()), Ok(()));
        deadline.start("system `Next`".to_owned(), 1);
        assert_eq!((deadline.left().memory, deadline.held()), (Some(40), 0));
        assert!(deadline.spend(1, 41, nowhere()).is_err());
        deadline.forget();
        deadline.start("system `Small`".to_owned(), 1);
        assert_eq!(deadline.spend(1, 40, nowhere()), Ok(()));
    }

    #[test]
    fn an_interruption_is_reported_whatever_is_being_built() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let mut deadline = deadline(Resources { interrupted: Some(&FLAG), ..Resources::default() });
        assert_eq!(deadline.spend(MUCH, 0, nowhere()), Ok(()));
        FLAG.store(true, Ordering::Relaxed);
        let told = deadline.spend(MUCH, 0, nowhere()).unwrap_err().expect("a diagnostic");
        assert_eq!(told.message, "system `Hall` was not expanded before it was interrupted");
        assert_eq!(deadline.stopped(), Some(Stop::Interrupted));
    }

    #[test]
    fn without_limits_nothing_is_ever_over() {
        let mut deadline = deadline(Resources::default());
        assert_eq!(deadline.spend(u64::MAX, u64::MAX, nowhere()), Ok(()));
    }
}
