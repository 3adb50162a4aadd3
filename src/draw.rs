//! Drawings: one generic graph, one layout, and a small writer per format.
//!
//! ```text
//! System, Structures ─figure→ Graph ─layout→ Layout ─→ SVG, TikZ        Graph ─→ DOT, JSON, text
//! ```
//!
//! A [`Graph`] is independent of automata: nodes with labels, edges with lists of labels, and marks.
//! [`figure`] builds one from a system or from one of the paper's constructions. The layout is layered (Sugiyama), implemented here
//! so that a drawing needs no other program; it rejects graphs that are too large to read, for which DOT remains.

pub mod dot;
pub mod figure;
pub mod json;
pub mod layout;
pub mod observation;
pub mod subject;
pub mod svg;
pub mod table;
pub mod tikz;

pub use layout::TooLarge;

use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The title: `Obs(G) of Questioning, strong`.
    pub title: String,
    pub nodes: Vec<Node>,
    /// [`Graph::connect`] merges parallel edges.
    pub edges: Vec<Edge>,
    /// The groups of anonymous events and their labels, for the legend: `a, b` and `γ`.
    pub anonymous: Vec<(String, String)>,
    /// Where [`Graph::connect`] finds an edge again: by its ends, and whether it is seen.
    by_ends: FxHashMap<(usize, usize, bool), usize>,
    /// The labels of edges with many of them.
    crowded: FxHashSet<(usize, Label)>,
}

/// The number of labels from which an edge keeps them in a table.
const CROWD: usize = 16;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    pub label: String,
    /// The tooltip.
    pub title: String,
    /// The states of the automaton that it represents, by number.
    pub states: Vec<u32>,
    pub initial: bool,
    /// It is an exposure: a pair with an empty set.
    pub empty: bool,
    pub secret: bool,
    /// It is on the path of the witness.
    pub highlight: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    pub source: usize,
    pub target: usize,
    /// Either all labels are silent or none is.
    pub labels: Vec<Label>,
    /// It is on the path of the witness.
    pub highlight: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label {
    pub text: String,
    pub kind: Kind,
}

/// What the intruder sees of the event of a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It shows its name.
    #[default]
    Visible,
    Silent,
    /// It shows the label of its group.
    Anonymous,
}

/// The options of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The prefix of every id, so that several drawings fit on one page.
    pub prefix: String,
    /// The direction of the layers.
    pub direction: Direction,
    /// Whether to draw a legend.
    pub legend: bool,
    /// Whether to fill the background; a drawing inside a page has none.
    pub background: bool,
    /// The width of a TikZ picture, as a length of LaTeX; none: its natural size.
    pub width: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options { prefix: String::new(), direction: Direction::Auto, legend: true, background: true, width: None }
    }
}

/// The direction of the layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Whichever fits a page best.
    #[default]
    Auto,
    /// From left to right.
    Right,
    /// From top to bottom.
    Down,
}

impl Edge {
    /// Silent edges are dashed.
    pub fn is_silent(&self) -> bool {
        !self.labels.is_empty() && self.labels.iter().all(|label| label.kind == Kind::Silent)
    }

    pub fn text(&self) -> String {
        self.labels.iter().map(|label| label.text.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl Graph {
    /// A graph without nodes.
    pub fn new(title: impl Into<String>) -> Graph {
        Graph { title: title.into(), ..Graph::default() }
    }

    pub fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a transition, to an existing edge between the same nodes if both are silent or both are not.
    pub fn connect(&mut self, source: usize, target: usize, label: Label) -> usize {
        let silent = label.kind == Kind::Silent;
        let at = *self.by_ends.entry((source, target, silent)).or_insert(self.edges.len());
        if at == self.edges.len() {
            self.edges.push(Edge { source, target, labels: vec![label], highlight: false });
        } else {
            self.label(at, label);
        }
        at
    }

    /// Writes a label on an edge, unless it stands there.
    fn label(&mut self, at: usize, label: Label) {
        let labels = &mut self.edges[at].labels;
        if labels.len() == CROWD {
            self.crowded.extend(labels.iter().map(|label| (at, label.clone())));
        }
        let is_new = match labels.len() {
            ..CROWD => !labels.contains(&label),
            _ => self.crowded.insert((at, label.clone())),
        };
        if is_new {
            labels.push(label);
        }
    }

    /// The marks that occur, with their texts, in the order of the legend.
    pub fn legend(&self) -> Vec<(Mark, String)> {
        let mut legend = Vec::new();
        for (events, sign) in &self.anonymous {
            legend.push((Mark::Anonymous, format!("{events} seen as {sign}")));
        }
        let mut mark = |occurs: bool, mark: Mark, text: &str| {
            if occurs {
                legend.push((mark, text.to_owned()));
            }
        };
        mark(self.edges.iter().any(Edge::is_silent), Mark::Silent, "unobservable");
        mark(self.nodes.iter().any(|node| node.secret), Mark::Secret, "secret");
        mark(self.nodes.iter().any(|node| node.empty), Mark::Empty, "exposed: no other state is possible");
        mark(self.nodes.iter().any(|node| node.highlight), Mark::Highlight, "the witness");
        legend
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Mark {
    Anonymous,
    Silent,
    Secret,
    Empty,
    Highlight,
}

/// A self-contained SVG.
pub fn svg(graph: &Graph, options: &Options) -> Result<String, TooLarge> {
    Ok(svg::write(graph, &layout::layout(graph, options.direction, layout::PIXELS)?, options))
}

/// TikZ that compiles alone or inside an article.
pub fn tikz(graph: &Graph, options: &Options) -> Result<String, TooLarge> {
    Ok(tikz::write(graph, &layout::layout(graph, options.direction, layout::PIXELS)?, options))
}
