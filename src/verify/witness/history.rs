//! Which agents a run has used, and which number each of them got: what the weak projection remembers.
//!
//! An agent is denoted by the first of its events; without named agents, every anonymous event is its own agent. A history maps
//! agents to numbers. Histories are persistent binary tries over the bits of an event id, and equal tries are
//! one: a history is a number that is compared and copied in no time, and a further event costs one path, log₂|Σ| nodes.

use crate::automaton::EventId;
use crate::verify::sets::Interner;

/// A history; equal histories of one [`Histories`] have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct HistoryId(u32);

impl HistoryId {
    /// Nothing was used.
    pub(crate) const EMPTY: HistoryId = HistoryId(0);
}

/// The histories of one search, each kept once.
//
// INVARIANT: 0 is the empty trie. Below the last bit stands the number of the event plus one; above it node n is pair n - 1.
#[derive(Debug)]
pub(crate) struct Histories {
    pairs: Interner<[u32; 2]>,
    bits: u32,
}

impl Histories {
    /// No histories yet, over this many events.
    pub(crate) fn new(n_events: usize) -> Histories {
        Histories { pairs: Interner::new(), bits: usize::BITS - n_events.leading_zeros() }
    }

    /// The number of an event; none: it was not used.
    pub(crate) fn get(&self, history: HistoryId, event: EventId) -> Option<u32> {
        let mut node = history.0;
        for bit in (0..self.bits).rev() {
            node = self.children(node)[side(event, bit)];
        }
        node.checked_sub(1)
    }

    /// The same history, with this number for an event.
    pub(crate) fn with(&mut self, history: HistoryId, event: EventId, number: u32) -> HistoryId {
        HistoryId(self.put(history.0, self.bits, event, number))
    }

    fn put(&mut self, node: u32, bits: u32, event: EventId, number: u32) -> u32 {
        let Some(bit) = bits.checked_sub(1) else { return number + 1 };
        let mut pair = self.children(node);
        let child = &mut pair[side(event, bit)];
        *child = self.put(*child, bit, event, number);
        self.pairs.intern(pair).0 + 1
    }

    /// The events of a history with their numbers, in the order of the events.
    pub(crate) fn events(&self, history: HistoryId) -> impl Iterator<Item = (EventId, u32)> + '_ {
        let mut open = vec![(history.0, self.bits, 0)];
        std::iter::from_fn(move || {
            while let Some((node, bits, event)) = open.pop() {
                match bits.checked_sub(1) {
                    _ if node == 0 => {}
                    None => return Some((EventId(event), node - 1)),
                    Some(bit) => {
                        let [low, high] = self.children(node);
                        open.extend([(high, bit, event | 1 << bit), (low, bit, event)]);
                    }
                }
            }
            None
        })
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.pairs.bytes()
    }

    fn children(&self, node: u32) -> [u32; 2] {
        node.checked_sub(1).map_or([0, 0], |pair| self.pairs[pair])
    }
}

fn side(event: EventId, bit: u32) -> usize {
    (event.0 >> bit & 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_in_which_events_came_does_not_count() {
        let mut histories = Histories::new(9);
        let build = |histories: &mut Histories, events: &[(u32, u32)]| {
            let add = |history, &(event, number): &(u32, u32)| histories.with(history, EventId(event), number);
            events.iter().fold(HistoryId::EMPTY, add)
        };
        let one = build(&mut histories, &[(8, 1), (0, 2), (5, 0)]);
        assert_eq!(build(&mut histories, &[(5, 0), (8, 7), (0, 2), (8, 1)]), one);
        assert_ne!(build(&mut histories, &[(5, 0), (8, 1)]), one);
        let listed: Vec<_> = histories.events(one).collect();
        assert_eq!(listed, [(EventId(0), 2), (EventId(5), 0), (EventId(8), 1)]);
        assert_eq!([8, 0, 5, 1].map(|event| histories.get(one, EventId(event))), [Some(1), Some(2), Some(0), None]);
    }
}
