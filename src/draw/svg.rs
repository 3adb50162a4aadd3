//! Self-contained SVG: no script, no font, no other file.
//!
//! It supports light and dark mode. Nodes and edges have ids, classes and data for scripts:
//!
//! - a node is `g.node#{prefix}node-N` with `data-state="N"` and `data-states="..."`, the states of the automaton that it
//!   represents (for a drawing of the system itself both are the state's number);
//! - an edge is `g.edge#{prefix}edge-N` with `data-source`, `data-target` (nodes) and `data-label`;
//! - classes: `initial`, `empty`, `secret`, `silent`, `anonymous`, `highlight`. A script may add `highlight`.
//
// WHY: colours are written twice, not as variables, since printers and converters often know no CSS variables.

use super::layout::{Anchor, CORNER, Curve, Layout, Point, Spot, Trail};
use super::{Edge, Graph, Kind, Mark, Node, Options};
use std::fmt::Write;

const STYLE: &str = "\
.desc-graph{color-scheme:light dark;font:13px Helvetica,Arial,'DejaVu Sans',sans-serif}\
.desc-graph .canvas{fill:#fff}\
.desc-graph text{fill:#1b1f24}\
.desc-graph .shape{fill:#fff;stroke:#1b1f24;stroke-width:1.2}\
.desc-graph .inner{fill:none;stroke:#1b1f24;stroke-width:1}\
.desc-graph .line{fill:none;stroke:#444c56;stroke-width:1.2}\
.desc-graph .tip{fill:#444c56}\
.desc-graph .silent .line{stroke-dasharray:5 3.5}\
.desc-graph .seen-alike{fill:#6f42c1;font-style:italic}\
.desc-graph .empty .shape{fill:#ffe3e3;stroke:#c1121f;stroke-width:1.8}\
.desc-graph .empty text{fill:#a00d18}\
.desc-graph .highlight>.shape{fill:#fff3cd;stroke:#b45309;stroke-width:2.2}\
.desc-graph .empty.highlight>.shape{fill:#ffd9c9;stroke:#c1121f}\
.desc-graph .highlight>.line{stroke:#b45309;stroke-width:2.4}\
.desc-graph .highlight>.tip{fill:#b45309}\
.desc-graph .key{font-size:11.5px}\
@media(prefers-color-scheme:dark){\
.desc-graph .canvas{fill:#0f1318}\
.desc-graph text{fill:#e6edf3}\
.desc-graph .shape{fill:#171c23;stroke:#c9d1d9}\
.desc-graph .inner{stroke:#c9d1d9}\
.desc-graph .line{stroke:#aab4bf}\
.desc-graph .tip{fill:#aab4bf}\
.desc-graph .seen-alike{fill:#c4a7ff}\
.desc-graph .empty .shape{fill:#4a1418;stroke:#ff6b6b}\
.desc-graph .empty text{fill:#ffb3b3}\
.desc-graph .highlight>.shape{fill:#4a3a10;stroke:#f0b429}\
.desc-graph .empty.highlight>.shape{fill:#5a2410;stroke:#ff6b6b}\
.desc-graph .highlight>.line{stroke:#f0b429}\
.desc-graph .highlight>.tip{fill:#f0b429}}";

pub fn write(graph: &Graph, layout: &Layout, options: &Options) -> String {
    let legend = if options.legend { graph.legend() } else { Vec::new() };
    let key = Key::new(&legend, layout.width);
    let (width, height) = (layout.width.max(key.width).ceil(), (layout.height + key.height).ceil());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"desc-graph\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n<style>{STYLE}</style>\n",
        escape(&graph.title)
    );
    if options.background {
        let _ = writeln!(out, "<rect class=\"canvas\" width=\"{width}\" height=\"{height}\"/>");
    }
    for (at, (edge, trail)) in graph.edges.iter().zip(&layout.edges).enumerate() {
        write_edge(&mut out, graph, (at, edge), trail, options);
    }
    for (at, (node, spot)) in graph.nodes.iter().zip(&layout.nodes).enumerate() {
        write_node(&mut out, (at, node), spot, options);
    }
    key.write(&mut out, &legend, layout.height);
    out.push_str("</svg>\n");
    out
}

fn write_edge(out: &mut String, graph: &Graph, (at, edge): (usize, &Edge), trail: &Trail, options: &Options) {
    let anonymous = edge.labels.iter().any(|label| label.kind == Kind::Anonymous);
    let marks = [("silent", edge.is_silent()), ("anonymous", anonymous), ("highlight", edge.highlight)];
    let (source, target) = (&graph.nodes[edge.source].label, &graph.nodes[edge.target].label);
    let _ = writeln!(
        out,
        "<g class=\"edge{}\" id=\"{}edge-{at}\" data-source=\"{}\" data-target=\"{}\" data-label=\"{}\"><title>{}</title>\
         <path class=\"line\" d=\"{}\"/>{}<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{}\">{}</text></g>",
        classes(&marks),
        escape(&options.prefix),
        edge.source,
        edge.target,
        escape(&edge.text()),
        escape(&format!("{source} -{}-> {target}", edge.text())),
        path(&trail.curve),
        tip(&trail.curve),
        trail.label.x,
        trail.label.y,
        anchor(trail.anchor),
        label_spans(edge),
    );
}

fn label_spans(edge: &Edge) -> String {
    let span = |label: &super::Label| match label.kind {
        Kind::Anonymous => format!("<tspan class=\"seen-alike\">{}</tspan>", escape(&label.text)),
        _ => escape(&label.text),
    };
    edge.labels.iter().map(span).collect::<Vec<_>>().join(", ")
}

fn write_node(out: &mut String, (at, node): (usize, &Node), spot: &Spot, options: &Options) {
    let marks =
        [("initial", node.initial), ("empty", node.empty), ("secret", node.secret), ("highlight", node.highlight)];
    let states: Vec<String> = node.states.iter().map(u32::to_string).collect();
    let _ = write!(
        out,
        "<g class=\"node{}\" id=\"{}node-{at}\" data-state=\"{at}\" data-states=\"{}\"><title>{}</title>",
        classes(&marks),
        escape(&options.prefix),
        states.join(" "),
        escape(&node.title),
    );
    if let Some((from, to)) = spot.arrow {
        let curve = Curve { start: from, pieces: vec![[from, from, to]] };
        let _ = write!(out, "<path class=\"line\" d=\"{}\"/>{}", path(&curve), tip(&curve));
    }
    shape(out, spot, "shape", 0.0);
    if node.secret {
        shape(out, spot, "inner", 3.0);
    }
    let first = spot.at.y + 4.6 - (spot.lines.len() as f64 - 1.0) * 8.0;
    for (line, text) in spot.lines.iter().enumerate() {
        let y = first + 16.0 * line as f64;
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>", spot.at.x, escape(text));
    }
    out.push_str("</g>\n");
}

fn shape(out: &mut String, spot: &Spot, class: &str, inset: f64) {
    let Point { x, y } = spot.at;
    let (width, height) = (spot.width - 2.0 * inset, spot.height - 2.0 * inset);
    let _ = if spot.round {
        write!(out, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", width / 2.0)
    } else {
        let (left, top, corner) = (x - width / 2.0, y - height / 2.0, (height / 2.0).min(CORNER - inset));
        write!(
            out,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{corner:.1}\"/>"
        )
    };
}

fn path(curve: &Curve) -> String {
    let mut text = format!("M{:.1} {:.1}", curve.start.x, curve.start.y);
    for [first, second, end] in &curve.pieces {
        let _ =
            write!(text, "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}", first.x, first.y, second.x, second.y, end.x, end.y);
    }
    text
}

/// The arrowhead at the end of a curve.
fn tip(curve: &Curve) -> String {
    let Some([_, before, end]) = curve.pieces.last() else { return String::new() };
    let (dx, dy) = (end.x - before.x, end.y - before.y);
    let length = dx.hypot(dy).max(0.1);
    let (dx, dy) = (dx / length, dy / length);
    let corner = |side: f64| {
        let (back, wide) = (8.5, 3.4 * side);
        format!("{:.1} {:.1}", end.x - back * dx - wide * dy, end.y - back * dy + wide * dx)
    };
    format!("<path class=\"tip\" d=\"M{:.1} {:.1}L{}L{}Z\"/>", end.x, end.y, corner(1.0), corner(-1.0))
}

fn anchor(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

fn classes(marks: &[(&str, bool)]) -> String {
    marks.iter().filter(|(_, set)| *set).map(|(class, _)| format!(" {class}")).collect()
}

/// The legend: entries in rows below the drawing.
struct Key {
    places: Vec<Point>,
    width: f64,
    height: f64,
}

impl Key {
    fn new(legend: &[(Mark, String)], available: f64) -> Key {
        let room = available.max(300.0);
        let mut at = Point { x: 14.0, y: 14.0 };
        let mut places = Vec::new();
        let mut width: f64 = 0.0;
        for (mark, text) in legend {
            let wide =
                if *mark == Mark::Anonymous { 0.0 } else { 34.0 } + super::layout::PIXELS.width(text) * 0.9 + 18.0;
            if at.x > 14.0 && at.x + wide > room {
                at = Point { x: 14.0, y: at.y + 19.0 };
            }
            places.push(at);
            at.x += wide;
            width = width.max(at.x);
        }
        let height = if legend.is_empty() { 0.0 } else { at.y + 14.0 };
        Key { places, width, height }
    }

    fn write(&self, out: &mut String, legend: &[(Mark, String)], top: f64) {
        for ((mark, text), place) in legend.iter().zip(&self.places) {
            let (x, y) = (place.x, place.y + top);
            let _ = write!(out, "<g class=\"key{}\">", key_class(*mark));
            let _ = match mark {
                Mark::Anonymous => Ok(()),
                Mark::Silent => write!(out, "<path class=\"line\" d=\"M{x:.1} {y:.1}h24\"/>"),
                Mark::Secret => write!(
                    out,
                    "<circle class=\"shape\" cx=\"{0:.1}\" cy=\"{y:.1}\" r=\"8\"/><circle class=\"inner\" cx=\"{0:.1}\" cy=\"{y:.1}\" r=\"5\"/>",
                    x + 12.0
                ),
                Mark::Empty | Mark::Highlight => {
                    write!(
                        out,
                        "<rect class=\"shape\" x=\"{x:.1}\" y=\"{:.1}\" width=\"24\" height=\"14\" rx=\"7\"/>",
                        y - 7.0
                    )
                }
            };
            let (class, x) = if *mark == Mark::Anonymous { (" class=\"seen-alike\"", x) } else { ("", x + 32.0) };
            let _ = writeln!(out, "<text{class} x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>", y + 4.0, escape(text));
        }
    }
}

fn key_class(mark: Mark) -> &'static str {
    match mark {
        Mark::Anonymous => "",
        Mark::Silent => " silent",
        Mark::Secret => " secret",
        Mark::Empty => " empty",
        Mark::Highlight => " highlight",
    }
}

/// Escapes text for XML; characters that XML cannot represent are removed.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other if may_stand_in_xml(other) => escaped.push(other),
            _ => {}
        }
    }
    escaped
}

/// Whether XML can represent a character and it is printable.
pub fn may_stand_in_xml(character: char) -> bool {
    match character {
        '\n' | '\t' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    }
}
