//! `.fsm` of UMDES and of VEiP: four columns parted by tabs, a final newline.

use super::Sheet;
use crate::automaton::view::Observability;
use crate::automaton::{EventId, StateId};
use std::fmt::Write;

/// The event that stands for no event.
const EMPTY_TRACE: &str = "EMPTY_TRACE";

pub(super) fn write(sheet: &mut Sheet<'_>, veip: bool) {
    let format = if veip { "VEiP's .fsm" } else { "an .fsm file" };
    sheet.require(format, "no tabs, no line breaks, no surrounding blanks, not empty, not EMPTY_TRACE", |name| {
        !name.is_empty() && !name.contains(['\t', '\n', '\r']) && name.trim() == name && name != EMPTY_TRACE
    });
    if !veip {
        sheet.lose_initial(format);
        sheet.lose_secret(format);
    }
    sheet.lose_anonymous(format);
    sheet.lose_the_rest(format);
    let automaton = sheet.system.automaton.clone();
    let counts = match veip {
        true => format!("{}\t{}", automaton.n_states(), automaton.initial().len()),
        false => automaton.n_states().to_string(),
    };
    sheet.line(counts);
    let mut used = vec![false; automaton.n_events()];
    for state in sheet.initial_first() {
        sheet.line("");
        let mark = u8::from(veip && !sheet.is_secret(state));
        header(sheet, state, mark, automaton.steps(state).len());
        for step in automaton.steps(state) {
            used[step.event.index()] = true;
            transition(sheet, step.event, step.target);
        }
    }
    let idle: Vec<EventId> = automaton.events().filter(|event| !used[event.index()]).collect();
    if !idle.is_empty() {
        sheet.line("\nEVENTS");
    }
    for event in idle {
        let line = format!("{}\tc\t{}", sheet.event(event), flag(sheet, event));
        sheet.line(line);
    }
}

fn header(sheet: &mut Sheet<'_>, state: StateId, mark: u8, count: usize) {
    let name = &sheet.states[state.index()];
    let _ = writeln!(sheet.text, "{name}\t{mark}\t{count}");
}

fn transition(sheet: &mut Sheet<'_>, event: EventId, target: StateId) {
    let flag = flag(sheet, event);
    let (event, target) = (&sheet.events[event.index()], &sheet.states[target.index()]);
    let _ = writeln!(sheet.text, "{event}\t{target}\tc\t{flag}");
}

fn flag(sheet: &Sheet<'_>, event: EventId) -> &'static str {
    if sheet.observability(event) == Observability::Silent { "uo" } else { "o" }
}
