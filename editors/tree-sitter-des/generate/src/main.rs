//! Writes `src/` of the tree-sitter grammar from `grammar.js`, or, with `--check`, says whether it is what `grammar.js` says.
//!
//! The grammar is read by `node`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The newest that every editor reads.
const ABI: usize = 14;

/// What is generated, below `src/`.
const FILES: &[&str] = &["grammar.json", "node-types.json", "parser.c", "tree_sitter/parser.h"];

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let result = match std::env::args().nth(1).as_deref() {
        None => generate(&folder, &folder.join("src")),
        Some("--check") => check(&folder),
        Some(other) => Err(format!("`{other}` is not known: nothing, or `--check`").into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(folder: &Path, into: &Path) -> Result<(), Box<dyn Error>> {
    let (into, grammar) = (Some(into.to_owned()), None::<PathBuf>);
    let mut remarks = Vec::new();
    generate_parser_in_directory(folder, into, grammar, ABI, None, Some("node"), true, OptLevel::default(), &mut remarks)?;
    Ok(())
}

fn check(folder: &Path) -> Result<(), Box<dyn Error>> {
    let fresh = std::env::temp_dir().join(format!("tree-sitter-des-{}", std::process::id()));
    generate(folder, &fresh)?;
    let differs = |file: &&&str| std::fs::read(folder.join("src").join(file)).ok() != std::fs::read(fresh.join(file)).ok();
    let stale: Vec<&str> = FILES.iter().filter(differs).copied().collect();
    std::fs::remove_dir_all(&fresh)?;
    match stale[..] {
        [] => Ok(println!("src/ is what grammar.js says: {}", FILES.join(", "))),
        _ => Err(format!("not what grammar.js says: {}; run `cargo run` in tree-sitter-des/generate", stale.join(", ")).into()),
    }
}
