//! What each observer sees of each event.

pub(in crate::check) mod agents;
pub(in crate::check) mod inherited;
pub(in crate::check) mod labels;
pub(in crate::check) mod observability;
pub(in crate::check) mod observers;
pub(in crate::check) mod pools;
