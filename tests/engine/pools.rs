//! `observer Both = A + B;` by the definition: two strings look alike to the pool iff they look alike to each member, in order.
//!
//! Random observers with labels and agents, read as text. Every string of up to four events is compared with every other one: by what
//! the pool shows, and by what each member shows at each position that some member sees.

use crate::support::dice::Dice;
use desc::automaton::EventId;
use desc::automaton::view::{Projection, Symbol, View};
use desc::check::{Settings, check};
use desc::diagnostic::Code;
use desc::model::Model;
use desc::source::{NoImports, Sources};
use desc::syntax;
use std::collections::{BTreeMap, BTreeSet};

const EVENTS: usize = 5;
const LONGEST: u32 = 4;
const LABELS: [&str; 2] = ["x", "y"];

/// What one observer says of the events: few labels, few agents, so that members agree now and then.
fn observer(dice: &mut Dice, name: &str, shared: &[usize]) -> String {
    let mut seen = Vec::new();
    let mut groups = String::new();
    let mut without_agent = [Vec::new(), Vec::new()];
    for (event, &agent) in shared.iter().enumerate() {
        match dice.below(10) {
            0..3 => continue,
            3 => {}
            _ => {
                let label = dice.below(2);
                let agent = if dice.chance(80) { agent } else { dice.below(3) };
                if dice.chance(75) {
                    groups += &format!("anonymous e{event} as {} by p{agent}; ", LABELS[label]);
                } else {
                    without_agent[label].push(format!("e{event}"));
                }
            }
        }
        seen.push(format!("e{event}"));
    }
    for (events, label) in without_agent.iter().zip(LABELS).filter(|(events, _)| !events.is_empty()) {
        groups += &format!("anonymous {} as {label}; ", events.join(", "));
    }
    let observable = if seen.is_empty() { String::new() } else { format!("observable {}; ", seen.join(", ")) };
    let none = if seen.is_empty() { "unobservable events; " } else { "" };
    format!("    observer {name} {{ {observable}{none}{groups}}}\n")
}

fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x900D);
    let agents: Vec<usize> = (0..EVENTS).map(|_| dice.below(3)).collect();
    let events: Vec<String> = (0..EVENTS).map(|event| format!("e{event}")).collect();
    let (first, second) = (observer(&mut dice, "A", &agents), observer(&mut dice, "B", &agents));
    format!(
        "system S {{\n    states s;\n    initial s;\n    events {};\n    s -events-> s;\n{first}{second}    observer Both = A + B;\n}}\n",
        events.join(", ")
    )
}

/// The model, or none if its pool is refused.
fn model(text: &str) -> Option<Model> {
    let mut sources = Sources::new();
    let (entry, faults) = syntax::read(&mut sources, "pool.des", text.as_bytes().to_vec());
    assert!(faults.is_empty());
    let checked = check(entry, &mut sources, &NoImports, &Settings::default());
    let errors: Vec<Code> =
        checked.diagnostics.iter().filter(|fault| fault.is_error()).map(|fault| fault.code).collect();
    assert!(errors.iter().all(|code| *code == Code::E0424), "{errors:?}: {text}");
    checked.model
}

fn strings() -> Vec<Vec<EventId>> {
    let mut all: Vec<Vec<EventId>> = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..LONGEST {
        let longer = |string: &Vec<EventId>| {
            let string = string.clone();
            (0..EVENTS).map(move |event| [&string[..], &[EventId::from_index(event)]].concat())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// What each event of a string shows: the projection of a prefix is longer by one symbol, or is not.
fn signs(view: &View<'_>, string: &[EventId]) -> Vec<Option<Symbol>> {
    let shown: Vec<usize> = (0..=string.len()).map(|end| view.project(&string[..end]).len()).collect();
    let whole = view.project(string);
    shown.windows(2).map(|pair| (pair[0] < pair[1]).then(|| whole[pair[0]])).collect()
}

/// What each member shows at each position that some member sees.
fn shown(views: &[View<'_>], string: &[EventId]) -> Vec<Vec<Option<Symbol>>> {
    let signs: Vec<Vec<Option<Symbol>>> = views.iter().map(|view| signs(view, string)).collect();
    let at = |position: usize| signs.iter().map(|signs| signs[position]).collect::<Vec<_>>();
    (0..string.len()).map(at).filter(|shown| shown.iter().any(Option::is_some)).collect()
}

/// The strings that look alike, by a key.
fn classes<K: Ord>(strings: &[Vec<EventId>], key: impl Fn(&[EventId]) -> K) -> BTreeSet<Vec<usize>> {
    let mut classes: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (at, string) in strings.iter().enumerate() {
        classes.entry(key(string)).or_default().push(at);
    }
    classes.into_values().collect()
}

#[test]
fn a_pool_tells_apart_what_one_of_its_members_does() {
    let strings = strings();
    let (mut refused, mut with_agents, mut links) = (0, 0, 0);
    for seed in 0..400 {
        let text = text(seed);
        let Some(model) = model(&text) else {
            refused += 1;
            continue;
        };
        let system = &model.systems()[0];
        let [_, first, second, both] = &system.observers[..] else { panic!("four observers: {text}") };
        with_agents += usize::from(both.observer.has_named_agents());
        for projection in [Projection::Natural, Projection::Strong, Projection::Weak] {
            let view = |observer| View { automaton: &system.automaton, observer, projection };
            let members = [view(&first.observer), view(&second.observer)];
            let by_definition = classes(&strings, |string| shown(&members, string));
            let pooled = classes(&strings, |string| view(&both.observer).project(string));
            assert_eq!(by_definition, pooled, "seed {seed}, {projection}: {text}");
            let alone = classes(&strings, |string| shown(&members[..1], string));
            links += usize::from(projection == Projection::Weak && alone != pooled);
        }
    }
    assert!(
        refused > 20 && with_agents > 50 && links > 50,
        "{refused} refused, {with_agents} with agents, {links} see more"
    );
}
