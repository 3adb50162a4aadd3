//! Changes of a text, as the client sends them.

use super::position::Encoding;
use desc::source::SourceFile;
use gen_lsp_types::TextDocumentContentChangeEvent as Change;

/// The text after all changes, each of which refers to the text after the one before it.
pub fn apply(file: &SourceFile, changes: Vec<Change>, encoding: Encoding) -> String {
    let mut text = file.text().to_owned();
    for change in changes {
        match change {
            Change::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
            Change::TextDocumentContentChangePartial(part) => {
                let now = SourceFile::new("", text);
                let (one, other) = (encoding.offset(&now, part.range.start), encoding.offset(&now, part.range.end));
                let (start, end) = (one.min(other) as usize, one.max(other) as usize);
                text = [&now.text()[..start], &part.text, &now.text()[end..]].concat();
            }
        }
    }
    text
}
