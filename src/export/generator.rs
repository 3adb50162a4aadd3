//! libFAUDES `.gen`.

use super::Sheet;
use crate::automaton::view::Observability;
use crate::automaton::{EventId, StateId};
use std::fmt::Write;

pub(super) fn write(sheet: &mut Sheet<'_>) {
    let format = "a .gen file";
    sheet.require(format, "`#` followed by a number is an index", |name| {
        !name.is_empty() && name.rsplit_once('#').is_none_or(|(_, index)| index.parse::<u64>().is_err())
    });
    sheet.lose_anonymous(format);
    sheet.lose_secret(format);
    sheet.lose_the_rest(format);
    let automaton = sheet.system.automaton.clone();
    let name = quoted(&sheet.system.name);
    sheet.line(format!("<Generator>\n{name}\n\n<Alphabet>"));
    for event in automaton.events() {
        let flags = if sheet.observability(event) == Observability::Silent { " +o+" } else { "" };
        let line = format!("{}{flags}", quoted(sheet.event(event)));
        sheet.line(line);
    }
    sheet.line("</Alphabet>\n\n<States>");
    states(sheet, automaton.states());
    sheet.line("</States>\n\n<TransRel>");
    for (_, source, step) in automaton.transitions() {
        transition(sheet, source, step.event, step.target);
    }
    sheet.line("</TransRel>\n\n<InitStates>");
    states(sheet, automaton.initial().iter().copied());
    sheet.line("</InitStates>\n\n<MarkedStates>\n</MarkedStates>\n\n</Generator>");
}

fn states(sheet: &mut Sheet<'_>, states: impl Iterator<Item = StateId>) {
    for state in states {
        let name = written(sheet.state(state));
        sheet.line(name);
    }
}

fn transition(sheet: &mut Sheet<'_>, source: StateId, event: EventId, target: StateId) {
    let line = (written(sheet.state(source)), quoted(sheet.event(event)), written(sheet.state(target)));
    let _ = writeln!(sheet.text, "{} {} {}", line.0, line.1, line.2);
}

/// A state: an index if its name is a number.
fn written(name: &str) -> String {
    if name.parse::<u64>().is_ok_and(|index| index.to_string() == name) { name.to_owned() } else { quoted(name) }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;"))
}
