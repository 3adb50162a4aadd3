//! Brackets, braces and parentheses of the wrong kind.

use super::{Correction, Failure, Token, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::grammar::NAME;
use crate::syntax::token::TokenKind;
use std::ops::Range;

/// `q(1..3)`, `h{1}`, `component User[i]`, `-[a]->`, `observable events \ [a, b]`
pub(super) fn wrong_kind(failure: &Failure<'_, '_>) -> Option<Correction> {
    let (open, close) = pair_at(failure, failure.at)?;
    let attached = failure.near(-1).is_some_and(|before| before.kind.is_name() && before.end == open.start);
    let (meant, what, help) = if failure.expects("[") && attached && failure.head() != "check" {
        (("[", "]"), "an index", "write an index in brackets: `q[1]`, `q[1..3]`")
    } else if failure.expects("(") && attached {
        (("(", ")"), "a parameter", "write parameters in parentheses: `User(i)`")
    } else if failure.expects("[") && asks(failure) {
        (("[", "]"), "an observation", "write an observation in brackets: `[a ?1 b]`")
    } else if failure.expects(NAME) && open.kind == TokenKind::BracketOpen && !failure.after_operand() {
        (("{", "}"), "a set", "write a set in braces: `{a, b}`")
    } else {
        return None;
    };
    if open.text(failure.patch.text()) == meant.0 {
        return None;
    }
    let wrong = format!("`{}{}`", open.text(failure.patch.text()), close.text(failure.patch.text()));
    let fault = failure
        .fault(Code::E0111, format!("{what} is not written in {wrong}"))
        .label(format!("expected `{}`", meant.0))
        .help(help);
    let mut edits = vec![swapped(open, meant.0), swapped(close, meant.1)];
    if asks(failure) {
        // Who writes one observation like this writes both.
        let other = (failure.at + 1..failure.tokens.len())
            .filter(|&at| failure.tokens[at].kind == open.kind && failure.tokens[at].start > close.start)
            .find_map(|at| pair_at(failure, at).filter(|(open, _)| follows_question(failure, *open)));
        edits.extend(other.into_iter().flat_map(|(open, close)| [swapped(open, meant.0), swapped(close, meant.1)]));
    }
    Some(Correction { diagnostic: fault, title: format!("write `{} {}`", meant.0, meant.1), edits })
}

/// Whether the statement contains observations.
fn asks(failure: &Failure<'_, '_>) -> bool {
    let second = failure.tokens.get(failure.head_at() + 1).map_or("", |token| token.text(failure.patch.text()));
    failure.head() == "check" && matches!(second, "estimate" | "projection")
}

/// Whether an opening delimiter is at the position of an observation.
fn follows_question(failure: &Failure<'_, '_>, open: Token) -> bool {
    let at = failure.tokens.partition_point(|token| token.start < open.start);
    at > 0 && failure.tokens[at - 1].text(failure.patch.text()) == "given"
}

/// `q[1][2]`, `q_{i}`
pub(super) fn indices(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    if found.kind == TokenKind::BracketOpen && failure.kind(-1) == Some(TokenKind::BracketClose) {
        let fault = failure
            .fault(Code::E0111, "all indices are written in one pair of brackets")
            .label("expected `,`")
            .help("write `q[1, 2]`");
        let between = failure.span_of(failure.near(-1)?.start as usize..found.end as usize);
        // Certain: how many indices were meant is not for the parser to say.
        return Some(Correction::certain(fault.fix("join the indices", between, ", ")));
    }
    let (open, close) = pair_at(failure, failure.at).filter(|(open, _)| open.kind == TokenKind::BraceOpen)?;
    let name = failure.near(-1).filter(|name| name.end == open.start && failure.word(-1).ends_with('_'))?;
    let inner = &failure.patch.text()[open.end as usize..close.start as usize];
    let meant = format!("{}[{inner}]", failure.word(-1).trim_end_matches('_'));
    let span = failure.span_of(name.start as usize..close.end as usize);
    let fault = Diagnostic::new(Code::E0111, span, "an index is written in brackets")
        .label(format!("expected `{meant}`"))
        .help(format!("write `{meant}`"));
    // Certain, since the tree would read the name with its `_`.
    Some(Correction::certain(fault.fix(format!("write `{meant}`"), span, meant)))
}

/// `for i in {1, 2}`, `for i in [1..3]`
pub(super) fn range_in_braces(failure: &Failure<'_, '_>) -> Option<Correction> {
    if failure.word(-1) != "in" {
        return None;
    }
    let (open, close) = pair_at(failure, failure.at)?;
    let whole = open.start as usize..close.end as usize;
    let fault = Diagnostic::new(Code::E0111, failure.span_of(whole.clone()), "an index runs over a range, not a set");
    let inner = failure.tokens.iter().filter(|token| open.end <= token.start && token.end <= close.start);
    let inner: Vec<Token> = inner.copied().collect();
    let mut edits = vec![(range(open), String::new()), (range(close), String::new())];
    let meant = if inner.iter().any(|token| token.kind == TokenKind::DotDot) {
        failure.patch.text()[open.end as usize..close.start as usize].trim().to_owned()
    } else if let Some((first, last)) = in_a_row(failure, &inner) {
        edits.insert(1, (first.end as usize..last.start as usize, "..".to_owned()));
        let word = |token: Token| token.text(failure.patch.text());
        format!("{}..{}", word(first), word(last))
    } else {
        let help = "write a range, and exclude values with `if`: `for i in 1..5 if i != 3 { ... }`";
        return Some(Correction::certain(fault.label("expected a range such as `1..3`").help(help)));
    };
    let fault = fault.label(format!("expected `{meant}`")).help(format!("write `{meant}`"));
    Some(Correction { diagnostic: fault, title: format!("write `{meant}`"), edits })
}

/// The first and the last of consecutive numbers: `1, 2, 3`.
fn in_a_row(failure: &Failure<'_, '_>, inner: &[Token]) -> Option<(Token, Token)> {
    let numbers = inner.iter().filter(|token| token.kind != TokenKind::Comma);
    let numbers: Vec<i64> =
        numbers.map(|token| token.text(failure.patch.text()).parse().ok()).collect::<Option<_>>()?;
    let in_a_row = numbers.len() > 1 && numbers.windows(2).all(|two| two[0].checked_add(1) == Some(two[1]));
    in_a_row.then(|| Some((*inner.first()?, *inner.last()?)))?
}

/// `for i in N`
pub(super) fn half_range(failure: &Failure<'_, '_>) -> Option<Correction> {
    let high = failure.near(-1).filter(|high| high.kind.is_name() && failure.word(-2) == "in")?;
    let ends = failure.kind(0).is_none_or(|kind| matches!(kind, TokenKind::Comma | TokenKind::Semicolon))
        || failure.word(0) == "if";
    let meant = format!("1..{}", failure.word(-1));
    let fault = Diagnostic::new(Code::E0111, failure.span(high), "a range has two ends")
        .label(format!("expected a range such as `{meant}`"))
        .help(format!("write `{meant}`"));
    let at = failure.span(high);
    // Certain, since the tree has no place in the file for the `1`.
    let fault = fault.fix(format!("write `{meant}`"), Span { end: at.start, ..at }, "1..");
    (ends && failure.expects("..")).then(|| Correction::certain(fault))
}

/// `for (i in 1..3) {`
pub(super) fn head_in_parentheses(failure: &Failure<'_, '_>) -> Option<Correction> {
    let (open, close) = pair_at(failure, failure.at).filter(|_| failure.word(-1) == "for")?;
    let is_last = failure.tokens.last().is_some_and(|last| last.start == close.start);
    let fault = failure
        .fault(Code::E0111, "the indices of a `for` are written without parentheses")
        .label("not needed")
        .help("write `for i in 1..3 { ... }`");
    let edits = vec![(range(open), String::new()), (range(close), String::new())];
    is_last.then(|| Correction { diagnostic: fault, title: "remove the parentheses".to_owned(), edits })
}

/// `states {A, B};`, `states = {A, B};`
pub(super) fn declared_set(failure: &Failure<'_, '_>) -> Option<Correction> {
    if !matches!(failure.head(), "states" | "events") || failure.taken() > 2 {
        return None;
    }
    let first = failure.head_at() + 1;
    let sign = failure.tokens.get(first).filter(|sign| matches!(sign.kind, TokenKind::Equals | TokenKind::Colon));
    let (open, close) = pair_at(failure, first + usize::from(sign.is_some()))?;
    let head = failure.head();
    let code = if sign.is_some() { Code::E0114 } else { Code::E0111 };
    let start = sign.map_or(open.start, |sign| sign.start) as usize;
    let message = format!("`{head}` takes names, not a set");
    let fault = Diagnostic::new(code, failure.span_of(start..open.end as usize), message)
        .label("not needed")
        .help(format!("write the names alone: `{head} a, b;`"));
    let edits = vec![(start..open.end as usize, " ".to_owned()), (range(close), String::new())];
    Some(Correction { diagnostic: fault, title: "remove the braces".to_owned(), edits })
}

/// A replacement of a token.
fn swapped(token: Token, text: &str) -> (Range<usize>, String) {
    (range(token), text.to_owned())
}

/// The closing delimiter of an opening one.
fn pair_at(failure: &Failure<'_, '_>, at: usize) -> Option<(Token, Token)> {
    use TokenKind::*;
    let open = *failure.tokens.get(at).filter(|open| matches!(open.kind, BraceOpen | ParenOpen | BracketOpen))?;
    let mut depth = 0usize;
    for token in &failure.tokens[at..] {
        match token.kind {
            BraceOpen | ParenOpen | BracketOpen => depth += 1,
            BraceClose | ParenClose | BracketClose => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((open, *token));
        }
    }
    None
}
