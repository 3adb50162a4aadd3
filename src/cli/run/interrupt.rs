//! Ctrl-C, SIGTERM, SIGHUP and SIGXCPU (`ulimit -S -t`): a search ends with its partial result; anything else ends immediately. A
//! second signal always ends the program.
//!
//! A SIGHUP that is ignored from the start stays ignored, as `nohup` requires.
//!
//! An interrupt ends the program within a second. [`attended`] work that does not check the flag in time is abandoned,
//! and the caller reports the partial result.

use crate::threads;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static SINCE: OnceLock<Instant> = OnceLock::new();
static TENDED: AtomicUsize = AtomicUsize::new(0);
static WRITING: AtomicUsize = AtomicUsize::new(0);

/// The time for a search to stop by itself; the rest of the second is for the report.
const PATIENCE: Duration = Duration::from_millis(600);

/// The polling interval.
const POLL: Duration = Duration::from_millis(20);

/// Installs the handler. If that fails, Ctrl-C ends the program as usual.
#[cfg(unix)]
pub fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
    // WHY in the thread: signals that are caught where no thread hears them would be lost.
    let hear = || {
        let hangup = may_hang_up().then_some(SIGHUP);
        let signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGXCPU].into_iter().chain(hangup));
        signals.into_iter().for_each(|mut signals| signals.forever().for_each(|_| asked_to_end()));
    };
    let _ = threads::start("signals", hear);
}

/// Begins to listen. Where that is not possible, Ctrl-C ends the program as usual.
#[cfg(not(unix))]
pub fn listen() {
    let _ = ctrlc::set_handler(asked_to_end);
}

/// Whether SIGHUP is known not to be ignored. If that is unknown, the default behaviour stays.
#[cfg(unix)]
fn may_hang_up() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignored(&status).is_some_and(|set| set & 1 == 0))
}

/// The mask of ignored signals in the status of a process: signal n is bit n - 1.
#[cfg(unix)]
fn ignored(status: &str) -> Option<u64> {
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(set.trim(), 16).ok()
}

fn asked_to_end() {
    let second = INTERRUPTED.swap(true, Ordering::SeqCst);
    SINCE.get_or_init(Instant::now);
    let nobody = TENDED.load(Ordering::SeqCst) == 0;
    if nobody && !second {
        // WHY ignored: there is nobody left to tell.
        let _ = writeln!(std::io::stderr(), "interrupted before any result");
    }
    if nobody || second {
        std::process::exit(3);
    }
    if WRITING.load(Ordering::SeqCst) > 0 {
        std::thread::sleep(PATIENCE);
        if WRITING.load(Ordering::SeqCst) > 0 {
            std::process::exit(3);
        }
    }
}

pub fn flag() -> &'static AtomicBool {
    &INTERRUPTED
}

pub fn asked() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Whether the time to stop is over.
fn overdue() -> bool {
    SINCE.get().is_some_and(|since| since.elapsed() >= PATIENCE)
}

/// Runs work that checks the flag.
pub fn tended<T>(work: impl FnOnce() -> T) -> T {
    TENDED.fetch_add(1, Ordering::SeqCst);
    let done = work();
    TENDED.fetch_sub(1, Ordering::SeqCst);
    done
}

/// Writes something that ends soon after it was asked to, unless nobody takes what is written: then the program ends without it.
pub fn writing<T>(work: impl FnOnce() -> T) -> T {
    WRITING.fetch_add(1, Ordering::SeqCst);
    let done = tended(work);
    WRITING.fetch_sub(1, Ordering::SeqCst);
    done
}

/// Runs work in another thread until it ends, `settled` is true, the time after an interrupt is over, or the backstop of its
/// time limit is reached. Its results must be accessible without it.
///
/// Whether it was left behind at its backstop: then something in it does not look at the clock.
pub fn attended(
    work: impl Fn() + Send + Sync + 'static,
    is_settled: impl Fn() -> bool,
    backstop: Option<Instant>,
) -> bool {
    tended(|| {
        let (sender, ended) = channel::<()>();
        let work = Arc::new(work);
        let of_thread = Arc::clone(&work);
        let run = move || {
            let _ends = sender;
            of_thread();
        };
        let Ok(thread) = threads::start("work", run) else {
            work();
            return false;
        };
        let too_late = || backstop.is_some_and(|backstop| Instant::now() >= backstop);
        let goes_on = || ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout);
        while goes_on() && !is_settled() && !overdue() && !too_late() {}
        let is_over = ended.try_recv() == Err(TryRecvError::Disconnected);
        if let Some(Err(panic)) = is_over.then(|| thread.join()) {
            std::panic::resume_unwind(panic);
        }
        !is_over && too_late() && !overdue() && !is_settled()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::Receiver;

    /// Work that goes on until this is told or dropped.
    fn until(told: Receiver<()>) -> impl Fn() + Send + Sync + 'static {
        let told = std::sync::Mutex::new(told);
        move || drop(told.lock().map(|told| told.recv()))
    }

    #[test]
    fn work_that_does_not_look_at_the_clock_is_left_behind() {
        let (ends, told) = channel();
        assert!(attended(until(told), || false, Some(Instant::now())));
        drop(ends);
    }

    #[test]
    fn work_that_ends_or_is_settled_is_not() {
        assert!(!attended(|| {}, || false, Some(Instant::now() + Duration::from_secs(3_600))));
        let (ends, told) = channel();
        assert!(!attended(until(told), || true, Some(Instant::now())));
        drop(ends);
    }
}
