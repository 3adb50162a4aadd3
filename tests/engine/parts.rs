//! Compositions that are decided on some of their parts, and the proofs about these parts.

use desc::check::{Limits, Settings};
use desc::model::{Model, System};
use desc::resources::Resources;
use desc::source::NoImports;
use desc::verdict::Answer;
use desc::verdict::certificate::document::{Certified, Proof, certify, confirm};
use desc::verify::{Options, verify};

fn model(text: &str, lazy: Option<usize>) -> Option<Model> {
    let settings = Settings { limits: Limits { lazy, ..Limits::default() }, ..Settings::default() };
    let mut sources = desc::source::Sources::new();
    let entry = sources.add(desc::source::SourceFile::new("s.des", text));
    let checked = desc::check::check(entry, &mut sources, &NoImports, &settings);
    let faults: Vec<String> =
        checked.diagnostics.iter().map(|fault| format!("{} {}", fault.code, fault.message)).collect();
    let expected = |fault: &String| ["W", "E0504"].iter().any(|code| fault.starts_with(code));
    assert!(faults.iter().all(expected), "{faults:?}\n{text}");
    checked.model
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
