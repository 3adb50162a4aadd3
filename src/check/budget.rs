//! The budget of expansion: every iteration of a `for`, member of a family and transition is charged in advance.

use crate::check::Limits;

/// The units of work per transition of the limit.
const PER_TRANSITION: u64 = 4;

/// The cost of one iteration of a `for`: its guard, its indices, its names.
pub(in crate::check) const TURN: u64 = 16;

#[derive(Debug)]
pub(in crate::check) struct Budget {
    left: u64,
    /// The initial budget.
    pub total: u64,
}

impl Budget {
    /// The budget for the limits on the size of a model.
    pub fn new(limits: &Limits) -> Budget {
        let total = (limits.transitions as u64).max(limits.states as u64).saturating_mul(PER_TRANSITION).max(1_000_000);
        Budget { left: total, total }
    }

    /// Charges work; `false`, now and later, if the budget is exhausted.
    pub fn spend(&mut self, units: u64) -> bool {
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = 0;
                false
            }
        }
    }
}
