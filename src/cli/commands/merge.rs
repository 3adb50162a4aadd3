//! `desc merge FILE...`: puts the JSON reports of several runs together.

use crate::cli::run::limits::RunLimits;
use crate::cli::run::outputs::Outputs;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::files::{self, shown};
use clap::Args;
use desc::report::merge::{Counted, counted, merge};
use desc::resources::json::Unread;
use desc::resources::{CountedText, Stop};
use std::fmt::Write;
use std::path::PathBuf;

/// Put the JSON reports of several runs together, as if one machine had done it.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes are those of `desc check`: 0 every check passed, 1 a check did not pass, 2 invalid input or I/O error, \
    3 undecided.\n\n\
    Example:\n  desc check models/ --shard 1/2 --report json=1.json\n  desc check models/ --shard 2/2 --report json=2.json\n  desc merge 1.json 2.json -o all.json"
)]
pub struct Merge {
    /// JSON reports of `desc check`: every share of one run, or whole runs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Where to write the whole [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limits: RunLimits,
}

impl Merge {
    pub fn run(&self, session: &mut Session) -> Ended {
        let read: Vec<&String> = self.files.iter().collect();
        Outputs::new(self.output.as_deref(), &read)?;
        let resources = self.limits.begin();
        let mut reports = Vec::new();
        for path in &self.files {
            let bytes = files::read(path, &resources).map_err(|unread| unread.failure(path))?;
            reports.push((shown(path).to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
        }
        let bytes: usize = reports.iter().map(|(_, text)| text.len()).sum();
        let mut monitor = resources.monitor_holding(bytes as u64);
        let whole = merge(&reports, &mut monitor).map_err(|unread| match unread {
            Unread::Wrong(reason) => Failure::new(format!("the reports cannot be merged: {reason}")),
            Unread::Stopped(stop) => not_merged(stop),
        })?;
        drop(reports);
        let mut text = CountedText::new(resources.less(monitor.held()));
        let written = writeln!(text, "{whole:#}");
        let text = text.finish(written).map_err(not_merged)?;
        match &self.output {
            Some(path) => files::write(path, text.as_bytes())?,
            None => session.print(&text)?,
        }
        Ok(status(counted(&whole)))
    }
}

fn not_merged(stop: Stop) -> Failure {
    Failure::stopped("the reports were not merged", stop)
}

fn status(counted: Counted) -> Status {
    match counted {
        Counted { errors: 1.., .. } => Status::Fault,
        Counted { failed: 1.., .. } => Status::Failed,
        Counted { open: 1.., .. } => Status::Undecided,
        _ => Status::Passed,
    }
}
