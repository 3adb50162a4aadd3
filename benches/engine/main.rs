//! `cargo bench --bench engine [-- FAMILY]`: the engine on every family, beside the construction of the paper.
//!
//! Columns: family, size, states, verdict, milliseconds on one thread (the least of several runs, or the processor's time of one that
//! is long), how many of those went into building and checking a proof of what holds, milliseconds on two threads, memory as counted,
//! pairs, sets, the way that decided, and for the construction of the paper its time and memory and how many times more that is
//! (`>`: it did not end within its limit). Nothing is parsed. `DESC_BENCH_SECONDS` sets the limits (10), `DESC_BENCH_LITERAL=0` leaves the
//! construction out, the argument `reach` shows instead how far each weak family gets within the limit, `threads` searches on one thread and
//! on two, `random` how many of random models are decided within so much work (millions, `DESC_BENCH_WORK`, of `DESC_BENCH_SEEDS` models), with
//! and without what looks beside, `DESC_BENCH_METHOD` = front, behind, two-way or plain uses one way only.

#[path = "../../tests/support/mod.rs"]
mod support;
mod threads;

use desc::model::Horizon;
use desc::model::{OWN, ViewId};
use desc::paper;
use desc::resources::Resources;
use desc::verdict::{Exposure, Fewest, Finding};
use desc::verify::{Limits, Options, Tuning, decide_with, fewest_observations};
use std::time::{Duration, Instant};
use support::families::*;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let seconds = std::env::var("DESC_BENCH_SECONDS").ok().and_then(|word| word.parse().ok()).unwrap_or(10.0);
    let literal = std::env::var("DESC_BENCH_LITERAL").map_or(true, |word| word != "0");
    if wanted.iter().any(|word| word == "reach") {
        return reach(Duration::from_secs_f64(seconds));
    }
    if let Some(at) = wanted.iter().position(|word| word == "threads") {
        return threads::run(&wanted[at + 1..], Duration::from_secs_f64(seconds));
    }
    if wanted.iter().any(|word| word == "random") {
        return random();
    }
    println!(
        "| family | size | states | verdict | ms | of it proof | ms, 2 threads | memory | pairs | sets | by | fewest | ms | literal ms | literal memory | time | memory |"
    );
    println!(
        "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    );
    for (name, make) in table() {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            measure(&make(), Duration::from_secs_f64(seconds), literal);
        }
    }
}

type Maker = Box<dyn Fn() -> Instance>;

/// The rows, by a word to ask for them.
fn table() -> Vec<(&'static str, Maker)> {
    vec![
        ("twins 160", Box::new(|| random_twins(160, 1))),
        ("twins 400", Box::new(|| random_twins(400, 1))),
        ("twins 2000", Box::new(|| random_twins(2_000, 1))),
        ("twins 10000", Box::new(|| random_twins(10_000, 2))),
        ("cut 100", Box::new(|| random_twins_cut(100, 2, 29))),
        ("cut 180", Box::new(|| random_twins_cut(180, 3, 78))),
        ("dense 40", Box::new(|| random_dense(40, 7))),
        ("dense 80", Box::new(|| random_dense(80, 7))),
        ("initial 100", Box::new(|| all_initial(100, 1))),
        ("initial 200", Box::new(|| all_initial(200, 1))),
        ("initial 400", Box::new(|| all_initial(400, 1))),
        ("letter 18", Box::new(|| nth_letter(18))),
        ("letter 200", Box::new(|| nth_letter(200))),
        ("letter 1000", Box::new(|| nth_letter(1_000))),
        ("grid 16", Box::new(|| grid(16, 1))),
        ("grid 28", Box::new(|| grid(28, 1))),
        ("grid 100", Box::new(|| grid(100, 1))),
        ("users 5", Box::new(|| users(5))),
        ("users 7", Box::new(|| users(7))),
        ("ring 8", Box::new(|| ring(8))),
        ("mix 10", Box::new(|| mix(10))),
        ("crowds 30", Box::new(|| crowds(30))),
        ("permutations 20", Box::new(|| permutations(10))),
        ("incomparable 14", Box::new(|| incomparable(14))),
        ("incomparable 18", Box::new(|| incomparable(18))),
        ("ballots 5", Box::new(|| ballots(5, true))),
        ("ballots 8", Box::new(|| ballots(8, true))),
        ("ballots 11", Box::new(|| ballots(11, true))),
        ("agents 12", Box::new(|| agents(12))),
        ("agents 40", Box::new(|| agents(40))),
        ("relay 6", Box::new(|| relay(6))),
        ("relay 7", Box::new(|| relay(7))),
        ("relay 20", Box::new(|| relay(20))),
        ("no doubles 5", Box::new(|| ballots(5, false))),
        ("no doubles 8", Box::new(|| ballots(8, false))),
        ("roles 3", Box::new(|| roles(3, 12, 1))),
        ("roles 4", Box::new(|| roles(4, 14, 1))),
        ("roles 5", Box::new(|| roles(5, 16, 1))),
        ("sparse 1", Box::new(|| sparse(1_000_000, 1, 1))),
        ("sparse 2", Box::new(|| sparse(1_000_000, 2, 1))),
    ]
}

/// A family by its size.
type BySize = fn(usize) -> Instance;

/// Larger models are not tried.
const MOST_STATES: usize = 1 << 20;

/// The greatest |Γ| of each weak family that is decided within the limit.
fn reach(limit: Duration) {
    let families: [(&str, usize, BySize); 5] = [
        ("weak: ballots", 8, |size| ballots(size, true)),
        ("weak: agents", 100, agents),
        ("weak: relay", 16, relay),
        ("weak: ballots, no doubles", 6, |size| ballots(size, false)),
        ("weak: roles", 4, |size| roles(size, 6 + 2 * size, 1)),
    ];
    println!("| family | \\|Γ\\| | states | seconds |\n| --- | ---: | ---: | ---: |");
    for (family, first, make) in families {
        let mut reached = None;
        let mut size = first;
        loop {
            let instance = make(size);
            let limits = Limits { timeout: Some(limit), memory: Some(8 << 30), pairs: None };
            let options = Options { limits, threads: 1, ..Options::default() };
            let begun = Instant::now();
            let finding = decide_with(&instance.view(), &instance.property, Horizon::Infinite, &options, tuning());
            if !matches!(finding.exposure, Exposure::At(_) | Exposure::Never) || begun.elapsed() > limit {
                break;
            }
            let states = instance.automaton.n_states();
            reached = Some((size, states, begun.elapsed()));
            if states >= MOST_STATES {
                break;
            }
            size += 1.max(size / 8);
        }
        match reached {
            Some((size, states, time)) => println!("| {family} | {size} | {states} | {:.1} |", time.as_secs_f64()),
            None => println!("| {family} | < {first} | - | - |"),
        }
    }
}

/// How many random models are decided within some work. Odd seeds are those that the engine was tuned with.
fn random() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (work, seeds) = (number("DESC_BENCH_WORK", 20) * 1_000_000, number("DESC_BENCH_SEEDS", 40));
    let all = Tuning { turn: work, ..tuning() };
    let ways = [
        ("without", Tuning { best_first_from: u64::MAX, bundles_from: u64::MAX, ..all }),
        ("best first", Tuning { bundles_from: u64::MAX, ..all }),
        ("both", all),
    ];
    println!("| family | seeds | way | violated | hold | undecided | work of the violated, median | seconds |");
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |");
    for make in [random_automaton as fn(u64) -> Instance, random_weak, random_among] {
        for (seeds_are, first) in [("odd", 1), ("even", 2)] {
            for (way, tuning) in ways {
                let instances = (0..seeds).map(|at| make(first + 2 * at));
                let (mut violated, mut hold, mut undecided) = (Vec::new(), 0, 0);
                let begun = Instant::now();
                for instance in instances {
                    let options = Options { threads: 1, ..Options::default() };
                    let view = instance.view();
                    let finding = decide_with(&view, &instance.property, Horizon::Infinite, &options, tuning);
                    match finding.exposure {
                        Exposure::Never => hold += 1,
                        Exposure::At(_) | Exposure::AtMost { .. } => violated.push(finding.cost.work),
                        Exposure::Beyond(_) | Exposure::Unknown => undecided += 1,
                    }
                }
                violated.sort_unstable();
                let median = violated.get(violated.len() / 2).copied().unwrap_or(0);
                println!(
                    "| {} | {seeds_are} | {way} | {} | {hold} | {undecided} | {median} | {:.1} |",
                    make(1).family,
                    violated.len(),
                    begun.elapsed().as_secs_f64()
                );
            }
        }
    }
}

fn measure(instance: &Instance, limit: Duration, literal: bool) {
    let limits = Limits { timeout: Some(limit), memory: Some(3 << 30), pairs: None };
    let view = instance.view();
    let decide = |threads: usize| {
        let options = Options { limits, threads, ..Options::default() };
        decide_with(&view, &instance.property, Horizon::Infinite, &options, tuning())
    };
    let (finding, own) = best(|| decide(1), processor);
    let (_, two) = best(|| decide(2), || None);
    let verdict = match finding.exposure {
        Exposure::At(least) => format!("k = {least}"),
        Exposure::Never => "holds".to_owned(),
        Exposure::Beyond(safe) => format!("> {safe}?"),
        Exposure::AtMost { most, .. } => format!("k <= {most}"),
        Exposure::Unknown => "?".to_owned(),
    };
    if let Some(fault) = &finding.fault {
        println!("FAULT: {fault}");
    }
    print!(
        "| {} | {} | {} | {verdict} | {:.3} | {:.3} | {:.3} | {} | {} | {} | {} |",
        instance.family,
        instance.size,
        instance.automaton.n_states(),
        own * 1e3,
        finding.cost.proof.as_secs_f64() * 1e3,
        two * 1e3,
        bytes(finding.cost.memory),
        finding.cost.pairs,
        finding.cost.sets,
        finding.cost.by.map_or_else(String::new, |by| by.to_string()),
    );
    print!(" {} |", fewest(instance, &finding, limits));
    match literal && instance.automaton.n_states() <= 100_000 {
        true => println!(" {} |", beside(instance, own, finding.cost.memory, limits)),
        false => println!(" - | - | - | - |"),
    }
}

/// The fewest observations that expose, and how long it takes to find that out.
fn fewest(instance: &Instance, finding: &Finding, limits: Limits) -> String {
    let Some(known) = &finding.witness else { return "- | -".to_owned() };
    let options = Options { limits, threads: 1, ..Options::default() };
    let free = Tuning::FEWEST_FREE_WORK;
    let (view, property) = (instance.view(), &instance.property);
    let find = || fewest_observations(&view, property, Horizon::Infinite, (finding, free), &options);
    let (Fewest { other, is_proved }, time) = best(find, processor);
    let (total, open) = (known.observation.len(), if is_proved { "" } else { "?" });
    let least = other.map_or(total, |witness| witness.observation.len());
    format!("{least}{open} of {total} | {:.3}", time * 1e3)
}

/// What the construction of the paper takes, and how many times more that is.
fn beside(instance: &Instance, own: f64, memory: u64, limits: Limits) -> String {
    let view_id = ViewId { observer: OWN, projection: instance.projection };
    let unlimited = Resources { memory: limits.memory, ..Resources::default() };
    let resources = limits.timeout.map_or(unlimited, |most| unlimited.within(most));
    let budget = paper::Budget::new(None, resources);
    let (begun, used) = (Instant::now(), processor());
    let finding = paper::decide(instance.view(), view_id, &instance.property, Horizon::Infinite, budget);
    let theirs = processor().zip(used).map_or(begun.elapsed().as_secs_f64(), |(now, then)| now - then);
    let more = if matches!(finding.exposure, Exposure::At(_) | Exposure::Never) { "" } else { ">" };
    format!(
        "{more}{:.0} | {more}{} | {more}{:.1}x | {more}{:.1}x",
        theirs * 1e3,
        bytes(finding.cost.memory),
        theirs / own.max(1e-6),
        finding.cost.memory as f64 / memory.max(1) as f64
    )
}

/// The call that took least time of several, or one that is long, and its time by the clock that is given, if it runs.
fn best<T>(mut call: impl FnMut() -> T, clock: impl Fn() -> Option<f64>) -> (T, f64) {
    // WHY: the first call after a large construction pays for tidying the heap that it left behind.
    drop(call());
    let (begun, used) = (Instant::now(), clock());
    let mut result = call();
    let mut least = begun.elapsed().as_secs_f64();
    if least > 0.1 {
        return (result, clock().zip(used).map_or(least, |(now, then)| now - then));
    }
    for _ in 0..200 {
        if begun.elapsed().as_secs_f64() > 0.25 {
            break;
        }
        let again = Instant::now();
        let other = call();
        let taken = again.elapsed().as_secs_f64();
        if taken < least {
            (result, least) = (other, taken);
        }
    }
    (result, least)
}

/// Seconds that this thread spent on a processor, where the system tells.
fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The default, or one way by hand.
fn tuning() -> Tuning {
    let all = Tuning::default();
    match std::env::var("DESC_BENCH_METHOD").unwrap_or_default().as_str() {
        "front" => Tuning { backward: false, two_way: false, ..all },
        "behind" => Tuning { forward: false, two_way: false, ..all },
        "two-way" => Tuning { antichain: false, twins: false, forward: false, backward: false, ..all },
        "plain" => Tuning { backward: false, two_way: false, twins: false, simulation: false, ..all },
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
