//! Algorithms 1, 2 and 3 of the paper, step by step.

use super::Budget;
use super::adjoint::{self, single_states};
use super::composition::{Composition, compose};
use super::observer::{self, Subsets};
use super::plant::Plant;
use crate::automaton::view::{Observer, Projection, View};
use crate::automaton::{Automaton, StateSet};
use crate::resources::Stop;

/// Algorithm 1: whether a system is K-step strongly anonymous; without K, infinite-step.
pub fn strong(
    automaton: &Automaton,
    observer: &Observer,
    steps: Option<u64>,
    budget: &mut Budget<'_>,
) -> Result<bool, Stop> {
    verification(View { automaton, observer, projection: Projection::Strong }, steps, budget)
}

/// Algorithm 2: whether a system is K-step weakly anonymous; without K, infinite-step.
pub fn weak(
    automaton: &Automaton,
    observer: &Observer,
    steps: Option<u64>,
    budget: &mut Budget<'_>,
) -> Result<bool, Stop> {
    verification(View { automaton, observer, projection: Projection::Weak }, steps, budget)
}

/// What algorithm 3 puts out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaximalK {
    /// "∞": infinite-step anonymous.
    Infinite,
    /// "NA": not even 0-step anonymous.
    NotAny,
    /// k - 1.
    Steps(u64),
}

/// Algorithm 3: the maximal K for which a system is K-step anonymous.
pub fn maximal(view: View<'_>, budget: &mut Budget<'_>) -> Result<MaximalK, Stop> {
    let plant = Plant::new(view, budget)?;
    let observer = observer::observer(&plant, budget)?;
    let composition = composition(&plant, &observer, budget)?;
    Ok(match composition.exposure() {
        None => MaximalK::Infinite,
        Some(0) => MaximalK::NotAny,
        Some(least) => MaximalK::Steps(least - 1),
    })
}

/// The body that algorithms 1 and 2 have in common.
fn verification(view: View<'_>, steps: Option<u64>, budget: &mut Budget<'_>) -> Result<bool, Stop> {
    let plant = Plant::new(view, budget)?;
    let observer = observer::observer(&plant, budget)?;
    let is_single = |set| {
        let states: StateSet = observer.set(set).iter().map(|&node| plant.state(node)).collect();
        states.len() == 1 // |m(x_obs)| = 1
    };
    if observer.ids().any(is_single) {
        return Ok(false);
    }
    let composition = composition(&plant, &observer, budget)?;
    let within = |least: u64| steps.is_none_or(|steps| least <= steps);
    Ok(!composition.exposure().is_some_and(within))
}

fn composition(plant: &Plant, observer: &Subsets, budget: &mut Budget<'_>) -> Result<Composition, Stop> {
    let rows = adjoint::table(plant, observer, &single_states(), budget)?;
    let modified = observer::modified(plant, &rows, budget)?;
    let composition = compose(&plant.variant(), observer, &modified, &rows, budget);
    composition.stopped().map_or(Ok(composition), Err)
}
