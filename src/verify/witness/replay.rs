//! From a run to a witness, by the definitions and before anyone sees it.
//!
//! The run must be a run of the automaton; what it shows is αβ; and the delayed estimate at α must be not empty and inside an
//! exposed set. Throughout: no run that shows αβ avoids the secret states after α. Initial-final: none began elsewhere, and the
//! delayed estimate is inside `to`. All of it is computed here and in [`estimate`](super::estimate), which share nothing with the search.

use super::estimate::{delayed, delayed_from, some_avoids};
use crate::automaton::view::{Symbol, View};
use crate::automaton::{EventId, StateId, StateSet};
use crate::model::{Horizon, Property};
use crate::resources::{Monitor, Stop};
use crate::verdict::{Run, Witness};
use crate::verify::exposed_sets::ExposedSets;

/// Why there is no witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It would be wrong: what is wrong with it.
    Wrong(String),
    /// There was no time or no memory to replay it.
    Stopped(Stop),
}

impl From<Stop> for Refused {
    fn from(stop: Stop) -> Refused {
        Refused::Stopped(stop)
    }
}

fn wrong<T>(what: &str) -> Result<T, Refused> {
    Err(Refused::Wrong(what.to_owned()))
}

/// The witness of a run that is exposed at |α| = `at`.
pub(crate) fn witness(
    view: &View<'_>,
    property: &Property,
    run: Run,
    at: usize,
    initial: bool,
    monitor: &mut Monitor<'_>,
) -> Result<Witness, Refused> {
    monitor.spend(run.states.len() as u64)?;
    if !is_run(view, &run) {
        return wrong("the run is not a run of the automaton");
    }
    let observation = view.project(&run.events);
    if at > observation.len() || (initial && at != 0) {
        return wrong("the instant lies outside the observation");
    }
    let (estimate, is_exposed) = exposure(view, property, &observation, (at, initial), monitor)?;
    if !is_exposed {
        return wrong("the delayed estimate is not exposed");
    }
    Ok(Witness { observation, at, exposed: estimate, run })
}

/// A run that was exposed under another view, the number of its events up to the instant α, and how late the intruder may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suspect<'r> {
    pub(crate) run: &'r Run,
    pub(crate) before: usize,
    pub(crate) horizon: Horizon,
}

/// The witness that a run is one under this view, too; none: it is not exposed at that instant. What the view cannot do ends the run.
pub(crate) fn again(
    view: &View<'_>,
    property: &Property,
    suspect: Suspect<'_>,
    monitor: &mut Monitor<'_>,
) -> Result<Option<Witness>, Stop> {
    let Suspect { run, before, horizon } = suspect;
    let possible = possible_steps(view, run);
    monitor.spend(run.states.len() as u64)?;
    if possible < before {
        return Ok(None);
    }
    let initial = horizon == Horizon::Initial;
    let at = if initial { 0 } else { view.project(&run.events[..before]).len() };
    let most = match horizon {
        Horizon::Steps(steps) | Horizon::Exactly(steps) => usize::try_from(steps).unwrap_or(usize::MAX),
        Horizon::Infinite | Horizon::Initial => usize::MAX,
    };
    let shown = first_showing(view, &run.events[..possible], at.saturating_add(most));
    let run = Run { states: run.states[..=shown].to_vec(), events: run.events[..shown].to_vec() };
    let observation = view.project(&run.events);
    let (exposed, is_exposed) = exposure(view, property, &observation, (at, initial), monitor)?;
    Ok(is_exposed.then_some(Witness { observation, at, exposed, run }))
}

/// How many steps of a run the automaton has.
fn possible_steps(view: &View<'_>, run: &Run) -> usize {
    let steps = run.events.iter().zip(run.states.windows(2));
    steps.take_while(|&(&event, ends)| view.automaton.find(ends[0], event, ends[1]).is_some()).count()
}

/// The longest prefix of a string that shows at most so many labels.
fn first_showing(view: &View<'_>, string: &[EventId], most: usize) -> usize {
    let mut shown = 0;
    let fits = |sign: &Option<Symbol>| {
        shown += usize::from(sign.is_some());
        shown <= most
    };
    view.signs(string).take_while(fits).count()
}

/// How many events of a run of a view show what was seen up to α.
pub(crate) fn events_before(view: &View<'_>, witness: &Witness) -> usize {
    let mut shown = 0;
    let events = view.signs(&witness.run.events);
    let seen = events.take_while(|sign| {
        let goes_on = shown < witness.at;
        shown += usize::from(sign.is_some());
        goes_on
    });
    seen.count()
}

/// The delayed estimate, and whether what it says is forbidden.
fn exposure(
    view: &View<'_>,
    property: &Property,
    observation: &[Symbol],
    (at, initial): (usize, bool),
    monitor: &mut Monitor<'_>,
) -> Result<(StateSet, bool), Stop> {
    let estimate = delayed(view, observation, at, initial, monitor)?;
    let is_exposed = match property {
        Property::Anonymity { .. } | Property::Opacity { .. } => {
            ExposedSets::of(property, view.automaton.n_states()).exposes(&estimate)
        }
        Property::Throughout { secret } => {
            !estimate.is_empty() && !some_avoids(view, secret, observation, at, monitor)?
        }
        Property::InitialFinal { from, to } => {
            let elsewhere = |state: &StateId| !from.contains(*state);
            let others = delayed_from(view, elsewhere, observation, at, monitor)?;
            others.is_empty() && !estimate.is_empty() && estimate.iter().all(|state| to.contains(state))
        }
        Property::OfParts(_) => false,
    };
    Ok((estimate, is_exposed))
}

/// Checks a witness that was found in another way.
pub(crate) fn replay(
    view: &View<'_>,
    property: &Property,
    found: &Witness,
    initial: bool,
    monitor: &mut Monitor<'_>,
) -> Result<(), Refused> {
    let again = witness(view, property, found.run.clone(), found.at, initial, monitor)?;
    if again.observation != found.observation {
        return wrong("the run does not show the observation");
    }
    if again.exposed != found.exposed {
        return wrong("the delayed estimate differs");
    }
    Ok(())
}

fn is_run(view: &View<'_>, run: &Run) -> bool {
    let starts = run.states.first().is_some_and(|state| view.automaton.initial().binary_search(state).is_ok());
    let mut steps = run.events.iter().zip(run.states.windows(2));
    let linked = steps.all(|(&event, ends)| view.automaton.find(ends[0], event, ends[1]).is_some());
    starts && linked && run.states.len() == run.events.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::view::{Observability, Observer, Projection};
    use crate::automaton::{Automaton, Builder};
    use crate::resources::Resources;
    use crate::verify::{Options, decide};

    /// Two chains: a silent step, then one event each that tells them apart.
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
    fn replayed(initial: bool, change: impl Fn(&mut Witness)) -> Result<(), Refused> {
        let automaton = chains();
        let observer = Observer::new(vec![Observability::Visible, Observability::Visible, Observability::Silent]);
        let view = View { automaton: &automaton, observer: &observer, projection: Projection::Natural };
        let secret: Vec<StateId> = vec![StateId(0), StateId(1), StateId(2)];
        let property = Property::Opacity { secret: secret.into_iter().collect() };
        let horizon = if initial { Horizon::Initial } else { Horizon::Infinite };
        let finding = decide(&view, &property, horizon, &Options::default());
        let mut witness = finding.witness.expect("it is exposed");
        change(&mut witness);
        let mut monitor = Resources::default().monitor();
        replay(&view, &property, &witness, initial, &mut monitor)
    }

    #[test]
    fn a_witness_is_replayed_and_no_other_is() {
        for initial in [false, true] {
            assert_eq!(replayed(initial, |_| {}), Ok(()));
            let refused = |change: &dyn Fn(&mut Witness), why: &str| {
                let Err(Refused::Wrong(fault)) = replayed(initial, change) else { panic!("{why}") };
                assert!(fault.contains(why), "{fault}");
            };
            refused(&|witness| witness.run.states[0] = StateId(1), "not a run");
            refused(&|witness| witness.run.states[1] = StateId(4), "not a run");
            refused(&|witness| witness.run.states.truncate(1), "not a run");
            refused(&|witness| witness.observation[0] = Symbol::Event(EventId(1)), "does not show");
            refused(&|witness| witness.observation.clear(), "does not show");
            refused(&|witness| witness.at = 2, "outside the observation");
            refused(&|witness| witness.exposed = [StateId(0), StateId(3)].into_iter().collect(), "estimate differs");
            let other = |witness: &mut Witness| {
                let states = [3, 4, 5].map(StateId).to_vec();
                witness.run = Run { states, events: vec![EventId(2), EventId(1)] };
                witness.observation = vec![Symbol::Event(EventId(1))];
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
        let outside = Refused::Wrong("the instant lies outside the observation".to_owned());
        assert_eq!(replayed(true, |witness| witness.at = 1), Err(outside));
    }
}
