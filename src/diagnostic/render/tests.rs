//! What each form shows of one diagnostic.

use super::*;
use crate::diagnostic::Code;
use crate::source::{FileId, SourceFile, Span};

fn find(sources: &Sources, file: FileId, needle: &str) -> Span {
    let at = sources.get(file).text().find(needle).expect("the text has it") as u32;
    Span::new(file, at, at + needle.len() as u32)
}

fn sample() -> (Sources, Diagnostic) {
    let mut sources = Sources::new();
    let main = sources.add(SourceFile::new("main.des", "system S {\n    states A, B;\n    A -x-> B;\n}\n"));
    let other = sources.add(SourceFile::new("mix.des", "component Mix {\n    events y;\n}\n"));
    let diagnostic = Diagnostic::new(Code::E0901, find(&sources, main, "x"), "unknown event `x`")
        .label("not declared in this system")
        .also(find(&sources, main, "S"), "this system")
        .also(find(&sources, other, "y"), "the nearest name is here")
        .help("did you mean `y`?");
    (sources, diagnostic)
}

#[test]
fn lines_are_drawn() {
    let (sources, diagnostic) = sample();
    insta::assert_snapshot!(human(&sources, &[diagnostic], &Style::default()));
}

#[test]
fn ascii_has_no_other_character() {
    let (sources, diagnostic) = sample();
    let text = human(&sources, &[diagnostic], &Style { ascii: true, ..Style::default() });
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn narrated_has_no_drawing() {
    let (sources, diagnostic) = sample();
    insta::assert_snapshot!(human(&sources, &[diagnostic], &Style { narrated: true, ..Style::default() }));
}

#[test]
fn short_is_one_line() {
    let (sources, diagnostic) = sample();
    assert_eq!(short(&sources, &[diagnostic]), "main.des:3:8: error[E0901]: unknown event `x`\n");
}

#[test]
fn a_file_without_text_is_named_and_not_drawn() {
    let mut sources = Sources::new();
    let file = sources.add(SourceFile::new("gone.des", ""));
    let diagnostic = Diagnostic::new(Code::E0901, Span::new(file, 0, 0), "cannot read `gone.des`");
    assert_eq!(human(&sources, &[diagnostic], &Style::default()), "  × error[E0901]: cannot read `gone.des`\n");
}

#[test]
fn an_overlong_line_is_shown_around_its_label() {
    let mut sources = Sources::new();
    let text = format!("states {}é, {};", "a, ".repeat(50_000), "b, ".repeat(50_000));
    let file = sources.add(SourceFile::new("long.des", text));
    let place = find(&sources, file, "é");
    let diagnostic = Diagnostic::new(Code::E0901, place, "here").label("this");
    let shown = human(&sources, &[diagnostic], &Style::default());
    assert!(shown.len() < 2_000 && shown.contains("long.des:1:150008") && shown.contains("a, é, b"), "{shown}");
}

#[test]
fn a_terminal_is_not_disturbed() {
    let mut sources = Sources::new();
    let file = sources.add(SourceFile::new("evil.des", "a \u{1b}[2J\u{202e} b\r\nc\rd\n"));
    let diagnostic = Diagnostic::new(Code::E0901, find(&sources, file, "b"), "bad \u{1b}[31m").label("\u{9b}x");
    let shown = human(&sources, &[diagnostic], &Style::default());
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{9b}', '\r']), "{shown:?}");
    insta::assert_snapshot!(shown);
}

#[test]
fn any_place_of_any_text_can_be_shown() {
    let mut sources = Sources::new();
    let text = "é\r\n\n\tstates A;\u{1f600}\n";
    let file = sources.add(SourceFile::new("any.des", text));
    let cuts: Vec<u32> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).map(|at| at as u32).collect();
    for &start in &cuts {
        for &end in cuts.iter().filter(|&&end| end >= start) {
            let diagnostic = Diagnostic::new(Code::E0901, Span::new(file, start, end), "here").label("this");
            for narrated in [false, true] {
                let shown = human(&sources, std::slice::from_ref(&diagnostic), &Style { narrated, ..Style::default() });
                assert!(shown.contains("any.des"), "{start}..{end}: {shown}");
            }
        }
    }
}
