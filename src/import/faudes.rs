//! libFAUDES `.gen`.
//!
//! ```text
//! <Generator> "plant"
//! <Alphabet> "alpha" +C+ "fault" +o+ </Alphabet>     capital: set, small: cleared; C O F A, or one hex word 0x.. of these bits
//! <States> "idle" "busy#2" 3 </States>               a number is a state index, `name#index` is both
//! <TransRel> "idle" "alpha" 2 </TransRel>
//! <InitStates> "idle" </InitStates>
//! <MarkedStates> 3 </MarkedStates>
//! </Generator>
//! ```
//!
//! Tags may be short: `<A> <S> <T> <I> <M>`. `%` begins a comment, as does `<!--`. Events are observable unless the file says
//! otherwise. Several generators are one model: their composition. Drawings (`<VioModels> ... </VioModels>`) beside them are left alone;
//! anything else there is a fault. Sections of timed generators are not supported.

mod sections;
mod tokens;

use super::fault::{Faults, Watch, observe};
use super::{Foreign, Part, Place, Transition};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceFile};
use rustc_hash::FxHashMap;
use sections::Sections;
use tokens::{Kind, Token, slice, tag, value};

/// The bits of a flag word.
const CONTROLLABLE: u64 = 1;
const OBSERVABLE: u64 = 2;

/// The widest `<Consecutive>` range.
const WIDEST: u64 = 10_000_000;

/// What a state or a transition takes, in lists that double.
const STATE: usize = 2 * (size_of::<Transition>() + size_of::<Place>() + 16);

/// What a generator takes beside its sections.
const GENERATOR: usize = 2 * (size_of::<Part>() + size_of::<sections::Sections>());

/// Reads a `.gen` file; one part per generator.
pub(super) fn read(id: FileId, file: &SourceFile, watch: &Watch) -> (Option<Foreign>, Vec<Diagnostic>) {
    let mut faults = Faults::new(id, watch);
    let generators = sections::collect(file.text(), &mut faults);
    let mut parts = Vec::new();
    for generator in &generators {
        if !faults.goes_on(GENERATOR) {
            break;
        }
        let name = generator.name.clone().unwrap_or_default();
        faults.automaton(&name, generator.place);
        let mut reader = Reader {
            text: file.text(),
            part: Part::new(id, name),
            faults: &mut faults,
            indices: FxHashMap::default(),
            open_states: generator.states.is_none(),
            open_events: generator.alphabet.is_none(),
        };
        reader.build(generator);
        parts.push(reader.part);
    }
    let name =
        if let [only] = parts.as_slice() { Some(only.name.clone()).filter(|name| !name.is_empty()) } else { None };
    faults.finish(Foreign { name, parts })
}

struct Reader<'a> {
    text: &'a str,
    part: Part,
    faults: &'a mut Faults,
    /// The states that were given an index.
    indices: FxHashMap<u64, u32>,
    /// There is no list of states: transitions declare them.
    open_states: bool,
    /// There is no alphabet: transitions declare it.
    open_events: bool,
}

impl Reader<'_> {
    fn build(&mut self, sections: &Sections) {
        self.alphabet(sections.alphabet.as_deref().unwrap_or(&[]));
        self.states(sections.states.as_deref().unwrap_or(&[]));
        match &sections.transitions {
            Some(tokens) => self.transitions(tokens),
            None if self.faults.is_empty() => self.faults.cut_off(self.text, "`<TransRel>`"),
            None => {}
        }
        self.part.initial_place = sections.initial_place;
        self.part.initial = self.known_states(sections.initial.as_deref().unwrap_or(&[]));
        let marked = self.known_states(sections.marked.as_deref().unwrap_or(&[]));
        self.part.note("marked states", &marked, |part| &part.states);
    }

    fn alphabet(&mut self, tokens: &[Token]) {
        let mut controllable = Vec::new();
        let mut last = None;
        for &token in tokens {
            match (token.kind, last) {
                (Kind::Quoted | Kind::Word, _) => last = Some(self.declare_event(token)),
                (Kind::Flags | Kind::Hex, Some(event)) => {
                    if self.flags(event, token) {
                        controllable.push(event);
                    }
                }
                _ => self.faults.syntax(token.place, "the name of an event"),
            }
        }
        self.part.note("controllable events", &controllable, |part| &part.events);
    }

    fn declare_event(&mut self, token: Token) -> u32 {
        let name = value(self.text, token);
        if let Some(event) = self.part.events.find(&name) {
            self.faults.twice("event", &name, token.place, self.part.facts[event as usize].place);
            return event;
        }
        self.part.event(&name, token.place)
    }

    /// Records the flags of an event; whether it is controllable.
    fn flags(&mut self, event: u32, token: Token) -> bool {
        let written = slice(self.text, token.place);
        if token.kind == Kind::Hex {
            let Ok(bits) = u64::from_str_radix(&written[2..], 16) else {
                self.faults.syntax(token.place, "a flag word of at most 64 bits");
                return false;
            };
            observe(&mut self.part, event, bits & OBSERVABLE != 0, token.place, self.faults);
            return bits & CONTROLLABLE != 0;
        }
        if written.len() < 3 || !written.trim_matches('+').chars().all(|letter| "CcOoFfAa".contains(letter)) {
            self.faults.syntax(token.place, "flags such as `+C+`: letters out of C, O, F and A, small ones to clear");
            return false;
        }
        for observable in written.chars().filter(|letter| letter.eq_ignore_ascii_case(&'o')) {
            observe(&mut self.part, event, observable == 'O', token.place, self.faults);
        }
        written.contains('C')
    }

    fn states(&mut self, tokens: &[Token]) {
        let mut at = 0;
        while at < tokens.len() && self.faults.goes_on(STATE) {
            let token = tokens[at];
            match token.kind {
                Kind::Open if matches!(tag(self.text, token), "Consecutive" | "C") => {
                    at += self.consecutive(&tokens[at..])
                }
                Kind::Quoted | Kind::Word => self.declare_state(token),
                Kind::Flags | Kind::Hex => {}
                Kind::Odd => self.faults.syntax(token.place, "a state"),
                Kind::Open | Kind::Close => {
                    self.faults.unsupported(&format!("`{}` of a state", slice(self.text, token.place)), token.place);
                    while at < tokens.len() && tokens[at].kind != Kind::Close {
                        at += 1;
                    }
                }
            }
            at += 1;
        }
    }

    /// `<Consecutive> 1 8 </Consecutive>`: how many tokens follow the first.
    fn consecutive(&mut self, tokens: &[Token]) -> usize {
        let number = |at: usize| tokens.get(at).and_then(|&token| value(self.text, token).parse::<u64>().ok());
        let closed = tokens.get(3).is_some_and(|token| token.kind == Kind::Close);
        let (Some(low), Some(high), true) = (number(1), number(2), closed) else {
            self.faults.syntax(tokens[0].place, "two numbers after `<Consecutive>`, and no more");
            return tokens.len();
        };
        let place = tokens[1].place;
        if low > high {
            self.faults.syntax(tokens[2].place, "a number that is not below the first");
        } else if high - low >= WIDEST {
            self.faults.too_large((high - low).saturating_add(1), "states", place);
        } else {
            for index in low..=high {
                self.numbered(index, place);
            }
        }
        3
    }

    fn declare_state(&mut self, token: Token) {
        let name = value(self.text, token);
        match split_index(&name) {
            (None, Some(index)) => {
                self.numbered(index, token.place);
            }
            (Some(name), index) => {
                let (state, new) = self.part.states.insert(name);
                if !new {
                    return self.faults.twice("state", name, token.place, self.part.state_places[state as usize]);
                }
                self.part.state_places.push(token.place);
                if let Some(index) = index {
                    self.number(index, state, token.place);
                }
            }
            (None, None) => unreachable!("a name or an index"),
        }
    }

    /// A state that has an index and no name: it is called by its number.
    fn numbered(&mut self, index: u64, place: Place) -> u32 {
        let state = self.part.state(&index.to_string(), place);
        self.number(index, state, place);
        state
    }

    /// Gives an index to a state, once.
    fn number(&mut self, index: u64, state: u32, place: Place) {
        let first = *self.indices.entry(index).or_insert(state);
        if first != state {
            self.faults.twice("state index", &index.to_string(), place, self.part.state_places[first as usize]);
        }
    }

    /// The state that a token means.
    fn state(&mut self, token: Token) -> Option<u32> {
        if !matches!(token.kind, Kind::Quoted | Kind::Word) {
            self.faults.syntax(token.place, "a state");
            return None;
        }
        let written = value(self.text, token);
        let (name, index) = split_index(&written);
        let known = name.and_then(|name| self.part.states.find(name));
        let known = known.or_else(|| index.and_then(|index| self.indices.get(&index).copied()));
        if known.is_none() && self.open_states {
            self.declare_state(token);
            return self.part.states.find(name.unwrap_or(&written));
        }
        if known.is_none() {
            self.faults.unknown("state", &written, token.place);
        }
        known
    }

    fn known_states(&mut self, tokens: &[Token]) -> Vec<u32> {
        tokens.iter().filter_map(|&token| self.state(token)).collect()
    }

    fn event(&mut self, token: Token) -> Option<u32> {
        if !matches!(token.kind, Kind::Quoted | Kind::Word) {
            self.faults.syntax(token.place, "an event");
            return None;
        }
        let name = value(self.text, token);
        match self.part.events.find(&name) {
            None if self.open_events => Some(self.part.event(&name, token.place)),
            None => {
                self.faults.unknown("event", &name, token.place);
                None
            }
            known => known,
        }
    }

    fn transitions(&mut self, tokens: &[Token]) {
        self.part.transitions.reserve(tokens.len() / 3);
        let mut at = 0;
        while at < tokens.len() && self.faults.goes_on(STATE) {
            let token = tokens[at];
            match token.kind {
                Kind::Flags | Kind::Hex => at += 1,
                Kind::Open => {
                    self.faults.unsupported(&format!("`<{}>` of a transition", tag(self.text, token)), token.place);
                    return;
                }
                _ if at + 3 <= tokens.len() => {
                    self.transition(&tokens[at..at + 3]);
                    at += 3;
                }
                _ => return self.faults.syntax(token.place, "a whole transition: SOURCE EVENT TARGET"),
            }
        }
    }

    fn transition(&mut self, tokens: &[Token]) {
        let place = Place { start: tokens[0].place.start, end: tokens[2].place.end };
        let source = self.state(tokens[0]);
        let event = self.event(tokens[1]);
        let target = self.state(tokens[2]);
        if let (Some(source), Some(event), Some(target)) = (source, event, target) {
            self.part.transitions.push(Transition { source, event, target, place });
        }
    }
}

/// `idle`, `busy#2`, `3`: a name, an index, or both.
fn split_index(written: &str) -> (Option<&str>, Option<u64>) {
    if let Some(index) = written.parse::<u64>().ok().filter(|index| index.to_string() == written) {
        return (None, Some(index));
    }
    match written.rsplit_once('#') {
        Some((name, index)) if !name.is_empty() && index.parse::<u64>().is_ok() => (Some(name), index.parse().ok()),
        _ => (Some(written), None),
    }
}
