//! `desc check --baseline`: only what is worse fails.

use super::*;
use serde_json::Value;

/// Exposed after two steps, if at all: `later` is the number of steps that look alike first.
fn model(first: &str, second: &str) -> String {
    format!(
        "system S {{\n states A, B, C, D;\n initial A, B;\n events t, u, v;\n observable t, u, v;\n A -t-> C -u-> C;\n B -t-> D -v-> D;\n \
         {first}\n {second}\n measure natural;\n}}\n"
    )
}

/// The exit code and the comparison of a new model with an old one.
fn compared(old: &str, new: &str) -> (i32, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.des"), old).expect("a file");
    desc(folder.path(), &["check", "m.des", "-q", "--report", "json=old.json"]);
    fs::write(folder.path().join("m.des"), new).expect("a file");
    let output = desc(folder.path(), &["check", "./m.des", "--baseline", "old.json", "--message-format", "json"]);
    let document: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    (code(&output), document["baseline"].clone())
}

fn numbers(comparison: &Value) -> (usize, usize, usize, u64) {
    let length = |name: &str| comparison[name].as_array().expect("a list").len();
    (length("worse"), length("better"), length("gone"), comparison["tolerated"].as_u64().expect("a number"))
}

#[test]
fn what_fails_as_before_does_not_fail_the_run() {
    let model = model("check infinite-step;", "check 0-step;");
    let (status, found) = compared(&model, &model);
    assert_eq!((status, numbers(&found)), (0, (0, 0, 0, 2)));
}

#[test]
fn what_is_violated_now_fails_and_what_holds_now_is_told() {
    let old = model("check one: not current-state;", "check two: infinite-step;");
    let new = model("check one: current-state;", "check two: not infinite-step;");
    let (status, found) = compared(&old, &new);
    assert_eq!((status, numbers(&found)), (1, (1, 1, 0, 0)));
    let worse = &found["worse"][0];
    assert_eq!((&worse["before"], &worse["line"]), (&"passed".into(), &8.into()));
    assert_eq!(worse["after"], "failed, exposed after 0 steps");
    assert_eq!(
        (&found["better"][0]["before"], &found["better"][0]["after"]),
        (&"failed, exposed after 0 steps".into(), &"passed".into())
    );
}

#[test]
fn a_new_check_that_fails_is_worse_and_one_that_is_missing_is_gone() {
    let (status, found) = compared(&model("", "check 0-step;"), &model("check 1-step;", ""));
    assert_eq!((status, numbers(&found)), (1, (1, 0, 1, 0)));
    assert_eq!(found["worse"][0]["before"], Value::Null);
    assert_eq!(found["gone"][0]["check"], "check 0-step");
    let passing = compared(&model("", "check 0-step;"), &model("check not 1-step;", "check 0-step;"));
    assert_eq!((passing.0, numbers(&passing.1)), (0, (0, 0, 0, 1)));
}

#[test]
fn an_earlier_exposure_and_a_smaller_maximal_k_are_worse() {
    let late = "system S {\n states A, B, C, D, E, F;\n initial A, B;\n events t, u, v;\n A -t-> C -t-> E -u-> E;\n B -t-> D -t-> F -v-> F;\n \
        check infinite-step;\n measure natural;\n}\n";
    let early = late.replace("C -t-> E", "C -u-> E");
    let (status, found) = compared(late, &early);
    assert_eq!((status, numbers(&found)), (0, (0, 0, 0, 1)), "both are exposed at once: {found}");
    let alike = late.replace("F -v-> F", "F -u-> F");
    let (status, found) = compared(&alike, late);
    assert_eq!((status, numbers(&found)), (1, (2, 0, 0, 0)), "{found}");
    assert_eq!(found["worse"][1]["before"], "maximal K infinite");
    let (status, found) = compared(late, &alike);
    assert_eq!((status, numbers(&found)), (0, (0, 2, 0, 0)), "{found}");
}

#[test]
fn undecided_where_it_was_decided_is_undecided() {
    let folder = folder();
    desc(folder.path(), &["check", "passes.des", "-q", "--report", "json=old.json"]);
    let arguments = ["check", "passes.des", "--baseline", "old.json", "--max-pairs", "1"];
    let output = desc(folder.path(), &arguments);
    assert_eq!(code(&output), 3, "{}", stdout(&output));
    assert!(stdout(&output).contains("passed before, now undecided"), "{}", stdout(&output));
}

#[test]
fn errors_stay_errors_and_a_baseline_must_be_a_report() {
    let folder = folder();
    desc(folder.path(), &["check", ".", "-q", "--report", "json=old.json"]);
    assert_eq!(code(&desc(folder.path(), &["check", ".", "--baseline", "old.json"])), 2, "faulty.des is faulty");
    for (text, reason) in
        [("{}", "missing field"), ("nothing", "expected"), ("{\"schema\": 7, \"systems\": []}", "its schema is 7")]
    {
        fs::write(folder.path().join("wrong.json"), text).expect("a file");
        let output = desc(folder.path(), &["check", "passes.des", "--baseline", "wrong.json"]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
    let overwritten =
        desc(folder.path(), &["check", "passes.des", "--baseline", "old.json", "--report", "json=old.json"]);
    assert_eq!(code(&overwritten), 2, "the baseline is an input");
}

#[test]
fn checks_that_are_filtered_out_are_not_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.des"), model("check infinite-step;", "check not 0-step;")).expect("a file");
    desc(folder.path(), &["check", "m.des", "-q", "--report", "json=old.json"]);
    let output = desc(folder.path(), &["check", "m.des", "--baseline", "old.json", "--filter", "not 0-step"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("1 check: 1 passed"), "a filter sees the text of a check: {}", stdout(&output));
    assert!(!stdout(&output).contains("gone"), "{}", stdout(&output));
}

#[test]
fn what_fails_as_before_is_suppressed_in_sarif_and_skipped_in_junit() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.des"), model("check infinite-step;", "")).expect("a file");
    desc(folder.path(), &["check", "m.des", "-q", "--report", "json=old.json"]);
    fs::write(folder.path().join("m.des"), model("check infinite-step;", "check 0-step;")).expect("a file");
    let reports = ["--report", "sarif=out.sarif", "--report", "junit=out.xml"];
    let run = |more: &[&str]| {
        desc(folder.path(), &[&["check", "m.des"], &reports[..], more].concat());
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a report");
        let log: Value = serde_json::from_str(&read("out.sarif")).expect("JSON");
        (log["runs"][0]["results"].as_array().expect("results").clone(), read("out.xml"))
    };
    let (results, xml) = run(&["--baseline", "old.json"]);
    let levels: Vec<&Value> = results.iter().map(|result| &result["level"]).collect();
    assert_eq!(levels, ["note", "error"]);
    assert_eq!(results[0]["suppressions"][0]["kind"], "external");
    assert_eq!(results[1]["suppressions"], Value::Null);
    assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{xml}");
    assert_eq!((xml.matches("<skipped ").count(), xml.matches("<failure ").count()), (1, 1), "{xml}");
    let (results, xml) = run(&[]);
    assert!(results.iter().all(|result| result["level"] == "error" && result["suppressions"].is_null()));
    assert!(xml.contains("failures=\"2\"") && !xml.contains("skipped"), "{xml}");
}
