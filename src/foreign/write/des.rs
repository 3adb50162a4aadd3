//! `.des` itself: what `desc import` writes of a foreign model, and what `desc export --to des` writes of a system.
//!
//! Transitions between the same two states stand together: `A -{a, b}-> B;`. Names that are not identifiers are quoted.

use super::Sheet;
use crate::automaton::view::{GroupId, Sight};
use crate::foreign::{Foreign, Part};
use crate::model::OWN;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Words that a name must not be without quotes.
const KEYWORDS: &[&str] = &[
    "about",
    "against",
    "among",
    "anonymity",
    "anonymous",
    "as",
    "check",
    "component",
    "compose",
    "const",
    "else",
    "estimate",
    "events",
    "exactly",
    "false",
    "for",
    "given",
    "if",
    "import",
    "in",
    "initial",
    "measure",
    "natural",
    "not",
    "observable",
    "observer",
    "opacity",
    "projection",
    "secret",
    "states",
    "strong",
    "system",
    "true",
    "unobservable",
    "weak",
];

/// A name as it is written in `.des`: as it is, or in quotes.
pub fn name(text: &str) -> Cow<'_, str> {
    let identifier = !text.is_empty()
        && text.chars().enumerate().all(|(at, c)| c == '_' || c.is_alphabetic() || (at > 0 && c.is_numeric()))
        && text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric() || (c.is_alphabetic() && c != 'γ'));
    let integer =
        text == "0" || (!text.starts_with('0') && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
    if (identifier && text != "_" && !KEYWORDS.contains(&text)) || (integer && text.len() <= 18) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
    }
}

/// Whether a name can stand in a `.des` file at all: quoted names hold no line breaks and no control characters.
pub fn can_write(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

/// A foreign model as `.des`: one system, or components and their composition. `stem` names it if the file does not.
pub fn foreign(model: &Foreign, stem: &str, origin: &str) -> String {
    let mut text = format!("/// Imported from {}.\n", origin.replace(['\n', '\r'], " "));
    let system = identifier(model.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(stem), "Imported");
    if let [part] = model.parts.as_slice() {
        notes(&mut text, part);
        body(&mut text, "system", &system, &Body::of(part));
        return text;
    }
    let mut composed = Vec::new();
    let mut taken = FxHashSet::from_iter([system.clone()]);
    for (at, part) in model.parts.iter().enumerate() {
        let mut own = identifier(&part.name, "part");
        while !taken.insert(own.clone()) {
            own = format!("{own}_{at}");
        }
        notes(&mut text, part);
        body(&mut text, "component", &own, &Body::of(part));
        text.push('\n');
        composed.push((own, at));
    }
    let members: Vec<String> = composed.iter().map(|(component, at)| format!("part[{at}] = {component}")).collect();
    let _ = writeln!(text, "system {system} {{\n    compose {};\n}}", members.join(", "));
    text
}

/// The same text in the layout of `desc fmt`; text that the formatter refuses stays as it is.
pub fn laid_out(text: String) -> String {
    crate::format::format_text("model.des", &text).unwrap_or(text)
}

/// A name for a system or a component: an identifier as near to the text as possible.
pub fn identifier(text: &str, otherwise: &str) -> String {
    let plain: String = text.chars().map(|c| if c == '_' || c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match plain.chars().next() {
        None => otherwise.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("{otherwise}_{plain}"),
        Some(_) if plain.chars().all(|c| c == '_') => otherwise.to_owned(),
        Some(_) if KEYWORDS.contains(&plain.as_str()) => format!("{plain}_"),
        Some(_) => plain,
    }
}

fn notes(text: &mut String, part: &Part) {
    for note in &part.notes {
        let _ = writeln!(text, "/// {}.", note.replace(['\n', '\r'], " "));
    }
}

/// What a system or component says, as names in `.des`.
struct Body {
    states: Vec<String>,
    initial: Vec<u32>,
    events: Vec<String>,
    unobservable: Vec<u32>,
    anonymous: Vec<(Option<String>, Vec<u32>)>,
    secret: Option<Vec<u32>>,
    transitions: Vec<(u32, u32, u32)>,
    rest: Vec<String>,
}

impl Body {
    fn of(part: &Part) -> Body {
        let all = 0..part.events.len() as u32;
        let anonymous: Vec<u32> = all.clone().filter(|&event| part.facts[event as usize].anonymous).collect();
        Body {
            states: part.states.iter().map(|state| name(&state).into_owned()).collect(),
            initial: part.initial.clone(),
            events: part.events.iter().map(|event| name(&event).into_owned()).collect(),
            unobservable: all.filter(|&event| part.facts[event as usize].observable == Some(false)).collect(),
            anonymous: if anonymous.is_empty() { Vec::new() } else { vec![(None, anonymous)] },
            secret: part.secret.clone(),
            transitions: part.transitions.iter().map(|step| (step.source, step.event, step.target)).collect(),
            rest: Vec::new(),
        }
    }
}

pub(super) fn system(sheet: &mut Sheet<'_>) {
    sheet.require("a .des file", "no control characters", can_write);
    let system = sheet.system;
    let own = system.observer(OWN);
    let groups = (0..own.observer.n_groups()).map(|group| {
        let events = own.observer.anonymous(Some(GroupId(group as u32))).map(|event| event.0).collect();
        (own.labels[group].clone(), events)
    });
    let content = Body {
        states: sheet.states.iter().map(|state| name(state).into_owned()).collect(),
        initial: system.automaton.initial().iter().map(|state| state.0).collect(),
        events: sheet.events.iter().map(|event| name(event).into_owned()).collect(),
        unobservable: sheet.events_that(|sight| sight == Sight::Silent).iter().map(|event| event.0).collect(),
        anonymous: groups.collect(),
        secret: system.secret.as_ref().map(|secret| secret.iter().map(|state| state.0).collect()),
        transitions: system
            .automaton
            .transitions()
            .map(|(_, from, step)| (from.0, step.event.0, step.target.0))
            .collect(),
        rest: rest(sheet),
    };
    let mut text = String::new();
    for line in &system.docs {
        let _ = writeln!(text, "/// {}", line.trim());
    }
    body(&mut text, "system", &name(&system.name), &content);
    sheet.text = laid_out(text);
}

/// Observers and, unless they may speak of components, checks.
fn rest(sheet: &mut Sheet<'_>) -> Vec<String> {
    let system = sheet.system;
    let mut lines: Vec<String> = (1..system.observers.len()).map(|at| observer(sheet, at)).collect();
    let composed = system.automaton.states().next().is_some_and(|state| !system.names.parts(state).is_empty());
    let texts =
        system.checks.iter().map(|check| &check.text).chain(system.measures.iter().map(|measure| &measure.text));
    let (kept, lost): (Vec<&String>, Vec<&String>) = texts.partition(|text| !composed && !text.ends_with(')'));
    lines.extend(kept.into_iter().map(|text| format!("    {text};\n")));
    if !lost.is_empty() {
        let message = format!("checks that may refer to components are not written: {}", lost.len());
        sheet.warn(message, None);
    }
    lines
}

fn observer(sheet: &Sheet<'_>, at: usize) -> String {
    let named = &sheet.system.observers[at];
    let names = |events: Vec<u32>| {
        let names: Vec<Cow<'_, str>> = events.iter().map(|&event| name(&sheet.events[event as usize])).collect();
        if names.is_empty() { "{}".to_owned() } else { names.join(", ") }
    };
    let all = sheet.system.automaton.events();
    let seen: Vec<u32> =
        all.filter(|&event| named.observer.sight(event) != Sight::Silent).map(|event| event.0).collect();
    let mut text = format!("    observer {} {{\n", name(named.name.as_deref().unwrap_or("Observer")));
    let _ = writeln!(text, "        observable {};", names(seen));
    for (group, label) in named.labels.iter().enumerate() {
        let events = named.observer.anonymous(Some(GroupId(group as u32))).map(|event| event.0).collect();
        let label = label.as_ref().map_or(String::new(), |label| format!(" as {}", name(label)));
        let _ = writeln!(text, "        anonymous {}{label};", names(events));
    }
    text + "    }\n"
}

fn body(text: &mut String, word: &str, called: &str, content: &Body) {
    let _ = writeln!(text, "{word} {called} {{");
    let of = |names: &[String], ids: &[u32]| ids.iter().map(|&id| names[id as usize].clone()).collect::<Vec<_>>();
    statement(text, "states", &content.states);
    statement(text, "initial", &of(&content.states, &content.initial));
    text.push('\n');
    statement(text, "events", &content.events);
    statement(text, "unobservable", &of(&content.events, &content.unobservable));
    for (label, events) in &content.anonymous {
        let mut names = of(&content.events, events);
        if let (Some(label), Some(last)) = (label, names.last_mut()) {
            *last = format!("{last} as {}", name(label));
        }
        statement(text, "anonymous", &names);
    }
    if let Some(secret) = &content.secret {
        statement(text, "secret", &of(&content.states, secret));
    }
    if !content.transitions.is_empty() {
        text.push('\n');
    }
    transitions(text, content);
    if !content.rest.is_empty() {
        text.push('\n');
    }
    content.rest.iter().for_each(|line| text.push_str(line));
    text.push_str("}\n");
}

/// `states A, B;`, broken into lines.
fn statement(text: &mut String, word: &str, names: &[String]) {
    const WIDTH: usize = 100;
    if names.is_empty() {
        return;
    }
    let mut column = 4 + word.len();
    let _ = write!(text, "    {word}");
    for (at, name) in names.iter().enumerate() {
        let piece = if at + 1 < names.len() { format!("{name},") } else { format!("{name};") };
        if column + 1 + piece.chars().count() > WIDTH && at > 0 {
            text.push_str("\n       ");
            column = 7;
        }
        let _ = write!(text, " {piece}");
        column += 1 + piece.chars().count();
    }
    text.push('\n');
}

fn transitions(text: &mut String, content: &Body) {
    let mut together: BTreeMap<(u32, usize), (u32, Vec<u32>)> = BTreeMap::new();
    let mut order: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (at, &(source, event, target)) in content.transitions.iter().enumerate() {
        let first = *order.entry((source, target)).or_insert(at);
        let events = &mut together.entry((source, first)).or_insert((target, Vec::new())).1;
        if !events.contains(&event) {
            events.push(event);
        }
    }
    for ((source, _), (target, events)) in together {
        let names: Vec<&str> = events.iter().map(|&event| content.events[event as usize].as_str()).collect();
        let label = if let [one] = names.as_slice() { (*one).to_owned() } else { format!("{{{}}}", names.join(", ")) };
        let (source, target) = (&content.states[source as usize], &content.states[target as usize]);
        let _ = writeln!(text, "    {source} -{label}-> {target};");
    }
}
