//! A weaker intruder: the parts that are left out may do anything at any time.
//!
//! Definition: the kept parts alone, with the labels of the real intruder; an event in which no kept part takes part may happen
//! at any time and moves nothing.
//! Consequence: every run of the system is a run here, with the same string of events, so estimates here hold where the kept
//! parts can be, and more. An estimate here that is exposed, after an observation that some run of the system shows, is an
//! exposure of the system (docs/src/theory.md).
//! Method: the search finds an exposure here; its events are led through the whole system ([`realise`](super::realise)); what that
//! run shows is looked at again here, with every event of it.

use super::realise::realise;
use super::small::{Small, follow};
use super::{Asked, Localising, marks};
use crate::automaton::view::{GroupId, Observability, Observer, Projection, View};
use crate::automaton::{Automaton, EventId};
use crate::model::of_parts::PropertyOfParts;
use crate::resources::{Monitor, Stop};
use crate::verdict::{Exposure, Finding, Run, Witness};
use crate::verify::engine::driver::{self, Query};
use crate::verify::engine::tuning::Tuning;
use crate::verify::search::forward::SearchBound;
use crate::verify::witness::replay::{Refused, witness};
use rustc_hash::FxHashSet;

/// Whether exposed sets of the kept parts are exposed sets of the system.
///
/// A single state of the kept parts is no single state of the system; and whether a class is excepted depends on which of its
/// states the system reaches.
pub(super) fn applies(property: &PropertyOfParts) -> bool {
    match property {
        PropertyOfParts::Anonymity { classes, except, .. } => classes.is_some() && except.is_none(),
        PropertyOfParts::Opacity { .. } | PropertyOfParts::Throughout { .. } | PropertyOfParts::InitialFinal { .. } => {
            true
        }
    }
}

impl Localising<'_> {
    /// An exposure of the weaker intruder that a run of the system shows.
    pub(super) fn weaker(
        &mut self,
        small: &Small,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<(Automaton, Finding)>, Stop> {
        let (observer, projection) = self.observer();
        let kept = marks(&small.kept, self.n_parts());
        let free = self.free(&kept, (observer, projection));
        if free.len().saturating_mul(small.automaton.n_states()) > Tuning::FREE_MOVES {
            return Ok(None);
        }
        let bytes = small.bytes_with_free(free.len());
        if bytes > monitor.memory_left() {
            return Ok(None);
        }
        monitor.hold(bytes)?;
        let found = self.with_free(small, &kept, free, monitor);
        monitor.release(bytes);
        found
    }

    /// An exposure if these events happen freely.
    fn with_free(
        &mut self,
        small: &Small,
        kept: &[bool],
        free: Vec<EventId>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<(Automaton, Finding)>, Stop> {
        let asked = self.asked;
        let Some(run) = self.run_with_free(small, &free, monitor.held()) else { return Ok(None) };
        let wanted: Vec<EventId> = run.into_iter().filter(|&event| asked.sharing.moves(event, kept)).collect();
        let Some(parts) = asked.system.names.composition() else { return Ok(None) };
        let Some(run) = realise(parts, (asked.sharing, kept), &wanted, monitor)? else { return Ok(None) };
        self.look_again(small, kept, free, run, monitor)
    }

    /// The events of a run that exposes, if these happen freely.
    fn run_with_free(&mut self, small: &Small, free: &[EventId], held: u64) -> Option<Vec<EventId>> {
        let Asked { view_id, initial, wanted, .. } = self.asked;
        let bound = SearchBound { horizon: wanted.horizon, initial };
        let (observer, projection) = self.observer();
        let view = View { automaton: &small.with_free(free), observer, projection };
        let query =
            Query { view, view_id, property: &small.property, bound, shortest: None, enough: None, shared: None };
        let found = driver::decide(&query, &self.quiet(held), self.tuning, self.started, self.slice());
        self.pay(&found, small.size() + (free.len() * small.automaton.n_states()) as u64);
        found.witness.map(|witness| witness.run.events)
    }

    /// Events in which no kept part takes part that look like one in which a kept part does, one for each label; under Pw all
    /// anonymous ones, because each may be another agent.
    fn free(&self, kept: &[bool], (observer, projection): (&Observer, Projection)) -> Vec<EventId> {
        let sharing = self.asked.sharing;
        let group = |event: EventId| match observer.observability(event) {
            Observability::Anonymous(group) => Some(group),
            Observability::Silent | Observability::Visible => None,
        };
        let outside = observer.anonymous(None).filter(|&event| !sharing.moves(event, kept));
        match projection {
            Projection::Natural => Vec::new(),
            Projection::Weak => outside.collect(),
            Projection::Strong => {
                let inside = observer.anonymous(None).filter(|&event| sharing.moves(event, kept));
                let mut labels: FxHashSet<GroupId> = inside.filter_map(group).collect();
                outside.filter(|&event| group(event).is_some_and(|group| labels.remove(&group))).collect()
            }
        }
    }

    /// The exposure of a run of the whole system, by the definitions, at the least distance that it shows.
    fn look_again(
        &self,
        small: &Small,
        kept: &[bool],
        mut free: Vec<EventId>,
        run: Vec<EventId>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<(Automaton, Finding)>, Stop> {
        let (observer, projection) = self.observer();
        free.extend(run.iter().copied().filter(|&event| !self.asked.sharing.moves(event, kept)));
        free.sort_unstable();
        free.dedup();
        let automaton = small.with_free(&free);
        let view = View { automaton: &automaton, observer, projection };
        let mut best: Option<Witness> = None;
        let mut length = run.len();
        // From the end: a shorter run, an instant as late as it is exposed.
        while let Some(found) = self.exposed_in(&view, small, &run[..length], monitor)? {
            length = run.len().min(length).saturating_sub(1);
            let distance = |witness: &Witness| witness.observation.len() - witness.at;
            if best.as_ref().is_none_or(|best| distance(&found) <= distance(best)) {
                best = Some(found);
            }
            if length == 0 {
                break;
            }
        }
        let Some(witness) = best else { return Ok(None) };
        let most = (witness.observation.len() - witness.at) as u64;
        let finding = Finding {
            exposure: Exposure::between(self.lower(), Some(most)),
            witness: Some(witness),
            ..Finding::unsearched(self.asked.view_id, small.property.clone())
        };
        Ok(Some((automaton, finding)))
    }

    /// The latest instant at which a run is exposed at its end.
    fn exposed_in(
        &self,
        view: &View<'_>,
        small: &Small,
        events: &[EventId],
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Witness>, Stop> {
        let Some(states) = follow(view.automaton, events) else { return Ok(None) };
        let seen = view.project(events).len();
        let initial = self.asked.initial;
        let instants = if initial { 0..1 } else { 0..seen + 1 };
        for at in instants.rev() {
            let run = Run { states: states.clone(), events: events.to_vec() };
            match witness(view, &small.property, run, at, initial, monitor) {
                Ok(found) => return Ok(Some(found)),
                Err(Refused::Stopped(stop)) => return Err(stop),
                Err(Refused::Wrong(_)) => {}
            }
        }
        Ok(None)
    }

    /// The greatest |β| up to which nothing is exposed, as far as is known from the stronger intruders.
    fn lower(&self) -> Option<u64> {
        self.best.as_ref().and_then(|best| best.exposure.safe())
    }
}
