//! What an editor asks besides names: colours, shapes, links, highlights, paths; and what a fault carries.

use super::{NETWORK, URI, names, none, whatever};
use crate::client::Client;
use serde_json::{Value, json};
use std::fs;

/// The words of a text with their class, from the numbers of the semantic tokens.
fn coloured(legend: &Value, text: &str, data: &Value) -> Vec<(String, String)> {
    let numbers: Vec<usize> = data.as_array().expect("numbers").iter().map(|n| n.as_u64().unwrap() as usize).collect();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut column) = (0, 0);
    let mut words = Vec::new();
    for five in numbers.chunks_exact(5) {
        column = if five[0] == 0 { column + five[1] } else { five[1] };
        line += five[0];
        let word = lines[line][column..column + five[2]].to_owned();
        words.push((word, legend["tokenTypes"][five[3]].as_str().expect("a type").to_owned()));
    }
    words
}

#[test]
fn colours_come_whole_in_part_and_as_changes() {
    let (mut client, introduction) = Client::reading(json!({}));
    let legend = introduction["capabilities"]["semanticTokensProvider"]["legend"].clone();
    client.open(URI, NETWORK);
    client.diagnostics(URI, 1, none);
    let document = json!({"uri": URI});
    let all = client.request("textDocument/semanticTokens/full", json!({"textDocument": document}));
    let words = coloured(&legend, NETWORK, &all["data"]);
    let class = |word: &str| words.iter().find(|(found, _)| found == word).map(|(_, class)| class.as_str());
    assert_eq!((class("component"), class("User")), (Some("keyword"), Some("class")));
    assert_eq!((class("idle"), class("send")), (Some("state"), Some("event")));
    let range = json!({"start": {"line": 8, "character": 0}, "end": {"line": 8, "character": 80}});
    let params = json!({"textDocument": document, "range": range});
    let part = client.request("textDocument/semanticTokens/range", params);
    let count = |tokens: &Value| tokens["data"].as_array().map_or(0, Vec::len);
    assert!(count(&part) > 0 && count(&part) < count(&all), "{part}");
    client.replace(URI, 2, &NETWORK.replace("idle", "rest"));
    client.diagnostics(URI, 2, none);
    let params = json!({"textDocument": document, "previousResultId": all["resultId"]});
    let change = client.request("textDocument/semanticTokens/full/delta", params);
    assert_eq!(change["edits"], json!([]), "a name of the same length has the same colours");
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn blocks_fold_and_selections_grow_over_the_wire() {
    let mut client = Client::plain();
    client.open(URI, NETWORK);
    let folds = client.about("textDocument/foldingRange", URI);
    let lines: Vec<_> = folds.as_array().unwrap().iter().map(|fold| (&fold["startLine"], &fold["endLine"])).collect();
    assert_eq!(lines, [(&json!(0), &json!(4)), (&json!(7), &json!(11))]);
    let positions = json!([{"line": 1, "character": 13}]);
    let grown =
        client.request("textDocument/selectionRange", json!({"textDocument": {"uri": URI}, "positions": positions}));
    let first = &grown[0];
    assert_eq!(first["range"]["start"], json!({"line": 1, "character": 12}), "the name");
    assert_eq!(first["parent"]["range"]["start"], json!({"line": 1, "character": 4}), "its statement");
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn the_same_name_is_marked_and_an_instance_leads_to_its_component() {
    let mut client = Client::plain();
    client.open(URI, NETWORK);
    let marked = client.at("textDocument/documentHighlight", URI, NETWORK, "waiting", json!({}));
    let kinds: Vec<_> = marked.as_array().unwrap().iter().map(|mark| mark["kind"].as_u64().unwrap()).collect();
    assert_eq!(kinds, [3, 2, 2], "written once, read twice");
    let place = client.at("textDocument/typeDefinition", URI, NETWORK, "u[1].waiting", json!({}));
    assert_eq!(place["range"]["start"], json!({"line": 0, "character": 10}));
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn hovering_tells_how_an_event_looks_and_which_state_is_secret() {
    const LAMP: &str = "\
system Lamp {
    /// What a passer-by sees.
    states on, off;
    initial off;
    events press, blow, dust;
    observable press, blow;
    anonymous press;
    secret on;
    off -press-> on -press-> off;
    on -{blow, dust}-> off;
}
";
    let mut client = Client::plain();
    client.open(URI, LAMP);
    client.diagnostics(URI, 1, whatever);
    let mut hovered = |word: &str| {
        let hover = client.at("textDocument/hover", URI, LAMP, word, json!({}));
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let on = hovered("on, off");
    assert!(on.contains("What a passer-by sees.") && on.contains("Secret."), "{on}");
    assert!(!hovered("off;").contains("Secret."));
    assert!(hovered("press,").contains("Observable and anonymous"), "{}", hovered("press,"));
    assert!(hovered("blow, dust").contains("Observable: the intruder sees it"), "{}", hovered("blow, dust"));
    assert!(hovered("dust;").contains("Unobservable"), "{}", hovered("dust;"));
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn a_fault_links_to_its_explanation_and_to_its_other_half() {
    let mut client = Client::plain();
    client.open(URI, &NETWORK.replace("states  idle, waiting", "states  idle, waiting, idle"));
    let faults = client.diagnostics(URI, 1, |list| !none(list));
    let fault = &faults[0];
    assert_eq!(fault["code"], "E0203");
    assert!(fault["codeDescription"]["href"].as_str().is_some_and(|link| link.contains("E0203")), "{fault}");
    let other = &fault["relatedInformation"][0];
    assert_eq!(other["message"], "first declared here");
    assert_eq!(other["location"]["range"]["start"], json!({"line": 1, "character": 12}));
    assert_eq!(client.finish(), Some(0));
}

/// A folder with models, and the address of a file in it.
fn shelf() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = fs::canonicalize(folder.path()).expect("a folder");
    fs::create_dir(root.join("parts")).expect("a folder");
    for name in ["mix.des", "plant.fsm", "notes.txt", ".hidden.des", "parts/user.des"] {
        fs::write(root.join(name), "").expect("a file");
    }
    (folder, format!("file://{}/main.des", root.display()))
}

#[test]
fn imports_are_proposed_inside_their_quotes_and_linked() {
    let (_folder, uri) = shelf();
    let mut client = Client::plain();
    let mut proposed = |text: &str| {
        let position = json!({"line": 0, "character": text.find('^').expect("a mark")});
        client.open(&uri, &text.replacen('^', "", 1));
        client.request("textDocument/completion", json!({"textDocument": {"uri": uri}, "position": position}))
    };
    assert_eq!(names(&proposed("import \"^"), "label"), ["mix.des", "plant.fsm", "parts/"]);
    assert_eq!(names(&proposed("import \"mi^\";\nsystem S { }"), "label"), ["mix.des", "plant.fsm", "parts/"]);
    let inner = proposed("import \"parts/us^");
    assert_eq!(names(&inner, "label"), ["user.des"]);
    assert_eq!(inner[0]["textEdit"]["range"]["start"]["character"], 14, "only the last part is replaced");
    assert_eq!(proposed("import \"../^"), json!([]), "imports stay below the folder");
    assert_eq!(proposed("system S { states \"^"), json!([]), "a name is no path");
    client.open(&uri, "import \"mix.des\";\n");
    let links = client.about("textDocument/documentLink", &uri);
    assert_eq!(links[0]["target"], json!(uri.replace("main.des", "mix.des")));
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn a_verdict_is_told_once_where_the_client_shows_it_after_the_check() {
    for (capabilities, title) in
        [(json!({"textDocument": {"inlayHint": {}}}), "▶ decide again"), (json!({}), "✗ violated")]
    {
        let (mut client, _) = Client::start(capabilities, json!({}));
        client.open(URI, "system S { states A, B; initial A; events a; A -a-> B; check current-state; }");
        client.diagnostics(URI, 1, |list| list.to_string().contains("violated"));
        let lenses = client.about("textDocument/codeLens", URI);
        let shown = lenses[0]["command"]["title"].as_str().unwrap_or_default();
        assert!(shown.starts_with(title), "{shown}");
        assert_eq!(client.finish(), Some(0));
    }
}

/// A model whose weak check takes minutes at least.
fn hard() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/protocols/badge_office.des");
    let text = fs::read_to_string(path).expect("an example");
    let harder = text.replacen("const N = 2;", "const N = 6;", 1);
    assert_ne!(harder, text, "it has a constant");
    harder
}

#[test]
fn a_search_is_given_up_when_its_text_changes_and_when_the_server_ends() {
    // An hour for each search: only giving up lets the second text have its verdict.
    let (mut client, _) =
        Client::start(json!({}), json!({"verify": {"enabled": true, "timeout": 3600, "memory": 512}}));
    client.open(URI, &hard());
    client.diagnostics(URI, 1, whatever);
    let lenses = client.about("textDocument/codeLens", URI);
    assert!(lenses.to_string().contains("… deciding"), "the first text is being decided: {lenses}");
    client.replace(URI, 2, "system S { states A, B; initial A; events a; A -a-> B; check current-state; }");
    client.diagnostics(URI, 2, |list| list.to_string().contains("violated"));
    client.replace(URI, 3, &hard());
    client.diagnostics(URI, 3, whatever);
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn of_thousands_of_names_those_that_fit_are_proposed() {
    let names: Vec<String> = (0..2000).map(|at| format!("s{at}")).collect();
    let text = format!("system S {{\n states {};\n initial s0;\n events a;\n s0 -a-> s19", names.join(", "));
    let mut client = Client::plain();
    client.open(URI, &text);
    let mut proposed = |character: usize| {
        let position = json!({"line": 4, "character": character});
        client.request("textDocument/completion", json!({"textDocument": {"uri": URI}, "position": position}))
    };
    let some = proposed(" s0 -a-> ".len());
    assert_eq!((some["isIncomplete"].as_bool(), some["items"].as_array().map(Vec::len)), (Some(true), Some(400)));
    let fitting = proposed(" s0 -a-> s19".len());
    let labels = super::names(&fitting["items"], "label");
    assert_eq!(labels.len(), 1 + 10 + 100, "s19, s190 to s199, s1900 to s1999");
    assert!(labels.contains(&"s1999".to_owned()));
    assert_eq!(client.finish(), Some(0));
}
