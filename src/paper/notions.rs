//! Properties that say more than the state at one instant, decided from their definitions.
//!
//! The paper's method has two phases: follow the estimate; at some instant keep only the runs that would leave the intruder
//! unsure, and follow those. Here both phases follow *hypotheses*, plain sets of them, and a [`Notion`] says what a hypothesis is
//! and which ones leave the intruder unsure:
//!
//! - *throughout*: a hypothesis is a node. Kept are the nodes that the last label *entered* and that are not secret, with what
//!   silent moves reach from them among the nodes that are not secret; later moves stay among those.
//! - *initial-final*: a hypothesis is the initial state of a run and its node now (the pairs of the trellis). Kept are those that
//!   did not begin in the one set or are not in the other.
//!
//! A run whose kept set becomes empty is exposed; the least number of labels after the instant is the distance. Cost: as the
//! paper's composition, |X| · 2^|X| pairs, with |X0| · |X| for |X| in the second case.

use super::Budget;
use super::plant::{Move, NodeId, Plant};
use crate::automaton::view::{Symbol, View};
use crate::automaton::{EventId, StateId, StateSet};
use crate::resources::Stop;
use crate::verdict::Run;
use std::collections::{BTreeSet, VecDeque};

/// A hypothesis: the initial state of a run, where the notion remembers it, and its node.
type Hypothesis = (Option<StateId>, NodeId);

/// Hypotheses, sorted.
type Set = BTreeSet<Hypothesis>;

/// What must not be certain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Notion<'a> {
    /// That a secret state was visited since the instant.
    Throughout(&'a StateSet),
    /// That the run began in the one set and was in the other.
    InitialFinal(&'a StateSet, &'a StateSet),
}

/// A hypothesis that is the real run, and the hypotheses that were kept.
type Pair = (Hypothesis, Set);

/// How a pair was reached: from a pair by an event, or at this instant.
#[derive(Clone, Debug)]
enum Origin {
    Instant(usize),
    Pair(usize, EventId),
}

/// What was explored.
#[derive(Debug)]
pub(super) struct Explored {
    pub(super) plant: Plant,
    /// Estimates: what the last label entered, and the estimate and label before.
    entered: Vec<(Set, Option<(usize, Symbol)>)>,
    pairs: Vec<(Pair, Origin)>,
    /// The first pair whose kept set is empty.
    pub(super) exposed: Option<usize>,
    /// |β| of the layer that is explored, and in the end of the last layer.
    pub(super) layer: u64,
    /// Why it is not all there, if it is not.
    pub(super) stopped: Option<Stop>,
}

impl Explored {
    /// Explores estimates, then pairs in layers, up to the first exposure. With `at_start` the only instant is the start. Where
    /// the budget runs out it is a part of the whole; the layers before the last one are complete.
    pub(super) fn new(
        view: View<'_>,
        notion: Notion<'_>,
        at_start: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Explored, Stop> {
        let plant = Plant::new(view, budget)?;
        let mut explored =
            Explored { plant, entered: Vec::new(), pairs: Vec::new(), exposed: None, layer: 0, stopped: None };
        explored.stopped = explored.explore(notion, at_start, budget).err();
        Ok(explored)
    }

    /// How many pairs, and how many estimates.
    pub(super) fn size(&self) -> (u64, u64) {
        (self.pairs.len() as u64, self.entered.len() as u64)
    }
}

impl Explored {
    fn explore(&mut self, notion: Notion<'_>, at_start: bool, budget: &mut Budget<'_>) -> Result<(), Stop> {
        self.explore_estimates(notion, at_start, budget)?;
        let mut known: BTreeSet<Pair> = BTreeSet::new();
        let mut layer: VecDeque<usize> = VecDeque::new();
        for at in 0..self.entered.len() {
            let estimate = reach(&self.plant, self.entered[at].0.clone(), |_| true);
            let kept = notion.kept(&self.plant, &self.entered[at].0, &estimate);
            for run in estimate {
                if notion.is_meant(&self.plant, run) {
                    layer.extend(self.add(&mut known, (run, kept.clone()), Origin::Instant(at), budget)?);
                }
            }
        }
        while !layer.is_empty() && self.exposed.is_none() {
            layer = self.explore_layer(notion, layer, &mut known, budget)?;
            self.layer += u64::from(!layer.is_empty());
        }
        Ok(())
    }

    fn explore_estimates(&mut self, notion: Notion<'_>, at_start: bool, budget: &mut Budget<'_>) -> Result<(), Stop> {
        let plant = &self.plant;
        let start: Set = plant.initial().iter().map(|&node| (notion.remembered(plant, node), node)).collect();
        let mut known: BTreeSet<Set> = BTreeSet::from([start.clone()]);
        self.entered.push((start, None));
        let mut at = 0;
        while at < self.entered.len() && !at_start {
            let estimate = reach(plant, self.entered[at].0.clone(), |_| true);
            for &sign in plant.alphabet() {
                let next = entered(plant, &estimate, sign);
                if !next.is_empty() && known.insert(next.clone()) {
                    budget.pay(160 + 2 * size_of::<Hypothesis>() * next.len())?;
                    self.entered.push((next, Some((at, sign))));
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Explores what silent moves and then one label reach from a layer; the next layer.
    fn explore_layer(
        &mut self,
        notion: Notion<'_>,
        mut layer: VecDeque<usize>,
        known: &mut BTreeSet<Pair>,
        budget: &mut Budget<'_>,
    ) -> Result<VecDeque<usize>, Stop> {
        let mut later: Vec<(Pair, Origin)> = Vec::new();
        while let Some(at) = layer.pop_front() {
            let (run, kept) = self.pairs[at].0.clone();
            if kept.is_empty() {
                self.exposed = Some(at);
                return Ok(VecDeque::new());
            }
            for Move { event, sign, target } in self.plant.moves(run.1).to_vec() {
                let (target, origin) = ((run.0, target), Origin::Pair(at, event));
                match sign {
                    None => layer.extend(self.add(known, (target, kept.clone()), origin, budget)?),
                    Some(sign) => {
                        budget.work(1 + kept.len() as u64)?;
                        let shown = entered(&self.plant, &kept, sign);
                        let kept = reach(&self.plant, shown, |node| notion.may_visit(&self.plant, node));
                        later.push(((target, kept), origin));
                    }
                }
            }
        }
        let mut next = VecDeque::new();
        for (pair, origin) in later {
            next.extend(self.add(known, pair, origin, budget)?);
        }
        Ok(next)
    }

    /// Adds a pair; its index if it is new.
    fn add(
        &mut self,
        known: &mut BTreeSet<Pair>,
        pair: Pair,
        origin: Origin,
        budget: &mut Budget<'_>,
    ) -> Result<Option<usize>, Stop> {
        if !known.insert(pair.clone()) {
            return Ok(None);
        }
        budget.pay(160 + 2 * size_of::<Hypothesis>() * pair.1.len())?;
        self.pairs.push((pair, origin));
        Ok(Some(self.pairs.len() - 1))
    }
}

impl Notion<'_> {
    /// What a hypothesis that starts in a node remembers.
    fn remembered(self, plant: &Plant, node: NodeId) -> Option<StateId> {
        matches!(self, Notion::InitialFinal(..)).then(|| plant.state(node))
    }

    /// Whether what must not be certain may be so of a real run at an instant.
    fn is_meant(self, plant: &Plant, (began, node): Hypothesis) -> bool {
        match self {
            Notion::Throughout(_) => true,
            Notion::InitialFinal(from, to) => {
                began.is_some_and(|began| from.contains(began)) && to.contains(plant.state(node))
            }
        }
    }

    /// Whether a kept hypothesis may visit a node.
    fn may_visit(self, plant: &Plant, node: NodeId) -> bool {
        match self {
            Notion::Throughout(secret) => !secret.contains(plant.state(node)),
            Notion::InitialFinal(..) => true,
        }
    }

    /// The hypotheses that leave the intruder unsure at an instant, by what its last label entered and by its estimate.
    fn kept(self, plant: &Plant, entered: &Set, estimate: &Set) -> Set {
        let kept = match self {
            Notion::Throughout(_) => entered.clone(),
            Notion::InitialFinal(..) => estimate.iter().copied().filter(|&run| !self.is_meant(plant, run)).collect(),
        };
        reach(plant, kept, |node| self.may_visit(plant, node))
    }
}

/// The hypotheses of a set whose nodes may be visited, and what silent moves reach from them through such nodes.
fn reach(plant: &Plant, set: Set, may_visit: impl Fn(NodeId) -> bool) -> Set {
    let mut reached: Set = set.into_iter().filter(|run| may_visit(run.1)).collect();
    let mut open: Vec<Hypothesis> = reached.iter().copied().collect();
    while let Some((began, node)) = open.pop() {
        for step in plant.moves(node).iter().filter(|step| step.sign.is_none() && may_visit(step.target)) {
            if reached.insert((began, step.target)) {
                open.push((began, step.target));
            }
        }
    }
    reached
}

/// What one label enters from a set, before any silent move.
fn entered(plant: &Plant, set: &Set, sign: Symbol) -> Set {
    let moves = |&(began, node): &Hypothesis| {
        let shown = plant.moves(node).iter().filter(move |step| step.sign == Some(sign));
        shown.map(move |step| (began, step.target))
    };
    set.iter().flat_map(moves).collect()
}

/// α and the run of an exposure, with how many of its events come before the instant.
pub(super) struct Traced {
    pub(super) alpha: Vec<Symbol>,
    /// The real run at the instant: where it began, if that is remembered, and where it is.
    pub(super) instant: (Option<StateId>, NodeId),
    /// The run from there.
    pub(super) after: Run,
}

impl Explored {
    /// The exposure that was found.
    pub(super) fn traced(&self) -> Option<Traced> {
        let mut at = self.exposed?;
        let (mut states, mut events) = (Vec::new(), Vec::new());
        loop {
            let ((run, _), origin) = &self.pairs[at];
            states.push(self.plant.state(run.1));
            match *origin {
                Origin::Pair(before, event) => {
                    events.push(event);
                    at = before;
                }
                Origin::Instant(instant) => {
                    states.reverse();
                    events.reverse();
                    let after = Run { states, events };
                    return Some(Traced { alpha: self.alpha(instant), instant: *run, after });
                }
            }
        }
    }

    fn alpha(&self, mut at: usize) -> Vec<Symbol> {
        let mut alpha = Vec::new();
        while let Some((before, sign)) = self.entered[at].1 {
            alpha.push(sign);
            at = before;
        }
        alpha.reverse();
        alpha
    }
}
