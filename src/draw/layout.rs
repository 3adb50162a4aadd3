//! Where things go: a layered layout.
//!
//! The method of Sugiyama, Tagawa and Toda (1981), for each connected part: edges that close a cycle are turned round, nodes
//! get layers (`layer`), long edges and labels become small items of the layers they cross, the order within layers is
//! improved until few edges cross (`order`), items are moved towards their neighbours (`place`), and edges become
//! curves (`route`). Every label is an item of its own in a layer between two layers of nodes, so labels never overlap.
//! The parts are then put side by side. Cost: a few dozen sweeps, each linear but for the counting of crossings.
//!
//! Inside, *along* is the direction in which layers follow each other and *across* the direction within a layer.

mod layer;
mod order;
mod place;
mod route;

use super::{Direction, Graph};
use std::fmt;

/// The most nodes that are laid out: more is not read, but searched.
pub const MOST_NODES: usize = 200;
/// The most edges that are laid out.
pub const MOST_EDGES: usize = 500;

/// A graph with too many nodes or edges to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many nodes it has.
    pub nodes: usize,
    /// How many edges it has.
    pub edges: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLarge { nodes, edges } = self;
        write!(
            f,
            "a drawing of {nodes} nodes and {edges} edges could not be read (at most {MOST_NODES} and {MOST_EDGES})"
        )
    }
}

impl std::error::Error for TooLarge {}

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A curve: a start, and cubic pieces of two control points and an end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Where it starts.
    pub start: Point,
    /// Its pieces.
    pub pieces: Vec<[Point; 3]>,
}

/// The radius of the corners of a box.
pub const CORNER: f64 = 15.0;

/// Where a node is and how large.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spot {
    /// Its middle.
    pub at: Point,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Its label, cut into lines.
    pub lines: Vec<String>,
    /// Whether it is a circle.
    pub round: bool,
    /// The arrow of an initial node: from here to there.
    pub arrow: Option<(Point, Point)>,
}

/// Where an edge goes and where its label stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail {
    /// The curve, from source to target.
    pub curve: Curve,
    /// The point of the label, on the base line of its text.
    pub label: Point,
    /// Which point of the text that is.
    pub anchor: Anchor,
}

/// Which point of a text is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Anchor {
    Start,
    #[default]
    Middle,
    End,
}

/// A drawing without its ink.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Layout {
    pub width: f64,
    pub height: f64,
    /// One per node.
    pub nodes: Vec<Spot>,
    /// One per edge.
    pub edges: Vec<Trail>,
}

/// How large text is.
#[derive(Clone, Copy, Debug)]
pub struct Metrics {
    /// The size of the text.
    pub font: f64,
    /// The height of a line.
    pub line: f64,
    /// The radius of a round node.
    pub radius: f64,
}

/// Text of 13 pixels.
pub const PIXELS: Metrics = Metrics { font: 13.0, line: 16.0, radius: 19.0 };

impl Metrics {
    /// About how wide a text is in a sans-serif face.
    pub fn width(&self, text: &str) -> f64 {
        let em = |character: char| match character {
            'i' | 'j' | 'l' | '.' | ',' | ';' | ':' | '\'' | '|' | ' ' | 'I' => 0.29,
            't' | 'f' | 'r' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '/' | '"' => 0.36,
            '₀'..='₉' => 0.37,
            'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.88,
            'A'..='Z' => 0.69,
            character if (character as u32) < 0x250 => 0.56,
            character => 0.6 * unicode_width::UnicodeWidthChar::width(character).unwrap_or(0) as f64,
        };
        // WHY 1.1: faces differ, and too much room looks better than too little.
        1.1 * self.font * text.chars().map(em).sum::<f64>()
    }
}

/// Lays a graph out, if it is small enough to be looked at.
pub fn layout(graph: &Graph, direction: Direction, metrics: Metrics) -> Result<Layout, TooLarge> {
    if graph.nodes.len() > MOST_NODES || graph.edges.len() > MOST_EDGES {
        return Err(TooLarge { nodes: graph.nodes.len(), edges: graph.edges.len() });
    }
    let right = || drawn(graph, false, metrics);
    let down = || drawn(graph, true, metrics);
    Ok(match direction {
        Direction::Right => right(),
        Direction::Down => down(),
        Direction::Auto => [right(), down()].into_iter().min_by(|a, b| misfit(a).total_cmp(&misfit(b))).expect("two"),
    })
}

/// How badly a drawing fits the column of a page: its height when it is scaled to that width, but never blown up.
fn misfit(layout: &Layout) -> f64 {
    let scale = (640.0 / layout.width).min(1.0);
    let height = layout.height * scale;
    // WHY: text that must be shrunk to fit the width costs more than length does.
    height / 640.0 + 2.0 * (1.0 / scale - 1.0)
}

fn drawn(graph: &Graph, down: bool, metrics: Metrics) -> Layout {
    let mut layout = Layout {
        nodes: vec![Spot::default(); graph.nodes.len()],
        edges: vec![Trail::default(); graph.edges.len()],
        ..Layout::default()
    };
    let mut shelf = Shelf::new(down);
    for part in layer::parts(graph) {
        let mut scene = layer::Scene::new(graph, &part, down, metrics);
        order::improve(&mut scene);
        place::place(&mut scene);
        let drawing = route::route(&scene);
        shelf.put(&drawing, &part, &mut layout);
    }
    if down {
        transpose(&mut layout);
    }
    layout.width = shelf.size(down).0;
    layout.height = shelf.size(down).1;
    layout
}

/// Swaps the axes: everything before this was laid out from left to right.
fn transpose(layout: &mut Layout) {
    let flip = |point: &mut Point| *point = Point { x: point.y, y: point.x };
    for spot in &mut layout.nodes {
        flip(&mut spot.at);
        std::mem::swap(&mut spot.width, &mut spot.height);
        if let Some((from, to)) = &mut spot.arrow {
            flip(from);
            flip(to);
        }
    }
    for trail in &mut layout.edges {
        flip(&mut trail.label);
        flip(&mut trail.curve.start);
        trail.curve.pieces.iter_mut().flatten().for_each(flip);
    }
}

/// Where the parts of a graph stand: beside each other across, and in a new column when that would get too long.
struct Shelf {
    along: f64,
    across: f64,
    column: f64,
    longest: f64,
    most: f64,
}

const MARGIN: f64 = 12.0;
const BETWEEN: f64 = 34.0;

impl Shelf {
    fn new(down: bool) -> Shelf {
        let most = if down { 900.0 } else { 640.0 };
        Shelf { along: MARGIN, across: MARGIN, column: 0.0, longest: 0.0, most }
    }

    fn put(&mut self, drawing: &route::Drawing, part: &layer::Part, layout: &mut Layout) {
        if self.across > MARGIN && self.across + drawing.across > self.most {
            self.along += self.column + BETWEEN;
            self.across = MARGIN;
            self.column = 0.0;
        }
        let shift = |point: &Point| Point { x: point.x + self.along, y: point.y + self.across };
        for (&node, spot) in part.nodes.iter().zip(&drawing.nodes) {
            let arrow = spot.arrow.as_ref().map(|(from, to)| (shift(from), shift(to)));
            layout.nodes[node] = Spot { at: shift(&spot.at), arrow, ..spot.clone() };
        }
        for (&edge, trail) in part.edges.iter().zip(&drawing.edges) {
            let pieces = trail.curve.pieces.iter().map(|piece| [0, 1, 2].map(|at| shift(&piece[at]))).collect();
            let curve = Curve { start: shift(&trail.curve.start), pieces };
            layout.edges[edge] = Trail { curve, label: shift(&trail.label), anchor: trail.anchor };
        }
        self.across += drawing.across + BETWEEN;
        self.column = self.column.max(drawing.along);
        self.longest = self.longest.max(self.across - BETWEEN);
    }

    fn size(&self, down: bool) -> (f64, f64) {
        let (along, across) = (self.along + self.column + MARGIN, self.longest + MARGIN);
        if down { (across, along) } else { (along, across) }
    }
}
