//! The pool of witnesses: runs that exposed one choice, tried on others.
//!
//! A witness of one choice is a run of the system. Under another choice its delayed estimate is computed again, from the definition: if
//! it is exposed still, that choice is refuted without a search. Nothing is concluded from which events the run has: hiding an event
//! outside of it can add the hypotheses that save it.

use super::candidate::{Bench, Exposed, view};
use super::goal::Goal;
use super::refuted::Exposing;
use crate::model::change::Altered;
use crate::resources::{Monitor, Stop};
use crate::verdict::Run;
use crate::verify::{Suspect, again};

/// How many runs are kept, and tried on one choice.
const KEPT: usize = 48;

/// Runs that exposed something, the newest and most successful first.
#[derive(Debug, Default)]
pub(super) struct KnownRuns {
    runs: Vec<KnownRun>,
}

#[derive(Clone, Debug)]
struct KnownRun {
    goal: usize,
    run: Run,
    /// How many of its events belong to α.
    before: usize,
}

impl KnownRuns {
    /// Keeps the run of a witness, if there is one.
    pub fn add(&mut self, exposed: Exposed) -> bool {
        let Exposed { goal, witness } = exposed;
        let run = witness.map(|(witness, before)| KnownRun { goal, run: witness.run, before });
        let has_run = run.is_some();
        self.runs.splice(0..0, run);
        self.runs.truncate(KEPT);
        has_run
    }

    /// Whether a known run exposes a changed system. That run then comes first.
    pub fn refute(&mut self, bench: &Bench<'_>, altered: &Altered, monitor: &mut Monitor<'_>) -> Result<bool, Stop> {
        for at in 0..self.runs.len() {
            if self.runs[at].exposes(&bench.goals, altered, monitor)? {
                self.runs[..=at].rotate_right(1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first run.
    pub fn last(&self) -> Option<Exposing<'_>> {
        self.runs.first().map(|known| Exposing { goal: known.goal, run: &known.run, before: known.before })
    }

    /// The goal that was violated last.
    pub fn last_goal(&self) -> usize {
        self.runs.first().map_or(0, |known| known.goal)
    }
}

impl KnownRun {
    fn exposes(&self, goals: &[Goal<'_>], altered: &Altered, monitor: &mut Monitor<'_>) -> Result<bool, Stop> {
        let Goal { view_id, property, horizon, .. } = goals[self.goal];
        let suspect = Suspect { run: &self.run, before: self.before, horizon };
        Ok(again(&view(altered, view_id), property, suspect, monitor)?.is_some())
    }
}
