//! The public face keeps its shape: this program uses every promised item with its full type, so that a change which would break a
//! user's program breaks this one.

use desc::diagnostic::Severity;
use desc::{
    Automaton, Certificate, Checked, Diagnostic, Evidence, Format, Loader, Model, Options, Outside, Refutation, Report,
    Resources, Results, Settings, Stop, System, SystemBuilder, Verdict, Witness,
};

const CHECK: fn(&str, &str) -> Checked = desc::check;
const CHECK_WITH: fn(&str, &str, &dyn Loader, &Settings) -> Checked = desc::check_with;
const CHECK_FOREIGN: fn(&str, Vec<u8>, Format, &Outside, &Settings) -> Checked = desc::check_foreign;
const STOPPED: fn(&Checked) -> Option<Stop> = Checked::stopped;
const VERIFY: fn(&System, &Options<'_>) -> Results = desc::verify;
const MODEL: fn(&Checked) -> Option<&Model> = Checked::model;
const DIAGNOSTICS: fn(&Checked) -> &[Diagnostic] = Checked::diagnostics;
const EXPLAINED: fn(&Checked) -> String = Checked::explained;
const REPORT: fn(&Checked, &Options<'_>) -> Report = Checked::verify;
const JSON: fn(&Report) -> String = Report::to_json;
const HTML: fn(&Report) -> String = Report::to_html;
const FRAGMENT: fn(&Report, &str) -> String = Report::to_html_fragment;
const TEXT: fn(&Report) -> String = Report::to_text;
const BUILD: fn(&SystemBuilder) -> String = SystemBuilder::to_des;

/// The names that `lib.rs` exports.
fn exported() -> Vec<String> {
    let lib = include_str!("../../src/lib.rs");
    let mut names: Vec<String> = lib
        .split(';')
        .filter_map(|statement| statement.trim().rsplit_once("pub use "))
        .flat_map(|(_, path)| path.rsplit("::").next().unwrap_or(path).trim_matches(['{', '}']).split(','))
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    names.sort();
    names
}

#[test]
fn the_public_face_has_these_items_and_no_others() {
    let promised = "Automaton Certificate Checked Diagnostic Evidence Format Loader Model Options Outside Refutation Report Resources \
                    Results Settings Severity Stop System SystemBuilder Verdict Witness check check_foreign check_with verify";
    assert_eq!(exported().join(" "), promised);
}

#[test]
fn a_program_can_be_written_against_the_face_alone() {
    let text =
        BUILD(&SystemBuilder::new("Doorbell").initial("idle").transition("idle", "ring", "rung").check("0-step"));
    let checked = CHECK("doorbell.des", &text);
    assert!(DIAGNOSTICS(&checked).iter().all(|diagnostic| diagnostic.severity != Severity::Error));
    assert!(!EXPLAINED(&CHECK("doorbell.des", "system Doorbell {")).is_empty());
    let model = MODEL(&checked).expect("a model");
    let automaton: &Automaton = &model.systems()[0].automaton;
    assert_eq!((automaton.n_states(), automaton.n_events(), automaton.n_transitions()), (2, 1, 1));
    let results = VERIFY(&model.systems()[0], &Options::default());
    let verdict: &Verdict = &results.checks[0];
    let Verdict::Violated(Refutation::Property(evidence)) = verdict else { panic!("{verdict:?}") };
    let evidence: &Evidence = evidence;
    let witness: &Witness = evidence.witness().expect("a witness");
    let proof: Option<&Certificate> = evidence.certificate();
    assert_eq!((witness.at, proof), (0, None));
    let report =
        REPORT(&CHECK_WITH("doorbell.des", &text, &desc::source::NoImports, &Settings::default()), &Options::default());
    assert!(JSON(&report).contains("\"verdict\": \"violated\"") && TEXT(&report).contains("FAILED"));
    assert!(HTML(&report).starts_with("<!doctype html>") && FRAGMENT(&report, "a1").starts_with("<div"));
    let foreign =
        CHECK_FOREIGN("x.aut", b"des (0, 0, 1)".to_vec(), Format::Aldebaran, &Outside::default(), &Settings::default());
    assert_eq!(STOPPED(&foreign), None);
    let none: Option<Stop> = Resources::default().stop();
    assert_eq!(none, None);
}
