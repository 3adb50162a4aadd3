//! The paper's bounds: how far K can matter, and how large Ĝ can be.
//!
//! Proposition 6.1: beyond K = |X| · 2^|X| (strong) or |X̂| · 2^|X̂| (weak) a larger K changes nothing. |X̂| = |X| · Σ |Γ|!/k!,
//! k from 0 to |Γ|; with several groups of anonymous events the sums multiply. Where agents are named, the agents of one sequence of
//! indices count in place of the events of a group. These numbers soon have more digits than
//! there is paper, so a long one is given as a power.

use crate::automaton::view::{GroupId, View};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Numbers with more digits than this are given as powers.
const DIGITS: u64 = 40;

/// |X|, or |X̂| for a weak view: the states the bound is about, reachable or not.
pub fn size(view: View<'_>) -> BigUint {
    let mut size = BigUint::from(view.automaton.n_states());
    if view.is_dynamic() {
        let groups = (0..view.observer.n_groups()).map(GroupId::from_index);
        let sequences: BTreeMap<usize, GroupId> = groups.map(|group| (view.observer.sequence(group), group)).collect();
        for group in sequences.into_values() {
            size *= arrangements(view.observer.n_numbers(group));
        }
    }
    size
}

/// Σ n!/k! for k from 0 to n: the ways to line up some of n things.
fn arrangements(n: usize) -> BigUint {
    let mut sum = BigUint::from(1u32);
    let mut falling = BigUint::from(1u32);
    for taken in 0..n {
        falling *= n - taken;
        sum += &falling;
    }
    sum
}

/// The bound of proposition 6.1: its digits, or the power `n*2^n` when they are too many.
pub fn bound(view: View<'_>) -> String {
    let size = size(view);
    match u64::try_from(&size) {
        // WHY: n * 2^n has about 0.3 n digits.
        Ok(small) if small <= DIGITS * 10 / 3 => (&size << small).to_string(),
        _ => format!("{size}*2^{size}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_count_the_orders_of_arrival() {
        let counts = [1u32, 2, 5, 16, 65, 326];
        for (n, count) in counts.into_iter().enumerate() {
            assert_eq!(arrangements(n), BigUint::from(count), "{n} events");
        }
    }
}
