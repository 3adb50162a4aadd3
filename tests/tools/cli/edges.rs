//! What the operating system withholds: room on the disk, room on the stack, large files. Each is an exit code and a message, and no file
//! is left half-written.

use super::{PASSES, code, command, folder, stderr};
use desc::check::{Settings, check};
use desc::diagnostic::render::{Style, human};
use desc::format::format_text;
use desc::source::{NoImports, SourceFile, Sources};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Every command that writes to standard output, on models that `cli::folder` holds.
const PRINTS: &[&[&str]] = &[
    &["--help"],
    &["--version"],
    &["help", "check"],
    &["check", "--help"],
    &["check", "passes.des"],
    &["check", "passes.des", "--message-format", "json"],
    &["check", "passes.des", "--message-format", "sarif"],
    &["check", "passes.des", "--message-format", "junit"],
    &["show", "system", "passes.des"],
    &["show", "system", "passes.des", "--format", "svg"],
    &["estimate", "passes.des", "--observe", "t"],
    &["max", "passes.des"],
    &["project", "passes.des", "t"],
    &["import", "passes.gen"],
    &["export", "passes.des", "--to", "des"],
    &["compare", "passes.des"],
    &["fmt", "-"],
    &["new", "mine"],
    &["examples"],
    &["schema"],
    &["dump", "tokens", "passes.des"],
    &["dump", "automaton", "passes.des"],
    &["explain"],
    &["explain", "E0201"],
    &["completions", "bash"],
    &["man"],
    &["man", "check"],
];

const GENERATOR: &str = "<Generator> <S> 1 </S> <T> 1 \"a\" 1 </T> <I> 1 </I> </Generator>\n";

/// No limit of the language.
const MOST: &str = "4000000000";

fn models() -> tempfile::TempDir {
    let folder = folder();
    fs::write(folder.path().join("passes.gen"), GENERATOR).expect("a file");
    folder
}

/// Runs with standard output somewhere, and a model on standard input.
fn into(folder: &Path, arguments: &[&str], stdout: Stdio) -> Output {
    let input = fs::File::open(folder.join("passes.des")).expect("the model");
    command(folder, arguments).stdin(input).stdout(stdout).output().expect("desc runs")
}

/// Runs under a limit of the shell.
fn limited(folder: &Path, limit: &str, arguments: &[&str]) -> Output {
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_desc")]).args(arguments);
    bash.current_dir(folder).output().expect("bash runs")
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_says_that_the_disk_is_full() {
    for arguments in PRINTS {
        let folder = models();
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let output = into(folder.path(), arguments, full.into());
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        let said = "cannot write to standard output: no space left on the device\n";
        assert!(stderr(&output).ends_with(said), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn every_command_is_quiet_when_its_reader_has_gone() {
    for arguments in PRINTS {
        let folder = models();
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = into(folder.path(), arguments, writer.into());
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_stack_is_enough_for_every_command() {
    for arguments in PRINTS.iter().filter(|arguments| **arguments != ["fmt", "-"]) {
        let output = limited(models().path(), "ulimit -s 64", arguments);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{arguments:?}");
    }
    let folder = models();
    for (at, text) in deep().iter().enumerate() {
        let name = format!("deep{at}.des");
        fs::write(folder.path().join(&name), text).expect("a file");
        for asked in ["check", "fmt"] {
            let output = limited(folder.path(), "ulimit -s 64", &[asked, &name]);
            assert!(output.status.code().is_some_and(|code| code < 4), "{asked} {name}: {output:?}");
        }
    }
}

/// Models nested as deep as the language allows, in every way there is.
fn deep() -> Vec<String> {
    let rest = "events e; x -e-> x; check 0-step;";
    let system = |body: &str| format!("system A {{ states x; {body} {rest} }}\n");
    let around = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    let chain = |at: usize| format!("component C{at} {{ compose c = C{}; }}\n", at + 1);
    let components: String = (0..63).map(chain).collect();
    vec![
        system(&format!("initial {};", around("(", "x", ")", 120))),
        system(&format!("initial {};", around("{", "x", "}", 120))),
        system(&format!("initial {};", around("(x | ", "x", ")", 60))),
        system(&format!("initial x; if {} == 1 {{ }}", around("(", "1", ")", 120))),
        system(&format!("initial x; if {} == 1 {{ }}", around("-", "1", "", 60))),
        system(&format!("initial x; {}", around("for i in 1..1 {", "", "}", 120))),
        system(&format!("initial x; {}", around("if 1 == 1 {", "", "}", 120))),
        system(&format!("initial x; if 1 == 2 {{ }} {}", "else if 1 == 2 { }".repeat(120))),
        format!("const N = {};\n{}", around("(", "1", ")", 120), system("initial x;")),
        format!(
            "{components}component C63 {{ states x; initial x; }}\nsystem A {{ compose c = C0; {} }}\n",
            &rest[22..]
        ),
    ]
}

/// How much of the stack of a thread (`src/threads.rs`) the deepest models may take: a quarter, in a debug build.
#[test]
fn the_deepest_models_take_a_quarter_of_the_stack() {
    let style = Style { color: false, ascii: false, narrated: false, width: 80 };
    let run = move || {
        for text in deep() {
            let mut sources = Sources::new();
            let id = sources.add(SourceFile::new("deep.des", text.clone()));
            let checked = check(id, &mut sources, &NoImports, &Settings::default());
            human(&sources, &checked.diagnostics, &style);
            let _ = format_text("deep.des", &text);
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread").join().expect("it ends");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_would_be_too_large_is_told_and_leaves_the_old_one() {
    let untidy = "system S { states A; initial A; events t; A -t-> A; check infinite-step; }\n";
    for (arguments, file) in [
        (&["check", "passes.des", "--report", "json=out"][..], "out"),
        (&["check", "passes.des", "--report", "html=out"], "out"),
        (&["check", "passes.des", "--certificate", "out"], "out"),
        (&["report", "passes.des", "-o", "out"], "out"),
        (&["show", "system", "passes.des", "--format", "svg", "-o", "out"], "out"),
        (&["export", "passes.des", "--to", "json", "-o", "out"], "out"),
        (&["import", "passes.gen", "-o", "out"], "out"),
        (&["fmt", "out"], "out"),
        (&["new", "mine"], "mine.des"),
    ] {
        let folder = models();
        fs::write(folder.path().join("out"), untidy).expect("a file");
        let before = fs::read_dir(folder.path()).expect("a folder").count();
        let output = limited(folder.path(), "ulimit -f 0", arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        let said = format!("cannot write `{file}`: the file would be larger than the limit allows");
        assert!(stderr(&output).contains(&said), "{arguments:?}: {}", stderr(&output));
        assert_eq!(fs::read_to_string(folder.path().join("out")).expect("a file"), untidy, "{arguments:?}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), before, "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn time_on_the_processor_that_is_used_up_interrupts() {
    let ring = "component P(i) { states a, b; initial a; events t[i]; a -t[i]-> b -t[i]-> a; }\n\
                system Ring { compose p[i] = P(i) for i in 1..30; check estimate [] = {p[1].a}; }\n";
    let folder = models();
    fs::write(folder.path().join("ring.des"), ring).expect("a file");
    let output = limited(
        folder.path(),
        "ulimit -S -t 1",
        &["check", "ring.des", "--max-states", MOST, "--max-transitions", MOST],
    );
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stderr(&output).contains("interrupted"), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_would_be_too_large_is_told() {
    for arguments in PRINTS.iter().filter(|arguments| !["fmt", "new"].contains(&arguments[0])) {
        let folder = models();
        let run = |limit: &str| limited(folder.path(), &format!("{limit}; exec > printed"), arguments);
        let output = run("ulimit -f 0");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(stderr(&output).contains("the file would be larger"), "{arguments:?}: {}", stderr(&output));
    }
    assert!(PASSES.len() < 512, "the model itself is small");
}
