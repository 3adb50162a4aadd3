//! Views with memoryless labels: natural, strong, groups.
//!
//! Actual states and hypotheses are states of the automaton; a label is what the intruder sees. post(S, l) = UR(δ(S, l)).
//! Cost: linear in the transitions that leave S; for small dense views less, by a [`PostTable`].

mod runs;

use super::belief_system::{
    ActualId, BeliefSystem, EPSILON, Heuristics, HypothesisId, LabelId, Move, Portable, ProofExport, Successors,
};
use super::post_table::PostTable;
use crate::automaton::view::{Observability, Projection, View};
use crate::automaton::{EventId, StateId, Step};
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Id, Set, VisitedSet, vec_bytes};
use crate::verify::simulation::colour_refinement::ColourRefinement;
use crate::verify::simulation::game::SimulationKind;
use crate::verify::simulation::permutation::{ActualRef, HypothesisRef, PermutationRelation, PermutationSimulation};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// A view with memoryless labels.
//
// INVARIANT: the moves of state `s` are `moves[rows[s]..rows[s + 1]]`, sorted by label.
#[derive(Debug)]
pub(crate) struct StaticView<S> {
    initial: Vec<u32>,
    rows: Arc<[u32]>,
    moves: Arc<[Move]>,
    has_silent: bool,
    visited: VisitedSet,
    found: Vec<u32>,
    /// The targets of moves by label; empty between calls.
    targets: Vec<Vec<u32>>,
    post_table: Table,
    /// After how many post-images the table is built.
    post_table_from: u32,
    colours: OnceLock<ColourRefinement>,
    permutation: Option<Box<PermutationSimulation>>,
    sets: PhantomData<S>,
}

/// The post table, once it pays.
#[derive(Debug)]
enum Table {
    /// After this many more post-images.
    Pending(u32),
    Built(PostTable),
    Useless,
}

impl<S: Set> StaticView<S> {
    /// The belief system of a view, with a post table after this many post-images. The weak projection is read as the strong
    /// one.
    pub(crate) fn new(view: &View<'_>, post_table_from: u32) -> StaticView<S> {
        let automaton = view.automaton;
        let mut rows = vec![0u32];
        let mut moves = Vec::with_capacity(automaton.n_transitions());
        for state in automaton.states() {
            let mut row: Vec<Move> = automaton.steps(state).iter().map(|step| labelled(view, step)).collect();
            row.sort_unstable();
            row.dedup_by_key(|step| (step.label, step.target));
            moves.append(&mut row);
            rows.push(moves.len() as u32);
        }
        let initial = automaton.initial().iter().map(|state| state.0).collect();
        StaticView::of_rows(initial, rows.into(), moves.into(), post_table_from)
    }

    fn of_rows(initial: Vec<u32>, rows: Arc<[u32]>, moves: Arc<[Move]>, post_table_from: u32) -> StaticView<S> {
        let labels = moves.iter().map(|step| step.label).filter(|&label| label != EPSILON).max();
        StaticView {
            initial,
            has_silent: moves.iter().any(|step| step.label == EPSILON),
            visited: VisitedSet::new(rows.len() - 1),
            found: Vec::new(),
            targets: vec![Vec::new(); labels.map_or(0, |last| last.index() + 1)],
            post_table: Table::Pending(post_table_from),
            post_table_from,
            colours: OnceLock::new(),
            permutation: None,
            rows,
            moves,
            sets: PhantomData,
        }
    }

    /// The same, with ρ-simulation if different events look alike or are silent.
    pub(crate) fn with_permutation(mut self, view: &View<'_>) -> StaticView<S> {
        let confused = |observability: &Observability| {
            *observability == Observability::Silent || view.projection != Projection::Natural
        };
        if view
            .observer
            .observabilities()
            .iter()
            .any(|observability| *observability != Observability::Visible && confused(observability))
        {
            self.permutation = Some(Box::new(PermutationSimulation::new(view)));
        }
        self
    }

    /// The same automaton, nothing else computed.
    pub(crate) fn fresh(&self) -> StaticView<S> {
        let (rows, moves) = (self.rows.clone(), self.moves.clone());
        StaticView::of_rows(self.initial.clone(), rows, moves, self.post_table_from)
    }

    /// The reversed automaton; initial states stay as they are.
    pub(crate) fn reversed(&self) -> StaticView<S> {
        let n_states = self.n_states();
        let mut reversed: Vec<(ActualId, Move)> = Vec::with_capacity(self.moves.len());
        for state in (0..n_states).map(ActualId::from_index) {
            let row = self.row(state.0).iter();
            reversed.extend(row.map(|step| (step.target, Move { target: state, ..*step })));
        }
        reversed.sort_unstable();
        let mut rows = vec![0u32; n_states + 1];
        reversed.iter().for_each(|(source, _)| rows[source.index() + 1] += 1);
        for at in 1..rows.len() {
            rows[at] += rows[at - 1];
        }
        let moves = reversed.into_iter().map(|(_, step)| step).collect();
        StaticView::of_rows(self.initial.clone(), rows.into(), moves, self.post_table_from)
    }

    /// How many states.
    pub(crate) fn n_states(&self) -> usize {
        self.rows.len() - 1
    }

    /// The moves of a state.
    fn row(&self, state: u32) -> &[Move] {
        &self.moves[self.rows[state as usize] as usize..self.rows[state as usize + 1] as usize]
    }

    fn colours(&self) -> &ColourRefinement {
        self.colours.get_or_init(|| {
            ColourRefinement::new(self.n_states(), |state, visit| {
                self.row(state).iter().for_each(|step| visit(step.label.0.wrapping_add(1), step.target.0));
            })
        })
    }

    /// Whether post tables are used at all.
    pub(crate) fn uses_tables(&self) -> bool {
        self.post_table_from < u32::MAX
    }

    /// The work of computing the post-images of a set with this many members.
    pub(crate) fn post_work(&self, members: u32) -> u64 {
        let faster = matches!(self.post_table, Table::Built(_));
        u64::from(if faster { members / Tuning::POST_TABLE_SPEEDUP } else { members })
    }

    /// Counts a post-image, and builds the table when it is time.
    fn count_post(&mut self) {
        let Table::Pending(more) = &mut self.post_table else { return };
        if *more > 0 {
            *more -= 1;
            return;
        }
        if !S::DENSE || !self.uses_tables() {
            self.post_table = Table::Useless;
            return;
        }
        let mut labels: Vec<LabelId> =
            self.moves.iter().map(|step| step.label).filter(|&label| label != EPSILON).collect();
        labels.sort_unstable();
        labels.dedup();
        let table = PostTable::new(self.n_states(), self.moves.len(), labels, |state, label, into| {
            self.visited.clear();
            self.found.clear();
            self.find_targets(state, label);
            self.close_found();
            into.append(&mut self.found);
        });
        self.post_table = table.map_or(Table::Useless, Table::Built);
    }

    /// Closes `found`, whose members are visited, under silent moves.
    fn close_found(&mut self) {
        let mut at = 0;
        while self.has_silent && at < self.found.len() {
            let state = self.found[at];
            at += 1;
            let (start, end) = (self.rows[state as usize] as usize, self.rows[state as usize + 1] as usize);
            for step in self.moves[start..end].iter().rev().take_while(|step| step.label == EPSILON) {
                if self.visited.insert(step.target) {
                    self.found.push(step.target.0);
                }
            }
        }
    }

    /// Adds the targets of a state's moves with a label to `found`.
    fn find_targets(&mut self, state: u32, label: LabelId) {
        let (start, end) = (self.rows[state as usize] as usize, self.rows[state as usize + 1] as usize);
        let row = &self.moves[start..end];
        let from = row.partition_point(|step| step.label < label);
        for step in row[from..].iter().take_while(|step| step.label == label) {
            if self.visited.insert(step.target) {
                self.found.push(step.target.0);
            }
        }
    }

    /// UR(X) of the states in `found`.
    fn closed(&mut self) -> S {
        if self.has_silent {
            self.visited.clear();
            for &state in &self.found {
                self.visited.insert(state);
            }
            self.close_found();
        }
        S::collect(self.rows.len() - 1, &mut self.found)
    }
}

fn labelled(view: &View<'_>, step: &Step) -> Move {
    let label = label(view, step.event);
    Move { label, target: ActualId(step.target.0), observed: label != EPSILON, event: step.event }
}

/// The label of an event: events first, then groups; [`EPSILON`] when it is silent.
pub(crate) fn label(view: &View<'_>, event: EventId) -> LabelId {
    match (view.observer.observability(event), view.projection) {
        (Observability::Silent, _) => EPSILON,
        (Observability::Visible, _) | (_, Projection::Natural) => LabelId(event.0),
        (Observability::Anonymous(group), _) => LabelId(view.automaton.n_events() as u32 + group.0),
    }
}

impl<S: Set> BeliefSystem for StaticView<S> {
    type Set = S;

    fn as_static(&self) -> Option<&StaticView<S>> {
        Some(self)
    }

    fn universe(&self) -> usize {
        self.n_states()
    }

    fn size(&self) -> u64 {
        (self.rows.len() + self.moves.len()) as u64
    }

    fn bytes(&self) -> u64 {
        let table = if let Table::Built(table) = &self.post_table { table.bytes() } else { 0 };
        let permutation = self.permutation.as_ref().map_or(0, |permutation| permutation.bytes());
        let colours = self.colours.get().map_or(0, ColourRefinement::bytes);
        let automaton = (size_of_val(&self.moves[..]) + size_of_val(&self.rows[..])) as u64;
        automaton + self.visited.bytes() + vec_bytes(&self.targets) + table + permutation + colours
    }

    fn initial(&mut self) -> (Vec<ActualId>, Vec<HypothesisId>) {
        let initial = || self.initial.iter().copied();
        (initial().map(ActualId).collect(), initial().map(HypothesisId).collect())
    }

    fn actual_state(&self, actual: ActualId) -> StateId {
        StateId(actual.0)
    }

    fn hypothesis_state(&self, hypothesis: HypothesisId) -> StateId {
        StateId(hypothesis.0)
    }

    fn identity(&mut self, actual: ActualId) -> HypothesisId {
        HypothesisId(actual.0)
    }

    fn moves(&mut self, actual: ActualId) -> &[Move] {
        self.row(actual.0)
    }

    fn post_actuals(&mut self, actuals: &S) -> Vec<Successors<S>> {
        self.count_post();
        if let (Table::Built(table), Some(words)) = (&mut self.post_table, actuals.words()) {
            let posts = table.posts(words);
            return posts.map(|(label, post)| observed(label, S::of_words(post))).collect();
        }
        let mut labels: Vec<LabelId> = Vec::new();
        for state in actuals.iter::<u32>() {
            let (start, end) = (self.rows[state as usize] as usize, self.rows[state as usize + 1] as usize);
            for step in self.moves[start..end].iter().take_while(|step| step.label != EPSILON) {
                let targets = &mut self.targets[step.label.index()];
                if targets.is_empty() {
                    labels.push(step.label);
                }
                targets.push(step.target.0);
            }
        }
        labels.sort_unstable();
        let post = |label: LabelId| {
            self.found = std::mem::take(&mut self.targets[label.index()]);
            let post = self.closed();
            // WHY: `closed` leaves the list empty; its allocation serves the next call.
            self.targets[label.index()] = std::mem::take(&mut self.found);
            observed(label, post)
        };
        labels.into_iter().map(post).collect()
    }

    fn close_actuals(&mut self, actuals: Vec<ActualId>) -> S {
        self.found = actuals.into_iter().map(Id::number).collect();
        self.closed()
    }

    fn close(&mut self, hypotheses: Vec<HypothesisId>) -> S {
        self.found = hypotheses.into_iter().map(Id::number).collect();
        self.closed()
    }

    fn post(&mut self, hypotheses: &S, label: LabelId) -> S {
        self.count_post();
        if let (Table::Built(table), Some(words)) = (&mut self.post_table, hypotheses.words()) {
            return S::of_words(table.post(words, label));
        }
        self.visited.clear();
        self.found.clear();
        for state in hypotheses.iter() {
            self.find_targets(state, label);
        }
        self.close_found();
        S::collect(self.rows.len() - 1, &mut self.found)
    }

    fn successors(&mut self, hypothesis: HypothesisId, label: LabelId, into: &mut Vec<HypothesisId>) {
        if label == EPSILON {
            into.push(hypothesis);
        }
        let row = self.row(hypothesis.0);
        let from = row.partition_point(|step| step.label < label);
        let targets = row[from..].iter().take_while(|step| step.label == label);
        into.extend(targets.map(|step| HypothesisId(step.target.0)));
    }

    fn weak_successors(&mut self, hypothesis: HypothesisId, label: LabelId, into: &mut Vec<HypothesisId>) {
        self.found.clear();
        if self.has_silent {
            let mut before = Vec::new();
            self.silent_closure(hypothesis, &mut before);
            self.visited.clear();
            before.into_iter().for_each(|state| self.find_targets(state.0, label));
        } else {
            self.visited.clear();
            self.find_targets(hypothesis.0, label);
        }
        self.close_found();
        into.extend(self.found.drain(..).map(HypothesisId));
    }

    fn silent_closure(&mut self, hypothesis: HypothesisId, into: &mut Vec<HypothesisId>) {
        self.visited.clear();
        self.visited.insert(hypothesis);
        self.found.push(hypothesis.0);
        self.close_found();
        into.extend(self.found.drain(..).map(HypothesisId));
    }
}

fn observed<S>(label: LabelId, targets: S) -> Successors<S> {
    Successors { label, observed: true, targets }
}

impl<S: Set> Heuristics for StaticView<S> {
    fn dissimilarity(&self, actual: ActualId, hypothesis: HypothesisId) -> u32 {
        let colours = self.colours();
        let (one, other) = (actual.0, hypothesis.0);
        2 * u32::from(!colours.same_colour(one, other)) + u32::from(!colours.disconnected(one, other))
    }

    fn same_colour(&mut self, actual: ActualId) -> Vec<HypothesisId> {
        self.colours().colour_class(actual.0).iter().copied().map(HypothesisId).collect()
    }

    fn permutation_simulates(
        &mut self,
        kind: SimulationKind,
        exposed: &ExposedSets,
        actual: ActualId,
        (hypotheses, from): (&S, HypothesisId),
        most: u64,
    ) -> Result<bool, HypothesisId> {
        let Some(permutation) = &mut self.permutation else { return Ok(false) };
        let actual = ActualRef { state: actual.0, used: &[], ahead: &[] };
        let hypothesis = |id: HypothesisId| (id, HypothesisRef { state: id.0, images: &[], spent: &[] });
        permutation.any_simulates((kind, exposed), actual, hypotheses.iter().map(hypothesis), from, most)
    }

    fn permutation_work(&self) -> u64 {
        self.permutation.as_ref().map_or(0, |permutation| permutation.work)
    }

    fn permutation_share(&self) -> u64 {
        Tuning::STATIC_PERMUTATION_SHARE
    }

    fn game_cost(&self) -> u64 {
        1
    }
}

impl<S: Set> Portable for StaticView<S> {
    fn fork(&self) -> StaticView<S> {
        self.fresh()
    }

    fn describe_actual(&self, actual: ActualId, into: &mut Vec<u32>) {
        into.push(actual.0);
    }

    fn actual_of(&mut self, words: &[u32]) -> ActualId {
        ActualId(words.first().copied().unwrap_or(0))
    }

    fn describe_hypothesis(&self, hypothesis: HypothesisId, into: &mut Vec<u32>) {
        into.push(hypothesis.0);
    }

    fn hypothesis_of(&mut self, words: &[u32]) -> HypothesisId {
        HypothesisId(words.first().copied().unwrap_or(0))
    }
}

impl<S: Set> ProofExport for StaticView<S> {
    fn permutation_relations(&self, kind: SimulationKind) -> Vec<PermutationRelation> {
        self.permutation.as_ref().map_or_else(Vec::new, |permutation| permutation.relations(kind))
    }
}
