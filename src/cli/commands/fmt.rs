//! `desc fmt [--check | --diff] FILE...`: the canonical format.
//!
//! A folder denotes the `.des` files below it. A file is replaced atomically. A file with syntax errors is not changed; its errors are printed.

use crate::cli::args::paths;
use crate::cli::run::limits::RunLimits;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::files;
use clap::Args;
use desc::diagnostic::any_error;
use desc::format::{self, Refusal};
use desc::resources::{Resources, Stop};
use desc::source::Sources;
use desc::syntax;
use similar::TextDiff;
use std::path::Path;
use std::time::Instant;

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
    #[command(flatten)]
    limits: RunLimits,
}

impl Fmt {
    /// Formats every file; an error in one does not affect the others.
    pub fn run(&self, session: &mut Session) -> Ended {
        let resources = self.limits.begin();
        let mut status = Status::Passed;
        for path in &paths::expand(&self.files)? {
            let ended = self.file(session, path, resources)?;
            status = status.and(ended);
        }
        Ok(status)
    }

    fn file(&self, session: &mut Session, path: &str, resources: Resources<'_>) -> Ended {
        let name = files::shown(path);
        let bytes = match files::read(path, &resources) {
            Ok(bytes) => bytes,
            Err(unread) => return Ok(session.fail(&unread.failure(name))),
        };
        let mut sources = Sources::new();
        let (id, mut faults) = syntax::read(&mut sources, name, bytes.clone());
        let resources = resources.less(2 * bytes.len() as u64);
        let parsed = match syntax::parse_within(id, sources.get(id), resources) {
            Ok(parsed) => parsed,
            Err(stop) => return Ok(session.fail(&late(name, stop))),
        };
        let formatted = match any_error(&faults) {
            true => Err(Refusal::Broken),
            false => format::format_within(sources.get(id), &parsed, resources),
        };
        match formatted {
            Ok(text) => self.show(session, path, (&bytes, sources.get(id).text()), &text, resources.deadline),
            Err(Refusal::Stopped(stop)) => Ok(session.fail(&late(name, stop))),
            Err(Refusal::Broken) => {
                faults.extend(parsed.diagnostics);
                session.emit(&sources, &faults);
                Ok(Status::Fault)
            }
            Err(Refusal::Changed) => Ok(session.fail(&changed(name))),
        }
    }

    /// Writes the file, or prints what would be written.
    fn show(
        &self,
        session: &mut Session,
        path: &str,
        (read, before): (&[u8], &str),
        after: &str,
        deadline: Option<Instant>,
    ) -> Ended {
        let name = files::shown(path);
        if self.check && before != after {
            session.print(&format!("{name}\n"))?;
            return Ok(Status::Failed);
        }
        if self.diff {
            // Past the deadline the difference is no longer the smallest, and still right.
            let mut differ = TextDiff::configure();
            if let Some(deadline) = deadline {
                differ.deadline(deadline);
            }
            let diff = differ.diff_lines(before, after);
            session.print(&diff.unified_diff().header(name, &format!("{name} (formatted)")).to_string())?;
        } else if path == files::STDIN && !self.check {
            session.print(after)?;
        } else if before != after {
            files::replace(Path::new(path), read, after.as_bytes())?;
        }
        Ok(Status::Passed)
    }
}

fn late(name: &str, stop: Stop) -> Failure {
    Failure::stopped(&format!("`{name}` was not formatted"), stop)
}

fn changed(name: &str) -> Failure {
    Failure::new(format!("`{name}` was not changed: the formatted text would have another meaning"))
        .help("this is a bug in desc: please report it with the file")
}
