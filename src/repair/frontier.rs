//! The choices that are still to be visited, in order of what they and everything beyond them must cost.
//!
//! Every part of a choice that is enough is violated or enough itself. So it is reached from the empty choice, lever by lever: a choice that
//! a [clause](Refuted) covers has one child for each lever that the clause wants lacked, as in the hitting-set tree of Reiter (1987). A
//! choice that no clause covers is a candidate.
//!
//! *Bound.* All clauses that cover a choice have to be left by levers that are still to come. What these cost at least is bounded by a greedy
//! solution of the dual of the hitting-set problem: each clause in turn takes what is left of the cost of its cheapest lever from all of
//! its levers. So the order is that of an A* search, and the bound of the first choice is a lower bound for all.

use super::choice::Choice;
use super::refuted::Refuted;
use crate::model::change::Lever;
use crate::resources::{Monitor, Stop};
use rustc_hash::FxHashSet;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A choice to visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// No choice that is enough and has all its levers costs less.
    pub bound: u64,
    pub choice: Choice,
}

impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        self.bound.cmp(&other.bound).then_with(|| self.choice.order(&other.choice))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What the clauses say of a choice.
enum Status {
    /// Nothing.
    Candidate,
    /// Nothing beyond it is enough either.
    Dead,
    /// What everything beyond it costs at least, and the levers of which it needs one.
    Covered(u64, Vec<usize>),
}

pub(super) struct Frontier<'a> {
    levers: &'a [Lever],
    /// The levers that can matter.
    useful: &'a [usize],
    open: BinaryHeap<Reverse<Node>>,
    seen: FxHashSet<Choice>,
    refuted: Vec<Refuted>,
    /// How many choices were left because a clause covers them.
    pub implied: u64,
}

impl<'a> Frontier<'a> {
    /// Begins with the empty choice.
    pub fn new(levers: &'a [Lever], useful: &'a [usize]) -> Frontier<'a> {
        let open = BinaryHeap::from([Reverse(Node { bound: 0, choice: Choice::default() })]);
        Frontier { levers, useful, open, seen: FxHashSet::default(), refuted: Vec::new(), implied: 0 }
    }

    /// What every choice that is to be visited costs at least; none: no choice is.
    pub fn bound(&self) -> Option<u64> {
        self.open.peek().map(|Reverse(node)| node.bound)
    }

    /// The clauses.
    pub fn into_refuted(self) -> Vec<Refuted> {
        self.refuted
    }

    /// Whether a clause covers a choice.
    pub fn covers(&self, choice: &Choice) -> bool {
        self.refuted.iter().any(|refuted| refuted.covers(choice))
    }

    /// Visits a choice again later.
    pub fn put_back(&mut self, node: Node) {
        self.open.push(Reverse(node));
    }

    /// The first candidate that has none of these as a part.
    pub fn next(&mut self, enough: &[Choice], monitor: &mut Monitor<'_>) -> Result<Option<Node>, Stop> {
        while let Some(Reverse(node)) = self.open.pop() {
            if enough.iter().any(|enough| enough.is_within(&node.choice)) {
                continue;
            }
            match self.status(&node, monitor) {
                Ok(Status::Candidate) => return Ok(Some(node)),
                Ok(Status::Dead) => self.implied += 1,
                Ok(Status::Covered(bound, _)) if bound > node.bound => self.put_back(Node { bound, ..node }),
                Ok(Status::Covered(bound, needed)) => {
                    self.implied += 1;
                    self.open_children(&node.choice, bound, needed, monitor)?;
                }
                Err(stop) => {
                    self.put_back(node);
                    return Err(stop);
                }
            }
        }
        Ok(None)
    }

    /// Adds a clause.
    pub fn learn(&mut self, refuted: Refuted, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        monitor.hold(refuted.bytes())?;
        self.refuted.push(refuted);
        Ok(())
    }

    /// Goes beyond a choice that a clause covers.
    pub fn expand(&mut self, node: &Node, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        match self.status(node, monitor)? {
            Status::Covered(bound, needed) => self.open_children(&node.choice, bound, needed, monitor),
            Status::Dead | Status::Candidate => Ok(()),
        }
    }

    fn open_children(
        &mut self,
        choice: &Choice,
        bound: u64,
        needed: Vec<usize>,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), Stop> {
        for lever in needed {
            let child = choice.with(lever);
            monitor.spend(1 + child.len() as u64)?;
            if !self.seen.contains(&child) {
                monitor.hold(2 * child.bytes())?;
                self.seen.insert(child.clone());
                let cost = child.cost(self.levers);
                self.put_back(Node { bound: bound.max(cost), choice: child });
            }
        }
        Ok(())
    }

    fn status(&self, node: &Node, monitor: &mut Monitor<'_>) -> Result<Status, Stop> {
        monitor.spend((1 + self.refuted.len() + node.choice.len()) as u64)?;
        let covering: Vec<&Refuted> = self.refuted.iter().filter(|refuted| refuted.covers(&node.choice)).collect();
        if covering.is_empty() {
            return Ok(Status::Candidate);
        }
        let fits: Vec<usize> = self.useful.iter().copied().filter(|&lever| self.fits(&node.choice, lever)).collect();
        let needed = |refuted: &Refuted| -> Vec<usize> {
            fits.iter().copied().filter(|&lever| refuted.without.contains(lever)).collect()
        };
        let mut needed: Vec<Vec<usize>> = covering.into_iter().map(needed).collect();
        needed.sort_by_key(Vec::len);
        monitor.spend((needed.len() * fits.len()) as u64)?;
        let bound = node.choice.cost(self.levers) + self.least(&needed);
        let fewest = needed.swap_remove(0);
        Ok(if fewest.is_empty() { Status::Dead } else { Status::Covered(bound.max(node.bound), fewest) })
    }

    /// What a set of levers costs at least that has one of each of these.
    fn least(&self, needed: &[Vec<usize>]) -> u64 {
        let mut left: Vec<u64> = self.levers.iter().map(|lever| lever.cost).collect();
        let take = |levers: &Vec<usize>| {
            let most = levers.iter().map(|&lever| left[lever]).min().unwrap_or(0);
            levers.iter().for_each(|&lever| left[lever] -= most);
            most
        };
        needed.iter().map(take).sum()
    }

    /// Whether a lever is not in a choice and contradicts none of it.
    fn fits(&self, choice: &Choice, lever: usize) -> bool {
        let change = &self.levers[lever].change;
        !choice.contains(lever) && !choice.iter().any(|other| self.levers[other].change.contradicts(change))
    }
}
