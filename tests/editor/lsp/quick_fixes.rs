//! Quick fixes over the wire: each is taken, applied as an editor would, and the fault is gone.

use super::{NETWORK, URI, none};
use crate::client::Client;
use serde_json::{Value, json};

/// The text after an edit of the server, which counts characters in UTF-16; these texts are ASCII.
fn applied(text: &str, edits: &Value) -> String {
    let offset = |place: &Value| {
        let line = place["line"].as_u64().expect("a line") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + place["character"].as_u64().expect("a column") as usize
    };
    let mut text_after = text.to_owned();
    let edits = edits.as_array().expect("edits");
    // From the last to the first, so that offsets stay right.
    for edit in edits.iter().rev() {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        text_after.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    text_after
}

/// Takes the fix called `title` of the fault with this code, and gives the text after it.
fn fixed(text: &str, code: &str, title: &str) -> String {
    let (mut client, _) = Client::reading(json!({}));
    client.open(URI, text);
    let faults = client.diagnostics(URI, 1, |list| !none(list));
    let fault = faults.as_array().expect("faults").iter().find(|fault| fault["code"] == code);
    let fault = fault.unwrap_or_else(|| panic!("no {code} in {faults}"));
    let params =
        json!({"textDocument": {"uri": URI}, "range": fault["range"], "context": {"diagnostics": [fault.clone()]}});
    let actions = client.request("textDocument/codeAction", params);
    let action = actions.as_array().expect("actions").iter().find(|action| action["title"] == title);
    let action = action.unwrap_or_else(|| panic!("no `{title}` in {actions}"));
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["diagnostics"][0]["code"], code);
    let after = applied(text, &action["edit"]["changes"][URI]);
    client.replace(URI, 2, &after);
    client.diagnostics(URI, 2, none);
    assert_eq!(client.finish(), Some(0));
    after
}

const LAMP: &str = "\
system Lamp {
    states on, off;
    initial off;
    events press, blow;
    observable press;
    off -press-> on -press-> off;
    on -blow-> off;
    check weak infinite-step;
}
";

/// The lamp with one line changed.
fn lamp(from: &str, to: &str) -> String {
    assert!(LAMP.contains(from), "{from}");
    LAMP.replacen(from, to, 1)
}

/// A model without any fault, so that only what a test breaks is found.
fn calm() -> String {
    lamp("check weak", "check")
}

#[test]
fn a_missing_semicolon_is_put_in() {
    let broken = NETWORK.replace("initial idle;", "initial idle");
    assert_eq!(fixed(&broken, "E0110", "Insert `;`"), NETWORK);
}

#[test]
fn braces_that_were_left_out_are_put_in() {
    let broken = calm().replace("on -blow-> off;", "for i in 1..2 on -blow-> off;");
    assert_eq!(
        fixed(&broken, "E0124", "Put it in braces"),
        calm().replace("on -blow-> off;", "for i in 1..2 { on -blow-> off; }")
    );
}

#[test]
fn a_misspelt_name_becomes_the_one_that_was_meant() {
    let broken = calm().replace("on -blow-> off", "on -blow-> ofd");
    assert_eq!(fixed(&broken, "E0201", "Replace with `off`"), calm());
}

#[test]
fn an_unknown_name_is_declared() {
    let broken = calm().replace("on -blow-> off", "on -blow-> broken");
    let after = fixed(&broken, "E0201", "Declare the state `broken`");
    assert!(after.contains("states on, off, broken;"), "{after}");
}

#[test]
fn an_anonymous_event_is_added_to_observable() {
    let broken = calm().replace("    observable press;\n", "    observable press;\n    anonymous press, blow;\n");
    let broken = broken.replace("check infinite-step", "check natural infinite-step");
    let after = fixed(&broken, "E0404", "Make `blow` observable");
    assert!(after.contains("observable press, blow;"), "{after}");
}

#[test]
fn a_repeated_arrow_goes_with_its_line() {
    let broken = calm().replace("    on -blow-> off;\n", "    on -blow-> off;\n    on -blow-> off;\n");
    assert_eq!(fixed(&broken, "W0404", "Remove the repeated line"), calm());
}

#[test]
fn a_repeated_check_goes_with_its_line() {
    let broken = calm().replace("    check infinite-step;\n", "    check infinite-step;\n    check infinite-step;\n");
    assert_eq!(fixed(&broken, "W0502", "Remove the repeated check"), calm());
}

#[test]
fn a_repeated_name_goes_with_its_comma() {
    for list in ["on, off, on", "on, on, off"] {
        let broken = calm().replace("states on, off", &format!("states {list}"));
        assert_eq!(fixed(&broken, "E0203", "Remove the repeated name"), calm(), "{list}");
    }
    let broken = calm().replace("    states on, off;\n", "    states on, off;\n    states off;\n");
    assert_eq!(fixed(&broken, "E0203", "Remove the repeated name"), calm());
    let broken = calm().replace("    states on, off;\n", "    states on;\n    states on, off;\n");
    assert_eq!(
        fixed(&broken, "E0203", "Remove the repeated name"),
        calm().replace("    states on, off;\n", "    states on;\n    states off;\n")
    );
}

#[test]
fn a_violated_check_is_repaired_by_the_cheapest_levers() {
    let text = "\
system Clinic {
    states waiting, practice, therapy;
    initial waiting;
    events call, log, leave;
    secret therapy;
    waiting -call-> practice, therapy;
    practice -leave-> waiting;
    therapy -{leave, log}-> waiting;
    may hide log cost 2;  // a sensor
    may hide leave, call cost 9;
    check infinite-step opacity;
}
";
    let mut client = Client::plain();
    client.open(URI, text);
    let faults = client.diagnostics(URI, 1, |list| !none(list));
    let params = json!({"textDocument": {"uri": URI}, "range": faults[0]["range"], "context": {"diagnostics": []}});
    let action = (0..200).find_map(|_| {
        let actions = client.request("textDocument/codeAction", params.clone());
        let found = actions.as_array().and_then(|actions| actions.first().cloned());
        found.or_else(|| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            None
        })
    });
    let action = action.expect("the repair is found soon after the verdict");
    assert_eq!(action["title"], "Repair: hide log, at cost 2");
    let after = applied(text, &action["edit"]["changes"][URI]);
    assert!(after.contains("    must hide log;  // a sensor\n"), "{after}");
    client.replace(URI, 2, &after);
    client.diagnostics(URI, 2, none);
    assert_eq!(client.finish(), Some(0));
}
