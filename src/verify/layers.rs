//! The search in slices: phase 1 estimate by estimate, phase 2 layer by layer.
//!
//! A layer is built in three strokes, each complete before the next: admit the pairs that seen moves lead to; close them
//! under unseen moves that change the rivals; fix the lefts that are still of interest. Only then is the next layer begun, so a smaller
//! set that turns up later never takes away a pair that still has to be expanded.

use super::Stop;
use super::frame::{Frame, Left};
use super::search::{Cohort, CohortId, Origin, Search};
use super::sets::{Set, SetId, Sets};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Where the search is.
#[derive(Debug)]
pub(crate) enum Stage<S> {
    /// Nothing was done yet.
    Fresh,
    /// Expanding the estimates, these next.
    Estimating(Waiting),
    /// Jumping from the estimates, this one next.
    Jumping(usize),
    /// Expanding these pairs of the layer.
    Expanding(VecDeque<(CohortId, S)>),
    /// At its end; whether everything was explored.
    Done(bool),
}

/// Estimates that wait to be expanded.
///
/// In the order in which they were met, so that a witness is short; when there are many, small and early ones first: they are the
/// nearest to an exposure, and most likely to lie inside others.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// So many are taken in order.
    in_order: usize,
    /// Cohorts before this one were expanded, or are in the heap.
    next: CohortId,
    /// By the number of rivals, times that of moves.
    heap: BinaryHeap<Reverse<(u64, CohortId)>>,
}

impl Waiting {
    /// All wait; so many are taken in order.
    pub(super) fn new(in_order: usize) -> Waiting {
        Waiting { in_order, next: 0, heap: BinaryHeap::new() }
    }

    /// The cohort to expand next.
    fn take<S: Set>(&mut self, cohorts: &[Cohort<S>], sets: &Sets<S>) -> Option<CohortId> {
        if self.next < self.in_order.min(cohorts.len()) {
            self.next += 1;
            return Some(self.next - 1);
        }
        let cost = |cohort: &Cohort<S>| u64::from(sets.mark(cohort.set).len) * u64::from(cohort.moves + 1);
        self.heap.extend((self.next..cohorts.len()).map(|at| Reverse((cost(&cohorts[at]), at))));
        self.next = self.next.max(cohorts.len());
        self.heap.pop().map(|Reverse((_, cohort))| cohort)
    }

    /// How many of so many cohorts wait.
    fn len(&self, cohorts: usize) -> usize {
        self.heap.len() + cohorts - self.next
    }
}

impl<F: Frame> Search<'_, F> {
    /// Goes on until this much work is done; whether all is done.
    pub(crate) fn explore(&mut self, until: u64) -> Result<bool, Stop> {
        while self.effort() < until || self.is_spent() {
            match &mut self.stage {
                Stage::Done(_) => return Ok(true),
                Stage::Fresh => self.begin(),
                Stage::Estimating(waiting) => match waiting.take(&self.cohorts, &self.sets) {
                    Some(at) => {
                        let frontier = waiting.len(self.cohorts.len());
                        self.check(frontier)?;
                        self.follow(at)?;
                    }
                    None => self.settle()?,
                },
                Stage::Jumping(next) if *next < self.fronts.len() => {
                    let at = *next;
                    *next += 1;
                    self.check(self.fronts.len() - at)?;
                    self.jump(at);
                }
                Stage::Jumping(_) => {
                    self.layer = Some(0);
                    self.finish_layer()?;
                }
                Stage::Expanding(todo) => match todo.pop_front() {
                    Some((cohort, lefts)) => {
                        let waiting = todo.len();
                        self.check(waiting)?;
                        self.expand(cohort, &lefts)?;
                    }
                    None => {
                        self.layer = self.layer.map(|layer| layer + 1);
                        self.finish_layer()?;
                    }
                },
            }
            if self.hit.is_some() {
                self.stage = Stage::Done(false);
            }
        }
        Ok(matches!(self.stage, Stage::Done(_)))
    }

    /// Whether nothing is left to expand, so that the end costs nothing.
    fn is_spent(&self) -> bool {
        match &self.stage {
            Stage::Estimating(_) => self.cohorts.is_empty(),
            Stage::Jumping(_) => self.fronts.is_empty(),
            Stage::Fresh | Stage::Expanding(_) | Stage::Done(_) => false,
        }
    }

    /// The layer that is whole now: closes it, and decides what follows.
    fn finish_layer(&mut self) -> Result<(), Stop> {
        self.close_layer()?;
        let layer = self.layer.unwrap_or(0);
        if self.hit.is_none() && self.frontier.is_empty() {
            self.saturation = Some(layer.saturating_sub(1));
            self.stage = Stage::Done(true);
        } else if layer >= self.goal.horizon {
            self.stage = Stage::Done(false);
        } else {
            self.stage = Stage::Expanding(self.survivors()?);
        }
        Ok(())
    }

    /// Jumps from an estimate: for each class of its lefts, and each choice of further classes, to the rivals outside.
    fn jump(&mut self, front: usize) {
        let (cohort, lefts) = self.fronts[front].clone();
        let set = self.cohorts[cohort].set;
        let mut by_class: Vec<(u32, Left)> = Vec::new();
        for left in lefts.iter() {
            let state = self.frame.left_state(left);
            if self.exposed.jumps(state) {
                by_class.push((self.exposed.class(state), left));
            }
        }
        by_class.sort_unstable();
        for chunk in by_class.chunk_by(|one, other| one.0 == other.0) {
            let lefts: Vec<Left> = chunk.iter().map(|&(_, left)| left).collect();
            for hidden in self.choices(set, chunk[0].0) {
                let rivals = self.outside(set, &hidden);
                let lefts = self.frame.close_lefts(lefts.clone());
                self.pursue(rivals, lefts, Origin::Jump(cohort));
                if self.hit.is_some() {
                    return;
                }
            }
        }
    }

    /// The exposed sets around a class that are maximal among the classes of an estimate: lists of classes, sorted.
    pub(crate) fn choices(&self, set: SetId, class: u32) -> Vec<Vec<u32>> {
        let more = self.exposed.together - 1;
        if more == 0 {
            return vec![vec![class]];
        }
        let states = self.sets.get(set).iter().map(|rival| self.frame.rival_state(rival));
        let mut others: Vec<u32> =
            states.map(|state| self.exposed.class(state)).filter(|&other| other != class).collect();
        others.sort_unstable();
        others.dedup();
        let mut choices = subsets(&others, more.min(others.len()));
        for choice in &mut choices {
            choice.push(class);
            choice.sort_unstable();
        }
        choices
    }

    /// UR(S \ D).
    pub(crate) fn outside(&mut self, set: SetId, hidden: &[u32]) -> SetId {
        let rivals = self.sets.get(set).iter();
        let kept = rivals
            .filter(|&rival| hidden.binary_search(&self.exposed.class(self.frame.rival_state(rival))).is_err())
            .collect();
        let closed = self.frame.close(kept);
        self.sets.intern(closed)
    }

    /// Admits a pair of phase 2 to the layer that is being made.
    fn pursue(&mut self, rivals: SetId, mut lefts: F::Set, origin: Origin) {
        if self.switches.own {
            lefts = self.without_doubles(rivals, lefts);
        }
        if let Some(lefts) = self.layers.admit(&self.sets, rivals, lefts) {
            let lefts = if self.switches.simulation { self.without_simulated(rivals, lefts) } else { lefts };
            if lefts.is_empty() {
                return;
            }
            let cohort = self.cohort(rivals, lefts, origin);
            self.frontier.push(cohort);
            if self.sets.get(rivals).is_empty() {
                self.hit = Some(cohort);
            }
        }
    }

    /// Drops the lefts that some rival simulates.
    fn without_simulated(&mut self, set: SetId, lefts: F::Set) -> F::Set {
        let rivals = self.sets.get(set);
        if rivals.is_empty() {
            return lefts;
        }
        let work = self.work + self.layers.effort();
        let mut progress = self.progress(0);
        let memory = progress.memory - self.simulation.bytes() - self.frame.bytes();
        let mut stopped = false;
        let mut covers = |left: Left| loop {
            if stopped {
                return false;
            }
            if let Some(answer) = self.simulation.covers(self.frame, self.exposed, left, rivals, work) {
                return answer;
            }
            // WHY: a limit that is passed here is noticed again at the next step of the search, which ends it.
            progress.memory = memory + self.simulation.bytes() + self.frame.bytes();
            stopped = self.meter.check(&progress).and_then(|()| self.meter.look(&progress)).is_err();
        };
        let mut open: Vec<Left> = lefts.iter().filter(|&left| !covers(left)).collect();
        F::Set::collect(self.frame.universe(), &mut open)
    }

    /// Drops the lefts whose own double is among the rivals: it can do whatever the run does.
    fn without_doubles(&mut self, rivals: SetId, lefts: F::Set) -> F::Set {
        let mut kept: Vec<Left> = Vec::new();
        for left in lefts.iter() {
            let own = self.frame.own(left);
            if !self.sets.get(rivals).contains(own) {
                kept.push(left);
            }
        }
        F::Set::collect(self.frame.universe(), &mut kept)
    }

    /// Closes the layer under unseen moves that change the rivals.
    fn close_layer(&mut self) -> Result<(), Stop> {
        let mut at = 0;
        while at < self.frontier.len() && self.hit.is_none() {
            self.check(self.frontier.len() - at)?;
            let cohort = self.frontier[at];
            at += 1;
            let lefts = self.cohorts[cohort].lefts.clone();
            for (op, seen, targets) in self.advance(&lefts) {
                if !seen {
                    let image = self.image(self.cohorts[cohort].set, op)?;
                    self.pursue(image, targets, Origin::Move(cohort, op));
                }
            }
        }
        Ok(())
    }

    /// The pairs of the layer that are still of interest.
    //
    // INVARIANT: they are fixed before the first pair of the next layer is admitted.
    fn survivors(&mut self) -> Result<VecDeque<(CohortId, F::Set)>, Stop> {
        let mut todo = VecDeque::with_capacity(self.frontier.len());
        for cohort in std::mem::take(&mut self.frontier) {
            self.check(todo.len())?;
            let mut lefts = self.cohorts[cohort].lefts.clone();
            self.layers.refresh(&self.sets, self.cohorts[cohort].set, &mut lefts);
            if !lefts.is_empty() {
                todo.push_back((cohort, lefts));
            }
        }
        Ok(todo)
    }

    /// Expands pairs by their seen moves.
    fn expand(&mut self, cohort: CohortId, lefts: &F::Set) -> Result<(), Stop> {
        for (op, seen, targets) in self.advance(lefts) {
            if seen && self.hit.is_none() {
                let image = self.image(self.cohorts[cohort].set, op)?;
                self.pursue(image, targets, Origin::Move(cohort, op));
                if self.hit.is_some() {
                    self.layer = self.layer.map(|layer| layer + 1);
                }
            }
        }
        Ok(())
    }
}

/// All subsets of this size, in order.
fn subsets(of: &[u32], size: usize) -> Vec<Vec<u32>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &first) in of.iter().enumerate() {
        for mut rest in subsets(&of[at + 1..], size - 1) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}
