//! A system as `.des`: one block without components.

use super::Sheet;
use crate::automaton::view::{AgentId, GroupId, Observability};
use crate::format::print::{Alike, Block, block, can_write, laid_out, name};
use crate::model::change::{ChangeKind, Lever};
use crate::model::{NamedObserver, OWN};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) fn system(sheet: &mut Sheet<'_>) {
    sheet.require("a .des file", "no control characters", can_write);
    let system = sheet.system;
    let own = system.observer(OWN);
    let content = Block {
        states: sheet.states.iter().map(|state| name(state).into_owned()).collect(),
        initial: system.automaton.initial().iter().map(|state| state.0).collect(),
        events: sheet.events.iter().map(|event| name(event).into_owned()).collect(),
        unobservable: sheet
            .events_that(|observability| observability == Observability::Silent)
            .iter()
            .map(|event| event.0)
            .collect(),
        anonymous: anonymous(own),
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
    block(&mut text, "system", &name(&system.name), &content);
    sheet.text = laid_out(text);
}

/// The anonymous events of an observer, by label and then by agent, in the order of the agents.
fn anonymous(of: &NamedObserver) -> Vec<Alike> {
    let mut events: BTreeMap<(GroupId, Option<AgentId>), Vec<u32>> = BTreeMap::new();
    for event in of.observer.anonymous(None) {
        if let Observability::Anonymous(group) = of.observer.observability(event) {
            events.entry((group, of.observer.agent(event))).or_default().push(event.0);
        }
    }
    let alike = events.into_iter().map(|((group, agent), events)| Alike {
        label: of.labels[group.index()].clone(),
        agent: agent.and_then(|agent| of.agents.get(agent.index()).cloned()),
        events,
    });
    alike.collect()
}

/// Observers and, unless they may speak of components, checks.
fn rest(sheet: &mut Sheet<'_>) -> Vec<String> {
    let system = sheet.system;
    let mut lines: Vec<String> = (1..system.observers.len()).map(|at| observer(sheet, at)).collect();
    let composed = system.automaton.states().next().is_some_and(|state| !system.names.parts(state).is_empty());
    lines.extend(system.levers.iter().map(|lever| lever_line(sheet, lever)));
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

/// `may hide log cost 3;`
fn lever_line(sheet: &Sheet<'_>, Lever { change, cost, .. }: &Lever) -> String {
    let names: Vec<Cow<'_, str>> = change.events.iter().map(|event| name(&sheet.events[event.index()])).collect();
    let together = if names.len() > 1 { "together " } else { "" };
    let clauses = match &change.kind {
        ChangeKind::Anonymise { label, agent } => {
            Alike { label: label.clone(), agent: agent.clone(), events: Vec::new() }.clauses()
        }
        ChangeKind::Hide | ChangeKind::Disable => String::new(),
    };
    let from = change.from.and_then(|from| sheet.system.observer(from).name.as_deref());
    let from = from.map_or_else(String::new, |from| format!(" from {}", name(from)));
    let cost = if *cost == 1 { String::new() } else { format!(" cost {cost}") };
    format!("    may {together}{} {}{clauses}{from}{cost};\n", change.kind.word(), names.join(", "))
}

fn observer(sheet: &Sheet<'_>, at: usize) -> String {
    let named = &sheet.system.observers[at];
    let names = |events: Vec<u32>| {
        let names: Vec<Cow<'_, str>> = events.iter().map(|&event| name(&sheet.events[event as usize])).collect();
        if names.is_empty() { "{}".to_owned() } else { names.join(", ") }
    };
    let all = sheet.system.automaton.events();
    let seen: Vec<u32> = all
        .filter(|&event| named.observer.observability(event) != Observability::Silent)
        .map(|event| event.0)
        .collect();
    let mut text = format!("    observer {} {{\n", name(named.name.as_deref().unwrap_or("Observer")));
    let _ = writeln!(text, "        observable {};", names(seen));
    for alike in anonymous(named) {
        let clauses = alike.clauses();
        let _ = writeln!(text, "        anonymous {}{clauses};", names(alike.events));
    }
    text + "    }\n"
}
