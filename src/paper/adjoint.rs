//! The adjoint table: who would still keep the intruder unsure.
//!
//! As(x, S) = UR(S \ {x}) for x in S (before eq. 3), and AS_w(x̂, S) = UR_w(S \ n(x̂, S)) with n(x̂, S) the nodes of S that
//! stand for the same state as x̂ (before eq. 8). Both are the case D = {x} of UR(S \ D), D ranging over the exposed sets
//! that hold x: the class of x, up to N - 1 classes together, or the secret.

use super::Budget;
use super::observer::{NodeSet, SetId, Subsets, reach};
use super::plant::{NodeId, Plant};
use crate::automaton::combinations::Combinations;
use crate::automaton::{StateId, StateSet};
use crate::model::{Classes, Property};
use crate::resources::Stop;
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
    Property::Anonymity { among: 2, classes: None, except: None }
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
            let others: NodeSet = nodes.iter().copied().filter(|&n| !exposed.contains(&plant.state(n))).collect();
            let adjoint = reach(plant, &others);
            budget.pay(64 + 4 * adjoint.len())?;
            rows.push(Row { set, node, adjoint });
        }
    }
    Ok(())
}

/// The exposed sets that hold a state, cut down to the states of the estimate. Of exposed sets inside each other only the
/// largest is given: its adjoint set is the smallest, and empties first.
fn exposed_sets(
    property: &Property,
    state: StateId,
    present: &BTreeSet<StateId>,
) -> Box<dyn Iterator<Item = BTreeSet<StateId>>> {
    match property {
        Property::Opacity { secret } if !secret.contains(state) => Box::new(std::iter::empty()),
        Property::Opacity { secret } => {
            Box::new(std::iter::once(secret.iter().filter(|state| present.contains(state)).collect()))
        }
        Property::Anonymity { classes, except: Some(except), .. } if is_inside(state, classes.as_ref(), except) => {
            Box::new(std::iter::empty())
        }
        Property::Anonymity { among, classes, except } => {
            let class = |state: StateId| classes.as_ref().map_or(state.0, |classes| classes.of[state.index()].0);
            let is_safe =
                |state: &StateId| except.as_ref().is_some_and(|except| is_inside(*state, classes.as_ref(), except));
            let exposable = present.iter().filter(|state| !is_safe(state));
            let by_class: Vec<(u32, StateId)> = exposable.map(|&state| (class(state), state)).collect();
            let own = class(state);
            let others: BTreeSet<u32> = by_class.iter().map(|pair| pair.0).filter(|&other| other != own).collect();
            let companions = Combinations::new(others.into_iter().collect(), among.saturating_sub(2) as usize);
            Box::new(companions.map(move |chosen| {
                let holds = |pair: &&(u32, StateId)| pair.0 == own || chosen.contains(&pair.0);
                by_class.iter().filter(holds).map(|pair| pair.1).collect()
            }))
        }
        Property::Throughout { .. } | Property::InitialFinal { .. } | Property::OfParts(_) => {
            panic!("a property without exposed sets has no adjoint table")
        }
    }
}

/// Whether the class of a state lies inside a set.
fn is_inside(state: StateId, classes: Option<&Classes>, set: &StateSet) -> bool {
    match classes {
        None => set.contains(state),
        Some(classes) => {
            let of_class = (0..classes.of.len()).filter(|&other| classes.of[other] == classes.of[state.index()]);
            of_class.map(StateId::from_index).all(|member| set.contains(member))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn among_three_exposes_pairs() {
        let present: BTreeSet<StateId> = [0, 1, 2].map(StateId).into();
        let property = Property::Anonymity { among: 3, classes: None, except: None };
        let sets: Vec<_> = exposed_sets(&property, StateId(1), &present).collect();
        assert_eq!(sets, [BTreeSet::from([StateId(0), StateId(1)]), BTreeSet::from([StateId(1), StateId(2)])]);
    }
}
