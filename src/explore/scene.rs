//! What an explorer knows, in names: what the page and the terminal show.

use super::{Explorer, Goal};
use crate::automaton::view::Symbol;
use crate::automaton::{EventId, StateId, StateSet};
use crate::draw::figure::DrawContext;
use crate::model::{Naming, System, ViewId};
use crate::resources::{Monitor, Stop};
use crate::source::Span;
use serde::Serialize;

/// An intruder of a system in the middle of an observation.
#[derive(Debug)]
pub struct Play<'m> {
    context: DrawContext<'m>,
    goal: Goal,
    explorer: Explorer<'m>,
}

/// All that is known at one observation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// What was seen.
    pub observation: Vec<Sign>,
    /// The states that are possible now.
    pub estimate: Names,
    /// Every instant so far, the one before the first sign first.
    pub instants: Vec<Instant>,
    /// What can come next.
    pub next: Vec<NextSign>,
    /// For a composed system, each part with its possible states.
    pub parts: Vec<Part>,
    /// Whether too much is known of some instant.
    pub exposed: bool,
}

/// A sign, as it is typed and as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sign {
    /// `?1`.
    pub word: String,
    /// `γ₁`.
    pub shown: String,
}

/// A set of states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Names {
    /// How many there are.
    pub count: usize,
    /// The numbers of the first of them.
    pub ids: Vec<u32>,
    /// The names of the first of these.
    pub names: Vec<String>,
}

/// One instant of the observation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Instant {
    /// After how many signs.
    pub at: usize,
    /// The sign that led to it.
    pub sees: Option<Sign>,
    /// How many states were possible then.
    pub then: usize,
    /// The states that were possible at it, as is known now.
    pub states: Names,
    /// For a composed system, the parts of which something is known: not all of their states were possible.
    pub parts: Vec<Part>,
    /// Whether that is too much.
    pub exposed: bool,
}

/// A sign that can come next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NextSign {
    /// The sign.
    pub sign: Sign,
    /// How many states would be possible then.
    pub remain: usize,
    /// The instants of which too much would be known then.
    pub exposes: Vec<usize>,
    /// Where some of the transitions are written that show it.
    #[serde(skip)]
    pub places: Vec<Span>,
}

/// A part of a composed system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What it is called.
    pub name: String,
    /// How many states it has.
    pub of: usize,
    /// Its own states that are possible now.
    pub states: Names,
}

impl Part {
    /// Whether some of its states are not possible.
    fn is_known(&self) -> bool {
        self.states.count < self.of
    }
}

/// What another intruder may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Others {
    /// Those who know most first.
    pub rows: Vec<Other>,
    /// There is more than the rows.
    pub cut: bool,
}

/// One observation of another intruder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Other {
    /// What they may have seen.
    pub observation: Vec<Sign>,
    /// What is possible to them.
    pub estimate: Names,
    /// Whether they know too much.
    pub exposed: bool,
}

/// The most states of a set that are numbered, and the most that are named.
const MOST_IDS: usize = 4_000;
const MOST_NAMES: usize = 60;

/// The most places of a sign.
const MOST_PLACES: usize = 6;

/// The most rows of another intruder.
const MOST_ROWS: usize = 24;

impl<'m> Play<'m> {
    /// Before anything is seen.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn new(system: &'m System, view_id: ViewId, goal: Goal, monitor: &mut Monitor<'_>) -> Result<Play<'m>, Stop> {
        let observer = &system.observer(view_id.observer).observer;
        let explorer = Explorer::new(&system.automaton, observer, view_id.projection, &goal, monitor)?;
        Ok(Play { context: DrawContext { system, view_id, ascii: false }, goal, explorer })
    }

    /// Sees the sign with this name. False, and nothing changes: it cannot come next.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn see(&mut self, word: &str, monitor: &mut Monitor<'_>) -> Result<bool, Stop> {
        let next = self.explorer.next(monitor)?;
        let is_meant = |sign: &Symbol| {
            let Sign { word: typed, shown } = self.sign(*sign);
            word == typed || word == shown || word == typed.replace(['?', '#'], "") || word == typed.replace('#', "")
        };
        match next.iter().map(|next| next.sign).find(is_meant) {
            Some(sign) => self.explorer.see(sign, monitor),
            None => Ok(false),
        }
    }

    /// Forgets the last sign.
    pub fn back(&mut self) {
        self.explorer.back();
    }

    /// Sees what leads to the nearest exposure. False: nothing does.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn jump(&mut self, monitor: &mut Monitor<'_>) -> Result<bool, Stop> {
        let Some(way) = self.explorer.nearest(monitor)? else { return Ok(false) };
        for sign in way {
            self.explorer.see(sign, monitor)?;
        }
        Ok(true)
    }

    /// All that is known now.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn scene(&mut self, monitor: &mut Monitor<'_>) -> Result<Scene, Stop> {
        let estimate = self.explorer.estimate();
        let instants = self.instants(monitor)?;
        Ok(Scene {
            observation: self.explorer.observation().iter().map(|&sign| self.sign(sign)).collect(),
            exposed: instants.iter().any(|instant| instant.exposed),
            instants,
            next: self.next(monitor)?,
            parts: self.parts(&estimate),
            estimate: self.names(&estimate),
        })
    }

    /// What an intruder with another view may know now.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn others(&mut self, view_id: ViewId, monitor: &mut Monitor<'_>) -> Result<Others, Stop> {
        let system = self.context.system;
        let other = (&system.observer(view_id.observer).observer, view_id.projection);
        let found = self.explorer.compare(&system.automaton, other, &self.goal, MOST_ROWS, monitor)?;
        let theirs = DrawContext { view_id, ..self.context };
        let rows = found.rows.iter().map(|row| Other {
            observation: row.observation.iter().map(|&sign| sign_of(&theirs, sign)).collect(),
            estimate: self.names(&row.estimate),
            exposed: !row.exposes.is_empty(),
        });
        Ok(Others { rows: rows.collect(), cut: found.cut })
    }

    fn instants(&mut self, monitor: &mut Monitor<'_>) -> Result<Vec<Instant>, Stop> {
        let exposed = self.explorer.exposes(monitor)?;
        let delayed = self.explorer.delayed(monitor)?;
        let then = self.explorer.estimates();
        let instants = delayed.iter().zip(then).enumerate().map(|(at, (states, then))| Instant {
            at,
            sees: at.checked_sub(1).map(|last| self.sign(self.explorer.observation()[last])),
            then: then.len(),
            states: self.names(states),
            parts: self.parts(states).into_iter().filter(Part::is_known).collect(),
            exposed: exposed.contains(&at),
        });
        Ok(instants.collect())
    }

    fn next(&mut self, monitor: &mut Monitor<'_>) -> Result<Vec<NextSign>, Stop> {
        let mut signs = Vec::new();
        for next in self.explorer.next(monitor)? {
            let showing = self.explorer.showing(next.sign, MOST_PLACES, monitor)?;
            let places = showing.into_iter().flat_map(|transition| self.places(transition)).collect();
            signs.push(NextSign { sign: self.sign(next.sign), remain: next.remain, exposes: next.exposes, places });
        }
        Ok(signs)
    }

    fn places(&self, (source, event, target): (StateId, EventId, StateId)) -> Vec<Span> {
        self.context.system.names.transition_places(source, event, target)
    }

    fn sign(&self, sign: Symbol) -> Sign {
        sign_of(&self.context, sign)
    }

    fn names(&self, states: &StateSet) -> Names {
        named(states, |state| self.context.state(state))
    }

    /// The states of each part that are possible if these of the system are.
    fn parts(&self, states: &StateSet) -> Vec<Part> {
        let naming: &dyn Naming = &*self.context.system.names;
        let Some(parts) = naming.composition() else { return Vec::new() };
        let part = |at: usize| {
            let locals: StateSet = states.iter().map(|state| parts.local(state, at)).collect();
            Part {
                name: parts.name(at).to_owned(),
                of: parts.automaton(at).n_states(),
                states: named(&locals, |state| parts.state_name(at, state).into_owned()),
            }
        };
        (0..parts.n_parts()).map(part).collect()
    }
}

fn sign_of(context: &DrawContext<'_>, sign: Symbol) -> Sign {
    let word = context.system.sign_name(context.view_id.observer, sign);
    Sign { word, shown: context.sign(sign) }
}

fn named(states: &StateSet, name: impl Fn(StateId) -> String) -> Names {
    Names {
        count: states.len(),
        ids: states.iter().take(MOST_IDS).map(|state| state.0).collect(),
        names: states.iter().take(MOST_NAMES).map(name).collect(),
    }
}
