//! Results for other programs: JSON, SARIF, JUnit, one line each.

use super::{code, desc, fixtures, folder, json, stderr, stdout};

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
