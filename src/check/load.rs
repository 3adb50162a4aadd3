//! From files to items: imports are read, declarations collected.

pub(in crate::check) mod imports;
pub(in crate::check) mod items;
