//! What runs in the pipelines of others: the script of the GitHub Action, the job of GitLab, the hooks of pre-commit.
//!
//! Each runs in a sample repository with a model that passes, one with a violated check, one with a warning, and one in a folder
//! whose name has a blank. The snapshots are what a pull request shows.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PASSES: &str = "system Twins { states A, B; initial A, B; events t; A -t-> A; B -t-> B; check infinite-step; }\n";
const FAILS: &str = "/// The clerk | sees who comes.\nsystem Door {\n    states    street, alley, hall, yard;\n    initial   street, alley;\n    \
    events    ana, ben;\n    anonymous ana, ben;\n    street -ana-> hall -ana-> hall;\n    alley -ben-> yard;\n    \
    check strong current-state;\n    check not natural current-state;\n}\n";
const WARNS: &str = "system Lost {\n    states A, B, C;\n    initial A, B;\n    events t;\n    A -t-> A;\n    B -t-> B;\n    check 0-step;\n}\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A repository with models, and a folder for the results of the runner.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("models/two words")).expect("a folder");
    fs::create_dir(folder.path().join("runner")).expect("a folder");
    let files = [("twins.des", PASSES), ("door.des", FAILS), ("lost.des", WARNS), ("two words/twins.des", PASSES)];
    for (name, text) in files {
        fs::write(folder.path().join("models").join(name), text).expect("a file");
    }
    folder
}

/// Runs the script of the action with these inputs.
fn action(repository: &Path, inputs: &[(&str, &str)]) -> Output {
    let runner = repository.join("runner");
    let mut command = Command::new(root().join("packaging/action/run"));
    command.current_dir(repository).env("DESC", env!("CARGO_BIN_EXE_desc"));
    command.env("RUNNER_TEMP", &runner).env("GITHUB_OUTPUT", runner.join("output"));
    command.env("GITHUB_STEP_SUMMARY", runner.join("summary")).envs(inputs.iter().copied());
    command.output().expect("the script runs")
}

/// An output of the action.
fn output(repository: &Path, name: &str) -> Option<String> {
    let text = fs::read_to_string(repository.join("runner/output")).expect("outputs");
    text.lines().find_map(|line| line.strip_prefix(&format!("{name}="))).map(str::to_owned)
}

fn read(path: PathBuf) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn the_action_annotates_summarises_and_writes_sarif() {
    let repository = repository();
    let ran = action(repository.path(), &[("DESC_FILES", "models"), ("DESC_TIMEOUT", "60s")]);
    assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stderr));
    insta::assert_snapshot!("action_annotations", String::from_utf8_lossy(&ran.stdout));
    insta::assert_snapshot!("action_summary", read(repository.path().join("runner/summary")));
    assert_eq!(output(repository.path(), "status").as_deref(), Some("1"));
    let sarif: Value =
        serde_json::from_str(&read(output(repository.path(), "sarif").expect("SARIF").into())).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    assert!(rules.contains(&"check-failed") && rules.iter().any(|rule| rule.starts_with('W')), "{rules:?}");
    let json: Value =
        serde_json::from_str(&read(output(repository.path(), "json").expect("JSON").into())).expect("JSON");
    assert_eq!(json["systems"].as_array().map(Vec::len), Some(4));
}

#[test]
fn the_report_of_one_run_is_the_baseline_of_the_next() {
    let repository = repository();
    action(repository.path(), &[("DESC_FILES", "models")]);
    let baseline = output(repository.path(), "json").expect("JSON");
    let ran = action(repository.path(), &[("DESC_FILES", "models"), ("DESC_BASELINE", &baseline)]);
    assert_eq!(ran.status.code(), Some(0), "nothing is worse");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("::notice file=models/door.des") && !said.contains("::error"), "{said}");
}

#[test]
fn patterns_blanks_and_more_arguments_reach_the_program() {
    let repository = repository();
    let ran = action(repository.path(), &[("DESC_FILES", "  models/two words/twins.des\n\nmodels/t*.des\n")]);
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert_eq!((ran.status.code(), said.trim()), (Some(0), "2 checks: 2 passed"));
    let denied = action(repository.path(), &[("DESC_FILES", "models/lost.des"), ("DESC_DENY", "warnings")]);
    assert_eq!(denied.status.code(), Some(2), "{}", String::from_utf8_lossy(&denied.stdout));
    let filtered = [("DESC_FILES", "models"), ("DESC_ARGUMENTS", "--filter\nnot natural\n")];
    let said = action(repository.path(), &filtered).stdout;
    assert_eq!(String::from_utf8_lossy(&said).lines().last(), Some("1 check: 1 passed"));
}

#[test]
fn a_pattern_without_files_is_an_error() {
    let repository = repository();
    let ran = action(repository.path(), &[("DESC_FILES", "other/*.des")]);
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "::error::no file matches other/*.des\n");
    assert_eq!(output(repository.path(), "status").as_deref(), Some("2"));
}

#[test]
fn every_input_of_the_action_reaches_its_script() {
    let action = read(root().join("action.yml"));
    let script = read(root().join("packaging/action/run")) + &read(root().join("packaging/action/install"));
    let inputs = action.split("\noutputs:").next().expect("inputs").split("\ninputs:").nth(1).expect("inputs");
    let names = inputs
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|name| !name.starts_with(' '));
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 6, "{names:?}");
    for name in names.into_iter().filter(|name| *name != "sarif") {
        let variable = format!("DESC_{}", name.to_uppercase());
        assert!(
            action.contains(&format!("{variable}: ${{{{ inputs.{name} }}}}")) && script.contains(&variable),
            "{name}"
        );
    }
}

/// A folder with the program, to be put on the PATH.
fn path_with_desc(folder: &Path) -> String {
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_desc"), folder.join("desc")).expect("a link");
    format!("{}:{}", folder.display(), std::env::var("PATH").expect("a PATH"))
}

#[test]
fn the_job_of_gitlab_writes_its_reports() {
    let template = read(root().join("packaging/gitlab/desc.yml"));
    let script = template.split("  script:\n    - ").nth(1).expect("a script").lines().next().expect("a line");
    let repository = repository();
    let mut job = Command::new("sh");
    job.args(["-c", script])
        .current_dir(repository.path())
        .env("PATH", path_with_desc(&repository.path().join("runner")));
    job.envs([("DESC_FILES", "models"), ("DESC_TIMEOUT", "60s"), ("DESC_ARGUMENTS", "")]);
    assert_eq!(job.output().expect("sh runs").status.code(), Some(1));
    for name in ["junit: ", "codequality: "] {
        let file = template.split(name).nth(1).expect("a report").lines().next().expect("a line");
        assert!(!read(repository.path().join(file)).is_empty(), "{file}");
    }
    let issues: Value = serde_json::from_str(&read(repository.path().join("desc.quality.json"))).expect("JSON");
    let issues = issues.as_array().expect("a list");
    let severities: Vec<&str> = issues.iter().filter_map(|issue| issue["severity"].as_str()).collect();
    assert_eq!(severities.iter().filter(|severity| **severity == "critical").count(), 1, "{issues:#?}");
    assert_eq!(issues[0]["location"]["path"], "models/door.des");
    let prints: std::collections::BTreeSet<&str> =
        issues.iter().filter_map(|issue| issue["fingerprint"].as_str()).collect();
    assert_eq!(prints.len(), issues.len(), "every issue has a fingerprint of its own");
}

#[test]
fn the_hooks_of_pre_commit_run() {
    let hooks = read(root().join(".pre-commit-hooks.yaml"));
    let entries: Vec<&str> = hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: ")).collect();
    assert_eq!(entries.len(), 4);
    let repository = repository();
    let path = path_with_desc(&repository.path().join("runner"));
    for entry in entries {
        let passes = entry.contains("fmt");
        let mut hook = Command::new("sh");
        hook.args(["-c", &format!("{entry} models/twins.des models/door.des")])
            .current_dir(repository.path())
            .env("PATH", &path);
        assert_eq!(hook.output().expect("sh runs").status.code(), Some(i32::from(!passes)), "{entry}");
    }
}
