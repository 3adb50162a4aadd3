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

/// Starts the program again where its addresses are limited (`ulimit -v`), so that its threads allocate from one arena: each arena of the C
/// library reserves 64 MiB of addresses, however little is in it, and a few threads would use up the limit before the memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn share_one_arena() {
    use std::os::unix::process::CommandExt;
    const ARENAS: &str = "MALLOC_ARENA_MAX";
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let addresses = limits.lines().find_map(|line| line.strip_prefix("Max address space"));
    let is_limited = addresses.is_some_and(|limit| !limit.trim_start().starts_with("unlimited"));
    let Ok(program) = std::env::current_exe() else { return };
    if !is_limited || std::env::var_os(ARENAS).is_some() {
        return;
    }
    let mut arguments = std::env::args_os();
    let mut again = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    // WHY ignored: it returns only if it fails, and then the program runs as it is.
    let _ = again.args(arguments).env(ARENAS, "1").exec();
}

/// Other systems have no such arenas.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn share_one_arena() {}
