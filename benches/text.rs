//! How long it takes from text to tree, and how much memory: a generated file with a million transitions (26 MB).
//!
//! Each measurement runs in a process of its own, so that its peak memory is its own. See `benches/README.md`.

use desc::source::{SourceFile, Sources};
use desc::syntax::{self, grammar, token};
use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

/// What is measured, given the text.
type Stage = fn(String);

/// The stages, by the names they are asked for.
const STAGES: &[(&str, Stage)] = &[
    ("text alone", |text| drop(SourceFile::new("t.des", text))),
    ("logos alone", |text| assert!(token::tokens(&text).count() > 0)),
    ("pest alone", |text| assert!(grammar::parse(grammar::Rule::file, &text).is_ok())),
    ("parse, 1 thread", |text| parse(text, 1)),
    ("parse, 2 threads", |text| parse(text, 2)),
    ("format", format),
    ("automaton, 1 thread", |text| automaton(text, 1)),
    ("automaton, 2 threads", |text| automaton(text, 2)),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let transitions = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let family = arguments.iter().any(|argument| argument == FAMILY);
    match arguments.iter().find_map(|argument| STAGES.iter().find(|(name, _)| name == argument)) {
        Some((_, stage)) => measure(generate(transitions, family), *stage),
        None => compare(transitions, family),
    }
}

/// Asks for states and events that are members of families: `s[1]` instead of `s1`.
const FAMILY: &str = "family";

/// Runs every stage in a process of its own and prints what it said.
fn compare(transitions: usize, family: bool) {
    let bytes = generate(transitions, family).len();
    println!("{transitions} transitions, {:.1} MB", bytes as f64 / 1e6);
    println!("{:<22} {:>9} {:>9} {:>10} {:>7}", "", "seconds", "MB/s", "peak MB", "x file");
    for (name, _) in STAGES {
        let program = std::env::current_exe().expect("the path of this program");
        let names = if family { FAMILY } else { "" };
        let output = Command::new(program).args([*name, &transitions.to_string(), names]).output().expect("it runs");
        let line = String::from_utf8_lossy(&output.stdout);
        let mut numbers = line.split_whitespace().map(|number| number.parse::<f64>().unwrap_or(f64::NAN));
        let (seconds, peak) = (numbers.next().unwrap_or(f64::NAN), numbers.next().unwrap_or(f64::NAN));
        let rate = bytes as f64 / 1e6 / seconds;
        println!("{name:<22} {seconds:>9.2} {rate:>9.1} {:>10.0} {:>7.1}", peak / 1e6, peak / bytes as f64);
    }
}

/// Prints the seconds and the peak memory (bytes) of one stage.
fn measure(text: String, stage: Stage) {
    let start = Instant::now();
    stage(text);
    println!("{} {}", start.elapsed().as_secs_f64(), peak_memory());
}

/// The most memory this process ever had, in bytes (Linux; elsewhere nothing is known).
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).map_or(f64::NAN, |kib| kib * 1024.0)
}

/// A system with a tenth as many states as transitions, and a hundred events. The numbers are scattered by a fixed rule.
fn generate(transitions: usize, family: bool) -> String {
    let (open, close) = if family { ("[", "]") } else { ("", "") };
    let states = (transitions / 10).max(1);
    let mut text = String::with_capacity(transitions * 28 + 4096);
    let names = |letter: char, count: usize| match family {
        true => format!("{letter}[0..{}]", count - 1),
        false => (0..count).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", "),
    };
    let _ = writeln!(text, "system Large {{\n    states {};\n    events {};", names('s', states), names('e', 100));
    let _ = writeln!(text, "    initial s{open}0{close}, s{open}1{close};");
    let mut seed = 1_u64;
    let mut next = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    for at in 0..transitions {
        let (source, event, target) = (at % states, next(100), next(states));
        let _ = writeln!(text, "    s{open}{source}{close} -e{open}{event}{close}-> s{open}{target}{close};");
    }
    text.push_str("}\n");
    text
}

fn on_threads(threads: usize, run: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run);
}

fn parse(text: String, threads: usize) {
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new("t.des", text));
    on_threads(threads, || assert!(syntax::parse(id, sources.get(id)).diagnostics.is_empty()));
}

fn format(text: String) {
    assert!(desc::format::format_text("t.des", &text).is_ok());
}

fn automaton(text: String, threads: usize) {
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new("t.des", text));
    on_threads(threads, || {
        let settings = desc::check::Settings::default();
        let checked = desc::check::check(id, &mut sources, &desc::source::NoImports, &settings);
        if checked.model.is_none() {
            std::process::exit(1);
        }
    });
}
