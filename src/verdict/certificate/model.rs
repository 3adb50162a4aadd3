//! From a view and a property to the checker's own model: its graph, its successor function, sets as sorted vectors.
//!
//! *Labels* are numbers: 0 is ε; 1 + e is the event e, visible as itself; 1 + |Σ| + g is the label of group g under Pstr. Under
//! Pw an anonymous event keeps a label of its own and is *anonymous*: what it shows depends on the history. There, events with
//! the same group and the same agent have one label, that of the first of them, and an *agent* is denoted by the label of the
//! first of its events. Without named agents an anonymous event, its label and its agent are the same.
//!
//! An [`Actual`] state is a state of the run, with the agents that it has used and may use again. A [`Hypothesis`] is a run that
//! showed the same: its state, the agent that it used in place of each of those (`DEAD`: one that it can never reach again), and
//! further agents that it has used and must not use as new ones. In a model without anonymous labels there is no history: an
//! actual state and a hypothesis are just states.
//!
//! The states are those of the automaton, or derived from them if the property is about more than one instant
//! ([`derivation`](super::derivation)).

use super::derivation::{Derivation, Exposed};
use super::labels::{LabelKind, Labels, labels};
use crate::automaton::view::View;
use crate::model::Property;
use crate::resources::{Monitor, Stop};
use std::cell::RefCell;

/// The label of a move that shows nothing.
pub(crate) const EPSILON: u32 = 0;

/// In place of an agent that a hypothesis can never reach again.
pub(crate) const DEAD: u32 = 0;

/// The actual state of the run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Actual {
    /// The state x.
    pub state: u32,
    /// U: the agents that the run has used and x can still reach; sorted.
    pub used: Vec<u32>,
}

/// A run that is consistent with the observation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hypothesis {
    /// The state y.
    pub state: u32,
    /// π: for each agent of U, the agent that this run used in its place.
    pub images: Vec<u32>,
    /// F: other agents that this run has used and y can still reach; sorted.
    pub spent: Vec<u32>,
}

/// A view and a property, as plain tables.
#[derive(Debug)]
pub(crate) struct CheckerModel {
    initial: Vec<u32>,
    rows: Vec<u32>,
    /// (label, target), sorted in each row.
    moves: Vec<(u32, u32)>,
    kinds: Vec<LabelKind>,
    /// The agent of each label; of a label that is not anonymous, the label itself.
    agents: Vec<u32>,
    /// The label of each event.
    labels: Vec<u32>,
    /// The agents with anonymous labels that each state can still reach, sorted; empty if there is no history.
    reach: Vec<Vec<u32>>,
    classes: Vec<u32>,
    max_classes: usize,
    /// The classes that are in no exposed set, sorted.
    safe_classes: Vec<u32>,
    /// For each state whether a run from it can reach one that lies in an exposed set; empty: every state can.
    threatened: Vec<bool>,
    /// Which states were visited; none between calls.
    visited: RefCell<Vec<bool>>,
}

/// Pays for tables of so many states and moves.
fn pay(states: usize, moves: usize, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
    let of_state = size_of::<Vec<u32>>() + 4 * size_of::<u32>();
    monitor.hold((states * of_state + moves * 2 * size_of::<(u32, u32)>()) as u64)?;
    monitor.spend((states + moves) as u64)
}

/// No state visited, of those that have rows.
fn unvisited(rows: &[u32]) -> RefCell<Vec<bool>> {
    RefCell::new(vec![false; rows.len() - 1])
}

impl CheckerModel {
    /// The model of a view and a property.
    pub(crate) fn new(view: &View<'_>, property: &Property, monitor: &mut Monitor<'_>) -> Result<CheckerModel, Stop> {
        let derivation = Derivation::new(view, property);
        pay(derivation.n_states(), derivation.n_moves(), monitor)?;
        let Labels { labels, kinds, agents } = labels(view);
        let mut rows = vec![0u32];
        let mut moves: Vec<(u32, u32)> = Vec::with_capacity(derivation.n_moves());
        for state in 0..derivation.n_states() as u32 {
            let from = moves.len();
            moves.extend(derivation.moves(state, &labels));
            moves[from..].sort_unstable();
            let mut kept = from;
            for at in from..moves.len() {
                if at == from || moves[at] != moves[at - 1] {
                    moves[kept] = moves[at];
                    kept += 1;
                }
            }
            moves.truncate(kept);
            rows.push(moves.len() as u32);
        }
        let reach = if kinds.iter().any(|kind| matches!(kind, LabelKind::Anonymous(_))) {
            reach(&rows, &moves, (&kinds, &agents), monitor)?
        } else {
            Vec::new()
        };
        let Exposed { classes, max_classes, safe } = derivation.exposed();
        Ok(CheckerModel {
            visited: unvisited(&rows),
            initial: derivation.initial(),
            rows,
            moves,
            kinds,
            agents,
            labels,
            reach,
            classes,
            max_classes,
            safe_classes: safe,
            threatened: Vec::new(),
        })
    }

    /// Puts these states into no exposed set.
    pub(super) fn make_safe(&mut self, safe: &[bool]) {
        let none = self.classes.iter().max().map_or(0, |last| last + 1);
        self.classes.iter_mut().zip(safe).filter(|(_, safe)| **safe).for_each(|(class, _)| *class = none);
        self.safe_classes.push(none);
    }

    /// Finds the states from which nothing is ever exposed, backward from those that can be exposed.
    pub(super) fn find_threatened(&mut self, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        if self.safe_classes.is_empty() {
            return Ok(());
        }
        pay(self.n_states(), self.moves.len(), monitor)?;
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); self.n_states()];
        for state in 0..self.n_states() as u32 {
            self.moves(state).iter().for_each(|&(_, target)| predecessors[target as usize].push(state));
        }
        let mut pending: Vec<u32> = (0..self.n_states() as u32).filter(|&state| self.can_be_exposed(state)).collect();
        self.threatened = vec![false; self.n_states()];
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut self.threatened[state as usize], true) {
                pending.extend(&predecessors[state as usize]);
            }
        }
        Ok(())
    }

    /// Whether a run from a state can reach one that lies in an exposed set.
    pub(crate) fn is_threatened(&self, state: u32) -> bool {
        self.threatened.get(state as usize).is_none_or(|&threatened| threatened)
    }

    /// The same view of other states, given the initial ones, the sorted moves of each, and their classes.
    pub(super) fn with_states(
        &self,
        initial: Vec<u32>,
        of: Vec<Vec<(u32, u32)>>,
        classes: Vec<u32>,
        monitor: &mut Monitor<'_>,
    ) -> Result<CheckerModel, Stop> {
        pay(of.len(), self.moves.len(), monitor)?;
        let mut rows = vec![0u32];
        let mut moves = Vec::new();
        for row in of {
            moves.extend(row);
            rows.push(moves.len() as u32);
        }
        let reach =
            if self.has_history() { reach(&rows, &moves, (&self.kinds, &self.agents), monitor)? } else { Vec::new() };
        let (kinds, agents, labels) = (self.kinds.clone(), self.agents.clone(), self.labels.clone());
        Ok(CheckerModel {
            visited: unvisited(&rows),
            initial,
            rows,
            moves,
            kinds,
            agents,
            labels,
            reach,
            classes,
            max_classes: self.max_classes,
            safe_classes: self.safe_classes.clone(),
            threatened: Vec::new(),
        })
    }

    /// The reversed model; only without history.
    pub(crate) fn reversed(&self, monitor: &mut Monitor<'_>) -> Result<CheckerModel, Stop> {
        let n = self.n_states();
        pay(n, self.moves.len(), monitor)?;
        let mut into: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
        for state in 0..n as u32 {
            for &(label, target) in self.moves(state) {
                into[target as usize].push((label, state));
            }
        }
        into.iter_mut().for_each(|row| row.sort_unstable());
        self.with_states((0..n as u32).collect(), into, self.classes.clone(), monitor)
    }

    pub(crate) fn n_states(&self) -> usize {
        self.rows.len() - 1
    }

    /// X0.
    pub(crate) fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// Whether some labels are anonymous, so that actual states and hypotheses have a history.
    pub(crate) fn has_history(&self) -> bool {
        !self.reach.is_empty()
    }

    /// The moves of a state: (label, target).
    pub(crate) fn moves(&self, state: u32) -> &[(u32, u32)] {
        &self.moves[self.rows[state as usize] as usize..self.rows[state as usize + 1] as usize]
    }

    /// The kind of a label; none for a number that is no label.
    pub(crate) fn kind(&self, label: u32) -> Option<LabelKind> {
        self.kinds.get(label as usize).copied()
    }

    /// The agent of a label.
    pub(crate) fn agent(&self, label: u32) -> u32 {
        self.agents[label as usize]
    }

    /// The label of an event.
    pub(crate) fn label(&self, event: u32) -> Option<u32> {
        self.labels.get(event as usize).copied()
    }

    /// How many labels there are.
    pub(crate) fn n_labels(&self) -> usize {
        self.kinds.len()
    }

    /// The agents that a state can still reach.
    pub(crate) fn reach(&self, state: u32) -> &[u32] {
        self.reach.get(state as usize).map_or(&[], |reach| reach)
    }

    /// The class of a state.
    pub(crate) fn class(&self, state: u32) -> u32 {
        self.classes[state as usize]
    }

    /// The class of a state, if it lies in some exposed set.
    pub(super) fn exposable_class(&self, state: u32) -> Option<u32> {
        self.can_be_exposed(state).then(|| self.class(state))
    }

    /// How many moves there are.
    pub(super) fn n_moves(&self) -> usize {
        self.moves.len()
    }

    /// The most classes of one exposed set.
    pub(crate) fn max_classes(&self) -> usize {
        self.max_classes
    }

    /// Whether a state lies in some exposed set.
    pub(crate) fn can_be_exposed(&self, state: u32) -> bool {
        self.is_exposable(self.class(state))
    }

    /// Whether a class lies in some exposed set.
    pub(crate) fn is_exposable(&self, class: u32) -> bool {
        self.safe_classes.binary_search(&class).is_err()
    }

    /// Whether these states, at least one, lie inside an exposed set.
    pub(crate) fn is_exposed(&self, states: impl IntoIterator<Item = u32>) -> bool {
        let mut classes: Vec<u32> = Vec::new();
        for state in states {
            if !self.can_be_exposed(state) {
                return false;
            }
            let class = self.class(state);
            if !classes.contains(&class) {
                classes.push(class);
            }
            if classes.len() > self.max_classes {
                return false;
            }
        }
        true
    }

    /// UR: the states with those they reach silently, sorted.
    pub(crate) fn close(&self, states: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut all = Vec::new();
        self.close_into(states, &mut all);
        all
    }

    /// The same, into an empty list.
    fn close_into(&self, states: impl IntoIterator<Item = u32>, all: &mut Vec<u32>) {
        let mut visited = self.visited.borrow_mut();
        let mut is_new = |state: &u32| !std::mem::replace(&mut visited[*state as usize], true);
        all.extend(states.into_iter().filter(&mut is_new));
        let mut at = 0;
        while at < all.len() {
            let silent = self.moves(all[at]).iter().take_while(|step| step.0 == EPSILON).map(|step| step.1);
            all.extend(silent.filter(&mut is_new));
            at += 1;
        }
        all.iter().for_each(|&state| visited[state as usize] = false);
        all.sort_unstable();
    }

    /// UR(δ(S, l)), for a visible label.
    pub(crate) fn post(&self, states: &[u32], label: u32) -> Vec<u32> {
        self.close(states.iter().flat_map(|&state| self.successors(state, label)))
    }

    /// The successors of a state with silent moves before and after the label, into an empty list.
    pub(crate) fn weak_successors(&self, state: u32, label: u32, all: &mut Vec<u32>) {
        match label {
            EPSILON => self.close_into([state], all),
            _ if self.successors(state, EPSILON).next().is_none() => {
                self.close_into(self.successors(state, label), all)
            }
            _ => {
                let before = self.close([state]);
                self.close_into(before.iter().flat_map(|&state| self.successors(state, label)), all);
            }
        }
    }

    /// The successors of a state under a label, without silent moves.
    pub(super) fn successors(&self, state: u32, label: u32) -> impl Iterator<Item = u32> + '_ {
        let row = self.moves(state);
        let from = row.partition_point(|step| step.0 < label);
        row[from..].iter().take_while(move |step| step.0 == label).map(|step| step.1)
    }

    /// Whether there is a move.
    pub(crate) fn has_move(&self, state: u32, label: u32, target: u32) -> bool {
        self.moves(state).binary_search(&(label, target)).is_ok()
    }

    /// U after a label that led to a state.
    pub(crate) fn used_after(&self, used: &[u32], label: u32, target: u32) -> Vec<u32> {
        let hidden = matches!(self.kind(label), Some(LabelKind::Anonymous(_)));
        let agent = self.agent(label);
        let new = Some(agent).filter(|agent| hidden && used.binary_search(agent).is_err());
        let reach = self.reach(target);
        let mut after: Vec<u32> =
            used.iter().copied().chain(new).filter(|agent| reach.binary_search(agent).is_ok()).collect();
        after.sort_unstable();
        after
    }

    /// The hypothesis that is identical to the actual run.
    pub(crate) fn identity(&self, actual: &Actual) -> Hypothesis {
        Hypothesis { state: actual.state, images: actual.used.clone(), spent: Vec::new() }
    }

    /// Whether a hypothesis has used ρ(a) for each a of U, and none that ρ will still ask for.
    pub(crate) fn agrees(&self, actual: &Actual, hypothesis: &Hypothesis, rho: &[u32]) -> bool {
        let image = |agent: &u32| self.agent(rho[*agent as usize]);
        let ahead = self.reach(actual.state).iter().filter(|agent| actual.used.binary_search(agent).is_err());
        hypothesis.images.len() == actual.used.len()
            && actual.used.iter().zip(&hypothesis.images).all(|(agent, own)| image(agent) == *own)
            && ahead.map(image).all(|own| hypothesis.spent.binary_search(&own).is_err())
    }
}

/// The agents that each state can reach: backward from the states that can do one of their labels, agent after agent.
fn reach(
    rows: &[u32],
    moves: &[(u32, u32)],
    (kinds, agents): (&[LabelKind], &[u32]),
    monitor: &mut Monitor<'_>,
) -> Result<Vec<Vec<u32>>, Stop> {
    let n = rows.len() - 1;
    pay(n, moves.len(), monitor)?;
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut enabled: Vec<Vec<u32>> = vec![Vec::new(); kinds.len()];
    for state in 0..n {
        for &(label, target) in &moves[rows[state] as usize..rows[state + 1] as usize] {
            predecessors[target as usize].push(state as u32);
            if let LabelKind::Anonymous(_) = kinds[label as usize] {
                enabled[agents[label as usize] as usize].push(state as u32);
            }
        }
    }
    let mut reach: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (agent, mut worklist) in (0u32..).zip(enabled) {
        while let Some(state) = worklist.pop() {
            let agents = &mut reach[state as usize];
            if agents.last() != Some(&agent) {
                // WHY twice: a list that grows may take twice what it holds.
                monitor.hold(2 * size_of::<u32>() as u64)?;
                monitor.spend(1 + predecessors[state as usize].len() as u64)?;
                agents.push(agent);
                worklist.extend(&predecessors[state as usize]);
            }
        }
    }
    Ok(reach)
}
