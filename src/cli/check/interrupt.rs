//! Ctrl-C, SIGTERM and SIGHUP: a search is asked to end with what it learned; anything else ends at once. The second time always ends.
//!
//! A SIGHUP that is ignored from the start stays ignored: who says `nohup` wants it to go on.
//!
//! Who interrupts wants an end within a second. Work that is [`attended`] and does not look at the flag in time is left behind,
//! and whoever began it tells what is known without it.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static SINCE: OnceLock<Instant> = OnceLock::new();
static TENDED: AtomicUsize = AtomicUsize::new(0);

/// How long a search may take to end by itself; what is left of the second is for telling.
const PATIENCE: Duration = Duration::from_millis(600);

/// How often it looks whether it is time to give up.
const POLL: Duration = Duration::from_millis(20);

/// What a main thread has.
const STACK: usize = 8 << 20;

/// Begins to listen. Where that is not possible, Ctrl-C ends the program as usual.
#[cfg(unix)]
pub fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // WHY in the thread: signals that are caught where no thread hears them would be lost.
    let hear = || {
        let hangup = may_hang_up().then_some(SIGHUP);
        let signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup));
        signals.into_iter().for_each(|mut signals| signals.forever().for_each(|_| asked_to_end()));
    };
    let _ = std::thread::Builder::new().spawn(hear);
}

/// Begins to listen. Where that is not possible, Ctrl-C ends the program as usual.
#[cfg(not(unix))]
pub fn listen() {
    let _ = ctrlc::set_handler(asked_to_end);
}

/// Whether SIGHUP is known not to be ignored. Where that cannot be told, the signal is left as it is: it ends the program, or does not.
#[cfg(unix)]
fn may_hang_up() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignored(&status).is_some_and(|set| set & 1 == 0))
}

/// The signals that are ignored, by what the operating system says of a process: signal n is bit n - 1.
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
}

/// The flag that ends searches.
pub fn flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Whether it was asked to end.
pub fn asked() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Whether what was asked to end has had its time.
fn overdue() -> bool {
    SINCE.get().is_some_and(|since| since.elapsed() >= PATIENCE)
}

/// Runs something that ends by itself soon after it was asked to.
pub fn tended<T>(work: impl FnOnce() -> T) -> T {
    TENDED.fetch_add(1, Ordering::SeqCst);
    let done = work();
    TENDED.fetch_sub(1, Ordering::SeqCst);
    done
}

/// Runs something in a thread of its own, until it has ended, or is settled before, or was asked to end and has had its time. What it
/// learns must be where it can be read without it.
pub fn attended(work: impl Fn() + Send + Sync + 'static, is_settled: impl Fn() -> bool) {
    tended(|| {
        let (sender, ended) = channel::<()>();
        let work = Arc::new(work);
        let of_thread = Arc::clone(&work);
        let run = move || {
            let _ends = sender;
            of_thread();
        };
        let Ok(thread) = std::thread::Builder::new().stack_size(STACK).spawn(run) else { return work() };
        while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) && !is_settled() && !overdue() {}
        let is_over = ended.try_recv() == Err(TryRecvError::Disconnected);
        if let Some(Err(panic)) = is_over.then(|| thread.join()) {
            std::panic::resume_unwind(panic);
        }
    });
}
