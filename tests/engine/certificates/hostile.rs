//! Certificates that want to take long or to take much: whoever reads them stays within limits, and no limit makes a proof of what
//! is none.

use super::{find, forge, horizon, is_confirmed, way};
use crate::support::dice::Dice;
use crate::support::random::{Case, case, cases};
use desc::check::{self, Settings};
use desc::model::{Model, Question};
use desc::resources::{Resources, Stop, WorkCounter};
use desc::source::{NoImports, Sources};
use desc::syntax;
use desc::verdict::Answer;
use desc::verdict::certificate::document::{Certified, Confirmed, Document, certify, confirm};
use desc::verdict::certificate::{Certificate, Refused, check as check_proof, read, with_checksum, write};
use desc::verify::{Options, verify};

/// What a text comes to, and the most bytes that were counted.
fn reading(text: &str, n_states: usize, resources: Resources<'_>) -> (Result<Document, Refused>, u64) {
    let counter = WorkCounter::default();
    let read = read(text, n_states, &mut Resources { work: Some(&counter), ..resources }.monitor());
    (read, counter.bytes())
}

/// Many proofs with sets that are short to write and large.
fn swollen(n_states: u32, proofs: usize, sets: usize) -> String {
    let set = format!("set 0-{}\n", n_states - 1).repeat(sets);
    let proof = format!("proof 0\nhorizon infinite\n{set}start\n").repeat(proofs);
    with_checksum(format!("desc certificate 1\ntool 0.1.0\nsystem \"S\"\nmeaning 00\n{proof}end\n"))
}

#[test]
fn no_set_is_larger_than_the_model() {
    let text = swollen(134_217_727, 16, 1);
    let (read, bytes) = reading(&text, 1_000, Resources::default());
    assert!(matches!(&read, Err(Refused::Wrong(fault)) if fault.contains("134217726")), "{read:?}");
    assert!(bytes < 10_000, "{bytes}");
}

/// The account is one for all proofs: what one proof holds is not free for the next.
#[test]
fn the_sets_of_all_proofs_are_counted_together() {
    let text = swollen(1_000, 100, 10);
    let (read, bytes) = reading(&text, 1_000, Resources::default());
    assert_eq!(read.map(|document| document.systems[0].proofs.len()), Ok(100));
    let members = 100 * 10 * 1_000 * size_of::<u32>() as u64;
    assert!((members..3 * members).contains(&bytes), "{bytes}");
    for part in [1, 2, 4, 100] {
        let (read, held) = reading(&text, 1_000, Resources { memory: Some(members / part), ..Resources::default() });
        assert_eq!(read, Err(Refused::Stopped(Stop::Memory)));
        assert!(held < members / part + 20_000, "{held}");
    }
}

/// Lines of every kind in any order that may be right, with numbers of every size.
fn made_up(dice: &mut Dice) -> String {
    let mut text = "desc certificate 1\ntool 0\nsystem \"S\"\nmeaning 00\n".to_owned();
    for _ in 0..1 + dice.below(3) {
        text += &format!("proof {}\nhorizon {}\n", dice.below(3), ["infinite", "initial", "3"][dice.below(3)]);
        if dice.chance(30) {
            text += &format!("past{}\nfuture{}\n", rest("past", dice), rest("future", dice));
        }
        if dice.chance(20) {
            (0..1 + dice.below(3)).for_each(|_| text += &format!("reach{}\n", rest("set", dice)));
            (0..dice.below(3)).for_each(|_| text += &format!("show {} :{}\n", number(dice), rest("set", dice)));
            continue;
        }
        let words = ["blocks", "left", "rival", "set", "start", "estimate", "layer", "behind", "back", "twins"];
        let words = words.into_iter().chain(["simulation", "permutation apart", "lockstep"]);
        for word in words {
            let alone = matches!(word, "blocks" | "start" | "behind");
            let lines = if alone { usize::from(word == "start" || dice.chance(30)) } else { dice.below(4) };
            (0..lines).for_each(|_| text += &format!("{word}{}\n", rest(word, dice)));
        }
    }
    with_checksum(text + "end\n")
}

fn rest(word: &str, dice: &mut Dice) -> String {
    let covers = |dice: &mut Dice| (0..dice.below(6)).map(|_| format!(" {}", cover(dice))).collect::<String>();
    let some = |dice: &mut Dice| (0..dice.below(5)).map(|_| format!(" {}", number(dice))).collect::<String>();
    match word {
        "left" => format!(" {}{}", number(dice), some(dice)),
        "rival" => format!(" {}{} ;{}", number(dice), some(dice), some(dice)),
        "set" => {
            let first = number(dice);
            format!(" {first}-{}", first.saturating_add(number(dice)))
        }
        "start" | "behind" => covers(dice),
        "estimate" => format!(" {} {} :{}", number(dice), number(dice), covers(dice)),
        "layer" | "back" => format!(" {} {} {} :{}", number(dice), number(dice), number(dice), covers(dice)),
        "twins" | "simulation" => format!(" {} ;{} :{}", number(dice), some(dice), covers(dice)),
        "lockstep" => format!(" {} {} {} :{}", number(dice), number(dice), number(dice), some(dice)),
        _ => some(dice),
    }
}

fn number(dice: &mut Dice) -> u32 {
    let most = [2, 2, 4, 8, 2_000, u32::MAX as usize][dice.below(6)];
    dice.below(most) as u32
}

fn cover(dice: &mut Dice) -> String {
    match dice.below(5) {
        0 => "d".to_owned(),
        1 => format!("l{}/{}", number(dice), number(dice)),
        kind => format!("{}{}", ["p", "t", "s"][kind - 2], number(dice)),
    }
}

#[test]
fn what_is_read_takes_no_more_than_the_text_and_the_model_allow() {
    let (mut read, mut refused) = (0, 0);
    for seed in 0..4 * cases() {
        let text = made_up(&mut Dice::new(seed ^ 0xBAD));
        let (document, bytes) = reading(&text, 8, Resources::default());
        assert!(bytes < 64 * text.len() as u64, "{bytes} bytes: {text}");
        let Ok(document) = document else {
            refused += 1;
            continue;
        };
        assert_eq!(reading(&write(&document), 8, Resources::default()).0.as_ref(), Ok(&document));
        read += 1;
    }
    assert!(read > 500 && refused > 500, "{read} are read, {refused} are not");
}

/// A proof under every limit of work and many of memory.
fn limited(case: &Case, proof: &Certificate) -> Vec<Result<(), Refused>> {
    let check = |resources: Resources<'_>| check_proof(&case.view(), &case.property, proof, &mut resources.monitor());
    let counter = WorkCounter::default();
    let _ = check(Resources { work: Some(&counter), ..Resources::default() });
    let (units, bytes) = (counter.units(), counter.bytes());
    let works = (0..units).step_by(1 + units as usize / 40).map(|most| {
        let counter = WorkCounter::ending_after(most);
        check(Resources { work: Some(&counter), ..Resources::default() })
    });
    let memories = (0..20).map(|part| {
        let memory = Some(bytes * part / 20);
        check(Resources { memory, ..Resources::default() })
    });
    works.chain(memories).collect()
}

#[test]
fn a_limit_refuses_no_proof_and_confirms_no_forgery() {
    let (mut honest, mut forged) = (0, 0);
    for seed in 0..cases() / 4 {
        let case = case(seed);
        if let Some(proof) = find(&case, horizon(&case), way(seed)).certificate {
            assert!(is_confirmed(&case, &proof));
            for checked in limited(&case, &proof) {
                assert!(matches!(checked, Ok(()) | Err(Refused::Stopped(_))), "seed {seed}: {checked:?}");
                honest += usize::from(checked.is_err());
            }
        }
        for (wrong, proof) in forge::forged(&Case { initial: false, ..case.derived() }).into_iter().take(4) {
            if is_confirmed(&case, &proof) {
                continue;
            }
            for checked in limited(&case, &proof) {
                assert!(checked.is_err(), "{wrong}, seed {seed}");
                forged += usize::from(matches!(checked, Err(Refused::Stopped(_))));
            }
        }
    }
    assert!(honest > 2_000 && forged > 2_000, "{honest} proofs and {forged} forgeries were stopped");
}

const MODEL: &str = "
system Pair {
    states A, B, C, D; initial A, B; events t, u, v; anonymous t, u; secret A;
    A -t-> C; B -u-> D; C -v-> A; D -v-> B;
    check strong infinite-step; check 0-step; check weak infinite-step; check exactly 0-step; check 1-step;
    check strong infinite-step opacity; check estimate [] = {A, B};
}
";

fn model() -> Model {
    let mut sources = Sources::new();
    let (id, _) = syntax::read(&mut sources, "pair.des", MODEL.as_bytes().to_vec());
    check::check(id, &mut sources, &NoImports, &Settings::default()).model.expect("a model")
}

#[test]
fn what_was_confirmed_before_a_limit_stays_confirmed_and_nothing_else_is() {
    let model = model();
    let system = &model.systems()[0];
    let results = verify(system, &Options { certificates: true, threads: 1, ..Options::default() });
    let certified: Certified = certify(system, &results);
    let counter = WorkCounter::default();
    let within = |resources: Resources<'_>| confirm(system, &certified, &mut resources.monitor());
    let Ok(Confirmed { answers, stopped: None }) = within(Resources { work: Some(&counter), ..Resources::default() })
    else {
        panic!("not confirmed")
    };
    let asks = |at: usize| matches!(system.checks[at].question, Question::Property { .. });
    assert!(answers.iter().enumerate().all(|(at, answer)| answer.is_some() == asks(at)), "{answers:?}");
    let (mut partly, all) = (0, counter.units());
    for most in 0..=all {
        let counter = WorkCounter::ending_after(most);
        let some = within(Resources { work: Some(&counter), ..Resources::default() }).expect("it is not refused");
        let allowed = |(some, all): (&Option<Answer>, &Option<Answer>)| some.is_none() || some == all;
        assert!(some.answers.iter().zip(&answers).all(allowed), "{most}: {some:?}");
        assert_eq!(some.stopped.is_none(), most == all, "{most}: {some:?}");
        let known = some.answers.iter().flatten().count();
        partly += usize::from(known > 0 && known < answers.iter().flatten().count());
    }
    assert!(partly > 100, "{partly}");
}
