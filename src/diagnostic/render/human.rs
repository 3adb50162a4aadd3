//! For a person, by miette: drawn with lines, in ASCII, or narrated for a screen reader.
//!
//! miette shows one source per diagnostic, so labels in other files become related messages. Its own sources scan the text
//! from the start for every label; `Page` asks the line index instead. What could disturb a terminal (control characters,
//! changes of writing direction) is replaced by as many harmless bytes, and an overlong line is shown around its label only.

use super::Style;
use super::wrap::{width, wrap};
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::source::{FileId, SourceFile, Sources, Span};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, NarratableReportHandler, SourceCode};
use miette::{MietteSpanContents, SourceSpan, SpanContents};
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The longest line, in bytes, that is shown whole.
const LONG_LINE: usize = 400;

/// What is shown on either side of a label in an overlong line, in bytes.
const WINDOW: usize = 60;

/// The most lines of a label; a longer one is cut to its first line.
const TALL_LABEL: usize = 8;

/// The least room for the lines of a label, however far to the right it stands.
const NARROWEST: usize = 24;

/// A message over the source, whoever sends it.
#[derive(Debug)]
pub struct Note<'a> {
    /// How bad it is; none: it tells.
    pub severity: Option<Severity>,
    /// The message.
    pub message: String,
    /// The places, the main one first.
    pub labels: Vec<&'a Label>,
    /// The next act.
    pub help: Option<&'a str>,
}

/// Renders notes; keeps what it learned about the files.
#[derive(Debug)]
pub struct Renderer<'a> {
    sources: &'a Sources,
    style: Style,
    pages: FxHashMap<FileId, Arc<Page>>,
}

impl<'a> Renderer<'a> {
    /// A renderer over these files.
    pub fn new(sources: &'a Sources, style: &Style) -> Renderer<'a> {
        Renderer { sources, style: *style, pages: FxHashMap::default() }
    }

    /// A diagnostic.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic) -> String {
        let word = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).collect();
        self.note(&Note {
            severity: Some(diagnostic.severity),
            message: format!("{word}[{}]: {}", diagnostic.code, diagnostic.message),
            labels,
            help: diagnostic.help.as_deref(),
        })
    }

    /// A note.
    pub fn note(&mut self, note: &Note<'_>) -> String {
        let message = self.translate(note);
        let mut text = String::new();
        // WHY ignored: writing to a string does not fail, and every label lies inside its page.
        let _ = if self.style.narrated {
            NarratableReportHandler::new().with_context_lines(0).render_report(&mut text, &message)
        } else {
            self.handler().render_report(&mut text, &message)
        };
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n").trim_start_matches('\n').to_owned() + "\n"
    }

    fn handler(&self) -> GraphicalReportHandler {
        let theme = match (self.style.ascii, self.style.color) {
            (true, true) => GraphicalTheme::ascii(),
            (true, false) => GraphicalTheme::none(),
            (false, true) => GraphicalTheme::unicode(),
            (false, false) => GraphicalTheme::unicode_nocolor(),
        };
        GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .with_width(self.style.width)
            .with_context_lines(1)
            .with_show_related_as_nested(true)
            .without_syntax_highlighting()
    }

    /// The labels of the main file stay with the message; those of each other file become a related message.
    fn translate(&mut self, note: &Note<'_>) -> Message {
        let main = note.labels.first().map(|label| label.span.file);
        let mut files: Vec<FileId> = Vec::new();
        for label in &note.labels {
            if !files.contains(&label.span.file) {
                files.push(label.span.file);
            }
        }
        let mut related = Vec::new();
        for &file in files.iter().skip(1) {
            let text = format!("in `{}`", harmless(self.sources.get(file).name()));
            related.push(self.message(None, text, None, note, file));
        }
        let help = note.help.map(harmless);
        let mut message = match main {
            Some(file) => self.message(note.severity, harmless(&note.message), help, note, file),
            None => Message::bare(note.severity, harmless(&note.message), help),
        };
        message.related.extend(related);
        message
    }

    fn message(
        &mut self,
        severity: Option<Severity>,
        text: String,
        help: Option<String>,
        note: &Note<'_>,
        file: FileId,
    ) -> Message {
        let mut message = Message::bare(severity, text, help);
        let page = self.page(file);
        if page.text().is_empty() {
            return message;
        }
        let (here, far) = self.apart(note, file, &page);
        message.related = far.into_iter().map(|label| self.alone(label, &page)).collect();
        let ranges: Vec<_> = here.iter().map(|(_, label)| page.clip(label.span)).collect();
        let room =
            |range| if self.style.narrated { usize::MAX } else { page.room_beside(range, &ranges, self.style.width) };
        let labels = here.iter().zip(&ranges);
        message.labels = labels.map(|((at, label), range)| labeled(label, range, room(range), *at == 0)).collect();
        message.page = Some(page);
        message
    }

    /// The labels of a file that are shown together, and those that are too far along an overlong line to be.
    fn apart<'n>(&self, note: &'n Note<'_>, file: FileId, page: &Page) -> (Vec<(usize, &'n Label)>, Vec<&'n Label>) {
        let (mut here, mut far): (Vec<(usize, &Label)>, Vec<&Label>) = (Vec::new(), Vec::new());
        for (at, label) in note.labels.iter().enumerate().filter(|(_, label)| label.span.file == file) {
            match here.iter().any(|(_, other)| page.are_far(label.span, other.span)) {
                true => far.push(label),
                false => here.push((at, label)),
            }
        }
        (here, far)
    }

    fn alone(&self, label: &Label, page: &Arc<Page>) -> Message {
        let range = page.clip(label.span);
        let mut message = Message::bare(None, "elsewhere on that line".to_owned(), None);
        message.labels = vec![labeled(label, &range, usize::MAX, true)];
        message.page = Some(Arc::clone(page));
        message
    }

    fn page(&mut self, file: FileId) -> Arc<Page> {
        let (sources, narrated) = (self.sources, self.style.narrated);
        Arc::clone(self.pages.entry(file).or_insert_with(|| Arc::new(Page::new(sources.share(file), narrated))))
    }
}

fn labeled(label: &Label, range: &Range<usize>, room: usize, primary: bool) -> LabeledSpan {
    let text = (!label.text.is_empty()).then(|| wrap(&harmless(&label.text), room).join("\n"));
    let span = SourceSpan::from((range.start, range.len()));
    if primary { LabeledSpan::new_primary_with_span(text, span) } else { LabeledSpan::new_with_span(text, span) }
}

/// A note as miette wants it.
#[derive(Debug)]
struct Message {
    severity: Option<Severity>,
    text: String,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    page: Option<Arc<Page>>,
    related: Vec<Message>,
}

impl Message {
    fn bare(severity: Option<Severity>, text: String, help: Option<String>) -> Message {
        Message { severity, text, help, labels: Vec::new(), page: None, related: Vec::new() }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Message {}

impl miette::Diagnostic for Message {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Some(Severity::Error) => miette::Severity::Error,
            Some(Severity::Warning) => miette::Severity::Warning,
            None => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.page.as_ref().map(|page| &**page as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        let related = self.related.iter().map(|message| message as &dyn miette::Diagnostic);
        (!self.related.is_empty()).then(|| Box::new(related) as Box<dyn Iterator<Item = _>>)
    }
}

/// A file as it is shown: harmless, with its line index.
#[derive(Debug)]
struct Page {
    file: Arc<SourceFile>,
    name: String,
    /// The harmless text, when it differs from the file's.
    replaced: Option<String>,
    /// Whether a place without context is its whole line: when it is read aloud.
    narrated: bool,
}

impl Page {
    fn new(file: Arc<SourceFile>, narrated: bool) -> Page {
        let disturbs = file.text().chars().any(|character| character != '\n' && replacement(character).is_some());
        let replaced = disturbs.then(|| harmless_text(file.text()));
        Page { name: harmless(file.name()), file, replaced, narrated }
    }

    fn text(&self) -> &str {
        self.replaced.as_deref().unwrap_or(self.file.text())
    }

    /// The span without what cannot be shown: many lines, or a very long part of one.
    fn clip(&self, span: Span) -> Range<usize> {
        let mut range = span.range();
        let first = self.file.lines().line_of(span.start);
        if self.file.lines().line_of(span.end) - first >= TALL_LABEL {
            range.end = self.line_end(first).max(range.start);
        }
        if range.len() > LONG_LINE {
            range.end = self.floor(range.start + WINDOW);
        }
        range
    }

    /// Whether too much text stands between two places for one picture: they are on lines that would be drawn together, and one of
    /// these is overlong.
    fn are_far(&self, one: Span, other: Span) -> bool {
        let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
        let line = |offset: u32| self.file.lines().line_of(offset);
        let lines = line(second.start).saturating_sub(line(first.end));
        lines <= 3 && second.start.saturating_sub(first.start) as usize > LONG_LINE * (lines + 1)
    }

    /// Where a line ends, without its line break.
    fn line_end(&self, line: usize) -> usize {
        let end = self.file.lines().start_of(line + 1).map_or(self.text().len(), |next| next as usize - 1);
        let start = self.file.lines().start_of(line).map_or(end, |start| start as usize);
        start + self.text()[start..end].trim_end_matches('\r').len()
    }

    /// How many columns there are for the label of a span: it hangs from the middle of what is marked, after the line numbers.
    fn room_beside(&self, range: &Range<usize>, others: &[Range<usize>], all: usize) -> usize {
        let line = self.file.lines().line_of(range.start as u32);
        let line_start = self.file.lines().start_of(line).map_or(0, |start| start as usize);
        let end = range.end.min(self.line_end(line)).max(range.start);
        // What a label before this one marks as well is left to it.
        let taken = others.iter().filter(|other| other.start < range.start && (range.start..end).contains(&other.end));
        let start = taken.map(|other| other.end).max().unwrap_or(range.start);
        let before = width(&self.text()[line_start.max(self.floor(start.saturating_sub(LONG_LINE)))..start]);
        let last = others.iter().map(|other| self.file.lines().line_of(other.end as u32)).max().unwrap_or(line);
        let margin = (last + 2).to_string().len() + "  │ ".chars().count() + "╰── ".chars().count();
        all.saturating_sub(margin + before + width(&self.text()[start..end]) / 2).max(NARROWEST)
    }

    /// The character boundary at or before an offset.
    fn floor(&self, offset: usize) -> usize {
        (0..=offset.min(self.text().len())).rev().find(|&at| self.text().is_char_boundary(at)).unwrap_or(0)
    }

    /// The bytes to show around a span: whole lines, or a window when they are long.
    fn window(&self, span: &SourceSpan, before: usize, after: usize) -> Range<usize> {
        let lines = self.file.lines();
        let (start, end) = (span.offset(), span.offset() + span.len());
        let first = lines.line_of(start as u32).saturating_sub(before);
        let last = (lines.line_of(end as u32) + after).min(lines.len() - 1);
        let whole = lines.start_of(first).map_or(start, |start| start as usize)..self.line_end(last).max(end);
        if whole.len() <= LONG_LINE * (last - first + 1) {
            return whole;
        }
        let here = lines.start_of(lines.line_of(start as u32)).map_or(start, |start| start as usize);
        self.floor(start.saturating_sub(WINDOW)).max(here)
            ..self.floor(end + WINDOW).min(self.line_end(lines.line_of(end as u32))).max(end)
    }
}

impl SourceCode for Page {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let lines = self.file.lines();
        let range = if before == 0 && after == 0 && !self.narrated {
            span.offset()..span.offset() + span.len()
        } else {
            self.window(span, before, after)
        };
        let at = lines.position(self.text(), range.start as u32);
        let line_count = lines.line_of(range.end as u32) + 1 - lines.line_of(range.start as u32);
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text().as_bytes()[range.clone()],
            SourceSpan::from((range.start, range.len())),
            at.line as usize - 1,
            at.column as usize - 1,
            line_count,
        )))
    }
}

/// What stands for a character that could disturb a terminal: as many bytes, so that no place moves.
fn replacement(character: char) -> Option<char> {
    match character {
        '\t' | '\n' => None,
        '\u{0}'..='\u{1f}' | '\u{7f}' => Some('?'),
        '\u{80}'..='\u{9f}' => Some('¿'),
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => Some('\u{fffd}'),
        _ => None,
    }
}

fn harmless_text(text: &str) -> String {
    let replaced: String = text.chars().map(|character| replacement(character).unwrap_or(character)).collect();
    // The line breaks of other systems stay: `\r\n` has become `?\n`.
    if !text.contains("\r\n") {
        return replaced;
    }
    let mut bytes = replaced.into_bytes();
    for at in text.match_indices("\r\n").map(|(at, _)| at) {
        bytes[at] = b'\r';
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// A message that cannot disturb a terminal.
pub fn harmless(text: &str) -> String {
    text.chars().map(|character| replacement(character).unwrap_or(character)).collect()
}
