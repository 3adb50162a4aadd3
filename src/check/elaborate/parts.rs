//! References in a composition: a state of a part denotes a set of global states.

use crate::automaton::StateId;
use crate::automaton::product::Product;
use crate::check::context::Context;
use crate::check::elaborate::compose::{Inner, Node, Tree};
use crate::check::elaborate::naming::tuple_name;
use crate::check::resolve::names::{Lookup, Table};
use crate::check::resolve::sets::Kind;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{ClassId, Classes};
use crate::source::Span;
use crate::syntax::ast::{NameKind, Ref};
use crate::syntax::spelling;
use rustc_hash::FxHashMap;

/// The number of global states between two checks of the clock.
const BLOCK: usize = 1 << 12;

/// The parts of a system and their product.
pub(in crate::check) struct Composed<'a, 'w> {
    pub tree: &'a Tree<'w>,
    /// `None`: it is too large, or a part has errors; sets of states are then empty.
    pub product: Option<&'a Product>,
    /// Whether questions are about the parts, because the product is too large.
    pub is_uncomposed: bool,
    /// Whether questions are also read by the states of parts.
    //
    // WHY not with levers: they switch off events of the product, and the parts know nothing of that.
    pub has_parts: bool,
}

impl Composed<'_, '_> {
    pub fn state_name(&self, state: u32) -> String {
        let Some(product) = self.product else { return String::new() };
        let names: Vec<_> = (self.tree.components.iter().enumerate())
            .map(|(at, placed)| placed.component.states.names.get(product.local(StateId(state), at).0))
            .collect();
        tuple_name(names.into_iter())
    }

    /// The meaning of a reference, relative to a node of the tree.
    pub fn reference(
        &self,
        cx: &mut Context<'_>,
        node: &Inner<'_>,
        kind: Kind,
        reference: &Ref,
        out: &mut Vec<u32>,
    ) -> bool {
        if kind == Kind::Event {
            return self.event(cx, reference, out);
        }
        if reference.name.kind == NameKind::Quoted && reference.rest.is_none() {
            let text = cx.text(&reference.name);
            if let Some(state) = self.global(cx, &text, reference.span()) {
                out.push(state);
                return true;
            }
            if self.product.is_none() && self.may_be_global(&text) {
                return true;
            }
        }
        let mut places = Vec::new();
        let sound = self.local(cx, node, reference, &mut places);
        self.spread(cx, &places, reference.span(), out) && sound
    }

    fn event(&self, cx: &mut Context<'_>, reference: &Ref, out: &mut Vec<u32>) -> bool {
        if let Some(member) = reference.member() {
            let written = cx.written(member);
            cx.fault(event_of_part(reference.span(), &written));
            return false;
        }
        Lookup { table: &self.tree.events, others: &[&self.tree.root.parts], owner: "any part" }
            .resolve(cx, reference, out)
    }

    /// The global state of a whole name: `"(idle, empty)"`.
    fn global(&self, cx: &mut Context<'_>, name: &str, at: Span) -> Option<u32> {
        let product = self.product.filter(|_| self.may_be_global(name))?;
        let n_states = product.automaton().n_states() as u32;
        if !cx.spend(u64::from(n_states), at) {
            return None;
        }
        let n_leaves = self.tree.components.len() as u64;
        (0..n_states).take_while(|_| cx.tick(n_leaves, 0, at)).find(|&state| self.state_name(state) == name)
    }

    pub fn may_be_global(&self, name: &str) -> bool {
        name.starts_with('(') || self.tree.components.len() == 1
    }

    /// The leaves and local states that a reference denotes.
    pub fn local(
        &self,
        cx: &mut Context<'_>,
        node: &Inner<'_>,
        reference: &Ref,
        out: &mut Vec<(usize, Vec<u32>)>,
    ) -> bool {
        if self.is_bare_state(cx, node, reference) {
            return false;
        }
        let mut parts = Vec::new();
        let lookup = Lookup { table: &node.parts, others: &[&self.tree.events], owner: "this composition" };
        if !lookup.resolve(cx, reference, &mut parts) {
            return false;
        }
        let Some(member) = reference.member() else {
            self.refuse_part(cx, node, reference, &parts);
            return false;
        };
        let mut sound = true;
        for part in parts {
            sound &= match &node.children[part as usize] {
                Node::Component(component) => {
                    let table = &self.tree.components[*component].component.states;
                    let owner = format!("part `{}`", self.tree.components[*component].path);
                    if let Some(deeper) = member.member() {
                        cx.fault(no_deeper(&owner, deeper.span()));
                        return false;
                    }
                    let mut states = Vec::new();
                    let found =
                        Lookup { table, others: &[&self.tree.components[*component].component.events], owner: &owner }
                            .resolve(cx, member, &mut states);
                    out.push((*component, states));
                    found
                }
                Node::Inner(inner) => self.local(cx, inner, member, out),
                Node::Broken => false,
            };
        }
        sound
    }

    /// Says that a reference names parts where states are meant.
    fn refuse_part(&self, cx: &mut Context<'_>, node: &Inner<'_>, reference: &Ref, parts: &[u32]) {
        let name = cx.written(reference);
        let example = self.example(&node.children[parts[0] as usize]);
        let fault = part_for_state(&name, reference.span(), node.parts.span(parts[0]), &example);
        let name_of_one = node.parts.names.get(parts[0]);
        let one = spelling::member(&name_of_one);
        cx.fault(match parts.len() {
            1 => fault,
            _ => fault.help(format!("name a state of each: `{name}.{example}`; after `about`, name one part: `{one}`")),
        });
    }

    /// Whether a reference names a state without its part, which is reported.
    fn is_bare_state(&self, cx: &mut Context<'_>, node: &Inner<'_>, reference: &Ref) -> bool {
        let name = cx.text(&reference.name);
        let knows = |table: &Table| table.names.find(&name).is_some() || table.family(&name).is_some();
        if reference.member().is_some() || knows(&node.parts) {
            return false;
        }
        let components = &self.tree.components;
        if !cx.spend(1 + components.len() as u64 / 8, reference.span()) {
            return false;
        }
        let owner = components.iter().find(|placed| knows(&placed.component.states));
        if let Some(placed) = owner {
            let written = cx.written(reference);
            cx.fault(state_without_part(&written, &placed.path, reference.span()));
        }
        owner.is_some()
    }

    /// Some state of a part, as it is written.
    fn example(&self, node: &Node<'_>) -> String {
        match node {
            Node::Component(component) if self.tree.components[*component].component.states.len() > 0 => {
                spelling::member(&self.tree.components[*component].component.states.names.get(0)).into_owned()
            }
            _ => "state".to_owned(),
        }
    }

    pub fn spread(&self, cx: &mut Context<'_>, places: &[(usize, Vec<u32>)], at: Span, out: &mut Vec<u32>) -> bool {
        let Some(product) = self.product else { return true };
        let n_states = product.automaton().n_states() as u32;
        let mut wanted = Vec::new();
        for (component, states) in places {
            let mut marks = vec![false; self.tree.components[*component].component.states.len() as usize];
            states.iter().for_each(|&state| marks[state as usize] = true);
            wanted.push((*component, marks));
        }
        if !cx.spend(u64::from(n_states) / 8 * places.len() as u64, at) {
            return false;
        }
        let is_there = |state: u32| {
            wanted.iter().any(|(component, marks)| marks[product.local(StateId(state), *component).index()])
        };
        for first in (0..n_states).step_by(BLOCK) {
            let block = first..n_states.min(first + BLOCK as u32);
            if !cx.tick((block.len() * places.len()) as u64, 0, at) {
                return false;
            }
            out.extend(block.filter(|&state| is_there(state)));
        }
        true
    }

    /// The leaves of a part, if the reference names a part without a state.
    pub fn part(&self, cx: &mut Context<'_>, reference: &Ref) -> Option<Vec<usize>> {
        let mut node = &self.tree.root;
        let mut reference = reference;
        loop {
            let mut names = Vec::new();
            let table = &node.parts;
            cx.members(reference, &mut |_, name| names.push(table.names.find(name)));
            let [Some(part)] = names[..] else { return None };
            let child = &node.children[part as usize];
            match (reference.member(), child) {
                (None, child) => {
                    let mut components = Vec::new();
                    below(child, &mut components);
                    return Some(components);
                }
                (Some(member), Node::Inner(inner)) => (node, reference) = (inner, member),
                (Some(_), _) => return None,
            }
        }
    }

    /// The classes of states by the local states of some leaves. `None`: the time limit was reached.
    pub fn classes(&self, cx: &mut Context<'_>, components: &[usize], about: Span) -> Option<Classes> {
        let n_states = self.product.map_or(0, |product| product.automaton().n_states() as u32);
        let subject = wording::folded(cx.file.slice(about));
        let tuple = |state: u32| -> Vec<u32> {
            components.iter().filter_map(|&component| Some(self.product?.local(StateId(state), component).0)).collect()
        };
        let mut ids: FxHashMap<Vec<u32>, ClassId> = FxHashMap::default();
        let mut names = Vec::new();
        let of = (0..n_states).map(|state| {
            let tuple = tuple(state);
            if !cx.tick(1 + components.len() as u64, 0, about) {
                return None;
            }
            if let Some(&class) = ids.get(&tuple) {
                return Some(class);
            }
            let class = ClassId::from_index(names.len());
            let locals: Vec<_> = (components.iter().zip(&tuple))
                .map(|(&component, &local)| self.tree.components[component].component.states.names.get(local))
                .collect();
            let name = tuple_name(locals.into_iter());
            let bytes = size_of::<String>() + name.len() + size_of::<(Vec<u32>, ClassId)>() + size_of_val(&tuple[..]);
            if !cx.tick(0, bytes as u64, about) {
                return None;
            }
            names.push(name);
            ids.insert(tuple, class);
            Some(class)
        });
        let of = of.collect::<Option<_>>()?;
        Some(Classes { of, names, subject: Some(subject) })
    }
}

pub(in crate::check) fn below(node: &Node<'_>, components: &mut Vec<usize>) {
    match node {
        Node::Component(component) => components.push(*component),
        Node::Inner(inner) => inner.children.iter().for_each(|child| below(child, components)),
        Node::Broken => {}
    }
}

pub(in crate::check) fn event_of_part(at: Span, written: &str) -> Diagnostic {
    Diagnostic::new(Code::E0202, at, "an event is written without a part: all parts share the events")
        .label("expected an event")
        .help(format!("write the event alone: `{written}`"))
        .fix(format!("write `{written}`"), at, written)
}

pub(in crate::check) fn part_for_state(name: &str, at: Span, declared: Option<Span>, example: &str) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0202, at, format!("`{name}` is a part, not a state"))
        .label("expected a state")
        .help(format!("name a state of it: `{name}.{example}`"));
    declared.into_iter().fold(fault, |fault, span| fault.also(span, "declared here"))
}

fn state_without_part(name: &str, part: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0201, at, format!("`{name}` is a state of a part: the part is missing"))
        .label("states of a composition belong to its parts")
        .help(format!("name the part: `{part}.{name}`"))
        .fix(format!("write `{part}.{name}`"), at, format!("{part}.{name}"))
}

fn no_deeper(owner: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0201, at, format!("{owner} is not composed of parts"))
        .label("a state has no parts")
        .help("remove the `.` and the name after it")
}
