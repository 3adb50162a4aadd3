//! Commas and names in declarations and sets.

use super::{Correction, Failure, Place, Token, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::grammar::NAME;
use crate::syntax::token::{TokenKind, WordClass, class_of};

/// `states;`
pub(super) fn nothing_declared(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.head();
    if class_of(head) != Some(WordClass::Set) || failure.taken() != 1 || !at_end(failure) {
        return None;
    }
    let help = match head {
        "states" | "events" => format!("name at least one: `{head} a, b;`, or remove the statement"),
        _ => format!("write `{head} {{}};` for none, or remove the statement"),
    };
    let fault = Diagnostic::new(Code::E0126, failure.span(failure.near(-1)?), format!("`{head}` is empty"));
    Some(Correction::certain(fault.label("expected a name").help(help)))
}

/// `A, B,;`, `A,, B`
pub(super) fn trailing_comma(failure: &Failure<'_, '_>) -> Option<Correction> {
    use TokenKind::*;
    let comma = match (failure.kind(-1), failure.kind(0)) {
        (Some(Comma), Some(Comma) | None) => failure.near(-1),
        (Some(Comma), Some(Semicolon | BraceClose | ParenClose | BracketClose | Arrow | Minus)) => failure.near(-1),
        (_, Some(Comma)) if failure.taken() == 1 => failure.found(),
        _ => None,
    }?;
    let fault = Diagnostic::new(Code::E0123, failure.span(comma), "an extra comma")
        .label("nothing follows it")
        .help("remove this `,`, or write a name after it");
    Some(Correction::edit(fault, "remove `,`", range(comma), ""))
}

/// `[a, b]`
pub(super) fn comma_in_observation(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found_of(TokenKind::Comma)?;
    if failure.head() != "check" || !failure.expects("]") {
        return None;
    }
    let fault = failure
        .fault(Code::E0123, "an observation has no commas")
        .label("expected a space")
        .help("separate the events with spaces: `[a b c]`");
    Some(Correction::edit(fault, "replace with a space", range(found), " "))
}

/// `states initial, A;`
pub(super) fn taken_word(failure: &Failure<'_, '_>) -> Option<Correction> {
    let declares = matches!(failure.head(), "states" | "events" | "compose");
    let is_taken = |token: &Token| class_of(token.text(failure.patch.text())) == Some(WordClass::Set);
    let before = failure.near(-1).filter(|_| failure.taken() > 1).filter(is_taken);
    let found = before.or(failure.found().filter(is_taken)).filter(|_| declares)?;
    let word = found.text(failure.patch.text());
    let fault = Diagnostic::new(Code::E0125, failure.span(found), format!("`{word}` is a keyword"))
        .label("stands for a set here")
        .help(format!("quote it everywhere to use it as a name: `\"{word}\"`"));
    Some(Correction::edit(fault, "quote it", range(found), format!("\"{word}\"")))
}

/// `states 0..9;`
pub(super) fn bare_range(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found_of(TokenKind::DotDot)?;
    let (low, high) = (failure.near(-1)?, failure.near(1).unwrap_or(found));
    if failure.expects("]") || failure.expects("..") {
        return None;
    }
    let (from, to) = (failure.word(-1), failure.word(1));
    let base = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    // `q1..q9`
    let family = Some(base(from)).filter(|family| !family.is_empty() && *family == base(to));
    let meant = match &family {
        Some(family) if from != family && to != family => {
            format!("{family}[{}..{}]", &from[family.len()..], &to[family.len()..])
        }
        _ => format!("q[{from}..{to}]"),
    };
    let span = failure.span_of(low.start as usize..high.end as usize);
    let fault = Diagnostic::new(Code::E0127, span, "a range outside brackets")
        .label("a range is an index of a family")
        .help(format!("give the family a name: `{meant}`"));
    Some(Correction::certain(fault))
}

/// `1st`
pub(super) fn digit_first(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found_of(TokenKind::Ident)?;
    let digits = failure.near(-1).filter(|token| token.kind == TokenKind::Integer && token.end == found.start)?;
    let name = &failure.patch.text()[digits.start as usize..found.end as usize];
    let whole = digits.start as usize..found.end as usize;
    let fault =
        Diagnostic::new(Code::E0128, failure.span_of(whole.clone()), format!("the name `{name}` starts with a digit"))
            .label("neither a number nor a name")
            .help(format!("quote it: `\"{name}\"`"));
    Some(Correction::edit(fault, "quote it", whole, format!("\"{name}\"")))
}

/// `import mix.des;`
pub(super) fn bare_path(failure: &Failure<'_, '_>) -> Option<Correction> {
    let first = failure.found().filter(|_| failure.head() == "import" && failure.taken() == 1)?;
    let text = failure.patch.text();
    let ends = |token: &&Token| token.kind == TokenKind::Semicolon || token.text(text) == "as";
    let end = failure.tokens[failure.at..].iter().find(ends).map_or(text.len(), |token| token.start as usize);
    let path = text[first.start as usize..end].trim_end();
    let whole = first.start as usize..first.start as usize + path.len();
    let quoted = failure.tokens[failure.at..].iter().find(|token| token.kind == TokenKind::Quoted);
    if let Some(quoted) = quoted {
        let fault = Diagnostic::new(Code::E0111, failure.span(first), "an import is a quoted path")
            .label("not needed")
            .help(format!("write `import {};`", quoted.text(text)));
        let removed = first.start as usize..quoted.start as usize;
        return Some(Correction::edit(fault, "remove it", removed, ""));
    }
    let meant = if path.contains('.') { format!("\"{path}\"") } else { format!("\"{path}.des\"") };
    let fault = Diagnostic::new(Code::E0111, failure.span_of(whole.clone()), "an import is a quoted path")
        .label("expected a quoted path")
        .help(format!("write `import {meant};`"));
    if !path.contains('.') {
        // Certain, since the tree would read the path without its ending.
        let span = failure.span_of(whole);
        return Some(Correction::certain(fault.fix("quote the path", span, meant)));
    }
    Some(Correction::edit(fault, "quote the path", whole, meant))
}

/// `compose User, Mix;`, `compose mix Mix;`, `compose for i in 1..3 u[i] = User(i);`
pub(super) fn unnamed_part(failure: &Failure<'_, '_>) -> Option<Correction> {
    if failure.head() != "compose" || !failure.expects("=") || !failure.after_operand() {
        return None;
    }
    if failure.word(-1) == "for" {
        let fault = Diagnostic::new(Code::E0111, failure.span(failure.near(-1)?), "`for` follows the component")
            .label("too early")
            .help("write `compose u[i] = User(i) for i in 1..3;`");
        return Some(Correction::certain(fault));
    }
    if failure.kind(0).is_some_and(TokenKind::is_name) {
        let fault = failure.missing(Code::E0124, "=").help("write `=` between the part and its component: `mix = Mix`");
        return Some(Correction::edit(fault, "insert `=`", failure.gap(), " ="));
    }
    let component = failure.near(-1).filter(|token| token.kind.is_name())?;
    let written = failure.word(-1);
    let fault = Diagnostic::new(Code::E0116, failure.span(component), "this part of the composition has no name")
        .label("a component without an instance name")
        .help(format!("give it a name: `{} = {written}`", written.to_lowercase()));
    Some(Correction::certain(fault))
}

/// `system {`, `const = 3;`
pub(super) fn missing_name(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.head();
    if !takes_a_name(head) || failure.taken() != 1 || !failure.expects(NAME) {
        return None;
    }
    let fault = Diagnostic::new(Code::E0116, failure.span_of(failure.gap()), format!("this `{head}` has no name"))
        .label("expected a name")
        .help(format!("write a name here: `{head} Name`"));
    Some(Correction::certain(fault))
}

/// The message for a list of names without a keyword.
pub(in crate::syntax) const NAMES_ALONE: &str = "a list of names is not a statement";

/// `A, B, C;`
pub(super) fn names_alone(failure: &Failure<'_, '_>) -> Option<Correction> {
    let ends = at_end(failure) && failure.place == Place::Block;
    let statement = &failure.tokens[failure.head_at()..failure.at];
    let is_list = statement.iter().all(|token| token.kind.is_name() || token.kind == TokenKind::Comma);
    let head = failure.tokens.get(failure.head_at()).copied()?;
    if !ends || !is_list || statement.is_empty() || class_of(failure.head()).is_some() {
        return None;
    }
    let fault = Diagnostic::new(Code::E0111, failure.span(head), NAMES_ALONE)
        .label("expected a keyword before it")
        .help("to continue the previous statement, replace its `;` with `,`; otherwise start with a keyword such as `states`");
    Some(Correction::certain(fault))
}

/// `states A B;`, `states A B C;`
pub(super) fn missing_comma(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found_names()?;
    if !failure.expects(",") || !failure.after_operand() {
        return None;
    }
    let fault = failure.missing(Code::E0124, ",").help("separate names with commas: `A, B`");
    // Who leaves out one comma leaves out all of them.
    let names = failure.tokens[failure.at..].iter().take_while(|token| token.kind.is_name()).count();
    let ends = (1..names).map(|later| failure.tokens[failure.at + later - 1].end as usize);
    let edits = std::iter::once(failure.gap().end).chain(ends).map(|end| (end..end, ",".to_owned())).collect();
    Some(Correction { diagnostic: fault, title: "insert `,`".to_owned(), edits })
}

/// `initial states A, B;`, `observable events a, b;`
pub(super) fn needless_noun(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found_names()?;
    let noun = failure.near(-1).filter(|_| failure.taken() == 2)?;
    let head = failure.head();
    let sets = class_of(head) == Some(WordClass::Set) && !matches!(head, "states" | "events");
    if !sets || !matches!(failure.word(-1), "state" | "states" | "event" | "events") {
        return None;
    }
    let fault = Diagnostic::new(Code::E0123, failure.span(noun), format!("`{head}` takes only names"))
        .label("not needed")
        .help(format!("write `{head} {} ...`", failure.word(0)));
    let removed = noun.start as usize..found.start as usize;
    Some(Correction::edit(fault, format!("remove `{}`", failure.word(-1)), removed, ""))
}

/// `const N: int = 3;`, `component User(i: int)`, `component User(int i)`
pub(super) fn typed(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let head = failure.head();
    let (place, what) = match (head, failure.word(0)) {
        ("const", ":") if failure.kind(2) == Some(TokenKind::Equals) => {
            (failure.gap().start..failure.near(1)?.end as usize, "a constant")
        }
        ("component", ":" | "in") => {
            let ends = |token: &&Token| matches!(token.kind, TokenKind::Comma | TokenKind::ParenClose);
            let end = failure.tokens[failure.at..].iter().find(ends)?.start as usize;
            (failure.gap().start..end, "a parameter")
        }
        ("component", _) if matches!(failure.word(-1), "int" | "nat" | "integer") && found.kind.is_name() => {
            (failure.near(-1)?.start as usize..found.start as usize, "a parameter")
        }
        _ => return None,
    };
    let written = failure.patch.text()[place.clone()].trim().to_owned();
    let fault = Diagnostic::new(Code::E0123, failure.span_of(place.clone()), format!("{what} has no type"))
        .label("not needed")
        .help(format!("remove `{written}`: constants and parameters are integers"));
    Some(Correction::edit(fault, format!("remove `{written}`"), place, ""))
}

/// `anonymous a as x, b as y;`
pub(super) fn several_labels(failure: &Failure<'_, '_>) -> Option<Correction> {
    let comma = failure.found_of(TokenKind::Comma).filter(|_| failure.word(-2) == "as")?;
    let fault = failure
        .fault(Code::E0111, "one statement has one label")
        .label("a second group")
        .help("write one statement per group: `anonymous a, b as x; anonymous c, d as y;`");
    let text = failure.patch.text();
    let again = failure.tokens[failure.at..].windows(2).find(|two| two[0].text(text) == "as");
    let again = again.is_some_and(|two| two[1].text(text) != failure.word(-1));
    let slip = || Correction::edit(fault.clone(), "start a new statement", range(comma), "; anonymous");
    (failure.head() == "anonymous").then(|| if again { slip() } else { Correction::certain(fault.clone()) })
}

/// `const N = 3, M = 4;`
pub(super) fn several_constants(failure: &Failure<'_, '_>) -> Option<Correction> {
    let comma = failure.found_of(TokenKind::Comma).filter(|_| failure.head() == "const")?;
    let fault = failure
        .fault(Code::E0111, "one `const` declares one constant")
        .label("expected `;`")
        .help("write one statement per constant: `const N = 3; const M = 4;`");
    Some(Correction::edit(fault, "start a new `const`", range(comma), "; const"))
}

/// `const N = 3.5;`
pub(super) fn fraction(failure: &Failure<'_, '_>) -> Option<Correction> {
    let dot = failure.found_of(TokenKind::Dot)?;
    let (whole, part) = (failure.near(-1)?, failure.near(1)?);
    let touches = whole.end == dot.start && dot.end == part.start;
    if whole.kind != TokenKind::Integer || part.kind != TokenKind::Integer || !touches {
        return None;
    }
    let place = whole.start as usize..part.end as usize;
    let fault = Diagnostic::new(Code::E0111, failure.span_of(place), "numbers are integers")
        .label("expected an integer")
        .help(format!("write an integer: `{}`", failure.word(-1)));
    Some(Correction::edit(fault, "remove the fraction", dot.start as usize..part.end as usize, ""))
}

fn at_end(failure: &Failure<'_, '_>) -> bool {
    failure.kind(0).is_none_or(|kind| kind == TokenKind::Semicolon)
}

/// Whether a keyword is followed by a declared name.
pub(super) fn takes_a_name(head: &str) -> bool {
    matches!(class_of(head), Some(WordClass::Item)) || head == "observer"
}
