//! Source files, places in them, and how more of them are brought in.
//!
//! Text is addressed by byte offset everywhere. [`LineIndex`] turns an offset into a line and a column when a person or an
//! editor has to be told; it is the only place that knows about UTF-16.
//!
//! The library opens no file. Whoever calls it hands over a [`Loader`], which finds what an `import` names.

use crate::resources::Stop;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);

/// A stretch of text: bytes `start..end` of one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        debug_assert!(start <= end);
        Span { file, start, end }
    }

    /// The smallest span that holds both; they are in one file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file);
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just after this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The span as a range of byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `offset` lies in the span or at its end.
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// One file: the name it is shown under, its text, and where its lines begin.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    lines: LineIndex,
}

impl SourceFile {
    /// A file of the given name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        SourceFile { name: name.into(), lines: LineIndex::new(&text), text }
    }

    /// The name to show, as the user gave it or as the import said it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the lines begin.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// The text of a span of this file.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

/// Every file of one run. Cheap to clone: files are shared.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<SourceFile>>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        self.files.push(Arc::new(file));
        id
    }

    /// The file of an id.
    pub fn get(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The file of an id, shared.
    pub fn share(&self, id: FileId) -> Arc<SourceFile> {
        Arc::clone(&self.files[id.0 as usize])
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).slice(span)
    }

    /// `name:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        let file = self.get(span.file);
        let at = file.lines().position(file.text(), span.start);
        format!("{}:{}:{}", file.name(), at.line, at.column)
    }

    /// All ids, in the order in which the files were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }
}

/// A line and a column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The offsets at which lines begin. A line ends with `\n`; a `\r` before it belongs to the end.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// How many characters, and how many UTF-16 units, begin before each block of the text; none: it is ASCII.
    //
    // WHY: a line may hold a million names, and somebody may ask for the place of each.
    before: Option<Vec<(u32, u32)>>,
}

/// The bytes of a block.
const BLOCK: usize = 1024;

/// How many characters and how many UTF-16 units begin in these bytes of a UTF-8 text.
fn beginnings(bytes: &[u8]) -> (u32, u32) {
    let characters = bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    let outside = bytes.iter().filter(|&&byte| byte >= 0xf0).count();
    (characters as u32, (characters + outside) as u32)
}

impl LineIndex {
    /// The lines of a text. Cost: one pass.
    pub fn new(text: &str) -> LineIndex {
        let after_newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at as u32 + 1);
        LineIndex { starts: std::iter::once(0).chain(after_newlines).collect(), before: before_blocks(text) }
    }

    /// How many characters and how many UTF-16 units stand between the start of a line and an offset.
    fn columns(&self, text: &str, start: u32, offset: u32) -> (u32, u32) {
        let Some(before) = &self.before else { return (offset - start, offset - start) };
        let up_to = |offset: usize| {
            let block = offset / BLOCK;
            let (characters, units) = beginnings(&text.as_bytes()[block * BLOCK..offset]);
            (before[block].0 + characters, before[block].1 + units)
        };
        let (start, end) = (up_to(start as usize), up_to(offset as usize));
        (end.0 - start.0, end.1 - start.1)
    }

    /// How many lines there are (an empty text has one).
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: there is always a first line.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The line (from 0) that holds an offset.
    pub fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Where a line (from 0) begins; past the last line: nothing.
    pub fn start_of(&self, line: usize) -> Option<u32> {
        self.starts.get(line).copied()
    }

    /// The line and the column of an offset, for people.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.line_of(offset);
        let (characters, _) = self.columns(text, self.starts[line], offset);
        Position { line: line as u32 + 1, column: characters + 1 }
    }

    /// The line (from 0) and the UTF-16 column (from 0) of an offset, for editors.
    pub fn utf16_position(&self, text: &str, offset: u32) -> (u32, u32) {
        let line = self.line_of(offset);
        let (_, units) = self.columns(text, self.starts[line], offset);
        (line as u32, units)
    }

    /// The offset of a line (from 0) and a UTF-16 column; a place past the end of the line or the text is moved back to it.
    pub fn from_utf16(&self, text: &str, line: u32, column: u32) -> u32 {
        let Some(start) = self.start_of(line as usize) else { return text.len() as u32 };
        let end = self.start_of(line as usize + 1).unwrap_or(text.len() as u32);
        let line_text = text[start as usize..end as usize].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, character) in line_text.char_indices() {
            if units >= column {
                return start + at as u32;
            }
            units += character.len_utf16() as u32;
        }
        start + line_text.len() as u32
    }
}

/// What stands before each block of a text, and before its end; none: the text is ASCII.
fn before_blocks(text: &str) -> Option<Vec<(u32, u32)>> {
    if text.is_ascii() {
        return None;
    }
    let mut before = vec![(0, 0)];
    let mut sum = (0, 0);
    for block in text.as_bytes().chunks(BLOCK) {
        let (characters, units) = beginnings(block);
        sum = (sum.0 + characters, sum.1 + units);
        before.push(sum);
    }
    Some(before)
}

/// What an `import` brought in.
#[derive(Debug)]
pub struct Loaded {
    /// Tells whether two imports mean one file (a canonical path, say).
    pub identity: String,
    /// The name to show.
    pub name: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// Why an `import` brought nothing in: a clause such as "no such file".
#[derive(Debug)]
pub struct LoadError {
    /// What went wrong, lower case, without a final stop.
    pub reason: String,
    /// The limit that was reached, if that is why.
    pub stopped: Option<Stop>,
}

impl LoadError {
    /// A file that cannot be read.
    pub fn new(reason: impl Into<String>) -> LoadError {
        LoadError { reason: reason.into(), stopped: None }
    }
}

/// Finds the files that imports name.
pub trait Loader {
    /// Reads `path` as written in the file called `importer`.
    ///
    /// # Errors
    /// When there is no such file, it cannot be read, or it may not be read.
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError>;
}

/// A [`Loader`] that finds nothing: for text that stands alone.
#[derive(Debug)]
pub struct NoImports;

impl Loader for NoImports {
    fn load(&self, _importer: &str, _path: &str) -> Result<Loaded, LoadError> {
        Err(LoadError::new("imports are not available here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_counted_in_blocks() {
        let text = format!("x\n{}", "a\u{e4}\u{1f600}\u{20ac}".repeat(BLOCK));
        let lines = LineIndex::new(&text);
        for (offset, _) in text.char_indices().skip(2).step_by(97) {
            let before = &text[2..offset];
            let column = before.chars().count() as u32 + 1;
            assert_eq!(lines.position(&text, offset as u32), Position { line: 2, column });
            assert_eq!(lines.utf16_position(&text, offset as u32), (1, before.encode_utf16().count() as u32));
        }
    }

    #[test]
    fn columns_count_characters_and_utf16_units() {
        let text = "a\n\u{1f600}bc\r\nd";
        let lines = LineIndex::new(text);
        let b = text.find('b').unwrap() as u32;
        assert_eq!(lines.position(text, b), Position { line: 2, column: 2 });
        assert_eq!(lines.utf16_position(text, b), (1, 2));
        assert_eq!(lines.from_utf16(text, 1, 2), b);
        assert_eq!(lines.from_utf16(text, 1, 99), text.find('\r').unwrap() as u32);
        assert_eq!(lines.from_utf16(text, 99, 0), text.len() as u32);
    }
}
