//! Input of absurd size, through the whole path: a diagnostic that can be read, and never a panic.

use desc::check::{Settings, check};
use desc::diagnostic::render::{Style, human, short};
use desc::source::{NoImports, Sources};
use desc::syntax;

const LINE: usize = 10_000_000;
const NAME: usize = 1 << 20;

/// The codes that a text raises, and what a person is shown of it in each form.
fn told(text: String) -> (Vec<&'static str>, String) {
    let mut sources = Sources::new();
    let (entry, mut faults) = syntax::read(&mut sources, "bad.des", text.into_bytes());
    faults.extend(check(entry, &mut sources, &NoImports, &Settings::default()).diagnostics);
    let codes = faults.iter().map(|fault| fault.code.as_str()).collect();
    let mut shown = human(&sources, &faults, &Style::default());
    shown += &human(&sources, &faults, &Style { narrated: true, ..Style::default() });
    shown += &short(&sources, &faults);
    (codes, shown)
}

/// Holds a text to its codes, and what is shown of it to a page or two.
fn raises(text: String, expected: &[&str]) {
    let start: String = text.chars().take(40).collect();
    let (codes, shown) = told(text);
    assert_eq!(codes, expected, "{start}");
    assert!(shown.len() < 20_000, "{start}: {} bytes are shown", shown.len());
}

#[test]
fn a_line_of_ten_megabytes_is_read() {
    raises("/".repeat(LINE), &["E0418"]);
    raises("x".repeat(LINE), &["E0111"]);
    raises(format!("\"{}", "q".repeat(LINE)), &["E0105"]);
    raises(format!("/* {}", "*".repeat(LINE)), &["E0106"]);
    raises(format!("system S {{ /*{}*/ states A; initial B; }}", " ".repeat(LINE)), &["E0201"]);
}

#[test]
fn a_name_of_a_megabyte_is_a_name() {
    let name = "n".repeat(NAME);
    raises(format!("system {name} {{ states {name}; initial {name}x; }}"), &["E0201"]);
    raises(format!("system S {{ states \"{name} {name}\"; initial \"{name} x\"; }}"), &["E0201"]);
    raises(format!("const {name} = 1; system S {{ states a[1..{name}], b; initial {name}y; }}"), &["E0201"]);
    raises(format!("const N = {};", "9".repeat(NAME)), &["E0307"]);
    raises(format!("import \"{name}\";"), &["E0206"]);
}

#[test]
fn two_places_far_apart_on_one_line_are_both_shown() {
    let names: String = (0..20_000).map(|number| format!("s{number}, ")).collect();
    let text = format!("system S {{ states {names}s0; initial s0; events e; s0 -e-> states; }}");
    let (codes, shown) = told(text);
    assert_eq!(codes, ["E0203"]);
    assert!(shown.contains("declared again here") && shown.contains("first declared here"), "{shown}");
    assert!(shown.len() < 10_000, "{shown}");
}

#[test]
fn of_thousands_of_faults_a_person_is_shown_the_first() {
    let arrows: String = (0..3_000).map(|number| format!("A -e-> B{number};\n")).collect();
    let (codes, shown) = told(format!("system S {{ states A; initial A; events e;\n{arrows} }}"));
    assert_eq!(codes.len(), 3_000);
    assert!(shown.contains("... and 2,800 more; `--message-format short` shows one line for each"));
}

#[test]
fn a_check_may_ask_about_thousands_of_classes_and_long_unions_are_still_too_deep() {
    let system = |check: String| format!("system S {{ states s[1..5000]; initial s; events a; s -a-> s[1]; {check} }}");
    let classes: Vec<String> = (1..=5000).map(|at| format!("{{s[{at}]}}")).collect();
    raises(system(format!("check 0-step about {};", classes.join(" | "))), &[]);
    let long = vec!["s"; 100_000].join(" | ");
    for deep in [
        format!("check estimate natural [] given [] = {long};"),
        format!("check estimate natural [] given [] = about | {long};"),
        format!("check 0-step about {{{long}}};"),
        format!("secret {long}; check 0-step opacity;"),
    ] {
        let (codes, _) = told(system(deep));
        assert!(codes.contains(&"E0109"), "{codes:?}");
    }
}
