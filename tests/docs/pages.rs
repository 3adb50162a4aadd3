//! The documents stay true: every model and every command in `README.md` and `docs/src` is run.
//!
//! - A block marked `des` is a whole file. It must pass its checks without a warning, unless its mark says otherwise:
//!   `des,violated` (a check does not pass), `des,fail=E0201` (that error is raised), `des,warn=W0401` (that warning).
//!   `des,file=mix.des` also leaves it under that name for the blocks that follow on the page; so does `text,file=plant.fsm`.
//! - A block marked `console` holds commands after `$ ` and what they print. They run in a folder with a copy of `examples/`,
//!   one folder for each page. Times and counts of pairs are masked; a line `...` stands for any number of lines.
//!
//! - Nothing else may stand in a block, except `text,synopsis` (a form, a diagram), `yaml,synopsis`, `python,synopsis` and `sh` with lines for
//!   cargo.
//!
//! `UPDATE_DOCS=1 cargo test --test docs pages` writes what the commands print into the pages: read it before you commit it.

use serde_json::Value;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn every_model_in_the_documents_does_what_its_mark_says() {
    let mut faults = String::new();
    for page in pages() {
        let folder = workplace();
        let text = fs::read_to_string(&page).unwrap();
        for block in blocks(&text) {
            if let Err(fault) = run_model(&block, folder.path()) {
                writeln!(faults, "{}:{}: {fault}", shown(&page), block.line).unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn the_limits_are_those_that_the_manual_names() {
    use desc::diagnostic::words::grouped;
    let limits = desc::check::Limits::default();
    let named =
        format!("{} states and {} transitions", grouped(limits.states as u64), grouped(limits.transitions as u64));
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/language.md");
    assert!(std::fs::read_to_string(manual).unwrap().contains(&named), "{named}");
}

#[test]
fn every_command_in_the_documents_prints_what_is_shown() {
    let mut faults = String::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let folder = workplace();
        let actual = replayed(&text, folder.path());
        if std::env::var_os("UPDATE_DOCS").is_some() && actual != text {
            fs::write(&page, &actual).unwrap();
        } else if actual != text {
            writeln!(faults, "{}:\n{}", shown(&page), difference(&text, &actual)).unwrap();
        }
    }
    assert!(faults.is_empty(), "UPDATE_DOCS=1 cargo test --test docs pages would change:\n{faults}");
}

#[test]
fn every_block_of_the_documents_is_run_or_says_why_not() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for block in blocks(&text) {
            let is_run = matches!(block.language(), "des" | "console") || block.value("file").is_some();
            let is_form = matches!(block.mark, "text,synopsis" | "yaml,synopsis" | "python,synopsis");
            let installs = block.language() == "sh" && block.body.iter().all(|line| line.starts_with("cargo "));
            assert!(is_run || is_form || installs, "{}:{}: `{}` is not run", shown(&page), block.line, block.mark);
        }
    }
}

#[test]
fn the_readme_begins_with_a_command_that_builds_and_runs_and_one_that_tests() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let first = blocks(&readme).remove(0);
    let [build_and_run, test] = first.body[..] else { panic!("README.md:{}: two commands are expected", first.line) };
    assert_eq!(test, "cargo test");
    let arguments = build_and_run.strip_prefix("cargo run --release -- ").expect("it builds and runs");
    let desc =
        Command::new(env!("CARGO_BIN_EXE_desc")).args(arguments.split(' ')).current_dir(root()).output().unwrap();
    assert!(desc.status.success(), "{}", String::from_utf8_lossy(&desc.stdout));
}

#[test]
fn every_command_has_a_page_with_an_example_that_is_run() {
    let help = Command::new(env!("CARGO_BIN_EXE_desc")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A command stands two spaces in; the rest of its description stands further in.
    let commands = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{commands:?}");
    let table = fs::read_to_string(root().join("docs/src/commands.md")).unwrap();
    let manual: Vec<String> = pages().iter().map(|page| fs::read_to_string(page).unwrap()).collect();
    let run: Vec<&str> = manual
        .iter()
        .flat_map(|text| blocks(text))
        .filter(|block| block.language() == "console")
        .flat_map(|block| block.body)
        .collect();
    for command in commands.into_iter().filter(|command| *command != "help") {
        let called = format!("desc {command}");
        assert!(table.contains(&format!("`{called}`")) || table.contains(&format!("`{command}`")), "{called}: no page");
        let is_called =
            |line: &&&str| line.starts_with("$ ") && (line.contains(&format!("{called} ")) || line.ends_with(&called));
        assert!(run.iter().any(|line| is_called(&line)), "{called}: no example that is run");
    }
}

#[test]
fn every_code_stands_beside_the_construct_that_raises_it() {
    let manual: String = pages().iter().map(|page| fs::read_to_string(page).unwrap()).collect();
    for code in desc::diagnostic::Code::ALL {
        assert!(manual.contains(code.as_str()), "{code} is named nowhere in docs/src");
    }
}

#[test]
fn every_page_of_the_manual_is_in_its_table_of_contents() {
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).unwrap();
    for page in pages().iter().filter(|page| page.starts_with(root().join("docs/src"))) {
        let name = page.strip_prefix(root().join("docs/src")).unwrap().to_str().unwrap();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name} is not in SUMMARY.md");
    }
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let mut texts = pages();
    let more = ["editors/README.md", "editors/vscode/README.md", "examples/README.md", "examples/paper/README.md"];
    texts.extend(more.iter().map(|path| root().join(path)));
    let root_pages =
        ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/literature/README.md"];
    texts.extend(root_pages.iter().map(|path| root().join(path)));
    for page in texts {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains(':') {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            assert!(target.exists(), "{}: {link}", shown(&page));
            assert!(anchor.is_empty() || has_heading(&target, anchor), "{}: {link}", shown(&page));
        }
    }
}

#[test]
fn every_model_that_the_documents_name_is_there() {
    let folders = ["paper/", "tour/", "protocols/", "repairs/", "breaking/", "theory/", "literature/"];
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for name in text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".des")) {
            let path = name.strip_prefix("examples/").unwrap_or(name);
            let is_example = name.starts_with("examples/") || folders.iter().any(|folder| path.starts_with(folder));
            assert!(!is_example || root().join("examples").join(path).exists(), "{}: `{name}`", shown(&page));
        }
    }
}

/// Whether a page has the anchor: an `id`, or a heading in lower case with `-` for spaces and without punctuation.
fn has_heading(page: &Path, anchor: &str) -> bool {
    let text = fs::read_to_string(page).unwrap();
    let slug = |heading: &str| {
        let kept = heading.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
        kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
    };
    text.contains(&format!("id=\"{anchor}\""))
        || text
            .lines()
            .filter_map(|line| line.strip_prefix('#'))
            .any(|heading| slug(heading.trim_start_matches('#')) == anchor)
}

#[test]
fn the_citation_names_this_version() {
    let citation = fs::read_to_string(root().join("CITATION.cff")).unwrap();
    assert!(citation.contains(&format!("\nversion: {}\n", env!("CARGO_PKG_VERSION"))), "CITATION.cff");
}

#[test]
fn the_pictures_show_what_the_commands_give() {
    let folder = workplace();
    let impatient = "sed 's/check not/check/' examples/tour/02_reading_a_violation.des > impatient.des; desc check -q --color always impatient.des";
    up_to_date("docs/src/story.svg", &terminal("desc check -q impatient.des", &run(impatient, folder.path())));
    up_to_date("docs/src/graph.svg", &run("desc show system impatient.des --highlight --format svg", folder.path()));
    let questioning = "desc show system examples/questioning.des --format svg";
    up_to_date("docs/src/questioning.svg", &run(questioning, folder.path()));
}

fn up_to_date(path: &str, wanted: &str) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join(path), wanted).unwrap();
    }
    let found = fs::read_to_string(root().join(path)).unwrap_or_default();
    assert!(found == wanted, "{path} is stale: UPDATE_DOCS=1 cargo test --test docs pages");
}

/// A drawing of a terminal with a command and its output, in colours.
fn terminal(command: &str, output: &str) -> String {
    let lines: Vec<String> = std::iter::once(format!("$ {command}")).chain(output.lines().map(str::to_owned)).collect();
    let width_of = |line: &String| runs(line).iter().map(|(_, text)| text.chars().count()).sum::<usize>();
    let columns = lines.iter().map(width_of).max().unwrap_or(0);
    let (width, height) = (columns * 8 + 32, lines.len() * 19 + 30);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2430\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\" fill=\"#dfe6f0\">\n"
    );
    for (at, line) in lines.iter().enumerate() {
        let spans: String = runs(line).iter().map(|(style, text)| span(style, text)).collect();
        writeln!(svg, "<text x=\"16\" y=\"{}\">{spans}</text>", at * 19 + 28).unwrap();
    }
    svg + "</g>\n</svg>\n"
}

/// A line in pieces of one look each, with the numbers of the escape sequence before it: `1;31`.
fn runs(line: &str) -> Vec<(&str, &str)> {
    let mut pieces = line.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default();
    let rest = pieces.map(|piece| piece.split_once('m').expect("a whole escape sequence"));
    std::iter::once(("0", first)).chain(rest).filter(|(_, text)| !text.is_empty()).collect()
}

fn span(style: &str, text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(' ', "\u{a0}");
    let attributes: Vec<&str> = style.split(';').filter_map(attribute).collect();
    if attributes.is_empty() { escaped } else { format!("<tspan {}>{escaped}</tspan>", attributes.join(" ")) }
}

fn attribute(number: &str) -> Option<&'static str> {
    Some(match number {
        "1" => "font-weight=\"600\"",
        "2" => "fill-opacity=\"0.6\"",
        "4" => "text-decoration=\"underline\"",
        "31" => "fill=\"#ff8f8f\"",
        "32" => "fill=\"#98e08f\"",
        "33" => "fill=\"#f0d080\"",
        "35" => "fill=\"#e3a8f0\"",
        "36" => "fill=\"#86d8e8\"",
        _ => return None,
    })
}

// ---- Pages and blocks ----

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn shown(page: &Path) -> String {
    page.strip_prefix(root()).unwrap_or(page).display().to_string()
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    collect(&root().join("docs/src"), &mut pages);
    pages.retain(|page| page.exists());
    pages.sort();
    pages
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            into.push(path);
        }
    }
}

/// A block of code: what stands between two fences.
struct Block<'a> {
    /// The text after the opening fence: `des,fail=E0201`.
    mark: &'a str,
    /// The line of the opening fence, from 1.
    line: usize,
    /// Its lines.
    body: Vec<&'a str>,
}

impl Block<'_> {
    fn language(&self) -> &str {
        self.mark.split(',').next().unwrap_or_default().trim()
    }

    fn has(&self, word: &str) -> bool {
        self.mark.split(',').any(|part| part.trim() == word)
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.mark.split(',').find_map(|part| part.trim().strip_prefix(key)?.strip_prefix('='))
    }
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(mark), false) => blocks.push(Block { mark, line: at + 1, body: Vec::new() }),
            (None, true) => blocks.last_mut().unwrap().body.push(line),
            (None, false) => continue,
            (Some(_), true) => {}
        }
        open = line.starts_with("```") != open;
    }
    blocks
}

// ---- Models ----

/// A folder with a copy of `examples/`.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &folder.path().join("examples"));
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn run_model(block: &Block, folder: &Path) -> Result<(), String> {
    let name = block.value("file").unwrap_or("block.des");
    fs::write(folder.join(name), block.body.join("\n") + "\n").unwrap();
    if block.language() != "des" {
        return Ok(());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_desc"));
    let output = command
        .args(["check", "--message-format", "json", name])
        .current_dir(folder)
        .output()
        .map_err(|e| e.to_string())?;
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let codes: Vec<&str> =
        report["diagnostics"].as_array().unwrap().iter().filter_map(|d| d["code"].as_str()).collect();
    let (exit, wanted) = match (block.value("fail"), block.value("warn")) {
        (Some(code), _) => (2, Some(code)),
        (None, code) => (i32::from(block.has("violated")), code),
    };
    let as_said = wanted.map_or(codes.is_empty(), |code| codes.contains(&code));
    if output.status.code() == Some(exit) && as_said {
        return Ok(());
    }
    let failed = report["systems"].as_array().unwrap().iter().flat_map(|system| system["checks"].as_array().unwrap());
    let failed: Vec<&str> = failed.filter(|check| check["passed"] != true).filter_map(|c| c["text"].as_str()).collect();
    Err(format!(
        "marked `{}`, exit code {:?}, codes {codes:?}, not passed {failed:?}",
        block.mark,
        output.status.code()
    ))
}

// ---- Commands ----

/// The page with the output of every command in place; where what is shown is right, it is kept as it is. Models with a name
/// are left in the folder as they are met.
fn replayed(text: &str, folder: &Path) -> String {
    let mut page = String::new();
    let mut rest = text.lines().enumerate().peekable();
    let blocks = blocks(text);
    while let Some((at, line)) = rest.next() {
        writeln!(page, "{line}").unwrap();
        let Some(block) = blocks.iter().find(|block| block.line == at + 1) else { continue };
        if let Some(name) = block.value("file") {
            fs::write(folder.join(name), block.body.join("\n") + "\n").unwrap();
        }
        if block.language() == "console" {
            page += &session(&block.body, folder);
            rest.by_ref().take(block.body.len()).for_each(drop);
        }
    }
    page
}

/// The commands of a block, each with what it prints.
fn session(lines: &[&str], folder: &Path) -> String {
    let mut text = String::new();
    let mut rest = lines.iter().peekable();
    while let Some(line) = rest.next() {
        writeln!(text, "{line}").unwrap();
        if let Some(command) = line.strip_prefix("$ ") {
            let mut expected = Vec::new();
            while let Some(line) = rest.next_if(|line| !line.starts_with("$ ")) {
                expected.push(*line);
            }
            text += &kept_or_replaced(&expected, &run(command, folder));
        }
    }
    text
}

fn kept_or_replaced(expected: &[&str], actual: &str) -> String {
    let lines: Vec<String> = unwrapped(actual.lines()).iter().map(|line| masked(line)).collect();
    let wanted: Vec<String> = unwrapped(expected.iter().copied()).iter().map(|line| masked(line)).collect();
    if matches(&wanted, &lines) {
        return expected.iter().map(|line| format!("{line}\n")).collect();
    }
    actual.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The lines, with those of a reason under a verdict joined: where it is wrapped depends on how long its numbers are.
fn unwrapped<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    const REASON: &str = "                     ";
    let mut joined: Vec<String> = Vec::new();
    for line in lines {
        match joined.last_mut() {
            Some(last) if last.starts_with(REASON) && line.starts_with(REASON) => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => joined.push(line.to_owned()),
        }
    }
    joined
}

/// Whether the lines are the same, `...` standing for any number of them.
fn matches(wanted: &[String], lines: &[String]) -> bool {
    match wanted.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "..." => (0..=lines.len()).any(|at| matches(rest, &lines[at..])),
        Some((first, rest)) => lines.first() == Some(first) && matches(rest, &lines[1..]),
    }
}

/// Runs a command as a user would, with `desc` in the path; gives what it prints on both streams, in order.
fn run(command: &str, folder: &Path) -> String {
    let shared = tempfile::NamedTempFile::new().unwrap();
    let stream = || Stdio::from(File::options().append(true).open(shared.path()).unwrap());
    let program = Path::new(env!("CARGO_BIN_EXE_desc")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).env("TERM", "dumb").env("NO_COLOR", "1");
    shell.stdin(Stdio::null()).stdout(stream()).stderr(stream()).status().unwrap();
    let mut text = String::new();
    File::open(shared.path()).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The line without trailing space, with every time (`12 ms`, `0.3s`) as `TIME` and every count of pairs, which is the engine's own
/// affair, as `SOME pairs`. A line of measured decimals (`0.344  0.00`) is taken without them, and without its columns.
fn masked(line: &str) -> String {
    let is_measured =
        |word: &str| word.split_once('.').is_some_and(|(whole, part)| is_digits(whole) && is_digits(part));
    if line.split("  ").filter(|cell| is_measured(cell.trim())).count() > 1 {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty() && !is_measured(cell));
        return cells.filter(|cell| !is_digits(cell)).collect::<Vec<_>>().join("  ");
    }
    if line.starts_with("method ") {
        // The head of such lines: as wide as they are.
        return line.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let mut out = String::new();
    let mut rest = line.trim_end();
    while let Some(at) = rest.find(|character: char| character.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let length = number_length(from);
        let (number, after) = from.split_at(length);
        out += before;
        match unit(after) {
            Some(after) => {
                out += "TIME";
                rest = after;
            }
            None if after.starts_with(" pair") => {
                out += "SOME pairs";
                rest = after[" pair".len()..].trim_start_matches('s');
            }
            None => {
                out += number;
                rest = after;
            }
        }
    }
    out + rest
}

/// How long the number at the start of a text is, with its decimals and the commas between its thousands.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let goes_on = |at: &usize| match bytes[*at] {
        b',' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        byte => byte.is_ascii_digit() || byte == b'.',
    };
    (0..bytes.len()).take_while(goes_on).count()
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What follows a unit of time, if one stands here.
fn unit(text: &str) -> Option<&str> {
    let text = text.strip_prefix(' ').unwrap_or(text);
    let after = ["ms", "µs", "us", "ns", "s"].iter().find_map(|unit| text.strip_prefix(unit))?;
    (!after.starts_with(|next: char| next.is_alphanumeric() || next == '_')).then_some(after)
}

fn difference(old: &str, new: &str) -> String {
    let diff = similar::TextDiff::from_lines(old, new);
    diff.unified_diff().context_radius(2).to_string()
}

#[test]
fn reasons_are_the_same_however_they_are_wrapped() {
    let reason =
        |lines: [&'static str; 3]| unwrapped(lines.into_iter()).iter().map(|line| masked(line)).collect::<Vec<_>>();
    let short =
        reason(["  ok", "                     holds; proof of 1 pair, certificate", "                     verified"]);
    let long = reason([
        "  ok",
        "                     holds; proof of 1,234 pairs,",
        "                     certificate verified",
    ]);
    assert_eq!(short, long);
    assert_eq!(short.len(), 2);
}

#[test]
fn times_are_masked_and_other_numbers_are_not() {
    assert_eq!(masked("3 checks, 1 pair in 12 ms, 0.4s, 2-step  "), "3 checks, SOME pairs in TIME, TIME, 2-step");
    assert_eq!(masked("5 states, 12 sets"), "5 states, 12 sets");
    assert_eq!(masked("engine        never  1     pairs  0.344  0.00"), "engine  never  pairs");
}
