//! Compositions that are decided on some of their parts, and the proofs about these parts.

use desc::Checked;
use desc::automaton::StateSet;
use desc::check::{Limits, Settings, check};
use desc::ide::verdict::verdicts;
use desc::model::of_parts::{PartSet, PropertyOfParts};
use desc::model::{Model, System};
use desc::resources::{Resources, Stop};
use desc::source::{NoImports, SourceFile, Sources};
use desc::verdict::Answer;
use desc::verdict::certificate::document::{Certified, Proof, certify, confirm};
use desc::verify::{self, Options, Tuning, verify, verify_with};
use std::sync::Arc;
use std::time::Duration;

/// The model of a text; none of its products is built that has more states than `lazy`, if there is such a limit.
pub(crate) fn model(text: &str, lazy: Option<usize>) -> Option<Model> {
    let settings = Settings { limits: Limits { lazy, ..Limits::default() }, ..Settings::default() };
    let mut sources = Sources::new();
    let entry = sources.add(SourceFile::new("s.des", text));
    let checked = check(entry, &mut sources, &NoImports, &settings);
    let faults: Vec<String> =
        checked.diagnostics.iter().map(|fault| format!("{} {}", fault.code, fault.message)).collect();
    // A set of which the product reaches nothing is an error of the user's; parts alone cannot see it.
    let expected = |fault: &String| ["W", "E0504"].iter().any(|code| fault.starts_with(code));
    assert!(faults.iter().all(expected), "{faults:?}\n{text}");
    checked.model
}

/// A part whose last event a second part tells from another one, which the intruder cannot: with the first part alone they learn its
/// beginning three steps later.
const LATE: &str = "\
component P {
    states  a[0..3], b[0..3];
    initial a[0], b[0];
    events  x, y, left, right;
    final   a[3], b[3];
    a[0] -x-> a[1] -y-> a[2] -left-> a[3];
    b[0] -x-> b[1] -y-> b[2] -right-> b[3];
}
component Q {
    states  open, idle, one, other;
    initial open;
    events  left, right, spin;
    open -spin-> idle -spin-> open;
    open -left-> one;
    open -right-> other;
}
system Late {
    compose p = P, q = Q;
    observable x, y, left, right;
    anonymous  left, right;
    secret     p.a[0];
    check near: strong 2-step opacity;
    check far: strong infinite-step opacity;
}
";

/// The model, of which no product may be built that has more states than the parts.
fn unbuildable(text: &str) -> Checked {
    let limits = Limits { states: 8, lazy: Some(8), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    desc::check_with("s.des", text, &NoImports, &settings)
}

/// An engine that leaves a product to its parts almost at once.
pub(crate) fn impatient() -> Tuning {
    let tuning = Tuning { first_turn: 1, first_slice: 1, probe_work: 0, ..Tuning::default() };
    Tuning { quotient_from: usize::MAX, strong_first: false, ..tuning }
}

/// The dinner of the casebook, with so many cryptographers.
fn dinner(n: usize) -> String {
    let text = include_str!("../../examples/protocols/dining_cryptographers.des");
    text.replace("const N = 3;", &format!("const N = {n};"))
}

fn proved(system: &System) -> Certified {
    let options = Options { threads: 1, certificates: true, ..Options::default() };
    certify(system, &verify(system, &options))
}

fn confirmed(system: &System, certified: &Certified) -> Result<Vec<Option<Answer>>, String> {
    confirm(system, certified, &mut Resources::default().monitor()).map(|confirmed| confirmed.answers)
}

#[test]
fn a_dinner_for_thirty_is_decided_on_a_few_parts_and_certified() {
    let mut model = model(&dinner(30), Some(300_000)).expect("nothing is wrong with it");
    model.retain_checks(|_, check| check.name.as_deref() != Some("purpose"));
    let system = &model.systems()[0];
    assert!(system.uncomposed.is_some());
    let results = verify(system, &Options { threads: 1, certificates: true, ..Options::default() });
    let answers: Vec<Answer> = results.checks.iter().map(|verdict| verdict.answer()).collect();
    assert_eq!(answers, [Answer::Holds, Answer::Holds, Answer::Violated]);
    for verdict in &results.checks {
        let parts = verdict.evidence().and_then(|evidence| evidence.finding.parts.clone()).expect("some parts");
        assert!(parts.kept.len() <= 6 && parts.total == 62, "{parts:?}");
    }
    let certified = certify(system, &results);
    let answers = confirmed(system, &certified);
    assert_eq!(answers, Ok(vec![Some(Answer::Holds), Some(Answer::Holds), Some(Answer::Violated)]));
}

#[test]
fn somebody_with_the_same_label_is_kept_as_well() {
    let office = include_str!("../../examples/protocols/badge_office.des").replace("const N = 2;", "const N = 30;");
    let mut model = model(&office, Some(300_000)).expect("nothing is wrong with it");
    model.retain_checks(|_, check| check.text == "check strong infinite-step opacity against Security");
    let system = &model.systems()[0];
    assert!(system.uncomposed.is_some());
    let results = verify(system, &Options { threads: 1, certificates: true, ..Options::default() });
    let parts = results.checks[0].evidence().and_then(|evidence| evidence.finding.parts.clone());
    assert_eq!(parts.map(|parts| parts.kept.clone()), Some(vec![0, 1]), "one colleague is enough");
    assert_eq!(confirmed(system, &certify(system, &results)), Ok(vec![Some(Answer::Holds)]));
}

#[test]
fn forged_proofs_of_parts_are_refused() {
    let mut model = model(&dinner(8), Some(0)).expect("nothing is wrong with it");
    model.retain_checks(|_, check| check.name.as_deref() != Some("purpose"));
    let system = &model.systems()[0];
    let certified = proved(system);
    assert!(confirmed(system, &certified).is_ok());
    let forged = |change: &dyn Fn(&mut Vec<Proof>)| {
        let mut forged = certified.clone();
        change(&mut forged.proofs);
        confirmed(system, &forged)
    };
    // A part left out that tells events apart, one too many, one that is asked for, and none.
    for kept in [vec![0, 1, 2], vec![0, 1, 2, 3, 4, 5, 6], vec![1], vec![], vec![9_999], vec![2, 1, 0]] {
        let refused = forged(&|proofs| proofs.iter_mut().for_each(|proof| set_kept(proof, kept.clone())));
        assert!(refused.is_err(), "{kept:?}: {refused:?}");
    }
    // Labels merged that differ outside: the bill alone, whose payments nobody sees.
    let alone = dinner(8).replace("    compose bill = Bill, coin[i] = Coin(i) for i in 1..N, c[i] = Cryptographer(i) for i in 1..N,\n        table = Table;", "    compose bill = Bill;");
    let alone = alone.split("    observable same").next().expect("a system").to_owned()
        + "    unobservable events;\n    secret bill.paid[2];\n    check outside: infinite-step opacity;\n}\n";
    let alone = self::model(&alone, None).expect("nothing is wrong with it");
    let merged = proved(&alone.systems()[0]).proofs.remove(0);
    let refused = forged(&|proofs| {
        proofs[0].body = merged.body.clone();
        set_kept(&mut proofs[0], vec![0]);
    });
    assert!(refused.is_err(), "{refused:?}");
    // A run that the system does not have, and one that shows something else.
    for run in [vec![2, 2], vec![]] {
        let refused = forged(&|proofs| {
            let parts = proofs.iter_mut().filter_map(|proof| proof.parts.as_mut());
            parts.filter(|parts| !parts.run.is_empty()).for_each(|parts| parts.run = run.clone());
        });
        assert!(refused.is_err(), "{refused:?}");
    }
    // No parts at all.
    assert!(forged(&|proofs| proofs.iter_mut().for_each(|proof| proof.parts = None)).is_err());
}

fn set_kept(proof: &mut Proof, kept: Vec<u32>) {
    if let Some(parts) = &mut proof.parts {
        parts.kept = kept;
    }
}

#[test]
fn only_what_is_decided_is_decided_by_parts() {
    let checked = unbuildable(LATE);
    let report = checked.verify(&Options::default());
    let text = report.to_text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text.matches("decided by p; the other part does not matter").count(), 1, "{text}");
    assert_eq!(text.matches("no answer from the parts {p}").count(), 1, "{text}");
    let undecided = "Known to hold up to 2 steps; the product is too large";
    assert!(text.contains(undecided) && text.contains("not looked for without it"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("JSON");
    let checks = &json["systems"][0]["checks"];
    assert_eq!((&checks[0]["verdict"], &checks[0]["decided_by_parts"]), (&"holds".into(), &serde_json::json!(["p"])));
    assert_eq!((&checks[0]["parts_tried"], &checks[0]["limit"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!(
        (&checks[1]["verdict"], &checks[1]["decided_by_parts"]),
        (&"undecided".into(), &serde_json::Value::Null)
    );
    assert_eq!(checks[1]["parts_tried"], serde_json::json!([["p"]]));
    let page = report.to_html();
    assert_eq!(page.matches("decided by p").count(), 1, "{page}");
    let system = &checked.model().expect("a model").systems()[0];
    let remarks = verdicts(system, &verify(system, &Options::default()), Resources::default());
    let remarks: Vec<&str> = remarks.iter().map(|remark| &remark.text[..]).collect();
    assert!(remarks[0].contains("decided by p: 1 of 2 parts") && !remarks[1].contains("decided by"), "{remarks:?}");
}

#[test]
fn a_question_for_which_the_time_is_over_is_not_said_to_be_too_large() {
    let checked = unbuildable(LATE);
    let limits = verify::Limits { timeout: Some(Duration::ZERO), ..verify::Limits::default() };
    let options = Options { limits, ..Options::default() };
    let system = &checked.model().expect("a model").systems()[0];
    for verdict in verify(system, &options).checks {
        assert_eq!(verdict.evidence().expect("a property").finding.stopped, Some(Stop::Timeout));
    }
    let text = checked.verify(&options).to_text();
    assert!(text.contains("the time limit was reached") && !text.contains("too large"), "{text}");
}

#[test]
fn a_product_that_is_built_takes_turns_with_its_parts() {
    let charity = include_str!("../../examples/protocols/donation.des").replace("const N = 3;", "const N = 5;");
    let mut model = model(&charity, None).expect("nothing is wrong with it");
    model.retain_checks(|_, check| check.text == "check weak infinite-step opacity against Visitor");
    let system = &model.systems()[0];
    let options = Options { threads: 1, certificates: true, ..Options::default() };
    let results = verify_with(system, &options, impatient());
    let parts = results.checks[0].evidence().and_then(|evidence| evidence.finding.parts.clone());
    assert_eq!(parts.map(|parts| parts.kept.clone()), Some(vec![0]), "it is decided on the donor that it is about");
    let certified = certify(system, &results);
    assert_eq!(confirmed(system, &certified), Ok(vec![Some(Answer::Holds)]));
    let mut other = system.clone();
    other.checks[0].by_parts = None;
    assert!(confirmed(&other, &certified).is_err(), "the parts are not known to be asked anything");
    // The parts are asked less than the product: the proof is right, and about another question.
    let nowhere = PartSet::Somewhere(vec![(0, StateSet::default())]);
    other.checks[0].by_parts = Some(Arc::new(PropertyOfParts::Opacity { secret: nowhere }));
    let certified = certify(&other, &verify_with(&other, &options, impatient()));
    assert!(certified.proofs.iter().any(|proof| proof.parts.is_some()));
    assert!(confirmed(&other, &certified).is_err());
}
