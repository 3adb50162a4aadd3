//! A system: its automaton, its observers, its checks.

use super::checks::{self, Asked, Court};
use super::compose::{self, Tree};
use super::context::{Bindings, Context};
use super::items::SystemItem;
use super::leaf::{self, Leaf};
use super::names::Table;
use super::naming::{FlatNaming, Placed, ProductNaming};
use super::parts::Composed;
use super::sets::{Kind, Scope, difference};
use super::sights::{self, Seen};
use super::{Limits, heard, lints, observers, words};
use crate::automaton::product::{self, Bounds, Exceeded, Factor, Product};
use crate::automaton::view::{Observer, Sight};
use crate::automaton::{Automaton, StateId, StateSet};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{NamedObserver, System, Unbuilt};
use crate::source::SourceFile;
use crate::syntax::ast::{Builtin, Docs, Ref, Stmt, StmtKind};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

/// The scope of a system after its automaton is built.
pub(super) struct Ground<'a, 'w> {
    pub body: Body<'a, 'w>,
    pub automaton: &'a Automaton,
    pub secret: Option<&'a StateSet>,
    pub own: Option<&'a Observer>,
}

/// The structure of a system: flat or composed.
pub(super) enum Body<'a, 'w> {
    Flat(&'a Leaf),
    Composed(&'a Composed<'a, 'w>),
}

impl Ground<'_, '_> {
    pub fn state_name(&self, state: u32) -> String {
        match self.body {
            Body::Flat(leaf) => leaf.states.names.get(state).into_owned(),
            Body::Composed(composed) => composed.state_name(state),
        }
    }

    pub fn events(&self) -> &Table {
        match self.body {
            Body::Flat(leaf) => &leaf.events,
            Body::Composed(composed) => &composed.tree.events,
        }
    }
}

impl Scope for Ground<'_, '_> {
    fn reference(&self, cx: &mut Context<'_>, kind: Kind, reference: &Ref, out: &mut Vec<u32>) -> bool {
        match self.body {
            Body::Flat(leaf) => {
                leaf::flat_reference(cx, "this system", (&leaf.states, &leaf.events), kind, reference, out)
            }
            Body::Composed(composed) => composed.reference(cx, &composed.tree.root, kind, reference, out),
        }
    }

    fn builtin(&self, word: Builtin) -> Vec<u32> {
        let events: Vec<u32> = (0..self.events().len()).collect();
        let observable = || match self.own {
            Some(own) => (0..).zip(observers::visible(own)).filter(|(_, seen)| *seen).map(|(id, _)| id).collect(),
            None => events.clone(),
        };
        match word {
            Builtin::States => (0..self.automaton.n_states() as u32).collect(),
            Builtin::Initial => self.automaton.initial().iter().map(|state| state.0).collect(),
            Builtin::Secret => self.secret.map_or_else(Vec::new, |set| set.iter().map(|state| state.0).collect()),
            Builtin::Observable => observable(),
            Builtin::Unobservable => difference(&events, &observable()),
            Builtin::Anonymous => {
                self.own.map_or_else(Vec::new, |own| own.anonymous(None).map(|event| event.0).collect())
            }
            Builtin::Events => events,
        }
    }
}

/// Checks every system of the entry; those without faults.
///
/// Whoever builds one leaves time for building the systems after it, and for deciding the others.
pub(super) fn check_all<'w>(cx: &mut Context<'w>) -> Vec<System> {
    let items = cx.items;
    let n = items.systems.len();
    let one = |(at, item): (usize, &SystemItem<'w>)| check(cx, item, 2 * n - at - 1);
    items.systems.iter().enumerate().filter_map(one).collect()
}

/// Checks a system with one share of the time. None: it has faults.
fn check<'w>(cx: &mut Context<'w>, item: &SystemItem<'w>, shares: usize) -> Option<System> {
    let before = cx.faults.errors();
    cx.file = item.file;
    cx.begin(format!("system `{}`", item.name), shares);
    let quiet = cx.enter(item.body);
    let system = if composes(item.body) { composed(cx, item) } else { flat(cx, item) };
    cx.leave(item.body, quiet);
    let system = system.filter(|_| cx.faults.errors() == before);
    let Some(stop) = cx.clock.stopped() else {
        return system.map(|system| System { bytes: cx.clock.held(), ..system });
    };
    cx.clock.forget();
    cx.unbuilt.extend(system.map(|system| Unbuilt { system: without_states(system), stop }));
    None
}

/// A system that was not built: only its names and checks are known.
fn without_states(system: System) -> System {
    let automaton = Arc::new(Automaton::from_sorted(0, system.automaton.n_events(), [], []));
    System { automaton, secret: None, ..system }
}

/// Whether a system has no errors so far: otherwise a state may be reachable through a statement with an error.
fn is_whole(cx: &Context<'_>, item: &SystemItem<'_>, before: usize) -> bool {
    cx.faults.errors() == before && !cx.faults.any_within(item.whole)
}

fn flat<'w>(cx: &mut Context<'w>, item: &SystemItem<'w>) -> Option<System> {
    let before = cx.faults.errors();
    let owner = format!("system `{}`", item.name);
    let draft = leaf::read(cx, owner, true, item.span, item.body);
    let (leaf, deferred) = draft.freeze(cx);
    let secret = leaf::united(&leaf.secrets).map(states);
    let everything = vec![true; leaf.events.names.len()];
    let seen = sights::observer(cx, &leaf.said, &leaf.events, &everything);
    let ground = Ground { body: Body::Flat(&leaf), automaton: &leaf.automaton, secret: secret.as_ref(), own: None };
    let whole = is_whole(cx, item, before);
    let (observers, asked) = questions(cx, item, ground, seen, &deferred, whole);
    if whole && cx.faults.errors() == before && cx.clock.stopped().is_none() {
        lints::flat(cx, &leaf, item.span);
        lints::observers(cx, &observers, &asked.used);
    }
    let automaton = leaf.automaton.clone();
    Some(System {
        name: item.name.clone(),
        docs: docs(item.docs, item.file),
        span: item.span,
        names: Box::new(FlatNaming(leaf)),
        automaton,
        observers,
        secret,
        checks: asked.checks,
        measures: asked.measures,
        bytes: 0,
    })
}

fn composed<'w>(cx: &mut Context<'w>, item: &SystemItem<'w>) -> Option<System> {
    let before = cx.faults.errors();
    let owner = format!("system `{}`", item.name);
    let mut tree = compose::read(cx, &owner, item.span, item.body);
    let deferred = std::mem::take(&mut tree.deferred);
    let product = if tree.sound { built(cx, &owner, &tree) } else { None };
    let nothing = Automaton::from_sorted(0, 0, [], []);
    let automaton = product.as_ref().map_or(&nothing, |product| product.automaton());
    let composed = Composed { tree: &tree, product: product.as_ref() };
    let ground = Ground { body: Body::Composed(&composed), automaton, secret: None, own: None };
    let heard = heard::listen(cx, &ground, &composed, &tree.root);
    let secret = leaf::united(&heard.secrets).map(states);
    let otherwise: Vec<bool> = heard.opinions.iter().map(|opinion| opinion.is_none_or(|(seen, _)| seen)).collect();
    let seen = sights::observer(cx, &heard.said, &tree.events, &otherwise);
    let ground = Ground { secret: secret.as_ref(), ..ground };
    let whole = is_whole(cx, item, before) && cx.clock.stopped().is_none();
    let (observers, asked) = questions(cx, item, ground, seen, &deferred, whole);
    if whole && tree.sound && cx.faults.errors() == before && cx.clock.stopped().is_none() {
        lints::composed(cx, &composed, &heard.secrets, item.span.file);
        lints::observers(cx, &observers, &asked.used);
    }
    // WHY: a part that was not expanded any more is missing without a fault.
    let product = match (product, cx.clock.stopped()) {
        (Some(product), _) => product,
        (None, Some(_)) => Product::unbuilt(&factors(&tree), tree.events.names.len()),
        (None, None) => return None,
    };
    Some(System {
        name: item.name.clone(),
        docs: docs(item.docs, item.file),
        span: item.span,
        automaton: product.automaton().clone(),
        names: Box::new(ProductNaming { leaves: tree.leaves, events: tree.events, product }),
        observers,
        secret,
        checks: asked.checks,
        measures: asked.measures,
        bytes: 0,
    })
}

fn factors<'t>(tree: &'t Tree<'_>) -> Vec<Factor<'t>> {
    let factor = |placed: &'t Placed| Factor { automaton: &placed.leaf.automaton, events: &placed.events };
    tree.leaves.iter().map(factor).collect()
}

fn built(cx: &mut Context<'_>, owner: &str, tree: &Tree<'_>) -> Option<Product> {
    let Limits { states, transitions, .. } = cx.limits;
    let bounds = Bounds { states, transitions, resources: cx.clock.left() };
    match product::product(&factors(tree), tree.events.names.len(), bounds) {
        Ok(product) => cx.tick(0, product.bytes(), tree.root.at).then_some(product),
        Err(Exceeded::States(limit)) => {
            cx.fault(too_large(owner, tree, (Code::E0412, "state"), limit, bounds.states));
            None
        }
        Err(Exceeded::Transitions(limit)) => {
            cx.fault(too_large(owner, tree, (Code::E0413, "transition"), limit, bounds.transitions));
            None
        }
        Err(Exceeded::Stopped(why, states)) => {
            let late = cx.clock.composing(why, states, tree.leaves.len(), tree.root.at);
            cx.told_late(late);
            None
        }
    }
}

/// The observers and checks of a system.
fn questions<'w>(
    cx: &mut Context<'w>,
    item: &SystemItem<'w>,
    ground: Ground<'_, 'w>,
    seen: Option<Seen>,
    deferred: &Deferred<'w>,
    whole: bool,
) -> (Vec<NamedObserver>, Asked) {
    let sound = seen.is_some();
    let blind = || (Observer::new(vec![Sight::Visible; ground.events().names.len()]), Vec::new());
    let (observer, labels) = seen.unwrap_or_else(blind);
    let own = (NamedObserver { name: None, span: item.span, observer, labels }, sound);
    let (observers, sound) = observers::all(cx, &ground, own, deferred);
    let ground = Ground { own: Some(&observers[0].observer), ..ground };
    let named = (0..).zip(&observers).filter_map(|(at, observer)| Some((observer.name.as_deref()?, at)));
    let court = Court {
        ground: &ground,
        observers: &observers,
        sound: &sound,
        by_name: named.collect(),
        labels: observers.iter().map(|_| OnceCell::new()).collect(),
        whole,
    };
    let asked = checks::read(cx, &court, deferred);
    (observers, asked)
}

/// A product exceeds its limit, which may be smaller than that of the user.
fn too_large(owner: &str, tree: &Tree<'_>, (code, what): (Code, &str), limit: usize, allowed: usize) -> Diagnostic {
    let message = format!("{owner} has too many {what}s: the limit is {}", words::grouped(limit as u64));
    let help = match limit < allowed {
        true => format!("compose fewer or smaller parts: `--max-{what}s` cannot raise this limit"),
        false => format!("compose fewer or smaller parts, or raise the limit: `--max-{what}s N`"),
    };
    Diagnostic::new(code, tree.root.at, message)
        .label(format!("the product of {}", words::count(tree.leaves.len() as u64, "part")))
        .help(help)
}

pub(super) fn states(ids: Vec<u32>) -> StateSet {
    ids.into_iter().map(StateId).collect()
}

pub(super) fn docs(docs: &Docs, file: &SourceFile) -> Vec<String> {
    let lines = docs.iter().flat_map(|docs| docs.lines.iter());
    lines.map(|line| file.slice(*line).trim_end().to_owned()).collect()
}

/// Deferred statements with the bound indices.
pub(super) type Deferred<'w> = Vec<(&'w Stmt, Bindings<'w>)>;

/// Keeps a statement for later.
pub(super) fn defer<'w>(cx: &mut Context<'w>, stmt: &'w Stmt, deferred: &mut Deferred<'w>) {
    let bytes = size_of::<(&Stmt, Bindings<'_>)>() + cx.bindings.len() * size_of::<(Cow<'_, str>, i64)>();
    if cx.tick(1, bytes as u64, stmt.span) {
        deferred.push((stmt, cx.bindings.clone()));
    }
}

pub(super) fn composes(body: &[Stmt]) -> bool {
    leaf::contains(body, &|kind| matches!(kind, StmtKind::Compose(_)))
}
