//! Lines and columns as the client counts them.

use desc::source::{SourceFile, Span};
use gen_lsp_types::{Position, PositionEncodingKind, Range};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: what every client knows.
    Utf16,
}

impl Encoding {
    /// UTF-8 if the client offers it, else UTF-16.
    pub fn choose(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        let utf8 = offered.is_some_and(|offered| offered.contains(&PositionEncodingKind::UTF8));
        if utf8 { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The line and column of an offset.
    pub fn position(self, file: &SourceFile, offset: u32) -> Position {
        let offset = offset.min(file.text().len() as u32);
        match self {
            Encoding::Utf16 => {
                let (line, character) = file.lines().utf16_position(file.text(), offset);
                Position { line, character }
            }
            Encoding::Utf8 => {
                let line = file.lines().line_of(offset);
                let start = file.lines().start_of(line).unwrap_or(0);
                Position { line: line as u32, character: offset - start }
            }
        }
    }

    /// The offset of a line and column; a place past the end of the line or the text is moved back to it.
    pub fn offset(self, file: &SourceFile, at: Position) -> u32 {
        match self {
            Encoding::Utf16 => file.lines().from_utf16(file.text(), at.line, at.character),
            Encoding::Utf8 => utf8_offset(file, at),
        }
    }

    /// A span as a range.
    pub fn range(self, file: &SourceFile, span: Span) -> Range {
        Range { start: self.position(file, span.start), end: self.position(file, span.end) }
    }

    /// How long a text without line ends is.
    pub fn length(self, text: &str) -> u32 {
        match self {
            Encoding::Utf8 => text.len() as u32,
            Encoding::Utf16 => text.chars().map(|character| character.len_utf16() as u32).sum(),
        }
    }
}

fn utf8_offset(file: &SourceFile, at: Position) -> u32 {
    let text = file.text();
    let Some(start) = file.lines().start_of(at.line as usize) else { return text.len() as u32 };
    let next = file.lines().start_of(at.line as usize + 1).unwrap_or(text.len() as u32);
    let line = text[start as usize..next as usize].trim_end_matches(['\n', '\r']);
    let wanted = (at.character as usize).min(line.len());
    start + line.floor_char_boundary(wanted) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_come_back_from_every_offset() {
        let file = SourceFile::new("t.des", "a\n\u{1f600}γ₁ b\r\n\nlast");
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (offset, character) in file.text().char_indices().filter(|(_, character)| *character != '\n') {
                let position = encoding.position(&file, offset as u32);
                assert_eq!(encoding.offset(&file, position), offset as u32, "{encoding:?} at {character:?}");
            }
        }
    }

    #[test]
    fn places_that_do_not_exist_are_moved_back() {
        let file = SourceFile::new("t.des", "\u{1f600}b\nc");
        let at = |line, character| Position { line, character };
        assert_eq!(Encoding::Utf8.offset(&file, at(0, 2)), 0, "inside a character");
        assert_eq!(Encoding::Utf8.offset(&file, at(0, 99)), 5);
        assert_eq!(Encoding::Utf16.offset(&file, at(0, 1)), 4, "between surrogates: after the character");
        assert_eq!(Encoding::Utf16.offset(&file, at(7, 7)), 7);
    }
}
