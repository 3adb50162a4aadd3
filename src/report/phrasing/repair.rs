//! The help of a check: a repair of the model, or the limit to raise.

use super::Words;
use crate::report::remedy::Remedy;
use crate::report::{CheckReport, Kind};
use crate::verdict::Answer;

impl Words {
    /// A repair of the exposure, or the limit to raise.
    pub fn help(self, check: &CheckReport) -> Option<String> {
        let Kind::Property(found) = &check.kind else { return None };
        match check.answer {
            Answer::Undecided => Some(self.what_to_try(found)),
            Answer::Violated if !check.passed() => self.remedies(check, &found.remedies),
            _ => None,
        }
    }

    /// What was tried and is enough: `hide ... from ..., or ...`.
    fn remedies(self, check: &CheckReport, remedies: &[Remedy]) -> Option<String> {
        let said: Vec<String> = remedies.iter().map(|remedy| self.remedy(check, remedy)).collect();
        (!said.is_empty()).then(|| format!("the check holds if you {}", said.join("; or ")))
    }

    fn remedy(self, check: &CheckReport, remedy: &Remedy) -> String {
        let who = self.who(check);
        match remedy {
            Remedy::Hide(events) => format!("make {} unobservable to {who}", self.backticked(events)),
            Remedy::Alike(events) => {
                format!("let {} look alike to {who}: `anonymous` with one label", self.backticked(events))
            }
            Remedy::Projection(projection) => format!("ask for `{}`", projection.word()),
            Remedy::Initial(state) => format!("let `{state}` be `initial` too"),
            Remedy::Transition(transition) => format!("add `{transition}`"),
        }
    }

    fn backticked(self, events: &[String]) -> String {
        let names: Vec<String> = events.iter().map(|event| format!("`{event}`")).collect();
        self.list(&names)
    }
}
