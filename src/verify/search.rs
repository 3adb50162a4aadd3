//! From a belief system to the exposure distance: forward, backward, and with two whole observers.

pub(crate) mod antichain;
pub(crate) mod backward;
pub(crate) mod exposure_test;
pub(crate) mod forward;
pub(crate) mod layers;
mod trace;
pub(crate) mod two_way;
