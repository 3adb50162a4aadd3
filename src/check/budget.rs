//! How much may be expanded: every turn of a `for`, member of a family and transition is paid for before it is made.

use super::Limits;

/// How many units of work one transition of the limit pays for: its statement, its names, its repeats.
const PER_TRANSITION: u64 = 4;

/// What one turn of a `for` costs: its guard, its indices, the names they make.
pub(super) const TURN: u64 = 16;

/// What is left to spend.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    /// What there was at the start.
    pub total: u64,
}

impl Budget {
    /// A budget that goes with the limits on the size of a model.
    pub fn new(limits: &Limits) -> Budget {
        let total = (limits.transitions as u64).max(limits.states as u64).saturating_mul(PER_TRANSITION).max(1_000_000);
        Budget { left: total, total }
    }

    /// Pays for some work; false: there is not enough left, and there never will be.
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
