//! Output formats and report files.

use crate::cli::run::session::Session;
use crate::cli::run::status::Failure;
use crate::files;
use clap::ValueEnum;
use desc::diagnostic::render;
use desc::report::Report;
use desc::report::formats::text::Telling;
use desc::report::formats::{code_quality, github, html, json, junit, markdown, sarif, sweep, text};
use desc::report::scribe::Written;
use desc::resources::Resources;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for a terminal
    Human,
    /// One line per diagnostic and per check
    Short,
    /// One JSON document: `desc schema` describes it
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for continuous integration
    Junit,
    /// Markdown with tables and counterexamples, for the summary of a pipeline
    Markdown,
    /// Annotations of GitHub Actions, which are shown beside the lines of a pull request
    Github,
    /// The code quality report of GitLab
    CodeQuality,
    /// An HTML page (only to a file)
    #[value(hide = true)]
    Html,
}

/// `--report FORMAT=FILE`.
#[derive(Clone, Debug)]
pub struct ReportFile {
    pub format: Format,
    /// The file.
    pub path: PathBuf,
}

/// The formats of `--report`.
const FORMATS: &str = "json, sarif, junit, html, markdown, github or code-quality";

/// Parses `FORMAT=FILE`.
pub fn report_file(text: &str) -> Result<ReportFile, String> {
    let (format, path) = text.split_once('=').ok_or("expected FORMAT=FILE, such as `json=out.json`")?;
    let format = match Format::from_str(format, false) {
        Ok(format) if !matches!(format, Format::Human | Format::Short) => format,
        _ => return Err(format!("unknown format `{format}`: expected {FORMATS}")),
    };
    if path.is_empty() {
        return Err("the file after `=` is missing".to_owned());
    }
    if path == files::STDIN {
        return Err("a report is written to a file; for standard output use `--message-format json`".to_owned());
    }
    Ok(ReportFile { format, path: PathBuf::from(path) })
}

impl ReportFile {
    /// Writes the report atomically.
    pub fn write(&self, report: &Report, resources: Resources<'_>) -> Result<Written, Failure> {
        files::write_with(&self.path, |out| machine(self.format, report, out, resources))
    }
}

/// Prints results on standard output and, if the format has no place for them, diagnostics on standard error.
pub fn print(
    session: &mut Session,
    format: Format,
    report: &Report,
    time: Duration,
    resources: Resources<'_>,
) -> Result<Written, Failure> {
    let written = match format {
        Format::Human => {
            for (file, diagnostics) in report.diagnostics() {
                session.emit(&file.sources, &diagnostics);
            }
            let telling =
                Telling { style: session.out, quiet: session.quiet, verbose: session.verbose, time: Some(time) };
            session.stream(|out| match report.is_sweep() {
                true => sweep::write(report, &telling, out, resources),
                false => text::write(report, &telling, out, resources),
            })
        }
        Format::Short => {
            for (file, diagnostics) in report.diagnostics() {
                session.complain(&render::short(&file.sources, &diagnostics));
            }
            let (quiet, ascii) = (session.quiet, session.out.ascii);
            session.stream(|out| text::short::write(report, quiet, ascii, out, resources))
        }
        _ => session.stream(|out| machine(format, report, out, resources)),
    };
    written.map(Option::unwrap_or_default)
}

/// A machine-readable format, or HTML.
fn machine(format: Format, report: &Report, out: &mut dyn Write, resources: Resources<'_>) -> io::Result<Written> {
    match format {
        Format::Json | Format::Human | Format::Short => json::write(report, out, resources),
        Format::Sarif => sarif::write(report, out, resources),
        Format::Junit => junit::write(report, out, resources),
        Format::Html => html::write(report, out, resources),
        Format::Markdown => markdown::write(report, out, resources),
        Format::Github => github::write(report, out, resources),
        Format::CodeQuality => code_quality::write(report, out, resources),
    }
}
