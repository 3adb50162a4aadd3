//! Proofs of which everything is true, but not of the runs that they speak of.

use super::{Forgery, Runs, classes, turned};
use crate::support::random::Case;
use desc::automaton::{Builder, StateId};
use desc::model::{ClassId, Property};
use desc::verdict::certificate::{Certificate, Cover, Hypothesis, Pair, PermutationStep, Position};

/// Copies of a model side by side, the first `begun` of them initial; the copies of a state are in classes of their own, and not secret.
fn copied(case: &Case, copies: usize, begun: usize) -> Case {
    let n = case.automaton.n_states();
    let mut builder = Builder::new(n * copies, case.automaton.n_events());
    let at = |state: StateId, copy: usize| StateId::from_index(state.index() + n * copy);
    for copy in 0..copies {
        for (_, source, step) in case.automaton.transitions() {
            builder.transition(at(source, copy), step.event, at(step.target, copy));
        }
    }
    for copy in 0..begun {
        case.automaton.initial().iter().for_each(|&state| builder.initial(at(state, copy)));
    }
    Case { automaton: builder.freeze(), property: widened(case, n * copies), ..case.clone() }
}

/// The same model beside four initial states: two busy ones, from which every event leads to an idle one each.
fn beside(case: &Case) -> Case {
    let n = case.automaton.n_states();
    let mut builder = Builder::from(&case.automaton);
    (0..4).for_each(|_| _ = builder.state());
    let place = |at: usize| StateId::from_index(n + at);
    (0..4).for_each(|at| builder.initial(place(at)));
    for event in case.automaton.events() {
        (0..2).for_each(|at| builder.transition(place(at), event, place(2 + at)));
    }
    Case { automaton: builder.freeze(), property: widened(case, n + 4), ..case.clone() }
}

/// The same question with more states: each in a class of its own, and not secret.
fn widened(case: &Case, n_states: usize) -> Property {
    match &case.property {
        Property::Anonymity { among, classes: Some(classes), except } => {
            let mut classes = classes.clone();
            while classes.of.len() < n_states {
                classes.of.push(ClassId::from_index(classes.names.len()));
                classes.names.push(format!("class {}", classes.names.len()));
            }
            Property::Anonymity { among: *among, classes: Some(classes), except: except.clone() }
        }
        other => other.clone(),
    }
}

/// False proofs of which everything is true, but not of the runs that they speak of.
pub fn misplaced(case: &Case) -> Vec<Forgery> {
    [elsewhere(case), not_all(case), of_another(case)].concat()
}

/// Rivals that stay apart and answer for ever, but are in no estimate: nobody starts in the copy.
fn elsewhere(case: &Case) -> Vec<Forgery> {
    let n = case.automaton.n_states() as u32;
    let together = classes(case).0;
    let case = copied(case, 1 + together, 1);
    let runs = Runs::of(&case);
    let actuals = if runs.past { runs.actuals.len() as u32 } else { n };
    let mut base = runs.empty();
    // The number of a left in another copy.
    let mut copy = |actual: u32, copy: u32| {
        if !runs.past {
            return actual + n * copy;
        }
        let own = &runs.hypotheses[actual as usize];
        base.hypotheses.push(Hypothesis { state: own.state + n * copy, ..own.clone() });
        base.hypotheses.len() as u32 - 1
    };
    let copies: Vec<Vec<u32>> =
        (0..actuals).map(|actual| (1..=together as u32).map(|at| copy(actual, at)).collect()).collect();
    let positions = |hypotheses: usize, cover: &dyn Fn(u32) -> Cover| -> Vec<Position> {
        let position = |actual: u32| Position {
            actual,
            hypotheses: copies[actual as usize][..hypotheses].to_vec(),
            covers: runs.covers(actual, cover),
        };
        (0..actuals).map(position).collect()
    };
    let mut estimates = runs.pairs(Some(&Cover::Simulation));
    estimates.truncate(actuals as usize);
    let state = |actual: u32| runs.actuals[actual as usize].state;
    let apart = together == 1;
    let permutation_steps: Vec<PermutationStep> = {
        let own = runs.permutation_steps(&case, apart).permutation_steps.into_iter().take(n as usize);
        own.map(|step| PermutationStep { hypothesis: step.actual + n, ..step }).collect()
    };
    let permutations = vec![((0..runs.n_letters as u32).collect(), apart)];
    let twins = positions(together, &Cover::Twins);
    let mut behind: Option<Certificate> = None;
    if !runs.past {
        // A set without members lies inside every other, and nobody is ever where this left is.
        let mut proof = Certificate { start: runs.start(Cover::Pair), estimates: runs.pairs(None), ..base.clone() };
        proof.estimates.truncate(actuals as usize);
        let (set, covers) = (proof.sets.len() as u32, turned(&case).swap_remove(n as usize));
        proof.sets.push(Vec::new());
        let pair = Pair { actual: n, set, layer: 0, covers: vec![Cover::Pair(0); covers.len()] };
        proof.backward = Some((vec![Cover::Pair(0); runs.actuals.len()], vec![pair]));
        behind = Some(proof);
    }
    let mut all = vec![
        ("twins that are not in the estimate", Certificate { start: runs.start(Cover::Twins), twins, ..base.clone() }),
        ("what simulates is not among the rivals", {
            let simulations = positions(1, &Cover::Simulation);
            Certificate { start: runs.start(Cover::Pair), estimates, simulations, ..base.clone() }
        }),
    ];
    all.extend(behind.map(|proof| ("from behind, a pair of another left", proof)));
    if apart {
        let base = Certificate { permutations, permutation_steps, ..base };
        all.push(("what is in lockstep is not in the estimate", {
            let there = |actual: u32| Cover::Permutation(state(actual), copies[actual as usize][0]);
            Certificate { start: runs.start(there), ..base.clone() }
        }));
        all.push(("lockstep of another rival", {
            Certificate { start: runs.start(|actual| Cover::Permutation(state(actual), actual)), ..base }
        }));
    }
    all.into_iter().map(|(wrong, proof)| Forgery { wrong, case: case.clone(), proof }).collect()
}

/// Two rivals of which only one is in the estimate, where two are needed.
fn not_all(case: &Case) -> Vec<Forgery> {
    let n = case.automaton.n_states() as u32;
    let case = Case { property: Property::Anonymity { among: 3, classes: None, except: None }, ..copied(case, 3, 2) };
    let runs = Runs::of(&case);
    if runs.past {
        return Vec::new();
    }
    let position = |actual: u32| {
        let (copy, place) = (actual / n, actual % n);
        let hypotheses = (0..3).filter(|&other| other != copy).map(|other| place + n * other).collect();
        Position { actual, hypotheses, covers: runs.covers(actual, Cover::Twins) }
    };
    let twins = runs.all().map(position).collect();
    let proof = Certificate { start: runs.start(Cover::Twins), twins, ..runs.empty() };
    vec![Forgery { wrong: "not all twins are in the estimate", case, proof }]
}

/// What is true of two idle states, said of every other.
fn of_another(case: &Case) -> Vec<Forgery> {
    if classes(case).0 != 1 {
        return Vec::new();
    }
    let n = case.automaton.n_states() as u32;
    let case = beside(case);
    let runs = Runs::of(&case);
    let starts = |state: u32| runs.actuals.iter().position(|actual| actual.state == state && actual.used.is_empty());
    let [busy, second, idle, other] = [0, 1, 2, 3].map(|at| starts(n + at).expect("they are initial") as u32);
    let twins = vec![Position { actual: idle, hypotheses: vec![other], covers: Vec::new() }];
    let permutation_steps =
        vec![PermutationStep { permutation: 0, actual: n + 2, hypothesis: n + 3, next: Vec::new() }];
    let permutations = vec![((0..runs.n_letters as u32).collect::<Vec<u32>>(), true)];
    let mut base = runs.empty();
    let both = base.sets.len() as u32;
    base.sets.extend([vec![idle.min(other), idle.max(other)], vec![other]]);
    let jumps = vec![Cover::Pair(0); runs.jumps[idle as usize]];
    let estimates = vec![Pair { actual: idle, set: both, layer: 0, covers: jumps }];
    let layers = vec![Pair { actual: idle, set: both + 1, layer: 0, covers: Vec::new() }];
    let mut all = vec![
        ("twins of another left", Certificate { start: runs.start(|_| Cover::Twins(0)), twins, ..base.clone() }),
        ("a pair of another left", {
            Certificate { start: runs.start(|_| Cover::Pair(0)), estimates, layers, ..base.clone() }
        }),
        ("lockstep of another left", {
            let permutations = permutations.clone();
            Certificate {
                start: runs.start(|_| Cover::Permutation(0, other)),
                permutations,
                permutation_steps,
                ..base.clone()
            }
        }),
    ];
    if !runs.past {
        // The second busy state answers whatever is done; but then it is the twin of an idle one, and of no other.
        let hypothesis = |actual: u32| match actual {
            _ if actual == second => busy,
            _ if actual == idle => other,
            _ if actual == other => idle,
            _ => second,
        };
        let after = |actual: u32| if actual == second { other } else { idle };
        let position = |actual: u32| Position {
            actual,
            hypotheses: vec![hypothesis(actual)],
            covers: runs.covers(actual, |_| Cover::Twins(after(actual))),
        };
        let twins = runs.all().map(position).collect();
        all.push(("answers of another left", Certificate { start: runs.start(Cover::Twins), twins, ..base.clone() }));
        let step = |actual: u32| {
            let next = vec![after(actual); runs.moves[actual as usize].len()];
            PermutationStep { permutation: 0, actual, hypothesis: hypothesis(actual), next }
        };
        let permutation_steps = runs.all().map(step).collect();
        let start = runs.start(|actual| Cover::Permutation(actual, hypothesis(actual)));
        all.push(("steps of another left", Certificate { start, permutations, permutation_steps, ..base }));
    }
    all.into_iter().map(|(wrong, proof)| Forgery { wrong, case: case.clone(), proof }).collect()
}
