//! From a complete proof to its certificate: only what the start leads to, renumbered.

use super::context::ProofContext;
use super::covering::CoveringSet;
use super::prover::{Goal, ProofState};
use super::simulation::SimulationSeeds;
use crate::verdict::certificate::{Certificate, Cover, Pair, PermutationStep, Position};
use crate::verify::sets::SetId;
use crate::verify::views::belief_system::{ActualId, HypothesisId};

/// The new numbers of what is in use, in the order of first use.
#[derive(Default)]
struct Numbering {
    /// The new number of each old one, or `UNUSED`.
    new: Vec<u32>,
    /// The old number of each new one.
    old: Vec<u32>,
}

const UNUSED: u32 = u32::MAX;

impl Numbering {
    fn number(&mut self, old: u32) -> u32 {
        let at = old as usize;
        if self.new.len() <= at {
            self.new.resize(at + 1, UNUSED);
        }
        if self.new[at] == UNUSED {
            self.new[at] = self.old.len() as u32;
            self.old.push(old);
        }
        self.new[at]
    }
}

/// The new numbers of everything.
struct Renumbering<'t, 'a> {
    context: &'t ProofContext<'a>,
    has_history: bool,
    actuals: Numbering,
    hypotheses: Numbering,
    sets: Numbering,
    /// Of estimates, layers and backward pairs.
    pairs: [Numbering; 3],
    twins: Numbering,
    simulations: Numbering,
    permutations: Numbering,
    steps: Numbering,
}

/// The certificate of a proof.
pub(super) fn certificate(context: &ProofContext<'_>, goal: Goal, proof: &ProofState) -> Certificate {
    let mut new = Renumbering::new(context);
    let first = if goal.initial { &proof.layers } else { &proof.estimates };
    let phase = usize::from(goal.initial);
    let start = proof.start.iter().map(|cover| new.cover(cover, phase, first)).collect();
    let estimates = new.pairs(0, &proof.estimates, proof);
    let layers = new.pairs(1, &proof.layers, proof);
    let backward = proof.backward.as_ref().map(|(start, covering)| {
        let start: Vec<Cover> = start.iter().map(|cover| new.cover(cover, 2, covering)).collect();
        (start, new.pairs(2, covering, proof))
    });
    let twins = new.positions(&proof.twins, true);
    let simulations = new.positions(&proof.simulations, false);
    let permutation_steps = new.permutation_steps(proof);
    let permutations =
        new.permutations.old.iter().map(|&at| proof.permutations.permutations[at as usize].clone()).collect();
    let sets = new.sets();
    if new.has_history {
        context.named.iter().for_each(|&hypothesis| {
            new.hypothesis(hypothesis);
        });
    }
    Certificate {
        horizon: goal.horizon,
        initial: goal.initial,
        once: false,
        cells: None,
        sides: None,
        blocks: None,
        start,
        estimates,
        layers,
        backward,
        twins,
        simulations,
        permutations,
        permutation_steps,
        sets,
        hypotheses: new.hypotheses.old.iter().map(|&at| context.hypotheses[HypothesisId(at)].clone()).collect(),
        actuals: new.actuals.old.iter().map(|&at| context.actuals[ActualId(at)].clone()).collect(),
    }
}

impl<'t, 'a> Renumbering<'t, 'a> {
    fn new(context: &'t ProofContext<'a>) -> Self {
        Renumbering {
            context,
            has_history: context.model.has_history(),
            actuals: Numbering::default(),
            hypotheses: Numbering::default(),
            sets: Numbering::default(),
            pairs: Default::default(),
            twins: Numbering::default(),
            simulations: Numbering::default(),
            permutations: Numbering::default(),
            steps: Numbering::default(),
        }
    }

    fn actual(&mut self, actual: ActualId) -> u32 {
        if self.has_history { self.actuals.number(actual.0) } else { actual.0 }
    }

    fn hypothesis(&mut self, hypothesis: HypothesisId) -> u32 {
        if self.has_history { self.hypotheses.number(hypothesis.0) } else { hypothesis.0 }
    }

    fn cover(&mut self, cover: &Cover, phase: usize, covering: &CoveringSet) -> Cover {
        match *cover {
            Cover::Pair(at) => Cover::Pair(self.pairs[phase].number(covering.current(at))),
            Cover::Twins(at) => Cover::Twins(self.twins.number(at)),
            Cover::Simulation(at) => Cover::Simulation(self.simulations.number(at)),
            Cover::Permutation(at, hypothesis) => {
                Cover::Permutation(self.steps.number(at), self.hypothesis(HypothesisId(hypothesis)))
            }
            Cover::Identity | Cover::Safe => *cover,
        }
    }

    /// The pairs of a phase that are in use; the covers of an estimate's delay branches are layers.
    fn pairs(&mut self, phase: usize, covering: &CoveringSet, proof: &ProofState) -> Vec<Pair> {
        let mut pairs = Vec::new();
        while let Some(&at) = self.pairs[phase].old.get(pairs.len()) {
            let entry = &covering.entries[at as usize];
            let n_moves = self.context.model.moves(self.context.actual_state(entry.actual)).len();
            let covers = entry.covers.iter().enumerate().map(|(place, cover)| match phase {
                0 if place >= n_moves => self.cover(cover, 1, &proof.layers),
                _ => self.cover(cover, phase, covering),
            });
            let covers = covers.collect();
            let (actual, set) = (self.actual(entry.actual), self.sets.number(entry.set.0));
            pairs.push(Pair { actual, set, layer: entry.layer, covers });
        }
        pairs
    }

    fn positions(&mut self, seeds: &SimulationSeeds, class_avoiding: bool) -> Vec<Position> {
        let mut found = Vec::new();
        let none = CoveringSet::default();
        loop {
            let numbering = if class_avoiding { &self.twins } else { &self.simulations };
            let Some(&at) = numbering.old.get(found.len()) else { return found };
            let (actual, tuple) = &seeds.all[at as usize];
            let covers = seeds.covers(at).iter().map(|cover| self.cover(cover, 0, &none)).collect();
            let hypotheses = tuple.iter().map(|&hypothesis| self.hypothesis(hypothesis)).collect();
            found.push(Position { actual: self.actual(*actual), hypotheses, covers });
        }
    }

    fn permutation_steps(&mut self, proof: &ProofState) -> Vec<PermutationStep> {
        let mut found = Vec::new();
        while let Some(&at) = self.steps.old.get(found.len()) {
            let (permutation, actual, hypothesis, next) = &proof.permutations.steps[at as usize];
            let next = next.iter().map(|&at| self.steps.number(at)).collect();
            let permutation = self.permutations.number(*permutation);
            found.push(PermutationStep { permutation, actual: *actual, hypothesis: *hypothesis, next });
        }
        found
    }

    fn sets(&mut self) -> Vec<Vec<u32>> {
        let old = std::mem::take(&mut self.sets.old);
        let sets = old.into_iter().map(|at| {
            let members = self.context.set(SetId(at)).iter();
            let mut set: Vec<u32> = members.map(|&hypothesis| self.hypothesis(hypothesis)).collect();
            set.sort_unstable();
            set
        });
        sets.collect()
    }
}
