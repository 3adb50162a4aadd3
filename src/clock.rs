//! The clock: the only module that knows where time comes from.
//!
//! The clock of the standard library panics on `wasm32-unknown-unknown`. There the program that holds the library tells the time: it
//! calls `told::keep_time` once. Until it does, no time passes, and time limits end nothing.

#[cfg(any(target_arch = "wasm32", test))]
pub mod told;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::time::Instant;
#[cfg(target_arch = "wasm32")]
pub(crate) use told::Instant;
