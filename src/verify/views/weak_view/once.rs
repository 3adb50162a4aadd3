//! Whether no run has two acts of one agent: then the weak view is the strong one.
//!
//! Two runs look alike under Pw iff their labels agree, and the agent of each position is new in both, or old in both with the
//! same first position. If no agent acts twice in a run, every agent is new wherever it acts, and only the labels are left: the
//! runs look alike under Pstr. Cost: one backward reachability of the agents.

use super::events::{Reach, Role, Roles};
use crate::automaton::EventId;
use crate::automaton::view::View;
use crate::resources::{Monitor, Stop};

/// Whether no agent that may be taken for another one can act twice.
pub(crate) fn no_agent_acts_twice(view: &View<'_>, monitor: &mut Monitor<'_>) -> Result<bool, Stop> {
    let automaton = view.automaton;
    let words = automaton.n_events().div_ceil(64).max(1) as u64;
    monitor.spend((automaton.n_states() + automaton.n_transitions()) as u64 * words)?;
    let held = monitor.held();
    monitor.hold(
        (automaton.n_states() as u64 * (words + 3) + automaton.n_transitions() as u64) * size_of::<u64>() as u64,
    )?;
    let roles = Roles::new(view);
    if a_short_run_has_two_acts(view, &roles) {
        monitor.release_to(held);
        return Ok(false);
    }
    let reach = Reach::new(automaton, &roles);
    let acts_again = |event: u32, target: u32| {
        matches!(roles.role(event), Role::Anonymous(_)) && reach.has(target, roles.agent(event))
    };
    let reached = reachable(view);
    let mut steps = automaton.transitions().filter(|(_, source, _)| reached[source.index()]);
    let twice = steps.any(|(_, _, step)| acts_again(step.event.0, step.target.0));
    monitor.release_to(held);
    Ok(!twice)
}

/// Whether an agent acts twice on a run that always takes the first step to a new state: mostly where some agent does at all.
fn a_short_run_has_two_acts(view: &View<'_>, roles: &Roles) -> bool {
    let acting = |event: EventId| matches!(roles.role(event.0), Role::Anonymous(_)).then(|| roles.agent(event.0));
    let Some(&start) = view.automaton.initial().first() else { return false };
    let (mut visited, mut acted) = (vec![start], Vec::new());
    while let Some(&state) = visited.last().filter(|_| visited.len() < LONGEST_RUN) {
        let steps = view.automaton.steps(state);
        if steps.iter().filter_map(|step| acting(step.event)).any(|agent| acted.contains(&agent)) {
            return true;
        }
        let Some(step) = steps.iter().find(|step| !visited.contains(&step.target)) else { return false };
        acted.extend(acting(step.event));
        visited.push(step.target);
    }
    false
}

/// The most states of a run that is looked at before all are.
const LONGEST_RUN: usize = 32;

/// The states that some run visits.
fn reachable(view: &View<'_>) -> Vec<bool> {
    let mut visited = vec![false; view.automaton.n_states()];
    let mut pending = view.automaton.initial().to_vec();
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut visited[state.index()], true) {
            pending.extend(view.automaton.steps(state).iter().map(|step| step.target));
        }
    }
    visited
}
