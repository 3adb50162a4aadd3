//! The two-phase search over pairs (left, rivals).
//!
//! Phase 1 finds the estimates: (x, S) with x the real state and S everything it may be. Phase 2 starts at every (x, S) and
//! every exposed set D around x with (x, R), R = UR(S \ D): the rivals that would still keep the intruder unsure. A seen
//! move takes one *layer*. Exposed when R is empty; the layer is the distance |β|. Only ⊆-minimal sets are kept for each
//! left ([`Antichain`]), which is exact for the verdict and for the distance because a layer is complete, and its
//! survivors fixed, before the next one begins.
//!
//! Pairs are handled in *cohorts*: the lefts that were admitted together with one set. A cohort remembers the one it came
//! from, so a run can be read back.

use super::antichain::Antichain;
use super::layers::{Jumps, Stage, Waiting, waiting_bytes};
use crate::verify::engine::tuning::Switches;
use crate::verify::exposed_sets::Exposed;
use crate::verify::limits::Meter;
use crate::verify::sets::{Set, SetId, SetInterner};
use crate::verify::simulation::pruning::Cover;
use crate::verify::views::belief_system::{Frame, Left, Move, Op, Rival};
use crate::verify::{Exposure, Phase, Progress, Stop};
use rustc_hash::FxHashMap;

/// SetInterner of more rivals than this take long.
const LARGE: u64 = 4_096;

/// The number of a cohort.
pub(super) type CohortId = usize;

/// Lefts that were admitted together with one set.
#[derive(Debug)]
pub(super) struct Cohort<S> {
    pub(super) set: SetId,
    pub(super) lefts: S,
    pub(super) origin: Origin,
    /// How many moves led here from the start, or from the jump.
    pub(super) moves: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    Start,
    /// From some lefts of another cohort, by an operation.
    Move(CohortId, Op),
    /// The lefts of a class, from phase 1 to phase 2.
    Jump(CohortId, u32),
}

/// What the search looks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// The longest |β| of interest.
    pub(crate) horizon: u64,
    /// Only α = ε, over X0 itself.
    pub(crate) initial: bool,
}

/// A search under way.
pub(crate) struct Search<'s, F: Frame> {
    pub(crate) frame: &'s mut F,
    pub(crate) exposed: &'s Exposed,
    pub(crate) goal: Goal,
    pub(crate) switches: Switches,
    pub(crate) meter: Meter<'s>,
    pub(crate) sets: SetInterner<F::Set>,
    pub(super) images: FxHashMap<(SetId, Op), SetId>,
    pub(super) cohorts: Vec<Cohort<F::Set>>,
    cohort_bytes: u64,
    pub(crate) estimates: Antichain<F::Set>,
    pub(crate) layers: Antichain<F::Set>,
    pub(crate) twins: Cover<F::Set>,
    pub(crate) simulation: Cover<F::Set>,
    pub(super) work: u64,
    pub(super) layer: Option<u64>,
    pub(super) frontier: Vec<CohortId>,
    pub(super) hit: Option<CohortId>,
    /// Cohorts of phase 1 before this one were looked at when it ended.
    settled: usize,
    /// The cohorts of phase 1 that are of interest, with their lefts.
    pub(crate) fronts: Vec<(CohortId, F::Set)>,
    pub(super) stage: Stage<F::Set>,
    /// Bytes of the pairs of a layer that wait to be expanded.
    pub(super) todo_bytes: u64,
    /// The last layer that had pairs, when all were explored.
    pub(crate) saturation: Option<u64>,
}

impl<'s, F: Frame> Search<'s, F> {
    pub(crate) fn new(
        frame: &'s mut F,
        exposed: &'s Exposed,
        goal: Goal,
        switches: Switches,
        meter: Meter<'s>,
    ) -> Self {
        let universe = frame.universe();
        Search {
            frame,
            exposed,
            goal,
            switches,
            meter,
            sets: SetInterner::new(universe),
            images: FxHashMap::default(),
            cohorts: Vec::new(),
            cohort_bytes: 0,
            estimates: Antichain::new(switches.antichain),
            layers: Antichain::new(switches.antichain),
            twins: Cover::twins(exposed.together),
            simulation: Cover::simulation(),
            work: 0,
            layer: None,
            frontier: Vec::new(),
            hit: None,
            settled: 0,
            fronts: Vec::new(),
            stage: Stage::Fresh,
            todo_bytes: 0,
            saturation: None,
        }
    }

    /// The first pairs.
    pub(super) fn begin(&mut self) {
        let (lefts, rivals) = self.frame.start();
        self.stage = Stage::Estimating(Waiting::new(self.switches.in_order));
        if lefts.is_empty() {
            return;
        }
        if self.goal.initial {
            self.start_initial(lefts, rivals);
        } else {
            let closed = self.frame.close(rivals);
            let set = self.sets.intern(closed);
            let lefts = self.frame.close_lefts(lefts);
            self.estimate(set, lefts, Origin::Start);
        }
    }

    /// Phase 1 is at its end: what phase 2 starts from.
    pub(super) fn settle(&mut self) -> Result<(), Stop> {
        // WHY: phase 1 ends only when no estimate exposes at once, so layer 0 is known to be safe.
        self.layer = (!self.goal.initial).then_some(0);
        for cohort in self.settled..self.cohorts.len() {
            self.check(self.cohorts.len() - cohort)?;
            self.settled = cohort + 1;
            let mut lefts = self.cohorts[cohort].lefts.clone();
            if !self.goal.initial {
                self.estimates.refresh(&self.sets, self.cohorts[cohort].set, &mut lefts);
                if self.switches.twins {
                    lefts = self.without_twins(self.cohorts[cohort].set, lefts);
                }
            }
            if lefts.iter().any(|left| self.exposed.jumps(self.frame.left_state(left))) {
                self.cohort_bytes += waiting_bytes(&lefts);
                self.fronts.push((cohort, lefts));
            }
        }
        // WHY: the estimates that do not expose at once are all that a horizon of 0 asks about.
        let over = self.goal.horizon == 0 && !self.goal.initial && !self.fronts.is_empty();
        self.stage = if over { Stage::Done(false) } else { Stage::Jumping(Jumps::default()) };
        self.check(0)
    }

    /// Whether all is done.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done(_))
    }

    /// Whether phase 1 is at its end.
    pub(crate) fn is_settled(&self) -> bool {
        !matches!(self.stage, Stage::Fresh | Stage::Estimating(_))
    }

    /// What is known so far.
    pub(crate) fn exposure(&self) -> Exposure {
        match (self.hit, &self.stage, self.layer) {
            (Some(_), _, layer) => Exposure::At(layer.unwrap_or(0)),
            (None, Stage::Done(true), _) => Exposure::Never,
            (None, Stage::Done(false), _) => Exposure::Beyond(self.goal.horizon),
            (None, _, None) => Exposure::Unknown,
            // WHY: a layer is looked through before its number is set.
            (None, _, Some(layer)) => Exposure::Beyond(layer),
        }
    }

    /// The run that is exposed, if one was found.
    pub(crate) fn run(&mut self) -> Option<(Left, Vec<Move>, usize)> {
        self.hit.map(|cohort| self.trace(cohort))
    }

    /// The estimates from which phase 2 starts.
    pub(crate) fn front_sets(&self) -> Vec<F::Set> {
        self.fronts.iter().map(|front| self.sets.get(self.cohorts[front.0].set).clone()).collect()
    }

    /// The operations that led to the estimate of a cohort of phase 1.
    pub(crate) fn observation(&self, cohort: CohortId) -> Vec<Op> {
        let mut ops = Vec::new();
        let mut at = cohort;
        while let Origin::Move(from, op) = self.cohorts[at].origin {
            ops.push(op);
            at = from;
        }
        ops.reverse();
        ops
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        let games = self.twins.effort() + self.simulation.effort() + self.frame.steady_work();
        self.work + self.layers.effort() + self.estimates.effort() + games
    }

    pub(crate) fn check(&mut self, frontier: usize) -> Result<(), Stop> {
        let progress = self.progress(frontier);
        self.meter.check(&progress)
    }

    /// What the limits compare.
    pub(crate) fn progress(&self, frontier: usize) -> Progress {
        Progress {
            phase: if self.layer.is_some() { Phase::Layers } else { Phase::Estimates },
            layer: self.layer.unwrap_or(0),
            pairs: self.estimates.pairs + self.layers.pairs,
            frontier: frontier as u64,
            memory: self.bytes(),
        }
    }

    fn bytes(&self) -> u64 {
        let waiting = if let Stage::Estimating(waiting) = &self.stage { waiting.bytes() } else { self.todo_bytes };
        waiting
            + self.sets.bytes()
            + self.frame.bytes()
            + self.estimates.bytes()
            + self.layers.bytes()
            + self.cohort_bytes
            + self.twins.bytes()
            + self.simulation.bytes()
            + 32 * self.images.len() as u64
    }

    /// Follows an estimate by one step; stops at one that exposes at once.
    pub(super) fn follow(&mut self, at: CohortId) -> Result<(), Stop> {
        if self.goal.initial {
            return Ok(());
        }
        let set = self.cohorts[at].set;
        let mut lefts = self.cohorts[at].lefts.clone();
        self.estimates.refresh(&self.sets, set, &mut lefts);
        if self.switches.twins {
            // WHY: more may be spent on twins by now than when the estimate was met.
            lefts = self.without_twins(set, lefts);
        }
        // WHY: with fixed labels lefts and rivals are the same states, so when all rivals are lefts their images are what the lefts lead to.
        let alike = self.frame.as_fixed().is_some() && lefts.len() == self.sets.summary(set).len as usize;
        for (op, _, targets) in self.advance(&lefts) {
            let image = if alike { self.sets.intern(targets.clone()) } else { self.image(set, op)? };
            self.estimate(image, targets, Origin::Move(at, op));
            if self.hit.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Admits an estimate.
    fn estimate(&mut self, set: SetId, lefts: F::Set, origin: Origin) {
        if let Some(lefts) = self.estimates.admit(&self.sets, set, lefts) {
            let lefts = if self.switches.twins { self.without_twins(set, lefts) } else { lefts };
            if lefts.is_empty() {
                return;
            }
            let jumps = lefts.iter().any(|left| self.exposed.jumps(self.frame.left_state(left)));
            let cohort = self.cohort(set, lefts, origin);
            if jumps && self.exposes_at_once(set) {
                self.hit = Some(cohort);
            }
        }
    }

    pub(super) fn cohort(&mut self, set: SetId, lefts: F::Set, origin: Origin) -> CohortId {
        self.cohort_bytes += lefts.bytes() + std::mem::size_of::<Cohort<F::Set>>() as u64;
        let moves = match origin {
            Origin::Move(from, _) => self.cohorts[from].moves.saturating_add(1),
            Origin::Start | Origin::Jump(..) => 0,
        };
        self.cohorts.push(Cohort { set, lefts, origin, moves });
        self.cohorts.len() - 1
    }

    /// Whether the estimate itself lies inside an exposed set.
    fn exposes_at_once(&self, set: SetId) -> bool {
        let mut classes: Vec<u32> = Vec::with_capacity(self.exposed.together + 1);
        for rival in self.sets.get(set).iter() {
            let state = self.frame.rival_state(rival);
            if !self.exposed.jumps(state) {
                return false;
            }
            let class = self.exposed.class(state);
            if !classes.contains(&class) {
                classes.push(class);
            }
            if classes.len() > self.exposed.together {
                return false;
            }
        }
        true
    }

    /// The start of initial-state questions: X0 without its exposed part against each initial state.
    fn start_initial(&mut self, mut lefts: Vec<Left>, mut rivals: Vec<Rival>) {
        let set = self.sets.collect(&mut rivals);
        let lefts = F::Set::collect(self.frame.universe(), &mut lefts);
        self.cohort(set, lefts, Origin::Start);
    }

    /// Drops the lefts that have a twin in the estimate.
    fn without_twins(&mut self, set: SetId, lefts: F::Set) -> F::Set {
        let (work, progress) = (self.work + self.estimates.effort(), self.progress(0));
        let Search { twins, frame, exposed, sets, meter, .. } = self;
        twins.uncovered(*frame, exposed, (lefts, sets.get(set)), work, (meter, progress))
    }

    /// What the lefts' moves lead to, by operation.
    pub(crate) fn advance(&mut self, lefts: &F::Set) -> Vec<(Op, bool, F::Set)> {
        self.work += lefts.len() as u64;
        self.frame.advance(lefts)
    }

    /// What an operation makes of a set; computed once.
    pub(super) fn image(&mut self, set: SetId, op: Op) -> Result<SetId, Stop> {
        if let Some(&image) = self.images.get(&(set, op)) {
            return Ok(image);
        }
        let size = u64::from(self.sets.summary(set).len);
        let brake = self.meter.brake(self.bytes() - self.frame.bytes());
        let post = self.frame.post_within(self.sets.get(set), op, &brake)?;
        self.work += size;
        let image = self.sets.intern(post);
        self.images.insert((set, op), image);
        if size > LARGE {
            // WHY: a step of the search takes an image for each event, and with large sets that is long.
            self.meter.look(&self.progress(0))?;
        }
        Ok(image)
    }
}
