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

#[test]
fn a_release_has_installers_a_formula_and_every_checksum() {
    let folder = tempfile::tempdir().expect("a folder");
    let version = env!("CARGO_PKG_VERSION");
    let targets =
        ["aarch64-apple-darwin", "x86_64-apple-darwin", "aarch64-unknown-linux-musl", "x86_64-unknown-linux-musl"];
    for (at, target) in targets.iter().enumerate() {
        let name = format!("deslang-v{version}-{target}.tar.gz");
        let sum = at.to_string().repeat(64);
        std::fs::write(folder.path().join(format!("{name}.sha256")), format!("{sum}  {name}\n")).expect("a file");
    }
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/release"));
    command.arg(folder.path()).env("GITHUB_SERVER_URL", "https://github.com").env("GITHUB_REPOSITORY", "someone/thing");
    let output = command.output().expect("the script runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    for installer in ["install.sh", "install.ps1"] {
        assert!(text(installer).contains("/thing") && !text(installer).contains("@VERSION@"), "{installer}");
    }
    let formula = text("deslang.rb");
    for (at, target) in targets.iter().enumerate() {
        assert!(
            formula.contains(&format!("releases/download/v{version}/deslang-v{version}-{target}.tar.gz\"")),
            "{formula}"
        );
        assert!(formula.contains(&format!("sha256 \"{}\"", at.to_string().repeat(64))), "{formula}");
    }
    assert_eq!(text("sha256.sum").lines().count(), targets.len());
    let changelog = include_str!("../../CHANGELOG.md");
    assert_eq!(
        text("notes.md").is_empty(),
        !changelog.contains(&format!("## {version} - ")),
        "the section of the changelog"
    );
}
