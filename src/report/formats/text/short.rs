//! One line per check in the form of a diagnostic, for logs and problem matchers of editors.

use crate::diagnostic::render::human::harmless;
use crate::report::counterexample::BRIEF;
use crate::report::phrasing::Words;
use crate::report::scribe::{Scribe, Written};
use crate::report::{CheckReport, Report, Swept};
use crate::resources::Resources;
use crate::source::{FileId, Sources};
use crate::verdict::Mark;
use codespan_reporting::diagnostic::{Diagnostic, Label, Severity};
use codespan_reporting::term;
use std::io;

/// Writes one line for each check, or only for those that did not pass.
///
/// # Errors
/// When it cannot be written.
pub fn write(
    report: &Report,
    quiet: bool,
    ascii: bool,
    out: &mut dyn io::Write,
    resources: Resources<'_>,
) -> io::Result<Written> {
    let mut scribe = Scribe::new(out, resources, BRIEF);
    for file in &report.files {
        for system in file.systems() {
            for at in 0..system.n_checks() {
                if !scribe.goes_on() {
                    scribe.teller.leave_out(system.n_checks() - at);
                    break;
                }
                let check = system.explained(at, &mut scribe.teller);
                if !quiet || !check.passed() {
                    scribe.put(&harmless(&line(&file.sources, &verdict(system.swept, &check, ascii))));
                }
            }
        }
    }
    let Written { left_out, stop } = scribe.teller.written();
    let left_out = Words { ascii, whole: false }.left_out(left_out, stop);
    scribe.put(&left_out.map(|text| format!("warning: {text}\n")).unwrap_or_default());
    scribe.finish()
}

/// `x.des:14:5: error[violated]: check weak 0-step: the intruder sees γ1 γ1 and ...`
fn verdict(swept: Option<&Swept>, check: &CheckReport<'_>, ascii: bool) -> Diagnostic<FileId> {
    let severity = match check.mark {
        Mark::Passed => Severity::Note,
        Mark::Undecided => Severity::Warning,
        Mark::Failed => Severity::Error,
    };
    let words = Words { ascii, whole: false };
    let run = swept.map(|swept| format!("{}: ", Swept::words(swept.values.clone()))).unwrap_or_default();
    Diagnostic::new(severity)
        .with_code(super::answer_word(check))
        .with_message(format!("{run}{}: {}", check.text, words.headline(check)))
        .with_label(Label::primary(check.span.file, check.span.range()))
}

fn line(sources: &Sources, diagnostic: &Diagnostic<FileId>) -> String {
    let config = term::Config { display_style: term::DisplayStyle::Short, ..term::Config::default() };
    let mut text = String::new();
    // WHY ignored: the only error is a place outside its file, and spans come from the files.
    let _ = term::emit_to_string(&mut text, &config, &crate::diagnostic::render::Lines(sources), diagnostic);
    text
}
