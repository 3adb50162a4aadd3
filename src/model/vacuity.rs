//! Properties that hold because nothing happens.
//!
//! A property is a statement about all runs. If the thing that it is about never occurs in any run, it holds, and says
//! nothing about the system that was meant. The checker notes what no run does; [`System::vacuity`] says whether a question depends
//! on it.

use super::{Property, Question, System};
use crate::automaton::view::{Observability, Projection};
use crate::automaton::{EventId, StateSet};

/// What the runs of a system do and do not.
#[derive(Clone, Debug, Default)]
pub struct Occurrence {
    /// For each event whether some run has it; none: this is not known.
    pub occurs: Option<Vec<bool>>,
    /// The states that no run visits.
    pub unvisited: StateSet,
    /// Whether every run ends in a state in which one part waits for another one, and no end is meant.
    pub is_stuck: bool,
}

/// Why a property holds whatever the system was meant to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// Every run gets stuck.
    Stuck,
    /// No event that occurs is observable.
    NothingObservable,
    /// No anonymous event occurs, so `weak` and `strong` are `natural`.
    NothingAnonymous,
    /// No run visits a secret state.
    NothingSecret,
}

impl Vacuity {
    /// The reason, as the end of a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            Vacuity::Stuck => "every run gets stuck",
            Vacuity::NothingObservable => "no observable event ever occurs",
            Vacuity::NothingAnonymous => "no anonymous event ever occurs",
            Vacuity::NothingSecret => "no run visits a secret state",
        }
    }
}

impl System {
    /// Why a property of the system would hold vacuously; none: it would not, as far as is known.
    pub fn vacuity(&self, question: &Question) -> Option<Vacuity> {
        let Question::Property { view_id, property, .. } = question else { return None };
        let occurs = self.occurrence.occurs.as_ref()?;
        let seen = self.observer(view_id.observer).observer.observabilities();
        let some = |wanted: fn(&Observability) -> bool| {
            (0..occurs.len()).any(|event| occurs[event] && wanted(&seen[EventId::from_index(event).index()]))
        };
        let is_hidden = |secret: &StateSet| secret.iter().all(|state| self.occurrence.unvisited.contains(state));
        match property {
            Property::Opacity { secret } | Property::Throughout { secret } if is_hidden(secret) => {
                Some(Vacuity::NothingSecret)
            }
            _ if !some(|seen| *seen != Observability::Silent) => Some(Vacuity::NothingObservable),
            _ if view_id.projection != Projection::Natural
                && !some(|seen| matches!(seen, Observability::Anonymous(_))) =>
            {
                Some(Vacuity::NothingAnonymous)
            }
            _ => self.occurrence.is_stuck.then_some(Vacuity::Stuck),
        }
    }
}
