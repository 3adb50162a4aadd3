//! Text tables: a graph as rows of transitions, and any rows of cells in columns.

use super::{Edge, Graph};
use unicode_width::UnicodeWidthStr;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub heading: Vec<String>,
    /// A row may be shorter than the heading.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<const N: usize>(heading: [&str; N]) -> Table {
        Table { heading: heading.map(str::to_owned).to_vec(), rows: Vec::new() }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }

    /// One line per row, two spaces between columns, no trailing spaces.
    pub fn text(&self) -> String {
        let columns = self.heading.len();
        let widest = |column: usize| {
            let cells = std::iter::once(&self.heading).chain(&self.rows).filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(widest).collect();
        let line = |row: &Vec<String>| {
            let padded = row.iter().zip(&widths).map(|(cell, width)| cell.clone() + &" ".repeat(width - cell.width()));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        std::iter::once(&self.heading).chain(&self.rows).map(line).collect()
    }
}

/// A graph as a table: each node, its marks, and the edges that leave it.
pub fn write(graph: &Graph) -> String {
    let mut table = Table::new(["state", "", "event", "to"]);
    let mut leaving: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
    graph.edges.iter().for_each(|edge| leaving[edge.source].push(edge));
    for (at, node) in graph.nodes.iter().enumerate() {
        let marks =
            [("initial", node.initial), ("secret", node.secret), ("exposed", node.empty), ("witness", node.highlight)];
        let marks: Vec<&str> = marks.iter().filter(|(_, set)| *set).map(|(mark, _)| *mark).collect();
        let mut cells = [node.label.clone(), marks.join(", ")];
        if leaving[at].is_empty() {
            table.row([std::mem::take(&mut cells[0]), std::mem::take(&mut cells[1]), String::new(), String::new()]);
        }
        for edge in &leaving[at] {
            let [state, marks] = &mut cells;
            let text = if edge.is_silent() { format!("{} (unobservable)", edge.text()) } else { edge.text() };
            table.row([std::mem::take(state), std::mem::take(marks), text, graph.nodes[edge.target].label.clone()]);
        }
    }
    let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let transitions: usize = graph.edges.iter().map(|edge| edge.labels.len()).sum();
    let mut out =
        format!("{}: {}, {}\n\n", graph.title, count(graph.nodes.len(), "state"), count(transitions, "transition"));
    out.push_str(&table.text());
    for (events, sign) in &graph.anonymous {
        out.push_str(&format!("\nanonymous: {events} seen as {sign}\n"));
    }
    out
}
