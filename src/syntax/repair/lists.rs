//! Separators, names and signs in declarations and sets.

use super::{Failure, Slip, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::grammar::NAME;
use crate::syntax::token::{TokenKind, WordClass, class_of};

/// The statement goes on where the next one begins.
pub(super) fn missing_semicolon(failure: &Failure<'_, '_>) -> Option<Slip> {
    let begins = matches!(class_of(failure.word(0)), Some(WordClass::Item | WordClass::Set | WordClass::Statement))
        || matches!(failure.word(0), "for" | "if");
    if !failure.expects(";") || failure.near(-1).is_none() || !(failure.on_new_line() || begins) {
        return None;
    }
    let fault = missing(failure, Code::E0110, ";").help("write `;` at the end of the statement");
    Some(Slip::edit(fault, "insert `;`", failure.gap(), ";"))
}

/// `states = A, B;`, `initial: A;`, `const N := 3;`
pub(super) fn assignment(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| matches!(found.kind, TokenKind::Equals | TokenKind::Colon))?;
    let sign = failure.word(0).to_owned();
    let head = failure.head().to_owned();
    if failure.expects("=") {
        let next = failure.near(1).filter(|next| next.kind == TokenKind::Equals).unwrap_or(found);
        let fault =
            failure.fault(Code::E0114, "this is written with `=` alone").label("expected `=`").help("write `=`");
        return Some(Slip::edit(fault, "write `=`", found.start as usize..next.end as usize, "="));
    }
    let heads = matches!(class_of(&head), Some(WordClass::Set | WordClass::Statement)) && failure.taken() == 1;
    let names = matches!(class_of(&head), Some(WordClass::Item)) || head == "observer";
    let fault = failure
        .fault(Code::E0114, format!("no `{sign}` in a declaration"))
        .label(format!("not needed after `{}`", failure.word(-1)))
        .help(format!("remove the `{sign}`: `{} ...`", failure.word(-1)));
    (heads || names).then(|| Slip::edit(fault, format!("remove `{sign}`"), range(found), ""))
}

/// `states;`
pub(super) fn nothing_declared(failure: &Failure<'_, '_>) -> Option<Slip> {
    let head = failure.head();
    let ends = failure.kind(0).is_none_or(|kind| kind == TokenKind::Semicolon);
    if class_of(head) != Some(WordClass::Set) || failure.taken() != 1 || !ends {
        return None;
    }
    let help = match head {
        "states" | "events" => format!("name at least one: `{head} a, b;`, or remove the statement"),
        _ => format!("write `{head} {{}};` for none, or remove the statement"),
    };
    let fault = Diagnostic::new(Code::E0126, failure.span(failure.near(-1)?), format!("`{head}` says nothing"));
    Some(Slip::certain(fault.label("nothing follows").help(help)))
}

/// `A, B,;`, `A,, B`
pub(super) fn trailing_comma(failure: &Failure<'_, '_>) -> Option<Slip> {
    use TokenKind::*;
    let comma = match (failure.kind(-1), failure.kind(0)) {
        (Some(Comma), Some(Comma) | None) => failure.near(-1),
        (Some(Comma), Some(Semicolon | BraceClose | ParenClose | BracketClose | Arrow | Minus)) => failure.near(-1),
        (_, Some(Comma)) if failure.taken() == 1 => failure.found(),
        _ => None,
    }?;
    let fault = Diagnostic::new(Code::E0123, failure.span(comma), "a comma too many")
        .label("nothing follows it")
        .help("remove this `,`, or write the name that belongs after it");
    Some(Slip::edit(fault, "remove `,`", range(comma), ""))
}

/// `[a, b]`
pub(super) fn comma_in_observation(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Comma)?;
    if failure.head() != "check" || !failure.expects("]") {
        return None;
    }
    let fault = failure
        .fault(Code::E0123, "no commas in an observation")
        .label("spaces are enough")
        .help("write the events one after the other: `[a b c]`");
    Some(Slip::edit(fault, "replace with a space", range(found), " "))
}

/// `A || B` in a set, `system S = A || B;`
pub(super) fn parallel_bars(failure: &Failure<'_, '_>) -> Option<Slip> {
    let has_bars = failure.tokens.iter().any(|token| token.kind == TokenKind::OrOr);
    if failure.head() == "system" && has_bars {
        let fault = failure
            .fault(Code::E0122, "components are composed inside a system")
            .label("no composition stands here")
            .help("write `system Name { compose a = A, b = B; ... }`");
        return Some(Slip::certain(fault));
    }
    let found = failure.found().filter(|found| found.kind == TokenKind::OrOr)?;
    if matches!(failure.head(), "compose" | "for" | "if" | "const") {
        return None;
    }
    let fault = failure
        .fault(Code::E0122, "`||` outside `compose`")
        .label("composes components, not sets")
        .help("write `|` for a union of sets; `compose a = A, b = B;` for components");
    let has_arrow = failure.tokens.iter().any(|token| token.kind == TokenKind::Arrow);
    if class_of(failure.head()).is_none() && !has_arrow {
        return Some(Slip::certain(fault));
    }
    Some(Slip::edit(fault, "replace with `|`", range(found), "|"))
}

/// `A && B` in a set.
pub(super) fn double_ampersand(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| found.kind == TokenKind::AndAnd)?;
    let fault = failure
        .fault(Code::E0111, "`&&` between sets")
        .label("joins conditions, not sets")
        .help("write `&` for the intersection of two sets");
    Some(Slip::edit(fault, "replace with `&`", range(found), "&"))
}

/// `states initial, A;`
pub(super) fn taken_word(failure: &Failure<'_, '_>) -> Option<Slip> {
    let declares = matches!(failure.head(), "states" | "events" | "compose");
    let is_taken = |token: &super::Token| class_of(token.text(failure.patch.text())) == Some(WordClass::Set);
    let before = failure.near(-1).filter(|_| failure.taken() > 1).filter(is_taken);
    let found = before.or(failure.found().filter(is_taken)).filter(|_| declares)?;
    let word = found.text(failure.patch.text());
    let fault = Diagnostic::new(Code::E0125, failure.span(found), format!("`{word}` is a word of the language"))
        .label("means a set here")
        .help(format!("quote it to use it as a name, everywhere: `\"{word}\"`"));
    Some(Slip::edit(fault, "quote it", range(found), format!("\"{word}\"")))
}

/// `states 0..9;`
pub(super) fn bare_range(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| found.kind == TokenKind::DotDot)?;
    let (low, high) = (failure.near(-1)?, failure.near(1).unwrap_or(found));
    if failure.expects("]") || failure.expects("..") {
        return None;
    }
    let (from, to) = (failure.word(-1), failure.word(1));
    let span = failure.span_of(low.start as usize..high.end as usize);
    let fault = Diagnostic::new(Code::E0127, span, "a range outside brackets")
        .label("a range numbers the members of a family")
        .help(format!("give the family a name: `q[{from}..{to}]`"));
    Some(Slip::certain(fault))
}

/// `1st`
pub(super) fn digit_first(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Ident)?;
    let digits = failure.near(-1).filter(|token| token.kind == TokenKind::Integer && token.end == found.start)?;
    let name = &failure.patch.text()[digits.start as usize..found.end as usize];
    let whole = digits.start as usize..found.end as usize;
    let fault =
        Diagnostic::new(Code::E0128, failure.span_of(whole.clone()), format!("the name `{name}` begins with a digit"))
            .label("neither a number nor a name")
            .help(format!("quote it: `\"{name}\"`"));
    Some(Slip::edit(fault, "quote it", whole, format!("\"{name}\"")))
}

/// `import mix.des;`
pub(super) fn bare_path(failure: &Failure<'_, '_>) -> Option<Slip> {
    let first = failure.found().filter(|_| failure.head() == "import" && failure.taken() == 1)?;
    let text = failure.patch.text();
    let ends = |token: &&super::Token| token.kind == TokenKind::Semicolon || token.text(text) == "as";
    let end = failure.tokens[failure.at..].iter().find(ends).map_or(text.len(), |token| token.start as usize);
    let path = text[first.start as usize..end].trim_end();
    let whole = first.start as usize..first.start as usize + path.len();
    let fault = Diagnostic::new(Code::E0111, failure.span_of(whole.clone()), "the path of an import is quoted")
        .label("expected a quoted path")
        .help(format!("write `import \"{path}\";`"));
    Some(Slip::edit(fault, "quote the path", whole, format!("\"{path}\"")))
}

/// `compose User, Mix;`
pub(super) fn unnamed_part(failure: &Failure<'_, '_>) -> Option<Slip> {
    if failure.head() != "compose" || !failure.expects("=") || !failure.after_operand() {
        return None;
    }
    let component = failure.near(-1).filter(|token| token.kind.is_name())?;
    let written = failure.word(-1);
    let fault = Diagnostic::new(Code::E0116, failure.span(component), "this part of the composition has no name")
        .label("the component, but which instance of it?")
        .help(format!("give it a name: `{} = {written}`", written.to_lowercase()));
    Some(Slip::certain(fault))
}

/// `if i = 3`
pub(super) fn single_equals(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Equals && failure.expects("=="))?;
    let fault = failure
        .fault(Code::E0111, "a comparison is written with `==`")
        .label("expected `==`")
        .help("write `==` to compare");
    Some(Slip::edit(fault, "replace with `==`", range(found), "=="))
}

/// `system {`, `const = 3;`
pub(super) fn missing_name(failure: &Failure<'_, '_>) -> Option<Slip> {
    let head = failure.head();
    let named = matches!(class_of(head), Some(WordClass::Item)) || head == "observer";
    if !named || failure.taken() != 1 || !failure.expects(NAME) {
        return None;
    }
    let fault = Diagnostic::new(Code::E0116, failure.span_of(failure.gap()), format!("this `{head}` has no name"))
        .label("expected a name")
        .help(format!("write a name here: `{head} Name`"));
    Some(Slip::certain(fault))
}

/// `states A B;`
pub(super) fn missing_comma(failure: &Failure<'_, '_>) -> Option<Slip> {
    failure.found().filter(|found| found.kind.is_name() || found.kind == TokenKind::BraceOpen)?;
    if !failure.expects(",") || !failure.after_operand() {
        return None;
    }
    let fault = missing(failure, Code::E0124, ",").help("separate names by commas: `A, B`");
    Some(Slip::edit(fault, "insert `,`", failure.gap(), ","))
}

/// One sign is missing and everything else is there.
pub(super) fn missing_sign(failure: &Failure<'_, '_>) -> Option<Slip> {
    const SIGNS: &[&str] = &["=", "..", "in", "-", "]", ")"];
    let sign = SIGNS.iter().find(|sign| failure.expects(sign))?;
    let fault = missing(failure, Code::E0124, sign).help(format!("write `{sign}` here"));
    Some(Slip::edit(fault, format!("insert `{sign}`"), failure.gap(), spaced(failure, sign)))
}

/// The sign, apart from what follows it.
fn spaced(failure: &Failure<'_, '_>, sign: &str) -> String {
    if matches!(sign, "]" | ")" | "..") {
        return sign.to_owned();
    }
    let apart = failure.found().is_none_or(|found| found.start as usize > failure.gap().end);
    if apart { format!(" {sign}") } else { format!(" {sign} ") }
}

/// Something is missing after the token before.
fn missing(failure: &Failure<'_, '_>, code: Code, sign: &str) -> Diagnostic {
    Diagnostic::new(code, failure.span_of(failure.gap()), format!("`{sign}` is missing"))
        .label(format!("expected `{sign}`"))
}
