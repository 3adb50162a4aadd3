//! Limits of a run: `--timeout` and `--memory`, the same for every command that can take long.
//!
//! The time counts from the start of the process; with `--watch`, from the start of each run. The memory is that by which the
//! process grows from there on. Every long loop looks at both by itself ([`Resources`]).
//!
//! Behind that stands a backstop: work that does not end soon after the time limit is left behind. `desc check`, `report` and
//! `max` then print what is known without it ([`interrupt::attended`]); any other command has nothing to print, and ends
//! ([`RunLimits::begin`]). Whoever is left behind has a loop that does not look: it is told with `-v`.

use crate::cli::run::interrupt;
use crate::{files, threads};
use clap::Args;
use desc::resources::Resources;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Limits of every command that can take long.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct RunLimits {
    /// Time limit for the whole run: `5s`, `500ms`, `2m`
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true, help_heading = "Limits")]
    pub timeout: Option<Duration>,
    /// Memory limit for the whole run: `512MiB`, `2GB` [default: most of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, help_heading = "Limits")]
    pub memory: Option<u64>,
}

impl RunLimits {
    /// What a run that began at `started` may use on one of `together` models at the same time.
    pub fn resources(&self, started: Instant, together: usize) -> Resources<'static> {
        let together = together.max(1);
        let free = if self.memory.is_some() { u64::MAX } else { free_memory() };
        let memory = self.memory.unwrap_or(u64::MAX).min(allowed_memory()).min(free);
        Resources {
            deadline: self.timeout.and_then(|timeout| started.checked_add(timeout)),
            memory: Some(memory / together as u64),
            interrupted: Some(interrupt::flag()),
            growth: Some(&grown),
            together: together as u32,
            ..Resources::default()
        }
    }

    /// What the process may use. A command that has nothing to tell before it is done ends soon after the time limit.
    pub fn begin(&self) -> Resources<'static> {
        let resources = self.resources(started(), 1);
        if let Some(deadline) = resources.deadline {
            // WHY ignored: without a thread there is no backstop, and the loops look by themselves.
            let _ = threads::start("deadline", move || end_after(deadline));
        }
        resources
    }
}

/// How long after the time limit work is left behind that has not ended by itself.
const GRACE: Duration = Duration::from_millis(250);

/// How long every run has before work is left behind.
//
// WHY: small work is finished however short the time is, and a busy machine may need a while even to begin it.
const SHORTEST: Duration = Duration::from_secs(2);

/// When work with this deadline is left behind.
pub fn backstop(deadline: Instant) -> Instant {
    deadline.max(started() + SHORTEST) + GRACE
}

/// How long a file that was just written has to be told about.
const FAREWELL: Duration = Duration::from_millis(100);

/// The backstop of a command that has nothing to tell.
fn end_after(deadline: Instant) {
    std::thread::sleep(backstop(deadline).saturating_duration_since(Instant::now()));
    // WHY: a file is written whole or not at all, and what is written beside it must not stay.
    while files::is_writing() {
        std::thread::sleep(FAREWELL);
    }
    // WHY ignored: there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "undecided: the time limit was reached, and the work was left behind");
    std::process::exit(3);
}

static STARTED: OnceLock<Instant> = OnceLock::new();
static BASELINE: AtomicU64 = AtomicU64::new(0);

/// When the process began. The first call says so.
pub fn started() -> Instant {
    *STARTED.get_or_init(|| {
        rebase();
        Instant::now()
    })
}

/// Growth counts from now on.
pub fn rebase() {
    BASELINE.store(resident_memory(), Ordering::Relaxed);
}

/// By how many bytes the process has grown.
pub fn grown() -> u64 {
    resident_memory().saturating_sub(BASELINE.load(Ordering::Relaxed))
}

/// `5s`, `500ms`, `2m`, `1h`, or a number of seconds.
fn duration(text: &str) -> Result<Duration, String> {
    not_negative(text)?;
    let (number, unit) = split(text);
    let seconds = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time: write `5s`, `500ms`, `2m` or `1h`")),
    };
    let number: f64 = number.parse().map_err(|_| "write a number and a unit, such as `5s`".to_owned())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "the time is too long".to_owned())
}

/// `512MiB`, `2GB`, `100k`, or a number of bytes.
fn size(text: &str) -> Result<u64, String> {
    not_negative(text)?;
    let (number, unit) = split(text);
    let unit = unit.to_ascii_lowercase();
    let bytes: u64 = match unit.as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return Err(format!("`{unit}` is not a unit of size: write `512MiB` or `2GB`")),
    };
    let number: f64 = number.parse().map_err(|_| "write a number and a unit, such as `512MiB`".to_owned())?;
    let product = number * bytes as f64;
    if product.is_finite() && (0.0..1.8e19).contains(&product) {
        Ok(product as u64)
    } else {
        Err("the size is too large".to_owned())
    }
}

fn not_negative(text: &str) -> Result<(), String> {
    let number = text.trim().strip_prefix('-').filter(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
    if number.is_some() { Err("it cannot be negative".to_owned()) } else { Ok(()) }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// What one run may take so that the machine stays usable: three quarters of what is free, here or in the container.
fn free_memory() -> u64 {
    let free = line_of("/proc/meminfo", "MemAvailable:").map_or(4 << 30, |kib| kib << 10);
    let number = |file: &str| line_of(file, "");
    let contained = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
    let left = contained.map_or(u64::MAX, |(most, used)| most.saturating_sub(used));
    free.min(left) / 4 * 3
}

/// What a search may take where the operating system limits this process (`ulimit -v`).
//
// WHY so little of it: memory that cannot be had ends the program without a word. A table that grows stands beside its larger
// copy for a moment, and every thread takes addresses that it does not use.
fn allowed_memory() -> u64 {
    let taken = line_of("/proc/self/status", "VmSize:").map_or(128 << 20, |kib| kib << 10);
    let allowed = line_of("/proc/self/limits", "Max address space");
    allowed.map_or(u64::MAX, |bytes| (bytes.saturating_sub(taken) / 5 * 2).max(1 << 20))
}

/// What this process holds now; 0 where that cannot be told.
fn resident_memory() -> u64 {
    line_of("/proc/self/status", "VmRSS:").map_or(0, |kib| kib << 10)
}

fn line_of(file: &str, start: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(start))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("5s"), Ok(Duration::from_secs(5)));
        assert_eq!(duration("1.5 m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(size("512MiB"), Ok(512 << 20));
        assert_eq!(size("2GB"), Ok(2_000_000_000));
        for wrong in ["", "s", "5 parsecs", "-1s", "1e999h", "9999999999999999999999999h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "MiB", "5 apples", "99999999999999TiB"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
