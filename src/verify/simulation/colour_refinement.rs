//! A guess at which states behave alike and stay apart: hashes of what can be seen from each, a few steps deep, and which states hang
//! together.
//!
//! States with the same behaviour to that depth and the same multiplicities have the same hue. Runs in *parts* of the automaton that no
//! move connects never meet. Both only order guesses, so collisions cost time and never correctness. Cost: |δ| for each step of depth.

use crate::automaton::parts::Parts;
use std::sync::OnceLock;

/// One hash per state, and the part it lies in.
//
// INVARIANT: states of one hue stand side by side in `order`.
#[derive(Debug)]
pub(crate) struct Hues {
    hues: Vec<u64>,
    /// The first state of the part that each lies in.
    parts: Vec<u32>,
    /// The states in the order of their hues, once asked for.
    order: OnceLock<Vec<u32>>,
}

impl Hues {
    /// Looks this deep from every state.
    ///
    /// `visit` shows the moves of a state to a listener: label and target.
    pub(crate) fn new(n_states: usize, depth: usize, visit: impl Fn(u32, &mut dyn FnMut(u32, u32))) -> Hues {
        let mut hues = vec![1u64; n_states];
        for _ in 0..depth {
            let next = |state: u32| {
                let mut sum = 7u64;
                visit(state, &mut |label, target| {
                    sum = sum.wrapping_add(mix(hues[target as usize] ^ mix(u64::from(label) + 1)));
                });
                mix(sum)
            };
            hues = (0..n_states as u32).map(next).collect();
        }
        let mut parts = Parts::new(n_states);
        (0..n_states as u32).for_each(|state| visit(state, &mut |_, target| parts.join(state, target)));
        let parts = parts.firsts();
        Hues { hues, parts, order: OnceLock::new() }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        16 * self.hues.len() as u64
    }

    /// How deep it pays to look.
    pub(crate) fn depth(n_states: usize) -> usize {
        if n_states > 50_000 { 4 } else { 8 }
    }

    /// Whether two states look alike.
    pub(crate) fn alike(&self, one: u32, other: u32) -> bool {
        self.hues[one as usize] == self.hues[other as usize]
    }

    /// Whether no move connects the parts that two states lie in.
    pub(crate) fn parted(&self, one: u32, other: u32) -> bool {
        self.parts[one as usize] != self.parts[other as usize]
    }
}

impl Hues {
    /// The states that look like this one, itself among them.
    pub(crate) fn bucket(&self, state: u32) -> &[u32] {
        let order = self.order.get_or_init(|| {
            let mut order: Vec<u32> = (0..self.hues.len() as u32).collect();
            order.sort_by_key(|&state| self.hues[state as usize]);
            order
        });
        let hue = self.hues[state as usize];
        let start = order.partition_point(|&other| self.hues[other as usize] < hue);
        let end = order.partition_point(|&other| self.hues[other as usize] <= hue);
        &order[start..end]
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
