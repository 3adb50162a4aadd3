//! Why the hypotheses of a composed system fall: by what they say of the parts in question, and by the part that refuses.
//!
//! Candidates that agree on the parts in question are one class; it has fallen when all of its candidates have. Each of its
//! hypotheses lacks every event that would show the label, and each of these events is refused by some part. The reason is a small
//! set of parts, found greedily, of which one refuses in every case; most often it is one part.

use super::composed::{Composed, Key};
use crate::automaton::view::Symbol;
use crate::automaton::{EventId, StateId};
use std::collections::{BTreeMap, BTreeSet};

/// The most parts that are named as a reason.
const REFUSING: usize = 3;

/// The classes of the candidates in one step.
#[derive(Default)]
pub(super) struct Classes {
    kept: BTreeSet<Key>,
    lost: BTreeMap<Key, Losing>,
}

/// What is known of a class that loses candidates.
#[derive(Default)]
pub(super) struct Losing {
    rival: bool,
    enters_avoided: bool,
    refused: BTreeMap<Vec<usize>, Refused>,
    next: BTreeSet<Symbol>,
    instead: BTreeSet<(Local, Symbol)>,
}

/// A part's own transition: the part, source, event of the system, target.
pub(super) type Local = (usize, StateId, EventId, StateId);

/// What the same parts refuse.
#[derive(Default)]
struct Refused {
    events: BTreeSet<EventId>,
    locals: BTreeSet<(usize, StateId)>,
}

/// Classes that fell for one reason.
pub(super) struct Fall {
    pub(super) classes: Vec<Key>,
    pub(super) rival: bool,
    pub(super) enters_avoided: bool,
    pub(super) refusing: Vec<Refusing>,
    /// What could have come next.
    pub(super) next: BTreeSet<Symbol>,
}

/// A part that refuses.
pub(super) struct Refusing {
    pub(super) part: usize,
    /// Where it would be.
    pub(super) locals: BTreeSet<StateId>,
    /// The events that it refuses there.
    pub(super) events: BTreeSet<EventId>,
    /// What it can do there instead, as far as something is seen of it.
    pub(super) instead: BTreeSet<(Local, Symbol)>,
}

impl Fall {
    /// Heap bytes, about.
    pub(super) fn bytes(&self) -> u64 {
        let sets = self.refusing.iter().map(|one| one.locals.len() + one.events.len() + 3 * one.instead.len());
        (64 + 32 * self.classes.len() + 8 * (sets.sum::<usize>() + self.next.len())) as u64
    }
}

impl Classes {
    pub(super) fn keep(&mut self, key: Key) {
        self.kept.insert(key);
    }

    pub(super) fn lose(&mut self, key: Key, rival: bool, enters_avoided: bool) -> &mut Losing {
        let losing = self.lost.entry(key).or_default();
        losing.rival |= rival;
        losing.enters_avoided |= enters_avoided;
        losing
    }

    /// The classes that have fallen, by their reason: those that would have kept the intruder unsure first.
    pub(super) fn fallen(self, composed: &Composed<'_>) -> Vec<Fall> {
        let mut falls: Vec<Fall> = Vec::new();
        for (key, losing) in self.lost {
            if self.kept.contains(&key) {
                continue;
            }
            let fall = losing.fall(key);
            match falls.iter_mut().find(|known| known.is_like(&fall)) {
                Some(known) => known.join(fall),
                None => falls.push(fall),
            }
        }
        for fall in &mut falls {
            fall.refusing.sort_by_key(|one| (!composed.about.contains(&one.part), one.instead.is_empty()));
        }
        falls.sort_by_key(|fall| !fall.rival);
        falls
    }
}

impl Losing {
    /// A hypothesis in this state lacks an event that would show the label.
    pub(super) fn lacks(&mut self, composed: &Composed<'_>, state: StateId, event: EventId) {
        let refusing = composed.refusing(state, event);
        let locals: Vec<(usize, StateId)> =
            refusing.iter().map(|&part| (part, composed.parts.local(state, part))).collect();
        let refused = self.refused.entry(refusing).or_default();
        refused.events.insert(event);
        refused.locals.extend(locals);
    }

    /// It can show another label, by these moves.
    pub(super) fn can(&mut self, sign: Symbol, event: EventId, moves: &[(usize, StateId, StateId)]) {
        self.next.insert(sign);
        self.instead.extend(moves.iter().map(|&(part, source, target)| ((part, source, event, target), sign)));
    }

    fn fall(self, key: Key) -> Fall {
        let refusing = self.refusing();
        Fall { classes: vec![key], rival: self.rival, enters_avoided: self.enters_avoided, refusing, next: self.next }
    }

    /// A few parts of which one refuses in every case: always the one that refuses in most of what is left.
    fn refusing(&self) -> Vec<Refusing> {
        let mut left: Vec<(&Vec<usize>, &Refused)> = self.refused.iter().collect();
        let mut chosen = Vec::new();
        while let Some(part) = most_frequent(&left).filter(|_| chosen.len() < REFUSING) {
            let (told, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(|(parts, _)| parts.contains(&part));
            left = rest;
            let all = told.iter().flat_map(|(_, refused)| &refused.locals);
            let locals: BTreeSet<StateId> = all.filter(|(who, _)| *who == part).map(|&(_, local)| local).collect();
            let own = self.instead.iter().filter(|((who, source, ..), _)| *who == part && locals.contains(source));
            let instead = own.copied().collect();
            let events = told.iter().flat_map(|(_, refused)| refused.events.iter().copied()).collect();
            chosen.push(Refusing { part, locals, events, instead });
        }
        chosen
    }
}

/// The part that refuses the most events in most of the cases.
fn most_frequent(left: &[(&Vec<usize>, &Refused)]) -> Option<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (parts, refused) in left {
        parts.iter().for_each(|&part| *counts.entry(part).or_default() += refused.events.len());
    }
    counts.into_iter().max_by_key(|&(part, count)| (count, std::cmp::Reverse(part))).map(|(part, _)| part)
}

impl Fall {
    fn is_like(&self, other: &Fall) -> bool {
        let parts = |fall: &Fall| fall.refusing.iter().map(|one| one.part).collect::<Vec<_>>();
        (self.rival, self.enters_avoided) == (other.rival, other.enters_avoided) && parts(self) == parts(other)
    }

    fn join(&mut self, other: Fall) {
        self.classes.extend(other.classes);
        self.next.extend(other.next);
        for (one, more) in self.refusing.iter_mut().zip(other.refusing) {
            one.locals.extend(more.locals);
            one.events.extend(more.events);
            one.instead.extend(more.instead);
        }
    }
}
