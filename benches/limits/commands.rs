//! Every command on inputs that explode in its own stage: reading, expanding, composing, building a construction, searching, proving,
//! replaying, telling, drawing and writing.
//!
//! Each run has `--timeout 2s --memory 64MiB`. The table gives its exit code, by how much it passed the timeout, and by how much the
//! peak of its resident set passed the limit, beyond what a run on a small model takes.

use super::models::{self, Trial};
use super::{Run, program, seconds, watch};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// By how much a run may be late.
const LATE: Duration = Duration::from_millis(500);

const TIMEOUT: Duration = Duration::from_secs(2);
const MEMORY: u64 = 64 << 20;

/// By how much a run may be too large.
const LARGE: u64 = MEMORY / 10 + 16_000_000;

/// An input and the command that reads it; `FILE` is its path.
pub struct Shape {
    name: &'static str,
    stage: &'static str,
    command: Vec<&'static str>,
    extension: &'static str,
    text: String,
}

fn shape(name: &'static str, stage: &'static str, command: &'static str, text: String) -> Shape {
    Shape { name, stage, command: command.split(' ').collect(), extension: "des", text }
}

fn foreign(name: &'static str, extension: &'static str, command: &'static str, text: String) -> Shape {
    Shape { extension, ..shape(name, "reading", command, text) }
}

fn system(body: &str) -> String {
    format!("system S {{\n{body}\n}}\n")
}

/// A chain of states; every run is told apart at its end only.
fn chain(n: usize) -> String {
    system(&format!(
        "states s[0..{n}]; initial s[0]; events go; for i in 0..{n} - 1 {{ s[i] -go-> s[i + 1]; }} check infinite-step;"
    ))
}

/// The estimates of the last `n` events.
fn shift(n: usize) -> String {
    system(&format!(
        "states s[0..{n}]; initial s[0]; events a, b; s[0] -a, b-> s[0]; s[0] -b-> s[1]; \
         for i in 1..{n} - 1 {{ s[i] -a, b-> s[i + 1]; }} check infinite-step;"
    ))
}

fn aut(n: usize) -> String {
    let lines: String = (1..n).map(|state| format!("({}, \"e{}\", {state})\n", state - 1, state % 1000)).collect();
    format!("des (0, {}, {n})\n{lines}", n - 1)
}

/// Events that each give a state away, and may be hidden.
fn levers(n: usize) -> String {
    system(&format!(
        "states s, t[1..{n}], u[1..{n}]; initial s; events a, leak[1..{n}]; \
         for i in 1..{n} {{ s -a-> t[i] -leak[i]-> u[i]; may hide leak[i] cost i; }} check 2-step;"
    ))
}

/// A JSON report of so many systems.
fn reports(n: usize) -> String {
    let system = |at: usize| {
        format!(
            r#"{{"file":"m.des","name":"S{at}","states":1,"events":1,"transitions":1,"checks":[{{"name":null,"text":"check 0-step","line":1,"kind":"property","verdict":"holds","passed":true}}]}}"#
        )
    };
    let systems: Vec<String> = (0..n).map(system).collect();
    format!(r#"{{"schema":1,"diagnostics":[],"systems":[{}]}}"#, systems.join(","))
}

pub fn shapes() -> Vec<Shape> {
    let many =
        |n: usize| system("states A; initial A; events e;").replace("\n}", &format!("{}\n}}", "A -e-> A;\n".repeat(n)));
    let family = || system("states q[0..1999, 0..1999]; initial q; events go; q -go-> q[0, 0]; check 0-step;");
    let ring = || {
        "component P(i) { states a, b, c; initial a; events t[i], own[i]; a -t[i]-> b -own[i]-> c -t[i]-> a; }\n\
         system S { compose p[i] = P(i) for i in 1..14; check 0-step; }\n"
            .to_owned()
    };
    vec![
        shape("a million statements", "reading", "check FILE", many(1_000_000)),
        shape("a million statements", "reading", "dump ast FILE", many(1_000_000)),
        shape("a million statements", "writing", "dump tokens FILE", many(1_000_000)),
        shape("a million statements", "writing", "fmt --check FILE", many(1_000_000)),
        shape("a million faults", "reading", "check FILE", "} ; x\n".repeat(1_000_000)),
        shape(
            "estimates by `for`",
            "estimates",
            "check FILE",
            system(
                "states s[1..100000]; initial s; events a; s[1] -a-> s[2]; for i in 1..1000 { check estimate [] = s; }",
            ),
        ),
        shape(
            "checks by `for`",
            "writing",
            "check FILE",
            system("states A, B; initial A, B; events e; A -e-> B; for i in 1..1000000 { check i-step; }"),
        ),
        shape(
            "a million events",
            "expanding",
            "check FILE",
            system("states A; initial A; events e[1..1000000]; anonymous events; A -e-> A; check 0-step;"),
        ),
        shape(
            "300,000 parts",
            "composing",
            "check FILE",
            "component C(i) { states A; initial A; events e[i]; A -e[i]-> A; }\n\
             system S { compose c[i] = C(i) for i in 1..300000; check 0-step; }\n"
                .to_owned(),
        ),
        shape(
            "a silent clique",
            "searching",
            "check FILE",
            system("states s[1..1500]; initial s[1]; events e; unobservable e; s -e-> s; check 0-step;"),
        ),
        shape("a long witness", "story", "check FILE", chain(200_000)),
        shape("a long witness", "rendering", "report FILE", chain(200_000)),
        shape("a long witness", "replaying", "check --certificate /dev/null FILE", chain(200_000)),
        shape("a large family", "expanding", "dump model FILE", family()),
        shape("a large family", "expanding", "dump automaton FILE", family()),
        shape(
            "initial states",
            "writing",
            "dump automaton FILE",
            system("states s[1..150000]; initial s; events e; s -e-> s[1];"),
        ),
        shape("a ring", "composing", "max FILE", ring()),
        shape("a ring", "composing", "export --to json FILE", ring()),
        shape("a ring", "composing", "show system --format dot FILE", ring()),
        shape("the last 40 events", "searching", "max FILE", shift(40)),
        shape("the last 40 events", "searching", "compare FILE", shift(40)),
        shape("the last 40 events", "searching", "report FILE", shift(40)),
        shape("the last 40 events", "constructing", "show observer --max-pairs 100000000 --format dot FILE", shift(40)),
        shape(
            "the last 40 events",
            "constructing",
            "show composition --max-pairs 100000000 --format dot FILE",
            shift(40),
        ),
        shape("a long chain", "rendering", "show system --format svg FILE", chain(100_000)),
        shape("a long chain", "rendering", "show system --format tikz FILE", chain(100_000)),
        shape("a long chain", "writing", "export --to aut FILE", chain(400_000)),
        shape(
            "a large clique",
            "estimates",
            "estimate --observe a FILE",
            system("states s[1..2000]; initial s; events a; s -a-> s;"),
        ),
        shape(
            "a large clique",
            "estimates",
            "project FILE a",
            system("states s[1..2000]; initial s; events a; s -a-> s;"),
        ),
        shape("the last 40 events", "repairing", "repair FILE", shift(40)),
        shape("twenty levers", "repairing", "repair --all FILE", levers(20)),
        shape("the last 40 events", "comparing", "diff FILE FILE", shift(40)),
        shape(
            "many values",
            "sweeping",
            "check -D N=2..40 FILE",
            "const N = 2;\n".to_owned() + &ring().replace("14", "N"),
        ),
        shape("a ring", "composing", "explore FILE", ring()),
        Shape { extension: "json", ..shape("100,000 reports", "reading", "merge FILE", reports(100_000)) },
        foreign("a million lines", "aut", "import FILE", aut(1_000_000)),
        foreign("a million lines", "aut", "check FILE", aut(1_000_000)),
    ]
}

/// Runs every shape and every family; the faults.
pub fn all(folder: &Path, wanted: &[String]) -> Vec<String> {
    println!("{:28} {:13} {:>4} {:>9} {:>9}  command", "shape", "stage", "code", "late", "large");
    let blank = folder.join("blank.des");
    std::fs::write(&blank, "system S { states A; initial A; events t; A -t-> A; }\n").expect("a model");
    let small = run(&["check", "FILE"], &blank).peak;
    let families = models::trials().into_iter().map(of_family);
    let shapes = shapes().into_iter().map(|shape| (shape, Vec::new())).chain(families);
    let is_wanted = |shape: &Shape| wanted.is_empty() || wanted.iter().any(|word| shape.name.contains(word.as_str()));
    let mut faults = Vec::new();
    for (number, (shape, options)) in shapes.enumerate().filter(|(_, (shape, _))| is_wanted(shape)) {
        let path = folder.join(format!("c{number}.{}", shape.extension));
        std::fs::write(&path, &shape.text).expect("an input");
        let words: Vec<&str> = shape.command.iter().copied().chain(options.iter().map(String::as_str)).collect();
        let ended = run(&words, &path);
        let late = ended.time.saturating_sub(TIMEOUT);
        let large = ended.peak.saturating_sub(small).saturating_sub(MEMORY);
        println!(
            "{:28} {:13} {:>4} {:>9} {:>6} MB  {}",
            shape.name,
            shape.stage,
            ended.code.map_or("-".to_owned(), |code| code.to_string()),
            seconds(late),
            large / 1_000_000,
            shape.command.join(" ")
        );
        if late > LATE || large > LARGE || !matches!(ended.code, Some(0..=3)) {
            faults.push(format!(
                "{}, {}: {:?} {:?} {} MB over",
                shape.name,
                shape.command.join(" "),
                ended.code,
                ended.time,
                large / 1_000_000
            ));
        }
        let _ = std::fs::remove_file(&path);
    }
    faults
}

fn of_family(trial: Trial) -> (Shape, Vec<String>) {
    let stage = if trial.builds { "expanding" } else { "searching" };
    let options = trial.options.into_iter().chain(trial.deciding.iter().map(|&word| word.to_owned())).collect();
    (shape(trial.family, stage, "check FILE", trial.text), options)
}

fn run(words: &[&str], path: &Path) -> Run {
    let mut command = Command::new(program());
    for &word in words {
        if word == "FILE" {
            command.arg(path)
        } else {
            command.arg(word)
        };
    }
    command.args(["--timeout", "2s", "--memory", "64MiB"]);
    watch(command, path, None)
}
