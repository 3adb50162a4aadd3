//! The sentences about values: estimates and projections that a check expects.

use super::{Words, count};
use crate::automaton::StateSet;
use crate::report::{CheckReport, SignName, States};
use std::borrow::Cow;

/// The most events of a string that are given.
const EVENTS: usize = 24;

impl Words {
    /// When an estimate is, and what is seen by then.
    pub(super) fn given(self, seen: &[SignName], at: usize) -> String {
        match (at, seen.len() - at) {
            (_, 0) => format!("after {}", self.signs(seen)),
            (0, _) => format!("at the start, given {}", self.signs(seen)),
            _ => format!("after {}, given {}", self.signs(&seen[..at]), self.signs(seen)),
        }
    }

    pub(super) fn estimate(
        self,
        check: &CheckReport<'_>,
        given: String,
        expected: States<'_>,
        actual: States<'_>,
    ) -> String {
        let actual_set = if actual.set.is_empty() { "empty: no run shows this".to_owned() } else { self.named(actual) };
        if expected.set == actual.set {
            return format!("the estimate {given} is {actual_set}");
        }
        let (missing, extra) = (difference(expected.set, actual.set), difference(actual.set, expected.set));
        let listed = |set: &StateSet| self.first(States { set, ..actual }.names(), set.len());
        let mut differences = Vec::new();
        if !missing.is_empty() {
            differences.push(format!("{} is not possible", listed(&missing)));
        }
        if !extra.is_empty() {
            differences.push(format!("{} is possible too", listed(&extra)));
        }
        let (who, expected) = (self.who(check), self.named(expected));
        format!("{given}, the estimate of {who} is {actual_set}, not {expected}: {}", differences.join("; "))
    }

    pub(super) fn projection(
        self,
        check: &CheckReport<'_>,
        string: &[Cow<'_, str>],
        expected: &[SignName],
        actual: &[SignName],
    ) -> String {
        let shows = format!("of {}, {} sees {}", self.string(string), self.who(check), self.signs(actual));
        if expected == actual {
            return shows;
        }
        let agree = expected.iter().zip(actual).take_while(|(left, right)| left == right).count();
        let at = match (expected.get(agree), actual.get(agree)) {
            (Some(said), Some(is)) => {
                format!("label {} is {}, not {}", agree + 1, is.text(self.ascii), said.text(self.ascii))
            }
            (Some(said), None) => format!("label {} ({}) is missing", agree + 1, said.text(self.ascii)),
            _ => format!("there are {}, not {}", count(actual.len() as u64, "label"), expected.len()),
        };
        format!("{shows}, not {}: {at}", self.signs(expected))
    }

    /// A string of events.
    pub(super) fn string(self, events: &[Cow<'_, str>]) -> String {
        match events {
            [] => "the empty string".to_owned(),
            _ => format!("`{}`", self.elided(events, EVENTS, |event| event.as_ref().to_owned()).join(" ")),
        }
    }
}

/// The states of one set that are not in another. Cost: one pass over both.
fn difference(left: &StateSet, right: &StateSet) -> StateSet {
    let mut others = right.iter().peekable();
    let is_new = |state: &crate::automaton::StateId| {
        while others.next_if(|other| other < state).is_some() {}
        others.peek() != Some(state)
    };
    left.iter().filter(is_new).collect()
}
