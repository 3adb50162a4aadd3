//! `desc check --shard` and `desc merge`: several machines give what one gives.

use super::*;
use serde_json::Value;

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a report")).expect("JSON")
}

/// The same without the number of pairs and the time, which may differ between two runs.
fn without_effort(mut report: Value) -> Value {
    for system in report["systems"].as_array_mut().expect("systems") {
        system.as_object_mut().expect("a system").remove("seconds");
        for check in system["checks"].as_array_mut().expect("checks") {
            check.as_object_mut().expect("a check").remove("pairs");
        }
    }
    report
}

const SEVERAL: &str = "system S {\n states A, B;\n initial A, B;\n events t, u;\n anonymous t, u;\n A -t-> A;\n B -u-> B;\n \
    check 0-step;\n check strong 2-step;\n check weak 0-step;\n check strong infinite-step;\n \
    check estimate strong [] given [] = {A, B};\n measure strong;\n measure natural;\n}\n\
    system T {\n states A;\n initial A;\n events t;\n A -t-> A;\n}\n";

/// A folder with three models and its whole report.
fn folder() -> (tempfile::TempDir, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("a.des", SEVERAL), ("b.des", FAILS), ("c.des", PASSES)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    desc(folder.path(), &["check", ".", "-q", "--report", "json=whole.json"]);
    let whole = read(&folder.path().join("whole.json"));
    (folder, whole)
}

fn shares(folder: &Path, of: usize) -> Vec<String> {
    let names: Vec<String> = (1..=of).map(|index| format!("share-{index}-{of}.json")).collect();
    for (index, name) in (1..=of).zip(&names) {
        let (share, report) = (format!("{index}/{of}"), format!("json={name}"));
        desc(folder, &["check", ".", "-q", "--shard", &share, "--report", &report]);
    }
    names
}

#[test]
fn the_shares_together_are_the_whole_whatever_their_number() {
    let (folder, whole) = folder();
    for of in [1, 2, 3, 16] {
        let mut names = shares(folder.path(), of);
        names.reverse();
        let mut arguments = vec!["merge", "-o", "merged.json"];
        arguments.extend(names.iter().map(String::as_str));
        let output = desc(folder.path(), &arguments);
        assert_eq!(code(&output), 1, "{}", stderr(&output));
        let merged = read(&folder.path().join("merged.json"));
        assert_eq!(without_effort(merged), without_effort(whole.clone()), "{of} shares");
    }
}

#[test]
fn the_shares_of_swept_values_together_are_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = "const N = 1;\nsystem S {\n states A[1..N], B;\n initial A, B;\n events t, u;\n anonymous t, u;\n \
        A -t-> A;\n B -u-> B;\n check 0-step;\n check strong 2-step among 3;\n check weak 1-step;\n}\n";
    fs::write(folder.path().join("s.des"), model).expect("a file");
    let run = |more: &[&str]| desc(folder.path(), &[&["check", "s.des", "-q", "-D", "N=2..3"], more].concat());
    run(&["--report", "json=whole.json"]);
    let whole = read(&folder.path().join("whole.json"));
    let systems = whole["systems"].as_array().expect("systems");
    assert_eq!(systems.iter().map(|system| &system["states"]).collect::<Vec<_>>(), [3, 4], "{whole}");
    for (share, name) in [("1/2", "json=1.json"), ("2/2", "json=2.json")] {
        run(&["--shard", share, "--report", name]);
    }
    desc(folder.path(), &["merge", "2.json", "1.json", "-o", "merged.json"]);
    assert_eq!(without_effort(read(&folder.path().join("merged.json"))), without_effort(whole));
    let alone = desc(folder.path(), &["merge", "1.json"]);
    assert_eq!(code(&alone), 2, "{}", stderr(&alone));
}

#[test]
fn every_share_decides_only_its_own_checks() {
    let (folder, whole) = folder();
    let checks = |report: &Value| -> usize {
        let systems = report["systems"].as_array().expect("systems");
        systems.iter().map(|system| system["checks"].as_array().expect("checks").len()).sum()
    };
    let counts: Vec<usize> =
        shares(folder.path(), 3).iter().map(|name| checks(&read(&folder.path().join(name)))).collect();
    assert_eq!(counts.iter().sum::<usize>(), checks(&whole));
    assert!(counts.iter().all(|&count| count < checks(&whole)), "{counts:?}");
}

#[test]
fn shares_that_do_not_fit_together_are_refused() {
    let (folder, _) = folder();
    let names = shares(folder.path(), 2);
    let refused = |files: &[&str]| {
        let output = desc(folder.path(), &[&["merge"], files].concat());
        assert_eq!(code(&output), 2);
        stderr(&output)
    };
    assert!(refused(&[&names[0]]).contains("share 2/2 is missing"));
    assert!(refused(&[&names[0], &names[0], &names[1]]).contains("share 1/2 is there more than once"));
    assert!(refused(&[&names[0], "whole.json"]).contains("some are whole runs"));
    assert!(refused(&["a.des"]).contains("is no report of"));
    let wrong = desc(folder.path(), &["check", ".", "--shard", "3/2"]);
    assert!(code(&wrong) == 2 && stderr(&wrong).contains("numbered from 1 to 2"));
}

#[test]
fn whole_runs_are_put_one_after_the_other() {
    let (folder, whole) = folder();
    for name in ["a", "b", "c"] {
        desc(folder.path(), &["check", &format!("./{name}.des"), "-q", "--report", &format!("json={name}.json")]);
    }
    let output = desc(folder.path(), &["merge", "a.json", "b.json", "c.json"]);
    let merged: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let names = |report: &Value| -> Vec<Value> {
        report["systems"].as_array().expect("systems").iter().map(|system| system["name"].clone()).collect()
    };
    assert_eq!((code(&output), names(&merged)), (1, names(&whole)));
}
