//! What a message proposes can be typed: every text in backticks of a help is made of sound tokens, and every repair is text that the
//! parser reads.
//!
//! The models are the fixtures and the examples of the explain pages, as they are and with every name in them made hard to write: in quotes, with
//! blanks, digits at the end, a quote, a word of the language.

use desc::check::{Limits, Settings, check};
use desc::diagnostic::{Code, Diagnostic, Fix};
use desc::source::{NoImports, SourceFile, Sources};
use desc::syntax;
use desc::syntax::token::{TokenKind, class_of, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How a name is made hard to write.
const DISGUISES: &[fn(&str) -> String] = &[
    |name| name.to_owned(),
    |name| format!("\"{name}#3\""),
    |name| format!("\"3{name}\""),
    |name| format!("\"ⓐ{name}\\\"\\\\\""),
    |name| if name.len() % 2 == 0 { "\"events\"".to_owned() } else { format!("\"states {name}\"") },
];

/// Larger models say nothing new.
const LARGEST: usize = 20_000;

/// How many repairs of one code are tried in one model: each is parsed as a whole.
const REPAIRS: usize = 1;

/// Every model that something is said of.
fn models() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.join("tests/fixtures"), root.join("src/diagnostic/explain")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("des") => found.extend(fs::read_to_string(&path).ok().map(|text| (name, text))),
                Some("md") => {
                    found.extend(examples(&fs::read_to_string(&path).unwrap()).map(|text| (name.clone(), text)))
                }
                _ => {}
            }
        }
    }
    found.retain(|(_, text): &(String, String)| text.len() <= LARGEST);
    found.sort();
    assert!(found.len() > 200, "{}", found.len());
    found
}

fn examples(page: &str) -> impl Iterator<Item = String> {
    page.split("```des\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect::<Vec<_>>()
        .into_iter()
}

/// The words that may not be in quotes: constants, parameters, indices, and words of the language.
fn plain_words(text: &str) -> BTreeSet<&str> {
    let all: Vec<&str> = tokens(text).filter(|token| !token.kind.is_trivia()).map(|token| token.text(text)).collect();
    let mut plain = BTreeSet::new();
    for (at, &word) in all.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| all[at]);
        if before == "const" || all.get(at + 1) == Some(&"in") {
            plain.insert(word);
        }
        if before == "component" && all.get(at + 2) == Some(&"(") {
            plain.extend(all[at + 2..].iter().take_while(|&&word| word != ")"));
        }
    }
    plain
}

fn disguised(text: &str, disguise: fn(&str) -> String) -> String {
    let plain = plain_words(text);
    let change = |kind: TokenKind, word: &str| match kind {
        TokenKind::Ident if class_of(word).is_none() && !plain.contains(word) => disguise(word),
        _ => word.to_owned(),
    };
    tokens(text).map(|token| change(token.kind, token.text(text))).collect()
}

fn said(text: &str) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let entry = sources.add(SourceFile::new("m.des", text));
    let limits = Limits { states: 1_000, transitions: 1_000, ..Limits::default() };
    check(entry, &mut sources, &NoImports, &Settings { limits, ..Settings::default() }).diagnostics
}

/// The pieces of a help that are to be typed.
fn typed(help: &str) -> impl Iterator<Item = &str> {
    help.split('`').skip(1).step_by(2)
}

/// Whether a text is made of whole tokens, none of which runs into the next.
fn is_sound(text: &str) -> bool {
    let all: Vec<_> = tokens(text).collect();
    let whole = |token: &syntax::token::Token| token.kind != TokenKind::Unknown && !token.is_unterminated(text);
    let apart = |pair: &[syntax::token::Token]| !(pair[0].kind.is_name() && pair[1].kind.is_name());
    all.iter().all(whole) && all.windows(2).all(apart)
}

fn applied(text: &str, fix: &Fix) -> String {
    let mut text = text.to_owned();
    for edit in fix.edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}

/// How many faults of the text itself there are: codes 01xx.
fn syntax_faults(text: &str) -> usize {
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new("m.des", text));
    syntax::parse(id, sources.get(id)).diagnostics.iter().filter(|fault| fault.is_error()).count()
}

/// Options of the command line and names of files are not part of a model; these messages speak of characters.
fn is_about_text(code: Code, piece: &str) -> bool {
    piece.starts_with('-')
        || piece.contains('.') && piece.starts_with('.')
        || matches!(code.as_str(), "E0103" | "E0104" | "E0105")
}

fn wrong(text: &str, before: usize, tried: &mut BTreeMap<Code, usize>, fault: &Diagnostic) -> Vec<String> {
    let help = fault.help.as_deref().unwrap_or("");
    let mut wrong: Vec<String> = typed(help)
        .filter(|piece| !is_about_text(fault.code, piece) && !is_sound(piece))
        .map(|piece| format!("{} proposes `{piece}`", fault.code))
        .collect();
    let tried = tried.entry(fault.code).or_default();
    *tried += 1;
    if *tried > REPAIRS {
        return wrong;
    }
    for fix in fault.fixes.iter().filter(|fix| syntax_faults(&applied(text, fix)) > before) {
        wrong.push(format!("{} {:?} leads to\n{}", fault.code, fix.title, applied(text, fix)));
    }
    wrong
}

#[test]
fn what_is_proposed_can_be_written() {
    let mut found = Vec::new();
    for (name, text) in models() {
        for disguise in DISGUISES {
            let text = disguised(&text, *disguise);
            let before = syntax_faults(&text);
            let mut tried = BTreeMap::new();
            let wrong: Vec<String> =
                said(&text).iter().flat_map(|fault| wrong(&text, before, &mut tried, fault)).collect();
            found.extend(wrong.into_iter().map(|wrong| format!("{name}: {wrong}")));
        }
    }
    found.dedup();
    assert!(found.is_empty(), "{} proposals:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_law_can_tell() {
    assert!(is_sound("send[1], \"waiting room\" -a-> x.y;"));
    for text in ["\"grün3\"2", "3a", "waiting\" room", "a $ b", "ⓐ"] {
        assert!(!is_sound(text), "{text}");
    }
}
