//! The synchronous product, built on the fly.
//!
//! Definition: a global state is a tuple of local ones. An event moves every factor whose alphabet holds it, together, and no
//! other; it can happen when all of them can do it. Initial states are all tuples of initial states.
//! Method: breadth first from the initial tuples, so that only what is reachable is ever built. A tuple is packed into machine
//! words, each factor in as few bits as its states need; a hash table finds it again.
//! Cost: time in the product transitions and their factors, memory in the product states. Both are bounded by [`Bounds`], and
//! factors that share no event are counted apart first, because their sizes multiply. The clock is looked at every few thousand
//! steps; a table is paid for before it grows, together with the one it is copied from.

use super::{Automaton, EventId, StateId, Step};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
pub struct Bounds {
    /// The most states.
    pub states: usize,
    /// The most transitions.
    pub transitions: usize,
    /// When it must be built.
    pub until: Option<Instant>,
    /// The most bytes that may be held while it is built.
    pub bytes: u64,
    /// When it is set, the product is left.
    pub interrupted: Option<&'static AtomicBool>,
}

/// Which bound a product would pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The states: so many are allowed, or are all that can be numbered and held.
    States(usize),
    /// The transitions, likewise.
    Transitions(usize),
    /// The time, with so many states built by then.
    Time(usize),
    /// The bytes, with so many states built by then.
    Memory(usize),
    /// None: it was interrupted, with so many states built by then.
    Interrupted(usize),
}

/// How many steps pass between two looks at the clock.
const STEPS_PER_LOOK: usize = 1 << 13;

/// The most bytes that the tuples may take.
const TUPLE_BYTES: usize = 2 << 30;

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

/// Where each factor stands in a packed tuple.
#[derive(Clone, Debug)]
struct Layout {
    fields: Vec<Field>,
    stride: usize,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Field {
    fn read(self, words: &[u64]) -> u32 {
        (words[self.word as usize] >> self.shift & self.mask) as u32
    }

    fn write(self, words: &mut [u64], local: u32) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.mask << self.shift) | u64::from(local) << self.shift;
    }
}

impl Layout {
    /// A field for each factor; none crosses a word.
    fn new(factors: &[Factor<'_>]) -> Layout {
        let (mut word, mut used) = (0, 0);
        let fields = factors.iter().map(|factor| {
            let last = factor.automaton.n_states().max(1) as u64 - 1;
            let bits = u64::BITS - last.leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            // A shift of 64 bits is no shift: a factor of one state needs no bits and may start anywhere.
            let shift = used.min(u64::BITS - 1);
            used += bits;
            Field { word, shift, mask: (1u64 << bits) - 1 }
        });
        let fields = fields.collect();
        Layout { fields, stride: word as usize + 1 }
    }
}

/// Builds the reachable part of the product of some automata over `n_events` events.
///
/// # Errors
/// When it would be larger than the bounds.
pub fn product(factors: &[Factor<'_>], n_events: usize, bounds: Bounds) -> Result<Product, Exceeded> {
    let groups = independent(factors, n_events);
    let all = factors.iter().fold(1u128, |all, factor| all.saturating_mul(factor.automaton.n_states() as u128));
    if groups.len() > 1 && all > bounds.states as u128 {
        count_apart(factors, &groups, n_events, bounds)?;
    }
    explore(factors, n_events, bounds)
}

/// The size of a product of groups that share nothing is the product of their sizes.
fn count_apart(factors: &[Factor<'_>], groups: &[Vec<usize>], n_events: usize, bounds: Bounds) -> Result<(), Exceeded> {
    let mut size = 1u128;
    for group in groups {
        let chosen: Vec<Factor<'_>> = group.iter().map(|&at| factors[at]).collect();
        let part = match chosen[..] {
            [alone] => reachable(alone.automaton),
            _ => explore(&chosen, n_events, bounds)?.automaton.n_states(),
        };
        size = size.saturating_mul(part as u128);
        if size > bounds.states as u128 {
            return Err(Exceeded::States(bounds.states));
        }
    }
    Ok(())
}

/// How many states of an automaton can be reached.
fn reachable(automaton: &Automaton) -> usize {
    let mut seen = vec![false; automaton.n_states()];
    let mut pending: Vec<StateId> = automaton.initial().to_vec();
    pending.iter().for_each(|state| seen[state.index()] = true);
    let mut count = pending.len();
    while let Some(state) = pending.pop() {
        for step in automaton.steps(state) {
            if !std::mem::replace(&mut seen[step.target.index()], true) {
                count += 1;
                pending.push(step.target);
            }
        }
    }
    count
}

/// The factors in groups that share no event.
fn independent(factors: &[Factor<'_>], n_events: usize) -> Vec<Vec<usize>> {
    fn root(parents: &mut [usize], mut at: usize) -> usize {
        while parents[at] != at {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        at
    }
    let mut parents: Vec<usize> = (0..factors.len()).collect();
    let mut owner: Vec<Option<usize>> = vec![None; n_events];
    for (at, factor) in factors.iter().enumerate() {
        for event in factor.events {
            let first = *owner[event.index()].get_or_insert(at);
            let (a, b) = (root(&mut parents, first), root(&mut parents, at));
            parents[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); factors.len()];
    (0..factors.len()).for_each(|at| groups[root(&mut parents, at)].push(at));
    groups.retain(|group| !group.is_empty());
    groups
}

fn explore(factors: &[Factor<'_>], n_events: usize, bounds: Bounds) -> Result<Product, Exceeded> {
    let layout = Layout::new(factors);
    let states = bounds.states.min(TUPLE_BYTES / (8 * layout.stride)).min(u32::MAX as usize - 1);
    let bounds = Bounds { states, transitions: bounds.transitions.min(u32::MAX as usize - 1), ..bounds };
    let mut search = Search {
        factors,
        layout,
        bounds,
        shared: Shared::new(factors, n_events),
        words: Vec::new(),
        index: HashTable::new(),
        rows: vec![0],
        steps: Vec::new(),
        until_look: STEPS_PER_LOOK,
    };
    let n_initial = search.start()?;
    search.run()?;
    let initial = (0..n_initial as u32).map(StateId).collect();
    let automaton = Automaton { n_events: n_events as u32, initial, rows: search.rows, steps: search.steps };
    Ok(Product { automaton: Arc::new(automaton), layout: search.layout, words: search.words })
}

/// Which factors take part in each event, and under which local event.
struct Shared {
    rows: Vec<u32>,
    members: Vec<(u32, EventId)>,
}

impl Shared {
    fn new(factors: &[Factor<'_>], n_events: usize) -> Shared {
        let mut rows = vec![0u32; n_events + 1];
        factors.iter().flat_map(|factor| factor.events).for_each(|event| rows[event.index() + 1] += 1);
        (1..rows.len()).for_each(|at| rows[at] += rows[at - 1]);
        let mut next = rows.clone();
        let mut members = vec![(0, EventId(0)); rows[n_events] as usize];
        for (at, factor) in factors.iter().enumerate() {
            for (local, event) in factor.events.iter().enumerate() {
                let slot = &mut next[event.index()];
                members[*slot as usize] = (at as u32, EventId::from_index(local));
                *slot += 1;
            }
        }
        Shared { rows, members }
    }

    /// The factors of an event, in order.
    fn of(&self, event: EventId) -> &[(u32, EventId)] {
        &self.members[self.rows[event.index()] as usize..self.rows[event.index() + 1] as usize]
    }
}

struct Search<'a> {
    factors: &'a [Factor<'a>],
    layout: Layout,
    bounds: Bounds,
    shared: Shared,
    words: Vec<u64>,
    index: HashTable<u32>,
    rows: Vec<u32>,
    steps: Vec<Step>,
    /// How many steps are left before the next look at the clock.
    until_look: usize,
}

impl Search<'_> {
    /// Adds the initial tuples, in order; how many there are.
    fn start(&mut self) -> Result<usize, Exceeded> {
        let choices: Vec<&[StateId]> = self.factors.iter().map(|factor| factor.automaton.initial()).collect();
        let count = choices.iter().fold(1u128, |count, choice| count.saturating_mul(choice.len() as u128));
        if count > self.bounds.states as u128 {
            return Err(Exceeded::States(self.bounds.states));
        }
        let mut tuple = vec![0u64; self.layout.stride];
        for number in 0..count as usize {
            let mut rest = number;
            for (at, choice) in choices.iter().enumerate().rev() {
                self.layout.fields[at].write(&mut tuple, choice[rest % choice.len()].0);
                rest /= choice.len();
            }
            self.spend(choices.len())?;
            self.state(&tuple)?;
        }
        Ok(count as usize)
    }

    fn run(&mut self) -> Result<(), Exceeded> {
        let stride = self.layout.stride;
        let mut here = vec![0u64; stride];
        let mut at = 0;
        while at * stride < self.words.len() {
            here.copy_from_slice(&self.words[at * stride..(at + 1) * stride]);
            let row = self.steps.len();
            self.spend(self.factors.len())?;
            self.expand(&here)?;
            self.steps[row..].sort_unstable();
            if self.steps.len() > self.bounds.transitions {
                return Err(Exceeded::Transitions(self.bounds.transitions));
            }
            self.grow(&self.rows)?;
            self.rows.push(self.steps.len() as u32);
            at += 1;
        }
        Ok(())
    }

    /// Adds every step that leaves a tuple. Each event is looked at by the first of its factors.
    fn expand(&mut self, here: &[u64]) -> Result<(), Exceeded> {
        let factors = self.factors;
        let mut next = here.to_vec();
        for (at, factor) in factors.iter().enumerate() {
            let row = factor.automaton.steps(StateId(self.layout.fields[at].read(here)));
            let mut rest = row;
            while let Some(first) = rest.first() {
                let (same, after) = rest.split_at(rest.partition_point(|step| step.event == first.event));
                rest = after;
                let event = factor.events[first.event.index()];
                let members = self.shared.of(event);
                if members[0].0 as usize != at {
                    continue;
                }
                if members.len() == 1 {
                    let field = self.layout.fields[at];
                    for step in same {
                        field.write(&mut next, step.target.0);
                        let target = self.state(&next)?;
                        self.step(Step { event, target })?;
                    }
                    next.copy_from_slice(here);
                } else {
                    let range = self.shared.rows[event.index()] as usize..self.shared.rows[event.index() + 1] as usize;
                    self.together(here, &mut next, event, range)?;
                }
            }
        }
        Ok(())
    }

    /// An event of several factors: every combination of their steps.
    fn together(
        &mut self,
        here: &[u64],
        next: &mut [u64],
        event: EventId,
        range: Range<usize>,
    ) -> Result<(), Exceeded> {
        let moves: Vec<(Field, &[Step])> = self.shared.members[range]
            .iter()
            .map(|&(at, local)| {
                let field = self.layout.fields[at as usize];
                (field, self.factors[at as usize].automaton.successors(StateId(field.read(here)), local))
            })
            .collect();
        if moves.iter().any(|(_, steps)| steps.is_empty()) {
            return Ok(());
        }
        let mut wheels = vec![0; moves.len()];
        loop {
            for ((field, steps), &wheel) in moves.iter().zip(&wheels) {
                field.write(next, steps[wheel].target.0);
            }
            let target = self.state(next)?;
            self.step(Step { event, target })?;
            if self.steps.len() > self.bounds.transitions {
                return Err(Exceeded::Transitions(self.bounds.transitions));
            }
            let Some(turned) = (0..wheels.len()).rev().find(|&at| wheels[at] + 1 < moves[at].1.len()) else { break };
            wheels[turned] += 1;
            wheels[turned + 1..].fill(0);
        }
        next.copy_from_slice(here);
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), Exceeded> {
        self.grow(&self.steps)?;
        self.steps.push(step);
        self.spend(1)
    }

    /// Counts work, and looks at the clock once in a while.
    fn spend(&mut self, steps: usize) -> Result<(), Exceeded> {
        if let Some(left) = self.until_look.checked_sub(steps) {
            self.until_look = left;
            return Ok(());
        }
        self.until_look = STEPS_PER_LOOK;
        if self.bounds.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Exceeded::Interrupted(self.n_states()));
        }
        match self.bounds.until {
            Some(until) if Instant::now() >= until => Err(Exceeded::Time(self.n_states())),
            _ => Ok(()),
        }
    }

    fn n_states(&self) -> usize {
        self.words.len() / self.layout.stride
    }

    /// Whether a list that is full may be twice as long.
    fn grow<T>(&self, list: &Vec<T>) -> Result<(), Exceeded> {
        if list.len() < list.capacity() { Ok(()) } else { self.room_for(2 * size_of::<T>() * list.capacity()) }
    }

    /// Whether tuples and table may hold one more state.
    fn room_for_state(&self) -> Result<(), Exceeded> {
        if self.words.len() + self.layout.stride > self.words.capacity() {
            self.room_for(2 * size_of::<u64>() * self.words.capacity())?;
        }
        if self.index.len() < self.index.capacity() { Ok(()) } else { self.room_for(2 * self.table_bytes()) }
    }

    /// Whether so much may be had beside all that is held.
    //
    // WHY beside: a list is copied when it grows, and stands there twice meanwhile.
    fn room_for(&self, more: usize) -> Result<(), Exceeded> {
        let held = size_of::<u64>() * self.words.capacity()
            + size_of::<Step>() * self.steps.capacity()
            + size_of::<u32>() * self.rows.capacity()
            + self.table_bytes();
        let fits = (held + more) as u64 <= self.bounds.bytes;
        if fits { Ok(()) } else { Err(Exceeded::Memory(self.n_states())) }
    }

    /// What the hash table holds: an id and a byte for each place, of which an eighth stays free.
    fn table_bytes(&self) -> usize {
        (self.index.capacity() / 7 * 8) * (size_of::<u32>() + 1)
    }

    /// The state of a tuple; added if it is new.
    fn state(&mut self, tuple: &[u64]) -> Result<StateId, Exceeded> {
        let (words, stride) = (&self.words, self.layout.stride);
        let same = |&state: &u32| words[state as usize * stride..][..stride] == *tuple;
        let hash = hash(tuple);
        if let Some(&state) = self.index.find(hash, same) {
            return Ok(StateId(state));
        }
        let state = words.len() / stride;
        if state >= self.bounds.states {
            return Err(Exceeded::States(self.bounds.states));
        }
        self.room_for_state()?;
        self.words.extend_from_slice(tuple);
        let words = &self.words;
        let rehash = |&state: &u32| self::hash(&words[state as usize * stride..][..stride]);
        self.index.insert_unique(hash, state as u32, rehash);
        Ok(StateId(state as u32))
    }
}

fn hash(tuple: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    tuple.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Builder;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    const ROOMY: Bounds =
        Bounds { states: 1 << 20, transitions: 1 << 22, until: None, bytes: u64::MAX, interrupted: None };

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
    fn million(bounds: Bounds) -> Result<Product, Exceeded> {
        let ring = ring(100);
        let events = [[EventId(0)], [EventId(1)], [EventId(2)]];
        let factors: Vec<_> = events.iter().map(|events| Factor { automaton: &ring, events }).collect();
        product(&factors, 3, bounds)
    }

    #[test]
    fn a_product_ends_when_its_time_is_over() {
        let late = Bounds { until: Some(Instant::now()), ..ROOMY };
        assert!(matches!(million(late), Err(Exceeded::Time(states)) if states < 10_000), "it looks at the clock early");
    }

    #[test]
    fn a_product_holds_no_more_than_it_may() {
        let Err(Exceeded::Memory(early)) = million(Bounds { bytes: 100_000, ..ROOMY }) else {
            panic!("it is too large")
        };
        let Err(Exceeded::Memory(later)) = million(Bounds { bytes: 4_000_000, ..ROOMY }) else {
            panic!("it is too large")
        };
        assert!(early > 0 && early < later && later < 4_000_000 / 36, "a state takes 8 + 4 + 24 bytes and more");
        let whole = million(ROOMY).unwrap();
        assert_eq!(whole.bytes(), (8 + 4 + 24) * 1_000_000 + 4);
        assert!(million(Bounds { bytes: 4 * whole.bytes(), ..ROOMY }).is_ok(), "growing takes no more than that");
    }
}
