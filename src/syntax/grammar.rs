//! The parser that pest generates from `grammar/des.pest`, and its failures.

// The generated enum has no documentation of its own; the grammar is it.
#![allow(missing_docs)]

use pest::Parser as _;
use pest::error::{Error, InputLocation};
use pest::iterators::Pairs;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The generated parser.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/des.pest"]
struct DesParser;

/// Parses a text with an entry rule of the grammar.
///
/// # Errors
/// If the rule does not match the text.
pub fn parse(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Box<Error<Rule>>> {
    DesParser::parse(rule, text).map_err(Box::new)
}

/// How far the parser got, and what it expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// The furthest offset.
    pub at: usize,
    /// The expected literals; a name is `NAME`, an integer `INTEGER`.
    pub expected: BTreeSet<String>,
}

/// Any name, in [`Stop::expected`].
pub(super) const NAME: &str = "a name";
/// Any integer, in [`Stop::expected`].
pub(super) const INTEGER: &str = "an integer";

/// Why the rule does not match a text; `None` if it does.
///
/// Cost: several times that of [`parse`], so it is used for statements with errors only.
pub(super) fn stop(rule: Rule, text: &str) -> Option<Stop> {
    let error = with_detail(|| parse(rule, text)).err()?;
    let Some(attempts) = error.parse_attempts() else {
        let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
        return Some(Stop { at, expected: BTreeSet::new() });
    };
    let expected = attempts.expected_tokens().into_iter().filter_map(|token| expected_word(&token.to_string()));
    Some(Stop { at: attempts.max_position, expected: expected.collect() })
}

/// The user's name of an expected token; `None` for white space and comments.
fn expected_word(token: &str) -> Option<String> {
    match token {
        " " | "\n" | "\t" | "\r" | "\r\n" | "//" | "/*" => None,
        "_" | "\"" | "BUILTIN_RULE" | "a..z" | "A..Z" => Some(NAME.to_owned()),
        "0..9" => Some(INTEGER.to_owned()),
        word => Some(word.to_owned()),
    }
}

/// Runs with pest's recording of attempts. The switch is global to the process and is read when a parse starts.
fn with_detail<T>(run: impl FnOnce() -> T) -> T {
    static SWITCH: Mutex<()> = Mutex::new(());
    let guard = SWITCH.lock().unwrap_or_else(PoisonError::into_inner);
    pest::set_error_detail(true);
    let result = run();
    pest::set_error_detail(false);
    drop(guard);
    result
}
