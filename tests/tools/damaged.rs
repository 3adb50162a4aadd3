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

fn fixture(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/foreign/ok");
    fs::read_to_string(folder.join(file)).unwrap()
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
    for file in ["supremica_pair.xml", "waters_cell.wmod"] {
        let text = fixture(file);
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
type Doings = (Vec<String>, Vec<String>, Vec<(String, bool)>);

fn doings(model: &Foreign) -> Vec<Doings> {
    model.parts.iter().map(doings_of).collect()
}

fn doings_of(part: &Part) -> Doings {
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
    for file in ["faudes_machine.gen", "faudes_short.gen", "faudes_line.gen"] {
        let text = fixture(file);
        let whole = read(file, &text).expect("the file is sound");
        let first_end = text.find("</Generator>").expect("an end") + "</Generator>".len();
        for (at, character) in text.char_indices() {
            let (before, after) = (&text[..at], &text[at + character.len_utf8()..]);
            let model = read(file, before);
            assert!(model.is_none() || at >= first_end, "{file} is cut off at {at}");
            assert!(model.is_none_or(|model| whole.parts.len() > 1 || doings(&model) == doings(&whole)), "{file} {at}");
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

/// A reader that stops at the end of its document would drop the rest of the file without a word.
#[test]
fn what_stands_before_a_model_or_after_it_is_refused() {
    let garbage = ["?? !! ?? !! ??", "</end> </end>", "\" \"", "{} {}", "0 0 0 0 0 0"];
    for file in [
        "cadp_labels.aut",
        "cif_lamps.cif",
        "desuma_line.fsm",
        "faudes_line.gen",
        "faudes_machine.gen",
        "json_list.json",
        "supremica_pair.xml",
        "umdes_blanks_only.fsm",
        "veip_two_rooms.fsm",
        "waters_cell.wmod",
    ] {
        let text = fixture(file);
        assert!(read(file, &text).is_some(), "{file}");
        for other in garbage.into_iter().chain([text.as_str()]) {
            for damaged in [format!("{text}\n{other}\n"), format!("{other}\n{text}")] {
                assert!(read(file, &damaged).is_none(), "{file}: {damaged}");
            }
        }
    }
}

#[test]
fn a_line_with_more_in_it_than_is_read_is_refused() {
    for (file, whole, from, to) in [
        ("m.fsm", "1\n\na 0 1\ne a c o\n\nEVENTS\ne c o\n", "e c o", "e c o c o junk"),
        ("m.fsm", "1\n\na 0 1\ne a c o\n\nEVENTS\ne c o\n", "e c o", "e o uo"),
        ("m.fsm", "1\n\na 0 1\ne a c o\n", "e a c o", "e a uo o"),
        ("m.aut", "des (0, 1, 1)\n(0, \"e\", 0)\n", "\"e\"", "\"e\" junk"),
        ("m.aut", "des (0, 1, 1)\n(0, \"e\", 0)\n", "\"e\"", "junk \"e\""),
        ("m.aut", "des (0, 1, 1)\n(0, \"e\", 0)\n", "\"e\"", "\""),
        ("m.aut", "des (0, 1, 1)\n(0, \"e\", 0)\n", "\"e\"", ""),
        ("m.gen", "<Generator> <S> <C> 1 2 </C> </S> <T> </T> <I> 1 </I> </Generator>", "1 2", "1 2 3"),
        ("m.gen", "<Generator> <S> <C> 1 2 </C> </S> <T> </T> <I> 1 </I> </Generator>", "1 2", "2 1"),
        ("m.gen", "<Generator> <S> 1 </S> <T> </T> <I> 1 </I> </Generator>", "<T> </T>", "<T> </T> junk"),
        ("m.gen", "<Generator> <S> 1 </S> <T> </T> <I> 1 </I> </Generator>", "<S>", "g junk <S>"),
    ] {
        assert!(read(file, whole).is_some(), "{whole}");
        assert!(read(file, &whole.replacen(from, to, 1)).is_none(), "{file}: {to}");
    }
}

#[test]
fn several_generators_are_composed_under_names_of_their_own() {
    let one = |name: &str| format!("<Generator {name}> <S> 1 </S> <T> 1 \"e\" 1 </T> <I> 1 </I> </Generator>\n");
    let names = |text: &str| -> Option<Vec<String>> {
        Some(read("m.gen", text)?.parts.into_iter().map(|part| part.name).collect())
    };
    let three = one("name=\"part2\"") + &one("") + &one("");
    assert_eq!(names(&three).unwrap(), ["part2", "part3", "part4"]);
    assert_eq!(names(&one("")).unwrap(), [""]);
    assert_eq!(names(&(one("name=\"g\"") + &one("name=\"g\""))), None);
    let part = |name: &str| format!("{{\"name\": \"{name}\", \"states\": [0], \"initial\": [0], \"transitions\": []}}");
    let parts = |names: [&str; 2]| format!("{{\"parts\": [{}, {}]}}", part(names[0]), part(names[1]));
    assert!(read("m.json", &parts(["g", "g"])).is_none());
    assert!(read("m.json", &format!("[{}, {}]", parts(["g", "h"]), parts(["g", "h"]))).is_some());
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
