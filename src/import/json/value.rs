//! JSON with places: every value knows where it stands, so that a fault in its meaning can be shown.

use crate::import::Place;
use crate::import::fault::Faults;

/// Values deeper than this are not read.
const DEEPEST: usize = 64;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) place: Place,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Debug)]
pub(super) enum Kind {
    /// `null`, `true`, `1.5`: kept as written.
    Plain,
    /// A whole number, kept as written.
    Integer,
    /// A string, unescaped.
    Text(String),
    /// `[...]`
    List(Vec<Value>),
    /// `{...}`: keys with their places.
    Object(Vec<(String, Place, Value)>),
}

/// The one value of a text; none: a fault was given.
pub(super) fn parse(text: &str, faults: &mut Faults) -> Option<Value> {
    let mut parser = Parser { text, at: text.len() - text.trim_start_matches('\u{feff}').len(), faults };
    let parsed = parser.value(0);
    if parsed.is_ok() {
        parser.blank();
    }
    let at = parser.at;
    match parsed {
        Ok(value) => {
            if at < text.len() {
                faults.syntax(Place::new(at, text.len()), "the end of the file");
                return None;
            }
            Some(value)
        }
        Err(expected) => {
            let rest = &text[at..];
            match rest.chars().next() {
                None => faults.cut_off(text, expected),
                Some(found) => faults.syntax(Place::new(at, at + found.len_utf8()), expected),
            }
            None
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    faults: &'a Faults,
}

/// What a value takes beside its text, in lists that double.
const VALUE: usize = 2 * size_of::<(String, Place, Value)>();

impl Parser<'_> {
    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes a byte of punctuation if it comes next.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value, &'static str> {
        let first = self.peek();
        let start = self.at;
        if depth > DEEPEST {
            return Err("less deeply nested lists");
        }
        if !self.faults.goes_on(VALUE) {
            return Err("more time or memory");
        }
        let kind = match first {
            Some(b'"') => Kind::Text(self.string()?),
            Some(b'[') => Kind::List(self.list(depth)?),
            Some(b'{') => Kind::Object(self.object(depth)?),
            _ => self.plain()?,
        };
        Ok(Value { place: Place::new(start, self.at), kind })
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Value>, &'static str> {
        self.at += 1;
        let mut values = Vec::new();
        if self.take(b']') {
            return Ok(values);
        }
        loop {
            values.push(self.value(depth + 1)?);
            if self.take(b']') {
                return Ok(values);
            }
            if !self.take(b',') {
                return Err("`,` or `]`");
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Vec<(String, Place, Value)>, &'static str> {
        self.at += 1;
        let mut entries = Vec::new();
        if self.take(b'}') {
            return Ok(entries);
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err("a key in quotes");
            }
            let start = self.at;
            let key = self.string()?;
            let place = Place::new(start, self.at);
            if !self.take(b':') {
                return Err("`:`");
            }
            entries.push((key, place, self.value(depth + 1)?));
            if self.take(b'}') {
                return Ok(entries);
            }
            if !self.take(b',') {
                return Err("`,` or `}`");
            }
        }
    }

    fn string(&mut self) -> Result<String, &'static str> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        let mut escaped = false;
        while at < bytes.len() && bytes[at] != b'"' {
            escaped |= bytes[at] == b'\\';
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        if at >= bytes.len() {
            self.at = self.text.len();
            return Err("the end of a string");
        }
        self.at = at + 1;
        let inner = &self.text[start + 1..at];
        if !escaped && !inner.bytes().any(|byte| byte < b' ') {
            return Ok(inner.to_owned());
        }
        serde_json::from_str(&self.text[start..=at]).map_err(|_| {
            self.at = start;
            "a string with valid escapes"
        })
    }

    fn plain(&mut self) -> Result<Kind, &'static str> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
        let word = &rest[..length];
        let number =
            |word: &str| word.parse::<f64>().is_ok() && word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let kind = match word {
            "null" | "true" | "false" => Kind::Plain,
            _ if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) => Kind::Integer,
            _ if number(word) => Kind::Plain,
            _ => return Err("a value"),
        };
        self.at += length;
        Ok(kind)
    }
}
