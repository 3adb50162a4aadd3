//! The adjoint table: who would still keep the intruder unsure.
//!
//! As(x, S) = UR(S \ {x}) for x in S (before eq. 3), and AS_w(x̂, S) = UR_w(S \ n(x̂, S)) with n(x̂, S) the nodes of S that
//! stand for the same state as x̂ (before eq. 8). Both are the case D = {x} of UR(S \ D), D ranging over the exposed sets
//! that hold x: the class of x, up to N - 1 classes together, or the secret.

use super::Budget;
use super::observer::{NodeSet, SetId, Subsets, reach};
use super::plant::{NodeId, Plant};
use crate::automaton::StateId;
use crate::model::Property;
use crate::verify::Stop;
use std::collections::BTreeSet;

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// S: a reachable set of the observer; for the initial-state property, the set of the initial nodes.
    pub set: SetId,
    /// x or x̂: where the system really is.
    pub node: NodeId,
    /// The rest of the estimate that lies outside the exposed set, closed under unobservable transitions.
    pub adjoint: NodeSet,
}

/// The paper's own property: no single state may be exposed.
pub fn single_states() -> Property {
    Property::Anonymity { among: 2, classes: None }
}

/// The rows of every non-empty reachable set, in its order.
pub fn table(
    plant: &Plant,
    observer: &Subsets,
    property: &Property,
    budget: &mut Budget<'_>,
) -> Result<Vec<Row>, Stop> {
    let mut rows = Vec::new();
    for set in observer.ids() {
        rows_of(plant, (set, observer.set(set)), property, budget, &mut rows)?;
    }
    Ok(rows)
}

/// The rows of the initial-state property: α = ε over X0 itself, not over UR(X0).
pub fn initial_table(
    plant: &Plant,
    observer: &Subsets,
    property: &Property,
    budget: &mut Budget<'_>,
) -> Result<Vec<Row>, Stop> {
    let mut rows = Vec::new();
    rows_of(plant, (observer.initial()[0], plant.initial()), property, budget, &mut rows)?;
    Ok(rows)
}

fn rows_of(
    plant: &Plant,
    (set, nodes): (SetId, &[NodeId]),
    property: &Property,
    budget: &mut Budget<'_>,
    rows: &mut Vec<Row>,
) -> Result<(), Stop> {
    let present: BTreeSet<StateId> = nodes.iter().map(|&node| plant.state(node)).collect();
    for &node in nodes {
        for exposed in exposed_sets(property, plant.state(node), &present) {
            budget.pay(64)?;
            let others: NodeSet = nodes.iter().copied().filter(|&n| !exposed.contains(&plant.state(n))).collect();
            rows.push(Row { set, node, adjoint: reach(plant, &others) });
        }
    }
    Ok(())
}

/// The exposed sets that hold a state, cut down to the states of the estimate. Of exposed sets inside each other only the
/// largest is given: its adjoint set is the smallest, and empties first.
fn exposed_sets(property: &Property, state: StateId, present: &BTreeSet<StateId>) -> Vec<BTreeSet<StateId>> {
    match property {
        Property::Opacity { secret } if !secret.contains(state) => Vec::new(),
        Property::Opacity { secret } => vec![secret.iter().filter(|state| present.contains(state)).collect()],
        Property::Anonymity { among, classes } => {
            let class = |state: StateId| classes.as_ref().map_or(state.0, |classes| classes.of[state.index()].0);
            let others: BTreeSet<u32> = present.iter().map(|&s| class(s)).filter(|&c| c != class(state)).collect();
            let others: Vec<u32> = others.into_iter().collect();
            let companions = choices(&others, (among.saturating_sub(2) as usize).min(others.len()));
            let holds = |chosen: &[u32], s: StateId| class(s) == class(state) || chosen.contains(&class(s));
            let exposed = |chosen: Vec<u32>| present.iter().copied().filter(|&s| holds(&chosen, s)).collect();
            companions.into_iter().map(exposed).collect()
        }
    }
}

/// All ways to choose `many` of the items.
fn choices(items: &[u32], many: usize) -> Vec<Vec<u32>> {
    if many == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &item) in items.iter().enumerate() {
        for mut rest in choices(&items[at + 1..], many - 1) {
            rest.insert(0, item);
            all.push(rest);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_all_the_subsets_of_a_size() {
        assert_eq!(choices(&[1, 2, 3], 2), [vec![1, 2], vec![1, 3], vec![2, 3]]);
        assert_eq!(choices(&[1, 2], 0), [Vec::<u32>::new()]);
    }

    #[test]
    fn among_three_exposes_pairs() {
        let present: BTreeSet<StateId> = [0, 1, 2].map(StateId).into();
        let property = Property::Anonymity { among: 3, classes: None };
        let sets = exposed_sets(&property, StateId(1), &present);
        assert_eq!(sets, [BTreeSet::from([StateId(0), StateId(1)]), BTreeSet::from([StateId(1), StateId(2)])]);
    }
}
