//! Ctrl-C and SIGTERM: a search is asked to end with what it learned; anything else ends at once. The second time always ends.
//!
//! Who interrupts wants an end within a second. A search that does not look at the flag in time is left behind: work that was
//! begun [`tended`] looks at [`overdue`] and tells what is known without it; other work ends with nothing.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static SINCE: OnceLock<Instant> = OnceLock::new();
static SEARCHES: AtomicUsize = AtomicUsize::new(0);
static TENDED: AtomicUsize = AtomicUsize::new(0);

/// How long a search may take to end by itself; what is left of the second is for telling.
const PATIENCE: Duration = Duration::from_millis(600);

/// Begins to listen. Where that is not possible, Ctrl-C ends the program as usual.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        let second = INTERRUPTED.swap(true, Ordering::SeqCst);
        let (searches, tended) = (SEARCHES.load(Ordering::SeqCst), TENDED.load(Ordering::SeqCst));
        if second || searches + tended == 0 {
            std::process::exit(3);
        }
        SINCE.get_or_init(Instant::now);
        if tended == 0 {
            // WHY ignored: without a thread to spare the search still ends when it looks at the flag.
            let _ = std::thread::Builder::new().spawn(give_up_later);
        }
    });
}

fn give_up_later() {
    std::thread::sleep(PATIENCE);
    if SEARCHES.load(Ordering::SeqCst) > 0 {
        // WHY ignored: there is nobody left to tell.
        let _ = writeln!(std::io::stderr(), "interrupted before anything was learned");
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
pub fn overdue() -> bool {
    SINCE.get().is_some_and(|since| since.elapsed() >= PATIENCE)
}

/// Runs something that looks at the flag and ends by itself.
pub fn patiently<T>(work: impl FnOnce() -> T) -> T {
    counted(&SEARCHES, work)
}

/// Runs something that ends by itself soon after it was asked to, whatever its searches do.
pub fn tended<T>(work: impl FnOnce() -> T) -> T {
    counted(&TENDED, work)
}

fn counted<T>(count: &AtomicUsize, work: impl FnOnce() -> T) -> T {
    count.fetch_add(1, Ordering::SeqCst);
    let done = work();
    count.fetch_sub(1, Ordering::SeqCst);
    done
}
