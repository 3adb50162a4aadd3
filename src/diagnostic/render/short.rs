//! One line per diagnostic, by codespan-reporting: `file:line:column: error[E0201]: message`.

use crate::diagnostic::{self, Diagnostic, Severity};
use crate::source::{FileId, Sources, Span};
use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;
use std::ops::Range;

/// One line for each.
pub fn short(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let config = term::Config { display_style: term::DisplayStyle::Short, ..term::Config::default() };
    let mut text = String::new();
    for diagnostic in diagnostics {
        // WHY ignored: the only error is a place outside its file, and spans come from the files.
        let _ = term::emit_to_string(&mut text, &config, &Lines(sources), &translate(diagnostic));
    }
    text
}

fn translate(diagnostic: &Diagnostic) -> codespan::Diagnostic<FileId> {
    let severity = match diagnostic.severity {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
    };
    codespan::Diagnostic::new(severity)
        .with_code(diagnostic.code.as_str())
        .with_message(&diagnostic.message)
        .with_label(label(&diagnostic.primary))
}

fn label(label: &diagnostic::Label) -> codespan::Label<FileId> {
    let Span { file, .. } = label.span;
    codespan::Label::primary(file, label.span.range()).with_message(&label.text)
}

/// The sources as codespan wants to see them: it asks our line index.
pub struct Lines<'a>(pub &'a Sources);

impl<'a> Files<'a> for Lines<'a> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(self.0.get(id).name())
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(self.0.get(id).text())
    }

    fn line_index(&'a self, id: FileId, offset: usize) -> Result<usize, Error> {
        Ok(self.0.get(id).lines().line_of(offset as u32))
    }

    fn line_range(&'a self, id: FileId, line: usize) -> Result<Range<usize>, Error> {
        let file = self.0.get(id);
        let past = Error::LineTooLarge { given: line, max: file.lines().len() };
        let start = file.lines().start_of(line).ok_or(past)?;
        let end = file.lines().start_of(line + 1).map_or(file.text().len(), |start| start as usize);
        Ok(start as usize..end)
    }
}
