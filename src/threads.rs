//! The threads of the program, each with a stack whose size is known.
//!
//! The first thread has whatever `ulimit -s` grants, which may be too little even to read the arguments; so all work is done on threads
//! that are started here. The deepest work is reading and expanding a model: nesting is bounded by the language, and takes less than
//! 1 MiB in a debug build (`tests/tools/cli/edges.rs` runs it with a quarter of [`STACK`]). The search does not recurse.

use std::io;
use std::panic::resume_unwind;
use std::thread::{Builder, JoinHandle};

/// The stack of a thread that reads models.
pub const STACK: usize = 8 << 20;

/// Starts a thread.
///
/// # Errors
/// When the operating system grants no more threads.
pub fn start<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work)
}

/// Runs the whole program on a thread of its own; where there is none to be had, on this one.
pub fn on_own_stack<T: Send + 'static>(work: fn() -> T) -> T {
    // The threads that independent work shares. They may have been started already only if this runs twice.
    let _ = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    match start("main", work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => work(),
    }
}
