//! Foreign files on the command line.

use super::{FIXTURES, files, told};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

fn desc(arguments: &[&str]) -> (i32, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_desc"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FIXTURES);
    let output = command.args(arguments).current_dir(folder).output().expect("desc runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_command_reads_foreign_files() {
    let rooms = ["check", "ok/veip_two_rooms.fsm", "--check", "0-step opacity", "--message-format", "json"];
    let (status, out, _) = desc(&rooms);
    assert_eq!(status, 0, "{out}");
    let (status, out, _) = desc(&[&rooms[..], &["--secret", "1,1,0,0"]].concat());
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("\"verdict\": \"violated\"") && out.contains("in1"), "{out}");
    let (status, out, _) =
        desc(&["check", "ok/veip_two_rooms.fsm", "--secret", "0,0,1,0", "--check", "not current-state opacity"]);
    assert_eq!(status, 0, "{out}");
    let (status, out, _) = desc(&["check", "ok/json_list.json", "--message-format", "json"]);
    assert!(status == 2 && out.contains("E0610"), "a name with a line break cannot be written in .des: {status} {out}");
    let (status, _, err) = desc(&["check", "ok/cadp_labels.aut", "--secret", "9"]);
    assert!(status == 2 && err.contains("no state `9`"), "{err}");
    let (status, _, err) = desc(&["check", "ok/cadp_labels.aut", "--check", "weak 2-stp"]);
    assert!(status == 2 && err.contains("2-stp"), "{err}");
    for path in files("err") {
        let (status, _, err) = desc(&["check", path.to_str().unwrap(), "--ascii"]);
        assert!(status == 2 && err.contains("error[E06"), "{path:?}: {status} {err}");
    }
}

/// No run can start in these: they are refused, whichever way they come in, unless `--initial` says where runs start.
#[test]
fn a_model_without_initial_states_is_never_checked() {
    let folder = tempfile::tempdir().unwrap();
    let mut told = String::new();
    for path in files("startless") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (status, out, err) = desc(&["check", &format!("startless/{name}"), "--ascii", "--message-format", "short"]);
        let _ = write!(told, "{out}{err}");
        assert_eq!(status, 2, "{name}: {out}{err}");
        let (status, out, err) = desc(&["import", &format!("startless/{name}")]);
        assert!(status == 2 && out.is_empty() && err.contains("error[E040"), "{name}: {out}{err}");
        fs::copy(&path, folder.path().join(name)).unwrap();
        let user = folder.path().join("user.des");
        let text = format!("import \"{name}\" as P;\nsystem S {{ compose p = P; check infinite-step; }}\n");
        fs::write(&user, text).unwrap();
        let (status, out, err) = desc(&["check", user.to_str().unwrap()]);
        assert!(status == 2 && err.contains("error[E0"), "{name}: {out}{err}");
    }
    insta::with_settings!({
        snapshot_path => "../../fixtures/foreign",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!("startless", told) });
}

/// A key that means nothing is told in every command that answers; a slip is refused, since it would change the answer.
#[test]
fn a_key_of_a_json_model_that_is_not_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let user = "import \"m.json\" as P; system S { compose p = P; check not infinite-step; }";
    fs::write(at("user.des"), user).unwrap();
    let model = |key: &str| {
        format!(
            "{{\"states\": [0, 1], \"initial\": [0], \"events\": [\"a\"], {key}, \"transitions\": [[0, \"a\", 1]]}}"
        )
    };
    for (key, code, expected) in [
        ("\"author\": \"me\"", "warning[W0613]", 0),
        ("\"observeable\": [\"a\"]", "error[E0602]", 2),
        ("\"Secret\": [1]", "error[E0602]", 2),
        ("\"parts\": []", "error[E0602]", 2),
        ("\"name\": \"p\", \"name\": \"q\"", "error[E0608]", 2),
    ] {
        fs::write(at("m.json"), model(key)).unwrap();
        for arguments in [
            &["check", &at("m.json"), "--check", "not infinite-step"][..],
            &["check", &at("m.json"), "--check", "not infinite-step", "--initial", "0"],
            &["check", &at("user.des")],
            &["import", &at("m.json")],
        ] {
            let (status, out, err) = desc(arguments);
            assert!(status == expected && err.contains(code), "{key} {arguments:?}: {status} {out}{err}");
        }
    }
    fs::write(at("m.json"), model("\"observeable\": []")).unwrap();
    let (_, _, err) = desc(&["check", &at("m.json")]);
    assert!(err.contains("did you mean `observable`?"), "{err}");
}

#[test]
fn warnings_never_crowd_out_a_fault() {
    let notes: String = (0..200).map(|number| format!("\"remark {number}\": 0, ")).collect();
    let told = told("m.json", &format!("{{{notes}\"states\": [0, 0], \"transitions\": []}}"));
    assert!(told.contains("E0608") && !told.contains("\nmodel "), "{told}");
    assert_eq!(told.matches("W0613").count(), 50);
}

#[test]
fn initial_states_may_be_said_from_outside() {
    for (name, state) in [("left_out.json", "0"), ("none_marked.wmod", "(A, X)"), ("second_part.xml", "right.only")] {
        let path = format!("startless/{name}");
        let (status, out, err) = desc(&["check", &path, "--initial", state]);
        assert_eq!(status, 0, "{name}: {out}{err}");
        let (status, out, err) = desc(&["import", &path, "--initial", state]);
        assert!(status == 0 && out.contains("initial"), "{name}: {out}{err}");
    }
    let (status, _, err) = desc(&["check", "startless/second_part.xml", "--initial", "left.idle"]);
    assert!(status == 2 && err.contains("E0403") && err.contains("right"), "{err}");
}

#[test]
fn import_export_and_compare_agree() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for path in files("ok").iter().filter(|path| !path.ends_with("json_list.json")) {
        let source = path.to_str().unwrap();
        assert_eq!(desc(&["import", source, "-o", &at("model.des")]).0, 0, "{source}");
        let text = fs::read_to_string(at("model.des")).unwrap();
        assert_eq!(desc::format::format_text("model.des", &text).ok(), Some(text), "`desc fmt` leaves it unchanged");
        let (status, direct, err) = desc(&["export", &at("model.des"), "--to", "json"]);
        assert_eq!(status, 0, "{source}: {err}");
        let (status, imported, _) = desc(&["export", source, "--to", "json"]);
        assert_eq!(status, 0, "{source}");
        let model = |text: &str| {
            let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
            let entries = value.as_object_mut().unwrap();
            entries.retain(|key, _| key != "name");
            for list in entries.values_mut().filter_map(|list| list.as_array_mut()) {
                list.sort_by_key(ToString::to_string);
            }
            value
        };
        if !source.ends_with(".cif") && !source.ends_with(".wmod") && !source.ends_with(".xml") {
            assert_eq!(model(&direct), model(&imported), "{source}");
        }
        let (status, out, _) = desc(&["compare", source, "--timeout", "5s", "--message-format", "json"]);
        assert!(status == 0 && !out.contains("\"agree\": false"), "{source}: {out}");
    }
    assert_eq!(desc(&["export", "ok/faudes_machine.gen", "-o", &at("out.fsm")]).0, 0);
    assert!(fs::read_to_string(at("out.fsm")).unwrap().starts_with("3\n\nidle\t0\t1\n"));
    assert_eq!(desc(&["export", "ok/faudes_machine.gen"]).0, 2);
}

#[test]
fn json_models_follow_the_schema_of_the_manual() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema = fs::read_to_string(root.join("docs/src/commands/model.schema.json")).expect("the schema");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("a schema");
    let wrong = |text: &str| {
        let document = serde_json::from_str(text).expect("JSON");
        schema.iter_errors(&document).map(|error| error.to_string()).collect::<Vec<String>>()
    };
    let list = fs::read_to_string(root.join(FIXTURES).join("ok/json_list.json")).expect("the list");
    assert_eq!(wrong(&list), [""; 0]);
    assert!(!wrong(&list.replace("transitions", "edges")).is_empty(), "the schema asks for transitions");
    let mixed = r#"{"parts": [{"states": [0], "initial": [0], "transitions": []}], "secret": [0]}"#;
    assert!(!wrong(mixed).is_empty() && told("mixed.json", mixed).contains("E0602"), "a secret belongs into a part");
    for path in files("ok") {
        let exported = std::process::Command::new(env!("CARGO_BIN_EXE_desc"))
            .args(["export", "--to", "json"])
            .arg(&path)
            .output()
            .expect("desc runs");
        if exported.status.success() {
            assert_eq!(wrong(&String::from_utf8_lossy(&exported.stdout)), [""; 0], "{}", path.display());
            let said = String::from_utf8_lossy(&exported.stderr);
            assert!(!said.contains("stay behind"), "nobody asked anything about {}: {said}", path.display());
        }
    }
}
