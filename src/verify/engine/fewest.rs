//! From a query and its witness to the exposure with the fewest observations: the two searches by |αβ|, in turns, and a replay.
//!
//! Under a weak view with agents who come again there is no two-way observer; that of the strong view is used first, because what is
//! exposed there is exposed here by the same run. Then only fewer observations are left to search. Nothing depends on any of it: if it
//! gives up, what was found is told, or the witness with the least hindsight.

use super::driver::{Query, on_derived, original, simplified};
use super::portfolio::{ExposingRun, Problem, exposing_run, run_of};
use super::representation::{Representation, labels_depend_on_past};
use super::tuning::Tuning;
use crate::automaton::view::{Projection, View};
use crate::clock::Instant;
use crate::model::{Horizon, Property};
use crate::resources::Stop;
use crate::verdict::{Fewest, Finding, Witness};
use crate::verify::Options;
use crate::verify::search::fewest::forward::fewest;
use crate::verify::search::fewest::meeting::Meeting;
use crate::verify::search::fewest::{Aim, Nothing};
use crate::verify::search::forward::ForwardSearch;
use crate::verify::views::belief_system::{Heuristics, ProofExport};
use crate::verify::witness::replay::witness;

/// The exposure with the fewest observations, beside what a finding says of the same question. It takes about twice the work of the
/// finding, and at most `free` units beyond that.
pub(crate) fn beside(
    (view, property, horizon): (&View<'_>, &Property, Horizon),
    finding: &Finding,
    free: u64,
    options: &Options<'_>,
    tuning: Tuning,
) -> Fewest {
    let known = Fewest { other: None, is_proved: true };
    let Some(witness) = &finding.witness else { return Fewest::default() };
    let horizon = match horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Infinite => u64::MAX,
        // WHY: whoever promises the distance itself is told an exposure at that distance.
        Horizon::Exactly(_) => witness.distance(),
        Horizon::Initial => return known,
    };
    let least = finding.exposure.safe().map_or(0, |safe| safe.saturating_add(1));
    let total = witness.observation.len() as u64;
    if witness.distance() > horizon {
        return Fewest::default();
    }
    // WHY the levels: a search that found it by the number of observations found none with fewer.
    if total <= least || finding.levels.safe(horizon).is_some_and(|safe| total <= safe.saturating_add(1)) {
        return known;
    }
    let query = Query::new(*view, property, Horizon::Infinite);
    let aim = Aim { horizon, most: total - 1, least, initial: false };
    let work = finding.cost.work.saturating_mul(Tuning::FEWEST_WORK_SHARE).saturating_add(free);
    Seeker { query, options, tuning, started: Instant::now() }.seek(aim, work)
}

/// Looks for fewer observations.
struct Seeker<'a> {
    query: Query<'a>,
    options: &'a Options<'a>,
    tuning: Tuning,
    started: Instant,
}

impl Seeker<'_> {
    fn seek(&self, aim: Aim, work: u64) -> Fewest {
        let Ok(simple) = simplified(&self.query, self.options, self.tuning, self.started) else {
            return Fewest::default();
        };
        let mut best: Option<Witness> = None;
        if labels_depend_on_past(&simple.view) && self.tuning.strong_first {
            let view = View { projection: Projection::Strong, ..simple.view };
            best = self.find(&Query { view, ..simple }, aim, work / 2).ok();
        }
        let most = best.as_ref().map_or(Some(aim.most), |best| (best.observation.len() as u64).checked_sub(1));
        let Some(most) = most.filter(|&most| most >= aim.least) else { return Fewest { other: best, is_proved: true } };
        match self.find(&simple, Aim { most, ..aim }, work) {
            Ok(found) => Fewest { other: Some(found), is_proved: true },
            Err(nothing) => Fewest { other: best, is_proved: nothing == Nothing::Exists },
        }
    }

    /// The witness of the query with the fewest observations, as another query sees it.
    fn find(&self, seen: &Query<'_>, aim: Aim, work: u64) -> Result<Witness, Nothing> {
        let Seeker { query, options, tuning, started } = self;
        let (found, derived) = on_derived(seen, options, *tuning, *started, |query, problem| {
            Representation::of(&query.view, *tuning).fewest(problem, aim, work)
        })?;
        let Some(run) = found? else { return Err(Nothing::Soon) };
        let (run, before) = original(derived.as_ref(), run);
        let at = query.view.project(&run.events[..before]).len();
        let mut monitor = options.resources(*started).monitor();
        // WHY no internal error if it is wrong: the witness of the verdict stands.
        witness(&query.view, query.property, run, at, query.bound.initial, &mut monitor).map_err(|_| Nothing::Soon)
    }
}

/// A run with the fewest observations. Slices are measured in work, so that the same model always has the same one.
pub(super) fn shortest_run<B: Heuristics + ProofExport>(
    beliefs: &mut B,
    problem: &Problem<'_>,
    aim: Aim,
    most: u64,
) -> Result<ExposingRun, Nothing> {
    let mut meter = problem.meter();
    let (is_static, mut tuning) = (beliefs.as_static().is_some(), problem.tuning);
    let mut meeting =
        beliefs.as_static().filter(|_| tuning.two_way).map(|view| Meeting::new(view, problem.exposed, aim));
    let mut work = if meeting.is_some() { tuning.first_slice.min(most) } else { most };
    // WHY: games on weak views cost more than the few labels that are left to search.
    (tuning.twins, tuning.simulation) = (tuning.twins && is_static, tuning.simulation && is_static);
    loop {
        match meeting.as_mut().map(|meeting| meeting.explore(&mut meter, work)) {
            Some(Ok((alpha, beta))) => return Ok(exposing_run(beliefs, &alpha, &beta)),
            None | Some(Err(Nothing::Soon)) => {}
            // WHY: the forward search may need less.
            Some(Err(Nothing::Stopped(Stop::Memory | Stop::Pairs))) => meeting = None,
            Some(Err(nothing)) => return Err(nothing),
        }
        if tuning.forward || meeting.is_none() {
            let mut search = ForwardSearch::new(beliefs, problem.exposed, problem.bound, tuning, problem.meter());
            match fewest(&mut search, aim, work) {
                Ok((start, moves, before)) => return Ok(Some((run_of(beliefs, start, &moves), before))),
                Err(Nothing::Soon) => {}
                Err(nothing) => return Err(nothing),
            }
        }
        if work >= most {
            return Err(Nothing::Soon);
        }
        work = work.saturating_mul(GROWTH).min(most);
    }
}

/// How many times longer each slice is than the one before; the forward search begins again.
const GROWTH: u64 = 4;
