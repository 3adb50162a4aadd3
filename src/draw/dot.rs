//! DOT for Graphviz: graphs of any size, with the same marks.

use super::{Edge, Graph, Kind};
use crate::diagnostic::render::human::harmless;
use std::fmt::Write;

pub fn write(graph: &Graph) -> String {
    let mut out = format!("digraph {} {{\n", quoted(&graph.title));
    out.push_str("  rankdir=LR;\n  node [shape=ellipse, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\"];\n");
    let _ = writeln!(out, "  label={};", quoted(&graph.title));
    for (at, node) in graph.nodes.iter().enumerate() {
        let mut marks = vec![format!("label={}", quoted(&node.label))];
        if node.secret {
            marks.push("peripheries=2".to_owned());
        }
        if node.empty {
            marks.push("color=\"#c1121f\", fontcolor=\"#a00d18\", style=filled, fillcolor=\"#ffe3e3\"".to_owned());
        } else if node.highlight {
            marks.push("color=\"#b45309\", style=filled, fillcolor=\"#fff3cd\"".to_owned());
        }
        let _ = writeln!(out, "  n{at} [{}];", marks.join(", "));
        if node.initial {
            let _ = writeln!(out, "  start{at} [shape=point, style=invis, width=0];\n  start{at} -> n{at};");
        }
    }
    for edge in &graph.edges {
        let _ = writeln!(out, "  n{} -> n{} [{}];", edge.source, edge.target, edge_marks(edge));
    }
    out.push_str("}\n");
    out
}

fn edge_marks(edge: &Edge) -> String {
    let mut marks = vec![format!("label={}", quoted(&edge.text()))];
    if edge.is_silent() {
        marks.push("style=dashed".to_owned());
    }
    if edge.labels.iter().all(|label| label.kind == Kind::Anonymous) {
        marks.push("fontcolor=\"#6f42c1\"".to_owned());
    }
    if edge.highlight {
        marks.push("color=\"#b45309\", penwidth=2".to_owned());
    }
    marks.join(", ")
}

/// A string of DOT; what could disturb a terminal is replaced.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", harmless(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
