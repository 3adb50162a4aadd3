//! Aldebaran `.aut`: states are numbers, labels are quoted, `tau` and `i` are silent.

use super::{Sheet, list, option};
use crate::automaton::StateId;
use crate::automaton::view::Observability;
use std::fmt::Write;

pub(super) fn write(sheet: &mut Sheet<'_>) {
    let format = "an .aut file";
    let states_are_numbers = sheet.states.iter().enumerate().all(|(at, name)| *name == at.to_string());
    if !states_are_numbers {
        sheet.warn(format!("{format} numbers the states: their names are not written"), None);
        sheet.states = (0..sheet.states.len()).map(|state| state.to_string().into()).collect();
    }
    if let Some(name) = sheet.events.iter().find(|name| name.contains(['\n', '\r'])).map(|name| name.to_string()) {
        sheet.require(format, "no line breaks", |other| other != name);
    }
    sheet.lose_initial(format);
    lose_silence(sheet, format);
    sheet.lose_anonymous(format);
    sheet.lose_secret(format);
    sheet.lose_the_rest(format);
    body(sheet);
}

fn body(sheet: &mut Sheet<'_>) {
    let automaton = sheet.system.automaton.clone();
    let initial = automaton.initial().first().copied().unwrap_or(StateId(0));
    let header = format!("des ({},{},{})", initial.0, automaton.n_transitions(), automaton.n_states());
    sheet.line(header);
    for (_, source, step) in automaton.transitions() {
        let label = &sheet.events[step.event.index()];
        let _ = writeln!(sheet.text, "({},\"{label}\",{})", source.0, step.target.0);
    }
}

/// Only `tau` and `i` are silent there, and they always are.
fn lose_silence(sheet: &mut Sheet<'_>, format: &str) {
    let silent_there = |name: &str| name == "tau" || name == "i";
    for silent in [true, false] {
        let events = sheet.events_that(|observability| (observability == Observability::Silent) == silent);
        let lost: Vec<&str> =
            events.iter().map(|&event| sheet.event(event)).filter(|name| silent_there(name) != silent).collect();
        if lost.is_empty() {
            continue;
        }
        let names = list(lost.into_iter());
        let (word, flag) = if silent { ("unobservable", "--unobservable") } else { ("observable", "--observable") };
        let message = format!("{format} cannot mark events as {word}: {names}");
        sheet.warn(message, Some(format!("when reading it back, add `{flag} {}`", option(&names))));
    }
}
