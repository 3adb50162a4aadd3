//! Dependencies between the top-level modules of `src` point one way: a module uses only those that are declared before it.
//!
//! The order is that of the `mod` lines in `src/lib.rs` and `src/main.rs`. Paths are read as text: `crate::NAME`, `crate::{NAME, ...}` and
//! as many `super::` as lead out of a top-level module. Unit tests may use what they like.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Arrows against the order that are known, source and target. One that is not needed any more has to go.
const EXCEPTIONS: &[(&str, &str)] = &[];

#[test]
fn no_module_uses_one_that_is_declared_after_it() {
    let mut against: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for order in [declared("lib.rs"), declared("main.rs")] {
        for file in order.iter().flat_map(|module| files_of(module)) {
            for target in targets(&file) {
                let rank = |name: &str| order.iter().position(|known| known == name);
                if rank(&target) > rank(top(&file)) {
                    against.entry((top(&file).to_owned(), target)).or_default().push(file.display().to_string());
                }
            }
        }
    }
    for &(source, target) in EXCEPTIONS {
        let used = against.remove(&(source.to_owned(), target.to_owned()));
        assert!(used.is_some(), "{source} does not use {target} any more: take it out of EXCEPTIONS");
    }
    assert!(against.is_empty(), "arrows against the order of lib.rs and main.rs: {against:#?}");
}

#[test]
fn every_file_belongs_to_a_module_with_a_place_in_the_order() {
    let declared = [declared("lib.rs"), declared("main.rs"), vec!["lib".to_owned(), "main".to_owned()]].concat();
    for entry in fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(declared.contains(&name), "src/{name} is declared neither in lib.rs nor in main.rs");
    }
}

#[test]
fn every_module_is_on_the_maps() {
    let library = fs::read_to_string(root().join("lib.rs")).unwrap();
    let map: String = library.lines().filter(|line| line.starts_with("//! |")).collect();
    let page = fs::read_to_string(root().join("../ARCHITECTURE.md")).unwrap();
    for module in declared("lib.rs") {
        assert!(map.contains(&format!("`{module}`")), "{module} is not on the code map of lib.rs");
        assert!(page.contains(&format!("`src/{module}.rs`")), "{module} is not in ARCHITECTURE.md");
    }
}

#[test]
fn paths_are_found_in_code_and_not_elsewhere() {
    let code = "use crate::{a, b::{c, d}, e};\n// crate::no\nlet x = super::f::g() + crate::h(); // crate::no\nuse super::super::i;\n\
                #[cfg(test)]\nuse crate::no;\nuse crate::{\n    j::J,\n    k,\n};\n#[cfg(test)]\nmod tests {\n    use crate::no;\n}\n";
    assert_eq!(used(code, 1), ["a", "b", "e", "h", "j", "k", "f"]);
    assert_eq!(used(code, 2), ["a", "b", "e", "h", "j", "k", "i"]);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules that a root file declares, in order.
fn declared(file: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let name = |line: &str| {
        let declared = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ").strip_prefix("mod ")?;
        declared.strip_suffix(';').map(str::to_owned)
    };
    let found: Vec<String> = text.lines().filter_map(name).collect();
    assert!(found.len() > 1, "{file} declares {found:?}");
    found
}

/// Every file of a top-level module, as a path below `src`. Files of unit tests are left out.
fn files_of(module: &str) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from(module).with_extension("rs")];
    let mut folders = vec![PathBuf::from(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).into_iter().flatten() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") => {
                    found.push(path);
                }
                false => {}
            }
        }
    }
    found
}

/// The top-level module of a file.
fn top(file: &Path) -> &str {
    file.iter().next().and_then(|first| first.to_str()).unwrap().trim_end_matches(".rs")
}

/// The top-level names that a file uses.
fn targets(file: &Path) -> Vec<String> {
    used(&fs::read_to_string(root().join(file)).unwrap(), file.iter().count())
}

/// The names after `crate::`, then those after `depth` times `super::`, outside of comments and unit tests.
fn used(text: &str, depth: usize) -> Vec<String> {
    let code = code(text);
    let up = "super::".repeat(depth);
    let alone = |&(at, found): &(usize, &str)| {
        !code[..at].ends_with("super::") && !code[at + found.len()..].starts_with("super::")
    };
    let after_super = code.match_indices(&up).filter(alone);
    let places = code.match_indices("crate::").map(|(at, found)| at + found.len());
    places.chain(after_super.map(|(at, found)| at + found.len())).flat_map(|at| names(&code[at..])).collect()
}

/// A text without comments and without what is compiled for unit tests only.
fn code(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
        } else if lines.next().is_some_and(|next| next.contains("mod ") && next.ends_with('{')) {
            break; // Unit tests stand at the end of a file.
        }
    }
    kept
}

/// The name that a path goes on with, or the names, if it goes on with a list in braces.
fn names(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|&character| character == '_' || character.is_alphanumeric()).collect()
    };
    let Some(list) = path.strip_prefix('{') else { return vec![word(path)] };
    let (mut found, mut depth) = (vec![word(list)], 1);
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => found.push(word(&list[at + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found.retain(|name| !name.is_empty());
    found
}
