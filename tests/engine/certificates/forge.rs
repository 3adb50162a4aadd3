//! False proofs, each right in all respects but one: what refuses it is one clause of the checker and no other.
//!
//! They lean on the run's own *double*, the rival that does just what the run does: it answers every move for ever, so everything about
//! moves is in order, with what it reaches silently for a set. But it is no other run. A checker that does not notice that confirms
//! anything.

mod by_hand;
mod misplaced;

use crate::support::random::Case;
pub use by_hand::by_hand;
use desc::automaton::view::{Observability, Projection};
use desc::automaton::{EventId, StateId};
use desc::model::Property;
use desc::verdict::certificate::{Actual, Certificate, Cover, Hypothesis, Pair, PermutationStep, Position};
pub use misplaced::misplaced;
use std::collections::BTreeSet;

/// What a move shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Letter {
    pub number: u32,
    hidden: bool,
}

/// The runs of a model as a proof speaks of them, found by the words of its documentation.
struct Runs {
    /// Where runs can be; with their numbers. Where nothing is hidden, the number is the state.
    actuals: Vec<Actual>,
    /// The moves of each: letter and left.
    moves: Vec<Vec<(u32, u32)>>,
    /// Rivals, with their numbers; the double of each left first, under the number of the left.
    hypotheses: Vec<Hypothesis>,
    /// For each left its double, and what that reaches silently.
    sets: Vec<Vec<u32>>,
    /// Whether letters are hidden.
    past: bool,
    n_letters: usize,
    /// The lefts that runs start from, silent moves included, in the order of their states.
    start: Vec<u32>,
    /// For each left, how many jumps it has from its set.
    jumps: Vec<usize>,
    /// How many classes together are exposed.
    together: usize,
}

/// The letter of each event.
pub fn letters(case: &Case) -> Vec<Letter> {
    let observabilities = case.observer.observabilities();
    let size = |observability: &Observability| observabilities.iter().filter(|other| *other == observability).count();
    let letter = |(event, observability): (usize, &Observability)| match (observability, case.projection) {
        (Observability::Silent, _) => Letter { number: 0, hidden: false },
        (Observability::Anonymous(group), Projection::Strong) => {
            Letter { number: (1 + observabilities.len() + group.index()) as u32, hidden: false }
        }
        (Observability::Anonymous(_), Projection::Weak) => {
            Letter { number: 1 + event as u32, hidden: size(observability) > 1 }
        }
        _ => Letter { number: 1 + event as u32, hidden: false },
    };
    observabilities.iter().enumerate().map(letter).collect()
}

impl Runs {
    fn of(case: &Case) -> Runs {
        let letters = letters(case);
        let past = letters.iter().any(|letter| letter.hidden);
        let letter = |event: EventId| letters[event.index()];
        let n_states = case.automaton.n_states();
        let mut reach: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); n_states];
        loop {
            let before: usize = reach.iter().map(BTreeSet::len).sum();
            for (_, source, step) in case.automaton.transitions() {
                let mut more = reach[step.target.index()].clone();
                more.extend(Some(letter(step.event)).filter(|letter| letter.hidden).map(|letter| letter.number));
                reach[source.index()].extend(more);
            }
            if reach.iter().map(BTreeSet::len).sum::<usize>() == before {
                break;
            }
        }
        let starts = silent_closure(case, case.automaton.initial());
        let unused = |state: u32| Actual { state, used: Vec::new() };
        let mut actuals: Vec<Actual> = match past {
            true => starts.iter().map(|state| unused(state.0)).collect(),
            false => (0..n_states as u32).map(unused).collect(),
        };
        let mut moves = Vec::new();
        while moves.len() < actuals.len() {
            let from = actuals[moves.len()].clone();
            let steps = case.automaton.steps(StateId(from.state)).iter();
            let own: BTreeSet<(Letter, u32)> = steps.map(|step| (letter(step.event), step.target.0)).collect();
            let each = own.into_iter().map(|(letter, state)| {
                let mut used: BTreeSet<u32> = from.used.iter().copied().collect();
                used.extend(letter.hidden.then_some(letter.number));
                let used = used.intersection(&reach[state as usize]).copied().collect();
                let target = Actual { state, used };
                let number = actuals.iter().position(|actual| *actual == target).unwrap_or_else(|| {
                    actuals.push(target);
                    actuals.len() - 1
                });
                (letter.number, number as u32)
            });
            let each = each.collect();
            moves.push(each);
        }
        let start =
            starts.iter().map(|state| actuals.iter().position(|actual| *actual == unused(state.0)).unwrap() as u32);
        let start = start.collect();
        let double =
            |actual: &Actual| Hypothesis { state: actual.state, images: actual.used.clone(), spent: Vec::new() };
        let mut hypotheses: Vec<Hypothesis> = actuals.iter().map(double).collect();
        let mut sets = Vec::new();
        for actual in &actuals {
            let closed = silent_closure(case, &[StateId(actual.state)]).into_iter().map(|state| {
                let still = |letter: &u32| if reach[state.index()].contains(letter) { *letter } else { 0 };
                let hypothesis =
                    Hypothesis { state: state.0, images: actual.used.iter().map(still).collect(), spent: Vec::new() };
                if !past {
                    return state.0;
                }
                let number = hypotheses.iter().position(|other| *other == hypothesis).unwrap_or_else(|| {
                    hypotheses.push(hypothesis);
                    hypotheses.len() - 1
                });
                number as u32
            });
            let mut closed: Vec<u32> = closed.collect();
            closed.sort_unstable();
            sets.push(closed);
        }
        let (together, class) = classes(case);
        let safe = safe_classes(case, &class);
        let jumps = actuals.iter().zip(&sets).map(|(actual, set)| {
            let own = class[actual.state as usize];
            let others: BTreeSet<u32> =
                set.iter().map(|&hypothesis| class[hypotheses[hypothesis as usize].state as usize]).collect();
            let others = others.iter().filter(|&other| *other != own && !safe.contains(other)).count();
            let choices = ways(others, (together - 1).min(others));
            if safe.contains(&own) { 0 } else { choices }
        });
        let (jumps, n_letters) = (jumps.collect(), 1 + letters.len() + case.observer.n_groups());
        Runs { actuals, moves, hypotheses, sets, past, n_letters, start, jumps, together }
    }

    fn all(&self) -> impl Iterator<Item = u32> {
        0..self.actuals.len() as u32
    }

    /// What covers the moves of a left, if this covers their targets.
    fn covers(&self, actual: u32, cover: impl Fn(u32) -> Cover) -> Vec<Cover> {
        self.moves[actual as usize].iter().map(|step| cover(step.1)).collect()
    }

    /// A proof without pairs: the lefts, and the double of each under the same number.
    fn empty(&self) -> Certificate {
        let (actuals, hypotheses) = match self.past {
            true => (self.actuals.clone(), self.hypotheses.clone()),
            false => (Vec::new(), Vec::new()),
        };
        Certificate { actuals, hypotheses, sets: self.sets.clone(), ..Certificate::default() }
    }

    /// Every left with its double, after this the covers of its jumps.
    fn pairs(&self, jump: Option<&dyn Fn(u32) -> Cover>) -> Vec<Pair> {
        let pair = |actual: u32| {
            let mut covers = self.covers(actual, Cover::Pair);
            covers.extend(jump.iter().flat_map(|jump| vec![jump(actual); self.jumps[actual as usize]]));
            Pair { actual, set: actual, layer: 0, covers }
        };
        self.all().map(pair).collect()
    }

    fn start(&self, cover: impl Fn(u32) -> Cover) -> Vec<Cover> {
        self.start.iter().map(|&actual| cover(actual)).collect()
    }

    /// The doubles as rivals that answer for ever.
    fn positions(&self, hypotheses: usize, cover: impl Fn(u32) -> Cover) -> Vec<Position> {
        let position =
            |actual| Position { actual, hypotheses: vec![actual; hypotheses], covers: self.covers(actual, &cover) };
        self.all().map(position).collect()
    }

    /// Every state in lockstep with itself.
    fn permutation_steps(&self, case: &Case, apart: bool) -> Certificate {
        let letters = letters(case);
        let step = |state: StateId| {
            let moves = case.automaton.steps(state).iter();
            let moves: BTreeSet<(Letter, u32)> =
                moves.map(|step| (letters[step.event.index()], step.target.0)).collect();
            let next = moves.into_iter().map(|(_, target)| target).collect();
            PermutationStep { permutation: 0, actual: state.0, hypothesis: state.0, next }
        };
        let permutations = vec![((0..self.n_letters as u32).collect(), apart)];
        Certificate { permutations, permutation_steps: case.automaton.states().map(step).collect(), ..self.empty() }
    }
}

/// How many classes together are exposed, and the class of each state; of opacity only class 0 is exposed.
pub fn classes(case: &Case) -> (usize, Vec<u32>) {
    let states = case.automaton.states();
    match &case.property {
        Property::Anonymity { among, classes: None, .. } => {
            (*among as usize - 1, states.map(|state| state.0).collect())
        }
        Property::Anonymity { among, classes: Some(classes), .. } => {
            (*among as usize - 1, classes.of.iter().map(|class| class.0).collect())
        }
        Property::Throughout { .. } | Property::InitialFinal { .. } | Property::OfParts(_) => {
            panic!("forged as the opacity that it is")
        }
        Property::Opacity { secret } => (1, states.map(|state| u32::from(!secret.contains(state))).collect()),
    }
}

/// The classes that are in no exposed set.
fn safe_classes(case: &Case, class: &[u32]) -> BTreeSet<u32> {
    match &case.property {
        Property::Opacity { .. } => BTreeSet::from([1]),
        Property::Anonymity { except: Some(except), .. } => {
            let outside = case.automaton.states().filter(|state| !except.contains(*state));
            let outside: BTreeSet<u32> = outside.map(|state| class[state.index()]).collect();
            class.iter().copied().filter(|class| !outside.contains(class)).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// In how many ways so many can be chosen.
fn ways(of: usize, chosen: usize) -> usize {
    (0..chosen).fold(1, |ways, at| ways * (of - at) / (at + 1))
}

/// UR.
fn silent_closure(case: &Case, states: &[StateId]) -> BTreeSet<StateId> {
    let mut found: BTreeSet<StateId> = states.iter().copied().collect();
    let mut todo: Vec<StateId> = found.iter().copied().collect();
    while let Some(state) = todo.pop() {
        for step in case.automaton.steps(state) {
            if case.observer.observability(step.event) == Observability::Silent && found.insert(step.target) {
                todo.push(step.target);
            }
        }
    }
    found
}

/// From behind: every state with those that reach it silently.
fn back(case: &Case) -> Vec<Vec<u32>> {
    let states = || case.automaton.states();
    let from: Vec<BTreeSet<StateId>> = states().map(|state| silent_closure(case, &[state])).collect();
    let into = |target: StateId| -> Vec<u32> {
        states().filter(|state| from[state.index()].contains(&target)).map(|state| state.0).collect()
    };
    states().map(into).collect()
}

/// From behind: for each state the pairs of those that lead to it.
fn turned(case: &Case) -> Vec<Vec<Cover>> {
    let letters = letters(case);
    let moves = |target: StateId| {
        let steps = case.automaton.transitions().filter(|(_, _, step)| step.target == target);
        steps.map(|(_, source, step)| (letters[step.event.index()], source.0)).collect::<BTreeSet<(Letter, u32)>>()
    };
    let covers = |state: StateId| moves(state).into_iter().map(|(_, source)| Cover::Pair(source)).collect();
    case.automaton.states().map(covers).collect()
}

/// False proofs of whatever is asked about a model, other than its initial state, each with what is wrong with it.
pub fn forged(case: &Case) -> Vec<(&'static str, Certificate)> {
    let runs = Runs::of(case);
    let simulations = runs.positions(1, Cover::Simulation);
    let in_lockstep = |actual: u32| Cover::Permutation(runs.actuals[actual as usize].state, actual);
    let estimates = |jump: &dyn Fn(u32) -> Cover| Certificate {
        start: runs.start(Cover::Pair),
        estimates: runs.pairs(Some(jump)),
        ..runs.empty()
    };
    let apart = |apart: bool| runs.permutation_steps(case, apart);
    let mut all = vec![
        ("after a jump the double is not among the rivals", {
            Certificate { layers: runs.pairs(None), ..estimates(&Cover::Pair) }
        }),
        ("after a jump there are no rivals", {
            let mut forged = Certificate { layers: runs.pairs(None), ..estimates(&Cover::Pair) };
            let none = forged.sets.len() as u32;
            forged.sets.push(Vec::new());
            forged.layers.iter_mut().for_each(|pair| pair.set = none);
            forged
        }),
        ("nobody covers the jumps", {
            Certificate { start: runs.start(Cover::Pair), estimates: runs.pairs(None), ..runs.empty() }
        }),
        ("after a jump the double does not simulate the run", {
            Certificate { simulations: simulations.clone(), ..estimates(&Cover::Simulation) }
        }),
        ("after a jump the double is gone", estimates(&|_| Cover::Identity)),
        ("after a jump the double is not in lockstep", {
            let Certificate { permutations, permutation_steps, .. } = apart(false);
            Certificate { permutations, permutation_steps, ..estimates(&in_lockstep) }
        }),
        ("a run is no twin of itself", {
            let twins = runs.positions(runs.together, Cover::Twins);
            Certificate { start: runs.start(Cover::Twins), twins, ..runs.empty() }
        }),
        ("twins are none", {
            let twins = runs.positions(0, Cover::Twins);
            Certificate { start: runs.start(Cover::Twins), twins, ..runs.empty() }
        }),
        ("nobody simulates the run after a jump", {
            Certificate { simulations: runs.positions(0, Cover::Simulation), ..estimates(&Cover::Simulation) }
        }),
        ("what simulates need not stay apart", {
            Certificate { start: runs.start(Cover::Simulation), simulations, ..runs.empty() }
        }),
        ("the double need not stay apart", Certificate { start: runs.start(|_| Cover::Identity), ..runs.empty() }),
        ("lockstep with itself is not apart", Certificate { start: runs.start(in_lockstep), ..apart(true) }),
        ("lockstep that need not stay apart", Certificate { start: runs.start(in_lockstep), ..apart(false) }),
        ("nothing covers the start", runs.empty()),
    ];
    if runs.past {
        // Lefts have numbers that no state has, so that none of them meets a set.
        let n = case.automaton.n_states() as u32;
        let mut forged = Certificate { start: runs.start(Cover::Pair), estimates: runs.pairs(None), ..runs.empty() };
        let before: Vec<Actual> = (0..n).map(|state| Actual { state, used: Vec::new() }).collect();
        forged.actuals.splice(0..0, before);
        forged.estimates.iter_mut().for_each(|pair| pair.actual += n);
        let none = forged.sets.len() as u32;
        forged.sets.push(Vec::new());
        let pair = |(actual, covers): (u32, Vec<Cover>)| Pair { actual, set: none, layer: 0, covers };
        let pairs = (0u32..).zip(turned(case)).map(pair).collect();
        forged.backward = Some(((0..n).map(Cover::Pair).collect(), pairs));
        all.push(("from behind, with a past", forged));
    } else {
        let (sets, covers) = (back(case), turned(case));
        let first = runs.sets.len() as u32;
        let pair = |(actual, covers): (u32, Vec<Cover>)| Pair { actual, set: first + actual, layer: 0, covers };
        let pairs = (0u32..).zip(covers).map(pair).collect();
        let mut forged = Certificate { start: runs.start(Cover::Pair), estimates: runs.pairs(None), ..runs.empty() };
        forged.sets.extend(sets);
        forged.backward = Some((runs.all().map(Cover::Pair).collect(), pairs));
        let nobody = Certificate { backward: Some((Vec::new(), Vec::new())), ..forged.clone() };
        all.push(("from behind, the double meets itself alone", forged));
        all.push(("from behind, nobody covers the start", nobody));
    }
    all
}

/// A model, a false proof of what is asked about it, and what is wrong with the proof.
#[derive(Clone)]
pub struct Forgery {
    pub wrong: &'static str,
    pub case: Case,
    pub proof: Certificate,
}

/// A proof up to a horizon that says to reach one step farther: every layer is called a later one.
pub fn shifted(proof: &Certificate) -> Certificate {
    let later = |pairs: &mut Vec<Pair>| pairs.iter_mut().for_each(|pair| pair.layer += 1);
    let mut shifted = Certificate { horizon: proof.horizon.map(|steps| steps + 1), ..proof.clone() };
    later(&mut shifted.layers);
    shifted.backward.iter_mut().for_each(|(_, pairs)| later(pairs));
    shifted
}
