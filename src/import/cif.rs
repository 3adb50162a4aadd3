//! CIF: plain automata.
//!
//! ```text
//! controllable start; uncontrollable done;
//! plant automaton machine:
//!   location idle: initial; marked; edge start goto busy;
//!   location busy: edge done goto idle;
//! end
//! group line: ... end
//! ```
//!
//! Events, groups, automata, locations and edges are read; the model is the composition of the automata. Variables, guards,
//! updates, definitions and so on are refused by name. CIF has no word for observability: only `tau` is silent. A location without
//! `initial` is not initial, even if it is the only one.

mod tokens;

use super::fault::{Faults, Watch};
use super::{Foreign, Part, Place, Transition};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceFile};
use rustc_hash::FxHashMap;
use tokens::{Token, Tokens};

/// Groups deeper than this are not read.
const DEEPEST: usize = 64;

/// What a location, an edge or a name takes, in lists that double.
const ITEM: usize = 2 * size_of::<Location<'_>>() + 64;

/// Reads a CIF file; one part per automaton.
pub(super) fn read(id: FileId, file: &SourceFile, watch: &Watch) -> (Option<Foreign>, Vec<Diagnostic>) {
    let mut reader = Reader {
        tokens: Tokens::new(file.text()),
        id,
        faults: Faults::new(id, watch),
        scope: Vec::new(),
        events: FxHashMap::default(),
        automata: Vec::new(),
    };
    reader.file();
    let parts = reader.resolve();
    reader.faults.finish(Foreign { name: None, parts })
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    id: FileId,
    faults: Faults,
    scope: Vec<&'a str>,
    /// Declared events by their full name.
    events: FxHashMap<String, Place>,
    automata: Vec<Automaton<'a>>,
}

/// An automaton as written, events not yet resolved.
struct Automaton<'a> {
    name: String,
    place: Place,
    locations: Vec<Location<'a>>,
    alphabet: Vec<Token<'a>>,
}

struct Location<'a> {
    name: Token<'a>,
    initial: bool,
    marked: bool,
    edges: Vec<Edge<'a>>,
}

struct Edge<'a> {
    events: Vec<Token<'a>>,
    target: Option<Token<'a>>,
    place: Place,
}

/// `None`: a fault was given, stop reading.
//
// INVARIANT: no `None` without a fault, or what was not read would be missing without a word.
type Go = Option<()>;

impl<'a> Reader<'a> {
    fn file(&mut self) {
        let ended = self.items();
        let unfinished = ended.is_none() || self.automata.is_empty() || self.tokens.open_comment().is_some();
        if self.faults.is_empty() && unfinished {
            self.ends_before("an automaton");
        }
    }

    /// Declarations up to `end` or the end of the file.
    fn items(&mut self) -> Go {
        while let Some(token) = self.tokens.peek() {
            self.goes_on()?;
            match token.text {
                "end" if !self.scope.is_empty() => return Some(()),
                "controllable" | "uncontrollable" | "event" => self.event_declaration()?,
                "plant" | "requirement" | "supervisor" | "automaton" => self.automaton()?,
                "group" => self.group()?,
                "@" | "@@" => self.annotation()?,
                _ => return self.unsupported(token),
            }
        }
        if self.scope.is_empty() { Some(()) } else { self.expected("`end`") }
    }

    /// Counts an item; `None` when a limit is reached: then nothing that was read counts.
    fn goes_on(&self) -> Go {
        self.faults.goes_on(ITEM).then_some(())
    }

    fn event_declaration(&mut self) -> Go {
        let first = self.tokens.next()?;
        if first.text != "event" && self.tokens.peek().is_some_and(|token| token.text == "event") {
            self.tokens.next();
        }
        loop {
            self.goes_on()?;
            let name = self.identifier("the name of an event")?;
            let full = self.full(name.name());
            if let Some(first) = self.events.insert(full, name.place) {
                self.faults.twice("event", name.text, name.place, first);
            }
            if !self.take(",") {
                return self.expect(";");
            }
        }
    }

    fn group(&mut self) -> Go {
        self.tokens.next();
        let name = self.identifier("the name of a group")?;
        self.expect(":")?;
        self.scope.push(name.name());
        if self.scope.len() > DEEPEST {
            self.faults.syntax(name.place, "less deeply nested groups");
            return None;
        }
        self.items()?;
        self.scope.pop();
        self.expect("end")
    }

    fn automaton(&mut self) -> Go {
        let first = self.tokens.next()?;
        if first.text != "automaton" && self.tokens.peek().is_some_and(|token| token.text == "automaton") {
            self.tokens.next();
        }
        let name = self.identifier("the name of an automaton")?;
        if self.tokens.peek().is_some_and(|token| token.text == "(") {
            return self.unsupported(name);
        }
        self.expect(":")?;
        self.scope.push(name.name());
        let full = self.scope.join(".");
        let mut automaton = Automaton { name: full, place: name.place, locations: Vec::new(), alphabet: Vec::new() };
        self.body(&mut automaton)?;
        if automaton.locations.is_empty() {
            self.faults.syntax(name.place, "an automaton with at least one location");
        }
        self.automata.push(automaton);
        self.scope.pop();
        self.expect("end")
    }

    fn body(&mut self, automaton: &mut Automaton<'a>) -> Go {
        while let Some(token) = self.tokens.peek() {
            self.goes_on()?;
            match token.text {
                "end" => return Some(()),
                "controllable" | "uncontrollable" | "event" => self.event_declaration()?,
                "alphabet" => self.alphabet(automaton)?,
                "location" => self.location(automaton)?,
                "@" | "@@" => self.annotation()?,
                _ => return self.unsupported(token),
            }
        }
        self.expected("`end`")
    }

    fn alphabet(&mut self, automaton: &mut Automaton<'a>) -> Go {
        self.tokens.next();
        if !self.take(";") {
            automaton.alphabet.extend(self.events()?);
            self.expect(";")?;
        }
        Some(())
    }

    /// `a, b`
    fn events(&mut self) -> Option<Vec<Token<'a>>> {
        let mut events = vec![self.identifier("an event")?];
        while self.take(",") {
            self.goes_on()?;
            events.push(self.identifier("an event")?);
        }
        Some(events)
    }

    fn location(&mut self, automaton: &mut Automaton<'a>) -> Go {
        let word = self.tokens.next()?;
        let named = self.tokens.peek().is_some_and(|token| token.is_name());
        let name = if named { self.tokens.next()? } else { word };
        let mut location = Location { name, initial: false, marked: false, edges: Vec::new() };
        if !self.take(";") {
            self.expect(":")?;
            self.location_items(&mut location)?;
        }
        automaton.locations.push(location);
        Some(())
    }

    fn location_items(&mut self, location: &mut Location<'a>) -> Go {
        while let Some(token) = self.tokens.peek() {
            match token.text {
                "location" | "end" => break,
                "initial" | "marked" => {
                    self.tokens.next();
                    self.take("true");
                    *(if token.text == "initial" { &mut location.initial } else { &mut location.marked }) = true;
                    self.expect(";")?;
                }
                "edge" => {
                    let edge = self.edge()?;
                    location.edges.push(edge);
                }
                "@" | "@@" => self.annotation()?,
                _ => return self.unsupported(token),
            }
        }
        Some(())
    }

    /// `edge a, b goto L;`: without events it is silent, without a target it stays.
    fn edge(&mut self) -> Option<Edge<'a>> {
        let mut place = self.tokens.next()?.place;
        let word = self.tokens.peek().filter(|token| token.is_name());
        let events = match word.map(|token| token.text) {
            None => return self.expected("an event or `goto`").and(None),
            Some("when" | "do" | "goto") => Vec::new(),
            Some(_) => self.events()?,
        };
        let target = if self.take("goto") { Some(self.identifier("a location")?) } else { None };
        match self.tokens.peek() {
            Some(token) if matches!(token.text, "when" | "do") => return self.unsupported(token).and(None),
            Some(token) if token.text == ";" => place.end = token.place.end,
            _ if target.is_none() => return self.expected("`goto` or `;`").and(None),
            _ => {}
        }
        self.expect(";").map(|()| Edge { events, target, place })
    }

    /// `@name(...)`: left alone.
    fn annotation(&mut self) -> Go {
        self.tokens.next();
        self.identifier("the name of an annotation")?;
        if self.take("(") { self.arguments() } else { Some(()) }
    }

    /// Up to the `)` that ends the arguments of an annotation.
    fn arguments(&mut self) -> Go {
        let mut depth = 1usize;
        while depth > 0 {
            match self.tokens.peek().map(|token| token.text) {
                Some("(") => depth += 1,
                Some(")") => depth -= 1,
                Some(_) => {}
                None => return self.expected("`)`"),
            }
            self.tokens.next();
        }
        Some(())
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.tokens.peek().is_some_and(|token| token.text == text);
        if found {
            self.tokens.next();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Go {
        if self.take(text) { Some(()) } else { self.expected(&format!("`{text}`")) }
    }

    fn identifier(&mut self, what: &str) -> Option<Token<'a>> {
        match self.tokens.peek() {
            Some(token) if token.is_name() => self.tokens.next(),
            _ => {
                self.expected(what);
                None
            }
        }
    }

    fn expected(&mut self, what: &str) -> Go {
        match self.tokens.peek() {
            Some(token) => self.faults.syntax(token.place, what),
            None => self.ends_before(what),
        }
        None
    }

    /// The file ends too early, or in a comment that hides the rest of it.
    fn ends_before(&mut self, what: &str) {
        match self.tokens.open_comment() {
            Some(comment) => self.faults.syntax(comment, "a comment that ends in `*/`"),
            None => self.faults.cut_off(self.tokens.text(), what),
        }
    }

    fn unsupported(&mut self, token: Token<'a>) -> Go {
        if token.is_name() {
            self.faults.unsupported(&format!("`{}`", token.text), token.place);
        } else {
            self.faults.syntax(token.place, "a declaration, a location or an edge");
        }
        None
    }

    fn full(&self, name: &str) -> String {
        self.scope.iter().copied().chain([name]).collect::<Vec<_>>().join(".")
    }

    fn resolve(&mut self) -> Vec<Part> {
        let automata = std::mem::take(&mut self.automata);
        automata.iter().for_each(|automaton| self.faults.automaton(&automaton.name, automaton.place));
        automata.iter().map(|automaton| self.part(automaton)).collect()
    }

    fn part(&mut self, automaton: &Automaton<'a>) -> Part {
        let mut part = Part { initial_place: automaton.place, ..Part::new(self.id, automaton.name.clone()) };
        let mut marked = Vec::new();
        for location in &automaton.locations {
            let (state, new) = part.states.insert(location.name.name());
            if !new {
                self.faults.twice(
                    "location",
                    location.name.text,
                    location.name.place,
                    part.state_places[state as usize],
                );
                continue;
            }
            part.state_places.push(location.name.place);
            part.initial.extend(location.initial.then_some(state));
            marked.extend(location.marked.then_some(state));
        }
        for &event in &automaton.alphabet {
            self.event(&mut part, event);
        }
        for (source, location) in automaton.locations.iter().enumerate() {
            for edge in &location.edges {
                self.transitions(&mut part, source as u32, edge);
            }
        }
        part.note("marked locations", &marked, |part| &part.states);
        part
    }

    fn transitions(&mut self, part: &mut Part, source: u32, edge: &Edge<'a>) {
        let target = match edge.target {
            None => Some(source),
            Some(target) => {
                let found = part.states.find(target.name());
                if found.is_none() {
                    self.faults.unknown("location", target.text, target.place);
                }
                found
            }
        };
        let silent = Token { text: "tau", place: edge.place };
        let events = if edge.events.is_empty() { std::slice::from_ref(&silent) } else { &edge.events };
        for &event in events {
            if let (Some(event), Some(target)) = (self.event(part, event), target) {
                part.transitions.push(Transition { source, event, target, place: edge.place });
            }
        }
    }

    /// The event that a name means: looked for in the automaton, then in the groups around it.
    fn event(&mut self, part: &mut Part, token: Token<'a>) -> Option<u32> {
        if token.text == "tau" {
            let event = part.event("tau", token.place);
            part.facts[event as usize].observable = Some(false);
            return Some(event);
        }
        let mut scope = part.name.as_str();
        loop {
            let full = if scope.is_empty() { token.name().to_owned() } else { format!("{scope}.{}", token.name()) };
            if let Some(&place) = self.events.get(&full) {
                return Some(part.event(&full, place));
            }
            if scope.is_empty() {
                self.faults.unknown("event", token.text, token.place);
                return None;
            }
            scope = scope.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
    }
}
