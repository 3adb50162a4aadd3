//! How fast the synchronous product is built: `cargo bench --bench product`.
//!
//! Rings that turn alone, each on its own event, and back together on a shared one: a million states from few parts, from many
//! small ones, and from few large ones. Nothing is asserted but sizes.

use desc::automaton::product::{Bounds, Factor, product};
use desc::automaton::{Automaton, Builder, EventId, StateId};
use std::time::Instant;

fn main() {
    println!("| parts | states | transitions | seconds | million transitions a second |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    [(6, 10), (20, 2), (3, 100)].into_iter().for_each(|(rings, states)| measure(rings, states));
}

/// A ring: it turns forwards on its own event, and backwards on the shared one.
fn ring(states: u32) -> Automaton {
    let mut builder = Builder::new(states as usize, 2);
    builder.initial(StateId(0));
    for state in 0..states {
        builder.transition(StateId(state), EventId(1), StateId((state + 1) % states));
        builder.transition(StateId(state), EventId(0), StateId((state + states - 1) % states));
    }
    builder.freeze()
}

fn measure(rings: u32, states: u32) {
    let automata: Vec<Automaton> = (0..rings).map(|_| ring(states)).collect();
    let events: Vec<[EventId; 2]> = (0..rings).map(|at| [EventId(0), EventId(at + 1)]).collect();
    let factors: Vec<Factor<'_>> =
        automata.iter().zip(&events).map(|(automaton, events)| Factor { automaton, events }).collect();
    let bounds = Bounds { states: 1 << 24, transitions: 1 << 28, resources: desc::resources::Resources::default() };
    let start = Instant::now();
    let built = product(&factors, rings as usize + 1, bounds).expect("it fits");
    let time = start.elapsed().as_secs_f64();
    let (states, transitions) = (built.automaton().n_states(), built.automaton().n_transitions());
    println!("| {rings} | {states} | {transitions} | {time:.2} | {:.1} |", transitions as f64 / time / 1e6);
}
