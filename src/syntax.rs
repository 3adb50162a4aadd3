//! From text to tree: `parse(&SourceFile) -> Parsed`.
//!
//! Parsing does not fail: a broken item or statement becomes an `Error` node with its span, and a diagnostic.

pub mod token;
mod split;
pub mod grammar;
mod patch;
mod lower;
pub mod ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, SourceFile, Sources, Span};

/// A file as a tree, and what is wrong with its text.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub file: ast::File,
    /// Faults of the text, in order of position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Adds a file of any bytes to the sources. What is not text is replaced and reported.
pub fn read(sources: &mut Sources, name: &str, bytes: Vec<u8>) -> (FileId, Vec<Diagnostic>) {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (sources.add(SourceFile::new(name, text)), Vec::new())
}

/// The tree of a file.
pub fn parse(id: FileId, file: &SourceFile) -> Parsed {
    let docs = docs(file.text());
    let mut lower = lower::Lower::new(id, patch::Offsets::Plus(0), &docs);
    match grammar::parse(grammar::Rule::file, file.text()) {
        Ok(pairs) => {
            let items = lower.items(pairs);
            Parsed { file: ast::File { id, items }, diagnostics: lower.diagnostics }
        }
        Err(error) => {
            let at = match error.location {
                pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at as u32,
            };
            let fault = Diagnostic::new(Code::E0111, Span::new(id, at, at), "unexpected text");
            Parsed { file: ast::File { id, items: Vec::new() }, diagnostics: vec![fault] }
        }
    }
}

fn docs(text: &str) -> Vec<split::DocComment> {
    let (mut found, mut lines) = (Vec::new(), Vec::new());
    for token in token::tokens(text) {
        match token.kind {
            token::TokenKind::DocComment => {
                let space = token.text(text)[3..].starts_with(' ') as u32;
                lines.push((token.start + 3 + space, token.end));
            }
            kind if kind.is_trivia() => {}
            _ if lines.is_empty() => {}
            _ => found.push(split::DocComment { owner: token.start, lines: std::mem::take(&mut lines) }),
        }
    }
    found
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
