//! Phase 1, then phase 2 from the front and from behind in turns: the first answer counts.
//!
//! Turns are measured in work, not in time, so the same model always has the same winner, the same witness and the same cost.

use super::behind::{Behind, Slice};
use super::decide::states_of;
use super::exposed::Exposed;
use super::fixed::Fixed;
use super::frame::Frame;
use super::limits::Meter;
use super::proof::{Hints, hints};
use super::search::{Goal, Search, Switches};
use super::{Cost, Exposure, Run, Stop};

/// The first turn; each one is twice as long as the one before.
const FIRST_TURN: u64 = 5_000;

/// What the searches found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) exposure: Exposure,
    pub(crate) saturation: Option<u64>,
    pub(crate) stopped: Option<Stop>,
    pub(crate) cost: Cost,
    /// What the searches know that makes a proof short, when they came to their end.
    pub(crate) hints: Option<Hints>,
}

/// Decides a frame. The run is exposed; its first events, as many as the number says, belong to α.
pub(crate) fn race<'a, F: Frame>(
    frame: &'a mut F,
    exposed: &'a Exposed,
    goal: Goal,
    switches: Switches,
    meter: Meter<'a>,
) -> (Found, Option<(Run, usize)>) {
    let mut search = Search::new(frame, exposed, goal, switches, meter);
    if let Err(stop) = search.prepare() {
        return (front_found(&search, Some(stop)), None);
    }
    let wanted = switches.behind && !search.fronts.is_empty();
    match search.frame.as_fixed().filter(|_| wanted).map(Fixed::turned_around) {
        Some(back) => take_turns(&mut search, Behind::new(back, switches.antichain, goal.horizon), switches.front),
        None => front_only(&mut search),
    }
}

fn front_only<F: Frame>(search: &mut Search<'_, F>) -> (Found, Option<(Run, usize)>) {
    let stopped = search.explore(u64::MAX).err();
    let mut found = front_found(search, stopped);
    found.hints = stopped.is_none().then(|| hints(search, None));
    (found, front_run(search))
}

fn front_found<F: Frame>(search: &Search<'_, F>, stopped: Option<Stop>) -> Found {
    let progress = search.progress(0);
    let by = if search.fronts.is_empty() && stopped.is_none() && search.exposure() == Exposure::Never {
        "twins"
    } else {
        "front"
    };
    let cost = Cost {
        pairs: progress.pairs,
        sets: search.sets.len() as u64,
        by,
        memory: search.meter.peak,
        ..Cost::default()
    };
    Found { exposure: search.exposure(), saturation: search.saturation, stopped, cost, hints: None }
}

fn front_run<F: Frame>(search: &mut Search<'_, F>) -> Option<(Run, usize)> {
    let (start, moves, before) = search.run()?;
    Some((states_of(search.frame, start, &moves), before))
}

fn take_turns<F: Frame>(
    search: &mut Search<'_, F>,
    mut behind: Behind<F::Set>,
    front: bool,
) -> (Found, Option<(Run, usize)>) {
    let mut turn = FIRST_TURN;
    loop {
        search.meter.beside = behind.bytes();
        let until = search.effort().saturating_add(turn);
        if front {
            match search.explore(until) {
                Ok(false) => {}
                Ok(true) => {
                    let mut found = front_found(search, None);
                    found.hints = Some(hints(search, None));
                    return (found, front_run(search));
                }
                Err(stop) => return (stopped_found(search, &behind, stop), None),
            }
        }
        search.meter.beside = search.progress(0).memory;
        let until = behind.effort().saturating_add(turn);
        let estimates: Vec<&F::Set> =
            search.fronts.iter().map(|front| search.sets.get(search.cohorts[front.0].set)).collect();
        match behind.explore(&estimates, search.exposed, &mut search.meter, until) {
            Ok(Slice::Unfinished) => turn = turn.saturating_mul(2),
            Ok(slice) => return behind_found(search, &behind, slice),
            Err(stop) => return (stopped_found(search, &behind, stop), None),
        }
    }
}

/// What both know when a limit ends them.
fn stopped_found<F: Frame>(search: &Search<'_, F>, behind: &Behind<F::Set>, stop: Stop) -> Found {
    let mut found = front_found(search, Some(stop));
    found.exposure = match (found.exposure, behind.safe) {
        (Exposure::Beyond(front), Some(safe)) => Exposure::Beyond(front.max(safe)),
        (Exposure::Unknown, Some(safe)) => Exposure::Beyond(safe),
        (exposure, _) => exposure,
    };
    found
}

fn behind_found<F: Frame>(
    search: &Search<'_, F>,
    behind: &Behind<F::Set>,
    slice: Slice,
) -> (Found, Option<(Run, usize)>) {
    let (pairs, sets) = behind.stored();
    let progress = search.progress(0);
    let mut found = Found {
        exposure: Exposure::Never,
        saturation: None,
        stopped: None,
        cost: Cost {
            pairs: pairs + progress.pairs,
            sets: sets + search.sets.len() as u64,
            by: "behind",
            memory: search.meter.peak,
            ..Cost::default()
        },
        hints: Some(hints(search, Some(behind))),
    };
    let mut run = None;
    match slice {
        Slice::Exposed { estimate, beta } => {
            found.exposure = Exposure::At(beta.len() as u64);
            run = exposed_run(search, search.fronts[estimate].0, &beta);
        }
        Slice::Safe { for_ever: true } => {
            found.saturation = Some(behind.depth());
        }
        Slice::Safe { for_ever: false } | Slice::Unfinished => found.exposure = Exposure::Beyond(search.goal.horizon),
    }
    (found, run)
}

/// A run that shows α, then β.
fn exposed_run<F: Frame>(search: &Search<'_, F>, cohort: usize, beta: &[u32]) -> Option<(Run, usize)> {
    let alpha = search.observation(cohort);
    let shown: Vec<u32> = alpha.iter().chain(beta).copied().collect();
    let (start, moves) = search.frame.as_fixed()?.run_showing(&shown)?;
    let mut seen = 0;
    let before = moves.iter().position(|step| {
        let past = seen == alpha.len();
        seen += usize::from(step.seen);
        past
    });
    Some((states_of(search.frame, start, &moves), before.unwrap_or(moves.len())))
}
