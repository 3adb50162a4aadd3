//! A counterexample: each observation, the estimate after it, and why hypotheses were excluded.
//!
//! The witness has the observation αβ, the estimates and a run. The story adds the reasons, from the definitions: after
//! each step every *candidate* (a state of the estimate; from α on, a state that the system may have been in at that instant)
//! is kept if some run from it can show the next symbol. Otherwise it is *lost*, and the story
//! records the move that it lacks and the moves that it has, with their source locations.
//!
//! Under the weak projection a candidate carries the anonymous events in the order of first appearance, because a label then means
//! "the same event again" or "one that was not seen yet".

mod hypotheses;

use super::{SignName, state_names};
use crate::automaton::view::View;
use crate::automaton::{StateId, StateSet};
use crate::model::{Horizon, Lens, Property, System};
use crate::source::Span;
use crate::verify::{Finding, Witness};
use hypotheses::{Reasons, Rivals};

/// A counterexample, step by step.
#[derive(Clone, Debug)]
pub struct Story {
    /// The parts of a composed system, in the order in which its states name theirs.
    pub parts: Vec<String>,
    /// αβ.
    pub observation: Vec<SignName>,
    /// |α|: the instant that is exposed.
    pub at: usize,
    /// The delayed estimate at α given αβ.
    pub exposed: NamedSet,
    /// The declarations of the first few of those states.
    pub exposed_places: Vec<Vec<Span>>,
    /// The classes of those states, if the check has `about`.
    pub classes: Vec<String>,
    /// The check is an `initial-state` check.
    pub about_start: bool,
    /// One more than there are symbols: the first step is before any observation.
    pub steps: Vec<Step>,
    /// A run with the observation αβ.
    pub run: RunStory,
}

/// States with their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSet {
    pub ids: Vec<u32>,
    /// The names, in the same order; at most `NAMED`.
    pub names: Vec<String>,
}

/// The maximal number of names of an estimate.
const NAMED: usize = 1000;

impl NamedSet {
    fn whole(system: &System, states: &StateSet) -> NamedSet {
        NamedSet { ids: states.iter().map(|state| state.0).collect(), names: state_names(system, states) }
    }

    /// All states, and at most `NAMED` names.
    fn new(system: &System, states: &StateSet) -> NamedSet {
        let names = states.iter().take(NAMED).map(|state| system.names.state(state).into_owned());
        NamedSet { ids: states.iter().map(|state| state.0).collect(), names: names.collect() }
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// One symbol of the observation and its effect.
#[derive(Clone, Debug)]
pub struct Step {
    /// The symbol; `None` before the first.
    pub sees: Option<SignName>,
    pub estimate: NamedSet,
    /// From α on: the delayed estimate of that instant.
    pub looking_back: Option<NamedSet>,
    /// The first few transitions that can show the symbol.
    pub moves: Vec<Move>,
    /// The number of such transitions.
    pub n_moves: usize,
    /// The candidates that this step excludes.
    pub lost: Vec<Lost>,
}

/// A transition with its names and source locations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Move {
    pub source: String,
    pub event: String,
    pub target: String,
    /// `None` if the event is unobservable.
    pub shows: Option<SignName>,
    pub places: Vec<Span>,
}

/// An excluded candidate.
#[derive(Clone, Debug)]
pub struct Lost {
    pub state: String,
    pub id: u32,
    /// It lies outside the exposed set: while it was possible, the intruder was unsure.
    pub rival: bool,
    /// The states that it may be in now, if they differ from `state`.
    pub now: Vec<String>,
    /// The move that it lacks.
    pub need: Need,
    /// The observable moves that it has.
    pub can: Vec<Move>,
    /// The states that lack the move: its own, or those in `now`.
    pub stuck: Vec<Stuck>,
}

/// A state without a move that shows the symbol.
#[derive(Clone, Debug)]
pub struct Stuck {
    pub state: String,
    /// No transition leaves it, not even a silent one.
    pub dead: bool,
    pub places: Vec<Span>,
}

/// The move that an excluded candidate lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    Event(String),
    /// Any of these events, which look alike.
    OneOf(Vec<String>),
    /// An event that the candidate has used before: one of these.
    Again(Vec<String>),
    /// An anonymous event that the candidate has not used: none of these.
    New(Vec<String>),
}

/// A run with the observation.
#[derive(Clone, Debug)]
pub struct RunStory {
    pub states: NamedSet,
    pub events: Vec<String>,
    /// `None` for an unobservable event.
    pub shows: Vec<Option<SignName>>,
    pub places: Vec<Vec<Span>>,
    /// The state at the exposed instant: an index into `states`.
    pub instant: usize,
}

impl Story {
    pub fn new(system: &System, finding: &Finding, horizon: Horizon, witness: &Witness) -> Story {
        let lens = finding.lens;
        let about_start = horizon == Horizon::Initial;
        let inside = inside(&finding.property, witness);
        // WHY: without classes any other state is a rival, wherever it goes; a class is mostly left and entered by its members.
        let plain = matches!(finding.property, Property::Anonymity { classes: None, .. });
        let rivals = Rivals { before: &|state| plain || !inside(state), at: &|state| !inside(state) };
        let reasons = Reasons::new(system, lens, witness, about_start, &rivals);
        Story {
            parts: parts(system, witness),
            observation: super::signs(system, lens, &witness.observation),
            at: witness.at,
            exposed: NamedSet::whole(system, &witness.exposed),
            exposed_places: witness.exposed.iter().take(4).map(|state| system.names.state_places(state)).collect(),
            classes: classes(&finding.property, witness),
            about_start,
            steps: steps(system, lens, witness, reasons),
            run: run(system, lens, witness),
        }
    }

    /// β: the observation after the exposed instant.
    pub fn later(&self) -> &[SignName] {
        &self.observation[self.at..]
    }
}

/// The parts of a global state `(idle, empty)`, in order.
fn parts(system: &System, witness: &Witness) -> Vec<String> {
    let state = witness.run.states.first().copied();
    state.map(|state| system.names.parts(state)).unwrap_or_default().into_iter().map(|(part, _)| part).collect()
}

/// The states of the exposed set of the witness.
fn inside<'a>(property: &'a Property, witness: &'a Witness) -> impl Fn(StateId) -> bool + 'a {
    move |state| match property {
        Property::Opacity { secret } => secret.contains(state),
        Property::Anonymity { classes: None, .. } => witness.exposed.contains(state),
        Property::Anonymity { classes: Some(classes), .. } => {
            witness.exposed.iter().any(|exposed| classes.of[exposed.index()] == classes.of[state.index()])
        }
    }
}

fn classes(property: &Property, witness: &Witness) -> Vec<String> {
    let Property::Anonymity { classes: Some(classes), .. } = property else { return Vec::new() };
    let mut ids: Vec<_> = witness.exposed.iter().map(|state| classes.of[state.index()]).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(|class| classes.names[class.index()].clone()).collect()
}

fn steps(system: &System, lens: Lens, witness: &Witness, reasons: Reasons) -> Vec<Step> {
    let estimates = witness.estimates.iter().enumerate();
    let mut reasons = reasons.steps.into_iter();
    estimates
        .map(|(at, estimate)| {
            let sign = at.checked_sub(1).and_then(|before| witness.observation.get(before).copied());
            let reason = reasons.next().unwrap_or_default();
            Step {
                sees: sign.map(|sign| SignName::new(system, lens.observer, sign)),
                estimate: NamedSet::new(system, estimate),
                looking_back: reason.looking_back.map(|states| NamedSet::new(system, &states)),
                moves: reason.moves,
                n_moves: reason.n_moves,
                lost: reason.lost,
            }
        })
        .collect()
}

fn run(system: &System, lens: Lens, witness: &Witness) -> RunStory {
    let automaton = &*system.automaton;
    let view = View { automaton, observer: &system.observer(lens.observer).observer, projection: lens.projection };
    let run = &witness.run;
    let shown_by = |length: usize| view.project(&run.events[..length]).len();
    // Cost: quadratic in the length of the run, which is short.
    let shows = (0..run.events.len()).map(|at| {
        let seen = view.project(&run.events[..=at]);
        (seen.len() > shown_by(at)).then(|| seen.last().copied()).flatten()
    });
    let instant =
        (0..run.states.len()).find(|&at| shown_by(at) == witness.at && witness.exposed.contains(run.states[at]));
    let place = |at: usize| system.names.transition_places(run.states[at], run.events[at], run.states[at + 1]);
    RunStory {
        states: NamedSet {
            ids: run.states.iter().map(|state| state.0).collect(),
            names: run.states.iter().map(|&state| system.names.state(state).into_owned()).collect(),
        },
        events: run.events.iter().map(|&event| super::event_name(system, event)).collect(),
        shows: shows.map(|sign| sign.map(|sign| SignName::new(system, lens.observer, sign))).collect(),
        places: (0..run.events.len()).map(place).collect(),
        instant: instant.unwrap_or(0),
    }
}
