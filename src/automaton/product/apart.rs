//! Factors that share no event: their sizes multiply, so they are counted apart before anything is built.

use super::search::explore;
use super::{Bounds, Exceeded, Factor};
use crate::automaton::union_find::UnionFind;
use crate::automaton::{Automaton, EventId, StateId};

/// The size of a product of groups that share nothing is the product of their sizes.
pub(super) fn count_apart(
    factors: &[Factor<'_>],
    groups: &[Vec<usize>],
    n_events: usize,
    bounds: Bounds<'_>,
) -> Result<(), Exceeded> {
    let mut size = 1u128;
    let mut numbers = Numbers { of: vec![u32::MAX; n_events], used: Vec::new() };
    for group in groups {
        let part = match group[..] {
            [alone] => reachable(factors[alone].automaton, bounds)?,
            _ => numbers.together(factors, group, bounds)?,
        };
        size = size.saturating_mul(part as u128);
        if size > bounds.states as u128 {
            return Err(Exceeded::States(bounds.states));
        }
    }
    Ok(())
}

/// Events by their numbers in one group: so that a group of many costs no more than its own events.
struct Numbers {
    /// The number of each event; `u32::MAX`: none.
    of: Vec<u32>,
    used: Vec<EventId>,
}

impl Numbers {
    /// How many states the product of a group has.
    fn together(&mut self, factors: &[Factor<'_>], group: &[usize], bounds: Bounds<'_>) -> Result<usize, Exceeded> {
        let renamed = |at: &usize| factors[*at].events.iter().map(|&event| self.number(event)).collect();
        let events: Vec<Vec<EventId>> = group.iter().map(renamed).collect();
        let chosen = group.iter().zip(&events).map(|(&at, events)| Factor { automaton: factors[at].automaton, events });
        let chosen: Vec<Factor<'_>> = chosen.collect();
        let explored = explore(&chosen, self.used.len(), bounds);
        self.used.drain(..).for_each(|event| self.of[event.index()] = u32::MAX);
        explored.map(|product| product.automaton.n_states())
    }

    fn number(&mut self, event: EventId) -> EventId {
        let number = &mut self.of[event.index()];
        if *number == u32::MAX {
            *number = self.used.len() as u32;
            self.used.push(event);
        }
        EventId(*number)
    }
}

/// How many states of an automaton can be reached.
fn reachable(automaton: &Automaton, bounds: Bounds<'_>) -> Result<usize, Exceeded> {
    let mut monitor = bounds.resources.monitor();
    let mut seen = vec![false; automaton.n_states()];
    let mut pending: Vec<StateId> = automaton.initial().to_vec();
    pending.iter().for_each(|state| seen[state.index()] = true);
    let mut count = pending.len();
    while let Some(state) = pending.pop() {
        let work = 1 + automaton.steps(state).len() as u64;
        monitor.spend(work).map_err(|stop| Exceeded::Stopped(stop, 0))?;
        for step in automaton.steps(state) {
            if !std::mem::replace(&mut seen[step.target.index()], true) {
                count += 1;
                pending.push(step.target);
            }
        }
    }
    Ok(count)
}

/// The factors in groups that share no event.
pub(super) fn independent(factors: &[Factor<'_>], n_events: usize) -> Vec<Vec<usize>> {
    let mut parts = UnionFind::new(factors.len());
    let mut owner: Vec<Option<usize>> = vec![None; n_events];
    for (at, factor) in factors.iter().enumerate() {
        for event in factor.events {
            let first = *owner[event.index()].get_or_insert(at);
            parts.union(first as u32, at as u32);
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); factors.len()];
    (0..factors.len()).for_each(|at| groups[parts.find(at as u32) as usize].push(at));
    groups.retain(|group| !group.is_empty());
    groups
}
