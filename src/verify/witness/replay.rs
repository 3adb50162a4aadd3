//! Replays a witness from the definitions, before it is reported.
//!
//! The run must be a run of the automaton; it must show αβ; every estimate must be the set of states that strings showing that
//! prefix lead to; and the delayed estimate must be not empty and inside an exposed set. All of it is computed here and in
//! [`estimate`](super::estimate), which share no code with the search.

use super::estimate::follow;
use crate::automaton::view::View;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::{Run, Witness};

/// Checks a witness. The error says what is wrong with it.
pub(crate) fn replay(view: &View<'_>, exposed: &ExposedSets, witness: &Witness, initial: bool) -> Result<(), String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::view::{Observer, Projection, Sight, Sign};
    use crate::automaton::{Automaton, Builder, EventId, StateId};
    use crate::model::{Horizon, Property};
    use crate::verify::{Options, decide};

    /// Two chains: a silent step, then one event each that distinguishes them.
    fn chains() -> Automaton {
        let mut builder = Builder::new(6, 3);
        let edges = [(0, 2, 1), (1, 0, 2), (3, 2, 4), (4, 1, 5)];
        for (source, event, target) in edges {
            builder.transition(StateId(source), EventId(event), StateId(target));
        }
        [0, 3].into_iter().for_each(|state| builder.initial(StateId(state)));
        builder.freeze()
    }

    /// Replays what a change makes of the witness that the search finds.
    fn replayed(initial: bool, change: impl Fn(&mut Witness)) -> Result<(), String> {
        let automaton = chains();
        let observer = Observer::new(vec![Sight::Visible, Sight::Visible, Sight::Silent]);
        let view = View { automaton: &automaton, observer: &observer, projection: Projection::Natural };
        let secret: Vec<StateId> = vec![StateId(0), StateId(1), StateId(2)];
        let property = Property::Opacity { secret: secret.into_iter().collect() };
        let horizon = if initial { Horizon::Initial } else { Horizon::Infinite };
        let finding = decide(&view, &property, horizon, &Options::default());
        let mut witness = finding.witness.expect("it is exposed");
        change(&mut witness);
        replay(&view, &ExposedSets::of(&property, automaton.n_states()), &witness, initial)
    }

    #[test]
    fn a_witness_is_replayed_and_no_other_is() {
        for initial in [false, true] {
            assert_eq!(replayed(initial, |_| {}), Ok(()));
            let refused = |change: &dyn Fn(&mut Witness), why: &str| {
                let fault = replayed(initial, change).expect_err(why);
                assert!(fault.contains(why), "{fault}");
            };
            refused(&|witness| witness.run.states[0] = StateId(1), "not a run");
            refused(&|witness| witness.run.states[1] = StateId(4), "not a run");
            refused(&|witness| witness.run.states.truncate(1), "not a run");
            refused(&|witness| witness.observation[0] = Sign::Event(EventId(1)), "does not show");
            refused(&|witness| witness.observation.clear(), "does not show");
            refused(&|witness| witness.at = 2, "outside the observation");
            refused(&|witness| witness.estimates[0] = [StateId(0)].into_iter().collect(), "estimates along");
            refused(&|witness| witness.exposed = [StateId(0), StateId(3)].into_iter().collect(), "estimate differs");
            let other = |witness: &mut Witness| {
                let states = [3, 4, 5].map(StateId).to_vec();
                witness.run = Run { states, events: vec![EventId(2), EventId(1)] };
                witness.observation = vec![Sign::Event(EventId(1))];
                witness.estimates[1] = [StateId(5)].into_iter().collect();
                let at = if initial {
                    vec![3]
                } else if witness.at == 0 {
                    vec![3, 4]
                } else {
                    vec![5]
                };
                witness.exposed = at.into_iter().map(StateId).collect();
            };
            refused(&other, "not exposed");
        }
        assert!(replayed(true, |witness| witness.at = 1).is_err_and(|fault| fault.contains("outside")));
    }
}
