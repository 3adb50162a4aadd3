//! The public face: text, or states and transitions from Rust, to verdicts and a report.
//!
//! Everything here is a thin layer over the stages of the compiler. The stages themselves are not part of the promise: they are
//! hidden from the documentation, and change when they must.

use crate::check::{self, Settings};
use crate::diagnostic::{Diagnostic, render};
use crate::import::Format;
use crate::import::options::Outside;
use crate::model::Model;
use crate::repair;
use crate::report::formats::{html, json, text};
use crate::report::scribe::Written;
use crate::report::{FileReport, Report};
use crate::resources::{Resources, Stop};
use crate::source::{FileId, Loader, NoImports, Sources};
use crate::syntax;
use crate::verify::Options;
use std::fmt::Write;
use std::io;
use std::sync::Arc;

/// A model that was read, with what is wrong with it.
#[derive(Debug)]
pub struct Checked {
    sources: Sources,
    entry: FileId,
    model: Option<Arc<Model>>,
    diagnostics: Vec<Diagnostic>,
    stopped: Option<Stop>,
}

/// Reads a model from text that imports nothing.
///
/// ```
/// let checked = desc::check("door.des", "system Door { states open, shut; initial open; events push; open -push-> shut; }");
/// let model = checked.model().expect("nothing is wrong with it");
/// assert_eq!(model.systems()[0].automaton.n_transitions(), 1);
/// ```
pub fn check(name: &str, text: &str) -> Checked {
    check_with(name, text, &NoImports, &Settings::default())
}

/// Reads a model from text: `loader` finds what it imports, `settings` override constants and limit what reading may use.
pub fn check_with(name: &str, text: &str, loader: &dyn Loader, settings: &Settings) -> Checked {
    let mut sources = Sources::new();
    let (entry, mut diagnostics) = syntax::read(&mut sources, name, text.as_bytes().to_vec());
    let read = check::check(entry, &mut sources, loader, settings);
    diagnostics.extend(read.diagnostics);
    Checked::new(sources, entry, check::Checked { diagnostics, ..read })
}

/// Reads a model of another tool, with what its file does not say.
///
/// ```
/// let door = "1\n\nopen\t0\t1\npush\topen\tc\to\n";
/// let outside = desc::Outside { checks: vec!["current-state".to_owned()], ..desc::Outside::default() };
/// let format = desc::Format::detect("door.fsm", door).expect("a format that is known");
/// let checked = desc::check_foreign("door.fsm", door.as_bytes().to_vec(), format, &outside, &desc::Settings::default());
/// assert_eq!(checked.verify(&desc::Options::default()).tally().checks(), 1);
/// ```
pub fn check_foreign(name: &str, bytes: Vec<u8>, format: Format, outside: &Outside, settings: &Settings) -> Checked {
    let read = check::foreign::check(name, bytes, format, outside, settings);
    Checked::new(read.sources, read.entry, read.checked)
}

impl Checked {
    fn new(sources: Sources, entry: FileId, read: check::Checked) -> Checked {
        let model = read.model.map(Arc::new);
        Checked { sources, entry, model, diagnostics: read.diagnostics, stopped: read.stopped }
    }

    /// The model; none: the text has errors, or was not read to its end.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_deref()
    }

    /// The same, to ask it something else.
    #[cfg(test)]
    pub(crate) fn model_mut(&mut self) -> Option<&mut Model> {
        self.model.as_mut().and_then(Arc::get_mut)
    }

    /// The limit that was reached before the text was read to its end, if one was.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// The text and what it imports.
    #[doc(hidden)]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The text itself, among its sources.
    #[doc(hidden)]
    pub fn entry(&self) -> FileId {
        self.entry
    }

    /// Errors and warnings, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Errors and warnings as a terminal shows them, without colours.
    ///
    /// ```
    /// let checked = desc::check("door.des", "system Door { states open; initial opne; }");
    /// assert!(checked.explained().contains("did you mean `open`?"));
    /// ```
    pub fn explained(&self) -> String {
        render::human(&self.sources, &self.diagnostics, &plain())
    }

    /// Decides every check of every system.
    ///
    /// ```
    /// let checked = desc::check("door.des", "system Door {
    ///     states A, B; initial A; events push; A -push-> B; B -push-> A;
    ///     check current-state;
    /// }");
    /// let report = checked.verify(&desc::Options::default());
    /// assert_eq!(report.tally().failed, 1, "who counts the pushes knows the state");
    /// ```
    pub fn verify(&self, options: &Options<'_>) -> Report {
        let systems = self.model().map_or(&[][..], Model::systems);
        let results: Vec<_> = systems.iter().map(|system| repair::verify(system, options)).collect();
        let (sources, diagnostics) = (self.sources.clone(), self.diagnostics.clone());
        let file = FileReport::new(sources, self.entry, diagnostics, self.model.clone(), results);
        Report { files: vec![file], ..Report::default() }
    }
}

fn plain() -> render::Style {
    render::Style { color: false, ascii: false, narrated: false, width: 100 }
}

impl Report {
    /// The JSON result that `desc check --message-format json` prints.
    pub fn to_json(&self) -> String {
        written(|out| json::write(self, out, Resources::default()))
    }

    /// The page that `desc report` writes.
    pub fn to_html(&self) -> String {
        written(|out| html::write(self, out, Resources::default()))
    }

    /// The same as a part of another page: a notebook shows many. `name` is an id that no other element of that page has.
    pub fn to_html_fragment(&self, name: &str) -> String {
        html::fragment::fragment(self, name, Resources::default())
    }

    /// Verdicts and stories as a terminal shows them, without colours.
    pub fn to_text(&self) -> String {
        let telling = text::Telling { style: plain(), quiet: false, verbose: 0, time: None };
        written(|out| text::write(self, &telling, out, Resources::default()))
    }
}

/// What is written to memory, which does not fail, as text.
fn written(write: impl FnOnce(&mut dyn io::Write) -> io::Result<Written>) -> String {
    let mut out = Vec::new();
    let _ = write(&mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// Writes a system from Rust, name by name. Names are any text without control characters.
///
/// ```
/// let text = desc::SystemBuilder::new("Door")
///     .initial("waiting room")
///     .transition("waiting room", "push", "hall")
///     .transition("hall", "push", "waiting room")
///     .anonymous(["push"])
///     .check("not strong current-state")
///     .to_des();
/// let report = desc::check("door.des", &text).verify(&desc::Options::default());
/// assert_eq!(report.tally().passed, 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SystemBuilder {
    name: String,
    states: Vec<String>,
    initial: Vec<String>,
    events: Vec<String>,
    transitions: Vec<[String; 3]>,
    statements: Vec<String>,
}

impl SystemBuilder {
    /// A system without states.
    pub fn new(name: &str) -> SystemBuilder {
        SystemBuilder { name: name.to_owned(), ..SystemBuilder::default() }
    }

    /// Declares a state. States of transitions and initial states need no declaration.
    pub fn state(mut self, name: &str) -> SystemBuilder {
        self.states.push(quoted(name));
        self
    }

    /// Declares an initial state.
    pub fn initial(mut self, name: &str) -> SystemBuilder {
        self.initial.push(quoted(name));
        self
    }

    /// Declares an event. Events of transitions need no declaration.
    pub fn event(mut self, name: &str) -> SystemBuilder {
        self.events.push(quoted(name));
        self
    }

    /// Adds a transition.
    pub fn transition(mut self, source: &str, event: &str, target: &str) -> SystemBuilder {
        self.transitions.push([source, event, target].map(quoted));
        self
    }

    /// Makes events unobservable; all others are observable.
    pub fn unobservable<'n>(self, events: impl IntoIterator<Item = &'n str>) -> SystemBuilder {
        self.set("unobservable", events)
    }

    /// Makes events anonymous.
    pub fn anonymous<'n>(self, events: impl IntoIterator<Item = &'n str>) -> SystemBuilder {
        self.set("anonymous", events)
    }

    /// Makes events anonymous under a label of their own.
    pub fn anonymous_as<'n>(mut self, events: impl IntoIterator<Item = &'n str>, label: &str) -> SystemBuilder {
        self.group(events, &format!("as {}", quoted(label)));
        self
    }

    /// Makes events anonymous: they show a label, and an agent does them, who may do other things under other labels. The weak
    /// projection follows the agent.
    ///
    /// ```
    /// let text = desc::SystemBuilder::new("Badge")
    ///     .initial("out")
    ///     .transition("out", "ann enters", "ann is in").transition("ann is in", "ann leaves", "out")
    ///     .transition("out", "bob enters", "bob is in").transition("bob is in", "bob leaves", "out")
    ///     .anonymous_by(["ann enters"], "enters", "Ann").anonymous_by(["ann leaves"], "leaves", "Ann")
    ///     .anonymous_by(["bob enters"], "enters", "Bob").anonymous_by(["bob leaves"], "leaves", "Bob")
    ///     .check("projection weak [\"ann enters\" \"ann leaves\" \"bob enters\"] = [enters#1 leaves#1 enters#2]")
    ///     .to_des();
    /// assert_eq!(desc::check("badge.des", &text).verify(&desc::Options::default()).tally().passed, 1);
    /// ```
    pub fn anonymous_by<'n>(
        mut self,
        events: impl IntoIterator<Item = &'n str>,
        label: &str,
        agent: &str,
    ) -> SystemBuilder {
        self.group(events, &format!("as {} by {}", quoted(label), quoted(agent)));
        self
    }

    /// Makes states secret.
    pub fn secret<'n>(self, states: impl IntoIterator<Item = &'n str>) -> SystemBuilder {
        self.set("secret", states)
    }

    /// Adds a check, as it is written in the language: `weak 2-step`, `not infinite-step opacity`.
    pub fn check(mut self, check: &str) -> SystemBuilder {
        self.statements.push(format!("check {check};"));
        self
    }

    fn set<'n>(mut self, keyword: &str, names: impl IntoIterator<Item = &'n str>) -> SystemBuilder {
        let names: Vec<String> = names.into_iter().map(quoted).collect();
        if !names.is_empty() {
            self.statements.push(format!("{keyword} {};", names.join(", ")));
        }
        self
    }

    fn group<'n>(&mut self, events: impl IntoIterator<Item = &'n str>, shown: &str) {
        let events: Vec<String> = events.into_iter().map(quoted).collect();
        if !events.is_empty() {
            self.statements.push(format!("anonymous {} {shown};", events.join(", ")));
        }
    }

    /// The system as a `.des` file.
    pub fn to_des(&self) -> String {
        let ends = self.transitions.iter().flat_map(|[source, _, target]| [source, target]);
        let states = distinct(self.states.iter().chain(&self.initial).chain(ends));
        let events = distinct(self.events.iter().chain(self.transitions.iter().map(|[_, event, _]| event)));
        let mut text = format!("system {} {{\n", quoted(&self.name));
        for (keyword, names) in [("states", states), ("initial", distinct(self.initial.iter())), ("events", events)] {
            if !names.is_empty() {
                let _ = writeln!(text, "    {keyword} {};", names.join(", "));
            }
        }
        for [source, event, target] in &self.transitions {
            let _ = writeln!(text, "    {source} -{event}-> {target};");
        }
        for statement in &self.statements {
            let _ = writeln!(text, "    {statement}");
        }
        text + "}\n"
    }
}

/// A name in quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The different names, in the order in which they come first.
fn distinct<'n>(names: impl Iterator<Item = &'n String>) -> Vec<&'n str> {
    let mut seen = rustc_hash::FxHashSet::default();
    names.map(String::as_str).filter(|name| seen.insert(*name)).collect()
}
