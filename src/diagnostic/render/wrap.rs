//! Text in lines of a given width.

use unicode_width::UnicodeWidthStr;

/// How wide a text is on a terminal.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// A text broken at spaces into lines of at most `room` columns; a longer word stands alone. Transitions and
/// what stands between backticks are not broken.
pub fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words(text, room) {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            last.push_str(&word);
        } else if width(last) + 1 + width(&word) <= room {
            last.push(' ');
            last.push_str(&word);
        } else {
            lines.push(word);
        }
    }
    lines
}

/// The words of a text; a quotation, a transition, or what stands in parentheses is one if it fits into a line.
fn words(text: &str, room: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut open, mut arrow, mut depth) = (false, false, 0);
    for part in text.split(' ') {
        let is_arrow = part.starts_with('-') && part.ends_with("->");
        match words.last_mut() {
            Some(last) if (open || arrow || is_arrow || depth > 0) && width(last) + 1 + width(part) <= room => {
                last.push(' ');
                last.push_str(part);
            }
            _ => words.push(part.to_owned()),
        }
        open ^= part.matches('`').count() % 2 == 1;
        arrow = is_arrow;
        depth = (depth + part.matches('(').count()).saturating_sub(part.matches(')').count());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_but_not_inside_a_transition_or_a_quotation() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("by A -a-> B here", 8), ["by", "A -a-> B", "here"]);
        assert_eq!(wrap("from `x y` it", 8), ["from", "`x y` it"]);
        assert_eq!(wrap("unbreakable", 4), ["unbreakable"]);
    }
}
