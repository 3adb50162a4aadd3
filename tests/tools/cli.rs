//! The binary itself: standard output, standard error, exit codes, files.

mod baseline;
mod certificates;
#[cfg(unix)]
mod edges;
mod files;
mod formats;
mod repair;
mod sweep;
mod shards;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PASSES: &str =
    "system S {\n states A, B;\n initial A, B;\n events t;\n A -t-> A;\n B -t-> B;\n check infinite-step;\n}\n";
const FAILS: &str =
    "system S {\n states A, B;\n initial A, B;\n events t, u;\n A -t-> A;\n B -u-> B;\n check 0-step;\n}\n";
const FAULTY: &str = "system S {\n states A;\n initial B;\n}\n";

fn desc(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("desc runs")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
    command.args(arguments).current_dir(folder).env_remove("NO_COLOR").env_remove("NO_GRAPHICS");
    command
}

fn piped(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("desc runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("desc reads");
    child.wait_with_output().expect("desc ends")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// A folder with a model that passes, one that fails, one that is faulty.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("passes.des", PASSES), ("fails.des", FAILS), ("faulty.des", FAULTY)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// What is printed, without what depends on the machine or on how the search went: time, pairs, the size of proofs.
fn essence(text: &str) -> String {
    let (verdicts, stories) = text.split_once("\n\n").unwrap_or((text, ""));
    let is_proof = |line: &&str| line.starts_with(&" ".repeat(21)) && !line.contains(".des:");
    let lines = verdicts.lines().filter(|line| !is_proof(line)).chain([""]).chain(stories.lines());
    let lines = lines.map(|line| match line.split_once("; ") {
        Some((tally, rest)) if rest.contains(" explored") && tally.contains(" passed") => tally,
        _ => line,
    });
    lines.filter(|line| !line.starts_with("explored in ")).map(|line| format!("{line}\n")).collect()
}

/// Every model below `fixtures/verify` has a snapshot of its report beside it.
#[test]
fn stories_read_as_they_should() {
    let mut files: Vec<PathBuf> = fs::read_dir(fixtures().join("verify"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "des"));
    files.sort();
    assert!(files.len() >= 14, "the fixtures are there");
    for path in files {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let output = desc(&fixtures(), &["check", &format!("verify/{name}.des")]);
        assert!(code(&output) < 2, "{name}: {}", stderr(&output));
        let text = essence(&stdout(&output));
        // A line of the model is as wide as it is; everything else fits, labels too.
        let is_source =
            |line: &&str| line.split_once(" │ ").is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok());
        for line in text.lines().filter(|line| !is_source(line)) {
            assert!(line.chars().count() <= 80, "{name}: over 80 columns: {line}");
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../fixtures/verify");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, text));
    }
}

/// Labels of a composed system, whose states have long names, speak of its parts; `-v` gives the names whole.
#[test]
fn long_names_of_a_product_do_not_leave_the_page() {
    let folder = folder();
    let text = "component User(i) {\n    states  resting, working;\n    initial resting, working;\n    events  start[i], stop[i];\n    \
        resting -start[i]-> working -stop[i]-> resting;\n}\n\
        system Office {\n    compose u[i] = User(i) for i in 1..6;\n    check 0-step about u[6];\n}\n";
    fs::write(folder.path().join("office.des"), text).expect("a file");
    let labels = |arguments: &[&str]| {
        let text = stdout(&desc(folder.path(), &[&["check", "office.des"], arguments].concat()));
        text.lines()
            .filter(|line| line.trim_start().starts_with('·'))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    let (short, whole) = (labels(&[]), labels(&["-v"]));
    assert!(short.contains("`u[6]`") && !short.contains("(resting"), "{short}");
    assert!(whole.contains("(resting") && !whole.contains(" more)"), "{whole}");
    assert!(short.lines().chain(whole.lines()).all(|line| line.chars().count() <= 80), "{short}{whole}");
}

#[test]
fn exit_codes_tell_results_from_failures() {
    let folder = folder();
    let check = |files: &[&str]| code(&desc(folder.path(), &[&["check"], files].concat()));
    assert_eq!(check(&["passes.des"]), 0);
    assert_eq!(check(&["fails.des"]), 1);
    assert_eq!(check(&["faulty.des"]), 2);
    assert_eq!(check(&["passes.des", "--max-pairs", "0"]), 3);
    assert_eq!(check(&["passes.des", "fails.des"]), 1);
    assert_eq!(check(&["fails.des", "faulty.des", "passes.des"]), 2);
    assert_eq!(check(&["none.des", "passes.des"]), 2);
    assert_eq!(check(&["."]), 2, "a folder stands for its models");
    assert_eq!(check(&[]), 2);
    assert_eq!(check(&["passes.des", "--timeout", "soon"]), 2);
    assert_eq!(code(&desc(folder.path(), &["chekc"])), 2);
    assert_eq!(code(&desc(folder.path(), &["--help"])), 0);
    assert_eq!(code(&desc(folder.path(), &["--version"])), 0);
}

#[test]
fn standard_input_is_a_file() {
    let folder = folder();
    let output = piped(folder.path(), &["check", "-"], FAILS);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("<stdin>:7:2"), "{}", stdout(&output));
    let output = piped(folder.path(), &["check", "-"], "");
    assert!(code(&output) == 0 || code(&output) == 2);
}

#[test]
fn results_go_to_standard_output_and_diagnostics_to_standard_error() {
    let folder = folder();
    let output = desc(folder.path(), &["check", "fails.des", "faulty.des"]);
    assert!(stdout(&output).contains("violated") && !stdout(&output).contains("error["), "{}", stdout(&output));
    assert!(stderr(&output).contains("error[E0"), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 file not checked because of errors"), "{}", stdout(&output));
    assert!(!stdout(&output).contains('\u{1b}') && !stderr(&output).contains('\u{1b}'), "no colours in a pipe");
    let output = desc(folder.path(), &["check", "fails.des", "--color", "always"]);
    assert!(stdout(&output).contains('\u{1b}'), "colours when asked for");
}

#[test]
fn what_holds_says_how_far_and_how_large_the_proof_is() {
    let text = stdout(&desc(folder().path(), &["check", "passes.des"]));
    assert!(text.contains("holds for any number of steps; "), "{text}");
    assert!(text.contains(" pair"), "{text}");
    assert!(text.contains("1 check: 1 passed; "), "{text}");
}

#[test]
fn quiet_says_nothing_about_what_passed() {
    let folder = folder();
    assert_eq!(stdout(&desc(folder.path(), &["check", "-q", "passes.des"])), "");
    assert!(stdout(&desc(folder.path(), &["check", "-q", "fails.des"])).contains("violated"));
}

#[test]
fn ascii_is_ascii() {
    let models = ["verify/weak_same_agent.des", "verify/strong_looks_back.des", "verify/about_component.des"];
    for extra in [&["--ascii"][..], &["--ascii", "--narrated"], &["--ascii", "-vv"]] {
        let output = desc(&fixtures(), &[&["check"], &models[..], extra].concat());
        assert!(output.stdout.is_ascii(), "{}", stdout(&output));
    }
    let output = desc(&fixtures(), &["check", models[0], "--ascii"]);
    assert!(stdout(&output).contains("?1 ?1"));
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(output)))
}

#[test]
fn filters_choose_checks_and_a_filter_for_nothing_is_an_error() {
    let folder = folder();
    let model = PASSES.replace("check infinite-step;", "check good: infinite-step; check bad: not infinite-step;");
    fs::write(folder.path().join("named.des"), model).expect("a file");
    assert_eq!(code(&desc(folder.path(), &["check", "named.des"])), 1);
    assert_eq!(code(&desc(folder.path(), &["check", "named.des", "--filter", "good"])), 0);
    assert_eq!(code(&desc(folder.path(), &["check", "named.des", "--filter", "bad"])), 1);
    let output = desc(folder.path(), &["check", "named.des", "--filter", "ugly"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("`ugly`"), "{}", stderr(&output));
}

#[test]
fn many_files_keep_their_order() {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..40 {
        fs::write(folder.path().join(format!("m{number:02}.des")), PASSES).expect("a file");
    }
    let output = desc(folder.path(), &["check", ".", "--message-format", "short"]);
    let text = stdout(&output);
    let files: Vec<&str> = text.lines().filter_map(|line| line.split(':').next()).collect();
    let mut sorted = files.clone();
    sorted.sort_unstable();
    assert_eq!(files.len(), 40);
    assert_eq!(files, sorted);
}

/// Two systems: the literal constructions take a while for the first.
const SLOW: &str = "system Slow {
    states  s[0..8], t[0..8];
    initial s[0], t[0];
    events  a, b;
    s[0] -{a, b}-> s[0] -a-> s[1];
    t[0] -{a, b}-> t[0] -b-> t[1];
    for i in 1..7 { s[i] -{a, b}-> s[i + 1]; t[i] -{a, b}-> t[i + 1]; }
    check infinite-step;
}
system After { states A, B; initial A, B; events t; A -t-> A; B -t-> B; check infinite-step; }
";

#[test]
fn fail_fast_tells_what_one_thread_would() {
    let folder = folder();
    fs::write(folder.path().join("slow.des"), SLOW).expect("a file");
    let asked = ["--fail-fast", "--method", "literal", "--message-format", "json"];
    let with = |files: &[&str], threads: &str| {
        let output = desc(folder.path(), &[&["check"], files, &asked, &["--threads", threads]].concat());
        (code(&output), json(&output))
    };
    for (files, told) in [
        (&["slow.des", "fails.des", "passes.des", "slow.des"][..], &["Slow", "After", "S"][..]),
        (&["fails.des", "passes.des", "fails.des", "passes.des"], &["S"]),
        (&["passes.des", "slow.des", "passes.des", "fails.des"], &["S", "Slow", "After", "S", "S"]),
    ] {
        let (ended, document) = with(files, "1");
        let systems = document["systems"].as_array().expect("a list");
        assert_eq!(ended, 1);
        assert_eq!(systems.iter().map(|system| &system["name"]).collect::<Vec<_>>(), told, "{files:?}");
        assert_eq!(with(files, "4"), (ended, document), "{files:?}");
    }
}

#[test]
fn values_that_cannot_be_meant_are_told_what_is_wrong() {
    let folder = folder();
    for (arguments, told) in [
        (["--report", "json=-"], "for standard output use `--message-format json`"),
        (["--timeout", "-1s"], "invalid value '-1s' for '--timeout <TIME>': it cannot be negative"),
        (["--memory", "-1MiB"], "invalid value '-1MiB' for '--memory <SIZE>': it cannot be negative"),
        (["--timeout", "--quiet"], "invalid value '--quiet' for '--timeout <TIME>'"),
    ] {
        let output = desc(folder.path(), &[&["check", "passes.des"], &arguments[..]].concat());
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(told) && !stderr(&output).contains("tip:"), "{}", stderr(&output));
    }
    assert!(!folder.path().join("-").exists());
}

#[test]
fn names_neither_disturb_the_terminal_nor_break_xml() {
    let folder = folder();
    let model = "system S {\n states \"\u{1b}[2J\", \"\u{1}\", \"\u{fffe}\", B;\n initial states;\n events \"\u{1b}]0;x\u{7}\";\n \
        \"\u{1}\" -\"\u{1b}]0;x\u{7}\"-> \"\u{fffe}\";\n check n: 0-step about {\"\u{fffe}\"} | {\"\u{1b}[2J\"};\n}\n";
    fs::write(folder.path().join("m.des"), model).expect("a file");
    let printed = |arguments: &[&str]| {
        let output = desc(folder.path(), arguments);
        stdout(&output) + &stderr(&output)
    };
    let is_plain = |text: &str| !text.chars().any(|character| character.is_control() && character != '\n');
    for arguments in [
        &["check", "m.des"][..],
        &["check", "m.des", "--message-format", "short"],
        &["show", "system", "m.des"],
        &["dump", "automaton", "m.des"],
        &["dump", "model", "m.des"],
        &["dump", "ast", "m.des"],
        &["max", "m.des"],
        &["estimate", "m.des"],
    ] {
        let text = printed(arguments);
        assert!(is_plain(&text), "{arguments:?}: {text:?}");
    }
    for arguments in
        [&["check", "m.des", "--message-format", "junit"][..], &["show", "system", "m.des", "--format", "svg"]]
    {
        let text = printed(arguments);
        assert!(is_plain(&text) && !text.contains('\u{fffe}') && text.contains("</"), "{arguments:?}: {text:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_told_as_that() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.des");
    // Some file systems refuse such a name.
    if fs::write(folder.path().join(name), PASSES).is_ok() {
        let output = desc(folder.path(), &["check", "."]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("bad\u{fffd}.des`: its name is not UTF-8"), "{}", stderr(&output));
    }
}

#[test]
fn exploring_without_a_terminal_says_what_to_use_instead() {
    let folder = folder();
    let output = desc(folder.path(), &["explore", "m.des"]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("needs a terminal") && stderr(&output).contains("desc estimate"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn seeing_nothing_is_not_taken_for_an_event() {
    let folder = folder();
    let model = "system S { states A; initial A; events e, u; observable e; A -{e, u}-> A; }\n";
    fs::write(folder.path().join("m.des"), model).expect("a file");
    let seen = |word: &str| stdout(&desc(folder.path(), &["project", "m.des", "--view", "natural", "--ascii", word]));
    assert_eq!((seen("e").as_str(), seen("u").as_str()), ("e\n", "<eps>\n"));
}

#[test]
fn a_code_is_explained_and_a_near_one_suggested() {
    let folder = folder();
    assert!(stdout(&desc(folder.path(), &["explain"])).contains("E0901  a file cannot be read"));
    assert!(stdout(&desc(folder.path(), &["explain", "e0901"])).starts_with("# E0901: "));
    let output = desc(folder.path(), &["explain", "E090"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("did you mean `E09"), "{}", stderr(&output));
}

#[test]
fn completions_and_manual_pages_know_the_commands() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let output = desc(folder.path(), &["completions", shell]);
        assert!(stdout(&output).contains("message-format"), "{shell}");
    }
    assert!(stdout(&desc(folder.path(), &["man"])).starts_with(".ie"));
    assert!(stdout(&desc(folder.path(), &["man", "check"])).contains("timeout"));
    assert_eq!(code(&desc(folder.path(), &["man", "chek"])), 2);
}

#[test]
fn a_page_has_everything_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let model = fixtures().join("verify/weak_same_agent.des");
    let arguments = ["report", model.to_str().expect("text"), "-o", page.to_str().expect("text")];
    assert_eq!(code(&desc(folder.path(), &arguments)), 1);
    let text = fs::read_to_string(page).expect("it was written");
    for part in ["<!doctype html>", "<svg", "class=\"steps\"", "γ1 γ1", "Content-Security-Policy", "</html>"] {
        assert!(text.contains(part), "{part}");
    }
    for foreign in ["http://", "https://", "src="] {
        let outside = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!outside.contains(foreign), "nothing is loaded: {foreign}");
    }
}

#[test]
fn a_report_of_several_files_has_a_table_of_contents() {
    let folder = folder();
    let text = stdout(&desc(folder.path(), &["report", "."]));
    let contents = text.split("<nav").nth(1).expect("contents").split("</nav>").next().expect("an end");
    let links: Vec<&str> = contents.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links, ["file-0", "system-0-0", "file-1", "file-2", "system-2-0"]);
    assert!(links.iter().all(|link| text.contains(&format!("id=\"{link}\""))), "every link leads somewhere");
    assert!(contents.contains("<b>1</b> failed") && contents.contains("<b>1</b> error"), "{contents}");
    let one = stdout(&desc(folder.path(), &["report", "passes.des"]));
    assert!(!one.contains("<nav"), "one file needs none");
}

#[test]
fn hostile_names_stay_text_on_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = "system S {\n states \"<script>alert(1)</script>\", B;\n initial states;\n events t;\n \
                 \"<script>alert(1)</script>\" -t-> B;\n check 0-step;\n}\n";
    fs::write(folder.path().join("evil.des"), model).expect("a file");
    let output = desc(folder.path(), &["report", "evil.des"]);
    assert!(!stdout(&output).contains("<script>alert"), "escaped");
    assert!(stdout(&output).contains("&lt;script&gt;alert"));
}

#[cfg(unix)]
#[test]
fn an_import_follows_no_pipe_and_stays_inside() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    fs::write(folder.path().join("outer.des"), "const N = 2;\n").expect("a file");
    let model = format!("import \"../outer.des\";\n{PASSES}");
    fs::write(inner.join("model.des"), model).expect("a file");
    let output = desc(&inner, &["check", "model.des"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("outside the folder"), "{}", stderr(&output));
    assert_eq!(code(&desc(&inner, &["check", "model.des", "--import-root", ".."])), 0);
    fs::write(inner.join("device.des"), format!("import \"/dev/zero\" as Zero;\n{PASSES}")).expect("a file");
    let output = desc(&inner, &["check", "device.des", "--import-root", "/"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("not a regular file"), "{}", stderr(&output));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for model in ["paper/figure_3_1.des", "tour/08_observers.des", "protocols/voting.des"] {
        let with = |threads| {
            let arguments = ["check", "--message-format", "json", "--threads", threads, "--memory", "1MiB", model];
            stdout(&desc(&examples, &arguments))
        };
        assert_eq!(with("1"), with("4"), "{model}");
    }
}

#[test]
fn a_newcomer_is_told_what_to_type_next() {
    let folder = folder();
    let asked = |arguments: &[&str]| {
        let output = desc(folder.path(), arguments);
        stdout(&output) + &stderr(&output)
    };
    assert!(asked(&["check", "passes"]).contains("did you mean `passes.des`?"));
    assert!(asked(&["new", "my model"]).contains("next: desc check \"my model.des\"\n"));
    let refused = asked(&["new", "\u{1b}[31mred\u{9b}"]);
    assert!(refused.contains("is not a file name") && !refused.contains(['\u{1b}', '\u{9b}']), "{refused:?}");
    assert!(!asked(&["new", "left\u{202e}right"]).contains('\u{202e}'));
    assert!(asked(&["explain", "unknown state"]).contains("`desc explain` lists all codes"));
    assert!(asked(&["examples", "tour/11"]).contains("`desc examples` lists them all"));
    assert!(asked(&["--help"]).contains("desc new mine"));
}

#[test]
fn a_number_of_the_command_line_that_does_not_fit_is_told_as_that() {
    let folder = folder();
    for (option, value, expected) in [
        ("-D", "N=9223372036854775808", "too large"),
        ("-D", "N=-9223372036854775809", "too small"),
        ("-D", "N=1.5", "is not an integer"),
        ("-D", "a b=1", "`a b` is no name of a constant"),
        ("--max-states", "18446744073709551616", "too large"),
        ("--max-transitions", "18446744073709551616", "too large"),
        ("--max-pairs", "18446744073709551616", "too large"),
        ("--threads", "18446744073709551616", "too large"),
        ("--threads", "two", "is not an integer"),
    ] {
        let output = desc(folder.path(), &["check", "passes.des", option, value]);
        let said = stderr(&output);
        assert!(code(&output) == 2 && said.contains(expected), "{option} {value}: {said}");
    }
}
