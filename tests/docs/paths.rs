//! Files that a document names are there.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the repository: a path that begins with one of them is meant to be there.
const FOLDERS: [&str; 9] =
    ["src/", "tests/", "benches/", "examples/", "editors/", "fuzz/", "grammar/", "docs/", "packaging/"];

#[test]
fn every_file_that_a_document_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut missing = Vec::new();
    let mut named = 0;
    for document in documents(root) {
        let text = fs::read_to_string(&document).unwrap();
        for path in paths(&text) {
            named += 1;
            if !root.join(path).exists() {
                missing.push(format!("{}: {path}", document.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(named > 20, "only {named} paths were found: are they still in backticks?");
}

#[test]
fn paths_are_found_between_backticks() {
    let text = "See `src/a.rs`, `tests/b/` and `no` or src/c.rs.\n```sh\ncargo run -- `src/d.rs`\n```\n`src/*.rs` `src/e TARGET`";
    assert_eq!(paths(text).collect::<Vec<_>>(), ["src/a.rs", "tests/b/"]);
}

/// The Markdown files of the repository: at the root, in the manual, and beside the folders' own files.
fn documents(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.is_dir() {
                true if !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_str()) => {
                    folders.push(path);
                }
                false if name.ends_with(".md") => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// The paths that stand in backticks, outside of blocks. A path with a placeholder or a pattern is none.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let outside = text.split("\n```").step_by(2);
    let quoted = outside.flat_map(|text| text.split('`').skip(1).step_by(2));
    let plain = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "/._-".contains(c));
    quoted.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder))).filter(plain)
}
