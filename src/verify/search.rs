//! From a belief system to the exposure distance: forward, backward, and by the two-way observer.

pub(crate) mod antichain;
pub(crate) mod backward;
pub(crate) mod best_first;
mod bundles;
mod exposure_test;
pub(crate) mod fewest;
pub(crate) mod forward;
mod layers;
pub(crate) mod partitioned;
pub(crate) mod sides;
mod trace;
pub(crate) mod two_way;

use crate::verify::views::belief_system::LabelId;

/// The result of a slice of the backward search or of the two-way observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SliceResult {
    /// There is more to explore.
    Unfinished,
    /// Nothing is exposed up to the horizon.
    SafeToHorizon,
    /// Nothing is ever exposed.
    Safe,
    /// This estimate is exposed by this β.
    Exposed {
        /// Its index.
        estimate: usize,
        /// The labels of β.
        beta: Vec<LabelId>,
    },
}
