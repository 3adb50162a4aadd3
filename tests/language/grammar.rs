//! One place says what the words of the language are: `src/syntax/token.rs`. The pest grammar and every editor's grammar are
//! read here as text and held against it, class by class where they have classes.

use desc::syntax::token::{KEYWORDS, WordClass};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

type Words = BTreeSet<String>;

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn of_class(class: WordClass) -> Words {
    KEYWORDS.iter().filter(|keyword| keyword.class == class).map(|keyword| keyword.word.to_owned()).collect()
}

fn all() -> Words {
    KEYWORDS.iter().map(|keyword| keyword.word.to_owned()).collect()
}

/// The runs of lower-case letters in a text, without the names of the escapes `\b`.
fn words(text: &str) -> Words {
    let text = text.replace("\\b", " ");
    text.split(|character: char| !character.is_ascii_lowercase())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// What stands between two marks, the first time.
fn between<'a>(text: &'a str, open: &str, close: &str) -> &'a str {
    let (_, rest) = text.split_once(open).unwrap_or_else(|| panic!("there is no {open}"));
    rest.split_once(close).unwrap_or_else(|| panic!("nothing ends {open}")).0
}

const CLASSES: &[(&str, WordClass)] = &[
    ("item", WordClass::Item),
    ("set", WordClass::Set),
    ("statement", WordClass::Statement),
    ("control", WordClass::Control),
    ("projection", WordClass::Projection),
    ("property", WordClass::Property),
    ("qualifier", WordClass::Qualifier),
    ("horizon", WordClass::Horizon),
];

/// Holds a grammar that has classes against the table. A horizon is written whole there: `initial-final` has words of
/// other classes in it.
fn agrees(grammar: &str, list_of: impl Fn(&str) -> Words) {
    for &(name, class) in CLASSES {
        let mut found = list_of(name);
        if class == WordClass::Horizon {
            assert!(found.remove("initial"), "{grammar}: `initial-state` is a horizon");
            assert!(found.remove("final"), "{grammar}: `initial-final` is a horizon");
        }
        assert_eq!(found, of_class(class), "{grammar}: the words of class {name}");
    }
}

#[test]
fn the_pest_grammar_has_the_words_of_the_lexer() {
    let grammar = file("grammar/des.pest");
    let code = grammar.lines().map(|line| if line.starts_with("//") { "" } else { line });
    let mut found = Words::new();
    for line in code {
        let literals = line.split('"').skip(1).step_by(2);
        found.extend(
            literals
                .filter(|text| text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_lowercase()))
                .map(str::to_owned),
        );
    }
    assert_eq!(found, all());
}

#[test]
fn the_textmate_grammar_has_the_words_of_the_lexer() {
    let grammar: Value = serde_json::from_str(&file("editors/vscode/syntaxes/des.tmLanguage.json")).expect("JSON");
    let patterns = grammar["repository"]["words"]["patterns"].as_array().expect("patterns").clone();
    agrees("TextMate", |class| {
        let scoped = |pattern: &&Value| {
            let name = pattern["name"].as_str().unwrap_or_default();
            name.split('.').any(|part| part == class)
        };
        let matched =
            patterns.iter().filter(scoped).map(|pattern| words(pattern["match"].as_str().unwrap_or_default()));
        matched.flatten().collect()
    });
}

#[test]
fn the_sublime_syntax_has_the_words_of_the_lexer() {
    let syntax = file("editors/sublime/des.sublime-syntax");
    agrees("Sublime", |class| words(between(&syntax, &format!("\n  {class}: '(?:"), ")'")));
    for (name, _) in CLASSES {
        assert!(syntax.contains(&format!("{{{{{name}}}}}")), "Sublime: `{name}` is used");
    }
}

#[test]
fn the_vim_syntax_has_the_words_of_the_lexer() {
    let syntax = file("editors/vim/syntax/des.vim");
    agrees("Vim", |class| {
        let group = format!("des{}{}", class[..1].to_uppercase(), &class[1..]);
        words(&between(&syntax, &format!("syntax match {group} /\\<\\%("), "\\)\\>/").replace("\\|", " "))
    });
}

#[test]
fn the_emacs_mode_has_the_words_of_the_lexer() {
    let mode = file("editors/emacs/des-mode.el");
    agrees("Emacs", |class| words(between(&mode, &format!("(defconst des-{class}-words '("), ")")));
}

#[test]
fn the_web_definition_has_the_words_of_the_lexer() {
    let definition = file("editors/highlight.js/des.js");
    agrees("highlight.js", |class| words(between(&definition, &format!("const {class} = ["), "];")));
}

#[test]
fn the_manual_colours_every_class_of_the_web_definition() {
    // Its script uses the lists of the definition by name, as a browser loads one after the other.
    let script = file("docs/highlight/colour.js");
    for (class, _) in CLASSES {
        assert!(script.contains(&format!("...{class}")), "docs/highlight/colour.js: `{class}` has no colour");
    }
    let book = file("docs/book.toml");
    let (definition, script) = (book.find("highlight/des.js"), book.find("highlight/colour.js"));
    assert!(definition.is_some() && definition < script, "the lists are loaded before they are used");
}

/// The classes of tokens that every editor must tell apart besides the words, each with a text that only its rule has.
const TOKEN_CLASSES: &[(&str, [&str; 6])] = &[
    // TextMate, Sublime, Vim, Emacs, highlight.js, tree-sitter
    (
        "documentation",
        [
            "comment.line.documentation",
            "documentation",
            "desDoc",
            "font-lock-doc-face",
            "C_LINE_COMMENT",
            "doc_comment",
        ],
    ),
    (
        "block comment",
        [
            "comment.block",
            "comment.block",
            "start=/\\/\\*/",
            "modify-syntax-entry ?*",
            "C_BLOCK_COMMENT",
            "block_comment",
        ],
    ),
    ("quoted name", ["string.quoted", "string.quoted", "desString", "?\\\"", "scope: \"string\"", "string"]),
    ("number", ["constant.numeric", "constant.numeric", "desNumber", "[0-9]+", "scope: \"number\"", "integer"]),
    ("sign", ["constant.other.sign", "[?γ]", "[?γ]", "[?γ]", "[?γ]", "[?γ]"]),
    ("arrow", ["->", "->", "->", "->", "->", "->"]),
];

#[test]
fn every_editor_has_a_rule_for_every_class_of_tokens() {
    let files = [
        "editors/vscode/syntaxes/des.tmLanguage.json",
        "editors/sublime/des.sublime-syntax",
        "editors/vim/syntax/des.vim",
        "editors/emacs/des-mode.el",
        "editors/highlight.js/des.js",
        "editors/tree-sitter-des/src/grammar.json",
    ];
    for (class, marks) in TOKEN_CLASSES {
        for (path, mark) in files.iter().zip(marks) {
            assert!(file(path).contains(mark), "{path}: no rule for {class}: `{mark}`");
        }
    }
}

#[test]
fn the_tree_sitter_grammar_has_the_words_of_the_lexer() {
    let grammar: Value = serde_json::from_str(&file("editors/tree-sitter-des/src/grammar.json")).expect("JSON");
    let mut found = Words::new();
    strings(&grammar["rules"], &mut found);
    found.retain(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()));
    assert_eq!(found, all());
}

/// Every literal of a generated grammar.
fn strings(rule: &Value, found: &mut Words) {
    if rule["type"] == "STRING" {
        found.extend(rule["value"].as_str().map(str::to_owned));
    }
    match rule {
        Value::Object(parts) => parts.values().for_each(|part| strings(part, found)),
        Value::Array(parts) => parts.iter().for_each(|part| strings(part, found)),
        _ => {}
    }
}

#[test]
fn the_snippets_of_the_editor_are_texts_of_the_language() {
    let snippets: Value = serde_json::from_str(&file("editors/vscode/snippets/des.json")).expect("JSON");
    for (name, snippet) in snippets.as_object().expect("snippets") {
        let body = match &snippet["body"] {
            Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
            line => line.as_str().expect("a text").to_owned(),
        };
        let text = filled(&body);
        let whole =
            if matches!(name.as_str(), "System" | "Component") { text } else { format!("system S {{ {text} }}") };
        assert_eq!(faults(&whole), Vec::<String>::new(), "{name}: {whole}");
    }
}

/// A snippet with its first choices taken: `${1:A}` is `A`, `${1|strong,weak|}` is `strong`, `$0` is nothing.
fn filled(body: &str) -> String {
    let mut text = String::new();
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        match after.strip_prefix('{') {
            None => rest = &after[1..],
            Some(inner) => {
                let (hole, after) =
                    inner.split_once(if inner.as_bytes()[1] == b'|' { "|}" } else { "}" }).expect("closed");
                let value = hole.split_once([':', '|']).map_or("", |(_, value)| value);
                let chosen = if hole.contains('|') { value.split(',').next().unwrap_or("") } else { value };
                text.push_str(chosen);
                rest = after;
            }
        }
    }
    text + rest
}

fn faults(text: &str) -> Vec<String> {
    let mut sources = desc::source::Sources::new();
    let id = sources.add(desc::source::SourceFile::new("t.des", text));
    let parsed = desc::syntax::parse(id, sources.get(id));
    parsed.diagnostics.into_iter().map(|fault| fault.message).collect()
}

#[test]
fn every_example_is_coloured_to_its_last_word() {
    let mut seen = 0;
    for path in models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")) {
        let text = fs::read_to_string(&path).expect("readable");
        let document = desc::ide::Document::new("t.des", text.clone(), &desc::source::NoImports);
        let coloured = desc::ide::tokens::tokens(&document, None);
        for token in desc::syntax::token::tokens(&text) {
            let is_word = matches!(token.kind, desc::syntax::token::TokenKind::Ident);
            let has_colour = coloured.binary_search_by_key(&token.start, |found| found.span.start).is_ok();
            assert!(!is_word || has_colour, "{}: `{}` has no colour", path.display(), token.text(&text));
        }
        seen += 1;
    }
    assert!(seen > 0, "there are examples");
}

/// The models below a folder.
fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(models(&path));
        } else if path.extension().is_some_and(|extension| extension == "des") {
            found.push(path);
        }
    }
    found.sort();
    found
}
