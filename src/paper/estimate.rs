//! Estimates and delayed estimates, from their definition.
//!
//! The estimate after α holds the states that some run showing α may be in. The delayed estimate at α given αβ
//! (definition 2.1, and the same under Pstr and Pw) keeps those of them from which some run shows β. Computed forwards
//! over α and backwards over β, on nodes that are made when they are met: Ĝ is never built. For a string of n signs and m
//! nodes: n · m² steps.

use super::plant::{Node, start, steps};
use crate::automaton::StateSet;
use crate::automaton::view::{Sign, View};
use std::collections::BTreeSet;

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
    pub fn new(view: View<'_>, observation: &[Sign]) -> History {
        let mut instants = vec![reach(view, initial(view))];
        for &sign in observation {
            let before = instants.last().expect("the empty prefix is always there");
            instants.push(post(view, before, sign));
        }
        let mut alive = vec![instants[observation.len()].clone()];
        for at in (0..observation.len()).rev() {
            let after = alive.last().expect("it starts with the last instant");
            alive.push(ancestors(view, &instants[at], observation[at], after));
        }
        alive.reverse();
        History { instants, alive }
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
pub fn delayed(view: View<'_>, observation: &[Sign], at: usize) -> StateSet {
    History::new(view, observation).delayed(at)
}

fn initial(view: View<'_>) -> Nodes {
    view.automaton.initial().iter().map(|&state| start(view, state)).collect()
}

fn states(nodes: &Nodes) -> StateSet {
    nodes.iter().map(|node| node.state).collect()
}

fn reach(view: View<'_>, mut nodes: Nodes) -> Nodes {
    let mut open: Vec<Node> = nodes.iter().cloned().collect();
    while let Some(node) = open.pop() {
        for (_, sign, target) in steps(view, &node) {
            if sign.is_none() && nodes.insert(target.clone()) {
                open.push(target);
            }
        }
    }
    nodes
}

fn post(view: View<'_>, nodes: &Nodes, sign: Sign) -> Nodes {
    let leaving = nodes.iter().flat_map(|node| steps(view, node));
    reach(view, leaving.filter(|(_, shown, _)| *shown == Some(sign)).map(|(_, _, target)| target).collect())
}

/// The nodes from which silent moves, the sign and silent moves lead into `after`.
fn ancestors(view: View<'_>, nodes: &Nodes, sign: Sign, after: &Nodes) -> Nodes {
    let leads = |node: &&Node| {
        let silently = reach(view, Nodes::from([(*node).clone()]));
        !post(view, &silently, sign).is_disjoint(after)
    };
    nodes.iter().filter(leads).cloned().collect()
}
