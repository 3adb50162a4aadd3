//! From a pair that is exposed back to the start, across workers.
//!
//! At each step the owner of a node tells how it was reached, then the owner of the node before it finds the moves between the two.
//! Everybody listens, so every worker knows the run in the end.

use super::ballot::Hit;
use super::exchange::{Exchange, Lost};
use super::half::Place;
use super::pairs::{Origin, PairShare};
use crate::automaton::{EventId, StateId};
use crate::verdict::Run;
use crate::verify::search::forward::NodeId;
use crate::verify::search::trace::Entry;
use crate::verify::sets::{Id, Set, SetId};
use crate::verify::views::belief_system::{ActualId, Heuristics, LabelId, Move, Portable};

/// How a node was reached, as a word.
const ROOT: u32 = 0;
const MOVE: u32 = 1;
const BRANCH: u32 = 2;

/// The moves of a run, the last one first: events, and the states that they lead to.
#[derive(Debug, Default)]
struct Route {
    start: u32,
    moves: Vec<[u32; 2]>,
    after_branch: usize,
}

impl Route {
    fn extend(&mut self, moves: &[u32]) {
        self.moves.extend(moves.as_chunks::<2>().0);
    }

    /// The run, and how many of its events come before the delay branch.
    fn run(mut self) -> (Run, usize) {
        let before = self.moves.len() - self.after_branch;
        self.moves.reverse();
        let targets = self.moves.iter().map(|&[_, state]| state);
        let states = std::iter::once(self.start).chain(targets).map(StateId).collect();
        (Run { states, events: self.moves.iter().map(|&[event, _]| EventId(event)).collect() }, before)
    }
}

impl<B: Heuristics + Portable> PairShare<'_, B> {
    /// A run that is exposed, and how many of its events come before the delay branch. All workers ask it together.
    pub(super) fn route(&mut self, exchange: &mut Exchange, hit: Hit) -> Result<(Run, usize), Lost> {
        let (mut route, mut place, mut actual) = (Route::default(), hit.estimate, Vec::new());
        loop {
            let words = if place.worker == self.worker { self.arrival(place, &actual) } else { Vec::new() };
            let answer = broadcast(exchange, place.worker, &words)?;
            let Some((&[kind, worker, node, what, len], rest)) = answer.split_first_chunk::<5>() else {
                return Err(Lost(place.worker));
            };
            let Some((here, moves)) = rest.split_at_checked(len as usize) else { return Err(Lost(place.worker)) };
            if kind == ROOT {
                route.start = moves.first().copied().unwrap_or(0);
                route.extend(moves.get(1..).unwrap_or(&[]));
                return Ok(route.run());
            }
            place = Place { worker, set: SetId(node) };
            let here = here.to_vec();
            let words = if worker == self.worker { self.departure(place, kind, what, &here) } else { Vec::new() };
            let answer = broadcast(exchange, worker, &words)?;
            let Some((&len, rest)) = answer.split_first() else { return Err(Lost(worker)) };
            let Some((moves, source)) = rest.split_at_checked(len as usize) else { return Err(Lost(worker)) };
            route.extend(moves);
            if kind == BRANCH {
                route.after_branch = route.moves.len();
            }
            actual = source.to_vec();
        }
    }

    /// How an actual state of a node was reached, and what it is: the given one, or any.
    fn arrival(&mut self, place: Place, actual: &[u32]) -> Vec<u32> {
        let node = NodeId(place.set.0);
        let actual = match actual {
            [] => self.search.nodes[node.index()].actuals.iter().next().unwrap_or(ActualId(0)),
            words => self.search.beliefs.actual_of(words),
        };
        let mut words = match self.origins[node.index()] {
            Origin::Root => vec![ROOT, 0, 0, 0, 0],
            Origin::Move(from, label) => vec![MOVE, from.worker, from.set.0, label.0, 0],
            Origin::Branch(from, class) => vec![BRANCH, from.worker, from.set.0, class, 0],
        };
        self.search.beliefs.describe_actual(actual, &mut words);
        words[4] = words.len() as u32 - 5;
        if words[0] == ROOT {
            let entries: Vec<Entry> = self.search.beliefs.initial().0.into_iter().map(Entry::without_move).collect();
            let (entry, path) = self.search.silent_path(&entries, actual);
            words.push(self.search.beliefs.actual_state(entry.target).0);
            self.write_moves(path.iter().rev(), &mut words);
        }
        words
    }

    /// The moves from a node to an actual state, the last one first, and where they begin.
    fn departure(&mut self, place: Place, kind: u32, what: u32, actual: &[u32]) -> Vec<u32> {
        let node = NodeId(place.set.0);
        let actual = self.search.beliefs.actual_of(actual);
        let entries = match kind {
            BRANCH => self.search.entries_of_class(node, what),
            _ => self.search.entries_by(node, LabelId(what)),
        };
        let (entry, path) = self.search.silent_path(&entries, actual);
        let mut words = vec![0];
        self.write_moves(path.iter().rev().chain(&entry.step), &mut words);
        words[0] = words.len() as u32 - 1;
        self.search.beliefs.describe_actual(entry.source, &mut words);
        words
    }

    fn write_moves<'m>(&self, moves: impl Iterator<Item = &'m Move>, words: &mut Vec<u32>) {
        words.extend(moves.flat_map(|step| [step.event.0, self.search.beliefs.actual_state(step.target).0]));
    }
}

/// What one worker sends to all.
fn broadcast(exchange: &mut Exchange, worker: u32, words: &[u32]) -> Result<Vec<u32>, Lost> {
    let mut ballots = exchange.barrier(words, |_, _| {})?;
    Ok(if (worker as usize) < ballots.len() { ballots.swap_remove(worker as usize) } else { Vec::new() })
}
