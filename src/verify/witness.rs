//! From a run to a witness that was replayed against the definitions.

pub(crate) mod estimate;
pub(crate) mod history;
pub(crate) mod replay;
