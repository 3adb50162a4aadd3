//! Which exposures are news, when all of them are wanted: none of a class that the estimate after an earlier observation has exposed.
//!
//! An estimate is met once for each set of classes that the beginnings of its observation expose, and reported by each label that leads
//! to it. Cost: as without, times the number of such sets.

use super::forward::{ByLength, Ended};
use crate::verify::search::antichain::Antichain;
use crate::verify::search::forward::{NodeId, Parent, SearchNode};
use crate::verify::sets::{Id, Set, SetId};
use crate::verify::views::belief_system::{Heuristics, Successors};
use rustc_hash::FxHashMap;

/// What was exposed before.
#[derive(Debug)]
pub(super) struct News<S> {
    /// Sets of classes, sorted.
    known: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, usize>,
    /// The set of each estimate; of those that are not here it is empty.
    of: FxHashMap<NodeId, usize>,
    /// The set whose estimates the search has.
    current: usize,
    /// The estimates that were met, for the other sets.
    aside: FxHashMap<usize, Antichain<S>>,
}

impl<S> Default for News<S> {
    fn default() -> Self {
        let (of, aside) = (FxHashMap::default(), FxHashMap::default());
        News { known: vec![Vec::new()], numbers: FxHashMap::from_iter([(Vec::new(), 0)]), of, current: 0, aside }
    }
}

impl<S> News<S> {
    fn set_of(&self, node: NodeId) -> usize {
        self.of.get(&node).copied().unwrap_or(0)
    }

    /// The number of a set with some classes more.
    fn with(&mut self, set: usize, classes: impl Iterator<Item = u32>) -> usize {
        let mut all: Vec<u32> = self.known[set].iter().copied().chain(classes).collect();
        all.sort_unstable();
        all.dedup();
        let next = self.known.len();
        let number = *self.numbers.entry(all.clone()).or_insert(next);
        if number == next {
            self.known.push(all);
        }
        number
    }
}

impl<B: Heuristics> ByLength<'_, '_, B> {
    /// Whether no beginning of the observation of an estimate exposes a class.
    pub(super) fn is_news(&self, node: NodeId, class: u32) -> bool {
        self.news.as_ref().is_none_or(|news| news.known[news.set_of(node)].binary_search(&class).is_err())
    }

    /// Reports every class of an estimate that is exposed.
    pub(super) fn report_again(&mut self, node: NodeId) -> Result<(), Ended> {
        let SearchNode { set, ref actuals, parent, .. } = self.search.nodes[node.index()];
        let actuals = actuals.clone();
        self.report_classes((set, &actuals, parent), 0)
    }

    /// The successors of an estimate, each reported as often as it is met.
    pub(super) fn expand_with_news(&mut self, node: NodeId, actuals: &B::Set, observed: bool) -> Result<(), Ended> {
        let before = self.known_after(node, observed);
        self.enter_estimates(before);
        for next in self.search.post_actuals(actuals) {
            if next.observed == observed {
                self.report_arrival(node, &next, before)?;
                let fresh = NodeId::from_index(self.search.nodes.len());
                self.search.admit_next_estimate(node, actuals, next)?;
                self.search.violation = None;
                if let Some(news) = self.news.as_mut().filter(|_| self.search.nodes.len() > fresh.index()) {
                    news.of.insert(fresh, before);
                }
            }
        }
        Ok(())
    }

    /// The classes that are exposed before the next label, or with the same ones.
    fn known_after(&mut self, node: NodeId, observed: bool) -> usize {
        let set = self.search.nodes[node.index()].set;
        let is_exposed = observed && self.search.is_exposed(set);
        let Some(news) = &mut self.news else { return 0 };
        let before = news.set_of(node);
        if !is_exposed {
            return before;
        }
        let hypotheses = self.search.sets.get(set).iter();
        let class = |hypothesis| self.search.exposed.class(self.search.beliefs.hypothesis_state(hypothesis));
        news.with(before, hypotheses.map(class))
    }

    fn report_arrival(&mut self, node: NodeId, next: &Successors<B::Set>, before: usize) -> Result<(), Ended> {
        let set = self.search.post(self.search.nodes[node.index()].set, next.label)?;
        match self.search.is_exposed(set) {
            true => self.report_classes((set, &next.targets, Parent::Move(node, next.label)), before),
            false => Ok(()),
        }
    }

    /// Reports every class of some actual states that is not among the known ones.
    fn report_classes(&mut self, (set, actuals, parent): (SetId, &B::Set, Parent), before: usize) -> Result<(), Ended> {
        let known = self.news.as_ref().map_or_else(Vec::new, |news| news.known[before].clone());
        for (class, mut members) in self.search.by_class(actuals) {
            if known.binary_search(&class).is_err() {
                let members = B::Set::collect(self.search.beliefs.universe(), &mut members);
                let node = self.search.add_node(set, members, parent);
                self.report(node)?;
                self.search.remove_last_node();
            }
        }
        Ok(())
    }

    /// Makes the estimates of a set of classes those of the search.
    fn enter_estimates(&mut self, set: usize) {
        let Some(news) = self.news.as_mut().filter(|news| news.current != set) else { return };
        let antichain = self.search.tuning.antichain;
        let entered = news.aside.remove(&set).unwrap_or_else(|| Antichain::new(antichain));
        self.search.set_aside -= entered.bytes();
        self.layer_work -= entered.effort();
        let left = std::mem::replace(&mut self.search.estimates, entered);
        self.search.set_aside += left.bytes();
        self.layer_work += left.effort();
        news.aside.insert(std::mem::replace(&mut news.current, set), left);
    }
}
