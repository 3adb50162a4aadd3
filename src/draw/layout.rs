//! A layered layout.
//!
//! The method of Sugiyama, Tagawa and Toda (1981), for each connected component: edges that close a cycle are reversed, nodes
//! get layers (`layer`), long edges and labels become small items of the layers they cross, the order within layers is
//! improved to reduce crossings (`order`), items get coordinates near their neighbours (`place`), and edges become
//! curves (`route`). Every label is an item of its own in a layer between two layers of nodes, so labels never overlap.
//! The components are then placed side by side. Cost: a few dozen sweeps, each linear except for counting crossings.
//!
//! *Along* is the direction from layer to layer, *across* the direction within a layer.

mod layer;
mod order;
mod place;
mod route;

use super::{Direction, Graph};
use std::fmt;

/// The maximal number of nodes of a readable drawing.
pub const MOST_NODES: usize = 200;
/// The maximal number of edges.
pub const MOST_EDGES: usize = 500;

/// A graph with too many nodes or edges to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub nodes: usize,
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

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A cubic Bézier curve: a start, and pieces of two control points and an end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    pub start: Point,
    pub pieces: Vec<[Point; 3]>,
}

/// The radius of the corners of a box.
pub const CORNER: f64 = 15.0;

/// The position and size of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spot {
    /// The centre.
    pub at: Point,
    pub width: f64,
    pub height: f64,
    /// The lines of the label.
    pub lines: Vec<String>,
    pub round: bool,
    /// The arrow of an initial node: start and end.
    pub arrow: Option<(Point, Point)>,
}

/// The curve and the label position of an edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail {
    pub curve: Curve,
    /// The point of the label, on the base line of its text.
    pub label: Point,
    /// The alignment of the text at that point.
    pub anchor: Anchor,
}

/// The alignment of a text at its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Anchor {
    Start,
    #[default]
    Middle,
    End,
}

/// The geometry of a drawing.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Layout {
    pub width: f64,
    pub height: f64,
    pub nodes: Vec<Spot>,
    pub edges: Vec<Trail>,
}

/// The text metrics.
#[derive(Clone, Copy, Debug)]
pub struct Metrics {
    pub font: f64,
    pub line: f64,
    /// The radius of a round node.
    pub radius: f64,
}

/// Text of 13 pixels.
pub const PIXELS: Metrics = Metrics { font: 13.0, line: 16.0, radius: 19.0 };

impl Metrics {
    /// The approximate width of a text in a sans-serif font.
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

/// The cost of a drawing: its height after scaling it down to the width of a page column.
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

/// Swaps the axes of a layout from left to right.
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

/// Places the components side by side across, with a new column if that gets too long.
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
