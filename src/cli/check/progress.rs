//! How far a long search is: on a terminal, and only when it takes a while.

use desc::verify::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Nothing is shown before this.
const PATIENCE: Duration = Duration::from_millis(400);

/// One line at the bottom of the terminal.
#[derive(Debug)]
pub struct Meter {
    bar: Option<Mutex<ProgressBar>>,
    started: Instant,
}

impl Meter {
    /// A line that appears if work takes long; never when nobody looks.
    pub fn new(interactive: bool) -> Meter {
        let bar = interactive.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            bar.set_style(
                ProgressStyle::with_template("{spinner} {wide_msg}").unwrap_or(ProgressStyle::default_spinner()),
            );
            Mutex::new(bar)
        });
        Meter { bar, started: Instant::now() }
    }

    /// Says how far the search of a system is.
    pub fn show(&self, system: &str, progress: &Progress) {
        if self.started.elapsed() < PATIENCE {
            return;
        }
        let Some(Ok(bar)) = self.bar.as_ref().map(Mutex::lock) else { return };
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
        }
        let rate = progress.pairs as f64 / self.started.elapsed().as_secs_f64();
        bar.set_message(format!(
            "{system}: {}, layer {}, {} pairs ({} waiting), {:.0}/s, {} MiB",
            progress.phase,
            progress.layer,
            progress.pairs,
            progress.frontier,
            rate,
            progress.memory >> 20
        ));
        bar.tick();
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if let Some(Ok(bar)) = self.bar.as_ref().map(Mutex::lock) {
            bar.finish_and_clear();
        }
    }
}
