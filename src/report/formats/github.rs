//! Workflow commands of GitHub Actions: a line of a log for each annotation, which GitHub shows beside the line of the model.
//!
//! `::error file=ballot.des,line=14,endLine=14,col=5,endColumn=22,title=violated::...`

use super::annotation::{Annotation, Level, each};
use super::text::totals;
use crate::diagnostic::render::human::harmless;
use crate::report::Report;
use crate::report::counterexample::BRIEF;
use crate::report::phrasing::Words;
use crate::report::scribe::{Scribe, Written};
use crate::resources::Resources;
use std::io;

/// Writes one command for each diagnostic and each check that did not pass, then a summary.
///
/// # Errors
/// When it cannot be written.
pub fn write(report: &Report, out: &mut dyn io::Write, resources: Resources<'_>) -> io::Result<Written> {
    let mut scribe = Scribe::new(out, resources, BRIEF);
    each(report, &mut scribe, |scribe, annotation| scribe.put(&command(annotation)));
    let Written { left_out, stop } = scribe.teller.written();
    if let Some(said) = Words::default().left_out(left_out, stop) {
        scribe.put(&format!("::warning::{}\n", data(&said)));
    }
    for change in report.comparison.iter().flat_map(|comparison| &comparison.better) {
        let line = format!("{}:{}: {}: {}\n", change.file, change.line, change.text, change.words());
        scribe.put(&harmless(&line.replace("::", ": :")));
    }
    let compared = report.comparison.as_ref().map(|found| format!("; {}", found.summary())).unwrap_or_default();
    scribe.put(&format!("{}{compared}\n", totals(report)));
    scribe.finish()
}

fn command(annotation: &Annotation) -> String {
    let Annotation { level, title, message, help, file, start, end, .. } = annotation;
    let level = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Tolerated => "notice",
    };
    let help = help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    // GitHub refuses columns of an annotation that goes over several lines.
    let columns = match start.line == end.line {
        true => format!(",col={},endColumn={}", start.column, end.column),
        false => String::new(),
    };
    format!(
        "::{level} file={},line={},endLine={}{columns},title={}::{}\n",
        property(file),
        start.line,
        end.line,
        property(title),
        data(&format!("{message}{help}"))
    )
}

/// Text after the second `::`. Control characters of names are replaced, line breaks are escaped.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| harmless(line).replace('%', "%25")).collect();
    lines.join("%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_its_command_or_starts_another() {
        assert_eq!(data("50 %\n::error::x\r"), "50 %25%0A::error::x?");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
