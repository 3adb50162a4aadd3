//! What an undecided check tells, under limits that strike at the same place in every run; and a short exposure that is found where the
//! proof explodes.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn desc(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let office = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/protocols/badge_office.des");
    let text = fs::read_to_string(office).expect("an example").replacen("check not weak", "check weak", 1);
    fs::write(folder.path().join("office.des"), text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
    command.args(["check", "office.des", "-D", "N=4", "--filter", "weak", "--max-pairs", "6000", "--threads", "1"]);
    let output = command.args(arguments).current_dir(folder.path()).output().expect("desc runs");
    assert_eq!(output.status.code(), Some(3));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn an_undecided_check_says_how_far_it_came_what_grows_and_what_to_try() {
    let text = desc(&[]);
    let told = &text[text.rfind("undecided  check").expect("what is told")..];
    let told = told.split("\n\n").next().unwrap_or(told);
    insta::assert_snapshot!(told, @r"
    undecided  check weak current-state opacity against Security     office.des:51:5
      Not known to hold for any K; no exposure has up to 2 observations in all; the
      limit on pairs was reached after 6,033 pairs.
      Pairs left after 0 to 2 observations: 81, 432, 1,512; each observation makes
      them about 4.3 times as many.
      help: raise the limit on pairs with `--max-pairs`; or try `strong`: what is
            exposed there is exposed here too; or try a smaller model with `-D N=3`
    ");
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
}

#[test]
fn json_says_the_same_in_numbers() {
    let document: Value = serde_json::from_str(&desc(&["--message-format", "json"])).expect("JSON");
    let check = &document["systems"][0]["checks"][0];
    let frontier = check["frontier"].as_array().expect("numbers");
    assert_eq!(check["no_exposure_up_to"].as_u64(), Some(frontier.len() as u64 - 1), "{check:#}");
    assert_eq!(frontier[..2], [81, 432], "{check:#}");
    assert!(check["help"].as_str().is_some_and(|help| help.contains("`-D N=3`")), "{check:#}");
}

#[test]
fn whoever_asks_about_all_states_is_proposed_one_part() {
    let office = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/protocols/badge_office.des");
    let text = fs::read_to_string(office).expect("an example");
    let asked = "check weak infinite-step except e[1].lobby against Security";
    let text = text.replacen("check not weak current-state opacity against Security", asked, 1);
    let limits = desc::verify::Limits { pairs: Some(20), ..Default::default() };
    let report = desc::check("office.des", &text).verify(&desc::Options { limits, ..Default::default() });
    let document: Value = serde_json::from_str(&report.to_json()).expect("JSON");
    let mut checks = document["systems"][0]["checks"].as_array().expect("checks").iter();
    let check = checks.rfind(|check| check["text"] == asked).expect("the check");
    assert_eq!(check["verdict"], "undecided", "{check:#}");
    assert!(check["help"].as_str().is_some_and(|help| help.contains("`about e[1]`")), "{check:#}");
}

/// Its proof has millions of pairs, and three observations expose.
const SHORT: &str = include_str!("../fixtures/short_exposure.des");

#[test]
fn a_short_exposure_is_found_where_the_proof_explodes() {
    for (word, weak) in [("natural", false), ("weak", true)] {
        let mut text = SHORT.replacen("check natural", &format!("check {word}"), 1);
        if weak {
            let labels = "events  wink, nod; anonymous wink, nod as sign; gone -wink-> gone -nod-> gone;";
            text = text.replacen("    for i in", &format!("    {labels}\n    for i in"), 1);
        }
        let report = desc::check("short.des", &text).verify(&desc::Options {
            limits: desc::verify::Limits { pairs: Some(2_000_000), ..Default::default() },
            ..Default::default()
        });
        let document: Value = serde_json::from_str(&report.to_json()).expect("JSON");
        let check = &document["systems"][0]["checks"][0];
        assert_eq!((&check["verdict"], &check["exposure_at_most"]), (&"violated".into(), &2.into()), "{check:#}");
        let seen = check["witness"]["observation"].as_array().expect("what is seen");
        assert_eq!(seen.iter().map(|sign| sign.as_str()).collect::<Vec<_>>(), ["turn", "wait", "wait"].map(Some));
        assert_eq!(check["fewest_observations"], 3, "{check:#}");
    }
}
