//! `cargo bench --bench engine -- threads [FAMILY SIZE SEED]`: searches that take more than a second on one thread, on one and on two.
//!
//! Columns: family, size, verdict and the way that decided on one thread and on two, seconds by the clock, seconds of all processors
//! together, how many times faster two are, and memory as counted. The clock says something on a quiet machine only.

use super::support::families::*;
use super::{bytes, tuning};
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
    println!("| family | size | 1 thread | s | processor s | memory | 2 threads | s | processor s | memory | faster |");
    println!("| --- | ---: | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |");
    match words {
        [family, size, seed] => row(family, size.parse().unwrap_or(8), seed.parse().unwrap_or(1), limit),
        _ => ROWS.iter().for_each(|&(family, size, seed)| row(family, size, seed, limit)),
    }
}

fn row(family: &str, size: usize, seed: u64, limit: Duration) {
    let instance = make(family, size, seed);
    let (one, seconds) = timed(&instance, 1, limit);
    let (two, faster) = timed(&instance, 2, limit);
    assert_eq!(one.exposure, two.exposure, "{:?} {:?}", one.stopped, two.stopped);
    println!(
        "| {} | {size} | {} | {} | {:.2}x |",
        instance.family,
        shown(&one, seconds),
        shown(&two, faster),
        seconds.0 / faster.0
    );
}

/// A finding, the seconds that it took by the clock, and those of all processors.
fn timed(instance: &Instance, threads: usize, limit: Duration) -> (Finding, (f64, f64)) {
    let limits = Limits { timeout: Some(limit), memory: Some(6 << 30), pairs: None };
    let options = Options { limits, threads, ..Options::default() };
    let (begun, used) = (Instant::now(), processors());
    let finding = decide_with(&instance.view(), &instance.property, Horizon::Infinite, &options, tuning());
    (finding, (begun.elapsed().as_secs_f64(), processors() - used))
}

fn shown(finding: &Finding, (clock, processors): (f64, f64)) -> String {
    let verdict = match finding.exposure {
        Exposure::At(least) => format!("k = {least}"),
        Exposure::Never => "holds".to_owned(),
        other => format!("{other:?}"),
    };
    let by = finding.cost.by.map_or_else(String::new, |by| by.to_string());
    format!("{verdict}, {by} | {clock:.2} | {processors:.2} | {}", bytes(finding.cost.memory))
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
