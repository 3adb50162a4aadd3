//! The stages of the forward search, in slices: phase 1 estimate by estimate, phase 2 layer by layer.
//!
//! A layer is built in three steps, each complete before the next: admit the pairs that observed moves lead to; close them
//! under unobserved moves that change the hypotheses; fix the minimal pairs. Only then the next layer begins, so a
//! smaller set that is found later never removes a pair that is not yet expanded.

use super::forward::{ForwardSearch, NodeId, Parent, SearchNode};
use crate::automaton::combinations::Combinations;
use crate::resources::Stop;
use crate::verify::sets::{Id, Set, SetId, SetInterner};
use crate::verify::views::belief_system::{ActualId, Heuristics, LabelId, Successors};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What the search does next.
#[derive(Debug)]
pub(super) enum Stage<S> {
    /// Begin.
    Start,
    /// Expand the estimates of the worklist.
    Estimates(Worklist),
    /// Follow the delay branches.
    DelayBranches(DelayBranches<S>),
    /// Close the layer, whose pairs are all admitted.
    Close,
    /// Expand the minimal pairs of the layer.
    Expand(Pairs<S>),
    /// Nothing; whether everything was explored.
    Done(bool),
}

/// Pairs of a layer that are not expanded: actual states of a node.
pub(super) type Pairs<S> = VecDeque<(NodeId, S)>;

/// Bytes of a pair that is not expanded.
pub(super) fn pending_bytes<S: Set>(actuals: &S) -> u64 {
    actuals.bytes() + size_of::<(NodeId, S)>() as u64
}

/// Estimates that are not expanded.
///
/// The first ones are expanded breadth first, so that a witness is short; when there are many, small and early ones come first:
/// they are nearest to an exposure, and most likely to be subsets of others.
#[derive(Debug)]
pub(super) struct Worklist {
    /// How many are expanded breadth first.
    breadth_first: usize,
    /// The one whose expansion was broken off.
    again: Option<NodeId>,
    /// Nodes before this one were expanded, or are in the heap.
    next: usize,
    /// By the number of hypotheses, times that of moves.
    heap: BinaryHeap<Reverse<(u64, NodeId)>>,
}

impl Worklist {
    /// Nothing expanded.
    pub(super) fn new(breadth_first: usize) -> Worklist {
        Worklist { breadth_first, again: None, next: 0, heap: BinaryHeap::new() }
    }

    /// The node to expand next.
    fn pop<S: Set>(&mut self, nodes: &[SearchNode<S>], sets: &SetInterner<S>) -> Option<NodeId> {
        if let Some(again) = self.again.take() {
            return Some(again);
        }
        if self.next < self.breadth_first.min(nodes.len()) {
            self.next += 1;
            return Some(NodeId::from_index(self.next - 1));
        }
        let cost = |node: &SearchNode<S>| u64::from(sets.summary(node.set).len) * (u64::from(node.depth) + 1);
        self.heap.extend((self.next..nodes.len()).map(|at| Reverse((cost(&nodes[at]), NodeId::from_index(at)))));
        self.next = self.next.max(nodes.len());
        self.heap.pop().map(|Reverse((_, node))| node)
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.heap.capacity() * size_of::<Reverse<(u64, NodeId)>>()) as u64
    }

    /// How many of this many nodes are not expanded.
    fn len(&self, nodes: usize) -> usize {
        self.heap.len() + nodes - self.next + usize::from(self.again.is_some())
    }
}

/// The delay branches that were not followed.
#[derive(Debug, Default)]
pub(super) struct DelayBranches<S> {
    /// Seeds before this one were taken.
    next_seed: usize,
    /// The classes of the last one taken, with their actual states.
    classes: Vec<(u32, Vec<ActualId>)>,
    /// The class whose branches are followed.
    current: Option<ClassBranches<S>>,
}

/// The actual states of one class of an estimate, and the choices of further classes that make up a D with it.
#[derive(Debug)]
struct ClassBranches<S> {
    node: NodeId,
    class: u32,
    actuals: S,
    further: Combinations,
}

/// One delay branch.
pub(super) struct DelayBranch<S> {
    pub(super) node: NodeId,
    pub(super) class: u32,
    pub(super) actuals: S,
    /// The classes of D, sorted.
    pub(super) exposed: Vec<u32>,
}

impl<B: Heuristics> ForwardSearch<'_, B> {
    /// Searches until this much work is done; whether the search is complete.
    //
    // INVARIANT: after an error it can be called again, and loses nothing: what was being expanded is expanded again. A
    // search that reached the memory limit goes on when other members of the portfolio were dropped.
    pub(crate) fn explore(&mut self, until: u64) -> Result<bool, Stop> {
        while self.effort() < until || self.is_exhausted() {
            match &mut self.stage {
                Stage::Done(_) => return Ok(true),
                Stage::Start => self.begin(),
                Stage::Estimates(worklist) => match worklist.pop(&self.nodes, &self.sets) {
                    Some(node) => self.expand_from_worklist(node)?,
                    None => self.finish_phase_one()?,
                },
                Stage::DelayBranches(branches) => {
                    let mut branches = std::mem::take(branches);
                    let followed = self.follow_branch(&mut branches);
                    self.stage = Stage::DelayBranches(branches);
                    if !followed? {
                        self.layer = Some(0);
                        self.stage = Stage::Close;
                    }
                }
                Stage::Close => self.finish_layer()?,
                Stage::Expand(pairs) => match pairs.pop_front() {
                    Some(pair) => self.expand_pair(pair)?,
                    None => {
                        self.layer = self.layer.map(|layer| layer + 1);
                        self.stage = Stage::Close;
                    }
                },
            }
            if self.violation.is_some() {
                self.stage = Stage::Done(false);
            }
        }
        Ok(self.is_done())
    }

    /// Whether nothing is left to expand, so that completion costs nothing.
    fn is_exhausted(&self) -> bool {
        match &self.stage {
            Stage::Estimates(_) => self.nodes.is_empty(),
            Stage::DelayBranches(_) => self.phase2_seeds.is_empty(),
            Stage::Close => self.frontier.is_empty(),
            Stage::Start | Stage::Expand(_) | Stage::Done(_) => false,
        }
    }

    /// Expands an estimate; when a limit is reached, puts it back.
    fn expand_from_worklist(&mut self, node: NodeId) -> Result<(), Stop> {
        let frontier = match &self.stage {
            Stage::Estimates(worklist) => worklist.len(self.nodes.len()),
            _ => 0,
        };
        let expanded = self.check(frontier).and_then(|()| self.expand_estimate(node));
        if let (Err(_), Stage::Estimates(worklist)) = (&expanded, &mut self.stage) {
            worklist.again = Some(node);
        }
        expanded
    }

    /// Expands a pair of a layer; when a limit is reached, puts it back.
    fn expand_pair(&mut self, (node, actuals): (NodeId, B::Set)) -> Result<(), Stop> {
        let frontier = if let Stage::Expand(pairs) = &self.stage { pairs.len() } else { 0 };
        let expanded = self.check(frontier).and_then(|()| self.expand_observed(node, &actuals));
        match (&expanded, &mut self.stage) {
            (Err(_), Stage::Expand(pairs)) => pairs.push_front((node, actuals)),
            _ => self.pending_bytes -= pending_bytes(&actuals),
        }
        expanded
    }

    /// Closes the layer, and decides what comes next.
    fn finish_layer(&mut self) -> Result<(), Stop> {
        self.close_layer()?;
        let layer = self.layer.unwrap_or(0);
        if self.violation.is_none() && self.frontier.is_empty() {
            self.saturation = Some(layer.saturating_sub(1));
            self.stage = Stage::Done(true);
        } else if layer >= self.bound.horizon {
            self.stage = Stage::Done(false);
        } else {
            self.stage = Stage::Expand(self.minimal_pairs()?);
            self.frontier.clear();
        }
        Ok(())
    }

    /// Follows one delay branch; whether there was one.
    fn follow_branch(&mut self, branches: &mut DelayBranches<B::Set>) -> Result<bool, Stop> {
        self.check(self.phase2_seeds.len() - branches.next_seed)?;
        let Some(branch) = self.next_branch(branches) else { return Ok(false) };
        if self.bundles.is_some() {
            self.admit_bundle_of(branch.node, branch.class, branch.actuals);
            return Ok(true);
        }
        let set = self.nodes[branch.node.index()].set;
        self.work += u64::from(self.sets.summary(set).len);
        let surviving = self.surviving(set, &branch.exposed);
        self.admit_to_layer(surviving, branch.actuals, Parent::DelayBranch(branch.node, branch.class));
        Ok(true)
    }

    pub(super) fn next_branch(&mut self, branches: &mut DelayBranches<B::Set>) -> Option<DelayBranch<B::Set>> {
        loop {
            if let Some(ClassBranches { node, class, actuals, further }) = &mut branches.current
                && let Some(mut exposed) = further.next()
            {
                exposed.push(*class);
                exposed.sort_unstable();
                return Some(DelayBranch { node: *node, class: *class, actuals: actuals.clone(), exposed });
            }
            if let Some((class, actuals)) = branches.classes.pop() {
                let node = self.phase2_seeds[branches.next_seed - 1].0;
                let actuals = self.beliefs.close_actuals(actuals);
                let further = match self.bundles {
                    // One branch for all choices.
                    Some(_) => Combinations::new(Vec::new(), 0),
                    None => self.further_classes(node, class),
                };
                branches.current = Some(ClassBranches { node, class, actuals, further });
            } else {
                branches.classes = self.by_class(&self.phase2_seeds.get(branches.next_seed)?.1);
                branches.next_seed += 1;
            }
        }
    }

    /// The actual states that can be exposed, by class, the first class last.
    pub(super) fn by_class(&self, actuals: &B::Set) -> Vec<(u32, Vec<ActualId>)> {
        let states = actuals.iter().map(|actual| (self.beliefs.actual_state(actual), actual));
        let exposed = states.filter(|(state, _)| self.exposed.can_be_exposed(*state));
        let mut all: Vec<(u32, ActualId)> =
            exposed.map(|(state, actual)| (self.exposed.class(state), actual)).collect();
        all.sort_unstable();
        let chunks = all.chunk_by(|one, other| one.0 == other.0).rev();
        chunks.map(|chunk| (chunk[0].0, chunk.iter().map(|&(_, actual)| actual).collect())).collect()
    }

    /// The choices of further classes of an estimate that make up, with a class, the largest exposed sets.
    pub(super) fn further_classes(&self, node: NodeId, class: u32) -> Combinations {
        let more = self.exposed.max_classes - 1;
        if more == 0 {
            return Combinations::new(Vec::new(), 0);
        }
        let mut others = self.exposable_classes(node);
        others.retain(|&other| other != class);
        Combinations::new(others, more)
    }

    /// The classes of an estimate that can be exposed.
    pub(super) fn exposable_classes(&self, node: NodeId) -> Vec<u32> {
        let estimate = self.sets.get(self.nodes[node.index()].set).iter();
        let states = estimate.map(|hypothesis| self.beliefs.hypothesis_state(hypothesis));
        let exposable = states.filter(|&state| self.exposed.can_be_exposed(state));
        let mut classes: Vec<u32> = exposable.map(|state| self.exposed.class(state)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// UR(S \ D), D being the states of these sorted classes.
    pub(super) fn surviving(&mut self, set: SetId, exposed: &[u32]) -> SetId {
        let surviving = self.surviving_set(set, exposed);
        self.sets.intern(surviving)
    }

    /// The same, as a set.
    pub(super) fn surviving_set(&mut self, set: SetId, exposed: &[u32]) -> B::Set {
        let hypotheses = self.sets.get(set).iter();
        let kept = hypotheses.filter(|&hypothesis| {
            let class = self.exposed.class(self.beliefs.hypothesis_state(hypothesis));
            exposed.binary_search(&class).is_err()
        });
        let kept = kept.collect();
        self.beliefs.close(kept)
    }

    /// Admits pairs of phase 2 to the layer that is being built.
    pub(super) fn admit_to_layer(&mut self, set: SetId, mut actuals: B::Set, parent: Parent) {
        if self.tuning.identity {
            actuals = self.without_identities(set, actuals);
        }
        let Some(actuals) = self.layers.admit(&self.sets, set, actuals) else { return };
        let actuals = if self.tuning.simulation { self.without_simulated(set, actuals) } else { actuals };
        if actuals.is_empty() {
            return;
        }
        let node = self.add_node(set, actuals, parent);
        self.frontier.push(node);
        if self.sets.get(set).is_empty() {
            self.violation = Some(node);
        }
    }

    /// Admits the pairs of phase 2 that a label leads to.
    fn admit_next_pairs(&mut self, node: NodeId, label: LabelId, targets: B::Set) -> Result<(), Stop> {
        if self.bundles.is_some() {
            return self.admit_next_bundle(node, label, targets);
        }
        let post = self.post(self.nodes[node.index()].set, label)?;
        self.admit_to_layer(post, targets, Parent::Move(node, label));
        Ok(())
    }

    /// Drops the actual states that some hypothesis simulates.
    fn without_simulated(&mut self, set: SetId, actuals: B::Set) -> B::Set {
        if self.sets.get(set).is_empty() {
            return actuals;
        }
        let (work, progress) = (self.work + self.layers.effort(), self.progress(0));
        let ForwardSearch { simulation, beliefs, exposed, sets, meter, .. } = self;
        simulation.prune(*beliefs, exposed, (actuals, sets.get(set)), work, (meter, progress))
    }

    /// Drops the actual states whose identity is among the hypotheses: it simulates them.
    fn without_identities(&mut self, set: SetId, actuals: B::Set) -> B::Set {
        let mut kept: Vec<ActualId> = Vec::new();
        for actual in actuals.iter() {
            let identity = self.beliefs.identity(actual);
            if !self.sets.get(set).contains(identity) {
                kept.push(actual);
            }
        }
        B::Set::collect(self.beliefs.universe(), &mut kept)
    }

    /// Closes the layer under unobserved moves that change the hypotheses.
    fn close_layer(&mut self) -> Result<(), Stop> {
        let mut at = 0;
        while at < self.frontier.len() && self.violation.is_none() {
            self.check(self.frontier.len() - at)?;
            let node = self.frontier[at];
            at += 1;
            let actuals = self.nodes[node.index()].actuals.clone();
            for Successors { label, observed, targets } in self.post_actuals(&actuals) {
                if !observed {
                    self.admit_next_pairs(node, label, targets)?;
                }
            }
        }
        Ok(())
    }

    /// The minimal pairs of the layer.
    //
    // INVARIANT: they are fixed before the first pair of the next layer is admitted.
    pub(super) fn minimal_pairs(&mut self) -> Result<Pairs<B::Set>, Stop> {
        let mut pairs = Pairs::with_capacity(self.frontier.len());
        self.pending_bytes = 0;
        for at in 0..self.frontier.len() {
            self.check(pairs.len())?;
            let node = self.frontier[at];
            let mut actuals = self.nodes[node.index()].actuals.clone();
            if self.bundles.is_none() {
                self.layers.prune(&self.sets, self.nodes[node.index()].set, &mut actuals);
            }
            if !actuals.is_empty() {
                self.pending_bytes += pending_bytes(&actuals);
                pairs.push_back((node, actuals));
            }
        }
        Ok(pairs)
    }

    /// Expands pairs by their observed moves.
    fn expand_observed(&mut self, node: NodeId, actuals: &B::Set) -> Result<(), Stop> {
        for Successors { label, observed, targets } in self.post_actuals(actuals) {
            if observed && self.violation.is_none() {
                self.admit_next_pairs(node, label, targets)?;
                if self.violation.is_some() {
                    self.layer = self.layer.map(|layer| layer + 1);
                }
            }
        }
        Ok(())
    }
}
