//! Warnings about a system without errors: unreachable states, unused events, unused observers.

use super::context::Context;
use super::leaf::Leaf;
use super::naming::Placed;
use super::parts::Composed;
use super::sets::Set;
use super::words;
use crate::automaton::product::Product;
use crate::automaton::{Automaton, StateId};
use crate::diagnostic::{Code, Diagnostic};
use crate::import::{Place, Transition};
use crate::model::NamedObserver;
use crate::source::{FileId, Span};
use crate::syntax::ast::{SetExpr, Stmt};
use crate::syntax::spelling;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The maximal number of warnings of one kind in one system: a thousand unreachable states have one cause.
const SHOWN: usize = 20;

/// The maximal number of examined local states of a product.
const EFFORT: usize = 100_000_000;

/// The use of states and events of components in all systems, by declaration and name.
#[derive(Debug, Default)]
pub(super) struct Witnessed {
    states: BTreeMap<(Span, String), bool>,
    events: BTreeMap<(Span, String), bool>,
}

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

pub(super) fn flat(cx: &mut Context<'_>, leaf: &Leaf, at: Span) {
    let Some(mut reached) = reached(cx, &leaf.automaton, at) else { return };
    for (at, set) in &leaf.secrets {
        if set.sound && set.ids.iter().all(|&state| !reached[state as usize]) {
            cx.fault(unvisited_secret(*at));
            // One cause, one warning: these states are not reported once more as unreachable.
            set.ids.iter().for_each(|&state| reached[state as usize] = true);
        }
    }
    let lost = (0..leaf.states.len()).filter(|&state| !reached[state as usize]);
    let lost = lost.filter_map(|state| Some((leaf.states.span(state)?, leaf.states.names.get(state).into_owned())));
    report(cx, lost, unreachable);
    let mut used = vec![false; leaf.events.names.len()];
    leaf.automaton.transitions().for_each(|(_, _, step)| used[step.event.index()] = true);
    let idle = (0..leaf.events.len()).filter(|&event| !used[event as usize]);
    let idle = idle.filter_map(|event| Some((leaf.events.span(event)?, leaf.events.names.get(event).into_owned())));
    report(cx, idle, unused_event);
}

/// A composed system: its secrets now, its states and events after all systems.
pub(super) fn composed(cx: &mut Context<'_>, composed: &Composed<'_, '_>, secrets: &[(Span, Set)], entry: FileId) {
    let mut visited: BTreeMap<Span, bool> = BTreeMap::new();
    for (at, set) in secrets {
        *visited.entry(*at).or_default() |= !set.ids.is_empty() || !set.sound;
    }
    for at in visited.into_iter().filter(|(at, visited)| !visited && at.file == entry).map(|(at, _)| at) {
        cx.fault(unvisited_secret(at));
    }
    let Some(product) = composed.product else { return };
    let Some(happens) = happening(cx, composed) else { return };
    let leaves = &composed.tree.leaves;
    let n_states = product.automaton().n_states();
    let is_small = n_states.saturating_mul(leaves.len()) <= EFFORT;
    for (at, placed) in leaves.iter().enumerate().filter(|(_, placed)| placed.leaf.file == entry) {
        for (event, shared) in (0u32..).zip(&placed.events) {
            let place = placed.leaf.events.span(event);
            if !witness(cx, |all| &mut all.events, place, placed.leaf.events.names.get(event), happens[shared.index()])
            {
                return;
            }
        }
        let seen = if is_small { visited_locally(cx, product, at, placed) } else { None };
        let Some(seen) = seen else { continue };
        for (state, seen) in (0u32..).zip(seen) {
            let place = placed.leaf.states.span(state);
            if !witness(cx, |all| &mut all.states, place, placed.leaf.states.names.get(state), seen) {
                return;
            }
        }
    }
}

/// Which events some leaf can do. None: there is no time for it.
fn happening(cx: &mut Context<'_>, composed: &Composed<'_, '_>) -> Option<Vec<bool>> {
    let mut happens = vec![false; composed.tree.events.names.len()];
    for placed in &composed.tree.leaves {
        let automaton = &placed.leaf.automaton;
        if !cx.tick(1 + automaton.n_transitions() as u64, 0, composed.tree.root.at) {
            return None;
        }
        automaton.transitions().for_each(|(_, _, step)| happens[placed.events[step.event.index()].index()] = true);
    }
    Some(happens)
}

/// The states of a leaf in which some global state is. None: there is no time for it.
fn visited_locally(cx: &mut Context<'_>, product: &Product, at: usize, placed: &Placed) -> Option<Vec<bool>> {
    let mut seen = vec![false; placed.leaf.states.names.len()];
    let n_states = product.automaton().n_states() as u32;
    for first in (0..n_states).step_by(BLOCK as usize) {
        let block = first..n_states.min(first + BLOCK);
        if !cx.tick(1 + block.len() as u64 / 4, 0, placed.leaf.states.span(0)?) {
            return None;
        }
        block.for_each(|state| seen[product.local(StateId(state), at).index()] = true);
    }
    Some(seen)
}

/// The number of global states between two checks of the clock.
const BLOCK: u32 = 1 << 12;

/// Remembers whether something happened; false: there is no time or memory for it.
fn witness(
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
pub(super) fn components(cx: &mut Context<'_>) {
    let witnessed = std::mem::take(&mut cx.witnessed);
    let never = |all: BTreeMap<(Span, String), bool>| all.into_iter().filter(|(_, done)| !done).map(|(key, _)| key);
    report(cx, never(witnessed.states), unreachable);
    report(cx, never(witnessed.events), unused_event);
}

/// Unused observers.
pub(super) fn observers(cx: &mut Context<'_>, observers: &[NamedObserver], used: &[bool]) {
    for (observer, _) in observers.iter().zip(used).filter(|(_, used)| !**used) {
        if let Some(name) = &observer.name {
            cx.fault(unused_observer(name, observer.span));
        }
    }
}

/// Repeated transitions: arrows of which every transition has an earlier duplicate. The transitions are sorted,
/// equal ones by position.
pub(super) fn repeats(cx: &mut Context<'_>, transitions: &[Transition], body: &[Stmt], file: FileId) {
    let alike = |a: &Transition, b: &Transition| (a.source, a.event, a.target) == (b.source, b.event, b.target);
    let key = |place: Place| (place.start, place.end);
    let mut again: FxHashMap<(u32, u32), Place> = FxHashMap::default();
    for pair in transitions.windows(2).filter(|pair| alike(&pair[0], &pair[1])) {
        if pair[0].place != pair[1].place {
            again.entry(key(pair[1].place)).or_insert(pair[0].place);
        }
    }
    let whole = body.first().zip(body.last()).map(|(first, last)| first.span.to(last.span));
    if again.is_empty() || whole.is_some_and(|whole| cx.faults.any_within(whole)) {
        return;
    }
    let is_first = |at: &usize| *at == 0 || !alike(&transitions[at - 1], &transitions[*at]);
    let fresh: FxHashSet<(u32, u32)> =
        (0..transitions.len()).filter(is_first).map(|at| key(transitions[at].place)).collect();
    let mut found: Vec<_> = again.into_iter().filter(|(place, _)| !fresh.contains(place)).collect();
    found.sort_unstable_by_key(|(place, _)| *place);
    for ((start, end), earlier) in found.into_iter().take(SHOWN) {
        cx.fault(repeated(Span::new(file, start, end), earlier.span(file)));
    }
}

/// `A -a-> B,` and `C -b-> D;` on the next line: the comma joins two transitions to one chain.
pub(super) fn over_a_line(cx: &mut Context<'_>, between: &SetExpr) {
    let SetExpr::List(list) = between else { return };
    let written = cx.file.slice(list.span);
    if !written.contains('\n') {
        return;
    }
    let before = &cx.file.text()[..list.span.start as usize];
    let indent = indent(&before[before.rfind('\n').map_or(0, |at| at + 1)..]);
    // A list that is meant to go on is indented further.
    let line_end = written.match_indices('\n').map(|(at, _)| at).find(|at| self::indent(&written[at + 1..]) <= indent);
    if let Some(line_end) = line_end {
        let first = list.items.iter().rev().find(|item| item.span().end <= list.span.start + line_end as u32);
        let comma = first.map_or(list.span, |item| item.span().after());
        cx.fault(list_over_a_line(list.span, comma));
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
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
        if self.first.len() < words::LISTED {
            self.first.push(name);
        }
    }

    fn text(&self) -> String {
        words::list_of(&self.first, self.count)
    }
}

fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {} further down)", words::grouped(more as u64)) }
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

fn list_over_a_line(list: Span, comma: Span) -> Diagnostic {
    Diagnostic::new(Code::W0407, list, "a list of states between two arrows spans two lines")
        .label("target of the first arrow and source of the second")
        .also(comma, "does a transition end here?")
        .help("if so, write `;` here; if not, put the list in braces: `{A, B}`")
        .fix("end the transition with `;`", Span { end: comma.start + 1, ..comma }, ";")
}

fn repeated(at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::W0404, at, "this transition is repeated")
        .label("repeated here")
        .also(first, "first written here")
        .help("remove it, or change its target")
}
