//! Verdicts that hold because nothing happens, and files without a check, say so.

use serde_json::Value;
use std::fs;
use std::process::Command;

const MODEL: &str = r#"
component Voter(i) {
    states  idle, voted;
    initial idle;
    idle -vote[i]-> voted -ack-> idle;
}

component Urn {
    states  open, full, never;
    initial open;
    events  vote[1..2], ack, close[1..2];
    open -vote[1..2]-> full -ack-> open;
    never -close[1..2]-> never;
}

system Ballot {
    compose v[i] = Voter(i) for i in 1..2, urn = Urn;
    secret  urn.full;
    observer All    { observable events; anonymous vote[1..2]; }
    observer Blind  { observable close[1..2]; anonymous close[1..2]; }
    observer Closer { observable events; anonymous close[1..2]; }
    check strong infinite-step opacity against Blind;
    check strong 0-step about v[1] against Closer;
    check strong infinite-step about {urn.open} | {urn.full} against Blind;
    check not strong 0-step opacity against All;
}

system Ring {
    states  a, b, c;
    initial a, b;
    events  e;
    secret  c;
    a -e-> b -e-> a;
    check infinite-step opacity;
    check infinite-step;
}

component Left {
    states  p[1..3], q[1..3];
    initial p[1], q[1];
    p[1] -x-> p[2] -y-> p[3];
    q[1] -x-> q[2] -y-> q[3];
}

component Right {
    states  r, s, never;
    initial r;
    r -y-> r -x-> s;
    never -w[1..2]-> never;
}

system Doomed {
    compose left = Left, right = Right;
    observer Nobody { observable events; anonymous w[1..2]; }
    check natural infinite-step;
    check strong infinite-step against Nobody;
}
"#;

fn desc(text: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.des"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_desc"))
        .args(["check", "m.des"])
        .args(arguments)
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_vacuous_verdict_says_why() {
    let document: Value = serde_json::from_str(&desc(MODEL, &["--message-format", "json"])).unwrap();
    let systems = document["systems"].as_array().unwrap();
    let checks = systems.iter().flat_map(|system| system["checks"].as_array().unwrap());
    let found: Vec<_> = checks.map(|check| (check["verdict"].as_str().unwrap(), check["vacuous"].as_str())).collect();
    let expected = [
        ("holds", Some("nothing-observable")),
        ("violated", None),
        ("holds", Some("nothing-observable")),
        ("violated", None),
        ("holds", Some("nothing-secret")),
        ("holds", None),
        ("holds", Some("stuck")),
        ("holds", Some("nothing-anonymous")),
    ];
    assert_eq!(found, expected);
    let text = desc(MODEL, &[]);
    assert_eq!(text.matches("vacuously: no observable event ever occurs").count(), 2, "{text}");
    assert_eq!(text.matches("vacuously: no run visits a secret state").count(), 1, "{text}");
}

#[test]
fn every_format_says_that_a_verdict_is_vacuous() {
    for (format, said, times) in [
        ("sarif", "\"ruleId\": \"check-vacuous\"", 5),
        ("junit", "<system-out>holds vacuously: every run gets stuck</system-out>", 1),
        ("markdown", "holds vacuously: no run visits a secret state", 1),
        ("short", "vacuously: no observable event ever occurs", 2),
        ("github", "vacuously: every run gets stuck", 1),
    ] {
        let text = desc(MODEL, &["--message-format", format]);
        assert_eq!(text.matches(said).count(), times, "{format}: {text}");
    }
    let page = desc(MODEL, &["--report", "html=/dev/stdout", "-q"]);
    assert!(page.contains("vacuously: every run gets stuck"), "{page}");
}

#[test]
fn a_file_without_a_check_says_so() {
    let plain = "system A { states a, b; initial a; events e; a -e-> b; b -e-> a; }";
    let said = desc(plain, &[]);
    assert!(said.contains("m.des: no check in this file; add one to a system: `check strong 2-step;`"), "{said}");
    let library = "component A { states a; initial a; events e; a -e-> a; }";
    let said = desc(library, &[]);
    assert!(said.contains("m.des: no check in this file; it has no system"), "{said}");
    let measured = plain.replace("b -e-> a;", "b -e-> a; measure natural;");
    assert!(!desc(&measured, &[]).contains("no check in this file"));
}
