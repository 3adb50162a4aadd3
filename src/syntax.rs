//! From text to tree: `parse(&SourceFile) -> Parsed`.
//!
//! The text passes through [`token`] (logos), `segment` (pieces), [`grammar`] (pest) and `lower` (the tree, [`ast`]); text that does not parse
//! passes through `corrections`. [`dump`] prints tokens and trees.
//!
//! Parsing does not fail: a broken item or statement becomes an `Error` node with its span, and a diagnostic.

pub mod spelling;
pub mod token;
mod segment;
pub mod grammar;
mod patch;
mod lower;
pub mod dump;
mod recover;
mod corrections;
pub mod ast;

pub(crate) use corrections::ideas::declares_nothing;

use crate::diagnostic::{Code, Diagnostic};
use crate::resources::{Resources, Stop};
use crate::source::{FileId, SourceFile, Sources, Span};

/// The tree of a file, and its syntax errors.
#[derive(Debug)]
pub struct Parsed {
    pub file: ast::File,
    /// The syntax errors, in order of position.
    pub diagnostics: Vec<Diagnostic>,
    /// How many bytes the tree and the faults take.
    pub bytes: u64,
}

/// Adds a file of any bytes to the sources.
///
/// Bytes that are not UTF-8 become `\u{fffd}` and are reported; a file that is too large for 32-bit offsets becomes empty.
pub fn read(sources: &mut Sources, name: &str, bytes: Vec<u8>) -> (FileId, Vec<Diagnostic>) {
    if u32::try_from(bytes.len()).is_err() {
        let id = sources.add(SourceFile::new(name, ""));
        return (id, vec![too_large(id, bytes.len())]);
    }
    match String::from_utf8(bytes) {
        Ok(text) => (sources.add(SourceFile::new(name, text)), Vec::new()),
        Err(error) => {
            let at = error.utf8_error().valid_up_to() as u32;
            let id = sources.add(SourceFile::new(name, String::from_utf8_lossy(error.as_bytes())));
            // What stands outside comments and quotes is reported by `parse`.
            let replaced = |token: token::Token| token.text(sources.get(id).text()) == "\u{fffd}";
            let reported = token::tokens(sources.get(id).text()).any(replaced);
            (id, if reported { Vec::new() } else { vec![not_utf8(id, at)] })
        }
    }
}

/// The tree of a file. Cost: linear; large files are parsed in parallel, in the thread pool of the caller.
pub fn parse(id: FileId, file: &SourceFile) -> Parsed {
    parse_within(id, file, Resources::default()).expect("nothing is limited")
}

/// The same within limits: tokens, pieces, nodes and faults are counted.
///
/// # Errors
/// When a limit is reached: then there is no tree.
pub fn parse_within(id: FileId, file: &SourceFile, resources: Resources<'_>) -> Result<Parsed, Stop> {
    let mut monitor = resources.monitor();
    let outline = segment::outline(id, file.text(), &mut monitor)?;
    let monitor = resources.shared_monitor(monitor.held());
    let context = recover::Context { id, text: file.text(), docs: &outline.docs, monitor: &monitor };
    let found = recover::pieces::<ast::Item>(context, &outline.pieces);
    if let Some(stop) = monitor.stopped() {
        return Err(stop);
    }
    let mut diagnostics = outline.faults;
    diagnostics.extend(found.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    // `states A; B; C; D;`: one slip, repeated along the line.
    let alike = |fault: &Diagnostic| fault.message == corrections::lists::NAMES_ALONE;
    let between = |a: Span, b: Span| &file.text()[a.end as usize..b.start.max(a.end) as usize];
    diagnostics.dedup_by(|later, first| {
        alike(first) && alike(later) && !between(first.primary.span, later.primary.span).contains('\n')
    });
    diagnostics.truncate(segment::MAX_FAULTS);
    Ok(Parsed { file: ast::File { id, items: found.nodes }, diagnostics, bytes: monitor.held() })
}

fn too_large(id: FileId, size: usize) -> Diagnostic {
    Diagnostic::new(Code::E0102, Span::new(id, 0, 0), format!("the file is too large: {size} bytes"))
        .label("not read")
        .help("the limit is 4 GiB; write repeated structure with families, `for` and components")
}

fn not_utf8(id: FileId, at: u32) -> Diagnostic {
    let replaced = Span::new(id, at, at + '\u{fffd}'.len_utf8() as u32);
    Diagnostic::new(Code::E0101, replaced, "the text is not valid UTF-8")
        .label("these bytes are not a character")
        .help("save the file as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Parsed {
        let mut sources = Sources::new();
        let id = sources.add(SourceFile::new("t.des", text));
        parse(id, sources.get(id))
    }

    #[test]
    fn the_examples_of_the_language_parse() {
        let parsed = parse_text(include_str!("../tests/fixtures/parse/sketch.des"));
        assert_eq!(parsed.diagnostics, []);
    }
}
