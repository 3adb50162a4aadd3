//! A foreign model as `.des` text: what `desc import` writes.

use super::{Foreign, Part};
use crate::format::print::{Alike, Block, block, identifier, name};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// A foreign model as `.des`: one system, or components and their composition. `stem` names it if the file does not.
pub fn foreign(model: &Foreign, stem: &str, origin: &str) -> String {
    let mut text = format!("/// Imported from {}.\n", origin.replace(['\n', '\r'], " "));
    let system = identifier(model.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(stem), "Imported");
    if let [part] = model.parts.as_slice() {
        notes(&mut text, part);
        block(&mut text, "system", &system, &declared(part));
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
        block(&mut text, "component", &own, &declared(part));
        text.push('\n');
        composed.push((own, at));
    }
    let members: Vec<String> = composed.iter().map(|(component, at)| format!("part[{at}] = {component}")).collect();
    let _ = writeln!(text, "system {system} {{\n    compose {};\n}}", members.join(", "));
    text
}

fn notes(text: &mut String, part: &Part) {
    for note in &part.notes {
        let _ = writeln!(text, "/// {}.", note.replace(['\n', '\r'], " "));
    }
}

fn declared(part: &Part) -> Block {
    let all = 0..part.events.len() as u32;
    let anonymous: Vec<u32> = all.clone().filter(|&event| part.facts[event as usize].anonymous).collect();
    Block {
        states: part.states.iter().map(|state| name(&state).into_owned()).collect(),
        initial: part.initial.clone(),
        events: part.events.iter().map(|event| name(&event).into_owned()).collect(),
        unobservable: all.filter(|&event| part.facts[event as usize].observable == Some(false)).collect(),
        anonymous: if anonymous.is_empty() { Vec::new() } else { vec![unlabelled(anonymous)] },
        secret: part.secret.clone(),
        transitions: part.transitions.iter().map(|step| (step.source, step.event, step.target)).collect(),
        rest: Vec::new(),
    }
}

fn unlabelled(events: Vec<u32>) -> Alike {
    Alike { label: None, agent: None, events }
}
