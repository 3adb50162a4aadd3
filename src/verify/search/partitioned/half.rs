//! One worker's share of a subset construction: the sets that are its own, in the order of levels.

use super::exchange::Exchange;
use crate::verify::engine::tuning::Tuning;
use crate::verify::search::two_way::Observer;
use crate::verify::sets::{Id, Set, SetId, SetInterner, vec_bytes};
use crate::verify::views::belief_system::{BeliefSystem, LabelId, Successors};
use crate::verify::views::static_view::StaticView;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A set, by its owner and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) worker: u32,
    pub(super) set: SetId,
}

/// How a set was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) place: Place,
    pub(super) label: LabelId,
}

/// The sets of one worker.
//
// INVARIANT: `starts` is where each level begins; the levels of sets never decrease.
pub(super) struct Half<S> {
    pub(super) view: StaticView<S>,
    pub(super) sets: SetInterner<S>,
    /// None: the start.
    origins: Vec<Option<Origin>>,
    pub(super) starts: Vec<usize>,
    /// Sets before this one were expanded.
    pub(super) next: usize,
    /// Where the level that is being expanded ends.
    pub(super) end: usize,
    /// Members of all sets.
    pub(super) members: u64,
    /// Work done so far.
    pub(super) work: u64,
}

/// The owner of a set among some workers.
pub(super) fn owner<S: Set>(set: &S, workers: usize) -> usize {
    let mut hasher = FxHasher::default();
    set.hash(&mut hasher);
    mix(hasher.finish()) as usize % workers
}

/// A number that has nothing to do with what the tables of a worker use of a hash.
pub(super) fn mix(hash: u64) -> u64 {
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

impl<S: Set> Half<S> {
    /// No sets.
    pub(super) fn new(view: StaticView<S>) -> Half<S> {
        let sets = SetInterner::new(view.n_states());
        Half { view, sets, origins: Vec::new(), starts: Vec::new(), next: 0, end: 0, members: 0, work: 0 }
    }

    /// Adds a set of the level after the one that is being expanded, if it is new.
    pub(super) fn admit(&mut self, set: S, origin: Option<Origin>) {
        let len = set.len() as u64;
        if self.sets.intern(set).index() == self.origins.len() {
            self.origins.push(origin);
            self.members += len;
        }
        self.work += Tuning::OBSERVER_SET_WORK;
    }

    /// How many sets of the level are not expanded.
    pub(super) fn left(&self) -> usize {
        self.end - self.next
    }

    /// How many sets of the next level there are.
    pub(super) fn new_sets(&self) -> usize {
        self.sets.len() - self.end
    }

    /// Begins the next level.
    pub(super) fn begin_level(&mut self) {
        self.starts.push(self.end);
        self.end = self.sets.len();
    }

    /// The first set of a level.
    pub(super) fn start(&self, level: u32) -> usize {
        self.starts.get(level as usize).copied().unwrap_or(self.sets.len())
    }

    /// The level of a set.
    pub(super) fn level(&self, set: usize) -> u32 {
        let begun = self.starts.partition_point(|&start| start <= set) as u32;
        if set < self.end { begun.saturating_sub(1) } else { begun }
    }

    /// Expands the next set: its successors go to their owners.
    pub(super) fn expand(&mut self, exchange: &mut Exchange) {
        let at = SetId::from_index(self.next);
        self.next += 1;
        let posts = self.view.post_actuals(self.sets.get(at));
        self.work += self.view.post_work(self.sets.summary(at).len);
        for Successors { label, targets, .. } in posts {
            let to = owner(&targets, exchange.workers());
            if to == exchange.index() {
                let place = Place { worker: to as u32, set: at };
                self.admit(targets, Some(Origin { place, label }));
            } else {
                exchange.send(to, |words| write_record(words, [at.0, label.0], &targets));
            }
        }
    }

    /// How a set was reached; none: it is the start.
    pub(super) fn origin(&self, set: SetId) -> Option<Origin> {
        self.origins.get(set.index()).copied().flatten()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.sets.bytes() + self.view.bytes() + vec_bytes(&self.origins) + vec_bytes(&self.starts)
    }
}

/// Hands the sets that one observer has found to their owners, so many of them expanded.
pub(super) fn hand_over<S: Set>(from: Observer<S>, workers: usize, expanded: usize) -> Vec<Half<S>> {
    let levels = from.levels();
    let level = levels.get(expanded).or(levels.last()).copied().unwrap_or(0);
    let mut halves: Vec<Half<S>> = (0..workers).map(|_| Half::new(from.view.fresh())).collect();
    let mut places: Vec<Place> = Vec::with_capacity(levels.len());
    for (at, set) in from.sets.iter().enumerate() {
        let worker = owner(set, workers);
        let half = &mut halves[worker];
        while half.starts.len() <= levels[at] {
            half.starts.push(half.sets.len());
        }
        places.push(Place { worker: worker as u32, set: SetId::from_index(half.sets.len()) });
        let origin = from.origin(SetId::from_index(at));
        half.admit(set.clone(), origin.map(|(parent, label)| Origin { place: places[parent.index()], label }));
        half.next += usize::from(at < expanded);
        half.end += usize::from(levels[at] <= level);
    }
    for half in &mut halves {
        half.starts.resize(level + 1, half.end);
    }
    halves
}

/// How many of the first sets each worker owns.
pub(super) fn owned<S: Set>(from: &Observer<S>, workers: usize, first: usize) -> Vec<usize> {
    let mut owned = vec![0; workers];
    from.sets.iter().take(first).for_each(|set| owned[owner(set, workers)] += 1);
    owned
}

/// Writes a record: two words, the length of the set, and the set.
pub(super) fn write_record<S: Set>(words: &mut Vec<u32>, head: [u32; 2], set: &S) {
    words.extend(head);
    let at = words.len();
    words.push(0);
    set.write(words);
    words[at] = (words.len() - at - 1) as u32;
}

/// Reads the records of a parcel.
pub(super) fn read_records<S: Set>(mut words: &[u32], mut read: impl FnMut([u32; 2], S)) {
    while let [first, second, len, rest @ ..] = words {
        let Some((set, after)) = rest.split_at_checked(*len as usize) else { return };
        read([*first, *second], S::read(set));
        words = after;
    }
}
