//! Models of other tools: each is read, written in every format, read again, and gives the same verdicts.
//!
//! The folder is that of our own fixtures, or the one that `DESC_CORPUS` names:
//!
//! ```sh
//! DESC_CORPUS=path/to/models cargo test --test tools corpus -- --nocapture
//! ```
//!
//! prints how many files were read, how many were refused and why, and how many verdicts were compared. What a format cannot
//! represent (it says so, W0611) is said again after reading: initial states, secrets, observability, anonymity.

use super::FIXTURES;
use desc::automaton::view::Observability;
use desc::automaton::{EventId, StateId};
use desc::check::{Settings, check};
use desc::diagnostic::any_error;
use desc::export::{Target, write};
use desc::import::{Foreign, Format, Part, read_all};
use desc::model::{Model, OWN, System, ViewId};
use desc::source::{NoImports, SourceFile, Sources};
use desc::verdict::Exposure;
use desc::verify::{Limits, Options, verify};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What is decided of every model, besides what it measures itself.
const MEASURES: &str =
    "measure natural; measure strong; measure weak; measure natural opacity; measure strong opacity;";

/// Larger models are read and written, but not decided.
const MOST_STATES: usize = 200;

/// The most pairs of one search: what is not decided within it must be undecided in every format.
const MOST_PAIRS: u64 = 3_000;

#[derive(Debug, Default)]
struct Counts {
    read: usize,
    refused: Vec<String>,
    round_trips: BTreeMap<&'static str, usize>,
    unwritable: usize,
    verdicts: usize,
    undecided: usize,
}

#[test]
fn every_readable_model_gives_the_same_verdicts_through_every_format() {
    let given = std::env::var_os("DESC_CORPUS").map(PathBuf::from);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(FIXTURES).join("ok");
    let mut counts = Counts::default();
    for path in models_below(given.as_deref().unwrap_or(&own)) {
        one(&path, &mut counts);
    }
    println!("{counts:#?}\n{} round trips", counts.round_trips.values().sum::<usize>());
    assert!(counts.read >= 10 && counts.verdicts >= 200, "{counts:?}");
    assert!(given.is_some() || counts.refused.is_empty(), "{counts:?}");
}

/// The files of a known format, in order.
fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(models_below(&path));
        } else if Format::is_foreign(&path.to_string_lossy()) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn one(path: &Path, counts: &mut Counts) {
    let text = String::from_utf8_lossy(&fs::read(path).expect("a file")).into_owned();
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new(&*name, &*text));
    let Some(format) = Format::detect(&name, &text) else { return };
    let (models, diagnostics) = read_all(format, id, sources.get(id));
    if models.is_empty() {
        let why = diagnostics.first().expect("a reason");
        counts.refused.push(format!("{}: {}", sources.place(why.primary.span), why.message));
        return;
    }
    // `desc` refuses it later, when it becomes a system (E0402).
    if models.iter().flat_map(|model| &model.parts).any(|part| part.states.is_empty()) {
        counts.refused.push(format!("{name}: no states"));
        return;
    }
    counts.read += 1;
    // A name with a line break cannot be written in `.des`.
    let is_legible =
        |model: &Foreign| model.parts.iter().all(|part| part.states.iter().all(|name| !name.contains('\n')));
    for mut model in models.into_iter().filter(is_legible) {
        enrich(&mut model);
        let checked = meaning(&model);
        let system = &checked.systems()[0];
        if system.automaton.n_states() <= MOST_STATES {
            through_every_format(&name, system, counts);
        }
    }
}

/// Makes the first two observable events anonymous, starts a model that does not say where, and hides its last state if nothing is
/// secret.
fn enrich(model: &mut Foreign) {
    let events =
        |wanted: bool| -> BTreeSet<String> { model.parts.iter().flat_map(|part| observable(part, wanted)).collect() };
    let silent = events(false);
    let anonymous: BTreeSet<String> = events(true).into_iter().filter(|name| !silent.contains(name)).take(2).collect();
    for part in &mut model.parts {
        for event in 0..part.facts.len() {
            let name = part.events.get(event as u32).into_owned();
            part.facts[event].anonymous = anonymous.contains(&name);
        }
        if part.initial.is_empty() {
            part.initial.push(0);
        }
    }
    if let [part] = model.parts.as_mut_slice() {
        part.secret.get_or_insert_with(|| vec![part.states.len() as u32 - 1]);
    }
}

/// The events of a part that are observable, or those that are not.
fn observable(part: &Part, wanted: bool) -> Vec<String> {
    let events = (0..part.facts.len()).filter(|&event| (part.facts[event].observable != Some(false)) == wanted);
    events.map(|event| part.events.get(event as u32).into_owned()).collect()
}

/// The checked model, with the measures.
fn meaning(model: &Foreign) -> Model {
    let text = desc::import::des::foreign(model, "model", "a file");
    let opaque = model.parts.iter().any(|part| part.secret.as_ref().is_some_and(|secret| !secret.is_empty()));
    let measures =
        if opaque { MEASURES } else { MEASURES.split(" measure natural opacity").next().expect("the first") };
    let text = format!("{}{measures}\n}}\n", text.trim_end().strip_suffix('}').expect("a block"));
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new("model.des", &*text));
    let checked = check(id, &mut sources, &NoImports, &Settings::default());
    assert!(!any_error(&checked.diagnostics), "{:?}\n{text}", checked.diagnostics);
    checked.model.expect("no errors")
}

fn verdicts(system: &System) -> Vec<Exposure> {
    let limits = Limits { pairs: Some(MOST_PAIRS), ..Limits::default() };
    let results = verify(system, &Options { limits, threads: 1, ..Options::default() });
    results.measures.iter().map(|measured| measured.finding.exposure).collect()
}

fn through_every_format(name: &str, system: &System, counts: &mut Counts) {
    let wanted = verdicts(system);
    for &(_, format) in Format::ALL {
        let Some(mut model) = there_and_back(system, format) else {
            counts.unwritable += 1;
            continue;
        };
        restore(&mut model, system, format);
        let back = meaning(&model);
        let found = verdicts(&back.systems()[0]);
        assert_eq!(wanted.len(), found.len(), "{name} through {format}");
        for (wanted, found) in wanted.iter().zip(&found) {
            let is_open = |exposure: &Exposure| matches!(exposure, Exposure::Beyond(_) | Exposure::Unknown);
            if is_open(wanted) || is_open(found) {
                // How far a search comes depends on the order of the states.
                counts.undecided += 1;
                continue;
            }
            assert_eq!(wanted, found, "{name} through {format}");
            counts.verdicts += 1;
        }
        *counts.round_trips.entry(format.word()).or_default() += 1;
    }
}

/// Writes a system and reads it again; none: the format cannot write a name.
fn there_and_back(system: &System, format: Format) -> Option<Foreign> {
    let view_id = ViewId { observer: OWN, projection: desc::automaton::view::Projection::Natural };
    let written = write(Target::Model(format), system, view_id);
    if any_error(&written.diagnostics) {
        assert!(written.diagnostics.iter().all(|fault| fault.code.as_str() != "E0602"), "{:?}", written.diagnostics);
        return None;
    }
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new("back", &*written.text));
    let (mut models, diagnostics) = read_all(format, id, sources.get(id));
    assert!(!any_error(&diagnostics), "through {format}: {diagnostics:?}\n{}", written.text);
    models.pop()
}

/// Says again what the format cannot represent. Formats with names of their own keep the order.
fn restore(model: &mut Foreign, system: &System, format: Format) {
    let [part] = model.parts.as_mut_slice() else { panic!("one part") };
    let renames = matches!(format, Format::Aldebaran | Format::Cif);
    let state = |state: StateId| match renames {
        true => state.0,
        false => part.states.find(&system.names.state(state)).expect("the same name"),
    };
    part.initial = system.automaton.initial().iter().map(|&initial| state(initial)).collect();
    let secret = system.secret.as_ref().map(|secret| secret.iter().map(state).collect());
    let observer = &system.observer(OWN).observer;
    for (at, event) in system.automaton.events().enumerate() {
        if let Some(found) = event_of(part, system, event, at, format) {
            let observability = observer.observability(event);
            part.facts[found as usize].observable = Some(observability != Observability::Silent);
            part.facts[found as usize].anonymous = matches!(observability, Observability::Anonymous(_));
        }
    }
    part.secret = secret;
}

/// The event that was read again; none: no transition has it, and the format lists only those.
fn event_of(part: &Part, system: &System, event: EventId, at: usize, format: Format) -> Option<u32> {
    match format {
        Format::Cif => Some(at as u32),
        _ => part.events.find(&system.names.event(event)),
    }
}
