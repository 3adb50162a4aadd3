//! False proofs, each right in all respects but one: what refuses it is one clause of the checker and no other.
//!
//! They lean on the run's own *double*, the rival that does just what the run does: it answers every move for ever, so everything about
//! moves is in order, with what it reaches silently for a set. But it is no other run. A checker that does not notice that confirms
//! anything.

use super::random::Case;
use desc::automaton::view::{GroupId, Observer, Projection, Sight};
use desc::automaton::{Builder, EventId, StateId};
use desc::model::{ClassId, Property};
use desc::verify::certificate::{Certificate, Cover, Left, Pair, Position, Rival, Step};
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
    lefts: Vec<Left>,
    /// The moves of each: letter and left.
    moves: Vec<Vec<(u32, u32)>>,
    /// Rivals, with their numbers; the double of each left first, under the number of the left.
    rivals: Vec<Rival>,
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
    let sights = case.observer.sights();
    let size = |sight: &Sight| sights.iter().filter(|other| *other == sight).count();
    let letter = |(event, sight): (usize, &Sight)| match (sight, case.projection) {
        (Sight::Silent, _) => Letter { number: 0, hidden: false },
        (Sight::Anonymous(group), Projection::Strong) => {
            Letter { number: (1 + sights.len() + group.index()) as u32, hidden: false }
        }
        (Sight::Anonymous(_), Projection::Weak) => Letter { number: 1 + event as u32, hidden: size(sight) > 1 },
        _ => Letter { number: 1 + event as u32, hidden: false },
    };
    sights.iter().enumerate().map(letter).collect()
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
        let unused = |state: u32| Left { state, used: Vec::new() };
        let mut lefts: Vec<Left> = match past {
            true => starts.iter().map(|state| unused(state.0)).collect(),
            false => (0..n_states as u32).map(unused).collect(),
        };
        let mut moves = Vec::new();
        while moves.len() < lefts.len() {
            let from = lefts[moves.len()].clone();
            let steps = case.automaton.steps(StateId(from.state)).iter();
            let own: BTreeSet<(Letter, u32)> = steps.map(|step| (letter(step.event), step.target.0)).collect();
            let each = own.into_iter().map(|(letter, state)| {
                let mut used: BTreeSet<u32> = from.used.iter().copied().collect();
                used.extend(letter.hidden.then_some(letter.number));
                let used = used.intersection(&reach[state as usize]).copied().collect();
                let target = Left { state, used };
                let number = lefts.iter().position(|left| *left == target).unwrap_or_else(|| {
                    lefts.push(target);
                    lefts.len() - 1
                });
                (letter.number, number as u32)
            });
            let each = each.collect();
            moves.push(each);
        }
        let start = starts.iter().map(|state| lefts.iter().position(|left| *left == unused(state.0)).unwrap() as u32);
        let start = start.collect();
        let double = |left: &Left| Rival { state: left.state, images: left.used.clone(), spent: Vec::new() };
        let mut rivals: Vec<Rival> = lefts.iter().map(double).collect();
        let mut sets = Vec::new();
        for left in &lefts {
            let closed = silent_closure(case, &[StateId(left.state)]).into_iter().map(|state| {
                let still = |letter: &u32| if reach[state.index()].contains(letter) { *letter } else { 0 };
                let rival = Rival { state: state.0, images: left.used.iter().map(still).collect(), spent: Vec::new() };
                if !past {
                    return state.0;
                }
                let number = rivals.iter().position(|other| *other == rival).unwrap_or_else(|| {
                    rivals.push(rival);
                    rivals.len() - 1
                });
                number as u32
            });
            let mut closed: Vec<u32> = closed.collect();
            closed.sort_unstable();
            sets.push(closed);
        }
        let (together, class) = classes(case);
        let secret_only = matches!(case.property, Property::Opacity { .. });
        let jumps = lefts.iter().zip(&sets).map(|(left, set)| {
            let own = class[left.state as usize];
            let others: BTreeSet<u32> = set.iter().map(|&rival| class[rivals[rival as usize].state as usize]).collect();
            let others = others.len() - 1;
            let choices = ways(others, (together - 1).min(others));
            if secret_only && own != 0 { 0 } else { choices }
        });
        let (jumps, n_letters) = (jumps.collect(), 1 + letters.len() + case.observer.n_groups());
        Runs { lefts, moves, rivals, sets, past, n_letters, start, jumps, together }
    }

    fn all(&self) -> impl Iterator<Item = u32> {
        0..self.lefts.len() as u32
    }

    /// What covers the moves of a left, if this covers their targets.
    fn covers(&self, left: u32, cover: impl Fn(u32) -> Cover) -> Vec<Cover> {
        self.moves[left as usize].iter().map(|step| cover(step.1)).collect()
    }

    /// A proof without pairs: the lefts, and the double of each under the same number.
    fn empty(&self) -> Certificate {
        let (lefts, rivals) = match self.past {
            true => (self.lefts.clone(), self.rivals.clone()),
            false => (Vec::new(), Vec::new()),
        };
        Certificate { lefts, rivals, sets: self.sets.clone(), ..Certificate::default() }
    }

    /// Every left with its double, after this the covers of its jumps.
    fn pairs(&self, jump: Option<&dyn Fn(u32) -> Cover>) -> Vec<Pair> {
        let pair = |left: u32| {
            let mut covers = self.covers(left, Cover::Pair);
            covers.extend(jump.iter().flat_map(|jump| vec![jump(left); self.jumps[left as usize]]));
            Pair { left, set: left, layer: 0, covers }
        };
        self.all().map(pair).collect()
    }

    fn start(&self, cover: impl Fn(u32) -> Cover) -> Vec<Cover> {
        self.start.iter().map(|&left| cover(left)).collect()
    }

    /// The doubles as rivals that answer for ever.
    fn positions(&self, rivals: usize, cover: impl Fn(u32) -> Cover) -> Vec<Position> {
        let position = |left| Position { left, rivals: vec![left; rivals], covers: self.covers(left, &cover) };
        self.all().map(position).collect()
    }

    /// Every state in lockstep with itself.
    fn lockstep(&self, case: &Case, apart: bool) -> Certificate {
        let letters = letters(case);
        let step = |state: StateId| {
            let moves = case.automaton.steps(state).iter();
            let moves: BTreeSet<(Letter, u32)> =
                moves.map(|step| (letters[step.event.index()], step.target.0)).collect();
            let next = moves.into_iter().map(|(_, target)| target).collect();
            Step { permutation: 0, left: state.0, rival: state.0, next }
        };
        let permutations = vec![((0..self.n_letters as u32).collect(), apart)];
        Certificate { permutations, lockstep: case.automaton.states().map(step).collect(), ..self.empty() }
    }
}

/// How many classes together are exposed, and the class of each state; of opacity only class 0 is exposed.
pub fn classes(case: &Case) -> (usize, Vec<u32>) {
    let states = case.automaton.states();
    match &case.property {
        Property::Anonymity { among, classes: None } => (*among as usize - 1, states.map(|state| state.0).collect()),
        Property::Anonymity { among, classes: Some(classes) } => {
            (*among as usize - 1, classes.of.iter().map(|class| class.0).collect())
        }
        Property::Opacity { secret } => (1, states.map(|state| u32::from(!secret.contains(state))).collect()),
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
            if case.observer.sight(step.event) == Sight::Silent && found.insert(step.target) {
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
    let in_lockstep = |left: u32| Cover::Lockstep(runs.lefts[left as usize].state, left);
    let estimates = |jump: &dyn Fn(u32) -> Cover| Certificate {
        start: runs.start(Cover::Pair),
        estimates: runs.pairs(Some(jump)),
        ..runs.empty()
    };
    let apart = |apart: bool| runs.lockstep(case, apart);
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
        ("after a jump the double is gone", estimates(&|_| Cover::Double)),
        ("after a jump the double is not in lockstep", {
            let Certificate { permutations, lockstep, .. } = apart(false);
            Certificate { permutations, lockstep, ..estimates(&in_lockstep) }
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
        ("the double need not stay apart", Certificate { start: runs.start(|_| Cover::Double), ..runs.empty() }),
        ("lockstep with itself is not apart", Certificate { start: runs.start(in_lockstep), ..apart(true) }),
        ("lockstep that need not stay apart", Certificate { start: runs.start(in_lockstep), ..apart(false) }),
        ("nothing covers the start", runs.empty()),
    ];
    if runs.past {
        // Lefts have numbers that no state has, so that none of them meets a set.
        let n = case.automaton.n_states() as u32;
        let mut forged = Certificate { start: runs.start(Cover::Pair), estimates: runs.pairs(None), ..runs.empty() };
        let before: Vec<Left> = (0..n).map(|state| Left { state, used: Vec::new() }).collect();
        forged.lefts.splice(0..0, before);
        forged.estimates.iter_mut().for_each(|pair| pair.left += n);
        let none = forged.sets.len() as u32;
        forged.sets.push(Vec::new());
        let pair = |(left, covers): (u32, Vec<Cover>)| Pair { left, set: none, layer: 0, covers };
        let pairs = (0u32..).zip(turned(case)).map(pair).collect();
        forged.back = Some(((0..n).map(Cover::Pair).collect(), pairs));
        all.push(("from behind, with a past", forged));
    } else {
        let (sets, covers) = (back(case), turned(case));
        let first = runs.sets.len() as u32;
        let pair = |(left, covers): (u32, Vec<Cover>)| Pair { left, set: first + left, layer: 0, covers };
        let pairs = (0u32..).zip(covers).map(pair).collect();
        let mut forged = Certificate { start: runs.start(Cover::Pair), estimates: runs.pairs(None), ..runs.empty() };
        forged.sets.extend(sets);
        forged.back = Some((runs.all().map(Cover::Pair).collect(), pairs));
        let nobody = Certificate { back: Some((Vec::new(), Vec::new())), ..forged.clone() };
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
    let mut builder = Builder::new(n + 4, case.automaton.n_events());
    case.automaton.transitions().for_each(|(_, source, step)| builder.transition(source, step.event, step.target));
    case.automaton.initial().iter().for_each(|&state| builder.initial(state));
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
        Property::Anonymity { among, classes: Some(classes) } => {
            let mut classes = classes.clone();
            while classes.of.len() < n_states {
                classes.of.push(ClassId::from_index(classes.names.len()));
                classes.names.push(format!("class {}", classes.names.len()));
            }
            Property::Anonymity { among: *among, classes: Some(classes) }
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
    let lefts = if runs.past { runs.lefts.len() as u32 } else { n };
    let mut base = runs.empty();
    // The number of a left in another copy.
    let mut copy = |left: u32, copy: u32| {
        if !runs.past {
            return left + n * copy;
        }
        let own = &runs.rivals[left as usize];
        base.rivals.push(Rival { state: own.state + n * copy, ..own.clone() });
        base.rivals.len() as u32 - 1
    };
    let copies: Vec<Vec<u32>> =
        (0..lefts).map(|left| (1..=together as u32).map(|at| copy(left, at)).collect()).collect();
    let positions = |rivals: usize, cover: &dyn Fn(u32) -> Cover| -> Vec<Position> {
        let position = |left: u32| Position {
            left,
            rivals: copies[left as usize][..rivals].to_vec(),
            covers: runs.covers(left, cover),
        };
        (0..lefts).map(position).collect()
    };
    let mut estimates = runs.pairs(Some(&Cover::Simulation));
    estimates.truncate(lefts as usize);
    let state = |left: u32| runs.lefts[left as usize].state;
    let apart = together == 1;
    let lockstep: Vec<Step> = {
        let own = runs.lockstep(&case, apart).lockstep.into_iter().take(n as usize);
        own.map(|step| Step { rival: step.left + n, ..step }).collect()
    };
    let permutations = vec![((0..runs.n_letters as u32).collect(), apart)];
    let twins = positions(together, &Cover::Twins);
    let mut behind: Option<Certificate> = None;
    if !runs.past {
        // A set without members lies inside every other, and nobody is ever where this left is.
        let mut proof = Certificate { start: runs.start(Cover::Pair), estimates: runs.pairs(None), ..base.clone() };
        proof.estimates.truncate(lefts as usize);
        let (set, covers) = (proof.sets.len() as u32, turned(&case).swap_remove(n as usize));
        proof.sets.push(Vec::new());
        let pair = Pair { left: n, set, layer: 0, covers: vec![Cover::Pair(0); covers.len()] };
        proof.back = Some((vec![Cover::Pair(0); runs.lefts.len()], vec![pair]));
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
        let base = Certificate { permutations, lockstep, ..base };
        all.push(("what is in lockstep is not in the estimate", {
            let there = |left: u32| Cover::Lockstep(state(left), copies[left as usize][0]);
            Certificate { start: runs.start(there), ..base.clone() }
        }));
        all.push(("lockstep of another rival", {
            Certificate { start: runs.start(|left| Cover::Lockstep(state(left), left)), ..base }
        }));
    }
    all.into_iter().map(|(wrong, proof)| Forgery { wrong, case: case.clone(), proof }).collect()
}

/// Two rivals of which only one is in the estimate, where two are needed.
fn not_all(case: &Case) -> Vec<Forgery> {
    let n = case.automaton.n_states() as u32;
    let case = Case { property: Property::Anonymity { among: 3, classes: None }, ..copied(case, 3, 2) };
    let runs = Runs::of(&case);
    if runs.past {
        return Vec::new();
    }
    let position = |left: u32| {
        let (copy, place) = (left / n, left % n);
        let rivals = (0..3).filter(|&other| other != copy).map(|other| place + n * other).collect();
        Position { left, rivals, covers: runs.covers(left, Cover::Twins) }
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
    let starts = |state: u32| runs.lefts.iter().position(|left| left.state == state && left.used.is_empty());
    let [busy, second, idle, other] = [0, 1, 2, 3].map(|at| starts(n + at).expect("they are initial") as u32);
    let twins = vec![Position { left: idle, rivals: vec![other], covers: Vec::new() }];
    let lockstep = vec![Step { permutation: 0, left: n + 2, rival: n + 3, next: Vec::new() }];
    let permutations = vec![((0..runs.n_letters as u32).collect::<Vec<u32>>(), true)];
    let mut base = runs.empty();
    let both = base.sets.len() as u32;
    base.sets.extend([vec![idle.min(other), idle.max(other)], vec![other]]);
    let jumps = vec![Cover::Pair(0); runs.jumps[idle as usize]];
    let estimates = vec![Pair { left: idle, set: both, layer: 0, covers: jumps }];
    let layers = vec![Pair { left: idle, set: both + 1, layer: 0, covers: Vec::new() }];
    let mut all = vec![
        ("twins of another left", Certificate { start: runs.start(|_| Cover::Twins(0)), twins, ..base.clone() }),
        ("a pair of another left", {
            Certificate { start: runs.start(|_| Cover::Pair(0)), estimates, layers, ..base.clone() }
        }),
        ("lockstep of another left", {
            let permutations = permutations.clone();
            Certificate { start: runs.start(|_| Cover::Lockstep(0, other)), permutations, lockstep, ..base.clone() }
        }),
    ];
    if !runs.past {
        // The second busy state answers whatever is done; but then it is the twin of an idle one, and of no other.
        let rival = |left: u32| match left {
            _ if left == second => busy,
            _ if left == idle => other,
            _ if left == other => idle,
            _ => second,
        };
        let after = |left: u32| if left == second { other } else { idle };
        let position = |left: u32| Position {
            left,
            rivals: vec![rival(left)],
            covers: runs.covers(left, |_| Cover::Twins(after(left))),
        };
        let twins = runs.all().map(position).collect();
        all.push(("answers of another left", Certificate { start: runs.start(Cover::Twins), twins, ..base.clone() }));
        let step = |left: u32| {
            let next = vec![after(left); runs.moves[left as usize].len()];
            Step { permutation: 0, left, rival: rival(left), next }
        };
        let lockstep = runs.all().map(step).collect();
        let start = runs.start(|left| Cover::Lockstep(left, rival(left)));
        all.push(("steps of another left", Certificate { start, permutations, lockstep, ..base }));
    }
    all.into_iter().map(|(wrong, proof)| Forgery { wrong, case: case.clone(), proof }).collect()
}

/// A model of transitions and initial states.
fn small(edges: &[(u32, u32, u32)], initial: &[u32], sights: &[Sight], property: Property) -> Case {
    let last = edges.iter().map(|edge| edge.0.max(edge.2)).chain(initial.iter().copied()).max().unwrap_or(0);
    let mut builder = Builder::new(last as usize + 1, sights.len());
    initial.iter().for_each(|&state| builder.initial(StateId(state)));
    for &(source, event, target) in edges {
        builder.transition(StateId(source), EventId(event), StateId(target));
    }
    let hidden = sights.iter().any(|sight| matches!(sight, Sight::Anonymous(_)));
    let projection = if hidden { Projection::Weak } else { Projection::Natural };
    let observer = Observer::new(sights.to_vec());
    Case { automaton: builder.freeze(), observer, projection, property, initial: false, kind: "" }
}

const ANONYMITY: Property = Property::Anonymity { among: 2, classes: None };

fn step(permutation: u32, left: u32, rival: u32, next: &[u32]) -> Step {
    Step { permutation, left, rival, next: next.to_vec() }
}

fn pair(left: u32, set: u32, covers: &[Cover]) -> Pair {
    Pair { left, set, layer: 0, covers: covers.to_vec() }
}

fn position(left: u32, rivals: &[u32], covers: &[Cover]) -> Position {
    Position { left, rivals: rivals.to_vec(), covers: covers.to_vec() }
}

/// False proofs that need a model of their own.
pub fn by_hand() -> Vec<Forgery> {
    // Two states that both lead to a third, where nobody else is.
    let merging = small(&[(0, 0, 2), (1, 0, 2)], &[0, 1], &[Sight::Visible], ANONYMITY);
    let twins = |covers: &[Cover]| Certificate {
        start: vec![Cover::Twins(0), Cover::Twins(1)],
        twins: vec![position(0, &[1], covers), position(1, &[0], covers)],
        ..Certificate::default()
    };
    let merged = Certificate {
        start: vec![Cover::Lockstep(0, 1), Cover::Lockstep(1, 0)],
        permutations: vec![(vec![0, 1], true), (vec![0, 1], false)],
        lockstep: vec![step(0, 0, 1, &[2]), step(0, 1, 0, &[2]), step(1, 2, 2, &[])],
        ..Certificate::default()
    };
    // One who moves, one who does not, and a copy of the first that is nowhere: the copy answers, the other is there.
    let moving = small(&[(0, 0, 1), (0, 0, 5), (3, 0, 4)], &[0, 2], &[Sight::Visible], ANONYMITY);
    let fewer = Certificate {
        sets: vec![vec![0, 2]],
        start: vec![Cover::Pair(0), Cover::Twins(5)],
        estimates: vec![pair(0, 0, &[Cover::Twins(3), Cover::Twins(4), Cover::Twins(0)])],
        twins: vec![
            position(0, &[3, 2], &[Cover::Twins(1), Cover::Twins(2)]),
            position(1, &[4], &[]),
            position(5, &[4], &[]),
            position(1, &[5], &[]),
            position(5, &[1], &[]),
            position(2, &[0], &[]),
        ],
        ..Certificate::default()
    };
    // One shows a, the other b.
    let seen = small(&[(0, 0, 2), (1, 1, 3)], &[0, 1], &[Sight::Visible; 2], ANONYMITY);
    let swapped = Certificate {
        start: vec![Cover::Lockstep(0, 1), Cover::Lockstep(1, 0)],
        permutations: vec![(vec![0, 2, 1], true)],
        lockstep: vec![step(0, 0, 1, &[2]), step(0, 1, 0, &[3]), step(0, 2, 3, &[]), step(0, 3, 2, &[])],
        ..Certificate::default()
    };
    let by_hand = vec![
        Forgery { wrong: "twins that meet the run", case: merging.clone(), proof: twins(&[Cover::Double]) },
        Forgery { wrong: "twins that do not answer", case: merging.clone(), proof: twins(&[]) },
        Forgery { wrong: "lockstep that goes on in another way", case: merging, proof: merged },
        Forgery { wrong: "twins of which one is forgotten", case: moving, proof: fewer },
        Forgery { wrong: "what is seen is permuted", case: seen, proof: swapped },
    ];
    by_hand.into_iter().chain(with_a_past()).collect()
}

/// One run x, and another y of which there are two: what x does under Pw, y cannot do. The events are of groups, two of each.
struct Chains {
    case: Case,
    /// Where y and its copy begin.
    y: u32,
    z: u32,
    /// Everything about y and its copy, which is true, with x and y left to be told.
    base: Certificate,
}

impl Chains {
    fn new(x: &[u32], y: &[u32]) -> Chains {
        let group = |event: usize| Sight::Anonymous(GroupId::from_index(event / 2));
        let sights: Vec<Sight> = (0..4).map(group).collect();
        let mut edges = Vec::new();
        let mut place = 0;
        for chain in [x, y, y] {
            edges.extend((place..).zip(chain).map(|(state, &event)| (state, event, state + 1)));
            place += chain.len() as u32 + 1;
        }
        let (from, to) = (x.len() as u32 + 1, (x.len() + y.len()) as u32 + 2);
        let case = small(&edges, &[0, from, to], &sights, ANONYMITY);
        let length = y.len() as u32;
        let along = |left: u32, rival: u32, first: u32| {
            (0..=length).map(move |at| {
                let next: Vec<u32> = (at < length).then_some(first + at + 1).into_iter().collect();
                step(0, left + at, rival + at, &next)
            })
        };
        let identity: Vec<u32> = (0..7).collect();
        let base = Certificate {
            lockstep: along(from, to, 0).chain(along(to, from, length + 1)).collect(),
            permutations: vec![(identity, true)],
            ..Certificate::default()
        };
        Chains { case, y: from, z: to, base }
    }

    /// What covers the start, if this covers x; the rivals that start are x, y and its copy.
    fn begun(&self, x: Cover, more: &[Rival]) -> Certificate {
        let unused = |state: u32| Rival { state, images: Vec::new(), spent: Vec::new() };
        let rivals = [0, self.y, self.z].map(unused).into_iter().chain(more.iter().cloned()).collect();
        let copies = self.base.lockstep.len() as u32 / 2;
        Certificate { start: vec![x, Cover::Lockstep(0, 2), Cover::Lockstep(copies, 1)], rivals, ..self.base.clone() }
    }

    /// x and y in lockstep under a permutation, beginning with the state of this number.
    fn in_lockstep(&self, forged: &mut Certificate, rho: &[u32], first: u32) -> u32 {
        let place = forged.lockstep.len() as u32;
        let permutation = forged.permutations.len() as u32;
        forged.permutations.push((rho.to_vec(), true));
        for at in first..self.y {
            let next: Vec<u32> = (at + 1 < self.y).then_some(place + at + 1 - first).into_iter().collect();
            forged.lockstep.push(step(permutation, at, self.y + at, &next));
        }
        place
    }

    /// A proof that says of each left of x which rival stands by.
    fn stood_by(&self, chain: &[(&[u32], Rival)]) -> Certificate {
        let rivals: Vec<Rival> = chain[1..].iter().map(|(_, rival)| rival.clone()).collect();
        let mut forged = self.begun(Cover::Pair(0), &rivals);
        let number = |at: usize| if at == 0 { 1 } else { 2 + at as u32 };
        for (at, (used, _)) in chain.iter().enumerate() {
            forged.lefts.push(Left { state: at as u32, used: used.to_vec() });
            forged.sets.push(vec![number(at)]);
            let moves: Vec<Cover> = (at + 1 < chain.len()).then_some(Cover::Pair(at as u32 + 1)).into_iter().collect();
            forged.layers.push(pair(at as u32, at as u32, &moves));
            forged.estimates.push(pair(at as u32, at as u32, &[moves, vec![Cover::Pair(at as u32)]].concat()));
        }
        forged
    }
}

/// The letters of the events.
const A: u32 = 1;
const B: u32 = 2;

/// False proofs about runs with a past.
fn with_a_past() -> Vec<Forgery> {
    let rival = |chains: &Chains, at: u32, images: &[u32], spent: &[u32]| Rival {
        state: chains.y + at,
        images: images.to_vec(),
        spent: spent.to_vec(),
    };
    let mut all = Vec::new();
    let mut add = |wrong: &'static str, chains: &Chains, proof: Certificate| {
        all.push(Forgery { wrong, case: chains.case.clone(), proof });
    };

    let chains = Chains::new(&[0, 1], &[0, 0]);
    let mut proof = chains.begun(Cover::Double, &[]);
    let place = chains.in_lockstep(&mut proof, &[0, A, A, 3, 4, 5, 6], 0);
    proof.start[0] = Cover::Lockstep(place, 1);
    add("one event in the place of two", &chains, proof);

    // After the first step, x and y go on alike; but y must repeat its b, or has spent its a.
    for (x, y, images, spent) in [(&[0, 0][..], &[1, 0, 1][..], &[B][..], &[][..]), (&[1, 0], &[0, 0], &[], &[A])] {
        let chains = Chains::new(x, y);
        let mut proof = chains.begun(Cover::Pair(0), &[rival(&chains, 1, images, spent)]);
        let place = chains.in_lockstep(&mut proof, &[0, 1, 2, 3, 4, 5, 6], 1);
        proof.lefts = vec![Left { state: 0, used: Vec::new() }];
        proof.sets = vec![vec![1]];
        proof.estimates = vec![pair(0, 0, &[Cover::Lockstep(place, 3), Cover::Pair(0)])];
        proof.layers = vec![pair(0, 0, &[Cover::Lockstep(place, 3)])];
        let wrong = if spent.is_empty() { "lockstep after another past" } else { "lockstep with what is spent" };
        add(wrong, &chains, proof);
    }

    let chains = Chains::new(&[1, 0], &[0, 0]);
    let at = |at: u32, images: &[u32], spent: &[u32]| rival(&chains, at, images, spent);
    let spent = chains.stood_by(&[(&[], at(0, &[], &[])), (&[], at(1, &[], &[A])), (&[], at(2, &[], &[]))]);
    add("what is spent is new again", &chains, spent);

    let chains = Chains::new(&[0, 1, 0], &[0, 0, 0]);
    let at = |at: u32, images: &[u32], spent: &[u32]| rival(&chains, at, images, spent);
    let reused = chains.stood_by(&[
        (&[], at(0, &[], &[])),
        (&[A], at(1, &[A], &[])),
        (&[A], at(2, &[A], &[A])),
        (&[], at(3, &[], &[])),
    ]);
    add("what was used is new again", &chains, reused);

    let chains = Chains::new(&[0], &[2]);
    let at = |at: u32| rival(&chains, at, &[], &[]);
    add("an event of another group", &chains, chains.stood_by(&[(&[], at(0)), (&[], at(1))]));
    all
}

/// A proof up to a horizon that says to reach one step farther: every layer is called a later one.
pub fn shifted(proof: &Certificate) -> Certificate {
    let later = |pairs: &mut Vec<Pair>| pairs.iter_mut().for_each(|pair| pair.layer += 1);
    let mut shifted = Certificate { horizon: proof.horizon.map(|steps| steps + 1), ..proof.clone() };
    later(&mut shifted.layers);
    shifted.back.iter_mut().for_each(|(_, pairs)| later(pairs));
    shifted
}
