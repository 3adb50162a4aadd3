//! The runs that may look like a given one while some levers are open, and what is known from them.
//!
//! The given run and a hypothesis are read side by side: an event of one that may be silent is passed over, and two that may look alike are
//! passed together. A hypothesis is a state, and under `weak` a bijection between the agents of both runs, as far as they are certain.
//! Whatever becomes of the open levers, every hypothesis of the run is among these, so the delayed estimate is a part of what is computed here;
//! and a part of an exposed estimate is exposed.
//!
//! Without open levers this is the delayed estimate itself, computed in another way than by the replay of witnesses.

use super::goal::Goal;
use super::looks::{Actor, Looks};
use crate::automaton::{Automaton, EventId, StateId, StateSet};
use crate::model::{Horizon, Property};
use crate::resources::{Monitor, Stop};
use crate::verdict::Run;
use crate::verify::ExposedSets;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many hypotheses are followed at most.
const HYPOTHESES: usize = 1 << 18;

/// A hypothesis: where it is, and who acts as whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Node {
    state: StateId,
    pairs: u32,
}

/// Two agents whom a member of the observer takes for one; none: one of the run who does not come again.
type Pair = (u32, Option<Actor>, Actor);

type Layer = FxHashSet<Node>;

/// A run that exposed something, and what may look like it.
pub(super) struct Alike<'a> {
    automaton: &'a Automaton,
    goal: &'a Goal<'a>,
    looks: &'a Looks,
    events: &'a [EventId],
    /// How many events belong to α.
    before: usize,
    /// The last event of each agent.
    last: FxHashMap<(u32, Actor), usize>,
    pairs: Vec<Vec<Pair>>,
    numbers: FxHashMap<Vec<Pair>, u32>,
    followed: usize,
}

/// The hypotheses that count.
#[derive(Clone, Copy)]
struct Meant<'s> {
    /// The states that they may not start in.
    not_from: Option<&'s StateSet>,
    /// The states that they avoid from a position on.
    avoids: Option<(usize, &'s StateSet)>,
}

const ALL: Meant<'_> = Meant { not_from: None, avoids: None };

impl<'a> Alike<'a> {
    /// What may look like a run of which `before` events belong to α. None: the run itself may be impossible.
    pub fn new(
        automaton: &'a Automaton,
        goal: &'a Goal<'a>,
        looks: &'a Looks,
        (run, before): (&'a Run, usize),
    ) -> Option<Alike<'a>> {
        let before = if goal.horizon == Horizon::Initial { 0 } else { before };
        let events = &run.events[..length(looks, goal, run, before)?];
        let mut last = FxHashMap::default();
        for (at, &event) in events.iter().enumerate() {
            last.extend(looks.actors_of(event).map(|known| (known, at)));
        }
        let (pairs, numbers) = (vec![Vec::new()], FxHashMap::from_iter([(Vec::new(), 0)]));
        Some(Alike { automaton, goal, looks, events, before, last, pairs, numbers, followed: 0 })
    }

    /// Whether the run exposes the goal, whatever becomes of the open levers. No: that is not certain.
    pub fn exposes(mut self, monitor: &mut Monitor<'_>) -> Result<bool, Stop> {
        let exposes = match self.goal.property {
            Property::Anonymity { .. } | Property::Opacity { .. } => {
                let sets = ExposedSets::of(self.goal.property, self.automaton.n_states());
                self.estimate(ALL, monitor)?.is_some_and(|estimate| sets.exposes(&estimate))
            }
            Property::Throughout { secret } => {
                let shown = self.events[..self.before].iter().rposition(|&event| self.looks.may_show(event));
                let avoids = Some((shown.map_or(0, |at| at + 1), secret));
                self.layers(Meant { avoids, ..ALL }, monitor)?
                    .is_some_and(|layers| layers.last().is_some_and(Layer::is_empty))
            }
            Property::InitialFinal { from, to } => {
                let others = self.estimate(Meant { not_from: Some(from), ..ALL }, monitor)?;
                others.is_some_and(|others| others.is_empty())
                    && self.estimate(ALL, monitor)?.is_some_and(|all| all.iter().all(|state| to.contains(state)))
            }
            Property::OfParts(_) => false,
        };
        Ok(exposes)
    }

    /// The states that hypotheses may be in at α; none: there are too many to follow.
    fn estimate(&mut self, meant: Meant<'_>, monitor: &mut Monitor<'_>) -> Result<Option<StateSet>, Stop> {
        let Some(mut layers) = self.layers(meant, monitor)? else { return Ok(None) };
        let mut live = layers.pop().unwrap_or_default();
        for at in (self.before..self.events.len()).rev() {
            let layer = layers.pop().unwrap_or_default();
            live = self.leading(&layer, at, &live, monitor)?;
        }
        let is_meant = |state: &StateId| self.goal.horizon != Horizon::Initial || self.automaton.is_initial(*state);
        Ok(Some(live.iter().map(|node| node.state).filter(is_meant).collect()))
    }

    /// The hypotheses before each event of the run, and after the last.
    fn layers(&mut self, meant: Meant<'_>, monitor: &mut Monitor<'_>) -> Result<Option<Vec<Layer>>, Stop> {
        let starts = self.automaton.initial().iter().copied();
        let starts = starts.filter(|&state| !meant.not_from.is_some_and(|set| set.contains(state)));
        let start = starts.map(|state| Node { state, pairs: 0 }).collect();
        let mut layers = vec![self.with_silent(start, 0, meant, monitor)?];
        for at in 0..self.events.len() {
            let mut next = Layer::default();
            for &node in &layers[at] {
                next.extend(self.passing(node, at, monitor)?);
            }
            let next = self.with_silent(next, at + 1, meant, monitor)?;
            self.followed += next.len();
            if self.followed > HYPOTHESES {
                return Ok(None);
            }
            layers.push(next);
        }
        Ok(Some(layers))
    }

    /// Where a hypothesis may be once the run has passed an event.
    fn passing(&mut self, node: Node, at: usize, monitor: &mut Monitor<'_>) -> Result<Vec<Node>, Stop> {
        let (event, automaton) = (self.events[at], self.automaton);
        monitor.spend(1 + automaton.steps(node.state).len() as u64)?;
        let mut passed: Vec<Node> = self.looks.may_be_silent(event).then_some(node).into_iter().collect();
        for step in automaton.steps(node.state) {
            if self.looks.may_look_alike(event, step.event) && !self.looks.is_gone(step.event) {
                let pairs = self.paired(node.pairs, at, step.event);
                passed.extend(pairs.map(|pairs| Node { state: step.target, pairs }));
            }
        }
        Ok(passed)
    }

    /// Adds what silent events of hypotheses lead to, without what they avoid.
    fn with_silent(
        &self,
        mut layer: Layer,
        at: usize,
        meant: Meant<'_>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Layer, Stop> {
        let may_visit =
            |state: StateId| !meant.avoids.is_some_and(|(from, avoided)| at >= from && avoided.contains(state));
        layer.retain(|node| may_visit(node.state));
        let mut open: Vec<Node> = layer.iter().copied().collect();
        while let Some(node) = open.pop() {
            for next in self.silently(node, monitor)? {
                if may_visit(next.state) && layer.insert(next) {
                    open.push(next);
                }
            }
        }
        Ok(layer)
    }

    fn silently(
        &self,
        node: Node,
        monitor: &mut Monitor<'_>,
    ) -> Result<impl Iterator<Item = Node> + use<'_, 'a>, Stop> {
        let steps = self.automaton.steps(node.state);
        monitor.spend(1 + steps.len() as u64)?;
        let silent =
            steps.iter().filter(|step| self.looks.may_be_silent(step.event) && !self.looks.is_gone(step.event));
        Ok(silent.map(move |step| Node { state: step.target, ..node }))
    }

    /// The hypotheses of a layer that lead past an event to live ones.
    fn leading(&mut self, layer: &Layer, at: usize, live: &Layer, monitor: &mut Monitor<'_>) -> Result<Layer, Stop> {
        let mut leads = Layer::default();
        let mut sources: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        for &node in layer {
            if self.passing(node, at, monitor)?.iter().any(|next| live.contains(next)) {
                leads.insert(node);
            }
            for next in self.silently(node, monitor)? {
                sources.entry(next).or_default().push(node);
            }
        }
        let mut open: Vec<Node> = leads.iter().copied().collect();
        while let Some(node) = open.pop() {
            let earlier = sources.remove(&node).unwrap_or_default();
            open.extend(earlier.into_iter().filter(|&earlier| leads.insert(earlier)));
        }
        Ok(leads)
    }

    /// The bijection after an event of the run and one of the hypothesis were passed together; none: it would be no bijection.
    fn paired(&mut self, pairs: u32, at: usize, other: EventId) -> Option<u32> {
        let looks = self.looks;
        let mut known: Option<Vec<Pair>> = None;
        for (member, one, other) in looks.actors(self.events[at], other) {
            let known = known.get_or_insert_with(|| self.pairs[pairs as usize].clone());
            let of_run = known.iter().position(|pair| pair.0 == member && pair.1 == Some(one));
            let of_other = known.iter().position(|pair| pair.0 == member && pair.2 == other);
            if of_run != of_other {
                return None;
            }
            if let Some(place) = of_run {
                known.remove(place);
            }
            let comes_again = self.last.get(&(member, one)).is_some_and(|&last| last > at);
            known.push((member, comes_again.then_some(one), other));
        }
        let Some(mut known) = known else { return Some(pairs) };
        known.sort_unstable();
        let next = self.pairs.len() as u32;
        let number = *self.numbers.entry(known.clone()).or_insert(next);
        if number == next {
            self.pairs.push(known);
        }
        Some(number)
    }
}

/// How much of a run counts: as far as it is certain, and as late as the horizon allows. None: not even α is certain.
fn length(looks: &Looks, goal: &Goal<'_>, run: &Run, before: usize) -> Option<usize> {
    let most = match goal.horizon {
        Horizon::Steps(steps) | Horizon::Exactly(steps) => steps,
        Horizon::Infinite | Horizon::Initial => u64::MAX,
    };
    let certain = run.events.iter().take_while(|&&event| !looks.may_be_gone(event)).count();
    let mut shown = 0;
    let fits = |event: &&EventId| {
        shown += u64::from(looks.may_show(**event));
        shown <= most
    };
    let later = run.events.get(before..certain)?;
    Some(before + later.iter().take_while(fits).count())
}
