//! A best-first search for an exposure: whatever has the fewest hypotheses is expanded next, in either phase.
//!
//! Estimates and pairs of phase 2 wait in one queue, and every estimate that is taken from it follows its delay branches at once. So a
//! small estimate is pursued to its end while there are exponentially many large ones. What is found need not be nearest, neither by
//! |β| nor by |αβ|. Where nothing bounds |β| and the queue runs empty, there is no exposure: what was dropped leads to none, or something
//! smaller leads to one.

use super::fewest::Nothing;
use super::fewest::forward::Traced;
use super::forward::{ForwardSearch, NodeId, Parent, SearchNode};
use crate::resources::Stop;
use crate::verify::engine::tuning::Tuning;
use crate::verify::sets::{Id, SetId};
use crate::verify::views::belief_system::{ActualId, Heuristics, Successors};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The state of the search.
struct BestFirst<'f, 's, B: Heuristics> {
    search: &'f mut ForwardSearch<'s, B>,
    /// The nodes to expand, those with the fewest hypotheses first, then those that were met first.
    open: BinaryHeap<Reverse<(u32, NodeId)>>,
    /// |β| of each node; none: it is an estimate.
    betas: Vec<Option<u64>>,
}

/// An exposure, if this much work finds one. A search that was not begun is used up by it.
pub(crate) fn best_first<B: Heuristics>(search: &mut ForwardSearch<'_, B>, work: u64) -> Result<Traced, Nothing> {
    BestFirst { search, open: BinaryHeap::new(), betas: Vec::new() }.run(work)
}

impl<B: Heuristics> BestFirst<'_, '_, B> {
    fn run(mut self, work: u64) -> Result<Traced, Nothing> {
        self.search.begin();
        self.receive(None);
        while self.search.violation.is_none() {
            let Some(Reverse((_, node))) = self.open.pop() else {
                return Err(if self.is_exhaustive() { Nothing::Exists } else { Nothing::Soon });
            };
            self.search.check(self.open.len())?;
            if self.search.effort() > work {
                return Err(Nothing::Soon);
            }
            match self.betas[node.index()] {
                None => self.expand_estimate(node)?,
                Some(beta) => self.expand_pair(node, beta)?,
            }
        }
        let node = self.search.violation.take().unwrap_or(NodeId(0));
        Ok(self.search.trace(node))
    }

    /// Whether an empty queue means that nothing is exposed: no choice of classes is left out, and no pair is dropped for one with a
    /// larger |β| that leads on too late.
    fn is_exhaustive(&self) -> bool {
        self.search.bound.horizon == u64::MAX && self.search.exposed.max_classes == 1
    }

    /// Takes the nodes that were added since into the queue.
    fn receive(&mut self, beta: Option<u64>) {
        for at in self.betas.len()..self.search.nodes.len() {
            let hypotheses = self.search.sets.summary(self.search.nodes[at].set).len;
            self.open.push(Reverse((hypotheses, NodeId::from_index(at))));
        }
        self.betas.resize(self.search.nodes.len(), beta);
        self.search.frontier.clear();
    }

    /// The delay branches of an estimate, and the estimates after it.
    fn expand_estimate(&mut self, node: NodeId) -> Result<(), Stop> {
        let SearchNode { set, ref actuals, .. } = self.search.nodes[node.index()];
        let mut actuals = actuals.clone();
        if !self.search.bound.initial {
            actuals = self.search.still_open(set, actuals);
        }
        if self.search.bound.horizon > 0 {
            for (class, members) in self.search.by_class(&actuals) {
                self.follow_branches(node, class, members)?;
            }
            self.receive(Some(0));
        }
        if self.search.violation.is_none() {
            self.search.expand_estimate(node)?;
            self.receive(None);
        }
        Ok(())
    }

    fn follow_branches(&mut self, node: NodeId, class: u32, members: Vec<ActualId>) -> Result<(), Stop> {
        let set = self.search.nodes[node.index()].set;
        let actuals = self.search.beliefs.close_actuals(members);
        let choices = self.search.further_classes(node, class);
        for mut exposed in choices.take(Tuning::BEST_FIRST_CHOICES) {
            if self.search.violation.is_some() {
                return Ok(());
            }
            self.search.check(self.open.len())?;
            exposed.push(class);
            exposed.sort_unstable();
            self.search.work += u64::from(self.search.sets.summary(set).len);
            let surviving = self.search.surviving(set, &exposed);
            self.search.admit_to_layer(surviving, actuals.clone(), Parent::DelayBranch(node, class));
        }
        Ok(())
    }

    /// The pairs after a pair of phase 2.
    fn expand_pair(&mut self, node: NodeId, beta: u64) -> Result<(), Stop> {
        let SearchNode { set, ref actuals, .. } = self.search.nodes[node.index()];
        let mut actuals = actuals.clone();
        self.search.layers.prune(&self.search.sets, set, &mut actuals);
        for Successors { label, observed, targets } in self.search.post_actuals(&actuals) {
            let beta = beta.saturating_add(u64::from(observed));
            if beta <= self.search.bound.horizon && self.search.violation.is_none() {
                let post: SetId = self.search.post(set, label)?;
                self.search.admit_to_layer(post, targets, Parent::Move(node, label));
                self.receive(Some(beta));
            }
        }
        Ok(())
    }
}
