//! Characters that resemble others, and characters outside the language.

use super::{Correction, Failure, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::spelling;
use crate::syntax::token::TokenKind;

pub(super) const ARROWS: &str = "→⟶➔➜➝➞⇒⟹↦";

/// Confusable characters: the characters, their name, the replacement.
const LOOK_ALIKES: &[(&str, &str, &str)] = &[
    ("−‐‑‒–—―－", "a dash", "-"),
    (ARROWS, "an arrow", "->"),
    ("∞", "an infinity symbol", "infinite"),
    ("≠", "an inequality symbol", "!="),
    ("≤⩽", "a comparison symbol", "<="),
    ("≥⩾", "a comparison symbol", ">="),
    ("×·∗", "a multiplication symbol", "*"),
    ("÷", "a division symbol", "/"),
    ("∪", "a union symbol", "|"),
    ("∩", "an intersection symbol", "&"),
    ("∖＼", "a difference symbol", "\\"),
    ("∧", "a logical symbol", "&&"),
    ("∨‖∥", "two bars", "||"),
    ("¬", "a logical symbol", "!"),
    ("∅", "the empty set", "{}"),
    ("…", "an ellipsis", ".."),
    ("；", "a full-width semicolon", ";"),
    ("，", "a full-width comma", ","),
    ("：", "a full-width colon", ":"),
    ("（", "a full-width parenthesis", "("),
    ("）", "a full-width parenthesis", ")"),
    ("｛", "a full-width brace", "{"),
    ("｝", "a full-width brace", "}"),
    ("\u{a0}\u{2007}\u{202f}\u{3000}\u{2009}\u{2003}\u{2002}", "an unusual space", " "),
    ("\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}", "an invisible character", ""),
];

/// A typographic dash, arrow or quote.
pub(super) fn look_alike(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let written = found.text(failure.patch.text());
    let (name, meant) = match found.kind {
        TokenKind::CurlyQuoted => ("curly quotes", straight(written)),
        TokenKind::Unknown if matches!(written, "'" | "‘" | "’" | "`") => return single_quotes(failure),
        TokenKind::Unknown => {
            let (_, name, meant) = LOOK_ALIKES.iter().find(|(set, ..)| set.contains(written))?;
            (*name, (*meant).to_owned())
        }
        _ => return None,
    };
    let shown = if meant.trim().is_empty() { "plain spaces only".to_owned() } else { format!("`{meant}`") };
    let fault = failure
        .fault(Code::E0104, format!("{name} {}", codes(written)))
        .label("not the ASCII character")
        .help(format!("write {shown} here"));
    let mut edits = vec![(range(found), meant.clone())];
    // The other half of an arrow came from the same keyboard: `A –a→ B`.
    let rest = failure.tokens[failure.at + 1..].iter().take(8).take_while(|token| token.kind != TokenKind::Semicolon);
    let is_arrow =
        |token: &&super::Token| token.kind == TokenKind::Unknown && ARROWS.contains(token.text(failure.patch.text()));
    if meant == "-"
        && let Some(arrow) = rest.into_iter().find(is_arrow)
    {
        edits.push((range(*arrow), "->".to_owned()));
    }
    Some(Correction { diagnostic: fault, title: format!("replace with `{meant}`"), edits })
}

/// The name with straight quotes.
fn straight(written: &str) -> String {
    let inner = written.trim_matches(['“', '”', '„', '‟', '"']);
    spelling::quoted(inner)
}

/// A character with its code point, since it may be invisible.
fn codes(written: &str) -> String {
    let visible = written.chars().all(|character| !character.is_whitespace() && !character.is_control());
    let first = written.chars().next().unwrap_or(' ') as u32;
    if visible && !(0x200b..=0x200f).contains(&first) && first != 0xfeff && first != 0x2060 {
        return format!("`{written}`");
    }
    if written.chars().count() > 1 { format!("`{written}`") } else { format!("(U+{first:04X})") }
}

/// `'waiting room'`
fn single_quotes(failure: &Failure<'_, '_>) -> Option<Correction> {
    let open = failure.found()?;
    let rest = &failure.tokens[failure.at + 1..];
    let is_quote = |text: &str| matches!(text, "'" | "’" | "‘" | "`");
    let close = rest.iter().find(|token| is_quote(token.text(failure.patch.text())))?;
    let inner = &failure.patch.text()[open.end as usize..close.start as usize];
    if inner.contains('\n') {
        return None;
    }
    let written = spelling::quoted(inner);
    let fault = failure
        .fault(Code::E0104, "a name in single quotes")
        .label("names are quoted with `\"`")
        .help(format!("write `{written}`"));
    let whole = open.start as usize..close.end as usize;
    Some(Correction::edit(fault, "use double quotes", whole, written))
}

/// `# a comment`, `-- a comment`, `% a comment`
pub(super) fn other_comment(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let second = failure.near(1).filter(|second| second.kind == TokenKind::Minus && second.start == found.end);
    let place = match failure.word(0) {
        "#" => range(found),
        "%" if failure.taken() == 0 => range(found),
        "-" if failure.taken() == 0 => found.start as usize..second?.end as usize,
        _ => return None,
    };
    let written = &failure.patch.text()[place.clone()];
    let fault = failure
        .fault(Code::E0103, format!("`{written}` does not start a comment"))
        .label("not allowed here")
        .help("write `//` for a comment to the end of the line");
    Some(Correction::edit(fault, "replace with `//`", place, "//"))
}

/// The replacement character of `read` for bytes that are not UTF-8.
pub(super) fn replaced(failure: &Failure<'_, '_>) -> Option<Correction> {
    failure.found().filter(|_| failure.word(0) == "\u{fffd}")?;
    let span = failure.fault(Code::E0101, "").primary.span;
    Some(Correction::certain(crate::syntax::not_utf8(span.file, span.start)))
}

/// `A'`
fn primed(failure: &Failure<'_, '_>) -> Option<Correction> {
    let name = failure.near(-1).filter(|name| name.kind.is_name() && name.end == failure.gap().end as u32)?;
    let is_prime = |token: &&super::Token| matches!(token.text(failure.patch.text()), "'" | "’" | "′" | "″");
    let last = failure.tokens[failure.at..].iter().take_while(is_prime).last()?;
    if failure.found()?.start != name.end {
        return None;
    }
    let whole = name.start as usize..last.end as usize;
    let name = spelling::unquoted(&failure.patch.text()[whole.clone()]);
    let written = spelling::quoted(&name);
    let fault = Diagnostic::new(Code::E0103, failure.span_of(whole.clone()), format!("the name `{name}` has a prime"))
        .label("a plain name consists of letters, digits and `_`")
        .help(format!("quote it everywhere: `{written}`"));
    let span = failure.span_of(whole);
    Some(Correction::certain(fault.fix("quote it", span, written)))
}

/// A character outside the language.
pub(super) fn stray(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Unknown)?;
    let character = found.text(failure.patch.text()).chars().next()?;
    if let Some(slip) = primed(failure) {
        return Some(slip);
    }
    let shown = match character {
        '\0' => "a NUL character".to_owned(),
        control if control.is_control() => format!("a control character (U+{:04X})", control as u32),
        other => format!("the character `{other}`"),
    };
    let fault = failure
        .fault(Code::E0103, format!("{shown} is not allowed here"))
        .label("not part of the language")
        .help("remove it, or quote the name that contains it: `\"...\"`");
    let together = failure.tokens[failure.at..].iter().take_while(|token| token.kind == TokenKind::Unknown);
    let end = together.last().map_or(found.end, |last| last.end) as usize;
    Some(Correction::edit(fault, "remove it", found.start as usize..end, ""))
}
