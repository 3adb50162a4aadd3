//! `desc schema`: the JSON Schema of the output of `desc check --message-format json`, or of `desc repair`.

use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Status};
use clap::{Args, ValueEnum};

/// Print the JSON Schema of `check --message-format json`, or of `repair`.
#[derive(Debug, Args)]
pub struct Schema {
    /// The command whose output it describes
    #[arg(value_name = "COMMAND", default_value = "check")]
    of: Of,
}

/// A command with a JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Of {
    /// `desc check`
    Check,
    /// `desc repair`
    Repair,
}

impl Schema {
    pub fn run(&self, session: &mut Session) -> Ended {
        session.print(&match self.of {
            Of::Check => desc::report::formats::json::schema(),
            Of::Repair => desc::report::repairs::json::schema(),
        })?;
        Ok(Status::Passed)
    }
}
