//! `desc repair`: what it prints, what it writes, and how it ends.

use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

const CLINIC: &str = "// one clinic
system Clinic {
    states    waiting, practice, therapy;
    initial   waiting;
    events    call[1..2], log, bill, leave;
    anonymous call[1..2];
    secret    therapy;

    waiting -call[1]-> practice -leave-> waiting;
    waiting -call[2]-> therapy -{log, bill}-> waiting; // and its desk

    may hide log, bill cost 2; // two sensors
    may anonymise leave, log, bill as ends;

    check safe: strong infinite-step opacity;
    check not strong infinite-step;
    check repair costs 3;
}
";

fn folder(name: &str, text: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("desc-repair-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("clinic.des"), text).unwrap();
    folder
}

fn run(folder: &std::path::Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_desc")).args(arguments).current_dir(folder).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn the_applied_repair_passes_and_keeps_the_comments() {
    let folder = folder("apply", CLINIC);
    let repaired = run(&folder, &["repair", "clinic.des", "--apply"]);
    assert_eq!(code(&repaired), 0, "{}", out(&repaired));
    let text = fs::read_to_string(folder.join("clinic.des")).unwrap();
    assert!(text.contains("must anonymise leave, log, bill as ends;"), "{text}");
    assert!(text.contains("// one clinic") && text.contains("// and its desk") && text.contains("// two sensors"));
    assert!(text.contains("check repair costs 0;"), "{text}");
    let checked = run(&folder, &["check", "clinic.des"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
    let again = run(&folder, &["repair", "clinic.des", "--check", "safe"]);
    assert_eq!(code(&again), 0);
    assert!(out(&again).starts_with("nothing to repair"), "{}", out(&again));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_json_says_levers_cost_lines_and_verdicts() {
    let folder = folder("json", CLINIC);
    let output = run(&folder, &["repair", "clinic.des", "--all", "--message-format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let system = &json["systems"][0];
    assert_eq!(
        (&json["schema"], &system["outcome"], &system["lower_bound"]),
        (&1.into(), &"repaired".into(), &3.into())
    );
    let repairs = system["repairs"].as_array().unwrap();
    let costs: Vec<u64> = repairs.iter().map(|repair| repair["cost"].as_u64().unwrap()).collect();
    assert!(costs[0] == 3 && costs.is_sorted(), "{costs:?}");
    let lever = &repairs[0]["levers"][0];
    assert_eq!((&lever["kind"], &lever["line"], &lever["cost"]), (&"anonymise".into(), &13.into(), &1.into()));
    assert!(lever["without"]["story"].as_str().unwrap().contains("is sure of"), "{lever}");
    let checks = repairs[0]["checks"].as_array().unwrap();
    assert_eq!((&checks[0]["verdict"], &checks[0]["certified"]), (&"holds".into(), &true.into()));
    assert_eq!(system["left_out"].as_array().unwrap().len(), 2);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_impossible_repair_tells_what_survives_and_what_would_help() {
    let folder = folder(
        "impossible",
        &CLINIC
            .replace("    may anonymise leave, log, bill as ends;\n", "")
            .replace("log, bill cost 2;", "log cost 2;"),
    );
    let output = run(&folder, &["repair", "clinic.des"]);
    let text = out(&output);
    assert_eq!(code(&output), 1, "{text}");
    assert!(text.starts_with("impossible") && text.contains("with every lever moved"), "{text}");
    assert!(text.contains("would make a repair possible: `may hide call[2];`"), "{text}");
    let helped = run(&folder, &["repair", "clinic.des", "--may", "hide bill"]);
    assert_eq!(code(&helped), 0, "{}", out(&helped));
    assert!(out(&helped).contains("must hide bill;"), "{}", out(&helped));
    let wrong = run(&folder, &["repair", "clinic.des", "--may", "hide bll"]);
    assert_eq!(code(&wrong), 2);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("unknown event `bll`"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_limit_gives_a_lower_bound_and_exit_code_3() {
    let folder = folder("limit", CLINIC);
    let output = run(&folder, &["repair", "clinic.des", "--max-pairs", "1", "--message-format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let system = &json["systems"][0];
    assert!(system["outcome"] == "undecided" || system["outcome"] == "repaired", "{system}");
    assert_eq!(code(&output), if system["outcome"] == "undecided" { 3 } else { 0 });
    assert!(system["lower_bound"].as_u64().unwrap() <= 3);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_without_levers_may_hide_or_merge_every_event() {
    let text: String = CLINIC.lines().filter(|line| !line.contains("may ")).map(|line| format!("{line}\n")).collect();
    let folder = folder("usual", &text.replace("    check repair costs 3;\n", ""));
    let output = run(&folder, &["repair", "clinic.des"]);
    assert_eq!(code(&output), 0);
    assert!(out(&output).contains("every observable event may be hidden or merged"), "{}", out(&output));
    let diff = out(&run(&folder, &["repair", "clinic.des", "--diff"]));
    assert!(diff.starts_with("--- clinic.des") && diff.contains("+    must "), "{diff}");
    fs::remove_dir_all(folder).unwrap();
}

/// The start is exposed unless `a` is hidden; then the end is, fifty signs later.
const FAR: &str = "system Far {
    states  start, p[0..50], q[0..51], end;
    initial start;
    events  a, t, e, stay;
    start -a-> p[0];
    start -t-> q[0];
    for i in 0..49 { p[i] -t-> p[i + 1]; }
    for i in 0..50 { q[i] -t-> q[i + 1]; }
    p[50] -e-> end -stay-> end;
    may hide stay;
    check current-state;
}
";

#[test]
fn that_no_further_line_helps_is_said_only_if_each_was_decided() {
    let folder = folder("further", FAR);
    let decided = run(&folder, &["repair", "clinic.des"]);
    assert_eq!(code(&decided), 1);
    assert!(out(&decided).ends_with("  no single further event to hide or to merge would help\n"), "{}", out(&decided));
    let limited = run(&folder, &["repair", "clinic.des", "--max-pairs", "20"]);
    assert_eq!(code(&limited), 1);
    let said = "  not known: whether a further line that hides or merges one event would help;\n  \
                1 of 3 would not, the others were not decided: the limit on pairs was reached\n";
    assert!(out(&limited).ends_with(said), "{}", out(&limited));
    let json = run(&folder, &["repair", "clinic.des", "--max-pairs", "20", "--message-format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["systems"][0]["further"], serde_json::json!({"lines": 3, "decided": 1}));
    fs::remove_dir_all(folder).unwrap();
}
