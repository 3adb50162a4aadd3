//! The law of limits, at the command line: whatever `--max-pairs` and `--memory` allow, each answer is the unlimited one or
//! undecided, and what an undecided answer claims is true.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Exposed at once, and after two steps.
const MODEL: &str = "
system Now { states s0, s1; initial s1; events e; s0 -e-> s1; s1 -e-> s0; s1 -e-> s1; check 0-step; check not 0-step; }
system Late {
    states 0, 1, 2, 3; initial 0; events a, b, u; unobservable u; secret 1;
    0 -a-> 0; 0 -u-> 2; 2 -a-> 1; 1 -b-> 0; 1 -u-> 3; 3 -b-> 1;
    check 0-step; check 1-step; check 2-step; check exactly 1-step; check exactly 2-step;
    check infinite-step opacity; check initial-state opacity; check weak 1-step;
    measure; measure opacity;
}
";

fn desc(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
    let Output { status, stdout, stderr } = command.args(arguments).current_dir(folder).output().expect("desc runs");
    let told = || panic!("{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    (status.code().expect("an exit code"), serde_json::from_slice(&stdout).unwrap_or_else(|_| told()))
}

/// What of a document is judged: checks and measures, in order.
fn answers<'d>(document: &'d Value, kind: &str) -> Vec<&'d Value> {
    let systems = document["systems"].as_array().expect("systems").iter();
    systems.flat_map(|system| system[kind].as_array().into_iter().flatten()).collect()
}

/// Whether an undecided check claims only what is true; `whole` is its unlimited answer.
fn is_true(check: &Value, whole: &Value) -> bool {
    let distance = whole["exposure"].as_u64().unwrap_or(u64::MAX);
    let safe = check["holds_up_to"].as_u64().is_none_or(|safe| safe < distance);
    let silent = ["exposure", "max_k", "witness"].iter().all(|key| check[key].is_null());
    safe && silent && check["passed"] == false && check["limit"].is_string()
}

fn judge_checks(document: &Value, whole: &Value, code: i32) -> usize {
    let (checks, wholes) = (answers(document, "checks"), answers(whole, "checks"));
    assert_eq!(checks.len(), wholes.len());
    for (check, whole) in checks.iter().zip(wholes) {
        match check["verdict"].as_str() {
            Some("undecided") => assert!(is_true(check, whole), "{check:#} {whole:#}"),
            _ => assert_eq!((&check["verdict"], &check["passed"]), (&whole["verdict"], &whole["passed"]), "{check:#}"),
        }
    }
    let undecided = checks.iter().filter(|check| check["verdict"] == "undecided").count();
    let open = answers(document, "measures").iter().any(|measure| measure["max_k"].is_null());
    let failed = checks.iter().any(|check| check["verdict"] != "undecided" && check["passed"] == false);
    let expected = match (failed, undecided > 0 || open) {
        (true, _) => 1,
        (false, true) => 3,
        (false, false) => 0,
    };
    assert_eq!(code, expected, "{document:#}");
    undecided
}

fn judge_measures(document: &Value, whole: &Value) {
    for (measure, whole) in answers(document, "measures").into_iter().zip(answers(whole, "measures")) {
        for key in ["exposure", "max_k"] {
            assert!(measure[key].is_null() || measure[key] == whole[key], "{measure:#} {whole:#}");
        }
    }
}

#[test]
fn no_limit_makes_a_check_or_a_measure_say_what_is_not_so() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.des"), MODEL).expect("a file");
    let check = ["check", "m.des", "--message-format", "json", "--method"];
    for method in ["literal", "engine"] {
        let (code, whole) = desc(folder.path(), &[&check[..], &[method]].concat());
        assert_eq!(code, 1);
        let mut undecided = 0;
        for pairs in 0..=60 {
            let limit = ["--max-pairs", &pairs.to_string()];
            let (code, document) = desc(folder.path(), &[&check[..], &[method], &limit].concat());
            undecided += judge_checks(&document, &whole, code);
            judge_measures(&document, &whole);
        }
        assert!(undecided > 20, "{method}: {undecided}");
    }
}

#[test]
fn no_limit_makes_a_maximal_k_say_what_is_not_so() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.des"), MODEL).expect("a file");
    let max = ["max", "m.des", "--message-format", "json", "--method", "literal"];
    let (code, whole) = desc(folder.path(), &max);
    assert_eq!(code, 0);
    for pairs in (0..=60).step_by(4) {
        let (code, document) = desc(folder.path(), &[&max[..], &["--max-pairs", &pairs.to_string()]].concat());
        judge_measures(&document, &whole);
        let open = answers(&document, "measures").iter().any(|measure| measure["max_k"].is_null());
        assert_eq!(code, if open { 3 } else { 0 }, "{document:#}");
    }
}

#[test]
fn methods_that_are_compared_agree_whatever_their_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.des"), MODEL).expect("a file");
    let compare = ["compare", "m.des", "--message-format", "json"];
    let (code, whole) = desc(folder.path(), &compare);
    assert_eq!(code, 0);
    let methods = |document: &Value| -> Vec<(Value, Value)> {
        let questions = document["questions"].as_array().expect("questions").iter();
        let methods = questions.flat_map(|question| question["methods"].as_array().expect("methods").clone());
        methods.map(|method| (method["decided"].clone(), method["exposure"].clone())).collect()
    };
    let whole = methods(&whole);
    let mut undecided = 0;
    for bytes in (4_000..20_000).step_by(1_000) {
        let (_, document) = desc(folder.path(), &[&compare[..], &["--memory", &format!("{bytes}B")]].concat());
        let some = methods(&document);
        assert!(document["questions"].as_array().expect("questions").iter().all(|question| question["agree"] == true));
        for ((decided, exposure), whole) in some.iter().zip(&whole) {
            undecided += usize::from(decided == false && whole.0 == true);
            assert!(decided == false || *exposure == whole.1, "{bytes}: {document:#}");
        }
        assert!(some.is_empty() || some.len() == whole.len(), "{bytes}: {document:#}");
    }
    assert!(undecided > 10, "{undecided}");
}
