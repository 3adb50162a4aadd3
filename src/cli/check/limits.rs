//! The options of every command that can take long: the limits of a run, and for those that search also how.

use super::interrupt;
use crate::cli::load::integer;
use clap::{Args, ValueEnum};
use desc::resources::Resources;
use desc::verify;
use std::time::{Duration, Instant};

/// The limits of a run.
#[derive(Clone, Debug, Args)]
pub struct RunLimits {
    /// Time limit for the whole run: `5s`, `500ms`, `2m`
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    timeout: Option<Duration>,
    /// Memory limit for the whole run: `512MiB`, `2GB` [default: most of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    memory: Option<u64>,
}

/// Options of every command that searches.
#[derive(Clone, Debug, Args)]
pub struct Searching {
    #[command(flatten, next_help_heading = "Search")]
    run: RunLimits,
    /// Limit on the pairs that one search stores
    #[arg(long, value_name = "N", value_parser = integer::<u64>, help_heading = "Search")]
    pub max_pairs: Option<u64>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = integer::<usize>, help_heading = "Search")]
    pub threads: Option<usize>,
    /// The method
    #[arg(long, value_name = "METHOD", default_value = "engine", help_heading = "Search")]
    pub method: Method,
}

/// How to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// The fast search
    Engine,
    /// The paper's constructions, literally: slow, for cross-checking
    Literal,
}

impl RunLimits {
    /// The resources of a run that started at `started`, for one of `together` parallel models.
    pub fn resources(&self, started: Instant, together: usize) -> Resources<'static> {
        let memory = self.memory.unwrap_or(u64::MAX).min(allowed_memory()) / together.max(1) as u64;
        Resources {
            deadline: self.timeout.and_then(|timeout| started.checked_add(timeout)),
            memory: Some(memory.min(self.free(together))),
            interrupted: Some(interrupt::flag()),
            ..Resources::default()
        }
    }

    /// The free memory, unless `--memory` is given.
    fn free(&self, together: usize) -> u64 {
        if self.memory.is_some() { u64::MAX } else { free_memory() / together.max(1) as u64 }
    }
}

impl Searching {
    /// The resources of a run that started at `started`, for one of `together` parallel models.
    pub fn resources(&self, started: Instant, together: usize) -> Resources<'static> {
        self.run.resources(started, together)
    }

    pub fn limits(&self, resources: &Resources<'_>) -> verify::Limits {
        verify::Limits { timeout: resources.time_left(), memory: resources.memory, pairs: self.max_pairs }
    }

    /// How to decide.
    pub fn method(&self) -> verify::Method {
        match self.method {
            Method::Engine => verify::Method::Engine,
            Method::Literal => verify::Method::Literal,
        }
    }
}

/// `5s`, `500ms`, `2m`, `1h`, or a number of seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
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
pub fn size(text: &str) -> Result<u64, String> {
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

/// Three quarters of the free memory, of the machine or the container, so that the machine stays usable.
fn free_memory() -> u64 {
    let free = line_of("/proc/meminfo", "MemAvailable:").map_or(4 << 30, |kib| kib << 10);
    let number = |file: &str| line_of(file, "");
    let contained = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
    let left = contained.map_or(u64::MAX, |(most, used)| most.saturating_sub(used));
    free.min(left) / 4 * 3
}

/// The memory of a search if the operating system limits the process (`ulimit -v`).
//
// WHY so little of it: memory that cannot be had ends the program without a word. A table that grows stands beside its larger
// copy for a moment, and every thread takes addresses that it does not use.
fn allowed_memory() -> u64 {
    let taken = line_of("/proc/self/status", "VmSize:").map_or(128 << 20, |kib| kib << 10);
    let allowed = line_of("/proc/self/limits", "Max address space");
    allowed.map_or(u64::MAX, |bytes| (bytes.saturating_sub(taken) / 5 * 2).max(1 << 20))
}

/// The memory of this process; 0 where it is unknown.
pub fn resident_memory() -> u64 {
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
