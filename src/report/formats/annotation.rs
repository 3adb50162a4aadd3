//! What a reviewer sees beside a line of a model: every diagnostic, and every check that did not pass.

use super::text::answer_word;
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::phrasing::Words;
use crate::report::scribe::Scribe;
use crate::report::{CheckReport, FileReport, Report};
use crate::source::{Position, Sources, Span};
use crate::verdict::Mark;

/// A message at a place.
pub(super) struct Annotation {
    pub level: Level,
    /// A code, or the verdict: `E0201`, `violated`.
    pub code: &'static str,
    /// The text of the check; of a diagnostic its code.
    pub title: String,
    pub message: String,
    /// What to do next, if it is known.
    pub help: Option<String>,
    /// The file, with `/` between folders.
    pub file: String,
    pub start: Position,
    pub end: Position,
}

/// How much an annotation matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    Warning,
    /// Not worse than in the report that it is compared with.
    Tolerated,
}

/// Writes something for each annotation of a report, as long as there is time for another.
pub(super) fn each(report: &Report, scribe: &mut Scribe<'_>, mut write: impl FnMut(&mut Scribe<'_>, &Annotation)) {
    for (file_at, file) in report.files.iter().enumerate() {
        for diagnostic in &file.diagnostics {
            write(scribe, &fault(file, diagnostic));
        }
        for (system_at, system) in file.systems().iter().enumerate() {
            for at in system.noteworthy() {
                if !scribe.goes_on() {
                    scribe.teller.leave_out(1);
                    continue;
                }
                let check = system.explained(at, &mut scribe.teller);
                write(scribe, &verdict(file, &check, report.tolerates(file_at, system_at, at)));
            }
        }
    }
}

fn fault(file: &FileReport, diagnostic: &Diagnostic) -> Annotation {
    let (start, end) = positions(&file.sources, diagnostic.primary.span);
    Annotation {
        level: match diagnostic.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
        },
        code: diagnostic.code.as_str(),
        title: diagnostic.code.as_str().to_owned(),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        file: path(&file.sources, diagnostic.primary.span),
        start,
        end,
    }
}

fn verdict(file: &FileReport, check: &CheckReport<'_>, tolerated: bool) -> Annotation {
    let (start, end) = positions(&file.sources, check.span);
    let words = Words::default();
    Annotation {
        level: match check.mark {
            _ if tolerated => Level::Tolerated,
            Mark::Passed => Level::Warning,
            Mark::Undecided => Level::Warning,
            _ => Level::Error,
        },
        code: answer_word(check),
        title: format!("{}: {}", answer_word(check), check.text),
        message: super::text::sentence(check, words),
        help: words.help(check),
        file: path(&file.sources, check.span),
        start,
        end,
    }
}

fn positions(sources: &Sources, span: Span) -> (Position, Position) {
    let file = sources.get(span.file);
    let position = |offset: u32| file.lines().position(file.text(), offset);
    (position(span.start), position(span.end))
}

/// Services know files by paths below the repository: `models/ballot.des`.
fn path(sources: &Sources, span: Span) -> String {
    crate::report::baseline::slashes(sources.get(span.file).name())
}
