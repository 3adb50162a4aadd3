//! Sets of numbers, interners and combinations.

pub(crate) mod combinations;
pub(crate) mod kept;
pub(crate) mod lists;
pub(crate) mod set;
