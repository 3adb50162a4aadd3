//! Cc(G_m, Obs_m(G)) and Cc(Ĝ_w, Obs_w(Ĝ)): the concurrent composition.
//!
//! A pair (x, q) says where the system really is and which of its rivals are still possible (definition of concurrent
//! composition, eq. 5 and 9). An observable event moves both sides, an unobservable one only the left side. A reachable pair
//! (·, ∅) is an exposure, and the observational steps to it are its distance (theorems 4.1 and 4.2). Pairs are explored in
//! the order of that distance and, at equal distance, of the observation before it: so the first exposure has the
//! shortest β, and the shortest α among those. Cost: at most |X| · 2^|X| pairs.

use super::Budget;
use super::adjoint::Row;
use super::observer::{SetId, Subsets};
use super::plant::{NodeId, Plant};
use crate::automaton::view::Symbol;
use crate::automaton::{EventId, id};
use crate::resources::Stop;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

id! {
    /// A pair (x, q) of the composition.
    PairId
}

/// (x, q): where the system is, and its adjoint set by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The left side.
    pub node: NodeId,
    /// The right side: a set of the modified observer.
    pub set: SetId,
}

/// One transition of the composition: (σ, ℓ(σ)), or (σ, ε).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The event of the left side.
    pub event: EventId,
    /// What it shows: the event of the right side, if there is one.
    pub sign: Option<Symbol>,
    /// Where it leads.
    pub target: PairId,
}

/// How a pair was first reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is initial: this row of the adjoint table.
    Row(usize),
    /// From another pair, by this event and with this sign.
    Pair(PairId, EventId, Option<Symbol>),
}

/// The reachable part of a concurrent composition.
#[derive(Clone, Debug, Default)]
pub struct Composition {
    pairs: Vec<Pair>,
    known: BTreeMap<Pair, PairId>,
    initial: Vec<PairId>,
    moves: Vec<Vec<Joint>>,
    reached: Vec<Reached>,
    exposed: Option<PairId>,
    /// Layers before this one are complete.
    layer: u64,
    /// Why it is not all there, if it is not.
    stopped: Option<Stop>,
}

#[derive(Clone, Copy, Debug)]
struct Reached {
    /// (|β|, |α|)
    distance: (u64, u64),
    origin: Origin,
}

impl Composition {
    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// All pairs.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = PairId> + use<> {
        (0..self.pairs.len()).map(PairId::from_index)
    }

    /// A pair.
    pub fn pair(&self, id: PairId) -> Pair {
        self.pairs[id.index()]
    }

    /// The id of a pair, if it is reachable.
    pub fn find(&self, pair: Pair) -> Option<PairId> {
        self.known.get(&pair).copied()
    }

    /// The initial pairs.
    pub fn initial(&self) -> &[PairId] {
        &self.initial
    }

    /// The transitions that leave a pair.
    pub fn moves(&self, id: PairId) -> &[Joint] {
        &self.moves[id.index()]
    }

    /// The least number of observational steps to a pair.
    pub fn steps(&self, id: PairId) -> u64 {
        self.reached[id.index()].distance.0
    }

    /// A nearest pair (·, ∅), if one is reachable.
    pub fn exposed(&self) -> Option<PairId> {
        self.exposed
    }

    /// The least number of observational steps to a pair (·, ∅): k_s or k_w of definition 5.1.
    pub fn exposure(&self) -> Option<u64> {
        self.exposed.map(|pair| self.steps(pair))
    }

    /// Why it is not all there, if it is not.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// No pair (·, ∅) is reachable within fewer steps than this.
    pub fn complete(&self) -> u64 {
        self.layer
    }

    /// The number of observational steps after which no new pair appears.
    pub fn saturation(&self) -> u64 {
        self.reached.iter().map(|reached| reached.distance.0).max().unwrap_or(0)
    }

    /// The shortest way to a pair: its first pair and row, and the pairs that follow with their events and signs.
    pub fn path(&self, id: PairId) -> (usize, PairId, Vec<Joint>) {
        let mut joints = Vec::new();
        let mut at = id;
        loop {
            match self.reached[at.index()].origin {
                Origin::Row(row) => {
                    joints.reverse();
                    return (row, at, joints);
                }
                Origin::Pair(before, event, sign) => {
                    joints.push(Joint { event, sign, target: at });
                    at = before;
                }
            }
        }
    }
}

/// Composes the plant (its variant: every node may be a start) with the modified observer, from the rows of the table. Where the
/// budget runs out the composition is a part of the whole, and says so ([`Composition::stopped`]). An exposure that it holds is
/// still a nearest one: pairs are visited in the order of their distance.
pub fn compose(
    plant: &Plant,
    observer: &Subsets,
    modified: &Subsets,
    rows: &[Row],
    budget: &mut Budget<'_>,
) -> Composition {
    let mut composition = Composition::default();
    composition.stopped = composition.explore(plant, observer, modified, rows, budget).err();
    composition
}

type Queue = BinaryHeap<Reverse<((u64, u64), PairId)>>;

impl Composition {
    fn explore(
        &mut self,
        plant: &Plant,
        observer: &Subsets,
        modified: &Subsets,
        rows: &[Row],
        budget: &mut Budget<'_>,
    ) -> Result<(), Stop> {
        let mut queue = Queue::new();
        for (at, row) in rows.iter().enumerate() {
            let set = modified.find(&row.adjoint).expect("the modified observer starts from every adjoint set");
            let before = observer.observation(row.set).len() as u64;
            let pair = Pair { node: row.node, set };
            let id =
                self.reach(pair, Reached { distance: (0, before), origin: Origin::Row(at) }, &mut queue, budget)?;
            self.initial.push(id);
        }
        self.initial.sort_unstable();
        self.initial.dedup();
        let mut done = vec![false; self.pairs.len()];
        while let Some(Reverse((distance, id))) = queue.pop() {
            if std::mem::replace(&mut done[id.index()], true) {
                continue;
            }
            self.layer = distance.0;
            self.visit(id, plant, modified, &mut queue, budget)?;
            done.resize(self.pairs.len(), false);
        }
        Ok(())
    }

    fn visit(
        &mut self,
        id: PairId,
        plant: &Plant,
        modified: &Subsets,
        queue: &mut Queue,
        budget: &mut Budget<'_>,
    ) -> Result<(), Stop> {
        let Pair { node, set } = self.pair(id);
        if modified.set(set).is_empty() && self.exposed.is_none() {
            self.exposed = Some(id);
        }
        let (steps, before) = self.reached[id.index()].distance;
        let mut row = Vec::new();
        for step in plant.moves(node) {
            let (set, cost) = match step.sign {
                Some(sign) => (modified.next(set)[&sign], 1),
                None => (set, 0),
            };
            let origin = Origin::Pair(id, step.event, step.sign);
            let reached = Reached { distance: (steps + cost, before), origin };
            let target = self.reach(Pair { node: step.target, set }, reached, queue, budget)?;
            row.push(Joint { event: step.event, sign: step.sign, target });
        }
        self.moves[id.index()] = row;
        Ok(())
    }

    /// Notes that a pair is reached; a shorter way replaces a longer one.
    fn reach(
        &mut self,
        pair: Pair,
        reached: Reached,
        queue: &mut Queue,
        budget: &mut Budget<'_>,
    ) -> Result<PairId, Stop> {
        let id = match self.known.get(&pair) {
            Some(&id) if self.reached[id.index()].distance <= reached.distance => return Ok(id),
            Some(&id) => {
                self.reached[id.index()] = reached;
                id
            }
            None => {
                budget.pay(160)?;
                let id = PairId::from_index(self.pairs.len());
                self.pairs.push(pair);
                self.known.insert(pair, id);
                self.moves.push(Vec::new());
                self.reached.push(reached);
                id
            }
        };
        queue.push(Reverse((reached.distance, id)));
        Ok(id)
    }
}
