//! One model, decided in a process of its own.

use crate::families::Family;
use desc::automaton::product::{Bounds, product};
use desc::check::Limits;
use desc::model::System;
use desc::resources::Resources;
use desc::source::NoImports;
use desc::verdict::{Finding, Verdict};
use desc::verify::{Options, Tuning};
use desc::{Settings, check_with};
use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// How a model is decided.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As `desc check` does.
    Parts,
    /// On the product of all parts, and no other.
    Whole,
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub parts: usize,
    /// The decimal logarithm of how many states the product has, or of a bound.
    pub digits: f64,
    /// How many states the products have that were built.
    pub states: usize,
    pub held: usize,
    pub violated: usize,
    pub undecided: usize,
    /// The largest number of parts that decided a question, and how many states their product has; 0: the whole product did.
    pub kept: usize,
    pub small: usize,
    pub reading: f64,
    pub deciding: f64,
    /// The peak of the resident set, in MB.
    pub memory: u64,
}

impl Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { parts, digits, states, held, violated, undecided, kept, small, reading, deciding, memory } = self;
        write!(
            f,
            "{parts} {digits} {states} {held} {violated} {undecided} {kept} {small} {reading} {deciding} {memory}"
        )
    }
}

impl FromStr for Row {
    type Err = ();

    fn from_str(line: &str) -> Result<Row, ()> {
        fn next<T: FromStr>(words: &mut std::str::SplitWhitespace<'_>) -> Result<T, ()> {
            words.next().and_then(|word| word.parse().ok()).ok_or(())
        }
        let words = &mut line.split_whitespace();
        Ok(Row {
            parts: next(words)?,
            digits: next(words)?,
            states: next(words)?,
            held: next(words)?,
            violated: next(words)?,
            undecided: next(words)?,
            kept: next(words)?,
            small: next(words)?,
            reading: next(words)?,
            deciding: next(words)?,
            memory: next(words)?,
        })
    }
}

/// Reads and decides a model; time and memory are limited.
pub fn measured(family: &Family, size: i64, way: Way, (seconds, bytes): (u64, u64)) -> Row {
    let started = Instant::now();
    let limit = Duration::from_secs(seconds);
    let resources = Resources { memory: Some(bytes), ..Resources::default() }.within(limit);
    let lazy = (way == Way::Parts).then_some(Limits::LAZY);
    let limits = Limits { lazy, resources, ..Limits::default() };
    let settings = Settings { defines: family.defines(size), limits };
    let checked = check_with("model.des", &family.asked(), &NoImports, &settings);
    let mut row = Row { reading: started.elapsed().as_secs_f64(), ..Row::default() };
    if let (Some(model), None) = (checked.model(), checked.stopped()) {
        for system in model.systems() {
            decide(system, way, (limit.saturating_sub(started.elapsed()), bytes), &mut row);
        }
        row.undecided += model.unbuilt().len();
    } else {
        // A product that is too large to be built is an error without its parts.
        assert!(way == Way::Whole || checked.stopped().is_some(), "{}", checked.explained());
        row.undecided = 1;
    }
    row.deciding = started.elapsed().as_secs_f64() - row.reading;
    row.memory = peak() >> 20;
    row
}

fn decide(system: &System, way: Way, (timeout, memory): (Duration, u64), row: &mut Row) {
    let limits = desc::verify::Limits { timeout: Some(timeout), memory: Some(memory), pairs: None };
    let options = Options { limits, certificates: true, ..Options::default() };
    let tuning = match way {
        Way::Parts => Tuning::default(),
        Way::Whole => Tuning { first_turn: u64::MAX, parts_first_from: u64::MAX, ..Tuning::default() },
    };
    let results = desc::verify::verify_with(system, &options, tuning);
    if let Some(parts) = system.names.composition() {
        row.parts += parts.n_parts();
        let digits = (0..parts.n_parts()).map(|part| (parts.automaton(part).n_states() as f64).log10()).sum();
        row.digits = row.digits.max(digits);
    }
    row.states += system.automaton.n_states();
    for verdict in &results.checks {
        *match verdict {
            Verdict::Holds(_) => &mut row.held,
            Verdict::Violated(_) => &mut row.violated,
            Verdict::Undecided { .. } => &mut row.undecided,
        } += 1;
        if let Some(evidence) = verdict.evidence() {
            kept(system, &evidence.finding, row);
        }
    }
}

/// The parts that decided a question.
fn kept(system: &System, finding: &Finding, row: &mut Row) {
    let (Some(deciding), Some(parts)) = (&finding.parts, system.names.composition()) else { return };
    let kept = &deciding.kept;
    if kept.len() <= row.kept {
        return;
    }
    row.kept = kept.len();
    let factors: Vec<_> = kept.iter().map(|&part| parts.factor(part)).collect();
    let bounds = Bounds { states: 1 << 24, transitions: 1 << 28, resources: Resources::default() };
    let built: Result<_, _> = product(&factors, system.automaton.n_events(), bounds);
    row.small = built.map_or(0, |product| product.automaton().n_states());
}

/// The peak of this process's resident set, in bytes; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kilobytes| kilobytes << 10)
}
