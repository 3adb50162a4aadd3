//! `cargo bench --bench engine [-- FAMILY]`: the engine on every family, beside the construction of the paper.
//!
//! Columns: family, size, states, verdict, k, milliseconds (the least of several runs), memory as counted, pairs, and the ratio of the literal
//! construction's time to the engine's (`>`: it did not end within its limit). `DESC_BENCH_SECONDS` sets the limits (10).

mod families;

use desc::model::Horizon;
use desc::model::{Lens, OWN};
use desc::paper;
use desc::verify::lab::{Switches, examine};
use desc::verify::{Exposure, Limits, Options};
use families::*;
use std::time::{Duration, Instant};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let seconds = std::env::var("DESC_BENCH_SECONDS").ok().and_then(|word| word.parse().ok()).unwrap_or(10.0);
    let literal = std::env::var("DESC_BENCH_LITERAL").is_ok_and(|word| word == "0");
    println!(
        "{:26} {:>8} {:>9} {:>9} {:>10} {:>10} {:>10} {:>9} {:>8} {:>10}",
        "family", "size", "states", "verdict", "ms", "memory", "pairs", "sets", "by", "literal"
    );
    for make in table() {
        let instance = make();
        let name = format!("{} {}", instance.family, instance.size);
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            measure(&instance, Duration::from_secs_f64(seconds), !literal);
        }
    }
}

type Maker = Box<dyn Fn() -> Instance>;

fn table() -> Vec<Maker> {
    vec![
        Box::new(|| random_twins(160, 1)),
        Box::new(|| random_twins(400, 1)),
        Box::new(|| random_twins(2_000, 1)),
        Box::new(|| random_twins(10_000, 2)),
        Box::new(|| random_twins_cut(80, 6, 4)),
        Box::new(|| random_twins_cut(120, 6, 4)),
        Box::new(|| random_twins_cut(180, 6, 4)),
        Box::new(|| random_dense(40, 3)),
        Box::new(|| random_dense(80, 3)),
        Box::new(|| all_initial(100, 1)),
        Box::new(|| all_initial(200, 1)),
        Box::new(|| all_initial(400, 1)),
        Box::new(|| nth_letter(18)),
        Box::new(|| nth_letter(200)),
        Box::new(|| nth_letter(1_000)),
        Box::new(|| grid(16, 1)),
        Box::new(|| grid(28, 1)),
        Box::new(|| grid(100, 1)),
        Box::new(|| users(5)),
        Box::new(|| users(7)),
        Box::new(|| permutations(10)),
        Box::new(|| incomparable(14)),
        Box::new(|| incomparable(18)),
        Box::new(|| ballots(5, true)),
        Box::new(|| ballots(8, true)),
        Box::new(|| ballots(11, true)),
        Box::new(|| agents(12)),
        Box::new(|| agents(40)),
        Box::new(|| relay(6)),
        Box::new(|| relay(7)),
        Box::new(|| relay(20)),
        Box::new(|| ballots(5, false)),
        Box::new(|| ballots(8, false)),
        Box::new(|| roles(3, 12, 1)),
        Box::new(|| roles(4, 14, 1)),
        Box::new(|| roles(5, 16, 1)),
        Box::new(|| sparse(1_000_000, 1, 1)),
        Box::new(|| sparse(1_000_000, 2, 1)),
    ]
}

fn measure(instance: &Instance, limit: Duration, literal: bool) {
    let limits = Limits { timeout: Some(limit), memory: Some(3 << 30), pairs: None };
    let options = Options { limits, threads: 1, ..Options::default() };
    let view = instance.view();
    let (finding, own) = best(|| examine(&view, &instance.property, Horizon::Infinite, &options, switches()));
    let verdict = match finding.exposure {
        Exposure::At(least) => format!("k = {least}"),
        Exposure::Never => "holds".to_owned(),
        Exposure::Beyond(safe) => format!("> {safe}?"),
        Exposure::Unknown => "?".to_owned(),
    };
    if let Some(fault) = &finding.fault {
        println!("FAULT: {fault}");
    }
    print!(
        "{:26} {:>8} {:>9} {:>9} {:>10.2} {:>10} {:>10} {:>9} {:>8}",
        instance.family,
        instance.size,
        instance.automaton.n_states(),
        verdict,
        own * 1e3,
        bytes(finding.cost.memory),
        finding.cost.pairs,
        finding.cost.sets,
        finding.cost.by,
    );
    println!(" {:>10}", if literal { ratio(instance, own, limits) } else { "-".to_owned() });
}

/// How many times longer the construction of the paper takes.
fn ratio(instance: &Instance, own: f64, limits: Limits) -> String {
    if instance.automaton.n_states() > 100_000 {
        return "-".to_owned();
    }
    let lens = Lens { observer: OWN, projection: instance.projection };
    let deadline = limits.timeout.map(|most| Instant::now() + most);
    let budget = paper::Budget::new(&limits, deadline, None);
    let call = || paper::decide(instance.view(), lens, &instance.property, Horizon::Infinite, budget);
    let (begun, used) = (Instant::now(), processor());
    let finding = call();
    let theirs = processor().zip(used).map_or(begun.elapsed().as_secs_f64(), |(now, then)| now - then);
    let ended = matches!(finding.exposure, Exposure::At(_) | Exposure::Never);
    format!("{}{:.1}x", if ended { "" } else { ">" }, theirs / own.max(1e-6))
}

/// The least time of several calls, or the processor time of one that is long.
fn best<T>(mut call: impl FnMut() -> T) -> (T, f64) {
    let (begun, used) = (Instant::now(), processor());
    let mut result = call();
    let mut least = begun.elapsed().as_secs_f64();
    if least > 0.1 {
        return (result, processor().zip(used).map_or(least, |(now, then)| now - then));
    }
    for _ in 0..20 {
        if begun.elapsed().as_secs_f64() > 0.25 {
            break;
        }
        let again = Instant::now();
        result = call();
        least = least.min(again.elapsed().as_secs_f64());
    }
    (result, least)
}

/// Seconds that this thread spent on a processor, where the system tells.
fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The default, or one method by hand: `DESC_BENCH_METHOD` = front, behind, plain.
fn switches() -> Switches {
    let all = Switches::default();
    match std::env::var("DESC_BENCH_METHOD").unwrap_or_default().as_str() {
        "front" => Switches { behind: false, two_way: false, ..all },
        "behind" => Switches { front: false, two_way: false, ..all },
        "plain" => Switches { behind: false, two_way: false, twins: false, simulation: false, ..all },
        _ => all,
    }
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
