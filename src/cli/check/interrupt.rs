//! Ctrl-C and SIGTERM: a search is asked to end with what it learned; anything else ends at once. The second time always ends.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static SEARCHES: AtomicUsize = AtomicUsize::new(0);

/// Begins to listen. Where that is not possible, Ctrl-C ends the program as usual.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        let second = INTERRUPTED.swap(true, Ordering::SeqCst);
        if second || SEARCHES.load(Ordering::SeqCst) == 0 {
            std::process::exit(3);
        }
        std::thread::spawn(give_up_later);
    });
}

/// A search that does not look at the flag in time is left behind: whoever interrupts wants an end.
fn give_up_later() {
    std::thread::sleep(PATIENCE);
    if SEARCHES.load(Ordering::SeqCst) > 0 {
        // WHY ignored: there is nobody left to tell.
        let _ = writeln!(std::io::stderr(), "interrupted before anything was learned");
        std::process::exit(3);
    }
}

/// How long a search may take to end.
const PATIENCE: Duration = Duration::from_millis(900);

/// The flag that ends searches.
pub fn flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Whether it was asked to end.
pub fn asked() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Runs something that looks at the flag and ends by itself.
pub fn patiently<T>(work: impl FnOnce() -> T) -> T {
    SEARCHES.fetch_add(1, Ordering::SeqCst);
    let done = work();
    SEARCHES.fetch_sub(1, Ordering::SeqCst);
    done
}
