//! Playing the intruder: an observation, sign by sign, to what it says about every instant of it.
//!
//! An [`Explorer`] is at an observation αβ of one view and asks for one [`Goal`]. It says which signs can come next, how many states
//! would remain after each and whether it exposes something; which states are possible now, and which were possible at every earlier
//! instant, given all that was seen since; and the shortest way on to an exposure ([`nearest`]). [`compare`] says what another
//! intruder may have seen of the same runs, [`scene`] puts all of it into names, part by part for a composed system.
//!
//! Runs are followed as in the definitions: a `Node` is a state and, under Pw, which agent has which number. A property that
//! says more than the state at one instant is explored on its derived automaton, where it is opacity. Cost: a sign costs what the
//! transitions of the estimate are, a look back |αβ| times that; under Pw there may be |Γ|! as many nodes. Every loop is charged.

mod runs;
pub mod compare;
pub mod nearest;
pub mod scene;

use crate::automaton::view::{Observer, Projection, Symbol, View};
use crate::automaton::{Automaton, EventId, StateId, StateSet};
use crate::model::{Check, Horizon, Property, Question};
use crate::resources::{Monitor, Stop};
use crate::verify::{ExposedSets, derive};
use runs::{Layer, Runs};
use std::sync::Arc;

/// What the intruder tries to learn, and how late they may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What must not be exposed.
    pub property: Property,
    /// How late they may learn it.
    pub horizon: Horizon,
}

impl Default for Goal {
    /// The state, at any instant.
    fn default() -> Goal {
        Goal { property: Property::Anonymity { among: 2, classes: None, except: None }, horizon: Horizon::Infinite }
    }
}

impl Goal {
    /// What a check asks; none: it asks for an estimate or a projection.
    pub fn of(check: &Check) -> Option<Goal> {
        match &check.question {
            Question::Property { property, horizon, .. } => {
                Some(Goal { property: property.clone(), horizon: *horizon })
            }
            Question::Estimate { .. } | Question::Projection { .. } | Question::Repair { .. } => None,
        }
    }
}

/// One sign that can come next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// What is seen.
    pub sign: Symbol,
    /// How many states would be possible then.
    pub remain: usize,
    /// The instants of which too much would be known then.
    pub exposes: Vec<usize>,
}

/// An intruder in the middle of an observation.
#[derive(Debug)]
pub struct Explorer<'a> {
    runs: Runs<'a>,
    /// The states of the automaton; a derived one has copies x + |X|.
    n_states: usize,
    exposed: ExposedSets,
    horizon: Horizon,
    observation: Vec<Symbol>,
    /// After each prefix, where a run that shows it may be.
    layers: Vec<Layer>,
}

impl<'a> Explorer<'a> {
    /// Before anything is seen.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn new(
        automaton: &Arc<Automaton>,
        observer: &'a Observer,
        projection: Projection,
        goal: &Goal,
        monitor: &mut Monitor<'_>,
    ) -> Result<Explorer<'a>, Stop> {
        let view = View { automaton, observer, projection };
        let n_states = automaton.n_states();
        let (followed, property) = match derive(&view, &goal.property, monitor)? {
            Some(derived) => (Arc::new(derived.automaton), derived.property),
            None => (Arc::clone(automaton), goal.property.clone()),
        };
        let exposed = ExposedSets::of(&property, followed.n_states());
        let mut runs = Runs::new(followed, observer, projection);
        let layers = vec![runs.start(monitor)?];
        Ok(Explorer { runs, n_states, exposed, horizon: goal.horizon, observation: Vec::new(), layers })
    }

    /// What was seen.
    pub fn observation(&self) -> &[Symbol] {
        &self.observation
    }

    /// Sees one more sign. False, and nothing changes: no run shows it here.
    ///
    /// # Errors
    /// When the resources are used up; nothing changes then.
    pub fn see(&mut self, sign: Symbol, monitor: &mut Monitor<'_>) -> Result<bool, Stop> {
        let now = &self.layers[self.observation.len()];
        let Some(layer) = self.runs.next(now, monitor)?.remove(&sign) else { return Ok(false) };
        self.layers.push(layer);
        self.observation.push(sign);
        Ok(true)
    }

    /// Forgets the last sign, if there is one.
    pub fn back(&mut self) {
        if self.observation.pop().is_some() {
            self.layers.pop();
        }
    }

    /// The states that are possible now.
    pub fn estimate(&self) -> StateSet {
        self.states(&self.layers[self.observation.len()])
    }

    /// For every instant, the states that were possible at it then.
    pub fn estimates(&self) -> Vec<StateSet> {
        self.layers.iter().map(|layer| self.states(layer)).collect()
    }

    /// For every instant, the states that were possible at it, given all that was seen.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn delayed(&mut self, monitor: &mut Monitor<'_>) -> Result<Vec<StateSet>, Stop> {
        let last = self.layers.last().cloned().unwrap_or_default();
        let alive = self.alive(last, 0, None, monitor)?;
        Ok(alive.iter().map(|layer| self.states(layer)).collect())
    }

    /// The instants of which the observation says too much.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn exposes(&mut self, monitor: &mut Monitor<'_>) -> Result<Vec<usize>, Stop> {
        let last = self.layers.last().cloned().unwrap_or_default();
        self.exposed_by(last, None, monitor)
    }

    /// The signs that can come next, in order.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn next(&mut self, monitor: &mut Monitor<'_>) -> Result<Vec<Next>, Stop> {
        let layers = self.runs.next(&self.layers[self.observation.len()], monitor)?;
        let mut signs = Vec::new();
        for (sign, layer) in layers {
            let remain = self.states(&layer).len();
            signs.push(Next { sign, remain, exposes: self.exposed_by(layer, Some(sign), monitor)? });
        }
        Ok(signs)
    }

    /// Some transitions that show a sign from the states that are possible now: source, event, target.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn showing(
        &mut self,
        sign: Symbol,
        most: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Vec<(StateId, EventId, StateId)>, Stop> {
        let mut found = Vec::new();
        for node in self.layers.last().cloned().unwrap_or_default() {
            for step in self.runs.steps(node.state) {
                monitor.spend(1)?;
                let shown = self.runs.shown(node, step, monitor)?;
                let transition = (self.own(node.state), step.event, self.own(step.target));
                if shown.is_some_and(|(shown, _)| shown == sign) && !found.contains(&transition) {
                    found.push(transition);
                }
                if found.len() == most {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// The instants that are exposed if the observation, with perhaps one more sign, ends in this layer.
    fn exposed_by(&mut self, last: Layer, sign: Option<Symbol>, monitor: &mut Monitor<'_>) -> Result<Vec<usize>, Stop> {
        let end = self.observation.len() + usize::from(sign.is_some());
        let first = match self.horizon {
            Horizon::Steps(most) => end.saturating_sub(usize::try_from(most).unwrap_or(usize::MAX)),
            Horizon::Exactly(_) | Horizon::Infinite | Horizon::Initial => 0,
        };
        let alive = self.alive(last, first, sign, monitor)?;
        let instants = alive.iter().zip(first..);
        let meant = instants.filter(|(_, at)| self.horizon != Horizon::Initial || *at == 0);
        Ok(meant.filter(|(layer, _)| self.exposed.exposes(&self.meant(layer))).map(|(_, at)| at).collect())
    }

    /// The states of a layer that count, in the automaton that is followed.
    fn meant(&self, layer: &Layer) -> StateSet {
        let initial = self.horizon == Horizon::Initial;
        let is_meant = |state: &StateId| !initial || self.runs.automaton().is_initial(*state);
        layer.iter().map(|node| node.state).filter(is_meant).collect()
    }

    /// From the instant `first` on, the nodes from which the rest of the observation can follow.
    fn alive(
        &mut self,
        last: Layer,
        first: usize,
        sign: Option<Symbol>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Vec<Layer>, Stop> {
        let signs: Vec<Symbol> = self.observation.iter().copied().chain(sign).collect();
        let mut alive = vec![last];
        for at in (first..signs.len()).rev() {
            let after = alive.last().map_or(&[][..], |layer| layer);
            let before = self.runs.leading(&self.layers[at], signs[at], after, monitor)?;
            alive.push(before);
        }
        alive.reverse();
        Ok(alive)
    }

    /// The states of the automaton itself.
    fn states(&self, layer: &Layer) -> StateSet {
        layer.iter().map(|node| self.own(node.state)).collect()
    }

    fn own(&self, state: StateId) -> StateId {
        StateId::from_index(state.index() % self.n_states.max(1))
    }
}
