//! What levers keep and what they do not: each line of the table of the theory.

use super::{EVENTS, Look, Plain, only, read};
use crate::support::dice::Dice;
use desc::model::System;
use desc::repair::{Choice, Problem, solve};
use desc::verify::Options;
use std::collections::BTreeSet;
use std::path::Path;

/// Whether the checks of a model with one lever hold before it is moved, and after. An event without transitions has no lever.
fn before_and_after(text: &str) -> [bool; 2] {
    let checked = read(text);
    let system = only(checked.model().unwrap());
    let holds = |system: &System| {
        let results = desc::verify(system, &Options::default());
        results.checks.iter().all(|verdict| verdict.answer() == desc::verdict::Answer::Holds)
    };
    let after =
        system.levers.first().map_or_else(|| holds(system), |lever| holds(&system.changed(&[&lever.change]).unwrap()));
    [holds(system), after]
}

/// A file of counterexamples with one transition a line, and the numbers of those lines.
fn one_by_one(text: &str) -> (Vec<String>, Vec<usize>) {
    let (mut lines, mut moves) = (Vec::new(), Vec::new());
    for line in text.lines().filter(|line| !line.starts_with("///")) {
        let parts: Vec<&str> = line.trim().trim_end_matches(';').split_whitespace().collect();
        if !line.contains("->") {
            lines.push(line.to_owned());
            continue;
        }
        for at in (0..parts.len() - 2).step_by(2) {
            moves.push(lines.len());
            lines.push(format!("    {};", parts[at..at + 3].join(" ")));
        }
    }
    (lines, moves)
}

#[test]
fn what_is_no_law_has_a_smallest_counterexample() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let theory = std::fs::read_to_string(root.join("docs/src/theory.md")).unwrap();
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(root.join("tests/fixtures/repair")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(theory.contains(&format!("`{name}`")), "theory.md does not name {name}");
        let (lines, moves) = one_by_one(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(before_and_after(&lines.join("\n")), [true, false], "{name}");
        for &left_out in &moves {
            let rest: Vec<&str> = (0..lines.len()).filter(|&at| at != left_out).map(|at| &*lines[at]).collect();
            assert_ne!(before_and_after(&rest.join("\n")), [true, false], "{name} without{}", lines[left_out]);
        }
        names.insert(name);
    }
    let told = theory.split("## Repairs").nth(1).and_then(|text| text.split("\n## ").next()).unwrap();
    let told: BTreeSet<String> = told.split('`').filter(|word| word.ends_with(".des")).map(str::to_owned).collect();
    assert_eq!(told, names);
}

/// A counterexample in which something else is violated, too: a spy sees `m`. To hide `m` from them is enough, and the lever of the
/// counterexample spoils it.
fn with_a_spy(text: &str) -> String {
    let list = |word: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(word)).unwrap();
        line.trim().trim_end_matches(';').to_owned()
    };
    let initial = list("initial");
    let text = text.replacen("    states ", "    states spied[1..2], ", 1).replacen("    events ", "    events m, ", 1);
    let spy = "observer Spy { observable {m}; }\n may hide m from Spy;\n \
               check natural current-state opacity of {spied[1], spied[2]} against Spy;\n}";
    format!("{}\n {{{initial}}} -m-> spied[1..2];\n {spy}", text.trim_end().trim_end_matches('}'))
}

#[test]
fn no_counterexample_is_taken_for_a_law() {
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/repair")).unwrap() {
        let path = entry.unwrap().path();
        let text = with_a_spy(&std::fs::read_to_string(&path).unwrap());
        let checked = read(&text);
        let solved = solve(&Problem::of(only(checked.model().unwrap())), usize::MAX, &Options::default());
        assert_eq!(solved.choices, [Choice::new([1])], "{}\n{text}", path.display());
    }
}

/// A model with one lever on an event that shows itself, and one check for which that lever is a law.
fn lawful(seed: u64, lever: &str, views: &[&str], questions: &[&str]) -> String {
    let mut plain = Plain::random(seed, 0);
    let dice = &mut Dice::new(seed + 77);
    let event = dice.below(EVENTS.len());
    plain.looks.iter_mut().for_each(|looks| looks[event] = Look::Itself);
    if lever.ends_with("by p") {
        let other = (event + 1) % EVENTS.len();
        plain.looks[0][other] = Look::Like(Some("went".to_owned()), Some("p".to_owned()));
    }
    plain.transitions.push((0, event, plain.n_states - 1));
    plain.transitions.sort_unstable();
    plain.transitions.dedup();
    plain.checks = vec![format!("{} {}", views[dice.below(views.len())], questions[dice.below(questions.len())])];
    plain.levers = vec![format!("may {}", lever.replacen('E', EVENTS[event], 1))];
    plain.text(true)
}

/// How many of 400 random models hold before the lever is moved. All of them hold after it.
fn kept(lever: &str, views: &[&str], questions: &[&str]) -> usize {
    let keeps = |seed: u64| {
        let text = lawful(seed, lever, views, questions);
        let [before, after] = before_and_after(&text);
        assert!(!before || after, "seed {seed}\n{text}");
        before
    };
    (1_000..1_400).filter(|&seed| keeps(seed)).count()
}

const VIEWS: [&str; 3] = ["strong", "weak", "natural"];

/// Questions that are kept by what shows less for every K.
const EVERY_K: [&str; 9] = [
    "0-step",
    "2-step opacity",
    "3-step among 3",
    "infinite-step opacity",
    "initial-state opacity",
    "initial-final opacity of {0} -> {1}",
    "0-step opacity throughout",
    "2-step opacity throughout",
    "infinite-step opacity throughout",
];

#[test]
fn to_anonymise_an_event_keeps_what_holds() {
    assert!(kept("anonymise E", &VIEWS, &EVERY_K) > 40);
    assert!(kept("anonymise E as went", &VIEWS, &EVERY_K) > 40);
    assert!(kept("anonymise E as went by p", &["strong", "natural"], &EVERY_K) > 40);
}

#[test]
fn to_hide_an_event_that_shows_itself_keeps_what_holds() {
    let questions = ["0-step", "1-step", "1-step opacity", "1-step among 3", "infinite-step", "infinite-step opacity"];
    assert!(kept("hide E", &VIEWS, &questions) > 20);
    let others = ["initial-state opacity", "initial-final opacity of {0} -> {1}"];
    assert!(kept("hide E", &VIEWS, &others) > 40);
}

#[test]
fn to_hide_an_event_that_shows_itself_keeps_throughout_at_0_steps_and_at_all() {
    assert!(kept("hide E", &VIEWS, &["0-step opacity throughout", "infinite-step opacity throughout"]) > 20);
}
