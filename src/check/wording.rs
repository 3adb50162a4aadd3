//! Helpers on source text: the words of text with syntax errors, the text of checks, lists of names.

pub(in crate::check) use crate::diagnostic::words::{count, grouped};
use crate::source::SourceFile;
use crate::syntax::ast::Docs;
use crate::syntax::spelling;

/// The words of a text that could be names.
pub(in crate::check) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// A statement on one line: normalised white space, without comments and the final `;`.
pub(in crate::check) fn folded(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = if first == '"' {
            quoted(rest)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(taken);
        if first.is_whitespace() || piece.starts_with("//") || piece.starts_with("/*") {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
        } else {
            line.push_str(piece);
        }
        rest = after;
    }
    line.trim_end().trim_end_matches(';').trim_end().to_owned()
}

/// A line with values in place of the names of indices between brackets, and the names that it had.
pub(in crate::check) fn with_values(line: &str, value: impl Fn(&str) -> Option<i64>) -> (String, Vec<String>) {
    let (mut out, mut shown, mut rest, mut depth) = (String::new(), Vec::new(), line, 0_usize);
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let taken = match first {
            '"' => quoted(rest),
            _ if is_part(first) => rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(taken);
        match piece {
            "[" => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        match value(piece).filter(|_| depth > 0) {
            Some(value) => {
                out += &value.to_string();
                shown.push(piece.to_owned());
            }
            None => out += piece,
        }
        rest = after;
    }
    (out, shown)
}

/// The length of the quoted name at the start of a text.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Up to how many names a message shows; of more than that, one less, and their number.
pub(in crate::check) const LISTED: usize = 4;

/// A few names of a message that can be typed: `a`, `"waiting room"` and 3 more.
pub(in crate::check) fn written_list<S: AsRef<str>>(names: &[S]) -> String {
    let written: Vec<_> = names.iter().map(|name| spelling::member(name.as_ref())).collect();
    list(&written)
}

pub(in crate::check) fn list<S: AsRef<str>>(names: &[S]) -> String {
    list_of(names, names.len())
}

/// The same of `count` names, of which the first [`LISTED`] are given, or more.
pub(in crate::check) fn list_of<S: AsRef<str>>(names: &[S], count: usize) -> String {
    let quoted = |name: &S| format!("`{}`", name.as_ref());
    if count <= LISTED {
        let shown: Vec<String> = names.iter().map(quoted).collect();
        return match shown.split_last() {
            Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
            _ => shown.join(""),
        };
    }
    let shown: Vec<String> = names[..LISTED - 1].iter().map(quoted).collect();
    format!("{} and {} more", shown.join(", "), count - shown.len())
}

/// `a state`, `an event`.
pub(in crate::check) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// The lines of a doc comment.
pub(in crate::check) fn docs(docs: &Docs, file: &SourceFile) -> Vec<String> {
    let lines = docs.iter().flat_map(|docs| docs.lines.iter());
    lines.map(|line| file.slice(*line).trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_shown_on_one_line_without_comments() {
        let text = "check  weak // how\n  2-step /* far */ about \"a  ;\" ;";
        assert_eq!(folded(text), "check weak 2-step about \"a  ;\"");
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(&["a"]), "`a`");
        assert_eq!(list(&["a", "b"]), "`a` and `b`");
        assert_eq!(list(&["a", "b", "c", "d", "e"]), "`a`, `b`, `c` and 2 more");
    }

    #[test]
    fn an_index_is_shown_by_its_value_and_only_between_brackets() {
        let value = |name: &str| (name == "i").then_some(3);
        let (line, shown) = with_values("check i: opacity of v[i].voted[i + 1], \"[i]\"", value);
        assert_eq!(line, "check i: opacity of v[3].voted[3 + 1], \"[i]\"");
        assert_eq!(shown, ["i", "i"]);
    }
}
