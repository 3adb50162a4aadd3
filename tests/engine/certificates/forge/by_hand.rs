//! Proofs that need a model of their own.

use super::Forgery;
use crate::support::random::Case;
use desc::automaton::view::{GroupId, Observability, Observer, Projection};
use desc::automaton::{Builder, EventId, StateId};
use desc::model::Property;
use desc::verdict::certificate::{Actual, Certificate, Cover, Hypothesis, Pair, PermutationStep, Position};

/// A model of transitions and initial states.
fn small(edges: &[(u32, u32, u32)], initial: &[u32], observabilities: &[Observability], property: Property) -> Case {
    let last = edges.iter().map(|edge| edge.0.max(edge.2)).chain(initial.iter().copied()).max().unwrap_or(0);
    let mut builder = Builder::new(last as usize + 1, observabilities.len());
    initial.iter().for_each(|&state| builder.initial(StateId(state)));
    for &(source, event, target) in edges {
        builder.transition(StateId(source), EventId(event), StateId(target));
    }
    let hidden = observabilities.iter().any(|observability| matches!(observability, Observability::Anonymous(_)));
    let projection = if hidden { Projection::Weak } else { Projection::Natural };
    let observer = Observer::new(observabilities.to_vec());
    Case { automaton: builder.freeze(), observer, projection, property, initial: false, kind: "" }
}

const ANONYMITY: Property = Property::Anonymity { among: 2, classes: None, except: None };

fn step(permutation: u32, actual: u32, hypothesis: u32, next: &[u32]) -> PermutationStep {
    PermutationStep { permutation, actual, hypothesis, next: next.to_vec() }
}

fn pair(actual: u32, set: u32, covers: &[Cover]) -> Pair {
    Pair { actual, set, layer: 0, covers: covers.to_vec() }
}

fn position(actual: u32, hypotheses: &[u32], covers: &[Cover]) -> Position {
    Position { actual, hypotheses: hypotheses.to_vec(), covers: covers.to_vec() }
}

/// False proofs that need a model of their own.
pub fn by_hand() -> Vec<Forgery> {
    // Two states that both lead to a third, where nobody else is.
    let merging = small(&[(0, 0, 2), (1, 0, 2)], &[0, 1], &[Observability::Visible], ANONYMITY);
    let twins = |covers: &[Cover]| Certificate {
        start: vec![Cover::Twins(0), Cover::Twins(1)],
        twins: vec![position(0, &[1], covers), position(1, &[0], covers)],
        ..Certificate::default()
    };
    let merged = Certificate {
        start: vec![Cover::Permutation(0, 1), Cover::Permutation(1, 0)],
        permutations: vec![(vec![0, 1], true), (vec![0, 1], false)],
        permutation_steps: vec![step(0, 0, 1, &[2]), step(0, 1, 0, &[2]), step(1, 2, 2, &[])],
        ..Certificate::default()
    };
    // One who moves, one who does not, and a copy of the first that is nowhere: the copy answers, the other is there.
    let moving = small(&[(0, 0, 1), (0, 0, 5), (3, 0, 4)], &[0, 2], &[Observability::Visible], ANONYMITY);
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
    let seen = small(&[(0, 0, 2), (1, 1, 3)], &[0, 1], &[Observability::Visible; 2], ANONYMITY);
    let swapped = Certificate {
        start: vec![Cover::Permutation(0, 1), Cover::Permutation(1, 0)],
        permutations: vec![(vec![0, 2, 1], true)],
        permutation_steps: vec![step(0, 0, 1, &[2]), step(0, 1, 0, &[3]), step(0, 2, 3, &[]), step(0, 3, 2, &[])],
        ..Certificate::default()
    };
    let by_hand = vec![
        Forgery { wrong: "twins that meet the run", case: merging.clone(), proof: twins(&[Cover::Identity]) },
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
        let group = |event: usize| Observability::Anonymous(GroupId::from_index(event / 2));
        let observabilities: Vec<Observability> = (0..4).map(group).collect();
        let mut edges = Vec::new();
        let mut place = 0;
        for chain in [x, y, y] {
            edges.extend((place..).zip(chain).map(|(state, &event)| (state, event, state + 1)));
            place += chain.len() as u32 + 1;
        }
        let (from, to) = (x.len() as u32 + 1, (x.len() + y.len()) as u32 + 2);
        let case = small(&edges, &[0, from, to], &observabilities, ANONYMITY);
        let length = y.len() as u32;
        let along = |actual: u32, hypothesis: u32, first: u32| {
            (0..=length).map(move |at| {
                let next: Vec<u32> = (at < length).then_some(first + at + 1).into_iter().collect();
                step(0, actual + at, hypothesis + at, &next)
            })
        };
        let identity: Vec<u32> = (0..7).collect();
        let base = Certificate {
            permutation_steps: along(from, to, 0).chain(along(to, from, length + 1)).collect(),
            permutations: vec![(identity, true)],
            ..Certificate::default()
        };
        Chains { case, y: from, z: to, base }
    }

    /// What covers the start, if this covers x; the rivals that start are x, y and its copy.
    fn begun(&self, x: Cover, more: &[Hypothesis]) -> Certificate {
        let unused = |state: u32| Hypothesis { state, images: Vec::new(), spent: Vec::new() };
        let hypotheses = [0, self.y, self.z].map(unused).into_iter().chain(more.iter().cloned()).collect();
        let copies = self.base.permutation_steps.len() as u32 / 2;
        Certificate {
            start: vec![x, Cover::Permutation(0, 2), Cover::Permutation(copies, 1)],
            hypotheses,
            ..self.base.clone()
        }
    }

    /// x and y in lockstep under a permutation, beginning with the state of this number.
    fn in_lockstep(&self, forged: &mut Certificate, rho: &[u32], first: u32) -> u32 {
        let place = forged.permutation_steps.len() as u32;
        let permutation = forged.permutations.len() as u32;
        forged.permutations.push((rho.to_vec(), true));
        for at in first..self.y {
            let next: Vec<u32> = (at + 1 < self.y).then_some(place + at + 1 - first).into_iter().collect();
            forged.permutation_steps.push(step(permutation, at, self.y + at, &next));
        }
        place
    }

    /// A proof that says of each left of x which rival stands by.
    fn stood_by(&self, chain: &[(&[u32], Hypothesis)]) -> Certificate {
        let hypotheses: Vec<Hypothesis> = chain[1..].iter().map(|(_, hypothesis)| hypothesis.clone()).collect();
        let mut forged = self.begun(Cover::Pair(0), &hypotheses);
        let number = |at: usize| if at == 0 { 1 } else { 2 + at as u32 };
        for (at, (used, _)) in chain.iter().enumerate() {
            forged.actuals.push(Actual { state: at as u32, used: used.to_vec() });
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
    let hypothesis = |chains: &Chains, at: u32, images: &[u32], spent: &[u32]| Hypothesis {
        state: chains.y + at,
        images: images.to_vec(),
        spent: spent.to_vec(),
    };
    let mut all = Vec::new();
    let mut add = |wrong: &'static str, chains: &Chains, proof: Certificate| {
        all.push(Forgery { wrong, case: chains.case.clone(), proof });
    };

    let chains = Chains::new(&[0, 1], &[0, 0]);
    let mut proof = chains.begun(Cover::Identity, &[]);
    let place = chains.in_lockstep(&mut proof, &[0, A, A, 3, 4, 5, 6], 0);
    proof.start[0] = Cover::Permutation(place, 1);
    add("one event in the place of two", &chains, proof);

    // After the first step, x and y go on alike; but y must repeat its b, or has spent its a.
    for (x, y, images, spent) in [(&[0, 0][..], &[1, 0, 1][..], &[B][..], &[][..]), (&[1, 0], &[0, 0], &[], &[A])] {
        let chains = Chains::new(x, y);
        let mut proof = chains.begun(Cover::Pair(0), &[hypothesis(&chains, 1, images, spent)]);
        let place = chains.in_lockstep(&mut proof, &[0, 1, 2, 3, 4, 5, 6], 1);
        proof.actuals = vec![Actual { state: 0, used: Vec::new() }];
        proof.sets = vec![vec![1]];
        proof.estimates = vec![pair(0, 0, &[Cover::Permutation(place, 3), Cover::Pair(0)])];
        proof.layers = vec![pair(0, 0, &[Cover::Permutation(place, 3)])];
        let wrong = if spent.is_empty() { "lockstep after another past" } else { "lockstep with what is spent" };
        add(wrong, &chains, proof);
    }

    let chains = Chains::new(&[1, 0], &[0, 0]);
    let at = |at: u32, images: &[u32], spent: &[u32]| hypothesis(&chains, at, images, spent);
    let spent = chains.stood_by(&[(&[], at(0, &[], &[])), (&[], at(1, &[], &[A])), (&[], at(2, &[], &[]))]);
    add("what is spent is new again", &chains, spent);

    let chains = Chains::new(&[0, 1, 0], &[0, 0, 0]);
    let at = |at: u32, images: &[u32], spent: &[u32]| hypothesis(&chains, at, images, spent);
    let reused = chains.stood_by(&[
        (&[], at(0, &[], &[])),
        (&[A], at(1, &[A], &[])),
        (&[A], at(2, &[A], &[A])),
        (&[], at(3, &[], &[])),
    ]);
    add("what was used is new again", &chains, reused);

    let chains = Chains::new(&[0], &[2]);
    let at = |at: u32| hypothesis(&chains, at, &[], &[]);
    add("an event of another group", &chains, chains.stood_by(&[(&[], at(0)), (&[], at(1))]));
    all
}
