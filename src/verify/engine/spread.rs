//! The forward search on several threads, where no other member can take part: a weak view.
//!
//! It begins again on all threads when the portfolio has done its first share of work, and has nothing beside it but the search by the
//! number of observations. Cost: that of the forward search, divided by the threads, and what they tell each other.

use super::lookout::{Lookout, Turn};
use super::portfolio::{Better, ExposingRun, Problem, SearchResult};
use super::tuning::Tuning;
use crate::resources::{RssProbe, Stop};
use crate::verdict::{Cost, DecidedBy, Exposure};
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::proof::merged_seeds;
use crate::verify::search::forward::ForwardSearch;
use crate::verify::search::partitioned::pair_search::{PairOutcome, PairSearch};
use crate::verify::views::belief_system::{Heuristics, Portable, ProofExport};
use crate::verify::{Limits, Options};

/// What the portfolio knew.
pub(super) struct Known {
    pub(super) lookout: Lookout,
    /// The |β| of an exposure that was known before.
    pub(super) known: Option<u64>,
    /// The last layer that is known to be safe.
    pub(super) safe: Option<u64>,
    /// The work that was done.
    pub(super) work: u64,
}

/// Decides a belief system on this many threads.
pub(super) fn decide<B: Heuristics + Portable + ProofExport, T>(
    beliefs: &B,
    problem: &Problem<'_>,
    known: Known,
    threads: usize,
    better: &mut Better<'_, T>,
) -> Result<(SearchResult, ExposingRun), T> {
    let mut forks: Vec<B> = (0..threads).map(|_| beliefs.fork()).collect();
    // WHY divided: each thread has its share of the memory, and the process grows by what all of them hold.
    let grown = || problem.options.grown.map_or(0, |grown| grown() / threads as u64);
    let options = shares(problem.options, threads);
    let options = Options { grown: options.grown.map(|_| &grown as &RssProbe<'_>), ..options };
    let searches = forks.iter_mut().enumerate().map(|(worker, fork)| {
        let meter = ResourceMonitor::new(&options, problem.started);
        let meter = if worker > 0 { meter.quiet() } else { meter };
        ForwardSearch::new(fork, problem.exposed, problem.bound, problem.tuning, meter)
    });
    let search = PairSearch::new(searches.collect());
    let slice = problem.tuning.first_slice.saturating_mul(Tuning::THREADED_SLICE);
    Spread { search, known, problem, slice }.run(better)
}

/// The limits of each of several threads.
fn shares<'a>(options: &Options<'a>, threads: usize) -> Options<'a> {
    let share = |most: Option<u64>| most.map(|most| most / threads as u64);
    let Limits { timeout, memory, pairs } = options.limits;
    Options { limits: Limits { timeout, memory: share(memory), pairs: share(pairs) }, ..*options }
}

struct Spread<'a, 's, B: Heuristics> {
    search: PairSearch<'s, B>,
    known: Known,
    problem: &'a Problem<'a>,
    slice: u64,
}

impl<B: Heuristics + Portable + ProofExport> Spread<'_, '_, B> {
    fn run<T>(mut self, better: &mut Better<'_, T>) -> Result<(SearchResult, ExposingRun), T> {
        let mut until = None;
        loop {
            match self.search.explore(self.slice) {
                Ok(PairOutcome::Unfinished) => {}
                Ok(outcome) => return Ok(self.result(outcome)),
                Err(stop) => return Ok(self.unfinished(Some(stop))),
            }
            let spent = self.known.work.saturating_add(self.search.effort());
            if spent >= self.problem.tuning.turn {
                return Ok(self.unfinished(Some(Stop::Timeout)));
            }
            if let Some(better) = better(spent) {
                return Err(better);
            }
            match self.known.lookout.turn(self.search.first(), spent) {
                Ok(Turn::Nothing) => return Ok(self.nothing()),
                Ok(Turn::Unfinished | Turn::Found) => {}
                Err(stop) => return Ok(self.unfinished(Some(stop))),
            }
            if self.is_known(spent, &mut until) {
                return Ok(self.unfinished(None));
            }
            self.slice = self.slice.saturating_add(1 + self.slice / Tuning::SLICE_GROWTH);
        }
    }

    /// Whether an exposure is known that answers all that is asked, as the portfolio decides it.
    fn is_known(&self, spent: u64, until: &mut Option<u64>) -> bool {
        let found = self.known.lookout.found.as_ref().map(|found| found.beta);
        if Exposure::between(self.safe(), found).is_exact() {
            return true;
        }
        let Some(known) = found.into_iter().chain(self.known.known).min() else { return false };
        let is_enough = self.problem.enough.is_some_and(|enough| known <= enough);
        let most = self.problem.tuning.distance_work;
        is_enough && spent >= *until.get_or_insert(spent.saturating_add(spent.max(most)))
    }

    fn safe(&self) -> Option<u64> {
        self.known.safe.max(self.search.safe())
    }

    fn cost(&self, by: DecidedBy) -> Cost {
        let (pairs, sets, memory) = self.search.stored();
        let work = self.known.work + self.search.effort() + self.known.lookout.work;
        Cost { pairs, sets, memory, by: Some(by), work, ..Cost::default() }
    }

    /// The search has its answer.
    fn result(self, outcome: PairOutcome) -> (SearchResult, ExposingRun) {
        let horizon = self.problem.bound.horizon;
        let (exposure, saturation, run) = match outcome {
            PairOutcome::Exposed(layer, run) => (Exposure::At(layer), None, Some(run)),
            PairOutcome::Safe(layers) => (Exposure::Never, Some(layers), None),
            PairOutcome::SafeToHorizon | PairOutcome::Unfinished => (Exposure::Beyond(horizon), None, None),
        };
        (self.search_result(exposure, saturation, DecidedBy::Forward), run)
    }

    /// The search by the number of observations has explored all there is.
    fn nothing(self) -> (SearchResult, ExposingRun) {
        let exposure = match self.problem.bound.horizon {
            u64::MAX => Exposure::Never,
            horizon => Exposure::Beyond(horizon),
        };
        (self.search_result(exposure, None, DecidedBy::FewObservations), None)
    }

    fn search_result(&self, exposure: Exposure, saturation: Option<u64>, by: DecidedBy) -> SearchResult {
        SearchResult {
            exposure,
            saturation,
            stopped: None,
            cost: self.cost(by),
            seeds: Some(merged_seeds(self.search.searches())),
            effort: self.search.effort(),
            levels: self.known.lookout.levels.clone(),
        }
    }

    /// It ends without an answer of its own.
    fn unfinished(mut self, stopped: Option<Stop>) -> (SearchResult, ExposingRun) {
        let found = self.known.lookout.found.take().map(|found| (found.beta, found.by, found.run));
        let (most, by, run) = found.map_or((None, DecidedBy::Forward, None), |(beta, by, run)| (Some(beta), by, run));
        let exposure = Exposure::between(self.safe(), most);
        let stopped = stopped.filter(|_| !exposure.is_exact());
        let result = self.search_result(exposure, None, by);
        let seeds = result.seeds.filter(|_| stopped.is_none());
        (SearchResult { stopped, seeds, ..result }, run)
    }
}
