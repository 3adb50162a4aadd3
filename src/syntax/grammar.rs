//! The parser that pest generates from `grammar/des.pest`.

// The generated enum has no documentation of its own; the grammar is it.
#![allow(missing_docs)]

use pest::Parser as _;
use pest::error::Error;
use pest::iterators::Pairs;

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
