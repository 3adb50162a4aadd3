//! The search in slices: phase 1 estimate by estimate, phase 2 layer by layer.
//!
//! A layer is built in three strokes, each complete before the next: admit the pairs that seen moves lead to; close them
//! under unseen moves that change the rivals; fix the lefts that are still of interest. Only then is the next layer begun, so a smaller
//! set that turns up later never takes away a pair that still has to be expanded.

use super::forward::{Cohort, CohortId, Origin, Search};
use crate::verify::Stop;
use crate::verify::sets::Combinations;
use crate::verify::sets::{Set, SetId, SetInterner};
use crate::verify::views::belief_system::{Frame, Left};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Where the search is.
#[derive(Debug)]
pub(crate) enum Stage<S> {
    /// Nothing was done yet.
    Fresh,
    /// Expanding the estimates, these next.
    Estimating(Waiting),
    /// Jumping from the estimates, these jumps next.
    Jumping(Jumps<S>),
    /// Closing the layer whose pairs are all there.
    Closing,
    /// Expanding these pairs of the layer.
    Expanding(Pairs<S>),
    /// At its end; whether everything was explored.
    Done(bool),
}

/// Pairs of a layer that wait to be expanded: of a cohort these lefts.
pub(crate) type Pairs<S> = VecDeque<(CohortId, S)>;

/// What lefts of a cohort take while they wait.
pub(super) fn waiting_bytes<S: Set>(lefts: &S) -> u64 {
    lefts.bytes() + std::mem::size_of::<(CohortId, S)>() as u64
}

/// Estimates that wait to be expanded.
///
/// In the order in which they were met, so that a witness is short; when there are many, small and early ones first: they are the
/// nearest to an exposure, and most likely to lie inside others.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// So many are taken in order.
    in_order: usize,
    /// The one whose turn was broken off.
    again: Option<CohortId>,
    /// Cohorts before this one were expanded, or are in the heap.
    next: CohortId,
    /// By the number of rivals, times that of moves.
    heap: BinaryHeap<Reverse<(u64, CohortId)>>,
}

impl Waiting {
    /// All wait; so many are taken in order.
    pub(super) fn new(in_order: usize) -> Waiting {
        Waiting { in_order, again: None, next: 0, heap: BinaryHeap::new() }
    }

    /// The cohort to expand next.
    fn take<S: Set>(&mut self, cohorts: &[Cohort<S>], sets: &SetInterner<S>) -> Option<CohortId> {
        if let Some(again) = self.again.take() {
            return Some(again);
        }
        if self.next < self.in_order.min(cohorts.len()) {
            self.next += 1;
            return Some(self.next - 1);
        }
        let cost = |cohort: &Cohort<S>| u64::from(sets.summary(cohort.set).len) * (u64::from(cohort.moves) + 1);
        self.heap.extend((self.next..cohorts.len()).map(|at| Reverse((cost(&cohorts[at]), at))));
        self.next = self.next.max(cohorts.len());
        self.heap.pop().map(|Reverse((_, cohort))| cohort)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        (self.heap.capacity() * std::mem::size_of::<Reverse<(u64, CohortId)>>()) as u64
    }

    /// How many of so many cohorts wait.
    fn len(&self, cohorts: usize) -> usize {
        self.heap.len() + cohorts - self.next + usize::from(self.again.is_some())
    }
}

/// Jumps that wait.
#[derive(Debug, Default)]
pub(crate) struct Jumps<S> {
    /// Estimates before this one were taken up.
    front: usize,
    /// The classes of the last of them, with their lefts.
    classes: Vec<(u32, Vec<Left>)>,
    /// The class that jumps now.
    now: Option<Jumping<S>>,
}

/// The lefts of a class that jump from an estimate, and the choices of further classes that make a D with it.
#[derive(Debug)]
struct Jumping<S> {
    cohort: CohortId,
    class: u32,
    lefts: S,
    others: Combinations,
}

/// One jump.
struct Jump<S> {
    cohort: CohortId,
    class: u32,
    lefts: S,
    /// The classes of D.
    hidden: Vec<u32>,
}

impl<F: Frame> Search<'_, F> {
    /// Goes on until this much work is done; whether all is done.
    //
    // INVARIANT: after an error it can go on, and loses nothing: what was being expanded is expanded again. A search that reaches
    // the limit of memory goes on when those beside it were given up.
    pub(crate) fn explore(&mut self, until: u64) -> Result<bool, Stop> {
        while self.effort() < until || self.is_spent() {
            match &mut self.stage {
                Stage::Done(_) => return Ok(true),
                Stage::Fresh => self.begin(),
                Stage::Estimating(waiting) => match waiting.take(&self.cohorts, &self.sets) {
                    Some(at) => self.estimate_from(at)?,
                    None => self.settle()?,
                },
                Stage::Jumping(jumps) => {
                    let mut jumps = std::mem::take(jumps);
                    let jumped = self.jump(&mut jumps);
                    self.stage = Stage::Jumping(jumps);
                    if !jumped? {
                        self.layer = Some(0);
                        self.stage = Stage::Closing;
                    }
                }
                Stage::Closing => self.finish_layer()?,
                Stage::Expanding(todo) => match todo.pop_front() {
                    Some(pairs) => self.expand_from(pairs)?,
                    None => {
                        self.layer = self.layer.map(|layer| layer + 1);
                        self.stage = Stage::Closing;
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
            Stage::Closing => self.frontier.is_empty(),
            Stage::Fresh | Stage::Expanding(_) | Stage::Done(_) => false,
        }
    }

    /// Expands an estimate; when a limit is reached, it waits again.
    fn estimate_from(&mut self, at: CohortId) -> Result<(), Stop> {
        let frontier = match &self.stage {
            Stage::Estimating(waiting) => waiting.len(self.cohorts.len()),
            _ => 0,
        };
        let followed = self.check(frontier).and_then(|()| self.follow(at));
        if let (Err(_), Stage::Estimating(waiting)) = (&followed, &mut self.stage) {
            waiting.again = Some(at);
        }
        followed
    }

    /// Expands pairs of a layer; when a limit is reached, they wait again.
    fn expand_from(&mut self, (cohort, lefts): (CohortId, F::Set)) -> Result<(), Stop> {
        let waiting = if let Stage::Expanding(todo) = &self.stage { todo.len() } else { 0 };
        let expanded = self.check(waiting).and_then(|()| self.expand(cohort, &lefts));
        match (&expanded, &mut self.stage) {
            (Err(_), Stage::Expanding(todo)) => todo.push_front((cohort, lefts)),
            _ => self.todo_bytes -= waiting_bytes(&lefts),
        }
        expanded
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
            self.frontier.clear();
        }
        Ok(())
    }

    /// Jumps once; whether there was a jump to make.
    fn jump(&mut self, jumps: &mut Jumps<F::Set>) -> Result<bool, Stop> {
        self.check(self.fronts.len() - jumps.front)?;
        let Some(Jump { cohort, class, lefts, hidden }) = self.next_jump(jumps) else { return Ok(false) };
        let set = self.cohorts[cohort].set;
        self.work += u64::from(self.sets.summary(set).len);
        let rivals = self.outside(set, &hidden);
        self.pursue(rivals, lefts, Origin::Jump(cohort, class));
        Ok(true)
    }

    fn next_jump(&mut self, jumps: &mut Jumps<F::Set>) -> Option<Jump<F::Set>> {
        loop {
            if let Some(Jumping { cohort, class, lefts, others }) = &mut jumps.now
                && let Some(mut hidden) = others.next()
            {
                hidden.push(*class);
                hidden.sort_unstable();
                return Some(Jump { cohort: *cohort, class: *class, lefts: lefts.clone(), hidden });
            }
            if let Some((class, lefts)) = jumps.classes.pop() {
                let cohort = self.fronts[jumps.front - 1].0;
                let (lefts, others) = (self.frame.close_lefts(lefts), self.others(cohort, class));
                jumps.now = Some(Jumping { cohort, class, lefts, others });
            } else {
                jumps.classes = self.by_class(&self.fronts.get(jumps.front)?.1);
                jumps.front += 1;
            }
        }
    }

    /// The lefts that may jump, by class, the first class last.
    fn by_class(&self, lefts: &F::Set) -> Vec<(u32, Vec<Left>)> {
        let states = lefts.iter().map(|left| (self.frame.left_state(left), left));
        let jumping = states.filter(|(state, _)| self.exposed.jumps(*state));
        let mut all: Vec<(u32, Left)> = jumping.map(|(state, left)| (self.exposed.class(state), left)).collect();
        all.sort_unstable();
        let chunks = all.chunk_by(|one, other| one.0 == other.0).rev();
        chunks.map(|chunk| (chunk[0].0, chunk.iter().map(|&(_, left)| left).collect())).collect()
    }

    /// The choices of further classes that make an exposed set with a class, as large as can be among the classes of an estimate.
    fn others(&self, cohort: CohortId, class: u32) -> Combinations {
        let more = self.exposed.together - 1;
        if more == 0 {
            return Combinations::new(Vec::new(), 0);
        }
        let states = self.sets.get(self.cohorts[cohort].set).iter().map(|rival| self.frame.rival_state(rival));
        let mut others: Vec<u32> =
            states.map(|state| self.exposed.class(state)).filter(|&other| other != class).collect();
        others.sort_unstable();
        others.dedup();
        Combinations::new(others, more)
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
        if self.sets.get(set).is_empty() {
            return lefts;
        }
        let (work, progress) = (self.work + self.layers.effort(), self.progress(0));
        let Search { simulation, frame, exposed, sets, meter, .. } = self;
        simulation.uncovered(*frame, exposed, (lefts, sets.get(set)), work, (meter, progress))
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
    fn survivors(&mut self) -> Result<Pairs<F::Set>, Stop> {
        let mut todo = Pairs::with_capacity(self.frontier.len());
        self.todo_bytes = 0;
        for at in 0..self.frontier.len() {
            self.check(todo.len())?;
            let cohort = self.frontier[at];
            let mut lefts = self.cohorts[cohort].lefts.clone();
            self.layers.refresh(&self.sets, self.cohorts[cohort].set, &mut lefts);
            if !lefts.is_empty() {
                self.todo_bytes += waiting_bytes(&lefts);
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
