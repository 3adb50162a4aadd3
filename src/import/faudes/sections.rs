//! The generators of a `.gen` file, each section of them as its tokens.

use super::tokens::{Kind, Token, Tokens, attribute, slice, tag, value};
use crate::import::Place;
use crate::import::fault::Faults;

/// The tokens of each section of a generator.
#[derive(Default)]
pub(super) struct Sections {
    /// The tag `<Generator>`.
    pub(super) place: Place,
    pub(super) name: Option<String>,
    pub(super) alphabet: Option<Vec<Token>>,
    pub(super) states: Option<Vec<Token>>,
    pub(super) transitions: Option<Vec<Token>>,
    pub(super) initial: Option<Vec<Token>>,
    /// The tag `<InitStates>`, or else `<Generator>`.
    pub(super) initial_place: Place,
    pub(super) marked: Option<Vec<Token>>,
}

/// The sections of every generator of a text; between generators and after them only drawings may stand.
pub(super) fn collect(text: &str, faults: &mut Faults) -> Vec<Sections> {
    let mut tokens = Tokens::new(text);
    let mut generators = Vec::new();
    while let Some(token) = tokens.next() {
        match token.kind {
            Kind::Open if is_generator(tag(text, token)) => {
                generators.push(Sections::of_generator(text, token, &mut tokens, faults));
            }
            Kind::Open if is_drawing(tag(text, token)) => drop(inside(text, token, &mut tokens, faults)),
            _ => {
                let first = generators.is_empty();
                faults
                    .syntax(token.place, if first { "`<Generator>`" } else { "`<Generator>` or the end of the file" });
                break;
            }
        }
        if !faults.goes_on(0) {
            break;
        }
    }
    if generators.is_empty() && faults.is_empty() {
        faults.cut_off(text, "`<Generator>`");
    }
    generators
}

impl Sections {
    /// Reads up to `</Generator>`.
    fn of_generator(text: &str, open: Token, tokens: &mut Tokens<'_>, faults: &mut Faults) -> Sections {
        let name = attribute(text, open, "name");
        let mut sections = Sections { name, place: open.place, initial_place: open.place, ..Sections::default() };
        if closes_itself(text, open) {
            return sections;
        }
        let mut nameable = sections.name.is_none();
        while let Some(token) = tokens.next() {
            match token.kind {
                Kind::Close if tag(text, token) == tag(text, open) => return sections,
                Kind::Open => sections.section(text, token, tokens, faults),
                Kind::Quoted | Kind::Word if nameable => sections.name = Some(value(text, token).into_owned()),
                _ => faults.syntax(token.place, "a section such as `<States>`"),
            }
            nameable = false;
            if !faults.goes_on(0) {
                return sections;
            }
        }
        if faults.is_empty() {
            faults.cut_off(text, &format!("`</{}>`", tag(text, open)));
        }
        sections
    }

    /// Reads up to the end of the section that `open` begins.
    fn section(&mut self, text: &str, open: Token, tokens: &mut Tokens<'_>, faults: &mut Faults) {
        let name = tag(text, open);
        let Some(inner) = inside(text, open, tokens, faults) else { return };
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

/// The tokens up to the tag that closes `open`; none: it does not come, and that was said, or a limit was reached.
fn inside(text: &str, open: Token, tokens: &mut Tokens<'_>, faults: &mut Faults) -> Option<Vec<Token>> {
    let name = tag(text, open);
    let mut inner = Vec::new();
    if closes_itself(text, open) {
        return Some(inner);
    }
    for token in tokens.by_ref() {
        if token.kind == Kind::Close && tag(text, token) == name {
            return Some(inner);
        }
        if !faults.goes_on(2 * size_of::<Token>()) {
            return None;
        }
        inner.push(token);
    }
    faults.cut_off(text, &format!("`</{name}>`"));
    None
}

/// `<States/>`
fn closes_itself(text: &str, open: Token) -> bool {
    slice(text, open.place).ends_with("/>")
}

fn is_generator(tag: &str) -> bool {
    matches!(tag, "Generator" | "System" | "vGenerator" | "cGenerator")
}

/// How the tools of libFAUDES keep the drawing of a generator.
fn is_drawing(tag: &str) -> bool {
    tag.starts_with("Vio")
}
