//! The binary itself: standard output, standard error, exit codes, files.

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
        settings.set_snapshot_path("fixtures/verify");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, text));
    }
}

/// Labels of a composed system, whose states have long names, fit as well; `-v` gives the names whole.
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
    assert!(short.contains("3 more)") && !whole.contains(" more)"), "{short}{whole}");
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
fn json_follows_its_schema() {
    let folder = folder();
    let schema = json(&desc(folder.path(), &["schema"]));
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let arguments = ["check", "passes.des", "fails.des", "faulty.des", "none.des", "--message-format", "json"];
    let output = desc(folder.path(), &arguments);
    let document = json(&output);
    let wrong: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(code(&output), 2);
    assert_eq!(stderr(&output), "", "everything is in the document");
    assert_eq!(document["schema"], 1);
    assert_eq!(document["systems"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["diagnostics"][0]["file"], "faulty.des");

    let all = desc(&fixtures(), &["check", "verify", "--message-format", "json"]);
    let wrong: Vec<String> = validator.iter_errors(&json(&all)).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut broken = json(&all);
    broken["systems"][0]["checks"][0]["verdict"] = "maybe".into();
    assert!(!validator.is_valid(&broken), "the schema refuses what it should");
}

#[test]
fn json_has_what_the_language_promises() {
    let output = desc(&fixtures(), &["check", "verify/weak_same_agent.des", "--message-format", "json"]);
    let document = json(&output);
    let check = &document["systems"][0]["checks"][0];
    assert_eq!(check["text"], "check weak current-state");
    assert_eq!(check["line"], 12);
    assert_eq!(check["kind"], "property");
    assert_eq!(check["projection"], "weak");
    assert_eq!(check["property"], "anonymity");
    assert_eq!(check["horizon"], 0);
    assert_eq!(check["verdict"], "violated");
    assert_eq!(check["passed"], false);
    assert_eq!(check["exposure"], 0);
    assert_eq!(check["max_k"], "none");
    let witness = &check["witness"];
    assert_eq!(witness["observation"], serde_json::json!(["?1", "?1"]));
    assert_eq!(witness["at"], 2);
    assert_eq!(witness["estimate"], serde_json::json!(["2"]));
    assert_eq!(witness["run"]["states"].as_array().map(Vec::len), Some(3));
    let values = json(&desc(&fixtures(), &["check", "verify/values.des", "--message-format", "json"]));
    let checks = &values["systems"][0]["checks"];
    assert_eq!(checks[0]["kind"], "estimate");
    assert_eq!(checks[0]["actual"], serde_json::json!(["B", "C"]));
    assert_eq!(checks[3]["actual"], serde_json::json!(["?1", "?2", "?1"]));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder();
    for arguments in [&["check", "fails.des"][..], &["explain"], &["completions", "bash"], &["--help"]] {
        let mut child =
            command(folder.path(), arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("desc runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("desc ends");
        assert!(!stderr(&output).contains("panicked"), "{arguments:?}: {}", stderr(&output));
        assert!(output.status.code().is_some(), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder();
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device"));
    let output = command(folder.path(), &["check", "passes.des"]).stdout(full()).output().expect("desc runs");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot write to standard output: no space left"), "{}", stderr(&output));
    for arguments in
        [&["--report", "json=/dev/full", "--report", "html=page.html"][..], &["--certificate", "/dev/full"]]
    {
        let output = desc(folder.path(), &[&["check", "fails.des"], arguments].concat());
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).ends_with("error: cannot write `/dev/full`: no space left on the device\n"));
        assert!(stdout(&output).contains("violated  check 0-step"), "the verdict is told: {}", stdout(&output));
    }
    assert!(folder.path().join("page.html").exists(), "what can be written is");
}

/// Runs in a folder that may not be written. Root may write everywhere, so there it runs without that privilege; none: that cannot be had.
#[cfg(target_os = "linux")]
fn without_privilege(folder: &Path, arguments: &[&str]) -> Option<Output> {
    let binds = |probe: &mut Command| probe.current_dir(folder).status().is_ok_and(|status| !status.success());
    if binds(Command::new("touch").arg("probe").stderr(Stdio::null())) {
        return Some(desc(folder, arguments));
    }
    fs::remove_file(folder.join("probe")).expect("the probe");
    let less = ["--bounding-set=-dac_override", "--inh-caps=-dac_override"];
    let bound = || {
        let mut command = Command::new("setpriv");
        command.args(less).current_dir(folder).stderr(Stdio::null());
        command
    };
    let works = bound().arg("true").status().is_ok_and(|status| status.success());
    if !works || !binds(bound().args(["touch", "probe"])) {
        return None;
    }
    let program = env!("CARGO_BIN_EXE_desc");
    Some(bound().arg(program).args(arguments).stderr(Stdio::piped()).output().expect("desc runs"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_may_not_be_written_is_an_error_and_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let written = [("r.json", "report"), ("c.cert", "certificate"), ("untidy.des", "system S{states A;initial A;}\n")];
    written.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).expect("a file"));
    let mode = |mode: u32| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("a mode");
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
        entries.map(|entry| entry.file_name()).collect::<std::collections::BTreeSet<_>>()
    };
    let before = names();
    mode(0o555);
    for (arguments, file) in [
        (&["check", "passes.des", "--report", "json=r.json"][..], "r.json"),
        (&["check", "passes.des", "--certificate", "c.cert"], "c.cert"),
        (&["report", "passes.des", "-o", "page.html"], "page.html"),
        (&["export", "passes.des", "--to", "dot", "-o", "m.dot"], "m.dot"),
        (&["new", "fresh.des"], "fresh.des"),
        (&["fmt", "untidy.des"], "untidy.des"),
    ] {
        let Some(output) = without_privilege(folder.path(), arguments) else { break };
        assert_eq!(code(&output), 2, "{arguments:?}");
        let told = format!("cannot write `{file}`: permission denied");
        assert!(stderr(&output).contains(&told), "{arguments:?}: {}", stderr(&output));
    }
    mode(0o755);
    assert_eq!(names(), before, "nothing came and nothing went");
    for (name, text) in written {
        assert_eq!(fs::read_to_string(folder.path().join(name)).expect("a file"), text);
    }
}

/// A folder with a model, one that imports it, and other names of it.
fn linked() -> tempfile::TempDir {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("entry.des"), "import \"passes.des\";\n").expect("a file");
    fs::hard_link(at("passes.des"), at("hard.des")).expect("a link");
    #[cfg(unix)]
    std::os::unix::fs::symlink("passes.des", at("soft.des")).expect("a link");
    folder
}

#[cfg(unix)]
#[test]
fn a_model_is_never_written_over() {
    let folder = linked();
    for name in ["passes.des", "./passes.des", "soft.des", "hard.des"] {
        let report = format!("json={name}");
        for arguments in [
            &["check", "passes.des", "--report", &report][..],
            &["check", "passes.des", "--certificate", name],
            &["check", "entry.des", "--report", &report],
            &["check", ".", "--report", &report],
            &["report", "passes.des", "-o", name],
            &["report", "entry.des", "-o", name],
            &["export", "passes.des", "--to", "des", "-o", name],
            &["export", "entry.des", "--to", "des", "-o", name],
            &["show", "system", "passes.des", "--format", "dot", "-o", name],
            &["import", "passes.des", "--from", "fsm", "-o", name],
        ] {
            let output = desc(folder.path(), arguments);
            let told = format!("error: `{name}` is read as a model: it is not written over");
            assert!(stderr(&output).contains(&told), "{arguments:?}: {}", stderr(&output));
            assert_eq!(code(&output), 2, "{arguments:?}");
            assert_eq!(fs::read_to_string(folder.path().join(name)).expect("a model"), PASSES, "{arguments:?}");
        }
    }
    let input = Stdio::from(fs::File::open(folder.path().join("passes.des")).expect("a file"));
    let arguments = ["check", "-", "--report", "json=passes.des"];
    assert_eq!(command(folder.path(), &arguments).stdin(input).output().expect("desc runs").status.code(), Some(2));
}

#[test]
fn two_results_have_two_names() {
    let folder = folder();
    for other in ["r.out", "./r.out", "../NAME/r.out"] {
        let own = folder.path().file_name().expect("a name").to_string_lossy();
        let reports = [String::from("json=r.out"), format!("html={}", other.replace("NAME", &own))];
        let arguments = ["check", "fails.des", "--report", &reports[0], "--report", &reports[1]];
        let output = desc(folder.path(), &arguments);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{other}");
        assert!(stderr(&output).starts_with("error: two results are to be written to `"), "{}", stderr(&output));
        assert!(!folder.path().join("r.out").exists(), "nothing is written");
    }
    let arguments = ["check", "passes.des", "--report", "json=r.out", "--certificate", "r.out"];
    assert_eq!(code(&desc(folder.path(), &arguments)), 2);
    let arguments = ["check", "passes.des", "--report", "json=/dev/null", "--report", "html=/dev/null"];
    assert!(cfg!(not(unix)) || code(&desc(folder.path(), &arguments)) == 0, "a device may be named twice");
}

#[test]
fn a_place_where_nothing_can_be_written_is_told_before_the_search() {
    let folder = folder();
    for (place, reason) in
        [("none/r.out", "there is no such folder"), ("passes.des/r.out", "a part of the path is no folder")]
    {
        let report = format!("json={place}");
        for arguments in [
            &["check", "fails.des", "--report", &report][..],
            &["check", "fails.des", "--certificate", place],
            &["report", "fails.des", "-o", place],
            &["export", "fails.des", "--to", "des", "-o", place],
            &["show", "system", "fails.des", "--format", "dot", "-o", place],
        ] {
            let output = desc(folder.path(), arguments);
            assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{arguments:?}");
            assert_eq!(stderr(&output), format!("error: cannot write `{place}`: {reason}\n"), "{arguments:?}");
        }
    }
    let names = || fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names(), 3, "nothing came");
}

#[test]
fn reports_are_written_whole_or_not_at_all() {
    let folder = folder();
    let reports = ["json=r.json", "sarif=r.sarif", "junit=r.xml", "html=r.html"];
    let mut arguments = vec!["check", "fails.des"];
    reports.iter().for_each(|report| arguments.extend(["--report", report]));
    assert_eq!(code(&desc(folder.path(), &arguments)), 1);
    for name in ["r.json", "r.sarif", "r.xml", "r.html"] {
        assert!(fs::metadata(folder.path().join(name)).expect("it was written").len() > 100, "{name}");
    }
    let output = desc(folder.path(), &["check", "fails.des", "--report", "json=no/such/folder.json"]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("cannot write `no/such/folder.json`: there is no such folder"),
        "{}",
        stderr(&output)
    );
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".desc-")), "{left:?}");
    assert_eq!(code(&desc(folder.path(), &["check", "fails.des", "--report", "pdf=x"])), 2);
}

#[test]
fn sarif_points_into_the_text() {
    let folder = folder();
    let output = desc(folder.path(), &["check", "fails.des", "faulty.des", "--message-format", "sarif"]);
    let document = json(&output);
    assert_eq!(document["version"], "2.1.0");
    let typed = serde_json::from_value::<serde_sarif::sarif::Sarif>(document.clone());
    assert!(typed.is_ok(), "{typed:?}");
    let results = document["runs"][0]["results"].as_array().expect("results");
    let violated = results.iter().find(|result| result["ruleId"] == "check-failed").expect("a violation");
    let flow = &violated["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(flow.as_array().map(Vec::len), Some(1));
    let place = &violated["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "fails.des");
    assert_eq!(place["region"]["startLine"], 7);
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{}", result["ruleId"]);
    }
}

#[test]
fn junit_counts_failures_and_errors() {
    let folder = folder();
    let output = desc(folder.path(), &["check", "passes.des", "fails.des", "faulty.des", "--message-format", "junit"]);
    let text = stdout(&output);
    assert!(text.starts_with("<?xml"), "{text}");
    assert!(
        text.contains(r#"tests="3""#) && text.contains(r#"failures="1""#) && text.contains(r#"errors="1""#),
        "{text}"
    );
}

#[test]
fn short_is_one_line_for_each_check() {
    let folder = folder();
    let output = desc(folder.path(), &["check", "passes.des", "fails.des", "--message-format", "short"]);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("passes.des:7:2: note[holds]: check infinite-step: "), "{}", lines[0]);
    assert!(lines[1].starts_with("fails.des:7:2: error[violated]: check 0-step: "), "{}", lines[1]);
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
        (["--report", "json=-"], "on standard output it is `--message-format json`"),
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
    assert!(stderr(&output).contains("not a plain file"), "{}", stderr(&output));
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

/// What holds for ever, up to a horizon, or not at all.
const PROVED: &str = "system S {
    states A, B, C, D;
    initial A, B;
    events t, u;
    anonymous t, u;
    secret A;
    A -t-> C, D;
    B -u-> C, D;
    check current-state;
    check exactly 0-step;
    check not 1-step;
    check weak infinite-step;
    check strong initial-state opacity;
    check not exactly 7-step;
}
";

#[test]
fn a_certificate_confirms_every_verdict_of_its_model_and_of_no_other() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("proved.des"), PROVED).expect("a file");
    let checked = desc(folder.path(), &["check", "proved.des", "--certificate", "proof.txt"]);
    assert_eq!(stderr(&checked), "");
    let confirmed = desc(folder.path(), &["verify-certificate", "proved.des", "proof.txt"]);
    assert_eq!((code(&confirmed), stderr(&confirmed)), (0, String::new()), "{}", stdout(&checked));
    insta::assert_snapshot!(stdout(&confirmed), @r"
    confirmed  S: check current-state: holds
    confirmed  S: check exactly 0-step: holds
    confirmed  S: check not 1-step: violated
    confirmed  S: check weak infinite-step: holds
    confirmed  S: check strong initial-state opacity: holds
    confirmed  S: check not exactly 7-step: violated
    certificate verified: 6 checks
    ");

    // Another layout is the same model; another meaning is not.
    fs::write(at("same.des"), PROVED.replace("events t, u;", "events t, u; /* two */").replace("    ", "\t"))
        .expect("a file");
    assert_eq!(code(&desc(folder.path(), &["verify-certificate", "same.des", "proof.txt"])), 0);
    fs::write(at("other.des"), PROVED.replace("A -t-> C, D", "A -t-> C")).expect("a file");
    let refused = desc(folder.path(), &["verify-certificate", "other.des", "proof.txt"]);
    assert_eq!(code(&refused), 1);
    assert!(stdout(&refused).contains("it is about another model"), "{}", stdout(&refused));

    // A changed text is not read, a missing one neither.
    let text = fs::read_to_string(at("proof.txt")).expect("a certificate");
    fs::write(at("changed.txt"), text.replacen("p0", "p1", 1)).expect("a file");
    fs::write(at("short.txt"), &text[..text.len() / 2]).expect("a file");
    for name in ["changed.txt", "short.txt", "none.txt", "proved.des"] {
        let unread = desc(folder.path(), &["verify-certificate", "proved.des", name]);
        assert_eq!(code(&unread), 2, "{name}");
        assert!(stderr(&unread).starts_with("error: cannot read"), "{}", stderr(&unread));
    }
}

/// The exit code and the words of `verify-certificate`, when so many pairs were allowed for the proofs.
fn confirmed(model: &str, pairs: &str, more: &[&str]) -> (i32, String) {
    let folder = folder();
    fs::write(folder.path().join("m.des"), model).expect("a file");
    desc(folder.path(), &["check", "m.des", "--max-pairs", pairs, "--certificate", "m.proof"]);
    let output = desc(folder.path(), &[&["verify-certificate", "m.des", "m.proof"], more].concat());
    (code(&output), stdout(&output))
}

#[test]
fn a_check_without_a_proof_is_not_said_to_be_verified() {
    let nothing = "no proof   S: check infinite-step\nnothing is proved: 1 check without a proof\n";
    assert_eq!(confirmed(PASSES, "0", &[]), (3, nothing.to_owned()));
    assert_eq!(confirmed(PASSES, "0", &["-q"]), (3, nothing.to_owned()));
    let value = PASSES.replace("infinite-step", "projection [t] = [t]");
    let told = "value      S: check projection [t] = [t]: needs no proof\nnothing is proved: no check needs a proof\n";
    assert_eq!(confirmed(&value, "0", &[]), (3, told.to_owned()));
    let larger = "system Larger { states A, B, C; initial states; events t; A -t-> A, B; B -t-> C -t-> A; \
        check infinite-step; check projection [t] = [t]; }\n";
    let both = format!("{FAILS}{larger}");
    let told = "no proof   Larger: check infinite-step\n\
        not everything is proved: 1 check confirmed, 1 check without a proof\n";
    assert_eq!(confirmed(&both, "2", &["-q"]), (3, told.to_owned()));
    assert_eq!(confirmed(&both, "9", &["-q"]), (0, "certificate verified: 2 checks\n".to_owned()));
}

#[test]
fn a_certificate_is_about_one_model_and_is_written_whole_or_not_at_all() {
    let folder = folder();
    let several = desc(folder.path(), &["check", "passes.des", "fails.des", "--certificate", "proof.txt"]);
    assert_eq!(code(&several), 2);
    assert!(!folder.path().join("proof.txt").exists());
    assert_eq!(code(&desc(folder.path(), &["check", "faulty.des", "--certificate", "proof.txt"])), 2);
    assert!(!folder.path().join("proof.txt").exists());
    let full = desc(folder.path(), &["check", "passes.des", "--certificate", "/dev/full"]);
    assert_eq!(code(&full), 2);
    assert!(stderr(&full).contains("no space left"), "{}", stderr(&full));
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
    assert!(asked(&["explain", "unknown state"]).contains("`desc explain` lists all codes"));
    assert!(asked(&["examples", "tour/11"]).contains("`desc examples` lists them all"));
    assert!(asked(&["--help"]).contains("desc new mine"));
}
