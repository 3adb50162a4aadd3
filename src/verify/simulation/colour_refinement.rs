//! Bounded colour refinement; only orders candidates, never decides.
//!
//! Definition. Colour 0 is the same for all states; colour i + 1 of a state is a hash of the multiset of its moves' labels and
//! colours i of their targets. States of one colour behave alike to that depth, up to collisions. States that no sequence of
//! moves connects, in either direction, are *disconnected*: runs from them never meet.
//!
//! Both are good signs that one state simulates the other and stays in another class. Cost: |δ| for each unit of depth.

use crate::automaton::union_find::UnionFind;
use crate::verify::engine::tuning::Tuning;
use crate::verify::sets::vec_bytes;
use std::sync::OnceLock;

/// The colour of each state, and its connected component.
//
// INVARIANT: states of one colour are contiguous in `order`.
#[derive(Debug)]
pub(crate) struct ColourRefinement {
    colours: Vec<u64>,
    /// The first state of the component of each state.
    components: Vec<u32>,
    /// The states, sorted by colour, once asked for.
    order: OnceLock<Vec<u32>>,
}

impl ColourRefinement {
    /// Colours the states to a depth that suits their number. `visit` calls a function with the label and target of each
    /// move of a state.
    pub(crate) fn new(n_states: usize, visit: impl Fn(u32, &mut dyn FnMut(u32, u32))) -> ColourRefinement {
        let depth = if n_states > Tuning::LARGE_MODEL { Tuning::LARGE_COLOUR_DEPTH } else { Tuning::COLOUR_DEPTH };
        let mut colours = vec![1u64; n_states];
        for _ in 0..depth {
            let next = |state: u32| {
                let mut sum = 7u64;
                visit(state, &mut |label, target| {
                    sum = sum.wrapping_add(mix(colours[target as usize] ^ mix(u64::from(label) + 1)));
                });
                mix(sum)
            };
            colours = (0..n_states as u32).map(next).collect();
        }
        let mut components = UnionFind::new(n_states);
        (0..n_states as u32).for_each(|state| visit(state, &mut |_, target| components.union(state, target)));
        ColourRefinement { colours, components: components.representatives(), order: OnceLock::new() }
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.colours) + vec_bytes(&self.components) + self.order.get().map_or(0, vec_bytes)
    }

    /// Whether two states have the same colour.
    pub(crate) fn same_colour(&self, one: u32, other: u32) -> bool {
        self.colours[one as usize] == self.colours[other as usize]
    }

    /// Whether two states lie in different components.
    pub(crate) fn disconnected(&self, one: u32, other: u32) -> bool {
        self.components[one as usize] != self.components[other as usize]
    }

    /// The states of the same colour as this one, itself included.
    pub(crate) fn colour_class(&self, state: u32) -> &[u32] {
        let order = self.order.get_or_init(|| {
            let mut order: Vec<u32> = (0..self.colours.len() as u32).collect();
            order.sort_by_key(|&state| self.colours[state as usize]);
            order
        });
        let colour = self.colours[state as usize];
        let start = order.partition_point(|&other| self.colours[other as usize] < colour);
        let end = order.partition_point(|&other| self.colours[other as usize] <= colour);
        &order[start..end]
    }
}

/// The finaliser of splitmix64.
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
