//! `.fsm`: UMDES, DESUMA, DESops, and the dialect of VEiP.
//!
//! ```text
//! 2                                 VEiP: two numbers, the states and how many of the first are initial
//!
//! idle  0  1                        STATE MARKED COUNT; VEiP: the second column is 1 for NON-secret, 0 for secret
//! send  busy  c  o                  EVENT TARGET [c|uc] [o|uo]; DESops: a probability in a fifth column
//!
//! busy  0  0
//!
//! EVENTS                            optional: EVENT [c|uc] [o|uo]
//! send  c  o
//! ```
//!
//! Columns are parted by tabs, or by any white space where no tab fits (names with blanks need tabs). What a line is can be
//! told from its columns alone: three columns that end in two numbers are a state. Counts are checked, never trusted.
//!
//! A model says what is possible, not how likely it is: probabilities are dropped with a warning, and a transition of probability 0 is
//! no transition.
//!
//! UMDES, DESUMA and DESops have no mark for initial states: by their convention the first state of the file is the initial one. VEiP
//! counts them on line 1.

use super::fault::{Faults, Watch, observe, short};
use super::{Part, Place, Transition};
use crate::diagnostic::words::count;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, SourceFile};
use std::ops::Range;

/// The event that stands for no event.
const EMPTY_TRACE: &str = "EMPTY_TRACE";

/// What a line takes: a transition with its place and its target, or a state, in lists that double.
const LINE: usize = 2 * (size_of::<Transition>() + size_of::<Place>() + 16);

/// Which of the two dialects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Umdes,
    Veip,
}

/// The dialect of a file: VEiP's has two numbers on its first line.
pub(super) fn dialect(text: &str) -> Dialect {
    let first = text.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    if first.split_whitespace().count() == 2 { Dialect::Veip } else { Dialect::Umdes }
}

/// Reads an `.fsm` file.
pub(super) fn read(dialect: Dialect, id: FileId, file: &SourceFile, watch: &Watch) -> (Option<Part>, Vec<Diagnostic>) {
    let mut reader = Reader {
        text: file.text(),
        dialect,
        part: Part::new(id, ""),
        faults: Faults::new(id, watch),
        targets: Vec::new(),
        marked: Vec::new(),
        uncontrollable: Vec::new(),
        probabilities: Probabilities::default(),
        open: None,
    };
    reader.file();
    reader.faults.finish(reader.part)
}

struct Reader<'a> {
    text: &'a str,
    dialect: Dialect,
    part: Part,
    faults: Faults,
    /// Where the target of each transition is named: states may be declared later.
    targets: Vec<Place>,
    marked: Vec<bool>,
    uncontrollable: Vec<bool>,
    probabilities: Probabilities,
    open: Option<Open>,
}

/// How many transitions have a probability, and how many of them never happen.
#[derive(Default)]
struct Probabilities {
    first: Option<Place>,
    all: u64,
    zero: u64,
}

/// The state whose transitions are being read.
struct Open {
    state: u32,
    promised: u64,
    found: u64,
    count: Place,
    /// A line below it is faulty: what follows from that is not reported.
    broken: bool,
}

impl Reader<'_> {
    fn file(&mut self) {
        let mut lines = lines(self.text).peekable();
        let Some(first) = lines.next() else { return self.faults.cut_off(self.text, "the number of states") };
        let counts = self.counts(first);
        let mut in_events = false;
        for line in lines {
            if !self.faults.goes_on(LINE) {
                break;
            }
            match &self.text[line.clone()] {
                "EVENTS" => in_events = true,
                _ if in_events => self.event_line(line),
                _ => self.line(line),
            }
        }
        self.close();
        self.resolve();
        self.warn_about_probabilities();
        if let Some((n_states, n_initial, place)) = counts {
            self.finish(n_states, n_initial, place);
        }
        self.notes();
    }

    /// Line 1: the number of states and, in VEiP's dialect, of initial ones.
    fn counts(&mut self, line: Range<usize>) -> Option<(u64, u64, Place)> {
        let place = Place::new(line.start, line.end);
        self.part.initial_place = place;
        let numbers: Vec<Option<u64>> = self.text[line].split_whitespace().map(|word| word.parse().ok()).collect();
        match (self.dialect, numbers.as_slice()) {
            (Dialect::Umdes, &[Some(n_states)]) => Some((n_states, n_states.min(1), place)),
            (Dialect::Veip, &[Some(n_states), Some(n_initial)]) => Some((n_states, n_initial, place)),
            (Dialect::Umdes, _) => {
                self.faults.syntax(place, "only the number of states on the first line");
                None
            }
            (Dialect::Veip, _) => {
                self.faults.syntax(place, "the number of states and of initial states on the first line");
                None
            }
        }
    }

    fn line(&mut self, line: Range<usize>) {
        match classify(self.text, &line) {
            Line::State { name, mark, count } => self.state(name, mark, count),
            Line::Transition(columns) => self.transition(columns, Place::new(line.start, line.end)),
            Line::Flag(flag) => self.unknown_flag(flag),
            Line::Neither => {
                self.broken();
                let expected = "a state (`NAME 0 COUNT`) or a transition (`EVENT TARGET c o`)";
                self.faults.syntax(Place::new(line.start, line.end), expected);
            }
        }
    }

    fn broken(&mut self) {
        if let Some(open) = &mut self.open {
            open.broken = true;
        }
    }

    /// A transition with a column that says nothing: `b 3 c 0`.
    fn unknown_flag(&mut self, flag: Place) {
        self.broken();
        let word = short(slice(self.text, flag));
        let message = format!("`{word}` says neither whether the event is controllable nor whether it is observable");
        let help = match &*word {
            "0" | "O" => "write the letter `o` for observable, or `uo` for unobservable",
            _ => "expected `c` or `uc`, then `o` or `uo`, then nothing or a probability",
        };
        let fault = self.faults.at(Code::E0602, flag, message).label("not `c`, `uc`, `o` or `uo`").help(help);
        self.faults.push(fault);
    }

    fn state(&mut self, name: Place, mark: bool, count: (u64, Place)) {
        self.close();
        let text = slice(self.text, name);
        let (state, new) = self.part.states.insert(text);
        if new {
            self.part.state_places.push(name);
            self.marked.push(mark);
        } else {
            self.faults.twice("state", text, name, self.part.state_places[state as usize]);
        }
        self.open = Some(Open { state, promised: count.0, found: 0, count: count.1, broken: false });
    }

    fn transition(&mut self, columns: Columns, place: Place) {
        let Some(open) = &mut self.open else {
            return self.faults.syntax(place, "a state before the first transition");
        };
        open.found += 1;
        let source = open.state;
        let flags = &columns.all()[2..columns.len.min(4)];
        let event = self.event(columns.at(0), place, flags, place);
        if columns.len == 5 && !self.can_happen(columns.at(4)) {
            return;
        }
        self.targets.push(columns.at(1));
        self.part.transitions.push(Transition { source, event, target: 0, place });
    }

    /// Counts a probability; whether it is none or above 0.
    fn can_happen(&mut self, place: Place) -> bool {
        let Some(number) = probability(slice(self.text, place)) else {
            self.faults.syntax(place, "a probability from 0 to 1");
            return false;
        };
        let known = &mut self.probabilities;
        known.first.get_or_insert(place);
        known.all += 1;
        known.zero += u64::from(number == 0.0);
        number > 0.0
    }

    fn warn_about_probabilities(&mut self) {
        let Probabilities { first: Some(first), all, zero } = self.probabilities else { return };
        let ignored = count(all, "transition");
        let left_out = match zero {
            0 => String::new(),
            zero => format!(", and {} of probability 0 left out", count(zero, "transition")),
        };
        let message = format!("the probabilities of {ignored} are ignored{left_out}");
        let warning = self.faults.at(Code::W0614, first, message).label("a probability");
        self.faults.warn(warning.help("a verdict is about what is possible, however unlikely it is"));
        self.part.notes.push(format!("Probabilities of {ignored} are left out"));
    }

    /// A line of the `EVENTS` trailer.
    fn event_line(&mut self, line: Range<usize>) {
        let place = Place::new(line.start, line.end);
        // Without a tab, the blanks part the columns: `e c o` is no name.
        let ways = if self.text[line.clone()].contains('\t') { &[true, false][..] } else { &[false] };
        let mut columns = ways.iter().map(|&tabs| split(self.text, &line, tabs));
        match columns.find(|columns| columns.len >= 1 && flags(self.text, &columns.all()[1..])) {
            Some(columns) => {
                self.event(columns.at(0), columns.at(0), &columns.all()[1..], place);
            }
            None => self.faults.syntax(place, "an event (`EVENT c o`)"),
        }
    }

    fn event(&mut self, name: Place, first: Place, flags: &[Place], place: Place) -> u32 {
        let name = slice(self.text, name);
        let event = self.part.event(name, first);
        self.uncontrollable.resize(self.part.facts.len(), false);
        let flag = |word| flags.iter().any(|&flag| slice(self.text, flag) == word);
        self.uncontrollable[event as usize] |= flag("uc");
        let observable = name != EMPTY_TRACE && !flag("uo");
        observe(&mut self.part, event, observable, place, &mut self.faults);
        event
    }

    /// The transitions of a state are complete: are they as many as were announced?
    fn close(&mut self) {
        if let Some(open) = self.open.take()
            && open.promised != open.found
            && !open.broken
        {
            self.faults.count(open.promised, "transitions", open.found, open.count);
        }
    }

    fn resolve(&mut self) {
        for (transition, &target) in self.part.transitions.iter_mut().zip(&self.targets) {
            if !self.faults.goes_on(0) {
                return;
            }
            let name = slice(self.text, target);
            match self.part.states.find(name) {
                Some(state) => transition.target = state,
                // The columns are shifted: `(3;3) c o` has no event, or no target.
                None if FLAGS.contains(&name) => {
                    self.faults.syntax(transition.place, &format!("an event and a target before `{name}`"));
                }
                None => self.faults.unknown("state", name, target),
            }
        }
    }

    fn finish(&mut self, n_states: u64, n_initial: u64, place: Place) {
        let found = self.part.states.len() as u64;
        if n_states != found {
            self.faults.count(n_states, "states", found, place);
        } else if n_initial > found {
            self.faults.count(n_initial, "initial states", found, place);
        } else {
            self.part.initial = (0..n_initial.min(found) as u32).collect();
        }
    }

    /// The second column is a secret for VEiP and a mark for the others.
    fn notes(&mut self) {
        let with = |wanted: bool| -> Vec<u32> {
            (0..self.marked.len() as u32).filter(|&state| self.marked[state as usize] == wanted).collect()
        };
        match self.dialect {
            Dialect::Veip => self.part.secret = Some(with(false)),
            Dialect::Umdes => self.part.note("marked states", &with(true), |part| &part.states),
        }
        let uncontrollable: Vec<u32> =
            (0..self.uncontrollable.len() as u32).filter(|&event| self.uncontrollable[event as usize]).collect();
        self.part.note("uncontrollable events", &uncontrollable, |part| &part.events);
    }
}

enum Line {
    State {
        name: Place,
        mark: bool,
        count: (u64, Place),
    },
    Transition(Columns),
    /// A transition, if it were not for a column that is no flag.
    Flag(Place),
    Neither,
}

/// The words for controllable, uncontrollable, observable and unobservable.
const FLAGS: [&str; 4] = ["c", "uc", "o", "uo"];

/// What a line is: first by tabs, then by any white space.
fn classify(text: &str, line: &Range<usize>) -> Line {
    for tabs in [true, false] {
        let columns = split(text, line, tabs);
        if columns.len == 3
            && let Some(mark) = mark(slice(text, columns.at(1)))
            && let Ok(count) = slice(text, columns.at(2)).parse()
        {
            return Line::State { name: columns.at(0), mark, count: (count, columns.at(2)) };
        }
        let has_flags = match columns.len {
            2..=4 => flags(text, &columns.all()[2..]),
            // WHY only after both flags: `A 0 1` is a state.
            5 => flags(text, &columns.all()[2..4]),
            _ => false,
        };
        if has_flags {
            return Line::Transition(columns);
        }
    }
    wrong_flag(text, &split(text, line, text[line.clone()].contains('\t'))).map_or(Line::Neither, Line::Flag)
}

/// The column that is no flag, in a line that is a transition otherwise: one other column is a flag.
fn wrong_flag(text: &str, columns: &Columns) -> Option<Place> {
    if !(4..=5).contains(&columns.len) {
        return None;
    }
    let (wrong, right): (Vec<Place>, Vec<Place>) =
        columns.all()[2..4].iter().partition(|&&column| !FLAGS.contains(&slice(text, column)));
    (right.len() == 1).then(|| wrong[0])
}

/// A number from 0 to 1.
fn probability(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number| (0.0..=1.0).contains(number))
}

fn mark(word: &str) -> Option<bool> {
    match word {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// `c` or `uc`, `o` or `uo`, in any order; each at most once.
fn flags(text: &str, columns: &[Place]) -> bool {
    let count = |words: [&str; 2]| columns.iter().filter(|&&column| words.contains(&slice(text, column))).count();
    let (control, observability) = (count(["c", "uc"]), count(["o", "uo"]));
    control <= 1 && observability <= 1 && control + observability == columns.len()
}

/// The first columns of a line, trimmed and not empty.
struct Columns {
    places: [Place; 6],
    len: usize,
}

impl Columns {
    fn at(&self, column: usize) -> Place {
        self.places[column]
    }

    fn all(&self) -> &[Place] {
        &self.places[..self.len]
    }
}

fn split(text: &str, line: &Range<usize>, tabs: bool) -> Columns {
    let mut columns = Columns { places: [Place::default(); 6], len: 0 };
    let parted = |character: char| if tabs { character == '\t' } else { character.is_whitespace() };
    let base = text.as_ptr() as usize;
    for piece in text[line.clone()].split(parted) {
        let piece = piece.trim();
        if !piece.is_empty() && columns.len < columns.places.len() {
            let start = piece.as_ptr() as usize - base;
            columns.places[columns.len] = Place::new(start, start + piece.len());
            columns.len += 1;
        }
    }
    columns
}

/// The lines that are not blank, trimmed.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let base = text.as_ptr() as usize;
    text.lines().map(|line| line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')).filter_map(move |line| {
        let start = line.as_ptr() as usize - base;
        (!line.is_empty()).then_some(start..start + line.len())
    })
}

fn slice(text: &str, place: Place) -> &str {
    &text[place.start as usize..place.end as usize]
}
