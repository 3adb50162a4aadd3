//! A deterministic, time-sliced portfolio of forward search, two-way observer and backward search.
//!
//! Slices are measured in work, not in time, and the results of a slice are compared in a fixed order. So the same model
//! always has the same winner, the same witness and the same cost, whatever the number of threads. No single method is near
//! the best on every model; the portfolio costs at most about three times the best.

mod results;

pub(super) use results::{exposing_run, run_of};

use super::lookout::{Lookout, Turn};
use super::spread::{self, Known};
use super::tuning::Tuning;
use crate::clock::Instant;
use crate::parallel;
use crate::resources::Stop;
use crate::verdict::{Cost, Exposure, Levels, Run};
use crate::verify::Options;
use crate::verify::engine::resources::{MemberId, ResourceMonitor};
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::proof::ProofSeeds;
use crate::verify::search::SliceResult;
use crate::verify::search::backward::BackwardSearch;
use crate::verify::search::forward::{ForwardSearch, SearchBound};
use crate::verify::search::partitioned::TwoWay;
use crate::verify::search::two_way::TwoWayObserver;
use crate::verify::views::belief_system::{Heuristics, Portable, ProofExport};
use std::panic::resume_unwind;

/// The result of a portfolio.
#[derive(Debug)]
pub(crate) struct SearchResult {
    pub(crate) exposure: Exposure,
    pub(crate) saturation: Option<u64>,
    pub(crate) stopped: Option<Stop>,
    pub(crate) cost: Cost,
    /// What makes a proof short, if no limit ended the search.
    pub(crate) seeds: Option<ProofSeeds>,
    /// The work of the forward search.
    pub(crate) effort: u64,
    /// How far the search by the number of observations came.
    pub(crate) levels: Levels,
}

/// A run that is exposed, and how many of its first events belong to α.
pub(crate) type ExposingRun = Option<(Run, usize)>;

/// One decision problem, apart from the view.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) exposed: &'a ExposedSets,
    pub(crate) bound: SearchBound,
    /// An exposure with |β| up to this answers all that is asked; none: only the least |β| does.
    pub(crate) enough: Option<u64>,
    /// The |β| of an exposure that is known already.
    pub(crate) known: Option<u64>,
    pub(crate) tuning: Tuning,
    pub(crate) options: &'a Options<'a>,
    /// When the time of the limits began.
    pub(crate) started: Instant,
}

impl<'a> Problem<'a> {
    /// A meter for a search.
    pub(crate) fn meter(&self) -> ResourceMonitor<'a> {
        ResourceMonitor::new(self.options, self.started)
    }
}

/// What makes a search needless, given the work of its slices so far, once it is known.
pub(crate) type Better<'f, T> = dyn FnMut(u64) -> Option<T> + 'f;

/// Decides a belief system, unless something better is known between two slices.
pub(crate) fn decide<B: Heuristics + Portable + ProofExport, T>(
    beliefs: &mut B,
    problem: &Problem<'_>,
    better: &mut Better<'_, T>,
) -> Result<(SearchResult, ExposingRun), T> {
    if let Some(better) = better(0) {
        return Err(better);
    }
    let mut portfolio = Portfolio::new(beliefs, problem);
    let mut slice = problem.tuning.first_slice;
    let threads = problem.options.n_threads();
    let mut winner = portfolio.probe(1);
    let mut spent = 0u64;
    loop {
        if let Some(winner) = winner {
            let winner = portfolio.last_look(winner, spent);
            return Ok(portfolio.result(winner));
        }
        if spent >= problem.tuning.turn {
            return Ok(portfolio.result(Winner::Stopped(Stop::Timeout)));
        }
        if let Some(better) = better(spent) {
            return Err(better);
        }
        spent = spent.saturating_add(slice);
        winner = portfolio.run_slice(slice, threads).or_else(|| portfolio.look_out(spent));
        slice = slice.saturating_add(1 + slice / Tuning::SLICE_GROWTH);
        portfolio.start_ready();
        if winner.is_none() && threads > 1 && spent >= problem.tuning.share_from {
            let chooses = problem.exposed.max_classes > 1 && problem.tuning.bundles_from < u64::MAX;
            // WHY: threads that share a search choose classes; one that follows what survives of each class needs no help.
            if portfolio.forward.beliefs.as_static().is_none() && !chooses {
                let known = portfolio.give_up(spent);
                drop(portfolio);
                let tuning = Tuning { bundles_from: u64::MAX, ..problem.tuning };
                return spread::decide(beliefs, &Problem { tuning, ..*problem }, known, threads, better);
            }
            portfolio.share_two_way(threads);
        }
    }
}

/// Decides a belief system if that takes no more than one part in `share` of the probe.
pub(crate) fn probe<B: Heuristics + ProofExport>(
    beliefs: &mut B,
    problem: &Problem<'_>,
    share: u64,
) -> Option<(SearchResult, ExposingRun)> {
    let mut portfolio = Portfolio::new(beliefs, problem);
    let winner = portfolio.probe(share)?;
    Some(portfolio.result(winner))
}

/// The member that has the answer.
enum Winner {
    Forward,
    TwoWay(SliceResult),
    Backward(SliceResult),
    /// There is no exposure within the horizon, by a search that looks for one.
    Nothing,
    /// An exposure is known, and nothing else is asked, or it is the nearest.
    Known,
    /// None: a limit ended them.
    Stopped(Stop),
}

/// A member beside the forward search.
enum Member<T> {
    NotStarted,
    Running(Box<T>),
    /// It took too much memory, or is not wanted.
    Dropped,
}

impl<T> Member<T> {
    fn running(&mut self) -> Option<&mut T> {
        match self {
            Member::Running(member) => Some(member),
            Member::NotStarted | Member::Dropped => None,
        }
    }
}

/// The result of a slice of the two-way observer or of the backward search, if it runs.
type MemberResult = Option<Result<SliceResult, Stop>>;

/// The results of one slice: forward (whether it is complete), two-way, backward.
type SliceResults = (Result<bool, Stop>, MemberResult, MemberResult);

struct Portfolio<'a, B: Heuristics> {
    forward: ForwardSearch<'a, B>,
    two_way: Member<TwoWay<B::Set>>,
    backward: Member<BackwardSearch<B::Set>>,
    lookout: Lookout,
    enough: Option<u64>,
    /// The |β| of an exposure that was known before.
    known: Option<u64>,
    /// The work after which the distance is no longer looked for, once an exposure answers all that is asked.
    until: Option<u64>,
    meters: (ResourceMonitor<'a>, ResourceMonitor<'a>),
    /// The last layer that a dropped member found to be safe.
    safe: Option<u64>,
}

impl<'a, B: Heuristics + ProofExport> Portfolio<'a, B> {
    fn new(beliefs: &'a mut B, problem: &Problem<'a>) -> Portfolio<'a, B> {
        let meter = problem.meter();
        Portfolio {
            lookout: Lookout::new(problem.tuning),
            enough: problem.enough,
            known: problem.known,
            until: None,
            meters: (meter.beside(MemberId::TwoWay), meter.beside(MemberId::Backward)),
            forward: ForwardSearch::new(beliefs, problem.exposed, problem.bound, problem.tuning, meter),
            two_way: Member::NotStarted,
            backward: Member::NotStarted,
            safe: None,
        }
    }

    /// The search by the number of observations has a turn before a limit on pairs ends a search in which it had none: it tells how far
    /// that came.
    fn last_look(&mut self, winner: Winner, spent: u64) -> Winner {
        let is_first = matches!(winner, Winner::Stopped(Stop::Pairs)) && self.lookout.hasten(spent);
        match is_first.then(|| self.look_out(spent)).flatten() {
            None | Some(Winner::Stopped(_)) => winner,
            Some(found) => found,
        }
    }

    /// A turn of each search that looks for an exposure, if it has one after so much work; then whether all is known that is asked.
    fn look_out(&mut self, spent: u64) -> Option<Winner> {
        match self.lookout.turn(&mut self.forward, spent) {
            Ok(Turn::Nothing) => return Some(Winner::Nothing),
            Ok(Turn::Unfinished | Turn::Found) => {}
            Err(stop) => return Some(Winner::Stopped(stop)),
        }
        let found = self.lookout.found.as_ref().map(|found| found.beta);
        if Exposure::between(self.safe(), found).is_exact() {
            return Some(Winner::Known);
        }
        let known = found.into_iter().chain(self.known).min()?;
        self.enough.filter(|&enough| known <= enough)?;
        let most = self.forward.tuning.distance_work;
        let until = *self.until.get_or_insert(spent.saturating_add(spent.max(most)));
        (spent >= until).then_some(Winner::Known)
    }

    /// The greatest |β| up to which some member knows that nothing is exposed.
    fn safe(&mut self) -> Option<u64> {
        let two_way = self.two_way.running().and_then(|member| member.safe());
        let backward = self.backward.running().and_then(|member| member.safe);
        self.safe.max(two_way).max(backward).max(self.forward.exposure().safe())
    }

    /// Starts the members that can be started now.
    fn start_ready(&mut self) {
        let (forward, tuning) = (&self.forward, self.forward.tuning);
        let Some(view) = forward.beliefs.as_static() else { return };
        if matches!(self.two_way, Member::NotStarted) {
            self.two_way = match tuning.two_way {
                true => {
                    let observer = TwoWayObserver::new(view, forward.exposed, forward.bound);
                    Member::Running(Box::new(TwoWay::Alone(Box::new(observer))))
                }
                false => Member::Dropped,
            };
        }
        if matches!(self.backward, Member::NotStarted) && forward.is_phase_one_done() {
            self.backward = match tuning.backward {
                true => Member::Running(Box::new(BackwardSearch::new(
                    view.reversed(),
                    forward.seed_estimates(),
                    forward.exposed,
                    tuning.antichain,
                    forward.bound.horizon,
                ))),
                false => Member::Dropped,
            };
        }
    }

    /// A short slice of the two-way observer before anything else: the first step of the forward search looks for twins, which
    /// may be much more work than all estimates of a large model.
    fn probe(&mut self, share: u64) -> Option<Winner> {
        self.start_ready();
        let work = self.forward.tuning.probe_work * self.forward.beliefs.size() / share;
        let member = self.two_way.running()?;
        let work = work.saturating_sub(member.effort());
        let result = member.explore(&mut self.meters.0, work);
        self.select_winner((Ok(false), Some(result), None))
    }

    /// What is known after this much work, for a search that begins again.
    fn give_up(&mut self, work: u64) -> Known {
        let lookout = std::mem::replace(&mut self.lookout, Lookout::new(self.forward.tuning));
        Known { lookout, known: self.known, safe: self.safe(), work }
    }

    /// From now on this many threads share the two-way observer.
    fn share_two_way(&mut self, threads: usize) {
        self.two_way = match std::mem::replace(&mut self.two_way, Member::NotStarted) {
            Member::Running(member) => Member::Running(Box::new(member.shared(threads))),
            other => other,
        };
    }

    /// One slice of each member. One that several threads share follows the others.
    fn run_slice(&mut self, slice: u64, threads: usize) -> Option<Winner> {
        if let Some(winner) = self.run_alone(slice, threads) {
            return Some(winner);
        }
        let shared = self.two_way.running().filter(|member| member.is_shared())?;
        // WHY more: the other members leave threads idle.
        let result = shared.explore(&mut self.meters.0, slice.saturating_mul(threads as u64));
        self.select_winner((Ok(false), Some(result), None))
    }

    /// One slice of each member that has one thread, at the same time if that is worth it.
    fn run_alone(&mut self, slice: u64, threads: usize) -> Option<Winner> {
        let forward_rests = self.forward_rests();
        let Portfolio { forward, two_way, backward, meters, .. } = self;
        let run_forward = |forward: &mut ForwardSearch<'a, B>| match forward_rests {
            true => Ok(false),
            false => forward.explore(forward.effort().saturating_add(slice)),
        };
        let mut run_two_way = || {
            let member = two_way.running().filter(|member| !member.is_shared())?;
            Some(member.explore(&mut meters.0, slice))
        };
        let mut run_backward = || {
            let member = backward.running()?;
            Some(member.explore(&mut meters.1, member.effort().saturating_add(slice)))
        };
        let results = if threads < 2 || slice < Tuning::THREADED_SLICE * forward.tuning.first_slice {
            in_order(run_forward(forward), run_two_way, run_backward)
        } else {
            std::thread::scope(|scope| {
                let others = parallel::beside(scope, move || {
                    if threads == 2 {
                        return (run_two_way(), run_backward());
                    }
                    let two_way = parallel::beside(scope, run_two_way);
                    let backward = run_backward();
                    (two_way.join().unwrap_or_else(|panic| resume_unwind(panic)), backward)
                });
                let complete = run_forward(forward);
                if matches!(complete, Ok(true)) {
                    forward.meter.end_others();
                }
                let (two_way, backward) = others.join().unwrap_or_else(|panic| resume_unwind(panic));
                (complete, two_way, backward)
            })
        };
        self.select_winner(results)
    }

    /// The first member in a fixed order that has the answer.
    fn select_winner(&mut self, (forward, two_way, backward): SliceResults) -> Option<Winner> {
        match forward {
            Ok(true) => return Some(Winner::Forward),
            Ok(false) => {}
            // WHY: the memory of the others may suffice.
            Err(Stop::Memory) if self.two_way.running().is_some() || self.backward.running().is_some() => {
                self.drop_two_way();
                self.drop_backward();
                return None;
            }
            Err(stop) => return Some(Winner::Stopped(stop)),
        }
        match two_way {
            None | Some(Ok(SliceResult::Unfinished)) => {}
            Some(Ok(result)) => return Some(Winner::TwoWay(result)),
            Some(Err(Stop::Memory | Stop::Pairs)) => self.drop_two_way(),
            Some(Err(stop)) => return Some(Winner::Stopped(stop)),
        }
        match backward {
            None | Some(Ok(SliceResult::Unfinished)) => {}
            Some(Ok(result)) => return Some(Winner::Backward(result)),
            Some(Err(Stop::Memory | Stop::Pairs)) => self.drop_backward(),
            Some(Err(stop)) => return Some(Winner::Stopped(stop)),
        }
        let alone = matches!((&self.two_way, &self.backward), (Member::Dropped, Member::Dropped));
        (alone && self.forward_rests()).then_some(Winner::Stopped(Stop::Memory))
    }

    /// Whether phase 2 is left to the other members.
    fn forward_rests(&self) -> bool {
        let forward = &self.forward;
        let phase_two = forward.is_phase_one_done() && !forward.is_done();
        phase_two && !forward.tuning.forward && forward.beliefs.as_static().is_some()
    }

    fn drop_two_way(&mut self) {
        self.safe = self.safe.max(self.two_way.running().and_then(|member| member.safe()));
        self.two_way = Member::Dropped;
        self.meters.0.leave();
    }

    fn drop_backward(&mut self) {
        self.safe = self.safe.max(self.backward.running().and_then(|member| member.safe));
        self.backward = Member::Dropped;
        self.meters.1.leave();
    }
}

/// One after the other, as long as there is no answer.
fn in_order(
    forward: Result<bool, Stop>,
    two_way: impl FnOnce() -> MemberResult,
    backward: impl FnOnce() -> MemberResult,
) -> SliceResults {
    if matches!(forward, Ok(true)) {
        return (forward, None, None);
    }
    let two_way = two_way();
    match two_way {
        None | Some(Ok(SliceResult::Unfinished) | Err(_)) => (forward, two_way, backward()),
        Some(Ok(_)) => (forward, two_way, None),
    }
}
