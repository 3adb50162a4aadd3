//! A client that speaks the protocol to the real binary.

mod answers;
mod edits;
mod quick_fixes;

use crate::client::Client;
use serde_json::{Value, json};

const URI: &str = "file:///models/network.des";

const NETWORK: &str = "\
component User(i) {
    states  idle, waiting;
    initial idle;
    events  send[i], ack;
    idle -send[i]-> waiting -ack-> idle;
}

system Network {
    compose u[i] = User(i) for i in 1..2;
    anonymous send[1..2];
    secret    u[1].waiting;
    check strong 1-step opacity;
}
";

fn names(list: &Value, key: &str) -> Vec<String> {
    let items = list.as_array().expect("a list");
    items.iter().map(|item| item[key].as_str().expect("a text").to_owned()).collect()
}

fn whatever(_: &Value) -> bool {
    true
}

fn none(diagnostics: &Value) -> bool {
    diagnostics == &json!([])
}

#[test]
fn the_server_introduces_itself_and_ends_when_told() {
    let (client, introduction) = Client::start(json!({}), json!({}));
    let capabilities = &introduction["capabilities"];
    assert_eq!(introduction["serverInfo"]["name"], "desc");
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["textDocumentSync"]["change"], 2, "incremental");
    for provider in [
        "completionProvider",
        "hoverProvider",
        "signatureHelpProvider",
        "definitionProvider",
        "referencesProvider",
        "documentSymbolProvider",
        "workspaceSymbolProvider",
        "codeActionProvider",
        "codeLensProvider",
        "documentLinkProvider",
        "documentFormattingProvider",
        "renameProvider",
        "foldingRangeProvider",
        "selectionRangeProvider",
        "semanticTokensProvider",
        "inlayHintProvider",
        "executeCommandProvider",
    ] {
        assert!(capabilities.get(provider).is_some_and(|found| !found.is_null()), "{provider}");
    }
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn columns_are_counted_as_the_client_wants() {
    let text = "system \"\u{1f600}γ\" { states A; initial A; events a; A -a-> A; }";
    for (encoding, column) in [("utf-8", 20), ("utf-16", 17)] {
        let capabilities = json!({"general": {"positionEncodings": [encoding]}});
        let (mut client, introduction) = Client::start(capabilities, json!({}));
        assert_eq!(introduction["capabilities"]["positionEncoding"], encoding);
        client.open(URI, text);
        let symbols = client.about("textDocument/documentSymbol", URI);
        let state = &symbols[0]["children"][0];
        assert_eq!(state["name"], "A");
        assert_eq!(state["range"]["start"]["character"], column + 5, "{encoding}");
        assert_eq!(client.finish(), Some(0));
    }
}

#[test]
fn faults_come_and_go_with_the_text() {
    let mut client = Client::plain();
    client.open(URI, &NETWORK.replace("initial idle;", "initial idle"));
    let faults = client.diagnostics(URI, 1, |list| !none(list));
    let fault = &faults[0];
    assert!(fault["code"].as_str().is_some_and(|code| code.starts_with("E01")), "{fault}");
    assert_eq!(fault["source"], "desc");
    // The missing `;` is put in, as an edit of one place.
    let end = json!({"line": 2, "character": 16});
    client.change(URI, 2, json!([{"range": {"start": end, "end": end}, "text": ";"}]));
    client.diagnostics(URI, 2, none);
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn names_are_found_and_renamed_over_the_wire() {
    let mut client = Client::plain();
    client.open(URI, NETWORK);
    let place = client.at("textDocument/definition", URI, NETWORK, "waiting;\n    check", json!({}));
    assert_eq!(place["range"]["start"], json!({"line": 1, "character": 18}));
    let context = json!({"context": {"includeDeclaration": true}});
    let uses = client.at("textDocument/references", URI, NETWORK, "send[1..2]", context);
    assert_eq!(uses.as_array().map(Vec::len), Some(3));
    let placeholder = client.at("textDocument/prepareRename", URI, NETWORK, "waiting", json!({}));
    assert_eq!(placeholder["placeholder"], "waiting");
    let edit = client.at("textDocument/rename", URI, NETWORK, "waiting", json!({"newName": "at work"}));
    let edits = edit["changes"][URI].as_array().expect("edits");
    assert_eq!(edits.len(), 3);
    assert!(edits.iter().all(|edit| edit["newText"] == "\"at work\""));
    let hover = client.at("textDocument/hover", URI, NETWORK, "check strong", json!({}));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("secret")), "{hover}");
    let link = client.about("textDocument/documentLink", URI);
    assert_eq!(link, json!([]));
    let found = client.request("workspace/symbol", json!({"query": "wait"}));
    assert_eq!(names(&found, "name"), ["waiting"]);
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn completion_works_in_broken_text() {
    let mut client = Client::plain();
    let text = NETWORK.replace("check strong 1-step opacity;\n}", "check weak \n");
    client.open(URI, &text);
    let offset = "check weak ";
    let line = text[..text.find(offset).unwrap()].matches('\n').count();
    let params = json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": 4 + offset.len()}});
    let items = client.request("textDocument/completion", params);
    assert!(names(&items, "label").contains(&"infinite-step".to_owned()), "{items}");
    let params = json!({"textDocument": {"uri": URI}, "position": {"line": 4, "character": 10}});
    let items = client.request("textDocument/completion", params);
    assert_eq!(names(&items, "label")[..2], ["send", "ack"]);
    let params = json!({"textDocument": {"uri": URI}, "position": {"line": 8, "character": 24}});
    let help = client.request("textDocument/signatureHelp", params);
    assert_eq!(help["signatures"][0]["label"], "User(i)");
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn imports_are_read_from_open_texts_before_the_disk() {
    let mut client = Client::plain();
    let parts = "file:///models/parts.des";
    let main = "import \"parts.des\";\nsystem S { compose u = User(1), v = User(2); observable events; }\n";
    client.open(parts, NETWORK.split("\n\n").next().unwrap());
    client.open(URI, main);
    let place = client.at("textDocument/definition", URI, main, "User(1)", json!({}));
    assert_eq!(place["uri"], parts);
    let edit = client.at("textDocument/rename", URI, main, "User(1)", json!({"newName": "Sender"}));
    assert_eq!(edit["changes"].as_object().map(|changes| changes.len()), Some(2));
    // A change of the imported text is a change of this one.
    client.diagnostics(URI, 1, none);
    client.replace(parts, 2, "component Other { states s; initial s; events e; s -e-> s; }");
    client.diagnostics(URI, 1, |list| !none(list));
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn a_violated_check_tells_its_steps_beside_its_verdict() {
    let text = "\
system Leak {
    states A, B, C;
    initial A;
    events a, b;
    A -a-> B;
    A -b-> C;
    check current-state;
    check not infinite-step;
}
";
    let capabilities =
        json!({"workspace": {"inlayHint": {"refreshSupport": true}, "codeLens": {"refreshSupport": true}}});
    let (mut client, _) = Client::start(capabilities, json!({}));
    client.open(URI, text);
    let story = |list: &Value| list.as_array().is_some_and(|list| list.iter().any(|one| one["code"] == "violated"));
    let found = client.diagnostics(URI, 1, story);
    let violated = found.as_array().unwrap().iter().find(|one| one["code"] == "violated").unwrap();
    assert_eq!(violated["range"]["start"]["line"], 6);
    assert!(!violated["relatedInformation"].as_array().expect("steps").is_empty(), "{violated}");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let hints = client.request("textDocument/inlayHint", json!({"textDocument": {"uri": URI}, "range": range}));
    let labels = names(&hints, "label");
    assert!(labels[0].starts_with("✗ violated") && labels[1].starts_with("✓ violated"), "{labels:?}");
    let lenses = client.about("textDocument/codeLens", URI);
    assert_eq!(lenses.as_array().map(Vec::len), Some(2));
    let command = lenses[0]["command"].clone();
    assert_eq!(command["command"], "desc.run");
    let params = json!({"command": "desc.run", "arguments": command["arguments"]});
    assert_eq!(client.request("workspace/executeCommand", params), Value::Null);
    client.diagnostics(URI, 1, story);
    // Verdicts are forgotten with the text that they are about.
    client.replace(URI, 2, "system Leak { states ; }");
    let hints = client.request("textDocument/inlayHint", json!({"textDocument": {"uri": URI}, "range": range}));
    assert_eq!(hints, json!([]));
    assert!(client.asked.iter().any(|method| method == "workspace/inlayHint/refresh"));
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn a_text_is_formatted_by_one_change_and_then_by_none() {
    let mut client = Client::plain();
    let messy = NETWORK.replace("    initial idle;", "initial    idle ;");
    client.open(URI, &messy);
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let params = json!({"textDocument": {"uri": URI}, "options": options});
    let edits = client.request("textDocument/formatting", params.clone());
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "{edits}");
    let changes: Vec<Value> = edits
        .as_array()
        .into_iter()
        .flatten()
        .map(|edit| json!({"range": edit["range"], "text": edit["newText"]}))
        .collect();
    client.change(URI, 2, json!(changes));
    assert_eq!(client.request("textDocument/formatting", params.clone()), json!([]));
    client.replace(URI, 3, "system {");
    assert_eq!(client.request("textDocument/formatting", params), Value::Null);
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn nothing_is_decided_unasked_when_the_user_says_so() {
    let (mut client, _) = Client::reading(json!({}));
    client.open(URI, NETWORK);
    client.diagnostics(URI, 1, none);
    let lenses = client.about("textDocument/codeLens", URI);
    assert_eq!(lenses[0]["command"]["title"], "▶ decide");
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn every_request_has_one_answer_even_when_it_is_cancelled() {
    let mut client = Client::plain();
    client.open(URI, NETWORK);
    let params = json!({"textDocument": {"uri": URI}});
    let ids: Vec<i64> = (0..20).map(|_| client.ask("textDocument/semanticTokens/full", params.clone())).collect();
    for id in &ids {
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    for id in ids {
        let answer = client.answer(id);
        let cancelled = answer["error"]["code"] == json!(-32800);
        assert!(cancelled || answer["result"]["data"].is_array(), "{answer}");
    }
    assert_eq!(client.finish(), Some(0));
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut client = Client::plain();
    let id = client.ask("desc/noSuchThing", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32601);
    let id = client.ask("textDocument/hover", json!({"position": "here"}));
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    client.notify("textDocument/didChange", json!({"textDocument": 7}));
    client.change("file:///never/opened.des", 3, json!([{"text": "x"}]));
    client.notify("desc/noSuchThing", Value::Null);
    let away = json!({"textDocument": {"uri": "untitled:1"}, "position": {"line": 9, "character": 9}});
    assert_eq!(client.request("textDocument/hover", away), Value::Null);
    client.open("untitled:1", "import \"../../etc/passwd\"; import \"x");
    client.diagnostics("untitled:1", 1, whatever);
    assert_eq!(client.finish(), Some(0));
}
