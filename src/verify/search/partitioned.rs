//! The two-way observer on several workers: every worker owns the sets whose hash is its own.
//!
//! It goes on with what the observer of one thread has found, in the same slices of work. A worker expands its own estimates and
//! backward sets and sends their successors to their owners; a backward set is sent to all, and each tests it with its own estimates.
//! Levels and layers are complete on all workers before the next one begins ([`share`]), so the distance is exact, and α is the
//! shortest of all that are exposed at it, whatever the number of workers. Cost: that of the two-way observer, divided by the workers;
//! each set crosses at most once for each of its predecessors.
//!
//! WHY by sets, not by states: sets are what is many, and a set that is reached twice must be found by one worker. WHY not timely
//! dataflow, which carried the prototype: its workers must own all that they use, so nothing of a search could be borrowed; it opens its
//! channels to nobody else; and it ends the process where another one dies. A search by levels needs a barrier and no more.

mod ballot;
mod dictionary;
mod exchange;
mod half;
pub(crate) mod pair_search;
mod pairs;
mod route;
mod share;

use super::SliceResult;
use super::two_way::TwoWayObserver;
use crate::parallel;
use crate::resources::Stop;
use crate::verify::engine::resources::{MemberId, ResourceMonitor};
use crate::verify::sets::Set;
use crate::verify::views::belief_system::LabelId;
use ballot::Hit;
use exchange::{Alarm, Exchange, exchanges};
use half::{hand_over, owned};
use share::{Halt, Held, Outcome, Share};
use std::panic::resume_unwind;
use std::sync::Arc;

/// The state of the construction.
pub(crate) struct PartitionedObserver<S> {
    workers: Vec<Worker<S>>,
    alpha: Vec<LabelId>,
}

/// The two-way observer, on one thread or on several.
pub(crate) enum TwoWay<S> {
    Alone(Box<TwoWayObserver<S>>),
    Shared(PartitionedObserver<S>),
}

impl<S: Set> TwoWay<S> {
    /// On this many workers from now on, if it was alone.
    pub(crate) fn shared(self, workers: usize) -> TwoWay<S> {
        match self {
            TwoWay::Alone(observer) => TwoWay::Shared(PartitionedObserver::new(*observer, workers)),
            shared => shared,
        }
    }

    /// Whether several workers share it.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, TwoWay::Shared(_))
    }

    /// Explores until this much more work is done, by each worker.
    pub(crate) fn explore(&mut self, meter: &mut ResourceMonitor<'_>, work: u64) -> Result<SliceResult, Stop> {
        match self {
            TwoWay::Alone(observer) => observer.explore(meter, observer.effort().saturating_add(work)),
            TwoWay::Shared(observer) => observer.explore(meter, work),
        }
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        match self {
            TwoWay::Alone(observer) => observer.effort(),
            TwoWay::Shared(observer) => observer.shares().map(Share::effort).sum(),
        }
    }

    /// Members of all sets, and sets.
    pub(crate) fn stored(&self) -> (u64, u64) {
        match self {
            TwoWay::Alone(observer) => observer.stored(),
            TwoWay::Shared(observer) => observer.stored(),
        }
    }

    /// The last layer that had something new.
    pub(crate) fn depth(&self) -> u64 {
        match self {
            TwoWay::Alone(observer) => observer.depth(),
            TwoWay::Shared(observer) => observer.workers[0].share.layer,
        }
    }

    /// The last layer that was tested completely.
    pub(crate) fn safe(&self) -> Option<u64> {
        match self {
            TwoWay::Alone(observer) => observer.safe,
            TwoWay::Shared(observer) => observer.workers[0].share.safe,
        }
    }

    /// α: the labels that lead to an estimate, or to the one that several workers found to be exposed.
    pub(crate) fn alpha(&self, estimate: usize) -> Vec<LabelId> {
        match self {
            TwoWay::Alone(observer) => observer.alpha(estimate),
            TwoWay::Shared(observer) => observer.alpha.clone(),
        }
    }
}

/// A worker, and its links to the others.
struct Worker<S> {
    share: Share<S>,
    exchange: Exchange,
}

impl<S: Set> PartitionedObserver<S> {
    /// Goes on with what one observer has found, on this many workers.
    fn new(from: TwoWayObserver<S>, workers: usize) -> PartitionedObserver<S> {
        let TwoWayObserver { exposed, bound, forward, backward, tested, safe, .. } = from;
        let held = Arc::new(Held::default());
        let expanded = if bound.initial { 0 } else { forward.next };
        let halves = hand_over(forward, workers, expanded);
        let share = |(worker, half)| Share::new(worker, (&exposed, bound), half, held.clone());
        let mut shares: Vec<Share<S>> = halves.into_iter().enumerate().map(share).collect();
        if let Some((observer, _)) = backward {
            let tested = owned(&observer, workers, tested);
            let next = observer.next;
            let halves = hand_over(observer, workers, next).into_iter().zip(tested);
            for (share, (half, tested)) in shares.iter_mut().zip(halves) {
                share.safe = safe;
                share.start_testing(half, tested);
            }
        } else if !bound.initial {
            shares.iter_mut().for_each(|share| share.look_at_estimates(0));
        }
        let workers = shares.into_iter().zip(exchanges(workers));
        let workers = workers.map(|(share, exchange)| Worker { share, exchange }).collect();
        PartitionedObserver { workers, alpha: Vec::new() }
    }

    /// Explores until every worker, or one of them, has done this much more work.
    fn explore(&mut self, meter: &mut ResourceMonitor<'_>, work: u64) -> Result<SliceResult, Stop> {
        let Some((first, others)) = self.workers.split_first_mut() else { return Ok(SliceResult::Unfinished) };
        let slice = std::thread::scope(|scope| {
            // WHY here: the others wait for the first one, even if it does not come to begin.
            let alarm = Alarm(&mut first.exchange);
            let mut running = Vec::with_capacity(others.len());
            for worker in others {
                let mut meter = meter.beside(MemberId::TwoWay).quiet();
                running.push(parallel::beside(scope, move || {
                    let alarm = Alarm(&mut worker.exchange);
                    slice(&mut worker.share, alarm.0, &mut meter, work)
                }));
            }
            let slice = slice(&mut first.share, alarm.0, meter, work);
            for other in running {
                let _ = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            slice
        });
        match slice {
            Ok((result, alpha)) => {
                self.alpha = alpha;
                Ok(result)
            }
            Err(Halt::Stopped(stop)) => Err(stop),
            Err(Halt::Lost(_)) => Err(Stop::Interrupted),
        }
    }

    /// Members of all sets, and sets.
    fn stored(&self) -> (u64, u64) {
        let stored = self.shares().map(Share::stored);
        stored.fold((0, 0), |(members, sets), (more, others)| (members + more, sets + others))
    }

    fn shares(&self) -> impl Iterator<Item = &Share<S>> {
        self.workers.iter().map(|worker| &worker.share)
    }
}

/// A slice of one worker.
fn slice<S: Set>(
    share: &mut Share<S>,
    exchange: &mut Exchange,
    meter: &mut ResourceMonitor<'_>,
    work: u64,
) -> Result<(SliceResult, Vec<LabelId>), Halt> {
    let until = share.effort().saturating_add(work);
    let Some(outcome) = share.work(exchange, meter, until)? else { return Ok((SliceResult::Unfinished, Vec::new())) };
    let Hit { estimate, backward, .. } = match outcome {
        Outcome::Safe => return Ok((SliceResult::Safe, Vec::new())),
        Outcome::SafeToHorizon => return Ok((SliceResult::SafeToHorizon, Vec::new())),
        Outcome::Exposed(hit) => hit,
    };
    let mut alpha = share.labels(exchange, estimate, true)?;
    alpha.reverse();
    let beta = backward.map(|place| share.labels(exchange, place, false)).transpose()?;
    Ok((SliceResult::Exposed { estimate: 0, beta: beta.unwrap_or_default() }, alpha))
}
