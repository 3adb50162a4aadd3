//! The models of other tools: what is read from files in their style, what is said of broken ones, round trips, and commands.

mod commands;
mod corpus;
mod round_trips;

use desc::check::{Settings, check};
use desc::diagnostic::any_error;
use desc::import::{Format, Part, read_all};
use desc::source::{FileId, NoImports, SourceFile, Sources};
use desc::syntax::token::KEYWORDS;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

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
                snapshot_path => format!("../fixtures/foreign/{folder}"),
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
    let text = desc::import::des::foreign(&models[0], "g_a", "m.cif");
    let id = sources.add(SourceFile::new("m.des", text.clone()));
    let checked = check(id, &mut sources, &NoImports, &Settings::default());
    assert!(!any_error(&checked.diagnostics), "{:?}\n{text}", checked.diagnostics);
}

/// A word of the language may name a state or an event elsewhere: as `.des` it is quoted where it has to be.
#[test]
fn words_of_the_language_stay_names() {
    let words = KEYWORDS.iter().map(|keyword| keyword.word).chain(["true", "false", "_", "012", "a b", "\\\""]);
    let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
    let steps: Vec<String> = words.iter().map(|word| format!("[{word}, {word}, {word}]")).collect();
    let (names, steps) = (words.join(","), steps.join(","));
    let json = format!(
        r#"{{"states": [{names}], "initial": [{names}], "secret": [{names}], "anonymous": [{names}], "transitions": [{steps}]}}"#
    );
    let (mut sources, id, format) = source("m.json", json);
    let (models, faults) = read_all(format, id, sources.get(id));
    assert_eq!(faults, []);
    let text = desc::import::des::foreign(&models[0], "check", "m.json");
    let id = sources.add(SourceFile::new("m.des", text.clone()));
    let checked = check(id, &mut sources, &NoImports, &Settings::default());
    assert!(!any_error(&checked.diagnostics), "{:?}\n{text}", checked.diagnostics);
    let model = checked.model.expect("no errors");
    let automaton = &model.systems()[0].automaton;
    assert_eq!((automaton.n_states(), automaton.n_events()), (words.len(), words.len()), "{text}");
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
