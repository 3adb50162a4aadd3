//! Every file under `tests/fixtures/check/` beside its snapshot: adding one needs no Rust.
//!
//! A snapshot shows what a user sees: the diagnostics, and the model if there is one. `ok` raises nothing, `warn` only warnings,
//! `err` at least one error. Imports are read from the folder of the fixture.

use desc::check::{Limits, Settings, check};
use desc::diagnostic::render::{Style, human};
use desc::diagnostic::{Code, any_error};
use desc::model::dump::dump_model;
use desc::resources::Resources;
use desc::source::{LoadError, Loaded, Loader, NoImports, Sources};
use desc::syntax;
use proptest::prelude::*;
use std::path::{Path, PathBuf};

const PLAIN: Style = Style { color: false, ascii: false, narrated: false, width: 100 };

/// Reads imports from a folder.
struct Folder(PathBuf);

impl Loader for Folder {
    fn load(&self, _importer: &str, path: &str) -> Result<Loaded, LoadError> {
        match std::fs::read(self.0.join(path)) {
            Ok(bytes) => Ok(Loaded { identity: path.to_owned(), name: path.to_owned(), bytes }),
            Err(_) => Err(LoadError::new("no such file")),
        }
    }
}

fn show(path: &Path) -> (String, bool, bool) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let mut sources = Sources::new();
    let (entry, mut faults) = syntax::read(&mut sources, &name, std::fs::read(path).unwrap());
    let loader = Folder(path.parent().unwrap().to_owned());
    let checked = check(entry, &mut sources, &loader, &Settings::default());
    faults.extend(checked.diagnostics);
    let mut shown = human(&sources, &faults, &PLAIN);
    shown.extend(checked.model.iter().map(|model| dump_model(model, Resources::default()).unwrap()));
    (shown, any_error(&faults), faults.is_empty())
}

#[test]
fn every_fixture_is_understood_as_its_snapshot_says() {
    let mut failed = Vec::new();
    for kind in ["ok", "warn", "err"] {
        for path in fixtures(kind) {
            let (shown, errors, clean) = show(&path);
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let as_filed = match kind {
                "ok" => clean,
                "warn" => !errors && !clean,
                _ => errors,
            };
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(path.parent().unwrap());
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            let compare = || settings.bind(|| insta::assert_snapshot!(stem.as_str(), shown));
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare)).is_err() || !as_filed {
                failed.push(format!("{kind}/{stem}"));
            }
        }
    }
    assert!(failed.is_empty(), "these fixtures differ from their snapshots or are filed wrongly: {failed:?}");
}

fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/check").join(kind);
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "des"));
    found.sort();
    assert!(!found.is_empty());
    found
}

/// The `des` blocks of an explain page: the bad example and the repaired one.
fn examples(page: &str) -> Vec<&str> {
    page.split("```des\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

fn codes(text: &str) -> Vec<Code> {
    let mut sources = Sources::new();
    let (entry, mut faults) = syntax::read(&mut sources, "example.des", text.as_bytes().to_vec());
    faults.extend(check(entry, &mut sources, &NoImports, &Settings::default()).diagnostics);
    faults.iter().map(|fault| fault.code).collect()
}

#[test]
fn pages_of_the_checker_show_their_code_and_its_cure() {
    let mut wrong = Vec::new();
    for &code in Code::ALL.iter().filter(|code| ("02".."06").contains(&&code.as_str()[1..3])) {
        let [bad, good] = examples(code.page())[..] else { continue };
        if codes(bad) != [code] || !codes(good).is_empty() {
            wrong.push((code, codes(bad), codes(good)));
        }
    }
    assert!(wrong.is_empty(), "code, what its example raises, what the repaired one raises: {wrong:#?}");
}

/// The words and signs of a text, with the space between them.
fn pieces(text: &str) -> Vec<String> {
    syntax::token::tokens(text).map(|token| token.text(text).to_owned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_damaged_model_panics_or_points_outside(
        which in any::<prop::sample::Index>(),
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8), 1..6),
    ) {
        let all: Vec<PathBuf> = ["ok", "warn", "err"].iter().flat_map(|kind| fixtures(kind)).collect();
        let mut pieces = pieces(&std::fs::read_to_string(which.get(&all)).unwrap());
        for (at, from, act) in cuts {
            let (at, from) = (at.index(pieces.len()), from.index(pieces.len()));
            match act {
                0 => { pieces.remove(at); }
                1 => { let piece = pieces[from].clone(); pieces.insert(at, piece); }
                2 => pieces.swap(at, from),
                _ => { let piece = pieces[from].clone(); pieces[at] = piece; }
            }
            if pieces.is_empty() { return Ok(()); }
        }
        let text = pieces.concat();
        let mut sources = Sources::new();
        let (entry, _) = syntax::read(&mut sources, "damaged.des", text.into_bytes());
        let limits = Limits { states: 2_000, transitions: 20_000, ..Limits::default() };
        let checked = check(entry, &mut sources, &NoImports, &Settings { defines: Vec::new(), limits });
        prop_assert_eq!(checked.model.is_none(), any_error(&checked.diagnostics));
        for fault in &checked.diagnostics {
            let edits = fault.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
            for span in fault.secondary.iter().chain([&fault.primary]).map(|label| label.span).chain(edits) {
                prop_assert!(sources.get(span.file).text().get(span.range()).is_some(), "{:?}", fault);
            }
        }
        human(&sources, &checked.diagnostics, &PLAIN);
    }
}
