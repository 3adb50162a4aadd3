//! The exposure with the fewest observations in all: the least |αβ|, not the least |β|.
//!
//! Definition: of all α and β with |β| up to a horizon whose delayed estimate is exposed, the least |αβ|; of several, the one with the
//! least |β|. The exposure distance says how much hindsight the intruder needs; this says how soon they can know anything at all.
//! Method: two searches, of which either is exact alone. [`forward`] lets estimates and pairs of phase 2 advance together, one label
//! at a time. [`meeting`] is the two-way observer: every estimate S(α) at its least |α|, every set R(β) at its least |β|, and the least
//! sum of two that expose. Cost: as the searches for the distance; both give up after a given amount of work.

pub(crate) mod forward;
pub(crate) mod meeting;
mod news;

use crate::resources::Stop;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// The greatest |β|.
    pub(crate) horizon: u64,
    /// The greatest |αβ|.
    pub(crate) most: u64,
    /// No |β| below this exposes: what is known from the search for the distance.
    pub(crate) least: u64,
    /// Only α = ε, over X0 itself.
    pub(crate) initial: bool,
}

impl Aim {
    /// Whether an instant after so many labels can still be exposed soon enough.
    fn reaches(&self, alpha: u64) -> bool {
        alpha.saturating_add(self.least) <= self.most
    }
}

/// Why there is no exposure of the wanted kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nothing {
    /// There is none.
    Exists,
    /// It would take more work than was allowed.
    Soon,
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for Nothing {
    fn from(stop: Stop) -> Nothing {
        Nothing::Stopped(stop)
    }
}
