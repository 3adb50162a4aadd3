//! One line per check in the form of a diagnostic, for logs and problem matchers of editors.

use crate::report::words::Words;
use crate::report::{CheckReport, Report};
use crate::source::{FileId, Sources};
use crate::verify::Answer;
use codespan_reporting::diagnostic::{Diagnostic, Label, Severity};
use codespan_reporting::term;

/// One line per check; with `quiet` only for those that did not pass.
pub fn short(report: &Report, quiet: bool, ascii: bool) -> String {
    let mut out = String::new();
    for file in &report.files {
        let checks = file.systems.iter().flat_map(|system| &system.checks);
        for check in checks.filter(|check| !quiet || !check.passed) {
            out += &line(&file.sources, &verdict(check, ascii));
        }
    }
    out
}

/// `x.des:14:5: error[violated]: check weak 0-step: the intruder sees γ1 γ1 and ...`
fn verdict(check: &CheckReport, ascii: bool) -> Diagnostic<FileId> {
    let severity = match (check.passed, check.answer) {
        (true, _) => Severity::Note,
        (false, Answer::Undecided) => Severity::Warning,
        (false, _) => Severity::Error,
    };
    let words = Words { ascii, whole: false };
    Diagnostic::new(severity)
        .with_code(super::answer_word(check))
        .with_message(format!("{}: {}", check.text, words.headline(check)))
        .with_label(Label::primary(check.span.file, check.span.range()))
}

fn line(sources: &Sources, diagnostic: &Diagnostic<FileId>) -> String {
    let config = term::Config { display_style: term::DisplayStyle::Short, ..term::Config::default() };
    let mut text = String::new();
    // WHY ignored: the only error is a place outside its file, and spans come from the files.
    let _ = term::emit_to_string(&mut text, &config, &crate::diagnostic::render::Lines(sources), diagnostic);
    text
}
