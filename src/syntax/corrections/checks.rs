//! Horizons, and the order of the words of a check.

use super::{Correction, Failure, clause_order, keywords, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::token::{Token, TokenKind, WordClass, class_of};

const HORIZONS: &str = "`2-step`, `infinite-step`, `current-state`, `initial-state` or `exactly 2-step`";

/// `2 step`, `2step`, `2-steps`, `infinite step`
pub(super) fn step_without_hyphen(failure: &Failure<'_, '_>) -> Option<Correction> {
    let (found, previous) = (failure.found()?, failure.near(-1)?);
    let word = match failure.word(0) {
        "step" | "steps" => "step",
        "state" | "states" => "state",
        _ => return None,
    };
    let hyphen = previous.kind == TokenKind::Minus;
    if !is_check(failure) || !hyphen && !failure.after_operand() {
        return None;
    }
    let (first, range) = if hyphen {
        (failure.near(-2)?, found.start as usize..found.end as usize)
    } else {
        (previous, previous.end as usize..found.end as usize)
    };
    let meant = format!("{}-{word}", first.text(failure.patch.text()));
    let span = failure.span_of(first.start as usize..found.end as usize);
    let fault = Diagnostic::new(Code::E0115, span, "this horizon is one hyphenated word")
        .label(format!("expected `{meant}`"))
        .help(format!("write `{meant}`"));
    let text = if hyphen { word.to_owned() } else { format!("-{word}") };
    Some(Correction::edit(fault, format!("write `{meant}`"), range, text))
}

/// `check -1-step;`, `check weak -N-step;`
pub(super) fn negative_horizon(failure: &Failure<'_, '_>) -> Option<Correction> {
    let statement = failure.tokens.get(failure.head_at()..).filter(|_| failure.head() == "check")?;
    let is_negative = |four: &&[Token]| {
        let word = |at: usize| four[at].text(failure.patch.text());
        four[0].kind == TokenKind::Minus
            && four[1].kind.is_name()
            && four[2].kind == TokenKind::Minus
            && word(3) == "step"
    };
    let at = statement.windows(4).position(|four| is_negative(&four))?;
    let four = &statement[at..at + 4];
    if let Some(slip) = worked_out(failure, &statement[..at + 4]) {
        return Some(slip);
    }
    let number = failure.patch.text().get(four[0].start as usize..four[1].end as usize)?;
    let span = failure.span_of(four[0].start as usize..four[1].end as usize);
    if four[1].kind != TokenKind::Integer {
        let fault = Diagnostic::new(Code::E0115, span, "a computed horizon is written in parentheses")
            .label(format!("expected `({number})`"))
            .help(format!("write `({number})-step`"))
            .fix(format!("write `({number})-step`"), span, format!("({number})"));
        return Some(Correction::certain(fault));
    }
    let fault = Diagnostic::new(Code::E0507, span, format!("K is negative: {number}"))
        .label("the number of steps")
        .help("the smallest K is 0, which is `current-state`")
        .fix("write `0-step`", span, "0");
    Some(Correction::certain(fault))
}

/// `check K-1-step;`
fn worked_out(failure: &Failure<'_, '_>, statement: &[Token]) -> Option<Correction> {
    let [.., first, _, last, _, _] = statement else { return None };
    let names_a_number = first.kind.is_name() && class_of(first.text(failure.patch.text())).is_none();
    let whole = first.start as usize..last.end as usize;
    let number = &failure.patch.text()[whole.clone()];
    let span = failure.span_of(whole);
    let fault = Diagnostic::new(Code::E0115, span, "a computed horizon is written in parentheses")
        .label(format!("expected `({number})`"))
        .help(format!("write `({number})-step`"))
        .fix(format!("write `({number})-step`"), span, format!("({number})"));
    names_a_number.then(|| Correction::certain(fault))
}

/// `check curent-state;`, `check intial-state opacity;`
pub(super) fn misspelt_state(failure: &Failure<'_, '_>) -> Option<Correction> {
    let before =
        failure.near(-2).filter(|_| is_check(failure) && failure.word(-1) == "-" && failure.word(0) == "state")?;
    let mut slip = keywords::misspelt(failure, before, ["current", "initial"].into_iter())?;
    let meant = slip.edits.first()?.1.clone();
    slip.diagnostic = slip.diagnostic.help(format!("did you mean `{meant}-state`?"));
    Some(slip)
}

/// `check weak 2;`, `check weak infinite;`
pub(super) fn bare_horizon(failure: &Failure<'_, '_>) -> Option<Correction> {
    let previous = failure.near(-1)?;
    let ends = failure.kind(0).is_none_or(|kind| kind == TokenKind::Semicolon)
        || matches!(class_of(failure.word(0)), Some(WordClass::Property | WordClass::Qualifier));
    let counts = previous.kind == TokenKind::Integer || matches!(failure.word(-1), "infinite" | "current" | "initial");
    if !is_check(failure) || !failure.expects("-") || !ends || !counts {
        return None;
    }
    let number = failure.word(-1);
    let suffix = if matches!(number, "current" | "initial") { "-state" } else { "-step" };
    let fault = Diagnostic::new(Code::E0115, failure.span(previous), "this horizon is incomplete")
        .label(format!("expected `{number}{suffix}`"))
        .help(format!("write `{number}{suffix}`"));
    Some(Correction::edit(fault, format!("write `{number}{suffix}`"), failure.gap(), suffix))
}

/// `check 2-step weak;`
pub(super) fn projection_too_late(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let word = failure.word(0);
    if failure.head() != "check" || class_of(word) != Some(WordClass::Projection) {
        return None;
    }
    let start = clause_order::question(failure)?.start as usize;
    let removed = failure.gap().start..found.end as usize;
    let fault = failure
        .fault(Code::E0111, format!("`{word}` is written before the horizon"))
        .label("too late")
        .also(failure.span_of(start..start), format!("`{word}` belongs here"))
        .help(format!("write `check {word} ...`"));
    let edits = vec![(start..start, format!("{word} ")), (removed, String::new())];
    Some(Correction { diagnostic: fault, title: format!("move `{word}` before the horizon"), edits })
}

/// `check opacity 2-step;`
pub(super) fn property_too_early(failure: &Failure<'_, '_>) -> Option<Correction> {
    let before = failure.near(-1).filter(|_| class_of(failure.word(-1)) == Some(WordClass::Property))?;
    if failure.head() != "check" || matches!(failure.word(0), "estimate" | "projection") {
        return None;
    }
    let rest = &failure.tokens[failure.at..];
    let text = failure.patch.text();
    let ends = |token: &Token| matches!(token.text(text), "step" | "state");
    let end = rest.iter().find(|token| ends(token))?.end as usize;
    let word = failure.word(-1);
    let fault = Diagnostic::new(Code::E0111, failure.span(before), format!("`{word}` is written after the horizon"))
        .label("too early")
        .also(failure.span_of(end..end), format!("`{word}` belongs here"))
        .help(format!("write `check ... 2-step {word}`"));
    let removed = before.start as usize..failure.found()?.start as usize;
    let edits = vec![(removed, String::new()), (end..end, format!(" {word}"))];
    Some(Correction { diagnostic: fault, title: format!("move `{word}` after the horizon"), edits })
}

/// `check strong weak 2-step;`
pub(super) fn two_projections(failure: &Failure<'_, '_>) -> Option<Correction> {
    let is_projection = |distance: isize| class_of(failure.word(distance)) == Some(WordClass::Projection);
    let second = failure.near(-1).filter(|_| is_check(failure) && is_projection(-1) && is_projection(-2))?;
    let (kept, word) = (failure.word(-2), failure.word(-1));
    let fault = Diagnostic::new(
        Code::E0111,
        failure.span(second),
        format!("`{word}` after `{kept}`: a check has one projection"),
    )
    .label("a second projection")
    .help(format!("write `check {kept} ...` and `check {word} ...` as two checks"));
    let removed = second.start as usize..failure.found()?.start as usize;
    Some(Correction::edit(fault, format!("remove `{word}`"), removed, ""))
}

/// `check weak;`
pub(super) fn no_horizon(failure: &Failure<'_, '_>) -> Option<Correction> {
    let ends = failure.kind(0).is_none_or(|kind| matches!(kind, TokenKind::Semicolon | TokenKind::Colon))
        || matches!(class_of(failure.word(0)), Some(WordClass::Property | WordClass::Qualifier));
    // Of `check opacity;` the parser took the property for the name of a number of steps.
    let is_projection = |token: Token| class_of(token.text(failure.patch.text())) == Some(WordClass::Projection);
    let first = clause_order::question(failure).map(|first| if is_projection(first) { first.end } else { first.start });
    let alone = |property: &Token| first.is_some_and(|first| property.start <= first + 1);
    let property = failure.near(-1).filter(|_| class_of(failure.word(-1)) == Some(WordClass::Property)).filter(alone);
    if failure.head() != "check" || !(failure.expects("infinite") || property.is_some()) || !ends {
        return None;
    }
    let place = property.map_or(failure.gap(), |property| property.start as usize..property.start as usize);
    let fault = Diagnostic::new(Code::E0115, failure.span_of(place), "this check has no horizon")
        .label("expected a horizon")
        .help(format!("write {HORIZONS} here"));
    Some(Correction::certain(fault))
}

fn is_check(failure: &Failure<'_, '_>) -> bool {
    matches!(failure.head(), "check" | "measure")
}

/// `check 2-step of {A};`
pub(super) fn of_what(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| failure.word(0) == "of" && failure.expects("opacity"))?;
    let fault = failure
        .fault(Code::E0111, "`of` follows `opacity`")
        .label("expected `opacity of`")
        .help("write `opacity of ...`");
    Some(Correction::edit(fault, "insert `opacity`", range(found), "opacity of"))
}

/// `check 2-step opacity {A};`, `check 2-step anonymity u[1];`
pub(super) fn missing_of(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found_names().filter(|_| class_of(failure.word(0)).is_none())?;
    let (word, rest) = match failure.word(-1) {
        "opacity" if failure.expects("of") => ("of", "opacity of {A}"),
        "anonymity" if failure.expects("about") => ("about", "anonymity about u[1]"),
        _ => return None,
    };
    let fault = failure.missing(Code::E0124, word).help(format!("write `{rest}`"));
    let at = found.start as usize;
    Some(Correction::edit(fault, format!("insert `{word}`"), at..at, format!("{word} ")))
}

/// `opacity throughout of {A}`
pub(super) fn of_too_late(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found().filter(|_| failure.word(0) == "of" && failure.has_taken("opacity"))?;
    let fault = failure
        .fault(Code::E0111, "`of` follows `opacity`")
        .label("too late")
        .help(format!("write `opacity of ... {}`", failure.word(-1)));
    class_of(failure.word(-1)).is_some().then(|| Correction::certain(fault))
}

/// `initial-final opacity of {A} to {B}`
pub(super) fn arrow_between_sets(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| failure.has_taken("of") && failure.expects("->"))?;
    let written = failure.word(0);
    let fault = failure
        .fault(Code::E0111, format!("`{written}` is written `->` here"))
        .label("expected `->`")
        .help("write `initial-final opacity of {A} -> {B}`");
    let is_one = matches!(written, "to" | "=>" | "until" | "and" | "then" | "-");
    is_one.then(|| Correction::edit(fault, "replace with `->`", range(found), "->"))
}

/// `check 2-step anonymous about u[1];`
pub(super) fn adjective(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| failure.head() == "check" && !failure.on_new_line())?;
    let meant = match failure.word(0) {
        "anonymous" if failure.expects("anonymity") => "anonymity",
        "secret" | "opaque" if failure.expects("opacity") => "opacity",
        _ => return None,
    };
    let fault = failure
        .fault(Code::E0111, format!("`{}` is written `{meant}` here", failure.word(0)))
        .label(format!("expected `{meant}`"))
        .help(format!("write `{meant}`"));
    Some(Correction::edit(fault, format!("write `{meant}`"), range(found), meant))
}
