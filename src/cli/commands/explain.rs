//! `desc explain [CODE]`: the page of a code, with an example and its repair.

use crate::cli::args::pick;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Status};
use clap::Args;
use desc::diagnostic::Code;

/// Explain a code such as E0201, or list all codes.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  desc explain E0201")]
pub struct Explain {
    /// The code [default: list all codes]
    code: Option<String>,
}

impl Explain {
    pub fn run(&self, session: &mut Session) -> Ended {
        match &self.code {
            None => session.print(&list())?,
            Some(name) => {
                let known = || Code::ALL.iter().map(|code| code.as_str());
                let unknown = || pick::unknown("code", name, known()).help_otherwise("`desc explain` lists all codes");
                let code = Code::from_name(name).ok_or_else(unknown)?;
                session.print(code.page())?;
            }
        }
        Ok(Status::Passed)
    }
}

fn list() -> String {
    Code::ALL.iter().map(|code| format!("{code}  {}\n", code.title())).collect()
}
