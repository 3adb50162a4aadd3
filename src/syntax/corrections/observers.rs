//! What observers see: labels and agents of anonymous events, and pools of observers.

use super::{Correction, Failure, range};
use crate::diagnostic::Code;
use crate::diagnostic::Diagnostic;
use crate::syntax::token::{Token, TokenKind, class_of};

/// `anonymous a by person as opens;`
pub(super) fn agent_before_label(failure: &Failure<'_, '_>) -> Option<Correction> {
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
    Some(Correction::certain(fault))
}

/// `anonymous a as by person[1];`, `anonymous a as x by for i in 1..3;`
pub(super) fn missing_name(failure: &Failure<'_, '_>) -> Option<Correction> {
    let (what, example) = match (failure.word(-2), failure.word(-1)) {
        ("as", "by") => ("label", "as opens by person[i]"),
        ("by", "for") => ("agent", "by person[i] for i in 1..3"),
        _ => return None,
    };
    let before = failure.near(-2).filter(|_| failure.found().is_some_and(|found| found.kind.is_name()))?;
    let at = failure.span_of(before.end as usize..before.end as usize);
    let fault = Diagnostic::new(Code::E0116, at, format!("the {what} after `{}` is missing", failure.word(-2)))
        .label("expected a name")
        .help(format!("write `{example}`"));
    Some(Correction::certain(fault))
}

/// `anonymous a as x of person[1];`
pub(super) fn other_preposition(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| failure.head() == "anonymous" && failure.expects("by"))?;
    let written = failure.word(0);
    let fault = failure
        .fault(Code::E0111, format!("`{written}` is written `by` here"))
        .label("expected `by`")
        .help("write `by person[i]`: who acts");
    let is_one = matches!(written, "of" | "from" | "with" | "per" | "agent") && failure.kind(1)?.is_name();
    is_one.then(|| Correction::edit(fault, "replace with `by`", range(found), "by"))
}

/// `anonymous a as x, by person[1];`
pub(super) fn comma_before_clause(failure: &Failure<'_, '_>) -> Option<Correction> {
    let comma = failure.found_of(TokenKind::Comma).filter(|_| matches!(failure.word(1), "as" | "by"))?;
    let fault = failure
        .fault(Code::E0123, "an extra comma")
        .label("not needed")
        .help(format!("write `{} ...` without a comma before it", failure.word(1)));
    (failure.head() == "anonymous").then(|| Correction::edit(fault, "remove `,`", range(comma), ""))
}

/// `observer Both = A, B;`, `observer Both = A and B;`
pub(super) fn pool_sign(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| failure.head() == "observer" && failure.expects("+"))?;
    if !matches!(failure.word(0), "," | "and" | "|" | "&" | "||") {
        return None;
    }
    let fault = failure
        .fault(Code::E0111, "observers are pooled with `+`")
        .label("expected `+`")
        .help("write `observer Both = A + B;`");
    Some(Correction::edit(fault, "replace with `+`", failure.gap().start..found.end as usize, " +"))
}

/// `observer Both { Camera + Desk }`
pub(super) fn pool_in_braces(failure: &Failure<'_, '_>) -> Option<Correction> {
    let statement = &failure.tokens[failure.head_at()..];
    let end = statement.iter().position(|token| token.kind == TokenKind::Semicolon).unwrap_or(statement.len());
    let (first, last) = (statement.first()?, statement[..end].last()?);
    let is_sum =
        |(at, token): (usize, &Token)| if at % 2 == 0 { token.kind.is_name() } else { token.kind == TokenKind::Plus };
    let all = end > 2 && end % 2 == 1 && statement[..end].iter().enumerate().all(is_sum);
    let sum = &failure.patch.text()[first.start as usize..last.end as usize];
    let whole = failure.span_of(first.start as usize..last.end as usize);
    let fault = Diagnostic::new(Code::E0111, whole, "observers are pooled after `=`")
        .label("not a statement")
        .help(format!("write `observer Both = {sum};`"));
    (all && class_of(failure.head()).is_none()).then(|| Correction::certain(fault))
}

/// `check 2-step against A + B;`
pub(super) fn pool_in_check(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found =
        failure.found().filter(|_| failure.word(-2) == "against" && matches!(failure.word(0), "+" | "," | "and"))?;
    let (one, other) = (failure.word(-1), failure.near(1).filter(|next| next.kind.is_name()).map(|_| failure.word(1))?);
    let fault = failure
        .fault(Code::E0111, "a check has one observer")
        .label("a second observer")
        .help(format!("pool them: `observer Both = {one} + {other};`, and write `against Both`"));
    let _ = found;
    Some(Correction::certain(fault))
}

/// `[voted#]`, `[voted #1]`: the number of a label.
pub(super) fn label_number(failure: &Failure<'_, '_>) -> Option<Correction> {
    let after = failure.kind(-1) == Some(TokenKind::Hash) && failure.expects(crate::syntax::grammar::INTEGER);
    let fault = failure
        .fault(Code::E0111, "the number of a label is missing")
        .label("expected a number")
        .help("number agents in the order of first appearance: `voted#1`");
    (after && failure.head() == "check").then(|| Correction::certain(fault))
}
