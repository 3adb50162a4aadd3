//! `-D N=2..6`: a model for each value, in one table or one document; `desc diff`; `desc show --component`.

use super::*;
use serde_json::Value;

/// N places in a row; who sees the direction knows where it began, once the end is reached.
const ROW: &str = "const N = 3;\nconst M = 1;\n\
    component Walker(n) {\n states s[1..n];\n initial s[1];\n for i in 1..n - 1 { s[i] -right-> s[i + 1] -left-> s[i]; }\n}\n\
    monitor Seen { states no, yes; initial no; no -right-> yes; }\n\
    system Row {\n compose w = Walker(N), m[i] = Seen for i in 1..M;\n anonymous left, right;\n check not strong current-state;\n \
    for i in 1..N { check strong infinite-step opacity of w.s[i]; }\n measure natural;\n}\n";

fn row() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("row.des"), ROW).expect("a file");
    folder
}

fn document(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).expect("JSON")
}

#[test]
fn a_sweep_is_one_table_with_a_row_for_each_run_and_check() {
    let folder = row();
    let output = desc(folder.path(), &["check", "row.des", "-D", "N=2..4", "--ascii"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{text}");
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("Row")).collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert!(text.starts_with("N  system  states  transitions  check"), "{text}");
    assert!(rows[2].starts_with("4  Row     5"), "{text}");
    assert!(text.contains("2 violated") || text.contains("violated FAILED"), "{text}");
    assert!(text.contains("3 runs; 12 checks"), "{text}");
}

/// What a system's checks came to; the number of pairs may depend on the threads.
fn answers(system: &Value) -> Vec<[Value; 4]> {
    let answer = |check: &Value| ["text", "verdict", "exposure", "max_k"].map(|key| check[key].clone());
    system["checks"].as_array().expect("a list").iter().map(answer).collect()
}

#[test]
fn each_system_of_a_sweep_has_its_values_in_json_and_is_what_it_is_alone() {
    let folder = row();
    let arguments = |define| ["check", "row.des", "-D", define, "--message-format", "json"];
    let swept = document(&desc(folder.path(), &arguments("N=4,2")));
    let systems = swept["systems"].as_array().expect("a list");
    assert_eq!(systems.iter().map(|system| system["values"]["N"].as_i64()).collect::<Vec<_>>(), [Some(4), Some(2)]);
    assert!(systems.iter().all(|system| system["seconds"].is_f64()));
    for (at, define) in ["N=4", "N=2"].into_iter().enumerate() {
        let alone = document(&desc(folder.path(), &arguments(define)));
        assert!(alone["systems"][0].get("values").is_none() && alone["systems"][0].get("seconds").is_none());
        assert_eq!(answers(&alone["systems"][0]), answers(&systems[at]));
    }
    let schema = document(&desc(folder.path(), &["schema"]));
    assert!(jsonschema::validator_for(&schema).expect("a schema").is_valid(&swept));
}

#[test]
fn several_constants_are_combined_and_limits_are_shared() {
    let folder = row();
    let output = desc(folder.path(), &["check", "row.des", "-D", "N=2,3", "-D", "M=1..2", "--message-format", "json"]);
    let values: Vec<(i64, i64)> = document(&output)["systems"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|system| (system["values"]["N"].as_i64().unwrap_or(0), system["values"]["M"].as_i64().unwrap_or(0)))
        .collect();
    assert_eq!(values, [(2, 1), (2, 2), (3, 1), (3, 2)]);
    let hurried = desc(folder.path(), &["check", "row.des", "-D", "N=2..9", "--max-pairs", "0", "-q"]);
    assert_ne!(code(&hurried), 0);
}

#[test]
fn a_value_that_does_not_fit_is_told_and_the_others_are_checked() {
    let folder = row();
    let output = desc(folder.path(), &["check", "row.des", "-D", "N=0,2"]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).contains("not checked: errors"), "{}", stdout(&output));
    assert!(stdout(&output).contains("2  Row"), "{}", stdout(&output));
    for wrong in ["N=4..2", "N=1..", "N=,", "N=1..1000000"] {
        assert_eq!(code(&desc(folder.path(), &["check", "row.des", "-D", wrong])), 2, "{wrong}");
    }
}

#[test]
fn other_commands_take_one_value() {
    let folder = row();
    for command in
        [&["max", "row.des"][..], &["show", "system", "row.des"], &["show", "system", "row.des", "--component", "Seen"]]
    {
        let output = desc(folder.path(), &[command, &["-D", "N=2..3"]].concat());
        assert_eq!(code(&output), 2, "{command:?}");
        assert!(stderr(&output).contains("E0310"), "{}", stderr(&output));
    }
    assert_eq!(code(&desc(folder.path(), &["check", "row.des", "-D", "N=2..3", "--certificate", "c.txt"])), 2);
}

#[test]
fn a_component_and_a_monitor_are_drawn_alone() {
    let folder = row();
    let show = |component: &str| desc(folder.path(), &["show", "system", "row.des", "--component", component]);
    let text = stdout(&show("Walker(2)"));
    assert!(text.contains("2 states, 2 transitions") && text.contains("s[1]   initial  right  s[2]"), "{text}");
    assert!(stdout(&show("Walker(N + 1)")).contains("4 states"));
    assert!(stdout(&show("Seen")).contains("2 states, 2 transitions"), "{}", stderr(&show("Seen")));
    for wrong in ["Walker", "Wolker(2)", "Walker(2", ""] {
        assert_eq!(code(&show(wrong)), 2, "{wrong}");
    }
    let elsewhere = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("row.des").to_string_lossy().into_owned();
    let output = desc(elsewhere.path(), &["show", "system", &path, "--component", "Walker(3)", "-o", "w.tex"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// Two starts that look alike until `u` or `v`.
fn model(check: &str, event: &str) -> String {
    format!(
        "system S {{\n states A, B, C, D;\n initial A, B;\n events t, u, v;\n A -t-> C -u-> C;\n B -t-> D -{event}-> D;\n \
         check one: {check};\n check natural 0-step;\n}}\n"
    )
}

/// The exit code and the document of a comparison.
fn differ(old: &str, new: &str) -> (i32, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("old.des"), old).expect("a file");
    fs::write(folder.path().join("new.des"), new).expect("a file");
    let output = desc(folder.path(), &["diff", "old.des", "new.des", "--message-format", "json"]);
    for name in ["old", "new"] {
        let report = format!("json={name}.json");
        desc(folder.path(), &["check", &format!("{name}.des"), "-q", "--report", &report]);
    }
    let reports = desc(folder.path(), &["diff", "old.json", "new.json", "--message-format", "json"]);
    assert_eq!((code(&output), stdout(&output)), (code(&reports), stdout(&reports)), "{}", stderr(&output));
    (code(&output), document(&output))
}

#[test]
fn a_model_differs_from_itself_in_nothing() {
    let text = model("not natural 1-step", "v");
    let (status, found) = differ(&text, &text);
    assert_eq!((status, &found["same"], &found["as_before"]), (0, &true.into(), &2.into()), "{found}");
}

#[test]
fn verdicts_distances_and_sizes_that_changed_are_told() {
    let (status, found) = differ(&model("natural infinite-step", "u"), &model("natural infinite-step", "v"));
    assert_eq!(status, 1);
    let change = &found["changes"][0];
    assert_eq!(change["kind"], "worse", "{found}");
    assert_eq!((&change["before"]["verdict"], &change["after"]["verdict"]), (&"holds".into(), &"violated".into()));
    assert!(change["after"]["witness"]["observation"].is_array(), "{found}");
    assert_eq!(found["changes"].as_array().map(Vec::len), Some(2), "the second check is exposed, too: {found}");
    assert_eq!(found["systems"].as_array().map(Vec::len), Some(0), "{found}");
}

#[test]
fn a_model_with_errors_is_not_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("old.des"), FAULTY).expect("a file");
    fs::write(folder.path().join("new.des"), PASSES).expect("a file");
    let output = desc(folder.path(), &["diff", "old.des", "new.des"]);
    assert_eq!((code(&output), stdout(&output)), (2, String::new()));
    assert!(stderr(&output).contains("E0201"), "{}", stderr(&output));
    assert_eq!(code(&desc(folder.path(), &["diff", "gone.des", "new.des"])), 2);
}

/// Two persons with one badge for two doors, and a third thing that is seen of the first only.
const BADGES: &str = "system Doors {\n states out, hall, lab, both;\n initial out;\n events door[1..2, 1..2];\n \
    anonymous door[d, i] as opens[d] by person[i] for d in 1..2, i in 1..2;\n \
    out -door[1, 2]-> hall -door[2, 2]-> lab;\n out -door[1, 1]-> hall -door[2, 1]-> both;\n check weak infinite-step opacity of lab;\n}\n";

#[test]
fn a_story_says_who_acts() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = BADGES.replace("both;\n check", "both -door[1, 1]-> both;\n check").replace("of lab", "of both");
    fs::write(folder.path().join("doors.des"), text).expect("a file");
    let output = desc(folder.path(), &["check", "doors.des"]);
    assert!(stdout(&output).contains("who acts      #1 is person["), "{}{}", stdout(&output), stderr(&output));
    let found = document(&desc(folder.path(), &["check", "doors.des", "--message-format", "json"]));
    let agents = &found["systems"][0]["checks"][0]["witness"]["run"]["agents"];
    assert_eq!(agents[0], "person[1]", "{found}");
}
