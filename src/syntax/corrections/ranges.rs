//! Ranges and indices: `for` where it does not belong or is written otherwise, indices without a value.

use super::{Correction, Failure, Token, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::grammar::{NAME, Rule};
use crate::syntax::token::{TokenKind, WordClass, class_of};

/// `A -a-> B for i in 1..3;`, `check weak 2-step for i in 1..3;`
pub(super) fn trailing_for(failure: &Failure<'_, '_>) -> Option<Correction> {
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
    is_range.then(|| Correction::certain(fault))
}

/// `for d in 1..2 i in 1..3`
pub(super) fn missing_comma(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found_of(TokenKind::Ident).filter(|_| failure.word(1) == "in" && failure.has_taken("in"))?;
    let fault = failure.missing(Code::E0124, ",").help("separate indices with commas: `for i in 1..3, j in 1..3`");
    Some(Correction::edit(fault, "insert `,`", failure.gap(), ","))
}

/// `for all d in 1..2`
pub(super) fn every(failure: &Failure<'_, '_>) -> Option<Correction> {
    let word = failure.near(-1).filter(|_| failure.word(-2) == "for" && failure.word(1) == "in")?;
    let written = failure.word(-1);
    let fault = Diagnostic::new(Code::E0123, failure.span(word), format!("`for` is written without `{written}`"))
        .label("not needed")
        .help("write `for i in 1..3`");
    let removed = word.start as usize..failure.found()?.start as usize;
    matches!(written, "all" | "each" | "every" | "any").then(|| Correction::edit(fault, "remove it", removed, ""))
}

/// `for i, j in 1..3`
pub(super) fn shared_range(failure: &Failure<'_, '_>) -> Option<Correction> {
    let comma = failure.found_of(TokenKind::Comma).filter(|_| failure.expects("in"))?;
    let rest = &failure.tokens[failure.at + 1..];
    let dots = rest.iter().position(|token| token.kind == TokenKind::DotDot).filter(|at| (3..=6).contains(at))?;
    let text = failure.patch.text();
    let is_end =
        |token: &Token| token.kind == TokenKind::Semicolon || token.text(text) == "if" || token.text(text) == "{";
    let end = rest.iter().skip(dots).find(|token| is_end(token)).or(rest.last())?;
    let binders = &text[rest[0].start as usize..if is_end(end) { end.start } else { end.end } as usize].trim_end();
    let (_, values) = binders.split_once(" in ")?;
    let meant = format!("{} in {values}, {binders}", failure.word(-1));
    let fault = failure
        .fault(Code::E0111, "each index has a range of its own")
        .label("expected `in`")
        .help(format!("write `for {meant}`"));
    // Certain, since the tree has no place in the file for the range.
    Some(Correction::certain(fault.fix(format!("write `for {meant}`"), failure.span(comma), format!(" in {values},"))))
}

/// `for d in 1..2: { ... }`
pub(super) fn colon_after_head(failure: &Failure<'_, '_>) -> Option<Correction> {
    let colon = failure.found_of(TokenKind::Colon).filter(|_| matches!(failure.head(), "for" | "if"))?;
    let fault = failure
        .fault(Code::E0114, format!("no `:` follows the head of `{}`", failure.head()))
        .label("not needed")
        .help("remove the `:`: `for i in 1..3 { ... }`");
    (failure.rule == Rule::heading).then(|| Correction::edit(fault, "remove `:`", range(colon), ""))
}

/// `door[*, i]`, `door[:, i]`
pub(super) fn every_index(failure: &Failure<'_, '_>) -> Option<Correction> {
    let is_all = matches!(failure.kind(0), Some(TokenKind::Star | TokenKind::Colon | TokenKind::DotDot));
    let opens = matches!(failure.kind(-1), Some(TokenKind::BracketOpen | TokenKind::Comma));
    let ends = matches!(failure.kind(1), Some(TokenKind::BracketClose | TokenKind::Comma));
    let fault = failure
        .fault(Code::E0111, format!("`{}` is no index", failure.word(0)))
        .label("expected a number or a range")
        .help("write the range, `door[1..3, i]`, or the bare name for the whole family");
    (is_all && opens && ends && failure.expects(NAME)).then(|| Correction::certain(fault))
}

/// `compose p[1..N] = User(1..N);`
pub(super) fn argument_range(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found_of(TokenKind::DotDot).filter(|_| failure.head() == "compose" && failure.expects(")"))?;
    let fault = failure
        .fault(Code::E0127, "an argument is one number, not a range")
        .label("expected `,` or `)`")
        .help("compose a part for each index: `compose u[i] = User(i) for i in 1..3;`");
    Some(Correction::certain(fault))
}
