//! What an editor asks of a text. `^` in a text marks the place; it is taken out before the question is asked.

use desc::ide::complete::complete;
use desc::ide::index::SymbolKind;
use desc::ide::{Document, hover, navigate, outline, shape, signature, tokens};
use desc::source::{LoadError, Loaded, Loader};

/// Files that exist only here.
struct Shelf(&'static [(&'static str, &'static str)]);

impl Loader for Shelf {
    fn load(&self, _importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        let (name, text) = found.ok_or(LoadError::new("no such file"))?;
        Ok(Loaded { identity: (*name).to_owned(), name: (*name).to_owned(), bytes: text.as_bytes().to_vec() })
    }
}

const NONE: Shelf = Shelf(&[]);

const NETWORK: &str = "\
const N = 3;

/// One who sends.
component User(i) {
    states  idle, waiting;
    initial idle;
    events  send[i], ack;
    idle -send[i]-> waiting -ack-> idle;
}

component Mix {
    states  empty, held[1..N];
    initial empty;
    for i in 1..N { empty -send[i]-> held[i] -ack-> empty; }
}

system Network {
    compose u[i] = User(i) for i in 1..N, mix = Mix;
    anonymous send[1..N] as sent;
    secret u[1].waiting;
    observer Clerk { observable ack; }
    check quiet: strong 1-step about u[1] against Clerk;
    check projection weak [send[1] ack] = [sent1 ack];
}
";

/// The document and the place of the mark.
fn marked(text: &str) -> (Document, u32) {
    let at = text.find('^').expect("a mark");
    let document = Document::new("t.des", text.replacen('^', "", 1), &NONE);
    (document, at as u32)
}

/// The texts around the places that `references` gives: `line:column`.
fn places(document: &Document, places: &[navigate::Place]) -> Vec<String> {
    let shown = places.iter().map(|place| {
        let file = document.sources.get(document.file_named(&place.file).expect("a known file"));
        let at = file.lines().position(file.text(), place.start);
        format!("{}:{}:{}", place.file, at.line, at.column)
    });
    shown.collect()
}

fn labels(text: &str) -> Vec<String> {
    let (document, offset) = marked(text);
    complete(&document, offset).items.into_iter().map(|item| item.label).collect()
}

/// The network, with `from` replaced by `to` (which has the mark).
fn network(from: &str, to: &str) -> String {
    assert!(NETWORK.contains(from), "{from}");
    NETWORK.replacen(from, to, 1)
}

#[test]
fn a_state_behind_an_instance_is_declared_in_its_component() {
    let (document, offset) = marked(&network("u[1].waiting", "u[1].wai^ting"));
    let place = navigate::definition(&document, offset).expect("a definition");
    assert_eq!(places(&document, &[place]), ["t.des:5:19"]);
}

#[test]
fn events_of_components_that_run_together_are_one() {
    let (document, offset) = marked(&network("empty -send[i]->", "empty -se^nd[i]->"));
    let found = navigate::references(&document, offset, &[], true);
    assert_eq!(
        places(&document, &found),
        ["t.des:7:13", "t.des:8:11", "t.des:14:28", "t.des:19:15", "t.des:23:28"],
        "the declaration in User, both transitions, the anonymous group, the projection"
    );
}

#[test]
fn indices_are_known_where_they_are_bound() {
    let (document, offset) = marked(&network("-> held[i]", "-> held[^i]"));
    let place = navigate::definition(&document, offset).expect("a definition");
    assert_eq!(places(&document, &[place]), ["t.des:14:9"]);
}

#[test]
fn a_label_keeps_its_number_when_its_group_is_renamed() {
    let (document, offset) = marked(&network("as sent;", "as se^nt;"));
    let changes = navigate::rename(&document, offset, &[], "posted").expect("changes");
    let texts: Vec<&str> = changes.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["posted", "posted1"]);
    let texts = |text: &str, new: &str| -> Vec<String> {
        let (document, offset) = marked(text);
        navigate::rename(&document, offset, &[], new).unwrap().into_iter().map(|(_, text)| text).collect()
    };
    let quoted = network("as sent;", "as se^nt;");
    assert_eq!(texts(&quoted, "by post"), ["\"by post\"", "\"by post1\""]);
    assert_eq!(texts(&quoted, "\"by \\\"post\\\"\""), ["\"by \\\"post\\\"\"", "\"by \\\"post\\\"1\""]);
    let quoted = quoted.replace("as se^nt;", "as \"se^nt x\";").replace("sent1", "\"sent x1\"");
    assert_eq!(texts(&quoted, "posted"), ["posted", "posted1"]);
}

#[test]
fn a_new_name_is_quoted_when_it_must_be_and_refused_when_it_cannot() {
    let (document, offset) = marked(&network("states  idle,", "states  id^le,"));
    let renamed = |new: &str| navigate::rename(&document, offset, &[], new);
    assert!(renamed("at rest").unwrap().iter().all(|(_, text)| text == "\"at rest\""));
    assert!(renamed("initial").unwrap().iter().all(|(_, text)| text == "\"initial\""));
    assert!(renamed("7").unwrap().iter().all(|(_, text)| text == "7"));
    assert!(renamed("waiting").unwrap_err().contains("already"));
    assert!(renamed("").is_err());
    let (document, offset) = marked(&network("const N", "const ^N"));
    assert!(navigate::rename(&document, offset, &[], "two words").is_err());
    assert_eq!(navigate::rename(&document, offset, &[], "M").unwrap().len(), 5);
}

#[test]
fn renaming_reaches_the_files_that_import_and_are_imported() {
    const PARTS: &str = "component User(i) { states idle; initial idle; events send[i]; }\n";
    const MAIN: &str = "import \"parts.des\";\nsystem S { compose u = User(1); secret u.idle; }\n";
    let shelf = Shelf(&[("parts.des", PARTS), ("main.des", MAIN)]);
    let parts = Document::new("parts.des", PARTS, &shelf);
    let main = Document::new("main.des", MAIN, &shelf);
    let from_main = navigate::rename(&main, MAIN.find("idle").unwrap() as u32, &[&parts], "rest").unwrap();
    let from_parts = navigate::rename(&parts, PARTS.find("idle").unwrap() as u32, &[&main], "rest").unwrap();
    assert_eq!(from_main, from_parts);
    let files: Vec<&str> = from_main.iter().map(|(place, _)| place.file.as_str()).collect();
    assert_eq!(files, ["main.des", "parts.des", "parts.des"]);
}

#[test]
fn hovering_tells_what_a_name_is() {
    let hovered = |text: &str| {
        let (document, offset) = marked(text);
        hover::hover(&document, None, offset).expect("something").text
    };
    let component = hovered(&network("= User(i)", "= Us^er(i)"));
    assert!(component.contains("component `User`") && component.contains("One who sends."), "{component}");
    assert!(component.contains("component User(i)"), "{component}");
    let event = hovered(&network("events  send", "events  s^end"));
    assert!(event.contains("family of events `send` of component `User`"), "{event}");
    let check = hovered(&network("check quiet: strong", "ch^eck quiet: strong"));
    assert!(check.contains("even 1 observation later") && check.contains("`Clerk`"), "{check}");
    let word = hovered(&network("quiet: strong", "quiet: str^ong"));
    assert!(word.contains("look alike"), "{word}");
}

#[test]
fn states_come_after_an_arrow_and_events_inside_it() {
    assert_eq!(labels(&network("-ack-> idle;\n}", "-ack-> ^\n}"))[..2], ["idle", "waiting"]);
    assert_eq!(labels(&network("idle -send[i]->", "idle -^"))[..2], ["send", "ack"]);
    assert_eq!(labels(&network("idle -send[i]->", "idle -{send[i], ^"))[..2], ["send", "ack"]);
    let start = labels(&network("idle -send[i]->", "^"));
    assert!(start.contains(&"check".to_owned()) && start.contains(&"idle".to_owned()), "{start:?}");
    assert!(labels(&network("states  idle", "states  ^")).is_empty());
}

#[test]
fn checks_are_completed_word_by_word() {
    let check = |written: &str| labels(&network("check quiet: strong 1-step about u[1] against Clerk;", written));
    assert!(check("check ^").starts_with(&["strong".to_owned(), "weak".to_owned(), "natural".to_owned()]));
    assert!(check("check weak ^").starts_with(&["infinite-step".to_owned()]));
    assert!(check("check weak inf^").starts_with(&["infinite-step".to_owned()]));
    assert_eq!(check("check weak 2-^"), ["step"]);
    assert_eq!(check("check weak 2-step ^"), ["anonymity", "opacity", "among", "about", "except", "against"]);
    assert_eq!(check("check weak 2-step against ^"), ["Clerk"]);
    assert_eq!(check("check weak 2-step about ^")[..2], ["u", "mix"]);
    assert!(check("check estimate [^")[..2].contains(&"send".to_owned()));
    assert_eq!(check("check estimate weak [ack] ^"), ["given", "against"]);
    assert!(check("check name: ^").contains(&"not".to_owned()));
    assert!(check("check weak (^").contains(&"N".to_owned()));
    assert!(check("// check ^").is_empty() && check("check \"w^").is_empty());
}

#[test]
fn compositions_and_indices_are_completed() {
    assert_eq!(labels(&network("mix = Mix", "mix = ^")), ["User", "Mix"]);
    assert_eq!(labels(&network("secret u[1].waiting", "secret u[1].^")), ["idle", "waiting"]);
    assert_eq!(labels(&network("-> held[i]", "-> held[^")), ["i", "N"]);
    assert_eq!(labels(&network("User(i) for", "User(^) for"))[0], "i");
    assert_eq!(labels("^"), ["system", "component", "monitor", "const", "import"]);
    assert!(labels(&network("{ observable ack", "{ ^")).starts_with(&["observable".to_owned()]));
}

#[test]
fn a_missing_semicolon_does_not_confuse_the_next_line() {
    let text = network("secret u[1].waiting;", "secret u[1].waiting\n    check ^");
    assert!(labels(&text).contains(&"strong".to_owned()));
}

#[test]
fn a_signature_follows_the_comma() {
    let (document, offset) = marked("component C(a, b) { states s; }\nsystem S { compose c = C(1, ^); }");
    let found = signature::signature(&document, offset).expect("a signature");
    assert_eq!((found.label.as_str(), found.active), ("C(a, b)", 1));
    assert_eq!(
        found.parameters.iter().map(|&(start, end)| &found.label[start as usize..end as usize]).collect::<Vec<_>>(),
        ["a", "b"]
    );
}

#[test]
fn colours_say_what_names_mean() {
    let document = Document::new("t.des", NETWORK, &NONE);
    let coloured = tokens::tokens(&document, None);
    let class = |text: &str, nth: usize| {
        let (at, _) = NETWORK.match_indices(text).nth(nth).expect("the text");
        coloured.iter().find(|found| found.span.start as usize == at).map(|found| found.class)
    };
    assert_eq!(class("send[i]", 0), Some(tokens::Class::Name(SymbolKind::Event)));
    assert_eq!(class("waiting", 2), Some(tokens::Class::Name(SymbolKind::State)));
    assert_eq!(class("strong", 0), Some(tokens::Class::Choice));
    assert_eq!(class("system", 0), Some(tokens::Class::Keyword));
    assert!(coloured.is_sorted_by_key(|found| found.span.start));
    // A word of the language is a name where it stands as one.
    let text = "system S { states weak; initial weak; events check; weak -check-> weak; }";
    let document = Document::new("t.des", text, &NONE);
    let coloured = tokens::tokens(&document, None);
    let at = text.find("-check").unwrap() as u32 + 1;
    let found = coloured.iter().find(|found| found.span.start == at).unwrap();
    assert_eq!(found.class, tokens::Class::Name(SymbolKind::Event));
}

#[test]
fn the_outline_is_a_tree() {
    let document = Document::new("t.des", NETWORK, &NONE);
    let entries = outline::outline(&document);
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["N", "User", "Mix", "Network"]);
    let inside: Vec<&str> = entries[3].children.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(inside, ["u", "mix", "Clerk", "quiet", "check projection weak [send[1] ack] = [sent1 ack]"]);
    assert_eq!(entries[2].children[1].name, "held[1..N]");
}

#[test]
fn blocks_and_comments_fold_and_selections_grow() {
    let document = Document::new("t.des", NETWORK, &NONE);
    let folds: Vec<(u32, u32)> = shape::folds(&document).iter().map(|fold| (fold.first, fold.last)).collect();
    assert_eq!(folds, [(3, 7), (10, 13), (16, 22)]);
    let at = NETWORK.find("held[i]").unwrap() as u32 + 5;
    let spans = shape::selections(&document, at);
    let texts: Vec<&str> = spans.iter().map(|&span| document.sources.slice(span)).collect();
    assert_eq!(texts[..2], ["i", "[i]"]);
    assert_eq!(texts[2], "empty -send[i]-> held[i] -ack-> empty;");
    assert!(spans.windows(2).all(|pair| pair[1].start <= pair[0].start && pair[0].end <= pair[1].end));
    assert_eq!(texts.last().unwrap().len(), NETWORK.len());
}

#[test]
fn no_place_of_any_broken_text_panics() {
    // Every prefix of the network, and every text with one character taken out, asked at its end and at the hole.
    let cuts = (0..NETWORK.len()).map(|at| (NETWORK[..at].to_owned(), at));
    let holes = (0..NETWORK.len() - 1).step_by(3).map(|at| (format!("{}{}", &NETWORK[..at], &NETWORK[at + 1..]), at));
    for (text, at) in cuts.step_by(5).chain(holes) {
        let document = Document::new("t.des", text, &NONE);
        let offset = at as u32;
        complete(&document, offset);
        hover::hover(&document, None, offset);
        signature::signature(&document, offset);
        navigate::references(&document, offset, &[], true);
        shape::selections(&document, offset);
        shape::folds(&document);
        outline::outline(&document);
        tokens::tokens(&document, None);
    }
}
