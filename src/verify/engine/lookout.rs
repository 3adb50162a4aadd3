//! Beside the portfolio: the search by the number of observations, which finds an exposure that is short where a proof explodes.
//!
//! It has a turn when the portfolio has done so much work, with a share of that work, and begins again in each turn, so that it holds
//! nothing between them but what the view has computed, which the forward search needs, too. Each turn is twice as long as the one before.
//! What is found need not have the least hindsight, so the portfolio goes on as long as that is asked for. What is explored without an
//! exposure tells how many observations an exposure needs.

use super::portfolio::{ExposingRun, run_of};
use super::resources::MemberId;
use super::tuning::Tuning;
use crate::resources::Stop;
use crate::verdict::{Levels, Run};
use crate::verify::search::fewest::forward::fewest_by_level;
use crate::verify::search::fewest::{Aim, Nothing};
use crate::verify::search::forward::ForwardSearch;
use crate::verify::views::belief_system::Heuristics;

/// The search by the number of observations, between its turns.
#[derive(Debug)]
pub(super) struct Lookout {
    /// The work of the portfolio after which it has a turn.
    next: u64,
    /// How far it came.
    pub(super) levels: Levels,
    /// The hindsight of the exposure that it found, and a run that shows it.
    pub(super) found: Option<(u64, ExposingRun)>,
    /// The work of its turns.
    pub(super) work: u64,
    /// Whether there is nothing left to find, or no memory to find it.
    is_over: bool,
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
    /// A search that has had no turn.
    pub(super) fn new(tuning: Tuning) -> Lookout {
        Lookout { next: tuning.lookout_from, levels: Levels::default(), found: None, work: 0, is_over: false }
    }

    /// Lets it have its first turn after so much work of the portfolio; whether it had none, and may have one.
    pub(super) fn hasten(&mut self, spent: u64) -> bool {
        let is_first = self.work == 0 && self.next != u64::MAX;
        self.next = if is_first { spent } else { self.next };
        is_first
    }

    /// A turn, if it has one after so much work of the portfolio, whose forward search this is.
    pub(super) fn turn<B: Heuristics>(&mut self, forward: &mut ForwardSearch<'_, B>, spent: u64) -> Result<Turn, Stop> {
        if self.is_over || spent < self.next {
            return Ok(Turn::Unfinished);
        }
        self.next = spent.saturating_mul(Tuning::LOOKOUT_GROWTH);
        let work = spent.saturating_mul(forward.tuning.lookout_percent) / 100;
        self.work += work;
        let mut levels = Levels { pairs: Vec::new(), within: forward.bound.horizon };
        let result = look(forward, work, &mut levels.pairs);
        self.levels = std::mem::take(&mut self.levels).further(levels);
        self.is_over = result != Err(Nothing::Soon);
        match result {
            Ok((beta, run)) => {
                self.found = Some((beta, Some(run)));
                Ok(Turn::Found)
            }
            Err(Nothing::Exists) => Ok(Turn::Nothing),
            Err(Nothing::Soon | Nothing::Stopped(Stop::Memory | Stop::Pairs)) => Ok(Turn::Unfinished),
            Err(Nothing::Stopped(stop)) => Err(stop),
        }
    }
}

/// One turn from the beginning: the hindsight of an exposure with the fewest observations, and its run.
fn look<B: Heuristics>(
    forward: &mut ForwardSearch<'_, B>,
    work: u64,
    levels: &mut Vec<u64>,
) -> Result<(u64, (Run, usize)), Nothing> {
    let meter = forward.meter.beside(MemberId::Lookout).quiet();
    let is_static = forward.beliefs.as_static().is_some();
    let mut tuning = forward.tuning;
    // WHY: games on weak views cost more than the few labels that are left to search.
    (tuning.twins, tuning.simulation) = (tuning.twins && is_static, tuning.simulation && is_static);
    let aim = Aim { horizon: forward.bound.horizon, most: u64::MAX, least: 0, initial: forward.bound.initial };
    // WHY not from 0: the view counts what it did for both searches.
    let until = forward.beliefs.permutation_work().saturating_add(work);
    let mut search = ForwardSearch::new(&mut *forward.beliefs, forward.exposed, forward.bound, tuning, meter);
    let found = fewest_by_level(&mut search, aim, until, levels);
    search.meter.leave();
    let (start, moves, before) = found?;
    let beta = moves[before..].iter().filter(|step| step.observed).count() as u64;
    Ok((beta, (run_of(&*forward.beliefs, start, &moves), before)))
}
