//! The simulations of a proof: which seeds are confirmed in the checker's terms, when they are first used.
//!
//! A seed is followed along its replies until every one is a seed again; if a move has no reply, nothing on that way is used.

use super::Seed;
use super::budget::Stopped;
use super::context::ProofContext;
use crate::verdict::certificate::Cover;
use crate::verdict::certificate::model::EPSILON;
use crate::verify::sets::SetId;
use crate::verify::simulation::permutation::PermutationRelation;
use crate::verify::views::belief_system::{ActualId, HypothesisId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What is known about a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Unknown,
    /// Reached on the way that is being followed.
    Assumed,
    Proved,
    Refuted,
}

/// The seeds of one kind of simulation.
#[derive(Debug, Default)]
pub(super) struct SimulationSeeds {
    pub(super) all: Vec<Seed>,
    status: Vec<Status>,
    /// The replies to the moves of proved seeds, and the range of each seed in them.
    replies: Vec<Cover>,
    ranges: Vec<Range<usize>>,
    /// Actual state and seed, in order.
    by_actual: Vec<(ActualId, u32)>,
    /// Actual state, hypothesis and seed, in order; of seeds with one hypothesis.
    single: Vec<(ActualId, HypothesisId, u32)>,
    class_avoiding: bool,
}

impl SimulationSeeds {
    pub(super) fn new(all: Vec<Seed>, class_avoiding: bool) -> SimulationSeeds {
        let each = || all.iter().zip(0u32..);
        let mut by_actual: Vec<(ActualId, u32)> = each().map(|((actual, _), at)| (*actual, at)).collect();
        let singles = each().filter(|((_, tuple), _)| tuple.len() == 1);
        let mut single: Vec<_> = singles.map(|((actual, tuple), at)| (*actual, tuple[0], at)).collect();
        by_actual.sort_unstable();
        single.sort_unstable();
        let (status, ranges) = (vec![Status::Unknown; all.len()], vec![0..0; all.len()]);
        SimulationSeeds { all, status, replies: Vec::new(), ranges, by_actual, single, class_avoiding }
    }

    /// The replies to the moves of a proved seed.
    pub(super) fn covers(&self, at: u32) -> &[Cover] {
        &self.replies[self.ranges[at as usize].clone()]
    }

    /// Where the seeds of an actual state begin in their order.
    fn first_of(&self, actual: ActualId) -> usize {
        self.by_actual.partition_point(|entry| entry.0 < actual)
    }

    /// A proved seed of this actual state with its hypotheses in the set: all of them, or any.
    pub(super) fn find(
        &mut self,
        context: &mut ProofContext<'_>,
        actual: ActualId,
        set: SetId,
        any: bool,
    ) -> Result<Option<u32>, Stopped> {
        for place in self.first_of(actual).. {
            let Some(&(_, at)) = self.by_actual.get(place).filter(|entry| entry.0 == actual) else { break };
            context.spend(1)?;
            let tuple = &self.all[at as usize].1;
            let contained = |hypothesis: &HypothesisId| context.set(set).binary_search(hypothesis).is_ok();
            let fits = if any { tuple.iter().any(contained) } else { tuple.iter().all(contained) };
            if fits && self.prove(context, at)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Follows the replies of a seed; whether it is proved.
    fn prove(&mut self, context: &mut ProofContext<'_>, at: u32) -> Result<bool, Stopped> {
        match self.status[at as usize] {
            Status::Proved => return Ok(true),
            Status::Refuted => return Ok(false),
            Status::Unknown | Status::Assumed => {}
        }
        let before = self.replies.len();
        let mut order = vec![at];
        let mut replies = Vec::new();
        let mut next = 0;
        self.status[at as usize] = Status::Assumed;
        while let Some(&now) = order.get(next) {
            let from = self.replies.len();
            if !self.find_replies(context, now, &mut replies)? {
                self.replies.truncate(before);
                order.iter().for_each(|&at| self.status[at as usize] = Status::Refuted);
                return Ok(false);
            }
            for cover in &self.replies[from..] {
                if let Cover::Twins(to) | Cover::Simulation(to) = *cover
                    && self.status[to as usize] == Status::Unknown
                {
                    self.status[to as usize] = Status::Assumed;
                    order.push(to);
                }
            }
            self.ranges[now as usize] = from..self.replies.len();
            next += 1;
        }
        order.iter().for_each(|&at| self.status[at as usize] = Status::Proved);
        Ok(true)
    }

    /// Adds the reply to each move of a seed; whether each move has one. `replies` is a buffer.
    fn find_replies(
        &mut self,
        context: &mut ProofContext<'_>,
        at: u32,
        replies: &mut Vec<Vec<HypothesisId>>,
    ) -> Result<bool, Stopped> {
        let (actual, tuple) = &self.all[at as usize];
        replies.resize_with(tuple.len(), Vec::new);
        for &(label, target) in context.moves(*actual).iter() {
            let target = ActualId(target);
            for (&hypothesis, replies) in tuple.iter().zip(replies.iter_mut()) {
                context.reply(hypothesis, (*actual, target), label, replies)?;
            }
            let cover = match self.seed_among(target, replies) {
                Some(next) if self.class_avoiding => Cover::Twins(next),
                Some(next) => Cover::Simulation(next),
                None if self.class_avoiding => return Ok(false),
                None => {
                    let identity = context.identity(target);
                    if replies[0].binary_search(&identity).is_err() {
                        return Ok(false);
                    }
                    context.named.push(identity);
                    Cover::Identity
                }
            };
            self.replies.push(cover);
        }
        Ok(true)
    }

    /// A seed of an actual state whose hypotheses are among the replies, a known one if possible.
    fn seed_among(&self, actual: ActualId, replies: &[Vec<HypothesisId>]) -> Option<u32> {
        let usable = |at: &u32| self.status[*at as usize] != Status::Refuted;
        if let [reply] = replies {
            let mut first = None;
            for at in reply.iter().filter_map(|&hypothesis| self.single(actual, hypothesis)).filter(usable) {
                if self.status[at as usize] != Status::Unknown {
                    return Some(at);
                }
                first = first.or(Some(at));
            }
            return first;
        }
        let fits = |at: &u32| {
            let tuple = &self.all[*at as usize].1;
            tuple.len() == replies.len() && tuple.iter().zip(replies).all(|(one, all)| all.binary_search(one).is_ok())
        };
        let from = self.by_actual[self.first_of(actual)..].iter();
        from.take_while(|entry| entry.0 == actual).map(|entry| entry.1).filter(usable).find(fits)
    }

    /// The seed of an actual state and one hypothesis.
    fn single(&self, actual: ActualId, hypothesis: HypothesisId) -> Option<u32> {
        let at = self.single.partition_point(|entry| (entry.0, entry.1) < (actual, hypothesis));
        self.single.get(at).filter(|entry| (entry.0, entry.1) == (actual, hypothesis)).map(|entry| entry.2)
    }
}

/// A permutation and two states: y ρ-simulates x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step {
    permutation: u32,
    /// x.
    actual: u32,
    /// y.
    hypothesis: u32,
}

/// The seeds of ρ-simulations.
#[derive(Debug, Default)]
pub(super) struct PermutationSeeds {
    /// Permutations of labels, and whether their relations are class-avoiding.
    pub(super) permutations: Vec<(Vec<u32>, bool)>,
    seeds: Vec<FxHashSet<(u32, u32)>>,
    /// For each permutation, the states that some state simulates.
    simulated: Vec<FxHashSet<u32>>,
    refuted: FxHashSet<Step>,
    indices: FxHashMap<Step, u32>,
    /// The steps in use: permutation, states, and the indices of the steps that reply to each move.
    pub(super) steps: Vec<(u32, u32, u32, Vec<u32>)>,
}

impl PermutationSeeds {
    pub(super) fn new(context: &ProofContext<'_>, relations: Vec<(PermutationRelation, bool)>) -> PermutationSeeds {
        let mut seeds = PermutationSeeds::default();
        for (PermutationRelation { rho, pairs }, class_avoiding) in relations {
            let mut labels: Vec<u32> = (0..context.model.n_labels() as u32).collect();
            for (event, &image) in rho.iter().enumerate() {
                if let (Some(from), Some(to)) = (context.model.label(event as u32), context.model.label(image)) {
                    labels[from as usize] = to;
                }
            }
            labels[EPSILON as usize] = EPSILON;
            seeds.permutations.push((labels, class_avoiding));
            seeds.simulated.push(pairs.iter().map(|pair| pair.0).collect());
            seeds.seeds.push(pairs.into_iter().collect());
        }
        seeds
    }

    /// A hypothesis of the set that simulates the actual state under a permutation: the index of the step, and the hypothesis.
    pub(super) fn find(
        &mut self,
        context: &mut ProofContext<'_>,
        actual: ActualId,
        set: SetId,
        class_avoiding: bool,
    ) -> Result<Option<(u32, HypothesisId)>, Stopped> {
        let state = context.actual_state(actual);
        for at in 0..self.permutations.len() {
            if class_avoiding && !self.permutations[at].1 || !self.simulated[at].contains(&state) {
                continue;
            }
            for hypothesis in context.set(set).to_vec() {
                context.spend(1)?;
                let other = context.hypothesis_state(hypothesis);
                let step = Step { permutation: at as u32, actual: state, hypothesis: other };
                if self.seeds[at].contains(&(state, other))
                    && context.agrees(actual, hypothesis, &self.permutations[at].0)
                    && let Some(index) = self.prove(context, step)?
                {
                    return Ok(Some((index, hypothesis)));
                }
            }
        }
        Ok(None)
    }

    /// The index of a step, if it is proved.
    fn prove(&mut self, context: &mut ProofContext<'_>, step: Step) -> Result<Option<u32>, Stopped> {
        if let Some(&index) = self.indices.get(&step) {
            return Ok(Some(index));
        }
        let first = self.steps.len();
        let mut order = vec![step];
        let mut indices: FxHashMap<Step, u32> = FxHashMap::from_iter([(step, first as u32)]);
        let mut replies: Vec<Vec<u32>> = Vec::new();
        while replies.len() < order.len() {
            let step = order[replies.len()];
            let mut next = Vec::new();
            for (label, target) in context.model.moves(step.actual).to_vec() {
                context.spend(1)?;
                let Some(reply) = self.reply(context, step, label, target) else {
                    self.refuted.extend(order);
                    return Ok(None);
                };
                let known = self.indices.get(&reply).or_else(|| indices.get(&reply)).copied();
                next.push(known.unwrap_or_else(|| {
                    let at = (first + order.len()) as u32;
                    indices.insert(reply, at);
                    order.push(reply);
                    at
                }));
            }
            replies.push(next);
        }
        for (step, next) in order.into_iter().zip(replies) {
            self.indices.insert(step, self.steps.len() as u32);
            self.steps.push((step.permutation, step.actual, step.hypothesis, next));
        }
        Ok(Some(first as u32))
    }

    /// The step that replies to a move.
    fn reply(&self, context: &ProofContext<'_>, step: Step, label: u32, target: u32) -> Option<Step> {
        let (images, class_avoiding) = &self.permutations[step.permutation as usize];
        let is_identity = images.iter().zip(0u32..).all(|(&image, label)| image == label);
        let fits = |next: &Step| {
            let seed = self.seeds[next.permutation as usize].contains(&(next.actual, next.hypothesis));
            (seed || (is_identity && !class_avoiding && target == next.hypothesis)) && !self.refuted.contains(next)
        };
        let moves = context.model.moves(step.hypothesis).iter().filter(|other| other.0 == images[label as usize]);
        moves.map(|other| Step { actual: target, hypothesis: other.1, ..step }).find(fits)
    }
}
