//! The tokens of a `.gen` file.

use crate::import::Place;
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `<Name ...>`
    Open,
    /// `</Name>`
    Close,
    /// `"text"`, with the quotes
    Quoted,
    /// `+o+`
    Flags,
    /// `0x1a`
    Hex,
    /// A number or a word.
    Word,
    /// What looks like one and is not, or does not stand apart from what follows.
    Odd,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) place: Place,
}

/// `Alphabet` of `<Alphabet ...>` or `</Alphabet>`.
pub(super) fn tag(text: &str, token: Token) -> &str {
    let inner = slice(text, token.place).trim_start_matches('<').trim_start_matches('/').trim_end_matches('>');
    inner.trim_end_matches('/').split_whitespace().next().unwrap_or("")
}

/// `name="plant"` of an opening tag.
pub(super) fn attribute(text: &str, token: Token, name: &str) -> Option<String> {
    let inner = slice(text, token.place);
    let (_, rest) = inner.split_once(&format!("{name}=\""))?;
    rest.split_once('"').map(|(value, _)| plain(value).into_owned())
}

/// What a word or a quoted string says.
pub(super) fn value(text: &str, token: Token) -> Cow<'_, str> {
    let written = slice(text, token.place);
    let inner = if token.kind == Kind::Quoted { written.trim_matches('"') } else { written };
    plain(inner)
}

/// Without entities; an unknown one stays as it is.
fn plain(text: &str) -> Cow<'_, str> {
    quick_xml::escape::unescape(text).unwrap_or(Cow::Borrowed(text))
}

pub(super) fn slice(text: &str, place: Place) -> &str {
    &text[place.start as usize..place.end as usize]
}

/// Cuts the text into tokens.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    /// White space, `% ...` and `<!-- ... -->` and `<? ... ?>`.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.at += blank;
            let rest = &self.text[self.at..];
            let end = match rest.as_bytes() {
                [b'%', ..] => rest.find('\n'),
                [b'<', b'!', b'-', b'-', ..] => rest.find("-->").map(|at| at + 3),
                [b'<', b'?', ..] => rest.find("?>").map(|at| at + 2),
                _ => return,
            };
            self.at += end.unwrap_or(rest.len());
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip();
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let (kind, length) = match first {
            '<' => tag_at(rest),
            '"' => (Kind::Quoted, 1 + through(&rest[1..], '"')),
            '+' => (Kind::Flags, 1 + through(&rest[1..], '+')),
            _ => {
                let length = rest.find(|c: char| c.is_whitespace() || c == '<' || c == '"').unwrap_or(rest.len());
                let word = &rest[..length];
                let odd = word.starts_with(['#', '/', '!']) || word.ends_with('+') || word.contains('>');
                let kind = if word.starts_with("0x") { Kind::Hex } else { Kind::Word };
                (if odd { Kind::Odd } else { kind }, length)
            }
        };
        let tag = matches!(kind, Kind::Open | Kind::Close);
        // Flags and comments may follow a name in quotes at once; another name may not.
        let ends = |c: char| c.is_whitespace() || c == '<' || kind == Kind::Quoted && "+%".contains(c);
        let apart = tag || rest[length..].starts_with(ends) || length == rest.len();
        let kind = if apart { kind } else { Kind::Odd };
        let start = self.at;
        self.at += length;
        Some(Token { kind, place: Place::new(start, start + length) })
    }
}

/// A tag: it ends in `>` before another begins, and a closing one holds a name and nothing else.
fn tag_at(rest: &str) -> (Kind, usize) {
    let length = through(rest, '>');
    let inner = rest[1..length].trim_end_matches('>');
    let sound = rest[..length].ends_with('>') && !inner.contains('<');
    match inner.strip_prefix('/') {
        _ if !sound => (Kind::Odd, 1),
        None => (Kind::Open, length),
        Some(name) if name.trim_end().contains(char::is_whitespace) => (Kind::Odd, length),
        Some(_) => (Kind::Close, length),
    }
}

/// Up to and with a character; all, if it does not come.
fn through(rest: &str, end: char) -> usize {
    rest.find(end).map_or(rest.len(), |at| at + end.len_utf8())
}
