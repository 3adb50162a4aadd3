//! TikZ: a picture that compiles alone, and inside an article that loads `tikz`.
//!
//! Plain TikZ with absolute coordinates from our own layout: no library, no graph drawing at compile time. Where `tikz` is
//! not loaded, the file contains its own document of the size of the picture. Nodes are named after their labels, so that an
//! article can draw on: `\draw (street) -- (hall);`. A width scales the picture in an article, and leaves its own document alone.

use super::layout::{Anchor, Curve, Layout, Point, Spot};
use super::table::Table;
use super::{Edge, Graph, Kind, Mark, Node, Options};
use crate::diagnostic::render::human::harmless;
use rustc_hash::FxHashSet;
use std::fmt::Write;

const HEAD: &str = "\
\\ifdefined\\tikzpicture\\else
\\def\\descstandalone{}
\\documentclass{article}
\\usepackage{tikz}
\\usepackage{amssymb}
";

const STYLES: &str = "\
\\begin{tikzpicture}[x=0.75bp, y=-0.75bp, >=stealth, line width=0.5pt, font=\\small,
  desc state/.style={draw, fill=white, align=center, inner sep=0pt, outer sep=0pt},
  desc empty/.style={draw=red!75!black, fill=red!10, text=red!65!black, line width=0.8pt},
  desc witness/.style={draw=orange!70!black, fill=orange!18, line width=1pt},
  desc edge/.style={->},
  desc silent/.style={dashed},
  desc witness edge/.style={draw=orange!70!black, line width=1pt},
  desc label/.style={inner sep=0pt, outer sep=0pt}]
";

pub fn write(graph: &Graph, layout: &Layout, options: &Options) -> String {
    let legend = if options.legend { graph.legend() } else { Vec::new() };
    let (width, height) = (layout.width.max(220.0), layout.height + 20.0 * legend.len() as f64);
    let mut out = format!("% {}\n{HEAD}", harmless(&graph.title).replace('\n', " "));
    let page =
        format!("paperwidth={:.0}bp, paperheight={:.0}bp, margin=6bp", width * 0.75 + 16.0, height * 0.75 + 20.0);
    let _ = writeln!(
        out,
        "\\usepackage[{page}]{{geometry}}\n\\pagestyle{{empty}}\\parindent=0pt\n\\begin{{document}}\n\\fi"
    );
    let scale = options.width.as_ref().map(|width| scaled(width)).unwrap_or_default();
    out.push_str(&scale);
    out.push_str(STYLES);
    let names = names(graph, &options.prefix);
    for ((node, spot), name) in graph.nodes.iter().zip(&layout.nodes).zip(&names) {
        write_node(&mut out, node, spot, name);
    }
    for (edge, trail) in graph.edges.iter().zip(&layout.edges) {
        let style = edge_style(edge);
        let _ = writeln!(out, "\\draw[{style}] {};", path(&trail.curve));
        let side = match trail.anchor {
            Anchor::Start => "base west",
            Anchor::Middle => "base",
            Anchor::End => "base east",
        };
        let _ = writeln!(out, "\\node[desc label, anchor={side}] at {} {{{}}};", at(trail.label), label(edge));
    }
    for (row, (mark, text)) in legend.iter().enumerate() {
        write_key(&mut out, *mark, text, layout.height + 10.0 + 20.0 * row as f64);
    }
    out.push_str(if scale.is_empty() { "\\end{tikzpicture}%\n" } else { "\\end{tikzpicture}}%\n" });
    out.push_str("\\ifdefined\\descstandalone\\end{document}\\fi\n");
    out
}

/// A table as a LaTeX tabular.
pub fn tabular(table: &Table) -> String {
    let row = |cells: &Vec<String>| cells.iter().map(|cell| latex(cell)).collect::<Vec<_>>().join(" & ") + " \\\\\n";
    let columns = "l".repeat(table.heading.len());
    let mut out = format!("\\begin{{tabular}}{{{columns}}}\n\\hline\n{}\\hline\n", row(&table.heading));
    for (at, cells) in table.rows.iter().enumerate() {
        let begins = at > 0 && cells.first().is_some_and(|cell| !cell.is_empty());
        out.push_str(if begins { "\\hline\n" } else { "" });
        out.push_str(&row(cells));
    }
    out + "\\hline\n\\end{tabular}\n"
}

/// Parses a length of LaTeX.
///
/// # Errors
/// If it is none: it is written into the picture as it is.
pub fn length(text: &str) -> Result<String, String> {
    const UNITS: [&str; 10] = ["cm", "mm", "in", "pt", "bp", "em", "ex", "\\linewidth", "\\textwidth", "\\columnwidth"];
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic() || character == '\\');
    let unit = &text[digits.len()..];
    let is_number = digits.parse::<f64>().is_ok_and(|number| number > 0.0 && number.is_finite());
    let is_whole = digits.is_empty() && unit.starts_with('\\');
    let is_length = UNITS.contains(&unit) && (is_number || is_whole);
    is_length.then(|| text.to_owned()).ok_or_else(|| "expected a length of LaTeX: `8cm`, `0.5\\linewidth`".to_owned())
}

/// The definition that scales a picture, and its start.
fn scaled(width: &str) -> String {
    format!(
        "\\ifdefined\\descstandalone\\def\\descscaled#1{{#1}}\\else\\def\\descscaled#1{{\\resizebox{{{width}}}{{!}}{{#1}}}}\\fi\n\
         \\descscaled{{%\n"
    )
}

/// The names of the nodes: their labels, as far as TikZ reads them, and a number where two are alike.
fn names(graph: &Graph, prefix: &str) -> Vec<String> {
    let mut taken = FxHashSet::default();
    let mut unique = |plain: String| {
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let mut all = std::iter::once(plain.clone()).chain(numbered);
        let free = all.find(|name| !taken.contains(name)).unwrap_or_default();
        taken.insert(free.clone());
        free
    };
    graph.nodes.iter().map(|node| unique(format!("{prefix}{}", plain(&node.label)))).collect()
}

/// Letters and digits of a label, with single hyphens between its words.
fn plain(label: &str) -> String {
    let digit = |character: char| subscript(character).unwrap_or(character);
    let words: String =
        label.chars().map(digit).map(|one| if one.is_ascii_alphanumeric() { one } else { ' ' }).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    if words.is_empty() { "node".to_owned() } else { words.join("-") }
}

fn write_node(out: &mut String, node: &Node, spot: &Spot, name: &str) {
    let mut style = "desc state".to_owned();
    if node.highlight {
        style.push_str(", desc witness");
    }
    if node.empty {
        style.push_str(if node.highlight { ", desc empty, line width=1.4pt" } else { ", desc empty" });
    }
    let lines: Vec<String> = spot.lines.iter().map(|line| latex(line)).collect();
    let shape = shape(spot);
    let _ = writeln!(out, "\\node[{style}, {shape}] ({name}) at {} {{{}}};", at(spot.at), lines.join("\\\\"));
    if node.secret {
        inner_outline(out, spot, 3.0);
    }
    if let Some((from, to)) = spot.arrow {
        let _ = writeln!(out, "\\draw[desc edge] {} -- {};", at(from), at(to));
    }
}

/// The outline of a node, so that lines that are drawn to it end there.
fn shape(spot: &Spot) -> String {
    let (wide, high) = (spot.width * 0.75, spot.height * 0.75);
    match spot.round {
        true => format!("circle, minimum size={wide:.1}bp"),
        false => {
            let corners = (spot.height / 2.0).min(14.0) * 0.75;
            format!("rectangle, rounded corners={corners:.1}bp, minimum width={wide:.1}bp, minimum height={high:.1}bp")
        }
    }
}

fn inner_outline(out: &mut String, spot: &Spot, inset: f64) {
    let (wide, high) = (spot.width / 2.0 - inset, spot.height / 2.0 - inset);
    let Point { x, y } = spot.at;
    let _ = if spot.round {
        writeln!(out, "\\path[draw] {} circle[radius={:.1}bp];", at(spot.at), wide * 0.75)
    } else {
        let (from, to) = (at(Point { x: x - wide, y: y - high }), at(Point { x: x + wide, y: y + high }));
        writeln!(out, "\\path[draw, rounded corners={:.1}bp] {from} rectangle {to};", high.min(14.0) * 0.75)
    };
}

fn edge_style(edge: &Edge) -> String {
    let mut style = "desc edge".to_owned();
    if edge.is_silent() {
        style.push_str(", desc silent");
    }
    if edge.highlight {
        style.push_str(", desc witness edge");
    }
    style
}

fn label(edge: &Edge) -> String {
    let text = |label: &super::Label| match label.kind {
        Kind::Anonymous => format!("\\textcolor{{violet}}{{\\itshape {}}}", latex(&label.text)),
        _ => latex(&label.text),
    };
    edge.labels.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn write_key(out: &mut String, mark: Mark, text: &str, y: f64) {
    let (left, right) = (at(Point { x: 14.0, y }), at(Point { x: 38.0, y }));
    let middle = at(Point { x: 26.0, y });
    let corners = (at(Point { x: 14.0, y: y - 7.0 }), at(Point { x: 38.0, y: y + 7.0 }));
    let boxed = |style: &str| format!("\\path[{style}, rounded corners=5bp] {} rectangle {};", corners.0, corners.1);
    let sample = match mark {
        Mark::Anonymous => String::new(),
        Mark::Silent => format!("\\draw[desc silent] {left} -- {right};"),
        Mark::Secret => format!("\\draw {middle} circle[radius=5.5bp] circle[radius=3.5bp];"),
        Mark::Empty => boxed("desc empty"),
        Mark::Highlight => boxed("desc witness"),
    };
    let (from, style) = if mark == Mark::Anonymous {
        (14.0, "violet, font=\\footnotesize\\itshape")
    } else {
        (46.0, "font=\\footnotesize")
    };
    let place = at(Point { x: from, y });
    let _ = writeln!(out, "{sample}\\node[anchor=west, inner sep=0pt, {style}] at {place} {{{}}};", latex(text));
}

fn at(point: Point) -> String {
    format!("({:.1},{:.1})", point.x, point.y)
}

fn path(curve: &Curve) -> String {
    let mut text = at(curve.start);
    for [first, second, end] in &curve.pieces {
        let _ = write!(text, " .. controls {} and {} .. {}", at(*first), at(*second), at(*end));
    }
    text
}

/// Escapes text for LaTeX; subscripts and Greek letters become mathematics, and what could disturb a terminal is replaced.
fn latex(text: &str) -> String {
    let mut out = String::new();
    let text = harmless(text);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if let Some(digit) = subscript(character) {
            let mut digits = String::from(digit);
            while let Some(next) = characters.peek().copied().and_then(subscript) {
                digits.push(next);
                characters.next();
            }
            let _ = write!(out, "$_{{{digits}}}$");
            continue;
        }
        match character {
            // WHY: LaTeX ends at a character for which it has no glyph.
            '\u{fffd}' => out.push('?'),
            'γ' => out.push_str("$\\gamma$"),
            'ε' => out.push_str("$\\varepsilon$"),
            '∅' => out.push_str("$\\varnothing$"),
            'Σ' => out.push_str("$\\Sigma$"),
            'Ĝ' => out.push_str("$\\widehat{G}$"),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '{' | '}' | '#' | '$' | '%' | '&' | '_' => {
                out.push('\\');
                out.push(character);
            }
            other => out.push(other),
        }
    }
    out
}

fn subscript(character: char) -> Option<char> {
    ('₀'..='₉').contains(&character).then(|| char::from(b'0' + (character as u32 - '₀' as u32) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_named_after_their_labels() {
        let mut graph = Graph::new("G");
        for label in ["street", "{2a₁, 3}", "(idle, empty)", "{2a1 3}", "∅"] {
            graph.node(Node { label: label.to_owned(), ..Node::default() });
        }
        assert_eq!(names(&graph, ""), ["street", "2a1-3", "idle-empty", "2a1-3-2", "node"]);
    }

    #[test]
    fn only_lengths_are_lengths() {
        for good in ["8cm", "0.5\\linewidth", "\\textwidth", "120pt"] {
            assert_eq!(length(good).as_deref(), Ok(good));
        }
        for bad in ["8", "cm", "-1cm", "8cm}", "\\input", "infcm", ""] {
            assert!(length(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn letters_and_subscripts_become_mathematics() {
        assert_eq!(latex("{2a₁b₂}"), "\\{2a$_{1}$b$_{2}$\\}");
        assert_eq!(latex("γ₁₂"), "$\\gamma$$_{12}$");
        assert_eq!(latex("p_1 & 50%"), "p\\_1 \\& 50\\%");
    }
}
