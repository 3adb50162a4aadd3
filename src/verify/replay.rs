//! Replays a witness from the definitions, before anyone sees it.
//!
//! The run must be a run of the automaton; it must show αβ; every estimate must be the set of states that strings showing
//! that prefix lead to; and the delayed estimate must be not empty and inside an exposed set. All of it is computed anew
//! here and in [`estimate`](super::estimate), which share nothing with the search.

use super::estimate::follow;
use super::exposed::Exposed;
use super::{Run, Witness};
use crate::automaton::view::View;

/// Checks a witness. The error says what is wrong with it.
pub(crate) fn replay(view: &View<'_>, exposed: &Exposed, witness: &Witness, initial: bool) -> Result<(), String> {
    is_run(view, &witness.run)?;
    if view.project(&witness.run.events) != witness.observation {
        return Err("the run does not show the observation".to_owned());
    }
    if witness.at > witness.observation.len() || (initial && witness.at != 0) {
        return Err("the instant lies outside the observation".to_owned());
    }
    let followed = follow(view, &witness.observation, witness.at, initial);
    if followed.estimates != witness.estimates {
        return Err("the estimates along the run differ".to_owned());
    }
    if followed.delayed != witness.exposed {
        return Err("the delayed estimate differs".to_owned());
    }
    if !exposed.exposes(&followed.delayed) {
        return Err("the delayed estimate is not exposed".to_owned());
    }
    Ok(())
}

fn is_run(view: &View<'_>, run: &Run) -> Result<(), String> {
    let starts = run.states.first().is_some_and(|state| view.automaton.initial().contains(state));
    let linked = run.states.len() == run.events.len() + 1
        && run
            .events
            .iter()
            .zip(run.states.windows(2))
            .all(|(&event, ends)| view.automaton.find(ends[0], event, ends[1]).is_some());
    if starts && linked { Ok(()) } else { Err("the run is not a run of the automaton".to_owned()) }
}
