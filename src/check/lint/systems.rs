//! Warnings about a system without errors: unreachable states, unused events, unused observers.

use crate::automaton::product::Product;
use crate::automaton::{Automaton, StateId};
use crate::check::context::{Context, Witnessed};
use crate::check::elaborate::component::Component;
use crate::check::elaborate::naming::Placed;
use crate::check::elaborate::parts::Composed;
use crate::check::resolve::sets::Set;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::NamedObserver;
use crate::model::vacuity::Occurrence;
use crate::source::{FileId, Span};
use crate::syntax::spelling;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The maximal number of warnings of one kind in one system: a thousand unreachable states have one cause.
const SHOWN: usize = 20;

/// The maximal number of examined local states of a product.
const EFFORT: usize = 100_000_000;

/// The states that some run reaches. None: there is no time for it.
fn reached(cx: &mut Context<'_>, automaton: &Automaton, at: Span) -> Option<Vec<bool>> {
    let mut reached = vec![false; automaton.n_states()];
    let mut pending: Vec<StateId> = automaton.initial().to_vec();
    pending.iter().for_each(|state| reached[state.index()] = true);
    while let Some(state) = pending.pop() {
        let steps = automaton.steps(state);
        if !cx.tick(1 + steps.len() as u64, 0, at) {
            return None;
        }
        for step in steps {
            if !std::mem::replace(&mut reached[step.target.index()], true) {
                pending.push(step.target);
            }
        }
    }
    Some(reached)
}

/// The events of the transitions of an automaton whose states are all reached. None: there is no time for it.
pub(in crate::check) fn occurring(cx: &mut Context<'_>, automaton: &Automaton, at: Span) -> Option<Vec<bool>> {
    let everything = vec![true; automaton.n_states()];
    occurring_among(cx, automaton, &everything, at)
}

/// What the runs of an automaton do and do not, after some transitions were removed.
pub(in crate::check) fn occurrence(cx: &mut Context<'_>, automaton: &Automaton, at: Span) -> Occurrence {
    let Some(reached) = reached(cx, automaton, at) else { return Occurrence::default() };
    let unvisited = automaton.states().filter(|state| !reached[state.index()]).collect();
    Occurrence { occurs: occurring_among(cx, automaton, &reached, at), unvisited, is_stuck: false }
}

fn occurring_among(cx: &mut Context<'_>, automaton: &Automaton, reached: &[bool], at: Span) -> Option<Vec<bool>> {
    let mut occurs = vec![false; automaton.n_events()];
    for state in automaton.states().filter(|state| reached[state.index()]) {
        let steps = automaton.steps(state);
        if state.0 % BLOCK == 0 && !cx.tick(u64::from(BLOCK) / 4, 0, at) {
            return None;
        }
        steps.iter().for_each(|step| occurs[step.event.index()] = true);
    }
    Some(occurs)
}

/// Warns about a flat system; what its runs do and do not.
pub(in crate::check) fn flat(cx: &mut Context<'_>, component: &Component, at: Span) -> Occurrence {
    let Some(mut reached) = reached(cx, &component.automaton, at) else { return Occurrence::default() };
    let unvisited = component.automaton.states().filter(|state| !reached[state.index()]).collect();
    let occurs = occurring_among(cx, &component.automaton, &reached, at);
    let occurrence = Occurrence { occurs, unvisited, is_stuck: false };
    for (at, set) in &component.secrets {
        if set.sound && set.ids.iter().all(|&state| !reached[state as usize]) {
            cx.fault(unvisited_secret(*at));
            // One cause, one warning: these states are not reported once more as unreachable.
            set.ids.iter().for_each(|&state| reached[state as usize] = true);
        }
    }
    let lost = (0..component.states.len()).filter(|&state| !reached[state as usize]);
    let lost =
        lost.filter_map(|state| Some((component.states.span(state)?, component.states.names.get(state).into_owned())));
    report(cx, lost, unreachable);
    let mut used = vec![false; component.events.names.len()];
    component.automaton.transitions().for_each(|(_, _, step)| used[step.event.index()] = true);
    let idle = (0..component.events.len()).filter(|&event| !used[event as usize]);
    let idle =
        idle.filter_map(|event| Some((component.events.span(event)?, component.events.names.get(event).into_owned())));
    report(cx, idle, unused_event);
    occurrence
}

/// A composed system: its secrets now, its states and events after all systems.
pub(in crate::check) fn composed(
    cx: &mut Context<'_>,
    composed: &Composed<'_, '_>,
    secrets: &[(Span, Set)],
    entry: FileId,
) {
    let mut visited: BTreeMap<Span, bool> = BTreeMap::new();
    for (at, set) in secrets {
        *visited.entry(*at).or_default() |= !set.ids.is_empty() || !set.sound;
    }
    for at in visited.into_iter().filter(|(at, visited)| !visited && at.file == entry).map(|(at, _)| at) {
        cx.fault(unvisited_secret(at));
    }
    let Some(product) = composed.product else { return };
    let Some(happens) = happening(cx, composed) else { return };
    let components = &composed.tree.components;
    let n_states = product.automaton().n_states();
    let is_small = n_states.saturating_mul(components.len()) <= EFFORT;
    for (at, placed) in components.iter().enumerate().filter(|(_, placed)| placed.component.file == entry) {
        for (event, shared) in (0u32..).zip(&placed.events) {
            let place = placed.component.events.span(event);
            if !witness(
                cx,
                |all| &mut all.events,
                place,
                placed.component.events.names.get(event),
                happens[shared.index()],
            ) {
                return;
            }
        }
        let seen = if is_small { visited_locally(cx, product, at, placed) } else { None };
        let Some(seen) = seen else { continue };
        for (state, seen) in (0u32..).zip(seen) {
            let place = placed.component.states.span(state);
            if !witness(cx, |all| &mut all.states, place, placed.component.states.names.get(state), seen) {
                return;
            }
        }
    }
}

/// Which events some leaf can do. None: there is no time for it.
fn happening(cx: &mut Context<'_>, composed: &Composed<'_, '_>) -> Option<Vec<bool>> {
    let mut happens = vec![false; composed.tree.events.names.len()];
    for placed in &composed.tree.components {
        let automaton = &placed.component.automaton;
        if !cx.tick(1 + automaton.n_transitions() as u64, 0, composed.tree.root.at) {
            return None;
        }
        automaton.transitions().for_each(|(_, _, step)| happens[placed.events[step.event.index()].index()] = true);
    }
    Some(happens)
}

/// The states of a leaf in which some global state is. None: there is no time for it.
fn visited_locally(cx: &mut Context<'_>, product: &Product, at: usize, placed: &Placed) -> Option<Vec<bool>> {
    let mut seen = vec![false; placed.component.states.names.len()];
    let n_states = product.automaton().n_states() as u32;
    for first in (0..n_states).step_by(BLOCK as usize) {
        let block = first..n_states.min(first + BLOCK);
        if !cx.tick(1 + block.len() as u64 / 4, 0, placed.component.states.span(0)?) {
            return None;
        }
        block.for_each(|state| seen[product.local(StateId(state), at).index()] = true);
    }
    Some(seen)
}

/// The number of global states between two checks of the clock.
const BLOCK: u32 = 1 << 12;

/// Remembers whether something happened; false: there is no time or memory for it.
pub(in crate::check) fn witness(
    cx: &mut Context<'_>,
    of: fn(&mut Witnessed) -> &mut BTreeMap<(Span, String), bool>,
    place: Option<Span>,
    name: Cow<'_, str>,
    happened: bool,
) -> bool {
    let Some(place) = place else { return true };
    match of(&mut cx.witnessed).entry((place, name.into_owned())) {
        Entry::Occupied(mut known) => {
            *known.get_mut() |= happened;
            cx.tick(1, 0, place)
        }
        Entry::Vacant(vacant) => {
            let bytes = size_of::<(Span, String, bool)>() + vacant.key().1.len();
            vacant.insert(happened);
            cx.tick(1, bytes as u64, place)
        }
    }
}

/// The states and events that no instance of a component uses.
pub(in crate::check) fn components(cx: &mut Context<'_>) {
    let witnessed = std::mem::take(&mut cx.witnessed);
    let never = |all: BTreeMap<(Span, String), bool>| all.into_iter().filter(|(_, done)| !done).map(|(key, _)| key);
    report(cx, never(witnessed.states), unreachable);
    report(cx, never(witnessed.events), unused_event);
}

/// Unused observers.
pub(in crate::check) fn observers(cx: &mut Context<'_>, observers: &[NamedObserver], used: &[bool]) {
    for (observer, _) in observers.iter().zip(used).filter(|(_, used)| !**used) {
        if let Some(name) = &observer.name {
            cx.fault(unused_observer(name, observer.span));
        }
    }
}

/// One warning per span, with its names.
fn report(
    cx: &mut Context<'_>,
    names: impl Iterator<Item = (Span, String)>,
    fault: fn(&Listed, Span, usize) -> Diagnostic,
) {
    let mut by_place: BTreeMap<Span, Listed> = BTreeMap::new();
    names.for_each(|(span, name)| by_place.entry(span).or_default().add(name));
    let hidden = by_place.len().saturating_sub(SHOWN);
    for (at, (span, names)) in by_place.iter().take(SHOWN).enumerate() {
        let more = if at + 1 == SHOWN { hidden } else { 0 };
        cx.fault(fault(names, *span, more));
    }
}

/// The names of one place: the first few, and how many there are.
#[derive(Default)]
struct Listed {
    first: Vec<String>,
    count: usize,
}

impl Listed {
    fn add(&mut self, name: String) {
        self.count += 1;
        if self.first.len() < wording::LISTED {
            self.first.push(name);
        }
    }

    fn text(&self) -> String {
        wording::list_of(&self.first, self.count)
    }
}

fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {} further down)", wording::grouped(more as u64)) }
}

fn unreachable(names: &Listed, at: Span, more: usize) -> Diagnostic {
    let noun = if names.count == 1 { "the state" } else { "the states" };
    Diagnostic::new(Code::W0401, at, format!("no run reaches {noun} {}{}", names.text(), and_more(more)))
        .label("affects no verdict")
        .help("remove it, or add a transition to it")
}

fn unused_event(names: &Listed, at: Span, more: usize) -> Diagnostic {
    let (noun, uses) = if names.count == 1 { ("event", "is") } else { ("events", "are") };
    Diagnostic::new(Code::W0402, at, format!("the {noun} {} {uses} on no transition{}", names.text(), and_more(more)))
        .label("never occurs")
        .help("remove it, or use it on a transition")
}

fn unused_observer(name: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::W0203, at, format!("no check uses the observer `{name}`"))
        .label("has no effect")
        .help(format!("add a check: `check 2-step against {};`", spelling::name(name)))
}

fn unvisited_secret(at: Span) -> Diagnostic {
    Diagnostic::new(Code::W0405, at, "no run visits this secret")
        .label("never visited")
        .help("name a state that some run reaches")
}
