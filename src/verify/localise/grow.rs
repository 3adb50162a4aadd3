//! From a counterexample to the parts to keep next.
//!
//! The stronger intruder tells two events apart that show the real one the same, because some parts outside do different things
//! in them. Of the events of the exposing run, those parts are candidates, fewest first. After them come parts outside that have an
//! event with a label of the run: kept, it is an act that may have been somebody else's. Sets of parts wait in the order of the
//! ranks of the choices that lead to them, then of their size: the first choice is followed down before the second one is tried.

use super::sharing::Sharing;
use crate::automaton::EventId;
use crate::automaton::view::{GroupId, Observability, Observer, Projection};
use crate::resources::{Monitor, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How many candidates one counterexample gives.
const CANDIDATES: usize = 24;

/// How many events of a run are compared with those that should look like them.
const EVENTS: usize = 64;

/// How many candidates a label of the run gives, by events outside.
//
// WHY few: those who look alike are often alike, and then one of them says what all say.
const LOOKALIKES: usize = 2;

/// The most parts that one candidate adds.
const ADDED: usize = 4;

/// Sets of parts that wait to be tried.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    open: BTreeSet<(usize, usize, Vec<usize>)>,
    known: FxHashSet<Vec<usize>>,
}

impl Waiting {
    /// Adds a set, in order, that so many choices lead to.
    pub(super) fn add(&mut self, rank: usize, kept: Vec<usize>) {
        if self.known.insert(kept.clone()) {
            self.open.insert((rank, kept.len(), kept));
        }
    }

    /// The next set, and its rank.
    pub(super) fn next(&mut self) -> Option<(usize, Vec<usize>)> {
        self.open.pop_first().map(|(rank, _, kept)| (rank, kept))
    }
}

/// The sets of parts to add, best first, after a run that exposes.
pub(super) fn candidates(
    sharing: &Sharing,
    kept: &[bool],
    (real, projection): (&Observer, Projection),
    run: &[EventId],
    monitor: &mut Monitor<'_>,
) -> Result<Vec<Vec<usize>>, Stop> {
    let label = |event: EventId| match (real.observability(event), projection) {
        (Observability::Anonymous(group), Projection::Strong | Projection::Weak) => Some(Some(group)),
        (Observability::Silent, _) => Some(None),
        _ => None,
    };
    let events = (0..sharing.n_events()).map(EventId::from_index);
    let rivals: Vec<EventId> = events.filter(|&event| label(event).is_some() && sharing.moves(event, kept)).collect();
    let mut seen: FxHashSet<EventId> = FxHashSet::default();
    let mut found: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    let meant = |event: EventId| label(event).is_some() && sharing.moves(event, kept);
    for (place, &event) in run.iter().rev().enumerate().filter(|(_, event)| meant(**event)) {
        if seen.len() >= EVENTS || !seen.insert(event) {
            continue;
        }
        for &rival in rivals.iter().filter(|&&rival| label(rival) == label(event) && rival != event) {
            monitor.spend(1 + sharing.of(rival).len() as u64 / 4)?;
            let apart = sharing.told_apart_by([event, rival], kept, ADDED);
            if !apart.is_empty() && apart.len() <= ADDED {
                found.push((apart.len(), place, apart));
            }
        }
    }
    found.sort();
    let apart = found.into_iter().map(|(_, _, apart)| apart);
    let mut chosen: Vec<Vec<usize>> = Vec::new();
    for more in apart.chain(lookalikes(sharing, kept, &label, run, monitor)?) {
        if chosen.len() < CANDIDATES && !chosen.contains(&more) {
            chosen.push(more);
        }
    }
    Ok(chosen)
}

/// The parts of events outside that show a label of the run.
fn lookalikes(
    sharing: &Sharing,
    kept: &[bool],
    label: &dyn Fn(EventId) -> Option<Option<GroupId>>,
    run: &[EventId],
    monitor: &mut Monitor<'_>,
) -> Result<Vec<Vec<usize>>, Stop> {
    let shown = run.iter().filter(|&&event| sharing.moves(event, kept)).filter_map(|&event| label(event)?);
    let mut found: FxHashMap<GroupId, Vec<Vec<usize>>> = shown.map(|group| (group, Vec::new())).collect();
    monitor.spend(1 + sharing.n_events() as u64 / 4)?;
    for event in (0..sharing.n_events()).map(EventId::from_index).filter(|&event| !sharing.moves(event, kept)) {
        let Some(group) = label(event).flatten() else { continue };
        let Some(known) = found.get_mut(&group).filter(|known| known.len() < LOOKALIKES) else { continue };
        let parts: Vec<usize> = sharing.of(event).iter().map(|member| member.part as usize).collect();
        if (1..=ADDED).contains(&parts.len()) && !known.contains(&parts) {
            known.push(parts);
        }
    }
    let mut all: Vec<Vec<usize>> = found.into_values().flatten().collect();
    all.sort_by_key(|parts| (parts.len(), parts.clone()));
    Ok(all)
}
