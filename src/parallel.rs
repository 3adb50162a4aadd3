//! Independent work on several threads, where the feature `parallel` is on; on the calling thread otherwise.
//!
//! Results come in the order of the work, whatever the number of threads.

use std::thread::{Builder, Scope, ScopedJoinHandle};

/// How many threads there are to use if `wanted` are asked for; 0 asks for one per core.
pub(crate) fn threads(wanted: usize) -> usize {
    match wanted {
        _ if !cfg!(feature = "parallel") => 1,
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        wanted => wanted,
    }
}

/// The stack of a worker. A search does not recurse: this is room to spare, whatever `RUST_MIN_STACK` says.
const STACK: usize = 2 << 20;

/// A thread beside this one, for as long as a scope lasts.
///
/// # Panics
/// When the operating system grants none.
pub(crate) fn beside<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> ScopedJoinHandle<'scope, T> {
    Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("the operating system grants a thread")
}

/// Some threads of their own, or none.
pub(crate) struct Pool {
    #[cfg(feature = "parallel")]
    pool: Option<rayon::ThreadPool>,
}

impl Pool {
    /// A pool of this many threads; one thread is the calling one.
    #[cfg(feature = "parallel")]
    pub(crate) fn new(threads: usize) -> Pool {
        let build = || rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build().ok();
        Pool { pool: (threads > 1).then(build).flatten() }
    }

    /// The calling thread.
    #[cfg(not(feature = "parallel"))]
    pub(crate) fn new(_threads: usize) -> Pool {
        Pool {}
    }

    /// How many threads work.
    #[cfg(feature = "parallel")]
    pub(crate) fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// How many threads work.
    #[cfg(not(feature = "parallel"))]
    pub(crate) fn threads(&self) -> usize {
        1
    }

    /// What becomes of each item, in their order. The work gets the number of the item.
    #[cfg(feature = "parallel")]
    pub(crate) fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
        use rayon::prelude::*;
        match &self.pool {
            Some(pool) => pool.install(|| items.par_iter().enumerate().map(|(at, item)| work(at, item)).collect()),
            None => items.iter().enumerate().map(|(at, item)| work(at, item)).collect(),
        }
    }

    /// What becomes of each item, in their order. The work gets the number of the item.
    #[cfg(not(feature = "parallel"))]
    pub(crate) fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
        items.iter().enumerate().map(|(at, item)| work(at, item)).collect()
    }
}

/// What becomes of each item, in their order, on the threads that the process shares.
#[cfg(feature = "parallel")]
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter().map(work).collect()
}

/// What becomes of each item, in their order.
#[cfg(not(feature = "parallel"))]
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    items.iter().map(work).collect()
}
