//! A question about a product that is built: the search on the product and the search on parts take turns.
//!
//! Both have the same allowance of work, first little, then each time more, until one of them answers. So what takes less work than
//! the first turn is decided as if there were no parts, and what takes more costs at most a small multiple of the cheaper way. The parts
//! of a large product come first, with about the work that building it took. Turns are measured in work, so the same way answers on
//! every machine.

use super::small::{Size, follow};
use super::{Allowance, Asked, Localising};
use crate::clock::Instant;
use crate::resources::{Resources, Stop, WorkCounter};
use crate::verdict::{Finding, Run};
use crate::verify::Options;
use crate::verify::engine::driver::{self, Query};
use crate::verify::engine::tuning::Tuning;
use crate::verify::witness::replay::witness;
use std::time::Duration;

/// Decides a query; `asked` gives it by the states of parts, if it is known by them.
pub(in crate::verify) fn decide<'a>(
    query: &Query<'_>,
    asked: &dyn Fn() -> Result<Option<Asked<'a>>, Stop>,
    options: &Options<'_>,
    tuning: Tuning,
    (started, slice): (Instant, Option<Duration>),
) -> Finding {
    let sliced = options.ending(started, slice);
    let parts = |turn: u64| match asked() {
        Ok(Some(asked)) => {
            let begun = Instant::now();
            let mut found = on_parts(query, asked, (options, &sliced), (tuning, turn), started);
            if let Ok(found) = &mut found {
                found.cost.time = begun.elapsed();
            }
            found
        }
        Ok(None) | Err(_) => Err(u64::MAX),
    };
    let size = (query.view.automaton.n_states() + query.view.automaton.n_transitions()) as u64;
    if size >= tuning.parts_first_from
        && let Ok(found) = parts(size)
    {
        return found;
    }
    let mut turn = tuning.first_turn;
    let mut known: Option<Finding> = None;
    loop {
        let left = slice.and(sliced.left_since(started).limits.timeout);
        let found = driver::decide(query, options, Tuning { turn, ..tuning }, started, left);
        let is_over = sliced.limits.timeout.is_some_and(|most| started.elapsed() >= most);
        let found = match known.take() {
            Some(known) => both(known, found),
            None => found,
        };
        if found.stopped != Some(Stop::Timeout) || turn == u64::MAX || is_over {
            return found;
        }
        known = Some(found);
        turn = match parts(turn) {
            Ok(found) => return found,
            Err(next) => next,
        };
    }
}

/// What two searches for the same know, the second of which went further unless a limit ended it.
fn both(known: Finding, again: Finding) -> Finding {
    if known.fault.is_some() || again.fault.is_some() {
        return again;
    }
    let exposure = known.exposure.and(again.exposure);
    let levels = known.levels.clone().further(again.levels.clone());
    // WHY: the run that shows an exposure is that of the search that found it.
    let shown =
        if exposure.most() == again.exposure.most() { again } else { Finding { stopped: again.stopped, ..known } };
    Finding { exposure, levels, stopped: shown.stopped.filter(|_| !exposure.is_exact()), ..shown }
}

/// What some parts say within this turn, searched under the second options, proved and replayed under the first. If they do not
/// answer, the next turn: the last one, if no more work could help them.
fn on_parts(
    query: &Query<'_>,
    asked: Asked<'_>,
    (options, sliced): (&Options<'_>, &Options<'_>),
    (tuning, turn): (Tuning, u64),
    started: Instant,
) -> Result<Finding, u64> {
    let product = query.view.automaton;
    let size = Size { states: product.n_states(), transitions: product.n_transitions() };
    let allowance = Allowance { search: 1 + turn / Tuning::SEARCHES_PER_TURN, all: 1 + turn / 2, size };
    let unsliced = Localising::new(asked, options, tuning, started, allowance);
    let mut search = Localising { slice: sliced.limits.timeout, ..unsliced };
    match search.run(&mut sliced.resources(started).monitor()) {
        Ok(Some(found)) => {
            let counter = WorkCounter::ending_after(turn);
            let resources = Resources { work: Some(&counter), ..options.resources(started) };
            Ok(on_product(query, &found, resources).unwrap_or(found))
        }
        Ok(None) if !search.is_cut => Err(u64::MAX),
        Ok(None) | Err(_) => Err(turn.saturating_mul(Tuning::TURN_GROWTH)),
    }
}

/// An exposure that was found on some parts as one of the product: its run, replayed there. None: that takes too much.
fn on_product(query: &Query<'_>, found: &Finding, resources: Resources<'_>) -> Option<Finding> {
    let shown = &found.parts.as_ref()?.exposed.as_ref()?.1;
    let exposing = shown.witness.as_ref()?;
    let events = exposing.run.events.clone();
    let run = Run { states: follow(query.view.automaton, &events)?, events };
    let initial = query.bound.initial;
    let witness = witness(&query.view, query.property, run, exposing.at, initial, &mut resources.monitor()).ok()?;
    let unsearched = Finding::unsearched(query.view_id, query.property.clone());
    Some(Finding { exposure: found.exposure, witness: Some(witness), cost: found.cost.clone(), ..unsearched })
}
