//! Proofs of what holds: every one is confirmed, no false one is.
//!
//! The models are random. What is tampered with is the data of a proof, its text, or the model under it.

mod tamper;
mod forge;
mod hostile;

use crate::support::dice::Dice;
use crate::support::random::{Case, case, cases, multiplied};
use desc::automaton::view::Projection;
use desc::automaton::{Automaton, Builder, StateId, StateSet};
use desc::model::{ClassId, Classes, Horizon, Property};
use desc::resources::Resources;
use desc::verdict::certificate::document::{Body, Certified, Document, Proof};
use desc::verdict::certificate::{Certificate, Refused, Violation, check, check_violation, read, write};
use desc::verdict::{Answer, Exposure, Finding};
use desc::verify::{Options, Tuning, decide_with};
use forge::Forgery;
use std::collections::BTreeMap;

fn find(case: &Case, horizon: Horizon, tuning: Tuning) -> Finding {
    let options = Options { certificates: true, ..Options::default() };
    let finding = decide_with(&case.view(), &case.property, horizon, &options, tuning);
    assert_eq!(finding.fault, None, "{case:#?}");
    finding
}

/// The default, or alike states merged first.
fn way(seed: u64) -> Tuning {
    let merged = Tuning { quotient_from: 0, probe_work: 0, ..Tuning::default() };
    if seed.is_multiple_of(2) { Tuning::default() } else { merged }
}

fn horizon(case: &Case) -> Horizon {
    if case.initial { Horizon::Initial } else { Horizon::Infinite }
}

fn is_confirmed(case: &Case, proof: &Certificate) -> bool {
    check(&case.view(), &case.property, proof, &mut Resources::default().monitor()).is_ok()
}

#[test]
fn whatever_holds_has_a_proof_that_is_confirmed() {
    let mut met: BTreeMap<(Projection, &str, &str), usize> = BTreeMap::new();
    let ways = [
        Tuning::default(),
        Tuning::none(),
        Tuning { twins: false, ..Tuning::default() },
        Tuning { forward: false, ..Tuning::default() },
        Tuning { twins: false, forward: false, ..Tuning::default() },
        Tuning { twins: false, forward: false, first_slice: 1, ..way(1) },
        way(1),
        Tuning { cells_after: 0, ..way(1) },
        Tuning { identity: false, simulation: false, twins: false, backward: false, ..Tuning::default() },
    ];
    for seed in 0..cases() {
        let case = if seed % 3 == 0 { multiplied(&case(seed), &mut Dice::new(seed)) } else { case(seed) };
        let finding = find(&case, horizon(&case), ways[seed as usize % ways.len()]);
        if finding.exposure == Exposure::Never {
            let proof = finding.certificate.expect("a proof");
            assert!(is_confirmed(&case, &proof), "seed {seed}: {case:#?}");
            let by = match (&proof.backward, &proof.blocks) {
                (None, None) => "front",
                (Some(_), None) => "behind",
                (None, Some(_)) => "front, of blocks",
                (Some(_), Some(_)) => "behind, of blocks",
            };
            *met.entry((case.projection, case.kind, by)).or_default() += 1;
        }
    }
    for projection in [Projection::Natural, Projection::Strong, Projection::Weak] {
        for kind in ["anonymity", "among", "about", "opacity", "initial-state"] {
            assert!(met.contains_key(&(projection, kind, "front")), "no proof of {projection} {kind}");
        }
    }
    for by in ["behind", "front, of blocks", "behind, of blocks"] {
        assert!(met.keys().any(|key| key.2 == by), "no proof from {by}");
    }
}

#[test]
fn what_holds_up_to_a_horizon_has_a_proof_up_to_there_and_no_further() {
    let mut bounded = 0;
    for seed in 0..cases() / 4 {
        let case = Case { initial: false, ..case(seed) };
        let Exposure::At(least) = find(&case, Horizon::Infinite, Tuning::default()).exposure else { continue };
        for tuning in [Tuning::default(), way(1), Tuning { forward: false, ..Tuning::default() }] {
            for steps in 0..least.min(4) {
                let finding = find(&case, Horizon::Steps(steps), tuning);
                assert_eq!(finding.exposure.answer(Horizon::Steps(steps)), Answer::Holds);
                let proof = finding.certificate.expect("a proof");
                assert!(proof.horizon >= Some(steps));
                assert!(is_confirmed(&case, &proof));
                let further = Certificate { horizon: Some(least), ..proof.clone() };
                assert!(!is_confirmed(&case, &further), "seed {seed}: {case:#?}");
                assert!(
                    !is_confirmed(&case, &Certificate { horizon: None, ..proof.clone() }),
                    "seed {seed}: {case:#?}"
                );
                if proof.horizon == Some(least - 1) {
                    assert!(!is_confirmed(&case, &forge::shifted(&proof)), "seed {seed}: {case:#?}");
                }
                bounded += 1;
            }
        }
    }
    assert!(bounded > 300, "{bounded}");
}

#[test]
fn a_proof_does_not_confirm_a_model_that_is_exposed() {
    let mut tried = 0;
    for seed in 0..cases() {
        let case = case(seed);
        let Some(proof) = find(&case, horizon(&case), way(seed)).certificate else { continue };
        if proof.horizon.is_some() {
            continue;
        }
        let mut dice = Dice::new(seed ^ 0xC0FFEE);
        for _ in 0..8 {
            let other = neighbour(&case, &mut dice);
            let answer = find(&other, horizon(&other), Tuning::default()).exposure;
            if matches!(answer, Exposure::At(_)) {
                tried += 1;
                assert!(!is_confirmed(&other, &proof), "seed {seed}: {other:#?}");
                for offered in tamper::tampered(&proof, &mut dice) {
                    assert!(!is_confirmed(&other, &offered), "seed {seed}: {other:#?} {offered:#?}");
                }
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

/// Each false proof is right but for one thing, so each is refused by one clause of the checker.
#[test]
fn a_forgery_that_is_right_in_all_but_one_thing_is_refused() {
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..cases() / 2 {
        let case = Case { initial: false, ..case(seed) };
        let derived = case.derived();
        let own =
            forge::forged(&derived).into_iter().map(|(wrong, proof)| Forgery { wrong, case: case.clone(), proof });
        let mut exposed: Option<(Automaton, bool)> = None;
        for Forgery { wrong, case, proof } in own.chain(forge::misplaced(&derived)) {
            let known = exposed.take().filter(|(automaton, _)| *automaton == case.automaton);
            let is_exposed = known.map_or_else(
                || matches!(find(&case, Horizon::Infinite, Tuning::default()).exposure, Exposure::At(_)),
                |(_, is_exposed)| is_exposed,
            );
            exposed = Some((case.automaton.clone(), is_exposed));
            if is_exposed {
                assert!(!is_confirmed(&case, &proof), "{wrong}: seed {seed}: {case:#?} {proof:#?}");
                *tried.entry(wrong).or_default() += 1;
            }
        }
    }
    for Forgery { wrong, case, proof } in forge::by_hand() {
        assert!(matches!(find(&case, Horizon::Infinite, Tuning::default()).exposure, Exposure::At(_)), "{wrong}");
        assert!(!is_confirmed(&case, &proof), "{wrong}");
    }
    assert!(tried.len() == 28 && tried.values().all(|&models| models > 50), "{} {tried:?}", tried.len());
}

/// Runs that are made up: some can be done, some not; with any instant and any classes.
#[test]
fn no_run_exposes_what_holds_or_exposes_sooner_than_can_be() {
    let (mut refused, mut accepted) = ([0; 2], 0);
    for seed in 0..cases() {
        let case = case(seed);
        let exposure = find(&case, horizon(&case), Tuning::default()).exposure;
        let mut dice = Dice::new(seed ^ 0xFACADE);
        for run in (0..40).map(|_| made_up(&case.derived(), &mut dice)) {
            match (check_violation(&case.view(), &case.property, &run, &mut Resources::default().monitor()), exposure) {
                (Err(_), exposure) => refused[usize::from(exposure == Exposure::Never)] += 1,
                (Ok(distance), Exposure::At(least)) => {
                    assert!(distance >= least, "seed {seed}: {case:#?} {run:#?}");
                    accepted += 1;
                }
                (Ok(_), _) => panic!("seed {seed}: {case:#?} {run:#?}"),
            }
        }
    }
    assert!(refused.iter().all(|&runs| runs > 10_000) && accepted > 1_000, "{refused:?} {accepted}");
}

fn made_up(case: &Case, dice: &mut Dice) -> Violation {
    let (states, events) = (case.automaton.n_states(), case.automaton.n_events());
    let initial = case.automaton.initial();
    let start = if dice.chance(80) { initial[dice.below(initial.len())].0 } else { dice.below(states) as u32 };
    let letters = forge::letters(case);
    let mut at = start;
    let mut moves: Vec<(u32, u32)> = Vec::new();
    for _ in 0..dice.below(7) {
        let steps = case.automaton.steps(desc::automaton::StateId(at));
        let (event, target) = match steps.is_empty() || dice.chance(10) {
            true => (dice.below(events), dice.below(states) as u32),
            false => {
                let step = steps[dice.below(steps.len())];
                (step.event.index(), step.target.0)
            }
        };
        moves.push((letters[event].number, target));
        at = target;
    }
    let before = if case.initial && dice.chance(80) { 0 } else { dice.below(moves.len() + 2) };
    let instant = if before == 0 { start } else { moves.get(before - 1).map_or(at, |step| step.1) };
    let class = forge::classes(case).1;
    let mut classes = if dice.chance(90) { vec![class[instant as usize]] } else { Vec::new() };
    (0..dice.below(3)).for_each(|_| classes.push(class[dice.below(states)]));
    Violation { initial: case.initial, start, moves, before, classes }
}

/// The same automaton, and a proof that is right for another question about it, start, or intruder.
#[test]
fn a_proof_confirms_no_other_question() {
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..cases() {
        let own = case(seed);
        let Some(proof) = find(&own, horizon(&own), way(seed)).certificate.filter(|proof| proof.horizon.is_none())
        else {
            continue;
        };
        let mut dice = Dice::new(seed ^ 0xBEEF);
        for other in (1..6).map(|more| case(seed ^ (more << 32))) {
            let states = own.automaton.n_states();
            let projection = [Projection::Natural, Projection::Strong, Projection::Weak][dice.below(3)];
            let mut changed = vec![("intruder", Case { projection, ..own.clone() })];
            if other.automaton.n_events() == own.automaton.n_events() {
                changed.push(("intruder", Case { observer: other.observer.clone(), ..own.clone() }));
            }
            changed.push(("question", Case { property: asked(&mut dice, states), ..own.clone() }));
            changed.push(("start", begun_at(&own, dice.below(states), dice.below(states))));
            for (what, changed) in changed {
                let exposure = find(&changed, horizon(&changed), Tuning::default()).exposure;
                if matches!(exposure, Exposure::At(_)) {
                    assert!(!is_confirmed(&changed, &proof), "seed {seed}: another {what}: {changed:#?} {proof:#?}");
                    *tried.entry(what).or_default() += 1;
                }
            }
        }
    }
    assert!(tried.len() == 3 && tried.values().all(|&models| models > 200), "{tried:?}");
}

/// Any question about so many states.
fn asked(dice: &mut Dice, states: usize) -> Property {
    let of: Vec<_> = (0..states).map(|_| ClassId::from_index(dice.below(3))).collect();
    let all = (0..states).map(StateId::from_index);
    let some: StateSet = all.zip(&of).filter(|(_, of)| of.0 == 0).map(|(state, _)| state).collect();
    match dice.below(6) {
        0 => Property::Anonymity { among: 2 + dice.below(3) as u32, classes: None, except: None },
        1 => Property::Anonymity { among: 2 + dice.below(3) as u32, classes: None, except: Some(some) },
        2 => Property::Opacity { secret: some },
        3 => Property::Throughout { secret: some },
        4 => Property::InitialFinal { from: (0..states).step_by(2).map(StateId::from_index).collect(), to: some },
        _ => {
            let names = (0..3).map(|class| format!("class {class}")).collect();
            Property::Anonymity { among: 2, classes: Some(Classes { of, names, subject: None }), except: None }
        }
    }
}

/// The same case with two other initial states.
fn begun_at(case: &Case, one: usize, other: usize) -> Case {
    let mut builder = Builder::new(case.automaton.n_states(), case.automaton.n_events());
    [one, other].into_iter().for_each(|state| builder.initial(desc::automaton::StateId::from_index(state)));
    case.automaton.transitions().for_each(|(_, source, step)| builder.transition(source, step.event, step.target));
    Case { automaton: builder.freeze(), ..case.clone() }
}

/// The same case with one transition more, fewer, or elsewhere.
fn neighbour(case: &Case, dice: &mut Dice) -> Case {
    let (states, events) = (case.automaton.n_states(), case.automaton.n_events());
    let mut edges: Vec<_> = case.automaton.transitions().map(|(_, source, step)| (source, step)).collect();
    if !edges.is_empty() && dice.chance(70) {
        edges.remove(dice.below(edges.len()));
    }
    let mut builder = Builder::new(states, events);
    case.automaton.initial().iter().for_each(|&state| builder.initial(state));
    edges.into_iter().for_each(|(source, step)| builder.transition(source, step.event, step.target));
    if dice.chance(50) {
        let (source, event, target) = (dice.below(states), dice.below(events), dice.below(states));
        builder.transition(
            desc::automaton::StateId::from_index(source),
            desc::automaton::EventId::from_index(event),
            desc::automaton::StateId::from_index(target),
        );
    }
    Case { automaton: builder.freeze(), ..case.clone() }
}

#[test]
fn a_proof_that_says_more_than_the_model_does_is_refused() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..cases() {
        let case = case(seed);
        let Some(proof) = find(&case, horizon(&case), way(seed)).certificate else { continue };
        for offered in tamper::false_claims(&proof, case.derived().automaton.n_states() as u32) {
            assert!(!is_confirmed(&case, &offered), "seed {seed}: {case:#?} {offered:#?}");
            refused += 1;
        }
        let mut dice = Dice::new(seed);
        for offered in tamper::tampered(&proof, &mut dice) {
            if is_confirmed(&case, &offered) { accepted += 1 } else { refused += 1 }
        }
    }
    // What is still accepted is true: it holds, and the change left a proof of it.
    assert!(refused > 4_000 && accepted < refused / 4, "{refused} refused, {accepted} accepted");
}

/// Reads a document about a small system, without limits.
fn read_again(text: &str) -> Result<Document, Refused> {
    read(text, 1_000, &mut Resources::default().monitor())
}

fn document(proof: Certificate) -> Document {
    let proofs = vec![Proof { checks: vec![0], parts: None, body: Body::Holds(Box::new(proof)) }];
    let certified = Certified { name: "a \"name\"\n".to_owned(), meaning: "00".to_owned(), proofs };
    Document { version: "0.1.0".to_owned(), systems: vec![certified] }
}

#[test]
fn what_is_written_is_read_again_and_no_byte_of_it_may_change() {
    let mut dice = Dice::new(7);
    for seed in 0..cases() / 4 {
        let case = case(seed);
        let Some(proof) = find(&case, horizon(&case), way(seed)).certificate else { continue };
        let document = document(proof);
        let text = write(&document);
        assert_eq!(read_again(&text).as_ref(), Ok(&document), "{text}");
        for _ in 0..12 {
            let mut bytes = text.clone().into_bytes();
            let at = dice.below(bytes.len());
            match dice.below(3) {
                0 => bytes[at] = b"0123456789 :;ptsld\n"[dice.below(19)],
                1 => bytes.truncate(at),
                _ => {
                    bytes.remove(at);
                }
            }
            if bytes != text.as_bytes()
                && let Ok(changed) = String::from_utf8(bytes)
            {
                assert!(read_again(&changed).is_err(), "{changed}");
            }
        }
    }
}

/// Found by the fuzzer: a line that ended in a carriage return was read without it, and written again it was another text.
#[test]
fn a_carriage_return_belongs_to_its_line() {
    let document = Document { version: "0.1.0\r\r".to_owned(), systems: Vec::new() };
    assert_eq!(read_again(&write(&document)), Ok(document));
}
