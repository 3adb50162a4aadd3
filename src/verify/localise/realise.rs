//! From events that the kept parts should do to a run of the whole system that does them.
//!
//! Given the string of its events, a run is possible iff every part can do its own events of it: parts choose their local states
//! independently. So a run is followed with one set of local states for each part, and no product is built, however many initial
//! states there are.
//! Method: the wanted events happen in order. An event that some part refuses waits: that part is led, on a shortest local way, to
//! a state that allows it, event by event, each made to happen in the same manner. On the way kept parts do wanted events only.
//! This may fail where a run exists: then nothing is claimed.

use super::sharing::Sharing;
use crate::automaton::{EventId, StateId};
use crate::model::parts::Parts;
use crate::resources::{Monitor, Stop};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// How many events of other parts may be needed for one, each for the next.
const DEPTH: usize = 64;

/// How many ways are tried for one event.
const WAYS: usize = 4;

/// How many events a run may have.
const LONGEST: usize = 4096;

/// A run of the whole system that does these events of the kept parts, as far as it could be led there. None: it could not.
pub(super) fn realise(
    parts: &dyn Parts,
    (sharing, kept): (&Sharing, &[bool]),
    wanted: &[EventId],
    monitor: &mut Monitor<'_>,
) -> Result<Option<Vec<EventId>>, Stop> {
    let initial = (0..parts.n_parts()).map(|part| parts.automaton(part).initial().to_vec());
    let mut leader = Leader {
        parts,
        sharing,
        kept,
        places: initial.collect(),
        remaining: wanted.to_vec(),
        run: Vec::new(),
        undo: Vec::new(),
        monitor,
    };
    while let Some(&next) = leader.remaining.first() {
        if !leader.achieve(next, 0)? {
            return Ok(None);
        }
    }
    Ok(Some(leader.run))
}

/// Where the parts of an event were before it, and its place among the wanted events, if it was one.
type Undo = (Vec<(u32, Vec<StateId>)>, Option<usize>);

struct Leader<'a, 'm> {
    parts: &'a dyn Parts,
    sharing: &'a Sharing,
    kept: &'a [bool],
    /// Where each part may be after its events of the run.
    places: Vec<Vec<StateId>>,
    /// The wanted events that have not happened.
    remaining: Vec<EventId>,
    run: Vec<EventId>,
    /// For each event of the run what it changed.
    undo: Vec<Undo>,
    monitor: &'a mut Monitor<'m>,
}

impl Leader<'_, '_> {
    /// Makes an event happen; if it cannot, nothing has.
    fn achieve(&mut self, event: EventId, depth: usize) -> Result<bool, Stop> {
        let begun = self.run.len();
        let mut refused: FxHashSet<EventId> = FxHashSet::default();
        while !self.fire(event)? {
            let helper = if depth < DEPTH && self.run.len() < LONGEST { self.helper(event, &refused)? } else { None };
            let Some(helper) = helper else {
                self.back_to(begun);
                return Ok(false);
            };
            if !self.achieve(helper, depth + 1)? {
                refused.insert(helper);
                if refused.len() > WAYS {
                    self.back_to(begun);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Does an event, if every part can.
    fn fire(&mut self, event: EventId) -> Result<bool, Stop> {
        let members = self.sharing.of(event);
        self.monitor.spend(1 + members.len() as u64)?;
        let mut next = Vec::with_capacity(members.len());
        for member in members {
            let automaton = self.parts.automaton(member.part as usize);
            let here = &self.places[member.part as usize];
            let steps = here.iter().flat_map(|&state| automaton.successors(state, member.local));
            let mut there: Vec<StateId> = steps.map(|step| step.target).collect();
            if there.is_empty() {
                return Ok(false);
            }
            there.sort_unstable();
            there.dedup();
            next.push((member.part, there));
        }
        for (part, there) in &mut next {
            std::mem::swap(&mut self.places[*part as usize], there);
        }
        let wanted = self.remaining.iter().position(|&other| other == event);
        if let Some(at) = wanted {
            self.remaining.remove(at);
        }
        self.run.push(event);
        self.undo.push((next, wanted));
        Ok(true)
    }

    fn back_to(&mut self, length: usize) {
        while self.run.len() > length {
            let (Some(event), Some((before, wanted))) = (self.run.pop(), self.undo.pop()) else { return };
            for (part, there) in before {
                self.places[part as usize] = there;
            }
            if let Some(at) = wanted {
                self.remaining.insert(at, event);
            }
        }
    }

    /// The next event on a way on which a part that refuses an event comes to allow it.
    fn helper(&mut self, event: EventId, refused: &FxHashSet<EventId>) -> Result<Option<EventId>, Stop> {
        for member in self.sharing.of(event) {
            let part = member.part as usize;
            let automaton = self.parts.automaton(part);
            let can = |state: StateId| !automaton.successors(state, member.local).is_empty();
            if self.places[part].iter().any(|&state| can(state)) {
                continue;
            }
            return self.way(part, &can, refused);
        }
        Ok(None)
    }

    /// The first event of a shortest local way of a part to a state.
    fn way(
        &mut self,
        part: usize,
        is_goal: &dyn Fn(StateId) -> bool,
        refused: &FxHashSet<EventId>,
    ) -> Result<Option<EventId>, Stop> {
        let (automaton, events) = (self.parts.automaton(part), self.parts.events(part));
        let mut seen: FxHashSet<StateId> = self.places[part].iter().copied().collect();
        let mut queue: VecDeque<(StateId, Option<EventId>)> =
            self.places[part].iter().map(|&state| (state, None)).collect();
        while let Some((state, first)) = queue.pop_front() {
            let steps = automaton.steps(state);
            self.monitor.spend(1 + steps.len() as u64)?;
            for step in steps {
                let event = events[step.event.index()];
                let is_allowed = !self.sharing.moves(event, self.kept) || self.remaining.contains(&event);
                if !is_allowed || (first.is_none() && refused.contains(&event)) || !seen.insert(step.target) {
                    continue;
                }
                let first = first.or(Some(event));
                if is_goal(step.target) {
                    return Ok(first);
                }
                queue.push_back((step.target, first));
            }
        }
        Ok(None)
    }
}
