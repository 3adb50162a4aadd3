//! `cargo bench --bench load -- [SECONDS]`: much at once. 10,000 small files in one call, one file with 10,000 checks, a model that
//! imports 200 MB, and a language server with 1,000 open documents that are edited at random for SECONDS (600).
//!
//! Prints time and peak memory of each. It ends with 1 if a run does not end as it should, if the server's memory grows while
//! it is edited, or if its last diagnostics are not those of a fresh server. `DESC` names another binary to try.

#[allow(dead_code)]
#[path = "../../tests/support/client.rs"]
mod client;
mod server;
#[path = "../../tests/support/mod.rs"]
mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-'));
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(600);
    let folder = std::env::temp_dir().join(format!("desc-load-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("many")).expect("a folder");
    let fine = [many_files(&folder), many_checks(&folder), large_import(&folder)];
    let _ = std::fs::remove_dir_all(&folder);
    let edited = server::edited(Duration::from_secs(seconds));
    std::process::exit(i32::from(!edited || fine.contains(&false)));
}

/// A small model of which every check passes.
pub fn small(number: usize) -> String {
    format!(
        "system M{number} {{\n    states A, B, C, D;\n    initial A, B;\n    events a, b;\n    anonymous a, b;\n    A -a-> C;\n    B -b-> D;\n    \
         C -a-> C;\n    D -b-> D;\n    check strong infinite-step;\n}}\n"
    )
}

fn many_files(folder: &Path) -> bool {
    for number in 0..10_000 {
        std::fs::write(folder.join(format!("many/m{number}.des")), small(number)).expect("a file");
    }
    run("10,000 files", &["check", "--quiet"], &folder.join("many"))
}

fn many_checks(folder: &Path) -> bool {
    let mut text = String::from("system Many {\n    states s[0..99];\n    initial s[0..99];\n    events a, b;\n");
    for state in 0..100 {
        let _ = writeln!(
            text,
            "    s[{state}] -a-> s[{}];\n    s[{state}] -b-> s[{}];",
            (state + 1) % 100,
            (state + 7) % 100
        );
    }
    for number in 0..10_000 {
        // Each pair of classes is a property of its own, so that little is shared.
        let (steps, one) = (number % 50, number % 100);
        let (other, third) = ((one + 1 + number / 100 % 50) % 100, (one + 60 + number / 5_000) % 100);
        let _ = writeln!(text, "    check {steps}-step about {{s[{one}], s[{other}]}} | {{s[{third}]}};");
    }
    text += "}\n";
    let path = folder.join("checks.des");
    std::fs::write(&path, text).expect("a file");
    run("10,000 checks", &["check", "--quiet"], &path)
}

/// Two million transitions in a file of about 200 MB, imported by a small one.
fn large_import(folder: &Path) -> bool {
    let mut text = String::with_capacity(210 << 20);
    text += "component Large {\n    states s[0..999999];\n    initial s[0], s[1];\n    events letter_of_some_length[0..9];\n";
    let mut at: u64 = 1;
    let mut source = 0u64;
    while text.len() < 200 << 20 {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let target = (at >> 33) % 1_000_000;
        let _ = writeln!(
            text,
            "    s[{source}] -letter_of_some_length[{}]-> s[{target}];  /* {at:020} {at:020} */",
            at % 10
        );
        source = (source + 1) % 1_000_000;
    }
    text += "}\n";
    std::fs::write(folder.join("large.des"), &text).expect("a file");
    let path = folder.join("imports.des");
    let model = "import \"large.des\";\nsystem S {\n    compose c = Large;\n    observable events;\n    check current-state;\n}\n";
    std::fs::write(&path, model).expect("a file");
    run("200 MB import", &["check", "--quiet", "--max-pairs", "1000"], &path)
}

/// Runs the program on a path; whether it ended with an answer.
fn run(name: &str, arguments: &[&str], path: &Path) -> bool {
    let program = std::env::var_os("DESC").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_desc")), PathBuf::from);
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut peak = 0;
    let status = loop {
        peak = peak.max(memory(child.id(), "VmHWM:"));
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    println!("{name:16} {:8.2} s {:6} MiB  {status}", started.elapsed().as_secs_f64(), peak >> 20);
    matches!(status.code(), Some(0 | 1 | 3))
}

/// A line of what the operating system knows about a process, in bytes.
pub fn memory(process: u32, line: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let found = text.lines().find_map(|text| text.strip_prefix(line));
    found.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
