//! What another intruder may have seen of the same runs, and what they would know.
//!
//! The runs that show an observation to one intruder show several to another. Each is followed here with the runs that show it: a pair of
//! nodes per run, in groups by what the other has seen. An event that only the other sees may repeat for ever, so what they see is
//! followed up to a length, and [`Comparison::cut`] says that there is more.

use super::runs::{Layer, Node, Runs};
use super::{Explorer, Goal};
use crate::automaton::view::{Observer, Projection, Symbol};
use crate::automaton::{Automaton, StateSet};
use crate::resources::{Monitor, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What another intruder may have seen, and what they would know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Those who know most first.
    pub rows: Vec<Row>,
    /// There is more than the rows.
    pub cut: bool,
}

/// One observation of the other intruder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What they may have seen.
    pub observation: Vec<Symbol>,
    /// The states that are possible to them.
    pub estimate: StateSet,
    /// The instants of which they know too much, counted in what they saw.
    pub exposes: Vec<usize>,
}

/// How many more signs than the first intruder the other may have seen.
const MOST_EXTRA: usize = 6;

/// What the other has seen, with the runs that show it: to the first intruder, and to the other.
type Groups = BTreeMap<Vec<Symbol>, BTreeSet<(Node, Node)>>;

impl Explorer<'_> {
    /// What an intruder with another view may have seen, at most `most` observations of it.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn compare(
        &mut self,
        automaton: &Arc<Automaton>,
        (observer, projection): (&Observer, Projection),
        goal: &Goal,
        most: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Comparison, Stop> {
        let mut first = Runs::new(Arc::clone(automaton), self.runs.observer(), self.runs.projection());
        let mut other = Runs::new(Arc::clone(automaton), observer, projection);
        let mut following = Following {
            first: &mut first,
            other: &mut other,
            most,
            length: self.observation.len() + MOST_EXTRA,
            cut: false,
        };
        let mut groups = following.start(monitor)?;
        for &sign in &self.observation {
            groups = following.see(groups, sign, monitor)?;
        }
        let cut = following.cut;
        let mut rows = Vec::new();
        for observation in groups.into_keys() {
            rows.push(row(automaton, (observer, projection), goal, observation, monitor)?);
        }
        rows.sort_by_key(|row| (row.exposes.is_empty(), row.estimate.len(), row.observation.clone()));
        Ok(Comparison { rows, cut })
    }
}

/// What an intruder knows who saw this.
fn row(
    automaton: &Arc<Automaton>,
    (observer, projection): (&Observer, Projection),
    goal: &Goal,
    observation: Vec<Symbol>,
    monitor: &mut Monitor<'_>,
) -> Result<Row, Stop> {
    let mut explorer = Explorer::new(automaton, observer, projection, goal, monitor)?;
    for &sign in &observation {
        explorer.see(sign, monitor)?;
    }
    Ok(Row { observation, estimate: explorer.estimate(), exposes: explorer.exposes(monitor)? })
}

/// Follows the runs with both intruders.
struct Following<'r, 'a, 'b> {
    first: &'r mut Runs<'a>,
    other: &'r mut Runs<'b>,
    most: usize,
    length: usize,
    cut: bool,
}

impl Following<'_, '_, '_> {
    fn start(&mut self, monitor: &mut Monitor<'_>) -> Result<Groups, Stop> {
        let nodes: Layer = self.first.initial();
        let pairs = nodes.iter().map(|&node| (node, node)).collect();
        self.unseen(BTreeMap::from([(Vec::new(), pairs)]), monitor)
    }

    /// The groups after one more sign of the first intruder.
    fn see(&mut self, groups: Groups, sign: Symbol, monitor: &mut Monitor<'_>) -> Result<Groups, Stop> {
        let mut after = Groups::new();
        for (seen, pairs) in groups {
            for (first, other) in pairs {
                for step in self.first.steps(first.state) {
                    monitor.spend(1)?;
                    let Some((shown, first)) = self.first.shown(first, step, monitor)? else { continue };
                    if shown == sign {
                        self.add(&mut after, &seen, first, (other, step), monitor)?;
                    }
                }
            }
        }
        self.unseen(after, monitor)
    }

    /// Adds what the first intruder does not see.
    fn unseen(&mut self, mut groups: Groups, monitor: &mut Monitor<'_>) -> Result<Groups, Stop> {
        let mut open: Vec<(Vec<Symbol>, Node, Node)> = Vec::new();
        for (seen, pairs) in &groups {
            open.extend(pairs.iter().map(|&(first, other)| (seen.clone(), first, other)));
        }
        while let Some((seen, first, other)) = open.pop() {
            for step in self.first.steps(first.state) {
                monitor.spend(1)?;
                if self.first.shown(first, step, monitor)?.is_none() {
                    let moved = Node { state: step.target, ..first };
                    open.extend(self.add(&mut groups, &seen, moved, (other, step), monitor)?);
                }
            }
        }
        Ok(groups)
    }

    /// Adds a pair after a step; the pair, if it is new.
    fn add(
        &mut self,
        groups: &mut Groups,
        seen: &[Symbol],
        first: Node,
        (other, step): (Node, crate::automaton::Step),
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<(Vec<Symbol>, Node, Node)>, Stop> {
        let mut seen = seen.to_vec();
        let other = match self.other.shown(other, step, monitor)? {
            None => Node { state: step.target, ..other },
            Some((sign, node)) => {
                seen.push(sign);
                node
            }
        };
        let is_full = groups.len() >= self.most && !groups.contains_key(&seen);
        if seen.len() > self.length || is_full {
            self.cut = true;
            return Ok(None);
        }
        monitor.hold((size_of::<(Node, Node)>() + seen.len() * size_of::<Symbol>()) as u64)?;
        let is_new = groups.entry(seen.clone()).or_default().insert((first, other));
        Ok(is_new.then_some((seen, first, other)))
    }
}
