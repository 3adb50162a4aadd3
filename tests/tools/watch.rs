//! Watching and being interrupted, with real files and real signals; nothing here waits for a clock.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

const MODEL: &str = "import \"lib.des\";\nsystem S {\n compose c = C;\n check infinite-step;\n}\n";
const LIB: &str = "component C { states A, B; initial A, B; events t; A -t-> B -t-> A; }\n";

fn desc(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("desc runs")
}

fn interrupt(child: &Child) {
    signal(child, "-INT");
}

fn signal(child: &Child, which: &str) {
    let killed = Command::new("kill").args([which, &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
}

/// Reads standard error up to the first run that is as wanted. One change may come as several, and give several runs.
fn until(errors: &mut BufReader<ChildStderr>, wanted: impl Fn(&str) -> bool) {
    loop {
        let mut run = String::new();
        while !run.ends_with("watching for changes; press Ctrl-C to stop\n") {
            assert!(errors.read_line(&mut run).expect("text") > 0, "it ended: {run}");
        }
        if wanted(&run) {
            return;
        }
    }
}

#[test]
fn a_change_of_the_file_or_an_import_runs_again_until_ctrl_c() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    let sound = |run: &str| !run.contains("error");
    write("m.des", MODEL);
    write("lib.des", LIB);
    let mut child = desc(folder.path(), &["check", "--watch", "--message-format", "short", "m.des"]);
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    until(&mut errors, sound);
    write("m.des", &MODEL[..40]);
    until(&mut errors, |run| run.contains("m.des:"));
    write("m.des", MODEL);
    until(&mut errors, sound);
    write("lib.des", &LIB.replace("initial A, B", "initial Z"));
    until(&mut errors, |run| run.contains("lib.des:1:"));
    // Editors write beside and rename.
    write("lib.new", LIB);
    fs::rename(folder.path().join("lib.new"), folder.path().join("lib.des")).expect("renamed");
    until(&mut errors, sound);
    interrupt(&child);
    let mut out = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0), "the status of the last run");
    assert!(out.matches("note[holds]: check infinite-step").count() >= 3, "{out}");
}

/// The literal constructions need 2^25 sets for the second system.
const SLOW: &str = "system Quick { states A, B; initial A, B; events t; A -t-> A; B -t-> B; check infinite-step; }
system Slow {
    states  s[0..25], t[0..25];
    initial s[0], t[0];
    events  a, b;
    s[0] -{a, b}-> s[0] -a-> s[1];
    t[0] -{a, b}-> t[0] -b-> t[1];
    for i in 1..24 { s[i] -{a, b}-> s[i + 1]; t[i] -{a, b}-> t[i + 1]; }
    check infinite-step;
}
";

/// SIGINT and SIGHUP in a set of signals.
const INT: u64 = 0b10;
const HUP: u64 = 0b1;

/// Whether a process listens to a signal.
fn listens(child: &Child, signal: u64) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & signal != 0)
}

fn await_listening(child: &mut Child, signal: u64) {
    while !listens(child, signal) {
        assert_eq!(child.try_wait().expect("a process"), None, "it ended");
        std::thread::yield_now();
    }
}

/// Interrupts a run that takes long, as soon as it listens; what it printed.
fn interrupted(model: &str, arguments: &[&str]) -> (String, String) {
    interrupted_when(model, arguments, |child| await_listening(child, INT))
}

fn interrupted_when(model: &str, arguments: &[&str], ready: impl Fn(&mut Child)) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("slow.des"), model).expect("a file");
    let mut child = desc(folder.path(), arguments);
    ready(&mut child);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(3), "{out}{err}");
    (out, err)
}

#[test]
fn ctrl_c_ends_with_what_is_known_and_exit_code_3() {
    let (out, err) = interrupted(SLOW, &["check", "--method", "literal", "slow.des"]);
    let told = out.contains("undecided  check infinite-step") && out.contains("it was interrupted");
    // It may come before the file was read, or before the reading began.
    let early = err.contains("interrupted before `slow.des` was read") || err == "interrupted before any result\n";
    assert!(told || early, "{out}{err}");
}

#[test]
fn ctrl_c_ends_max_with_the_lines_that_were_found_and_exit_code_3() {
    let (out, err) = interrupted(SLOW, &["max", "--method", "literal", "slow.des"]);
    let told = out.contains("Quick\n") && out.contains("Slow\n") && out.contains("unknown");
    assert!(told || err == "interrupted before any result\n", "{out}{err}");
}

/// Watches a model, run by `env` with this option.
fn watching(folder: &Path, option: &str) -> (Child, BufReader<ChildStderr>) {
    fs::write(folder.join("m.des"), LIB.replace("component", "system")).expect("a file");
    let mut command = Command::new("env");
    command.args([option, env!("CARGO_BIN_EXE_desc"), "check", "--watch", "--message-format", "short", "m.des"]);
    command.current_dir(folder).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("env runs");
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    until(&mut errors, |_| true);
    (child, errors)
}

#[test]
fn a_hangup_ends_it_like_any_other_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut child, _errors) = watching(folder.path(), "--default-signal=HUP");
    await_listening(&mut child, HUP);
    signal(&child, "-HUP");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "the status of the last run");
}

#[test]
fn a_hangup_that_was_ignored_from_the_start_stays_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut child, mut errors) = watching(folder.path(), "--ignore-signal=HUP");
    await_listening(&mut child, INT);
    signal(&child, "-HUP");
    fs::write(folder.path().join("m.des"), "system").expect("a file");
    until(&mut errors, |run| run.contains("m.des:1:"));
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(2), "the status of the last run");
}

/// A small system, and one of 10^9 states.
const LARGE: &str =
    "component C(i) { states s[0..9]; initial s[0]; events e[i]; for k in 0..8 { s[k] -e[i]-> s[k + 1]; } }
system Small { states A, B; initial A, B; events t; A -t-> A; B -t-> B; check infinite-step; }
system Large { compose c[i] = C(i) for i in 1..9; check 3-step about c[1]; check estimate [] = {c[1].s[0]}; }
";

/// Waits until a process holds so much that it must be composing.
fn await_composing(child: &mut Child) {
    await_listening(child, INT);
    let held = |id: u32| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default().to_owned();
        line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or_default()
    };
    while held(child.id()) < 64 << 10 {
        assert_eq!(child.try_wait().expect("a process"), None, "it ended");
        std::thread::yield_now();
    }
}

#[test]
fn ctrl_c_while_a_system_is_composed_tells_what_was_built_and_decides_the_others() {
    let arguments = ["check", "slow.des", "--max-states", "4000000000", "--max-transitions", "4000000000"];
    let (out, err) = interrupted_when(LARGE, &arguments, await_composing);
    assert!(
        err.contains("W0902") && err.contains("system `Large` was not composed before it was interrupted"),
        "{err}"
    );
    assert!(out.contains("ok      holds      check infinite-step"), "{out}{err}");
    assert!(out.contains("Large  not built: it was interrupted"), "{out}{err}");
    assert!(out.contains("??      undecided  check 3-step about c[1]"), "{out}{err}");
}
