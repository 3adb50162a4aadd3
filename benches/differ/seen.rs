//! Which cases occurred.

use crate::support::dice::Dice;
use crate::support::oracle::Distance;
use crate::support::random::{Case, with_states};
use desc::automaton::view::{Observability, Projection};
use desc::automaton::{Builder, StateId};
use desc::model::Property;
use std::collections::BTreeMap;

/// How often each case occurred: models, and among them those that hold.
#[derive(Default)]
pub struct Seen {
    counts: BTreeMap<&'static str, (u64, u64)>,
}

impl Seen {
    pub fn count(&mut self, case: &Case, distance: Distance) {
        for name in names(case) {
            let (all, holds) = self.counts.entry(name).or_default();
            *all += 1;
            *holds += u64::from(distance == Distance::Never);
        }
    }

    pub fn table(&self) -> String {
        let row = |(name, (all, holds)): (&&str, &(u64, u64))| format!("{name:32} {all:>9} {holds:>9}\n");
        let head = format!("{:32} {:>9} {:>9}\n", "case", "models", "hold");
        head + &self.counts.iter().map(row).collect::<String>()
    }
}

/// What is special about a case.
fn names(case: &Case) -> Vec<&'static str> {
    let automaton = &case.automaton;
    let observabilities = case.observer.observabilities();
    let hidden =
        observabilities.iter().filter(|observability| matches!(observability, Observability::Anonymous(_))).count();
    let enters = |state: StateId| automaton.transitions().any(|(_, _, step)| step.target == state);
    let isolated = |state: StateId| automaton.steps(state).is_empty() && !enters(state);
    let mut names = vec![match case.projection {
        Projection::Natural => "natural",
        Projection::Strong => "strong",
        Projection::Weak => "weak",
    }];
    names.push(match &case.property {
        Property::Opacity { .. } if case.initial => "opacity of the initial state",
        Property::Opacity { .. } => "opacity",
        Property::OfParts(_) => "of parts",
        Property::Throughout { .. } => "opacity throughout",
        Property::InitialFinal { .. } => "initial-final opacity",
        Property::Anonymity { except: Some(_), .. } => "except",
        Property::Anonymity { among: 2, classes: None, .. } => "anonymity",
        Property::Anonymity { among: 2, classes: Some(_), .. } => "about",
        Property::Anonymity { classes: None, .. } => "among",
        Property::Anonymity { classes: Some(_), .. } => "about, among",
    });
    let mut add = |is: bool, name: &'static str| names.extend(is.then_some(name));
    add(case.observer.n_groups() > 1, "several groups");
    add(hidden == 0, "nothing anonymous");
    add(hidden > 0 && case.projection == Projection::Weak, "weak, something anonymous");
    add(observabilities.contains(&Observability::Silent), "unobservable events");
    add(observabilities.iter().all(|observability| *observability == Observability::Silent), "nothing observable");
    add(has_silent_cycle(case), "unobservable cycle");
    add(automaton.initial().len() > 1, "several initial states");
    add(automaton.initial().is_empty(), "no initial state");
    add(automaton.states().any(isolated), "isolated states");
    add(automaton.states().any(|state| automaton.steps(state).is_empty() && enters(state)), "deadlocked states");
    names
}

fn has_silent_cycle(case: &Case) -> bool {
    let silent = |state: StateId| {
        let steps = case.automaton.steps(state).iter();
        steps.filter(|step| case.observer.observability(step.event) == Observability::Silent).map(|step| step.target)
    };
    case.automaton.states().any(|start| {
        let mut reached: Vec<StateId> = silent(start).collect();
        let mut at = 0;
        while at < reached.len() {
            let more: Vec<StateId> = silent(reached[at]).filter(|target| !reached.contains(target)).collect();
            reached.extend(more);
            at += 1;
        }
        reached.contains(&start)
    })
}

/// Some cases with states that nothing leads to, in the middle of the others; some of them initial.
pub fn scattered(case: Case, seed: u64) -> Case {
    let mut dice = Dice::new(seed ^ 0x5CA7_7E4D);
    if dice.chance(70) {
        return case;
    }
    let n_states = case.automaton.n_states();
    // WHY sometimes so many: a set of few states fits the engine's summary of it, and needs no further comparison.
    let more = if dice.chance(50) { 70 + dice.below(300) } else { 1 + dice.below(3) };
    let mut places: Vec<usize> = (0..n_states + more).collect();
    for at in 0..n_states {
        let other = at + dice.below(places.len() - at);
        places.swap(at, other);
    }
    places.truncate(n_states);
    let place = |state: StateId| StateId::from_index(places[state.index()]);
    let mut builder = Builder::new(n_states + more, case.automaton.n_events());
    case.automaton.initial().iter().for_each(|&state| builder.initial(place(state)));
    if dice.chance(30) {
        builder.initial(StateId::from_index(dice.below(n_states + more)));
    }
    for (_, source, step) in case.automaton.transitions() {
        builder.transition(place(source), step.event, place(step.target));
    }
    let mut sources = vec![None; n_states + more];
    case.automaton.states().for_each(|state| sources[place(state).index()] = Some(state));
    let property = with_states(&case.property, &sources);
    Case { automaton: builder.freeze(), property, ..case }
}
