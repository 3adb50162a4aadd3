//! A forward search by |αβ|: estimates and pairs of phase 2 advance together, one label at a time.
//!
//! Level n has the estimates after n labels, and for each |β| the pairs with |αβ| = n. What leads to an exposure from a pair leads to
//! one from a pair with a smaller set, as soon; so a pair is dropped if such a pair was admitted in an earlier level, or in this one with
//! a |β| that is no greater. Where the horizon rules out some |β|, pairs with different |β| are not compared.
//!
//! INVARIANT: the minimal estimates of a level, and its minimal pairs for each |β|, are fixed before anything later is admitted.

use super::news::News;
use super::{Aim, Nothing};
use crate::resources::Stop;
use crate::verify::search::antichain::Antichain;
use crate::verify::search::forward::{ForwardSearch, NodeId, Parent};
use crate::verify::search::layers::Pairs;
use crate::verify::sets::{Id, Set, SetId};
use crate::verify::views::belief_system::{ActualId, Heuristics, Move, Successors};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A run that is exposed: where it starts, its moves, and how many of them belong to α.
pub(crate) type Traced = (ActualId, Vec<Move>, usize);

/// Pairs that are compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    /// |β|.
    beta: u64,
    /// The class that is exposed; 0 if classes are not told apart.
    class: u32,
}

/// The state of the search.
pub(super) struct ByLength<'f, 's, B: Heuristics> {
    pub(super) search: &'f mut ForwardSearch<'s, B>,
    pub(super) aim: Aim,
    /// The work after which it gives up.
    work: u64,
    /// Whether exposures after the first are wanted, of every class, by every label: what is no news then.
    pub(super) news: Option<News<B::Set>>,
    layers: BTreeMap<Slot, Antichain<B::Set>>,
    /// The work on layers that are set aside.
    pub(super) layer_work: u64,
    /// The minimal estimates of the level.
    estimates: Vec<(NodeId, B::Set)>,
    /// The minimal pairs of the level.
    pairs: BTreeMap<Slot, Pairs<B::Set>>,
    /// The pairs of each level that was explored to its end.
    levels: &'f mut Vec<u64>,
    /// Receives each exposure; whether more are wanted.
    receive: &'f mut dyn FnMut(Traced, u32) -> ControlFlow<()>,
}

/// Why the search ended before everything was explored.
pub(super) enum Ended {
    Enough,
    Soon,
    Stopped(Stop),
}

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Ended {
        Ended::Stopped(stop)
    }
}

/// The exposure with the fewest labels in all. A search that was not begun is used up by it.
pub(crate) fn fewest<B: Heuristics>(search: &mut ForwardSearch<'_, B>, aim: Aim, work: u64) -> Result<Traced, Nothing> {
    fewest_by_level(search, aim, work, &mut Vec::new())
}

/// The same; for each level that is explored to its end without an exposure, the number of its pairs is added.
pub(crate) fn fewest_by_level<B: Heuristics>(
    search: &mut ForwardSearch<'_, B>,
    aim: Aim,
    work: u64,
    levels: &mut Vec<u64>,
) -> Result<Traced, Nothing> {
    let mut found = None;
    let mut receive = |run, _| {
        found = Some(run);
        ControlFlow::Break(())
    };
    let ended = explore(search, aim, work, None, levels, &mut receive);
    found.map_or_else(|| Err(ended.err().unwrap_or(Nothing::Exists)), Ok)
}

/// The exposures of every class by every label that are news, those with the fewest labels first, until the receiver has enough. A search
/// that was not begun is used up by it, and must not drop pairs with smaller ones.
pub(crate) fn different<B: Heuristics>(
    search: &mut ForwardSearch<'_, B>,
    aim: Aim,
    work: u64,
    receive: &mut dyn FnMut(Traced, u32) -> ControlFlow<()>,
) -> Result<(), Nothing> {
    explore(search, aim, work, Some(News::default()), &mut Vec::new(), receive)
}

fn explore<B: Heuristics>(
    search: &mut ForwardSearch<'_, B>,
    aim: Aim,
    work: u64,
    news: Option<News<B::Set>>,
    levels: &mut Vec<u64>,
    receive: &mut dyn FnMut(Traced, u32) -> ControlFlow<()>,
) -> Result<(), Nothing> {
    let (layers, pairs) = (BTreeMap::new(), BTreeMap::new());
    let estimates = Vec::new();
    let state = ByLength { search, aim, work, news, layers, layer_work: 0, estimates, pairs, levels, receive };
    match state.run() {
        Ok(()) | Err(Ended::Enough) => Ok(()),
        Err(Ended::Soon) => Err(Nothing::Soon),
        Err(Ended::Stopped(stop)) => Err(Nothing::Stopped(stop)),
    }
}

impl<B: Heuristics> ByLength<'_, '_, B> {
    fn run(mut self) -> Result<(), Ended> {
        let mut total = 0;
        self.search.begin();
        self.seal_estimates(0)?;
        loop {
            let before = std::mem::take(&mut self.pairs);
            self.branch(total)?;
            for (slot, pairs) in before {
                self.expand_pairs(slot, pairs)?;
            }
            self.levels.push(self.level_size());
            total += 1;
            if total > self.aim.most || (self.estimates.is_empty() && self.pairs.is_empty()) {
                return Ok(());
            }
            self.expand_estimates(total)?;
        }
    }

    /// The pairs of the level that are left to extend.
    fn level_size(&self) -> u64 {
        let estimates = self.estimates.iter().map(|(_, actuals)| actuals.len() as u64).sum::<u64>();
        estimates + self.pairs.values().flatten().map(|(_, actuals)| actuals.len() as u64).sum::<u64>()
    }

    /// Looks at the limits.
    pub(super) fn check(&mut self, frontier: usize) -> Result<(), Ended> {
        self.search.check(frontier)?;
        if self.search.effort() + self.layer_work > self.work { Err(Ended::Soon) } else { Ok(()) }
    }

    /// The estimates after one more label.
    fn expand_estimates(&mut self, total: u64) -> Result<(), Ended> {
        let first = self.search.nodes.len();
        let before = std::mem::take(&mut self.estimates);
        if self.aim.reaches(total) && !self.aim.initial {
            for (node, actuals) in before {
                self.expand_estimate(node, &actuals, true)?;
            }
            self.seal_estimates(first)?;
        }
        Ok(())
    }

    /// Closes the estimates of a level, from this node on, under unobserved moves, and fixes the minimal ones.
    fn seal_estimates(&mut self, first: usize) -> Result<(), Ended> {
        self.report_violation()?;
        let mut at = first;
        while at < self.search.nodes.len() && !self.aim.initial {
            let actuals = self.search.nodes[at].actuals.clone();
            self.expand_estimate(NodeId::from_index(at), &actuals, false)?;
            at += 1;
        }
        for at in first..self.search.nodes.len() {
            let (set, mut actuals) = (self.search.nodes[at].set, self.search.nodes[at].actuals.clone());
            if !self.aim.initial {
                actuals = self.search.still_open(set, actuals);
            }
            if !actuals.is_empty() {
                self.estimates.push((NodeId::from_index(at), actuals));
            }
        }
        Ok(())
    }

    /// The successors of an estimate by moves that are observed, or by those that are not.
    fn expand_estimate(&mut self, node: NodeId, actuals: &B::Set, observed: bool) -> Result<(), Ended> {
        self.check(self.search.nodes.len() - node.index())?;
        if self.news.is_some() {
            return self.expand_with_news(node, actuals, observed);
        }
        for next in self.search.post_actuals(actuals) {
            if next.observed == observed {
                self.search.admit_next_estimate(node, actuals, next)?;
                self.report_violation()?;
            }
        }
        Ok(())
    }

    /// The estimate that was exposed itself, if one was.
    fn report_violation(&mut self) -> Result<(), Ended> {
        match self.search.violation.take() {
            Some(node) if self.news.is_some() => self.report_again(node),
            Some(node) => self.report(node),
            None => Ok(()),
        }
    }

    pub(super) fn report(&mut self, node: NodeId) -> Result<(), Ended> {
        self.search.work += 1 + u64::from(self.search.nodes[node.index()].depth);
        let class = self.search.exposed_class(node);
        let run = self.search.trace(node);
        match (self.receive)(run, class) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Ended::Enough),
        }
    }

    /// Follows the delay branches of the level.
    fn branch(&mut self, total: u64) -> Result<(), Ended> {
        let mut fresh: BTreeMap<Slot, Vec<NodeId>> = BTreeMap::new();
        let open = if self.aim.horizon > 0 && self.aim.reaches(total) { self.estimates.len() } else { 0 };
        for at in 0..open {
            let (node, actuals) = self.estimates[at].clone();
            let mut classes = self.search.by_class(&actuals);
            classes.retain(|(class, _)| self.is_news(node, *class));
            for (class, members) in classes {
                let slot = self.slot(0, class);
                self.enter(slot);
                self.branch_by(node, class, members)?;
                self.leave(slot);
                fresh.entry(slot).or_default().append(&mut self.search.frontier);
            }
        }
        for (slot, nodes) in fresh {
            self.enter(slot);
            self.search.frontier = nodes;
            self.seal_pairs(slot)?;
            self.leave(slot);
        }
        Ok(())
    }

    /// The delay branches of one class of an estimate.
    fn branch_by(&mut self, node: NodeId, class: u32, members: Vec<ActualId>) -> Result<(), Ended> {
        let set = self.search.nodes[node.index()].set;
        let actuals = self.search.beliefs.close_actuals(members);
        for mut exposed in self.search.further_classes(node, class) {
            self.check(self.search.frontier.len())?;
            exposed.push(class);
            exposed.sort_unstable();
            self.search.work += u64::from(self.search.sets.summary(set).len);
            let surviving = self.search.surviving(set, &exposed);
            self.admit(surviving, actuals.clone(), Parent::DelayBranch(node, class))?;
        }
        Ok(())
    }

    /// The pairs after one more label.
    fn expand_pairs(&mut self, from: Slot, pairs: Pairs<B::Set>) -> Result<(), Ended> {
        let slot = Slot { beta: from.beta + 1, ..from };
        if slot.beta > self.aim.horizon {
            return Ok(());
        }
        self.enter(slot);
        for (node, actuals) in pairs {
            self.expand_pair(node, &actuals, true)?;
        }
        self.seal_pairs(slot)?;
        self.leave(slot);
        Ok(())
    }

    fn expand_pair(&mut self, node: NodeId, actuals: &B::Set, observed: bool) -> Result<(), Ended> {
        self.check(self.search.frontier.len())?;
        for Successors { label, observed: is_observed, targets } in self.search.post_actuals(actuals) {
            if is_observed == observed {
                let post = self.search.post(self.search.nodes[node.index()].set, label)?;
                self.admit(post, targets, Parent::Move(node, label))?;
            }
        }
        Ok(())
    }

    /// Closes the pairs that were admitted under unobserved moves, and fixes the minimal ones.
    fn seal_pairs(&mut self, slot: Slot) -> Result<(), Ended> {
        let mut at = 0;
        while at < self.search.frontier.len() {
            let node = self.search.frontier[at];
            let actuals = self.search.nodes[node.index()].actuals.clone();
            self.expand_pair(node, &actuals, false)?;
            at += 1;
        }
        let pairs = self.search.minimal_pairs()?;
        self.search.frontier.clear();
        if !pairs.is_empty() {
            self.pairs.insert(slot, pairs);
        }
        Ok(())
    }

    /// Admits pairs to the layer that was entered; an empty set is an exposure, and goes no further.
    fn admit(&mut self, set: SetId, actuals: B::Set, parent: Parent) -> Result<(), Ended> {
        if self.search.sets.get(set).is_empty() {
            let node = self.search.add_node(set, actuals, parent);
            return self.report(node);
        }
        self.search.admit_to_layer(set, actuals, parent);
        Ok(())
    }

    fn slot(&self, beta: u64, class: u32) -> Slot {
        Slot { beta, class: if self.news.is_some() { class } else { 0 } }
    }

    /// The pairs with which those of a slot are compared.
    fn compared(&self, slot: Slot) -> Slot {
        let is_bounded = self.aim.horizon < self.aim.most;
        Slot { beta: if is_bounded { slot.beta } else { 0 }, ..slot }
    }

    /// Makes a layer that of the search.
    fn enter(&mut self, slot: Slot) {
        let antichain = self.search.tuning.antichain;
        let layer = self.layers.remove(&self.compared(slot)).unwrap_or_else(|| Antichain::new(antichain));
        self.search.set_aside -= layer.bytes();
        self.layer_work -= layer.effort();
        self.search.layers = layer;
    }

    fn leave(&mut self, slot: Slot) {
        let layer = std::mem::replace(&mut self.search.layers, Antichain::new(false));
        self.search.set_aside += layer.bytes();
        self.layer_work += layer.effort();
        self.layers.insert(self.compared(slot), layer);
    }
}
