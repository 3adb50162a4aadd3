//! Factors that share no event: their sizes multiply, so they are counted apart before anything is built.

use super::search::explore;
use super::{Bounds, Exceeded, Factor};
use crate::automaton::parts::Parts;
use crate::automaton::{Automaton, StateId};

/// The size of a product of groups that share nothing is the product of their sizes.
pub(super) fn count_apart(
    factors: &[Factor<'_>],
    groups: &[Vec<usize>],
    n_events: usize,
    bounds: Bounds<'_>,
) -> Result<(), Exceeded> {
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
pub(super) fn independent(factors: &[Factor<'_>], n_events: usize) -> Vec<Vec<usize>> {
    let mut parts = Parts::new(factors.len());
    let mut owner: Vec<Option<usize>> = vec![None; n_events];
    for (at, factor) in factors.iter().enumerate() {
        for event in factor.events {
            let first = *owner[event.index()].get_or_insert(at);
            parts.join(first as u32, at as u32);
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); factors.len()];
    (0..factors.len()).for_each(|at| groups[parts.first(at as u32) as usize].push(at));
    groups.retain(|group| !group.is_empty());
    groups
}
