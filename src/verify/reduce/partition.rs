//! Partition refinement by signatures, for branching bisimulation.
//!
//! Blocks of nodes are split by the *signatures* of their members, the (label, block) pairs that they can reach after silent
//! moves inside the block, until no block splits. After the first round only nodes are visited whose moves lead to a node
//! that has just left its block; their signatures differ from those of the other members. Cost: linear for each round in
//! the moves of the nodes that are visited (Blom and Orzan, 2003).

use crate::automaton::Automaton;
use crate::resources::strike;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::engine::tuning::Tuning;
use crate::verify::sets::{SliceInterner, VisitedSet};
use crate::verify::views::belief_system::{EPSILON, LabelId};
use crate::verify::{Phase, Progress};

/// Nodes (contracted states) and their moves, forward and backward.
#[derive(Debug)]
pub(super) struct Graph {
    class: Vec<u32>,
    rows: Vec<u32>,
    /// (label, target), sorted in each row.
    moves: Vec<(LabelId, u32)>,
    predecessor_rows: Vec<u32>,
    predecessors: Vec<u32>,
}

impl Graph {
    pub(super) fn new(automaton: &Automaton, labels: &[LabelId], class: &[u32], node: &[u32], n: usize) -> Graph {
        let mut all: Vec<(u32, LabelId, u32)> = Vec::with_capacity(automaton.n_transitions());
        for (_, source, step) in automaton.transitions() {
            let (from, to) = (node[source.index()], node[step.target.index()]);
            let label = labels[step.event.index()];
            if label != EPSILON || from != to {
                all.push((from, label, to));
            }
        }
        all.sort_unstable();
        all.dedup();
        let rows = rows(n, all.iter().map(|edge| edge.0));
        let moves = all.iter().map(|edge| (edge.1, edge.2)).collect();
        all.sort_unstable_by_key(|edge| (edge.2, edge.0));
        let predecessor_rows = self::rows(n, all.iter().map(|edge| edge.2));
        let predecessors = all.iter().map(|edge| edge.0).collect();
        let mut classes = vec![0; n];
        node.iter().zip(class).for_each(|(&node, &class)| classes[node as usize] = class);
        Graph { class: classes, rows, moves, predecessor_rows, predecessors }
    }

    fn moves(&self, node: u32) -> &[(LabelId, u32)] {
        &self.moves[self.rows[node as usize] as usize..self.rows[node as usize + 1] as usize]
    }

    /// The targets of the silent moves of a node.
    fn silent(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.moves(node).iter().rev().take_while(|step| step.0 == EPSILON).map(|step| step.1)
    }

    fn predecessors(&self, node: u32) -> &[u32] {
        let rows = &self.predecessor_rows;
        &self.predecessors[rows[node as usize] as usize..rows[node as usize + 1] as usize]
    }
}

/// Where the edges of each node begin, given the node of each edge in order.
fn rows(n: usize, of: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut rows = vec![0u32; n + 1];
    of.for_each(|node| rows[node as usize + 1] += 1);
    for at in 1..rows.len() {
        rows[at] += rows[at - 1];
    }
    rows
}

/// The blocks while they are being split.
#[derive(Debug)]
pub(super) struct Partition {
    block: Vec<u32>,
    sizes: Vec<u32>,
    signatures: Signatures,
}

/// A node, and the block that it has left.
type Moved = (u32, u32);

impl Partition {
    /// One block for each class.
    pub(super) fn new(graph: &Graph) -> Partition {
        let n_classes = graph.class.iter().max().map_or(0, |last| last + 1);
        let mut sizes = vec![0; n_classes as usize];
        graph.class.iter().for_each(|&class| sizes[class as usize] += 1);
        Partition { block: graph.class.clone(), sizes, signatures: Signatures::new(graph.class.len()) }
    }

    /// The block of each node when no block splits; none if there are more than `most` blocks, or a limit is reached.
    pub(super) fn refined(
        mut self,
        graph: &Graph,
        most: usize,
        mut work: u64,
        meter: &mut ResourceMonitor<'_>,
    ) -> Option<Vec<u32>> {
        let mut dirty: Vec<u32> = (0..graph.class.len() as u32).collect();
        while !dirty.is_empty() {
            work = work.checked_sub(self.signatures.compute(graph, &self.block, &dirty, meter)?)?;
            let moved = self.split(&mut dirty);
            if self.sizes.len() > most {
                return None;
            }
            dirty = self.affected(graph, &moved);
        }
        Some(self.block)
    }

    /// Splits the blocks of these nodes by signature. The other nodes of a block have one signature in common, and none of
    /// these has it.
    fn split(&mut self, dirty: &mut [u32]) -> Vec<Moved> {
        let Partition { block, sizes, signatures } = self;
        dirty.sort_unstable_by_key(|&node| (block[node as usize], signatures.of[node as usize]));
        let mut moved: Vec<Moved> = Vec::new();
        for members in dirty.chunk_by(|&one, &other| block[one as usize] == block[other as usize]) {
            let from = block[members[0] as usize];
            let same = |one: &u32, other: &u32| signatures.of[*one as usize] == signatures.of[*other as usize];
            let whole = members.len() == sizes[from as usize] as usize;
            let largest = members.chunk_by(same).map(<[u32]>::len).max().filter(|_| whole);
            let mut kept = false;
            for part in members.chunk_by(same) {
                if !kept && largest == Some(part.len()) {
                    kept = true;
                    continue;
                }
                sizes[from as usize] -= part.len() as u32;
                sizes.push(part.len() as u32);
                // WHY not at once: the blocks of the other nodes are still read.
                moved.extend(part.iter().map(|&node| (node, sizes.len() as u32 - 1)));
            }
        }
        moved.iter_mut().for_each(|(node, to)| std::mem::swap(&mut block[*node as usize], to));
        moved
    }

    /// The nodes whose signatures may have changed.
    fn affected(&mut self, graph: &Graph, moved: &[Moved]) -> Vec<u32> {
        let block = &self.block;
        let visited = &mut self.signatures.visited;
        visited.clear();
        let mut affected = Vec::new();
        for &(node, left) in moved {
            // WHY: a node that moved together with what it reaches silently keeps its signature.
            let moved_along = |source: u32| {
                block[source as usize] == block[node as usize]
                    && !graph.moves(source).iter().any(|&(label, target)| target == node && label != EPSILON)
            };
            let sources = graph.predecessors(node).iter().copied();
            affected.extend(sources.filter(|&source| !moved_along(source) && visited.insert(source)));
            if graph.silent(node).any(|target| block[target as usize] == left) && visited.insert(node) {
                affected.push(node);
            }
        }
        let mut at = 0;
        while let Some(&node) = affected.get(at) {
            let inert = |&source: &u32| {
                block[source as usize] == block[node as usize] && graph.silent(source).any(|target| target == node)
            };
            let sources = graph.predecessors(node).iter().copied().filter(inert);
            affected.extend(sources.filter(|&source| visited.insert(source)));
            at += 1;
        }
        affected
    }
}

/// The signatures of the nodes of one round, interned.
#[derive(Debug)]
struct Signatures {
    /// The id of each node's signature.
    of: Vec<u32>,
    visited: VisitedSet,
    /// (label, block), sorted.
    interner: SliceInterner<(LabelId, u32)>,
    buffer: Vec<(LabelId, u32)>,
}

impl Signatures {
    fn new(n: usize) -> Signatures {
        Signatures { of: vec![0; n], visited: VisitedSet::new(n), interner: SliceInterner::new(), buffer: Vec::new() }
    }

    /// Computes the signatures of these nodes; the work that it took. None: a limit is reached.
    fn compute(&mut self, graph: &Graph, block: &[u32], nodes: &[u32], meter: &mut ResourceMonitor<'_>) -> Option<u64> {
        self.interner.clear();
        let (mut work, mut looked) = (0, 0);
        for node in self.with_inert(graph, block, nodes) {
            work += self.add(graph, block, node);
            if work - looked > Tuning::QUOTIENT_WORK_PER_LOOK || strike::everywhere() {
                looked = work;
                meter.look(&Progress { phase: Phase::Quotient, ..Progress::default() }).ok()?;
            }
        }
        Some(work)
    }

    /// The nodes and those that they reach silently inside their blocks, whose signatures are parts of theirs; targets first.
    fn with_inert(&mut self, graph: &Graph, block: &[u32], nodes: &[u32]) -> Vec<u32> {
        self.visited.clear();
        let mut all = nodes.to_vec();
        all.iter().for_each(|&node| {
            self.visited.insert(node);
        });
        let mut at = 0;
        while let Some(&node) = all.get(at) {
            let inert = graph.silent(node).filter(|&target| block[target as usize] == block[node as usize]);
            all.extend(inert.filter(|&target| self.visited.insert(target)));
            at += 1;
        }
        // WHY sorting suffices: silent moves inside a class lead to smaller numbers.
        all.sort_unstable();
        all
    }

    fn add(&mut self, graph: &Graph, block: &[u32], node: u32) -> u64 {
        self.buffer.clear();
        for &(label, target) in graph.moves(node) {
            let to = block[target as usize];
            if label == EPSILON && to == block[node as usize] {
                self.buffer.extend(self.interner.get(self.of[target as usize]));
            } else {
                self.buffer.push((label, to));
            }
        }
        let work = 1 + self.buffer.len() as u64;
        self.buffer.sort_unstable();
        self.buffer.dedup();
        self.of[node as usize] = self.interner.intern(&self.buffer).0;
        work
    }
}
