//! The layers of nodes, labels and long edges.
//!
//! Cycles are broken at the edges that lead back towards the entry of the cycle. The layer of a node is then the length of
//! the longest path to it; nodes without predecessors are moved next to their successors. Nodes are in
//! the even layers, labels in the odd ones.

use super::{Metrics, Spot};
use crate::draw::Graph;

/// A connected component of a graph.
pub struct Part {
    pub nodes: Vec<usize>,
    pub edges: Vec<usize>,
}

/// The connected components, in the order of their first nodes.
pub fn parts(graph: &Graph) -> Vec<Part> {
    let mut part_of: Vec<usize> = (0..graph.nodes.len()).collect();
    fn root(part_of: &[usize], mut at: usize) -> usize {
        while part_of[at] != at {
            at = part_of[at];
        }
        at
    }
    for edge in &graph.edges {
        let (a, b) = (root(&part_of, edge.source), root(&part_of, edge.target));
        part_of[a.max(b)] = a.min(b);
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut place = vec![usize::MAX; graph.nodes.len()];
    for node in 0..graph.nodes.len() {
        let root = root(&part_of, node);
        if place[root] == usize::MAX {
            place[root] = parts.len();
            parts.push(Part { nodes: Vec::new(), edges: Vec::new() });
        }
        parts[place[root]].nodes.push(node);
    }
    for (at, edge) in graph.edges.iter().enumerate() {
        parts[place[root(&part_of, edge.source)]].edges.push(at);
    }
    parts
}

/// An item of a layer: a node, a label, or the crossing of a long edge.
#[derive(Clone, Debug)]
pub struct Item {
    /// The extent towards the start of the layer.
    pub before: f64,
    /// The extent towards its end.
    pub after: f64,
    /// The extent along.
    pub along: f64,
    pub is_node: bool,
}

/// A connected component in layers.
pub struct Scene {
    /// Nodes first, in the order of the component.
    pub items: Vec<Item>,
    pub layer: Vec<usize>,
    pub layers: Vec<Vec<usize>>,
    /// The links between items of neighbouring layers, towards the later layer.
    pub links: Vec<(usize, usize)>,
    /// The route of each edge of the component.
    pub runs: Vec<Run>,
    /// The centre of each item along.
    pub along: Vec<f64>,
    /// The centre of each item across.
    pub across: Vec<f64>,
    /// The size and the label lines of each node.
    pub spots: Vec<Spot>,
    pub initial: Vec<bool>,
    /// Whether an edge enters the node from the previous layer.
    pub entered: Vec<bool>,
    /// Whether the axes will be swapped.
    pub down: bool,
    /// The text metrics.
    pub metrics: Metrics,
}

/// The route of an edge.
#[derive(Clone, Debug)]
pub enum Run {
    /// A loop: above the node, or below if there is another one above.
    Loop(usize, bool),
    /// Through these items, from the earlier layer to the later one.
    Chain {
        /// Nodes at both ends.
        items: Vec<usize>,
        /// The edge leads from the last item to the first.
        turned: bool,
        /// The item of the label.
        label: usize,
    },
}

/// The height of a loop.
pub const LOOP: f64 = 20.0;

impl Scene {
    pub fn new(graph: &Graph, part: &Part, down: bool, metrics: Metrics) -> Scene {
        let local = |node: usize| part.nodes.binary_search(&node).expect("parts hold their edges' nodes");
        let ends: Vec<(usize, usize)> =
            part.edges.iter().map(|&e| (local(graph.edges[e].source), local(graph.edges[e].target))).collect();
        let initial: Vec<bool> = part.nodes.iter().map(|&node| graph.nodes[node].initial).collect();
        let turned = turned(&initial, &ends);
        let layer: Vec<usize> = layers(initial.len(), &ends, &turned).iter().map(|layer| 2 * layer).collect();
        let spots: Vec<Spot> = part.nodes.iter().map(|&node| spot(&graph.nodes[node].label, down, metrics)).collect();
        let items = spots.iter().map(|spot| Item {
            before: spot.height / 2.0,
            after: spot.height / 2.0,
            along: spot.width,
            is_node: true,
        });
        let mut scene = Scene {
            items: items.collect(),
            entered: vec![false; layer.len()],
            layer,
            layers: Vec::new(),
            links: Vec::new(),
            runs: Vec::new(),
            along: Vec::new(),
            across: Vec::new(),
            spots,
            initial,
            down,
            metrics,
        };
        for (at, &(source, target)) in ends.iter().enumerate() {
            scene.edge(source, target, turned[at], &graph.edges[part.edges[at]].text());
        }
        scene.fill();
        scene
    }

    fn edge(&mut self, source: usize, target: usize, turned: bool, text: &str) {
        if source == target {
            let room = if self.down { self.metrics.width(text) + 6.0 } else { self.metrics.line };
            let second = self.runs.iter().any(|run| matches!(run, Run::Loop(node, _) if *node == source));
            let item = &mut self.items[source];
            *(if second { &mut item.after } else { &mut item.before }) += LOOP + room;
            self.runs.push(Run::Loop(source, second));
            return;
        }
        let (first, last) = if turned { (target, source) } else { (source, target) };
        self.entered[last] = true;
        let (from, to) = (self.layer[first], self.layer[last]);
        let middle = usize::midpoint(from, to) | 1;
        let mut items = vec![first];
        let mut label = first;
        for layer in from + 1..to {
            let item = if layer == middle { self.label_item(text) } else { bend() };
            let id = self.items.len();
            label = if layer == middle { id } else { label };
            self.items.push(item);
            self.layer.push(layer);
            items.push(id);
        }
        items.push(last);
        self.links.extend(items.windows(2).map(|pair| (pair[0], pair[1])));
        self.runs.push(Run::Chain { items, turned, label });
    }

    /// The edge runs through the item of its label; the text is above it, or to its right.
    fn label_item(&self, text: &str) -> Item {
        let (width, line) = (self.metrics.width(text), self.metrics.line);
        if self.down {
            Item { before: 4.0, after: width + 14.0, along: line, is_node: false }
        } else {
            Item { before: line, after: 3.0, along: width + 6.0, is_node: false }
        }
    }

    fn fill(&mut self) {
        let n_layers = self.layer.iter().max().map_or(0, |last| last + 1);
        self.layers = vec![Vec::new(); n_layers];
        for (item, &layer) in self.layer.iter().enumerate() {
            self.layers[layer].push(item);
        }
        self.along = vec![0.0; self.items.len()];
        self.across = vec![0.0; self.items.len()];
    }
}

fn bend() -> Item {
    Item { before: 1.0, after: 1.0, along: 0.0, is_node: false }
}

/// The size of a node: a circle for a short label, else a box with the label in lines. The axes are swapped with the drawing.
fn spot(label: &str, down: bool, metrics: Metrics) -> Spot {
    let lines = lines(label);
    let widest = lines.iter().map(|line| metrics.width(line)).fold(0.0, f64::max);
    let round = lines.len() == 1 && widest <= 2.0 * metrics.radius - 8.0;
    let (width, height) = match round {
        true => (2.0 * metrics.radius, 2.0 * metrics.radius),
        false => (widest + 20.0, lines.len() as f64 * metrics.line + 14.0),
    };
    let (width, height) = if down { (height, width) } else { (width, height) };
    Spot { width, height, lines, round, ..Spot::default() }
}

/// Breaks a long label at its commas: `(x, {..})` after x, sets where a line is full.
fn lines(label: &str) -> Vec<String> {
    const FULL: usize = 20;
    if label.chars().count() <= FULL {
        return vec![label.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in label.split_inclusive(", ") {
        let line = lines.last_mut().expect("there is always a line");
        let full = line.chars().count() + word.trim_end().chars().count() > FULL;
        if !line.is_empty() && (full || word.starts_with('{')) {
            lines.push(word.to_owned());
        } else {
            line.push_str(word);
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The reversed edges: those that lead back towards the entry of their strongly connected
/// component.
fn turned(initial: &[bool], ends: &[(usize, usize)]) -> Vec<bool> {
    let reached: Vec<Vec<usize>> = (0..initial.len()).map(|node| levels(initial.len(), ends, &[node])).collect();
    let knotted = |a: usize, b: usize| reached[a][b] != FAR && reached[b][a] != FAR;
    let mut turned = vec![false; ends.len()];
    let mut done = vec![false; initial.len()];
    for first in 0..initial.len() {
        if done[first] {
            continue;
        }
        let knot: Vec<usize> = (0..initial.len()).filter(|&node| knotted(first, node)).collect();
        let inside: Vec<(usize, usize)> =
            ends.iter().copied().filter(|&(a, b)| knotted(first, a) && knotted(first, b)).collect();
        let level = levels(initial.len(), &inside, &entries(&knot, initial, ends));
        for (edge, &(source, target)) in ends.iter().enumerate() {
            if inside.contains(&(source, target)) {
                turned[edge] = (level[target], target) < (level[source], source);
            }
        }
        knot.iter().for_each(|&node| done[node] = true);
    }
    turned
}

/// The entry of a strongly connected component: a node with a predecessor outside, else its first initial node, else its first node.
fn entries(knot: &[usize], initial: &[bool], ends: &[(usize, usize)]) -> Vec<usize> {
    let from_outside = |node: &usize| ends.iter().any(|(source, target)| target == node && !knot.contains(source));
    let entries: Vec<usize> = knot.iter().copied().filter(from_outside).collect();
    match entries.is_empty() {
        false => entries,
        true => vec![knot.iter().copied().find(|&node| initial[node]).unwrap_or(knot[0])],
    }
}

const FAR: usize = usize::MAX;

/// The distance of each node from the roots.
fn levels(n_nodes: usize, ends: &[(usize, usize)], roots: &[usize]) -> Vec<usize> {
    let mut level = vec![FAR; n_nodes];
    let mut front: Vec<usize> = roots.to_vec();
    roots.iter().for_each(|&root| level[root] = 0);
    let mut distance = 0;
    while !front.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for &(source, target) in ends {
            if level[source] == distance - 1 && level[target] == FAR {
                level[target] = distance;
                next.push(target);
            }
        }
        front = next;
    }
    level
}

/// The longest path to each node; nodes without predecessors move next to their successors.
fn layers(n_nodes: usize, ends: &[(usize, usize)], turned: &[bool]) -> Vec<usize> {
    let forward: Vec<(usize, usize)> = ends
        .iter()
        .zip(turned)
        .filter(|((source, target), _)| source != target)
        .map(|(&(source, target), &turned)| if turned { (target, source) } else { (source, target) })
        .collect();
    let mut layer = vec![0; n_nodes];
    for _ in 0..n_nodes {
        let mut still = true;
        for &(from, to) in &forward {
            if layer[to] <= layer[from] {
                layer[to] = layer[from] + 1;
                still = false;
            }
        }
        if still {
            break;
        }
    }
    for node in 0..n_nodes {
        let entered = forward.iter().any(|&(_, to)| to == node);
        let nearest = forward.iter().filter(|&&(from, _)| from == node).map(|&(_, to)| layer[to]).min();
        if let (false, Some(nearest)) = (entered, nearest) {
            layer[node] = nearest - 1;
        }
    }
    layer
}
