//! Every file under `tests/fixtures/` beside its snapshot: adding one needs no Rust.
//!
//! `lex` shows the tokens, `parse` the tree and what is wrong, `format` the formatted text. A snapshot is named after its
//! fixture and stands beside it.

use desc::diagnostic::{Diagnostic, Label};
use desc::format::format_text;
use desc::source::{FileId, SourceFile, Sources};
use desc::syntax;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[test]
fn tokens_of_every_fixture() {
    each("lex", |sources, id| syntax::dump::dump_tokens(sources.get(id).text(), Default::default()).unwrap());
}

#[test]
fn tree_and_faults_of_every_fixture() {
    each("parse", |sources, id| {
        let parsed = syntax::parse(id, sources.get(id));
        let tree = syntax::dump::dump_ast(&parsed.file, sources.get(id), Default::default()).unwrap();
        if parsed.diagnostics.is_empty() { tree } else { format!("{}\n{tree}", faults(sources, &parsed.diagnostics)) }
    });
}

#[test]
fn format_of_every_fixture() {
    each("format", |sources, id| {
        let formatted = format_text("t.des", sources.get(id).text()).unwrap();
        assert_eq!(format_text("t.des", &formatted).as_ref(), Ok(&formatted), "formatting twice changes nothing");
        formatted
    });
}

/// Runs `show` on every fixture of a folder and compares what it gives with the snapshot beside the fixture.
fn each(folder: &str, show: impl Fn(&Sources, FileId) -> String) {
    let mut failed = Vec::new();
    for path in fixtures(folder) {
        let mut sources = Sources::new();
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (id, _) = syntax::read(&mut sources, &name, bytes);
        let shown = show(&sources, id);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.parent().unwrap());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let compare = || settings.bind(|| insta::assert_snapshot!(stem, shown));
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare)).is_err() {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "these fixtures differ from their snapshots: {failed:?}");
}

/// The fixtures of a folder and its subfolders, in order.
fn fixtures(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "des") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no fixtures in {folder}");
    found
}

/// Each fault as a person would point at it: the line, what is marked in it, what is said.
fn faults(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "{}: {}", diagnostic.code, diagnostic.message);
        for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
            out.push_str(&marked(sources, label));
        }
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "   = {help}");
        }
        for fix in &diagnostic.fixes {
            let _ = writeln!(out, "   > {}: {}", fix.title, fixed(sources, &fix.edits));
        }
    }
    out
}

fn marked(sources: &Sources, label: &Label) -> String {
    let file: &SourceFile = sources.get(label.span.file);
    let line = file.lines().line_of(label.span.start);
    let text = file.text().lines().nth(line).unwrap_or("");
    let at = file.lines().position(file.text(), label.span.start);
    let width = file.slice(label.span).lines().next().unwrap_or("").chars().count().max(1);
    let shown: String =
        text.chars().map(|character| if character.is_control() { '?' } else { character }).take(120).collect();
    let before = " ".repeat(at.column as usize - 1);
    format!("{:>4} | {shown}\n     | {before}{} {}\n", at.line, "^".repeat(width.min(100)), label.text)
}

/// The line as it is after the repair.
fn fixed(sources: &Sources, edits: &[desc::diagnostic::Edit]) -> String {
    let file = sources.get(edits[0].span.file);
    let mut text = file.text().to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    let line = file.lines().line_of(edits[0].span.start);
    text.lines().nth(line).unwrap_or("").trim().chars().take(120).collect()
}
