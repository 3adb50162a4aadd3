//! Drawings: nothing overlaps, nothing is lost, and the same graph is always drawn alike.

use crate::support::dice::Dice;
use crate::support::plain;
use crate::support::systems::{figure_3_1, questioning};
use desc::automaton::view::Projection;
use desc::draw::figure::{self, DrawContext};
use desc::draw::layout::{self, Anchor, Layout, PIXELS, Point};
use desc::draw::{self, Direction, Graph, Kind, Label, Node, Options};
use desc::model::{Horizon, OWN, System, ViewId};
use desc::paper::Budget;
use desc::paper::adjoint::single_states;
use desc::paper::decide::Structures;

/// Every figure of a system: what it is, and its graph.
fn figures(system: &System, projection: Projection) -> Vec<(&'static str, Graph)> {
    let eye = DrawContext { system, view_id: ViewId { observer: OWN, projection }, ascii: false };
    let built = Structures::new(eye.view(), &single_states(), Horizon::Infinite, &mut Budget::unlimited()).unwrap();
    vec![
        ("system", figure::system(&eye, false)),
        ("variant", figure::system(&eye, true)),
        ("augmented", figure::plant(&eye, &built.plant, "Ĝ")),
        ("observer", figure::observer(&eye, &built.plant, &built.observer, "Obs")),
        ("modified observer", figure::observer(&eye, &built.plant, &built.modified, "Obs_m")),
        ("composition", figure::composition(&eye, &built, "Cc")),
    ]
}

fn paper_figures() -> Vec<(&'static str, Graph)> {
    let systems = [plain::system("Figure31", figure_3_1()), plain::system("Questioning", questioning())];
    let of = |system| [Projection::Strong, Projection::Weak].into_iter().flat_map(move |view| figures(system, view));
    systems.iter().flat_map(of).collect()
}

fn random_graph(seed: u64) -> Graph {
    let mut dice = Dice::new(seed);
    let mut graph = Graph::default();
    let n_nodes = 1 + dice.below(24);
    for node in 0..n_nodes {
        let label = "s".repeat(1 + dice.below(9)) + &node.to_string();
        graph.node(Node { label, initial: dice.below(4) == 0, ..Node::default() });
    }
    for _ in 0..dice.below(2 * n_nodes + 1) {
        let text = "e".repeat(1 + dice.below(6));
        let kind = if dice.below(4) == 0 { Kind::Silent } else { Kind::Visible };
        graph.connect(dice.below(n_nodes), dice.below(n_nodes), Label { text, kind });
    }
    graph
}

/// A box: left, top, right, bottom.
type Area = [f64; 4];

fn overlap(a: Area, b: Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn node_areas(layout: &Layout) -> Vec<Area> {
    let area = |spot: &layout::Spot| {
        let (wide, high) = (spot.width / 2.0, spot.height / 2.0);
        [spot.at.x - wide, spot.at.y - high, spot.at.x + wide, spot.at.y + high]
    };
    layout.nodes.iter().map(area).collect()
}

/// The ink of each label, a little less than its line.
fn label_areas(graph: &Graph, layout: &Layout) -> Vec<Area> {
    let area = |(edge, trail): (&draw::Edge, &layout::Trail)| {
        let width = PIXELS.width(&edge.text()) * 0.9;
        let left = match trail.anchor {
            Anchor::Start => trail.label.x,
            Anchor::Middle => trail.label.x - width / 2.0,
            Anchor::End => trail.label.x - width,
        };
        [left, trail.label.y - 9.0, left + width, trail.label.y]
    };
    graph.edges.iter().zip(&layout.edges).map(area).collect()
}

fn inside(layout: &Layout, Point { x, y }: Point) -> bool {
    (0.0..=layout.width).contains(&x) && (0.0..=layout.height).contains(&y)
}

fn check_layout(graph: &Graph, context: &str) {
    for direction in [Direction::Right, Direction::Down] {
        let layout = layout::layout(graph, direction, PIXELS).unwrap();
        let (nodes, labels) = (node_areas(&layout), label_areas(graph, &layout));
        for (at, &node) in nodes.iter().enumerate() {
            let others = nodes[at + 1..].iter();
            assert!(others.clone().all(|&other| !overlap(node, other)), "{context}: node {at} lies on another");
            assert!(labels.iter().all(|&label| !overlap(node, label)), "{context}: a label lies on node {at}");
            assert!(inside(&layout, Point { x: node[0], y: node[1] }), "{context}: node {at} leaves the page");
            assert!(inside(&layout, Point { x: node[2], y: node[3] }), "{context}: node {at} leaves the page");
        }
        for (at, &label) in labels.iter().enumerate() {
            assert!(
                labels[at + 1..].iter().all(|&other| !overlap(label, other)),
                "{context}: label {at} lies on another"
            );
        }
        for trail in &layout.edges {
            let end = trail.curve.pieces.last().unwrap()[2];
            assert!(inside(&layout, trail.curve.start) && inside(&layout, end), "{context}: an edge leaves the page");
        }
    }
}

#[test]
fn nothing_overlaps_in_the_figures_of_the_paper() {
    for (what, graph) in paper_figures() {
        check_layout(&graph, what);
    }
}

#[test]
fn nothing_overlaps_in_random_graphs() {
    for seed in 0..150 {
        check_layout(&random_graph(seed), &format!("graph {seed}"));
    }
}

#[test]
fn svg_is_well_formed_and_holds_every_node_and_edge() {
    for (what, graph) in paper_figures() {
        let text = draw::svg(&graph, &Options { prefix: "p-".to_owned(), ..Options::default() }).unwrap();
        let mut reader = quick_xml::Reader::from_str(&text);
        let (mut nodes, mut edges) = (0, 0);
        loop {
            match reader.read_event().unwrap_or_else(|error| panic!("{what}: {error}")) {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Start(tag) => {
                    let has = |name: &str| tag.try_get_attribute(name).unwrap().is_some();
                    nodes += usize::from(has("data-state") && has("data-states"));
                    edges += usize::from(has("data-source") && has("data-target") && has("data-label"));
                }
                _ => {}
            }
        }
        assert_eq!((nodes, edges), (graph.nodes.len(), graph.edges.len()), "{what}");
    }
}

#[test]
fn names_that_are_markup_stay_text() {
    let mut graph = Graph::new("<&>");
    graph.node(Node { label: "\"<script>\" & {x}_#\\".to_owned(), ..Node::default() });
    let svg = draw::svg(&graph, &Options::default()).unwrap();
    assert!(!svg.contains("<script>"), "{svg}");
    assert!(svg.contains("&quot;&lt;script&gt;&quot; &amp; {x}_#\\"), "{svg}");
    let dot = draw::dot::write(&graph);
    assert!(dot.contains(r#"label="\"<script>\" & {x}_#\\""#), "{dot}");
    let tikz = draw::tikz(&graph, &Options::default()).unwrap();
    assert!(tikz.contains("\\& \\{x\\}\\_\\#\\textbackslash{}"), "{tikz}");
}

/// Names with an escape sequence, a bell, a control character of C1, a return, a mark that turns the direction of text.
const HOSTILE: &str = "a\u{1b}]0;x\u{7}b\u{9b}2J\rc\u{202e}d";

#[test]
fn no_drawing_as_text_carries_what_disturbs_a_terminal() {
    let mut graph = Graph::new(HOSTILE);
    let node = graph.node(Node { label: HOSTILE.to_owned(), initial: true, ..Node::default() });
    graph.connect(node, node, Label { text: HOSTILE.to_owned(), kind: Kind::Anonymous });
    let options = Options { legend: true, ..Options::default() };
    for drawing in [draw::dot::write(&graph), draw::tikz(&graph, &options).unwrap()] {
        let disturbs = |character: char| (character.is_control() && character != '\n') || character == '\u{202e}';
        assert!(!drawing.contains(disturbs), "{drawing:?}");
        assert!(drawing.contains("]0;x"), "the rest of the name stays: {drawing}");
    }
}

#[test]
fn a_graph_that_nobody_could_read_is_refused() {
    let mut graph = Graph::default();
    for node in 0..=layout::MOST_NODES {
        graph.node(Node { label: node.to_string(), ..Node::default() });
    }
    let refused = draw::svg(&graph, &Options::default()).unwrap_err();
    assert_eq!(refused.nodes, 201);
    assert!(draw::dot::write(&graph).contains("n200 "));
}

#[test]
fn parallel_transitions_share_an_edge_and_unobservable_ones_keep_their_own() {
    let mut graph = Graph::default();
    graph.node(Node::default());
    let label = |text: &str, kind| Label { text: text.to_owned(), kind };
    graph.connect(0, 0, label("a", Kind::Anonymous));
    graph.connect(0, 0, label("u", Kind::Silent));
    graph.connect(0, 0, label("b", Kind::Visible));
    let texts: Vec<String> = graph.edges.iter().map(draw::Edge::text).collect();
    assert_eq!(texts, ["a, b", "u"]);
    assert_eq!(graph.edges.iter().filter(|edge| edge.is_silent()).count(), 1);
}

#[test]
fn the_system_of_figure_3_1_as_dot_and_as_a_table() {
    let system = plain::system("Figure31", figure_3_1());
    let eye = DrawContext {
        system: &system,
        view_id: ViewId { observer: OWN, projection: Projection::Strong },
        ascii: false,
    };
    let graph = figure::system(&eye, false);
    insta::assert_snapshot!("figure_3_1_dot", draw::dot::write(&graph));
    insta::assert_snapshot!("figure_3_1_table", draw::table::write(&graph));
}

#[test]
fn the_composition_of_figure_3_1_under_the_weak_projection() {
    let system = plain::system("Figure31", figure_3_1());
    let (_, graph) = figures(&system, Projection::Weak).pop().unwrap();
    insta::assert_snapshot!("figure_4_9_table", draw::table::write(&graph));
}
