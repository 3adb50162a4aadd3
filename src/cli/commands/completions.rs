//! `desc completions SHELL` and `desc man [COMMAND]`, generated from the clap definitions.

use crate::cli::args::pick;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  desc completions bash")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, session: &mut Session) -> Ended {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::cli::Arguments::command(), "desc", &mut script);
        session.print(&String::from_utf8_lossy(&script))?;
        Ok(Status::Passed)
    }
}

/// Print the manual page of `desc` or of one of its commands.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  desc man check")]
pub struct Man {
    /// The command [default: `desc` itself]
    command: Option<String>,
}

impl Man {
    pub fn run(&self, session: &mut Session) -> Ended {
        let mut whole = crate::cli::Arguments::command();
        whole.build();
        let command = match &self.command {
            None => whole,
            Some(name) => match whole.find_subcommand(name) {
                Some(command) => command.clone(),
                None => {
                    return Err(pick::unknown("command", name, whole.get_subcommands().map(clap::Command::get_name)));
                }
            },
        };
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(command).render(&mut page);
        rendered.map_err(|error| Failure::new(format!("cannot write the page: {error}")))?;
        session.print(&String::from_utf8_lossy(&page))?;
        Ok(Status::Passed)
    }
}
