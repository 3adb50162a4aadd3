//! What the parts of a composition say about what is seen and what is secret, put together.
//!
//! A body that says nothing of its own takes the union from its parts; what it says itself comes before. Two parts that call one
//! event differently are a fault that shows both.

use super::compose::{Inner, Node};
use super::context::Context;
use super::parts::Composed;
use super::sets::{self, Kind, Scope, Set};
use super::sights::{self, Group, Said};
use super::system::Ground;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Builtin, Ref, StmtKind};

/// What a composition says.
#[derive(Debug)]
pub(super) struct Heard {
    /// What is observable, for each event of the system; none: nobody has an opinion.
    pub opinions: Vec<Option<(bool, Span)>>,
    /// The groups of anonymous events, if anybody said any.
    pub said: Said,
    /// The secrets, each with its statement.
    pub secrets: Vec<(Span, Set)>,
}

/// Listens to a node and everything below it.
pub(super) fn listen<'w>(
    cx: &mut Context<'w>,
    ground: &Ground<'_, 'w>,
    composed: &Composed<'_, 'w>,
    node: &Inner<'w>,
) -> Heard {
    let (own, secrets) = statements(cx, ground, composed, node);
    let n_events = composed.tree.events.len();
    let mut heard = Heard {
        opinions: if own.is_silent() { vec![None; n_events as usize] } else { own.opinions(n_events) },
        said: own.clone(),
        secrets: secrets.clone().unwrap_or_default(),
    };
    for child in &node.children {
        let below = match child {
            Node::Leaf(leaf) => of_leaf(cx, composed, *leaf),
            Node::Inner(inner) => listen(cx, ground, composed, inner),
            Node::Broken => continue,
        };
        if own.is_silent() {
            agree(cx, composed, &mut heard.opinions, &below.opinions);
        }
        if !own.anonymous {
            below.said.groups.into_iter().for_each(|group| heard.said.join(group));
        }
        if secrets.is_none() {
            heard.secrets.extend(below.secrets);
        }
        heard.said.sound &= below.said.sound;
        heard.said.clear &= below.said.clear;
    }
    // WHY: opinions of a part are about its own events only, but `observable a` there speaks of all of them.
    if !own.is_silent() {
        let mine = events_below(composed, node);
        (0..n_events as usize).filter(|&event| !mine[event]).for_each(|event| heard.opinions[event] = None);
    }
    heard
}

/// What a composition says itself. The secrets are none if it says nothing about them.
fn statements<'w>(
    cx: &mut Context<'w>,
    ground: &Ground<'_, 'w>,
    composed: &Composed<'_, 'w>,
    node: &Inner<'w>,
) -> (Said, Option<Vec<(Span, Set)>>) {
    let (mut said, mut secrets) = (Said::default(), None);
    let file = std::mem::replace(&mut cx.file, node.file);
    for (stmt, bindings) in &node.own {
        let outer = std::mem::replace(&mut cx.bindings, bindings.clone());
        let scope = Within { ground, composed, node, said: &said };
        if let StmtKind::Secret(set) = &stmt.kind {
            let found = sets::evaluate(cx, &scope, Kind::State, set);
            secrets.get_or_insert_with(Vec::new).push((set.span(), found));
        } else if let Some(saying) = sights::hear(cx, &scope, stmt) {
            said.take(cx, saying);
        }
        cx.bindings = outer;
    }
    cx.file = file;
    (said, secrets)
}

fn of_leaf(cx: &mut Context<'_>, composed: &Composed<'_, '_>, leaf: usize) -> Heard {
    let placed = &composed.tree.leaves[leaf];
    let mut opinions = vec![None; composed.tree.events.len() as usize];
    for (event, opinion) in placed.events.iter().zip(&placed.leaf.opinions) {
        opinions[event.index()] = *opinion;
    }
    let Said { sound, clear, anonymous, .. } = placed.leaf.said;
    let mut said = Said { sound, clear, anonymous, ..Said::default() };
    for group in &placed.leaf.said.groups {
        let mut events: Vec<(u32, Span)> =
            group.events.iter().map(|&(id, at)| (placed.events[id as usize].0, at)).collect();
        events.sort_by_key(|(id, _)| *id);
        said.join(Group { events, ..group.clone() });
    }
    let mut secrets = Vec::new();
    for (at, set) in &placed.leaf.secrets {
        let mut ids = Vec::new();
        let sound = composed.spread(cx, &[(leaf, set.ids.clone())], *at, &mut ids) && set.sound;
        secrets.push((*at, Set { ids, sound }));
    }
    Heard { opinions, said, secrets }
}

fn agree(
    cx: &mut Context<'_>,
    composed: &Composed<'_, '_>,
    all: &mut [Option<(bool, Span)>],
    more: &[Option<(bool, Span)>],
) {
    for (event, (known, new)) in all.iter_mut().zip(more).enumerate() {
        match (*known, *new) {
            (Some((seen, first)), Some((other, second))) if seen != other => {
                let name = composed.tree.events.names.get(event as u32).into_owned();
                let (seen, unseen) = if seen { (first, second) } else { (second, first) };
                cx.fault(disagree(&name, unseen, seen));
            }
            (None, Some(_)) => *known = *new,
            _ => {}
        }
    }
}

fn events_below(composed: &Composed<'_, '_>, node: &Inner<'_>) -> Vec<bool> {
    let mut mine = vec![false; composed.tree.events.len() as usize];
    let mut pending: Vec<&Node<'_>> = node.children.iter().collect();
    while let Some(node) = pending.pop() {
        match node {
            Node::Leaf(leaf) => composed.tree.leaves[*leaf].events.iter().for_each(|event| mine[event.index()] = true),
            Node::Inner(inner) => pending.extend(&inner.children),
            Node::Broken => {}
        }
    }
    mine
}

/// The names inside a composition: its parts, and the sets it has said.
struct Within<'a, 'w> {
    ground: &'a Ground<'a, 'w>,
    composed: &'a Composed<'a, 'w>,
    node: &'a Inner<'w>,
    said: &'a Said,
}

impl Scope for Within<'_, '_> {
    fn reference(&self, cx: &mut Context<'_>, kind: Kind, reference: &Ref, out: &mut Vec<u32>) -> bool {
        self.composed.reference(cx, self.node, kind, reference, out)
    }

    fn builtin(&self, word: Builtin) -> Vec<u32> {
        let mine = events_below(self.composed, self.node);
        let events: Vec<u32> = (0..mine.len() as u32).filter(|&event| mine[event as usize]).collect();
        let observable = || match self.said.is_silent() {
            true => events.clone(),
            false => self.said.observable(mine.len() as u32),
        };
        match word {
            Builtin::Events => events,
            Builtin::Observable => observable(),
            Builtin::Unobservable => sets::difference(&events, &observable()),
            Builtin::Anonymous => self.said.anonymous(),
            _ => self.ground.builtin(word),
        }
    }
}

fn disagree(event: &str, unseen: Span, seen: Span) -> Diagnostic {
    Diagnostic::new(Code::E0410, unseen, format!("the parts disagree about `{event}`: observable or not"))
        .label("declared unobservable here")
        .also(seen, "declared observable here")
        .help(format!("declare it in the system: `observable events \\ {{{event}}};`, or change one of the two"))
}
