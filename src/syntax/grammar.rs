//! The parser that pest generates from `grammar/des.pest`, and what it can tell of a failure.

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

/// Parses a text by one of the entry points of the grammar.
///
/// # Errors
/// When the text is not what the rule says.
pub fn parse(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Box<Error<Rule>>> {
    DesParser::parse(rule, text).map_err(Box::new)
}

/// How far the parser came, and what could have gone on from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// The furthest offset that the parser reached.
    pub at: usize,
    /// The literal words and signs that could stand there; a name is `NAME`, an integer `INTEGER`.
    pub expected: BTreeSet<String>,
}

/// Stands for any name in [`Stop::expected`].
pub(super) const NAME: &str = "a name";
/// Stands for any integer in [`Stop::expected`].
pub(super) const INTEGER: &str = "an integer";

/// Why a text is not what the rule says; nothing when it is.
///
/// Cost: several times that of [`parse`], so only broken statements come here.
pub(super) fn stop(rule: Rule, text: &str) -> Option<Stop> {
    let error = with_detail(|| parse(rule, text)).err()?;
    let Some(attempts) = error.parse_attempts() else {
        let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
        return Some(Stop { at, expected: BTreeSet::new() });
    };
    let expected = attempts.expected_tokens().into_iter().filter_map(|token| expected_word(&token.to_string()));
    Some(Stop { at: attempts.max_position, expected: expected.collect() })
}

/// What a person would call a token that pest expected; nothing for white space and comments.
fn expected_word(token: &str) -> Option<String> {
    match token {
        " " | "\n" | "\t" | "\r" | "\r\n" | "//" | "/*" => None,
        "_" | "\"" | "BUILTIN_RULE" | "a..z" | "A..Z" => Some(NAME.to_owned()),
        "0..9" => Some(INTEGER.to_owned()),
        word => Some(word.to_owned()),
    }
}

/// Runs with pest's record of attempts switched on. The switch is one for the whole process and is read when a parse begins.
fn with_detail<T>(run: impl FnOnce() -> T) -> T {
    static SWITCH: Mutex<()> = Mutex::new(());
    let guard = SWITCH.lock().unwrap_or_else(PoisonError::into_inner);
    pest::set_error_detail(true);
    let result = run();
    pest::set_error_detail(false);
    drop(guard);
    result
}
