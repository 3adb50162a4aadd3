//! Models for other tools: one writer per format.
//!
//! A writer takes a checked [`System`] and gives a text, with a warning (W0611, W0612) for everything that the format has no word
//! for, and an error (E0610) for a name that it cannot write. Nothing is left out or renamed silently.
//!
//! `mata`, `hoa` and `ba` take a *view* instead: the automaton as one intruder sees it, without silent moves, as an NFA whose
//! states all accept. Its language is the set of observations.

mod aut;
mod cif;
mod des;
mod dot;
mod fsm;
mod generator;
mod json;
mod nfa;
mod xml;

use crate::automaton::view::Observability;
use crate::automaton::{EventId, StateId};
use crate::diagnostic::{Code, Diagnostic};
use crate::import::Format;
use crate::model::{OWN, System, ViewId};
use std::borrow::Cow;

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A model in a foreign format.
    Model(Format),
    /// A model in `.des`: one system without components.
    Des,
    /// A drawing for Graphviz.
    Dot,
    /// A view as an NFA of Mata.
    Mata,
    /// A view as an automaton in the Hanoi format.
    Hoa,
    /// A view in the format of RABIT and GOAL.
    Ba,
}

impl Target {
    /// The target of a word such as `fsm` or `mata`.
    pub fn from_word(word: &str) -> Option<Target> {
        match word.to_ascii_lowercase().as_str() {
            "des" => Some(Target::Des),
            "dot" => Some(Target::Dot),
            "mata" => Some(Target::Mata),
            "hoa" => Some(Target::Hoa),
            "ba" => Some(Target::Ba),
            word => Format::from_word(word).map(Target::Model),
        }
    }

    /// Every word that [`Target::from_word`] knows.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Format::ALL.iter().map(|&(word, _)| word).chain(["des", "dot", "mata", "hoa", "ba"])
    }

    /// Whether a view is written rather than a model.
    pub fn is_view(self) -> bool {
        matches!(self, Target::Mata | Target::Hoa | Target::Ba)
    }
}

/// A text for another tool, and what it does not say.
#[derive(Debug)]
pub struct Written {
    /// The text; not to be used if there is an error among the diagnostics.
    pub text: String,
    /// What the format cannot carry.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes a system; `lens` matters only where a view is written.
pub fn write(target: Target, system: &System, view_id: ViewId) -> Written {
    let mut sheet = Sheet::new(system);
    match target {
        Target::Model(Format::Umdes) => fsm::write(&mut sheet, false),
        Target::Model(Format::Veip) => fsm::write(&mut sheet, true),
        Target::Model(Format::Faudes) => generator::write(&mut sheet),
        Target::Model(Format::Aldebaran) => aut::write(&mut sheet),
        Target::Model(Format::Waters) => xml::waters(&mut sheet),
        Target::Model(Format::Supremica) => xml::supremica(&mut sheet),
        Target::Model(Format::Cif) => cif::write(&mut sheet),
        Target::Model(Format::Json) => json::write(&mut sheet),
        Target::Des => des::system(&mut sheet),
        Target::Dot => dot::write(&mut sheet),
        Target::Mata => nfa::mata(&mut sheet, view_id),
        Target::Hoa => nfa::hoa(&mut sheet, view_id),
        Target::Ba => nfa::ba(&mut sheet, view_id),
    }
    Written { text: sheet.text, diagnostics: sheet.diagnostics }
}

/// A system, its names, and the text that is being written.
struct Sheet<'a> {
    system: &'a System,
    states: Vec<Cow<'a, str>>,
    events: Vec<Cow<'a, str>>,
    text: String,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Sheet<'a> {
    fn new(system: &'a System) -> Sheet<'a> {
        let automaton = &system.automaton;
        Sheet {
            system,
            states: automaton.states().map(|state| system.names.state(state)).collect(),
            events: automaton.events().map(|event| system.names.event(event)).collect(),
            text: String::new(),
            diagnostics: Vec::new(),
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    fn state(&self, state: StateId) -> &str {
        &self.states[state.index()]
    }

    fn event(&self, event: EventId) -> &str {
        &self.events[event.index()]
    }

    fn observability(&self, event: EventId) -> Observability {
        self.system.observer(OWN).observer.observability(event)
    }

    fn is_secret(&self, state: StateId) -> bool {
        self.system.secret.as_ref().is_some_and(|secret| secret.contains(state))
    }

    fn is_initial(&self, state: StateId) -> bool {
        self.system.automaton.initial().binary_search(&state).is_ok()
    }

    /// The initial states first, then the others, both in order.
    fn initial_first(&self) -> Vec<StateId> {
        let automaton = &self.system.automaton;
        let others = automaton.states().filter(|&state| !self.is_initial(state));
        automaton.initial().iter().copied().chain(others).collect()
    }

    fn warn(&mut self, message: String, help: Option<String>) {
        let warning = Diagnostic::new(Code::W0611, self.system.span, message).label("this system");
        self.diagnostics.push(match help {
            Some(help) => warning.help(help),
            None => warning,
        });
    }

    /// Only one initial state fits.
    fn lose_initial(&mut self, format: &str) {
        let initial = self.system.automaton.initial();
        if initial.len() > 1 {
            let names = list(initial.iter().map(|&state| self.state(state)));
            let message = format!("{format} holds one initial state: only the first of {names} is written");
            self.warn(message, Some(format!("when reading it back, add `--initial {}`", option(&names))));
        }
    }

    fn lose_observability(&mut self, format: &str) {
        let silent: Vec<EventId> = self.events_that(|observability| observability == Observability::Silent);
        if !silent.is_empty() {
            let names = list(silent.iter().map(|&event| self.event(event)));
            let message = format!("{format} cannot mark events as unobservable: {names}");
            self.warn(message, Some(format!("when reading it back, add `--unobservable {}`", option(&names))));
        }
    }

    fn lose_anonymous(&mut self, format: &str) {
        let anonymous = self.events_that(|observability| matches!(observability, Observability::Anonymous(_)));
        if !anonymous.is_empty() {
            let names = list(anonymous.iter().map(|&event| self.event(event)));
            let message = format!("{format} cannot mark events as anonymous: {names}");
            self.warn(message, Some(format!("when reading it back, add `--anonymous {}`", option(&names))));
        }
    }

    fn lose_secret(&mut self, format: &str) {
        if let Some(secret) = self.system.secret.as_ref().filter(|secret| !secret.is_empty()) {
            let names = list(secret.iter().map(|state| self.state(state)));
            let message = format!("{format} cannot mark states as secret: {names}");
            self.warn(message, Some(format!("when reading it back, add `--secret {}`", option(&names))));
        }
    }

    /// Observers, groups, checks and measures stay in the `.des` file.
    fn lose_the_rest(&mut self, format: &str) {
        let groups = self.system.observer(OWN).observer.n_groups();
        if groups > 1 || self.system.observer(OWN).labels.iter().any(Option::is_some) {
            self.warn(format!("{format} cannot group anonymous events: {groups} groups are lost"), None);
        }
        if self.system.observer(OWN).observer.has_named_agents() {
            let agents = list(self.system.observer(OWN).agents.iter().map(String::as_str));
            let message = format!("{format} cannot say who acts: the agents {agents} are lost");
            self.warn(message, Some("every anonymous event is read back as its own agent".to_owned()));
        }
        let observers: Vec<&str> =
            self.system.observers.iter().filter_map(|observer| observer.name.as_deref()).collect();
        if !observers.is_empty() {
            let names = list(observers.into_iter());
            self.warn(format!("{format} cannot hold observers: {names}"), None);
        }
        let checks = self.system.checks.len() + self.system.measures.len();
        if checks > 0 {
            let message = format!("{format} cannot hold checks: {checks} are not written");
            self.warn(message, Some("when reading it back, add `--check \"weak 2-step\"`".to_owned()));
        }
    }

    fn events_that(&self, wanted: impl Fn(Observability) -> bool) -> Vec<EventId> {
        self.system.automaton.events().filter(|&event| wanted(self.observability(event))).collect()
    }

    /// Refuses names for which `fits` is false.
    fn require(&mut self, format: &str, rule: &str, fits: impl Fn(&str) -> bool) {
        let bad = self.states.iter().chain(&self.events).find(|name| !fits(name)).map(|name| name.to_string());
        if let Some(name) = bad {
            let message = format!("{format} cannot write the name `{}`: {rule}", name.escape_debug());
            let fault = Diagnostic::new(Code::E0610, self.system.span, message).label("in this system");
            self.diagnostics.push(fault.help("rename it, or use `--to json`, which can write every name"));
        }
    }
}

/// A few names, for a message.
fn list<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 12;
    let more = names.len().saturating_sub(MOST);
    let shown: Vec<&str> = names.take(MOST).collect();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// The same, to type as an option.
fn option(names: &str) -> String {
    let tight = names.replace(", ", ",");
    if tight.contains(|c: char| c.is_whitespace() || "()\"'$&|;<>*?[]#~=%`\\".contains(c)) {
        format!("'{}'", tight.replace('\'', "'\\''"))
    } else {
        tight
    }
}
