//! Puts the playground into the program where it was built (`web/build.sh`), and tells the program which commit it was built from: release
//! builds in a repository of their own, or where `DESC_COMMIT` says so.
//!
//! WHY only where it was built: the page needs node, and a fresh clone builds and tests the compiler without it.
//!
//! Nothing else of the machine goes in, so that the same commit gives the same program. Debug builds name no commit: they would have
//! to be built again after each one.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    embed_page();
    println!("cargo:rerun-if-env-changed=DESC_COMMIT");
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if !release || std::env::var_os("DESC_COMMIT").is_some() {
        return;
    }
    // WHY the folder of git: a package that was unpacked inside another repository is not at a commit of that one.
    let Some(folder) = git(&["rev-parse", "--absolute-git-dir"]) else { return };
    let own = git(&["rev-parse", "--show-prefix"]).is_none_or(|prefix| prefix.is_empty());
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| own) else { return };
    println!("cargo:rerun-if-changed={}", Path::new(&folder).join("HEAD").display());
    println!("cargo:rerun-if-changed={}", Path::new(&folder).join("logs/HEAD").display());
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|files| !files.is_empty());
    println!("cargo:rustc-env=DESC_COMMIT={commit}{}", if changed { " with changes" } else { "" });
}

/// Lists the files of the page for `include!`: name and bytes of each; of a page that was not built, none.
fn embed_page() {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the package is");
    let folder = Path::new(&manifest).join("web/dist");
    // WHY not always the folder itself: a path that does not exist counts as changed, and everything would be built again each time.
    let watched = [folder.clone(), Path::new(&manifest).join("web")].into_iter().find(|path| path.exists());
    if let Some(watched) = watched {
        println!("cargo:rerun-if-changed={}", watched.display());
    }
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
    files.sort();
    let entries = files.iter().filter(|path| path.is_file()).map(|path| {
        println!("cargo:rerun-if-changed={}", path.display());
        let name = path.file_name().unwrap_or_default();
        format!("({name:?}, include_bytes!({:?})),\n", path.display().to_string())
    });
    let list = format!("&[\n{}]\n", entries.collect::<String>());
    let out = std::env::var("OUT_DIR").expect("cargo says where to write");
    std::fs::write(Path::new(&out).join("page.rs"), list).expect("the list is written");
}

/// What git says about the folder of this package; none where there is no git, or no repository.
fn git(arguments: &[&str]) -> Option<String> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let output = Command::new("git").args(arguments).current_dir(folder).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
