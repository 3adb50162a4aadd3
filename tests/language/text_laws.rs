//! Laws of text: whatever the bytes, lexing, parsing and formatting end, and say what they must.

use desc::format::{Refusal, format_text};
use desc::source::{FileId, SourceFile, Sources};
use desc::syntax::token::tokens;
use desc::syntax::{self, Parsed};
use proptest::prelude::*;

fn parse(text: &str) -> (Sources, FileId, Parsed) {
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new("t.des", text));
    let parsed = syntax::parse(id, sources.get(id));
    (sources, id, parsed)
}

/// Parses and checks what must be so for every text.
fn laws(text: &str) -> Parsed {
    let joined: String = tokens(text).map(|token| token.text(text)).collect();
    assert_eq!(joined, text, "tokens give the text back");
    let (sources, id, parsed) = parse(text);
    for diagnostic in &parsed.diagnostics {
        let labels = diagnostic.secondary.iter().chain([&diagnostic.primary]).map(|label| label.span);
        let edits = diagnostic.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
        for span in labels.chain(edits) {
            assert!(text.get(span.range()).is_some(), "{span:?} lies in the text, at characters: {diagnostic:?}");
        }
    }
    let in_order = parsed.diagnostics.windows(2).all(|pair| pair[0].primary.span <= pair[1].primary.span);
    assert!(in_order, "faults stand in the order of the text");
    let dumped = syntax::dump::dump_ast(&parsed.file, sources.get(id), Default::default()).unwrap();
    let has_error_node = dumped.lines().any(|line| line.trim_start().starts_with("error  @"));
    assert!(!has_error_node || !parsed.diagnostics.is_empty(), "a broken statement is reported");
    parsed
}

/// Runs on a thread with the stack of a thread pool's worker.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(run).unwrap();
    thread.join().unwrap();
}

fn codes(parsed: &Parsed) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

#[test]
fn deep_nesting_is_one_fault() {
    on_small_stack(|| {
        for (open, close) in [("(", ")"), ("{", "}"), ("x[(", ")]"), ("(a | ", ")")] {
            let text = format!("system A {{ initial {}x{}; states y; }}", open.repeat(100_000), close.repeat(100_000));
            let parsed = laws(&text);
            assert_eq!(codes(&parsed), ["E0109"], "{open}");
        }
        for unit in ["a | ", "a \\ ", "a."] {
            assert_eq!(
                codes(&laws(&format!("system A {{ initial {}x; }}", unit.repeat(100_000)))),
                ["E0109"],
                "{unit}"
            );
        }
        for unit in ["-", "!", "1 + ", "1 == "] {
            assert_eq!(codes(&laws(&format!("const N = {}1;", unit.repeat(100_000)))), ["E0109"], "{unit}");
        }
        let blocks = |head: &str| format!("system A {{ {} x; {} }}", head.repeat(100_000), "}".repeat(100_000));
        assert_eq!(codes(&laws(&blocks("for i in 1..2 {"))), ["E0109"]);
        let chain = format!("system A {{ if x {{ }} {} }}", "else if x { }".repeat(100_000));
        assert_eq!(codes(&laws(&chain)), ["E0109"]);
    });
}

#[test]
fn nesting_below_the_limit_is_fine() {
    on_small_stack(|| {
        for (open, close) in [("(", ")"), ("{", "}"), ("(a | ", ")")] {
            let deep = if open.len() > 1 { 60 } else { 120 };
            let text = format!("system A {{ initial {}x{}; }}", open.repeat(deep), close.repeat(deep));
            assert_eq!(codes(&laws(&text)), [""; 0], "{open}");
        }
        let text = format!("const N = {}1{};", "(".repeat(120), ")".repeat(120));
        assert_eq!(codes(&laws(&text)), [""; 0]);
        let blocks = format!("system A {{ {} states x; {} }}", "for i in 1..2 {".repeat(120), "}".repeat(120));
        assert_eq!(codes(&laws(&blocks)), [""; 0]);
        let open = format!("system A {{ {} states x;", "for i in 1..2 {".repeat(120));
        assert_eq!(laws(&open).diagnostics.len(), 121);
    });
}

#[test]
fn long_lines_and_long_names_are_read() {
    on_small_stack(|| {
        let names = "abcdefgh, ".repeat(200_000);
        assert_eq!(codes(&laws(&format!("system A {{ states {names}z; }}"))), [""; 0]);
        assert_eq!(codes(&laws(&format!("system A {{ states {names}; }}"))).len(), 1);
        let name = "n".repeat(1 << 20);
        assert_eq!(codes(&laws(&format!("system {name} {{ {name} -{name}-> {name}; foo {name}; }}"))), ["E0111"]);
        assert_eq!(codes(&laws(&"a ".repeat(1 << 18))).len(), 1);
        assert_eq!(codes(&laws(&"/".repeat(1 << 18))), [""; 0]);
    });
}

#[test]
fn any_bytes_are_read() {
    let cases: &[(&[u8], &[&str])] = &[
        (b"", &[]),
        (b"\xef\xbb\xbfsystem A { states x; }", &[]),
        (b"system A {\r\n    states x;\r\n}\r\n", &[]),
        (b"\0", &["E0103"]),
        (b"\0\0\0 \x01", &["E0103"]),
        (b"system A { states \xff\xfe; }", &["E0101"]),
        (b"// caf\xe9\nsystem A { states x; }", &["E0101"]),
    ];
    for (bytes, expected) in cases {
        let mut sources = Sources::new();
        let (id, mut diagnostics) = syntax::read(&mut sources, "t.des", bytes.to_vec());
        diagnostics.extend(syntax::parse(id, sources.get(id)).diagnostics);
        let found: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
        assert_eq!(&found, expected, "{bytes:?}");
    }
}

/// Words, signs and other text that a file may hold, thrown together.
fn soup() -> impl Strategy<Value = String> {
    let unit = prop_oneof![
        6 => prop::sample::select(syntax::token::KEYWORDS).prop_map(|keyword| keyword.word.to_owned()),
        6 => "[A-C0-2]",
        8 => prop::sample::select(vec![
            "{", "}", "(", ")", "[", "]", ";", ",", ":", ".", "..", "->", "-", "+", "*", "/", "=", "==", "!=", "<", "|", "||",
            "&", "&&", "\\", "?", "?1", "γ", "\"", "\"a b\"", "“", "→", "=>", "//", "///", "/*", "*/", "'", "#", "\0", "\u{a0}",
        ]).prop_map(str::to_owned),
        4 => prop::sample::select(vec![" ", "\n", "\n    ", "\r\n", "\t"]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec((unit, prop::bool::ANY), 0..60)
        .prop_map(|units| units.into_iter().map(|(unit, space)| if space { unit + " " } else { unit }).collect())
}

/// A valid file with some stretches removed, doubled or replaced.
fn mutated() -> impl Strategy<Value = String> {
    let edit =
        (any::<prop::sample::Index>(), 0usize..6, soup().prop_map(|soup| soup.chars().take(4).collect::<String>()));
    prop::collection::vec(edit, 1..6).prop_map(|edits| {
        let mut text: Vec<char> = include_str!("../fixtures/parse/sketch.des").chars().collect();
        for (at, length, insert) in edits {
            let start = at.index(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, insert.chars());
        }
        text.into_iter().collect()
    })
}

/// A valid file with comments and white space put between any two of its tokens.
fn commented() -> impl Strategy<Value = String> {
    let gap = prop::sample::select(vec![
        " // c\n",
        "\n// own line\n",
        " /* b */ ",
        "/* b\n  c */",
        "\n\n\n",
        "\n",
        "  ",
        "\n///d\n",
        "\r\n",
    ]);
    prop::collection::vec((any::<prop::sample::Index>(), gap), 0..12).prop_map(|gaps| {
        let text = include_str!("../fixtures/format/untidy.des");
        let tokens: Vec<&str> = tokens(text).map(|token| token.text(text)).collect();
        let mut before = vec![String::new(); tokens.len()];
        for (at, gap) in gaps {
            let at = at.index(tokens.len());
            let after_line_comment = at > 0 && tokens[at - 1].starts_with("//");
            before[at].push_str(if after_line_comment { "\n" } else { gap });
        }
        before.into_iter().zip(tokens).map(|(gap, token)| gap + token).collect()
    })
}

/// Formatting keeps the meaning and is done once and for all, or is refused for a reason.
fn formatting_laws(text: &str) {
    match format_text("t.des", text) {
        Ok(formatted) => {
            assert_eq!(format_text("t.des", &formatted), Ok(formatted), "formatting twice is formatting once")
        }
        Err(refusal) => assert_eq!(refusal, Refusal::Broken, "the layout says what the text said"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_parsed(text in any::<String>()) {
        laws(&text);
    }

    #[test]
    fn any_words_are_parsed(text in soup()) {
        laws(&text);
        laws(&format!("system A {{ {text} }}"));
        formatting_laws(&format!("system A {{ {text} }}"));
    }

    #[test]
    fn broken_files_are_parsed(text in mutated()) {
        laws(&text);
        formatting_laws(&text);
    }

    #[test]
    fn comments_survive_formatting(text in commented()) {
        prop_assert!(format_text("t.des", &text).is_ok());
        formatting_laws(&text);
    }
}
