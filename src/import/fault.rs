//! Faults of foreign files, and warnings about them: collected in order, and cut off when a file has nothing but faults.

use super::{Part, Place};
use crate::diagnostic::{Code, Diagnostic};
use crate::resources::{Monitor, Resources, Stop};
use crate::source::FileId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A file with more faults than this is not read on.
const MOST: usize = 50;

/// Counts what reading a file takes; a copy counts for all.
#[derive(Clone, Debug)]
pub(super) struct Watch(Rc<RefCell<Monitor<'static>>>);

impl Watch {
    pub(super) fn new(resources: Resources<'static>) -> Watch {
        Watch(Rc::new(RefCell::new(resources.monitor())))
    }

    /// What was counted, unless a limit was reached.
    pub(super) fn held(&self) -> Result<u64, Stop> {
        let monitor = self.0.borrow();
        monitor.stopped().map_or(Ok(monitor.held()), Err)
    }

    /// Counts a step of a reader that keeps this many bytes; whether it may go on.
    fn goes_on(&self, bytes: usize) -> bool {
        let mut monitor = self.0.borrow_mut();
        monitor.hold(bytes as u64).and_then(|()| monitor.spend(2)).is_ok()
    }
}

/// The faults of one file.
#[derive(Debug)]
pub(super) struct Faults {
    file: FileId,
    list: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Where each automaton of the model was declared.
    automata: FxHashMap<String, Place>,
    watch: Watch,
}

impl Faults {
    pub(super) fn new(file: FileId, watch: &Watch) -> Faults {
        let (list, warnings, automata) = (Vec::new(), Vec::new(), FxHashMap::default());
        Faults { file, list, warnings, automata, watch: watch.clone() }
    }

    /// Whether a reader is to go on, which keeps this many bytes of its next step: it has not found too many faults, and no limit is
    /// reached.
    pub(super) fn goes_on(&self, bytes: usize) -> bool {
        !self.full() && self.watch.goes_on(bytes)
    }

    /// Whether there are too many.
    fn full(&self) -> bool {
        self.list.len() >= MOST
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A fault at a place.
    pub(super) fn at(&self, code: Code, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, place.span(self.file), message)
    }

    pub(super) fn push(&mut self, fault: Diagnostic) {
        if !self.full() {
            self.list.push(fault);
        }
    }

    /// Something that the model does without. Warnings never crowd out faults.
    pub(super) fn warn(&mut self, warning: Diagnostic) {
        if self.warnings.len() < MOST {
            self.warnings.push(warning);
        }
    }

    /// The file is not what its format asks for.
    pub(super) fn syntax(&mut self, place: Place, expected: &str) {
        let fault = self.at(Code::E0602, place, format!("expected {expected}"));
        self.push(fault.label(format!("not {expected}")));
    }

    /// The file ends too early.
    pub(super) fn cut_off(&mut self, text: &str, expected: &str) {
        let end = Place::new(text.len(), text.len());
        let fault = self.at(Code::E0602, end, format!("the file ends where {expected} is expected"));
        self.push(fault.label("the file ends here").help("the file may be truncated: export it again"));
    }

    /// A name that is not declared.
    pub(super) fn unknown(&mut self, what: &str, name: &str, place: Place) {
        let fault = self.at(Code::E0605, place, format!("unknown {what} `{}`", short(name)));
        self.push(fault.label("not declared in this file"));
    }

    /// Another model of the same file begins: its automata may have the names of others.
    pub(super) fn another_model(&mut self) {
        self.automata.clear();
    }

    /// An automaton; two of one name are a fault. One without a name is numbered, or was told otherwise.
    pub(super) fn automaton(&mut self, name: &str, place: Place) {
        let first = *self.automata.entry(name.to_owned()).or_insert(place);
        if first != place && !name.is_empty() {
            self.twice("automaton", name, place, first);
        }
    }

    /// A name that is declared twice.
    pub(super) fn twice(&mut self, what: &str, name: &str, place: Place, first: Place) {
        let fault = self.at(Code::E0608, place, format!("the {what} `{}` is declared twice", short(name)));
        self.push(fault.label("declared again").also(first.span(self.file), "first declared here"));
    }

    /// Something that no automaton has.
    pub(super) fn unsupported(&mut self, what: &str, place: Place) {
        let fault = self.at(Code::E0606, place, format!("{what} is not supported: a plain automaton has none"));
        self.push(
            fault
                .label("not supported")
                .help("unfold the model into plain automata with its own tool, and export the result"),
        );
    }

    /// A count and what follows it disagree.
    pub(super) fn count(&mut self, promised: u64, what: &str, found: u64, place: Place) {
        let are = if found == 1 { "is" } else { "are" };
        let fault = self.at(Code::E0603, place, format!("{promised} {what} are declared, but there {are} {found}"));
        self.push(
            fault.label(format!("declares {promised}")).help(format!("write {found} here, or complete the list")),
        );
    }

    /// An announced size that the file has no room for.
    pub(super) fn too_large(&mut self, promised: u64, what: &str, place: Place) {
        let fault =
            self.at(Code::E0609, place, format!("{promised} {what} are declared, more than the file can contain"));
        self.push(fault.label("far more than the file contains"));
    }

    /// The model if nothing is wrong, and what is to be said in order of position.
    pub(super) fn finish<T>(self, model: T) -> (Option<T>, Vec<Diagnostic>) {
        let model = self.is_empty().then_some(model);
        let mut said = [self.list, self.warnings].concat();
        said.sort_by_key(|fault| fault.primary.span.start);
        (model, said)
    }
}

/// Records what one place says about the observability of an event; the first place that says it is kept.
pub(super) fn observe(part: &mut Part, event: u32, observable: bool, place: Place, faults: &mut Faults) {
    let facts = &mut part.facts[event as usize];
    match facts.observable {
        None => (facts.observable, facts.place) = (Some(observable), place),
        Some(before) if before == observable => {}
        Some(before) => {
            let first = facts.place;
            let conflict = conflict(part, event, (before, first), (observable, place), faults);
            faults.push(conflict);
        }
    }
}

fn conflict(part: &Part, event: u32, first: (bool, Place), second: (bool, Place), faults: &Faults) -> Diagnostic {
    let word = |observable| if observable { "observable" } else { "unobservable" };
    let name = part.events.get(event);
    let message = format!("the event `{}` is {} here and {} elsewhere", short(&name), word(second.0), word(first.0));
    faults
        .at(Code::E0604, second.1, message)
        .label(format!("{} here", word(second.0)))
        .also(first.1.span(part.file), format!("{} here", word(first.0)))
        .help("an event is either observable or unobservable: make its lines agree, or use two events")
}

/// A name short enough for a message.
pub(super) fn short(name: &str) -> String {
    if name.chars().count() <= 60 { name.to_owned() } else { name.chars().take(57).chain("...".chars()).collect() }
}
