//! A graph as JSON: states by number, as in the automaton, and by name.

use super::{Graph, Kind, Node};
use crate::automaton::StateId;
use crate::model::System;
use serde_json::{Value, json};

/// The graph of a system, or of one of its constructions.
pub fn value(graph: &Graph, system: &System) -> Value {
    let names =
        |node: &Node| -> Vec<_> { node.states.iter().map(|&state| system.names.state(StateId(state))).collect() };
    let nodes: Vec<Value> = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(id, node)| {
            json!({
                "id": id, "label": node.label, "states": node.states, "state_names": names(node), "initial": node.initial,
                "empty": node.empty, "secret": node.secret, "highlight": node.highlight,
            })
        })
        .collect();
    let edges: Vec<Value> = graph
        .edges
        .iter()
        .map(|edge| {
            let labels: Vec<Value> =
                edge.labels.iter().map(|label| json!({"text": label.text, "kind": kind(label.kind)})).collect();
            json!({"source": edge.source, "target": edge.target, "labels": labels, "highlight": edge.highlight})
        })
        .collect();
    json!({"schema": 1, "title": graph.title, "nodes": nodes, "edges": edges})
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Visible => "visible",
        Kind::Silent => "silent",
        Kind::Anonymous => "anonymous",
    }
}
