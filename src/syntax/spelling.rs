//! Names as they are written in a file: what every proposal, correction and generated model spells them by.
//!
//! The tokens decide: a name stands as it is if it is one word or one number, and in quotes otherwise.

use super::token::{Token, TokenKind, WordClass, class_of, tokens};
use std::borrow::Cow;

/// A name where any name may stand: in a declaration, in a set, after `observer`.
pub fn name(text: &str) -> Cow<'_, str> {
    if is_word(text) || is_number(text) { Cow::Borrowed(text) } else { Cow::Owned(quoted(text)) }
}

/// A name or a member of a family: `send[1]`, `"waiting room"[1, 2]`.
pub fn member(text: &str) -> Cow<'_, str> {
    match indexed(text) {
        Some((base, indices)) => match name(base) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(base) => Cow::Owned(base + indices),
        },
        None => name(text),
    }
}

/// A name in quotes.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A piece of a file with what each name in quotes says in its place: `my "first" check` is `my first check`.
pub fn unquoted(written: &str) -> String {
    let said = |token: Token| match token.kind {
        TokenKind::Quoted => unescaped(token.text(written)),
        _ => token.text(written).to_owned(),
    };
    tokens(written).map(said).collect()
}

fn unescaped(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    unescape(inner.strip_suffix('"').unwrap_or(inner))
}

/// `\x` becomes `x`.
pub(super) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next().unwrap_or('\\') } else { character });
    }
    plain
}

/// Whether a name is one word that means nothing else where a set may stand. `γ` and `γ1` are labels in an observation.
fn is_word(text: &str) -> bool {
    let digits = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
    let is_label = text.strip_prefix('γ').is_some_and(digits);
    is_identifier(text) && class_of(text) != Some(WordClass::Set) && !is_label
}

/// Whether a text is one word, whatever it means.
pub fn is_identifier(text: &str) -> bool {
    is_one(text, TokenKind::Ident)
}

fn is_number(text: &str) -> bool {
    is_one(text, TokenKind::Integer)
}

fn is_one(text: &str, kind: TokenKind) -> bool {
    let mut all = tokens(text);
    all.next().is_some_and(|token| token.kind == kind) && all.next().is_none()
}

/// `("send", "[1, 2]")` of `send[1, 2]`.
fn indexed(text: &str) -> Option<(&str, &str)> {
    let (base, indices) = text.split_at(text.rfind('[')?);
    let inner = indices.strip_prefix('[')?.strip_suffix(']')?;
    let numbers = inner.split(',').all(|index| index.trim().parse::<i64>().is_ok());
    (numbers && !base.is_empty()).then_some((base, indices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_quoted_where_it_must_be() {
        for text in ["waiting", "_", "12", "007", "grün3", "weak", "γ_1"] {
            assert_eq!(name(text), text);
        }
        for text in ["waiting room", "3a", "ⓐ", "events", "γ", "γ1", "γ₁", "", "a//b", "send[1]"] {
            assert_eq!(name(text), format!("\"{text}\""));
        }
        assert_eq!(name("a\"\\"), "\"a\\\"\\\\\"");
    }

    #[test]
    fn only_the_base_of_a_member_is_quoted() {
        assert_eq!(member("send[1, -2]"), "send[1, -2]");
        assert_eq!(member("waiting room[1]"), "\"waiting room\"[1]");
        assert_eq!(member("a[1][2]"), "\"a[1]\"[2]");
        assert_eq!(member("a[x]"), "\"a[x]\"");
        assert_eq!(member("[1]"), "\"[1]\"");
    }
}
