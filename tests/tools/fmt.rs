//! `desc fmt` itself: what it writes, what it leaves alone, and how it ends.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const UNTIDY: &str = "system S{states A,B;initial A;\n\n\n  // why\n events t;A -t->B;check 0-step;}";
const BROKEN: &str = "system S{states A,B;initial A\n";

fn fmt(folder: &Path, arguments: &[&str], input: Option<&str>) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
    command.arg("fmt").args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("desc runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A command that reads nothing may be gone already.
    let _ = stdin.write_all(input.unwrap_or_default().as_bytes());
    drop(stdin);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("desc ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

/// A folder with a file in its layout, one that is not, and one that does not parse.
fn folder() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, tidy, _) = fmt(folder.path(), &["-"], Some(UNTIDY));
    assert_eq!(code, 0);
    for (name, text) in [("tidy.des", tidy.as_str()), ("untidy.des", UNTIDY), ("broken.des", BROKEN)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    (folder, tidy)
}

fn read(folder: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("a file")
}

#[test]
fn standard_input_goes_to_standard_output() {
    let (folder, tidy) = folder();
    assert_eq!(
        tidy,
        "system S {\n    states  A, B;\n    initial A;\n\n    // why\n    events  t;\n    A -t-> B;\n    check 0-step;\n}\n"
    );
    assert_eq!(fmt(folder.path(), &["-"], Some(&tidy)), (0, tidy, String::new()), "twice changes nothing");
}

#[test]
fn files_are_written_in_place_and_only_when_they_change() {
    let (folder, tidy) = folder();
    let before = fs::metadata(folder.path().join("tidy.des")).expect("a file").modified().expect("a time");
    assert_eq!(fmt(folder.path(), &["untidy.des", "tidy.des"], None), (0, String::new(), String::new()));
    assert_eq!(read(&folder, "untidy.des"), tidy);
    let after = fs::metadata(folder.path().join("tidy.des")).expect("a file").modified().expect("a time");
    assert_eq!(before, after, "a file that is in its layout is not touched");
}

#[test]
fn check_names_what_would_change_and_writes_nothing() {
    let (folder, _) = folder();
    assert_eq!(fmt(folder.path(), &["--check", "tidy.des"], None), (0, String::new(), String::new()));
    let (code, out, _) = fmt(folder.path(), &["--check", "tidy.des", "untidy.des"], None);
    assert_eq!((code, out.as_str()), (1, "untidy.des\n"));
    assert_eq!(read(&folder, "untidy.des"), UNTIDY);
    assert_eq!(fmt(folder.path(), &["--check", "-"], Some(UNTIDY)).0, 1, "standard input too");
}

#[test]
fn diff_shows_what_would_change_and_writes_nothing() {
    let (folder, _) = folder();
    let (code, out, _) = fmt(folder.path(), &["--diff", "untidy.des"], None);
    assert_eq!(code, 0);
    assert!(out.starts_with("--- untidy.des\n+++ untidy.des (formatted)\n@@"), "{out}");
    assert!(out.contains("\n+    states  A, B;\n"), "{out}");
    assert_eq!(read(&folder, "untidy.des"), UNTIDY);
    assert_eq!(fmt(folder.path(), &["--diff", "tidy.des"], None), (0, String::new(), String::new()));
    assert_eq!(fmt(folder.path(), &["--diff", "--check", "tidy.des"], None).0, 2, "one or the other");
}

#[test]
fn a_file_that_does_not_parse_is_left_untouched_and_the_others_are_not() {
    let (folder, tidy) = folder();
    let (code, out, err) = fmt(folder.path(), &["broken.des", "untidy.des"], None);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("error[E01") && err.contains("broken.des:1:"), "{err}");
    assert_eq!(read(&folder, "broken.des"), BROKEN);
    assert_eq!(read(&folder, "untidy.des"), tidy);
    let (code, out, _) = fmt(folder.path(), &["-"], Some(BROKEN));
    assert_eq!((code, out.as_str()), (2, ""), "nothing half done goes on");
}

#[test]
fn a_folder_stands_for_the_models_below_it() {
    let (folder, tidy) = folder();
    fs::remove_file(folder.path().join("broken.des")).expect("a file");
    fs::write(folder.path().join("notes.txt"), UNTIDY).expect("a file");
    assert_eq!(fmt(folder.path(), &["."], None).0, 0);
    assert_eq!(read(&folder, "untidy.des"), tidy);
    assert_eq!(read(&folder, "notes.txt"), UNTIDY);
}

#[test]
fn what_cannot_be_read_or_written_is_said() {
    let (folder, _) = folder();
    let (code, _, err) = fmt(folder.path(), &["none.des"], None);
    assert_eq!(code, 2);
    assert!(err.contains("cannot read `none.des`: no such file"), "{err}");
    fs::write(folder.path().join("bytes.des"), b"system \xff {}").expect("a file");
    let (code, _, err) = fmt(folder.path(), &["bytes.des"], None);
    assert_eq!(code, 2);
    assert!(err.contains("error[E01"), "{err}");
    assert_eq!(fs::read(folder.path().join("bytes.des")).expect("a file"), b"system \xff {}");
}
