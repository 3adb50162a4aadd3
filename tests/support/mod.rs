//! What several test binaries share: models of the paper, random models.
#![allow(dead_code)] // No binary uses all of it.

pub mod plain;
pub mod random;
pub mod systems;
