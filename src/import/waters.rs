//! WATERS and Supremica modules: `.wmod`.
//!
//! ```text
//! <Module Name="plant"> <EventDeclList> <EventDecl Kind="CONTROLLABLE" Name="a" Observable="false"/> </EventDeclList>
//! <ComponentList> <SimpleComponent Kind="PLANT" Name="machine"> <Graph>
//!   <LabelBlock> blocked events </LabelBlock>
//!   <NodeList> <SimpleNode Name="idle" Initial="true"/> </NodeList>
//!   <EdgeList> <Edge Source="idle" Target="busy"> <LabelBlock> <SimpleIdentifier Name="a"/> ... </LabelBlock> </Edge> </EdgeList>
//! </Graph> </SimpleComponent> </ComponentList> </Module>
//! ```
//!
//! A module is the composition of its plants, specifications and supervisors; a component of kind PROPERTY restricts nothing and is
//! left out, with a note. Marks (`:accepting`) are noted. Variables, guards, templates and groups of nodes are refused by name.

use super::fault::{Faults, Watch, observe, short};
use super::xml::{ELEMENT, Element, Node, Xml};
use super::{Foreign, Names, Part, Place, Transition};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceFile};

/// Reads a module; one part per component.
pub(super) fn read(id: FileId, file: &SourceFile, watch: &Watch) -> (Option<Foreign>, Vec<Diagnostic>) {
    let mut reader = Reader::new(id, watch);
    let mut xml = Xml::new(file.text());
    loop {
        match xml.next(&mut reader.faults) {
            Node::Open(element) => reader.open(&element, &mut xml),
            Node::Close => reader.leave(),
            Node::End => break,
        }
        if !reader.faults.goes_on(ELEMENT) {
            break;
        }
    }
    if reader.parts.is_empty() && reader.faults.is_empty() {
        reader.faults.cut_off(file.text(), "a `<SimpleComponent>`");
    }
    if let Some(first) = reader.parts.first_mut() {
        first.notes.append(&mut reader.notes);
    }
    reader.faults.finish(Foreign { name: reader.name, parts: reader.parts })
}

/// What the module says of an event.
#[derive(Clone, Copy)]
struct Declared {
    proposition: bool,
    observable: Option<bool>,
    place: Place,
}

struct Reader {
    id: FileId,
    faults: Faults,
    name: Option<String>,
    names: Names,
    declared: Vec<Declared>,
    parts: Vec<Part>,
    notes: Vec<String>,
    path: Vec<String>,
    current: Option<Current>,
}

/// The component that is being read.
struct Current {
    part: Part,
    property: bool,
    node: Option<u32>,
    marked: Vec<u32>,
    edge: Option<(String, String, Place)>,
    labels: Vec<u32>,
    edges: Vec<(String, u32, String, Place)>,
}

impl Reader {
    fn new(id: FileId, watch: &Watch) -> Reader {
        Reader {
            id,
            faults: Faults::new(id, watch),
            name: None,
            names: Names::new(),
            declared: Vec::new(),
            parts: Vec::new(),
            notes: Vec::new(),
            path: Vec::new(),
            current: None,
        }
    }

    fn open(&mut self, element: &Element<'_>, xml: &mut Xml<'_>) {
        element.no_slips(attributes(&element.name), &mut self.faults);
        match element.name.as_str() {
            "Module" => self.name = element.get("Name").filter(|name| !name.is_empty()),
            "EventDecl" => self.declare(element),
            "SimpleComponent" => self.component(element),
            "SimpleNode" => self.node(element),
            "Edge" => self.edge(element),
            "SimpleIdentifier" => self.identifier(element),
            "EventDeclList" | "ComponentList" | "Graph" | "NodeList" | "EdgeList" | "LabelBlock" | "EventList" => {}
            // Drawings, comments and the place of a name.
            "Comment"
            | "PointGeometry"
            | "SplineGeometry"
            | "LabelGeometry"
            | "BoxGeometry"
            | "ColorGeometry"
            | "InitialArrowGeometry"
            | "EventAliasList"
            | "ConstantAliasList"
            | "AttributeMap"
            | "StartPoint" => {
                return xml.skip(&mut self.faults);
            }
            other => {
                self.faults.unsupported(what(other), element.place);
                return xml.skip(&mut self.faults);
            }
        }
        self.path.push(element.name.clone());
    }

    fn leave(&mut self) {
        match self.path.pop().as_deref() {
            Some("SimpleComponent") => self.end_component(),
            Some("Edge") => self.end_edge(),
            Some("SimpleNode") => {
                if let Some(current) = &mut self.current {
                    current.node = None;
                }
            }
            _ => {}
        }
    }

    fn declare(&mut self, element: &Element<'_>) {
        let Some(name) = element.need("Name", &mut self.faults) else { return };
        let kind = self.kind(element, &["CONTROLLABLE", "UNCONTROLLABLE", "PROPOSITION"]);
        let observable = element.flag("Observable", &mut self.faults);
        let (event, new) = self.names.insert(&name);
        if !new {
            return self.faults.twice("event", &name, element.place, self.declared[event as usize].place);
        }
        self.declared.push(Declared { proposition: kind == Some("PROPOSITION"), observable, place: element.place });
    }

    fn component(&mut self, element: &Element<'_>) {
        let name = element.need("Name", &mut self.faults).unwrap_or_default();
        let property = self.kind(element, &["PLANT", "SPEC", "SUPERVISOR", "PROPERTY"]) == Some("PROPERTY");
        self.faults.automaton(&name, element.place);
        self.current = Some(Current {
            part: Part { initial_place: element.place, ..Part::new(self.id, name) },
            property,
            node: None,
            marked: Vec::new(),
            edge: None,
            labels: Vec::new(),
            edges: Vec::new(),
        });
    }

    /// What kind of thing an element is; another kind than these could mean anything.
    fn kind(&mut self, element: &Element<'_>, known: &[&'static str]) -> Option<&'static str> {
        let kind = element.get("Kind")?;
        let found = known.iter().copied().find(|known| *known == kind);
        if found.is_none() {
            self.faults.unsupported(&format!("the kind `{}`", short(&kind)), element.place);
        }
        found
    }

    fn node(&mut self, element: &Element<'_>) {
        let Some(name) = element.need("Name", &mut self.faults) else { return };
        let initial = element.flag("Initial", &mut self.faults) == Some(true);
        let Some(current) = &mut self.current else {
            return self.faults.syntax(element.place, "a `<SimpleComponent>` around it");
        };
        let (state, new) = current.part.states.insert(&name);
        if !new {
            return self.faults.twice("state", &name, element.place, current.part.state_places[state as usize]);
        }
        current.part.state_places.push(element.place);
        current.node = Some(state);
        if initial {
            current.part.initial.push(state);
        }
    }

    fn edge(&mut self, element: &Element<'_>) {
        let (source, target) = (element.need("Source", &mut self.faults), element.need("Target", &mut self.faults));
        let Some(current) = &mut self.current else {
            return self.faults.syntax(element.place, "a `<SimpleComponent>` around it");
        };
        if let (Some(source), Some(target)) = (source, target) {
            current.edge = Some((source, target, element.place));
            current.labels.clear();
        }
    }

    /// A name inside a label of an edge, among the blocked events, or among the marks of a node.
    fn identifier(&mut self, element: &Element<'_>) {
        let Some(name) = element.need("Name", &mut self.faults) else { return };
        let Some(current) = &mut self.current else {
            return self.faults.syntax(element.place, "a `<SimpleComponent>` around it");
        };
        let Some(declared) = self.names.find(&name).map(|event| self.declared[event as usize]) else {
            return self.faults.unknown("event", &name, element.place);
        };
        if declared.proposition {
            current.marked.extend(current.node);
            return;
        }
        let event = current.part.event(&name, declared.place);
        if let Some(observable) = declared.observable {
            observe(&mut current.part, event, observable, declared.place, &mut self.faults);
        }
        if current.edge.is_some() {
            current.labels.push(event);
        }
    }

    fn end_edge(&mut self) {
        let Some(current) = &mut self.current else { return };
        if let Some((source, target, place)) = current.edge.take() {
            let edges = current.labels.drain(..).map(|event| (source.clone(), event, target.clone(), place));
            current.edges.extend(edges);
        }
    }

    fn end_component(&mut self) {
        let Some(mut current) = self.current.take() else { return };
        for (source, event, target, place) in std::mem::take(&mut current.edges) {
            let mut find = |name: &str| {
                let state = current.part.states.find(name);
                if state.is_none() {
                    self.faults.unknown("state", name, place);
                }
                state
            };
            if let (Some(source), Some(target)) = (find(&source), find(&target)) {
                current.part.transitions.push(Transition { source, event, target, place });
            }
        }
        if current.property {
            self.notes.push(format!("not imported, because a property restricts nothing: {}", current.part.name));
            return;
        }
        current.part.note("marked states", &current.marked, |part| &part.states);
        self.parts.push(current.part);
    }
}

/// The attributes of an element that are read.
fn attributes(element: &str) -> &'static [&'static str] {
    match element {
        "Module" | "SimpleIdentifier" => &["Name"],
        "EventDecl" => &["Name", "Kind", "Observable"],
        "SimpleComponent" => &["Name", "Kind"],
        "SimpleNode" => &["Name", "Initial"],
        "Edge" => &["Source", "Target"],
        _ => &[],
    }
}

/// What an element that is not supported stands for.
fn what(element: &str) -> &'static str {
    match element {
        "VariableComponent" => "a variable (`<VariableComponent>`)",
        "GuardActionBlock" | "Guards" | "Actions" => "a guard or an action (`<GuardActionBlock>`)",
        "ForeachComponent" | "ForeachEvent" | "ForeachEventDecl" => "a `foreach`",
        "Instance" => "an instance of another module (`<Instance>`)",
        "GroupNode" => "a group of nodes (`<GroupNode>`)",
        "RangeList" | "IndexedIdentifier" => "an array of events",
        "EventAlias" | "ConstantAlias" => "an alias",
        _ => "this element",
    }
}
