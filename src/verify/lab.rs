//! A way in for tests and benchmarks: one view, one property, any pruning switched off.

pub use crate::verify::engine::tuning::Tuning;

use super::engine::driver::{Query, decide};
use super::schedule::depth;
use super::search::forward::SearchBound;
use super::{Finding, Options};
use crate::automaton::view::View;
use crate::clock::Instant;
use crate::model::{Horizon, Lens, OWN, Property};

/// Decides one property of one view up to a horizon.
pub fn examine(
    view: &View<'_>,
    property: &Property,
    horizon: Horizon,
    options: &Options<'_>,
    tuning: Tuning,
) -> Finding {
    let bound = SearchBound { horizon: depth(horizon), initial: horizon == Horizon::Initial };
    let lens = Lens { observer: OWN, projection: view.projection };
    let shortest = match horizon {
        Horizon::Steps(steps) | Horizon::Exactly(steps) => Some(steps),
        Horizon::Infinite | Horizon::Initial => None,
    };
    decide(&Query { view: *view, lens, property, bound, shortest }, options, tuning, Instant::now(), None)
}
