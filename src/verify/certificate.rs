//! Proofs that nothing is ever exposed, and a checker that trusts no search.
//!
//! A certificate is plain data over states: an inductive invariant. `estimates` are pairs (lefts, S) and `layers` pairs
//! (lefts, R); every pair of the two-phase system must be *covered*: by a pair of the certificate with the same left and a
//! smaller set, by a twin in S, or by a rival in R that simulates the left. The twin and simulation relations stand in the
//! certificate too. Instead of `layers` there may be `back`: sets of states that can show some β, from behind. The
//! checker confirms that the start is covered, that moves and jumps from what is covered lead to what is covered, and
//! that no R is empty (or no S ∩ R exposed).
//!
//! The checker has its own graph and successor function, and sets as sorted vectors. It knows fixed labels; under Pw it
//! knows relations in lockstep ([`Certificate::lockstep`]), which need no history. Cost: for each pair, its moves times the
//! pairs of the left it leads to.

use crate::automaton::view::{Projection, Sight, View};
use crate::automaton::{EventId, StateId, StateSet};
use crate::model::Property;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

mod check;

pub use check::check;

/// Lefts, and a set.
pub type Pair = (Vec<u32>, Vec<u32>);

/// A permutation of events, and pairs (x, y) of states.
pub type Lockstep = (Vec<u32>, Vec<(u32, u32)>);

/// An invariant that no exposure can break. States and events are numbers; every list of them is sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Minimal estimates with their real states, as far as no twin covers them.
    pub estimates: Vec<Pair>,
    /// Minimal sets of rivals with their real states, as far as no rival simulates them.
    pub layers: Vec<Pair>,
    /// In place of `layers`: minimal sets that can show some β, with the states for which they are minimal.
    pub back: Option<Vec<Pair>>,
    /// (x, twins of x that stay apart): for `among N` there are N - 1.
    pub twins: Vec<(u32, Vec<u32>)>,
    /// (x, y): y can do whatever x does.
    pub simulations: Vec<(u32, u32)>,
    /// Twins in lockstep: a permutation of events, and pairs (x, y) such that y answers each event with its image.
    pub lockstep: Vec<Lockstep>,
}

impl Certificate {
    /// How many numbers it holds.
    pub fn len(&self) -> usize {
        let pairs = self.estimates.iter().chain(&self.layers).chain(self.back.iter().flatten());
        let lockstep = self.lockstep.iter().map(|(rho, pairs)| rho.len() + 2 * pairs.len());
        pairs.map(|(lefts, set)| lefts.len() + set.len()).sum::<usize>()
            + self.twins.iter().map(|(_, twins)| 1 + twins.len()).sum::<usize>()
            + 2 * self.simulations.len()
            + lockstep.sum::<usize>()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The view as the checker sees it.
struct Graph {
    initial: Vec<u32>,
    /// Seen moves: (label, target).
    seen: Vec<Vec<(u32, u32)>>,
    silent: Vec<Vec<u32>>,
    /// Every move by event, for lockstep.
    events: Vec<Vec<(u32, u32)>>,
    group: Vec<Sight>,
    classes: Vec<u32>,
    together: usize,
    secret: Option<StateSet>,
}

impl Graph {
    fn new(view: &View<'_>, property: &Property) -> Graph {
        let n_events = view.automaton.n_events() as u32;
        let label = |event: EventId| match view.observer.sight(event) {
            Sight::Silent => None,
            Sight::Anonymous(group) if view.projection != Projection::Natural => Some(n_events + group.0),
            Sight::Visible | Sight::Anonymous(_) => Some(event.0),
        };
        let mut graph = Graph {
            initial: view.automaton.initial().iter().map(|state| state.0).collect(),
            seen: Vec::new(),
            silent: Vec::new(),
            events: Vec::new(),
            group: view.observer.sights().to_vec(),
            classes: view.automaton.states().map(|state| class(property, state)).collect(),
            together: match property {
                Property::Anonymity { among, .. } => *among as usize - 1,
                Property::Opacity { .. } => 1,
            },
            secret: match property {
                Property::Opacity { secret } => Some(secret.clone()),
                Property::Anonymity { .. } => None,
            },
        };
        for state in view.automaton.states() {
            let steps = view.automaton.steps(state);
            graph.events.push(steps.iter().map(|step| (step.event.0, step.target.0)).collect());
            graph.seen.push(steps.iter().filter_map(|step| Some((label(step.event)?, step.target.0))).collect());
            let silent = steps.iter().filter(|step| label(step.event).is_none());
            graph.silent.push(silent.map(|step| step.target.0).collect());
        }
        graph
    }

    /// The same with every move turned around.
    fn turned_around(&self) -> Graph {
        let n = self.seen.len();
        let mut turned = Graph {
            initial: self.initial.clone(),
            seen: vec![Vec::new(); n],
            silent: vec![Vec::new(); n],
            events: vec![Vec::new(); n],
            group: self.group.clone(),
            classes: self.classes.clone(),
            together: self.together,
            secret: self.secret.clone(),
        };
        for state in 0..n {
            for &(label, target) in &self.seen[state] {
                turned.seen[target as usize].push((label, state as u32));
            }
            for &target in &self.silent[state] {
                turned.silent[target as usize].push(state as u32);
            }
        }
        turned
    }

    fn jumps(&self, state: u32) -> bool {
        self.secret.as_ref().is_none_or(|secret| secret.contains(StateId(state)))
    }

    /// UR.
    fn close(&self, states: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut reached: BTreeSet<u32> = states.into_iter().collect();
        let mut todo: Vec<u32> = reached.iter().copied().collect();
        while let Some(state) = todo.pop() {
            todo.extend(self.silent[state as usize].iter().filter(|&&target| reached.insert(target)));
        }
        reached.into_iter().collect()
    }

    /// UR(δ(S, l)).
    fn post(&self, states: &[u32], label: u32) -> Vec<u32> {
        let steps = states.iter().flat_map(|&state| &self.seen[state as usize]);
        self.close(steps.filter(|step| step.0 == label).map(|step| step.1))
    }

    /// How many classes stand in a set.
    fn n_classes(&self, states: &[u32]) -> usize {
        states.iter().map(|&state| self.classes[state as usize]).collect::<BTreeSet<u32>>().len()
    }

    /// Whether a set that is not empty lies inside an exposed set.
    fn is_exposed(&self, states: &[u32]) -> bool {
        match &self.secret {
            Some(secret) => states.iter().all(|&state| secret.contains(StateId(state))),
            None => self.n_classes(states) <= self.together,
        }
    }
}

fn class(property: &Property, state: StateId) -> u32 {
    match property {
        Property::Anonymity { classes: Some(classes), .. } => classes.of[state.index()].0,
        Property::Anonymity { classes: None, .. } => state.0,
        Property::Opacity { secret } => u32::from(!secret.contains(state)),
    }
}

/// Sets by the left they stand with.
struct Index<'a>(BTreeMap<u32, Vec<&'a [u32]>>);

impl<'a> Index<'a> {
    fn new(pairs: &'a [Pair]) -> Index<'a> {
        let mut index: BTreeMap<u32, Vec<&[u32]>> = BTreeMap::new();
        for (lefts, set) in pairs {
            for &left in lefts {
                index.entry(left).or_default().push(set);
            }
        }
        // WHY: small sets first, since they cover the most.
        index.values_mut().for_each(|sets| sets.sort_by_key(|set| set.len()));
        Index(index)
    }

    /// Whether some set of this left is inside that one.
    fn covers(&self, left: u32, set: &[u32]) -> bool {
        self.0.get(&left).is_some_and(|sets| sets.iter().any(|small| is_subset(small, set)))
    }
}

fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|member| rest.any(|other| other == member))
}
