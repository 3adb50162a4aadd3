//! JSON of our own: carries every name, and all of the model but observers and checks.

use super::Sheet;
use crate::automaton::view::Observability;
use serde_json::Value;
use std::fmt::Write;

pub(super) fn write(sheet: &mut Sheet<'_>) {
    sheet.lose_the_rest("a .json file");
    let automaton = sheet.system.automaton.clone();
    let name = text(&sheet.system.name);
    sheet.line(format!("{{\n  \"name\": {name},"));
    let events = |sheet: &Sheet<'_>, wanted: &dyn Fn(Observability) -> bool| {
        strings(sheet.events_that(wanted).into_iter().map(|event| sheet.event(event)))
    };
    let mut lines = vec![
        ("states", strings(sheet.states.iter().map(AsRef::as_ref))),
        ("initial", strings(automaton.initial().iter().map(|&state| sheet.state(state)))),
    ];
    if let Some(secret) = &sheet.system.secret {
        lines.push(("secret", strings(secret.iter().map(|state| sheet.state(state)))));
    }
    lines.push(("events", strings(sheet.events.iter().map(AsRef::as_ref))));
    lines.push(("observable", events(sheet, &|observability| observability != Observability::Silent)));
    lines.push(("anonymous", events(sheet, &|observability| matches!(observability, Observability::Anonymous(_)))));
    for (key, value) in lines {
        sheet.line(format!("  \"{key}\": {value},"));
    }
    transitions(sheet);
    sheet.line("}");
}

fn transitions(sheet: &mut Sheet<'_>) {
    let automaton = sheet.system.automaton.clone();
    let states: Vec<String> = sheet.states.iter().map(|name| text(name)).collect();
    let events: Vec<String> = sheet.events.iter().map(|name| text(name)).collect();
    sheet.text.push_str("  \"transitions\": [");
    for (at, (_, source, step)) in automaton.transitions().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let (source, event, target) =
            (&states[source.index()], &events[step.event.index()], &states[step.target.index()]);
        let _ = write!(sheet.text, "{comma}\n    [{source}, {event}, {target}]");
    }
    sheet.line("\n  ]");
}

fn strings<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(text).collect();
    format!("[{}]", names.join(", "))
}

fn text(name: &str) -> String {
    Value::String(name.to_owned()).to_string()
}
