//! Views whose labels do not depend on the past: natural, strong, groups.
//!
//! Lefts and rivals are states; operations are labels. post(S, l) = UR(δ(S, l)). Cost: linear in the transitions that leave S.

use super::belief_system::{Frame, Left, Move, Op, Rival, STAY};
use super::post_table::Images;
use crate::automaton::view::{Projection, Sight, View};
use crate::automaton::{EventId, StateId, Step};
use crate::verify::certificate::Lockstep;
use crate::verify::exposed_sets::Exposed;
use crate::verify::sets::{Set, vec_bytes};
use crate::verify::simulation::colour_refinement::Hues;
use crate::verify::simulation::game::Rule;
use crate::verify::simulation::permutation::{Run, Standing, Steady};
use rustc_hash::FxHashMap;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// A view with fixed labels.
//
// INVARIANT: the moves of state `s` are `moves[rows[s]..rows[s + 1]]`, sorted; `STAY` is the greatest label.
#[derive(Debug)]
pub(crate) struct Fixed<S> {
    initial: Vec<u32>,
    rows: Arc<[u32]>,
    moves: Arc<[Move]>,
    silent: bool,
    seen: Marks,
    found: Vec<u32>,
    /// The targets of moves, by label; empty between calls.
    buckets: Vec<Vec<u32>>,
    images: Table,
    /// After how many images a table of them is made.
    tables_from: u32,
    hues: OnceLock<Hues>,
    /// For views in which different events look alike or are silent.
    steady: Option<Box<Steady>>,
    kind: PhantomData<S>,
}

/// A table of images, once it pays.
#[derive(Debug)]
enum Table {
    /// After so many more images.
    Awaited(u32),
    Made(Images),
    Needless,
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

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.stamps)
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
    /// The view as a frame, with a table of images after so many of them. The weak projection is read as the strong one.
    pub(crate) fn new(view: &View<'_>, tables_from: u32) -> Fixed<S> {
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
            buckets: buckets(&moves),
            images: Table::Awaited(tables_from),
            tables_from,
            hues: OnceLock::new(),
            steady: None,
            rows: rows.into(),
            moves: moves.into(),
            kind: PhantomData,
        }
    }

    /// The same, which also looks for twins in lockstep.
    pub(crate) fn with_lockstep(mut self, view: &View<'_>) -> Fixed<S> {
        let blurred = |sight: &Sight| *sight == Sight::Silent || view.projection != Projection::Natural;
        if view.observer.sights().iter().any(|sight| *sight != Sight::Visible && blurred(sight)) {
            self.steady = Some(Box::new(Steady::new(view)));
        }
        self
    }

    /// The same view, nothing learned about it.
    pub(crate) fn bare(&self) -> Fixed<S> {
        Fixed {
            initial: self.initial.clone(),
            rows: self.rows.clone(),
            moves: self.moves.clone(),
            silent: self.silent,
            seen: Marks::new(self.n_states()),
            found: Vec::new(),
            buckets: buckets(&self.moves),
            images: Table::Awaited(self.tables_from),
            tables_from: self.tables_from,
            hues: OnceLock::new(),
            steady: None,
            kind: PhantomData,
        }
    }

    /// The same with every move turned around; initial states are left as they are.
    pub(crate) fn turned_around(&self) -> Fixed<S> {
        let n_states = self.n_states();
        let mut turned: Vec<(u32, Move)> = Vec::with_capacity(self.moves.len());
        for state in 0..n_states as u32 {
            turned.extend(self.row(state).iter().map(|step| (step.target, Move { target: state, ..*step })));
        }
        turned.sort_unstable();
        let mut rows = vec![0u32; n_states + 1];
        turned.iter().for_each(|(source, _)| rows[*source as usize + 1] += 1);
        for at in 1..rows.len() {
            rows[at] += rows[at - 1];
        }
        Fixed {
            initial: self.initial.clone(),
            rows: rows.into(),
            moves: turned.into_iter().map(|(_, step)| step).collect(),
            silent: self.silent,
            seen: Marks::new(n_states),
            found: Vec::new(),
            buckets: buckets(&self.moves),
            images: Table::Awaited(self.tables_from),
            tables_from: self.tables_from,
            hues: OnceLock::new(),
            steady: None,
            kind: PhantomData,
        }
    }

    /// A run that shows these labels: where it starts, and its moves.
    pub(crate) fn run_showing(&self, ops: &[Op]) -> Option<(Left, Vec<Move>)> {
        let mut from: Origins = FxHashMap::default();
        let mut queue: Vec<(usize, u32)> = self.initial.iter().map(|&state| (0, state)).collect();
        from.extend(queue.iter().map(|&place| (place, None)));
        let mut at = 0;
        while at < queue.len() {
            let (shown, state) = queue[at];
            at += 1;
            if shown == ops.len() {
                return Some(read_back(&from, (shown, state)));
            }
            for step in self.row(state).iter().filter(|step| step.op == STAY || step.op == ops[shown]) {
                let place = (shown + usize::from(step.op != STAY), step.target);
                from.entry(place).or_insert_with(|| {
                    queue.push(place);
                    Some((shown, state, *step))
                });
            }
        }
        None
    }

    /// How many states.
    pub(crate) fn n_states(&self) -> usize {
        self.rows.len() - 1
    }

    /// The moves of a state.
    pub(crate) fn row(&self, state: u32) -> &[Move] {
        &self.moves[self.rows[state as usize] as usize..self.rows[state as usize + 1] as usize]
    }

    fn hues(&self) -> &Hues {
        self.hues.get_or_init(|| {
            Hues::new(self.n_states(), Hues::depth(self.n_states()), |state, listen| {
                self.row(state).iter().for_each(|step| listen(step.op.wrapping_add(1), step.target));
            })
        })
    }

    /// Whether tables are made at all.
    pub(crate) fn has_tables(&self) -> bool {
        self.tables_from < u32::MAX
    }

    /// What it costs to make the images of a set of so many members.
    pub(crate) fn image_work(&self, members: u32) -> u64 {
        u64::from(if matches!(self.images, Table::Made(_)) { members / 8 } else { members })
    }

    /// Makes the table when it is time.
    fn await_table(&mut self) {
        let Table::Awaited(more) = &mut self.images else { return };
        if *more > 0 {
            *more -= 1;
            return;
        }
        if !S::DENSE || !self.has_tables() {
            self.images = Table::Needless;
            return;
        }
        let mut ops: Vec<Op> = self.moves.iter().map(|step| step.op).filter(|&op| op != STAY).collect();
        ops.sort_unstable();
        ops.dedup();
        let images = Images::new(self.n_states(), self.moves.len(), ops, |state, op, into| {
            self.seen.clear();
            self.found.clear();
            self.step(state, op);
            self.close_found();
            into.append(&mut self.found);
        });
        self.images = images.map_or(Table::Needless, Table::Made);
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

/// One list for each label.
fn buckets(moves: &[Move]) -> Vec<Vec<u32>> {
    let labels = moves.iter().map(|step| step.op).filter(|&op| op != STAY).max();
    vec![Vec::new(); labels.map_or(0, |last| last as usize + 1)]
}

/// Where each place of a search was reached from.
type Origins = FxHashMap<(usize, u32), Option<(usize, u32, Move)>>;

fn read_back(from: &Origins, goal: (usize, u32)) -> (Left, Vec<Move>) {
    let mut place = goal;
    let mut moves = Vec::new();
    while let Some(Some((shown, state, step))) = from.get(&place) {
        moves.push(*step);
        place = (*shown, *state);
    }
    moves.reverse();
    (place.1, moves)
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

    fn as_fixed(&self) -> Option<&Fixed<S>> {
        Some(self)
    }

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
        self.await_table();
        if let (Table::Made(images), Some(words)) = (&mut self.images, rivals.words()) {
            return S::of_words(images.under(words, op));
        }
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

    fn direct(&mut self, rival: Rival, op: Op, into: &mut Vec<Rival>) {
        if op == STAY {
            into.push(rival);
        }
        let row = self.row(rival);
        let from = row.partition_point(|step| step.op < op);
        into.extend(row[from..].iter().take_while(|step| step.op == op).map(|step| step.target));
    }

    fn steadily(
        &mut self,
        rule: Rule,
        exposed: &Exposed,
        left: Left,
        (rivals, from): (&S, Rival),
        most: u64,
    ) -> Result<bool, Rival> {
        let Some(steady) = &mut self.steady else { return Ok(false) };
        let run = Run { state: left, used: &[], ahead: &[] };
        let standing = |rival| (rival, Standing { state: rival, images: &[], spent: &[] });
        steady.any_lasts((rule, exposed), run, rivals.iter().map(standing), from, most)
    }

    fn lookalikes(&mut self, left: Left) -> Vec<Rival> {
        self.hues().bucket(left).to_vec()
    }

    fn steady_work(&self) -> u64 {
        self.steady.as_ref().map_or(0, |steady| steady.work)
    }

    fn lockstep(&self, rule: Rule) -> Vec<Lockstep> {
        self.steady.as_ref().map_or_else(Vec::new, |steady| steady.relation(rule))
    }

    fn size(&self) -> u64 {
        (self.rows.len() + self.moves.len()) as u64
    }

    fn advance(&mut self, lefts: &S) -> Vec<(Op, bool, S)> {
        self.await_table();
        if let (Table::Made(images), Some(words)) = (&mut self.images, lefts.words()) {
            return images.of(words).map(|(op, image)| (op, true, S::of_words(image))).collect();
        }
        let mut ops: Vec<Op> = Vec::new();
        for left in lefts.iter::<u32>() {
            let (start, end) = (self.rows[left as usize] as usize, self.rows[left as usize + 1] as usize);
            for step in self.moves[start..end].iter().take_while(|step| step.op != STAY) {
                let bucket = &mut self.buckets[step.op as usize];
                if bucket.is_empty() {
                    ops.push(step.op);
                }
                bucket.push(step.target);
            }
        }
        ops.sort_unstable();
        let image = |op: Op| {
            let targets = std::mem::take(&mut self.buckets[op as usize]);
            let image = self.close(targets);
            // WHY: `close` leaves its list empty; its room serves the next call.
            self.buckets[op as usize] = std::mem::take(&mut self.found);
            (op, true, image)
        };
        ops.into_iter().map(image).collect()
    }

    fn close_lefts(&mut self, lefts: Vec<Left>) -> S {
        self.close(lefts)
    }

    fn drift(&mut self, rival: Rival, into: &mut Vec<Rival>) {
        self.seen.clear();
        self.seen.insert(rival);
        self.found.push(rival);
        self.close_found();
        into.append(&mut self.found);
    }

    fn strangeness(&self, left: Left, rival: Rival) -> u32 {
        let hues = self.hues();
        2 * u32::from(!hues.alike(left, rival)) + u32::from(!hues.parted(left, rival))
    }

    fn close(&mut self, rivals: Vec<Rival>) -> S {
        self.found = rivals;
        if self.silent {
            self.seen.clear();
            for &state in &self.found {
                self.seen.insert(state);
            }
            self.close_found();
        }
        S::collect(self.rows.len() - 1, &mut self.found)
    }

    fn bytes(&self) -> u64 {
        let steady = self.steady.as_ref().map_or(0, |steady| steady.bytes);
        let images = if let Table::Made(images) = &self.images { images.bytes() } else { 0 };
        let hues = self.hues.get().map_or(0, Hues::bytes);
        (self.moves.len() * std::mem::size_of::<Move>() + self.rows.len() * 8) as u64 + steady + images + hues
    }
}
