//! The story of an exposure: what the intruder saw, what it could think after each step, and why candidates fell away.
//!
//! The witness gives the observation αβ, the estimates and one run. The story adds the reasons, from the definitions: after
//! each step every *candidate* (a state of the estimate; from α on, a state that the system may have been in at that instant)
//! is asked whether some run from it goes on to show what was seen next. A candidate that cannot is *lost*, and the story
//! keeps what it would have needed and what it could do instead, with the places in the text.
//!
//! Under the weak projection a candidate carries the order in which anonymous events arrived, because a label then means
//! "the same event again" or "one that was not seen yet".

mod hypotheses;

use super::{SignName, state_names};
use crate::automaton::view::View;
use crate::automaton::{StateId, StateSet};
use crate::model::{Horizon, Lens, Property, System};
use crate::source::Span;
use crate::verify::{Finding, Witness};
use hypotheses::{Reasons, Rivals};

/// An exposure, step by step.
#[derive(Clone, Debug)]
pub struct Story {
    /// The parts of a composed system, in the order in which its states name theirs.
    pub parts: Vec<String>,
    /// αβ.
    pub observation: Vec<SignName>,
    /// |α|: the instant that is exposed.
    pub at: usize,
    /// What the intruder is sure of: the delayed estimate at α given αβ.
    pub exposed: NamedSet,
    /// Where the first few of those states are declared.
    pub exposed_places: Vec<Vec<Span>>,
    /// The classes of those states, when the property is about classes.
    pub classes: Vec<String>,
    /// Whether the question is where the run started (initial-state).
    pub about_start: bool,
    /// One more than there are observations: the first is before anything was seen.
    pub steps: Vec<Step>,
    /// One run that shows αβ.
    pub run: RunStory,
}

/// States with their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSet {
    /// The states.
    pub ids: Vec<u32>,
    /// Their names, in the same order; of a large set only the first thousand.
    pub names: Vec<String>,
}

/// The most names of an estimate that a story keeps.
const NAMED: usize = 1000;

impl NamedSet {
    /// Every state with its name.
    fn whole(system: &System, states: &StateSet) -> NamedSet {
        NamedSet { ids: states.iter().map(|state| state.0).collect(), names: state_names(system, states) }
    }

    /// Every state, and as many names as anybody reads.
    fn new(system: &System, states: &StateSet) -> NamedSet {
        let names = states.iter().take(NAMED).map(|state| system.names.state(state).into_owned());
        NamedSet { ids: states.iter().map(|state| state.0).collect(), names: names.collect() }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// One step: what was seen, and what it means.
#[derive(Clone, Debug)]
pub struct Step {
    /// What was seen; nothing at the start.
    pub sees: Option<SignName>,
    /// Where the system may be now.
    pub estimate: NamedSet,
    /// From α on: where it may have been at that instant.
    pub looking_back: Option<NamedSet>,
    /// The transitions that may have shown it, the first few of them.
    pub moves: Vec<Move>,
    /// How many such transitions there are.
    pub n_moves: usize,
    /// The candidates that this step rules out.
    pub lost: Vec<Lost>,
}

/// A transition with its names and its places.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Move {
    pub source: String,
    pub event: String,
    pub target: String,
    /// What the intruder sees of it; none: nothing.
    pub shows: Option<SignName>,
    /// Where it is written.
    pub places: Vec<Span>,
}

/// A candidate that is ruled out.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The candidate.
    pub state: String,
    /// Its id.
    pub id: u32,
    /// Whether it would have kept the intruder unsure.
    pub rival: bool,
    /// Where it could have come to by now, when that is somewhere else.
    pub now: Vec<String>,
    /// What it would have had to do.
    pub need: Need,
    /// What it could do instead.
    pub can: Vec<Move>,
    /// The states that lack the transition: itself, or where it could have come to.
    pub stuck: Vec<Stuck>,
}

/// A state from which nothing shows what was seen.
#[derive(Clone, Debug)]
pub struct Stuck {
    /// Its name.
    pub state: String,
    /// Whether no transition leaves it, not even one that is unseen.
    pub dead: bool,
    /// Where it is declared.
    pub places: Vec<Span>,
}

/// What a lost candidate would have had to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// This event.
    Event(String),
    /// Any event of these, which look alike.
    OneOf(Vec<String>),
    /// The same event again: one of these, as the candidate's history has it.
    Again(Vec<String>),
    /// An anonymous event that was not used yet: other than these.
    New(Vec<String>),
}

/// One real run.
#[derive(Clone, Debug)]
pub struct RunStory {
    /// The states it goes through.
    pub states: NamedSet,
    /// The events between them.
    pub events: Vec<String>,
    /// What each event shows; none: nothing.
    pub shows: Vec<Option<SignName>>,
    /// Where each transition is written.
    pub places: Vec<Vec<Span>>,
    /// The state at the exposed instant: an index into `states`.
    pub instant: usize,
}

impl Story {
    /// The story of a witness.
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

    /// β: what was seen after the exposed instant.
    pub fn later(&self) -> &[SignName] {
        &self.observation[self.at..]
    }
}

/// What the places of a global state `(idle, empty)` stand for.
fn parts(system: &System, witness: &Witness) -> Vec<String> {
    let state = witness.run.states.first().copied();
    state.map(|state| system.names.parts(state)).unwrap_or_default().into_iter().map(|(part, _)| part).collect()
}

/// Which states are inside the exposed set that the witness falls into.
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
