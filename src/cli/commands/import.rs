//! `desc import FILE`: converts a model of another tool to `.des`.

use crate::cli::run::foreign::Telling;
use crate::cli::run::limits::RunLimits;
use crate::cli::run::outputs::Outputs;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::files;
use clap::Args;
use desc::check::foreign::{self, stem, unknown_name, unwritable};
use desc::diagnostic::any_error;
use desc::format::print::laid_out;
use desc::import::des;
use desc::import::{Foreign, without_start};
use std::path::PathBuf;

/// Convert a model of another tool to `.des`.
#[derive(Debug, Args)]
#[command(
    after_help = "Information without a counterpart in `.des` (marked states, controllability) becomes a comment.\n\nExamples:\n  desc import plant.fsm -o plant.des\n  desc import plant.fsm --secret \"0,1\" --check \"2-step opacity\""
)]
pub struct Import {
    /// The model: .fsm, .gen, .aut, .wmod, .xml, .cif or .json, or `-` for standard input
    file: String,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    telling: Telling,
    #[command(flatten)]
    limits: RunLimits,
}

impl Import {
    pub fn run(&self, session: &mut Session) -> Ended {
        Outputs::new(self.output.as_deref(), &[&self.file])?;
        let resources = self.limits.begin();
        let bytes = files::read(&self.file, &resources).map_err(|unread| unread.failure(&self.file))?;
        let text = String::from_utf8_lossy(&bytes);
        let Some(format) = self.telling.format(&self.file, &text) else {
            let failure = Failure::new(format!("the format of `{}` is unknown", self.file));
            return Err(failure.help("add `--from fsm`, for example; see `desc explain E0601`"));
        };
        drop(text);
        let mut read = foreign::read(files::shown(&self.file), bytes, format, resources);
        if let Some(stop) = read.stopped {
            return Err(Failure::stopped(&format!("`{}` was not read", self.file), stop));
        }
        let outside = self.telling.outside();
        let mut output = String::new();
        for model in &mut read.models {
            if let Err(unknown) = outside.apply(model) {
                read.diagnostics.push(unknown_name(&unknown, read.entry));
                break;
            }
            read.diagnostics.extend(without_start(model));
            read.diagnostics.extend(unwritable(model));
            if !output.is_empty() {
                output.push('\n');
            }
            output.push_str(&self.written(model));
        }
        let output = laid_out(output);
        session.emit(&read.sources, &read.diagnostics);
        if any_error(&read.diagnostics) {
            return Ok(Status::Fault);
        }
        match &self.output {
            Some(path) => files::write(path, output.as_bytes())?,
            None => session.print(&output)?,
        }
        Ok(Status::Passed)
    }

    fn written(&self, model: &Foreign) -> String {
        let mut text = des::foreign(model, stem(&self.file), files::shown(&self.file));
        if !self.telling.checks.is_empty()
            && let Some(end) = text.rfind("}\n")
        {
            text.insert_str(end, &self.telling.outside().questions(model));
        }
        text
    }
}
