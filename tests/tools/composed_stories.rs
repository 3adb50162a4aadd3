//! The stories of composed systems: of each property and each view, and of variants of the casebook in which more is seen.

use crate::stories::{COMPOSED, asserted, printed_with, stories};

/// A vault for one person at a time, asked about each property.
const VAULT: &str = include_str!("../fixtures/stories/vault.des");

/// The most lines of a story, and columns.
const PAGE: (usize, usize) = (40, 80);

fn fits(story: &str, told: &str) {
    let lines: Vec<&str> = story.trim_end().lines().collect();
    assert!(lines.len() <= PAGE.0, "{told}: {} lines\n{story}", lines.len());
    // WHY not what is quoted: a line of the model is as long as it is.
    let is_quoted = |line: &str| line.contains('│') || line.trim_start().starts_with('·');
    let wide = lines.iter().find(|line| line.chars().count() > PAGE.1 && !is_quoted(line));
    assert_eq!(wide, None, "{told}\n{story}");
}

#[test]
fn each_property_is_told_in_each_view() {
    for (view, told) in [("natural", 10), ("strong", 9), ("weak", 9)] {
        let text = VAULT.replace("check natural", &format!("check {view}"));
        let stories = stories(&printed_with("vault", &text, &[]));
        assert_eq!(stories.len(), told, "{view}");
        for story in &stories {
            fits(story, view);
            let is_run = story.contains("one such run");
            assert_eq!(is_run, story.contains("one such run, part by part:"), "{story}");
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../fixtures/stories");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(format!("vault_{view}"), stories.concat()));
    }
}

/// The checks of a model of the casebook, changed: another view, another horizon, another size.
fn variants(text: &str) -> Vec<(String, Vec<String>)> {
    let checks = |change: &dyn Fn(&str) -> String| {
        let line = |line: &str| {
            if line.trim_start().starts_with("check ") { change(line) } else { line.to_owned() }
        };
        text.lines().map(|text| line(text) + "\n").collect::<String>()
    };
    let view = |word: &'static str| {
        let other = |line: &str| {
            ["natural", "strong", "weak"]
                .iter()
                .fold(line.to_owned(), |line, known| line.replacen(&format!(" {known} "), &format!(" {word} "), 1))
        };
        checks(&other)
    };
    let now = checks(&|line| line.replacen("infinite-step", "current-state", 1));
    let mut all: Vec<(String, Vec<String>)> = vec![(now, Vec::new())];
    all.extend(["natural", "strong", "weak"].map(view).map(|text| (text, Vec::new())));
    let constant = text.lines().find_map(|line| line.strip_prefix("const ")?.strip_suffix(';')?.split_once(" = "));
    if let Some((name, Ok(value))) = constant.map(|(name, value)| (name, value.parse::<u32>())) {
        all.push((view("natural"), vec!["-D".to_owned(), format!("{name}={}", value + 1)]));
    }
    all
}

#[test]
fn variants_of_the_casebook_are_told_on_a_page_as_well() {
    let (mut told, mut files) = (0, 0);
    for name in COMPOSED {
        let before = told;
        for (text, arguments) in variants(&asserted(name)) {
            let mut all = vec!["--timeout", "20s"];
            all.extend(arguments.iter().map(String::as_str));
            for story in stories(&printed_with(name, &text, &all)) {
                if story.contains("one such run, part by part:") {
                    fits(&story, &format!("{name} {arguments:?}"));
                    told += 1;
                }
            }
        }
        files += usize::from(told > before);
    }
    assert!(told >= 60 && files >= 10, "{told} stories of {files} systems");
}
