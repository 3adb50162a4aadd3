//! One worker of a partitioned two-way observer: its estimates, its backward sets, and the stage that all workers are in.
//!
//! A stage is complete when no worker has anything left of it and everything that was sent has arrived; the ballots tell. Only then
//! all workers go on to the next one, each deciding the same from the same ballots:
//!
//! ```text
//! Estimates   a level of estimates is expanded, until there is no further level
//! Test        every backward set of a layer is sent to all workers, and each tests it with its own estimates
//! Expand      the layer is expanded; its successors are the next layer
//! ```

use super::ballot::{Ballot, Hit};
use super::exchange::{Exchange, Lost};
use super::half::{Half, Origin, Place, owner, read_records, write_record};
use crate::resources::Stop;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::search::exposure_test::{ExposureTester, Tested, exposes};
use crate::verify::search::forward::SearchBound;
use crate::verify::sets::{Id, Set, SetId};
use crate::verify::views::belief_system::LabelId;
use crate::verify::{Phase, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the workers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Estimates,
    Test,
    Expand,
}

/// What all workers know when they have the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Safe,
    SafeToHorizon,
    Exposed(Hit),
}

/// Why a round has no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// A worker reached a limit.
    Stopped(Stop),
    Lost(Lost),
}

impl From<Lost> for Halt {
    fn from(lost: Lost) -> Halt {
        Halt::Lost(lost)
    }
}

/// What the workers of a process hold together: bytes, members of sets, and sets that are not expanded.
#[derive(Debug, Default)]
pub(super) struct Held([AtomicU64; 3]);

impl Held {
    /// Replaces what one worker reported before by what it reports now; the sums.
    fn tell(&self, before: [u64; 3], now: [u64; 3]) -> [u64; 3] {
        std::array::from_fn(|at| {
            let more = now[at].wrapping_sub(before[at]);
            self.0[at].fetch_add(more, Ordering::Relaxed).wrapping_add(more)
        })
    }
}

/// A worker.
pub(super) struct Share<S> {
    worker: u32,
    exposed: ExposedSets,
    bound: SearchBound,
    pub(super) forward: Half<S>,
    pub(super) backward: Option<(Half<S>, ExposureTester)>,
    pub(super) stage: Stage,
    /// Own sets before this one were tested.
    pub(super) tested: usize,
    pub(super) layer: u64,
    /// The last layer that was tested completely.
    pub(super) safe: Option<u64>,
    /// The exposure with the shortest α of the stage.
    hit: Option<Hit>,
    held: Arc<Held>,
    reported: [u64; 3],
}

impl<S: Set> Share<S> {
    /// Nothing explored.
    pub(super) fn new(
        worker: usize,
        (exposed, bound): (&ExposedSets, SearchBound),
        forward: Half<S>,
        held: Arc<Held>,
    ) -> Share<S> {
        Share {
            worker: worker as u32,
            exposed: exposed.clone(),
            bound,
            forward,
            backward: None,
            stage: Stage::Estimates,
            tested: 0,
            layer: 0,
            safe: None,
            hit: None,
            held,
            reported: [0; 3],
        }
    }

    /// Work done so far.
    pub(super) fn effort(&self) -> u64 {
        self.forward.work + self.backward.as_ref().map_or(0, |(half, tester)| half.work + tester.work)
    }

    /// Works until so much work is done, or all workers know the outcome.
    pub(super) fn work(
        &mut self,
        exchange: &mut Exchange,
        meter: &mut ResourceMonitor<'_>,
        until: u64,
    ) -> Result<Option<Outcome>, Halt> {
        loop {
            let stop = self.work_on_stage(exchange, meter, until)?;
            exchange.barrier(&[], |from, words| self.receive(from, words))?;
            let ballot = Ballot {
                left: self.left() > 0,
                goes_on: self.goes_on(),
                rests: self.effort() >= until,
                stop,
                hit: self.hit,
            };
            let ballots = exchange.barrier(&ballot.words(), |_, _| {})?;
            let ballots: Vec<Ballot> = ballots.iter().map(|words| Ballot::of_words(words)).collect();
            if let Some(stop) = ballots.iter().find_map(|ballot| ballot.stop) {
                return Err(Halt::Stopped(stop));
            }
            let is_complete = !ballots.iter().any(|ballot| ballot.left);
            if is_complete && let Some(outcome) = self.finish_stage(exchange, &ballots) {
                return Ok(Some(outcome));
            }
            if ballots.iter().any(|ballot| ballot.rests) {
                return Ok(None);
            }
        }
    }

    /// Does what is left of the stage, as far as the work and the limits allow; the limit that was reached.
    fn work_on_stage(
        &mut self,
        exchange: &mut Exchange,
        meter: &mut ResourceMonitor<'_>,
        until: u64,
    ) -> Result<Option<Stop>, Lost> {
        loop {
            exchange.poll(|from, words| self.receive(from, words))?;
            if let Err(stop) = meter.check(&self.progress()) {
                return Ok(Some(stop));
            }
            if self.left() == 0 || self.effort() >= until {
                return Ok(None);
            }
            self.step(exchange);
        }
    }

    /// What this worker has left of the stage.
    fn left(&self) -> usize {
        match (self.stage, &self.backward) {
            (Stage::Estimates, _) if self.bound.initial => 0,
            (Stage::Estimates, _) => self.forward.left(),
            (Stage::Test, Some((half, _))) => half.end - self.tested,
            (Stage::Expand, Some((half, _))) => half.left(),
            (Stage::Test | Stage::Expand, None) => 0,
        }
    }

    /// Whether this worker has something of the next level or layer.
    fn goes_on(&self) -> bool {
        match (self.stage, &self.backward) {
            (Stage::Estimates, _) => !self.bound.initial && self.forward.new_sets() > 0,
            (_, Some((half, _))) => half.new_sets() > 0,
            (_, None) => false,
        }
    }

    fn step(&mut self, exchange: &mut Exchange) {
        match self.stage {
            Stage::Estimates => {
                let before = self.forward.sets.len();
                self.forward.expand(exchange);
                self.look_at_estimates(before);
            }
            Stage::Test => self.test_next(exchange),
            Stage::Expand => {
                if let Some((half, _)) = &mut self.backward {
                    half.expand(exchange);
                }
            }
        }
    }

    /// What another worker sent in this stage.
    fn receive(&mut self, from: u32, words: &[u32]) {
        read_records(words, |[set, label], content: S| {
            let place = Place { worker: from, set: SetId(set) };
            let origin = Some(Origin { place, label: LabelId(label) });
            match self.stage {
                Stage::Estimates => {
                    let before = self.forward.sets.len();
                    self.forward.admit(content, origin);
                    self.look_at_estimates(before);
                }
                Stage::Test => self.test(&content, place),
                Stage::Expand => {
                    if let Some((half, _)) = &mut self.backward {
                        half.admit(content, origin);
                    }
                }
            }
        });
    }

    /// Looks whether one of the estimates from `first` on is exposed itself.
    pub(super) fn look_at_estimates(&mut self, first: usize) {
        for set in (first..self.forward.sets.len()).map(SetId::from_index) {
            let estimate = self.forward.sets.get(set);
            if self.hit.is_none() && exposes(estimate, estimate, &self.exposed) {
                let (level, estimate) = (self.forward.level(set.index()), Place { worker: self.worker, set });
                self.hit = Some(Hit { level, estimate, backward: None });
            }
        }
    }

    /// Tests the next backward set of the layer with the estimates of all workers.
    fn test_next(&mut self, exchange: &mut Exchange) {
        let Some((half, _)) = &self.backward else { return };
        let set = SetId::from_index(self.tested);
        self.tested += 1;
        let content = half.sets.get(set).clone();
        for to in exchange.others() {
            exchange.send(to, |words| write_record(words, [set.0, 0], &content));
        }
        self.test(&content, Place { worker: self.worker, set });
    }

    /// Tests a backward set with the own estimates: only those with a shorter α than the one that was found.
    fn test(&mut self, content: &S, place: Place) {
        let (forward, worker) = (&self.forward, self.worker);
        let Some((_, tester)) = &mut self.backward else { return };
        let most = self.hit.map_or(forward.sets.len(), |hit| forward.start(hit.level));
        tester.begin(most);
        let found = loop {
            match tester.test(content, |at| forward.sets.get(SetId::from_index(at))) {
                Tested::Some => {}
                Tested::All => return,
                Tested::Exposed(estimate) => break estimate,
            }
        };
        // WHY the comparison: estimates are tested in blocks, which may end later.
        if found < most {
            let (level, set) = (forward.level(found), SetId::from_index(found));
            self.hit = Some(Hit { level, estimate: Place { worker, set }, backward: Some(place) });
        }
    }

    /// All workers have done all of the stage: the outcome, or the next stage.
    fn finish_stage(&mut self, exchange: &Exchange, ballots: &[Ballot]) -> Option<Outcome> {
        let hits = ballots.iter().filter_map(|ballot| ballot.hit);
        if let Some(hit) = hits.min_by_key(|hit| (hit.level, hit.estimate.worker)) {
            return Some(Outcome::Exposed(hit));
        }
        let goes_on = ballots.iter().any(|ballot| ballot.goes_on);
        match (self.stage, &mut self.backward) {
            (Stage::Estimates, _) if goes_on => self.forward.begin_level(),
            (Stage::Estimates, _) => self.turn_back(exchange),
            (Stage::Test, _) => {
                self.safe = Some(self.layer);
                if self.layer >= self.bound.horizon {
                    return Some(Outcome::SafeToHorizon);
                }
                self.stage = Stage::Expand;
            }
            (Stage::Expand, Some((half, _))) if goes_on => {
                half.begin_level();
                self.layer += 1;
                self.stage = Stage::Test;
            }
            (Stage::Expand, _) => return Some(Outcome::Safe),
        }
        None
    }

    /// Every estimate is known: the search goes on from behind.
    fn turn_back(&mut self, exchange: &Exchange) {
        let reversed = self.forward.view.reversed();
        let all = S::collect::<u32>(reversed.n_states(), &mut (0..reversed.n_states() as u32).collect());
        let mut half = Half::new(reversed);
        if owner(&all, exchange.workers()) == exchange.index() {
            half.admit(all, None);
        }
        half.begin_level();
        self.start_testing(half, 0);
    }

    /// Goes on with the layer in which these backward sets end, of which so many were tested.
    pub(super) fn start_testing(&mut self, half: Half<S>, tested: usize) {
        let tester = ExposureTester::new(&self.exposed, &half.view, self.forward.sets.iter());
        self.layer = half.starts.len() as u64 - 1;
        self.tested = tested;
        self.backward = Some((half, tester));
        self.stage = Stage::Test;
    }

    /// The labels from the start to a set of one of the halves, the last one first. All workers ask it together.
    pub(super) fn labels(
        &self,
        exchange: &mut Exchange,
        mut place: Place,
        is_estimate: bool,
    ) -> Result<Vec<LabelId>, Lost> {
        let half = if is_estimate { Some(&self.forward) } else { self.backward.as_ref().map(|(half, _)| half) };
        let mut labels = Vec::new();
        loop {
            let own = half.filter(|_| place.worker == self.worker).and_then(|half| half.origin(place.set));
            let words = own.map_or(vec![], |origin| vec![origin.place.worker, origin.place.set.0, origin.label.0]);
            let ballots = exchange.barrier(&words, |_, _| {})?;
            let answer = ballots.get(place.worker as usize).map(Vec::as_slice);
            let Some(&[worker, set, label]) = answer else { return Ok(labels) };
            labels.push(LabelId(label));
            place = Place { worker, set: SetId(set) };
        }
    }

    /// Bytes held by this worker.
    fn bytes(&self) -> u64 {
        let backward = self.backward.as_ref().map_or(0, |(half, tester)| half.bytes() + tester.bytes());
        self.forward.bytes() + backward
    }

    /// Members of the own sets, and own sets.
    pub(super) fn stored(&self) -> (u64, u64) {
        let backward = self.backward.as_ref().map(|(half, _)| half);
        let both = || std::iter::once(&self.forward).chain(backward);
        (both().map(|half| half.members).sum(), both().map(|half| half.sets.len() as u64).sum())
    }

    /// What all workers of the process did, as far as they reported.
    fn progress(&mut self) -> Progress {
        let (members, sets) = self.stored();
        let expanded = self.forward.next + self.backward.as_ref().map_or(0, |(half, _)| half.next);
        let now = [self.bytes(), members, sets - expanded as u64];
        let all = self.held.tell(self.reported, now);
        self.reported = now;
        Progress {
            phase: if self.backward.is_some() { Phase::Layers } else { Phase::Estimates },
            layer: self.layer,
            pairs: all[1],
            frontier: all[2],
            memory: all[0],
        }
    }
}
