//! Which parts take part in each event, and what the event does to each of them.
//!
//! Two events do the same to a part iff both have the same transitions there. The transitions of a part's own event are numbered,
//! equal ones alike, so that this is a comparison of numbers. Cost: linear in the events and transitions of all parts.

use crate::automaton::EventId;
use crate::model::parts::Parts;
use crate::resources::{Monitor, Stop};
use rustc_hash::FxHashMap;

/// A part that takes part in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) part: u32,
    /// Which of the part's own events it is.
    pub(super) local: EventId,
    /// What it does: the number of its transitions, among those of the part.
    pub(super) effect: u32,
}

/// The members of every event.
//
// INVARIANT: the members of event e are `members[rows[e]..rows[e + 1]]`, in the order of their parts.
#[derive(Debug)]
pub(in crate::verify) struct Sharing {
    rows: Vec<u32>,
    members: Vec<Member>,
}

impl Sharing {
    pub(in crate::verify) fn new(
        parts: &dyn Parts,
        n_events: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Sharing, Stop> {
        let mut rows = vec![0u32; n_events + 1];
        for part in 0..parts.n_parts() {
            parts.events(part).iter().for_each(|event| rows[event.index() + 1] += 1);
        }
        for at in 1..rows.len() {
            rows[at] += rows[at - 1];
        }
        let n_members = rows[n_events] as usize;
        monitor.hold((size_of::<Member>() * n_members + 4 * rows.len()) as u64)?;
        let mut next = rows.clone();
        let mut members = vec![Member { part: 0, local: EventId(0), effect: 0 }; n_members];
        for part in 0..parts.n_parts() {
            monitor.spend((1 + parts.automaton(part).n_transitions() + parts.events(part).len()) as u64 / 4)?;
            for ((local, &event), effect) in parts.events(part).iter().enumerate().zip(effects(parts, part)) {
                let slot = &mut next[event.index()];
                members[*slot as usize] = Member { part: part as u32, local: EventId::from_index(local), effect };
                *slot += 1;
            }
        }
        Ok(Sharing { rows, members })
    }

    pub(super) fn n_events(&self) -> usize {
        self.rows.len() - 1
    }

    /// The parts that take part in an event.
    pub(super) fn of(&self, event: EventId) -> &[Member] {
        &self.members[self.rows[event.index()] as usize..self.rows[event.index() + 1] as usize]
    }

    /// The parts outside a set that take part in an event, with what it does to each.
    pub(super) fn outside<'s>(
        &'s self,
        event: EventId,
        kept: &'s [bool],
    ) -> impl Iterator<Item = (u32, u32)> + Clone + 's {
        let members = self.of(event).iter().filter(|member| !kept[member.part as usize]);
        members.map(|member| (member.part, member.effect))
    }

    /// Whether a part of a set takes part in an event.
    pub(super) fn moves(&self, event: EventId, kept: &[bool]) -> bool {
        self.of(event).iter().any(|member| kept[member.part as usize])
    }

    /// The parts outside a set to which two events do different things, in order; at most `most` and one.
    pub(super) fn told_apart_by(&self, events: [EventId; 2], kept: &[bool], most: usize) -> Vec<usize> {
        let [left, right] = events.map(|event| self.of(event));
        let (mut at, mut other, mut apart) = (0, 0, Vec::new());
        while (at < left.len() || other < right.len()) && apart.len() <= most {
            let (one, two) = (left.get(at), right.get(other));
            let first = one.map_or(u32::MAX, |one| one.part).min(two.map_or(u32::MAX, |two| two.part));
            let here =
                |member: Option<&Member>| member.filter(|member| member.part == first).map(|member| member.effect);
            if here(one) != here(two) && !kept[first as usize] {
                apart.push(first as usize);
            }
            at += usize::from(here(one).is_some());
            other += usize::from(here(two).is_some());
        }
        apart
    }
}

/// For each own event of a part the number of its transitions, equal ones alike.
fn effects(parts: &dyn Parts, part: usize) -> Vec<u32> {
    let automaton = parts.automaton(part);
    let mut moves: Vec<(u32, u32, u32)> =
        automaton.transitions().map(|(_, source, step)| (step.event.0, source.0, step.target.0)).collect();
    moves.sort_unstable();
    let mut numbers: FxHashMap<Vec<(u32, u32)>, u32> = FxHashMap::default();
    let mut effects = vec![0; automaton.n_events()];
    let mut ends: Vec<(u32, u32)> = Vec::new();
    // The effect 0 is that of an event without transitions.
    for same in moves.chunk_by(|one, other| one.0 == other.0) {
        ends.clear();
        ends.extend(same.iter().map(|&(_, source, target)| (source, target)));
        let next = numbers.len() as u32 + 1;
        let number = match numbers.get(&ends) {
            Some(&number) => number,
            None => {
                numbers.insert(ends.clone(), next);
                next
            }
        };
        effects[same[0].0 as usize] = number;
    }
    effects
}
