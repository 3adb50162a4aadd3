//! What machines read is what they expect: SARIF against the schema of OASIS, JUnit against what CI systems accept.
//!
//! `fixtures/schemas/sarif-2.1.0.json` is the schema of the SARIF technical committee, unchanged. JUnit has no standard; the tables
//! below are the elements and attributes that Jenkins' own schema allows, which GitLab and GitHub actions read too.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// What `desc check` prints in a format.
fn checked(folder: &Path, format: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
    command.args(["check", "--message-format", format]).args(arguments).current_dir(folder);
    let output = command.output().expect("desc runs");
    String::from_utf8(output.stdout).expect("text")
}

/// A folder of models whose names are as strange as they may be: what is exposed, undecided, faulty, imported.
fn strange() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "a b#ü.des",
        "system \"<&\\\"]]>' \u{1} ü\" {\n states \"<A>\", B;\n initial \"<A>\", B;\n events \"&t\", u;\n \"<A>\" -\"&t\"-> \"<A>\";\n \
         B -u-> B;\n check \"<one>\": 0-step;\n check not infinite-step;\n check estimate [u] = {B, \"<A>\"};\n}\n",
    );
    write("lib.des", "component C { states A, B; initial A, Z; events t; A -t-> B; }\n");
    write("uses.des", "import \"lib.des\";\nsystem S { compose c = C; check 0-step; }\n");
    write("empty.des", "");
    write("start.des", "system S { states A; initial A; events t; A -t-> A; check 0-step; }");
    folder
}

fn assert_is_sarif(schema: &jsonschema::Validator, text: &str, what: &str) {
    let document = serde_json::from_str(text).expect("one document");
    let errors: Vec<String> =
        schema.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}");
}

#[test]
fn sarif_is_valid() {
    let schema = fs::read_to_string(fixtures().join("schemas/sarif-2.1.0.json")).expect("the schema");
    // One pattern of it, for the language of a run, has a bracket too many; our runs name no language.
    let schema = schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}?$");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("a schema");
    assert!(!schema.is_valid(&serde_json::json!({"version": "2.1.0"})), "the schema asks for runs");
    for folder in ["verify", "check/err", "check/warn", "check/ok"] {
        assert_is_sarif(&schema, &checked(&fixtures(), "sarif", &[folder]), folder);
    }
    assert_is_sarif(&schema, &checked(&fixtures(), "sarif", &["verify", "--max-pairs", "1"]), "undecided");
    let strange = strange();
    assert_is_sarif(&schema, &checked(strange.path(), "sarif", &["."]), "strange names");
    assert_is_sarif(&schema, &checked(strange.path(), "sarif", &["none.des"]), "a file that is not there");
}

/// What an element of a JUnit file may have: attributes, of which some must be there, and elements inside.
struct Allowed {
    attributes: &'static [&'static str],
    required: &'static [&'static str],
    inside: &'static [&'static str],
}

fn allowed(element: &str) -> Option<Allowed> {
    let (attributes, required, inside): (&[&str], &[&str], &[&str]) = match element {
        "testsuites" => (
            &["name", "time", "tests", "failures", "disabled", "errors", "skipped", "uuid", "timestamp"],
            &["name", "tests", "failures", "errors"],
            &["testsuite"],
        ),
        "testsuite" => (
            &[
                "name",
                "tests",
                "failures",
                "errors",
                "skipped",
                "disabled",
                "time",
                "timestamp",
                "hostname",
                "id",
                "file",
            ],
            &["name", "tests", "failures", "errors"],
            &["properties", "testcase", "system-out", "system-err"],
        ),
        "testcase" => (
            &["name", "assertions", "time", "classname", "status", "file", "line"],
            &["name", "classname"],
            &["skipped", "error", "failure", "system-out", "system-err"],
        ),
        "failure" | "error" => (&["type", "message"], &["type", "message"], &[]),
        _ => return None,
    };
    Some(Allowed { attributes, required, inside })
}

fn attributes(element: &BytesStart<'_>) -> Vec<(String, String)> {
    let all = element.attributes().map(|attribute| attribute.expect("an attribute"));
    all.map(|attribute| (attribute.key.as_ref().to_owned(), attribute.value.into_owned())).collect()
}

/// How often each element occurs, and the name of every case.
#[derive(Debug, Default)]
struct Counted {
    cases: BTreeSet<(String, String)>,
    n_cases: usize,
    failures: usize,
    errors: usize,
    totals: Vec<(String, String)>,
}

/// Walks a JUnit file; every element and every attribute is one that CI systems know.
fn walked(text: &str) -> Counted {
    let mut reader = Reader::from_str(text);
    let (mut open, mut counted) = (Vec::<String>::new(), Counted::default());
    loop {
        let event = reader.read_event().unwrap_or_else(|error| panic!("not XML: {error}\n{text}"));
        let (element, closes) = match event {
            Event::Start(element) => (element, false),
            Event::Empty(element) => (element, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let name = element.name().as_ref().to_owned();
        let inside = open.last().map_or(&["testsuites"][..], |parent| allowed(parent).map_or(&[][..], |it| it.inside));
        assert!(inside.contains(&name.as_str()), "<{name}> inside {open:?}");
        let known = allowed(&name).unwrap_or_else(|| panic!("<{name}> is not known"));
        let has = attributes(&element);
        for (attribute, _) in &has {
            assert!(known.attributes.contains(&attribute.as_str()), "{attribute} of <{name}>");
        }
        for required in known.required {
            assert!(has.iter().any(|(attribute, _)| attribute == required), "<{name}> without {required}");
        }
        counted.take(&name, has);
        if !closes {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} stays open");
    counted
}

impl Counted {
    fn take(&mut self, element: &str, attributes: Vec<(String, String)>) {
        let value = |name: &str| {
            attributes
                .iter()
                .find(|(attribute, _)| attribute == name)
                .map(|(_, value)| value.clone())
                .unwrap_or_default()
        };
        match element {
            "testsuites" => self.totals = attributes,
            "testcase" => {
                self.n_cases += 1;
                self.cases.insert((value("classname"), value("name")));
            }
            "failure" => self.failures += 1,
            "error" => self.errors += 1,
            _ => {}
        }
    }

    fn total(&self, name: &str) -> usize {
        let value = self.totals.iter().find(|(attribute, _)| attribute == name).expect("a total");
        value.1.parse().expect("a number")
    }
}

#[test]
fn junit_is_what_ci_systems_accept() {
    let strange = strange();
    let runs: &[(&Path, &[&str])] = &[
        (&fixtures(), &["verify"]),
        (&fixtures(), &["check/err"]),
        (&fixtures(), &["check/ok"]),
        (&fixtures(), &["verify", "--max-pairs", "1"]),
        (strange.path(), &["."]),
        (strange.path(), &["none.des"]),
    ];
    for (folder, arguments) in runs {
        let text = checked(folder, "junit", arguments);
        let counted = walked(&text);
        assert!(quick_junit::Report::deserialize_from_str(&text).is_ok(), "{text}");
        assert!(counted.n_cases > 0, "{arguments:?}");
        assert_eq!(counted.total("tests"), counted.n_cases, "{arguments:?}");
        assert_eq!(counted.total("failures"), counted.failures, "{arguments:?}");
        assert_eq!(counted.total("errors"), counted.errors, "{arguments:?}");
        // Jenkins and GitLab follow a case from run to run by these two.
        assert_eq!(counted.cases.len(), counted.n_cases, "two cases of one name: {arguments:?}");
    }
}
