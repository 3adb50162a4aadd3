//! What comes in from outside on this platform: licences, sources, versions. The lists are those of `deny.toml`, which `cargo deny` reads too.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("a file of the repository")
}

/// Every package that a build may use.
fn packages() -> Vec<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &host()];
    let output = Command::new(cargo).args(arguments).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    all["packages"].as_array().expect("packages").clone()
}

/// The platform that tests run on: what others need need not be at hand here.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let told = String::from_utf8(output.stdout).expect("text");
    told.lines().find_map(|line| line.strip_prefix("host: ")).expect("a platform").to_owned()
}

/// The licences that `deny.toml` allows.
fn allowed() -> BTreeSet<String> {
    let deny = text("deny.toml");
    let line = deny.lines().find_map(|line| line.strip_prefix("allow = [")).expect("a list of licences");
    line.trim_end_matches(']').split(',').map(|word| word.trim().trim_matches('"').to_owned()).collect()
}

/// Whether a licence expression is met by what is allowed: `OR` needs one side, `AND` both.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    let met = |licence: &str| allowed.contains(licence.trim());
    plain.split(" AND ").all(|part| part.split(" OR ").any(met))
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let allowed = allowed();
    for package in packages() {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_met(licence, &allowed), "{} has the licence {licence}", package["name"]);
    }
    assert!(is_met("MIT OR GPL-3.0", &allowed) && is_met("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(!is_met("GPL-3.0", &allowed) && !is_met("MIT AND GPL-3.0", &allowed));
}

#[test]
fn every_dependency_comes_from_the_registry_and_is_locked() {
    let lock = text("Cargo.lock");
    for package in packages().iter().filter(|package| package["name"] != "deslang") {
        let source = package["source"].as_str().unwrap_or("a path");
        assert!(source.starts_with("registry+"), "{} comes from {source}", package["name"]);
        let (name, version) =
            (package["name"].as_str().expect("a name"), package["version"].as_str().expect("a version"));
        assert!(
            lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"")),
            "{name} {version} is not locked"
        );
    }
}

#[test]
fn nothing_of_ours_is_unsafe_and_the_oldest_compiler_is_named() {
    let manifest = text("Cargo.toml");
    assert!(manifest.contains("unsafe_code = \"forbid\""));
    assert!(manifest.lines().any(|line| line.starts_with("rust-version = ")));
    assert!(!manifest.contains("git = \"") && !manifest.contains("= \"*\""));
}
