//! Every suggestion that is printed for a violated check of the casebook, written into the file, makes the check hold.
//!
//! A suggestion about what an intruder sees is written as another intruder, event by event, and the check is asked against that one.

use crate::support::compositions::composition;
use desc::automaton::EventId;
use desc::automaton::view::Observability;
use desc::model::{NamedObserver, System};
use desc::verify::Limits;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Larger random questions are left: many more pairs than any question of the casebook has, or any that a suggestion is tried on.
const PAIRS: u64 = 6_000;

/// A suggestion and the check that it is for.
struct Suggestion<'a> {
    system: &'a System,
    check: &'a Value,
    words: &'a str,
}

impl Suggestion<'_> {
    /// What is named in it, between backticks, apart from the intruder.
    fn named(&self) -> Vec<&str> {
        let what = self.words.split(" unobservable to ").next().unwrap_or(self.words);
        let what = what.split(" look alike to ").next().unwrap_or(what);
        what.split('`').skip(1).step_by(2).collect()
    }

    fn kind(&self) -> &'static str {
        let kinds = ["unobservable", "look alike", "ask for", "`initial`", "add `"];
        kinds.into_iter().find(|kind| self.words.contains(kind)).expect("a known kind of suggestion")
    }

    fn observer(&self) -> &NamedObserver {
        let name = self.check["observer"].as_str();
        self.system.observers.iter().find(|observer| observer.name.as_deref() == name).expect("the intruder")
    }

    /// The projection that is asked for after it.
    fn projection(&self) -> &str {
        let projection = self.check["projection"].as_str().expect("a projection");
        if self.kind() == "ask for" { self.named()[0] } else { projection }
    }

    /// The intruder after it, as it is declared; none: it pools others, or recognises agents by several acts, which is written otherwise.
    fn intruder(&self) -> Option<String> {
        let named = self.observer();
        if !named.members.is_empty() || (named.observer.has_named_agents() && self.projection() == "weak") {
            return None;
        }
        let mut seen = Vec::new();
        let mut labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (at, sight) in named.observer.observabilities().iter().enumerate() {
            let name = self.system.names.event(EventId::from_index(at)).into_owned();
            let is_named = self.named().contains(&name.as_str());
            match (self.kind(), sight) {
                ("unobservable", _) if is_named => continue,
                (_, Observability::Silent) => continue,
                ("look alike", _) if is_named => labels.entry("tried".to_owned()).or_default().push(name.clone()),
                (_, Observability::Visible) => {}
                (_, Observability::Anonymous(group)) => {
                    labels.entry(format!("label{}", group.index())).or_default().push(name.clone());
                }
            }
            seen.push(name);
        }
        let sees =
            if seen.is_empty() { "unobservable events".to_owned() } else { format!("observable {}", seen.join(", ")) };
        let groups =
            labels.iter().map(|(label, events)| format!("        anonymous {} as {label};\n", events.join(", ")));
        Some(format!("    observer Tried {{\n        {sees};\n{}    }}\n", groups.collect::<String>()))
    }

    /// The check, against this intruder.
    fn asked(&self, against: &str) -> String {
        let text = self.check["text"].as_str().expect("its text").trim_start_matches("check ");
        let text = text.split(" against ").next().unwrap_or(text);
        let text = text.split_once(": ").map_or(text, |(_, text)| text);
        let text = match text.rsplit_once(" (") {
            Some((text, indices)) if indices.ends_with(')') && indices.contains(" = ") => text,
            _ => text,
        };
        let written = self.check["projection"].as_str().expect("a projection");
        let plain = text.replacen(&format!("{written} "), "", 1);
        format!("    check tried: {} {plain}{against};\n", self.projection())
    }

    /// The file after it.
    fn applied(&self, text: &str) -> Option<String> {
        let more = match self.kind() {
            "`initial`" => format!("    initial {};\n{}", self.named()[0], self.asked("")),
            "add `" => format!("    {}\n{}", self.named()[0], self.asked("")),
            _ => self.intruder()? + &self.asked(" against Tried"),
        };
        let head = format!("system {} ", self.system.name);
        let start = text.find(&head).expect("the system");
        let end = start + text[start..].find("\n}").expect("its end") + 1;
        Some(format!("{}{more}{}", &text[..end], &text[end..]))
    }
}

/// A file that imports nothing, and what is said of it.
fn document(text: &str) -> (desc::Checked, Value) {
    let checked = desc::check("model.des", text);
    let limits = Limits { pairs: Some(PAIRS), ..Limits::default() };
    let report = checked.verify(&desc::Options { limits, ..desc::Options::default() });
    let document = serde_json::from_str(&report.to_json()).expect("JSON");
    (checked, document)
}

/// The models of the casebook, without those that are about levers or other files.
fn casebook() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let folders = ["protocols", "literature", "paper", "theory", "tour", "breaking"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder"));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "des"));
    files.sort();
    files
}

/// The text without `not`, so that what is known to be violated is helped.
fn asserted(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("an example");
    let plain = |line: &str| {
        if line.trim_start().starts_with("check ") { line.replacen("not ", "", 1) } else { line.to_owned() }
    };
    text.lines().map(|line| plain(line) + "\n").collect()
}

/// Tries each suggestion for one file; how many there were of each kind.
fn try_all(text: &str, from: &str, tried: &mut BTreeMap<&'static str, usize>) {
    let (checked, document) = document(text);
    let Some(model) = checked.model() else { return };
    for (system, told) in model.systems().iter().zip(document["systems"].as_array().into_iter().flatten()) {
        for check in told["checks"].as_array().into_iter().flatten() {
            let help = check["help"].as_str().filter(|_| check["verdict"] == "violated");
            let Some(help) = help.and_then(|help| help.strip_prefix("the check holds if you ")) else { continue };
            for words in help.split("; or ") {
                let suggestion = Suggestion { system, check, words };
                match suggestion.applied(text) {
                    None => *tried.entry("not tried").or_default() += 1,
                    Some(after) => {
                        assert!(holds(&after), "{from}: {words}\n{after}");
                        *tried.entry(suggestion.kind()).or_default() += 1;
                    }
                }
            }
        }
    }
}

/// Whether the check that was added holds.
fn holds(text: &str) -> bool {
    let (_, document) = document(text);
    let systems = document["systems"].as_array().into_iter().flatten();
    let mut checks = systems.flat_map(|system| system["checks"].as_array().into_iter().flatten());
    let asked = checks.find(|check| check["name"] == "tried");
    asked.unwrap_or_else(|| panic!("not asked: {document:#}\n{text}"))["verdict"] == "holds"
}

#[test]
fn every_suggestion_for_the_casebook_turns_its_check_when_it_is_written() {
    let mut tried = BTreeMap::new();
    for path in casebook() {
        try_all(&asserted(&path), &path.display().to_string(), &mut tried);
    }
    println!("{tried:#?}");
    let of = |kind| tried.get(kind).copied().unwrap_or(0);
    assert!(of("unobservable") >= 50 && of("look alike") >= 10 && of("ask for") >= 15, "{tried:#?}");
    assert!(of("`initial`") + of("add `") >= 2, "{tried:#?}");
    assert!(of("not tried") <= 6, "{tried:#?}");
}

#[test]
fn every_suggestion_for_a_random_composition_turns_its_check_when_it_is_written() {
    let mut tried = BTreeMap::new();
    for (seed, (text, _)) in (0..100).map(|seed| (seed, composition(seed))).filter(|(_, (_, n_parts))| *n_parts < 3) {
        let text = text.replace("check not ", "check ");
        try_all(&text, &format!("seed {seed}"), &mut tried);
    }
    println!("{tried:#?}");
    let of = |kind| tried.get(kind).copied().unwrap_or(0);
    assert!(of("unobservable") >= 30 && of("look alike") >= 5 && of("ask for") >= 5, "{tried:#?}");
}
