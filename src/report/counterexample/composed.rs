//! The parts of a composed system, as a story needs them: which of them the question is about, who takes part in an event, and who
//! refuses it.
//!
//! A question is about the fewest parts that tell its answer: `u[1]`, if the secret depends on the state of `u[1]` alone. Cost: for
//! each part one pass over the states; if no part is enough alone, one more pass for each part that is left out. Larger systems than
//! [`LOOKED_AT`] are taken to be about all of their parts.

use super::names::Transition;
use crate::automaton::{EventId, StateId, StateSet};
use crate::model::parts::Parts;
use crate::model::{Property, System};
use crate::resources::{Monitor, Stop};
use rustc_hash::FxHashMap;

/// The most local states that are looked at to find what a question is about.
const LOOKED_AT: u64 = 50_000_000;

/// The parts of a composed system.
pub(super) struct Composed<'a> {
    pub(super) parts: &'a dyn Parts,
    /// The parts that the question is about, in order.
    pub(super) about: Vec<usize>,
    /// Who takes part in each event of the system, and the part's own event.
    users: Vec<Vec<(usize, EventId)>>,
}

/// A local state of each part that a question is about.
pub(super) type Key = Vec<StateId>;

/// What the parts do in a transition: the event, and each part's source and target. A part that stays where it is is among them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Act {
    pub(super) event: EventId,
    pub(super) moves: Vec<(usize, StateId, StateId)>,
}

impl<'a> Composed<'a> {
    /// None: the system has no parts.
    pub(super) fn new(
        system: &'a System,
        property: &Property,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Composed<'a>>, Stop> {
        let Some(parts) = system.names.composition().filter(|parts| parts.n_parts() > 1) else { return Ok(None) };
        let mut users = vec![Vec::new(); system.automaton.n_events()];
        for part in 0..parts.n_parts() {
            monitor.spend(1 + parts.events(part).len() as u64)?;
            for (local, event) in parts.events(part).iter().enumerate() {
                users[event.index()].push((part, EventId::from_index(local)));
            }
        }
        let about = about(system, parts, property, monitor)?;
        Ok(Some(Composed { parts, about, users }))
    }

    /// Whether the question is about every part: then nothing is left out.
    pub(super) fn is_about_all(&self) -> bool {
        self.about.len() == self.parts.n_parts()
    }

    /// The local states that the question is about.
    pub(super) fn key(&self, state: StateId) -> Key {
        self.about.iter().map(|&part| self.parts.local(state, part)).collect()
    }

    /// What the parts do in a transition.
    pub(super) fn act(&self, (source, event, target): Transition) -> Act {
        let ends = |part: usize| (part, self.parts.local(source, part), self.parts.local(target, part));
        Act { event, moves: self.users[event.index()].iter().map(|&(part, _)| ends(part)).collect() }
    }

    /// The parts that cannot take part in an event here.
    pub(super) fn refusing(&self, state: StateId, event: EventId) -> Vec<usize> {
        let refuses = |&&(part, local): &&(usize, EventId)| {
            self.parts.automaton(part).successors(self.parts.local(state, part), local).is_empty()
        };
        self.users[event.index()].iter().filter(refuses).map(|&(part, _)| part).collect()
    }

    /// The part's own event.
    pub(super) fn own_event(&self, part: usize, event: EventId) -> Option<EventId> {
        self.users[event.index()].iter().find(|(user, _)| *user == part).map(|&(_, local)| local)
    }

    /// How many parts take part in an event.
    pub(super) fn n_users(&self, event: EventId) -> usize {
        self.users[event.index()].len()
    }
}

/// The fewest parts that tell what a property asks of a state.
fn about(
    system: &System,
    parts: &dyn Parts,
    property: &Property,
    monitor: &mut Monitor<'_>,
) -> Result<Vec<usize>, Stop> {
    let all: Vec<usize> = (0..parts.n_parts()).collect();
    if let Property::Anonymity { classes: None, .. } = property {
        return Ok(all);
    }
    if let Some(named) = named_subject(parts, property) {
        return Ok(named);
    }
    let asked = Asked { system, parts, property };
    let work = (system.automaton.n_states() as u64).saturating_mul(all.len() as u64);
    if work > LOOKED_AT {
        return Ok(all);
    }
    monitor.spend(work)?;
    if let Some(part) = asked.one_part() {
        return Ok(vec![part]);
    }
    if work.saturating_mul(all.len() as u64) > LOOKED_AT {
        return Ok(all);
    }
    let mut few = all;
    for part in (0..parts.n_parts()).rev() {
        let without: Vec<usize> = few.iter().copied().filter(|&other| other != part).collect();
        monitor.spend(work)?;
        if !without.is_empty() && asked.is_told_by(&without) {
            few = without;
        }
    }
    Ok(few)
}

/// The parts of `about u[1]`: `u[1]` itself, or what it is composed of.
fn named_subject(parts: &dyn Parts, property: &Property) -> Option<Vec<usize>> {
    let Property::Anonymity { classes: Some(classes), .. } = property else { return None };
    let subject = classes.subject.as_deref()?;
    let is_inside =
        |name: &str| name.strip_prefix(subject).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let named: Vec<usize> = (0..parts.n_parts()).filter(|&part| is_inside(parts.name(part))).collect();
    (!named.is_empty()).then_some(named)
}

/// What a property asks of every state.
struct Asked<'a> {
    system: &'a System,
    parts: &'a dyn Parts,
    property: &'a Property,
}

impl Asked<'_> {
    /// What matters of a state: its class, or whether it is secret.
    fn answer(&self, state: StateId) -> u32 {
        let bit = |set: &StateSet| u32::from(set.contains(state));
        match self.property {
            Property::Opacity { secret } | Property::Throughout { secret } => bit(secret),
            Property::InitialFinal { from, to } => bit(from) + 2 * bit(to),
            Property::OfParts(_) => 0,
            Property::Anonymity { classes, .. } => {
                classes.as_ref().map_or(state.0, |classes| classes.of[state.index()].0)
            }
        }
    }

    /// The part that tells the answer alone; of several the one with the fewest local states that say yes.
    fn one_part(&self) -> Option<usize> {
        let telling = (0..self.parts.n_parts()).filter_map(|part| Some((self.told_by_states_of(part)?, part)));
        telling.min().map(|(_, part)| part)
    }

    /// How many local states of a part say yes, if they tell the answer.
    fn told_by_states_of(&self, part: usize) -> Option<usize> {
        let mut known = vec![None; self.parts.automaton(part).n_states()];
        for state in self.system.automaton.states() {
            let answer = self.answer(state);
            let local = &mut known[self.parts.local(state, part).index()];
            if local.is_some_and(|known| known != answer) {
                return None;
            }
            *local = Some(answer);
        }
        Some(known.into_iter().filter(|answer| answer.is_some_and(|answer| answer > 0)).count())
    }

    /// Whether some parts tell the answer together.
    fn is_told_by(&self, some: &[usize]) -> bool {
        let mut known: FxHashMap<Key, u32> = FxHashMap::default();
        self.system.automaton.states().all(|state| {
            let key = some.iter().map(|&part| self.parts.local(state, part)).collect();
            let answer = self.answer(state);
            *known.entry(key).or_insert(answer) == answer
        })
    }
}
