//! Reads a run back from the cohorts of a search.
//!
//! A cohort knows which cohort it came from and by which operation, so a run is found backwards: at each cohort, the
//! lefts that entered it and a shortest way from one of them by moves that stay.

use super::forward::{CohortId, Origin, Search};
use crate::verify::sets::Set;
use crate::verify::views::belief_system::{Frame, Left, Move, STAY};
use rustc_hash::FxHashMap;

impl<F: Frame> Search<'_, F> {
    /// Reads a run back from a cohort: where it starts, its moves, how many come before the jump.
    pub(crate) fn trace(&mut self, last: CohortId) -> (Left, Vec<Move>, usize) {
        let mut moves: Vec<Move> = Vec::new();
        let mut jump_from_end = 0;
        let mut cohort = last;
        let mut left = self.cohorts[last].lefts.iter().next().unwrap_or(0);
        loop {
            let origin = self.cohorts[cohort].origin;
            let sources = self.sources(cohort);
            let (source, path) = self.silent_path(&sources, left);
            moves.extend(path.into_iter().rev());
            left = source.1;
            match origin {
                Origin::Start => break,
                Origin::Jump(from, _) => {
                    jump_from_end = moves.len();
                    cohort = from;
                }
                Origin::Move(from, _) => {
                    moves.extend(source.2);
                    left = source.0;
                    cohort = from;
                }
            }
        }
        moves.reverse();
        let before = moves.len() - jump_from_end;
        (left, moves, before)
    }

    /// How a cohort was entered: (left before, left after, the move between them).
    fn sources(&mut self, cohort: CohortId) -> Vec<(Left, Left, Option<Move>)> {
        match self.cohorts[cohort].origin {
            Origin::Start => self.frame.start().0.into_iter().map(|left| (left, left, None)).collect(),
            Origin::Jump(from, class) => {
                let of_class = |left: &Left| self.exposed.class(self.frame.left_state(*left)) == class;
                self.cohorts[from].lefts.iter().filter(of_class).map(|left| (left, left, None)).collect()
            }
            Origin::Move(from, op) => {
                let lefts: Vec<Left> = self.cohorts[from].lefts.iter().collect();
                let mut sources = Vec::new();
                for left in lefts {
                    let moves = self.frame.moves(left).iter().filter(|step| step.op == op);
                    sources.extend(moves.map(|step| (left, step.target, Some(*step))));
                }
                sources
            }
        }
    }

    /// A shortest way by moves that stay, from one of the sources to a left: the source, and the moves.
    #[allow(clippy::type_complexity)]
    fn silent_path(
        &mut self,
        sources: &[(Left, Left, Option<Move>)],
        goal: Left,
    ) -> ((Left, Left, Option<Move>), Vec<Move>) {
        let mut from: FxHashMap<Left, Option<(Left, Move)>> = FxHashMap::default();
        let mut queue: Vec<Left> = Vec::new();
        for source in sources {
            if from.insert(source.1, None).is_none() {
                queue.push(source.1);
            }
        }
        let mut at = 0;
        while at < queue.len() && !from.contains_key(&goal) {
            let left = queue[at];
            at += 1;
            let moves: Vec<Move> = self.frame.moves(left).iter().filter(|step| step.op == STAY).copied().collect();
            for step in moves {
                from.entry(step.target).or_insert_with(|| {
                    queue.push(step.target);
                    Some((left, step))
                });
            }
        }
        let mut path = Vec::new();
        let mut here = goal;
        while let Some(Some((before, step))) = from.get(&here) {
            path.push(*step);
            here = *before;
        }
        path.reverse();
        let source = sources.iter().find(|source| source.1 == here).copied();
        (source.unwrap_or((here, here, None)), path)
    }
}
