//! `desc schema`: the JSON Schema of the output of `desc check --message-format json`.

use super::session::Session;
use super::status::{Ended, Status};
use clap::Args;

/// Print the JSON Schema of `check --message-format json`.
#[derive(Debug, Args)]
pub struct Schema {}

impl Schema {
    pub fn run(&self, session: &mut Session) -> Ended {
        session.print(&desc::report::json::schema())?;
        Ok(Status::Passed)
    }
}
