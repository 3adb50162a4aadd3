//! Builds the proof: explores from the start, and finds a cover for every pair that is reached.

use super::budget::{ProofLimits, Stopped};
use super::context::ProofContext;
use super::covering::CoveringSet;
use super::renumber::certificate;
use super::simulation::{PermutationSeeds, SimulationSeeds};
use super::{ProofSeeds, Seed};
use crate::automaton::view::View;
use crate::model::Property;
use crate::verdict::certificate::checker::exposed_sets;
use crate::verdict::certificate::model::{CheckerModel, EPSILON};
use crate::verdict::certificate::{Certificate, Cover};
use crate::verify::reduce::Reduction;
use crate::verify::sets::SetId;
use crate::verify::simulation::game::Tuple;
use crate::verify::views::belief_system::{ActualId, HypothesisId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// What is to be proved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// For |β| up to this; none: for all.
    pub(crate) horizon: Option<u64>,
    /// Only α = ε, over X0 itself.
    pub(crate) initial: bool,
}

/// The result.
#[derive(Debug)]
pub(crate) enum Proved {
    Certificate(Box<Certificate>),
    /// The limits do not suffice.
    TooLarge,
    /// There is an exposure, so there is no proof.
    Refuted,
}

/// Builds a proof, on what was searched.
pub(crate) fn prove(
    view: &View<'_>,
    property: &Property,
    goal: Goal,
    (reduction, seeds): (Reduction, ProofSeeds),
    limits: ProofLimits<'_>,
) -> Proved {
    match proof(view, property, goal, (&reduction, seeds), limits) {
        Ok(certificate) => {
            let Reduction { cells, blocks, .. } = reduction;
            Proved::Certificate(Box::new(Certificate { cells, blocks, ..certificate }))
        }
        Err(Stopped::TooLarge) => Proved::TooLarge,
        Err(Stopped::Refuted) => Proved::Refuted,
    }
}

fn proof(
    view: &View<'_>,
    property: &Property,
    goal: Goal,
    (reduction, seeds): (&Reduction, ProofSeeds),
    limits: ProofLimits<'_>,
) -> Result<Certificate, Stopped> {
    let mut monitor = limits.resources().monitor();
    let reduced = (reduction.cells.as_ref(), reduction.blocks.as_deref());
    let model = CheckerModel::reduced(view, property, reduced, goal.initial, &mut monitor)?;
    let backward = seeds.backward && !model.has_history();
    let reversed = if backward { Some(model.reversed(&mut monitor)?) } else { None };
    Prover::new(ProofContext::new(&model, limits, monitor), goal, seeds).run(reversed.as_ref())
}

/// Which pairs are being expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Estimates,
    Layers,
    Backward,
}

/// A proof that is being built.
struct Prover<'a> {
    context: ProofContext<'a>,
    goal: Goal,
    proof: ProofState,
}

/// The pairs of every phase, and the simulations.
#[derive(Debug, Default)]
pub(super) struct ProofState {
    pub(super) start: Vec<Cover>,
    pub(super) estimates: CoveringSet,
    pub(super) layers: CoveringSet,
    pub(super) backward: Option<(Vec<Cover>, CoveringSet)>,
    pub(super) twins: SimulationSeeds,
    pub(super) simulations: SimulationSeeds,
    pub(super) permutations: PermutationSeeds,
}

impl ProofState {
    fn covering(&mut self, phase: Phase) -> &mut CoveringSet {
        match phase {
            Phase::Estimates => &mut self.estimates,
            Phase::Layers => &mut self.layers,
            Phase::Backward => &mut self.backward.get_or_insert_default().1,
        }
    }
}

impl<'a> Prover<'a> {
    fn new(mut context: ProofContext<'a>, goal: Goal, seeds: ProofSeeds) -> Prover<'a> {
        let actuals: FxHashMap<ActualId, ActualId> =
            seeds.actuals.into_iter().map(|(id, actual)| (id, context.actual(actual))).collect();
        let hypotheses: FxHashMap<HypothesisId, HypothesisId> =
            seeds.hypotheses.into_iter().map(|(id, hypothesis)| (id, context.hypothesis(hypothesis))).collect();
        // INVARIANT: where actual states and hypotheses have a history, each seed comes with its content.
        let translated = |all: Vec<Seed>| -> Vec<Seed> {
            let own = |(actual, tuple): Seed| {
                let tuple = tuple.iter().map(|id| hypotheses.get(id).copied()).collect::<Option<Tuple>>()?;
                Some((*actuals.get(&actual)?, tuple))
            };
            if context.model.has_history() { all.into_iter().filter_map(own).collect() } else { all }
        };
        let proof = ProofState {
            twins: SimulationSeeds::new(translated(seeds.twins), true),
            simulations: SimulationSeeds::new(translated(seeds.simulations), false),
            permutations: PermutationSeeds::new(&context, seeds.permutations),
            ..ProofState::default()
        };
        Prover { context, goal, proof }
    }

    fn run(mut self, reversed: Option<&CheckerModel>) -> Result<Certificate, Stopped> {
        if self.goal.initial {
            if reversed.is_none() {
                self.begin_initial_state()?;
            }
        } else {
            self.explore_estimates()?;
        }
        match reversed {
            Some(reversed) => self.explore_backward(reversed)?,
            None => self.explore_layers()?,
        }
        Ok(certificate(&self.context, self.goal, &self.proof))
    }

    fn explore_estimates(&mut self) -> Result<(), Stopped> {
        let model = self.context.model;
        let states = model.close(model.initial().iter().copied());
        let set = self.context.start_set(&states);
        for state in states {
            let actual = self.context.start_actual(state);
            let cover = self.cover(Phase::Estimates, actual, set, (0, false))?;
            self.proof.start.push(cover);
        }
        while let Some(at) = self.proof.estimates.worklist.pop_front() {
            self.expand(Phase::Estimates, model, at)?;
        }
        Ok(())
    }

    fn begin_initial_state(&mut self) -> Result<(), Stopped> {
        let states = self.context.model.initial();
        let set = self.context.start_set(states);
        // WHY: the checker closes the rest of X0 under silent moves, so it must know all of X0.
        self.context.name_all(set);
        for &state in states {
            let actual = self.context.start_actual(state);
            let covers = self.cover_delay_branches(actual, set)?;
            self.proof.start.extend(covers);
        }
        Ok(())
    }

    fn explore_layers(&mut self) -> Result<(), Stopped> {
        for at in 0..self.proof.estimates.entries.len() {
            let entry = &self.proof.estimates.entries[at];
            let (actual, set) = (entry.actual, entry.set);
            if entry.replaced_by.is_none() {
                let covers = self.cover_delay_branches(actual, set)?;
                self.proof.estimates.entries[at].covers.extend(covers);
            }
        }
        while let Some(at) = self.proof.layers.worklist.pop_front() {
            self.expand(Phase::Layers, self.context.model, at)?;
        }
        Ok(())
    }

    fn explore_backward(&mut self, reversed: &CheckerModel) -> Result<(), Stopped> {
        let states = 0..reversed.n_states() as u32;
        let set = self.context.set_of(states.clone().map(HypothesisId).collect());
        self.proof.backward = Some((Vec::new(), CoveringSet::default()));
        self.context.forget_posts();
        for state in states.map(ActualId) {
            let cover = self.cover(Phase::Backward, state, set, (0, false))?;
            if let Some((start, _)) = &mut self.proof.backward {
                start.push(cover);
            }
        }
        while let Some(at) = self.proof.backward.as_mut().and_then(|(_, covering)| covering.worklist.pop_front()) {
            self.expand(Phase::Backward, reversed, at)?;
        }
        Ok(())
    }

    /// Covers the pairs that the moves of an entry lead to, unless a smaller pair replaces it by now.
    fn expand(&mut self, phase: Phase, model: &CheckerModel, at: u32) -> Result<(), Stopped> {
        let entry = &self.proof.covering(phase).entries[at as usize];
        let (actual, set, layer) = (entry.actual, entry.set, entry.layer);
        if let Some(other) = self.smaller(phase, actual, set, layer, Some(at))? {
            self.proof.covering(phase).entries[at as usize].replaced_by = Some(other);
            return Ok(());
        }
        let moves = match phase {
            Phase::Backward => Cow::Borrowed(model.moves(actual.0)),
            Phase::Estimates | Phase::Layers => self.context.moves(actual),
        };
        for &(label, target) in moves.iter() {
            let target = ActualId(target);
            let later = phase != Phase::Estimates && label != EPSILON && self.goal.horizon.is_some();
            let next = layer + u64::from(later);
            if self.goal.horizon.is_some_and(|horizon| next > horizon) {
                continue;
            }
            let post = self.context.post(model, set, (actual, target), label)?;
            let soon = self.goal.horizon.is_some() && !later;
            let cover = self.cover(phase, target, post, (next, soon))?;
            self.proof.covering(phase).entries[at as usize].covers.push(cover);
        }
        Ok(())
    }

    /// Covers the delay branches of an actual state with an estimate.
    fn cover_delay_branches(&mut self, actual: ActualId, set: SetId) -> Result<Vec<Cover>, Stopped> {
        let model = self.context.model;
        let state = self.context.actual_state(actual);
        if !model.can_be_exposed(state) {
            return Ok(Vec::new());
        }
        let mut classes = self.context.classes(set);
        classes.retain(|&class| self.context.model.is_exposable(class));
        let mut covers = Vec::new();
        for exposed in exposed_sets(&classes, model.class(state), model.max_classes()) {
            let surviving = self.context.surviving(set, &exposed)?;
            covers.push(self.cover(Phase::Layers, actual, surviving, (0, false))?);
            self.context.budget.bytes += size_of::<Cover>() as u64;
        }
        Ok(covers)
    }

    /// What covers a pair: a simulation, a pair of the proof, or itself as a new pair.
    fn cover(
        &mut self,
        phase: Phase,
        actual: ActualId,
        set: SetId,
        (layer, soon): (u64, bool),
    ) -> Result<Cover, Stopped> {
        if phase == Phase::Estimates && !self.context.model.is_threatened(self.context.actual_state(actual)) {
            return Ok(Cover::Safe);
        }
        if phase != Phase::Backward
            && let Some(cover) = self.simulation_cover(phase == Phase::Layers, actual, set)?
        {
            return Ok(cover);
        }
        if let Some(pair) = self.smaller(phase, actual, set, layer, None)? {
            return Ok(Cover::Pair(pair));
        }
        if phase == Phase::Layers && self.context.set(set).is_empty() {
            return Err(Stopped::Refuted);
        }
        self.context.budget.bytes += ENTRY_BYTES;
        Ok(Cover::Pair(self.proof.covering(phase).add(actual, set, layer, soon)))
    }

    fn simulation_cover(&mut self, layers: bool, actual: ActualId, set: SetId) -> Result<Option<Cover>, Stopped> {
        if layers {
            let identity = self.context.identity(actual);
            if self.context.set(set).binary_search(&identity).is_ok() {
                self.context.named.push(identity);
                return Ok(Some(Cover::Identity));
            }
        }
        if let Some((at, hypothesis)) = self.proof.permutations.find(&mut self.context, actual, set, !layers)? {
            return Ok(Some(Cover::Permutation(at, hypothesis.0)));
        }
        if let Some(at) = self.proof.twins.find(&mut self.context, actual, set, layers)? {
            return Ok(Some(Cover::Twins(at)));
        }
        let found = if layers { self.proof.simulations.find(&mut self.context, actual, set, false)? } else { None };
        Ok(found.map(Cover::Simulation))
    }

    /// An entry of the same actual state with a subset, in a layer that is not later.
    fn smaller(
        &mut self,
        phase: Phase,
        actual: ActualId,
        set: SetId,
        layer: u64,
        except: Option<u32>,
    ) -> Result<Option<u32>, Stopped> {
        if except.is_none()
            && let Some(same) = self.proof.covering(phase).same(actual, set, layer)
        {
            return Ok(Some(same));
        }
        let mut tests = 0;
        let found = self.proof.covering(phase).of(actual).find(|(at, entry)| {
            tests += 1;
            Some(*at) != except && entry.layer <= layer && self.context.is_subset(entry.set, set)
        });
        let found = found.map(|(at, _)| at);
        let covering = self.proof.covering(phase);
        covering.tests += tests;
        covering.successes += u64::from(found.is_some());
        self.context.spend(tests)?;
        Ok(found)
    }
}

/// Bytes of an entry with its first cover, and of its places in two maps.
const ENTRY_BYTES: u64 = 2 * size_of::<super::covering::Entry>() as u64;
