//! Text that is longer than its pane: wrapped at spaces, and seen from some line on.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

/// What stands before the second line of a text and those after it.
const INDENT: &str = "  ";

/// The columns and rows inside the frame of a pane.
pub fn inner_size(area: Rect) -> (usize, usize) {
    (usize::from(area.width.saturating_sub(2)), usize::from(area.height.saturating_sub(2)))
}

/// A pane that shows its lines from `first` on, and says how many are below, and by which key they are seen.
pub fn pane(title: &'static str, lines: Vec<Line<'static>>, area: Rect, first: usize, key: &str) -> Paragraph<'static> {
    let (_, rows) = inner_size(area);
    let below = lines.len().saturating_sub(first + rows);
    let framed = Block::bordered().title(title);
    let framed = if below > 0 { framed.title_bottom(format!("{key}{below} more")) } else { framed };
    Paragraph::new(lines.into_iter().skip(first).take(rows).collect::<Vec<_>>()).block(framed)
}

/// A text in lines of at most so many columns.
pub fn wrapped(text: &str, style: Style, columns: usize) -> Vec<Line<'static>> {
    let lines = packed(text.split(' '), " ", INDENT, columns);
    lines.into_iter().map(|line| Line::from(line).style(style)).collect()
}

/// As many items to a line as there is room for; one that is longer than a line is broken.
pub fn packed<'t>(items: impl Iterator<Item = &'t str>, gap: &str, indent: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if width(line) + width(gap) + width(item) <= columns => {
                line.push_str(gap);
                line.push_str(item);
            }
            Some(_) => lines.push(format!("{indent}{item}")),
            None => lines.push(item.to_owned()),
        }
    }
    lines.iter().flat_map(|line| broken(line, columns)).collect()
}

fn broken(line: &str, columns: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in line.chars() {
        let last = pieces.last().map_or(0, |piece| width(piece));
        if last > 0 && last + width(character.encode_utf8(&mut [0; 4])) > columns {
            pieces.push(String::new());
        }
        pieces.last_mut().into_iter().for_each(|piece| piece.push(character));
    }
    pieces
}

fn width(text: &str) -> usize {
    Line::from(text).width()
}
