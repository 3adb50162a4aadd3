//! The words of a check in a wrong order, a superfluous word, or a word of another language.

use super::{Correction, Failure, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::spelling;
use crate::syntax::token::{Token, TokenKind, WordClass, class_of};

/// `check first weak 2-step;`: a name without its colon. `check my first: weak 2-step;`: a name of two words.
pub(super) fn title(failure: &Failure<'_, '_>) -> Option<Correction> {
    let first = failure.near(-1).filter(|first| first.kind.is_name())?;
    let begins = failure.head_at() + 2 == failure.at && matches!(failure.head(), "check" | "measure");
    let found = failure.found().filter(|_| begins && failure.expects(":"))?;
    let colon = failure.tokens[failure.at..].iter().find(|token| token.kind == TokenKind::Colon);
    if let Some(colon) = colon {
        let before = failure.tokens[..].iter().rev().find(|token| token.end <= colon.start)?;
        let whole = first.start as usize..before.end as usize;
        let words = spelling::quoted(&spelling::unquoted(&failure.patch.text()[whole.clone()]));
        let fault = Diagnostic::new(Code::E0111, failure.span_of(whole.clone()), "a name of several words is quoted")
            .label("the name of this check")
            .help(format!("write `{} {words}: ...`", failure.head()));
        return Some(Correction::edit(fault, "quote it", whole, words));
    }
    let word = failure.word(0);
    let asks = matches!(class_of(word), Some(WordClass::Projection | WordClass::Horizon | WordClass::Property))
        || matches!(word, "not" | "initial" | "=")
        || found.kind == TokenKind::Integer;
    let name = failure.word(-1);
    if !asks || class_of(name).is_some() {
        return None;
    }
    let fault = Diagnostic::new(Code::E0124, failure.span_of(failure.gap()), "`:` is missing")
        .label("expected `:`")
        .help(format!("write `:` after the name of a check: `{} {name}: ...`", failure.head()));
    let place = if word == "=" { failure.gap().start..found.end as usize } else { failure.gap() };
    Some(Correction::edit(fault, "insert `:`", place, ":"))
}

/// `check weak not 2-step;`, `check !weak 2-step;`
pub(super) fn not_too_late(failure: &Failure<'_, '_>) -> Option<Correction> {
    if failure.head() != "check" {
        return None;
    }
    if let Some(sign) = failure.found().filter(|sign| sign.kind == TokenKind::Not) {
        let fault = failure
            .fault(Code::E0111, "a check is negated with `not`")
            .label("expected `not`")
            .help("write `check not ...`");
        return Some(Correction::edit(fault, "replace with `not`", range(sign), "not "));
    }
    let not = failure.near(-1).filter(|_| failure.word(-1) == "not" && failure.taken() > 2)?;
    let start = question(failure)?.start as usize;
    let next = failure.found()?.start as usize;
    let fault = Diagnostic::new(Code::E0111, failure.span(not), "`not` is the first word of a check")
        .label("too late")
        .also(failure.span_of(start..start), "`not` belongs here")
        .help("write `check not ...`");
    let edits = vec![(start..start, "not ".to_owned()), (not.start as usize..next, String::new())];
    Some(Correction { diagnostic: fault, title: "move `not` to the front".to_owned(), edits })
}

/// The first token after `check`, its name and `not`.
pub(super) fn question(failure: &Failure<'_, '_>) -> Option<Token> {
    let mut first = failure.head_at() + 1;
    while failure.tokens.get(first).is_some_and(|token| matches!(token.text(failure.patch.text()), "not" | ":"))
        || failure.tokens.get(first + 1).is_some_and(|next| next.kind == TokenKind::Colon)
    {
        first += 1;
    }
    failure.tokens.get(first).copied()
}

/// `check 2-step exactly;`
pub(super) fn exactly_too_late(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| failure.word(0) == "exactly" && failure.word(-1) == "step")?;
    let count = failure.near(-3)?.start as usize;
    let fault = failure
        .fault(Code::E0111, "`exactly` is written before the horizon")
        .label("too late")
        .also(failure.span_of(count..count), "`exactly` belongs here")
        .help(format!("write `exactly {}-step`", failure.word(-3)));
    let removed = failure.gap().start..found.end as usize;
    let edits = vec![(count..count, "exactly ".to_owned()), (removed, String::new())];
    Some(Correction { diagnostic: fault, title: "move `exactly` before the horizon".to_owned(), edits })
}

/// `check against Clerk 2-step;`
pub(super) fn qualifier_too_early(failure: &Failure<'_, '_>) -> Option<Correction> {
    let before = failure.near(-1).filter(|_| class_of(failure.word(-1)) == Some(WordClass::Qualifier))?;
    let word = failure.word(-1);
    let first = failure.head() == "check" && question(failure).is_some_and(|first| first.start == before.start);
    let fault = Diagnostic::new(Code::E0111, failure.span(before), format!("`{word}` is written after the horizon"))
        .label("too early")
        .help(format!("write `check weak 2-step {word} ...`"));
    (first && word != "given").then(|| Correction::certain(fault))
}

/// `weak 2-step;`, `estimate weak [a] = {A};`
pub(super) fn without_check(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied().filter(|_| failure.taken() <= 2)?;
    let asks = matches!(class_of(failure.head()), Some(WordClass::Projection | WordClass::Property))
        || matches!(failure.head(), "infinite" | "current" | "exactly");
    let fault =
        Diagnostic::new(Code::E0112, failure.span(head), format!("no statement starts with `{}`", failure.head()))
            .label("expected `check`")
            .help(format!("write `check {} ...`", failure.head()));
    let at = head.start as usize;
    asks.then(|| Correction::edit(fault, "insert `check`", at..at, "check "))
}

/// `check 2-step for Clerk;`, `check 2-step against observer Clerk;`, `check 2-step at least 3;`
pub(super) fn qualifier(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| matches!(failure.head(), "check" | "measure"))?;
    if failure.word(-1) == "observer" && failure.word(-2) == "against" {
        let word = failure.near(-1)?;
        let fault = Diagnostic::new(Code::E0111, failure.span(word), "`against` takes only the name of an observer")
            .label("not needed")
            .help(format!("write `against {}`", failure.word(0)));
        return Some(Correction::edit(fault, "remove `observer`", word.start as usize..found.start as usize, ""));
    }
    let (place, meant) = match (failure.word(0), failure.word(1)) {
        ("at", "least") if failure.expects("among") => (found.start as usize..failure.near(1)?.end as usize, "among"),
        ("for" | "by" | "vs" | "versus" | "with" | "to", _)
            if failure.expects("against") && failure.word(2) != "in" && failure.kind(1)?.is_name() =>
        {
            (range(found), "against")
        }
        ("anonym", ";") if failure.expects("anonymity") => (range(found), "anonymity"),
        ("secrecy", ";") if failure.expects("anonymity") => (range(found), "opacity"),
        ("if" | "after" | "knowing" | "and" | "when", "[") if failure.expects("given") => (range(found), "given"),
        ("[", _) if failure.expects("given") => (found.start as usize..found.start as usize, "given "),
        _ => return None,
    };
    let shown = failure.patch.text()[place.clone()].to_owned();
    let meant_word = meant.trim_end();
    let message = if shown.is_empty() {
        format!("`{meant_word}` is missing")
    } else {
        format!("`{shown}` is written `{meant_word}` here")
    };
    let fault = Diagnostic::new(Code::E0111, failure.span_of(place.clone()), message)
        .label(format!("expected `{meant_word}`"))
        .help(match class_of(meant_word) {
            Some(WordClass::Property) => format!("write `{meant_word}`"),
            _ => format!("write `{meant_word} ...`"),
        });
    Some(Correction::edit(fault, format!("write `{meant_word}`"), place, meant))
}

/// `check weak 2-step fails;`, `check estimate [a] != {A};`, `check weak and strong 2-step;`
pub(super) fn expectation(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found().filter(|_| failure.head() == "check")?;
    let fails = matches!(failure.word(0), "fails" | "violated" | "false" | "!=")
        || failure.word(0) == "=" && matches!(failure.word(1), "false" | "true") && failure.expects("among");
    if fails {
        let fault = failure
            .fault(Code::E0111, "the expected verdict is written first")
            .label("too late")
            .help("write `check not ...` if it must be violated, `check ...` if it must hold");
        return Some(Correction::certain(fault));
    }
    let joins = matches!(failure.word(-1), "and" | "or") && class_of(failure.word(-2)) == Some(WordClass::Projection);
    let fault = Diagnostic::new(Code::E0111, failure.span(failure.near(-1)?), "a check has one projection")
        .label("a second projection")
        .help(format!("write two checks: `check {} ...` and `check {} ...`", failure.word(-2), failure.word(0)));
    joins.then(|| Correction::certain(fault))
}

/// `check 2-step; among 3;`
pub(super) fn qualifier_alone(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied()?;
    let is_one = class_of(failure.head()) == Some(WordClass::Qualifier) && failure.taken() <= 1;
    let fault =
        Diagnostic::new(Code::E0112, failure.span(head), format!("no statement starts with `{}`", failure.head()))
            .label("continues the previous check?")
            .help("remove the `;` before it: `check weak 2-step among 3;`");
    is_one.then(|| Correction::certain(fault))
}

/// `among 3 states`
pub(super) fn among_what(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Ident && failure.word(-2) == "among")?;
    let word = failure.word(0);
    if class_of(word) == Some(WordClass::Qualifier) {
        return None;
    }
    let fault = failure
        .fault(Code::E0111, "`among` takes only a number")
        .label("not needed")
        .help(format!("write `among {}`", failure.word(-1)));
    Some(Correction::edit(fault, format!("remove `{word}`"), failure.gap().start..found.end as usize, ""))
}

/// `about {A, B}, {C, D}`
pub(super) fn classes(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| matches!(failure.word(0), "," | "or" | "and" | ";"))?;
    let about =
        failure.tokens[failure.head_at()..failure.at].iter().any(|token| token.text(failure.patch.text()) == "about");
    if !about || failure.kind(1).is_none() {
        return None;
    }
    let fault = failure
        .fault(Code::E0111, "the classes of `about` are separated by `|`")
        .label("expected `|`")
        .help("write `about {A, B} | {C, D}`");
    let sets = failure.kind(-1) == Some(TokenKind::BraceClose) && failure.kind(1) == Some(TokenKind::BraceOpen);
    let place = failure.gap().start..found.end as usize;
    Some(if sets { Correction::edit(fault, "replace with `|`", place, " |") } else { Correction::certain(fault) })
}

/// `measure weak 2-step;`, `check measure weak;`
pub(super) fn measured(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    if failure.head() == "check" && failure.word(-1) == "measure" {
        let check = failure.tokens[failure.head_at()];
        let measure = failure.near(-1)?;
        let fault = Diagnostic::new(Code::E0111, failure.span(check), "a measure is not a check")
            .label("not needed")
            .help("write `measure ...;` alone");
        return Some(Correction::edit(fault, "remove `check`", check.start as usize..measure.start as usize, ""));
    }
    let horizon = found.kind == TokenKind::Integer || class_of(failure.word(0)) == Some(WordClass::Horizon);
    if failure.head() != "measure" || !horizon {
        return None;
    }
    let end = failure.tokens[failure.at..]
        .iter()
        .find(|token| matches!(token.text(failure.patch.text()), "step" | "state"))?
        .end;
    let whole = found.start as usize..end as usize;
    let fault = Diagnostic::new(Code::E0111, failure.span_of(whole.clone()), "a measure has no horizon")
        .label("not needed: a measure finds the largest K")
        .help("write `measure weak;`");
    Some(Correction::edit(fault, "remove the horizon", whole, ""))
}

/// `check strong estimate [a] = {A};`
pub(super) fn projection_before_question(failure: &Failure<'_, '_>) -> Option<Correction> {
    let (first, second) = (failure.near(-2)?, failure.near(-1)?);
    let (projection, asked) = (failure.word(-2), failure.word(-1));
    if class_of(projection) != Some(WordClass::Projection) || !matches!(asked, "estimate" | "projection") {
        return None;
    }
    let meant = format!("{asked} {projection}");
    let fault = Diagnostic::new(Code::E0111, failure.span(first), format!("`{projection}` is written after `{asked}`"))
        .label("too early")
        .help(format!("write `check {meant} ...`"));
    let whole = first.start as usize..second.end as usize;
    (failure.head() == "check").then(|| Correction::edit(fault, format!("write `{meant}`"), whole, meant))
}

/// `infinite_step`, `currentstate`
pub(super) fn one_word(failure: &Failure<'_, '_>) -> Option<Correction> {
    const WORDS: &[&str] = &["infinite-step", "current-state", "initial-state"];
    let plain = |word: &str| word.to_lowercase().replace(['_', '-'], "");
    let at = [-1, 0].into_iter().find(|&at| WORDS.iter().any(|word| plain(word) == plain(failure.word(at))))?;
    let word = failure.near(at).filter(|word| word.kind == TokenKind::Ident && failure.head() == "check")?;
    let meant = WORDS.iter().find(|word| plain(word) == plain(failure.word(at)))?;
    let fault = Diagnostic::new(Code::E0115, failure.span(word), "this horizon is written with a hyphen")
        .label(format!("expected `{meant}`"))
        .help(format!("write `{meant}`"));
    Some(Correction::edit(fault, format!("write `{meant}`"), range(word), *meant))
}

/// `estimate weak ? given ? ? = ...`
pub(super) fn bare_observation(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found().filter(|found| found.kind == TokenKind::Symbol && failure.expects("["))?;
    let fault = failure
        .fault(Code::E0111, "an observation is written in brackets")
        .label("expected `[`")
        .help("write the observation in brackets: `[?1 a ?2]`");
    (failure.head() == "check").then(|| Correction::certain(fault))
}
