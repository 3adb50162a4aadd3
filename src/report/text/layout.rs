//! Lines of a given width, columns, colours.

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

/// A wrapped paragraph: the first line after `first`, the others after as many blanks.
pub fn paragraph(first: &str, text: &str, room: usize) -> String {
    let indent = width(first);
    let lines = wrap(text, room.saturating_sub(indent).max(20));
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        let lead = if at == 0 { first.to_owned() } else { " ".repeat(indent) };
        out += format!("{lead}{line}").trim_end();
        out.push('\n');
    }
    out
}

/// A text filled with blanks up to a width.
pub fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// A row of a table whose cells are wrapped, each in a column of its own width, the last as wide as it needs.
pub fn row(indent: usize, cells: &[(String, usize)]) -> String {
    let cells: Vec<(Vec<String>, usize)> = cells.iter().map(|(text, room)| (wrap(text, *room), *room)).collect();
    let height = cells.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0);
    let mut out = String::new();
    for at in 0..height {
        let mut line = " ".repeat(indent);
        for (lines, room) in &cells {
            line += &pad(lines.get(at).map_or("", String::as_str), *room);
            line += "  ";
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// A colour, or none.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Paint {
    Good,
    Bad,
    Unsure,
    Dim,
    Strong,
}

/// A text in a colour.
pub fn paint(color: bool, paint: Paint, text: &str) -> String {
    if !color {
        return text.to_owned();
    }
    let code = match paint {
        Paint::Good => "32",
        Paint::Bad => "1;31",
        Paint::Unsure => "33",
        Paint::Dim => "2",
        Paint::Strong => "1",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}
