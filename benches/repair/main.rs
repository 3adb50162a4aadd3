//! `cargo bench --bench repair [-- FAMILY]`: what does a repair cost, in searches of the model?
//!
//! Families that scale in levers and in states, with monotone levers and without, with a solution and without. Each row gives the time
//! of one search of the model as it is, and of the cheapest choice and of all minimal choices as a multiple of it; how many choices were
//! visited, and how many of them were searched, refuted by a known run, or implied by another. `LIMIT` is the time for one row in
//! seconds.

use desc::model::System;
use desc::repair::{Ending, Problem, Solved, solve};
use desc::verify::{Limits, Options};
use std::fmt::Write;
use std::time::{Duration, Instant};

struct Family {
    name: &'static str,
    /// Levers and states to a text.
    text: fn(usize, usize) -> String,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "desks, monotone",
        text: |levers, states| desks(levers, states, "strong infinite-step opacity", ""),
    },
    Family { name: "desks, 2-step", text: |levers, states| desks(levers, states, "strong 2-step opacity", "") },
    Family { name: "desks, switched off", text: switched_off },
    Family {
        name: "desks, hopeless",
        text: |levers, states| desks(levers, states, "strong infinite-step opacity", HOPELESS),
    },
    Family {
        name: "desks, hopeless 2-step",
        text: |levers, states| desks(levers, states, "strong 2-step opacity", HOPELESS),
    },
];

const SIZES: &[(usize, usize)] =
    &[(4, 20), (8, 60), (12, 200), (12, 1_000), (16, 200), (20, 200), (24, 200), (8, 10_000)];

/// A door that shows where its patient was, and that nobody may change.
const HOPELESS: &str = "    waiting -call[1]-> cell -cell_door-> waiting;\n    secret cell;\n";

/// A waiting room that calls by number, and rooms whose doors show who was inside. Every second lever closes such a leak, the others
/// change what shows nothing.
fn desks(levers: usize, states: usize, check: &str, more: &str) -> String {
    let leaks = levers.div_ceil(2);
    let length = (states / (2 * levers)).max(1);
    let mut text = heading(levers, length, more);
    for room in 1..=levers {
        let leaks_here = room <= leaks;
        let (left, right) = if leaks_here { ("public_door", "secret_door") } else { ("other_door", "other_door") };
        let _ = writeln!(text, "    waiting -call[1]-> open[{room}, 1];\n    waiting -call[2]-> shut[{room}, 1];");
        let _ = writeln!(
            text,
            "    for i in 1..{} {{ open[{room}, i] -tick-> open[{room}, i + 1]; shut[{room}, i] -tick-> shut[{room}, i + 1]; }}",
            length - 1
        );
        let _ = writeln!(
            text,
            "    open[{room}, {length}] -{left}[{room}]-> waiting;\n    shut[{room}, {length}] -{right}[{room}]-> waiting;"
        );
        let doors = if leaks_here { format!("{left}[{room}], {right}[{room}]") } else { format!("{left}[{room}]") };
        let _ = writeln!(text, "    may together hide {doors} cost {};", 1 + room % 3);
    }
    let _ = writeln!(text, "    check {check};\n}}");
    text
}

/// The same, where the secret rooms can be closed.
fn switched_off(levers: usize, states: usize) -> String {
    let text = desks(levers, states, "strong infinite-step opacity", "");
    let line = |line: &str| match line.trim().strip_prefix("may together hide public_door[") {
        Some(rest) => {
            let room = rest.split(']').next().unwrap_or_default();
            format!("    may disable secret_door[{room}] cost {};\n", 1 + room.len())
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn heading(levers: usize, length: usize, more: &str) -> String {
    let cell = if more.is_empty() { "" } else { ", cell" };
    let door = if more.is_empty() { "" } else { ", cell_door" };
    format!(
        "system Desks {{\n    states waiting, open[1..{levers}, 1..{length}], shut[1..{levers}, 1..{length}]{cell};\n    initial waiting;\n    \
         events call[1..2], tick, public_door[1..{levers}], secret_door[1..{levers}], other_door[1..{levers}]{door};\n    \
         anonymous call[1..2];\n    secret shut[1..{levers}, 1..{length}];\n{more}"
    )
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let limit = std::env::var("LIMIT").ok().and_then(|word| word.parse().ok()).map_or(20, |seconds: u64| seconds);
    println!(
        "| family | levers | states | one search, ms | cost | cheapest, × | all minimal, × | found | visited | searched | refuted | implied |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for family in FAMILIES.iter().filter(|family| wanted.as_deref().is_none_or(|wanted| family.name.contains(wanted))) {
        for &(levers, states) in SIZES {
            row(family, levers, states, Duration::from_secs(limit));
        }
    }
}

fn row(family: &Family, levers: usize, states: usize, limit: Duration) {
    let text = (family.text)(levers, states);
    let checked = desc::check("desks.des", &text);
    let Some(model) = checked.model() else { panic!("{}", checked.explained()) };
    let system = &model.systems()[0];
    let options = Options { limits: Limits { timeout: Some(limit), ..Limits::default() }, ..Options::default() };
    let search = timed(|| drop(desc::verify::verify(system, &options))).as_secs_f64();
    let (first, least) = solved(system, 1, &options);
    let (all, every) = solved(system, usize::MAX, &options);
    let ratio = |time: Duration, solved: &Solved| match solved.ending {
        Ending::Undecided(_) => "undecided".to_owned(),
        _ => format!("{:.1}", time.as_secs_f64() / search),
    };
    let cost = match least.ending {
        Ending::Impossible => "impossible".to_owned(),
        _ => least.lower_bound.map_or_else(String::new, |cost| cost.to_string()),
    };
    let effort = every.effort;
    println!(
        "| {} | {levers} | {} | {:.2} | {cost} | {} | {} | {} | {} | {} | {} | {} |",
        family.name,
        system.automaton.n_states(),
        search * 1_000.0,
        ratio(first, &least),
        ratio(all, &every),
        every.choices.len(),
        effort.candidates,
        effort.searched,
        effort.refuted,
        effort.implied
    );
}

fn timed(work: impl Fn()) -> Duration {
    let once = || {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

fn solved(system: &System, most: usize, options: &Options<'_>) -> (Duration, Solved) {
    let problem = Problem::of(system);
    let started = Instant::now();
    let solved = solve(&problem, most, options);
    (started.elapsed(), solved)
}
