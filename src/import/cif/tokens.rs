//! The words of a CIF file.

use crate::import::Place;

/// A word or a piece of punctuation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place,
}

impl<'a> Token<'a> {
    /// Whether it is a name (or a keyword).
    pub(super) fn is_name(self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$' || c == '.')
    }

    /// The name that it says: `$` only tells it from a keyword.
    pub(super) fn name(self) -> &'a str {
        self.text.trim_start_matches('.').trim_start_matches('$')
    }
}

/// Cuts a text into tokens, one ahead.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    ahead: Option<Token<'a>>,
    open_comment: Option<Place>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        let at = text.len() - text.trim_start_matches('\u{feff}').len();
        let mut tokens = Tokens { text, at, ahead: None, open_comment: None };
        tokens.ahead = tokens.cut();
        tokens
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The `/*` of a comment that does not end, once it was met.
    pub(super) fn open_comment(&self) -> Option<Place> {
        self.open_comment
    }

    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.ahead
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        let token = self.ahead.take();
        self.ahead = self.cut();
        token
    }

    fn cut(&mut self) -> Option<Token<'a>> {
        self.skip();
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.';
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |at| at + 2),
            '@' if rest.starts_with("@@") => 2,
            _ if word(first) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let place = Place::new(self.at, self.at + length);
        self.at += length;
        Some(Token { text: &rest[..length], place })
    }

    /// White space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.text[self.at..].trim_start();
            self.at = self.text.len() - rest.len();
            let end = match rest.get(..2) {
                Some("//") => rest.find('\n'),
                Some("/*") => rest[2..].find("*/").map(|at| at + 4),
                _ => return,
            };
            if end.is_none() && rest.starts_with("/*") {
                self.open_comment = Some(Place::new(self.at, self.at + 2));
            }
            self.at += end.unwrap_or(rest.len());
        }
    }
}
