//! Checks the claim that no run has two acts of one agent, under which the weak projection tells no more than the strong one:
//! every agent is new wherever it acts, so two runs look alike iff their labels agree.
//!
//! Method: for each agent, the states after its acts are followed forward; none of them may have another act of it.

use super::checker::Checked;
use super::labels::{LabelKind, Labels, labels};
use crate::automaton::StateId;
use crate::automaton::view::{Projection, View};
use crate::resources::{Monitor, Stop};
use std::collections::BTreeSet;

/// Checks that the view is weak, and that no agent acts twice.
pub(super) fn check_once(view: &View<'_>, monitor: &mut Monitor<'_>) -> Checked {
    if view.projection != Projection::Weak {
        return Err("`once` is about the weak projection".into());
    }
    let Labels { labels, kinds, agents } = labels(view);
    let agent = |event: usize| {
        let label = labels[event] as usize;
        matches!(kinds[label], LabelKind::Anonymous(_)).then(|| agents[label])
    };
    let acting: BTreeSet<u32> = (0..labels.len()).filter_map(agent).collect();
    let visited = reached(view, view.automaton.initial().to_vec(), monitor)?;
    for acting in acting {
        let acts = |state: StateId| {
            view.automaton.steps(state).iter().filter(|step| agent(step.event.index()) == Some(acting))
        };
        let after =
            view.automaton.states().filter(|state| visited[state.index()]).flat_map(acts).map(|step| step.target);
        let after = reached(view, after.collect(), monitor)?;
        if view.automaton.states().any(|state| after[state.index()] && acts(state).next().is_some()) {
            return Err("an agent acts twice".into());
        }
    }
    Ok(())
}

/// The states that can be reached from some states.
fn reached(view: &View<'_>, mut pending: Vec<StateId>, monitor: &mut Monitor<'_>) -> Result<Vec<bool>, Stop> {
    let mut visited = vec![false; view.automaton.n_states()];
    monitor.spend(visited.len() as u64)?;
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut visited[state.index()], true) {
            let steps = view.automaton.steps(state);
            monitor.spend(1 + steps.len() as u64)?;
            pending.extend(steps.iter().map(|step| step.target));
        }
    }
    Ok(visited)
}
