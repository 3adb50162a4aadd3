//! A counterexample: each observation, the estimate after it, and why hypotheses were excluded.
//!
//! The witness gives the observation αβ and one run. The story adds the estimates and the reasons, from the definitions: after
//! each step every *candidate* (a state of the estimate; from α on, a state that the system may have been in at that instant)
//! is kept if some run from it can show the next symbol. Otherwise it is *lost*, and the story
//! records the move that it lacks and the moves that it has, with their source locations.
//!
//! Of opacity throughout, the candidates from α on are the states of the runs that were in no secret state since; of initial-final
//! opacity, where the run may have begun.
//!
//! Under the weak projection a candidate carries the numbers of the anonymous events that arrived, because a label then means
//! "the same event again" or "one that was not seen yet".
//!
//! A long observation is followed to its end, and only the steps that are told are kept: those at both ends, the exposed
//! instant, and the step that decides. Cost: for each label what its estimate costs, and the names of what is kept.

mod composed;
mod fallen;
mod hypotheses;
mod names;
mod parts;
mod run;
#[cfg(test)]
mod tests;

use super::SignName;
use crate::automaton::{StateId, StateSet};
use crate::model::{Horizon, Property, System};
use crate::resources::{Monitor, Stop};
use crate::source::Span;
use crate::verdict::{Finding, Witness};
use crate::verify::Following;
use composed::Composed;
use hypotheses::{Focus, Reasons, Rivals, Unnamed};
use names::Names;
use parts::PartNames;
pub use parts::{Fallen, PartAct, PartMove, PartStep, Refuser, SameOrNew, Subject};
pub use run::RunStory;
use std::sync::Arc;

/// A counterexample, step by step.
#[derive(Clone, Debug)]
pub struct Story {
    /// The parts of a composed system, in the order in which its states name theirs.
    pub parts: Vec<String>,
    /// The parts that the question is about, if the system is composed.
    pub subject: Option<Subject>,
    /// αβ.
    pub observation: Vec<SignName>,
    /// |α|: the instant that is exposed.
    pub at: usize,
    /// The delayed estimate at α given αβ.
    pub exposed: NamedSet,
    /// The declarations of the first few of those states.
    pub exposed_places: Vec<Vec<Span>>,
    /// Where the run began, if the check is about that too: the initial states it names.
    pub began: NamedSet,
    /// The classes of those states, if the check has `about`.
    pub classes: Vec<String>,
    /// The check is an `initial-state` check.
    pub about_start: bool,
    /// The check is a `throughout` check: what is looked back at are the states of runs without a secret state since α.
    pub throughout: bool,
    /// Whether nothing that was seen up to α has changed the estimate.
    pub unchanged: bool,
    /// The steps that are told, by number. Step 0 is before anything was seen, and there is one for each observation.
    pub steps: Vec<Step>,
    /// A run with the observation αβ.
    pub run: RunStory,
}

/// States with their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSet {
    pub ids: Vec<u32>,
    /// Their names, in the same order; of a large set only the first.
    pub names: Vec<Arc<str>>,
}

impl NamedSet {
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
    /// How many labels were seen by now.
    pub number: usize,
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
    /// The same in terms of the parts, if the system is composed.
    pub parts: Option<PartStep>,
}

/// A transition with its names and source locations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Move {
    pub source: Arc<str>,
    pub event: Arc<str>,
    pub target: Arc<str>,
    /// `None` if the event is unobservable.
    pub shows: Option<SignName>,
    pub places: Vec<Span>,
}

/// An excluded candidate.
#[derive(Clone, Debug)]
pub struct Lost {
    pub state: Arc<str>,
    pub id: u32,
    /// It lies outside the exposed set: while it was possible, the intruder was unsure.
    pub rival: bool,
    /// It is where the run may have begun, not where it may be.
    pub began: bool,
    /// The states that it may be in now, if they differ from `state`.
    pub now: NamedSet,
    /// The last of those states, or itself.
    pub last: Arc<str>,
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
    pub state: Arc<str>,
    /// No transition leaves it, not even a silent one.
    pub dead: bool,
    pub places: Vec<Span>,
}

/// The move that an excluded candidate lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    Event(Arc<str>),
    /// Any event of these (the first few of a group), which look alike.
    OneOf(Vec<Arc<str>>),
    /// An event that the candidate has used before: one of these.
    Again(SomeEvents),
    /// An anonymous event that the candidate has not used: none of these.
    New(SomeEvents),
    /// A move that enters no secret state.
    Avoiding,
}

/// Events, of which only the first are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SomeEvents {
    /// The first few.
    pub names: Vec<Arc<str>>,
    /// How many more there are.
    pub more: usize,
}

/// How many steps at each end of a story are told to a person who reads it.
pub const BRIEF: usize = 12;

impl Story {
    /// The story of a witness, with this many steps at each end of it.
    ///
    /// # Errors
    /// When a limit is reached while it is told.
    pub fn new(
        system: &System,
        finding: &Finding,
        horizon: Horizon,
        witness: &Witness,
        edge: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Story, Stop> {
        let mut names = Names::new(system, finding.view_id);
        let about_start = horizon == Horizon::Initial;
        let composed = Composed::new(system, &finding.property, monitor)?;
        let composed = composed.as_ref();
        let (steps, unchanged) =
            Follower { names: &mut names, composed, edge, about_start }.follow(finding, witness, monitor)?;
        monitor.spend((witness.observation.len() + witness.exposed.len()) as u64)?;
        let run = RunStory::new(&mut names, composed, witness, monitor)?;
        let subject = composed.map(|composed| PartNames { names: &mut names, composed }.subject(witness));
        let few = witness.exposed.iter().take(4);
        Ok(Story {
            parts: parts(system, witness),
            subject,
            observation: names.signs(&witness.observation),
            at: witness.at,
            exposed: names.set(&witness.exposed, usize::MAX),
            exposed_places: few.map(|state| system.names.state_places(state)).collect(),
            began: names.set(&began(&finding.property, system), usize::MAX),
            classes: classes(&finding.property, witness),
            about_start,
            throughout: matches!(finding.property, Property::Throughout { .. }),
            unchanged,
            steps,
            run,
        })
    }

    /// β: the observation after the exposed instant.
    pub fn later(&self) -> &[SignName] {
        &self.observation[self.at..]
    }

    /// A step that is told.
    pub fn step(&self, number: usize) -> Option<&Step> {
        let at = self.steps.binary_search_by_key(&number, |step| step.number).ok()?;
        Some(&self.steps[at])
    }

    /// How many steps there are, told or not.
    pub fn n_steps(&self) -> usize {
        self.observation.len() + 1
    }

    /// Whether a step is at one of the ends.
    pub fn is_at_an_end(&self, number: usize, edge: usize) -> bool {
        is_at_an_end(number, self.observation.len(), edge)
    }
}

fn is_at_an_end(number: usize, last: usize, edge: usize) -> bool {
    number < edge || last - number < edge
}

/// The parts of a global state `(idle, empty)`, in order.
fn parts(system: &System, witness: &Witness) -> Vec<String> {
    let state = witness.run.states.first().copied();
    state.map(|state| system.names.parts(state)).unwrap_or_default().into_iter().map(|(part, _)| part).collect()
}

/// The states of the exposed set of the witness.
fn inside<'a>(property: &'a Property, witness: &'a Witness) -> impl Fn(StateId) -> bool + 'a {
    let classes = class_ids(property, witness);
    move |state| match property {
        Property::Opacity { secret } => secret.contains(state),
        Property::Throughout { .. } | Property::OfParts(_) => false,
        // Its candidates are beginnings.
        Property::InitialFinal { from, .. } => from.contains(state),
        Property::Anonymity { classes: None, .. } => witness.exposed.contains(state),
        Property::Anonymity { classes: Some(all), .. } => classes.binary_search(&all.of[state.index()].0).is_ok(),
    }
}

/// The initial states in which the run may have begun, if the property is about that.
fn began(property: &Property, system: &System) -> StateSet {
    let Property::InitialFinal { from, .. } = property else { return StateSet::default() };
    system.automaton.initial().iter().copied().filter(|state| from.contains(*state)).collect()
}

/// The classes of the exposed states, sorted.
fn class_ids(property: &Property, witness: &Witness) -> Vec<u32> {
    let Property::Anonymity { classes: Some(classes), .. } = property else { return Vec::new() };
    let mut ids: Vec<u32> = witness.exposed.iter().map(|state| classes.of[state.index()].0).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn classes(property: &Property, witness: &Witness) -> Vec<String> {
    let Property::Anonymity { classes: Some(classes), .. } = property else { return Vec::new() };
    class_ids(property, witness).into_iter().map(|class| classes.names[class as usize].clone()).collect()
}

/// Follows an observation, and keeps the steps that are told.
struct Follower<'n, 'a> {
    names: &'n mut Names<'a>,
    composed: Option<&'n Composed<'a>>,
    edge: usize,
    about_start: bool,
}

impl Follower<'_, '_> {
    /// The steps that are told, and whether the estimate stays what it is up to α.
    fn follow(
        &mut self,
        finding: &Finding,
        witness: &Witness,
        monitor: &mut Monitor<'_>,
    ) -> Result<(Vec<Step>, bool), Stop> {
        let inside = inside(&finding.property, witness);
        let (mut avoided, mut beginnings) = (None, self.about_start);
        match &finding.property {
            Property::Throughout { secret } => avoided = Some(secret),
            Property::InitialFinal { .. } => beginnings = true,
            Property::Anonymity { .. } | Property::Opacity { .. } | Property::OfParts(_) => {}
        }
        let focus = Focus {
            at: if beginnings { 0 } else { witness.at },
            about_start: beginnings,
            shows_start: self.about_start,
            avoided,
        };
        // WHY: without classes any other state is a rival, wherever it goes; a class is mostly left and entered by its members.
        let plain = matches!(finding.property, Property::Anonymity { classes: None, .. });
        let rivals = Rivals { before: &|state| plain || !inside(state), at: &|state| !inside(state) };
        let view = self.names.view;
        let mut following = Following::new(view, &witness.observation, monitor)?;
        let mut reasons = Reasons::new(view, self.composed, witness, focus, rivals, monitor)?;
        let first = Unnamed { number: 0, sign: None, estimate: following.estimate(), reason: Some(reasons.first()) };
        let mut kept = Kept { edge: self.edge, last: witness.observation.len(), at: witness.at, ..Kept::default() };
        let mut unchanged = true;
        for (at, &sign) in witness.observation.iter().enumerate() {
            following.advance(monitor)?;
            let reason = reasons.advance(monitor)?;
            let step = Unnamed { number: at + 1, sign: Some(sign), estimate: following.estimate(), reason };
            unchanged &= at >= witness.at || step.estimate == first.estimate;
            kept.add(step, monitor)?;
        }
        let mut steps = Vec::new();
        for step in std::iter::once(first).chain(kept.finish()) {
            steps.push(reasons.named(&step, self.names, monitor)?);
        }
        Ok((steps, unchanged))
    }
}

/// The steps that are told, in order.
#[derive(Default)]
struct Kept {
    edge: usize,
    last: usize,
    at: usize,
    steps: Vec<Unnamed>,
    /// The last step that rules out a rival, if it is not told anyway.
    decisive: Option<Unnamed>,
}

impl Kept {
    fn add(&mut self, step: Unnamed, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        let decides = step.reason.as_ref().is_some_and(|reason| reason.rules_out_a_rival());
        if is_at_an_end(step.number, self.last, self.edge) || step.number == self.at {
            self.decisive.take_if(|_| decides);
            monitor.hold(step.bytes())?;
            self.steps.push(step);
        } else if decides {
            self.decisive = Some(step);
        }
        Ok(())
    }

    fn finish(self) -> impl Iterator<Item = Unnamed> {
        let mut steps = self.steps;
        steps.extend(self.decisive);
        steps.sort_by_key(|step| step.number);
        steps.into_iter()
    }
}
