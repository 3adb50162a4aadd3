//! Malformed arrows.

use super::{Correction, Failure, Place, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::token::{TokenKind, class_of};

/// `A =a=> B`, `A -a=> B`
pub(super) fn fat(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let fault = failure.fault(Code::E0113, "an arrow is written with `-`").label("not part of an arrow");
    let fault = fault.help("write the event between `-` and `->`: `A -a-> B`");
    if found.kind == TokenKind::FatArrow && failure.expects("->") {
        return Some(Correction::edit(fault, "replace with `->`", range(found), "->"));
    }
    let close = failure.near(2).filter(|close| close.kind == TokenKind::FatArrow)?;
    let opens = found.kind == TokenKind::Equals && failure.after_operand();
    let edits = vec![(range(found), "-".to_owned()), (range(close), "->".to_owned())];
    opens.then_some(Correction { diagnostic: fault, title: "write `-` and `->`".to_owned(), edits })
}

/// `A --a--> B`
pub(super) fn spare_dash(failure: &Failure<'_, '_>) -> Option<Correction> {
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
        .fault(Code::E0113, "an extra dash in an arrow")
        .label("one `-` opens an arrow and `->` closes it")
        .help("write `A -a-> B`");
    (opening || closing).then(|| Correction { diagnostic: fault, title: "remove `-`".to_owned(), edits })
}

/// `A -a> B`, `A -a - > B`, `A -a- B`
pub(super) fn half_arrow(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let whole = match (found.kind, failure.near(1)) {
        (TokenKind::Greater, _) => range(found),
        (TokenKind::Minus, Some(next)) if next.kind == TokenKind::Greater => found.start as usize..next.end as usize,
        (TokenKind::Minus, _) => range(found),
        _ => return None,
    };
    let fault = failure
        .fault(Code::E0113, "an incomplete arrow")
        .label("expected `->`")
        .help("close the arrow with `->`: `A -a-> B`");
    failure.expects("->").then(|| Correction::edit(fault, "replace with `->`", whole, "->"))
}

/// `A -> B`, `A --> B`, `A => B`, `A → B`
pub(super) fn no_event(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let is_arrow = matches!(found.kind, TokenKind::Arrow | TokenKind::FatArrow)
        || found.kind == TokenKind::Unknown && super::confusables::ARROWS.contains(failure.word(0));
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
        .label("expected an event")
        .help(format!("write the event inside the arrow: `{example}`"));
    Some(Correction::certain(fault))
}

/// `A a-> B`, `A -a B`
pub(super) fn no_dash(failure: &Failure<'_, '_>) -> Option<Correction> {
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
    let fault = Diagnostic::new(Code::E0113, failure.span_of(gap.clone()), "an incomplete arrow")
        .label(format!("expected `{sign}`"))
        .help(help);
    let place = if sign == "->" { gap } else { found.start as usize..found.start as usize };
    Some(Correction::edit(fault, format!("insert `{sign}`"), place, sign))
}

/// `A -a-b-> B`
pub(super) fn two_events(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found().filter(|found| found.kind == TokenKind::Minus)?;
    let events = failure.kind(-2) == Some(TokenKind::Minus) && failure.kind(2) == Some(TokenKind::Arrow);
    let simple = failure.kind(-1).is_some_and(TokenKind::is_name) && failure.kind(1).is_some_and(TokenKind::is_name);
    let (first, second) = (failure.word(-1), failure.word(1));
    let fault = failure.fault(Code::E0113, "a dash inside an arrow").label("two events, or one name?").help(format!(
        "write `-{{{first}, {second}}}->` for either event, `-\"{first}-{second}\"->` for one of that name"
    ));
    (events && simple).then(|| Correction::certain(fault))
}

/// `A -a->> B`
pub(super) fn spare_tip(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Greater)?;
    let arrow = failure.near(-1).filter(|arrow| arrow.kind == TokenKind::Arrow && arrow.end == found.start)?;
    let fault =
        failure.fault(Code::E0113, "an extra `>` in an arrow").label("`->` closes an arrow").help("write `A -a-> B`");
    arrow.end.eq(&found.start).then(|| Correction::edit(fault, "remove `>`", range(found), ""))
}

/// `A -a-> B if N > 2;`
pub(super) fn guarded(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found().filter(|_| matches!(failure.word(0), "if" | "when" | "where" | "for"))?;
    let statement = &failure.tokens[failure.head_at()..];
    let has_arrow = statement.iter().take_while(|token| token.start < failure.tokens[failure.at].start);
    let has_arrow = has_arrow.into_iter().any(|token| token.kind == TokenKind::Arrow);
    let has_block = failure.tokens[failure.at..].iter().any(|token| token.kind == TokenKind::BraceOpen);
    if class_of(failure.head()).is_some() || !has_arrow || has_block || failure.on_new_line() {
        return None;
    }
    let word = failure.word(0);
    let fault = failure
        .fault(Code::E0111, format!("`{word}` precedes the transitions that it applies to"))
        .label("too late")
        .help(match word {
            "for" => "write `for i in 1..3 { A -a-> B; }`",
            _ => "write `if N > 2 { A -a-> B; }`, of constants and indices; of a value that changes, see E0131",
        });
    Some(Correction::certain(fault))
}

/// `A -a->;`
pub(super) fn leads_nowhere(failure: &Failure<'_, '_>) -> Option<Correction> {
    let ends = failure.kind(0).is_none_or(|kind| kind == TokenKind::Semicolon);
    if failure.kind(-1) != Some(TokenKind::Arrow) || !ends {
        return None;
    }
    let fault = Diagnostic::new(Code::E0113, failure.span_of(failure.gap()), "this arrow has no target")
        .label("expected a state")
        .help("write its target state: `A -a-> B`");
    Some(Correction::certain(fault))
}

/// `-a-> B;`, `-> B;`
pub(super) fn comes_from_nowhere(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| failure.taken() == 0 && failure.place == Place::Block)?;
    match found.kind {
        TokenKind::Minus if failure.kind(2) == Some(TokenKind::Arrow) => {
            let fault = failure
                .fault(Code::E0113, "this arrow has no source")
                .label("expected a state before it")
                .help("write its source state: `A -a-> B`; a chain `A -a-> B -b-> C` has one `;`, at its end");
            Some(Correction::certain(fault))
        }
        TokenKind::Arrow => {
            let fault = failure
                .fault(Code::E0113, "this arrow has no source")
                .label("expected a state and an event before it")
                .help(format!("declare the initial states: `initial {};`", failure.word(1)));
            Some(Correction::edit(fault, "replace with `initial`", range(found), "initial"))
        }
        _ => None,
    }
}

/// `B <-a- A`
pub(super) fn backwards(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found().filter(|found| found.kind == TokenKind::Less && failure.kind(1) == Some(TokenKind::Minus))?;
    if failure.kind(3) == Some(TokenKind::Arrow) {
        let (source, event, target) = (failure.word(-1), failure.word(2), failure.word(4));
        let fault = failure
            .fault(Code::E0113, "an arrow has one direction")
            .label("points to the left")
            .help(format!("write two: `{source} -{event}-> {target}; {target} -{event}-> {source};`"));
        return Some(Correction::certain(fault));
    }
    let example = match (failure.word(-1), failure.word(2), failure.word(4)) {
        (target, event, source) if failure.word(3) == "-" && !source.is_empty() => {
            format!("{source} -{event}-> {target}")
        }
        _ => "A -a-> B".to_owned(),
    };
    let fault = failure
        .fault(Code::E0113, "an arrow points to the right")
        .label("points to the left")
        .help(format!("write `{example}`"));
    Some(Correction::certain(fault))
}

/// `A a B;`, `(A, a, B);`
pub(super) fn no_arrow(failure: &Failure<'_, '_>) -> Option<Correction> {
    let statement = &failure.tokens[failure.head_at()..];
    let length = statement.iter().position(|token| token.kind == TokenKind::Semicolon).unwrap_or(statement.len());
    let names: Vec<_> = statement[..length].iter().filter(|token| token.kind.is_name()).collect();
    let shape: Vec<_> = statement[..length].iter().map(|token| token.kind).collect();
    use TokenKind::*;
    let tuple = matches!(shape[..], [ParenOpen, _, Comma, _, Comma, _, ParenClose]);
    let [source, event, target] = names[..] else { return None };
    if failure.place != Place::Block || !(tuple || length == 3) || class_of(failure.head()).is_some() {
        return None;
    }
    let word = |token: &super::Token| token.text(failure.patch.text());
    let meant = format!("{} -{}-> {}", word(source), word(event), word(target));
    let whole = statement[0].start as usize..statement[length - 1].end as usize;
    let fault = Diagnostic::new(Code::E0113, failure.span_of(whole.clone()), "a transition is written as an arrow")
        .label("a state, an event, a state?")
        .help(format!("write `{meant};`"));
    let between =
        |from: &super::Token, to: &super::Token, sign: &str| (from.end as usize..to.start as usize, sign.to_owned());
    let mut edits = vec![between(source, event, " -"), between(event, target, "-> ")];
    if tuple {
        edits.insert(0, (whole.start..source.start as usize, String::new()));
        edits.push((target.end as usize..whole.end, String::new()));
    }
    Some(Correction { diagnostic: fault, title: format!("write `{meant}`"), edits })
}

fn ends_operand(kind: TokenKind) -> bool {
    kind.is_name() || matches!(kind, TokenKind::BraceClose | TokenKind::ParenClose | TokenKind::BracketClose)
}
