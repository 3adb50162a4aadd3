//! `desc report FILE... -o report.html`: one self-contained page.

use super::check::decide::{Deciding, decide};
use super::check::limits::Searching;
use super::check::{interrupt, paths};
use super::load::Reading;
use super::outputs::Outputs;
use super::session::Session;
use super::status::Ended;
use clap::Args;
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
        let deciding = Deciding {
            reading: self.reading.clone(),
            searching: self.searching.clone(),
            deny_warnings: false,
            filter: None,
            fail_fast: false,
            drawings: true,
            certificates: false,
        };
        let files = paths::expand(&self.files)?;
        let outputs = Outputs::new(self.output.as_deref(), &files)?;
        let decided = decide(&files, &deciding, std::time::Instant::now(), session);
        outputs.spare(&decided.paths)?;
        for file in &decided.report.files {
            session.emit(&file.sources, &file.diagnostics);
        }
        let page = desc::report::html::html(&decided.report);
        match &self.output {
            Some(path) => crate::files::write(path, page.as_bytes())?,
            None => session.print(&page)?,
        }
        Ok(decided.status())
    }
}
