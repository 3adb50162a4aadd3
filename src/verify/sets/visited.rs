//! A set of visited ids that is emptied in constant time.

use super::id::Id;
use super::memory::vec_bytes;

/// Which ids were visited since the last [`clear`](VisitedSet::clear).
//
// INVARIANT: an id was visited iff its stamp is `now`.
#[derive(Debug)]
pub(crate) struct VisitedSet {
    stamps: Vec<u32>,
    now: u32,
}

impl VisitedSet {
    /// No id below `n` visited, once it was cleared.
    pub(crate) fn new(n: usize) -> VisitedSet {
        VisitedSet { stamps: vec![0; n], now: 0 }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.now = self.now.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
    }

    /// Visits an id; whether for the first time.
    pub(crate) fn insert<I: Id>(&mut self, id: I) -> bool {
        let stamp = &mut self.stamps[id.index()];
        let new = *stamp != self.now;
        *stamp = self.now;
        new
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.stamps)
    }
}
