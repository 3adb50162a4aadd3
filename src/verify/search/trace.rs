//! From a search node to a run that leads to it.
//!
//! A node points to its parent and the label between them, so a run is found backward: at each node, the actual states that
//! entered it, and a shortest path from one of them by ε moves.

use super::forward::{ForwardSearch, NodeId, Parent};
use crate::verify::sets::{Id, Set};
use crate::verify::views::belief_system::{ActualId, EPSILON, Heuristics, LabelId, Move};
use rustc_hash::FxHashMap;

/// How a node was entered: from an actual state of its parent, at one of its own, by a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) source: ActualId,
    pub(super) target: ActualId,
    pub(super) step: Option<Move>,
}

impl Entry {
    pub(super) fn without_move(actual: ActualId) -> Entry {
        Entry { source: actual, target: actual, step: None }
    }
}

impl<B: Heuristics> ForwardSearch<'_, B> {
    /// A run that leads to a node: where it starts, its moves, and how many come before the delay branch.
    pub(super) fn trace(&mut self, last: NodeId) -> (ActualId, Vec<Move>, usize) {
        let mut moves: Vec<Move> = Vec::new();
        let mut after_branch = 0;
        let mut node = last;
        let mut actual = self.nodes[last.index()].actuals.iter().next().unwrap_or(ActualId(0));
        loop {
            let entries = self.entries(node);
            let (entry, path) = self.silent_path(&entries, actual);
            moves.extend(path.into_iter().rev());
            actual = entry.target;
            match self.nodes[node.index()].parent {
                Parent::Root => break,
                Parent::DelayBranch(from, _) => {
                    after_branch = moves.len();
                    node = from;
                }
                Parent::Move(from, _) => {
                    moves.extend(entry.step);
                    actual = entry.source;
                    node = from;
                }
            }
        }
        moves.reverse();
        let before = moves.len() - after_branch;
        (actual, moves, before)
    }

    fn entries(&mut self, node: NodeId) -> Vec<Entry> {
        match self.nodes[node.index()].parent {
            Parent::Root => self.beliefs.initial().0.into_iter().map(Entry::without_move).collect(),
            Parent::DelayBranch(from, class) => self.entries_of_class(from, class),
            Parent::Move(from, label) => self.entries_by(from, label),
        }
    }

    /// The actual states of one class of a node.
    pub(super) fn entries_of_class(&self, from: NodeId, class: u32) -> Vec<Entry> {
        let of_class = |actual: &ActualId| self.exposed.class(self.beliefs.actual_state(*actual)) == class;
        self.nodes[from.index()].actuals.iter().filter(of_class).map(Entry::without_move).collect()
    }

    /// The moves of the actual states of a node with a label.
    pub(super) fn entries_by(&mut self, from: NodeId, label: LabelId) -> Vec<Entry> {
        let actuals: Vec<ActualId> = self.nodes[from.index()].actuals.iter().collect();
        let mut entries = Vec::new();
        for source in actuals {
            let moves = self.beliefs.moves(source).iter().filter(|step| step.label == label);
            entries.extend(moves.map(|step| Entry { source, target: step.target, step: Some(*step) }));
        }
        entries
    }

    /// A shortest path by ε moves from the target of an entry to an actual state: the entry, and the moves.
    pub(super) fn silent_path(&mut self, entries: &[Entry], goal: ActualId) -> (Entry, Vec<Move>) {
        let mut parents: FxHashMap<ActualId, Option<(ActualId, Move)>> = FxHashMap::default();
        let mut queue: Vec<ActualId> = Vec::new();
        for entry in entries {
            if parents.insert(entry.target, None).is_none() {
                queue.push(entry.target);
            }
        }
        let mut at = 0;
        while at < queue.len() && !parents.contains_key(&goal) {
            let actual = queue[at];
            at += 1;
            let silent = self.beliefs.moves(actual).iter().filter(|step| step.label == EPSILON);
            for step in silent.copied() {
                parents.entry(step.target).or_insert_with(|| {
                    queue.push(step.target);
                    Some((actual, step))
                });
            }
        }
        let mut path = Vec::new();
        let mut here = goal;
        while let Some(Some((before, step))) = parents.get(&here) {
            path.push(*step);
            here = *before;
        }
        path.reverse();
        let entry = entries.iter().find(|entry| entry.target == here).copied();
        (entry.unwrap_or(Entry::without_move(here)), path)
    }
}
