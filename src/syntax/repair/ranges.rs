//! `for` and `by` where they do not belong, and pools with other signs than `+`.

use super::{Failure, Repair, range};
use crate::diagnostic::Code;
use crate::syntax::token::{TokenKind, WordClass, class_of};

/// `A -a-> B for i in 1..3;`, `check weak 2-step for i in 1..3;`
pub(super) fn trailing_for(failure: &Failure<'_, '_>) -> Option<Repair> {
    let is_range = failure.word(0) == "for" && failure.word(2) == "in" || failure.word(0) == "if";
    let what = match failure.head() {
        "check" => "a check",
        "measure" => "a measure",
        head if class_of(head).is_none_or(|class| class == WordClass::Horizon)
            && failure.has_taken("->")
            && failure.word(0) == "for" =>
        {
            "a transition"
        }
        _ => return None,
    };
    let word = failure.word(0);
    let fault = failure
        .fault(Code::E0111, format!("{what} does not end with `{word}`"))
        .label("only declarations end with `for` and `if`")
        .help(match word {
            "for" => "repeat it in a block: `for i in 1..3 { ... }`",
            _ => "choose in a block: `if N > 2 { ... }`",
        });
    is_range.then(|| Repair::certain(fault))
}

/// `anonymous a by person as opens;`
pub(super) fn agent_before_label(failure: &Failure<'_, '_>) -> Option<Repair> {
    failure.found().filter(|_| failure.word(0) == "as" && failure.head() == "anonymous" && failure.has_taken("by"))?;
    let text = failure.patch.text();
    let tokens = &failure.tokens[failure.head_at()..];
    let by = tokens.iter().find(|token| token.text(text) == "by")?;
    let end = failure.tokens[failure.at..]
        .iter()
        .find(|token| token.kind == TokenKind::Semicolon || matches!(token.text(text), "for" | "if"))?;
    let found = failure.found()?;
    let agent = text[by.start as usize..found.start as usize].trim();
    let label = text[found.start as usize..end.start as usize].trim();
    let whole = failure.span_of(by.start as usize..found.start as usize + label.len());
    let meant = format!("{label} {agent}");
    let fault = failure
        .fault(Code::E0111, "the label is written before the agent")
        .label("too late")
        .help(format!("write `{meant}`"))
        .fix("write the label first", whole, meant);
    Some(Repair::certain(fault))
}

/// `for d in 1..2 i in 1..3`
pub(super) fn missing_comma(failure: &Failure<'_, '_>) -> Option<Repair> {
    failure.found_of(TokenKind::Ident).filter(|_| failure.word(1) == "in" && failure.has_taken("in"))?;
    let fault = failure.missing(Code::E0124, ",").help("separate indices with commas: `for i in 1..3, j in 1..3`");
    Some(Repair::edit(fault, "insert `,`", failure.gap(), ","))
}

/// `check 2-step of {A};`
pub(super) fn of_what(failure: &Failure<'_, '_>) -> Option<Repair> {
    let found = failure.found().filter(|_| failure.word(0) == "of" && failure.expects("opacity"))?;
    let fault = failure
        .fault(Code::E0111, "`of` follows `opacity`")
        .label("expected `opacity of`")
        .help("write `opacity of ...`");
    Some(Repair::edit(fault, "insert `opacity`", range(found), "opacity of"))
}

/// `observer Both = A, B;`, `observer Both = A and B;`
pub(super) fn pool_sign(failure: &Failure<'_, '_>) -> Option<Repair> {
    let found = failure.found().filter(|_| failure.head() == "observer" && failure.expects("+"))?;
    if !matches!(failure.word(0), "," | "and" | "|" | "&" | "||") {
        return None;
    }
    let fault = failure
        .fault(Code::E0111, "observers are pooled with `+`")
        .label("expected `+`")
        .help("write `observer Both = A + B;`");
    Some(Repair::edit(fault, "replace with `+`", failure.gap().start..found.end as usize, " +"))
}

/// `[voted#]`, `[voted #1]`: the number of a label.
pub(super) fn label_number(failure: &Failure<'_, '_>) -> Option<Repair> {
    let after = failure.kind(-1) == Some(TokenKind::Hash) && failure.expects(crate::syntax::grammar::INTEGER);
    let fault = failure
        .fault(Code::E0111, "the number of a label is missing")
        .label("expected a number")
        .help("number agents in the order of first appearance: `voted#1`");
    (after && failure.head() == "check").then(|| Repair::certain(fault))
}
