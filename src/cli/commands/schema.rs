//! `desc schema`: the JSON Schema of the output of `desc check --message-format json`.

use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Status};
use clap::Args;

/// Print the JSON Schema of `check --message-format json`.
#[derive(Debug, Args)]
pub struct Schema {}

impl Schema {
    pub fn run(&self, session: &mut Session) -> Ended {
        session.print(&desc::report::formats::json::schema())?;
        Ok(Status::Passed)
    }
}
