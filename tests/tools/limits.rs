//! Systems that are larger than `--timeout` and `--memory` allow: they are left, told of once, and undecided; the others are checked.
//!
//! No test looks at a clock: a limit of no time is passed at the first look.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// A ring of parts with many states together, what needs them, and a small system.
const RING: &str = r#"const N = 10;
component Part(i) {
    states  low, up, high;
    initial low, up;
    events  hand[i], hand[i % N + 1], own[i];
    low -hand[i]-> up -own[i]-> high -hand[i % N + 1]-> low;
    up -hand[i % N + 1]-> low;
}
system Ring {
    compose p[i] = Part(i) for i in 1..N;
    anonymous own[1..N] as own;
    secret p[1].low, "(low, low)";
    check strong infinite-step about p[1];
    check opaque: natural infinite-step opacity;
    check estimate [] = {p[1].low};
    check projection strong [own[1]] = [own];
    measure strong;
}
system Small {
    states A, B;
    initial A, B;
    events t;
    A -t-> A;
    B -t-> B;
    check 3-step;
}
"#;

/// A family that is large by itself.
const FAMILY: &str = "system Family {\n    states q[0..99999];\n    initial q[0];\n    events go;\n    \
    for i in 0..99998 { q[i] -go-> q[i + 1]; }\n    check 0-step;\n}\n";

fn desc(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_desc")).args(arguments).current_dir(folder).output().expect("desc runs")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn folder(model: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.des"), model).expect("a file");
    folder
}

fn json(folder: &Path, limits: &[&str]) -> Value {
    let output = desc(folder, &[&["check", "m.des", "--message-format", "json"], limits].concat());
    assert_eq!(code(&output), 3, "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_system_that_is_not_composed_in_time_is_undecided_and_the_others_are_checked() {
    for (limit, word) in [(["--timeout", "0s"], "timeout"), (["--memory", "1kB"], "memory")] {
        let folder = folder(RING);
        let document = json(folder.path(), &limit);
        let [told] = &document["diagnostics"].as_array().expect("a list")[..] else { panic!("{document:#}") };
        assert_eq!(told["code"], "W0902");
        assert_eq!(told["severity"], "warning");
        let message = told["message"].as_str().expect("a message");
        assert!(message.starts_with("system `Ring` was not composed within the "), "{message}");
        let systems = document["systems"].as_array().expect("a list");
        assert_eq!(systems[0]["unbuilt"], word);
        let verdicts = |at: usize| -> Vec<&Value> {
            systems[at]["checks"].as_array().expect("a list").iter().map(|check| &check["verdict"]).collect()
        };
        assert_eq!(verdicts(0), ["undecided", "undecided", "undecided", "holds"]);
        assert_eq!(systems[0]["checks"][0]["limit"], word);
        assert_eq!(systems[0]["checks"][2].get("actual"), None);
        assert_eq!(systems[0]["measures"][0]["bound"], "unknown");
        assert_eq!((&systems[1]["name"], systems[1].get("unbuilt")), (&Value::from("Small"), None));
    }
}

#[test]
fn every_form_says_it_and_ends_with_3() {
    let folder = folder(RING);
    for form in ["human", "short", "json", "sarif", "junit"] {
        for more in [&[][..], &["--deny", "warnings"], &["--quiet"]] {
            let arguments = [&["check", "m.des", "--timeout", "0s", "--message-format", form], more].concat();
            let output = desc(folder.path(), &arguments);
            assert_eq!(code(&output), 3, "{arguments:?}");
            let all = text(&output.stdout) + &text(&output.stderr);
            assert!(all.contains("W0902") && all.contains("undecided"), "{arguments:?}: {all}");
        }
    }
    let output = desc(folder.path(), &["check", "m.des", "--timeout", "0s", "--report", "html=page.html"]);
    assert_eq!(code(&output), 3);
    assert!(text(&output.stdout).contains("Ring  not built: the time limit was reached"), "{}", text(&output.stdout));
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    assert!(page.contains("Not built: the time limit was reached") && page.contains("W0902"));
}

#[test]
fn a_text_that_is_cut_off_is_blamed_for_nothing_else() {
    for limit in [["--timeout", "0s"], ["--memory", "1kB"]] {
        let folder = folder(FAMILY);
        let document = json(folder.path(), &limit);
        let codes: Vec<&Value> =
            document["diagnostics"].as_array().expect("a list").iter().map(|told| &told["code"]).collect();
        assert_eq!(codes, ["W0902"], "{limit:?}");
        let junit = desc(folder.path(), &[&["check", "m.des", "--message-format", "junit"], &limit[..]].concat());
        assert!(text(&junit.stdout).contains("errors=\"1\""), "{}", text(&junit.stdout));
    }
}

#[test]
fn an_error_elsewhere_is_still_an_error() {
    let folder = folder(&RING.replace("check 3-step", "check 3-step against Nobody"));
    assert_eq!(code(&desc(folder.path(), &["check", "m.des", "--timeout", "0s"])), 2);
}

#[test]
fn whoever_measures_says_it_too() {
    let folder = folder(RING);
    for (command, rest) in [("max", "Small\n"), ("compare", "Small: ")] {
        let output = desc(folder.path(), &[command, "m.des", "--memory", "1kB"]);
        assert_eq!(code(&output), 3, "{command}");
        assert!(text(&output.stderr).contains("W0902"), "{command}");
        assert!(text(&output.stdout).contains(rest) && !text(&output.stdout).contains("Ring"), "{command}");
        let named = desc(folder.path(), &[command, "m.des", "--memory", "1kB", "--system", "Ring"]);
        assert_eq!((code(&named), text(&named.stdout).trim()), (3, ""), "{command}: {}", text(&named.stderr));
    }
}

#[test]
fn a_model_that_fits_is_read_as_ever() {
    let folder = folder(RING);
    let output = desc(folder.path(), &["check", "m.des", "-D", "N=2", "--memory", "100MB", "--timeout", "1h"]);
    assert!(matches!(code(&output), 0 | 1), "{}", text(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_operating_system_does_not_give_is_not_asked_for() {
    let folder = folder(&RING.replace("const N = 10", "const N = 24"));
    let run = "ulimit -v 180000; exec \"$0\" check m.des --max-states 4000000000 --max-transitions 4000000000";
    let mut command = Command::new("bash");
    let output = command.args(["-c", run, env!("CARGO_BIN_EXE_desc")]).current_dir(folder.path()).output();
    let output = output.expect("bash runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("W0902"), "{}", text(&output.stderr));
}

/// Several threads do not use up the addresses of which one has enough.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn threads_share_the_addresses_that_the_operating_system_gives() {
    let model = "const N = 5;
        component User(i) { states idle, wait, done; initial idle, wait; events x[i], y[i], r;
            idle -x[i]-> wait -y[i]-> done -r-> idle, wait; wait -x[i]-> wait; }
        component Mix { states none, held[1..N]; initial none; events x[1..N], y[1..N];
            for i in 1..N { none -x[i]-> held[i] -{y[1..N]}-> none; held[i] -x[1..N]-> held[i]; } }
        system Many { compose u[i] = User(i) for i in 1..N, mix = Mix; observable x[1..N], r; anonymous x[1..N];
            check weak infinite-step about u[1]; check weak infinite-step opacity of u[2].wait;
            check strong infinite-step about u[3]; check weak infinite-step opacity of u[1].wait & u[2].wait throughout; }";
    let folder = folder(model);
    let run = "ulimit -v 180000; exec \"$0\" check m.des --threads 8 --max-pairs 200";
    let mut command = Command::new("bash");
    command.env_remove("MALLOC_ARENA_MAX").args(["-c", run, env!("CARGO_BIN_EXE_desc")]).current_dir(folder.path());
    let output = command.output().expect("bash runs");
    assert_eq!(output.status.code(), Some(3), "{:?}: {}", output.status, text(&output.stderr));
    assert!(text(&output.stdout).contains("4 checks"), "{}", text(&output.stdout));
}

/// A text that is cut off somewhere has no faults that the whole text does not have.
#[test]
fn no_limit_makes_a_fault_of_a_model_that_has_none() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/protocols");
    for name in ["crowds", "voting", "donation", "dining_cryptographers", "badge_office", "pool_mix", "batch_mix"] {
        for limit in [["--timeout", "0s"], ["--memory", "1kB"]] {
            let file = format!("{name}.des");
            let asked = ["check", &file, "-D", "N=8", "--message-format", "short"];
            let output = desc(&examples, &[&asked, &limit[..]].concat());
            let told = text(&output.stderr);
            assert!(code(&output) == 3 && !told.contains("error["), "{name}: {told}");
            assert!(told.contains("W0902") || limit[0] == "--memory", "{name} is not large enough");
        }
    }
}

#[test]
fn a_filter_does_not_hide_what_was_not_built() {
    let folder = folder(RING);
    let output = desc(folder.path(), &["check", "m.des", "--timeout", "0s", "--filter", "Nothing"]);
    assert_eq!(code(&output), 3);
    assert!(text(&output.stderr).contains("W0902"), "{}", text(&output.stderr));
}

#[test]
fn a_measure_that_is_not_finished_is_undecided() {
    let folder = folder("system S { states A, B; initial A, B; events t; A -t-> A; B -t-> B; measure; }\n");
    assert_eq!(code(&desc(folder.path(), &["check", "m.des"])), 0);
    assert_eq!(code(&desc(folder.path(), &["check", "m.des", "--max-pairs", "0"])), 3);
}

/// Checks of one system, the first of which takes far longer than anybody waits.
const HARD: &str = include_str!("../fixtures/hard_weak.des");

#[test]
fn a_check_that_takes_long_leaves_time_for_the_others() {
    let folder = folder(HARD);
    for threads in ["1", "2"] {
        let checks = json(folder.path(), &["--timeout", "2s", "--threads", threads])["systems"][0]["checks"].take();
        let verdicts: Vec<&str> =
            checks.as_array().expect("checks").iter().filter_map(|check| check["verdict"].as_str()).collect();
        assert_eq!(verdicts[1..], ["violated", "holds", "holds"], "{threads} threads: {verdicts:?}");
    }
}

/// Every command that can take long, on a model of many states or on another tool's file.
const COMMANDS: &[&[&str]] = &[
    &["check", "m.des"],
    &["report", "m.des"],
    &["max", "m.des"],
    &["compare", "m.des"],
    &["estimate", "m.des", "--observe", "go"],
    &["project", "m.des", "go"],
    &["show", "system", "m.des"],
    &["show", "observer", "m.des"],
    &["show", "augmented", "m.des"],
    &["dump", "model", "m.des"],
    &["dump", "automaton", "m.des"],
    &["export", "m.des", "--to", "json"],
    &["export", "m.des", "--to", "aut"],
    &["import", "m.aut"],
    &["check", "m.aut"],
    &["fmt", "--check", "long.des"],
    &["dump", "tokens", "long.des"],
    &["dump", "ast", "long.des"],
    &["repair", "m.des"],
    &["diff", "m.des", "m.des"],
    &["diff", "old.json", "old.json"],
    &["merge", "old.json"],
    &["check", "m.des", "--baseline", "old.json"],
];

/// A JSON report of many checks. It is read into a document that is several times as large.
fn recorded() -> String {
    let check = r#"{"text":"check 0-step","line":1,"verdict":"holds","passed":true}"#;
    let checks = vec![check; 1_000].join(",");
    format!(r#"{{"schema":1,"diagnostics":[],"systems":[{{"file":"m.des","name":"S","checks":[{checks}]}}]}}"#)
}

/// A chain as another tool writes it.
fn aldebaran(states: usize) -> String {
    let lines = (1..states).map(|state| format!("({}, \"go\", {state})\n", state - 1)).collect::<String>();
    format!("des (0, {}, {states})\n{lines}", states - 1)
}

#[test]
fn every_command_ends_at_each_limit_and_says_which() {
    let folder = folder(FAMILY);
    std::fs::write(folder.path().join("m.aut"), aldebaran(20_000)).expect("a file");
    let long = format!("system S {{ states A; initial A; events e;\n{}}}\n", "A -e-> A;\n".repeat(10_000));
    std::fs::write(folder.path().join("long.des"), long).expect("a file");
    std::fs::write(folder.path().join("old.json"), recorded()).expect("a file");
    for command in COMMANDS {
        for (limit, word) in [(["--timeout", "0s"], "time limit"), (["--memory", "100kB"], "memory limit")] {
            let output = desc(folder.path(), &[command, &limit[..]].concat());
            let told = text(&output.stderr) + &text(&output.stdout);
            assert_eq!(code(&output), 3, "{command:?} {limit:?}: {told:.500}");
            assert!(told.contains(word), "{command:?} {limit:?}: {told:.500}");
            assert!(!told.contains("no check in this file"), "{command:?} {limit:?}: {told:.500}");
        }
    }
}

/// Commands whose construction is large where the model is small.
#[test]
fn a_construction_that_is_too_large_is_left() {
    // The observer knows which of the last twelve events were `b`.
    let folder = folder(
        "system S { states s[0..12]; initial s[0]; events a, b; s[0] -a, b-> s[0]; s[0] -b-> s[1];\n\
         for i in 1..11 { s[i] -a, b-> s[i + 1]; } check infinite-step; }\n",
    );
    for what in ["observer", "modified-observer", "adjoint", "composition"] {
        let output = desc(folder.path(), &["show", what, "m.des", "--max-pairs", "1000000", "--memory", "300kB"]);
        let told = text(&output.stderr);
        assert_eq!(code(&output), 3, "{what}: {told:.500}");
        assert!(told.contains("memory limit"), "{what}: {told:.500}");
        assert!(output.stdout.is_empty(), "{what}");
    }
}

#[test]
fn what_was_decided_before_the_limit_is_printed() {
    let folder = folder(RING);
    for limit in [["--timeout", "0s"], ["--memory", "1kB"]] {
        let output = desc(folder.path(), &[&["check", "m.des"], &limit[..]].concat());
        let told = text(&output.stdout);
        assert_eq!(code(&output), 3);
        assert!(told.contains("Small") && told.contains("undecided"), "{told}");
    }
}
