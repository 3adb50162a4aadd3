//! Lists of numbers in one piece of memory: made fast, dropped at once.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Lists, each kept once, with numbers.
#[derive(Debug, Default)]
pub(crate) struct Lists<T> {
    all: Vec<T>,
    /// Where each list ends.
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl<T: Copy + Eq + Hash> Lists<T> {
    /// No lists.
    pub(crate) fn new() -> Lists<T> {
        Lists { all: Vec::new(), ends: Vec::new(), table: HashTable::new() }
    }

    /// Forgets all, and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
        self.table.clear();
    }

    /// The list of a number.
    pub(crate) fn get(&self, id: u32) -> &[T] {
        list(&self.all, &self.ends, id)
    }

    /// The number of a list, and whether it is new.
    pub(crate) fn intern(&mut self, wanted: &[T]) -> (u32, bool) {
        let Lists { all, ends, table } = self;
        let hash_of = hash(wanted);
        if let Some(&id) = table.find(hash_of, |&id| list(all, ends, id) == wanted) {
            return (id, false);
        }
        let id = ends.len() as u32;
        all.extend_from_slice(wanted);
        ends.push(all.len());
        table.insert_unique(hash_of, id, |&id| hash(list(all, ends, id)));
        (id, true)
    }
}

/// The list of a number, out of all.
pub(crate) fn list<'a, T>(all: &'a [T], ends: &[usize], id: u32) -> &'a [T] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &all[start..ends[id]]
}

/// The hash of anything that is kept once.
pub(super) fn hash<T: Hash + ?Sized>(thing: &T) -> u64 {
    let mut hasher = FxHasher::default();
    thing.hash(&mut hasher);
    hasher.finish()
}
