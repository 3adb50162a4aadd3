//! Stories of hand-made systems: the table of transitions is the whole text.

use super::text::{Telling, text};
use super::*;
use crate::automaton::view::{GroupId, Observer, Sight};
use crate::automaton::{Builder, StateId};
use crate::diagnostic::render::Style;
use crate::model::{Check, NamedObserver, Naming, OWN};
use crate::source::SourceFile;
use crate::verify::{Options, verify};
use std::borrow::Cow;

#[derive(Debug, Default)]
struct Table {
    states: Vec<String>,
    events: Vec<String>,
    places: Vec<(StateId, EventId, StateId, Span)>,
}

impl Naming for Table {
    fn state(&self, state: StateId) -> Cow<'_, str> {
        Cow::Borrowed(&self.states[state.index()])
    }
    fn event(&self, event: EventId) -> Cow<'_, str> {
        Cow::Borrowed(&self.events[event.index()])
    }
    fn state_places(&self, _state: StateId) -> Vec<Span> {
        Vec::new()
    }
    fn event_place(&self, _event: EventId) -> Option<Span> {
        None
    }
    fn transition_places(&self, source: StateId, event: EventId, target: StateId) -> Vec<Span> {
        let found = self.places.iter().filter(|place| (place.0, place.1, place.2) == (source, event, target));
        found.map(|place| place.3).collect()
    }
}

fn index(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// A system from lines `A -a-> B`; `initial` states, `anonymous` and `silent` events by name.
fn system(lines: &str, initial: &str, anonymous: &str, silent: &str) -> (Sources, FileId, System) {
    let mut sources = Sources::new();
    let file = sources.add(SourceFile::new("table.des", lines));
    let mut table = Table::default();
    let mut at = 0;
    for line in lines.lines() {
        let words: Vec<&str> = line.split(['-', '>', ' ']).filter(|word| !word.is_empty()).collect();
        let source = StateId::from_index(index(&mut table.states, words[0]));
        let event = EventId::from_index(index(&mut table.events, words[1]));
        let target = StateId::from_index(index(&mut table.states, words[2]));
        let span = Span::new(file, at, at + line.len() as u32);
        table.places.push((source, event, target, span));
        at += line.len() as u32 + 1;
    }
    let mut builder = Builder::new(table.states.len(), table.events.len());
    for &(source, event, target, _) in &table.places {
        builder.transition(source, event, target);
    }
    for name in initial.split(' ') {
        builder.initial(StateId::from_index(index(&mut table.states, name)));
    }
    let sights = table.events.iter().map(|event| match event {
        _ if anonymous.split(' ').any(|name| name == event) => Sight::Anonymous(GroupId(0)),
        _ if silent.split(' ').any(|name| name == event) => Sight::Silent,
        _ => Sight::Visible,
    });
    let own = NamedObserver {
        name: None,
        span: Span::new(file, 0, 0),
        observer: Observer::new(sights.collect()),
        labels: vec![None],
    };
    let system = System {
        name: "Table".to_owned(),
        docs: Vec::new(),
        span: Span::new(file, 0, 0),
        automaton: Arc::new(builder.freeze()),
        names: Box::new(table),
        observers: vec![own],
        secret: None,
        checks: Vec::new(),
        measures: Vec::new(),
    };
    (sources, file, system)
}

fn story(
    lines: &str,
    initial: &str,
    anonymous: &str,
    silent: &str,
    projection: Projection,
    horizon: Horizon,
) -> String {
    let (sources, entry, mut system) = system(lines, initial, anonymous, silent);
    system.checks.push(Check {
        name: None,
        text: format!("check {projection} {horizon:?}"),
        span: Span::new(entry, 0, 1),
        docs: Vec::new(),
        negated: false,
        question: Question::Property {
            lens: Lens { observer: OWN, projection },
            property: Property::Anonymity { among: 2, classes: None },
            horizon,
        },
    });
    let results = verify(&system, &Options { threads: 1, ..Options::default() });
    let systems = vec![SystemReport::new(&system, &results)];
    let report = Report { files: vec![FileReport { sources, entry, diagnostics: Vec::new(), systems }] };
    text(&report, &Telling { style: Style::default(), ..Telling::default() })
}

const FIGURE: &str = "0 -a-> 2\n0 -b-> 2\n1 -b-> 3\n2 -b-> 2\n3 -a-> 3\n2 -c-> 4\n3 -c-> 5\n4 -u-> 6\n";

#[test]
fn weak_says_that_the_same_agent_came_again() {
    insta::assert_snapshot!(story(FIGURE, "0 1", "a b", "u", Projection::Weak, Horizon::Steps(0)));
}

#[test]
fn natural_names_the_event_that_is_missing() {
    insta::assert_snapshot!(story(FIGURE, "0 1", "a b", "u", Projection::Natural, Horizon::Steps(0)));
}

#[test]
fn looking_back_names_the_instant() {
    let lines = "A -a-> C\nB -b-> D\nC -c-> E\nD -c-> F\nE -e-> E\nE -c-> E\nF -c-> F\n";
    insta::assert_snapshot!(story(lines, "A B", "a b", "", Projection::Strong, Horizon::Infinite));
}

#[test]
fn a_known_start_cannot_be_helped_by_anonymous_events() {
    insta::assert_snapshot!(story("A -a-> B\nB -b-> A\n", "A", "a b", "", Projection::Strong, Horizon::Infinite));
}

#[test]
fn runs_that_meet_are_shown_together() {
    insta::assert_snapshot!(story(
        "A -a-> C\nB -a-> C\nC -a-> C\n",
        "A B",
        "",
        "",
        Projection::Natural,
        Horizon::Infinite
    ));
}
