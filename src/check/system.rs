//! A system: its automaton, its observers, its checks.

use crate::automaton::Automaton;
use crate::automaton::product::{self, Bounds, Exceeded, Factor, Product};
use crate::automaton::view::Observability;
use crate::check::Limits;
use crate::check::context::Context;
use crate::check::deferred::Deferred;
use crate::check::elaborate::component::{self};
use crate::check::elaborate::compose::{self, Tree};
use crate::check::elaborate::naming::{FlatNaming, Placed, ProductNaming};
use crate::check::elaborate::parts::Composed;
use crate::check::lint::{stuck, synchronisation, systems};
use crate::check::load::items::SystemItem;
use crate::check::observe::inherited::{self, Inherited};
use crate::check::observe::observability::{self, Seen};
use crate::check::observe::observers::{self, Observers};
use crate::check::questions::checks::{self, Questions};
use crate::check::questions::levers::{self, Levers};
use crate::check::questions::scope::QuestionScope;
use crate::check::scope::{Body, SystemScope, states};
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::vacuity::Occurrence;
use crate::model::{NamedObserver, System, Unbuilt, Uncomposed};
use crate::syntax::ast::{self, StmtKind};
use std::cell::OnceCell;
use std::sync::Arc;

/// Checks every system of the entry; those without faults.
///
/// Whoever builds one leaves time for building the systems after it, and for deciding the others.
pub(in crate::check) fn check_all<'w>(cx: &mut Context<'w>) -> Vec<System> {
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
    let system = if component::composes(item.body) { composed(cx, item) } else { flat(cx, item) };
    cx.leave(item.body, quiet);
    let system = system.filter(|_| cx.faults.errors() == before);
    let Some(stop) = cx.deadline.stopped() else {
        return system.map(|system| System { bytes: cx.deadline.held(), ..system });
    };
    cx.deadline.forget();
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
    cx.faults.errors() == before && !cx.is_guess && !cx.faults.any_within(item.whole)
}

fn flat<'w>(cx: &mut Context<'w>, item: &SystemItem<'w>) -> Option<System> {
    let before = cx.faults.errors();
    let owner = format!("system `{}`", item.name);
    let builder = component::read(cx, owner, true, item.span, item.body);
    let (component, deferred) = builder.freeze(cx);
    let secret = component::united(&component.secrets).map(states);
    let everything = vec![true; component.events.names.len()];
    let seen = observability::observer(cx, &component.decls, &component.events, &everything);
    let system = SystemScope {
        body: Body::Flat(&component),
        automaton: &component.automaton,
        secret: secret.as_ref(),
        hidden: None,
        own: None,
    };
    let whole = is_whole(cx, item, before);
    let asked = questions(cx, item, system, seen, &deferred, whole);
    let Asked { observers, questions: asked, levers } = asked;
    let mut occurrence = Occurrence::default();
    let automaton = levers.deployed(&component.automaton);
    if whole && cx.faults.errors() == before && cx.deadline.stopped().is_none() {
        occurrence = systems::flat(cx, &component, item.span);
        if !Arc::ptr_eq(&automaton, &component.automaton) {
            occurrence = systems::occurrence(cx, &automaton, item.span);
        }
        systems::observers(cx, &observers, &asked.used);
    }
    Some(System {
        name: item.name.clone(),
        docs: wording::docs(item.docs, item.file),
        span: item.span,
        names: Arc::new(FlatNaming(component)),
        automaton,
        observers,
        secret,
        checks: asked.checks,
        measures: asked.measures,
        levers: levers.offered,
        offers_levers: levers.offers,
        occurrence,
        uncomposed: None,
        bytes: 0,
    })
}

fn composed<'w>(cx: &mut Context<'w>, item: &SystemItem<'w>) -> Option<System> {
    let before = cx.faults.errors();
    let owner = format!("system `{}`", item.name);
    let mut tree = compose::read(cx, &owner, item.span, item.body);
    let deferred = std::mem::take(&mut tree.deferred);
    let wants = Wants::of(&deferred);
    let (product, uncomposed) = built(cx, &tree, wants);
    // WHY not with levers: parts know nothing of what these switch off. Nor after a stop: no time or memory is left then.
    let is_too_large = uncomposed.is_some_and(|refused| !matches!(refused.why, Exceeded::Stopped(..)));
    let is_uncomposed = is_too_large && cx.limits.lazy.is_some() && !wants.levers;
    let nothing = Automaton::from_sorted(0, 0, [], []);
    let automaton = product.as_ref().map_or(&nothing, |product| product.automaton());
    let composed = Composed { tree: &tree, product: product.as_ref(), is_uncomposed, has_parts: !wants.levers };
    let system = SystemScope { body: Body::Composed(&composed), automaton, secret: None, hidden: None, own: None };
    let inherited = inherited::inherit(cx, &system, &composed, &tree.root);
    let secret = component::united(&inherited.secrets).map(states);
    let seen = observability::observer(cx, &inherited.decls, &tree.events, &inherited.observed());
    let system = SystemScope { secret: secret.as_ref(), hidden: inherited.secret.as_ref(), ..system };
    let whole = is_whole(cx, item, before) && cx.deadline.stopped().is_none();
    let Asked { observers, questions: asked, levers } = questions(cx, item, system, seen, &deferred, whole);
    if let Some(refused) = uncomposed.filter(|_| !is_uncomposed || !asked.is_about_parts()) {
        refuse(cx, &owner, &tree, refused.why);
    }
    let mut occurrence = Occurrence::default();
    if whole && tree.sound && cx.faults.errors() == before && cx.deadline.stopped().is_none() {
        occurrence = looked_at(cx, item, &composed, &inherited, &levers);
        systems::observers(cx, &observers, &asked.used);
    }
    // WHY: a part that was not expanded any more is missing without a fault.
    if product.is_none() && uncomposed.is_none() && cx.deadline.stopped().is_none() {
        return None;
    }
    let product = product.unwrap_or_else(|| Product::unbuilt(&factors(&tree), tree.events.names.len()));
    Some(System {
        name: item.name.clone(),
        docs: wording::docs(item.docs, item.file),
        span: item.span,
        automaton: levers.deployed(product.automaton()),
        names: Arc::new(ProductNaming { components: tree.components, events: Arc::new(tree.events), product }),
        observers,
        secret,
        checks: asked.checks,
        measures: asked.measures,
        levers: levers.offered,
        offers_levers: levers.offers,
        occurrence,
        uncomposed: uncomposed.filter(|_| is_uncomposed),
        bytes: 0,
    })
}

/// Warns of what a composition does that was hardly meant.
fn looked_at<'w>(
    cx: &mut Context<'w>,
    item: &SystemItem<'w>,
    composed: &Composed<'_, 'w>,
    inherited: &Inherited,
    levers: &Levers,
) -> Occurrence {
    let mut occurrence = Occurrence::default();
    synchronisation::warn(cx, composed, &inherited.ends, item.span.file);
    if let Some(product) = composed.product {
        occurrence.is_stuck = stuck::warn(cx, composed, &inherited.ends, &item.name);
        occurrence.occurs = match levers.disables() {
            true => systems::occurrence(cx, &levers.deployed(product.automaton()), item.span).occurs,
            false => systems::occurring(cx, product.automaton(), item.span),
        };
        systems::composed(cx, composed, &inherited.secrets, item.span.file);
    }
    occurrence
}

/// What the statements of a composition need its product for.
#[derive(Clone, Copy, Default)]
struct Wants {
    /// Some questions are properties.
    properties: bool,
    /// Some questions are of another kind: estimates, projections.
    values: bool,
    /// The model allows changes.
    levers: bool,
}

impl Wants {
    fn of(deferred: &Deferred<'_>) -> Wants {
        let mut wants = Wants::default();
        for (stmt, _) in deferred {
            match &stmt.kind {
                StmtKind::Check(check) if !matches!(check.question, ast::Question::Property(_)) => wants.values = true,
                StmtKind::Check(_) | StmtKind::Measure(_) => wants.properties = true,
                StmtKind::Lever(_) => wants.levers = true,
                _ => {}
            }
        }
        wants
    }
}

fn factors<'t>(tree: &'t Tree<'_>) -> Vec<Factor<'t>> {
    let factor = |placed: &'t Placed| Factor { automaton: &placed.component.automaton, events: &placed.events };
    tree.components.iter().map(factor).collect()
}

/// The product of a composition without faults, or why it is not built.
fn built(cx: &mut Context<'_>, tree: &Tree<'_>, wants: Wants) -> (Option<Product>, Option<Uncomposed>) {
    if !tree.sound {
        return (None, None);
    }
    let Limits { states, transitions, lazy, .. } = cx.limits;
    // WHY: what only asks for properties may be decided on fewer parts, or builds the whole product then.
    let most = match lazy {
        Some(few) if wants.properties && !wants.values && !wants.levers => few.min(states),
        _ => states,
    };
    let bounds = Bounds { states: most, transitions, resources: cx.deadline.left() };
    match product::product(&factors(tree), tree.events.names.len(), bounds) {
        Ok(product) => (cx.tick(0, product.bytes(), tree.root.at).then_some(product), None),
        Err(why) => (None, Some(Uncomposed { why, states, transitions })),
    }
}

/// Reports that a product was not built, though a question needs it.
fn refuse(cx: &mut Context<'_>, owner: &str, tree: &Tree<'_>, exceeded: Exceeded) {
    let Limits { states, transitions, .. } = cx.limits;
    match exceeded {
        Exceeded::States(limit) => cx.fault(too_large(owner, tree, (Code::E0412, "state"), limit, states)),
        Exceeded::Transitions(limit) => {
            cx.fault(too_large(owner, tree, (Code::E0413, "transition"), limit, transitions))
        }
        Exceeded::Stopped(why, states) => {
            let late = cx.deadline.composing(why, states, tree.components.len(), tree.root.at);
            cx.told_late(late);
        }
    }
}

/// The observers, checks and levers of a system.
struct Asked {
    observers: Vec<NamedObserver>,
    questions: Questions,
    levers: Levers,
}

/// Reads them.
fn questions<'w>(
    cx: &mut Context<'w>,
    item: &SystemItem<'w>,
    system: SystemScope<'_, 'w>,
    seen: Option<Seen>,
    deferred: &Deferred<'w>,
    whole: bool,
) -> Asked {
    let sound = seen.is_some();
    let blind = || Seen::plain(vec![Observability::Visible; system.events().names.len()]);
    let Seen { observer, labels, agents } = seen.unwrap_or_else(blind);
    let own = (NamedObserver { name: None, span: item.span, observer, labels, agents, members: Vec::new() }, sound);
    let Observers { all: observers, sound, pooled } = observers::all(cx, &system, own, deferred);
    let written = SystemScope { own: Some(&observers[0].observer), ..system };
    let mut levers = levers::read(cx, &written, &observers, deferred);
    let before = observers;
    let observers = levers.seen(cx, system.events(), &before, item.span);
    let system = SystemScope { own: Some(&observers[0].observer), ..system };
    if whole {
        levers.settle(cx, &system, [&before, &observers]);
    }
    let named = (0..).zip(&observers).filter_map(|(at, observer)| Some((observer.name.as_deref()?, at)));
    let scope = QuestionScope {
        system: &system,
        observers: &observers,
        sound: &sound,
        by_name: named.collect(),
        labels: observers.iter().map(|_| OnceCell::new()).collect(),
        whole,
    };
    let mut asked = checks::read(cx, &scope, deferred);
    asked.used.iter_mut().zip(pooled).for_each(|(used, pooled)| *used |= pooled);
    Asked { observers, questions: asked, levers }
}

/// A product exceeds its limit, which may be smaller than that of the user.
fn too_large(owner: &str, tree: &Tree<'_>, (code, what): (Code, &str), limit: usize, allowed: usize) -> Diagnostic {
    let message = format!("{owner} has too many {what}s: the limit is {}", wording::grouped(limit as u64));
    let help = match limit < allowed {
        true => format!("compose fewer or smaller parts: `--max-{what}s` cannot raise this limit"),
        false => format!("compose fewer or smaller parts, or raise the limit: `--max-{what}s N`"),
    };
    Diagnostic::new(code, tree.root.at, message)
        .label(format!("the product of {}", wording::count(tree.components.len() as u64, "part")))
        .help(help)
}
