//! The paper's bound on K (Proposition 5.1): beyond |X| · 2^|X| steps (weak: |X̂| · 2^|X̂|) nothing can change.
//!
//! |X̂| = |X| · Σ over k of |Γ|!/k!: each state with each order in which some of the anonymous events arrived. With several
//! groups the orders of each group are independent, so their numbers multiply. The bound is exact: digits while it has
//! at most 40 of them, the power form `9*2^9` beyond.

use crate::automaton::view::{GroupId, Projection, View};
use num_bigint::BigUint;

/// The most digits that are written out.
const DIGITS: usize = 40;

/// The bound, as digits or as a power.
pub(crate) fn bound(view: &View<'_>) -> String {
    let states = size(view);
    let exponent = u32::try_from(&states).unwrap_or(u32::MAX);
    if exponent < 128 {
        let digits = (&states << exponent).to_string();
        if digits.len() <= DIGITS {
            return digits;
        }
    }
    format!("{states}*2^{states}")
}

/// |X|, or |X̂| when labels depend on the past.
fn size(view: &View<'_>) -> BigUint {
    let mut size = BigUint::from(view.automaton.n_states());
    if view.projection == Projection::Weak {
        for group in 0..view.observer.n_groups() {
            size *= orders(view.observer.anonymous(Some(GroupId::from_index(group))).count());
        }
    }
    size
}

/// Σ for k = 0..=n of n!/k!: the sequences of different events out of n.
fn orders(n: usize) -> BigUint {
    // WHY: s(n) = n · s(n - 1) + 1, since a sequence is empty or a first event and a sequence of the others.
    (1..=n).fold(BigUint::from(1u32), |sum, n| sum * n + 1u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_three_events_are_sixteen() {
        assert_eq!(orders(3), BigUint::from(16u32));
        assert_eq!(orders(0), BigUint::from(1u32));
    }
}
