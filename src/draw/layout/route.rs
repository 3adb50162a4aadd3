//! The curves of the edges, after all coordinates are known.
//!
//! An edge leaves its node in its direction, crosses each layer straight, so that it never runs through a node or a
//! text, and bends between the layers. A loop is above its node. The arrow of an initial node comes from the side of the previous
//! layer, or from the corner if edges come from there.

use super::layer::{LOOP, Run, Scene};
use super::place::thickness;
use super::{Anchor, CORNER, Curve, Point, Spot, Trail};

/// A connected component in its own coordinates.
pub struct Drawing {
    pub nodes: Vec<Spot>,
    pub edges: Vec<Trail>,
    pub along: f64,
    pub across: f64,
}

const ARROW: f64 = 22.0;

pub fn route(scene: &Scene) -> Drawing {
    let lead = ARROW + 2.0;
    let top = (0..scene.items.len()).map(|item| scene.across[item] - scene.items[item].before).fold(f64::MAX, f64::min);
    let bottom =
        (0..scene.items.len()).map(|item| scene.across[item] + scene.items[item].after).fold(f64::MIN, f64::max);
    let at = |item: usize| Point { x: scene.along[item] + lead, y: scene.across[item] - top };
    let mut nodes: Vec<Spot> = scene.spots.clone();
    for (node, spot) in nodes.iter_mut().enumerate() {
        spot.at = at(node);
        spot.arrow = scene.initial[node].then(|| initial_arrow(spot, scene.entered[node]));
    }
    let edges = scene.runs.iter().map(|run| match run {
        Run::Loop(node, below) => looped(&nodes[*node], *below, scene),
        Run::Chain { items, turned, label } => chain(scene, &nodes, items, *turned, *label, &at),
    });
    let edges: Vec<Trail> = edges.collect();
    let along = (0..scene.layers.len()).map(|layer| extent(scene, layer)).fold(0.0, f64::max) + lead;
    Drawing { nodes, edges, along, across: bottom - top }
}

fn extent(scene: &Scene, layer: usize) -> f64 {
    scene.layers[layer].first().map_or(0.0, |&item| scene.along[item] + thickness(scene, layer) / 2.0)
}

fn initial_arrow(spot: &Spot, entered: bool) -> (Point, Point) {
    let Point { x, y } = spot.at;
    if !entered {
        return (Point { x: x - spot.width / 2.0 - ARROW, y }, Point { x: x - spot.width / 2.0, y });
    }
    let tip = match spot.round {
        true => Point { x: x - spot.width * 0.354, y: y + spot.height * 0.354 },
        false => Point { x: x - spot.width / 2.0 + 5.0, y: y + spot.height / 2.0 - 2.0 },
    };
    (Point { x: tip.x - 13.0, y: tip.y + 13.0 }, tip)
}

fn looped(spot: &Spot, below: bool, scene: &Scene) -> Trail {
    let Point { x, y } = spot.at;
    let side = if below { 1.0 } else { -1.0 };
    let (half, edge) = match spot.round {
        true => (spot.width * 0.25, spot.height * 0.433),
        false => (9.0, spot.height / 2.0),
    };
    let (start, end) = (Point { x: x - half, y: y + side * edge }, Point { x: x + half, y: y + side * edge });
    let summit = spot.height / 2.0 + LOOP;
    // WHY: a cubic reaches three quarters of the way to its control points.
    let control = y + side * (edge + (summit - edge) * 4.0 / 3.0);
    let piece = [Point { x: x - half - 8.0, y: control }, Point { x: x + half + 8.0, y: control }, end];
    let font = scene.metrics.font;
    let (label, anchor) = match (scene.down, below) {
        (true, false) => (Point { x: x + 0.35 * font, y: y - summit - 4.0 }, Anchor::End),
        (true, true) => (Point { x: x + 0.35 * font, y: y + summit + 4.0 }, Anchor::Start),
        (false, false) => (Point { x, y: y - summit - 4.0 }, Anchor::Middle),
        (false, true) => (Point { x, y: y + summit + 2.0 + 0.8 * font }, Anchor::Middle),
    };
    Trail { curve: Curve { start, pieces: vec![piece] }, label, anchor }
}

fn chain(
    scene: &Scene,
    nodes: &[Spot],
    items: &[usize],
    turned: bool,
    label: usize,
    at: &impl Fn(usize) -> Point,
) -> Trail {
    let (first, last) = (items[0], items[items.len() - 1]);
    let mut stops: Vec<Stop> = Vec::new();
    let mut slope: f64 = 0.0;
    for around in items.windows(3) {
        let item = around[1];
        let half = thickness(scene, scene.layer[item]) / 2.0;
        let Point { x, y } = at(item);
        let steep = (at(around[2]).y - at(around[0]).y).abs() / (at(around[2]).x - at(around[0]).x).abs().max(1.0);
        // WHY: text beside a line lets it slant, text above it only a little.
        if scene.layer[item] % 2 == 1 && (scene.down || steep < 0.3) {
            slope = if item == label { steep.min(1.5) } else { slope };
            stops.push(Stop { at: Point { x, y }, heading: None });
        } else {
            stops.push(Stop { at: Point { x: x - half, y }, heading: Some(AHEAD) });
            stops.push(Stop { at: Point { x: x + half, y }, heading: Some(AHEAD) });
        }
    }
    let curve = thread(&nodes[first], stops, &nodes[last], scene.down);
    let place = at(label);
    let (label, anchor) = match scene.down {
        true => (Point { x: place.x + 0.35 * scene.metrics.font, y: place.y + 6.0 + 7.0 * slope }, Anchor::Start),
        false => (Point { x: place.x, y: place.y - 5.0 - 0.5 * slope * scene.items[label].along }, Anchor::Middle),
    };
    Trail { curve: if turned { reversed(curve) } else { curve }, label, anchor }
}

/// A point of an edge and its direction there; `None`: from the previous point towards the next one.
struct Stop {
    at: Point,
    heading: Option<Point>,
}

const AHEAD: Point = Point { x: 1.0, y: 0.0 };

/// A smooth curve from node to node through the stops.
fn thread(from: &Spot, mut stops: Vec<Stop>, to: &Spot, down: bool) -> Curve {
    let start = attach(from, stops[0].at, 1.0, down);
    let end = attach(to, stops[stops.len() - 1].at, -1.0, down);
    stops.insert(0, start);
    stops.push(end);
    let heading = |at: usize| {
        let around = (&stops[at.saturating_sub(1)], &stops[(at + 1).min(stops.len() - 1)]);
        stops[at].heading.unwrap_or_else(|| towards(around.0.at, around.1.at))
    };
    let pieces = (1..stops.len()).map(|at| bend(stops[at - 1].at, heading(at - 1), stops[at].at, heading(at)));
    Curve { start: stops[0].at, pieces: pieces.collect() }
}

/// The point where an edge touches a node on its way to or from a point.
fn attach(spot: &Spot, other: Point, side: f64, down: bool) -> Stop {
    let Point { x, y } = spot.at;
    let (dx, dy) = ((other.x - x).abs().max(1.0), other.y - y);
    if spot.round {
        let angle = (dy / dx).atan().clamp(-1.05, 1.05);
        let radius = spot.width / 2.0;
        let touch = Point { x: x + side * radius * angle.cos(), y: y + radius * angle.sin() };
        return Stop { at: touch, heading: Some(Point { x: angle.cos(), y: side * angle.sin() }) };
    }
    let most = (spot.height / 2.0 - 7.0).max(0.0);
    let along = (dy * 0.4).clamp(-most, most);
    let touch = Point { x: x + side * (spot.width / 2.0 - inset(spot, along)), y: y + along };
    Stop { at: touch, heading: if down { None } else { Some(AHEAD) } }
}

/// How far the rounded corner of a box recedes at this distance from its middle.
fn inset(spot: &Spot, along: f64) -> f64 {
    let corner = (spot.height.min(spot.width) / 2.0).min(CORNER);
    let beyond = (along.abs() - (spot.height / 2.0 - corner)).max(0.0);
    corner - (corner * corner - beyond * beyond).max(0.0).sqrt()
}

fn towards(from: Point, to: Point) -> Point {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(0.1);
    Point { x: dx / length, y: dy / length }
}

fn bend(from: Point, away: Point, to: Point, arriving: Point) -> [Point; 3] {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    // WHY: half the way along keeps the bends between layers; a third of the way is straight when nothing bends.
    let reach = (dx.abs() * 0.5).max(dx.hypot(dy) / 3.0).min(dx.hypot(dy) * 0.6);
    let first = Point { x: from.x + away.x * reach, y: from.y + away.y * reach };
    let second = Point { x: to.x - arriving.x * reach, y: to.y - arriving.y * reach };
    [first, second, to]
}

fn reversed(curve: Curve) -> Curve {
    let mut pieces = Vec::new();
    let mut start = curve.start;
    for [first, second, end] in curve.pieces {
        pieces.push([second, first, start]);
        start = end;
    }
    pieces.reverse();
    Curve { start, pieces }
}
