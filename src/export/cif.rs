//! CIF: identifiers only, so other names are written differently, each beside the original.

use super::{Sheet, list};
use crate::automaton::view::Observability;
use crate::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// Words that CIF keeps for itself, as far as a name may meet them.
const KEYWORDS: &[&str] = &[
    "alg",
    "alphabet",
    "and",
    "any",
    "attr",
    "automaton",
    "bool",
    "break",
    "case",
    "const",
    "cont",
    "continue",
    "controllable",
    "def",
    "der",
    "dict",
    "disables",
    "disc",
    "dist",
    "div",
    "do",
    "edge",
    "elif",
    "else",
    "end",
    "enum",
    "equation",
    "event",
    "false",
    "file",
    "final",
    "for",
    "func",
    "goto",
    "group",
    "if",
    "import",
    "in",
    "initial",
    "input",
    "int",
    "invariant",
    "list",
    "location",
    "marked",
    "min",
    "mod",
    "monitor",
    "namespace",
    "needs",
    "not",
    "now",
    "or",
    "plant",
    "post",
    "pre",
    "print",
    "printfile",
    "real",
    "requirement",
    "return",
    "sample",
    "self",
    "set",
    "skip",
    "string",
    "sub",
    "supervisor",
    "svgcopy",
    "svgfile",
    "svgin",
    "svgmove",
    "svgout",
    "switch",
    "tau",
    "text",
    "time",
    "to",
    "true",
    "tuple",
    "type",
    "uncontrollable",
    "urgent",
    "value",
    "void",
    "when",
    "while",
];

pub(super) fn write(sheet: &mut Sheet<'_>) {
    let format = "a .cif file";
    sheet.lose_observability(format);
    sheet.lose_anonymous(format);
    sheet.lose_secret(format);
    sheet.lose_the_rest(format);
    let states = identifiers(sheet.states.iter().map(AsRef::as_ref), "s");
    let events = identifiers(sheet.events.iter().map(AsRef::as_ref), "e");
    renamed(sheet, &states, &events);
    head(sheet, &states, &events);
    let name = identifiers(std::iter::once(sheet.system.name.as_str()), "system").remove(0);
    sheet.line(format!("plant automaton {name}:"));
    let alphabet = events.join(", ");
    if !events.is_empty() {
        sheet.line(format!("  alphabet {alphabet};"));
    }
    let automaton = sheet.system.automaton.clone();
    for state in automaton.states() {
        sheet.line(format!("  location {}:", states[state.index()]));
        if sheet.is_initial(state) {
            sheet.line("    initial;");
        }
        for step in automaton.steps(state) {
            let (event, target) = (&events[step.event.index()], &states[step.target.index()]);
            let _ = writeln!(sheet.text, "    edge {event} goto {target};");
        }
    }
    sheet.line("end");
}

/// What CIF has no word for stands in comments.
fn head(sheet: &mut Sheet<'_>, states: &[String], events: &[String]) {
    let of = |wanted: &dyn Fn(Observability) -> bool| -> Vec<&str> {
        sheet.events_that(wanted).iter().map(|event| events[event.index()].as_str()).collect()
    };
    let secret =
        sheet.system.secret.iter().flat_map(|secret| secret.iter()).map(|state| states[state.index()].as_str());
    let comments = [
        ("unobservable", of(&|observability| observability == Observability::Silent)),
        ("anonymous", of(&|observability| matches!(observability, Observability::Anonymous(_)))),
        ("secret", secret.collect()),
    ];
    for (word, names) in comments {
        if !names.is_empty() {
            sheet.line(format!("// {word}: {}", names.join(", ")));
        }
    }
    if !events.is_empty() {
        sheet.line(format!("controllable {};\n", events.join(", ")));
    }
}

fn renamed(sheet: &mut Sheet<'_>, states: &[String], events: &[String]) {
    let olds = sheet.states.iter().zip(states).chain(sheet.events.iter().zip(events));
    let changed: Vec<(String, String)> = olds
        .filter(|(old, new)| old.as_ref() != new.trim_start_matches('$'))
        .map(|(old, new)| (old.to_string(), new.clone()))
        .collect();
    if changed.is_empty() {
        return;
    }
    for (old, new) in &changed {
        sheet.line(format!("// {new} is {old:?}"));
    }
    let names = list(changed.iter().map(|(old, _)| old.as_str()).collect::<Vec<_>>().into_iter());
    let message = format!("a .cif file has identifiers only: {} names are changed: {names}", changed.len());
    let warning = Diagnostic::new(Code::W0612, sheet.system.span, message).label("in this system");
    sheet.diagnostics.push(warning.help("a comment at the top of the file lists old and new names"));
}

/// An identifier for each name, all different; names that are identifiers stay.
fn identifiers<'n>(names: impl Iterator<Item = &'n str> + Clone, prefix: &str) -> Vec<String> {
    let mut taken: FxHashSet<String> = names.clone().filter(|name| is_identifier(name)).map(str::to_owned).collect();
    names
        .map(|name| {
            if is_identifier(name) {
                return if KEYWORDS.contains(&name) { format!("${name}") } else { name.to_owned() };
            }
            let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let base = format!("{prefix}_{plain}");
            let mut fresh = base.clone();
            let mut number = 2;
            while !taken.insert(fresh.clone()) {
                fresh = format!("{base}_{number}");
                number += 1;
            }
            fresh
        })
        .collect()
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
