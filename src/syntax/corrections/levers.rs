//! Slips in `may hide log cost 3;` and `must hide log;`.

use super::{Correction, Failure, range};
use crate::diagnostic::Code;
use crate::syntax::token::TokenKind;

fn is_lever(failure: &Failure<'_, '_>) -> bool {
    matches!(failure.head(), "may" | "must")
}

/// `may log;`, `must log;`: what may be done to it?
pub(super) fn missing_change(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found_names().filter(|_| is_lever(failure) && failure.expects("hide"))?;
    let is_first = matches!(failure.word(-1), "may" | "must" | "together");
    let close = ["anonymize", "hides", "hidden", "disables", "disabled", "anonymises"].contains(&failure.word(0));
    if !is_first || close {
        return None;
    }
    let (name, head) = (failure.word(0), failure.head());
    let fault = failure
        .fault(Code::E0111, format!("expected `hide`, `anonymise` or `disable`, found `{name}`"))
        .label("what is done to it?")
        .help(format!("say what is changed: `{head} hide {name};`"));
    let at = found.start as usize;
    Some(Correction::edit(fault, "insert `hide`", at..at, "hide "))
}

/// `may hide together a, b;`: the word stands right after `may`.
pub(super) fn together_too_late(failure: &Failure<'_, '_>) -> Option<Correction> {
    let late = failure.near(-1).filter(|_| failure.head() == "may" && failure.word(-1) == "together")?;
    let may = failure.tokens.get(failure.head_at()).copied().filter(|_| failure.taken() > 2)?;
    let fault = failure
        .fault(Code::E0111, "`together` stands right after `may`")
        .label("not expected after it")
        .help("write `may together hide a, b;`: one lever for all these events");
    let fault = fault.also(failure.span(late), "move this");
    let (end, gone) = (may.end as usize, range(late));
    Some(Correction {
        diagnostic: fault,
        title: "move `together`".to_owned(),
        edits: vec![(end..end, " together".to_owned()), (gone, String::new())],
    })
}

/// `may hide log cost 3 from Clerk;`: the clauses have an order.
pub(super) fn clause_too_late(failure: &Failure<'_, '_>) -> Option<Correction> {
    const ORDER: [&str; 4] = ["as", "by", "from", "cost"];
    let at = ORDER.iter().position(|clause| *clause == failure.word(0)).filter(|_| is_lever(failure))?;
    let later = ORDER[at + 1..].iter().find(|clause| failure.has_taken(clause))?;
    let fault = failure
        .fault(Code::E0111, format!("`{}` stands before `{later}`", ORDER[at]))
        .label("too late")
        .help("the order is `as LABEL by AGENT from OBSERVER cost N`");
    Some(Correction::certain(fault))
}

/// `may hide log, cost 3;`
pub(super) fn comma_before_cost(failure: &Failure<'_, '_>) -> Option<Correction> {
    let comma = failure.near(-2).filter(|comma| comma.kind == TokenKind::Comma && is_lever(failure))?;
    if !matches!(failure.word(-1), "cost" | "from" | "as" | "by") {
        return None;
    }
    let fault = failure
        .fault(Code::E0111, format!("no comma stands before `{}`", failure.word(-1)))
        .label("so this is read as one more event")
        .help(format!("remove the comma: `{} hide a, b cost 2;`", failure.head()));
    Some(Correction::edit(fault, "remove the comma", range(comma), ""))
}

/// `may hide log 3;`, `may hide log at 3;`
pub(super) fn missing_cost(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found =
        failure.found().filter(|_| failure.head() == "may" && failure.expects("cost") && failure.taken() > 2)?;
    let (at, what) = match (found.kind, failure.kind(1)) {
        (TokenKind::Integer, _) => (found.start as usize..found.start as usize, "cost "),
        (TokenKind::Ident, Some(TokenKind::Integer)) if !matches!(failure.word(0), "as" | "by" | "from") => {
            (range(found), "cost")
        }
        _ => return None,
    };
    let fault = failure
        .fault(Code::E0111, format!("expected `cost`, found `{}`", failure.word(0)))
        .label("a cost follows `cost`")
        .help("write `may hide a cost 3;`");
    Some(Correction::edit(fault, "write `cost`", at, what))
}
