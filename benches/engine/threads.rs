//! `cargo bench --bench engine -- threads [FAMILY SIZE SEED]`: searches that take more than a second on one thread, on one and on two.
//!
//! Columns: family, size; on one thread and on two, verdict and the way that decided, seconds by the clock, seconds of all processors
//! together, of these seconds of the busier thread, and memory as counted; how many times faster two are by the clock, and by the busier
//! thread. The clock says something on a quiet machine only.

use super::support::families::*;
use super::{bytes, processor, tuning};
use desc::model::Horizon;
use desc::verdict::{Exposure, Finding};
use desc::verify::{Limits, Options, decide_with};
use std::time::{Duration, Instant};

/// The rows: family, size, seed.
const ROWS: [(&str, usize, u64); 4] = [("incomparable", 22, 0), ("cut", 400, 3), ("dense", 200, 7), ("roles", 7, 1)];

fn make(family: &str, size: usize, seed: u64) -> Instance {
    match family {
        "incomparable" => incomparable(size),
        "cut" => random_twins_cut(size, 3, seed),
        "dense" => random_dense(size, seed),
        "initial" => all_initial(size, seed),
        _ => roles(size, 6 + 2 * size, seed),
    }
}

pub fn run(words: &[String], limit: Duration) {
    println!(
        "| family | size | 1 thread | s | all | busier | memory | 2 threads | s | all | busier | memory | faster | busier |"
    );
    println!("| --- | ---: | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    match words {
        [family, size, seed] => row(family, size.parse().unwrap_or(8), seed.parse().unwrap_or(1), limit),
        _ => ROWS.iter().for_each(|&(family, size, seed)| row(family, size, seed, limit)),
    }
}

fn row(family: &str, size: usize, seed: u64, limit: Duration) {
    let instance = make(family, size, seed);
    let (one, seconds) = timed(&instance, 1, limit);
    let (two, faster) = timed(&instance, 2, limit);
    if one.stopped.is_none() && two.stopped.is_none() {
        assert_eq!(one.exposure, two.exposure);
    }
    println!(
        "| {} | {size} | {} | {} | {:.2}x | {:.2}x |",
        instance.family,
        shown(&one, &seconds),
        shown(&two, &faster),
        seconds.clock / faster.clock,
        seconds.busier / faster.busier
    );
}

/// Seconds.
struct Seconds {
    clock: f64,
    all: f64,
    busier: f64,
}

/// A finding, and what it took.
fn timed(instance: &Instance, threads: usize, limit: Duration) -> (Finding, Seconds) {
    let limits = Limits { timeout: Some(limit), memory: Some(6 << 30), pairs: None };
    let options = Options { limits, threads, ..Options::default() };
    let (begun, used, own) = (Instant::now(), processors(), processor().unwrap_or(0.0));
    let finding = decide_with(&instance.view(), &instance.property, Horizon::Infinite, &options, tuning());
    let (all, own) = (processors() - used, processor().unwrap_or(0.0) - own);
    // The second of two threads spends the rest.
    (finding, Seconds { clock: begun.elapsed().as_secs_f64(), all, busier: own.max(all - own) })
}

fn shown(finding: &Finding, Seconds { clock, all, busier }: &Seconds) -> String {
    let verdict = match finding.exposure {
        Exposure::At(least) => format!("k = {least}"),
        Exposure::Never => "holds".to_owned(),
        other => format!("{other:?}"),
    };
    let by = finding.cost.by.map_or_else(String::new, |by| by.to_string());
    format!("{verdict}, {by} | {clock:.2} | {all:.2} | {busier:.2} | {}", bytes(finding.cost.memory))
}

/// Seconds that all threads of this process spent on processors, where the system tells.
fn processors() -> f64 {
    let seconds = || {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
        let ticks: f64 = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
        Some(ticks / 100.0)
    };
    seconds().unwrap_or(0.0)
}
