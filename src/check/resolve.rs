//! Names, constants, indices and set expressions: from a tree to ids.

pub(in crate::check) mod consts;
pub(in crate::check) mod expand;
pub(in crate::check) mod names;
pub(in crate::check) mod near;
pub(in crate::check) mod sets;
pub(in crate::check) mod values;
