//! How each event is seen, and which anonymous events each state can still reach.

use crate::automaton::Automaton;
use crate::automaton::view::{Sight, View};

/// How an event is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Silent,
    Visible,
    /// Anonymous, in this group of at least two.
    Hidden(u32),
}

/// How each event is seen. A group of one event hides nothing.
pub(super) fn roles(view: &View<'_>) -> Vec<Role> {
    let mut sizes = vec![0u32; view.observer.n_groups()];
    for sight in view.observer.sights() {
        if let Sight::Anonymous(group) = sight {
            sizes[group.index()] += 1;
        }
    }
    let role = |sight: &Sight| match *sight {
        Sight::Silent => Role::Silent,
        Sight::Anonymous(group) if sizes[group.index()] > 1 => Role::Hidden(group.0),
        Sight::Visible | Sight::Anonymous(_) => Role::Visible,
    };
    view.observer.sights().iter().map(role).collect()
}

/// Which anonymous events each state can still reach.
//
// INVARIANT: the events of state `s` are the bits of `words[s * stride..(s + 1) * stride]`.
#[derive(Debug)]
pub(super) struct Reach {
    stride: usize,
    words: Vec<u64>,
}

impl Reach {
    /// Passes the events backwards until nothing changes.
    pub(super) fn new(automaton: &Automaton, role: &[Role]) -> Reach {
        let stride = automaton.n_events().div_ceil(64).max(1);
        let mut reach = Reach { stride, words: vec![0u64; automaton.n_states() * stride] };
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); automaton.n_states()];
        for (_, source, step) in automaton.transitions() {
            before[step.target.index()].push(source.0);
            if let Role::Hidden(_) = role[step.event.index()] {
                reach.words[source.index() * stride + step.event.index() / 64] |= 1 << (step.event.0 % 64);
            }
        }
        let mut todo: Vec<u32> = (0..automaton.n_states() as u32).collect();
        while let Some(state) = todo.pop() {
            todo.extend(before[state as usize].iter().filter(|&&source| reach.pass(state, source)));
        }
        reach
    }

    /// Gives a state what the one after it can reach; whether that was more than it had.
    fn pass(&mut self, state: u32, source: u32) -> bool {
        let mut grown = false;
        for word in 0..self.stride {
            let more =
                self.words[state as usize * self.stride + word] & !self.words[source as usize * self.stride + word];
            self.words[source as usize * self.stride + word] |= more;
            grown |= more != 0;
        }
        grown
    }

    /// Whether a state can still reach an event.
    pub(super) fn has(&self, state: u32, event: u32) -> bool {
        self.words[state as usize * self.stride + event as usize / 64] >> (event % 64) & 1 == 1
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }
}
