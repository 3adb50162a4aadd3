//! Arrows that are not quite `-event->`.

use super::{Failure, Slip, range};
use crate::diagnostic::Code;
use crate::syntax::token::TokenKind;

/// `A =a=> B`, `A -a=> B`
pub(super) fn fat(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found()?;
    let fault = failure.fault(Code::E0113, "an arrow is written with `-`").label("not part of an arrow");
    let fault = fault.help("write the event between `-` and `->`: `A -a-> B`");
    if found.kind == TokenKind::FatArrow && failure.expects("->") {
        return Some(Slip::edit(fault, "replace with `->`", range(found), "->"));
    }
    let close = failure.near(2).filter(|close| close.kind == TokenKind::FatArrow)?;
    let opens = found.kind == TokenKind::Equals && failure.after_operand();
    let edits = vec![(range(found), "-".to_owned()), (range(close), "->".to_owned())];
    opens.then_some(Slip { diagnostic: fault, title: "write `-` and `->`".to_owned(), edits })
}

/// `A --a--> B`
pub(super) fn spare_dash(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Minus)?;
    let opening = failure.kind(-1) == Some(TokenKind::Minus);
    let closing = failure.kind(1) == Some(TokenKind::Arrow);
    let mut edits = vec![(range(found), String::new())];
    if let (Some(TokenKind::Minus), Some(TokenKind::Arrow), Some(second)) =
        (failure.kind(2), failure.kind(3), failure.near(2))
    {
        edits.push((range(second), String::new()));
    }
    let fault = failure
        .fault(Code::E0113, "a dash too many in an arrow")
        .label("one `-` opens an arrow and `->` closes it")
        .help("write `A -a-> B`");
    (opening || closing).then(|| Slip { diagnostic: fault, title: "remove `-`".to_owned(), edits })
}

/// `A -a> B`, `A -a - > B`, `A -a- B`
pub(super) fn half_arrow(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found()?;
    let whole = match (found.kind, failure.near(1)) {
        (TokenKind::Greater, _) => range(found),
        (TokenKind::Minus, Some(next)) if next.kind == TokenKind::Greater => found.start as usize..next.end as usize,
        (TokenKind::Minus, _) => range(found),
        _ => return None,
    };
    let fault = failure
        .fault(Code::E0113, "an arrow that is not complete")
        .label("expected `->`")
        .help("close the arrow with `->`: `A -a-> B`");
    failure.expects("->").then(|| Slip::edit(fault, "replace with `->`", whole, "->"))
}

/// `A -> B`, `A --> B`, `A => B`, `A → B`
pub(super) fn no_event(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found()?;
    let is_arrow = matches!(found.kind, TokenKind::Arrow | TokenKind::FatArrow)
        || found.kind == TokenKind::Unknown && "→⟶➔➜➝➞⇒⟹↦".contains(failure.word(0));
    let before = if failure.kind(-1) == Some(TokenKind::Minus) { -2 } else { -1 };
    if !is_arrow || !failure.kind(before).is_some_and(ends_operand) {
        return None;
    }
    let (source, target) = (failure.word(before), failure.word(1));
    let simple = |kind: Option<TokenKind>| kind.is_some_and(TokenKind::is_name);
    let example = if simple(failure.kind(before)) && simple(failure.kind(1)) {
        format!("{source} -event-> {target}")
    } else {
        "A -event-> B".to_owned()
    };
    let fault = failure
        .fault(Code::E0113, "an arrow without an event")
        .label("which event leads there?")
        .help(format!("write the event inside the arrow: `{example}`"));
    Some(Slip::certain(fault))
}

/// `A a-> B`, `A -a B`
pub(super) fn no_dash(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| found.kind.is_name() || found.kind == TokenKind::BraceOpen)?;
    if !failure.after_operand() {
        return None;
    }
    let (sign, help) = if failure.expects("->") {
        ("->", "close the arrow with `->`: `A -a-> B`")
    } else if failure.expects("-") && failure.kind(1) == Some(TokenKind::Arrow) {
        ("-", "open the arrow with `-`: `A -a-> B`")
    } else {
        return None;
    };
    let gap = failure.gap();
    let fault =
        crate::diagnostic::Diagnostic::new(Code::E0113, failure.span_of(gap.clone()), "an arrow that is not complete")
            .label(format!("expected `{sign}`"))
            .help(help);
    let place = if sign == "->" { gap } else { found.start as usize..found.start as usize };
    Some(Slip::edit(fault, format!("insert `{sign}`"), place, sign))
}

fn ends_operand(kind: TokenKind) -> bool {
    kind.is_name() || matches!(kind, TokenKind::BraceClose | TokenKind::ParenClose | TokenKind::BracketClose)
}
