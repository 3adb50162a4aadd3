//! Random edits, with characters of one, two, three and four bytes: after them the server knows what a fresh one knows.

use super::*;
use crate::client::position;
use proptest::prelude::*;
use std::cell::RefCell;

const PIECES: &[&str] = &[
    "",
    ";",
    "{",
    "}",
    "\n",
    "\r\n",
    "é",
    "γ₁",
    "\u{1f600}",
    "states ",
    "A -a-> B;",
    "\"",
    "/*",
    "check weak ",
    "[?1 ",
];

#[derive(Debug, Clone)]
struct Edit {
    from: prop::sample::Index,
    length: usize,
    piece: &'static str,
}

fn edit() -> impl Strategy<Value = Edit> {
    (any::<prop::sample::Index>(), 0..12usize, prop::sample::select(PIECES)).prop_map(|(from, length, piece)| Edit {
        from,
        length,
        piece,
    })
}

/// Places that a client can name: character boundaries, not between `\r` and `\n`.
fn places(text: &str) -> Vec<usize> {
    let inside = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
    (0..=text.len()).filter(|&at| text.is_char_boundary(at) && !inside(at)).collect()
}

fn change(text: &mut String, edit: &Edit, utf8: bool) -> Value {
    let places = places(text);
    let first = edit.from.index(places.len());
    let (start, end) = (places[first], places[(first + edit.length).min(places.len() - 1)]);
    let range = json!({"start": position(text, start, utf8), "end": position(text, end, utf8)});
    text.replace_range(start..end, edit.piece);
    json!({"range": range, "text": edit.piece})
}

/// What the server knows of a document, without the numbers of versions and results.
fn known(client: &mut Client, uri: &str) -> Vec<Value> {
    let params = json!({"textDocument": {"uri": uri}});
    let tokens = client.request("textDocument/semanticTokens/full", params.clone())["data"].clone();
    let mut known = vec![tokens];
    for method in ["textDocument/documentSymbol", "textDocument/foldingRange"] {
        known.push(client.request(method, params.clone()));
    }
    known
}

fn without_addresses(list: &Value) -> Value {
    serde_json::from_str(&list.to_string().replace("edited.des", "fresh.des")).expect("still JSON")
}

fn run(edits: &[Vec<Edit>], client: &mut Client, round: usize, utf8: bool) -> Result<(), TestCaseError> {
    let edited = format!("file:///{round}/edited.des");
    let fresh = format!("file:///{round}/fresh.des");
    let mut text = NETWORK.replace("Network", "\u{1f600}γ").replacen("\u{1f600}γ", "\"\u{1f600}γ\"", 1);
    client.open(&edited, &text);
    for (at, batch) in edits.iter().enumerate() {
        let changes: Vec<Value> = batch.iter().map(|edit| change(&mut text, edit, utf8)).collect();
        client.change(&edited, at as i64 + 2, json!(changes));
    }
    client.open(&fresh, &text);
    let version = edits.len() as i64 + 1;
    let (old, new) = (client.diagnostics(&edited, version, whatever), client.diagnostics(&fresh, 1, whatever));
    prop_assert_eq!(known(client, &edited), known(client, &fresh), "{:?}", text);
    let faults = |list: &Value| {
        let list = list.as_array().cloned().unwrap_or_default();
        list.into_iter().filter(|one| one["code"] != "violated").collect::<Vec<_>>()
    };
    prop_assert_eq!(faults(&without_addresses(&old)), faults(&new), "{:?}", text);
    for uri in [&edited, &fresh] {
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
    Ok(())
}

#[test]
fn any_sequence_of_edits_ends_where_a_fresh_start_does() {
    for encoding in ["utf-16", "utf-8"] {
        let capabilities = json!({"general": {"positionEncodings": [encoding]}});
        let client = RefCell::new((Client::reading(capabilities).0, 0));
        let config = ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() };
        let batches = prop::collection::vec(prop::collection::vec(edit(), 1..4), 1..6);
        proptest!(config, |(edits in batches)| {
            let (client, round) = &mut *client.borrow_mut();
            *round += 1;
            run(&edits, client, *round, encoding == "utf-8")?;
        });
        assert_eq!(client.into_inner().0.finish(), Some(0));
    }
}
