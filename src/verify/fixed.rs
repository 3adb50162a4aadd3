//! Views whose labels do not depend on the past: natural, strong, groups.
//!
//! Lefts and rivals are states; operations are labels. post(S, l) = UR(δ(S, l)). Cost: linear in the transitions that leave S.

use super::frame::{Frame, Left, Move, Op, Rival, STAY};
use super::hues::Hues;
use super::sets::Set;
use crate::automaton::view::{Projection, Sight, View};
use crate::automaton::{EventId, StateId, Step};
use std::marker::PhantomData;
use std::sync::OnceLock;

/// A view with fixed labels.
//
// INVARIANT: the moves of state `s` are `moves[rows[s]..rows[s + 1]]`, sorted; `STAY` is the greatest label.
#[derive(Debug)]
pub(crate) struct Fixed<S> {
    initial: Vec<u32>,
    rows: Vec<u32>,
    moves: Vec<Move>,
    silent: bool,
    seen: Marks,
    found: Vec<u32>,
    hues: OnceLock<Hues>,
    kind: PhantomData<S>,
}

/// Which states were met since the last time all were forgotten.
#[derive(Debug)]
pub(crate) struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    /// Nothing met.
    pub(crate) fn new(n: usize) -> Marks {
        Marks { stamps: vec![0; n], now: 0 }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.now = self.now.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
    }

    /// Meets a number; whether for the first time.
    pub(crate) fn insert(&mut self, at: u32) -> bool {
        let stamp = &mut self.stamps[at as usize];
        let new = *stamp != self.now;
        *stamp = self.now;
        new
    }
}

impl<S: Set> Fixed<S> {
    /// The view as a frame. The weak projection is read as the strong one.
    pub(crate) fn new(view: &View<'_>) -> Fixed<S> {
        let automaton = view.automaton;
        let mut rows = vec![0u32];
        let mut moves = Vec::with_capacity(automaton.n_transitions());
        for state in automaton.states() {
            let mut row: Vec<Move> = automaton.steps(state).iter().map(|step| seen_move(view, step)).collect();
            row.sort_unstable();
            row.dedup_by_key(|step| (step.op, step.target));
            moves.append(&mut row);
            rows.push(moves.len() as u32);
        }
        Fixed {
            initial: automaton.initial().iter().map(|state| state.0).collect(),
            silent: moves.iter().any(|step| step.op == STAY),
            seen: Marks::new(automaton.n_states()),
            found: Vec::new(),
            hues: OnceLock::new(),
            rows,
            moves,
            kind: PhantomData,
        }
    }

    /// How many states.
    pub(crate) fn n_states(&self) -> usize {
        self.rows.len() - 1
    }

    /// The moves of a state.
    pub(crate) fn row(&self, state: u32) -> &[Move] {
        &self.moves[self.rows[state as usize] as usize..self.rows[state as usize + 1] as usize]
    }

    /// Closes `found` under silent moves; its members are marked.
    fn close_found(&mut self) {
        let mut at = 0;
        while self.silent && at < self.found.len() {
            let state = self.found[at];
            at += 1;
            let (start, end) = (self.rows[state as usize] as usize, self.rows[state as usize + 1] as usize);
            for step in self.moves[start..end].iter().rev().take_while(|step| step.op == STAY) {
                if self.seen.insert(step.target) {
                    self.found.push(step.target);
                }
            }
        }
    }

    /// Adds the targets of a state's moves with a label to `found`.
    fn step(&mut self, state: u32, op: Op) {
        let (start, end) = (self.rows[state as usize] as usize, self.rows[state as usize + 1] as usize);
        let row = &self.moves[start..end];
        let from = row.partition_point(|step| step.op < op);
        for step in row[from..].iter().take_while(|step| step.op == op) {
            if self.seen.insert(step.target) {
                self.found.push(step.target);
            }
        }
    }
}

fn seen_move(view: &View<'_>, step: &Step) -> Move {
    let op = label(view, step.event);
    Move { op, target: step.target.0, seen: op != STAY, event: step.event }
}

/// The label of an event: events first, then groups; [`STAY`] when it is silent.
pub(crate) fn label(view: &View<'_>, event: EventId) -> Op {
    match (view.observer.sight(event), view.projection) {
        (Sight::Silent, _) => STAY,
        (Sight::Visible, _) | (_, Projection::Natural) => event.0,
        (Sight::Anonymous(group), _) => view.automaton.n_events() as u32 + group.0,
    }
}

impl<S: Set> Frame for Fixed<S> {
    type Set = S;

    fn universe(&self) -> usize {
        self.n_states()
    }

    fn start(&mut self) -> (Vec<Left>, Vec<Rival>) {
        (self.initial.clone(), self.initial.clone())
    }

    fn moves(&mut self, left: Left) -> &[Move] {
        self.row(left)
    }

    fn left_state(&self, left: Left) -> StateId {
        StateId(left)
    }

    fn rival_state(&self, rival: Rival) -> StateId {
        StateId(rival)
    }

    fn own(&mut self, left: Left) -> Rival {
        left
    }

    fn post(&mut self, rivals: &S, op: Op) -> S {
        self.seen.clear();
        self.found.clear();
        for state in rivals.iter() {
            self.step(state, op);
        }
        self.close_found();
        S::collect(self.rows.len() - 1, &mut self.found)
    }

    fn answers(&mut self, rival: Rival, op: Op, into: &mut Vec<Rival>) {
        self.seen.clear();
        self.found.clear();
        if self.silent {
            let mut before = Vec::new();
            self.drift(rival, &mut before);
            self.seen.clear();
            before.into_iter().for_each(|state| self.step(state, op));
        } else {
            self.step(rival, op);
        }
        self.close_found();
        into.append(&mut self.found);
    }

    fn drift(&mut self, rival: Rival, into: &mut Vec<Rival>) {
        self.seen.clear();
        self.seen.insert(rival);
        self.found.push(rival);
        self.close_found();
        into.append(&mut self.found);
    }

    fn strangeness(&self, left: Left, rival: Rival) -> u32 {
        let hues = self.hues.get_or_init(|| {
            Hues::new(self.n_states(), Hues::depth(self.n_states()), |state, listen| {
                self.row(state).iter().for_each(|step| listen(step.op.wrapping_add(1), step.target));
            })
        });
        u32::from(!hues.alike(left, rival))
    }

    fn close(&mut self, rivals: Vec<Rival>) -> S {
        self.seen.clear();
        self.found = rivals;
        for &state in &self.found {
            self.seen.insert(state);
        }
        self.close_found();
        S::collect(self.rows.len() - 1, &mut self.found)
    }

    fn bytes(&self) -> u64 {
        (self.moves.len() * std::mem::size_of::<Move>() + self.rows.len() * 8) as u64
    }
}
