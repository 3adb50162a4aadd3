//! Diagnostics of the splitter.

use super::MAX_DEPTH;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

pub(super) fn unclosed_comment(comment: Span) -> Diagnostic {
    let opener = Span::new(comment.file, comment.start, comment.start + 2);
    let end = comment.after();
    Diagnostic::new(Code::E0106, opener, "this comment is not closed")
        .label("runs to the end of the file")
        .help("close it: `*/`")
        .fix("close the comment at the end of the file", end, " */")
}

pub(super) fn unclosed_string(string: Span, text: &str) -> Diagnostic {
    let opener = Span::new(string.file, string.start, string.start + 1);
    let written = &text[string.range()];
    let inside = written.trim_end().trim_end_matches([';', ',', '}', ')', ' ']).len() as u32;
    let close = Span::new(string.file, string.start + inside, string.start + inside);
    Diagnostic::new(Code::E0105, opener, "this quoted name is not closed")
        .label("runs to the end of the line")
        .help("close it on the same line: `\"...\"`; a quote inside a name is written `\\\"`")
        .fix("insert `\"`", close, "\"")
}

/// An unclosed delimiter.
pub(super) fn unclosed(opener: Span, text: &str) -> Diagnostic {
    let (open, close) = pair(&text[opener.range()]);
    Diagnostic::new(Code::E0107, opener, format!("this `{open}` is not closed"))
        .label("opened here")
        .help(format!("write the matching `{close}`"))
}

/// A block without `{`, and perhaps without `}`; then `end` is the end of its body.
pub(super) fn bare(head: &str, gap: Span, end: Option<Span>) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0124, gap, "`{` is missing").label("expected `{`");
    let written = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let written = if written.len() > 60 { "..." } else { &written };
    match end {
        None => fault.help(format!("write `{written} {{`")).fix("insert `{`", gap, " {"),
        Some(end) => {
            let fault = fault.help(format!("put its body in braces: `{written} {{ ... }}`"));
            fault.fix_all("put it in braces", [(gap, " {".to_owned()), (end, " }".to_owned())])
        }
    }
}

/// `{A; B}`
pub(super) fn semicolon_in_set(at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0111, at, "a `;` inside a set")
        .label("expected `,`")
        .help("separate names with commas: `{A, B}`")
        .fix("replace with `,`", at, ",")
}

/// An unmatched closing delimiter inside a statement.
pub(super) fn unmatched(closer: Span, text: &str) -> Diagnostic {
    let (open, close) = pair(&text[closer.range()]);
    Diagnostic::new(Code::E0108, closer, format!("this `{close}` closes nothing"))
        .label(format!("no `{open}` is open here"))
        .help(format!("remove it, or write the matching `{open}`"))
        .fix(format!("remove `{close}`"), closer, "")
}

/// A `}` at the top level; `closed_at` is the end of the previous item.
pub(super) fn unmatched_brace(closer: Span, closed_at: Option<Span>) -> Diagnostic {
    let found = Diagnostic::new(Code::E0108, closer, "this `}` closes nothing").label("no `{` is open here");
    match closed_at {
        Some(closed) => found
            .also(closed, "the block before it is closed here")
            .help("remove one of the two: the first if the text between them belongs to the block"),
        None => found.help("remove it").fix("remove `}`", closer, ""),
    }
}

pub(super) fn too_deep(at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0109, at, format!("nested more than {MAX_DEPTH} deep"))
        .label("too deep from here on")
        .help("join sets with commas, `a, b, c`, instead of nesting them; name a subexpression with `const`")
}

pub(super) fn needless_semicolon(at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0123, at, "this `;` ends nothing")
        .label("no statement before it")
        .help("remove it: a `}` needs no `;` after it")
        .fix("remove `;`", at, "")
}

/// `initial A; /// where it starts`
pub(super) fn documents_before(comment: Span) -> Diagnostic {
    Diagnostic::new(Code::W0129, comment, "this documentation comment documents nothing")
        .label("it follows an item instead of preceding one")
        .help("write `//` for a plain comment, or move it to the line above the item")
        .fix("make it a plain comment", Span { end: comment.start + 3, ..comment }, "//")
}

pub(super) fn documents_nothing(line: Span) -> Diagnostic {
    Diagnostic::new(Code::W0129, line, "this documentation comment documents nothing")
        .label("no item or statement follows")
        .help("write `//` for a plain comment, or move it before an item or statement")
}

fn pair(delimiter: &str) -> (char, char) {
    match delimiter {
        "{" | "}" => ('{', '}'),
        "(" | ")" => ('(', ')'),
        _ => ('[', ']'),
    }
}
