//! `among N` without a choice of classes: phase 2 on what survives of each class.
//!
//! An exposed set is a choice of N-1 classes, and an estimate has too many of them to follow a delay branch for each. A *bundle* has, for
//! every class of the estimate except that of the actual run, the hypotheses that survive of it. It is exposed when fewer than N-1
//! classes survive. Which classes these are does not matter, so a bundle is a list of sets, each with the number of classes that have it.
//! A hypothesis that N-1 classes have is *enough*: as long as it survives nothing is exposed, and it is kept in one set for itself, with
//! those of which the class cannot be exposed. All of this is exact, and so is the distance: pairs with bundles go by layers, too.
//!
//! Cost: one bundle for each estimate and class instead of one set for each choice; sets and their post-images are shared. Bundles
//! are compared for equality only.

use super::forward::{ForwardSearch, NodeId, Parent};
use crate::resources::Stop;
use crate::verify::sets::{Id, Set, SetId, ids, map_bytes, vec_bytes};
use crate::verify::views::belief_system::{ActualId, Heuristics, HypothesisId, LabelId};
use rustc_hash::FxHashMap;

ids! {
    /// A bundle.
    BundleId,
}

/// The sets of a bundle, in order, and how many classes have each.
type Content = Box<[(SetId, u32)]>;

/// The bundles that were met.
#[derive(Debug)]
pub(super) struct Bundles<S> {
    ids: FxHashMap<Content, BundleId>,
    contents: Vec<Content>,
    /// The actual states that were admitted with each.
    admitted: Vec<S>,
    of_node: FxHashMap<NodeId, BundleId>,
    /// How many classes must survive beside that of the actual run.
    enough: u32,
    /// Heap bytes of contents and of admitted actual states.
    bytes: u64,
    /// Pairs admitted.
    pub(super) pairs: u64,
}

impl<S: Set> Bundles<S> {
    /// No bundles; exposed sets have up to so many classes.
    pub(super) fn new(max_classes: usize) -> Bundles<S> {
        Bundles {
            ids: FxHashMap::default(),
            contents: Vec::new(),
            admitted: Vec::new(),
            of_node: FxHashMap::default(),
            enough: max_classes as u32,
            bytes: 0,
            pairs: 0,
        }
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> u64 {
        let lists = vec_bytes(&self.contents) + vec_bytes(&self.admitted) + self.bytes;
        lists + map_bytes(&self.ids) + map_bytes(&self.of_node)
    }

    fn intern(&mut self, content: Content) -> BundleId {
        let next = BundleId(self.contents.len() as u32);
        if let Some(&id) = self.ids.get(&content) {
            return id;
        }
        self.bytes += 2 * size_of_val(&content[..]) as u64;
        self.ids.insert(content.clone(), next);
        self.contents.push(content);
        self.admitted.push(S::default());
        next
    }

    fn is_exposed(&self, bundle: BundleId) -> bool {
        let classes = self.contents[bundle.0 as usize].iter().map(|&(_, classes)| classes);
        classes.fold(0, u32::saturating_add) < self.enough
    }
}

impl<B: Heuristics> ForwardSearch<'_, B> {
    /// Admits the bundle of a class of an estimate: what the others have.
    pub(super) fn admit_bundle_of(&mut self, node: NodeId, class: u32, actuals: B::Set) {
        let set = self.nodes[node.index()].set;
        let enough = self.exposed.max_classes as u32;
        let mut by_class: FxHashMap<Option<u32>, Vec<HypothesisId>> = FxHashMap::default();
        for hypothesis in self.sets.get(set).iter() {
            let state = self.beliefs.hypothesis_state(hypothesis);
            let of = self.exposed.can_be_exposed(state).then(|| self.exposed.class(state));
            if of != Some(class) {
                by_class.entry(of).or_default().push(hypothesis);
            }
        }
        self.work += u64::from(self.sets.summary(set).len);
        let mut sets: Vec<(SetId, u32)> = Vec::with_capacity(by_class.len());
        for (of, hypotheses) in by_class {
            let closed = self.beliefs.close(hypotheses);
            sets.push((self.sets.intern(closed), if of.is_none() { enough } else { 1 }));
        }
        self.admit_bundle(sets, actuals, Parent::DelayBranch(node, class));
    }

    /// Admits the bundle after a label.
    pub(super) fn admit_next_bundle(&mut self, node: NodeId, label: LabelId, targets: B::Set) -> Result<(), Stop> {
        let Some(bundle) = self.bundles.as_ref().and_then(|bundles| bundles.of_node.get(&node).copied()) else {
            return Ok(());
        };
        let content = self.bundles.as_ref().map(|bundles| bundles.contents[bundle.0 as usize].clone());
        let mut sets = Vec::new();
        for &(set, classes) in content.iter().flatten() {
            sets.push((self.post(set, label)?, classes));
        }
        self.work += sets.len() as u64;
        self.admit_bundle(sets, targets, Parent::Move(node, label));
        Ok(())
    }

    fn admit_bundle(&mut self, sets: Vec<(SetId, u32)>, actuals: B::Set, parent: Parent) {
        let content = self.bundled(sets);
        let actuals = self.without_lasting(&content, actuals);
        let Some(bundles) = &mut self.bundles else { return };
        let bundle = bundles.intern(content);
        let admitted = &mut bundles.admitted[bundle.0 as usize];
        let mut fresh = actuals;
        fresh.difference_with(admitted);
        if fresh.is_empty() {
            return;
        }
        bundles.bytes -= admitted.bytes();
        admitted.union_with(&fresh);
        bundles.bytes += admitted.bytes();
        bundles.pairs += fresh.len() as u64;
        let is_exposed = bundles.is_exposed(bundle);
        // WHY any set: that of a node of phase 2 is read only where there are no bundles.
        let node = self.add_node(SetId(0), fresh, parent);
        self.frontier.push(node);
        if let Some(bundles) = &mut self.bundles {
            bundles.of_node.insert(node, bundle);
        }
        if is_exposed {
            self.violation = Some(node);
        }
    }

    /// The content of a bundle with these sets: hypotheses that enough classes have are in a set for themselves.
    fn bundled(&mut self, mut sets: Vec<(SetId, u32)>) -> Content {
        let enough = self.exposed.max_classes as u32;
        sets.retain(|&(set, _)| !self.sets.get(set).is_empty());
        merge(&mut sets, enough);
        let mut classes: FxHashMap<HypothesisId, u32> = FxHashMap::default();
        for &(set, more) in &sets {
            for hypothesis in self.sets.get(set).iter() {
                let all = classes.entry(hypothesis).or_default();
                *all = all.saturating_add(more);
            }
            self.work += u64::from(self.sets.summary(set).len);
        }
        let mut lasting: Vec<HypothesisId> =
            classes.iter().filter(|&(_, &all)| all >= enough).map(|(&hypothesis, _)| hypothesis).collect();
        if lasting.is_empty() {
            return sets.into_boxed_slice();
        }
        let lasting = self.sets.collect(&mut lasting);
        for (set, _) in &mut sets {
            let mut rest = self.sets.get(*set).clone();
            rest.difference_with(self.sets.get(lasting));
            *set = self.sets.intern(rest);
        }
        sets.retain(|&(set, _)| !self.sets.get(set).is_empty());
        sets.push((lasting, enough));
        merge(&mut sets, enough);
        sets.into_boxed_slice()
    }

    /// Drops the actual states that are among the hypotheses that enough classes have: these can do whatever the run does.
    fn without_lasting(&mut self, content: &[(SetId, u32)], actuals: B::Set) -> B::Set {
        let enough = self.exposed.max_classes as u32;
        let Some(&(lasting, _)) = content.iter().find(|&&(_, classes)| classes >= enough) else { return actuals };
        let mut kept: Vec<ActualId> = Vec::new();
        for actual in actuals.iter() {
            let identity = self.beliefs.identity(actual);
            if !self.sets.get(lasting).contains(identity) {
                kept.push(actual);
            }
        }
        B::Set::collect(self.beliefs.universe(), &mut kept)
    }
}

/// In order, each set once, with at most so many classes.
fn merge(sets: &mut Vec<(SetId, u32)>, most: u32) {
    sets.sort_unstable();
    sets.dedup_by(|later, kept| {
        let is_same = later.0 == kept.0;
        if is_same {
            kept.1 = kept.1.saturating_add(later.1);
        }
        is_same
    });
    sets.iter_mut().for_each(|(_, classes)| *classes = (*classes).min(most));
}
