//! The stories of composed systems, and the help of violated checks.

use crate::support::dice::Dice;
use desc::verdict::Answer;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A model of the casebook in which every check is a plain assertion, so that what is known to be violated is told.
pub fn asserted(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/protocols/{name}.des"));
    let text = fs::read_to_string(path).expect("an example");
    let plain = |line: &str| {
        if line.trim_start().starts_with("check ") { line.replacen("not ", "", 1) } else { line.to_owned() }
    };
    text.lines().map(|line| plain(line) + "\n").collect()
}

fn told(name: &str, text: &str) -> String {
    desc::check(name, text).verify(&desc::Options::default()).to_text()
}

/// What `desc check` prints on 80 columns.
fn printed(name: &str) -> String {
    printed_with(name, &asserted(name), &[])
}

/// The same of any text, with further arguments.
pub fn printed_with(name: &str, text: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = format!("{name}.des");
    fs::write(folder.path().join(&file), text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
    let output = command.args(["check", &file]).args(arguments).current_dir(folder.path()).output().expect("desc runs");
    String::from_utf8(output.stdout).expect("text")
}

pub const COMPOSED: [&str; 11] = [
    "badge_office",
    "batch_mix",
    "contact_tracing",
    "dining_cryptographers",
    "donation",
    "hospital",
    "mixed_voting",
    "onion_routing",
    "pool_mix",
    "smart_meter",
    "voting",
];

/// Whoever sends it, a parcel is sorted four times: two observations tell who did, seven where it is.
const PARCEL: &str = "system Parcel {
    states  anna, ben, posted_by_anna, posted_by_ben, left[0..4], right[0..4], gone;
    initial anna, ben;
    events  post, express, normal, sort, leave;
    anna -post-> posted_by_anna -express-> {left[0], right[0]};
    ben  -post-> posted_by_ben  -normal->  {left[0], right[0]};
    for i in 1..4 { left[i - 1] -sort-> left[i]; right[i - 1] -sort-> right[i]; }
    {left[4], right[4]} -leave-> gone;
    check infinite-step;
    check current-state;
    check exactly 1-step;
}
";

#[test]
fn the_exposure_with_the_fewest_observations_is_told_with_the_exposure_distance_beside_it() {
    let text = told("parcel.des", PARCEL);
    let told: Vec<&str> = text.split("\nviolated  ").skip(1).collect();
    assert!(told[0].contains("sees post express and is then sure that, 1 step earlier, after post,"), "{text}");
    assert!(told[0].contains("After 7 observations they are sure at once: the exposure distance is 0; -v"), "{text}");
    assert!(!told[0].contains("sort-> left[2]"), "{text}");
    for sooner in &told[1..] {
        let sooner = sooner.split_whitespace().collect::<Vec<_>>().join(" ");
        let seen = "post express sort sort sort sort leave";
        assert!(sooner.contains(seen) || sooner.contains("This is the exposure explained at"), "{text}");
        assert!(!sooner.contains("exposure distance is"), "{text}");
    }
}

#[test]
fn both_exposures_are_told_with_v_and_in_json() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("parcel.des"), PARCEL).expect("a file");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
        let output = command.arg("check").args(arguments).arg("parcel.des").current_dir(folder.path()).output();
        String::from_utf8(output.expect("desc runs").stdout).expect("text")
    };
    let text = run(&["-v", "--filter", "infinite"]);
    let (first, second) = text.split_once("  At the exposure distance:\n").expect("both");
    assert!(first.contains("one such run  anna -post-> posted_by_anna -express-> left[0]\n"), "{text}");
    assert!(second.contains("left[4] -leave-> gone\n"), "{text}");

    let document: serde_json::Value = serde_json::from_str(&run(&["--message-format", "json"])).expect("JSON");
    let checks = &document["systems"][0]["checks"];
    let seen = |check: usize, which: &str| checks[check][which]["observation"].as_array().map(Vec::len);
    assert_eq!((seen(0, "witness"), seen(0, "shortest")), (Some(7), Some(2)), "{checks}");
    assert_eq!((seen(1, "witness"), seen(1, "shortest")), (Some(7), None), "{checks}");
    assert_eq!([0, 1].map(|check| checks[check]["fewest_observations"].as_u64()), [Some(2), Some(7)], "{checks}");
}

/// Two messages leave by two doors, and each door tells who wrote: two kinds of exposure, and no third.
const DOORS: &str = "system Doors {
    states  start, a, b, c, end;
    initial start;
    events  write, left, right, middle, stay;
    start -write-> {a, b, c};
    a -left-> a; b -right-> b; c -middle-> c; a -middle-> c; c -left-> a;
    a -stay-> a; b -stay-> b; c -stay-> c;
    check 0-step opacity of {a, b};
    check 0-step about {start} | {a} | {b} | {c} | {end} except {start};
}
";

#[test]
fn exposures_that_are_really_different_are_told_when_they_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("doors.des"), DOORS).expect("a file");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
        let output = command.arg("check").args(arguments).arg("doors.des").current_dir(folder.path()).output();
        String::from_utf8(output.expect("desc runs").stdout).expect("text")
    };
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = words(&run(&["--filter", "opacity", "--all", "5"]));
    assert!(text.contains("sees write left and is sure"), "{text}");
    assert!(text.contains("Exposure 2: the intruder sees write right and is sure that the system is now in"), "{text}");
    assert!(!text.contains("Exposure 3") && text.contains("There are no further exposures"), "{text}");
    assert!(!words(&run(&["--filter", "opacity"])).contains("further exposures"));

    let json = |all: &str| -> serde_json::Value {
        let document = run(&["--filter", "about", "--message-format", "json", "--all", all]);
        let mut document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
        document["systems"][0]["checks"][0].take()
    };
    let seen = |check: &serde_json::Value| -> Vec<String> {
        let others = check["others"].as_array().expect("others").iter();
        others.map(|other| other["observation"].to_string() + " " + &other["estimate"].to_string()).collect()
    };
    let all = json("9");
    assert_eq!(all["others_are_all"], true, "{all}");
    assert_eq!(all["witness"]["observation"], serde_json::json!(["write", "left"]), "{all}");
    assert_eq!(seen(&all), [r#"["write","right"] ["b"]"#, r#"["write","middle"] ["c"]"#], "{all}");
    let two = json("2");
    assert_eq!((seen(&two).len(), &two["others_are_all"]), (1, &serde_json::json!(false)), "{two}");
    assert!(json("1")["others"].is_null());

    let page = folder.path().join("page.html");
    run(&["--filter", "about", "--all", "9", "--report", "html=page.html"]);
    let page = fs::read_to_string(page).expect("a page");
    assert_eq!(page.matches("<section class=\"story\"").count(), 3, "one for each exposure");
    assert!(page.contains("Exposure 3 of <code>check 0-step about"), "{page}");
}

/// The stories alone, one by one.
pub fn stories(text: &str) -> Vec<String> {
    let mut stories: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("violated  ") {
            stories.push(String::new());
        }
        if line.ends_with(" explored") || line.contains(" checks: ") || line.starts_with("1 check: ") {
            break;
        }
        if let Some(story) = stories.last_mut() {
            *story += &format!("{line}\n");
        }
    }
    stories
}

#[test]
fn the_stories_of_composed_systems_fit_on_a_page_and_name_no_tuple() {
    let mut told_of = 0;
    for name in COMPOSED {
        let mut stories = stories(&printed(name));
        stories.retain(|story| story.contains("one such run, part by part:"));
        told_of += stories.len();
        for story in &stories {
            assert!(story.trim_end().lines().count() <= 40, "{name}: {} lines\n{story}", story.lines().count());
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../fixtures/stories");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, stories.concat()));
    }
    assert!(told_of >= 10, "only {told_of} stories");
}

#[test]
fn the_page_shows_what_is_possible_of_the_parts_in_question() {
    let page = |name: &str| {
        let text = asserted(name);
        desc::check(name, &text).verify(&desc::Options::default()).to_html()
    };
    let onion = page("onion_routing");
    assert!(onion.contains("Possible now for <code>u[1]</code>: <code>{away[1], away[2]}</code>"), "{onion}");
    let tables = onion.matches("<table class=\"lanes\">").count();
    assert_eq!(tables, onion.matches("<ol class=\"steps\"").count(), "a run with columns in each story");
    for name in COMPOSED {
        let page = page(name);
        let steps = page.split("<p>Sees ").skip(1).map(|step| step.split("</p>").next().unwrap_or(step));
        for step in steps {
            let (when, possible) = step.split_once(": <code>{").expect("what is possible");
            assert!(!possible.starts_with('(') || when.contains("<code>("), "{name}: {step}");
        }
    }
}

#[test]
fn failures_of_one_statement_are_told_once_with_the_list_of_the_others() {
    let text = "component User(i) { states idle, busy; initial idle; events go[i]; idle -go[i]-> busy; }\n\
        system Many { compose u[i] = User(i) for i in 1..4; for i in 1..4 { check natural 0-step about u[i]; } }\n";
    let text = told("many.des", text);
    assert_eq!(stories(&text).len(), 1, "{text}");
    assert!(text.contains("likewise violated: check natural 0-step about u[2], check natural 0-step about"), "{text}");
    assert!(text.contains("FAILED  violated   check natural 0-step about u[4]"), "{text}");
}

/// A random system without parts, as it is written.
#[derive(Clone)]
struct Written {
    projection: &'static str,
    question: &'static str,
    states: usize,
    initial: Vec<String>,
    hidden: Vec<String>,
    /// The anonymous events, each with its label.
    anonymous: Vec<(String, String)>,
    transitions: Vec<String>,
}

const EVENTS: [&str; 4] = ["a", "b", "c", "d"];

impl Written {
    fn random(dice: &mut Dice) -> Written {
        let states = 3 + dice.below(4);
        let state = |dice: &mut Dice| format!("s{}", dice.below(states));
        let transitions = (0..states + 2 + dice.below(5))
            .map(|_| format!("{} -{}-> {};", state(dice), EVENTS[dice.below(4)], state(dice)))
            .collect();
        let mut anonymous = Vec::new();
        for event in EVENTS {
            if dice.chance(60) {
                anonymous.push((event.to_owned(), ["L", "M"][dice.below(2)].to_owned()));
            }
        }
        Written {
            projection: ["natural", "strong", "weak"][dice.below(3)],
            question: ["0-step", "1-step", "infinite-step", "current-state opacity of s0"][dice.below(4)],
            states,
            initial: vec!["s0".to_owned(), format!("s{}", dice.below(states))],
            hidden: EVENTS.iter().filter(|_| dice.chance(15)).map(|event| (*event).to_owned()).collect(),
            anonymous,
            transitions,
        }
    }

    fn text(&self) -> String {
        let list = |events: &[String]| events.join(", ");
        let states: Vec<String> = (0..self.states).map(|state| format!("s{state}")).collect();
        let mut initial = self.initial.clone();
        initial.sort();
        initial.dedup();
        let mut text =
            format!("system S {{\nstates {};\ninitial {};\nevents a, b, c, d;\n", list(&states), list(&initial));
        let seen: Vec<String> =
            EVENTS.iter().map(|event| (*event).to_owned()).filter(|event| !self.hidden.contains(event)).collect();
        text += &if seen.is_empty() {
            "unobservable events;\n".to_owned()
        } else {
            format!("observable {};\n", list(&seen))
        };
        for label in ["L", "M", "Same"] {
            let shown = self.anonymous.iter().filter(|(event, of)| of == label && !self.hidden.contains(event));
            let events: Vec<String> = shown.map(|(event, _)| event.clone()).collect();
            if !events.is_empty() {
                text += &format!("anonymous {} as {label};\n", list(&events));
            }
        }
        let mut transitions = self.transitions.clone();
        transitions.sort();
        transitions.dedup();
        text + &transitions.join("\n") + &format!("\ncheck {} {};\n}}\n", self.projection, self.question)
    }

    /// The model after a printed suggestion.
    fn after(&self, suggestion: &str) -> Written {
        let named: Vec<String> = suggestion.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let events: Vec<String> = named.iter().filter(|name| EVENTS.contains(&name.as_str())).cloned().collect();
        let mut changed = self.clone();
        if suggestion.contains("unobservable") {
            changed.hidden.extend(events);
        } else if suggestion.contains("look alike") {
            changed.anonymous.retain(|(event, _)| !events.contains(event));
            changed.anonymous.extend(events.into_iter().map(|event| (event, "Same".to_owned())));
        } else if suggestion.contains("ask for") {
            let word = &named[0];
            changed.projection =
                ["natural", "strong", "weak"].into_iter().find(|known| known == word).expect("a projection");
        } else if suggestion.contains("`initial`") {
            changed.initial.push(named[0].clone());
        } else if suggestion.starts_with("add ") {
            changed.transitions.push(named[0].clone());
        } else {
            panic!("unknown suggestion: {suggestion}");
        }
        changed
    }
}

fn answers(text: &str) -> (Answer, Option<String>) {
    let report = desc::check("model.des", text).verify(&desc::Options::default());
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("JSON");
    let check = &json["systems"][0]["checks"][0];
    let answer = match check["verdict"].as_str() {
        Some("holds") => Answer::Holds,
        Some("violated") => Answer::Violated,
        other => panic!("{other:?}: {text}\n{}", report.to_text()),
    };
    (answer, check["help"].as_str().map(str::to_owned))
}

#[test]
fn every_printed_suggestion_turns_its_check_when_it_is_written() {
    let (mut tried, mut violated) = (0, 0);
    for seed in 0..250 {
        let model = Written::random(&mut Dice::new(seed));
        let (answer, help) = answers(&model.text());
        violated += usize::from(answer == Answer::Violated);
        let Some(help) = help.filter(|_| answer == Answer::Violated) else { continue };
        let suggestions = help.strip_prefix("the check holds if you ").expect("how a suggestion begins");
        for suggestion in suggestions.split("; or ") {
            let changed = model.after(suggestion).text();
            let (answer, _) = answers(&changed);
            assert_eq!(answer, Answer::Holds, "{suggestion}\n{}\nafter it:\n{changed}", model.text());
            tried += 1;
        }
    }
    println!("{tried} suggestions of {violated} violated models");
    assert!(violated >= 100 && tried >= 60, "{tried} suggestions of {violated} violated models");
}
