//! The observability and secrets of a composition, inherited from its parts.
//!
//! A body without declarations of its own takes the union from its parts; its own declarations take precedence. Parts that disagree
//! about an event are an error that shows both.

use crate::check::context::Context;
use crate::check::elaborate::compose::{Inner, Node};
use crate::check::elaborate::naming::Placed;
use crate::check::elaborate::part_sets::PartScope;
use crate::check::elaborate::parts::{self, Composed};
use crate::check::observe::observability::{self, Act, Events, Group, ObservabilityDecls};
use crate::check::resolve::sets::{self, Kind, Scope, Set};
use crate::check::scope::{SystemScope, states};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::of_parts::PartSet;
use crate::source::Span;
use crate::syntax::ast::{Builtin, Ref, StmtKind};
use crate::syntax::spelling;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeMap;

#[derive(Debug)]
pub(in crate::check) struct Inherited {
    /// The observability of each event of the system; `None` without a declaration.
    pub opinions: Vec<Option<(bool, Span)>>,
    /// The groups of anonymous events, if any are declared.
    pub decls: ObservabilityDecls,
    pub secrets: Vec<(Span, Set)>,
    /// The same by the states of parts; none: no such combination is known.
    pub secret: Option<PartSet>,
    /// The ends that compositions declare.
    pub ends: Vec<Ends>,
}

impl Inherited {
    /// Whether each event is observable: without a declaration it is.
    pub fn observed(&self) -> Vec<bool> {
        self.opinions.iter().map(|opinion| opinion.is_none_or(|(seen, _)| seen)).collect()
    }
}

/// Where the parts of one composition may rest.
#[derive(Debug)]
pub(in crate::check) struct Ends {
    /// Its leaves, sorted.
    pub leaves: Vec<usize>,
    /// Global states, sorted.
    pub states: Vec<u32>,
}

/// Listens to a system and everything below it. Cost: linear in the events of all leaves.
pub(in crate::check) fn inherit<'w>(
    cx: &mut Context<'w>,
    system: &SystemScope<'_, 'w>,
    composed: &Composed<'_, 'w>,
    root: &Inner<'w>,
) -> Inherited {
    let listener = Listener { system, composed };
    let own = listener.statements(cx, root);
    let mut voices = Voices { decls: own.decls.clone(), ..Voices::default() };
    voices.ends.extend(ends(root, &own));
    listener.parts(cx, root, &own, Wanted::ALL, &mut voices);
    if !own.decls.is_silent() {
        listener.own_opinions(cx, root, &own.decls, &mut voices.opinions);
    }
    voices.decls.settle();
    let mut secrets = own.secrets.unwrap_or_default();
    secrets.extend(voices.secrets);
    let mut sets = own.part_sets;
    sets.extend(voices.part_sets);
    for (at, hidden) in voices.hidden {
        let mut ids = Vec::new();
        let sound = composed.spread(cx, &hidden.places, at, &mut ids) && hidden.sound;
        secrets.push((at, Set { ids, sound }));
        sets.push(Some(PartSet::Somewhere(hidden.places.into_iter().map(|(part, ids)| (part, states(ids))).collect())));
    }
    let secret = sets.into_iter().collect::<Option<_>>().map(PartSet::Union).filter(|_| composed.has_parts);
    let opinions = (0..composed.tree.events.len()).map(|event| voices.opinions.get(&event).copied());
    Inherited { opinions: opinions.collect(), decls: voices.decls, secrets, secret, ends: voices.ends }
}

/// What the parts say, put together.
#[derive(Debug, Default)]
struct Voices {
    opinions: Opinions,
    decls: ObservabilityDecls,
    /// The secrets of compositions below.
    secrets: Vec<(Span, Set)>,
    /// The same by the states of parts.
    part_sets: Vec<Option<PartSet>>,
    /// The secrets of leaves, by their statements: one for all leaves that share it.
    hidden: BTreeMap<Span, Hidden>,
    ends: Vec<Ends>,
}

/// What is observable, by event.
type Opinions = FxHashMap<u32, (bool, Span)>;

/// The local states that one statement hides.
#[derive(Debug)]
struct Hidden {
    places: Vec<(usize, Vec<u32>)>,
    sound: bool,
}

/// What is taken over from the parts: what is not said further up.
#[derive(Clone, Copy)]
struct Wanted {
    opinions: bool,
    groups: bool,
    secrets: bool,
}

impl Wanted {
    const ALL: Wanted = Wanted { opinions: true, groups: true, secrets: true };

    /// The same below a composition that says something itself.
    fn below(self, own: &Own) -> Wanted {
        Wanted {
            opinions: self.opinions && own.decls.is_silent(),
            groups: self.groups && !own.decls.anonymous,
            secrets: self.secrets && own.secrets.is_none(),
        }
    }
}

/// The own declarations of a composition; the secrets are `None` without a declaration.
struct Own {
    decls: ObservabilityDecls,
    secrets: Option<Vec<(Span, Set)>>,
    /// The same by the states of parts; none: no such combination is known.
    part_sets: Vec<Option<PartSet>>,
    /// Where it may end.
    finals: Vec<u32>,
}

struct Listener<'a, 'w> {
    system: &'a SystemScope<'a, 'w>,
    composed: &'a Composed<'a, 'w>,
}

impl<'w> Listener<'_, 'w> {
    /// Adds what the parts of a composition say to what is known.
    fn parts(&self, cx: &mut Context<'w>, node: &Inner<'w>, own: &Own, wanted: Wanted, voices: &mut Voices) {
        let wanted = wanted.below(own);
        for child in &node.children {
            match child {
                Node::Component(component)
                    if cx.tick(1 + self.component(*component).events.len() as u64, 0, node.at) =>
                {
                    self.of_leaf(cx, *component, wanted, voices);
                }
                Node::Inner(inner) => self.of_inner(cx, inner, wanted, voices),
                Node::Component(_) | Node::Broken => {}
            }
        }
    }

    fn of_inner(&self, cx: &mut Context<'w>, node: &Inner<'w>, wanted: Wanted, voices: &mut Voices) {
        let own = self.statements(cx, node);
        voices.ends.extend(ends(node, &own));
        voices.decls.sound &= own.decls.sound;
        voices.decls.clear &= own.decls.clear;
        if wanted.groups {
            own.decls.groups.iter().for_each(|group| voices.decls.join(group.clone()));
        }
        if wanted.secrets {
            voices.secrets.extend(own.secrets.iter().flatten().cloned());
            voices.part_sets.extend(own.part_sets.iter().cloned());
        }
        // WHY apart: parts whose opinions count nowhere further up may still disagree among themselves.
        let apart = !(wanted.opinions && own.decls.is_silent());
        let outer = if apart { std::mem::take(&mut voices.opinions) } else { Opinions::default() };
        let within = Wanted { opinions: own.decls.is_silent(), ..wanted };
        self.parts(cx, node, &own, within, voices);
        if apart {
            voices.opinions = outer;
        }
        if wanted.opinions && !own.decls.is_silent() {
            self.own_opinions(cx, node, &own.decls, &mut voices.opinions);
        }
    }

    /// What a composition says about the events of its leaves.
    fn own_opinions(
        &self,
        cx: &mut Context<'w>,
        node: &Inner<'w>,
        decls: &ObservabilityDecls,
        opinions: &mut Opinions,
    ) {
        for event in events_below(self.composed, node) {
            if let Some(opinion) = decls.opinion(event) {
                self.agree(cx, opinions, event, opinion);
            }
        }
    }

    fn component(&self, component: usize) -> &Placed {
        &self.composed.tree.components[component]
    }

    fn of_leaf(&self, cx: &mut Context<'w>, component: usize, wanted: Wanted, voices: &mut Voices) {
        let placed = self.component(component);
        let decls = &placed.component.decls;
        voices.decls.sound &= decls.sound;
        voices.decls.clear &= decls.clear;
        if wanted.opinions {
            for (event, opinion) in placed.events.iter().zip(&placed.component.opinions) {
                opinion.iter().for_each(|&opinion| self.agree(cx, &mut voices.opinions, event.0, opinion));
            }
        }
        if wanted.groups {
            decls.groups.iter().for_each(|group| voices.decls.join(shared(placed, group)));
        }
        if wanted.secrets {
            for (at, set) in &placed.component.secrets {
                let hidden = voices.hidden.entry(*at).or_insert(Hidden { places: Vec::new(), sound: true });
                hidden.places.push((component, set.ids.clone()));
                hidden.sound &= set.sound;
            }
        }
    }

    /// Adds an opinion; one that contradicts another is a fault.
    fn agree(&self, cx: &mut Context<'w>, opinions: &mut Opinions, event: u32, (sees, at): (bool, Span)) {
        let (known, first) = *opinions.entry(event).or_insert((sees, at));
        if known != sees {
            let name = self.composed.tree.events.names.get(event);
            let (seen, unseen) = if known { (first, at) } else { (at, first) };
            cx.fault(disagree(&name, unseen, seen));
        }
    }

    fn statements(&self, cx: &mut Context<'w>, node: &Inner<'w>) -> Own {
        let (mut decls, mut secrets, mut finals) = (ObservabilityDecls::default(), None, Vec::new());
        let mut part_sets = Vec::new();
        let events = OnceCell::new();
        let file = std::mem::replace(&mut cx.file, node.file);
        for (stmt, bindings) in &node.own {
            let outer = std::mem::replace(&mut cx.bindings, bindings.clone());
            let scope = Within { system: self.system, composed: self.composed, node, decls: &decls, events: &events };
            if let StmtKind::Secret(set) = &stmt.kind {
                let found = sets::evaluate(cx, &scope, Kind::State, set);
                if self.composed.has_parts && found.sound {
                    let scope = PartScope { composed: self.composed, node, secret: None };
                    part_sets.push(scope.set(cx, set));
                }
                secrets.get_or_insert_with(Vec::new).push((set.span(), found));
            } else if let StmtKind::Final(set) = &stmt.kind {
                finals.extend(sets::evaluate(cx, &scope, Kind::State, set).ids);
            } else if let Some(declaration) = observability::declaration(cx, &scope, stmt) {
                decls.take(cx, declaration);
            }
            cx.bindings = outer;
        }
        cx.file = file;
        decls.settle();
        Own { decls, secrets, part_sets, finals: sets::sorted(finals) }
    }
}

/// The ends that a composition declares, if any.
fn ends(node: &Inner<'_>, own: &Own) -> Option<Ends> {
    let mut leaves = Vec::new();
    node.children.iter().for_each(|child| parts::below(child, &mut leaves));
    leaves.sort_unstable();
    (!own.finals.is_empty()).then(|| Ends { leaves, states: own.finals.clone() })
}

/// A group of a leaf, with the events of the system.
fn shared(placed: &Placed, group: &Group) -> Group {
    let events = group.events.as_slice().iter().map(|&(id, at)| (placed.events[id as usize].0, at));
    let acts = group.acts.iter().map(|act| Act { event: placed.events[act.event as usize].0, ..act.clone() });
    Group { events: Events::new(events.collect()), acts: acts.collect(), ..group.clone() }
}

/// The events of the leaves below a composition, sorted.
fn events_below(composed: &Composed<'_, '_>, node: &Inner<'_>) -> Vec<u32> {
    let mut events = Vec::new();
    let mut pending: Vec<&Node<'_>> = node.children.iter().collect();
    while let Some(node) = pending.pop() {
        match node {
            Node::Component(component) => {
                events.extend(composed.tree.components[*component].events.iter().map(|event| event.0))
            }
            Node::Inner(inner) => pending.extend(&inner.children),
            Node::Broken => {}
        }
    }
    events.sort_unstable();
    events.dedup();
    events
}

/// The scope of a composition: its parts, and the sets declared so far.
struct Within<'a, 'w> {
    system: &'a SystemScope<'a, 'w>,
    composed: &'a Composed<'a, 'w>,
    node: &'a Inner<'w>,
    decls: &'a ObservabilityDecls,
    /// The events of its leaves, once somebody asked.
    events: &'a OnceCell<Vec<u32>>,
}

impl Scope for Within<'_, '_> {
    fn reference(&self, cx: &mut Context<'_>, kind: Kind, reference: &Ref, out: &mut Vec<u32>) -> bool {
        self.composed.reference(cx, self.node, kind, reference, out)
    }

    fn builtin(&self, word: Builtin) -> Vec<u32> {
        let events = || self.events.get_or_init(|| events_below(self.composed, self.node));
        let observable = || match self.decls.is_silent() {
            true => events().clone(),
            false => self.decls.observable(self.composed.tree.events.len()),
        };
        match word {
            Builtin::Events => events().clone(),
            Builtin::Observable => observable(),
            Builtin::Unobservable => sets::difference(events(), &observable()),
            Builtin::Anonymous => self.decls.anonymous(),
            _ => self.system.builtin(word),
        }
    }
}

fn disagree(event: &str, unseen: Span, seen: Span) -> Diagnostic {
    let written = spelling::member(event);
    Diagnostic::new(Code::E0410, unseen, format!("the parts disagree about `{event}`: observable or not"))
        .label("declared unobservable here")
        .also(seen, "declared observable here")
        .help(format!("declare it in the system: `observable events \\ {{{written}}};`, or change one of the two"))
}
