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
use super::exposed::Exposed;
use super::frame::{Frame, Left, Move, Op, STAY};
use super::limits::Meter;
use super::sets::{Set, SetId, Sets};
use super::twins::Cover;
use super::{Exposure, Progress, Stop};
use rustc_hash::FxHashMap;

/// Which ways of pruning are used. Tests switch them off one by one; users cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Only minimal sets are kept.
    pub antichain: bool,
    /// A pair whose rivals hold the run's own double is dropped in phase 2.
    pub own: bool,
    /// Lefts with a twin in their estimate are dropped in phase 1.
    pub twins: bool,
    /// Lefts that some rival simulates are dropped in phase 2.
    pub simulation: bool,
}

impl Default for Switches {
    fn default() -> Switches {
        Switches { antichain: true, own: true, twins: true, simulation: true }
    }
}

impl Switches {
    /// Nothing but the two phases.
    pub fn none() -> Switches {
        Switches { antichain: false, own: false, twins: false, simulation: false }
    }
}

/// The number of a cohort.
type CohortId = usize;

/// Lefts that were admitted together with one set.
#[derive(Debug)]
struct Cohort<S> {
    set: SetId,
    lefts: S,
    origin: Origin,
}

#[derive(Clone, Copy, Debug)]
enum Origin {
    Start,
    /// From some lefts of another cohort, by an operation.
    Move(CohortId, Op),
    /// The same lefts, from phase 1 to phase 2.
    Jump(CohortId),
}

/// What the search looks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// The longest |β| of interest.
    pub(crate) horizon: u64,
    /// Only α = ε, over X0 itself.
    pub(crate) initial: bool,
}

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) exposure: Exposure,
    pub(crate) saturation: Option<u64>,
    pub(crate) stopped: Option<Stop>,
    /// A run that is exposed: its moves, and how many of them come before the jump.
    pub(crate) run: Option<(Left, Vec<Move>, usize)>,
}

/// A search under way.
pub(crate) struct Search<'s, 'm, F: Frame> {
    pub(crate) frame: &'s mut F,
    exposed: &'s Exposed,
    goal: Goal,
    switches: Switches,
    meter: &'s mut Meter<'m>,
    pub(crate) sets: Sets<F::Set>,
    images: FxHashMap<(SetId, Op), SetId>,
    cohorts: Vec<Cohort<F::Set>>,
    cohort_bytes: u64,
    pub(crate) estimates: Antichain<F::Set>,
    pub(crate) layers: Antichain<F::Set>,
    twins: Cover<F::Set>,
    simulation: Cover<F::Set>,
    work: u64,
    layer: Option<u64>,
    frontier: Vec<CohortId>,
    hit: Option<CohortId>,
}

impl<'s, 'm, F: Frame> Search<'s, 'm, F> {
    pub(crate) fn new(
        frame: &'s mut F,
        exposed: &'s Exposed,
        goal: Goal,
        switches: Switches,
        meter: &'s mut Meter<'m>,
    ) -> Self {
        let universe = frame.universe();
        Search {
            frame,
            exposed,
            goal,
            switches,
            meter,
            sets: Sets::new(universe),
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
        }
    }

    /// Runs the search to its end.
    pub(crate) fn run(&mut self) -> Found {
        let ended = if self.goal.initial { self.start_initial() } else { self.phase_one() };
        let ended = ended.and_then(|()| self.phase_two());
        let run = self.hit.map(|cohort| self.trace(cohort));
        let (exposure, saturation) = match (self.hit, self.layer, &ended) {
            (Some(_), layer, _) => (Exposure::At(layer.unwrap_or(0)), None),
            (None, layer, Err(_)) => (known_so_far(layer), None),
            (None, layer, Ok(true)) => (Exposure::Never, layer),
            (None, _, Ok(false)) => (Exposure::Beyond(self.goal.horizon), None),
        };
        Found { exposure, saturation, stopped: ended.err(), run }
    }

    /// What the limits compare.
    pub(crate) fn progress(&self, frontier: usize) -> Progress {
        Progress {
            phase: if self.layer.is_some() { "layers" } else { "estimates" },
            layer: self.layer.unwrap_or(0),
            pairs: self.estimates.pairs + self.layers.pairs,
            frontier: frontier as u64,
            memory: self.bytes(),
        }
    }

    fn bytes(&self) -> u64 {
        self.sets.bytes()
            + self.frame.bytes()
            + self.estimates.bytes()
            + self.layers.bytes()
            + self.cohort_bytes
            + self.twins.bytes()
            + self.simulation.bytes()
            + 32 * self.images.len() as u64
    }

    /// Finds the minimal estimates; stops at one that exposes at once.
    fn phase_one(&mut self) -> Result<(), Stop> {
        let (lefts, rivals) = self.frame.start();
        if lefts.is_empty() {
            return Ok(());
        }
        let closed = self.frame.close(rivals);
        let set = self.sets.intern(closed);
        self.estimate(set, lefts, Origin::Start);
        let mut at = 0;
        while at < self.cohorts.len() && self.hit.is_none() {
            let progress = self.progress(self.cohorts.len() - at);
            self.meter.check(&progress)?;
            let set = self.cohorts[at].set;
            let mut lefts = self.cohorts[at].lefts.clone();
            self.estimates.refresh(&self.sets, set, &mut lefts);
            for (op, _, targets) in self.moves_by_op(&lefts) {
                let image = self.image(set, op);
                self.estimate(image, targets, Origin::Move(at, op));
                if self.hit.is_some() {
                    break;
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Admits an estimate.
    fn estimate(&mut self, set: SetId, lefts: Vec<Left>, origin: Origin) {
        let lefts = self.close_lefts(lefts);
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

    fn cohort(&mut self, set: SetId, lefts: F::Set, origin: Origin) -> CohortId {
        self.cohort_bytes += lefts.bytes() + std::mem::size_of::<Cohort<F::Set>>() as u64;
        self.cohorts.push(Cohort { set, lefts, origin });
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
    fn start_initial(&mut self) -> Result<(), Stop> {
        let (lefts, rivals) = self.frame.start();
        let set = self.sets.collect(&mut rivals.clone());
        let lefts = F::Set::collect(self.frame.universe(), &mut lefts.clone());
        if !lefts.is_empty() {
            self.cohort(set, lefts, Origin::Start);
        }
        Ok(())
    }

    /// Explores the layers; whether everything was explored.
    fn phase_two(&mut self) -> Result<bool, Stop> {
        if self.hit.is_some() {
            return Ok(false);
        }
        // WHY: phase 1 ends only when no estimate exposes at once, so layer 0 is known to be safe.
        self.layer = (!self.goal.initial).then_some(0);
        let estimates = self.cohorts.len();
        let mut layer = 0;
        for at in 0..estimates {
            let progress = self.progress(estimates - at);
            self.meter.check(&progress)?;
            self.jump(at);
            if self.hit.is_some() {
                self.layer = Some(0);
                return Ok(false);
            }
        }
        loop {
            self.layer = Some(layer);
            self.close_layer()?;
            if self.hit.is_some() {
                return Ok(false);
            }
            if self.frontier.is_empty() {
                // WHY: layer 0 is always looked at, so its number stands even when nothing survives in it.
                self.layer = Some(layer.saturating_sub(1));
                return Ok(true);
            }
            if layer >= self.goal.horizon {
                return Ok(false);
            }
            self.next_layer()?;
            layer += 1;
            if self.hit.is_some() {
                self.layer = Some(layer);
                return Ok(false);
            }
        }
    }

    /// Jumps from an estimate: for each class of its lefts, and each choice of further classes, to the rivals outside.
    fn jump(&mut self, cohort: CohortId) {
        let set = self.cohorts[cohort].set;
        let mut lefts = self.cohorts[cohort].lefts.clone();
        if !self.goal.initial {
            self.estimates.refresh(&self.sets, set, &mut lefts);
        }
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
                self.pursue(rivals, lefts.clone(), Origin::Jump(cohort));
                if self.hit.is_some() {
                    return;
                }
            }
        }
    }

    /// The exposed sets around a class that are maximal among the classes of an estimate: lists of classes, sorted.
    fn choices(&self, set: SetId, class: u32) -> Vec<Vec<u32>> {
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
    fn outside(&mut self, set: SetId, hidden: &[u32]) -> SetId {
        let rivals = self.sets.get(set).iter();
        let kept = rivals
            .filter(|&rival| hidden.binary_search(&self.exposed.class(self.frame.rival_state(rival))).is_err())
            .collect();
        let closed = self.frame.close(kept);
        self.sets.intern(closed)
    }

    /// Admits a pair of phase 2 to the layer that is being made.
    fn pursue(&mut self, rivals: SetId, lefts: Vec<Left>, origin: Origin) {
        let mut lefts = self.close_lefts(lefts);
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

    /// Drops the lefts that have a twin in the estimate.
    fn without_twins(&mut self, set: SetId, lefts: F::Set) -> F::Set {
        let rivals = self.sets.get(set);
        let work = self.work + self.estimates.tests;
        let mut covers = |left: Left| self.twins.covers(self.frame, self.exposed, left, rivals, work);
        let mut open: Vec<Left> = lefts.iter().filter(|&left| !covers(left)).collect();
        F::Set::collect(self.frame.universe(), &mut open)
    }

    /// Drops the lefts that some rival simulates.
    fn without_simulated(&mut self, set: SetId, lefts: F::Set) -> F::Set {
        let rivals = self.sets.get(set);
        if rivals.is_empty() {
            return lefts;
        }
        let work = self.work + self.layers.tests;
        let mut covers = |left: Left| self.simulation.covers(self.frame, self.exposed, left, rivals, work);
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

    /// Closes the layer under unseen moves that change the rivals, then drops what became needless.
    fn close_layer(&mut self) -> Result<(), Stop> {
        let mut at = 0;
        while at < self.frontier.len() && self.hit.is_none() {
            let progress = self.progress(self.frontier.len() - at);
            self.meter.check(&progress)?;
            let cohort = self.frontier[at];
            at += 1;
            let lefts = self.cohorts[cohort].lefts.clone();
            for (op, seen, targets) in self.moves_by_op(&lefts) {
                if !seen {
                    let image = self.image(self.cohorts[cohort].set, op);
                    self.pursue(image, targets, Origin::Move(cohort, op));
                }
            }
        }
        Ok(())
    }

    /// Makes the next layer from the frontier.
    fn next_layer(&mut self) -> Result<(), Stop> {
        // INVARIANT: the lefts to expand are fixed before the first pair of the next layer is admitted.
        let frontier = std::mem::take(&mut self.frontier);
        let mut todo: Vec<(CohortId, F::Set)> = Vec::with_capacity(frontier.len());
        for cohort in frontier {
            let mut lefts = self.cohorts[cohort].lefts.clone();
            self.layers.refresh(&self.sets, self.cohorts[cohort].set, &mut lefts);
            if !lefts.is_empty() {
                todo.push((cohort, lefts));
            }
        }
        let waiting = todo.len();
        for (at, (cohort, lefts)) in todo.into_iter().enumerate() {
            let progress = self.progress(waiting - at);
            self.meter.check(&progress)?;
            for (op, seen, targets) in self.moves_by_op(&lefts) {
                if seen {
                    let image = self.image(self.cohorts[cohort].set, op);
                    self.pursue(image, targets, Origin::Move(cohort, op));
                }
                if self.hit.is_some() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The targets of the lefts' moves that change the rivals, by operation.
    fn moves_by_op(&mut self, lefts: &F::Set) -> Vec<(Op, bool, Vec<Left>)> {
        let mut all: Vec<(Op, bool, Left)> = Vec::new();
        self.work += lefts.len() as u64;
        for left in lefts.iter() {
            let moves = self.frame.moves(left).iter().take_while(|step| step.op != STAY);
            all.extend(moves.map(|step| (step.op, step.seen, step.target)));
        }
        all.sort_unstable();
        all.dedup();
        all.chunk_by(|one, other| one.0 == other.0)
            .map(|chunk| (chunk[0].0, chunk[0].1, chunk.iter().map(|step| step.2).collect()))
            .collect()
    }

    /// The lefts with those they reach by moves that stay.
    fn close_lefts(&mut self, mut lefts: Vec<Left>) -> F::Set {
        let mut met: rustc_hash::FxHashSet<Left> = rustc_hash::FxHashSet::default();
        let mut at = 0;
        while at < lefts.len() {
            let moves = self.frame.moves(lefts[at]).iter().rev().take_while(|step| step.op == STAY);
            let targets: Vec<Left> = moves.map(|step| step.target).collect();
            if !targets.is_empty() && met.is_empty() {
                met.extend(lefts.iter().copied());
            }
            lefts.extend(targets.into_iter().filter(|&target| met.insert(target)));
            at += 1;
        }
        F::Set::collect(self.frame.universe(), &mut lefts)
    }

    /// What an operation makes of a set; computed once.
    fn image(&mut self, set: SetId, op: Op) -> SetId {
        if let Some(&image) = self.images.get(&(set, op)) {
            return image;
        }
        let post = self.frame.post(self.sets.get(set), op);
        self.work += u64::from(self.sets.mark(set).len);
        let image = self.sets.intern(post);
        self.images.insert((set, op), image);
        image
    }

    /// Reads a run back from a cohort: where it starts, its moves, how many come before the jump.
    fn trace(&mut self, last: CohortId) -> (Left, Vec<Move>, usize) {
        let mut moves: Vec<Move> = Vec::new();
        let mut jump_from_end = 0;
        let mut cohort = last;
        let mut left = self.cohorts[last].lefts.iter().next().unwrap_or(0);
        loop {
            let origin = self.cohorts[cohort].origin;
            let sources = self.sources(cohort);
            let (source, path) = self.silent_path(&sources, left);
            moves.extend(path.into_iter().rev());
            left = source.1;
            match origin {
                Origin::Start => break,
                Origin::Jump(from) => {
                    jump_from_end = moves.len();
                    cohort = from;
                }
                Origin::Move(from, _) => {
                    moves.extend(source.2);
                    left = source.0;
                    cohort = from;
                }
            }
        }
        moves.reverse();
        let before = moves.len() - jump_from_end;
        (left, moves, before)
    }

    /// How a cohort was entered: (left before, left after, the move between them).
    fn sources(&mut self, cohort: CohortId) -> Vec<(Left, Left, Option<Move>)> {
        match self.cohorts[cohort].origin {
            Origin::Start => self.frame.start().0.into_iter().map(|left| (left, left, None)).collect(),
            Origin::Jump(from) => {
                let lefts: Vec<Left> = self.cohorts[from].lefts.iter().collect();
                let jumping = lefts.into_iter().filter(|&left| self.jumps_into(from, left, cohort));
                jumping.map(|left| (left, left, None)).collect()
            }
            Origin::Move(from, op) => {
                let lefts: Vec<Left> = self.cohorts[from].lefts.iter().collect();
                let mut sources = Vec::new();
                for left in lefts {
                    let moves = self.frame.moves(left).iter().filter(|step| step.op == op);
                    sources.extend(moves.map(|step| (left, step.target, Some(*step))));
                }
                sources
            }
        }
    }

    /// Whether some jump of this left leads to the rivals of that cohort.
    fn jumps_into(&mut self, from: CohortId, left: Left, to: CohortId) -> bool {
        let state = self.frame.left_state(left);
        let (set, rivals) = (self.cohorts[from].set, self.cohorts[to].set);
        self.exposed.jumps(state)
            && self.choices(set, self.exposed.class(state)).iter().any(|hidden| self.outside(set, hidden) == rivals)
    }

    /// A shortest way by moves that stay, from one of the sources to a left: the source, and the moves.
    #[allow(clippy::type_complexity)]
    fn silent_path(
        &mut self,
        sources: &[(Left, Left, Option<Move>)],
        goal: Left,
    ) -> ((Left, Left, Option<Move>), Vec<Move>) {
        let mut from: FxHashMap<Left, Option<(Left, Move)>> = FxHashMap::default();
        let mut queue: Vec<Left> = Vec::new();
        for source in sources {
            if from.insert(source.1, None).is_none() {
                queue.push(source.1);
            }
        }
        let mut at = 0;
        while at < queue.len() && !from.contains_key(&goal) {
            let left = queue[at];
            at += 1;
            let moves: Vec<Move> = self.frame.moves(left).iter().filter(|step| step.op == STAY).copied().collect();
            for step in moves {
                from.entry(step.target).or_insert_with(|| {
                    queue.push(step.target);
                    Some((left, step))
                });
            }
        }
        let mut path = Vec::new();
        let mut here = goal;
        while let Some(Some((before, step))) = from.get(&here) {
            path.push(*step);
            here = *before;
        }
        path.reverse();
        let source = sources.iter().find(|source| source.1 == here).copied();
        (source.unwrap_or((here, here, None)), path)
    }
}

fn known_so_far(layer: Option<u64>) -> Exposure {
    match layer {
        None => Exposure::Unknown,
        // WHY: a layer is looked through before its number is set.
        Some(layer) => Exposure::Beyond(layer),
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
