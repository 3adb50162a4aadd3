//! How fast the readers of foreign formats are: `cargo bench --bench foreign`.
//!
//! A seeded random model of a million transitions is written in each format in memory and read again. What is timed is all that
//! stands between the bytes and the model: checking UTF-8, finding the lines, reading. The best of five runs counts.

use desc::import::{Format, read_all};
use desc::source::{SourceFile, Sources};
use std::fmt::Write;
use std::time::Instant;

const TRANSITIONS: usize = 1_000_000;
const STATES: usize = 250_000;
const LABELS: usize = 200;

fn main() {
    println!("| format | MB | best of 5, ms | MB/s | transitions/s |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let edges = edges();
    for (format, name, text) in [
        (Format::Aldebaran, "model.aut", aut(&edges)),
        (Format::Umdes, "model.fsm", fsm(&edges)),
        (Format::Json, "model.json", json(&edges)),
    ] {
        let bytes = text.into_bytes();
        let best = (0..5).map(|_| read(format, name, bytes.clone())).fold(f64::MAX, f64::min);
        let megabytes = bytes.len() as f64 / 1e6;
        println!(
            "| {format} | {megabytes:.1} | {:.0} | {:.0} | {:.1e} |",
            best * 1e3,
            megabytes / best,
            TRANSITIONS as f64 / best
        );
    }
}

/// Seconds from bytes to model.
fn read(format: Format, name: &str, bytes: Vec<u8>) -> f64 {
    let begun = Instant::now();
    let text = String::from_utf8(bytes).expect("the model is text");
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new(name, text));
    let (models, diagnostics) = read_all(format, id, sources.get(id));
    let seconds = begun.elapsed().as_secs_f64();
    assert!(diagnostics.is_empty() && models[0].parts[0].transitions.len() == TRANSITIONS);
    seconds
}

/// Source, label, target; sorted by source, as tools write them.
fn edges() -> Vec<(usize, usize, usize)> {
    let mut seed = 2024u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut edges: Vec<_> = (0..TRANSITIONS).map(|_| (random(STATES), random(LABELS), random(STATES))).collect();
    edges.sort_unstable();
    edges
}

fn aut(edges: &[(usize, usize, usize)]) -> String {
    let mut text = format!("des (0,{TRANSITIONS},{STATES})\n");
    for (source, label, target) in edges {
        let _ = writeln!(text, "({source},\"send({label}, true)\",{target})");
    }
    text
}

fn fsm(edges: &[(usize, usize, usize)]) -> String {
    let mut text = format!("{STATES}\n");
    let mut at = 0;
    for state in 0..STATES {
        let count = edges[at..].iter().take_while(|edge| edge.0 == state).count();
        let _ = write!(text, "\ns{state}\t0\t{count}\n");
        for (_, label, target) in &edges[at..at + count] {
            let _ = writeln!(text, "send{label}\ts{target}\tc\to");
        }
        at += count;
    }
    text
}

fn json(edges: &[(usize, usize, usize)]) -> String {
    let names: Vec<String> = (0..STATES).map(|state| state.to_string()).collect();
    let mut text = format!("{{\"states\": [{}], \"initial\": [0], \"transitions\": [", names.join(", "));
    for (at, (source, label, target)) in edges.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n[{source}, \"send{label}\", {target}]");
    }
    text + "]}\n"
}
