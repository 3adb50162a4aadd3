//! `desc export FILE --to FORMAT`: a system in the format of another tool.

use crate::cli::args::look::{Looking, View};
use crate::cli::run::limits::RunLimits;
use crate::cli::run::load::{Reading, load};
use crate::cli::run::outputs::Outputs;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::files;
use clap::Args;
use desc::diagnostic::any_error;
use desc::export::{Target, write};
use std::path::PathBuf;

/// Convert a system to the format of another tool.
#[derive(Debug, Args)]
#[command(
    after_help = "fsm, veip, gen, aut, wmod, supremica, cif, json, des and dot hold the model; mata, hoa and ba hold \
    an NFA of what the intruder sees. A warning lists what the format cannot represent.\n\n\
    Example:\n  desc export ballot.des -o ballot.fsm"
)]
pub struct Export {
    /// The model, or `-` for standard input
    file: String,
    /// The format [default: by the extension of the output file]
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Option<Target>,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    looking: Looking,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    limits: RunLimits,
}

fn target(word: &str) -> Result<Target, String> {
    Target::from_word(word).ok_or_else(|| format!("expected one of {}", Target::words().collect::<Vec<_>>().join(", ")))
}

impl Export {
    pub fn run(&self, session: &mut Session) -> Ended {
        let outputs = Outputs::new(self.output.as_deref(), &[&self.file])?;
        let resources = self.limits.begin();
        let mut reading = self.reading.within(resources);
        reading.telling.unasked = true;
        let unit = load(&self.file, &reading);
        outputs.spare(&unit.paths)?;
        let model = unit.model(session)?;
        let eye = self.looking.eye(model, View::Natural, session)?;
        let written = write(self.target()?, eye.system, eye.view_id);
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

    /// The requested format, or that of the extension of the output file.
    fn target(&self) -> Result<Target, Failure> {
        let ending = self.output.as_deref().and_then(|path| path.extension()).and_then(|ending| ending.to_str());
        let ending = ending.map(|ending| match ending {
            "xml" => "supremica",
            "gv" => "dot",
            other => other,
        });
        self.to.or_else(|| ending.and_then(Target::from_word)).ok_or_else(|| {
            let words: Vec<&str> = Target::words().collect();
            Failure::new("unknown format").help(format!("add `--to` with one of {}", words.join(", ")))
        })
    }
}
