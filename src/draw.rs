//! Graphs to look at: one neutral graph, one layout, and a small writer for each format.
//!
//! ```text
//! System, Structures ─figure→ Graph ─layout→ Layout ─→ SVG, TikZ        Graph ─→ DOT, JSON, text
//! ```
//!
//! A [`Graph`] knows nothing of automata: nodes with labels, edges with lists of labels, and what is special about them.
//! [`figure`] makes one from a system or from one of the paper's structures. The layout is layered (Sugiyama), written here
//! so that a drawing needs no other program; it refuses graphs that nobody could read, for which DOT remains.

pub mod dot;
pub mod figure;
pub mod json;
pub mod layout;
pub mod svg;
pub mod table;
pub mod tikz;

pub use layout::TooLarge;

/// A graph to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// What it shows: `Obs(G) of Questioning, strong`.
    pub title: String,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges. Parallel ones are merged by [`Graph::connect`].
    pub edges: Vec<Edge>,
    /// The groups of anonymous events and what they look like, for the legend: `a, b` and `γ`.
    pub anonymous: Vec<(String, String)>,
}

/// A node of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// What is written in it.
    pub label: String,
    /// What is told when it is pointed at.
    pub title: String,
    /// The states of the automaton that it stands for, by number.
    pub states: Vec<u32>,
    /// Whether an arrow from nowhere points at it.
    pub initial: bool,
    /// Whether it is an exposure: a pair with an empty right side.
    pub empty: bool,
    /// Whether it is a secret state.
    pub secret: bool,
    /// Whether a witness goes through it.
    pub highlight: bool,
}

/// An edge of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// The node it leaves.
    pub source: usize,
    /// The node it enters.
    pub target: usize,
    /// What is written on it; all silent or none.
    pub labels: Vec<Label>,
    /// Whether a witness goes along it.
    pub highlight: bool,
}

/// A label of an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// How it appears to the intruder.
    pub kind: Kind,
}

/// How the event of a label appears to the intruder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Seen as itself.
    #[default]
    Visible,
    /// Not seen.
    Silent,
    /// Seen like others of its group.
    Anonymous,
}

/// How to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Goes before every id of the drawing, so that several fit on one page.
    pub prefix: String,
    /// Which way the layers follow each other.
    pub direction: Direction,
    /// Whether to explain the marks.
    pub legend: bool,
    /// Whether to fill the background; a drawing inside a page needs none.
    pub background: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { prefix: String::new(), direction: Direction::Auto, legend: true, background: true }
    }
}

/// Which way the layers follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Whichever fits a page better.
    #[default]
    Auto,
    /// From left to right.
    Right,
    /// From top to bottom.
    Down,
}

impl Edge {
    /// Whether no event of it is seen: drawn dashed.
    pub fn is_silent(&self) -> bool {
        !self.labels.is_empty() && self.labels.iter().all(|label| label.kind == Kind::Silent)
    }

    /// Its labels in one line.
    pub fn text(&self) -> String {
        self.labels.iter().map(|label| label.text.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl Graph {
    /// Adds a node.
    pub fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a transition: to the edge between the same nodes, if there is one of the same kind, seen or unseen.
    pub fn connect(&mut self, source: usize, target: usize, label: Label) -> usize {
        let silent = label.kind == Kind::Silent;
        let same = |edge: &Edge| (edge.source, edge.target, edge.is_silent()) == (source, target, silent);
        if let Some(at) = self.edges.iter().position(same) {
            let labels = &mut self.edges[at].labels;
            if !labels.contains(&label) {
                labels.push(label);
            }
            return at;
        }
        self.edges.push(Edge { source, target, labels: vec![label], highlight: false });
        self.edges.len() - 1
    }

    /// The marks that occur, in the order of the legend.
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

/// A mark that the legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Mark {
    Anonymous,
    Silent,
    Secret,
    Empty,
    Highlight,
}

/// Draws a graph as SVG that needs nothing else.
pub fn svg(graph: &Graph, options: &Options) -> Result<String, TooLarge> {
    Ok(svg::write(graph, &layout::layout(graph, options.direction, layout::PIXELS)?, options))
}

/// Draws a graph as TikZ that compiles by itself, and pasted into an article.
pub fn tikz(graph: &Graph, options: &Options) -> Result<String, TooLarge> {
    Ok(tikz::write(graph, &layout::layout(graph, options.direction, layout::PIXELS)?, options))
}
