//! Deciding one choice: the engine on the changed system.

use super::choice::Choice;
use super::goal::Goal;
use crate::automaton::view::View;
use crate::clock::Instant;
use crate::model::change::{Altered, Lever, apply};
use crate::model::{System, ViewId};
use crate::resources::{Monitor, Resources, Stop};
use crate::verdict::{Answer, Witness};
use crate::verify::{self, Limits, Options, events_before};

/// What is decided: a system, what may be changed, and what must hold.
pub(super) struct Bench<'a> {
    pub system: &'a System,
    pub levers: &'a [Lever],
    pub goals: Vec<Goal<'a>>,
    pub options: &'a Options<'a>,
    pub started: Instant,
}

/// What became of a choice.
#[derive(Clone, Debug)]
pub(super) enum Tried {
    /// Every goal holds.
    Holds,
    /// A goal is violated.
    Violated(Exposed),
    /// The choice cannot be made: observers that pool what they see cannot be pooled any more.
    Inapplicable,
    /// A limit was reached.
    Undecided(Stop),
}

/// A goal that is violated, and the run that shows it, if one does: `exactly` may be violated because nothing is exposed.
#[derive(Clone, Debug)]
pub(super) struct Exposed {
    pub goal: usize,
    /// The witness, and how many of its events belong to α.
    pub witness: Option<(Witness, usize)>,
}

impl<'a> Bench<'a> {
    /// The system under a choice; none: it cannot be made.
    pub fn altered(&self, choice: &Choice) -> Option<Altered> {
        apply(self.system, &choice.changes(self.levers))
    }

    /// What may be used.
    pub fn resources(&self) -> Resources<'a> {
        self.options.resources(self.started)
    }

    pub fn monitor(&self) -> Monitor<'a> {
        self.resources().monitor()
    }

    /// Decides a choice; `first` is the goal that is most likely violated.
    pub fn decide(&self, choice: &Choice, first: usize, threads: usize) -> Tried {
        let Some(altered) = self.altered(choice) else { return Tried::Inapplicable };
        let mut open = None;
        let others = (0..self.goals.len()).filter(|&goal| goal != first);
        for goal in std::iter::once(first).filter(|&goal| goal < self.goals.len()).chain(others) {
            match self.decide_goal(&altered, goal, threads) {
                Ok(None) => {}
                Ok(Some(exposed)) => return Tried::Violated(exposed),
                Err(stop) => open = open.or(Some(stop)),
            }
        }
        open.map_or(Tried::Holds, Tried::Undecided)
    }

    fn decide_goal(&self, altered: &Altered, goal: usize, threads: usize) -> Result<Option<Exposed>, Stop> {
        let Goal { view_id, property, horizon, .. } = self.goals[goal];
        let view = view(altered, view_id);
        let finding = verify::decide(&view, property, horizon, &self.options_left(threads)?);
        match finding.exposure.answer(horizon) {
            Answer::Holds => Ok(None),
            _ if finding.fault.is_some() => Err(Stop::Interrupted),
            Answer::Undecided => Err(finding.stopped.unwrap_or(Stop::Interrupted)),
            Answer::Violated => {
                let before = |witness: Witness| (events_before(&view, &witness), witness);
                let witness = finding.witness.map(before).map(|(before, witness)| (witness, before));
                Ok(Some(Exposed { goal, witness: witness.filter(|(witness, _)| exposes(witness, horizon)) }))
            }
        }
    }

    /// The options for one of the searches: what is left of the time.
    fn options_left(&self, threads: usize) -> Result<Options<'a>, Stop> {
        let resources = self.resources();
        if let Some(stop) = resources.stop() {
            return Err(stop);
        }
        let limits = Limits { timeout: resources.time_left(), ..self.options.limits };
        Ok(Options { limits, threads, certificates: false, progress: None, found: None, ..*self.options })
    }
}

/// Whether a witness violates a horizon itself: that of an `exactly` may be too late.
fn exposes(witness: &Witness, horizon: crate::model::Horizon) -> bool {
    let distance = (witness.observation.len() - witness.at) as u64;
    match horizon {
        crate::model::Horizon::Exactly(steps) => distance <= steps,
        _ => true,
    }
}

/// What one intruder sees of a changed system.
pub(super) fn view(altered: &Altered, view_id: ViewId) -> View<'_> {
    View {
        automaton: &altered.automaton,
        observer: &altered.observers[view_id.observer.index()].observer,
        projection: view_id.projection,
    }
}
