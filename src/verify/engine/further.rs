//! From a query and one exposure to others that are really different.
//!
//! Two exposures are of one kind if they expose the same class and their last observations have the same label, whatever agent is
//! recognised in it. Of opacity there is one class, the secret; of anonymity each state, or each class of `about`, is one: that in which
//! the run is at the instant. What only goes on is no news: β where a beginning of it exposes the class of the instant, and α where
//! the estimate after a beginning of it exposes the class.
//! Method: the forward search by |αβ|, which here drops only pairs that it has met. It finds every kind at its fewest observations.

use super::driver::{Query, on_derived, original, simplified};
use super::portfolio::{Problem, run_of};
use super::representation::Representation;
use super::tuning::Tuning;
use crate::automaton::EventId;
use crate::automaton::view::{Observability, Projection, Symbol, View};
use crate::clock::Instant;
use crate::model::{Horizon, Property};
use crate::verdict::{Further, Run, Witness};
use crate::verify::Options;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::search::fewest::forward::{Traced, different};
use crate::verify::search::fewest::{Aim, Nothing};
use crate::verify::search::forward::ForwardSearch;
use crate::verify::views::belief_system::{Heuristics, Move};
use crate::verify::witness::replay::witness;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The class that is exposed, and the label of the last observation.
type Kind = (u32, Option<Symbol>);

/// Up to `most` exposures of other kinds than one that is told, each with the fewest observations, after at most `work` units.
pub(crate) fn beside(
    (view, property, horizon): (&View<'_>, &Property, Horizon),
    told: &Witness,
    (most, work): (usize, u64),
    options: &Options<'_>,
    tuning: Tuning,
) -> Further {
    let steps = match horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Infinite | Horizon::Initial => u64::MAX,
        // WHY: as of the one with the fewest observations.
        Horizon::Exactly(_) => told.distance(),
    };
    let initial = horizon == Horizon::Initial;
    let reach = if initial { Horizon::Initial } else { Horizon::Infinite };
    let query = Query::new(*view, property, reach);
    let aim = Aim { horizon: steps, most: u64::MAX, least: 0, initial };
    let wanted = Wanted { known: BTreeSet::from([kind_of(view, property, told)]), most, found: Vec::new() };
    found(&query, aim, wanted, work, (options, tuning)).unwrap_or_default()
}

fn found(
    query: &Query<'_>,
    aim: Aim,
    wanted: Wanted,
    work: u64,
    (options, tuning): (&Options<'_>, Tuning),
) -> Result<Further, Nothing> {
    let started = Instant::now();
    let simple = simplified(query, options, tuning, started)?;
    let ((runs, mut is_all), derived) = on_derived(&simple, options, tuning, started, |query, problem| {
        Representation::of(&query.view, tuning).different(query, problem, aim, (wanted, work))
    })?;
    let mut monitor = options.resources(started).monitor();
    let mut witnesses = Vec::new();
    for run in runs {
        let (run, before) = original(derived.as_ref(), run);
        let at = query.view.project(&run.events[..before]).len();
        match witness(&query.view, query.property, run, at, query.bound.initial, &mut monitor) {
            Ok(replayed) => witnesses.push(replayed),
            // WHY no internal error: what was told before stands.
            Err(_) => is_all = None,
        }
    }
    Ok(Further { witnesses, is_all })
}

/// The kinds that are known, and how many are wanted beside the first.
pub(super) struct Wanted {
    known: BTreeSet<Kind>,
    most: usize,
    found: Vec<Traced>,
}

impl Wanted {
    fn receive(&mut self, run: Traced, kind: Kind) -> ControlFlow<()> {
        if self.known.contains(&kind) {
            return ControlFlow::Continue(());
        }
        if self.found.len() >= self.most {
            return ControlFlow::Break(());
        }
        self.known.insert(kind);
        self.found.push(run);
        ControlFlow::Continue(())
    }
}

/// Runs of other kinds, and whether there is no other; none: that is not known.
pub(super) fn different_runs<B: Heuristics>(
    beliefs: &mut B,
    query: &Query<'_>,
    problem: &Problem<'_>,
    aim: Aim,
    (mut wanted, work): (Wanted, u64),
) -> (Vec<(Run, usize)>, Option<bool>) {
    // WHY: a smaller set is exposed sooner, and by another label.
    let tuning = Tuning { antichain: false, ..problem.tuning };
    let mut search = ForwardSearch::new(&mut *beliefs, problem.exposed, problem.bound, tuning, problem.meter());
    let mut has_enough = false;
    let mut receive = |run: Traced, class: u32| {
        let last = run.1.iter().rev().find(|step: &&Move| step.observed).map(|step| step.event);
        let received = wanted.receive(run, (class, last.map(|event| label(&query.view, event))));
        has_enough = received.is_break();
        received
    };
    let ended = different(&mut search, aim, work, &mut receive);
    let runs = wanted.found.iter().map(|(start, moves, before)| (run_of(beliefs, *start, moves), *before));
    (runs.collect(), ended.ok().map(|()| !has_enough))
}

/// What is seen of an event, apart from who is recognised in it.
fn label(view: &View<'_>, event: EventId) -> Symbol {
    match view.observer.observability(event) {
        Observability::Anonymous(group) if view.projection != Projection::Natural => Symbol::Group(group),
        _ => Symbol::Event(event),
    }
}

/// The kind of an exposure that is known.
fn kind_of(view: &View<'_>, property: &Property, told: &Witness) -> Kind {
    let run = &told.run;
    let signs: Vec<Option<Symbol>> = view.signs(&run.events).collect();
    let last = run.events.iter().zip(&signs).rev().find(|(_, sign)| sign.is_some());
    let last = last.map(|(&event, _)| label(view, event));
    if matches!(property, Property::Throughout { .. } | Property::InitialFinal { .. } | Property::OfParts(_)) {
        // Both are the opacity of a derived automaton: one class.
        return (0, last);
    }
    let shown = signs.iter().scan(0, |seen, sign| {
        *seen += usize::from(sign.is_some());
        Some(*seen)
    });
    let mut instants = run.states.iter().zip(std::iter::once(0).chain(shown));
    let instant = instants.find(|&(&state, seen)| seen == told.at && told.exposed.contains(state));
    let exposed = ExposedSets::of(property, view.automaton.n_states());
    (instant.map_or(0, |(&state, _)| exposed.class(state)), last)
}
