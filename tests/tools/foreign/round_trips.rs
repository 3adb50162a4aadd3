//! Random systems written for other tools and read again.

use super::files;
use desc::automaton::view::{GroupId, Observability, Observer, Projection};
use desc::automaton::{Automaton, Builder, EventId, StateId};
use desc::check::{Settings, check};
use desc::diagnostic::any_error;
use desc::export::{Target, write};
use desc::import::{Foreign, Format, read_all};
use desc::model::{NamedObserver, Naming, OWN, System, ViewId};
use desc::source::{NoImports, SourceFile, Sources, Span};
use proptest::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// Names for random systems, some of them hard.
const NAMES: [&str; 18] = [
    "a",
    "b",
    "idle",
    "0",
    "7",
    "07",
    "0,1",
    "waiting room",
    "x\"y",
    "a&b",
    "<t>",
    "tau",
    "π",
    "it's",
    "a\\b",
    "send[2]",
    "frozenset({'rE'})",
    "initial",
];

#[derive(Debug)]
struct Listed {
    states: Vec<String>,
    events: Vec<String>,
}

impl Naming for Listed {
    fn state(&self, state: StateId) -> Cow<'_, str> {
        Cow::Borrowed(&self.states[state.index()])
    }

    fn event(&self, event: EventId) -> Cow<'_, str> {
        Cow::Borrowed(&self.events[event.index()])
    }

    fn state_places(&self, _: StateId) -> Vec<Span> {
        Vec::new()
    }

    fn event_place(&self, _: EventId) -> Option<Span> {
        None
    }

    fn transition_places(&self, _: StateId, _: EventId, _: StateId) -> Vec<Span> {
        Vec::new()
    }
}

/// A random system: names, initial states, transitions, sights, secrets.
fn systems() -> impl Strategy<Value = System> {
    let names = |most| proptest::sample::subsequence(NAMES.to_vec(), 1..=most).prop_shuffle();
    (names(6), names(4)).prop_flat_map(|(states, events)| {
        let (n, m) = (states.len() as u32, events.len() as u32);
        let transitions = proptest::collection::vec((0..n, 0..m, 0..n), 0..14);
        let observabilities = proptest::collection::vec(0..3u8, events.len());
        let initial = proptest::collection::btree_set(0..n, 1..=n as usize);
        let secret = proptest::option::of(proptest::collection::btree_set(0..n, 0..=n as usize));
        (Just(states), Just(events), initial, transitions, observabilities, secret).prop_map(|all| {
            let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
            system(owned(all.0), owned(all.1), &all.2, &all.3, &all.4, all.5.as_ref())
        })
    })
}

fn system(
    states: Vec<String>,
    events: Vec<String>,
    initial: &BTreeSet<u32>,
    transitions: &[(u32, u32, u32)],
    observabilities: &[u8],
    secret: Option<&BTreeSet<u32>>,
) -> System {
    let mut sources = Sources::new();
    let span = Span::new(sources.add(SourceFile::new("random", "")), 0, 0);
    let mut builder = Builder::new(states.len(), events.len());
    initial.iter().for_each(|&state| builder.initial(StateId(state)));
    for &(source, event, target) in transitions {
        builder.transition(StateId(source), EventId(event), StateId(target));
    }
    let observabilities: Vec<Observability> = observabilities
        .iter()
        .map(|observability| {
            [Observability::Silent, Observability::Visible, Observability::Anonymous(GroupId(0))]
                [usize::from(*observability)]
        })
        .collect();
    let labels = if observabilities.contains(&Observability::Anonymous(GroupId(0))) { vec![None] } else { Vec::new() };
    System {
        name: "random".to_owned(),
        docs: Vec::new(),
        span,
        automaton: Arc::new(builder.freeze()),
        names: Arc::new(Listed { states, events }),
        observers: vec![NamedObserver {
            name: None,
            span,
            observer: Observer::new(observabilities),
            labels,
            agents: Vec::new(),
            members: Vec::new(),
        }],
        secret: secret.map(|secret| secret.iter().map(|&state| StateId(state)).collect()),
        checks: Vec::new(),
        measures: Vec::new(),
        levers: Vec::new(),
        offers_levers: false,
        occurrence: Default::default(),
        uncomposed: None,
        bytes: 0,
    }
}

/// A model by names, in an order that does not depend on ids.
#[derive(Debug, PartialEq, Eq, Default)]
struct ByName {
    states: BTreeSet<String>,
    initial: BTreeSet<String>,
    secret: Option<BTreeSet<String>>,
    events: BTreeSet<(String, bool, bool)>,
    transitions: BTreeSet<(String, String, String)>,
}

fn of_system(system: &System) -> ByName {
    let automaton: &Automaton = &system.automaton;
    let state = |state: StateId| system.names.state(state).into_owned();
    let event = |event: EventId| system.names.event(event).into_owned();
    let observability = |event: EventId| system.observer(OWN).observer.observability(event);
    let anonymous = |event| matches!(observability(event), Observability::Anonymous(_));
    ByName {
        states: automaton.states().map(state).collect(),
        initial: automaton.initial().iter().map(|&initial| state(initial)).collect(),
        secret: system.secret.as_ref().map(|secret| secret.iter().map(state).collect()),
        events: automaton
            .events()
            .map(|id| (event(id), observability(id) != Observability::Silent, anonymous(id)))
            .collect(),
        transitions: automaton
            .transitions()
            .map(|(_, source, step)| (state(source), event(step.event), state(step.target)))
            .collect(),
    }
}

fn of_foreign(model: &Foreign) -> ByName {
    let [part] = model.parts.as_slice() else { panic!("one part: {model:?}") };
    let state = |id: u32| part.states.get(id).into_owned();
    let event = |id: u32| part.events.get(id).into_owned();
    let facts = |id: u32| (part.facts[id as usize].observable != Some(false), part.facts[id as usize].anonymous);
    ByName {
        states: part.states.iter().map(Cow::into_owned).collect(),
        initial: part.initial.iter().map(|&id| state(id)).collect(),
        secret: part.secret.as_ref().map(|secret| secret.iter().map(|&id| state(id)).collect()),
        events: (0..part.events.len() as u32).map(|id| (event(id), facts(id).0, facts(id).1)).collect(),
        transitions: part.transitions.iter().map(|t| (state(t.source), event(t.event), state(t.target))).collect(),
    }
}

const PLAIN: ViewId = ViewId { observer: OWN, projection: Projection::Natural };

/// Writes a system and reads it back.
fn there_and_back(system: &System, format: Format) -> ByName {
    let written = write(Target::Model(format), system, PLAIN);
    assert!(!desc::diagnostic::any_error(&written.diagnostics), "{:?}", written.diagnostics);
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new("back", written.text.clone()));
    let (models, diagnostics) = read_all(format, id, sources.get(id));
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{}", written.text);
    of_foreign(&models[0])
}

/// What a format carries of a model.
fn carried(mut model: ByName, system: &System, format: Format) -> ByName {
    let one_initial = matches!(format, Format::Umdes);
    if one_initial {
        let first = system.names.state(system.automaton.initial()[0]).into_owned();
        model.initial = [first].into();
    }
    if format == Format::Veip {
        model.secret = Some(model.secret.unwrap_or_default());
    } else if format != Format::Json {
        model.secret = None;
    }
    if format != Format::Json {
        model.events = model.events.into_iter().map(|(name, observable, _)| (name, observable, false)).collect();
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_system_comes_back_from_every_format_that_can_carry_it(system in systems()) {
        let formats = [Format::Umdes, Format::Veip, Format::Faudes, Format::Waters, Format::Supremica, Format::Json];
        for format in formats {
            let expected = carried(of_system(&system), &system, format);
            prop_assert_eq!(there_and_back(&system, format), expected, "through {}", format);
        }
    }

    #[test]
    fn aut_keeps_the_graph_and_the_labels(system in systems()) {
        let back = there_and_back(&system, Format::Aldebaran);
        let expected: BTreeSet<(String, String, String)> = system.automaton.transitions().map(|(_, source, step)| {
            (source.0.to_string(), system.names.event(step.event).into_owned(), step.target.0.to_string())
        }).collect();
        prop_assert_eq!(back.transitions, expected);
        prop_assert_eq!(back.states.len(), system.automaton.n_states());
    }

    #[test]
    fn cif_keeps_the_graph_and_tells_every_new_name(system in systems()) {
        let written = write(Target::Model(Format::Cif), &system, PLAIN);
        let back = there_and_back(&system, Format::Cif);
        let automaton = &system.automaton;
        prop_assert_eq!(
            (back.states.len(), back.initial.len(), back.events.len(), back.transitions.len()),
            (automaton.n_states(), automaton.initial().len(), automaton.n_events(), automaton.n_transitions())
        );
        for name in automaton.states().map(|state| system.names.state(state)) {
            let told = back.states.contains(name.as_ref()) || written.text.contains(&format!("is {name:?}"));
            prop_assert!(told, "{} is not told", name);
        }
    }

    #[test]
    fn the_des_text_of_a_model_means_the_same_model(system in systems()) {
        let json = write(Target::Model(Format::Json), &system, PLAIN).text;
        let mut sources = Sources::new();
        let id = sources.add(SourceFile::new("model.json", json));
        let (models, _) = read_all(Format::Json, id, sources.get(id));
        let text = desc::import::des::foreign(&models[0], "model", "model.json");
        let id = sources.add(SourceFile::new("model.des", text.clone()));
        let checked = check(id, &mut sources, &NoImports, &Settings::default());
        prop_assert!(!desc::diagnostic::any_error(&checked.diagnostics), "{:?}\n{}", checked.diagnostics, text);
        let model = checked.model.expect("no errors");
        let mut expected = of_system(&system);
        // An empty secret is not written.
        expected.secret = expected.secret.filter(|secret| !secret.is_empty());
        let mut back = of_system(&model.systems()[0]);
        back.secret = back.secret.filter(|secret| !secret.is_empty());
        prop_assert_eq!(back, expected, "{}", text);
    }

    #[test]
    fn what_a_format_cannot_carry_is_said(system in systems()) {
        let model = of_system(&system);
        for &(_, format) in Format::ALL {
            let said: String =
                write(Target::Model(format), &system, PLAIN).diagnostics.iter().map(|d| d.message.clone() + "\n").collect();
            let silent = model.events.iter().any(|(name, observable, _)| !observable && name != "tau");
            let anonymous = model.events.iter().any(|event| event.2);
            let secret = model.secret.as_ref().is_some_and(|secret| !secret.is_empty());
            let one_initial = matches!(format, Format::Umdes | Format::Aldebaran);
            let no_silence = matches!(format, Format::Aldebaran | Format::Cif);
            prop_assert_eq!(said.contains("initial state"), one_initial && model.initial.len() > 1, "{}", said);
            prop_assert!(said.contains("unobservable") || !(no_silence && silent), "{} {}", format, said);
            prop_assert_eq!(said.contains("anonymous"), anonymous && format != Format::Json, "{} {}", format, said);
            let keeps_secret = matches!(format, Format::Json | Format::Veip);
            prop_assert_eq!(said.contains("secret"), secret && !keeps_secret, "{} {}", format, said);
        }
    }

    #[test]
    fn no_damage_to_a_file_is_a_panic(which in 0..64usize, cut in 0..10_000usize, at in 0..10_000usize, byte in any::<u8>()) {
        let all: Vec<PathBuf> = files("ok").into_iter().chain(files("err")).collect();
        let path = &all[which % all.len()];
        let mut bytes = fs::read(path).unwrap();
        let length = bytes.len();
        bytes[at % length] = byte;
        bytes.truncate(1 + cut % (2 * length));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for &(_, format) in Format::ALL {
            let mut sources = Sources::new();
            let id = sources.add(SourceFile::new("damaged", text.clone()));
            let (models, diagnostics) = read_all(format, id, sources.get(id));
            prop_assert_eq!(models.is_empty(), any_error(&diagnostics));
            for fault in &diagnostics {
                sources.slice(fault.primary.span);
                sources.place(fault.primary.span);
            }
        }
    }
}

#[test]
fn a_name_that_a_format_cannot_write_is_an_error() {
    let names = vec!["a\tb".to_owned(), "c\nd".to_owned()];
    let random = system(names.clone(), names, &[0].into(), &[(0, 0, 1), (1, 1, 0)], &[1, 1], None);
    for format in [Format::Umdes, Format::Veip, Format::Aldebaran] {
        let said = write(Target::Model(format), &random, PLAIN).diagnostics;
        assert!(said.iter().any(|fault| fault.code.as_str() == "E0610"), "{format}: {said:?}");
    }
    let expected = of_system(&random);
    assert_eq!(there_and_back(&random, Format::Json), expected);
    assert_eq!(there_and_back(&random, Format::Waters).states, expected.states);
}

/// The view of a small system: a silent move is taken away, the anonymous events share a label.
#[test]
fn views_are_written_without_silent_moves() {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let steps = [(0, 0, 1), (1, 2, 2), (0, 1, 2)];
    let small = system(owned(&["p", "q", "r"]), owned(&["a", "b", "u"]), &[0].into(), &steps, &[2, 2, 0], None);
    let view_id = ViewId { observer: OWN, projection: Projection::Strong };
    let mut told = String::new();
    for target in [Target::Mata, Target::Hoa, Target::Ba, Target::Dot, Target::Des] {
        let written = write(target, &small, view_id);
        let _ = writeln!(told, "=== {target:?}\n{}", written.text);
        let _ = written.diagnostics.iter().try_for_each(|fault| writeln!(told, "{}: {}", fault.code, fault.message));
    }
    insta::with_settings!({
        snapshot_path => "../../fixtures/foreign",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!("views", told) });
}
