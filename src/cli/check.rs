//! `desc check FILE...`: decides every check.

use super::load::{Reading, load};
use super::session::Session;
use super::status::{Ended, Status};
use clap::Args;
use desc::diagnostic::any_error;

/// Decide every check of the given models.
#[derive(Debug, Args)]
pub struct Check {
    /// The models: files, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    reading: Reading,
}

impl Check {
    /// Checks each file in turn.
    pub fn run(&self, session: &mut Session) -> Ended {
        let mut status = Status::Passed;
        for path in &self.files {
            let unit = load(path, &self.reading);
            session.emit(&unit.sources, &unit.checked.diagnostics);
            if any_error(&unit.checked.diagnostics) {
                status = status.and(Status::Fault);
            }
        }
        Ok(status)
    }
}
