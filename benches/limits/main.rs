//! `cargo bench --bench limits [-- FAMILY]`: do the limits hold, on models that explode?
//!
//! Each of 24 models of five families is written as a `.des` file and given to `desc check` as a user would: with `--timeout 2s`, with `--memory`
//! of 64 and 256 MB, with `--max-pairs`, under `ulimit -v`, and with a signal after a while. Time is the wall clock of the whole run, memory the
//! peak of its resident set less what the same run needs to read the model. It ends with 1 if a limit was passed by more than
//! a tenth, a timeout or a signal by more than a second, or if a run ended otherwise than it should. `DESC` names another binary to try.

#[allow(dead_code)]
#[path = "../engine/families.rs"]
mod families;
#[path = "../model_text.rs"]
mod text;

use desc::model::{Horizon, Property};
use families::*;
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
    let mut late = Vec::new();
    println!(
        "{:34} {:>7} {:>7} {:>8} {:>8} {:>9} {:>8} {:>8} {:>8}",
        "model", "reads", "2s", "64MB", "256MB", "pairs", "ulimit", "SIGINT", "SIGTERM"
    );
    for (name, instance) in models() {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            let path = folder.join(format!("{}.des", name.replace([' ', ',', '/'], "_")));
            std::fs::write(&path, text::of(&instance.view(), &instance.property, Horizon::Infinite, None))
                .expect("a model");
            late.extend(try_out(&name, &path));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    late.iter().for_each(|fault| println!("{fault}"));
    println!("{} limits were not kept", late.len());
    std::process::exit(i32::from(!late.is_empty()));
}

/// 24 models of five families; most of them reach every limit.
fn models() -> Vec<(String, Instance)> {
    let anonymity = vec![
        random_twins_cut(300, 6, 4),
        random_twins_cut(400, 8, 7),
        random_twins_cut(1_000, 9, 5),
        random_twins_cut(700, 9, 3),
        random_dense(120, 3),
        random_dense(160, 3),
        random_dense(240, 3),
        random_dense(400, 3),
        random_dense(800, 7),
        random_dense(2_000, 3),
        all_initial(800, 1),
        all_initial(1_500, 2),
        all_initial(3_000, 1),
        incomparable(22),
        incomparable(24),
        incomparable(26),
        incomparable(30),
        roles(6, 24, 1),
        roles(6, 30, 2),
        roles(7, 40, 1),
        roles(7, 60, 2),
        roles(8, 60, 3),
    ];
    let opacity = [random_twins_cut(1_000, 9, 5), random_twins_cut(2_000, 9, 5)].map(|of| {
        let secret = of.automaton.states().filter(|state| state.index() % 3 == 0).collect();
        (format!("{} {}, opacity", of.family, of.size), Instance { property: Property::Opacity { secret }, ..of })
    });
    let named = |of: Instance| (format!("{} {}", of.family, of.size), of);
    anonymity.into_iter().map(named).chain(opacity).collect()
}

/// What became of a run.
struct Run {
    code: Option<i32>,
    time: Duration,
    /// The peak of its resident set, in bytes.
    peak: u64,
    errors: String,
}

fn try_out(name: &str, path: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let mut judge = |what: &str, run: &Run, fine: bool| {
        if !fine || !matches!(run.code, Some(0 | 1 | 3)) {
            let peak = run.peak >> 20;
            faults.push(format!(
                "{name}, {what}: code {:?}, {:?}, {peak} MiB {}",
                run.code,
                run.time,
                run.errors.trim()
            ));
        }
    };
    let reading = check(path, &["--max-pairs", "0"], None);
    judge("reading", &reading, true);
    let beyond = |run: &Run| run.peak.saturating_sub(reading.peak);
    let within = |run: &Run, most: u64| beyond(run) <= most / 10 * 11;

    let timed = check(path, &["--timeout", "2s"], None);
    judge("--timeout 2s", &timed, timed.time <= reading.time + TIMEOUT + GRACE);
    let small = check(path, &["--memory", "64MB", "--timeout", LONG], None);
    judge("--memory 64MB", &small, within(&small, 64_000_000));
    let large = check(path, &["--memory", "256MB", "--timeout", LONG], None);
    judge("--memory 256MB", &large, within(&large, 256_000_000));
    let pairs = check(path, &["--max-pairs", "20000", "--timeout", LONG], None);
    judge("--max-pairs 20000", &pairs, true);
    let bound = bounded(path);
    judge("ulimit -v", &bound, bound.code != Some(101));
    let signals = ["INT", "TERM"].map(|signal| {
        let run = check(path, &["--timeout", LONG], Some((signal, reading.time + Duration::from_millis(700))));
        let late = run.time.saturating_sub(reading.time + Duration::from_millis(700));
        judge(signal, &run, late <= GRACE);
        late
    });
    println!(
        "{name:34} {:>7} {:>7} {:>8} {:>8} {:>9} {:>8} {:>8} {:>8}",
        seconds(reading.time),
        seconds(timed.time.saturating_sub(reading.time)),
        megabytes(beyond(&small)),
        megabytes(beyond(&large)),
        seconds(pairs.time),
        bound.code.map_or("killed".to_owned(), |code| format!("code {code}")),
        seconds(signals[0]),
        seconds(signals[1]),
    );
    faults
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

fn check(path: &Path, limits: &[&str], signal: Option<(&str, Duration)>) -> Run {
    let mut command = Command::new(program());
    command.args(["check", "--quiet", "--threads", "1"]).arg(path).args(limits);
    watch(command, signal)
}

/// A run that may address no more than 600 MB.
fn bounded(path: &Path) -> Run {
    let mut command = Command::new("bash");
    let program = program().to_string_lossy().into_owned();
    command.args(["-c", "ulimit -v 600000; exec \"$0\" \"$@\"", &program, "check", "--quiet", "--threads", "1"]);
    command.arg(path).args(["--timeout", LONG]);
    watch(command, None)
}

/// Runs a command to its end; looks at its memory all the time, and sends it a signal after a while.
fn watch(mut command: Command, signal: Option<(&str, Duration)>) -> Run {
    let started = Instant::now();
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program runs");
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
    Run { code: status.code(), time, peak, errors }
}

/// The peak of a process's resident set so far.
fn peak_of(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
