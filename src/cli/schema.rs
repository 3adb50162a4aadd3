//! `desc schema`: the JSON Schema of what `desc check --message-format json` prints.

use super::session::Session;
use super::status::{Ended, Status};
use clap::Args;

/// Print the JSON Schema of `check --message-format json`.
#[derive(Debug, Args)]
pub struct Schema {}

impl Schema {
    /// Prints it.
    pub fn run(&self, session: &mut Session) -> Ended {
        session.print(&desc::report::json::schema())?;
        Ok(Status::Passed)
    }
}
