//! Things of any kind, each kept once, with numbers from 0 in the order in which they came.

use super::lists::hash;
use hashbrown::HashTable;
use std::hash::Hash;
use std::ops::Index;

/// Things, each kept once, with numbers.
#[derive(Debug)]
pub(crate) struct Kept<T> {
    things: Vec<T>,
    table: HashTable<u32>,
}

impl<T: Eq + Hash> Kept<T> {
    /// Nothing kept.
    pub(crate) fn new() -> Kept<T> {
        Kept { things: Vec::new(), table: HashTable::new() }
    }

    /// The number of a thing, and whether it is new.
    pub(crate) fn intern(&mut self, wanted: T) -> (u32, bool) {
        let Kept { things, table } = self;
        let hash_of = hash(&wanted);
        if let Some(&id) = table.find(hash_of, |&id| things[id as usize] == wanted) {
            return (id, false);
        }
        let id = things.len() as u32;
        things.push(wanted);
        table.insert_unique(hash_of, id, |&id| hash(&things[id as usize]));
        (id, true)
    }

    /// The thing with a number, if there is one.
    pub(crate) fn get(&self, id: u32) -> Option<&T> {
        self.things.get(id as usize)
    }
}

impl<T> Index<u32> for Kept<T> {
    type Output = T;

    fn index(&self, id: u32) -> &T {
        &self.things[id as usize]
    }
}
