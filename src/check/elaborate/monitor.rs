//! Monitors: components that watch the others and never block them.
//!
//! A monitor stays where it has no transition for one of its events, so it has a transition for each state and event. It is
//! deterministic, with one initial state, and each of its events is one of another part: so the product with a monitor has the same
//! runs as without it.

use crate::check::context::Context;
use crate::check::deadline;
use crate::check::elaborate::component::ComponentBuilder;
use crate::check::elaborate::naming::Placed;
use crate::check::resolve::names::Table;
use crate::check::resolve::near;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::{Place, Transition};
use crate::source::Span;
use crate::syntax::ast::{Stmt, StmtKind, statements};
use crate::syntax::spelling;
use rustc_hash::FxHashSet;

/// Makes a component a monitor: checks that it is deterministic, and lets it stay wherever it has no transition. Cost: states times
/// events.
pub(in crate::check) fn complete(cx: &mut Context<'_>, builder: &mut ComponentBuilder<'_>, name: Span) {
    builder.is_monitor = true;
    builder.transitions.sort_unstable_by_key(|t| (t.source, t.event, t.target, t.place.start));
    one_initial(cx, builder, name);
    one_target(cx, builder, name);
    let (states, events) = (builder.states.len(), builder.events.len());
    let missing = u64::from(states) * u64::from(events);
    if !cx.spend(missing, name) || !cx.tick(0, deadline::TRANSITION * missing, name) {
        return;
    }
    let known: FxHashSet<(u32, u32)> = builder.transitions.iter().map(|t| (t.source, t.event)).collect();
    let all = (0..states).flat_map(|state| (0..events).map(move |event| (state, event)));
    let stays = all.filter(|pair| !known.contains(pair)).map(|(state, event)| Transition {
        source: state,
        event,
        target: state,
        place: Place::default(),
    });
    builder.transitions.extend(stays);
}

fn one_initial(cx: &mut Context<'_>, builder: &ComponentBuilder<'_>, name: Span) {
    let Some(initial) = builder.initial.as_ref().filter(|set| set.sound && set.ids.len() > 1) else { return };
    let at = statements(builder.body).find_map(|stmt| match &stmt.kind {
        StmtKind::Initial(set) => Some(set.span()),
        _ => None,
    });
    let names: Vec<String> = initial.ids.iter().take(wording::LISTED).map(|&id| state(builder, id)).collect();
    cx.fault(several_initial(&builder.owner, at.unwrap_or(name), &wording::list_of(&names, initial.ids.len())));
}

/// At most one transition for each state and event. The transitions are sorted.
fn one_target(cx: &mut Context<'_>, builder: &ComponentBuilder<'_>, name: Span) {
    let same = |pair: &&[Transition]| {
        let [first, second] = pair else { return false };
        (first.source, first.event) == (second.source, second.event) && first.target != second.target
    };
    if let Some([first, second]) = builder.transitions.windows(2).find(same) {
        let event = builder.events.names.get(first.event).into_owned();
        let place = |transition: &Transition| transition.place.span(name.file);
        let (one, other) = (place(first).min(place(second)), place(first).max(place(second)));
        cx.fault(two_targets(&builder.owner, &state(builder, first.source), &event, other, one));
    }
}

fn state(builder: &ComponentBuilder<'_>, id: u32) -> String {
    builder.states.names.get(id).into_owned()
}

/// Every event of a monitor is one of a part that is not: a monitor alone would do it whenever it likes.
pub(in crate::check) fn watch_something(cx: &mut Context<'_>, components: &[Placed], events: &Table) {
    if cx.lone_monitors || !components.iter().any(|placed| placed.component.is_monitor) {
        return;
    }
    let mut done = vec![false; events.names.len()];
    let others = || components.iter().filter(|placed| !placed.component.is_monitor);
    others().for_each(|placed| placed.events.iter().for_each(|event| done[event.index()] = true));
    let mut told = FxHashSet::default();
    for placed in components.iter().filter(|placed| placed.component.is_monitor) {
        let Some(local) = placed.events.iter().position(|event| !done[event.index()]) else { continue };
        let Some(at) = placed.component.events.span(local as u32).filter(|&at| told.insert(at)) else { continue };
        let event = placed.component.events.names.get(local as u32).into_owned();
        let known: Vec<String> =
            (0..events.len()).filter(|&id| done[id as usize]).map(|id| events.names.get(id).into_owned()).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        cx.fault(watches_nothing(&placed.path, &event, at, near::nearest(&event, &known)));
    }
}

fn several_initial(owner: &str, at: Span, names: &str) -> Diagnostic {
    Diagnostic::new(Code::E0420, at, format!("{owner} has several initial states: {names}"))
        .label("a monitor starts in one state")
        .help("a monitor only watches: keep one initial state, or make it a `component`")
}

fn two_targets(owner: &str, state: &str, event: &str, at: Span, first: Span) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0420, at, format!("{owner} has two transitions for `{event}` in `{state}`"));
    let fault = if at == first {
        fault.label("both are written here")
    } else {
        fault.label("the second one").also(first, "the first one")
    };
    fault.help("a monitor only watches: keep one transition for each state and event, or make it a `component`")
}

pub(in crate::check) fn of_parts(owner: &str, name: Span, body: &[Stmt]) -> Diagnostic {
    let compose = statements(body).find(|stmt| matches!(stmt.kind, StmtKind::Compose(_)));
    Diagnostic::new(Code::E0422, compose.map_or(name, |stmt| stmt.span), format!("{owner} is composed of parts"))
        .label("a monitor has states and transitions of its own")
        .help("compose the monitors in the system, one part for each")
}

fn watches_nothing(path: &str, event: &str, at: Span, near: Option<&str>) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0421, at, format!("no part does `{event}`, which the monitor `{path}` watches"))
        .label("an event of monitors only");
    match near.map(spelling::member) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help("name an event of a component that is composed with it"),
    }
}
