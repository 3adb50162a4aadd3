//! `cargo bench --bench limits [-- FAMILY]`: do the limits hold, on models that explode?
//!
//! First every shape of `commands.rs` and every family is run once under `--timeout 2s --memory 64MiB`; `COMMANDS=only` stops there.
//! Then a model of each family (see `models.rs`) is written as a `.des` file and given to `desc check` as a user would: with `--timeout 2s`,
//! with `--memory` of 64 and 256 MB, with `--max-pairs`, under `ulimit -v`, and with a signal after a while. Time is the wall
//! clock of the whole run, memory the peak of its resident set, both less what the same run needs to read the model. Of a model that
//! explodes while it is expanded or composed, nothing is taken off but what a run with a small model needs. A run that
//! did not come to its limit is in brackets. It ends with 1 if a limit was passed by more than a tenth, a timeout
//! or a signal by more than a second, or if a run ended otherwise than it should. `DESC` names another binary to try.

mod commands;
mod models;
#[path = "../../tests/support/mod.rs"]
mod support;
#[path = "../model_text.rs"]
mod text;

use models::Trial;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The timeout that is given, and how much later a run may end.
const TIMEOUT: Duration = Duration::from_secs(2);
const GRACE: Duration = Duration::from_secs(1);

/// How long a run may take that is limited in another way.
const LONG: &str = "20s";

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let folder = std::env::temp_dir().join(format!("desc-limits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the models");
    let mut late = commands::all(&folder, &wanted);
    let rest = if std::env::var("COMMANDS").is_ok_and(|only| only == "only") { Vec::new() } else { models::trials() };
    println!(
        "{:28} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "family", "reads", "2s", "64MB", "256MB", "pairs", "ulimit", "SIGINT", "SIGTERM"
    );
    let is_wanted = |trial: &Trial| wanted.is_empty() || wanted.iter().any(|word| trial.family.contains(word.as_str()));
    for (number, trial) in rest.iter().enumerate().filter(|(_, trial)| is_wanted(trial)) {
        let path = folder.join(format!("m{number}.des"));
        std::fs::write(&path, &trial.text).expect("a model");
        late.extend(try_out(trial, &path));
    }
    let _ = std::fs::remove_dir_all(&folder);
    late.iter().for_each(|fault| println!("{fault}"));
    println!("{} limits were not kept", late.len());
    std::process::exit(i32::from(!late.is_empty()));
}

/// What became of a run.
struct Run {
    code: Option<i32>,
    time: Duration,
    /// The peak of its resident set, in bytes.
    peak: u64,
    /// What it printed.
    told: String,
    errors: String,
}

fn try_out(trial: &Trial, path: &Path) -> Vec<String> {
    let (family, mut faults) = (trial.family, Vec::new());
    let mut judge = |what: &str, run: &Run, fine: bool| {
        if !fine || !matches!(run.code, Some(0 | 1 | 3)) {
            let (code, time, peak, errors) = (run.code, run.time, run.peak >> 20, run.errors.trim());
            faults.push(format!("{family}, {what}: code {code:?}, {time:?}, {peak} MiB {errors}"));
        }
    };
    // A filter that nothing passes: the model is read, and no more.
    let blank = path.with_extension("blank.des");
    std::fs::write(&blank, "system S { states A; initial A; events t; A -t-> A; }\n").expect("a model");
    let read = if trial.builds { &blank } else { path };
    let options = if trial.builds { Vec::new() } else { trial.options.clone() };
    let reading = check(&Trial { options, deciding: &[], ..trial.clone() }, read, &["--filter", "\u{1}"], None);
    let beyond = |run: &Run| run.peak.saturating_sub(reading.peak);
    let within = |run: &Run, most: u64| beyond(run) <= most / 10 * 11;

    let timed = check(trial, path, &["--timeout", "2s"], None);
    judge("--timeout 2s", &timed, timed.time <= reading.time + TIMEOUT + GRACE);
    let small = check(trial, path, &["--memory", "64MB", "--timeout", LONG], None);
    judge("--memory 64MB", &small, within(&small, 64_000_000));
    let large = check(trial, path, &["--memory", "256MB", "--timeout", LONG], None);
    judge("--memory 256MB", &large, within(&large, 256_000_000));
    let pairs = check(trial, path, &["--max-pairs", "20000", "--timeout", LONG], None);
    judge("--max-pairs 20000", &pairs, true);
    let bound = bounded(trial, path);
    judge("ulimit -v", &bound, bound.code != Some(101));
    let signals = ["INT", "TERM"].map(|signal| {
        let after = reading.time + Duration::from_millis(700);
        let run = check(trial, path, &["--timeout", LONG], Some((signal, after)));
        let late = run.time.saturating_sub(after);
        judge(signal, &run, late <= GRACE);
        reached(&run, "interrupted", seconds(late))
    });
    println!(
        "{family:28} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        seconds(reading.time),
        reached(&timed, "the time limit", seconds(timed.time.saturating_sub(reading.time))),
        reached(&small, "the memory limit", megabytes(beyond(&small))),
        reached(&large, "the memory limit", megabytes(beyond(&large))),
        reached(&pairs, "the limit on pairs", seconds(pairs.time)),
        bound.code.map_or("killed".to_owned(), |code| format!("code {code}")),
        signals[0],
        signals[1],
    );
    faults
}

/// A figure; in brackets if the run does not tell that this ended it.
fn reached(run: &Run, limit: &str, figure: String) -> String {
    if run.told.contains(limit) { figure } else { format!("({figure})") }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

fn program() -> PathBuf {
    std::env::var_os("DESC").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_desc")), PathBuf::from)
}

fn check(trial: &Trial, path: &Path, limits: &[&str], signal: Option<(&str, Duration)>) -> Run {
    let mut command = Command::new(program());
    command
        .args(["check", "--quiet", "--threads", "1"])
        .arg(path)
        .args(&trial.options)
        .args(trial.deciding)
        .args(limits);
    watch(command, path, signal)
}

/// A run that may address no more than 600 MB.
fn bounded(trial: &Trial, path: &Path) -> Run {
    let mut command = Command::new("bash");
    let program = program().to_string_lossy().into_owned();
    command.args(["-c", "ulimit -v 600000; exec \"$0\" \"$@\"", &program, "check", "--quiet", "--threads", "1"]);
    command.arg(path).args(&trial.options).args(trial.deciding).args(["--timeout", LONG]);
    watch(command, path, None)
}

/// Runs a command to its end; looks at its memory all the time, and sends it a signal after a while.
fn watch(mut command: Command, path: &Path, signal: Option<(&str, Duration)>) -> Run {
    let (started, printed) = (Instant::now(), path.with_extension("out"));
    command.stdin(Stdio::null()).stdout(std::fs::File::create(&printed).expect("a file")).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let (status_file, mut peak, mut signal) = (format!("/proc/{}/status", child.id()), 0, signal);
    let status = loop {
        peak = peak.max(peak_of(&status_file));
        if let Some((name, _)) = signal.take_if(|(_, after)| started.elapsed() >= *after) {
            let _ = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status();
        }
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let time = started.elapsed();
    let errors = child.stderr.take().map(std::io::read_to_string).and_then(Result::ok).unwrap_or_default();
    // WHY: a line may be broken anywhere between two words.
    let told = std::fs::read_to_string(printed).unwrap_or_default() + &errors;
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    Run { code: status.code(), time, peak, told, errors }
}

/// The peak of a process's resident set so far.
fn peak_of(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
