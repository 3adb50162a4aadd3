//! From an observer to the role of each event, and to the anonymous events that each state can still reach.

use crate::automaton::Automaton;
use crate::automaton::view::{Observability, View};
use crate::verify::sets::vec_bytes;

/// What the intruder learns from an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Silent,
    Visible,
    /// Anonymous, in this group of at least two.
    Anonymous(u32),
}

/// The role of each event. A group of one event hides nothing.
pub(super) fn roles(view: &View<'_>) -> Vec<Role> {
    let mut sizes = vec![0u32; view.observer.n_groups()];
    for observability in view.observer.observabilities() {
        if let Observability::Anonymous(group) = observability {
            sizes[group.index()] += 1;
        }
    }
    let role = |observability: &Observability| match *observability {
        Observability::Silent => Role::Silent,
        Observability::Anonymous(group) if sizes[group.index()] > 1 => Role::Anonymous(group.0),
        Observability::Visible | Observability::Anonymous(_) => Role::Visible,
    };
    view.observer.observabilities().iter().map(role).collect()
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
    /// A backward fixpoint. Cost: at most |δ| for each anonymous event.
    pub(super) fn new(automaton: &Automaton, role: &[Role]) -> Reach {
        let stride = automaton.n_events().div_ceil(64).max(1);
        let mut reach = Reach { stride, words: vec![0u64; automaton.n_states() * stride] };
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); automaton.n_states()];
        for (_, source, step) in automaton.transitions() {
            predecessors[step.target.index()].push(source.0);
            if let Role::Anonymous(_) = role[step.event.index()] {
                reach.words[source.index() * stride + step.event.index() / 64] |= 1 << (step.event.0 % 64);
            }
        }
        let mut worklist: Vec<u32> = (0..automaton.n_states() as u32).collect();
        while let Some(state) = worklist.pop() {
            worklist.extend(predecessors[state as usize].iter().filter(|&&source| reach.propagate(state, source)));
        }
        reach
    }

    /// Adds the events of a state to those of its predecessor; whether that is more than before.
    fn propagate(&mut self, state: u32, source: u32) -> bool {
        let mut changed = false;
        for word in 0..self.stride {
            let more =
                self.words[state as usize * self.stride + word] & !self.words[source as usize * self.stride + word];
            self.words[source as usize * self.stride + word] |= more;
            changed |= more != 0;
        }
        changed
    }

    /// Whether a state can still reach an event.
    pub(super) fn has(&self, state: u32, event: u32) -> bool {
        self.words[state as usize * self.stride + event as usize / 64] >> (event % 64) & 1 == 1
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.words)
    }
}
