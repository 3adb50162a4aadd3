//! From a property that says more than the state at one instant to the opacity of a derived automaton.
//!
//! Each state has two copies, x and x + |X|, which remember one bit about the run:
//!
//! - *Throughout*: runs of the second copy avoid the secret states; a label (and the start) may enter it, nothing leaves it. All of
//!   the first copy is secret. So E(α|αβ) of the derived automaton has a member outside the secret iff some run that shows αβ
//!   visits no secret state from the state on that the last label of α enters. A run that avoids them for longer is there
//!   too, which changes nothing.
//! - *Initial-final*: runs of the second copy began in `from`; the secret are its states in `to`.
//!
//! A run of the derived automaton is a run of the automaton that shows the same, so verdict and distance are the same. Cost:
//! 2·|X| states, at most 3·|δ| transitions.

use crate::automaton::view::{Observability, View};
use crate::automaton::{Automaton, Builder, StateId, StateSet, Step};
use crate::model::Property;
use crate::resources::{Monitor, Stop};
use crate::verdict::Run;
use crate::verify::engine::tuning::Tuning;

/// An automaton whose opacity decides a property of another.
#[derive(Debug)]
pub(crate) struct Derived {
    pub(crate) automaton: Automaton,
    pub(crate) property: Property,
    n_states: u32,
}

/// The derived automaton of a property; none if exposed sets of states are all it says.
pub(crate) fn derive(view: &View<'_>, property: &Property, monitor: &mut Monitor<'_>) -> Result<Option<Derived>, Stop> {
    if property.has_exposed_sets() {
        return Ok(None);
    }
    let size = (view.automaton.n_states() + view.automaton.n_transitions()) as u64;
    monitor.hold(size * Tuning::DERIVED_BYTES)?;
    monitor.spend(size)?;
    Ok(match property {
        Property::Throughout { secret } => Some(throughout(view, secret)),
        Property::InitialFinal { from, to } => Some(initial_final(view.automaton, from, to)),
        Property::Anonymity { .. } | Property::Opacity { .. } => None,
        // INVARIANT: the parts are composed before a property of theirs is searched.
        Property::OfParts(_) => return Err(Stop::States),
    })
}

fn throughout(view: &View<'_>, secret: &StateSet) -> Derived {
    let n = view.automaton.n_states();
    let mut builder = Builder::new(2 * n, view.automaton.n_events());
    let second = |state: StateId| StateId::from_index(state.index() + n);
    let is_clean: Vec<bool> = view.automaton.states().map(|state| !secret.contains(state)).collect();
    for &state in view.automaton.initial() {
        builder.initial(state);
        if is_clean[state.index()] {
            builder.initial(second(state));
        }
    }
    for (_, source, Step { event, target }) in view.automaton.transitions() {
        builder.transition(source, event, target);
        if !is_clean[target.index()] {
            continue;
        }
        // WHY not silently: who was silently in a secret state since the label has not avoided them.
        if view.observer.observability(event) != Observability::Silent {
            builder.transition(source, event, second(target));
        }
        if is_clean[source.index()] {
            builder.transition(second(source), event, second(target));
        }
    }
    let property = Property::Opacity { secret: view.automaton.states().collect() };
    Derived { automaton: builder.freeze(), property, n_states: n as u32 }
}

fn initial_final(automaton: &Automaton, from: &StateSet, to: &StateSet) -> Derived {
    let n = automaton.n_states();
    let mut builder = Builder::new(2 * n, automaton.n_events());
    let second = |state: StateId| StateId::from_index(state.index() + n);
    for &state in automaton.initial() {
        builder.initial(if from.contains(state) { second(state) } else { state });
    }
    for (_, source, Step { event, target }) in automaton.transitions() {
        builder.transition(source, event, target);
        builder.transition(second(source), event, second(target));
    }
    let property = Property::Opacity { secret: to.iter().map(second).collect() };
    Derived { automaton: builder.freeze(), property, n_states: n as u32 }
}

impl Derived {
    /// The run of the automaton itself.
    pub(crate) fn original(&self, run: Run) -> Run {
        let states = run.states.iter().map(|state| StateId(state.0 % self.n_states)).collect();
        Run { states, ..run }
    }
}
