//! `desc report FILE... -o report.html`: one self-contained page.

use super::check::decide::{Deciding, decide};
use crate::cli::args::paths;
use crate::cli::args::search::Searching;
use crate::cli::run::interrupt;
use crate::cli::run::limits::started;
use crate::cli::run::load::Reading;
use crate::cli::run::outputs::Outputs;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Status};
use clap::Args;
use desc::report::formats::html;
use std::io::Write;
use std::path::PathBuf;

/// Write an HTML report.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  desc report ballot.des -o report.html")]
pub struct Report {
    /// The models: files, folders, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The page to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    searching: Searching,
}

impl Report {
    /// Decides every check and writes the page. The exit code is that of `desc check`.
    pub fn run(&self, session: &mut Session) -> Ended {
        interrupt::listen();
        let started = started();
        let deciding = Deciding {
            reading: self.reading.clone(),
            searching: self.searching.clone(),
            deny_warnings: false,
            filter: None,
            fail_fast: false,
            certificates: false,
        };
        let files = paths::expand(&self.files)?;
        let outputs = Outputs::new(self.output.as_deref(), &files)?;
        let decided = decide(&files, &deciding, started, session);
        outputs.spare(&decided.paths)?;
        for file in &decided.report.files {
            session.emit(&file.sources, &file.diagnostics);
        }
        decided.tell_unread(session);
        let telling = self.searching.limits.resources(started, 1).to_tell();
        let page = |out: &mut dyn Write| html::write(&decided.report, out, telling);
        let written = interrupt::writing(|| match &self.output {
            Some(path) => crate::files::write_with(path, page),
            None => session.stream(page).map(Option::unwrap_or_default),
        })?;
        Ok(decided.status().and(Status::of(written)))
    }
}
