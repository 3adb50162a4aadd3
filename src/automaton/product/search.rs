//! Breadth first from the initial tuples.

use super::layout::{Field, Layout};
use super::{Bounds, Exceeded, Factor, Product};
use crate::automaton::{Automaton, EventId, StateId, Step};
use crate::resources::{Monitor, Stop};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;

/// The most bytes that the tuples may take.
const TUPLE_BYTES: usize = 2 << 30;

/// Builds the reachable part, tuple by tuple.
pub(super) fn explore(factors: &[Factor<'_>], n_events: usize, bounds: Bounds<'_>) -> Result<Product, Exceeded> {
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
        monitor: bounds.resources.monitor(),
    };
    search.hold_factors()?;
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
    bounds: Bounds<'a>,
    shared: Shared,
    words: Vec<u64>,
    index: HashTable<u32>,
    rows: Vec<u32>,
    steps: Vec<Step>,
    monitor: Monitor<'a>,
}

impl Search<'_> {
    /// Counts what the factors take.
    fn hold_factors(&mut self) -> Result<(), Exceeded> {
        let Shared { rows, members } = &self.shared;
        let bytes = size_of_val(&self.layout.fields[..]) + size_of_val(&rows[..]) + size_of_val(&members[..]);
        self.monitor.hold(bytes as u64).map_err(|stop| Exceeded::Stopped(stop, 0))?;
        self.spend(members.len())
    }

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
            let mut rest = factor.automaton.steps(StateId(self.layout.fields[at].read(here)));
            self.spend(rest.len() / 4)?;
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

    /// Counts work.
    fn spend(&mut self, steps: usize) -> Result<(), Exceeded> {
        self.monitor.spend(steps as u64).map_err(|stop| Exceeded::Stopped(stop, self.n_states()))
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
        let fits = (held + more) as u64 <= self.monitor.memory_left();
        if fits { Ok(()) } else { Err(Exceeded::Stopped(Stop::Memory, self.n_states())) }
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
