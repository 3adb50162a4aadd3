//! Every code has a page of one form; its first example raises the code, its second raises nothing.

use desc::check::{self, Limits, Settings};
use desc::diagnostic::Code;
use desc::source::{NoImports, Sources};
use desc::syntax;

/// The codes that a text raises, from reading to checking.
fn codes(text: &str) -> Vec<Code> {
    // Small limits, so that an example that goes beyond them does so soon.
    let settings = Settings {
        limits: Limits { states: 10_000, transitions: 100_000, ..Limits::default() },
        ..Settings::default()
    };
    let mut sources = Sources::new();
    let (id, faults) = syntax::read(&mut sources, "example.des", text.as_bytes().to_vec());
    let checked = check::check(id, &mut sources, &NoImports, &settings);
    faults.iter().chain(&checked.diagnostics).map(|diagnostic| diagnostic.code).collect()
}

/// The code block of a section; nothing when it is no `.des` text.
fn example<'p>(page: &'p str, section: &str) -> Option<&'p str> {
    let after = page.split_once(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("no section {section}")).1;
    let block = after.split_once("```des\n")?.1;
    Some(&block[..block.find("```").expect("the block is closed")])
}

#[test]
fn every_page_has_its_form() {
    for &code in Code::ALL {
        let title = format!("# {code}: {}\n", code.title());
        assert!(code.page().starts_with(&title), "the page of {code} begins with {title:?}");
        for section in ["\n## Example\n", "\n## Repaired\n"] {
            assert_eq!(code.page().matches(section).count(), 1, "{code} has one section {section:?}");
        }
    }
}

#[test]
fn every_example_raises_its_code_and_no_other() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        let Some(text) = example(code.page(), "Example") else { continue };
        let found = codes(text);
        if found.is_empty() || found.iter().any(|&found| found != code) {
            wrong.push(format!("the example of {code} raises {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_repaired_example_raises_nothing() {
    for &code in Code::ALL {
        let Some(text) = example(code.page(), "Repaired") else { continue };
        assert_eq!(codes(text), [], "the repaired example of {code}");
    }
}

#[test]
fn codes_stand_in_order() {
    let numbers: Vec<&str> = Code::ALL.iter().map(|code| &code.as_str()[1..]).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
}
