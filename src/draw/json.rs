//! A graph as JSON.

use super::{Graph, Kind};
use serde_json::{Value, json};

pub fn value(graph: &Graph) -> Value {
    let nodes: Vec<Value> = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(id, node)| {
            json!({
                "id": id, "label": node.label, "states": node.states, "initial": node.initial, "empty": node.empty,
                "secret": node.secret, "highlight": node.highlight,
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
