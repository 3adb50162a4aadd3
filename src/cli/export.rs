//! `desc export FILE --to FORMAT`: a system, written for another tool.

use super::files;
use super::load::{Reading, load};
use super::look::{Looking, View};
use super::session::Session;
use super::status::{Ended, Status};
use clap::Args;
use desc::diagnostic::any_error;
use desc::foreign::write::{Target, write};
use std::path::PathBuf;

/// Write a system for another tool.
#[derive(Debug, Args)]
#[command(
    after_help = "fsm, veip, gen, aut, wmod, supremica, cif, json, des and dot carry the model; mata, hoa and ba carry \
    what an intruder sees of it, as an NFA. What a format cannot carry is listed as a warning."
)]
pub struct Export {
    /// The model, or `-` for standard input
    file: String,
    /// The format
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Target,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    looking: Looking,
    #[command(flatten)]
    reading: Reading,
}

fn target(word: &str) -> Result<Target, String> {
    Target::from_word(word).ok_or_else(|| format!("it is one of {}", Target::words().collect::<Vec<_>>().join(", ")))
}

impl Export {
    /// Checks the model and writes the system.
    pub fn run(&self, session: &mut Session) -> Ended {
        let unit = load(&self.file, &self.reading);
        let model = unit.model(session)?;
        let eye = self.looking.eye(model, View::Natural, session)?;
        let written = write(self.to, eye.system, eye.lens);
        session.emit(&unit.sources, &written.diagnostics);
        if any_error(&written.diagnostics) {
            return Ok(Status::Fault);
        }
        match &self.output {
            Some(path) => files::write(path, written.text.as_bytes())?,
            None => session.print(&written.text)?,
        }
        Ok(Status::Passed)
    }
}
