//! Certificates, as a user makes and confirms them.

use super::{FAILS, PASSES, code, desc, folder, stderr, stdout};
use desc::verdict::certificate::with_checksum;
use std::fs;

/// What holds for ever, up to a horizon, or not at all.
const PROVED: &str = "system S {
    states A, B, C, D;
    initial A, B;
    events t, u;
    anonymous t, u;
    secret A;
    A -t-> C, D;
    B -u-> C, D;
    check natural current-state;
    check natural exactly 0-step;
    check not natural 1-step;
    check weak infinite-step;
    check strong initial-state opacity;
    check not natural exactly 7-step;
}
";

#[test]
fn a_certificate_confirms_every_verdict_of_its_model_and_of_no_other() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("proved.des"), PROVED).expect("a file");
    let checked = desc(folder.path(), &["check", "proved.des", "--certificate", "proof.txt"]);
    assert_eq!(stderr(&checked), "");
    let confirmed = desc(folder.path(), &["verify-certificate", "proved.des", "proof.txt"]);
    assert_eq!((code(&confirmed), stderr(&confirmed)), (0, String::new()), "{}", stdout(&checked));
    insta::assert_snapshot!(stdout(&confirmed), @r"
    confirmed  S: check natural current-state: holds
    confirmed  S: check natural exactly 0-step: holds
    confirmed  S: check not natural 1-step: violated
    confirmed  S: check weak infinite-step: holds
    confirmed  S: check strong initial-state opacity: holds
    confirmed  S: check not natural exactly 7-step: violated
    certificate verified: 6 checks
    ");

    // Another layout is the same model; another meaning is not.
    fs::write(at("same.des"), PROVED.replace("events t, u;", "events t, u; /* two */").replace("    ", "\t"))
        .expect("a file");
    assert_eq!(code(&desc(folder.path(), &["verify-certificate", "same.des", "proof.txt"])), 0);
    fs::write(at("other.des"), PROVED.replace("A -t-> C, D", "A -t-> C")).expect("a file");
    let refused = desc(folder.path(), &["verify-certificate", "other.des", "proof.txt"]);
    assert_eq!(code(&refused), 1);
    assert!(stdout(&refused).contains("it is about another model"), "{}", stdout(&refused));

    // A changed text is not read, a missing one neither.
    let text = fs::read_to_string(at("proof.txt")).expect("a certificate");
    fs::write(at("changed.txt"), text.replacen("p0", "p1", 1)).expect("a file");
    fs::write(at("short.txt"), &text[..text.len() / 2]).expect("a file");
    for name in ["changed.txt", "short.txt", "none.txt", "proved.des"] {
        let unread = desc(folder.path(), &["verify-certificate", "proved.des", name]);
        assert_eq!(code(&unread), 2, "{name}");
        assert!(stderr(&unread).starts_with("error: cannot read"), "{}", stderr(&unread));
    }
}

/// Every proof of the theory is confirmed by the command, too: those about two copies of each state name more states than the system has.
#[test]
fn what_desc_writes_about_any_property_it_confirms() {
    let folder = folder();
    let theory = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/theory");
    let mut files = 0;
    for file in fs::read_dir(theory).expect("a folder") {
        let path = file.expect("a file").path();
        let model = path.to_str().expect("a name");
        assert_eq!(code(&desc(folder.path(), &["check", model, "--certificate", "proof.txt"])), 0, "{model}");
        let confirmed = desc(folder.path(), &["verify-certificate", model, "proof.txt", "-q"]);
        assert_eq!((code(&confirmed), stderr(&confirmed)), (0, String::new()), "{model}");
        assert!(stdout(&confirmed).starts_with("certificate verified"), "{model}: {}", stdout(&confirmed));
        files += 1;
    }
    assert!(files > 5, "{files}");
}

/// Parts that decide a check are composed whatever `--max-states` says of the system.
#[test]
fn a_proof_about_parts_may_name_more_states_than_are_allowed() {
    let model = "component Idle { states a; initial a; events t; }
        component Stuck { states a, b; initial a; events t, u; b -t-> a; }
        component Runs { states a, b; initial a, b; events u, v; a -v-> a, b; b -v-> b; }
        component Turns { states a, b, c; initial a, b, c; events t; a -t-> a, c; c -t-> a, b; }
        system Parts {
            compose idle = Idle, stuck = Stuck, runs = Runs, turns = Turns;
            observable t;
            check natural initial-final opacity of stuck.a & turns.a -> runs.a;
        }";
    let folder = folder();
    fs::write(folder.path().join("m.des"), model).expect("a file");
    desc(folder.path(), &["check", "m.des", "--max-states", "4", "--certificate", "m.proof"]);
    let confirmed = desc(folder.path(), &["verify-certificate", "m.des", "m.proof", "--max-states", "4"]);
    assert_eq!((code(&confirmed), stderr(&confirmed)), (0, String::new()));
}

/// The exit code and the words of `verify-certificate`, when so many pairs were allowed for the proofs.
fn confirmed(model: &str, pairs: &str, more: &[&str]) -> (i32, String) {
    let folder = folder();
    fs::write(folder.path().join("m.des"), model).expect("a file");
    desc(folder.path(), &["check", "m.des", "--max-pairs", pairs, "--certificate", "m.proof"]);
    let output = desc(folder.path(), &[&["verify-certificate", "m.des", "m.proof"], more].concat());
    (code(&output), stdout(&output))
}

#[test]
fn a_check_without_a_proof_is_not_said_to_be_verified() {
    let nothing = "no proof   S: check infinite-step\nnothing is proved: 1 check without a proof\n";
    assert_eq!(confirmed(PASSES, "0", &[]), (3, nothing.to_owned()));
    assert_eq!(confirmed(PASSES, "0", &["-q"]), (3, nothing.to_owned()));
    let value = PASSES.replace("infinite-step", "projection [t] = [t]");
    let told = "value      S: check projection [t] = [t]: needs no proof\nnothing is proved: no check needs a proof\n";
    assert_eq!(confirmed(&value, "0", &[]), (3, told.to_owned()));
    let larger = "system Larger { states A, B, C; initial states; events t; A -t-> A, B; B -t-> C -t-> A; \
        check infinite-step; check projection [t] = [t]; }\n";
    let both = format!("{FAILS}{larger}");
    let told = "no proof   Larger: check infinite-step\n\
        not everything is proved: 1 check confirmed, 1 check without a proof\n";
    assert_eq!(confirmed(&both, "2", &["-q"]), (3, told.to_owned()));
    assert_eq!(confirmed(&both, "9", &["-q"]), (0, "certificate verified: 2 checks\n".to_owned()));
}

#[test]
fn a_certificate_is_about_one_model_and_is_written_whole_or_not_at_all() {
    let folder = folder();
    let several = desc(folder.path(), &["check", "passes.des", "fails.des", "--certificate", "proof.txt"]);
    assert_eq!(code(&several), 2);
    assert!(!folder.path().join("proof.txt").exists());
    assert_eq!(code(&desc(folder.path(), &["check", "faulty.des", "--certificate", "proof.txt"])), 2);
    assert!(!folder.path().join("proof.txt").exists());
    let full = desc(folder.path(), &["check", "passes.des", "--certificate", "/dev/full"]);
    assert_eq!(code(&full), 2);
    assert!(stderr(&full).contains("no space left"), "{}", stderr(&full));
}

/// What `verify-certificate` says about many proofs for one model, each with one set of all its states.
fn hostile(model: &str, proofs: usize, set: &str, limit: &[&str]) -> (i32, String, String) {
    let folder = folder();
    fs::write(folder.path().join("m.des"), model).expect("a file");
    let proof = format!("proof 0\nhorizon infinite\nset {set}\nstart\n").repeat(proofs);
    let text = format!("desc certificate 1\ntool 0.1.0\nsystem \"S\"\nmeaning 00\n{proof}end\n");
    fs::write(folder.path().join("m.proof"), with_checksum(text)).expect("a file");
    let output = desc(folder.path(), &[&["verify-certificate", "m.des", "m.proof"], limit].concat());
    (code(&output), stdout(&output), stderr(&output))
}

#[test]
fn a_short_certificate_with_large_sets_takes_no_more_than_its_limits() {
    let (status, told, fault) = hostile(PASSES, 4, "0-134217726", &["--memory", "64MiB"]);
    assert_eq!((status, told.as_str()), (2, ""));
    assert!(fault.contains("a set has the member 134217726, and there are only"), "{fault}");
    let large =
        "system S { states s[1..50000]; initial s; events t; for i in 1..50000 { s[i] -t-> s[i]; } check 0-step; }\n";
    let (status, told, _) = hostile(large, 1, "0-49999", &["--memory", "128MiB"]);
    assert_eq!(status, 1, "one set is read, and the hash is another: {told}");
    let (status, told, _) = hostile(large, 1_000, "0-49999", &["--memory", "128MiB"]);
    assert_eq!((status, told.as_str()), (3, "undecided  `m.proof`: it was not read within the memory limit\n"));
}

#[test]
fn a_certificate_that_takes_too_long_is_stopped() {
    let (status, told, _) = hostile(PASSES, 1, "0-1", &["--timeout", "0s"]);
    assert_eq!(status, 1, "small work is finished: {told}");
    let (status, told, _) = hostile(PASSES, 5_000, "0-1", &["--timeout", "0s"]);
    assert_eq!((status, told.as_str()), (3, "undecided  `m.proof`: it was not read within the time limit\n"));
}
