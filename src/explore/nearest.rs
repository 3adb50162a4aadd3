//! The shortest way on from an observation to an exposure.
//!
//! An instant is exposed when what was seen since can follow from an exposed set S of its estimate and from nothing else of it. So
//! a pair (A, B) is followed for every such S of every instant: where the runs through S may be now, and where the others may be. The
//! way ends where B is empty and A is not. Instants to come begin as they are reached: the estimate itself is followed too. Breadth first,
//! so that no shorter way is missed; nothing is met twice, so that it ends, and *none* is an answer. Cost: exponential in |X|, within the
//! resources.

use super::Explorer;
use super::runs::{Layer, Node};
use crate::automaton::combinations::Combinations;
use crate::automaton::view::Symbol;
use crate::model::Horizon;
use crate::resources::{Monitor, Stop};
use rustc_hash::FxHashSet;
use std::mem::size_of;

/// What is followed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Followed {
    /// The estimate: every instant to come begins from it.
    Estimate(Layer),
    /// The runs through an exposed set, and the others, with how many signs may still come.
    Pair { through: Layer, others: Layer, left: Option<u64> },
}

impl Followed {
    fn bytes(&self) -> u64 {
        let nodes = match self {
            Followed::Estimate(layer) => layer.len(),
            Followed::Pair { through, others, .. } => through.len() + others.len(),
        };
        (size_of::<Followed>() * 2 + size_of::<Node>() * 2 * nodes) as u64
    }
}

/// One step of the search: what is followed, and the sign and the step before it.
struct Reached {
    followed: Followed,
    from: Option<(usize, Symbol)>,
}

/// A breadth-first search.
#[derive(Default)]
struct Search {
    reached: Vec<Reached>,
    known: FxHashSet<Followed>,
}

impl Search {
    fn add(
        &mut self,
        followed: Followed,
        from: Option<(usize, Symbol)>,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), Stop> {
        monitor.spend(1)?;
        if !self.known.contains(&followed) {
            monitor.hold(followed.bytes())?;
            self.known.insert(followed.clone());
            self.reached.push(Reached { followed, from });
        }
        Ok(())
    }

    /// The signs that lead to a step, and one more.
    fn way(&self, mut at: usize, last: Symbol) -> Vec<Symbol> {
        let mut signs = vec![last];
        while let Some((before, sign)) = self.reached[at].from {
            signs.push(sign);
            at = before;
        }
        signs.reverse();
        signs
    }
}

impl Explorer<'_> {
    /// The signs of a shortest way on to an exposure: none of them if the observation is one itself. None: there is no such way.
    ///
    /// # Errors
    /// When the resources are used up.
    pub fn nearest(&mut self, monitor: &mut Monitor<'_>) -> Result<Option<Vec<Symbol>>, Stop> {
        if !self.exposes(monitor)?.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut search = self.search(monitor)?;
        let mut at = 0;
        while let Some(Reached { followed, .. }) = search.reached.get(at) {
            let found = match followed.clone() {
                Followed::Estimate(layer) => self.follow_estimate(&mut search, at, &layer, monitor)?,
                Followed::Pair { through, others, left } => {
                    self.follow_pair(&mut search, at, (&through, &others, left), monitor)?
                }
            };
            if let Some(sign) = found {
                return Ok(Some(search.way(at, sign)));
            }
            at += 1;
        }
        Ok(None)
    }

    /// The pairs of every instant so far, and the estimate.
    fn search(&mut self, monitor: &mut Monitor<'_>) -> Result<Search, Stop> {
        let mut search = Search::default();
        let now = self.layers.last().cloned().unwrap_or_default();
        let alive = self.alive(now.clone(), 0, None, monitor)?;
        for (at, layer) in alive.iter().enumerate() {
            let Some(left) = self.left(self.observation.len() - at, at) else { continue };
            for (through, others) in self.splits(layer, monitor)? {
                let through = self.now(through, at, monitor)?;
                let others = self.now(others, at, monitor)?;
                search.add(Followed::Pair { through, others, left }, None, monitor)?;
            }
        }
        if self.horizon != Horizon::Initial {
            search.add(Followed::Estimate(now), None, monitor)?;
        }
        Ok(search)
    }

    /// How many signs may still come for an instant that is `ago` signs ago: `None` too many came, `Some(None)` any number.
    fn left(&self, ago: usize, at: usize) -> Option<Option<u64>> {
        match self.horizon {
            Horizon::Steps(most) => most.checked_sub(ago as u64).map(Some),
            Horizon::Initial => (at == 0).then_some(None),
            Horizon::Infinite | Horizon::Exactly(_) => Some(None),
        }
    }

    /// The ways to split an estimate into an exposed set and the others.
    fn splits(&self, layer: &Layer, monitor: &mut Monitor<'_>) -> Result<Vec<(Layer, Layer)>, Stop> {
        let is_meant = |node: &&Node| self.horizon != Horizon::Initial || self.runs.automaton().is_initial(node.state);
        let layer: Layer = layer.iter().filter(is_meant).copied().collect();
        let exposable = layer.iter().filter(|node| self.exposed.can_be_exposed(node.state));
        let mut classes: Vec<u32> = exposable.map(|node| self.exposed.class(node.state)).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut splits = Vec::new();
        for chosen in Combinations::new(classes, self.exposed.max_classes).filter(|chosen| !chosen.is_empty()) {
            monitor.spend(1 + layer.len() as u64)?;
            monitor.hold((layer.len() * size_of::<Node>()) as u64)?;
            let is_in = |node: &Node| chosen.binary_search(&self.exposed.class(node.state)).is_ok();
            splits.push(layer.iter().partition(|node| is_in(node)));
        }
        Ok(splits)
    }

    /// Where nodes of an instant may be now.
    fn now(&mut self, mut layer: Layer, at: usize, monitor: &mut Monitor<'_>) -> Result<Layer, Stop> {
        for sign in &self.observation[at..] {
            layer = self.runs.next(&layer, monitor)?.remove(sign).unwrap_or_default();
        }
        Ok(layer)
    }

    /// Sees each next sign; the sign of an exposure, if there is one.
    fn follow_estimate(
        &mut self,
        search: &mut Search,
        at: usize,
        layer: &Layer,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Symbol>, Stop> {
        for (sign, layer) in self.runs.next(layer, monitor)? {
            if self.exposed.exposes(&self.meant(&layer)) {
                return Ok(Some(sign));
            }
            let from = Some((at, sign));
            if let Some(left) = self.left(0, 0).filter(|left| *left != Some(0)) {
                for (through, others) in self.splits(&layer, monitor)? {
                    search.add(Followed::Pair { through, others, left }, from, monitor)?;
                }
            }
            search.add(Followed::Estimate(layer), from, monitor)?;
        }
        Ok(None)
    }

    /// The same for a pair.
    fn follow_pair(
        &mut self,
        search: &mut Search,
        at: usize,
        (through, others, left): (&Layer, &Layer, Option<u64>),
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Symbol>, Stop> {
        if left == Some(0) {
            return Ok(None);
        }
        let left = left.map(|left| left - 1);
        let mut after = self.runs.next(others, monitor)?;
        for (sign, through) in self.runs.next(through, monitor)? {
            let Some(others) = after.remove(&sign) else { return Ok(Some(sign)) };
            search.add(Followed::Pair { through, others, left }, Some((at, sign)), monitor)?;
        }
        Ok(None)
    }
}
