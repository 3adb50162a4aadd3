//! The engine of the page, asked as the page asks it.

use desc_web::Engine;
use serde_json::{Value, json};

const MODEL: &str = include_str!("../../../examples/questioning.des");

fn ask(engine: &mut Engine, request: Value) -> Value {
    serde_json::from_str(&engine.ask(&request.to_string())).expect("an answer is JSON")
}

fn opened(text: &str) -> (Engine, Value) {
    let mut engine = Engine::default();
    let answer = ask(&mut engine, json!({"ask": "open", "text": text, "seconds": 10.0}));
    (engine, answer)
}

fn decided(text: &str) -> (Engine, Value) {
    let (mut engine, _) = opened(text);
    let answer = ask(&mut engine, json!({"ask": "decide", "seconds": 10.0}));
    (engine, answer)
}

#[test]
fn a_text_gives_faults_with_fixes_and_colours() {
    let (_, answer) = opened("/// γ\nsystem S { states open; initial opne; }");
    let fault = &answer["diagnostics"][0];
    assert_eq!((&fault["code"], &fault["from"], &fault["to"]), (&json!("E0201"), &json!(38), &json!(42)), "{fault}");
    assert_eq!(fault["fixes"][0]["edits"][0]["insert"], "open");
    assert_eq!(answer["tokens"][0], json!([0, 5, "doc"]));
    assert_eq!(answer["model"], false);
}

#[test]
fn a_model_gives_verdicts_a_drawing_and_a_story() {
    let (mut engine, answer) = decided(MODEL);
    let system = &answer["systems"][0];
    let marks: Vec<&Value> = system["checks"].as_array().unwrap().iter().map(|check| &check["mark"]).collect();
    assert_eq!(marks, ["good"; 4]);
    assert_eq!(system["beside"].as_array().unwrap().len(), 4);
    assert!(system["drawing"].as_str().unwrap().starts_with("<svg"));
    let told = ask(&mut engine, json!({"ask": "story", "system": 0, "check": 3, "seconds": 10.0}));
    assert!(told["html"].as_str().unwrap().contains("class=\"steps\""), "{told}");
    let none = ask(&mut engine, json!({"ask": "story", "system": 0, "check": 0, "seconds": 10.0}));
    assert_eq!(none["html"], Value::Null);
    assert_eq!(ask(&mut engine, json!({"ask": "story", "system": 7, "check": 9, "seconds": 1.0}))["html"], Value::Null);
}

fn play(engine: &mut Engine, more: Value) -> Value {
    let mut request = json!({
        "ask": "explore", "system": 0, "view": {"observer": 0, "projection": "natural"}, "check": 3,
        "observation": [], "other": null, "seconds": 10.0,
    });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ask(engine, request)
}

#[test]
fn the_intruder_is_played() {
    let (mut engine, _) = decided(MODEL);
    let start = play(&mut engine, json!({}));
    assert_eq!(start["scene"]["estimate"]["names"], json!(["M", "N"]));
    assert_eq!(start["scene"]["next"][0]["exposes"], json!([1]));
    let jumped = play(&mut engine, json!({"jump": true}));
    assert_eq!((&jumped["found"], &jumped["scene"]["exposed"]), (&json!(true), &json!(true)));
    let strong = json!({"view": {"observer": 0, "projection": "strong"}, "other": {"observer": 0, "projection": "natural"}, "observation": ["?"]});
    let compared = play(&mut engine, strong);
    assert_eq!(compared["scene"]["estimate"]["count"], 4, "{compared}");
    assert_eq!(compared["others"]["rows"].as_array().unwrap().len(), 3);
    let none = play(&mut engine, json!({"view": {"observer": 9, "projection": "weak"}}));
    assert_eq!(none["error"], "there is no such observer");
}

#[test]
fn a_product_that_is_not_built_is_not_played_and_the_next_system_is() {
    let text = "component U(i) { states in, out; initial in; events go[i]; in -go[i]-> out; }
        system Big { compose u[i] = U(i) for i in 1..60; anonymous events; check strong current-state about u[1]; }
        system Small { states A, B; initial A; events e; A -e-> B; check natural current-state; }";
    let (mut engine, answer) = decided(text);
    assert_eq!(
        (&answer["systems"][0]["uncomposed"], &answer["systems"][0]["checks"][0]["mark"]),
        (&json!(60), &json!("bad"))
    );
    assert_eq!(answer["systems"][1]["uncomposed"], Value::Null);
    assert_eq!(play(&mut engine, json!({"check": 0}))["stopped"], "within the limit on states");
    assert_eq!(play(&mut engine, json!({"system": 1, "check": 0}))["scene"]["estimate"]["names"], json!(["A"]));
}

#[test]
fn hover_completion_format_and_explanations_answer() {
    let (mut engine, _) = opened(MODEL);
    let at = MODEL.find("anonymous").unwrap();
    assert!(ask(&mut engine, json!({"ask": "hover", "at": at}))["text"].is_string());
    assert!(!ask(&mut engine, json!({"ask": "complete", "at": at}))["items"].as_array().unwrap().is_empty());
    assert_eq!(ask(&mut engine, json!({"ask": "format"}))["text"], MODEL);
    assert!(ask(&mut engine, json!({"ask": "explain", "code": "E0201"}))["page"].is_string());
    assert_eq!(ask(&mut engine, json!({"ask": "explain", "code": "E9999"})), Value::Null);
}

#[test]
fn what_is_no_request_is_refused_and_nothing_breaks() {
    let mut engine = Engine::default();
    for request in
        ["", "{", "[]", "{\"ask\": \"nothing\"}", "{\"ask\": \"open\"}", "{\"ask\": \"decide\", \"seconds\": -1}"]
    {
        let answer: Value = serde_json::from_str(&engine.ask(request)).expect("an answer is JSON");
        assert!(answer["error"].is_string() || answer["systems"].is_array(), "{request}: {answer}");
    }
    assert!(play(&mut engine, json!({}))["error"].is_string());
}

#[test]
fn no_name_becomes_markup() {
    let evil = "<img src=x onerror=alarm()>";
    let text = format!(
        "/// {evil}\nsystem S {{ states \"A{evil}\", B; initial states; events \"e{evil}\"; \"A{evil}\" -\"e{evil}\"-> B; check natural current-state; }}"
    );
    let (mut engine, answer) = decided(&text);
    let told = ask(&mut engine, json!({"ask": "story", "system": 0, "check": 0, "seconds": 10.0}));
    for html in [&answer["systems"][0]["drawing"], &told["html"]] {
        let html = html.as_str().expect("it is there");
        assert!(html.contains("&lt;img") && !html.contains("<img"), "{html}");
    }
}
