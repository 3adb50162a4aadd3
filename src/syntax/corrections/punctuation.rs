//! Wrong or missing symbols: `;`, `=`, `|`, `.`, in declarations and sets.

use super::lists::takes_a_name;
use super::{Correction, Failure, Token, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::grammar::Rule;
use crate::syntax::token::{TokenKind, WordClass, class_of};
use std::ops::Range;

/// A `;` is missing before the next statement.
pub(super) fn missing_semicolon(failure: &Failure<'_, '_>) -> Option<Correction> {
    let begins = matches!(class_of(failure.word(0)), Some(WordClass::Item | WordClass::Set | WordClass::Statement))
        || matches!(failure.word(0), "for" | "if");
    if !failure.expects(";") || failure.near(-1).is_none() || !(failure.on_new_line() || begins) {
        return None;
    }
    let fault = failure.missing(Code::E0110, ";").help("end the statement with `;`");
    Some(Correction::edit(fault, "insert `;`", failure.gap(), ";"))
}

/// `A -a-> B.`, `states A, B:`
pub(super) fn other_end(failure: &Failure<'_, '_>) -> Option<Correction> {
    let last = failure.tokens.last().copied().filter(|last| matches!(last.kind, TokenKind::Dot | TokenKind::Colon))?;
    if failure.at + 1 < failure.tokens.len() || failure.taken() < 2 || failure.rule == Rule::heading {
        return None;
    }
    Some(semicolon_meant(failure, last, "a statement ends with `;`"))
}

/// `states A, B,` and then `initial A;`
pub(super) fn comma_for_semicolon(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found_names()?;
    let comma = failure.near(-2).filter(|comma| comma.kind == TokenKind::Comma)?;
    let begins = matches!(class_of(failure.word(-1)), Some(WordClass::Set | WordClass::Statement));
    begins.then(|| semicolon_meant(failure, comma, "a comma at the end of a statement"))
}

/// Replaces a token with `;`.
fn semicolon_meant(failure: &Failure<'_, '_>, token: Token, label: &str) -> Correction {
    let fault = Diagnostic::new(Code::E0110, failure.span(token), "`;` is missing").label(label);
    replaced(fault.help("write `;` here"), token, ";")
}

/// `states = A, B;`, `initial: A;`, `const N := 3;`
pub(super) fn assignment(failure: &Failure<'_, '_>) -> Option<Correction> {
    use TokenKind::{Arrow, Colon, Equals, EqualsEquals, FatArrow};
    let found = failure.found()?;
    let head = failure.head();
    match found.kind {
        Arrow | FatArrow => (head == "check" && failure.expects("="))
            .then(|| equals_meant(failure, "this is written with `=`", range(found))),
        Equals | Colon | EqualsEquals if failure.expects("=") && failure.kind(-1) != Some(Equals) => {
            let last = failure.near(1).filter(|next| next.kind == Equals).unwrap_or(found);
            let place = found.start as usize..last.end as usize;
            Some(equals_meant(failure, "this is written with a plain `=`", place))
        }
        EqualsEquals => matches!(head, "check" | "compose" | "const")
            .then(|| equals_meant(failure, "this is written with a single `=`", range(found))),
        Equals | Colon => needless_sign(failure, found),
        _ => None,
    }
}

/// Replaces a range that starts at the unexpected token with `=`.
fn equals_meant(failure: &Failure<'_, '_>, message: &str, place: Range<usize>) -> Correction {
    let fault = failure.fault(Code::E0114, message).label("expected `=`").help("write `=`");
    Correction::edit(fault, "write `=`", place, "=")
}

/// A symbol between the keyword and the list of a declaration.
fn needless_sign(failure: &Failure<'_, '_>, found: Token) -> Option<Correction> {
    let takes_names = matches!(class_of(failure.head()), Some(WordClass::Set | WordClass::Statement));
    if !(takes_names && failure.taken() == 1 || takes_a_name(failure.head())) {
        return None;
    }
    let (sign, word) = (failure.word(0), failure.word(-1));
    let fault = failure
        .fault(Code::E0114, format!("a declaration has no `{sign}`"))
        .label(format!("not needed after `{word}`"))
        .help(format!("remove the `{sign}`: `{word} ...`"));
    Some(Correction::edit(fault, format!("remove `{sign}`"), range(found), ""))
}

/// `A || B` in a set, `system S = A || B;`
pub(super) fn parallel_bars(failure: &Failure<'_, '_>) -> Option<Correction> {
    let has_bars = failure.tokens.iter().any(|token| token.kind == TokenKind::OrOr);
    if failure.head() == "system" && has_bars {
        let fault = failure
            .fault(Code::E0122, "components are composed inside a system")
            .label("a composition is not an item")
            .help("write `system Name { compose a = A, b = B; ... }`");
        return Some(Correction::certain(fault));
    }
    let found = failure.found_of(TokenKind::OrOr)?;
    if matches!(failure.head(), "compose" | "for" | "if" | "const") {
        return None;
    }
    let fault = failure
        .fault(Code::E0122, "`||` outside `compose`")
        .label("`||` composes components, not sets")
        .help("write `|` for a union of sets; `compose a = A, b = B;` for components");
    let has_arrow = failure.tokens.iter().any(|token| token.kind == TokenKind::Arrow);
    if class_of(failure.head()).is_none() && !has_arrow {
        return Some(Correction::certain(fault));
    }
    Some(replaced(fault, found, "|"))
}

/// `A && B` in a set.
pub(super) fn double_ampersand(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found_of(TokenKind::AndAnd)?;
    let fault = failure
        .fault(Code::E0111, "`&&` between sets")
        .label("`&&` joins conditions, not sets")
        .help("write `&` for the intersection of two sets");
    Some(replaced(fault, found, "&"))
}

/// `if i = 3`
pub(super) fn single_equals(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found_of(TokenKind::Equals).filter(|_| failure.expects("=="))?;
    let fault = failure
        .fault(Code::E0111, "a comparison is written with `==`")
        .label("expected `==`")
        .help("write `==` to compare");
    Some(replaced(fault, found, "=="))
}

/// `secret u[1]:waiting;`, `secret u[1]->waiting;`
pub(super) fn dot_of_a_part(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|found| matches!(found.kind, TokenKind::Colon | TokenKind::Arrow))?;
    let names = class_of(failure.head()) == Some(WordClass::Set) || failure.head() == "check";
    if !names || !failure.expects(".") || !failure.after_operand() || failure.taken() < 2 {
        return None;
    }
    let fault = failure
        .fault(Code::E0111, "a state of a part follows a dot")
        .label("expected `.`")
        .help("write `part.state`: `u[1].waiting`");
    Some(replaced(fault, found, "."))
}

/// A single missing symbol.
pub(super) fn missing_sign(failure: &Failure<'_, '_>) -> Option<Correction> {
    const SIGNS: &[&str] = &["=", "..", "in", "-", "]", ")"];
    let sign = SIGNS.iter().find(|sign| failure.expects(sign))?;
    let fault = failure.missing(Code::E0124, sign).help(format!("write `{sign}` here"));
    Some(Correction::edit(fault, format!("insert `{sign}`"), failure.gap(), spaced(failure, sign)))
}

/// The symbol, with a space before the next token.
fn spaced(failure: &Failure<'_, '_>, sign: &str) -> String {
    if matches!(sign, "]" | ")" | "..") {
        return sign.to_owned();
    }
    let apart = failure.found().is_none_or(|found| found.start as usize > failure.gap().end);
    if apart { format!(" {sign}") } else { format!(" {sign} ") }
}

/// A correction that replaces a token with a symbol.
fn replaced(fault: Diagnostic, token: Token, sign: &str) -> Correction {
    Correction::edit(fault, format!("replace with `{sign}`"), range(token), sign)
}
