//! What a story says of the parts of a composed system: with names and places, and no ids to look up.

use super::composed::{Act, Composed, Key};
use super::fallen::{Fall, Refusing};
use super::names::Names;
use super::{Story, Witness};
use crate::automaton::view::Symbol;
use crate::automaton::{StateId, StateSet};
use crate::report::SignName;
use crate::resources::{Monitor, Stop};
use crate::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The parts that the question is about.
#[derive(Clone, Debug)]
pub struct Subject {
    /// They, by their number.
    pub parts: Vec<usize>,
    /// What they are called together: `u[1]`, `(v[1], v[2])`.
    pub name: String,
    /// Whether they are all the parts there are.
    pub is_all: bool,
    /// Where they are when they are exposed.
    pub exposed: Vec<Arc<str>>,
}

/// A step as the parts take it.
#[derive(Clone, Debug, Default)]
pub struct PartStep {
    /// Where the parts in question may be: now, or from α on at that instant. The first few.
    pub possible: Vec<Arc<str>>,
    /// How many there are.
    pub n_possible: usize,
    /// For every part its own states that are possible.
    pub lit: Vec<Vec<u32>>,
    /// What the parts may have done: the first few.
    pub acts: Vec<PartAct>,
    /// How many such acts there are.
    pub n_acts: usize,
    /// What can no longer be, by its reason.
    pub fallen: Vec<Fallen>,
}

/// An event, and what each part does that takes part in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct PartAct {
    pub event: Arc<str>,
    pub moves: Vec<PartMove>,
}

/// What one part does: it may stay where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct PartMove {
    pub part: usize,
    pub source: Arc<str>,
    pub target: Arc<str>,
    pub place: Option<Span>,
}

impl PartMove {
    /// Whether the part is elsewhere afterwards.
    pub fn is_change(&self) -> bool {
        self.source != self.target
    }
}

/// Local states that can no longer be, and why.
#[derive(Clone, Debug)]
pub struct Fallen {
    /// The states of the parts in question: the first few.
    pub states: Vec<Arc<str>>,
    /// How many there are.
    pub n_states: usize,
    /// While they were possible, the intruder was unsure.
    pub rival: bool,
    /// They are where the run may have begun, not where it may be.
    pub began: bool,
    /// They can show the label, but enter a secret state by it.
    pub enters_avoided: bool,
    /// The label is a number that was seen before: the same agent again.
    pub agent: Option<SameOrNew>,
    /// The parts that refuse.
    pub refusing: Vec<Refuser>,
    /// What could have come next instead.
    pub next: Vec<SignName>,
}

/// Whether a numbered label is of an agent who was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SameOrNew {
    Same,
    New,
}

/// A part that refuses what was seen.
#[derive(Clone, Debug)]
pub struct Refuser {
    /// The part.
    pub part: usize,
    /// Where it would be: the first few.
    pub states: Vec<Arc<str>>,
    /// How many such states there are.
    pub n_states: usize,
    /// The events that it lacks there: the first few.
    pub events: Vec<Arc<str>>,
    /// What it could do there, with what is seen of it: the first few.
    pub instead: Vec<(PartAct, SignName)>,
    /// Where the states are declared in which it can do nothing that is seen.
    pub places: Vec<Span>,
}

/// How many names of each kind a story keeps.
const KEPT: usize = 16;

/// How many local states of the parts in question it keeps for each step.
const POSSIBLE: usize = 1_000;

impl Story {
    /// The name of a part.
    pub fn part(&self, part: usize) -> &str {
        self.parts.get(part).map_or("", String::as_str)
    }
}

/// Names what the parts do.
pub(super) struct PartNames<'n, 'c, 'a, 'p> {
    pub(super) names: &'n mut Names<'a>,
    pub(super) composed: &'c Composed<'p>,
}

impl PartNames<'_, '_, '_, '_> {
    /// What the question is about.
    pub(super) fn subject(&mut self, witness: &Witness) -> Subject {
        let composed = self.composed;
        let keys: BTreeSet<Key> = witness.exposed.iter().map(|state| composed.key(state)).collect();
        let parts: Vec<&str> = composed.about.iter().map(|&part| composed.parts.name(part)).collect();
        let name = if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) };
        let exposed = keys.iter().take(POSSIBLE).map(|key| self.key(key)).collect();
        Subject { parts: composed.about.clone(), name, is_all: composed.is_about_all(), exposed }
    }

    /// The name of the local states of the parts in question.
    fn key(&mut self, key: &Key) -> Arc<str> {
        let composed = self.composed;
        let locals = composed.about.iter().zip(key);
        let names: Vec<Arc<str>> =
            locals.map(|(&part, &local)| self.names.local(composed.parts, part, local)).collect();
        match &names[..] {
            [alone] => Arc::clone(alone),
            _ => format!("({})", names.join(", ")).into(),
        }
    }

    /// A step: what is possible, what the parts did, what fell.
    pub(super) fn step(
        &mut self,
        possible: &StateSet,
        (acts, n_acts): (&[Act], usize),
        falls: &[Fall],
        (agent, began): (Option<SameOrNew>, bool),
        monitor: &mut Monitor<'_>,
    ) -> Result<PartStep, Stop> {
        let composed = self.composed;
        monitor.spend((possible.len() * composed.parts.n_parts()) as u64)?;
        let keys: BTreeSet<Key> = possible.iter().map(|state| composed.key(state)).collect();
        let lit = (0..composed.parts.n_parts()).map(|part| {
            let locals: BTreeSet<u32> = possible.iter().map(|state| composed.parts.local(state, part).0).collect();
            locals.into_iter().collect()
        });
        Ok(PartStep {
            n_possible: keys.len(),
            possible: keys.iter().take(POSSIBLE).map(|key| self.key(key)).collect(),
            lit: lit.collect(),
            acts: acts.iter().map(|act| self.act(act)).collect(),
            n_acts,
            fallen: falls.iter().map(|fall| self.fallen(fall, agent, began)).collect(),
        })
    }

    /// What the parts do.
    pub(super) fn act(&mut self, act: &Act) -> PartAct {
        let moves = act.moves.iter().map(|&(part, source, target)| self.one_move(part, source, act, target));
        let moves = moves.collect();
        PartAct { event: self.names.event(act.event), moves }
    }

    fn one_move(&mut self, part: usize, source: StateId, act: &Act, target: StateId) -> PartMove {
        let parts = self.composed.parts;
        let own = self.composed.own_event(part, act.event);
        PartMove {
            part,
            source: self.names.local(parts, part, source),
            target: self.names.local(parts, part, target),
            place: own.and_then(|own| parts.transition_place(part, source, own, target)),
        }
    }

    fn fallen(&mut self, fall: &Fall, agent: Option<SameOrNew>, began: bool) -> Fallen {
        Fallen {
            states: fall.classes.iter().take(KEPT).map(|key| self.key(key)).collect(),
            n_states: fall.classes.len(),
            rival: fall.rival,
            began,
            enters_avoided: fall.enters_avoided,
            agent,
            refusing: fall.refusing.iter().map(|refusing| self.refuser(refusing)).collect(),
            next: fall.next.iter().take(KEPT).map(|&sign: &Symbol| self.names.sign(sign)).collect(),
        }
    }

    fn refuser(&mut self, refusing: &Refusing) -> Refuser {
        let (part, parts) = (refusing.part, self.composed.parts);
        let mut instead = Vec::new();
        for &((_, source, event, target), sign) in refusing.instead.iter().take(KEPT) {
            let act = Act { event, moves: vec![(part, source, target)] };
            instead.push((self.act(&act), self.names.sign(sign)));
        }
        let able: BTreeSet<StateId> = refusing.instead.iter().map(|((_, source, ..), _)| *source).collect();
        let stuck = refusing.locals.difference(&able).take(KEPT);
        Refuser {
            part,
            states: refusing.locals.iter().take(KEPT).map(|&local| self.names.local(parts, part, local)).collect(),
            n_states: refusing.locals.len(),
            events: refusing.events.iter().take(KEPT).map(|&event| self.names.event(event)).collect(),
            instead,
            places: stuck.filter_map(|&local| parts.state_place(part, local)).collect(),
        }
    }
}
