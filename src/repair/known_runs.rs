//! The pool of witnesses: runs that exposed one choice, tried on others.
//!
//! A witness of one choice is a run of the system. Under another choice its delayed estimate is computed again, from the definition: if
//! it is exposed still, that choice is refuted without a search. Nothing is concluded from which events the run has: hiding an event
//! outside of it can add the hypotheses that save it.

use super::candidate::{Bench, Exposed, view};
use super::goal::Goal;
use crate::model::change::Altered;
use crate::resources::{Monitor, Stop};
use crate::verdict::{Run, Witness};
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
    /// Keeps the run of a witness.
    pub fn add(&mut self, exposed: &Exposed) {
        let Some((witness, before)) = &exposed.witness else { return };
        self.runs.insert(0, KnownRun { goal: exposed.goal, run: witness.run.clone(), before: *before });
        self.runs.truncate(KEPT);
    }

    /// What a known run exposes of a changed system. A run that succeeds comes first next time.
    pub fn refute(
        &mut self,
        bench: &Bench<'_>,
        altered: &Altered,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Exposed>, Stop> {
        for at in 0..self.runs.len() {
            if let Some(witness) = self.runs[at].exposes(&bench.goals, altered, monitor)? {
                let found = self.runs.remove(at);
                let exposed = Exposed { goal: found.goal, witness: Some((witness, found.before)) };
                self.runs.insert(0, found);
                return Ok(Some(exposed));
            }
        }
        Ok(None)
    }

    /// The goal that was violated last.
    pub fn last_goal(&self) -> usize {
        self.runs.first().map_or(0, |known| known.goal)
    }
}

impl KnownRun {
    fn exposes(
        &self,
        goals: &[Goal<'_>],
        altered: &Altered,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Witness>, Stop> {
        let Goal { view_id, property, horizon, .. } = goals[self.goal];
        let suspect = Suspect { run: &self.run, before: self.before, horizon };
        again(&view(altered, view_id), property, suspect, monitor)
    }
}
