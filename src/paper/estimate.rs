//! Estimates and delayed estimates, from their definition.
//!
//! The estimate after α holds the states that some run showing α may be in. The delayed estimate at α given αβ
//! (definition 2.1, and the same under Pstr and Pw) keeps those of them from which some run shows β. Computed forwards
//! over α and backwards over β, on nodes that are made when they are met: Ĝ is never built. For a string of n signs, m nodes and
//! t transitions between them: n · t · log m steps.

use super::Budget;
use super::plant::{Node, start, steps};
use crate::automaton::StateSet;
use crate::automaton::view::{Symbol, View};
use crate::resources::Stop;
use crate::resources::strike::suspended;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes that an intruder deems possible.
type Nodes = BTreeSet<Node>;

/// What an observation says about every instant of it.
#[derive(Clone, Debug)]
pub struct History {
    /// After each prefix, the nodes that a run showing it may be in.
    instants: Vec<Nodes>,
    /// Of those, the ones from which the rest of the observation can follow.
    alive: Vec<Nodes>,
}

impl History {
    /// Follows an observation. A sign that nothing shows leaves the estimates from there on empty, and the delayed ones.
    pub fn new(view: View<'_>, observation: &[Symbol]) -> History {
        let history = suspended(|| History::within(view, observation, &mut Budget::unlimited()));
        history.expect("nothing is limited")
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// When it is used up.
    pub fn within(view: View<'_>, observation: &[Symbol], budget: &mut Budget<'_>) -> Result<History, Stop> {
        let mut instants = vec![reach(view, initial(view), budget)?];
        for &sign in observation {
            let before = instants.last().expect("the empty prefix is always there");
            instants.push(post(view, before, sign, budget)?);
        }
        let mut alive = vec![instants[observation.len()].clone()];
        for at in (0..observation.len()).rev() {
            let after = alive.last().expect("it starts with the last instant");
            alive.push(ancestors(view, &instants[at], observation[at], after, budget)?);
        }
        alive.reverse();
        Ok(History { instants, alive })
    }

    /// The estimate after the first `at` signs.
    pub fn estimate(&self, at: usize) -> StateSet {
        states(&self.instants[at])
    }

    /// The delayed estimate after the first `at` signs, given all of them.
    pub fn delayed(&self, at: usize) -> StateSet {
        states(&self.alive[at])
    }

    /// The states of X0 itself from which the whole observation can follow: what initial-state properties ask.
    pub fn initial(&self, view: View<'_>) -> StateSet {
        states(&initial(view).intersection(&self.alive[0]).cloned().collect())
    }

    /// The nodes of Ĝ after the first `at` signs: the estimate with its histories.
    pub fn nodes(&self, at: usize) -> impl Iterator<Item = &Node> {
        self.instants[at].iter()
    }
}

/// The delayed estimate at α given αβ, with |α| = `at`.
pub fn delayed(view: View<'_>, observation: &[Symbol], at: usize) -> StateSet {
    History::new(view, observation).delayed(at)
}

fn initial(view: View<'_>) -> Nodes {
    view.automaton.initial().iter().map(|&state| start(view, state)).collect()
}

fn states(nodes: &Nodes) -> StateSet {
    nodes.iter().map(|node| node.state).collect()
}

fn reach(view: View<'_>, mut nodes: Nodes, budget: &mut Budget<'_>) -> Result<Nodes, Stop> {
    let mut open: Vec<Node> = nodes.iter().cloned().collect();
    nodes.iter().try_for_each(|node| budget.pay(bytes(node)))?;
    while let Some(node) = open.pop() {
        for (_, sign, target) in steps(view, &node) {
            budget.work(1)?;
            if sign.is_none() && nodes.insert(target.clone()) {
                budget.pay(bytes(&target))?;
                open.push(target);
            }
        }
    }
    Ok(nodes)
}

fn post(view: View<'_>, nodes: &Nodes, sign: Symbol, budget: &mut Budget<'_>) -> Result<Nodes, Stop> {
    let mut shown = Nodes::new();
    for node in nodes {
        let steps = steps(view, node);
        budget.work(1 + steps.len() as u64)?;
        shown.extend(steps.into_iter().filter(|(_, of, _)| *of == Some(sign)).map(|(_, _, target)| target));
    }
    reach(view, shown, budget)
}

/// The nodes from which silent moves and the sign lead into `after`.
//
// WHY no silent moves after the sign: what leads silently into `after` is in it.
fn ancestors(
    view: View<'_>,
    nodes: &Nodes,
    sign: Symbol,
    after: &Nodes,
    budget: &mut Budget<'_>,
) -> Result<Nodes, Stop> {
    let mut silently: BTreeMap<Node, Vec<&Node>> = BTreeMap::new();
    let mut open: Vec<&Node> = Vec::new();
    for node in nodes {
        let steps = steps(view, node);
        budget.work(1 + steps.len() as u64)?;
        let mut leads = false;
        for (_, shown, target) in steps {
            match shown {
                None => silently.entry(target).or_default().push(node),
                Some(shown) => leads |= shown == sign && after.contains(&target),
            }
        }
        open.extend(leads.then_some(node));
    }
    let mut alive: Nodes = open.iter().map(|&node| node.clone()).collect();
    alive.iter().try_for_each(|node| budget.pay(bytes(node)))?;
    while let Some(node) = open.pop() {
        for &before in silently.get(node).into_iter().flatten() {
            budget.work(1)?;
            if alive.insert(before.clone()) {
                budget.pay(bytes(before))?;
                open.push(before);
            }
        }
    }
    Ok(alive)
}

/// What a node takes, about.
fn bytes(node: &Node) -> usize {
    2 * size_of::<Node>() + node.arrived.iter().map(|order| size_of_val(order) + size_of_val(&order[..])).sum::<usize>()
}
