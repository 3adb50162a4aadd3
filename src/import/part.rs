//! What a reader of a foreign format gives: leaf components with ids, names in compact arenas, and places in the file.
//!
//! A [`Part`] is an elaborated component without meaning beyond itself: no names are left to resolve. A [`Foreign`] model is
//! the synchronous composition of its parts (most formats hold one).

use crate::source::{FileId, Span};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::borrow::Cow;
use std::hash::BuildHasher;

/// A model read from a foreign file: the composition of its parts.
//
// INVARIANT: where there are several parts, each has a name, and no two have the same.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// What the file calls it, if it says so.
    pub name: Option<String>,
    /// Its components; at least one.
    pub parts: Vec<Part>,
}

impl Foreign {
    /// Calls each of several parts that has no name by its number: `part2`.
    pub(super) fn name_parts(&mut self) {
        if self.parts.len() == 1 {
            return;
        }
        let mut taken: FxHashSet<String> = self.parts.iter().map(|part| part.name.clone()).collect();
        // WHY kept between parts: every number below it that a later part could take is taken.
        let mut number = 1;
        for (at, part) in self.parts.iter_mut().enumerate().filter(|(_, part)| part.name.is_empty()) {
            number = number.max(at + 1);
            while !taken.insert(format!("part{number}")) {
                number += 1;
            }
            part.name = format!("part{number}");
        }
    }
}

/// One leaf component: states, events and transitions by id.
//
// INVARIANT: ids in `initial`, `secret` and `transitions` are below `states.len()` and `events.len()`.
// INVARIANT: `facts.len() == events.len()`; `state_places` is empty or has one entry per state.
#[derive(Clone, Debug)]
pub struct Part {
    /// What the file calls it; may be empty.
    pub name: String,
    /// The file it was read from.
    pub file: FileId,
    /// The names of the states, by id.
    pub states: Names,
    /// Where each state is written, by id; empty for formats that only count them.
    pub state_places: Vec<Place>,
    /// The names of the events, by id.
    pub events: Names,
    /// What the file says about each event, by id.
    pub facts: Vec<EventFacts>,
    /// X0; empty: the file does not say it, and it must be said from outside.
    pub initial: Vec<u32>,
    /// Where the file says X0, or else where it begins the part.
    pub initial_place: Place,
    /// The secret states, if the format has a word for them.
    pub secret: Option<Vec<u32>>,
    /// The transitions, in the order of the file.
    pub transitions: Vec<Transition>,
    /// What the file says and `.des` has no word for, one sentence each: "marked states: 1, 2".
    pub notes: Vec<String>,
}

/// A transition, by ids, and where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state it leaves.
    pub source: u32,
    /// Its event.
    pub event: u32,
    /// The state it leads to.
    pub target: u32,
    /// Where it is written.
    pub place: Place,
}

/// Bytes `start..end` of the file of a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Place {
    /// The bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Place {
        Place { start: start as u32, end: end as u32 }
    }

    /// The place as a span of a file.
    pub fn span(self, file: FileId) -> Span {
        Span::new(file, self.start, self.end)
    }
}

/// What a file says about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EventFacts {
    /// Whether it is observable; none: the file does not say.
    pub observable: Option<bool>,
    /// Whether it is in Γ.
    pub anonymous: bool,
    /// Where the file first names it (or says whether it is observable).
    pub place: Place,
}

impl Part {
    /// A part of a file with nothing in it yet.
    pub fn new(file: FileId, name: impl Into<String>) -> Part {
        Part {
            name: name.into(),
            file,
            states: Names::new(),
            state_places: Vec::new(),
            events: Names::new(),
            facts: Vec::new(),
            initial: Vec::new(),
            initial_place: Place::default(),
            secret: None,
            transitions: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The id of an event; it is added when it is new.
    pub fn event(&mut self, name: &str, place: Place) -> u32 {
        let (id, new) = self.events.insert(name);
        if new {
            self.facts.push(EventFacts { place, ..EventFacts::default() });
        }
        id
    }

    /// The id of a state; it is added when it is new.
    pub fn state(&mut self, name: &str, place: Place) -> u32 {
        let (id, new) = self.states.insert(name);
        if new {
            self.state_places.push(place);
        }
        id
    }

    /// Notes what `.des` has no word for: the names of these ids, as far as they fit on a line.
    pub(super) fn note(&mut self, what: &str, ids: &[u32], names: fn(&Part) -> &Names) {
        if ids.is_empty() {
            return;
        }
        let shown: Vec<String> = ids.iter().take(12).map(|&id| names(self).get(id).into_owned()).collect();
        let rest = if ids.len() > 12 { format!(" and {} more", ids.len() - 12) } else { String::new() };
        self.notes.push(format!("{what}: {}{rest}", shown.join(", ")));
    }

    /// Where a state is written, if the format names states at all.
    pub fn state_span(&self, state: u32) -> Option<Span> {
        self.state_places.get(state as usize).map(|place| place.span(self.file))
    }

    /// Where an event is first named.
    pub fn event_span(&self, event: u32) -> Span {
        self.facts[event as usize].place.span(self.file)
    }
}

/// Names under ids `0, 1, ...`: one text for all of them, or just a count when they are the numbers themselves.
#[derive(Clone, Debug, Default)]
pub struct Names {
    numbers: u32,
    text: String,
    ends: Vec<u32>,
    ids: HashTable<Entry>,
}

/// An id and half of its name's hash: a table that grows, and most comparisons, need not read the names.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    id: u32,
}

impl Entry {
    /// What the table sorts by: both halves depend on all bits of `hash`.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

//
// INVARIANT: `numbers == 0` or the other fields are empty.
impl Names {
    /// No names.
    pub fn new() -> Names {
        Names::default()
    }

    /// The names `0`, `1`, ..., up to `count - 1`.
    pub fn numbers(count: u32) -> Names {
        Names { numbers: count, ..Names::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.numbers as usize + self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of an id.
    pub fn get(&self, id: u32) -> Cow<'_, str> {
        if self.numbers > 0 { Cow::Owned(id.to_string()) } else { Cow::Borrowed(stored(&self.text, &self.ends, id)) }
    }

    /// The id of a name.
    pub fn find(&self, name: &str) -> Option<u32> {
        if self.numbers > 0 {
            let id: u32 = name.parse().ok()?;
            return (id < self.numbers && id.to_string() == name).then_some(id);
        }
        self.known(name, hash(name))
    }

    fn known(&self, name: &str, hash: u32) -> Option<u32> {
        let is = |entry: &Entry| entry.hash == hash && stored(&self.text, &self.ends, entry.id) == name;
        self.ids.find(Entry::spread(hash), is).map(|entry| entry.id)
    }

    /// The id of a name, and whether it is new. A list of plain numbers becomes a list of texts.
    pub fn insert(&mut self, name: &str) -> (u32, bool) {
        if self.numbers > 0 {
            let count = std::mem::take(&mut self.numbers);
            (0..count).for_each(|id| {
                self.insert(&id.to_string());
            });
        }
        let hash = hash(name);
        if let Some(id) = self.known(name, hash) {
            return (id, false);
        }
        let id = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.ids.insert_unique(Entry::spread(hash), Entry { hash, id }, |entry| Entry::spread(entry.hash));
        (id, true)
    }

    /// All names, in order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cow<'_, str>> + '_ {
        (0..self.len()).map(|id| self.get(id as u32))
    }
}

fn hash(name: &str) -> u32 {
    FxBuildHasher.hash_one(name) as u32
}

fn stored<'a>(text: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] as usize };
    &text[start..ends[id as usize] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_under_the_ids_they_were_given() {
        let mut names = Names::new();
        for at in 0..1000 {
            assert_eq!(names.insert(&format!("s{at}")), (at, true));
        }
        assert_eq!(names.insert("s500"), (500, false));
        assert_eq!(names.find("s999"), Some(999));
        assert_eq!(names.find("s1000"), None);
        assert_eq!(names.get(0), "s0");
    }

    #[test]
    fn numbers_need_no_text_until_another_name_comes() {
        let mut names = Names::numbers(12);
        assert_eq!((names.get(11).into_owned(), names.find("11"), names.find("12")), ("11".to_owned(), Some(11), None));
        assert_eq!(names.find("011"), None);
        assert_eq!(names.insert("3"), (3, false));
        assert_eq!(names.insert("x"), (12, true));
        assert_eq!((names.len(), names.find("11")), (13, Some(11)));
    }
}
