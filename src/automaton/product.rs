//! The synchronous product, built on the fly.
//!
//! Definition: a global state is a tuple of local ones. An event moves every factor whose alphabet holds it, together, and no
//! other; it can happen when all of them can do it. Initial states are all tuples of initial states.
//! Method: breadth first from the initial tuples, so that only what is reachable is ever built. A tuple is packed into machine
//! words, each factor in as few bits as its states need; a hash table finds it again.
//! Cost: time in the product transitions and their factors, memory in the product states. Both are bounded by [`Bounds`], and
//! factors that share no event are counted apart first, because their sizes multiply. The clock is looked at every few thousand
//! steps; a table is paid for before it grows, together with the one it is copied from.

mod apart;
mod layout;
mod search;

use super::{Automaton, EventId, StateId};
use crate::resources::{Resources, Stop};
use layout::Layout;
use std::sync::Arc;

/// One automaton of a product.
#[derive(Clone, Copy, Debug)]
pub struct Factor<'a> {
    /// The automaton.
    pub automaton: &'a Automaton,
    /// What each of its events is called in the product; no two alike.
    pub events: &'a [EventId],
}

/// How large a product may become.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// The most states.
    pub states: usize,
    /// The most transitions.
    pub transitions: usize,
    /// The time and the bytes that building may take.
    pub resources: Resources<'a>,
}

/// Which bound a product would pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The states: so many are allowed, or are all that can be numbered and held.
    States(usize),
    /// The transitions, likewise.
    Transitions(usize),
    /// None of these: it ended early, with this many states built.
    Stopped(Stop, usize),
}

/// A product: an automaton, and the local states of each of its states.
//
// INVARIANT: `words` holds `layout.stride` words for each state of the automaton.
#[derive(Debug)]
pub struct Product {
    automaton: Arc<Automaton>,
    layout: Layout,
    words: Vec<u64>,
}

impl Product {
    /// The automaton.
    pub fn automaton(&self) -> &Arc<Automaton> {
        &self.automaton
    }

    /// A product of which nothing is built.
    pub fn unbuilt(factors: &[Factor<'_>], n_events: usize) -> Product {
        let automaton = Arc::new(Automaton::from_sorted(0, n_events, [], []));
        Product { automaton, layout: Layout::new(factors), words: Vec::new() }
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> u64 {
        let Automaton { rows, steps, .. } = &*self.automaton;
        (size_of_val(&rows[..]) + size_of_val(&steps[..]) + size_of_val(&self.words[..])) as u64
    }

    /// How many factors it has.
    pub fn n_factors(&self) -> usize {
        self.layout.fields.len()
    }

    /// Where a factor is in a global state.
    pub fn local(&self, state: StateId, factor: usize) -> StateId {
        let start = state.index() * self.layout.stride;
        StateId(self.layout.fields[factor].read(&self.words[start..start + self.layout.stride]))
    }
}

/// Builds the reachable part of the product of some automata over `n_events` events.
///
/// # Errors
/// When it would be larger than the bounds.
pub fn product(factors: &[Factor<'_>], n_events: usize, bounds: Bounds<'_>) -> Result<Product, Exceeded> {
    let groups = apart::independent(factors, n_events);
    let all = factors.iter().fold(1u128, |all, factor| all.saturating_mul(factor.automaton.n_states() as u128));
    if groups.len() > 1 && all > bounds.states as u128 {
        apart::count_apart(factors, &groups, n_events, bounds)?;
    }
    search::explore(factors, n_events, bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Builder;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::time::Duration;

    const ROOMY: Bounds<'static> = Bounds { states: 1 << 20, transitions: 1 << 22, resources: UNLIMITED };
    const UNLIMITED: Resources<'static> =
        Resources { deadline: None, memory: None, interrupted: None, growth: None, together: 1, work: None };

    fn bytes(memory: u64) -> Bounds<'static> {
        Bounds { resources: Resources { memory: Some(memory), ..UNLIMITED }, ..ROOMY }
    }

    /// A factor as plain data: states, initial states, alphabet, transitions.
    #[derive(Clone, Debug)]
    struct Small {
        states: u32,
        initial: Vec<u32>,
        alphabet: Vec<u32>,
        transitions: Vec<(u32, usize, u32)>,
    }

    fn small() -> impl Strategy<Value = Small> {
        (1u32..4, proptest::collection::btree_set(0u32..5, 0..4)).prop_flat_map(|(states, alphabet)| {
            let alphabet: Vec<u32> = alphabet.into_iter().collect();
            let width = alphabet.len().max(1);
            let transitions = proptest::collection::vec((0..states, 0..width, 0..states), 0..10);
            let initial = proptest::collection::vec(0..states, 1..3);
            (initial, transitions).prop_map(move |(initial, transitions)| {
                let transitions = if alphabet.is_empty() { Vec::new() } else { transitions };
                Small { states, initial, alphabet: alphabet.clone(), transitions }
            })
        })
    }

    fn built(small: &Small) -> (Automaton, Vec<EventId>) {
        let mut builder = Builder::new(small.states as usize, small.alphabet.len());
        small.initial.iter().for_each(|&state| builder.initial(StateId(state)));
        for &(source, event, target) in &small.transitions {
            builder.transition(StateId(source), EventId::from_index(event), StateId(target));
        }
        (builder.freeze(), small.alphabet.iter().map(|&event| EventId(event)).collect())
    }

    type Tuple = Vec<u32>;
    type Sets = (BTreeSet<Tuple>, BTreeSet<Tuple>, BTreeSet<(Tuple, u32, Tuple)>);

    /// States, initial states and transitions by the definition: tuples in sets, nothing packed.
    fn naive(parts: &[Small]) -> Sets {
        let mut initial: BTreeSet<Tuple> = BTreeSet::from([vec![]]);
        for part in parts {
            initial = initial
                .iter()
                .flat_map(|tuple| part.initial.iter().map(move |&state| [&tuple[..], &[state]].concat()))
                .collect();
        }
        let (mut seen, mut pending, mut transitions) =
            (initial.clone(), Vec::from_iter(initial.clone()), BTreeSet::new());
        while let Some(tuple) = pending.pop() {
            for event in 0..5 {
                let mut nexts: BTreeSet<Tuple> = BTreeSet::from([vec![]]);
                let involved = parts.iter().any(|part| part.alphabet.contains(&event));
                for (part, &here) in parts.iter().zip(&tuple) {
                    let targets: Vec<u32> = match part.alphabet.iter().position(|&other| other == event) {
                        None => vec![here],
                        Some(local) => {
                            part.transitions.iter().filter(|t| t.0 == here && t.1 == local).map(|t| t.2).collect()
                        }
                    };
                    nexts = nexts
                        .iter()
                        .flat_map(|next| targets.iter().map(move |&t| [&next[..], &[t]].concat()))
                        .collect();
                }
                for next in nexts.into_iter().filter(|_| involved) {
                    transitions.insert((tuple.clone(), event, next.clone()));
                    if seen.insert(next.clone()) {
                        pending.push(next);
                    }
                }
            }
        }
        (seen, initial, transitions)
    }

    proptest! {
        #[test]
        fn the_product_is_the_one_of_its_definition(parts in proptest::collection::vec(small(), 1..5)) {
            let built: Vec<_> = parts.iter().map(built).collect();
            let factors: Vec<_> = built.iter().map(|(automaton, events)| Factor { automaton, events }).collect();
            let product = product(&factors, 5, ROOMY).unwrap();
            let tuple = |state: StateId| -> Tuple { (0..parts.len()).map(|at| product.local(state, at).0).collect() };
            let names: BTreeMap<StateId, Tuple> = product.automaton().states().map(|state| (state, tuple(state))).collect();
            let (states, initial, transitions) = naive(&parts);
            prop_assert_eq!(names.values().cloned().collect::<BTreeSet<_>>(), states);
            prop_assert_eq!(names.len(), product.automaton().n_states());
            let starts: BTreeSet<Tuple> = product.automaton().initial().iter().map(|state| names[state].clone()).collect();
            prop_assert_eq!(starts, initial);
            let moves: BTreeSet<_> = product.automaton().transitions()
                .map(|(_, source, step)| (names[&source].clone(), step.event.0, names[&step.target].clone())).collect();
            prop_assert_eq!(moves.len(), product.automaton().n_transitions());
            prop_assert_eq!(moves, transitions);
        }
    }

    fn ring(states: u32) -> Automaton {
        let mut builder = Builder::new(states as usize, 1);
        builder.initial(StateId(0));
        (0..states).for_each(|state| builder.transition(StateId(state), EventId(0), StateId((state + 1) % states)));
        builder.freeze()
    }

    #[test]
    fn forty_independent_factors_are_refused_before_they_are_built() {
        let ring = ring(2);
        let events: Vec<[EventId; 1]> = (0..40).map(|event| [EventId(event)]).collect();
        let factors: Vec<_> = events.iter().map(|events| Factor { automaton: &ring, events }).collect();
        assert!(matches!(product(&factors, 40, ROOMY), Err(Exceeded::States(_))));
    }

    #[test]
    fn factors_that_fill_more_than_one_word_are_told_apart() {
        let ring = ring(1000);
        let events = [EventId(0)];
        let factors = vec![Factor { automaton: &ring, events: &events }; 20];
        let product = product(&factors, 1, ROOMY).unwrap();
        assert_eq!(product.automaton().n_states(), 1000);
        assert!((0..20).all(|at| product.local(StateId(999), at) == StateId(999)));
    }

    #[test]
    fn a_product_stops_at_its_bounds() {
        let ring = ring(10);
        let events = [[EventId(0)], [EventId(1)]];
        let factors: Vec<_> = events.iter().map(|events| Factor { automaton: &ring, events }).collect();
        let built = |states, transitions| product(&factors, 2, Bounds { states, transitions, ..ROOMY });
        assert_eq!(built(99, 1000).err(), Some(Exceeded::States(99)));
        assert_eq!(built(100, 199).err(), Some(Exceeded::Transitions(199)));
        assert_eq!(built(100, 200).map(|p| p.automaton().n_states()), Ok(100));
    }

    /// Three rings that turn on their own: a million states.
    fn million(bounds: Bounds<'_>) -> Result<Product, Exceeded> {
        let ring = ring(100);
        let events = [[EventId(0)], [EventId(1)], [EventId(2)]];
        let factors: Vec<_> = events.iter().map(|events| Factor { automaton: &ring, events }).collect();
        product(&factors, 3, bounds)
    }

    #[test]
    fn a_product_ends_when_its_time_is_over() {
        let late = Bounds { resources: UNLIMITED.within(Duration::ZERO), ..ROOMY };
        assert!(
            matches!(million(late), Err(Exceeded::Stopped(Stop::Timeout, states)) if states < 10_000),
            "it looks at the clock early"
        );
    }

    #[test]
    fn a_product_holds_no_more_than_it_may() {
        let Err(Exceeded::Stopped(Stop::Memory, early)) = million(bytes(100_000)) else { panic!("it is too large") };
        let Err(Exceeded::Stopped(Stop::Memory, later)) = million(bytes(4_000_000)) else { panic!("it is too large") };
        assert!(early > 0 && early < later && later < 4_000_000 / 36, "a state takes 8 + 4 + 24 bytes and more");
        let whole = million(ROOMY).unwrap();
        assert_eq!(whole.bytes(), (8 + 4 + 24) * 1_000_000 + 4);
        assert!(million(bytes(4 * whole.bytes())).is_ok(), "growing takes no more than that");
    }
}
