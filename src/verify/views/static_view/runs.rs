//! From an observation to a run that shows it.

use super::StaticView;
use crate::verify::sets::Set;
use crate::verify::views::belief_system::{ActualId, EPSILON, LabelId, Move};
use rustc_hash::FxHashMap;

/// How many labels were shown, and the state.
type Place = (usize, ActualId);

/// The place and move that led to each place.
type Parents = FxHashMap<Place, Option<(Place, Move)>>;

impl<S: Set> StaticView<S> {
    /// A run that shows these labels: its initial state, and its moves. Breadth first. Cost: |labels| · |δ|.
    pub(crate) fn run_showing(&self, labels: &[LabelId]) -> Option<(ActualId, Vec<Move>)> {
        let mut queue: Vec<Place> = self.initial.iter().map(|&state| (0, ActualId(state))).collect();
        let mut parents: Parents = queue.iter().map(|&place| (place, None)).collect();
        let mut at = 0;
        while at < queue.len() {
            let (shown, state) = queue[at];
            at += 1;
            if shown == labels.len() {
                return Some(read_back(&parents, (shown, state)));
            }
            for step in self.row(state.0).iter().filter(|step| [EPSILON, labels[shown]].contains(&step.label)) {
                let place = (shown + usize::from(step.label != EPSILON), step.target);
                parents.entry(place).or_insert_with(|| {
                    queue.push(place);
                    Some(((shown, state), *step))
                });
            }
        }
        None
    }
}

fn read_back(parents: &Parents, mut place: Place) -> (ActualId, Vec<Move>) {
    let mut moves = Vec::new();
    while let Some(Some((parent, step))) = parents.get(&place) {
        moves.push(*step);
        place = *parent;
    }
    moves.reverse();
    (place.1, moves)
}
