//! `desc new NAME`: a commented starter model. An existing file is never overwritten.

use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::files;
use clap::Args;
use desc::syntax::spelling;
use std::path::PathBuf;

const STARTER: &str = include_str!("new/starter.des");

/// Write a commented starter model.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  desc new ballot")]
pub struct New {
    /// The name of the model: `ballot` writes `ballot.des` with `system Ballot`
    name: String,
}

impl New {
    pub fn run(&self, session: &mut Session) -> Ended {
        let path = path(&self.name)?;
        files::create(&path, starter(&stem(&path)).as_bytes())?;
        let shown = path.display();
        let quoted = if self.name.contains(' ') { format!("\"{shown}\"") } else { shown.to_string() };
        session.tell(&format!("wrote {shown}\nnext: desc check {quoted}\n"))?;
        Ok(Status::Passed)
    }
}

/// The path with the extension `.des`.
fn path(name: &str) -> Result<PathBuf, Failure> {
    if name.is_empty() || name.ends_with(['/', '\\']) || name.contains(char::is_control) {
        return Err(Failure::new(format!("`{name}` is not a file name")).help("desc new ballot"));
    }
    Ok(PathBuf::from(if name.ends_with(".des") { name.to_owned() } else { format!("{name}.des") }))
}

fn stem(path: &std::path::Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The starter with the given system name.
fn starter(stem: &str) -> String {
    STARTER.replace("system Starter", &format!("system {}", system_name(stem)))
}

/// `cloud_migration` becomes `CloudMigration`; a name that is not an identifier is quoted.
fn system_name(stem: &str) -> String {
    let words = stem.split(['_', '-', ' ', '.']).filter(|word| !word.is_empty());
    let name: String = words.map(capitalised).collect();
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|character| character.is_ascii_alphanumeric());
    if plain { name } else { spelling::quoted(stem) }
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_named_after_its_file() {
        assert_eq!(system_name("ballot"), "Ballot");
        assert_eq!(system_name("cloud_migration-2"), "CloudMigration2");
        assert_eq!(system_name("2nd try"), "\"2nd try\"");
        assert_eq!(system_name("say \"no\""), "\"say \\\"no\\\"\"");
        assert!(starter("ballot").contains("system Ballot {"));
    }

    #[test]
    fn the_ending_is_added_once() {
        assert_eq!(path("a/ballot").unwrap(), PathBuf::from("a/ballot.des"));
        assert_eq!(path("ballot.des").unwrap(), PathBuf::from("ballot.des"));
        assert!(path("").is_err());
        assert!(path("folder/").is_err());
        assert!(path("\u{1b}[31mred").is_err());
    }
}
