//! The forward search on several threads: its workers, and their slices.

use super::exchange::{Alarm, Exchange, exchanges};
use super::pairs::PairShare;
use super::share::{Halt, Outcome};
use crate::parallel;
use crate::resources::Stop;
use crate::verdict::Run;
use crate::verify::search::forward::ForwardSearch;
use crate::verify::views::belief_system::{Heuristics, Portable};
use std::panic::resume_unwind;

/// The state of the search.
pub(crate) struct PairSearch<'s, B: Heuristics> {
    workers: Vec<(PairShare<'s, B>, Exchange)>,
}

/// What a slice ended with.
#[derive(Clone, Debug)]
pub(crate) enum PairOutcome {
    /// There is more to explore.
    Unfinished,
    /// Nothing is exposed up to the horizon.
    SafeToHorizon,
    /// Nothing is ever exposed; the last layer that had pairs.
    Safe(u64),
    /// This run is exposed at this distance, and so many of its events come before the delay branch.
    Exposed(u64, (Run, usize)),
}

impl<'s, B: Heuristics + Portable> PairSearch<'s, B> {
    /// Nothing explored, by one worker for each of these searches.
    pub(crate) fn new(searches: Vec<ForwardSearch<'s, B>>) -> PairSearch<'s, B> {
        let workers = searches.len();
        let share = |(worker, search)| {
            let mut share = PairShare::new(search, worker, workers);
            share.begin();
            share
        };
        let shares = searches.into_iter().enumerate().map(share);
        PairSearch { workers: shares.zip(exchanges(workers)).collect() }
    }

    /// Explores until every worker, or one of them, has done this much more work.
    pub(crate) fn explore(&mut self, work: u64) -> Result<PairOutcome, Stop>
    where
        B::Set: Send,
    {
        let Some(((first, exchange), others)) = self.workers.split_first_mut() else {
            return Ok(PairOutcome::Unfinished);
        };
        let outcome = std::thread::scope(|scope| {
            // WHY here: the others wait for the first one, even if it does not come to begin.
            let alarm = Alarm(exchange);
            let mut running = Vec::with_capacity(others.len());
            for (share, exchange) in others {
                running.push(parallel::beside(scope, move || {
                    let alarm = Alarm(exchange);
                    slice(share, alarm.0, work)
                }));
            }
            let outcome = slice(first, alarm.0, work);
            for other in running {
                let _ = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            outcome
        });
        outcome.map_err(|halt| match halt {
            Halt::Stopped(stop) => stop,
            Halt::Lost(_) => Stop::Interrupted,
        })
    }

    /// The search of the first worker.
    pub(crate) fn first(&mut self) -> &mut ForwardSearch<'s, B> {
        &mut self.workers[0].0.search
    }

    /// The searches of all workers.
    pub(crate) fn searches(&self) -> impl Iterator<Item = &ForwardSearch<'s, B>> {
        self.workers.iter().map(|(share, _)| &share.search)
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        self.searches().map(ForwardSearch::effort).sum()
    }

    /// The greatest |β| up to which nothing is exposed, as far as is known.
    pub(crate) fn safe(&self) -> Option<u64> {
        self.workers[0].0.safe()
    }

    /// Pairs, sets, and bytes at most.
    pub(crate) fn stored(&self) -> (u64, u64, u64) {
        let stored =
            |search: &ForwardSearch<'s, B>| (search.progress(0).pairs, search.sets.len() as u64, search.meter.peak());
        self.searches().map(stored).fold((0, 0, 0), |all, one| (all.0 + one.0, all.1 + one.1, all.2 + one.2))
    }
}

/// A slice of one worker.
fn slice<B: Heuristics + Portable>(
    share: &mut PairShare<'_, B>,
    exchange: &mut Exchange,
    work: u64,
) -> Result<PairOutcome, Halt> {
    let until = share.search.effort().saturating_add(work);
    Ok(match share.work(exchange, until)? {
        None => PairOutcome::Unfinished,
        Some(Outcome::Safe) => PairOutcome::Safe(share.layer().saturating_sub(1)),
        Some(Outcome::SafeToHorizon) => PairOutcome::SafeToHorizon,
        Some(Outcome::Exposed(hit)) => PairOutcome::Exposed(share.layer(), share.route(exchange, hit)?),
    })
}
