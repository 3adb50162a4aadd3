//! From declarations to text: a block of `.des` from plain lists.
//!
//! Transitions between the same two states are grouped: `A -{a, b}-> B;`. Names that are not identifiers are quoted. The text parses,
//! and [`laid_out`] formats it.

use crate::syntax::spelling;
use crate::syntax::token::{WordClass, class_of};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The declarations of a system or component. Names are in `.des` notation; numbers are indices into `states` and `events`.
pub(crate) struct Block {
    pub(crate) states: Vec<String>,
    pub(crate) initial: Vec<u32>,
    pub(crate) events: Vec<String>,
    pub(crate) unobservable: Vec<u32>,
    /// Anonymous events with the same label and the same named agent.
    pub(crate) anonymous: Vec<Alike>,
    pub(crate) secret: Option<Vec<u32>>,
    /// Source, event, target.
    pub(crate) transitions: Vec<(u32, u32, u32)>,
    /// Further statements, verbatim.
    pub(crate) rest: Vec<String>,
}

/// Anonymous events with their label and their agent, if these have names.
pub(crate) struct Alike {
    pub(crate) label: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) events: Vec<u32>,
}

impl Alike {
    /// ` as LABEL by AGENT`, as far as they have names.
    pub(crate) fn clauses(&self) -> String {
        let clause = |word: &str, named: &Option<String>| match named {
            Some(text) => format!(" {word} {}", name(text)),
            None => String::new(),
        };
        clause("as", &self.label) + &clause("by", &self.agent)
    }
}

/// The formatted text; text that the formatter refuses is unchanged.
pub fn laid_out(text: String) -> String {
    super::format_text("model.des", &text).unwrap_or(text)
}

/// A name in `.des` notation, quoted if necessary.
pub fn name(text: &str) -> Cow<'_, str> {
    let plain = text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric() || (c.is_alphabetic() && c != 'γ'));
    let long = text.len() > 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain && !long && text != "_" && !is_reserved(text) {
        spelling::name(text)
    } else {
        Cow::Owned(spelling::quoted(text))
    }
}

/// Whether a `.des` file can represent a name: quoted names have no line breaks and no control characters.
pub fn can_write(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

/// Whether a word is reserved where a name is expected, so that it needs quotes.
fn is_reserved(word: &str) -> bool {
    matches!(word, "true" | "false") || class_of(word).is_some_and(|class| class != WordClass::Horizon)
}

/// An identifier for a system or a component, derived from the text.
pub fn identifier(text: &str, otherwise: &str) -> String {
    let plain: String = text.chars().map(|c| if c == '_' || c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match plain.chars().next() {
        None => otherwise.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("{otherwise}_{plain}"),
        Some(_) if plain.chars().all(|c| c == '_') => otherwise.to_owned(),
        Some(_) if is_reserved(&plain) => format!("{plain}_"),
        Some(_) => plain,
    }
}

/// Writes `KEYWORD NAME { ... }`.
pub(crate) fn block(text: &mut String, keyword: &str, called: &str, content: &Block) {
    let _ = writeln!(text, "{keyword} {called} {{");
    let of = |names: &[String], ids: &[u32]| ids.iter().map(|&id| names[id as usize].clone()).collect::<Vec<_>>();
    statement(text, "states", &content.states);
    statement(text, "initial", &of(&content.states, &content.initial));
    text.push('\n');
    statement(text, "events", &content.events);
    statement(text, "unobservable", &of(&content.events, &content.unobservable));
    for alike in &content.anonymous {
        let mut names = of(&content.events, &alike.events);
        if let Some(last) = names.last_mut() {
            last.push_str(&alike.clauses());
        }
        statement(text, "anonymous", &names);
    }
    if let Some(secret) = &content.secret {
        statement(text, "secret", &of(&content.states, secret));
    }
    if !content.transitions.is_empty() {
        text.push('\n');
    }
    transitions(text, content);
    if !content.rest.is_empty() {
        text.push('\n');
    }
    content.rest.iter().for_each(|line| text.push_str(line));
    text.push_str("}\n");
}

/// `states A, B;`, broken into lines.
fn statement(text: &mut String, word: &str, names: &[String]) {
    const WIDTH: usize = 100;
    if names.is_empty() {
        return;
    }
    let mut column = 4 + word.len();
    let _ = write!(text, "    {word}");
    for (at, name) in names.iter().enumerate() {
        let piece = if at + 1 < names.len() { format!("{name},") } else { format!("{name};") };
        if column + 1 + piece.chars().count() > WIDTH && at > 0 {
            text.push_str("\n       ");
            column = 7;
        }
        let _ = write!(text, " {piece}");
        column += 1 + piece.chars().count();
    }
    text.push('\n');
}

fn transitions(text: &mut String, content: &Block) {
    let mut together: BTreeMap<(u32, usize), (u32, Vec<u32>)> = BTreeMap::new();
    let mut order: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (at, &(source, event, target)) in content.transitions.iter().enumerate() {
        let first = *order.entry((source, target)).or_insert(at);
        let events = &mut together.entry((source, first)).or_insert((target, Vec::new())).1;
        if !events.contains(&event) {
            events.push(event);
        }
    }
    for ((source, _), (target, events)) in together {
        let names: Vec<&str> = events.iter().map(|&event| content.events[event as usize].as_str()).collect();
        let label = if let [one] = names.as_slice() { (*one).to_owned() } else { format!("{{{}}}", names.join(", ")) };
        let (source, target) = (&content.states[source as usize], &content.states[target as usize]);
        let _ = writeln!(text, "    {source} -{label}-> {target};");
    }
}
