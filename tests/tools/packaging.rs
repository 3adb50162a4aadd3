//! An archive of the program, unpacked into an empty folder: program, completions, manual pages and installer work from there.

use std::path::Path;
use std::process::Command;

#[test]
fn an_archive_that_is_unpacked_into_an_empty_folder_works() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/test");
    let mut command = Command::new(script);
    // Speed matters more than size here.
    command.arg(env!("CARGO_BIN_EXE_desc")).arg("this-machine").env("GZIP_LEVEL", "-1");
    let output = command.output().expect("the script runs");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn a_tag_must_have_the_version_of_every_file() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/version");
    let version = env!("CARGO_PKG_VERSION");
    let printed = Command::new(&script).output().expect("the script runs");
    assert_eq!(String::from_utf8_lossy(&printed.stdout).trim(), version);
    let other = Command::new(&script).arg("v99.0.0").output().expect("the script runs");
    assert!(!other.status.success());
    assert!(String::from_utf8_lossy(&other.stderr).contains(&format!("Cargo.toml has {version}")));
}
