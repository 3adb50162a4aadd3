//! The clock: the only module that knows where time comes from.
//!
//! The clock of the standard library panics on `wasm32-unknown-unknown`; `web-time` asks the browser there.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::time::Instant;
#[cfg(target_arch = "wasm32")]
pub(crate) use web_time::Instant;
