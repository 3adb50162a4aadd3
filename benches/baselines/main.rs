//! `cargo bench --bench baselines`: the engine beside what people use today, on the same models.
//!
//! Every method decides every model in a process of its own, so that its peak memory is its own. Markdown goes to standard output, and JSON to the file after `--json`. `DESC_BENCH_SECONDS` is the limit of
//! one method (10). automata-lib runs if `DESC_BENCH_PYTHON` names a Python that has it. See README.md beside this file.

#[path = "../../tests/support/mod.rs"]
mod support;

use desc::baselines;
use desc::model::{Horizon, OWN, Property, ViewId};
use desc::paper::plant::Plant;
use desc::paper::{self, Budget};
use desc::resources::Resources;
use desc::verdict::Exposure;
use desc::verify::{Limits, Options, Tuning, decide_with};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::families::*;

const METHODS: [&str; 4] = ["desc", "composition (paper)", "two-way observer", "observer"];
const AUTOMATA_LIB: &str = "automata-lib (observer)";

fn models() -> Vec<Instance> {
    vec![
        random_twins(40, 1),
        random_twins(160, 1),
        random_twins_cut(100, 2, 29),
        random_dense(80, 7),
        all_initial(200, 1),
        nth_letter(10),
        nth_letter(16),
        grid(8, 1),
        grid(16, 1),
        users(5),
        ring(4),
        mix(8),
        crowds(12),
        permutations(8),
        incomparable(12),
        ballots(3, true),
        ballots(5, true),
        relay(4),
        roles(3, 12, 1),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match arguments.as_slice() {
        [one, method, at] if one == "--one" => println!("{}", alone(method, &models()[at.parse::<usize>().unwrap()])),
        [json, path] if json == "--json" => {
            let rows = table();
            std::fs::write(path, format!("{:#}\n", Value::Array(rows))).expect("the file can be written");
        }
        _ => {
            table();
        }
    }
}

fn limit() -> Duration {
    let seconds = std::env::var("DESC_BENCH_SECONDS").ok().and_then(|word| word.parse().ok());
    Duration::from_secs_f64(seconds.unwrap_or(10.0))
}

/// One method on one model, in this process. A short search is repeated, and its least wall-clock time counts; of a long one the
/// processor time counts, because the machine may be busy.
fn alone(method: &str, model: &Instance) -> Value {
    let (begun, cpu_before) = (Instant::now(), cpu());
    let (exposure, size) = search(method, model);
    let mut seconds = begun.elapsed().as_secs_f64();
    if seconds > 0.2 {
        seconds = cpu() - cpu_before;
    } else {
        while begun.elapsed() < Duration::from_millis(400) {
            let again = Instant::now();
            search(method, model);
            seconds = seconds.min(again.elapsed().as_secs_f64());
        }
    }
    json!({"answer": told(exposure), "seconds": seconds, "peak_kib": peak(), "size": size})
}

fn search(method: &str, model: &Instance) -> (Exposure, u64) {
    let view = model.view();
    let limits = Limits { timeout: Some(limit()), memory: Some(2 << 30), pairs: None };
    let resources = || Resources { memory: limits.memory, ..Resources::default() }.within(limit());
    match method {
        "desc" => {
            let options = Options { limits, threads: 1, ..Options::default() };
            let found = decide_with(&view, &model.property, Horizon::Infinite, &options, Tuning::default());
            (found.exposure, found.cost.pairs)
        }
        "composition (paper)" => {
            let view_id = ViewId { observer: OWN, projection: model.projection };
            let budget = Budget::new(None, resources());
            let found = paper::decide(view, view_id, &model.property, Horizon::Infinite, budget);
            (found.exposure, found.cost.pairs)
        }
        "two-way observer" => {
            let found = baselines::two_way(view, &model.property, resources());
            (found.exposure, found.states)
        }
        _ => {
            let found = baselines::observer(view, &model.property, resources());
            (found.exposure, found.states)
        }
    }
}

fn told(exposure: Exposure) -> String {
    match exposure {
        Exposure::At(least) => format!("k = {least}"),
        Exposure::Never => "holds".to_owned(),
        Exposure::Beyond(0) => "k > 0".to_owned(),
        Exposure::Beyond(safe) => format!("k > {safe}, then the limit"),
        Exposure::AtMost { most, .. } => format!("k <= {most}, then the limit"),
        Exposure::Unknown => "limit".to_owned(),
    }
}

fn table() -> Vec<Value> {
    println!("| model | states | method | answer | ms | peak MiB | time / desc |");
    println!("| --- | ---: | --- | --- | ---: | ---: | ---: |");
    let mut rows = Vec::new();
    for (at, model) in models().iter().enumerate() {
        let own = child("desc", at);
        let mut results: Vec<(&str, Value)> = vec![("desc", own.clone())];
        results.extend(METHODS[1..].iter().map(|&method| (method, child(method, at))));
        results.extend(automata_lib(model).map(|result| (AUTOMATA_LIB, result)));
        for (method, result) in results {
            rows.push(row(model, method, &result, &own));
        }
    }
    rows
}

fn row(model: &Instance, method: &str, result: &Value, own: &Value) -> Value {
    let (answer, expected) = (result["answer"].as_str().unwrap_or("?"), own["answer"].as_str().unwrap_or("?"));
    let disagrees = disagree(answer, expected);
    let seconds = result["seconds"].as_f64().unwrap_or(f64::NAN);
    let ratio = seconds / own["seconds"].as_f64().unwrap_or(f64::NAN).max(1e-6);
    let name = format!("{} {}, {}", model.family, model.size, model.projection);
    let states = model.automaton.n_states();
    let mark = if disagrees { " **DISAGREES**" } else { "" };
    let at_limit = if answer.contains("limit") { "> " } else { "" };
    let peak = result["peak_kib"].as_f64().map_or("-".to_owned(), |kib| format!("{:.0}", kib / 1024.0));
    println!(
        "| {name} | {states} | {method} | {answer}{mark} | {at_limit}{:.3} | {peak} | {at_limit}{ratio:.1} |",
        seconds * 1e3
    );
    json!({
        "model": name, "states": states, "method": method, "answer": answer, "disagrees": disagrees,
        "seconds": seconds, "peak_kib": result["peak_kib"], "ratio": ratio, "size": result["size"],
    })
}

/// Whether two answers cannot both be true. An observer only tells `k = 0` from `k > 0`.
fn disagree(answer: &str, expected: &str) -> bool {
    if answer.contains("limit") || expected.contains("limit") || answer.contains("failed") {
        return false;
    }
    match answer {
        "k > 0" => expected == "k = 0",
        _ => answer != expected,
    }
}

/// One method on one model, in a process of its own.
fn child(method: &str, at: usize) -> Value {
    let exe = std::env::current_exe().expect("this program has a path");
    let output = Command::new(exe).args(["--one", method, &at.to_string()]).stderr(Stdio::null()).output();
    let Ok(output) = output else { return json!({"answer": "failed to run"}) };
    let killed = output.status.code().is_none();
    let otherwise = if killed { json!({"answer": "limit (killed)"}) } else { json!({"answer": "failed to run"}) };
    serde_json::from_slice(&output.stdout).unwrap_or(otherwise)
}

/// The same view by automata-lib, if there is a Python that has it. It has no word for weak views.
fn automata_lib(model: &Instance) -> Option<Value> {
    let python = std::env::var("DESC_BENCH_PYTHON").ok()?;
    let view = model.view();
    if view.is_dynamic() {
        return None;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/baselines/automata_lib.py");
    let mut process = Command::new(python)
        .arg(script)
        .arg(limit().as_secs().max(1).to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    process.stdin.take()?.write_all(exported(model)?.to_string().as_bytes()).ok()?;
    let begun = Instant::now();
    let ended = loop {
        match process.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if begun.elapsed() < limit() * 8 => std::thread::sleep(Duration::from_millis(5)),
            _ => break None,
        }
    };
    let _ = process.kill();
    let mut text = String::new();
    process.stdout.take()?.read_to_string(&mut text).ok()?;
    // Over its limit a process is ended by a signal; any other end without an answer is a failure, and is called one.
    let Ok(said) = serde_json::from_str::<Value>(text.trim()) else {
        let at_limit = ended.is_none_or(|status| status.code().is_none());
        return Some(match at_limit {
            true => json!({"answer": "limit", "seconds": limit().as_secs_f64()}),
            false => json!({"answer": "failed to run"}),
        });
    };
    let answer = if said["exposed_now"] == json!(true) { "k = 0" } else { "k > 0" };
    Some(json!({"answer": answer, "seconds": said["seconds"], "peak_kib": said["peak_kib"], "size": said["sets"]}))
}

/// A static view as edges with numbered labels.
fn exported(model: &Instance) -> Option<Value> {
    let plant = Plant::new(model.view(), &mut Budget::unlimited()).ok()?;
    let Property::Anonymity { among: 2, classes, except: None } = &model.property else { return None };
    let class = |state: usize| classes.as_ref().map_or(state as u32, |classes| classes.of[state].0);
    let label = |sign| plant.alphabet().iter().position(|&known| Some(known) == sign);
    let edges: Vec<Value> = plant
        .ids()
        .flat_map(|node| plant.moves(node).iter().map(move |step| (node, *step)))
        .map(|(node, step)| json!([node.0, label(step.sign), step.target.0]))
        .collect();
    let initial: Vec<u32> = plant.initial().iter().map(|node| node.0).collect();
    let classes: Vec<u32> = (0..plant.len()).map(class).collect();
    Some(json!({"states": plant.len(), "initial": initial, "classes": classes, "edges": edges}))
}

/// Seconds that all threads of this process spent on a processor, in steps of 10 ms.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok()).sum();
    ticks / 100.0
}

/// The most memory that this process had, in KiB.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
