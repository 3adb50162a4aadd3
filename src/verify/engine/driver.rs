//! From a query (one view, one property, one bound) to a finding: search, proof or witness, and their check.

use super::certification::{certify, goal, record_internal_error};
use super::portfolio::{Better, ExposingRun, Problem, SearchResult, exposing_run};
use super::representation::{Representation, labels_depend_on_past};
use super::tuning::Tuning;
use crate::automaton::StateId;
use crate::automaton::view::{Projection, View};
use crate::clock::Instant;
use crate::model::{Horizon, OWN, Property, ViewId};
use crate::paper;
use crate::resources::{Resources, Stop};
use crate::verdict::{Cost, DecidedBy, Exposure, Finding, Levels, Run, Witness};
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::proof::ProofSeeds;
use crate::verify::reduce::Reduction;
use crate::verify::reduce::cells::{Settled, settle, settle_start};
use crate::verify::reduce::derive::{Derived, derive};
use crate::verify::reduce::quotient::quotient;
use crate::verify::reduce::two_sided::{SharedSides, TwoSided};
use crate::verify::schedule::depth;
use crate::verify::search::SliceResult;
use crate::verify::search::forward::SearchBound;
use crate::verify::search::sides::SideSearch;
use crate::verify::sets::{Dense, Set, Sparse};
use crate::verify::views::static_view::StaticView;
use crate::verify::views::weak_view::once::no_agent_acts_twice;
use crate::verify::witness::replay::{Refused, replay, witness};
use crate::verify::{Limits, Method, Options};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// One decision problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    pub(crate) view: View<'a>,
    pub(crate) view_id: ViewId,
    pub(crate) property: &'a Property,
    pub(crate) bound: SearchBound,
    /// The least finite horizon that is asked for.
    pub(crate) shortest: Option<u64>,
    /// An exposure with |β| up to this answers all that is asked; none: only the least |β| does.
    pub(crate) enough: Option<u64>,
    /// The cells of the views of a system, where several large checks are about this view.
    pub(crate) shared: Option<&'a SharedSides>,
}

impl<'a> Query<'a> {
    /// One property up to one horizon, for a view that belongs to no system.
    pub(crate) fn new(view: View<'a>, property: &'a Property, horizon: Horizon) -> Query<'a> {
        let bound = SearchBound { horizon: depth(horizon), initial: horizon == Horizon::Initial };
        let shortest = match horizon {
            Horizon::Steps(steps) | Horizon::Exactly(steps) => Some(steps),
            Horizon::Infinite | Horizon::Initial => None,
        };
        Query {
            view,
            view_id: ViewId { observer: OWN, projection: view.projection },
            property,
            bound,
            shortest,
            enough: None,
            shared: None,
        }
    }
}

/// Decides a query. Time is counted from `started`; the search ends after `slice`, if one is given, as if its time were over.
pub(crate) fn decide(
    query: &Query<'_>,
    options: &Options<'_>,
    tuning: Tuning,
    started: Instant,
    slice: Option<Duration>,
) -> Finding {
    let begun = Instant::now();
    let capped = options.ending(started, slice);
    if options.method == Method::Literal {
        return literal(query, &capped, started);
    }
    // WHY: what a search builds before its first look adds up over hundreds of checks.
    if capped.limits.timeout.is_some_and(|timeout| timeout <= started.elapsed()) {
        return Finding { stopped: Some(Stop::Timeout), ..unsearched(query) };
    }
    let searched = simplified(query, &capped, tuning, started).and_then(|simple| {
        let searched = search_derived(&simple, &capped, tuning, started)?;
        Ok((simple, searched))
    });
    let (simple, Searched { result, run, reduction }) = match searched {
        Ok(searched) => searched,
        Err(stop) => return Finding { stopped: Some(stop), ..unsearched(query) },
    };
    let mut finding = Finding {
        exposure: result.exposure,
        saturation: result.saturation,
        levels: result.levels,
        stopped: result.stopped,
        cost: result.cost,
        ..unsearched(query)
    };
    if let Some(seeds) = result.seeds {
        let before = Instant::now();
        certify(&mut finding, (query, &simple), (reduction, seeds), result.effort, options, started);
        finding.cost.proof = before.elapsed();
    }
    match (run, finding.exposure) {
        (Some(exposing), _) => attach_witness(&mut finding, query, exposing, options.resources(started)),
        (None, Exposure::At(_) | Exposure::AtMost { .. }) => {
            record_internal_error(&mut finding, "no run shows the exposure that was found")
        }
        (None, _) => {}
    }
    finding.cost.time = begun.elapsed();
    finding
}

/// The same query about the simplest view that shows the same: a weak view in which no agent acts twice is a strong one.
pub(super) fn simplified<'a>(
    query: &Query<'a>,
    options: &Options<'_>,
    tuning: Tuning,
    started: Instant,
) -> Result<Query<'a>, Stop> {
    let mut simple = *query;
    if tuning.acts_once
        && labels_depend_on_past(&query.view)
        && no_agent_acts_twice(&query.view, &mut options.resources(started).monitor())?
    {
        simple.view.projection = Projection::Strong;
    }
    Ok(simple)
}

/// Searches the view; if the property says more than exposed sets of states, its derived automaton.
fn search_derived(
    query: &Query<'_>,
    options: &Options<'_>,
    tuning: Tuning,
    started: Instant,
) -> Result<Searched, Stop> {
    let (found, derived) = on_derived(query, options, tuning, started, search)?;
    let run = found.run.map(|run| original(derived.as_ref(), run));
    Ok(Searched { run, ..found })
}

/// Hands the view to a search, or the derived automaton, whose runs are then those of its [`original`].
pub(super) fn on_derived<T>(
    query: &Query<'_>,
    options: &Options<'_>,
    tuning: Tuning,
    started: Instant,
    search: impl FnOnce(&Query<'_>, &Problem<'_>) -> T,
) -> Result<(T, Option<Derived>), Stop> {
    let mut monitor = options.resources(started).monitor();
    let derived = derive(&query.view, query.property, &mut monitor)?;
    let memory = options.limits.memory.map(|most| most.saturating_sub(monitor.held()));
    let options = &Options { limits: Limits { memory, ..options.limits }, ..*options };
    let searched = |query: &Query<'_>| {
        let exposed = ExposedSets::of(query.property, query.view.automaton.n_states());
        let (bound, enough) = (query.bound, query.enough);
        search(query, &Problem { exposed: &exposed, bound, enough, known: None, tuning, options, started })
    };
    let found = match &derived {
        None => searched(query),
        Some(derived) => {
            let view = View { automaton: &derived.automaton, ..query.view };
            searched(&Query { view, property: &derived.property, shared: None, ..*query })
        }
    };
    Ok((found, derived))
}

/// A run of the automaton itself, and how many of its events belong to α.
pub(super) fn original(derived: Option<&Derived>, (run, before): (Run, usize)) -> (Run, usize) {
    match derived {
        Some(derived) => (derived.original(run), before),
        None => (run, before),
    }
}

/// The finding of a query before its search.
fn unsearched(query: &Query<'_>) -> Finding {
    Finding::unsearched(query.view_id, query.property.clone())
}

/// The result of a search, a run of the automaton itself, and what was searched in place of it.
struct Searched {
    result: SearchResult,
    run: ExposingRun,
    reduction: Reduction,
}

/// Searches a view. Of a weak view, the strong one is probed first: more runs look alike there, so an exposure there is one
/// here, at the same distance or earlier, and only shorter distances are left to search. It is kept when a limit ends that.
fn search(query: &Query<'_>, problem: &Problem<'_>) -> Searched {
    let Some((strong, run, least)) = probe_strong(query, problem) else { return search_view(query, problem) };
    let Some(shorter) = least.checked_sub(1) else {
        let cost = Cost { by: Some(DecidedBy::StrongView), ..strong.cost };
        let result = SearchResult { cost, saturation: None, stopped: None, seeds: None, effort: 0, ..strong };
        return Searched { result, run, reduction: Reduction::default() };
    };
    let bound = SearchBound { horizon: problem.bound.horizon.min(shorter), ..problem.bound };
    let mut searched = search_view(query, &Problem { bound, known: Some(least), ..*problem });
    let SearchResult { exposure, stopped, .. } = &mut searched.result;
    // WHY not only if it was stopped: it may have looked for the distance as long as that is worth.
    if exposure.most().is_none() && *exposure != Exposure::Never {
        *exposure = Exposure::between(exposure.safe(), Some(least));
        *stopped = stopped.filter(|_| !exposure.is_exact());
        searched.run = run;
    }
    searched
}

/// An exposure of the strong view, and its distance, if one is found at once.
fn probe_strong(query: &Query<'_>, problem: &Problem<'_>) -> Option<(SearchResult, ExposingRun, u64)> {
    let strong = View { projection: Projection::Strong, ..query.view };
    let size = (strong.automaton.n_states() + strong.automaton.n_transitions()) as u64;
    let affordable = !problem.meter().is_too_much(size * Tuning::STRONG_VIEW_BYTES);
    if !problem.tuning.strong_first || !labels_depend_on_past(&query.view) || !affordable {
        return None;
    }
    // WHY no progress reports: a layer that is safe in the strong view need not be safe in the weak one.
    let options = Options { progress: None, ..*problem.options };
    let quiet = Problem { options: &options, ..*problem };
    let (result, run) = Representation::of_static(&strong, problem.tuning).probe(&quiet, 1)?;
    match result.exposure {
        Exposure::At(least) => Some((result, run, least)),
        Exposure::Never | Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => None,
    }
}

/// Searches the automaton; its quotient, if there is one and a part of the probe does not suffice. What takes long, or is one of several
/// checks of a view, is searched on both sides of its cells, or without the states that cells save.
fn search_view(query: &Query<'_>, problem: &Problem<'_>) -> Searched {
    let (view, tuning) = (&query.view, problem.tuning);
    let size = (view.automaton.n_states() + view.automaton.n_transitions()) as u64;
    let due = match query.shared {
        Some(_) => 0,
        None => tuning.cells_after.saturating_mul(size + Tuning::CELLS_FREE_SIZE),
    };
    let mut is_asked = tuning.cells_after == u64::MAX;
    let mut better = |spent: u64| {
        if spent < due || std::mem::replace(&mut is_asked, true) {
            return None;
        }
        by_cells(query, problem)
    };
    match search_classes(query, problem, &mut better) {
        Ok(searched) => searched,
        Err(ByCells::Decided(searched)) => *searched,
        Err(ByCells::Settled(Settled { cells, exposed })) => {
            let mut searched = search_settled(query, &Problem { exposed: &exposed, ..*problem });
            searched.reduction.cells = Some(cells);
            searched
        }
    }
}

/// What the cells of a view are good for.
enum ByCells {
    Decided(Box<Searched>),
    Settled(Settled),
}

/// Looks at the cells of a view. None: they tell nothing, or the limits do not suffice.
fn by_cells(query: &Query<'_>, problem: &Problem<'_>) -> Option<ByCells> {
    let (view, exposed, meter) = (&query.view, problem.exposed, &mut problem.meter());
    let by_event = labels_depend_on_past(view);
    if problem.bound.initial {
        return settle_start(view, by_event, exposed, meter).map(ByCells::Settled);
    }
    let sides = match query.shared {
        Some(shared) => shared.of(query.view_id.observer.0, view, by_event, meter)?,
        None => Arc::new(TwoSided::new(view, by_event, meter)?),
    };
    let settled = settle(view, sides.cells.clone(), exposed);
    let is_threatened = |settled: &Settled| {
        let mut initial = view.automaton.initial().iter();
        initial.any(|&state| settled.exposed.is_threatened(state))
    };
    if settled.as_ref().is_none_or(is_threatened)
        && !by_event
        && let Some(searched) = search_sides(query, problem, &sides)
    {
        return Some(ByCells::Decided(Box::new(searched)));
    }
    settled.map(ByCells::Settled)
}

/// Searches both sides, if that takes little work.
fn search_sides(query: &Query<'_>, problem: &Problem<'_>, sides: &TwoSided) -> Option<Searched> {
    let exposed = problem.exposed.of_cells(&sides.cell, sides.n_cells())?;
    let largest = sides.past.n_states().max(sides.future.n_states()).max(sides.n_cells());
    match largest <= Tuning::MAX_DENSE_STATES {
        true => search_sides_of::<Dense>(query, problem, (sides, &exposed)),
        false => search_sides_of::<Sparse>(query, problem, (sides, &exposed)),
    }
}

fn search_sides_of<S: Set>(
    query: &Query<'_>,
    problem: &Problem<'_>,
    (sides, exposed): (&TwoSided, &ExposedSets),
) -> Option<Searched> {
    let (view, horizon) = (&query.view, problem.bound.horizon);
    let mut search = SideSearch::<S>::new(view, sides, exposed, horizon);
    let mut meter = problem.meter();
    let size = (view.automaton.n_states() + view.automaton.n_transitions()) as u64;
    let until = Tuning::SIDES_WORK * (size + Tuning::CELLS_FREE_SIZE);
    let (exposure, run, saturation) = match search.explore(&mut meter, until).ok()? {
        SliceResult::Unfinished => return None,
        SliceResult::Safe => (Exposure::Never, None, Some(search.depth())),
        SliceResult::SafeToHorizon => (Exposure::Beyond(horizon), None, None),
        SliceResult::Exposed { estimate, beta } => {
            let states = StaticView::<Sparse>::new(view, u32::MAX);
            let run = exposing_run(&states, &search.alpha(estimate), &beta);
            (Exposure::At(beta.len() as u64), run, None)
        }
    };
    let (pairs, sets) = search.stored();
    let (by, work) = (Some(DecidedBy::Cells), search.effort());
    let cost = Cost { pairs, sets, by, memory: meter.peak(), work, ..Cost::default() };
    let seeds = Some(ProofSeeds::default());
    let levels = Levels::default();
    let result = SearchResult { exposure, saturation, stopped: None, cost, seeds, effort: work, levels };
    let goal = goal(exposure, query);
    let proof = goal.map(|goal| search.proof(goal.horizon));
    let reduction = Reduction { cells: Some(sides.cells.clone()), sides: proof, blocks: None };
    Some(Searched { result, run, reduction })
}

/// Searches the quotient, or the automaton itself, until something better is known.
fn search_classes<T>(query: &Query<'_>, problem: &Problem<'_>, better: &mut Better<'_, T>) -> Result<Searched, T> {
    let (view, tuning) = (&query.view, problem.tuning);
    let mut whole = Representation::of(view, tuning);
    if view.automaton.n_states() >= tuning.quotient_from && !problem.exposed.of_states {
        if let Some((result, run)) = whole.probe(problem, Tuning::PROBE_BEFORE_QUOTIENT) {
            return Ok(Searched { result, run, reduction: Reduction::default() });
        }
        if let Some(better) = better(0) {
            return Err(better);
        }
        if let Some(searched) = search_quotient(query, problem, better) {
            return searched;
        }
    }
    let (result, run) = whole.decide(problem, better)?;
    Ok(Searched { result, run, reduction: Reduction::default() })
}

/// Searches the quotient, if there is one.
fn search_quotient<T>(
    query: &Query<'_>,
    problem: &Problem<'_>,
    better: &mut Better<'_, T>,
) -> Option<Result<Searched, T>> {
    let view = &query.view;
    let by_event = labels_depend_on_past(view);
    let quotient = quotient(view, by_event, problem.exposed, &mut problem.meter())?;
    let small = View { automaton: &quotient.automaton, ..*view };
    let problem = Problem { exposed: &quotient.exposed, ..*problem };
    let found = Representation::of(&small, problem.tuning).decide(&problem, better);
    Some(found.map(|(result, run)| {
        let run = run.and_then(|(run, before)| quotient.lift(view, by_event, &run, before));
        Searched { result, run, reduction: Reduction { blocks: Some(quotient.block), ..Reduction::default() } }
    }))
}

/// Searches where some states are safe. Nothing is left to search if no run reaches the others.
fn search_settled(query: &Query<'_>, problem: &Problem<'_>) -> Searched {
    let is_threatened = |&state: &StateId| problem.exposed.is_threatened(state);
    if !query.view.automaton.initial().iter().any(is_threatened) {
        let cost = Cost { by: Some(DecidedBy::Cells), ..Cost::default() };
        let (exposure, seeds, levels) = (Exposure::Never, Some(ProofSeeds::default()), Levels::default());
        let result = SearchResult { exposure, saturation: None, stopped: None, cost, seeds, effort: 0, levels };
        return Searched { result, run: None, reduction: Reduction::default() };
    }
    let Ok(searched) = search_classes(query, problem, &mut |_| None::<Infallible>);
    searched
}

/// Decides a query by the paper's constructions.
fn literal(query: &Query<'_>, options: &Options<'_>, started: Instant) -> Finding {
    let resources = options.resources(started);
    let budget = paper::Budget::new(options.limits.pairs, resources);
    let horizon = if query.bound.initial { Horizon::Initial } else { Horizon::Infinite };
    let mut finding = paper::decide(query.view, query.view_id, query.property, horizon, budget);
    // WHY: where the end of the run is the instant that is asked about, there is nothing to learn of it later.
    let is_later = finding.exposure.most().is_some_and(|most| most > query.bound.horizon);
    if is_later && matches!(query.property, Property::InitialFinal { .. }) {
        (finding.exposure, finding.witness) = (Exposure::Beyond(0), None);
    }
    if let Some(found) = finding.witness.take() {
        let replayed = replay(&query.view, query.property, &found, query.bound.initial, &mut resources.monitor());
        keep_witness(&mut finding, replayed.map(|()| found));
    }
    finding
}

/// Builds the witness from a run whose first `before` events belong to α, as far as the resources reach.
fn attach_witness(finding: &mut Finding, query: &Query<'_>, (run, before): (Run, usize), resources: Resources<'_>) {
    // WHY no growth probe: what the search has freed is there to be used.
    let resources = Resources { growth: None, ..resources };
    let at = query.view.project(&run.events[..before]).len();
    let built = witness(&query.view, query.property, run, at, query.bound.initial, &mut resources.monitor());
    let built = built.and_then(|witness| match (witness.observation.len() - witness.at) as u64 {
        distance if finding.exposure.most() == Some(distance) => Ok(witness),
        distance => {
            Err(Refused::Wrong(format!("it is exposed after {distance} steps, which is not the distance found")))
        }
    });
    keep_witness(finding, built);
}

/// Keeps a witness that was replayed. One that is wrong is an internal error; one for which there was no time is left out.
fn keep_witness(finding: &mut Finding, replayed: Result<Witness, Refused>) {
    match replayed {
        Ok(witness) => finding.witness = Some(witness),
        Err(Refused::Stopped(stop)) => finding.unreplayed = Some(stop),
        Err(Refused::Wrong(fault)) => record_internal_error(finding, &format!("the witness does not replay: {fault}")),
    }
}
