//! What one intruder sees of the automaton.
//!
//! An [`Observer`] says of each event whether it is seen, unseen, or seen as one of a group of events that look alike. A
//! [`Projection`] says what that means: under P (natural) the groups are ignored; under Pstr (strong) every event of a group
//! shows the group's one label γ; under Pw (weak) it shows γi, i being the order of its first appearance among the events of
//! its group. A [`View`] is an automaton with both.

use super::{Automaton, EventId, id};
use rustc_hash::FxHashMap;
use std::fmt;

id! {
    /// A group of events that look alike.
    GroupId
}

/// How one event appears to an intruder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observability {
    /// Not seen: in Σuo.
    Silent,
    /// Seen as itself: in Σo \ Γ.
    Visible,
    /// Seen, but like every other event of its group: in Γ.
    Anonymous(GroupId),
}

/// How every event appears to one intruder: Σo and Γ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer {
    observabilities: Vec<Observability>,
    n_groups: u32,
}

impl Observer {
    /// One sight per event.
    pub fn new(observabilities: Vec<Observability>) -> Observer {
        let groups = observabilities.iter().filter_map(|observability| match observability {
            Observability::Anonymous(group) => Some(group.0 + 1),
            _ => None,
        });
        Observer { n_groups: groups.max().unwrap_or(0), observabilities }
    }

    /// How an event appears.
    pub fn observability(&self, event: EventId) -> Observability {
        self.observabilities[event.index()]
    }

    /// All sights, by event.
    pub fn observabilities(&self) -> &[Observability] {
        &self.observabilities
    }

    /// How many groups of anonymous events there are.
    pub fn n_groups(&self) -> usize {
        self.n_groups as usize
    }

    /// Γ, or the part of it in one group.
    pub fn anonymous(&self, group: Option<GroupId>) -> impl Iterator<Item = EventId> + '_ {
        self.observabilities.iter().enumerate().filter_map(move |(at, observability)| match *observability {
            Observability::Anonymous(of) if group.is_none_or(|group| group == of) => Some(EventId::from_index(at)),
            _ => None,
        })
    }
}

/// How the events of a group are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Projection {
    /// P: groups are ignored, every observable event shows itself.
    Natural,
    /// Pstr: every event of a group shows the same label.
    Strong,
    /// Pw: an event of a group shows the order of its first appearance.
    Weak,
}

impl Projection {
    /// The word for it in the language.
    pub fn word(self) -> &'static str {
        match self {
            Projection::Natural => "natural",
            Projection::Strong => "strong",
            Projection::Weak => "weak",
        }
    }
}

impl fmt::Display for Projection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What an intruder sees of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// The event itself.
    Event(EventId),
    /// γ: some event of the group.
    Group(GroupId),
    /// γi: the i-th event of the group to appear, i from 1.
    Nth(GroupId, u32),
}

/// An automaton as one intruder sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The automaton.
    pub automaton: &'a Automaton,
    /// How its events appear.
    pub observer: &'a Observer,
    /// How the events of a group are told apart.
    pub projection: Projection,
}

impl View<'_> {
    /// Whether labels depend on the past: weak, and something is anonymous.
    pub fn is_dynamic(&self) -> bool {
        self.projection == Projection::Weak && self.observer.n_groups() > 0
    }

    /// What a string of events shows: P(s), Pstr(s) or Pw(s). Cost: |s|.
    pub fn project(&self, string: &[EventId]) -> Vec<Symbol> {
        self.signs(string).flatten().collect()
    }

    /// What each event of a string shows; none: nothing.
    pub(crate) fn signs<'s>(&self, string: &'s [EventId]) -> impl Iterator<Item = Option<Symbol>> + use<'_, 's> {
        let mut counts: Vec<u32> = vec![0; self.observer.n_groups()];
        let mut numbers: FxHashMap<EventId, u32> = FxHashMap::default();
        string.iter().map(move |&event| match (self.observer.observability(event), self.projection) {
            (Observability::Anonymous(group), Projection::Weak) => {
                let number = *numbers.entry(event).or_insert_with(|| {
                    counts[group.index()] += 1;
                    counts[group.index()]
                });
                Some(Symbol::Nth(group, number))
            }
            _ => self.sign(event, &mut []),
        })
    }

    /// What an event shows after the events that have `arrived`, by group; it arrives.
    pub(crate) fn sign(&self, event: EventId, arrived: &mut [Vec<EventId>]) -> Option<Symbol> {
        match (self.observer.observability(event), self.projection) {
            (Observability::Silent, _) => None,
            (Observability::Visible, _) | (_, Projection::Natural) => Some(Symbol::Event(event)),
            (Observability::Anonymous(group), Projection::Strong) => Some(Symbol::Group(group)),
            (Observability::Anonymous(group), Projection::Weak) => {
                let order = &mut arrived[group.index()];
                let at = order.iter().position(|&earlier| earlier == event).unwrap_or_else(|| {
                    order.push(event);
                    order.len() - 1
                });
                Some(Symbol::Nth(group, at as u32 + 1))
            }
        }
    }
}
