//! The forward search, in two phases over pairs (actual state, hypotheses).
//!
//! Phase 1 collects the estimates: (x, S) with x the actual state and S the estimate. Phase 2 begins, for every (x, S) and
//! every exposed set D that contains x, with the *delay branch* (x, R), R = UR(S \ D): the hypotheses that would keep the
//! intruder unsure. An observed move leads to the next *layer*. The property is violated when R is empty; the layer is
//! the distance |β|. Only ⊆-minimal sets are kept for each actual state ([`Antichain`]), which is exact for the verdict and
//! for the distance because a layer is complete, and its minimal pairs are fixed, before the next one begins.
//!
//! The actual states that were admitted with one set form a [`SearchNode`]. A node has a parent pointer, so that a run can
//! be read back. Cost: exponential in the worst case; one post-image for each set and label.

use super::antichain::Antichain;
use super::bundles::Bundles;
use super::layers::{DelayBranches, Stage, Worklist, pending_bytes};
use crate::resources::Stop;
use crate::verdict::Exposure;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Id, Set, SetId, SetInterner, ids, map_bytes, vec_bytes};
use crate::verify::simulation::pruning::SimulationPruner;
use crate::verify::views::belief_system::{ActualId, Heuristics, HypothesisId, LabelId, Move, Successors};
use crate::verify::{Phase, Progress};
use rustc_hash::FxHashMap;

ids! {
    /// A search node.
    NodeId,
}

/// Actual states that were admitted together with one set.
#[derive(Debug)]
pub(super) struct SearchNode<S> {
    pub(super) set: SetId,
    pub(super) actuals: S,
    pub(super) parent: Parent,
    /// How many moves led here from the start, or from the delay branch.
    pub(super) depth: u32,
}

/// How a node was reached.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parent {
    /// Initially.
    Root,
    /// From actual states of another node, by a label.
    Move(NodeId, LabelId),
    /// From the actual states of one class of a node of phase 1.
    DelayBranch(NodeId, u32),
}

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBound {
    /// The greatest |β| of interest.
    pub(crate) horizon: u64,
    /// Only α = ε, over X0 itself.
    pub(crate) initial: bool,
}

/// The state of the search.
pub(crate) struct ForwardSearch<'s, B: Heuristics> {
    pub(crate) beliefs: &'s mut B,
    pub(crate) exposed: &'s ExposedSets,
    pub(crate) bound: SearchBound,
    pub(crate) tuning: Tuning,
    pub(crate) meter: ResourceMonitor<'s>,
    pub(crate) sets: SetInterner<B::Set>,
    posts: FxHashMap<(SetId, LabelId), SetId>,
    pub(super) nodes: Vec<SearchNode<B::Set>>,
    /// Heap bytes of the nodes and of the seeds of phase 2.
    node_bytes: u64,
    pub(super) estimates: Antichain<B::Set>,
    pub(super) layers: Antichain<B::Set>,
    /// In place of pairs with sets: what survives of each class.
    pub(super) bundles: Option<Bundles<B::Set>>,
    pub(crate) twins: SimulationPruner<B::Set>,
    pub(crate) simulation: SimulationPruner<B::Set>,
    pub(super) work: u64,
    pub(super) layer: Option<u64>,
    pub(super) frontier: Vec<NodeId>,
    pub(super) violation: Option<NodeId>,
    /// Nodes of phase 1 before this one were looked at when it ended.
    finished: NodeId,
    /// The nodes of phase 1 from which phase 2 begins, with their actual states.
    pub(crate) phase2_seeds: Vec<(NodeId, B::Set)>,
    pub(super) stage: Stage<B::Set>,
    /// Bytes of the pairs of a layer that are not expanded.
    pub(super) pending_bytes: u64,
    /// Bytes of layers that are not the current one.
    pub(super) set_aside: u64,
    /// The last layer that had pairs, when all were explored.
    pub(crate) saturation: Option<u64>,
}

impl<'s, B: Heuristics> ForwardSearch<'s, B> {
    pub(crate) fn new(
        beliefs: &'s mut B,
        exposed: &'s ExposedSets,
        bound: SearchBound,
        tuning: Tuning,
        meter: ResourceMonitor<'s>,
    ) -> Self {
        let universe = beliefs.universe();
        ForwardSearch {
            beliefs,
            exposed,
            bound,
            tuning,
            meter,
            sets: SetInterner::new(universe),
            posts: FxHashMap::default(),
            nodes: Vec::new(),
            node_bytes: 0,
            estimates: Antichain::new(tuning.antichain),
            layers: Antichain::new(tuning.antichain),
            bundles: None,
            twins: SimulationPruner::twins(exposed.max_classes),
            simulation: SimulationPruner::simulation(),
            work: 0,
            layer: None,
            frontier: Vec::new(),
            violation: None,
            finished: NodeId(0),
            phase2_seeds: Vec::new(),
            stage: Stage::Start,
            pending_bytes: 0,
            set_aside: 0,
            saturation: None,
        }
    }

    /// Adds the initial pairs.
    pub(super) fn begin(&mut self) {
        let (actuals, hypotheses) = self.beliefs.initial();
        self.stage = Stage::Estimates(Worklist::new(self.tuning.breadth_first));
        if actuals.is_empty() {
            return;
        }
        if self.bound.initial {
            self.begin_initial_state(actuals, hypotheses);
        } else {
            let closed = self.beliefs.close(hypotheses);
            let set = self.sets.intern(closed);
            let actuals = self.beliefs.close_actuals(actuals);
            self.admit_estimate(set, actuals, Parent::Root);
        }
    }

    /// The start of initial-state questions: X0 against each initial state.
    fn begin_initial_state(&mut self, mut actuals: Vec<ActualId>, mut hypotheses: Vec<HypothesisId>) {
        let set = self.sets.collect(&mut hypotheses);
        let actuals = B::Set::collect(self.beliefs.universe(), &mut actuals);
        self.add_node(set, actuals, Parent::Root);
    }

    /// Phase 1 is complete: collects the seeds of phase 2.
    pub(super) fn finish_phase_one(&mut self) -> Result<(), Stop> {
        // WHY: phase 1 is complete only if no estimate is exposed itself, so layer 0 is known to be safe.
        self.layer = (!self.bound.initial).then_some(0);
        for at in self.finished.index()..self.nodes.len() {
            self.check(self.nodes.len() - at)?;
            self.finished = NodeId::from_index(at + 1);
            let SearchNode { set, ref actuals, .. } = self.nodes[at];
            let mut actuals = actuals.clone();
            if !self.bound.initial {
                actuals = self.still_open(set, actuals);
            }
            if self.can_be_exposed(&actuals) {
                self.node_bytes += pending_bytes(&actuals);
                self.phase2_seeds.push((NodeId::from_index(at), actuals));
            }
        }
        self.bundles = self.has_many_choices().then(|| Bundles::new(self.exposed.max_classes));
        // WHY: a horizon of 0 only asks whether an estimate is exposed itself.
        let decided = self.bound.horizon == 0 && !self.bound.initial && !self.phase2_seeds.is_empty();
        self.stage = if decided { Stage::Done(false) } else { Stage::DelayBranches(DelayBranches::default()) };
        self.check(0)
    }

    /// The actual states of an estimate that neither a smaller estimate nor a twin has made redundant since.
    pub(super) fn still_open(&mut self, set: SetId, mut actuals: B::Set) -> B::Set {
        self.estimates.prune(&self.sets, set, &mut actuals);
        // WHY: the budget for twins may have grown since the estimate was admitted.
        if self.tuning.twins { self.without_twins(set, actuals) } else { actuals }
    }

    /// Whether some estimate has many choices of classes. In a static view the other members of the portfolio choose none.
    fn has_many_choices(&self) -> bool {
        let more = self.exposed.max_classes - 1;
        if more == 0 || self.tuning.bundles_from == u64::MAX || self.beliefs.as_static().is_some() {
            return false;
        }
        let choices = |others: u64| {
            (0..more as u64).fold(1u64, |all, at| all.saturating_mul(others.saturating_sub(at)) / (at + 1))
        };
        self.phase2_seeds.iter().any(|&(node, _)| {
            choices((self.exposable_classes(node).len() as u64).saturating_sub(1)) >= self.tuning.bundles_from
        })
    }

    fn can_be_exposed(&self, actuals: &B::Set) -> bool {
        actuals.iter().any(|actual| self.exposed.can_be_exposed(self.beliefs.actual_state(actual)))
    }

    /// Whether the search is complete.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done(_))
    }

    /// Whether phase 1 is complete.
    pub(crate) fn is_phase_one_done(&self) -> bool {
        !matches!(self.stage, Stage::Start | Stage::Estimates(_))
    }

    /// What is known so far.
    pub(crate) fn exposure(&self) -> Exposure {
        match (self.violation, &self.stage, self.layer) {
            (Some(_), _, layer) => Exposure::At(layer.unwrap_or(0)),
            (None, Stage::Done(true), _) => Exposure::Never,
            (None, Stage::Done(false), _) => Exposure::Beyond(self.bound.horizon),
            (None, _, None) => Exposure::Unknown,
            // WHY: a layer is complete before its number is set.
            (None, _, Some(layer)) => Exposure::Beyond(layer),
        }
    }

    /// The run that is exposed, if one was found.
    pub(crate) fn run(&mut self) -> Option<(ActualId, Vec<Move>, usize)> {
        self.violation.map(|node| self.trace(node))
    }

    /// The class that a node exposes, or one of several.
    pub(super) fn exposed_class(&self, node: NodeId) -> u32 {
        let mut at = node;
        while let Parent::Move(from, _) = self.nodes[at.index()].parent {
            at = from;
        }
        if let Parent::DelayBranch(_, class) = self.nodes[at.index()].parent {
            return class;
        }
        let actual = self.nodes[node.index()].actuals.iter().next();
        actual.map_or(0, |actual| self.exposed.class(self.beliefs.actual_state(actual)))
    }

    /// The estimates from which phase 2 begins.
    pub(crate) fn seed_estimates(&self) -> Vec<B::Set> {
        let estimate = |seed: &(NodeId, B::Set)| self.sets.get(self.nodes[seed.0.index()].set).clone();
        self.phase2_seeds.iter().map(estimate).collect()
    }

    /// The labels that lead to the estimate of a node of phase 1.
    pub(crate) fn observation(&self, mut node: NodeId) -> Vec<LabelId> {
        let mut labels = Vec::new();
        while let Parent::Move(parent, label) = self.nodes[node.index()].parent {
            labels.push(label);
            node = parent;
        }
        labels.reverse();
        labels
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        let games = self.twins.effort() + self.simulation.effort() + self.beliefs.permutation_work();
        self.work + self.layers.effort() + self.estimates.effort() + games
    }

    pub(super) fn check(&mut self, frontier: usize) -> Result<(), Stop> {
        let progress = self.progress(frontier);
        self.meter.check(&progress)
    }

    /// What the limits are compared with.
    pub(crate) fn progress(&self, frontier: usize) -> Progress {
        Progress {
            phase: if self.layer.is_some() { Phase::Layers } else { Phase::Estimates },
            layer: self.layer.unwrap_or(0),
            pairs: self.estimates.pairs + self.layers.pairs + self.bundles.as_ref().map_or(0, |bundles| bundles.pairs),
            frontier: frontier as u64,
            memory: self.bytes(),
        }
    }

    fn bytes(&self) -> u64 {
        let pending = if let Stage::Estimates(worklist) = &self.stage { worklist.bytes() } else { self.pending_bytes };
        pending
            + self.set_aside
            + self.sets.bytes()
            + self.beliefs.bytes()
            + self.estimates.bytes()
            + self.layers.bytes()
            + self.bundles.as_ref().map_or(0, Bundles::bytes)
            + vec_bytes(&self.nodes)
            + self.node_bytes
            + self.twins.bytes()
            + self.simulation.bytes()
            + map_bytes(&self.posts)
    }

    /// Expands an estimate; stops at a successor that is exposed itself.
    pub(super) fn expand_estimate(&mut self, node: NodeId) -> Result<(), Stop> {
        if self.bound.initial {
            return Ok(());
        }
        let SearchNode { set, ref actuals, .. } = self.nodes[node.index()];
        let actuals = actuals.clone();
        let actuals = self.still_open(set, actuals);
        for next in self.post_actuals(&actuals) {
            self.admit_next_estimate(node, &actuals, next)?;
            if self.violation.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Admits the estimate after one more label, these being the actual states that are expanded.
    pub(super) fn admit_next_estimate(
        &mut self,
        node: NodeId,
        actuals: &B::Set,
        Successors { label, targets, .. }: Successors<B::Set>,
    ) -> Result<(), Stop> {
        let set = self.nodes[node.index()].set;
        // WHY: in a static view actual states and hypotheses are the same states; if the sets are equal, so are their
        // successors.
        let equal = self.beliefs.as_static().is_some() && actuals.len() == self.sets.summary(set).len as usize;
        let post = if equal { self.sets.intern(targets.clone()) } else { self.post(set, label)? };
        self.admit_estimate(post, targets, Parent::Move(node, label));
        Ok(())
    }

    /// The actual states from which something may be exposed later.
    fn threatened(&self, actuals: B::Set) -> B::Set {
        if self.exposed.threatens_all() {
            return actuals;
        }
        let is_threatened = |actual: &ActualId| self.exposed.is_threatened(self.beliefs.actual_state(*actual));
        B::Set::collect(self.beliefs.universe(), &mut actuals.iter().filter(is_threatened).collect())
    }

    pub(super) fn admit_estimate(&mut self, set: SetId, actuals: B::Set, parent: Parent) {
        let actuals = self.threatened(actuals);
        if actuals.is_empty() {
            return;
        }
        let Some(actuals) = self.estimates.admit(&self.sets, set, actuals) else { return };
        let actuals = if self.tuning.twins { self.without_twins(set, actuals) } else { actuals };
        if actuals.is_empty() {
            return;
        }
        let can_be_exposed = self.can_be_exposed(&actuals);
        let node = self.add_node(set, actuals, parent);
        if can_be_exposed && self.is_exposed(set) {
            self.violation = Some(node);
        }
    }

    pub(super) fn add_node(&mut self, set: SetId, actuals: B::Set, parent: Parent) -> NodeId {
        self.node_bytes += actuals.bytes();
        let depth = match parent {
            Parent::Move(from, _) => self.nodes[from.index()].depth.saturating_add(1),
            Parent::Root | Parent::DelayBranch(..) => 0,
        };
        self.nodes.push(SearchNode { set, actuals, parent, depth });
        NodeId::from_index(self.nodes.len() - 1)
    }

    /// Takes back the node that was added last.
    pub(super) fn remove_last_node(&mut self) {
        self.node_bytes -= self.nodes.pop().map_or(0, |node| node.actuals.bytes());
    }

    /// Whether an estimate lies inside an exposed set.
    pub(super) fn is_exposed(&self, set: SetId) -> bool {
        let mut classes: Vec<u32> = Vec::with_capacity(self.exposed.max_classes + 1);
        for hypothesis in self.sets.get(set).iter() {
            let state = self.beliefs.hypothesis_state(hypothesis);
            if !self.exposed.can_be_exposed(state) {
                return false;
            }
            let class = self.exposed.class(state);
            if !classes.contains(&class) {
                classes.push(class);
            }
            if classes.len() > self.exposed.max_classes {
                return false;
            }
        }
        true
    }

    /// Drops the actual states that have a twin in the estimate.
    fn without_twins(&mut self, set: SetId, actuals: B::Set) -> B::Set {
        let (work, progress) = (self.work + self.estimates.effort(), self.progress(0));
        let ForwardSearch { twins, beliefs, exposed, sets, meter, .. } = self;
        twins.prune(*beliefs, exposed, (actuals, sets.get(set)), work, (meter, progress))
    }

    /// The successors of some actual states, by label.
    pub(super) fn post_actuals(&mut self, actuals: &B::Set) -> Vec<Successors<B::Set>> {
        self.work += actuals.len() as u64;
        self.beliefs.post_actuals(actuals)
    }

    /// The successors of a set of hypotheses; computed once.
    pub(super) fn post(&mut self, set: SetId, label: LabelId) -> Result<SetId, Stop> {
        if let Some(&post) = self.posts.get(&(set, label)) {
            return Ok(post);
        }
        let size = u64::from(self.sets.summary(set).len);
        let token = self.meter.cancel_token(self.bytes() - self.beliefs.bytes());
        let post = self.beliefs.post_within(self.sets.get(set), label, &token)?;
        self.work += size;
        let post = self.sets.intern(post);
        self.posts.insert((set, label), post);
        if size > Tuning::LARGE_SET {
            // WHY: a step of the search computes a post-image for each event, which takes long for large sets.
            self.meter.look(&self.progress(0))?;
        }
        Ok(post)
    }
}
