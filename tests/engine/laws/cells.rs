//! States that share past and future with others: leaving them out of the exposed sets changes no answer, and is proved.

use super::{MOST, engine};
use crate::support::agents::agent_case;
use crate::support::dice::Dice;
use crate::support::oracle::{Distance, literal};
use crate::support::random::{Case, case, cases, multiplied};
use desc::model::Property;
use desc::resources::Resources;
use desc::verdict::certificate::{Cells, Certificate, Cover, Sides, check};
use desc::verdict::{DecidedBy, Exposure, Finding};
use desc::verify::Tuning;

/// Cells before anything else.
fn by_cells() -> Tuning {
    Tuning { cells_after: 0, probe_work: 0, strong_first: false, ..Tuning::default() }
}

/// Some models in which states are alike, and some in which they are not.
fn alike(seed: u64) -> Case {
    let one = if seed.is_multiple_of(4) { agent_case(seed) } else { case(seed) };
    if seed.is_multiple_of(3) { one } else { multiplied(&one, &mut Dice::new(seed)) }
}

/// The distance by the literal construction, of what is small enough for it.
fn by_letter(case: &Case) -> Distance {
    match case.automaton.n_states() {
        0..=20 => literal(&case.view(), &case.property, case.initial, MOST),
        _ => Distance::TooLarge,
    }
}

fn is_confirmed(case: &Case, proof: &Certificate) -> bool {
    check(&case.view(), &case.property, proof, &mut Resources::default().monitor()).is_ok()
}

#[test]
fn cells_change_no_answer_and_every_answer_is_proved() {
    let (mut at_once, mut by_sides, mut with_cells, mut exposed, mut exposed_by_sides) = (0, 0, 0, 0, 0);
    for seed in 8_000_000..8_000_000 + cases() {
        let case = alike(seed);
        let Finding { exposure, certificate, cost, .. } = engine(&case, by_cells());
        let apart = engine(&case, Tuning { cells_after: u64::MAX, ..by_cells() });
        assert_eq!(exposure, apart.exposure, "seed {seed}: {case:#?}");
        let by_letter = by_letter(&case);
        if by_letter != Distance::TooLarge {
            assert_eq!(Distance::from(exposure), by_letter, "seed {seed}: {case:#?}");
        }
        let is_by_cells = cost.by == Some(DecidedBy::Cells);
        exposed += usize::from(matches!(exposure, Exposure::At(1..)));
        exposed_by_sides += usize::from(is_by_cells && matches!(exposure, Exposure::At(_)));
        if exposure == Exposure::Never {
            let proof = certificate.expect("a proof");
            assert!(is_confirmed(&case, &proof), "seed {seed}: {case:#?}");
            by_sides += usize::from(proof.sides.is_some());
            at_once += usize::from(is_by_cells && proof.sides.is_none());
            with_cells += usize::from(proof.cells.is_some() && !is_by_cells);
        }
    }
    println!(
        "{at_once} hold by cells alone, {by_sides} by both sides, {with_cells} with cells; \
         {exposed} exposed later, {exposed_by_sides} exposed by both sides"
    );
    assert!(at_once > 100 && by_sides > 50 && with_cells > 5 && exposed > 30 && exposed_by_sides > 100);
}

/// The cells of a view, if some question about one state finds them.
fn cells(case: &Case) -> Option<Cells> {
    let about = |state| Property::Opacity { secret: [state].into_iter().collect() };
    let asked = |state| Case { property: about(state), ..case.clone() };
    let mut proofs = case.automaton.states().filter_map(|state| engine(&asked(state), by_cells()).certificate);
    proofs.find_map(|proof| proof.cells)
}

/// What is violated has no proof by cells, whatever states they take together.
#[test]
fn cells_that_are_none_prove_nothing() {
    let (mut refused, mut half) = (0, 0);
    for seed in 9_000_000..9_000_000 + cases() / 4 {
        let case = alike(seed);
        if engine(&case, Tuning::default()).exposure == Exposure::Never {
            continue;
        }
        let n = case.automaton.n_states() as u32;
        let apart: Vec<u32> = (0..n).collect();
        let together = vec![0; n as usize];
        let mut all = Vec::new();
        if let Some(Cells { past, future }) = cells(&case) {
            half += 1;
            all.extend([(past, together.clone()), (together.clone(), future)]);
        }
        all.extend([(together.clone(), together.clone()), (apart.clone(), together.clone()), (together, apart)]);
        for one in 0..n.min(8) {
            let merged: Vec<u32> = (0..n).map(|state| state.saturating_sub(one)).collect();
            all.push((merged.clone(), merged));
        }
        for (past, future) in all {
            for covers in 0..=n as usize {
                let proof = Certificate {
                    initial: case.initial,
                    cells: Some(Cells { past: past.clone(), future: future.clone() }),
                    start: vec![Cover::Safe; covers],
                    ..Certificate::default()
                };
                assert!(!is_confirmed(&case, &proof), "seed {seed}: {case:#?}");
                refused += 1;
            }
        }
    }
    assert!(refused > 1_000 && half > 20, "{refused}, {half}");
}

/// A set less, a set that is smaller, a layer later: a proof by sides says no more than it lists.
#[test]
fn a_proof_by_sides_that_leaves_something_out_is_refused_or_true() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 8_000_000..8_000_000 + cases() / 2 {
        let case = alike(seed);
        let found = engine(&case, by_cells());
        let Some(proof) = found.certificate.filter(|proof| proof.sides.is_some()) else { continue };
        assert_eq!(found.exposure, Exposure::Never);
        assert!(is_confirmed(&case, &proof), "seed {seed}: {case:#?}");
        let mut dice = Dice::new(seed);
        let variants = [case_with_another_transition(&case, &mut dice), case_with_another_transition(&case, &mut dice)];
        for variant in &variants {
            let holds = matches!(by_letter(variant), Distance::Never | Distance::TooLarge);
            assert!(holds || !is_confirmed(variant, &proof), "seed {seed}: {variant:#?}");
        }
        for forged in with_other_sides(&proof, &mut dice) {
            let is_accepted = is_confirmed(&case, &forged);
            refused += usize::from(!is_accepted);
            accepted += usize::from(is_accepted);
        }
    }
    println!("{refused} refused, {accepted} true");
    assert!(refused > 100, "{refused}");
    assert_eq!(accepted, 0, "every set of a proof is needed");
}

/// The proof without one of its sets, and with one that is smaller.
fn with_other_sides(proof: &Certificate, dice: &mut Dice) -> Vec<Certificate> {
    let sides = proof.sides.clone().expect("sides");
    let (estimate, backward) = (dice.below(sides.estimates.len()), dice.below(sides.backward.len()));
    let mut all = vec![sides.clone(), sides.clone(), sides.clone()];
    all[0].estimates.remove(estimate);
    all[1].backward.remove(backward);
    all[2].estimates[estimate].pop();
    all.into_iter().map(|sides| Certificate { sides: Some(sides), ..proof.clone() }).collect()
}

/// A set of the last layer leads no further; it has to be one of futures all the same, and an index of no block is no panic.
#[test]
fn a_last_set_of_no_futures_is_refused() {
    let mut refused = 0;
    for seed in 8_000_000..8_000_000 + cases() / 2 {
        let case = alike(seed);
        let Some(proof) = engine(&case, by_cells()).certificate else { continue };
        let Some((cells, sides)) = proof.cells.as_ref().zip(proof.sides.as_ref()) else { continue };
        let n_futures = cells.future.iter().max().expect("a state") + 1;
        for set in [vec![n_futures], vec![0, n_futures], vec![u32::MAX], vec![0, 0], vec![]] {
            let mut sides = sides.clone();
            sides.backward.retain(|(_, layer)| *layer == 0);
            let with = |sides| Certificate { horizon: Some(0), sides: Some(sides), ..proof.clone() };
            assert!(is_confirmed(&case, &with(sides.clone())), "seed {seed}: {case:#?}");
            sides.backward.push((set, 0));
            assert!(!is_confirmed(&case, &with(sides)), "seed {seed}: {case:#?}");
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused}");
}

/// What is violated has no proof by the sides of cells that are too coarse.
#[test]
fn sides_of_what_is_violated_are_refused() {
    let mut refused = 0;
    for seed in 9_000_000..9_000_000 + cases() / 4 {
        let case = Case { initial: false, ..alike(seed) };
        if engine(&case, Tuning::default()).exposure == Exposure::Never {
            continue;
        }
        let n = case.automaton.n_states();
        let (apart, together): (Vec<u32>, Vec<u32>) = ((0..n as u32).collect(), vec![0; n]);
        let all = |blocks: &[u32]| (0..=*blocks.iter().max().expect("a state")).collect::<Vec<u32>>();
        for past in [&apart, &together] {
            for future in [&apart, &together] {
                let sides = Sides { estimates: vec![all(past)], backward: vec![(all(future), 0)] };
                let cells = Some(Cells { past: past.clone(), future: future.clone() });
                let proof = Certificate { cells, sides: Some(sides), ..Certificate::default() };
                assert!(!is_confirmed(&case, &proof), "seed {seed}: {case:#?}");
                refused += 1;
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// Cells of which one is changed are refused, or what they prove is so all the same.
#[test]
fn a_proof_with_other_cells_is_refused_or_true() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 8_000_000..8_000_000 + cases() / 2 {
        let case = alike(seed);
        let Finding { certificate: Some(proof), .. } = engine(&case, by_cells()) else { continue };
        let Some(cells) = &proof.cells else { continue };
        let mut dice = Dice::new(seed);
        let variant = case_with_another_transition(&case, &mut dice);
        for cells in changed(cells, &mut dice) {
            let forged = Certificate { cells: Some(cells), ..proof.clone() };
            for case in [&case, &variant] {
                let is_accepted = is_confirmed(case, &forged);
                if is_accepted {
                    let known = by_letter(case);
                    assert!(matches!(known, Distance::Never | Distance::TooLarge), "seed {seed}: {case:#?}");
                }
                refused += usize::from(!is_accepted);
                accepted += usize::from(is_accepted);
            }
        }
    }
    println!("{refused} refused, {accepted} true");
    assert!(refused > 300, "{refused}");
}

/// The same cells, and cells in which a state is moved, or two are merged.
fn changed(cells: &Cells, dice: &mut Dice) -> Vec<Cells> {
    let mut all = vec![cells.clone()];
    for _ in 0..6 {
        let mut other = cells.clone();
        let list = if dice.below(2) == 0 { &mut other.past } else { &mut other.future };
        let (one, two) = (dice.below(list.len()), dice.below(list.len()));
        let (from, to) = (list[one], list[two]);
        match dice.below(2) {
            0 => list[one] = to,
            _ => list.iter_mut().filter(|block| **block == from).for_each(|block| *block = to),
        }
        other.past = in_order(&other.past);
        other.future = in_order(&other.future);
        all.push(other);
    }
    all
}

/// Numbers in the order of their first states.
fn in_order(blocks: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::new();
    blocks.iter().for_each(|block| {
        if !order.contains(block) {
            order.push(*block);
        }
    });
    blocks.iter().map(|block| order.iter().position(|known| known == block).expect("it is known") as u32).collect()
}

/// The model with one transition more.
fn case_with_another_transition(case: &Case, dice: &mut Dice) -> Case {
    use desc::automaton::{Builder, EventId, StateId};
    let (n, events) = (case.automaton.n_states(), case.automaton.n_events());
    if events == 0 {
        return case.clone();
    }
    let mut builder = Builder::new(n, events);
    case.automaton.initial().iter().for_each(|&state| builder.initial(state));
    case.automaton.transitions().for_each(|(_, source, step)| builder.transition(source, step.event, step.target));
    let state = |dice: &mut Dice| StateId::from_index(dice.below(n));
    let (source, target) = (state(dice), state(dice));
    builder.transition(source, EventId::from_index(dice.below(events)), target);
    Case { automaton: builder.freeze(), ..case.clone() }
}
