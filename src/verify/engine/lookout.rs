//! Beside the portfolio: two searches that find an exposure where a proof explodes, by the number of observations and best first.
//!
//! Each has a turn when the portfolio has done so much work, with a share of that work, and begins again in each turn, so that it holds
//! nothing between them but what the view has computed, which the forward search needs, too. Each turn is a few times longer than the one
//! before. What is found need not have the least hindsight, so the portfolio goes on as long as that is asked for. What is explored by the
//! number of observations without an exposure tells how many observations an exposure needs.

use super::portfolio::{ExposingRun, run_of};
use super::resources::MemberId;
use super::tuning::Tuning;
use crate::resources::Stop;
use crate::verdict::{DecidedBy, Levels};
use crate::verify::search::best_first::best_first;
use crate::verify::search::fewest::forward::{Traced, fewest_by_level};
use crate::verify::search::fewest::{Aim, Nothing};
use crate::verify::search::forward::ForwardSearch;
use crate::verify::views::belief_system::Heuristics;

/// Both searches, between their turns.
#[derive(Debug)]
pub(super) struct Lookout {
    few: Turns,
    best_first: Turns,
    /// How far the search by the number of observations came.
    pub(super) levels: Levels,
    /// The exposure with the least hindsight that was found.
    pub(super) found: Option<Found>,
    /// The work of all turns.
    pub(super) work: u64,
}

/// An exposure.
#[derive(Debug)]
pub(super) struct Found {
    /// Its hindsight.
    pub(super) beta: u64,
    /// A run that shows it.
    pub(super) run: ExposingRun,
    /// Which search found it.
    pub(super) by: DecidedBy,
}

/// When one of the searches has a turn.
#[derive(Debug)]
struct Turns {
    /// The work of the portfolio after which it has one.
    next: u64,
    /// Each comes after so many times the work of the one before.
    growth: u64,
    /// Whether there is nothing left to find, or no memory to find it.
    is_over: bool,
}

impl Turns {
    fn new(next: u64, growth: u64) -> Turns {
        Turns { next, growth, is_over: false }
    }

    /// Whether it has a turn after so much work of the portfolio.
    fn take(&mut self, spent: u64) -> bool {
        let has_turn = !self.is_over && spent >= self.next;
        self.next = if has_turn { spent.saturating_mul(self.growth) } else { self.next };
        has_turn
    }
}

/// What a turn ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// There is more to explore.
    Unfinished,
    /// It found an exposure.
    Found,
    /// There is no exposure within the horizon.
    Nothing,
}

impl Lookout {
    /// Searches that have had no turn.
    pub(super) fn new(tuning: Tuning) -> Lookout {
        Lookout {
            few: Turns::new(tuning.lookout_from, Tuning::LOOKOUT_GROWTH),
            best_first: Turns::new(tuning.best_first_from, Tuning::BEST_FIRST_GROWTH),
            levels: Levels::default(),
            found: None,
            work: 0,
        }
    }

    /// Lets the search by the number of observations have its first turn after so much work of the portfolio; whether it had none, and
    /// may have one.
    pub(super) fn hasten(&mut self, spent: u64) -> bool {
        let is_first = self.levels == Levels::default() && self.few.next != u64::MAX;
        self.few.next = if is_first { spent } else { self.few.next };
        is_first
    }

    /// A turn of each search that has one after so much work of the portfolio, whose forward search this is.
    pub(super) fn turn<B: Heuristics>(&mut self, forward: &mut ForwardSearch<'_, B>, spent: u64) -> Result<Turn, Stop> {
        if self.best_first.take(spent) {
            let work = spent.saturating_mul(forward.tuning.best_first_percent) / 100;
            let result = look(forward, work, best_first);
            let (turn, is_over) = self.receive(result, work, DecidedBy::BestFirst)?;
            self.best_first.is_over = is_over;
            if turn == Turn::Nothing {
                return Ok(turn);
            }
        }
        if !self.few.take(spent) {
            return Ok(Turn::Unfinished);
        }
        let work = spent.saturating_mul(forward.tuning.lookout_percent) / 100;
        let mut levels = Levels { pairs: Vec::new(), within: forward.bound.horizon };
        let aim = Aim { horizon: forward.bound.horizon, most: u64::MAX, least: 0, initial: forward.bound.initial };
        let result = look(forward, work, |search, until| fewest_by_level(search, aim, until, &mut levels.pairs));
        self.levels = std::mem::take(&mut self.levels).further(levels);
        let (turn, is_over) = self.receive(result, work, DecidedBy::FewObservations)?;
        self.few.is_over = is_over;
        Ok(turn)
    }

    /// Keeps the result of a turn with so much work; what it ended with, and whether it was the last.
    fn receive(
        &mut self,
        result: Result<(u64, ExposingRun), Nothing>,
        work: u64,
        by: DecidedBy,
    ) -> Result<(Turn, bool), Stop> {
        self.work += work;
        let turn = match result {
            Ok((beta, run)) => {
                if self.found.as_ref().is_none_or(|found| beta < found.beta) {
                    self.found = Some(Found { beta, run, by });
                }
                Turn::Found
            }
            Err(Nothing::Exists) => Turn::Nothing,
            Err(Nothing::Soon) => return Ok((Turn::Unfinished, false)),
            Err(Nothing::Stopped(Stop::Memory | Stop::Pairs)) => Turn::Unfinished,
            Err(Nothing::Stopped(stop)) => return Err(stop),
        };
        Ok((turn, true))
    }
}

/// One turn from the beginning: the hindsight of an exposure, and its run.
fn look<B: Heuristics>(
    forward: &mut ForwardSearch<'_, B>,
    work: u64,
    search_within: impl FnOnce(&mut ForwardSearch<'_, B>, u64) -> Result<Traced, Nothing>,
) -> Result<(u64, ExposingRun), Nothing> {
    let meter = forward.meter.beside(MemberId::Lookout).quiet();
    let is_static = forward.beliefs.as_static().is_some();
    let mut tuning = forward.tuning;
    // WHY: games on weak views cost more than the few labels that are left to search.
    (tuning.twins, tuning.simulation) = (tuning.twins && is_static, tuning.simulation && is_static);
    // WHY not from 0: the view counts what it did for both searches.
    let until = forward.beliefs.permutation_work().saturating_add(work);
    let mut search = ForwardSearch::new(&mut *forward.beliefs, forward.exposed, forward.bound, tuning, meter);
    let found = search_within(&mut search, until);
    search.meter.leave();
    let (start, moves, before) = found?;
    let beta = moves[before..].iter().filter(|step| step.observed).count() as u64;
    Ok((beta, Some((run_of(&*forward.beliefs, start, &moves), before))))
}
