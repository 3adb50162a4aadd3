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
pub enum Sight {
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
    sights: Vec<Sight>,
    n_groups: u32,
}

impl Observer {
    /// One sight per event.
    pub fn new(sights: Vec<Sight>) -> Observer {
        let groups = sights.iter().filter_map(|sight| match sight {
            Sight::Anonymous(group) => Some(group.0 + 1),
            _ => None,
        });
        Observer { n_groups: groups.max().unwrap_or(0), sights }
    }

    /// How an event appears.
    pub fn sight(&self, event: EventId) -> Sight {
        self.sights[event.index()]
    }

    /// All sights, by event.
    pub fn sights(&self) -> &[Sight] {
        &self.sights
    }

    /// How many groups of anonymous events there are.
    pub fn n_groups(&self) -> usize {
        self.n_groups as usize
    }

    /// Γ, or the part of it in one group.
    pub fn anonymous(&self, group: Option<GroupId>) -> impl Iterator<Item = EventId> + '_ {
        self.sights.iter().enumerate().filter_map(move |(at, sight)| match *sight {
            Sight::Anonymous(of) if group.is_none_or(|group| group == of) => Some(EventId::from_index(at)),
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
pub enum Sign {
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
    pub fn project(&self, string: &[EventId]) -> Vec<Sign> {
        self.signs(string).flatten().collect()
    }

    /// What each event of a string shows; none: nothing.
    pub(crate) fn signs<'s>(&self, string: &'s [EventId]) -> impl Iterator<Item = Option<Sign>> + use<'_, 's> {
        let mut counts: Vec<u32> = vec![0; self.observer.n_groups()];
        let mut numbers: FxHashMap<EventId, u32> = FxHashMap::default();
        string.iter().map(move |&event| match (self.observer.sight(event), self.projection) {
            (Sight::Anonymous(group), Projection::Weak) => {
                let number = *numbers.entry(event).or_insert_with(|| {
                    counts[group.index()] += 1;
                    counts[group.index()]
                });
                Some(Sign::Nth(group, number))
            }
            _ => self.sign(event, &mut []),
        })
    }

    /// What an event shows after the events that have `arrived`, by group; it arrives.
    pub(crate) fn sign(&self, event: EventId, arrived: &mut [Vec<EventId>]) -> Option<Sign> {
        match (self.observer.sight(event), self.projection) {
            (Sight::Silent, _) => None,
            (Sight::Visible, _) | (_, Projection::Natural) => Some(Sign::Event(event)),
            (Sight::Anonymous(group), Projection::Strong) => Some(Sign::Group(group)),
            (Sight::Anonymous(group), Projection::Weak) => {
                let order = &mut arrived[group.index()];
                let at = order.iter().position(|&earlier| earlier == event).unwrap_or_else(|| {
                    order.push(event);
                    order.len() - 1
                });
                Some(Sign::Nth(group, at as u32 + 1))
            }
        }
    }
}
