//! `desc check FILE...`: decides every check.
//!
//! Files are read and decided in parallel and reported in the order of the arguments. A folder denotes the `.des`
//! files below it.

mod board;
pub mod decide;
pub mod formats;
pub mod progress;
mod watch;

use crate::cli::args::paths;
use crate::cli::args::search::Searching;
use crate::cli::run::interrupt;
use crate::cli::run::limits::{rebase, started};
use crate::cli::run::load::{Reading, integer};
use crate::cli::run::outputs::Outputs;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::cli::run::sweep::tasks;
use crate::files::shown;
use clap::{Args, ValueEnum};
use decide::{Decided, Deciding};
use desc::model::shard::Shard;
use desc::report::baseline::Baseline;
use desc::report::scribe::Written;
use desc::resources::Resources;
use desc::resources::json::Unread;
use desc::verdict::certificate::document::Document;
use desc::verdict::certificate::write;
use formats::{Format, ReportFile};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Decide every check of the given models.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 desc check ballot.des\n\
\x20 desc check models/ --report html=report.html\n\
\x20 desc check models/ --baseline old.json\n\
\x20 desc check ballot.des -D N=5 --timeout 30s\n\
\x20 desc check ballot.des -D N=2..6 -D K=1,2")]
pub struct Check {
    /// The models: files, folders, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    searching: Searching,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    message_format: Format,
    /// Also write a report to a file: FORMAT is json, sarif, junit, html, markdown, github or code-quality
    #[arg(long, value_name = "FORMAT=FILE", value_parser = formats::report_file, help_heading = "Output")]
    report: Vec<ReportFile>,
    /// Tell up to N exposures of each check that does not pass: they expose something else, or end with another observation
    #[arg(long, value_name = "N", value_parser = integer::<usize>, default_value = "1", hide_default_value = true, help_heading = "Output")]
    all: usize,
    /// Write the proofs of every decided check of one model to a file, for `desc verify-certificate`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["filter", "watch", "fail_fast"], help_heading = "Output")]
    certificate: Option<PathBuf>,
    /// Fail only on what is worse than in an older JSON report, and say what is better
    #[arg(long, value_name = "FILE")]
    baseline: Option<String>,
    /// Treat warnings as errors
    #[arg(long, value_name = "WHAT")]
    deny: Option<Denied>,
    /// Only checks whose name, text or system's name contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only a share of all checks: `3/16` is the third of sixteen. `desc merge` puts the JSON reports of all shares together
    #[arg(long, value_name = "N/OF", value_parser = share, conflicts_with_all = ["watch", "fail_fast", "certificate", "baseline"])]
    shard: Option<Shard>,
    /// Stop after the first system with a check that does not pass
    #[arg(long)]
    fail_fast: bool,
    /// Run again whenever a file or one of its imports changes
    #[arg(long, conflicts_with = "report")]
    watch: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Denied {
    /// Every warning.
    Warnings,
}

/// `3/16`.
fn share(text: &str) -> Result<Shard, String> {
    let (index, of) = text.split_once('/').ok_or("expected N/OF, as in `--shard 3/16`")?;
    let (index, of) = (integer::<u32>(index)?, integer::<u32>(of)?);
    if !(1..=of).contains(&index) {
        return Err(format!("there is no share {index} of {of}: they are numbered from 1 to {of}"));
    }
    Ok(Shard { index, of })
}

impl Check {
    pub fn run(&self, session: &mut Session) -> Ended {
        interrupt::listen();
        if self.watch {
            return watch::watch(session, |session| {
                rebase();
                self.once(Instant::now(), session)
            });
        }
        self.once(started(), session).map(|(status, _)| status)
    }

    fn once(&self, started: Instant, session: &mut Session) -> Result<(Status, Decided), Failure> {
        let deciding = Deciding {
            reading: self.reading.clone(),
            searching: self.searching.clone(),
            deny_warnings: self.deny.is_some(),
            filter: self.filter.clone(),
            shard: self.shard,
            fail_fast: self.fail_fast,
            certificates: self.certificate.is_some(),
        };
        let files = paths::expand(&self.files)?;
        let tasks = tasks(&files, &self.reading.defines)?;
        if self.certificate.is_some() && tasks.len() != 1 {
            return Err(
                Failure::new("a certificate covers one model").help("give one file, and one value of each constant")
            );
        }
        let read: Vec<&String> = files.iter().chain(&self.baseline).collect();
        let outputs = Outputs::new(self.outputs(), &read)?;
        let baseline = self.baseline.as_deref().map(|path| self.read_baseline(path, started)).transpose()?;
        let mut decided = decide::decide(&tasks, &deciding, started, session);
        let is_cut_off = decided.is_cut_off || decided.interrupted || decided.report.tally().unbuilt > 0;
        let is_whole = !decided.is_faulty() && !is_cut_off;
        if let Some(filter) =
            self.filter.as_deref().filter(|_| decided.matched == 0 && is_whole && self.shard.is_none())
        {
            return Err(Failure::new(format!("no check and no system matches `{filter}`")));
        }
        let is_all = is_whole && self.filter.is_none() && !self.fail_fast;
        decided.report.most_exposures = self.all;
        decided.report.comparison = baseline.map(|baseline| baseline.compare(&decided.report, is_all));
        // WHY files first: a reader of standard output that goes away must not cost them. And what cannot be written must not cost the
        // verdicts.
        let telling = self.searching.limits.resources(started, 1).to_tell();
        let mut written = match outputs.spare(&decided.paths) {
            Ok(()) => interrupt::writing(|| self.write(&mut decided, telling, session)),
            Err(taken) => vec![Err(taken)],
        };
        written.push(interrupt::writing(|| {
            formats::print(session, self.message_format, &decided.report, started.elapsed(), telling)
        }));
        decided.tell_unread(session);
        let told = written.into_iter().map(|it| it.map_or_else(|failure| session.fail(&failure), Status::of));
        Ok((told.fold(decided.status(), Status::and), decided))
    }

    /// Writes every file that is asked for; how much of each, or why it could not be written.
    fn write(
        &self,
        decided: &mut Decided,
        telling: Resources<'_>,
        session: &mut Session,
    ) -> Vec<Result<Written, Failure>> {
        let mut written: Vec<_> = self.report.iter().map(|report| report.write(&decided.report, telling)).collect();
        if let Some(path) = self.certificate.as_deref().filter(|_| !decided.is_faulty()) {
            written.push(write_certificate(path, decided, session).map(|()| Written::default()));
        }
        written
    }

    fn read_baseline(&self, path: &str, started: Instant) -> Result<Baseline, Failure> {
        let resources = self.searching.limits.resources(started, 1);
        let bytes = crate::files::read(path, &resources).map_err(|unread| unread.failure(path))?;
        let wrong = |reason: String| {
            let message = format!("`{}` is no report of `desc check --message-format json`: {reason}", shown(path));
            Failure::new(message).help("write one with `desc check FILE --report json=old.json`")
        };
        let text = std::str::from_utf8(&bytes).map_err(|error| wrong(error.to_string()))?;
        Baseline::read(text, resources).map_err(|unread| match unread {
            Unread::Wrong(reason) => wrong(reason),
            Unread::Stopped(stop) => Failure::stopped(&format!("`{}` was not read", shown(path)), stop),
        })
    }

    fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.report.iter().map(|report| report.path.as_path()).chain(self.certificate.as_deref())
    }
}

/// Writes the proofs, and warns about checks without one.
fn write_certificate(path: &Path, decided: &mut Decided, session: &mut Session) -> Result<(), Failure> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let document = Document { version, systems: std::mem::take(&mut decided.certified) };
    for check in std::mem::take(&mut decided.unproved) {
        session
            .complain(&format!("warning: the certificate has no proof of `{check}`: the proof exceeds the limits\n"));
    }
    crate::files::write(path, write(&document).as_bytes())
}
