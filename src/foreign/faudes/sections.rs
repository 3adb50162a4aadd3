//! The sections of a `.gen` file, each as its tokens.

use super::tokens::{Kind, Token, Tokens, attribute, tag, value};
use crate::foreign::Place;
use crate::foreign::fault::Faults;

/// The tokens of each section.
#[derive(Default)]
pub(super) struct Sections {
    pub(super) name: Option<String>,
    pub(super) alphabet: Option<Vec<Token>>,
    pub(super) states: Option<Vec<Token>>,
    pub(super) transitions: Option<Vec<Token>>,
    pub(super) initial: Option<Vec<Token>>,
    /// The tag `<InitStates>`, or else `<Generator>`.
    pub(super) initial_place: Place,
    pub(super) marked: Option<Vec<Token>>,
}

impl Sections {
    pub(super) fn collect(text: &str, faults: &mut Faults) -> Sections {
        let mut sections = Sections::default();
        let mut tokens = Tokens::new(text);
        match tokens.next() {
            Some(token) if token.kind == Kind::Open && is_generator(tag(text, token)) => {
                sections.name = attribute(text, token, "name");
                sections.initial_place = token.place;
            }
            Some(token) => faults.syntax(token.place, "`<Generator>`"),
            None => faults.cut_off(text, "`<Generator>`"),
        }
        while let Some(token) = tokens.next() {
            match token.kind {
                Kind::Close if is_generator(tag(text, token)) => return sections,
                Kind::Open => sections.section(text, token, &mut tokens, faults),
                Kind::Quoted | Kind::Word if sections.name.is_none() => {
                    sections.name = Some(value(text, token).into_owned());
                }
                _ => faults.syntax(token.place, "a section such as `<States>`"),
            }
            if faults.full() {
                return sections;
            }
        }
        if faults.is_empty() {
            faults.cut_off(text, "`</Generator>`");
        }
        sections
    }

    /// Reads up to the end of the section that `open` begins.
    fn section(&mut self, text: &str, open: Token, tokens: &mut Tokens<'_>, faults: &mut Faults) {
        let name = tag(text, open);
        let mut inner = Vec::new();
        let mut closed = text.as_bytes()[open.place.end as usize - 2] == b'/';
        while !closed && let Some(token) = tokens.next() {
            closed = token.kind == Kind::Close && tag(text, token) == name;
            if !closed {
                inner.push(token);
            }
        }
        if !closed {
            return faults.cut_off(text, &format!("`</{name}>`"));
        }
        if matches!(name, "InitStates" | "I") {
            self.initial_place = open.place;
        }
        let slot = match name {
            "Alphabet" | "A" => &mut self.alphabet,
            "States" | "S" | "StateSet" => &mut self.states,
            "TransRel" | "T" => &mut self.transitions,
            "InitStates" | "I" => &mut self.initial,
            "MarkedStates" | "M" => &mut self.marked,
            _ => return faults.unsupported(&format!("the section `<{name}>`"), open.place),
        };
        if slot.replace(inner).is_some() {
            faults.syntax(open.place, &format!("only one section `<{name}>`"));
        }
    }
}

fn is_generator(tag: &str) -> bool {
    matches!(tag, "Generator" | "System" | "vGenerator" | "cGenerator")
}
