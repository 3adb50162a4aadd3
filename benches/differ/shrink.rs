//! Makes a case smaller while something stays true of it.

use crate::support::random::{Case, with_states};
use desc::automaton::view::{Observability, Observer, Projection};
use desc::automaton::{Builder, EventId, StateId};
use desc::model::Property;

/// The smallest case that is found by taking things away one by one.
pub fn shrink(case: &Case, wrong: impl Fn(&Case) -> bool) -> Case {
    let mut small = case.clone();
    while let Some(smaller) = smaller(&small).into_iter().find(|case| wrong(case)) {
        small = smaller;
    }
    small
}

/// The same case with one thing less, the largest steps first.
fn smaller(case: &Case) -> Vec<Case> {
    let automaton = &case.automaton;
    let mut all = Vec::new();
    let states = (0..automaton.n_states()).rev().filter(|_| automaton.n_states() > 1);
    all.extend(states.map(|state| without_state(case, state)));
    let events = (0..automaton.n_events()).rev().filter(|_| automaton.n_events() > 1);
    all.extend(events.map(|event| without_event(case, event)));
    all.extend((0..automaton.n_transitions()).map(|at| rebuilt(case, &|place| place != at, &|_| true)));
    if automaton.initial().len() > 1 {
        all.extend((0..automaton.initial().len()).map(|at| rebuilt(case, &|_| true, &|place| place != at)));
    }
    all.extend(simpler_views(case));
    all.extend(simpler_properties(case));
    // A system without an initial state is no model.
    all.retain(|case| !case.automaton.initial().is_empty());
    all
}

/// The same with only some transitions and initial states, by their places.
fn rebuilt(case: &Case, keeps: &dyn Fn(usize) -> bool, starts: &dyn Fn(usize) -> bool) -> Case {
    let mut builder = Builder::new(case.automaton.n_states(), case.automaton.n_events());
    let initial = case.automaton.initial().iter().enumerate().filter(|(at, _)| starts(*at));
    initial.for_each(|(_, &state)| builder.initial(state));
    for (_, source, step) in case.automaton.transitions().enumerate().filter(|(at, _)| keeps(*at)).map(|(_, it)| it) {
        builder.transition(source, step.event, step.target);
    }
    Case { automaton: builder.freeze(), ..case.clone() }
}

fn without_state(case: &Case, gone: usize) -> Case {
    let place = |state: StateId| match state.index() {
        at if at == gone => None,
        at => Some(StateId::from_index(at - usize::from(at > gone))),
    };
    let mut builder = Builder::new(case.automaton.n_states() - 1, case.automaton.n_events());
    case.automaton.initial().iter().filter_map(|&state| place(state)).for_each(|state| builder.initial(state));
    for (_, source, step) in case.automaton.transitions() {
        if let (Some(source), Some(target)) = (place(source), place(step.target)) {
            builder.transition(source, step.event, target);
        }
    }
    let sources: Vec<Option<StateId>> =
        case.automaton.states().filter(|state| state.index() != gone).map(Some).collect();
    let property = with_states(&case.property, &sources);
    Case { automaton: builder.freeze(), property, ..case.clone() }
}

fn without_event(case: &Case, gone: usize) -> Case {
    let mut builder = Builder::new(case.automaton.n_states(), case.automaton.n_events() - 1);
    case.automaton.initial().iter().for_each(|&state| builder.initial(state));
    for (_, source, step) in case.automaton.transitions().filter(|(_, _, step)| step.event.index() != gone) {
        let at = step.event.index();
        builder.transition(source, EventId::from_index(at - usize::from(at > gone)), step.target);
    }
    let mut observabilities = case.observer.observabilities().to_vec();
    observabilities.remove(gone);
    Case { automaton: builder.freeze(), observer: Observer::new(observabilities), ..case.clone() }
}

fn simpler_views(case: &Case) -> Vec<Case> {
    let seen = |at: usize| {
        let mut observabilities = case.observer.observabilities().to_vec();
        observabilities[at] = Observability::Visible;
        Case { observer: Observer::new(observabilities), ..case.clone() }
    };
    let hidden = case
        .observer
        .observabilities()
        .iter()
        .enumerate()
        .filter(|(_, observability)| **observability != Observability::Visible);
    let mut all: Vec<Case> = hidden.map(|(at, _)| seen(at)).collect();
    match case.projection {
        Projection::Weak => all.push(Case { projection: Projection::Strong, ..case.clone() }),
        Projection::Strong => all.push(Case { projection: Projection::Natural, ..case.clone() }),
        Projection::Natural => {}
    }
    all
}

fn simpler_properties(case: &Case) -> Vec<Case> {
    let with = |property: Property| Case { property, ..case.clone() };
    match &case.property {
        Property::Opacity { secret } => {
            let without = |gone: StateId| secret.iter().filter(|&state| state != gone).collect();
            secret.iter().map(|gone| with(Property::Opacity { secret: without(gone) })).collect()
        }
        Property::OfParts(_) => Vec::new(),
        Property::Throughout { secret } => vec![with(Property::Opacity { secret: secret.clone() })],
        Property::InitialFinal { to, .. } => vec![with(Property::Opacity { secret: to.clone() })],
        Property::Anonymity { among, classes, except } => {
            let of = |among, classes, except| Property::Anonymity { among, classes, except };
            let fewer = (*among > 2).then(|| of(among - 1, classes.clone(), except.clone()));
            let plain = classes.as_ref().map(|_| of(*among, None, except.clone()));
            let whole = except.as_ref().map(|_| of(*among, classes.clone(), None));
            fewer.into_iter().chain(plain).chain(whole).map(with).collect()
        }
    }
}
