//! Characters that look right and are not, and those that mean nothing.

use super::{Failure, Slip, range};
use crate::diagnostic::Code;
use crate::syntax::token::TokenKind;

/// Characters that are taken for others: what they are called, and what was meant.
const LOOK_ALIKES: &[(&str, &str, &str)] = &[
    ("−‐‑‒–—―－", "a dash", "-"),
    ("→⟶➔➜➝➞⇒⟹↦", "an arrow", "->"),
    ("≠", "a sign of inequality", "!="),
    ("≤⩽", "a comparison", "<="),
    ("≥⩾", "a comparison", ">="),
    ("×·∗", "a sign of multiplication", "*"),
    ("÷", "a sign of division", "/"),
    ("∪", "a sign of union", "|"),
    ("∩", "a sign of intersection", "&"),
    ("∖＼", "a sign of difference", "\\"),
    ("∧", "a logical sign", "&&"),
    ("∨‖∥", "two bars", "||"),
    ("¬", "a logical sign", "!"),
    ("∅", "the empty set", "{}"),
    ("…", "an ellipsis", ".."),
    ("；", "a wide semicolon", ";"),
    ("，", "a wide comma", ","),
    ("：", "a wide colon", ":"),
    ("（", "a wide parenthesis", "("),
    ("）", "a wide parenthesis", ")"),
    ("｛", "a wide brace", "{"),
    ("｝", "a wide brace", "}"),
    ("\u{a0}\u{2007}\u{202f}\u{3000}\u{2009}\u{2003}\u{2002}", "an unusual space", " "),
    ("\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}", "an invisible character", ""),
];

/// A dash, an arrow or a quote that a word processor made.
pub(super) fn look_alike(failure: &Failure<'_, '_>) -> Option<Slip> {
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
    let shown = if meant.trim().is_empty() { "nothing but plain spaces".to_owned() } else { format!("`{meant}`") };
    let fault = failure
        .fault(Code::E0104, format!("{name} {}", codes(written)))
        .label("not the character of the keyboard")
        .help(format!("write {shown} here"));
    Some(Slip::edit(fault, format!("replace with `{meant}`"), range(found), meant))
}

/// The name with straight quotes.
fn straight(written: &str) -> String {
    let inner = written.trim_matches(['“', '”', '„', '‟', '"']);
    format!("\"{}\"", inner.replace('\\', "\\\\"))
}

/// How to show a character that may be invisible.
fn codes(written: &str) -> String {
    let visible = written.chars().all(|character| !character.is_whitespace() && !character.is_control());
    let first = written.chars().next().unwrap_or(' ') as u32;
    if visible && !(0x200b..=0x200f).contains(&first) && first != 0xfeff && first != 0x2060 {
        return format!("`{written}`");
    }
    if written.chars().count() > 1 { format!("`{written}`") } else { format!("(U+{first:04X})") }
}

/// `'waiting room'`
fn single_quotes(failure: &Failure<'_, '_>) -> Option<Slip> {
    let open = failure.found()?;
    let rest = &failure.tokens[failure.at + 1..];
    let is_quote = |text: &str| matches!(text, "'" | "’" | "‘" | "`");
    let close = rest.iter().find(|token| is_quote(token.text(failure.patch.text())))?;
    let inner = &failure.patch.text()[open.end as usize..close.start as usize];
    if inner.contains('\n') {
        return None;
    }
    let fault = failure
        .fault(Code::E0104, "a name in single quotes")
        .label("names are quoted by `\"`")
        .help(format!("write `\"{inner}\"`"));
    let whole = open.start as usize..close.end as usize;
    Some(Slip::edit(fault, "use double quotes", whole, format!("\"{inner}\"")))
}

/// `# a comment`
pub(super) fn hash_comment(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|_| failure.word(0) == "#")?;
    let fault = failure
        .fault(Code::E0103, "`#` begins no comment")
        .label("means nothing here")
        .help("write `//` for a comment to the end of the line");
    Some(Slip::edit(fault, "replace with `//`", range(found), "//"))
}

/// What `read` put in the place of bytes that are no text.
pub(super) fn replaced(failure: &Failure<'_, '_>) -> Option<Slip> {
    failure.found().filter(|_| failure.word(0) == "\u{fffd}")?;
    let span = failure.fault(Code::E0101, "").primary.span;
    Some(Slip::certain(crate::syntax::not_utf8(span.file, span.start)))
}

/// A character that means nothing, wherever it stands.
pub(super) fn stray(failure: &Failure<'_, '_>) -> Option<Slip> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Unknown)?;
    let character = found.text(failure.patch.text()).chars().next()?;
    let shown = match character {
        '\0' => "a NUL character".to_owned(),
        control if control.is_control() => format!("a control character (U+{:04X})", control as u32),
        other => format!("the character `{other}`"),
    };
    let fault = failure
        .fault(Code::E0103, format!("{shown} means nothing here"))
        .label("not part of the language")
        .help("remove it, or put the name that it belongs to in quotes: `\"...\"`");
    let together = failure.tokens[failure.at..].iter().take_while(|token| token.kind == TokenKind::Unknown);
    let end = together.last().map_or(found.end, |last| last.end) as usize;
    Some(Slip::edit(fault, "remove it", found.start as usize..end, ""))
}
