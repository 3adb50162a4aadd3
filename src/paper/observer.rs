//! Obs(G), Obs_m(G) and their weak forms: the subset construction from one set or from many.
//!
//! Obs(G) starts from UR(X0) (eq. 2, 7); Obs_m(G) moves in the same way and starts from every adjoint set (eq. 3, 8). Both
//! are total, as in the paper: the empty set is a state like any other. Cost: at most 2^|X| sets, each moved once per sign.

use super::Budget;
use super::adjoint::Row;
use super::plant::{NodeId, Plant};
use crate::automaton::id;
use crate::automaton::view::Symbol;
use crate::resources::Stop;
use std::collections::BTreeMap;

id! {
    /// A set of nodes: a state of an observer.
    SetId
}

/// A set of nodes, sorted.
pub type NodeSet = Vec<NodeId>;

/// An observer: sets of nodes, and where each sign leads.
#[derive(Clone, Debug, Default)]
pub struct Subsets {
    sets: Vec<NodeSet>,
    initial: Vec<SetId>,
    next: Vec<BTreeMap<Symbol, SetId>>,
    came: Vec<Option<(SetId, Symbol)>>,
    known: BTreeMap<NodeSet, SetId>,
}

impl Subsets {
    /// How many sets there are, the empty one included when it is reachable.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is no set at all.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// All sets, in the order in which they were reached.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = SetId> + use<> {
        (0..self.sets.len()).map(SetId::from_index)
    }

    /// The nodes of a set.
    pub fn set(&self, id: SetId) -> &[NodeId] {
        &self.sets[id.index()]
    }

    /// The id of a set of nodes, if it is reachable.
    pub fn find(&self, set: &[NodeId]) -> Option<SetId> {
        self.known.get(set).copied()
    }

    /// The sets it starts from.
    pub fn initial(&self) -> &[SetId] {
        &self.initial
    }

    /// Where each sign leads.
    pub fn next(&self, id: SetId) -> &BTreeMap<Symbol, SetId> {
        &self.next[id.index()]
    }

    /// A shortest observation that leads from an initial set to this one.
    pub fn observation(&self, id: SetId) -> Vec<Symbol> {
        let mut signs = Vec::new();
        let mut at = id;
        while let Some((before, sign)) = self.came[at.index()] {
            signs.push(sign);
            at = before;
        }
        signs.reverse();
        signs
    }

    fn add(&mut self, set: NodeSet, came: Option<(SetId, Symbol)>, budget: &mut Budget<'_>) -> Result<SetId, Stop> {
        if let Some(&id) = self.known.get(&set) {
            return Ok(id);
        }
        let id = SetId::from_index(self.sets.len());
        budget.pay(160 + 8 * set.len())?;
        self.sets.push(set.clone());
        self.came.push(came);
        self.known.insert(set, id);
        Ok(id)
    }

    /// Follows every sign until nothing new appears.
    fn close(mut self, plant: &Plant, budget: &mut Budget<'_>) -> Result<Subsets, Stop> {
        while self.next.len() < self.sets.len() {
            let from = SetId::from_index(self.next.len());
            let mut row = BTreeMap::new();
            for &sign in plant.alphabet() {
                let set = post(plant, self.set(from), sign);
                row.insert(sign, self.add(set, Some((from, sign)), budget)?);
            }
            self.next.push(row);
        }
        Ok(self)
    }
}

/// Obs(G) or Ôbs(Ĝ).
pub fn observer(plant: &Plant, budget: &mut Budget<'_>) -> Result<Subsets, Stop> {
    let mut subsets = Subsets::default();
    let first = subsets.add(reach(plant, plant.initial()), None, budget)?;
    subsets.initial.push(first);
    subsets.close(plant, budget)
}

/// Obs_m(G) or Obs_w(Ĝ): it starts from the adjoint sets.
pub fn modified(plant: &Plant, rows: &[Row], budget: &mut Budget<'_>) -> Result<Subsets, Stop> {
    let mut subsets = Subsets::default();
    for row in rows {
        let set = subsets.add(row.adjoint.clone(), None, budget)?;
        subsets.initial.push(set);
    }
    subsets.initial.sort_unstable();
    subsets.initial.dedup();
    subsets.close(plant, budget)
}

/// UR: what unobservable transitions reach from a set.
pub fn reach(plant: &Plant, set: &[NodeId]) -> NodeSet {
    let mut reached: std::collections::BTreeSet<NodeId> = set.iter().copied().collect();
    let mut open: Vec<NodeId> = set.to_vec();
    while let Some(node) = open.pop() {
        for step in plant.moves(node).iter().filter(|step| step.sign.is_none()) {
            if reached.insert(step.target) {
                open.push(step.target);
            }
        }
    }
    reached.into_iter().collect()
}

/// δ_obs: what the transitions that show a sign reach from a set, and UR of that.
pub fn post(plant: &Plant, set: &[NodeId], sign: Symbol) -> NodeSet {
    let shown = set.iter().flat_map(|&node| plant.moves(node)).filter(|step| step.sign == Some(sign));
    let mut targets: NodeSet = shown.map(|step| step.target).collect();
    targets.sort_unstable();
    targets.dedup();
    reach(plant, &targets)
}
