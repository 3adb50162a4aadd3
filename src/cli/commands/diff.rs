//! `desc diff OLD NEW`: which verdicts, distances and stories changed between two versions of a model, or two JSON reports.
//!
//! A model is decided first, as by `desc check`; the two documents are then compared. The exit code is that of `diff`: 0 nothing changed,
//! 1 something did, 2 invalid input; and 3 if nothing changed, but a check is undecided.

use super::check::decide::{Deciding, decide};
use crate::cli::args::look::MessageFormat;
use crate::cli::args::search::Searching;
use crate::cli::run::interrupt;
use crate::cli::run::limits::started;
use crate::cli::run::load::Reading;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::cli::run::sweep::tasks;
use crate::files::{self, shown};
use clap::Args;
use desc::report::difference::Difference;
use desc::report::formats::json;
use desc::resources::Resources;
use desc::resources::json::Unread;
use serde::Deserialize;
use std::time::Instant;

/// Compare two versions of a model, or two JSON reports: which verdicts, distances and stories changed.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a model, or a report of `desc check --report json=FILE`. Checks are recognised by their system and \
    their name, or their text.\n\n\
    Exit codes: 0 nothing changed, 1 something did, 2 invalid input, 3 nothing changed but a check is undecided.\n\n\
    Examples:\n\
\x20 desc diff old.des new.des\n\
\x20 desc diff old.json new.des -D N=4\n\
\x20 desc diff old.json new.json --message-format json"
)]
pub struct Diff {
    /// The older model or report
    old: String,
    /// The newer model or report
    new: String,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    searching: Searching,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    message_format: MessageFormat,
}

/// What a report begins with, as far as it tells one from a model.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "diagnostics")]
    _diagnostics: Vec<serde::de::IgnoredAny>,
    #[serde(rename = "systems")]
    _systems: Vec<serde::de::IgnoredAny>,
}

impl Diff {
    pub fn run(&self, session: &mut Session) -> Ended {
        interrupt::listen();
        let (old, before) = self.document(&self.old, 2, session)?;
        let (new, after) = self.document(&self.new, 1, session)?;
        if before.and(after) == Status::Fault {
            return Ok(Status::Fault);
        }
        let difference = Difference::new(&old, &new, self.resources()).map_err(|(newer, why)| {
            let path = shown(if newer { &self.new } else { &self.old });
            match why {
                Unread::Wrong(why) => Failure::new(format!("`{path}` cannot be compared: {why}")),
                Unread::Stopped(stop) => Failure::stopped(&format!("`{path}` was not read"), stop),
            }
        })?;
        match self.message_format {
            MessageFormat::Human => session.tell(&difference.text(session.out.ascii))?,
            MessageFormat::Json => {
                let text =
                    serde_json::to_string_pretty(&difference).map_err(|error| Failure::new(error.to_string()))?;
                session.print(&(text + "\n"))?;
            }
        }
        let is_open = difference.undecided || before.and(after) == Status::Undecided;
        Ok(match (difference.same, is_open) {
            (false, _) => Status::Failed,
            (true, true) => Status::Undecided,
            (true, false) => Status::Passed,
        })
    }

    fn resources(&self) -> Resources<'static> {
        self.searching.limits.resources(started(), 1)
    }

    /// The report of a file, and what prevents a comparison: an error in a model, or a limit.
    fn document(&self, path: &str, shares: u32, session: &mut Session) -> Result<(String, Status), Failure> {
        let resources = self.resources();
        let bytes = files::read(path, &resources).map_err(|unread| unread.failure(path))?;
        match String::from_utf8(bytes) {
            Ok(text) if serde_json::from_str::<Head>(&text).is_ok() => Ok((text, Status::Passed)),
            _ => self.decided(path, shares, session),
        }
    }

    /// Decides a model in its share of the time that is left.
    fn decided(&self, path: &str, shares: u32, session: &mut Session) -> Result<(String, Status), Failure> {
        let deciding = Deciding {
            reading: self.reading.clone(),
            searching: self.searching.share(started(), shares),
            deny_warnings: false,
            filter: None,
            shard: None,
            fail_fast: false,
            certificates: false,
        };
        let tasks = tasks(&[path.to_owned()], &self.reading.defines)?;
        let decided = decide(&tasks, &deciding, Instant::now(), session);
        let is_told = matches!(decided.status(), Status::Fault | Status::Undecided);
        for (file, diagnostics) in decided.report.diagnostics().filter(|_| is_told) {
            session.emit(&file.sources, &diagnostics);
        }
        decided.tell_unread(session);
        let telling = self.resources().to_tell();
        let mut text = Vec::new();
        let written =
            json::write(&decided.report, &mut text, telling).map_err(|error| Failure::new(error.to_string()))?;
        let status = match decided.status() {
            // WHY: a check that does not pass is a result like any other here.
            Status::Failed => Status::Passed,
            status => status,
        };
        Ok((String::from_utf8_lossy(&text).into_owned(), status.and(Status::of(written))))
    }
}
