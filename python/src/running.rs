//! Work that goes on without the interpreter lock, and ends soon after Ctrl-C.

use crate::refusal::internal;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};
use std::time::Duration;

/// The stack of a thread that reads models, as in the program.
pub const STACK: usize = 8 << 20;

/// How often signals are looked at.
const POLL: Duration = Duration::from_millis(20);

/// Flags that nobody uses now. A model keeps the flag of its reading, so flags live as long as the process; they are used again.
static FREE: Mutex<Vec<&'static AtomicBool>> = Mutex::new(Vec::new());

/// A flag that ends work when it is set.
struct Flag(&'static AtomicBool);

impl Flag {
    fn take() -> Flag {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Flag(free.unwrap_or_else(|| Box::leak(Box::default())))
    }
}

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// Does work on a thread of its own, which a signal ends through the flag. Then the exception of the signal is raised.
pub fn attended<T: Send>(py: Python<'_>, work: impl FnOnce(&'static AtomicBool) -> T + Send) -> PyResult<T> {
    let taken = Flag::take();
    let flag = taken.0;
    py.detach(|| {
        scope(|scope| {
            let (sender, ended) = channel::<()>();
            let run = move || {
                let _ends = sender;
                work(flag)
            };
            let thread = Builder::new().name("deslang".to_owned()).stack_size(STACK).spawn_scoped(scope, run)?;
            let mut heard = Ok(());
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if heard.is_ok() {
                    heard = Python::attach(|py| py.check_signals());
                }
                flag.store(heard.is_err(), Ordering::SeqCst);
            }
            let done = thread.join().map_err(|_| internal("the engine failed"))?;
            heard.map(|()| done)
        })
    })
}
