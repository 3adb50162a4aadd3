//! The backward search of phase 2: the states that can show β, from the last label to the first.
//!
//! E(α|αβ) = S(α) ∩ R(β), R(β) being the states from which some run shows β. R(ε) = X, and R(lβ) are the states that reach R(β)
//! by silent moves, l, and silent moves: a step of the reversed automaton. Layers are by |β|, as in the forward search; for
//! each state x only the ⊆-minimal R that contain x matter. A layer exposes if some estimate meets some R inside an exposed
//! set. Cost: one test for each estimate and each set. The sets do not depend on the estimates, so this wins where the
//! forward search has many delay branches (the two-way observer of Yin and Lafortune, 2017, with antichains).

use super::antichain::Antichain;
use super::exposure_test::{ExposureTester, Tested};
use crate::resources::Stop;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::search::SliceResult;
use crate::verify::sets::{Set, SetId, SetInterner, map_bytes, vec_bytes};
use crate::verify::views::belief_system::{BeliefSystem, LabelId, Successors};
use crate::verify::views::static_view::StaticView;
use crate::verify::{Phase, Progress};
use rustc_hash::FxHashMap;

/// The state of the search.
pub(crate) struct BackwardSearch<S> {
    reversed: StaticView<S>,
    estimates: Vec<S>,
    /// Heap bytes of the estimates themselves.
    estimate_bytes: u64,
    sets: SetInterner<S>,
    posts: FxHashMap<(SetId, LabelId), SetId>,
    antichain: Antichain<S>,
    nodes: Vec<Node<S>>,
    /// Heap bytes of the nodes' states.
    node_bytes: u64,
    /// Nodes before this one are expanded.
    next: usize,
    /// Where the current layer ends.
    end: usize,
    /// Nodes before this one were tested with every estimate.
    tested: usize,
    tester: ExposureTester,
    /// The layer that is being tested.
    layer: u64,
    horizon: u64,
    /// The last layer that was tested completely.
    pub(crate) safe: Option<u64>,
    work: u64,
}

/// States that were admitted together with one set, and how the set was reached.
#[derive(Debug)]
struct Node<S> {
    set: SetId,
    states: S,
    parent: Option<(usize, LabelId)>,
}

impl<S: Set> BackwardSearch<S> {
    /// Nothing explored.
    pub(crate) fn new(
        reversed: StaticView<S>,
        estimates: Vec<S>,
        exposed: &ExposedSets,
        subsumption: bool,
        horizon: u64,
    ) -> BackwardSearch<S> {
        let universe = reversed.n_states();
        let mut sets: SetInterner<S> = SetInterner::new(universe);
        let all = sets.collect::<u32>(&mut (0..universe as u32).collect());
        let states = sets.get(all).clone();
        let mut antichain = Antichain::new(subsumption);
        let states = antichain.admit(&sets, all, states).unwrap_or_default();
        BackwardSearch {
            estimate_bytes: estimates.iter().map(Set::bytes).sum(),
            tester: ExposureTester::new(exposed, &reversed, estimates.iter()),
            reversed,
            estimates,
            sets,
            posts: FxHashMap::default(),
            antichain,
            node_bytes: states.bytes(),
            nodes: vec![Node { set: all, states, parent: None }],
            next: 0,
            end: 1,
            tested: 0,
            layer: 0,
            horizon,
            safe: None,
            work: 0,
        }
    }

    /// The last layer that had something new.
    pub(crate) fn depth(&self) -> u64 {
        self.layer.saturating_sub(1)
    }

    /// How many pairs and sets are stored.
    pub(crate) fn stored(&self) -> (u64, u64) {
        (self.antichain.pairs, self.sets.len() as u64)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let estimates = vec_bytes(&self.estimates) + self.estimate_bytes + self.tester.bytes();
        let nodes = vec_bytes(&self.nodes) + self.node_bytes + self.antichain.bytes();
        self.sets.bytes() + map_bytes(&self.posts) + self.reversed.bytes() + estimates + nodes
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        self.work + self.tester.work + self.antichain.effort()
    }

    /// Searches until this much work is done.
    pub(crate) fn explore(&mut self, meter: &mut ResourceMonitor<'_>, until: u64) -> Result<SliceResult, Stop> {
        while self.effort() < until {
            meter.check(&self.progress())?;
            if self.tested < self.end {
                if let Some(found) = self.test() {
                    return Ok(found);
                }
            } else if self.next < self.end {
                self.safe = Some(self.layer);
                if self.layer >= self.horizon {
                    return Ok(SliceResult::SafeToHorizon);
                }
                self.expand();
            } else if self.end == self.nodes.len() {
                return Ok(SliceResult::Safe);
            } else {
                self.close_layer();
            }
        }
        Ok(SliceResult::Unfinished)
    }

    fn progress(&self) -> Progress {
        Progress {
            phase: Phase::Layers,
            layer: self.layer,
            pairs: self.antichain.pairs,
            frontier: (self.nodes.len() - self.next) as u64,
            memory: self.bytes(),
        }
    }

    /// Tests the next set of the layer with some estimates.
    fn test(&mut self) -> Option<SliceResult> {
        let node = self.tested;
        match self.tester.test(self.sets.get(self.nodes[node].set), |at| &self.estimates[at]) {
            Tested::Exposed(estimate) => return Some(SliceResult::Exposed { estimate, beta: self.beta(node) }),
            Tested::Some => {}
            Tested::All => self.tested += 1,
        }
        None
    }

    /// β: the labels from a node back to R(ε).
    fn beta(&self, mut node: usize) -> Vec<LabelId> {
        let mut beta = Vec::new();
        while let Some((parent, label)) = self.nodes[node].parent {
            beta.push(label);
            node = parent;
        }
        beta
    }

    /// Expands one node of the layer.
    fn expand(&mut self) {
        let at = self.next;
        self.next += 1;
        let (set, states) = (self.nodes[at].set, self.nodes[at].states.clone());
        self.work += states.len() as u64;
        for Successors { label, targets, .. } in self.reversed.post_actuals(&states) {
            let post = self.post(set, label);
            if let Some(states) = self.antichain.admit(&self.sets, post, targets) {
                self.node_bytes += states.bytes();
                self.nodes.push(Node { set: post, states, parent: Some((at, label)) });
            }
        }
    }

    /// The next layer is complete: fixes its minimal pairs.
    fn close_layer(&mut self) {
        self.layer += 1;
        self.end = self.nodes.len();
        for node in &mut self.nodes[self.next..] {
            self.antichain.prune(&self.sets, node.set, &mut node.states);
        }
    }

    fn post(&mut self, set: SetId, label: LabelId) -> SetId {
        if let Some(&post) = self.posts.get(&(set, label)) {
            return post;
        }
        let post = self.reversed.post(self.sets.get(set), label);
        self.work += u64::from(self.sets.summary(set).len);
        let post = self.sets.intern(post);
        self.posts.insert((set, label), post);
        post
    }
}
