//! Aldebaran `.aut`: CADP, mCRL2, merc, LTSmin.
//!
//! ```text
//! des (0, 2, 3)             (initial state, transitions, states)
//! (0, "send !1", 1)         labels quoted or not; there are no escapes: a label ends at the last quote of its line
//! (1, tau, 2)
//! ```
//!
//! `tau` and `i` are silent. Cost: one pass over the bytes; a label is hashed once for each transition, and nothing else is
//! looked up, since states are numbers.

use super::fault::{Faults, Watch};
use super::{Names, Part, Place, Transition};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, SourceFile};

/// A file may announce this many states beyond those that it has room to mention.
const SPARE_STATES: u64 = 10_000_000;

/// Reads an `.aut` file.
pub(super) fn read(id: FileId, file: &SourceFile, watch: &Watch) -> (Option<Part>, Vec<Diagnostic>) {
    let mut reader = Reader { text: file.text(), part: Part::new(id, ""), faults: Faults::new(id, watch), states: 0 };
    reader.file();
    for event in ["tau", "i"].into_iter().filter_map(|silent| reader.part.events.find(silent)) {
        reader.part.facts[event as usize].observable = Some(false);
    }
    reader.faults.finish(reader.part)
}

struct Reader<'a> {
    text: &'a str,
    part: Part,
    faults: Faults,
    states: u32,
}

/// A number and where it stands.
type Number = (u64, Place);

struct Header {
    initial: Number,
    transitions: Number,
    states: Number,
}

impl Reader<'_> {
    fn file(&mut self) {
        let mut lines = Lines { bytes: self.text.as_bytes(), at: 0 };
        let Some((start, end)) = lines.next() else { return self.faults.cut_off(self.text, "`des (...)`") };
        let Some(header) = header(self.text, start, end) else {
            return self.no_header(Place::new(start, end));
        };
        if !self.accept(&header) {
            return;
        }
        self.part.transitions.reserve((header.transitions.0 as usize).min(self.text.len() / 6));
        for (start, end) in lines {
            if !self.faults.goes_on(size_of::<Transition>()) {
                return;
            }
            self.transition(start, end);
        }
        let found = self.part.transitions.len() as u64;
        if found != header.transitions.0 && self.faults.is_empty() {
            self.faults.count(header.transitions.0, "transitions", found, header.transitions.1);
        }
    }

    fn no_header(&mut self, place: Place) {
        // `des (0 1/7 1, 4, 5)`: mCRL2 writes state 0 with probability 1/7, else 1.
        let line = &self.text[place.start as usize..place.end as usize];
        let first = line.split(',').next().unwrap_or_default();
        if first.contains('/') && first.trim_start_matches('\u{feff}').starts_with("des") {
            return self.faults.unsupported("a probability distribution of initial states", place);
        }
        self.faults.syntax(place, "`des (INITIAL, TRANSITIONS, STATES)`");
    }

    /// Takes the sizes over, unless they are absurd.
    fn accept(&mut self, header: &Header) -> bool {
        let (states, place) = header.states;
        if states > SPARE_STATES + self.text.len() as u64 || states > u64::from(u32::MAX) {
            self.faults.too_large(states, "states", place);
            return false;
        }
        self.states = states as u32;
        self.part.states = Names::numbers(self.states);
        self.part.initial_place = header.initial.1;
        match u32::try_from(header.initial.0) {
            Ok(initial) if initial < self.states => self.part.initial.push(initial),
            _ => self.no_such_state(header.initial.0, header.initial.1),
        }
        true
    }

    fn transition(&mut self, start: usize, end: usize) {
        let place = Place::new(start, end);
        let Some(edge) = edge(self.text.as_bytes(), start, end) else {
            return self.faults.syntax(place, "`(SOURCE, \"LABEL\", TARGET)`");
        };
        for state in [edge.source, edge.target] {
            if state >= u64::from(self.states) {
                return self.no_such_state(state, place);
            }
        }
        let event = self.part.event(&self.text[edge.label.0..edge.label.1], place);
        self.part.transitions.push(Transition { source: edge.source as u32, event, target: edge.target as u32, place });
    }

    fn no_such_state(&mut self, state: u64, place: Place) {
        let states = self.states;
        let fault = self.faults.at(Code::E0605, place, format!("unknown state `{state}`"));
        let help = format!("the first line declares {states} states, numbered from 0");
        self.faults.push(fault.label(format!("declares {states} states")).help(help));
    }
}

/// `des (0, 2, 3)`
fn header(text: &str, start: usize, end: usize) -> Option<Header> {
    let line = text[start..end].trim_start_matches('\u{feff}');
    let start = end - line.len();
    let inner = line.strip_prefix("des")?.trim_start().strip_prefix('(')?.trim_end().strip_suffix(')')?;
    let mut at = start + line.find('(')? + 1;
    let mut numbers = Vec::new();
    for piece in inner.split(',') {
        let lead = piece.len() - piece.trim_start().len();
        let word = piece.trim();
        numbers.push((word.parse().ok()?, Place::new(at + lead, at + lead + word.len())));
        at += piece.len() + 1;
    }
    let &[initial, transitions, states] = numbers.as_slice() else { return None };
    Some(Header { initial, transitions, states })
}

struct Edge {
    source: u64,
    label: (usize, usize),
    target: u64,
}

/// `(0, "send !1", 1)`: numbers from both ends, the label is what is left.
fn edge(bytes: &[u8], start: usize, end: usize) -> Option<Edge> {
    if end - start < 2 || bytes[start] != b'(' || bytes[end - 1] != b')' {
        return None;
    }
    let (source, at) = number(bytes, skip(bytes, start + 1, end), end)?;
    let at = skip(bytes, at, end);
    if bytes[at] != b',' {
        return None;
    }
    let mut comma = end - 1;
    while bytes[comma] != b',' {
        comma -= 1;
    }
    if comma == at {
        return None;
    }
    let (target, after) = number(bytes, skip(bytes, comma + 1, end), end)?;
    if skip(bytes, after, end) != end - 1 {
        return None;
    }
    Some(Edge { source, label: label(bytes, at + 1, comma)?, target })
}

/// The label between two commas: without blanks around it and without its quotes. None: there is nothing, or quotes that do not match.
fn label(bytes: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let start = skip(bytes, start, end);
    let mut end = end;
    while end > start && bytes[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    let (first, last) = (bytes[start..end].first()?, bytes[start..end].last()?);
    match (*first == b'"', *last == b'"') {
        (true, true) if end - start >= 2 => Some((start + 1, end - 1)),
        (false, false) => Some((start, end)),
        _ => None,
    }
}

fn skip(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && (bytes[at] == b' ' || bytes[at] == b'\t') {
        at += 1;
    }
    at
}

/// A number and where it ends. Something too large for 64 bits is no number.
fn number(bytes: &[u8], start: usize, end: usize) -> Option<(u64, usize)> {
    let mut value = 0u64;
    let mut at = start;
    while at < end && bytes[at].is_ascii_digit() {
        value = value.checked_mul(10)?.checked_add(u64::from(bytes[at] - b'0'))?;
        at += 1;
    }
    (at > start && at < end).then_some((value, at))
}

/// The lines that are not blank, trimmed, as `(start, end)`.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Lines<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        while self.at < self.bytes.len() {
            let mut start = self.at;
            let rest = &self.bytes[start..];
            let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            self.at = start + length + 1;
            let mut end = start + length;
            while end > start && self.bytes[end - 1].is_ascii_whitespace() {
                end -= 1;
            }
            while start < end && self.bytes[start].is_ascii_whitespace() {
                start += 1;
            }
            if start < end {
                return Some((start, end));
            }
        }
        None
    }
}
