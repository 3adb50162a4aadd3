//! Lines of a given width, columns, colours.

pub use crate::diagnostic::render::wrap::{width, wrap};

/// Wraps a paragraph with a hanging indent of the width of `first`.
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

pub fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// A row of a table; each cell is wrapped to the width of its column.
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

#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Paint {
    Good,
    Bad,
    Unsure,
    Dim,
    Strong,
}

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
