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
use crate::cli::run::sweep::tasks;
use crate::files::Beside;
use clap::Args;
use desc::model::{Check, System};
use desc::repair::fresh::Original;
use desc::repair::is_goal;
use desc::report::formats::html;
use desc::report::repairs::{Wanted, repair};
use desc::verdict::{Answer, Verdict};
use desc::verify::Options;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long the repair of one system may take.
const REPAIRING: Duration = Duration::from_secs(20);

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
    /// Repairs the violated systems that offer levers, as far as the limits reach.
    fn repair(&self, report: &mut desc::Report, started: Instant) {
        let resources = self.searching.limits.resources(started, 1);
        let reading = self.reading.within(resources);
        for file in &mut report.files {
            let mut settings = reading.settings();
            // Of two values of a constant the last counts: that of this run of a sweep.
            settings.defines.extend(file.swept.iter().flat_map(|swept| swept.values.clone()));
            let loader = Beside::new(file.name(), reading.import_root.as_deref()).within(resources);
            let parsed = desc::syntax::parse(file.entry, file.sources.get(file.entry));
            let (sources, entry) = (&file.sources, file.entry);
            let original = Original { sources, entry, tree: &parsed.file, loader: &loader, settings: &settings };
            let options = Options {
                limits: self.searching.limits(&resources.within(REPAIRING)),
                threads: self.searching.threads.unwrap_or(0),
                interrupted: Some(interrupt::flag()),
                ..Options::default()
            };
            let violated = file.decided().filter(|(system, results)| {
                let fails =
                    |(check, verdict): (&Check, &Verdict)| is_goal(check) && verdict.answer() == Answer::Violated;
                !system.levers.is_empty() && system.checks.iter().zip(&results.checks).any(fails)
            });
            let one = |(system, _): (&System, _)| repair(&original, system, &Wanted::default(), &options, false);
            file.repairs = violated.map(one).collect();
        }
    }

    /// Decides every check and writes the page. The exit code is that of `desc check`.
    pub fn run(&self, session: &mut Session) -> Ended {
        interrupt::listen();
        let started = started();
        let deciding = Deciding {
            reading: self.reading.clone(),
            searching: self.searching.clone(),
            deny_warnings: false,
            filter: None,
            shard: None,
            fail_fast: false,
            certificates: false,
        };
        let files = paths::expand(&self.files)?;
        let outputs = Outputs::new(self.output.as_deref(), &files)?;
        let mut decided = decide(&tasks(&files, &self.reading.defines)?, &deciding, started, session);
        self.repair(&mut decided.report, started);
        outputs.spare(&decided.paths)?;
        for (file, diagnostics) in decided.report.diagnostics() {
            session.emit(&file.sources, &diagnostics);
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
