//! One worker of a partitioned forward search: the pairs whose set is its own, and the stage that all workers are in.
//!
//! A worker is a forward search that sends the successors of its pairs to their owners. What it prunes, it prunes by its own sets and
//! simulations: pruning is optional, so verdict and distance are those of one worker. A stage is complete on all workers before the next
//! begins, as in [`share`](super::share):
//!
//! ```text
//! Estimates   a level of estimates is expanded, until there is no further level
//! Seeds       the estimates from which phase 2 begins
//! Branches    the delay branches are followed
//! Close       the layer is closed under unobserved moves
//! Expand      its minimal pairs are fixed, then expanded: the next layer
//! ```

use super::ballot::{Ballot, Hit};
use super::dictionary::{Dictionary, Pairs};
use super::exchange::{Exchange, Lost};
use super::half::Place;
use super::share::{Halt, Outcome};
use crate::resources::Stop;
use crate::verify::search::forward::{ForwardSearch, NodeId, Parent};
use crate::verify::search::layers::{DelayBranches, Pairs as Waiting};
use crate::verify::sets::{Id, SetId, vec_bytes};
use crate::verify::views::belief_system::{Heuristics, LabelId, Portable};

/// What the workers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Estimates,
    Seeds,
    Branches,
    Close,
    Expand,
}

/// How a node was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Root,
    Move(Place, LabelId),
    Branch(Place, u32),
}

/// A worker.
pub(crate) struct PairShare<'s, B: Heuristics> {
    pub(crate) search: ForwardSearch<'s, B>,
    pub(super) worker: u32,
    dictionary: Dictionary,
    /// How each node was reached.
    pub(super) origins: Vec<Origin>,
    stage: Stage,
    /// Nodes before this one were expanded, or closed.
    next: usize,
    /// Where the level ends.
    end: usize,
    branches: Option<DelayBranches<B::Set>>,
    /// The minimal pairs of the layer that are not expanded; none: they are not fixed.
    waiting: Option<Waiting<B::Set>>,
    layer: u64,
}

impl<'s, B: Heuristics + Portable> PairShare<'s, B> {
    /// Nothing explored.
    pub(crate) fn new(search: ForwardSearch<'s, B>, worker: usize, workers: usize) -> PairShare<'s, B> {
        PairShare {
            search,
            worker: worker as u32,
            dictionary: Dictionary::new(workers),
            origins: Vec::new(),
            stage: Stage::Estimates,
            next: 0,
            end: 0,
            branches: None,
            waiting: None,
            layer: 0,
        }
    }

    /// Adds the initial pairs, on the worker that owns them.
    pub(crate) fn begin(&mut self) {
        let (_, hypotheses) = self.search.beliefs.initial();
        let start = self.search.beliefs.close(hypotheses);
        if self.dictionary.owner(self.search.beliefs, &start) == self.worker as usize {
            self.search.begin();
            self.origins.resize(self.search.nodes.len(), Origin::Root);
        }
        self.end = self.search.nodes.len();
    }

    /// Works until so much work is done, or all workers know the outcome; how many layers are safe is known by [`safe`](Self::safe).
    pub(super) fn work(&mut self, exchange: &mut Exchange, until: u64) -> Result<Option<Outcome>, Halt> {
        loop {
            self.search.set_aside = self.dictionary.bytes() + vec_bytes(&self.origins);
            let stop = self.work_on_stage(exchange, until)?;
            exchange.barrier(&[], |from, words| self.receive(from, words))?;
            let ballot = Ballot {
                left: self.left() > 0,
                goes_on: self.goes_on(),
                rests: self.search.effort() >= until,
                stop,
                hit: self.hit(),
            };
            let ballots = exchange.barrier(&ballot.words(), |_, _| {})?;
            let ballots: Vec<Ballot> = ballots.iter().map(|words| Ballot::of_words(words)).collect();
            if let Some(stop) = ballots.iter().find_map(|ballot| ballot.stop) {
                return Err(Halt::Stopped(stop));
            }
            let is_complete = !ballots.iter().any(|ballot| ballot.left);
            if is_complete && let Some(outcome) = self.finish_stage(&ballots) {
                return Ok(Some(outcome));
            }
            if ballots.iter().any(|ballot| ballot.rests) {
                return Ok(None);
            }
        }
    }

    /// Does what is left of the stage, as far as the work and the limits allow; the limit that was reached.
    fn work_on_stage(&mut self, exchange: &mut Exchange, until: u64) -> Result<Option<Stop>, Lost> {
        if let Err(stop) = self.begin_stage() {
            return Ok(Some(stop));
        }
        loop {
            exchange.poll(|from, words| self.receive(from, words))?;
            if self.left() == 0 || self.search.effort() >= until {
                return Ok(None);
            }
            let done = self.search.check(self.left()).and_then(|()| self.step(exchange));
            if let Err(stop) = done {
                return Ok(Some(stop));
            }
        }
    }

    /// What is done once, before anything of the stage is received.
    //
    // INVARIANT: the minimal pairs of a layer are fixed before a pair of the next layer is admitted.
    fn begin_stage(&mut self) -> Result<(), Stop> {
        if self.stage == Stage::Expand && self.waiting.is_none() {
            self.waiting = Some(self.search.minimal_pairs()?);
            self.search.frontier.clear();
        }
        Ok(())
    }

    /// What this worker has left of the stage.
    fn left(&self) -> usize {
        match self.stage {
            Stage::Estimates if self.search.bound.initial => 0,
            Stage::Estimates => self.end - self.next,
            Stage::Seeds => usize::from(self.branches.is_none()),
            Stage::Branches => usize::from(self.branches.is_some()),
            Stage::Close => self.search.frontier.len() - self.next,
            Stage::Expand => self.waiting.as_ref().map_or(1, Waiting::len),
        }
    }

    /// Whether this worker has something of the next level, of phase 2, or of the layer.
    fn goes_on(&self) -> bool {
        match self.stage {
            Stage::Estimates => !self.search.bound.initial && self.search.nodes.len() > self.end,
            Stage::Seeds => !self.search.phase2_seeds.is_empty(),
            Stage::Branches | Stage::Close | Stage::Expand => !self.search.frontier.is_empty(),
        }
    }

    /// The exposure that this worker has found, if one was.
    fn hit(&self) -> Option<Hit> {
        let node = self.search.violation?;
        let estimate = Place { worker: self.worker, set: SetId(node.0) };
        Some(Hit { level: 0, estimate, backward: None })
    }

    fn step(&mut self, exchange: &mut Exchange) -> Result<(), Stop> {
        match self.stage {
            Stage::Estimates => {
                self.expand_estimate(NodeId::from_index(self.next), exchange)?;
                self.next += 1;
            }
            Stage::Seeds => {
                self.search.finish_phase_one()?;
                self.branches = Some(DelayBranches::default());
            }
            Stage::Branches => self.follow_branch(exchange),
            Stage::Close => {
                let node = self.search.frontier[self.next];
                let actuals = self.search.nodes[node.index()].actuals.clone();
                self.expand(node, &actuals, false, exchange)?;
                self.next += 1;
            }
            Stage::Expand => {
                let next = self.waiting.as_mut().and_then(Waiting::pop_front);
                if let Some((node, actuals)) = next {
                    self.expand(node, &actuals, true, exchange)?;
                }
            }
        }
        Ok(())
    }

    fn expand_estimate(&mut self, node: NodeId, exchange: &mut Exchange) -> Result<(), Stop> {
        let set = self.search.nodes[node.index()].set;
        let actuals = self.search.nodes[node.index()].actuals.clone();
        let actuals = self.search.still_open(set, actuals);
        for successors in self.search.post_actuals(&actuals) {
            let post = self.post(set, successors.label)?;
            self.hand_over(post, successors.targets, (node, Some(successors.label), 0), exchange);
        }
        Ok(())
    }

    /// Expands a pair of phase 2 by its observed moves, or by the others.
    fn expand(&mut self, node: NodeId, actuals: &B::Set, observed: bool, exchange: &mut Exchange) -> Result<(), Stop> {
        let set = self.search.nodes[node.index()].set;
        for successors in self.search.post_actuals(actuals) {
            if successors.observed == observed {
                let post = self.post(set, successors.label)?;
                self.hand_over(post, successors.targets, (node, Some(successors.label), 0), exchange);
            }
        }
        Ok(())
    }

    fn follow_branch(&mut self, exchange: &mut Exchange) {
        let Some(mut branches) = self.branches.take() else { return };
        let Some(branch) = self.search.next_branch(&mut branches) else { return };
        self.branches = Some(branches);
        let set = self.search.nodes[branch.node.index()].set;
        self.search.work += u64::from(self.search.sets.summary(set).len);
        let surviving = self.search.surviving_set(set, &branch.exposed);
        self.hand_over(surviving, branch.actuals, (branch.node, None, branch.class), exchange);
    }

    /// The successors of a set of hypotheses. They are not kept: most belong to others.
    fn post(&mut self, set: SetId, label: LabelId) -> Result<B::Set, Stop> {
        let held = self.search.progress(0).memory;
        let ForwardSearch { beliefs, sets, meter, work, .. } = &mut self.search;
        *work += u64::from(sets.summary(set).len);
        let token = meter.cancel_token(held.saturating_sub(beliefs.bytes()));
        beliefs.post_within(sets.get(set), label, &token)
    }

    /// Gives pairs to the owner of their set: reached from a node by a label, or by the delay branch of a class.
    fn hand_over(
        &mut self,
        set: B::Set,
        actuals: B::Set,
        (node, label, class): (NodeId, Option<LabelId>, u32),
        exchange: &mut Exchange,
    ) {
        let to = self.dictionary.owner(self.search.beliefs, &set);
        let (dictionary, beliefs) = (&mut self.dictionary, &*self.search.beliefs);
        let head = [node.0, u32::from(label.is_none()), label.map_or(class, |label| label.0)];
        if to == self.worker as usize {
            self.admit(self.worker, Pairs { head, actuals, set });
        } else {
            exchange.send(to, |words| dictionary.write(beliefs, to, (head, &actuals, &set), words));
        }
    }

    fn receive(&mut self, from: u32, words: &[u32]) {
        for pairs in self.dictionary.read(self.search.beliefs, from, words) {
            self.admit(from, pairs);
        }
    }

    fn admit(&mut self, from: u32, Pairs { head: [node, is_branch, what], actuals, set }: Pairs<B::Set>) {
        let place = Place { worker: from, set: SetId(node) };
        let origin = if is_branch == 1 { Origin::Branch(place, what) } else { Origin::Move(place, LabelId(what)) };
        let set = self.search.sets.intern(set);
        // WHY the root: the search reads no run back; that is done across workers.
        match self.stage {
            Stage::Estimates => self.search.admit_estimate(set, actuals, Parent::Root),
            _ => self.search.admit_to_layer(set, actuals, Parent::Root),
        }
        self.origins.resize(self.search.nodes.len(), origin);
    }

    /// All workers have done all of the stage: the outcome, or the next stage.
    fn finish_stage(&mut self, ballots: &[Ballot]) -> Option<Outcome> {
        if let Some(hit) = ballots.iter().filter_map(|ballot| ballot.hit).min_by_key(|hit| hit.estimate.worker) {
            self.layer += u64::from(self.stage == Stage::Expand);
            return Some(Outcome::Exposed(hit));
        }
        let goes_on = ballots.iter().any(|ballot| ballot.goes_on);
        let bound = self.search.bound;
        match self.stage {
            Stage::Estimates if goes_on => self.end = self.search.nodes.len(),
            Stage::Estimates => self.stage = Stage::Seeds,
            Stage::Seeds if goes_on && bound.horizon == 0 && !bound.initial => return Some(Outcome::SafeToHorizon),
            Stage::Seeds => self.stage = Stage::Branches,
            Stage::Branches => self.begin_layer(0),
            Stage::Close if !goes_on => return Some(Outcome::Safe),
            Stage::Close if self.layer >= bound.horizon => return Some(Outcome::SafeToHorizon),
            Stage::Close => {
                self.stage = Stage::Expand;
                self.waiting = None;
            }
            Stage::Expand => self.begin_layer(self.layer + 1),
        }
        None
    }

    fn begin_layer(&mut self, layer: u64) {
        (self.stage, self.next, self.layer) = (Stage::Close, 0, layer);
        self.search.layer = Some(layer);
    }

    /// The layer that is explored, or the one of the exposure.
    pub(crate) fn layer(&self) -> u64 {
        self.layer
    }

    /// The greatest |β| up to which nothing is exposed, as far as is known.
    pub(crate) fn safe(&self) -> Option<u64> {
        self.search.layer.filter(|_| self.search.violation.is_none() || self.layer > 0)
    }
}
