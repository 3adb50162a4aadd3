//! What each observer sees of each event.

pub(in crate::check) mod inherited;
pub(in crate::check) mod observability;
pub(in crate::check) mod observers;
