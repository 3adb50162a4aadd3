//! Slips in a composed model: each is one diagnostic, with what to write instead.

use desc::check::{Settings, check};
use desc::diagnostic::{Code, Diagnostic};
use desc::source::{NoImports, Sources};
use desc::syntax;

/// Persons with badges, doors, monitors, observers and a pool.
const SOUND: &str = include_str!("../fixtures/check/ok/a_hospital_with_badges.des");

/// What is written, the slip, and the code of its one message.
const SLIPS: &[(&str, &str, Code)] = &[
    (
        "as opens[d] by person[i] for d in 1..D, i in 1..P;",
        "as opens[1..D] by person[i] for d in 1..D, i in 1..P;",
        Code::E0419,
    ),
    ("as opens[d] by person[i] for", "as opens[d] by person[1..P] for", Code::E0419),
    ("as opens[d] by person[i] for d", "by person[i] as opens[d] for d", Code::E0111),
    ("as opens[d] by person[i] for d in 1..D, i in 1..P;", "as opens[d] by person[i] for d in 1..D;", Code::E0201),
    (
        "as opens[d] by person[i] for d in 1..D, i in 1..P;",
        "as opens[d] by person[i] for d in 1..D i in 1..P;",
        Code::E0124,
    ),
    (
        "as opens[d] by person[i] for d in 1..D, i in 1..P;",
        "as opens[d] by person[i] for d = 1..D, i in 1..P;",
        Code::E0111,
    ),
    (
        "as opens[d] by person[i] for d in 1..D, i in 1..P;",
        "as opens[d] by person[i] for d in 1..D and i in 1..P;",
        Code::E0111,
    ),
    ("anonymous door[d, i] as opens", "anonymous door[d] as opens", Code::E0302),
    ("anonymous door[d, i] as opens", "anonymous door[i, d + 1] as opens", Code::E0303),
    ("anonymous door[d, i] as opens", "anonymous dor[d, i] as opens", Code::E0201),
    ("anonymous door[d, i] as opens[d] by person[i]", "anonymous door[d, 1] as opens[d] by person[i]", Code::E0423),
    ("as leaves by person[i] for i in 1..P;", "as exit[1] by person[i] for i in 1..P;", Code::E0408),
    ("as leaves by person[i] for i in 1..P;", "as leaves by person[i] for i in 2..1;", Code::E0304),
    (
        "anonymous exit[i] as leaves by person[i] for i in 1..P;",
        "anonymous exit & door as leaves by person;",
        Code::W0420,
    ),
    ("anonymous exit[i] as leaves by person[i]", "anonymous exit[i] as by person[i]", Code::E0116),
    ("anonymous exit[i] as leaves by person[i]", "anonymous exit[i] as leaves by", Code::E0116),
    ("anonymous exit[i] as leaves by person[i]", "anonymous exit[i] as leaves of person[i]", Code::E0111),
    ("anonymous exit[i] as leaves by person[i]", "anonymous exit[i], door[1, i] as leaves by person[i]", Code::E0407),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i].lob for i in 1..P if i != 2;", Code::E0201),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i].lab for i in 1..P where i != 2;", Code::E0111),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i].lab for i in 1..P if i;", Code::E0308),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i].lab for i in 1..P if j != 2;", Code::E0201),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i] for i in 1..P if i != 2;", Code::E0202),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret q[i].lab for i in 1..P if i != 2;", Code::E0201),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i].lab for i in 1..P + 1 if i != 2;", Code::E0303),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i, 1].lab for i in 1..P if i != 2;", Code::E0302),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i].lab for i, j in 1..P if i != 2;", Code::E0111),
    ("secret p[i].lab for i in 1..P if i != 2;", "secret p[i].lab for i in 1..P, i in 1..P if i != 2;", Code::E0203),
    ("observer Both = Camera + Desk;", "observer Both = Camera, Desk;", Code::E0111),
    ("observer Both = Camera + Desk;", "observer Both = Camera and Desk;", Code::E0111),
    ("observer Both = Camera + Desk;", "observer Both = Camera + Dsek;", Code::E0201),
    ("observer Both = Camera + Desk;", "observer Both = Camera + ;", Code::E0111),
    ("observer Both = Camera + Desk;", "observer Both = Camera + Both;", Code::E0201),
    ("    observer Both = Camera + Desk;\n    check", "    observer Both = Camera + Desk\n    check", Code::E0110),
    ("monitor Entered(i)", "moniter Entered(i)", Code::E0112),
    ("    no -door[2, i]-> yes;", "    no -door[2, i]-> yes;\n    no -door[2, i]-> no;", Code::E0420),
    ("    states  no, yes;\n    initial no;", "    states  no, yes;\n    initial no, yes;", Code::E0420),
    ("    no -door[2, i]-> yes;", "    no -door[3, i]-> yes;", Code::E0421),
    ("    no -door[2, i]-> yes;", "    no -door[2]-> yes;", Code::E0421),
    ("    no -door[2, i]-> yes;", "    no -door[2, i]-> maybe;", Code::E0201),
    ("    no -door[2, i]-> yes;", "    no -door[2, j]-> yes;", Code::E0201),
    ("    no -door[2, i]-> yes;", "    no -door[2, i]-> yes for i in 1..P;", Code::E0111),
    ("    no -door[2, i]-> yes;", "    no -door[2, i]-> yes;\n    check 0-step;", Code::E0401),
    ("seen[i] = Entered(i) for i in 1..P;", "seen[i] = Entered for i in 1..P;", Code::E0301),
    ("seen[i] = Entered(i) for i in 1..P;", "seen = Entered(i) for i in 1..P;", Code::E0203),
    ("seen[i] = Entered(i) for i in 1..P;", "seen[i] = Enterd(i) for i in 1..P;", Code::E0201),
    ("seen[i] = Entered(i) for i in 1..P;", "seen[1..P] = Entered(1);", Code::E0417),
    ("opacity of p[1].lab;", "opacity of p[1].lob;", Code::E0201),
    ("opacity of p[1].lab;", "opacity of p[1];", Code::E0202),
    ("opacity of p[1].lab;", "opacity of p[3].lab;", Code::E0303),
    ("opacity of p[1].lab;", "opacity of door[1, 1];", Code::E0202),
    ("opacity of p[1].lab;", "opacity of p[i].lab for i in 1..P;", Code::E0111),
    ("opacity of p[1].lab;", "anonymity of p[1].lab;", Code::E0509),
    ("opacity of p[1].lab;", "of p[1].lab;", Code::E0111),
    ("opacity of p[1].lab;", "opacity of p[1].lab -> p[1].out;", Code::E0510),
    ("opacity of p[1].lab;", "opacity p[1].lab;", Code::E0124),
    ("about p[1] except p[1].out", "about p[1] except p[1]", Code::E0202),
    ("about p[1] except p[1].out", "except p[1].out except p[2].out", Code::E0118),
    ("about p[1] except p[1].out", "opacity except p[1].out", Code::E0505),
    ("throughout against Desk", "throughout throughout against Desk", Code::E0118),
    (
        "check strong 0-step opacity of seen[1].yes throughout against",
        "check strong 0-step throughout against",
        Code::E0511,
    ),
    (
        "check strong 0-step opacity of seen[1].yes throughout",
        "check strong initial-state opacity of seen[1].yes throughout",
        Code::E0511,
    ),
    ("initial-final opacity of p[1].out -> p[1].lab", "initial-final opacity of p[1].out", Code::E0510),
    ("initial-final opacity of p[1].out -> p[1].lab", "initial-final anonymity", Code::E0502),
    ("[opens[1]#1 opens[2]#1 opens[1]#2]", "[opens[1]#1 opens[2]#1 opens[1]#3]", Code::E0506),
    ("[opens[1]#1 opens[2]#1 opens[1]#2]", "[opens[1]#1 opens[3]#1 opens[1]#2]", Code::E0506),
    ("[opens[1]#1 opens[2]#1 opens[1]#2]", "[opens[1]#1 opens[2] opens[1]#2]", Code::E0506),
    ("[opens[1]#1 opens[2]#1 opens[1]#2]", "[opens[1]# opens[2]#1 opens[1]#2]", Code::E0111),
    ("[opens[1]#1 opens[2]#1 opens[1]#2]", "[opens#1 opens[2]#1 opens[1]#2]", Code::E0506),
    ("check projection weak", "check projection strong", Code::E0506),
    ("against Both;", "against Bth;", Code::E0201),
    ("    awake -exit[1..P]-> awake;", "    awake -exit[1..P]-> awake if P > 1;", Code::E0111),
    ("opacity against Both;", "opacity against Camera + Desk;", Code::E0111),
    ("opacity of p[1].out -> p[1].lab against", "opacity of p[1].out to p[1].lab against", Code::E0111),
    ("initial-final opacity of p[1].out", "initial-final opacity p[1].out", Code::E0124),
    ("opacity of seen[1].yes throughout", "opacity throughout of seen[1].yes", Code::E0111),
    ("about p[1] except p[1].out", "anonymous about p[1] except p[1].out", Code::E0111),
    ("about p[1] except p[1].out", "anonymity p[1] except p[1].out", Code::E0124),
    ("observer Both = Camera + Desk;", "observer Both { Camera + Desk }", Code::E0111),
    ("seen[i] = Entered(i) for i in 1..P;", "seen[1..P] = Entered(1..P);", Code::E0127),
    ("as opens[d] by person[i] for d", "as opens[d], by person[i] for d", Code::E0123),
    ("by person[i] for d in 1..D, i", "by person[i] for all d in 1..D, i", Code::E0123),
    ("by person[i] for d in 1..D, i", "by person i for d in 1..D, i", Code::E0111),
    ("anonymous door[d, i] as opens", "anonymous door[*, i] as opens", Code::E0111),
    (
        "    check not weak infinite-step opacity of p[1].lab;",
        "    for i in 1..P: check not weak infinite-step opacity of p[i].lab;",
        Code::E0124,
    ),
];

fn found(text: &str) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let (entry, mut faults) = syntax::read(&mut sources, "slip.des", text.as_bytes().to_vec());
    faults.extend(check(entry, &mut sources, &NoImports, &Settings::default()).diagnostics);
    faults
}

#[test]
fn each_slip_in_a_composed_model_is_one_message_with_its_cure() {
    assert!(found(SOUND).is_empty());
    for (written, slip, code) in SLIPS {
        let text = SOUND.replacen(written, slip, 1);
        assert_ne!(text, SOUND, "{written}");
        let faults = found(&text);
        let told: Vec<(Code, bool)> = faults.iter().map(|fault| (fault.code, fault.help.is_some())).collect();
        assert_eq!(told, [(*code, true)], "{slip}: {faults:#?}");
    }
}

#[test]
fn one_constant_that_is_too_large_is_one_message() {
    let text = "const N = 10000000000;\ncomponent C { states a[1..N]; initial a[1]; a[1] -t-> a[1..N]; }\n\
                system S { compose c = C; for i in 1..N { secret c.a[i]; } }";
    assert_eq!(found(text).iter().map(|fault| fault.code).collect::<Vec<_>>(), [Code::E0305]);
}

#[test]
fn what_depends_on_a_constant_with_an_error_is_not_called_unused() {
    for constants in ["const N = ;", "const N = 1 / 0;", "const M = 1 % 0; const N = M + 1;", "const N = N + 1;"] {
        let system = "system S { states s[1..2]; initial s; events t; for i in 1..N { s[i] -t-> s[i]; } }";
        let faults = found(&format!("{constants}\n{system}"));
        assert_eq!(faults.len(), 1, "{constants} {faults:#?}");
    }
}

/// What is written for `may hide log cost 3;`, and the code of its one message.
const LEVER_SLIPS: &[(&str, Code)] = &[
    ("may anonymize log;", Code::E0112),
    ("may hide log cost;", Code::E0111),
    ("may hide log cost 3 from Clerk;", Code::E0111),
    ("may hide log costs 3;", Code::E0112),
    ("may hide log, cost 3;", Code::E0111),
    ("may hide log 3;", Code::E0111),
    ("may hide log at 3;", Code::E0111),
    ("may hide together log, call;", Code::E0111),
    ("may together log;", Code::E0111),
    ("may log;", Code::E0111),
    ("must log;", Code::E0111),
    ("may hide;", Code::E0111),
    ("may hide lgo;", Code::E0201),
    ("may hide log from Clrk;", Code::E0201),
    ("may hide log cost -1;", Code::E0520),
    ("may hide log by Clerk;", Code::E0521),
    ("must hide log cost 2;", Code::E0521),
    ("hide log;", Code::E0136),
    ("check repair cost 3;", Code::E0112),
    ("check repair 3;", Code::E0111),
];

#[test]
fn each_slip_in_a_lever_is_one_message() {
    for (line, code) in LEVER_SLIPS {
        let text = format!(
            "system S {{\n states A, B;\n initial A;\n events log, call;\n A -{{log, call}}-> B;\n \
             observer Clerk {{ observable log; }}\n {line}\n check current-state;\n check current-state against Clerk;\n}}\n"
        );
        let faults = found(&text);
        let told: Vec<_> = faults.iter().map(|fault| fault.code).collect();
        assert_eq!(told, [*code], "{line}: {faults:#?}");
        assert!(faults[0].help.is_some(), "{line}");
    }
}
