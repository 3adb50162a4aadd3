//! The models of other tools: what is read from files in their style, what is said of broken ones, and round trips.

use desc::automaton::view::{GroupId, Observer, Projection, Sight};
use desc::automaton::{Automaton, Builder, EventId, StateId};
use desc::check::{Settings, check};
use desc::diagnostic::any_error;
use desc::foreign::write::{Target, write};
use desc::foreign::{Foreign, Format, Part, read_all};
use desc::model::{Lens, NamedObserver, Naming, OWN, System};
use desc::source::{FileId, NoImports, SourceFile, Sources, Span};
use proptest::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FIXTURES: &str = "tests/fixtures/foreign";

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(FIXTURES).join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension != "snap" && extension != "new"));
    files.sort();
    files
}

fn source(name: &str, text: impl Into<String>) -> (Sources, FileId, Format) {
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new(name, text));
    let format = Format::detect(name, sources.get(id).text()).expect("a known ending");
    (sources, id, format)
}

/// What was read and what was said, as text.
fn told(name: &str, text: &str) -> String {
    let (sources, id, format) = source(name, text);
    let (models, diagnostics) = read_all(format, id, sources.get(id));
    let mut told = format!("format {format}\n");
    for fault in &diagnostics {
        let _ = writeln!(told, "{} {}: {}", fault.code, sources.place(fault.primary.span), fault.message);
        let labels = std::iter::once(&fault.primary).chain(&fault.secondary);
        for label in labels.filter(|label| !label.text.is_empty()) {
            let _ = writeln!(told, "  {}: {}", sources.place(label.span), label.text);
        }
        let _ = fault.help.iter().try_for_each(|help| writeln!(told, "  help: {help}"));
    }
    for model in &models {
        let _ = writeln!(told, "model {:?}", model.name);
        model.parts.iter().for_each(|part| describe(&mut told, part, &sources));
    }
    assert_eq!(models.is_empty(), any_error(&diagnostics), "a model or a reason: {told}");
    told
}

fn describe(told: &mut String, part: &Part, sources: &Sources) {
    let _ = writeln!(told, "  part {:?}", part.name);
    for (id, state) in part.states.iter().enumerate() {
        let id = id as u32;
        let initial = if part.initial.contains(&id) { " initial" } else { "" };
        let secret = if part.secret.as_ref().is_some_and(|secret| secret.contains(&id)) { " secret" } else { "" };
        let _ = writeln!(told, "    state {state:?}{initial}{secret}");
    }
    for (event, facts) in part.events.iter().zip(&part.facts) {
        let anonymous = if facts.anonymous { " anonymous" } else { "" };
        let place = sources.place(facts.place.span(part.file));
        let _ = writeln!(told, "    event {event:?} observable {:?}{anonymous}, {place}", facts.observable);
    }
    for step in &part.transitions {
        let (source, target) = (part.states.get(step.source), part.states.get(step.target));
        let place = sources.place(step.place.span(part.file));
        let _ = writeln!(told, "    {source:?} -{}-> {target:?}, {place}", part.events.get(step.event));
    }
    let _ = part.notes.iter().try_for_each(|note| writeln!(told, "    note: {note}"));
}

#[test]
fn files_in_the_style_of_each_tool_are_read_or_refused_with_a_place() {
    for folder in ["ok", "err"] {
        for path in files(folder) {
            let name = path.file_name().unwrap().to_str().unwrap();
            let told = told(name, &fs::read_to_string(&path).unwrap());
            assert_eq!(told.contains("\nmodel "), folder == "ok", "{name}: {told}");
            insta::with_settings!({
                snapshot_path => format!("fixtures/foreign/{folder}"),
                prepend_module_to_snapshot => false,
                omit_expression => true,
            }, { insta::assert_snapshot!(name.replace('.', "_"), told) });
        }
    }
}

/// Names that become one in `.des`, and one that is what another would become.
#[test]
fn parts_with_names_that_look_alike_stay_apart() {
    let automaton = |name: &str| format!("automaton {name}: location A: initial; end\n");
    let text = ["g_a", "g_a_2"].map(automaton).concat() + &format!("group g: {} end", automaton("a"));
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new("m.cif", text));
    let (models, _) = read_all(Format::Cif, id, sources.get(id));
    let text = desc::foreign::write::des::foreign(&models[0], "g_a", "m.cif");
    let id = sources.add(SourceFile::new("m.des", text.clone()));
    let checked = check(id, &mut sources, &NoImports, &Settings::default());
    assert!(!desc::diagnostic::any_error(&checked.diagnostics), "{:?}\n{text}", checked.diagnostics);
}

#[test]
fn deep_xml_is_refused_and_costs_no_stack() {
    let text = "<Automata><Automaton name=\"a\">".to_owned() + &"<States>".repeat(200_000);
    assert!(told("deep.xml", &text).contains("E0609"));
    assert!(told("deep.json", &"[".repeat(1_000_000)).contains("E0602"));
    let text = "group g: ".repeat(100_000);
    assert!(told("deep.cif", &text).contains("E0602"));
}

/// Whatever is cut off a CIF file, it is not read in silence: only whole automata may be missing.
#[test]
fn a_cif_file_that_is_cut_off_is_refused() {
    for path in files("ok").iter().filter(|path| path.extension().is_some_and(|extension| extension == "cif")) {
        let whole = fs::read_to_string(path).unwrap();
        for (at, _) in whole.trim_end().char_indices() {
            let text = &whole[..at];
            let told = told("cut.cif", text);
            let between = text.lines().last().is_some_and(|line| line == "end");
            assert_eq!(told.contains("\nmodel "), between, "{text:?}: {told}");
        }
    }
}

#[test]
fn a_cif_file_whose_pieces_do_not_fit_is_refused() {
    let whole = "event a, b; automaton S: alphabet a, b; @doc(\"x\") location A: initial; edge a, b goto A; end";
    assert!(told("whole.cif", whole).contains("\nmodel "));
    for (from, to) in [
        ("edge a, b goto A;", "edge;"),
        ("edge a, b goto A;", "edge a b goto A;"),
        ("edge a, b goto A;", "edge a, goto A;"),
        ("edge a, b goto A;", "edge a, b goto;"),
        ("alphabet a, b;", "alphabet a b;"),
        ("alphabet a, b;", "alphabet a, b,;"),
        ("location", "location B; edge a; location"),
        ("event a, b;", "event a, b"),
        ("\"x\")", "\"x\""),
        ("\"x\")", "\"x)"),
        ("@doc", "@"),
        ("goto A; end", "goto A; end /*"),
        ("event a", "/*/ event a"),
        ("goto A; end", "goto A; end automaton S: location A: initial; end"),
    ] {
        let told = told("damaged.cif", &whole.replacen(from, to, 1));
        assert!(told.contains("E060"), "{to}: {told}");
    }
}

#[test]
fn a_file_with_a_million_faults_is_not_reported_a_million_times() {
    let text = format!("des (0, 1, 1)\n{}", "nonsense\n".repeat(100_000));
    assert!(told("nonsense.aut", &text).lines().count() < 500);
}

#[test]
fn the_two_dialects_of_fsm_are_told_apart_by_their_first_line() {
    assert_eq!(Format::detect("a.fsm", "3\n\n"), Some(Format::Umdes));
    assert_eq!(Format::detect("a.FSM", "\n3 1\n\n"), Some(Format::Veip));
    assert_eq!(Format::detect("a.xml", "<Module Name=\"x\"/>"), Some(Format::Waters));
    assert_eq!(Format::detect("a.des", ""), None);
}

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
        let sights = proptest::collection::vec(0..3u8, events.len());
        let initial = proptest::collection::btree_set(0..n, 1..=n as usize);
        let secret = proptest::option::of(proptest::collection::btree_set(0..n, 0..=n as usize));
        (Just(states), Just(events), initial, transitions, sights, secret).prop_map(|all| {
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
    sights: &[u8],
    secret: Option<&BTreeSet<u32>>,
) -> System {
    let mut sources = Sources::new();
    let span = Span::new(sources.add(SourceFile::new("random", "")), 0, 0);
    let mut builder = Builder::new(states.len(), events.len());
    initial.iter().for_each(|&state| builder.initial(StateId(state)));
    for &(source, event, target) in transitions {
        builder.transition(StateId(source), EventId(event), StateId(target));
    }
    let sights: Vec<Sight> = sights
        .iter()
        .map(|sight| [Sight::Silent, Sight::Visible, Sight::Anonymous(GroupId(0))][usize::from(*sight)])
        .collect();
    let labels = if sights.contains(&Sight::Anonymous(GroupId(0))) { vec![None] } else { Vec::new() };
    System {
        name: "random".to_owned(),
        docs: Vec::new(),
        span,
        automaton: Arc::new(builder.freeze()),
        names: Box::new(Listed { states, events }),
        observers: vec![NamedObserver { name: None, span, observer: Observer::new(sights), labels }],
        secret: secret.map(|secret| secret.iter().map(|&state| StateId(state)).collect()),
        checks: Vec::new(),
        measures: Vec::new(),
        building: Default::default(),
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
    let sight = |event: EventId| system.observer(OWN).observer.sight(event);
    let anonymous = |event| matches!(sight(event), Sight::Anonymous(_));
    ByName {
        states: automaton.states().map(state).collect(),
        initial: automaton.initial().iter().map(|&initial| state(initial)).collect(),
        secret: system.secret.as_ref().map(|secret| secret.iter().map(state).collect()),
        events: automaton.events().map(|id| (event(id), sight(id) != Sight::Silent, anonymous(id))).collect(),
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

const PLAIN: Lens = Lens { observer: OWN, projection: Projection::Natural };

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
        let text = desc::foreign::write::des::foreign(&models[0], "model", "model.json");
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
    let lens = Lens { observer: OWN, projection: Projection::Strong };
    let mut told = String::new();
    for target in [Target::Mata, Target::Hoa, Target::Ba, Target::Dot, Target::Des] {
        let written = write(target, &small, lens);
        let _ = writeln!(told, "=== {target:?}\n{}", written.text);
        let _ = written.diagnostics.iter().try_for_each(|fault| writeln!(told, "{}: {}", fault.code, fault.message));
    }
    insta::with_settings!({
        snapshot_path => "fixtures/foreign",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!("views", told) });
}

fn desc(arguments: &[&str]) -> (i32, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_desc"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FIXTURES);
    let output = command.args(arguments).current_dir(folder).output().expect("desc runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_command_reads_foreign_files() {
    let rooms = ["check", "ok/veip_two_rooms.fsm", "--check", "0-step opacity", "--message-format", "json"];
    let (status, out, _) = desc(&rooms);
    assert_eq!(status, 0, "{out}");
    let (status, out, _) = desc(&[&rooms[..], &["--secret", "1,1,0,0"]].concat());
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("\"verdict\": \"violated\"") && out.contains("in1"), "{out}");
    let (status, out, _) =
        desc(&["check", "ok/veip_two_rooms.fsm", "--secret", "0,0,1,0", "--check", "not current-state opacity"]);
    assert_eq!(status, 0, "{out}");
    let (status, out, _) = desc(&["check", "ok/json_list.json", "--message-format", "json"]);
    assert!(status == 2 && out.contains("E0610"), "a name with a line break cannot be written in .des: {status} {out}");
    let (status, _, err) = desc(&["check", "ok/cadp_labels.aut", "--secret", "9"]);
    assert!(status == 2 && err.contains("no state `9`"), "{err}");
    let (status, _, err) = desc(&["check", "ok/cadp_labels.aut", "--check", "weak 2-stp"]);
    assert!(status == 2 && err.contains("2-stp"), "{err}");
    for path in files("err") {
        let (status, _, err) = desc(&["check", path.to_str().unwrap(), "--ascii"]);
        assert!(status == 2 && err.contains("error[E06"), "{path:?}: {status} {err}");
    }
}

/// No run can start in these: they are refused, whichever way they come in, unless `--initial` says where runs start.
#[test]
fn a_model_without_initial_states_is_never_checked() {
    let folder = tempfile::tempdir().unwrap();
    let mut told = String::new();
    for path in files("startless") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (status, out, err) = desc(&["check", &format!("startless/{name}"), "--ascii", "--message-format", "short"]);
        let _ = write!(told, "{out}{err}");
        assert_eq!(status, 2, "{name}: {out}{err}");
        let (status, out, err) = desc(&["import", &format!("startless/{name}")]);
        assert!(status == 2 && out.is_empty() && err.contains("error[E040"), "{name}: {out}{err}");
        fs::copy(&path, folder.path().join(name)).unwrap();
        let user = folder.path().join("user.des");
        let text = format!("import \"{name}\" as P;\nsystem S {{ compose p = P; check infinite-step; }}\n");
        fs::write(&user, text).unwrap();
        let (status, out, err) = desc(&["check", user.to_str().unwrap()]);
        assert!(status == 2 && err.contains("error[E0"), "{name}: {out}{err}");
    }
    insta::with_settings!({
        snapshot_path => "fixtures/foreign",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!("startless", told) });
}

/// A key that means nothing is told in every command that answers; a slip is refused, since it would change the answer.
#[test]
fn a_key_of_a_json_model_that_is_not_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let user = "import \"m.json\" as P; system S { compose p = P; check not infinite-step; }";
    fs::write(at("user.des"), user).unwrap();
    let model = |key: &str| {
        format!(
            "{{\"states\": [0, 1], \"initial\": [0], \"events\": [\"a\"], {key}, \"transitions\": [[0, \"a\", 1]]}}"
        )
    };
    for (key, code, expected) in [
        ("\"author\": \"me\"", "warning[W0613]", 0),
        ("\"observeable\": [\"a\"]", "error[E0602]", 2),
        ("\"Secret\": [1]", "error[E0602]", 2),
        ("\"parts\": []", "error[E0602]", 2),
        ("\"name\": \"p\", \"name\": \"q\"", "error[E0608]", 2),
    ] {
        fs::write(at("m.json"), model(key)).unwrap();
        for arguments in [
            &["check", &at("m.json"), "--check", "not infinite-step"][..],
            &["check", &at("m.json"), "--check", "not infinite-step", "--initial", "0"],
            &["check", &at("user.des")],
            &["import", &at("m.json")],
        ] {
            let (status, out, err) = desc(arguments);
            assert!(status == expected && err.contains(code), "{key} {arguments:?}: {status} {out}{err}");
        }
    }
    fs::write(at("m.json"), model("\"observeable\": []")).unwrap();
    let (_, _, err) = desc(&["check", &at("m.json")]);
    assert!(err.contains("did you mean `observable`?"), "{err}");
}

#[test]
fn warnings_never_crowd_out_a_fault() {
    let notes: String = (0..200).map(|number| format!("\"remark {number}\": 0, ")).collect();
    let told = told("m.json", &format!("{{{notes}\"states\": [0, 0], \"transitions\": []}}"));
    assert!(told.contains("E0608") && !told.contains("\nmodel "), "{told}");
    assert_eq!(told.matches("W0613").count(), 50);
}

#[test]
fn initial_states_may_be_said_from_outside() {
    for (name, state) in [("left_out.json", "0"), ("none_marked.wmod", "(A, X)"), ("second_part.xml", "right.only")] {
        let path = format!("startless/{name}");
        let (status, out, err) = desc(&["check", &path, "--initial", state]);
        assert_eq!(status, 0, "{name}: {out}{err}");
        let (status, out, err) = desc(&["import", &path, "--initial", state]);
        assert!(status == 0 && out.contains("initial"), "{name}: {out}{err}");
    }
    let (status, _, err) = desc(&["check", "startless/second_part.xml", "--initial", "left.idle"]);
    assert!(status == 2 && err.contains("E0403") && err.contains("right"), "{err}");
}

#[test]
fn import_export_and_compare_agree() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for path in files("ok").iter().filter(|path| !path.ends_with("json_list.json")) {
        let source = path.to_str().unwrap();
        assert_eq!(desc(&["import", source, "-o", &at("model.des")]).0, 0, "{source}");
        let text = fs::read_to_string(at("model.des")).unwrap();
        assert_eq!(desc::format::format_text("model.des", &text).ok(), Some(text), "`desc fmt` leaves it unchanged");
        let (status, direct, err) = desc(&["export", &at("model.des"), "--to", "json"]);
        assert_eq!(status, 0, "{source}: {err}");
        let (status, imported, _) = desc(&["export", source, "--to", "json"]);
        assert_eq!(status, 0, "{source}");
        let model = |text: &str| {
            let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
            let entries = value.as_object_mut().unwrap();
            entries.retain(|key, _| key != "name");
            for list in entries.values_mut().filter_map(|list| list.as_array_mut()) {
                list.sort_by_key(ToString::to_string);
            }
            value
        };
        if !source.ends_with(".cif") && !source.ends_with(".wmod") && !source.ends_with(".xml") {
            assert_eq!(model(&direct), model(&imported), "{source}");
        }
        let (status, out, _) = desc(&["compare", source, "--timeout", "5s", "--message-format", "json"]);
        assert!(status == 0 && !out.contains("\"agree\": false"), "{source}: {out}");
    }
    assert_eq!(desc(&["export", "ok/faudes_machine.gen", "-o", &at("out.fsm")]).0, 0);
    assert!(fs::read_to_string(at("out.fsm")).unwrap().starts_with("3\n\nidle\t0\t1\n"));
    assert_eq!(desc(&["export", "ok/faudes_machine.gen"]).0, 2);
}

#[test]
fn json_models_follow_the_schema_of_the_manual() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema = fs::read_to_string(root.join("docs/src/commands/model.schema.json")).expect("the schema");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("a schema");
    let wrong = |text: &str| {
        let document = serde_json::from_str(text).expect("JSON");
        schema.iter_errors(&document).map(|error| error.to_string()).collect::<Vec<String>>()
    };
    let list = fs::read_to_string(root.join(FIXTURES).join("ok/json_list.json")).expect("the list");
    assert_eq!(wrong(&list), [""; 0]);
    assert!(!wrong(&list.replace("transitions", "edges")).is_empty(), "the schema asks for transitions");
    let mixed = r#"{"parts": [{"states": [0], "initial": [0], "transitions": []}], "secret": [0]}"#;
    assert!(!wrong(mixed).is_empty() && told("mixed.json", mixed).contains("E0602"), "a secret belongs into a part");
    for path in files("ok") {
        let exported = std::process::Command::new(env!("CARGO_BIN_EXE_desc"))
            .args(["export", "--to", "json"])
            .arg(&path)
            .output()
            .expect("desc runs");
        if exported.status.success() {
            assert_eq!(wrong(&String::from_utf8_lossy(&exported.stdout)), [""; 0], "{}", path.display());
            let said = String::from_utf8_lossy(&exported.stderr);
            assert!(!said.contains("stay behind"), "nobody asked anything about {}: {said}", path.display());
        }
    }
}
