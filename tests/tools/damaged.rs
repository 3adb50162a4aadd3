//! Files of other tools with one character wrong: none is read as another model in silence.
//!
//! Every damaged XML file is also looked at by a small well-formedness check of this test, which shares nothing with the reader. What is not
//! well-formed must be refused. If the tags and their attributes are still the same ones, only a value or a blank was changed: as many
//! parts, states and transitions must come back. If they are not the same, the file is refused or the damage did not matter: the model
//! is the same.

use desc::import::{Foreign, Format, Part, read_all};
use desc::source::{SourceFile, Sources};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The tags of a file: the name of each, and of its attributes. None: the file is not well-formed.
fn skeleton(text: &str) -> Option<Vec<Vec<&str>>> {
    let mut rest = text;
    if let Some(after) = rest.strip_prefix("<?xml ") {
        let (inner, after) = after.split_once("?>")?;
        let names = attributes(&format!(" {inner}"))?.len();
        rest = (names > 0 && inner.trim_start().starts_with("version")).then_some(after)?;
    }
    let (mut tags, mut open) = (Vec::new(), Vec::new());
    while let Some((before, after)) = rest.split_once('<') {
        let outside = open.is_empty();
        if outside && !blank(before) || before.contains('&') {
            return None;
        }
        rest = if let Some(comment) = after.strip_prefix("!--") {
            comment.split_once("--").and_then(|(_, after)| after.strip_prefix('>'))?
        } else if let Some(instruction) = after.strip_prefix('?') {
            let named = instruction.starts_with(|c: char| c.is_alphabetic()) && !instruction.starts_with("xml ");
            instruction.split_once("?>").filter(|_| named)?.1
        } else {
            let (tag, after) = after.split_at(end_of_tag(after)?);
            if let Some(name) = tag.strip_prefix('/') {
                (open.pop() == Some(name.trim_end_matches([' ', '\t', '\r', '\n']))).then_some(())?;
                tags.push(vec!["/"]);
            } else if outside && !tags.is_empty() {
                return None;
            } else {
                let inner = tag.strip_suffix('/').unwrap_or(tag);
                let name = name(inner)?;
                let found = attributes(&inner[name.len()..])?;
                tags.push([vec![name], found].concat());
                match inner.len() == tag.len() {
                    true => open.push(name),
                    false => tags.push(vec!["/"]),
                }
            }
            &after[1..]
        };
    }
    (open.is_empty() && blank(rest) && !tags.is_empty()).then_some(tags)
}

/// The `>` that is not in quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    None
}

/// The names of ` a="1" b='2' `; none: they are not attributes.
fn attributes(text: &str) -> Option<Vec<&str>> {
    let mut names: Vec<&str> = Vec::new();
    let mut rest = text;
    while !blank(rest) {
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let found = name(trimmed).filter(|found| trimmed.len() < rest.len() && !names.contains(found))?;
        names.push(found);
        let value = trimmed[found.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|quote| "\"'".contains(*quote))?;
        let (value, after) = value[1..].split_once(quote)?;
        let entities = value
            .split('&')
            .skip(1)
            .all(|entity| ["lt;", "gt;", "amp;", "quot;", "apos;"].iter().any(|known| entity.starts_with(known)));
        rest = (entities && !value.contains('<')).then_some(after)?;
    }
    Some(names)
}

fn name(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_:-.".contains(c)).unwrap_or(text.len());
    let name = &text[..end];
    name.starts_with(|c: char| c.is_alphabetic() || "_:".contains(c)).then_some(name)
}

fn blank(text: &str) -> bool {
    text.chars().all(|c| " \t\r\n".contains(c))
}

/// What is read; none: the file is refused.
fn read(file: &str, text: &str) -> Option<Foreign> {
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new(file, text));
    let format = Format::detect(file, text).expect("a known ending");
    let (mut models, diagnostics) = read_all(format, id, sources.get(id));
    assert_eq!(models.is_empty(), desc::diagnostic::any_error(&diagnostics), "a model or a reason");
    models.pop()
}

/// A model without places.
fn meaning(model: &Foreign) -> Vec<String> {
    let part = |part: &Part| {
        let steps: Vec<_> = part.transitions.iter().map(|step| (step.source, step.event, step.target)).collect();
        let seen: Vec<_> = part.facts.iter().map(|facts| facts.observable).collect();
        let (states, events): (Vec<_>, Vec<_>) = (part.states.iter().collect(), part.events.iter().collect());
        format!("{} {states:?} {:?} {events:?} {seen:?} {steps:?}", part.name, part.initial)
    };
    model.parts.iter().map(part).collect()
}

/// How many parts, states and transitions.
fn size(model: &Foreign) -> (usize, usize, usize) {
    let sum = |count: fn(&Part) -> usize| model.parts.iter().map(count).sum();
    (model.parts.len(), sum(|part| part.states.len()), sum(|part| part.transitions.len()))
}

/// A file without damage.
struct Whole {
    text: String,
    model: Foreign,
}

/// Holds a damaged file to what the whole one means.
fn hold(file: &str, damaged: &str, whole: &Whole) {
    let Whole { text: whole, model } = whole;
    let Some(read) = read(file, damaged) else { return };
    let changed = || {
        let at = whole.bytes().zip(damaged.bytes()).position(|(left, right)| left != right).unwrap_or(damaged.len());
        let (line, column) = (whole[..at].lines().count(), at - whole[..at].rfind('\n').map_or(0, |at| at + 1));
        format!("{file}, line {line}, byte {column}: {:?}", damaged.lines().nth(line.saturating_sub(1)))
    };
    match skeleton(damaged) {
        None => panic!("not well-formed, and read: {}", changed()),
        tags if tags == skeleton(whole) => assert_eq!(size(&read), size(model), "{}", changed()),
        _ => assert_eq!(meaning(&read), meaning(model), "{}", changed()),
    }
}

#[test]
fn a_file_with_one_character_wrong_is_refused_or_means_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/foreign/ok");
    for file in ["supremica_pair.xml", "waters_cell.wmod"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let model = read(file, &text).expect("the file is sound");
        assert!(skeleton(&text).is_some(), "{file}");
        let whole = Whole { text, model };
        for (at, character) in whole.text.char_indices() {
            let (before, after) = (&whole.text[..at], &whole.text[at + character.len_utf8()..]);
            hold(file, &format!("{before}{after}"), &whole);
            hold(file, &format!("{before}{character}{character}{after}"), &whole);
            hold(file, before, &whole);
            for other in ["<", ">", "/", "\"", "&", " ", "x"] {
                hold(file, &format!("{before}{other}{after}"), &whole);
            }
        }
    }
}

#[test]
fn what_is_not_well_formed_is_refused() {
    let states = "<States><State id=\"0\" name=\"a\" initial=\"true\"/></States>";
    let whole = format!("<Automata name=\"x\"><Automaton name=\"p\">{states}<Transitions/></Automaton></Automata>");
    assert!(read("m.xml", &whole).is_some());
    for (from, to) in [
        (
            "<Automaton ",
            "<Automaton name=\"p\"><States><State id=\"0\" name=\"a\" initial=\"true\"/></States></Automaton><Automaton ",
        ),
        ("<States>", "<States>text"),
        ("<States>", "<States><![CDATA[text]]>"),
        ("<States>", "<States>&amp;"),
        ("</States>", "</State>"),
        ("initial=\"true\"", "initial"),
        ("initial=\"true\"", "initial=true"),
        ("initial=\"true\"", "initial=\"true\" initial=\"false\""),
        ("initial=\"true\"", "initial=\"true\"cost=\"1\""),
        ("initial=\"true\"", "initial=\"true\" note=\"&boom;\""),
        ("initial=\"true\"", "initial=\"true\" note=\"<\""),
        ("initial=\"true\"", "inital=\"true\""),
        ("</Automata>", "</Automata>text"),
        ("</Automata>", "</Automata><Automata/>"),
        ("</Automata>", "</Automata></Automata>"),
        ("</Automata>", ""),
        ("<Automata", "<?xml version=\"1.0\"?><?xml version=\"1.0\"?><Automata"),
        ("<Automata", "<?xml encoding=\"UTF-8\"?><Automata"),
        ("<Automata", "<!-- a -- b --><Automata"),
        ("<Automata", "text<Automata"),
    ] {
        assert!(read("m.xml", &whole.replacen(from, to, 1)).is_none(), "{to}");
    }
    for empty in ["", " \n", "<!-- nothing -->", "<?xml version=\"1.0\"?>", "<Automata/>"] {
        assert!(read("m.xml", empty).is_none() && read("m.wmod", empty).is_none(), "{empty}");
    }
}

/// What can be done in a generator, and what is seen of it, by name.
fn doings(model: &Foreign) -> (Vec<String>, Vec<String>, Vec<(String, bool)>) {
    let part = &model.parts[0];
    let (state, event) = (|at: u32| part.states.get(at).into_owned(), |at: u32| part.events.get(at).into_owned());
    let steps = part.transitions.iter();
    let used: BTreeSet<u32> = steps.clone().map(|step| step.event).collect();
    let steps = steps.map(|step| format!("{} {} {}", state(step.source), event(step.event), state(step.target)));
    let seen = used.iter().map(|&at| (event(at), part.facts[at as usize].observable != Some(false)));
    (part.initial.iter().map(|&at| state(at)).collect(), steps.collect(), seen.collect())
}

/// A generator may have lost a name that nothing uses, or have gained one; what can be done in it, and what is seen, is the same. Nobody can
/// see that a name of one character is gone, that all of one name became another, that a flag is gone from among others, or became the name of an event.
#[test]
fn a_generator_with_one_character_wrong_is_refused_or_can_do_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/foreign/ok");
    for file in ["faudes_machine.gen", "faudes_short.gen"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let whole = read(file, &text).expect("the file is sound");
        let end = text.find("</Generator>").expect("an end");
        for (at, character) in text[..end].char_indices() {
            let (before, after) = (&text[..at], &text[at + character.len_utf8()..]);
            assert!(read(file, before).is_none(), "{file} is cut off at {at}");
            let alone = before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace);
            let flag = after.starts_with("x8")
                || before.ends_with("0x")
                || before.ends_with('0') && character == 'x'
                || before.ends_with("+C");
            for other in ["", "<", ">", "/", "\"", " ", "x", "+", "#", "!"] {
                if flag || alone && other.trim().is_empty() {
                    continue;
                }
                let Some(model) = read(file, &format!("{before}{other}{after}")) else { continue };
                let wrong = format!("{file}, byte {at}: {other:?} for {character:?}");
                assert!(size(&model).1 <= size(&whole).1 + 1, "{wrong}");
                assert_eq!(doings(&model), doings(&whole), "{wrong}");
            }
        }
    }
}

#[test]
fn a_generator_says_each_thing_once_and_in_letters_that_mean_something() {
    let whole = "<Generator> g <A> go/stop +C+ \"done\"+o+ \"off\"% a note\n</A> <S> \"idle#1\" \"busy#2\" </S> \
        <T> 1 go/stop 2 </T> <I> 1 </I> </Generator>";
    assert!(read("m.gen", whole).is_some());
    for (from, to) in
        [("busy#2", "busy#1"), ("busy#2", "idle"), ("+C+", "+x+"), ("+C+", "++"), ("+o+", "+"), ("+o+", "o+")]
    {
        assert!(read("m.gen", &whole.replacen(from, to, 1)).is_none(), "{to}");
    }
}
