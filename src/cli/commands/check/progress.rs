//! The progress line of a long search, on a terminal.

use desc::diagnostic::render::human::harmless;
use desc::report::phrasing::{count, grouped};
use desc::verify::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The delay before the line is shown.
const PATIENCE: Duration = Duration::from_millis(400);

#[derive(Debug)]
pub struct Meter {
    bar: Option<Mutex<ProgressBar>>,
    started: Instant,
}

impl Meter {
    /// A line that appears after the delay; never if standard error is not a terminal.
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

    /// Updates the line.
    pub fn show(&self, system: &str, progress: &Progress) {
        if self.started.elapsed() < PATIENCE {
            return;
        }
        let Some(Ok(bar)) = self.bar.as_ref().map(Mutex::lock) else { return };
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
        }
        bar.set_message(line(system, progress, self.started.elapsed()));
        bar.tick();
    }

    /// Removes the line.
    pub fn clear(&self) {
        if let Some(Ok(bar)) = self.bar.as_ref().map(Mutex::lock) {
            bar.finish_and_clear();
        }
    }
}

/// Phase, layer, pairs, rate, memory. Names come from the input, so control characters are replaced.
fn line(system: &str, progress: &Progress, elapsed: Duration) -> String {
    let Progress { phase, layer, pairs, frontier, memory } = *progress;
    let seconds = elapsed.as_secs_f64().max(0.001);
    format!(
        "{}: {phase}, layer {}, {} ({} waiting), {}/s, {} MiB",
        harmless(system),
        grouped(layer),
        count(pairs, "pair"),
        grouped(frontier),
        grouped((pairs as f64 / seconds) as u64),
        grouped(memory >> 20)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use desc::verify::Phase;

    const FAR: Progress =
        Progress { phase: Phase::Layers, layer: 12, pairs: 1_234_567, frontier: 890, memory: 64 << 20 };

    #[test]
    fn the_line_says_phase_layer_pairs_rate_and_memory() {
        assert_eq!(
            line("Ballot", &FAR, Duration::from_secs(10)),
            "Ballot: layers, layer 12, 1,234,567 pairs (890 waiting), 123,456/s, 64 MiB"
        );
    }

    #[test]
    fn a_search_that_just_began_has_a_rate_too() {
        let line = line("S", &Progress { phase: Phase::Estimates, ..Progress::default() }, Duration::ZERO);
        assert_eq!(line, "S: estimates, layer 0, 0 pairs (0 waiting), 0/s, 0 MiB");
    }

    #[test]
    fn a_name_does_not_disturb_the_terminal() {
        assert!(!line("a\u{1b}[2Jb", &FAR, Duration::from_secs(1)).contains('\u{1b}'));
    }

    #[test]
    fn nobody_looks_nothing_is_drawn() {
        let meter = Meter::new(false);
        assert!(meter.bar.is_none());
        meter.show("S", &FAR);
        meter.clear();
    }
}
