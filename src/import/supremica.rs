//! Supremica's XML of automata.
//!
//! ```text
//! <Automata> <Automaton name="machine" type="Plant">
//!   <Events> <Event id="0" label="start" observable="false"/> </Events>
//!   <States> <State id="0" name="idle" initial="true" accepting="true"/> </States>
//!   <Transitions> <Transition source="0" dest="0" event="0"/> </Transitions>
//! </Automaton> </Automata>
//! ```
//!
//! Several automata are one model: their composition. Ids are numbers or texts of the file; names are `label` and `name`.

use super::fault::{Faults, Watch, observe};
use super::xml::{ELEMENT, Element, Node, Xml};
use super::{Foreign, Part, Place, Transition};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceFile};
use rustc_hash::FxHashMap;

/// Reads a Supremica file; one part per automaton.
pub(super) fn read(id: FileId, file: &SourceFile, watch: &Watch) -> (Option<Foreign>, Vec<Diagnostic>) {
    let mut reader = Reader { id, faults: Faults::new(id, watch), parts: Vec::new(), name: None, current: None };
    let mut xml = Xml::new(file.text());
    loop {
        match xml.next(&mut reader.faults) {
            Node::Open(element) => reader.open(&element, &mut xml),
            Node::Close => {}
            Node::End => break,
        }
        if !reader.faults.goes_on(ELEMENT) {
            break;
        }
    }
    reader.close();
    if reader.parts.is_empty() && reader.faults.is_empty() {
        reader.faults.cut_off(file.text(), "an `<Automaton>`");
    }
    reader.faults.finish(Foreign { name: reader.name, parts: reader.parts })
}

struct Reader {
    id: FileId,
    faults: Faults,
    parts: Vec<Part>,
    name: Option<String>,
    current: Option<Current>,
}

/// The automaton that is being read.
struct Current {
    part: Part,
    events: FxHashMap<String, u32>,
    states: FxHashMap<String, u32>,
    marked: Vec<u32>,
    transitions: Vec<(String, String, String, Place)>,
}

impl Reader {
    fn open(&mut self, element: &Element<'_>, xml: &mut Xml<'_>) {
        element.no_slips(attributes(&element.name), &mut self.faults);
        match element.name.as_str() {
            "Automata" => self.name = element.get("name").filter(|name| !name.is_empty()),
            "Automaton" => self.automaton(element),
            "Event" => self.event(element),
            "State" => self.state(element),
            "Transition" => self.transition(element),
            "Events" | "States" | "Transitions" => {}
            // Drawings and the like.
            "Layout" | "Comment" => xml.skip(&mut self.faults),
            other => {
                self.faults.unsupported(&format!("the element `<{other}>`"), element.place);
                xml.skip(&mut self.faults);
            }
        }
    }

    fn automaton(&mut self, element: &Element<'_>) {
        self.close();
        let name = element.need("name", &mut self.faults).unwrap_or_default();
        self.faults.automaton(&name, element.place);
        self.current = Some(Current {
            part: Part { initial_place: element.place, ..Part::new(self.id, name) },
            events: FxHashMap::default(),
            states: FxHashMap::default(),
            marked: Vec::new(),
            transitions: Vec::new(),
        });
    }

    fn event(&mut self, element: &Element<'_>) {
        let faults = &mut self.faults;
        let Some(current) = &mut self.current else { return faults.syntax(element.place, "an `<Automaton>` first") };
        let Some(id) = element.need("id", faults) else { return };
        let label = element.get("label").unwrap_or_else(|| id.clone());
        if let Some(before) = current.part.events.find(&label) {
            return faults.twice("event", &label, element.place, current.part.facts[before as usize].place);
        }
        let event = current.part.event(&label, element.place);
        let silent = element.flag("epsilon", faults) == Some(true);
        if let Some(observable) =
            element.flag("observable", faults).map(|seen| seen && !silent).or(silent.then_some(false))
        {
            observe(&mut current.part, event, observable, element.place, faults);
        }
        if current.events.insert(id.clone(), event).is_some() {
            faults.twice("event id", &id, element.place, element.place);
        }
    }

    fn state(&mut self, element: &Element<'_>) {
        let faults = &mut self.faults;
        let Some(current) = &mut self.current else { return faults.syntax(element.place, "an `<Automaton>` first") };
        let Some(id) = element.need("id", faults) else { return };
        let name = element.get("name").unwrap_or_else(|| id.clone());
        if let Some(before) = current.part.states.find(&name) {
            return faults.twice("state", &name, element.place, current.part.state_places[before as usize]);
        }
        let state = current.part.state(&name, element.place);
        if element.flag("initial", faults) == Some(true) {
            current.part.initial.push(state);
        }
        if element.flag("accepting", faults) == Some(true) {
            current.marked.push(state);
        }
        if current.states.insert(id.clone(), state).is_some() {
            faults.twice("state id", &id, element.place, element.place);
        }
    }

    fn transition(&mut self, element: &Element<'_>) {
        let faults = &mut self.faults;
        let Some(current) = &mut self.current else { return faults.syntax(element.place, "an `<Automaton>` first") };
        let (source, event, target) =
            (element.need("source", faults), element.need("event", faults), element.need("dest", faults));
        if let (Some(source), Some(event), Some(target)) = (source, event, target) {
            current.transitions.push((source, event, target, element.place));
        }
    }

    /// Ends the automaton: now every id is known.
    fn close(&mut self) {
        let Some(mut current) = self.current.take() else { return };
        let faults = &mut self.faults;
        for (source, event, target, place) in current.transitions {
            let find = |what: &str, id: &str, ids: &FxHashMap<String, u32>, faults: &mut Faults| {
                let known = ids.get(id).copied();
                if known.is_none() {
                    faults.unknown(what, id, place);
                }
                known
            };
            let source = find("state", &source, &current.states, faults);
            let event = find("event", &event, &current.events, faults);
            let target = find("state", &target, &current.states, faults);
            if let (Some(source), Some(event), Some(target)) = (source, event, target) {
                current.part.transitions.push(Transition { source, event, target, place });
            }
        }
        current.part.note("accepting states", &current.marked, |part| &part.states);
        self.parts.push(current.part);
    }
}

/// The attributes of an element that are read.
fn attributes(element: &str) -> &'static [&'static str] {
    match element {
        "Automata" | "Automaton" => &["name"],
        "Event" => &["id", "label", "observable", "epsilon"],
        "State" => &["id", "name", "initial", "accepting"],
        "Transition" => &["source", "dest", "event"],
        _ => &[],
    }
}
