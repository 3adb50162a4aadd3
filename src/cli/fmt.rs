//! `desc fmt [--check | --diff] FILE...`: the canonical format.
//!
//! A folder denotes the `.des` files below it. A file is replaced atomically. A file with syntax errors is not changed; its errors are printed.

use super::check::paths;
use super::session::Session;
use super::status::{Ended, Failure, Status};
use crate::files;
use clap::Args;
use desc::diagnostic::any_error;
use desc::format::{self, Refusal};
use desc::source::Sources;
use desc::syntax;
use similar::TextDiff;
use std::path::Path;

/// Write files in their canonical format.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  desc fmt ballot.des\n  desc fmt --check models/")]
pub struct Fmt {
    /// The files or folders; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Write nothing; list the files that would change, and exit with 1 if there are any
    #[arg(long, conflicts_with = "diff")]
    check: bool,
    /// Write nothing; show the changes as a diff
    #[arg(long)]
    diff: bool,
}

impl Fmt {
    /// Formats every file; an error in one does not affect the others.
    pub fn run(&self, session: &mut Session) -> Ended {
        let mut status = Status::Passed;
        for path in &paths::expand(&self.files)? {
            let ended = self.file(session, path)?;
            status = status.and(ended);
        }
        Ok(status)
    }

    fn file(&self, session: &mut Session, path: &str) -> Ended {
        let name = files::shown(path);
        let bytes = match files::read(path) {
            Ok(bytes) => bytes,
            Err(reason) => return Ok(session.fail(&Failure::new(format!("cannot read `{name}`: {reason}")))),
        };
        let mut sources = Sources::new();
        let (id, mut faults) = syntax::read(&mut sources, name, bytes.clone());
        let parsed = syntax::parse(id, sources.get(id));
        let formatted =
            if any_error(&faults) { Err(Refusal::Broken) } else { format::format(sources.get(id), &parsed) };
        match formatted {
            Ok(text) => self.show(session, path, (&bytes, sources.get(id).text()), &text),
            Err(Refusal::Broken) => {
                faults.extend(parsed.diagnostics);
                session.emit(&sources, &faults);
                Ok(Status::Fault)
            }
            Err(Refusal::Changed) => Ok(session.fail(&changed(name))),
        }
    }

    /// Writes the file, or prints what would be written.
    fn show(&self, session: &mut Session, path: &str, (read, before): (&[u8], &str), after: &str) -> Ended {
        let name = files::shown(path);
        if self.check && before != after {
            session.print(&format!("{name}\n"))?;
            return Ok(Status::Failed);
        }
        if self.diff {
            let diff = TextDiff::from_lines(before, after);
            session.print(&diff.unified_diff().header(name, &format!("{name} (formatted)")).to_string())?;
        } else if path == files::STDIN && !self.check {
            session.print(after)?;
        } else if before != after {
            files::replace(Path::new(path), read, after.as_bytes())?;
        }
        Ok(Status::Passed)
    }
}

fn changed(name: &str) -> Failure {
    Failure::new(format!("`{name}` was not changed: the formatted text would have another meaning"))
        .help("this is a bug in desc: please report it with the file")
}
