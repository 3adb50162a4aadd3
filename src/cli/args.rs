//! Options and arguments that several commands share, and how they are read.

pub mod look;
pub mod paths;
pub mod pick;
pub mod search;
