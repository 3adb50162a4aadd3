//! What is written: whole or not at all, never over a model, and an error when it cannot be.

use super::{PASSES, code, command, desc, folder, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder();
    for arguments in [&["check", "fails.des"][..], &["explain"], &["completions", "bash"], &["--help"]] {
        let mut child =
            command(folder.path(), arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("desc runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("desc ends");
        assert!(!stderr(&output).contains("panicked"), "{arguments:?}: {}", stderr(&output));
        assert!(output.status.code().is_some(), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder();
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device"));
    let output = command(folder.path(), &["check", "passes.des"]).stdout(full()).output().expect("desc runs");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot write to standard output: no space left"), "{}", stderr(&output));
    for arguments in
        [&["--report", "json=/dev/full", "--report", "html=page.html"][..], &["--certificate", "/dev/full"]]
    {
        let output = desc(folder.path(), &[&["check", "fails.des"], arguments].concat());
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).ends_with("error: cannot write `/dev/full`: no space left on the device\n"));
        assert!(stdout(&output).contains("violated  check 0-step"), "the verdict is told: {}", stdout(&output));
    }
    assert!(folder.path().join("page.html").exists(), "what can be written is");
}

/// Runs in a folder that may not be written. Root may write everywhere, so there it runs without that privilege; none: that cannot be had.
#[cfg(target_os = "linux")]
fn without_privilege(folder: &Path, arguments: &[&str]) -> Option<Output> {
    let binds = |probe: &mut Command| probe.current_dir(folder).status().is_ok_and(|status| !status.success());
    if binds(Command::new("touch").arg("probe").stderr(Stdio::null())) {
        return Some(desc(folder, arguments));
    }
    fs::remove_file(folder.join("probe")).expect("the probe");
    let less = ["--bounding-set=-dac_override", "--inh-caps=-dac_override"];
    let bound = || {
        let mut command = Command::new("setpriv");
        command.args(less).current_dir(folder).stderr(Stdio::null());
        command
    };
    let works = bound().arg("true").status().is_ok_and(|status| status.success());
    if !works || !binds(bound().args(["touch", "probe"])) {
        return None;
    }
    let program = env!("CARGO_BIN_EXE_desc");
    Some(bound().arg(program).args(arguments).stderr(Stdio::piped()).output().expect("desc runs"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_may_not_be_written_is_an_error_and_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let written = [("r.json", "report"), ("c.cert", "certificate"), ("untidy.des", "system S{states A;initial A;}\n")];
    written.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).expect("a file"));
    let mode = |mode: u32| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("a mode");
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
        entries.map(|entry| entry.file_name()).collect::<std::collections::BTreeSet<_>>()
    };
    let before = names();
    mode(0o555);
    for (arguments, file) in [
        (&["check", "passes.des", "--report", "json=r.json"][..], "r.json"),
        (&["check", "passes.des", "--certificate", "c.cert"], "c.cert"),
        (&["report", "passes.des", "-o", "page.html"], "page.html"),
        (&["export", "passes.des", "--to", "dot", "-o", "m.dot"], "m.dot"),
        (&["new", "fresh.des"], "fresh.des"),
        (&["fmt", "untidy.des"], "untidy.des"),
    ] {
        let Some(output) = without_privilege(folder.path(), arguments) else { break };
        assert_eq!(code(&output), 2, "{arguments:?}");
        let told = format!("cannot write `{file}`: permission denied");
        assert!(stderr(&output).contains(&told), "{arguments:?}: {}", stderr(&output));
    }
    mode(0o755);
    assert_eq!(names(), before, "nothing came and nothing went");
    for (name, text) in written {
        assert_eq!(fs::read_to_string(folder.path().join(name)).expect("a file"), text);
    }
}

/// A folder with a model, one that imports it, and other names of it.
fn linked() -> tempfile::TempDir {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("entry.des"), "import \"passes.des\";\n").expect("a file");
    fs::hard_link(at("passes.des"), at("hard.des")).expect("a link");
    #[cfg(unix)]
    std::os::unix::fs::symlink("passes.des", at("soft.des")).expect("a link");
    folder
}

#[cfg(unix)]
#[test]
fn a_model_is_never_written_over() {
    let folder = linked();
    for name in ["passes.des", "./passes.des", "soft.des", "hard.des"] {
        let report = format!("json={name}");
        for arguments in [
            &["check", "passes.des", "--report", &report][..],
            &["check", "passes.des", "--certificate", name],
            &["check", "entry.des", "--report", &report],
            &["check", ".", "--report", &report],
            &["report", "passes.des", "-o", name],
            &["report", "entry.des", "-o", name],
            &["export", "passes.des", "--to", "des", "-o", name],
            &["export", "entry.des", "--to", "des", "-o", name],
            &["show", "system", "passes.des", "--format", "dot", "-o", name],
            &["import", "passes.des", "--from", "fsm", "-o", name],
        ] {
            let output = desc(folder.path(), arguments);
            let told = format!("error: `{name}` is an input file: it is not overwritten");
            assert!(stderr(&output).contains(&told), "{arguments:?}: {}", stderr(&output));
            assert_eq!(code(&output), 2, "{arguments:?}");
            assert_eq!(fs::read_to_string(folder.path().join(name)).expect("a model"), PASSES, "{arguments:?}");
        }
    }
    let input = Stdio::from(fs::File::open(folder.path().join("passes.des")).expect("a file"));
    let arguments = ["check", "-", "--report", "json=passes.des"];
    assert_eq!(command(folder.path(), &arguments).stdin(input).output().expect("desc runs").status.code(), Some(2));
}

#[test]
fn two_results_have_two_names() {
    let folder = folder();
    for other in ["r.out", "./r.out", "../NAME/r.out"] {
        let own = folder.path().file_name().expect("a name").to_string_lossy();
        let reports = [String::from("json=r.out"), format!("html={}", other.replace("NAME", &own))];
        let arguments = ["check", "fails.des", "--report", &reports[0], "--report", &reports[1]];
        let output = desc(folder.path(), &arguments);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{other}");
        assert!(stderr(&output).starts_with("error: two results have the same file `"), "{}", stderr(&output));
        assert!(!folder.path().join("r.out").exists(), "nothing is written");
    }
    let arguments = ["check", "passes.des", "--report", "json=r.out", "--certificate", "r.out"];
    assert_eq!(code(&desc(folder.path(), &arguments)), 2);
    let arguments = ["check", "passes.des", "--report", "json=/dev/null", "--report", "html=/dev/null"];
    assert!(cfg!(not(unix)) || code(&desc(folder.path(), &arguments)) == 0, "a device may be named twice");
}

#[test]
fn a_place_where_nothing_can_be_written_is_told_before_the_search() {
    let folder = folder();
    for (place, reason) in
        [("none/r.out", "no such folder"), ("passes.des/r.out", "a part of the path is not a folder")]
    {
        let report = format!("json={place}");
        for arguments in [
            &["check", "fails.des", "--report", &report][..],
            &["check", "fails.des", "--certificate", place],
            &["report", "fails.des", "-o", place],
            &["export", "fails.des", "--to", "des", "-o", place],
            &["show", "system", "fails.des", "--format", "dot", "-o", place],
        ] {
            let output = desc(folder.path(), arguments);
            assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{arguments:?}");
            assert_eq!(stderr(&output), format!("error: cannot write `{place}`: {reason}\n"), "{arguments:?}");
        }
    }
    let names = || fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names(), 3, "nothing came");
}

#[test]
fn reports_are_written_whole_or_not_at_all() {
    let folder = folder();
    let reports = ["json=r.json", "sarif=r.sarif", "junit=r.xml", "html=r.html"];
    let mut arguments = vec!["check", "fails.des"];
    reports.iter().for_each(|report| arguments.extend(["--report", report]));
    assert_eq!(code(&desc(folder.path(), &arguments)), 1);
    for name in ["r.json", "r.sarif", "r.xml", "r.html"] {
        assert!(fs::metadata(folder.path().join(name)).expect("it was written").len() > 100, "{name}");
    }
    let output = desc(folder.path(), &["check", "fails.des", "--report", "json=no/such/folder.json"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot write `no/such/folder.json`: no such folder"), "{}", stderr(&output));
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".desc-")), "{left:?}");
    assert_eq!(code(&desc(folder.path(), &["check", "fails.des", "--report", "pdf=x"])), 2);
}

#[test]
fn a_file_that_is_read_only_stays_as_it_is() {
    let folder = folder();
    let untidy = "system S{states A;initial A;}\n";
    for (name, text) in [("untidy.des", untidy), ("r.json", "report")] {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        let mut permissions = fs::metadata(&path).expect("a file").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("permissions");
    }
    for (arguments, file, text) in [
        (&["fmt", "untidy.des"][..], "untidy.des", untidy),
        (&["check", "passes.des", "--report", "json=r.json"], "r.json", "report"),
    ] {
        let output = desc(folder.path(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        let told = format!("error: cannot write `{file}`: permission denied");
        assert!(stderr(&output).contains(&told), "{arguments:?}: {}", stderr(&output));
        assert_eq!(fs::read_to_string(folder.path().join(file)).expect("a file"), text, "{arguments:?}");
    }
    assert_eq!(code(&desc(folder.path(), &["fmt", "--check", "untidy.des"])), 1, "it is still read");
}
