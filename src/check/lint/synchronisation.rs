//! Warnings about the events that parts share, or seem to share.
//!
//! An event of a composition happens when every part that lists it can do it. So a part that lists an event and never does it
//! blocks the event for all others, and a misspelt event is shared with nobody and happens alone. Both leave the composition
//! without errors, and often with checks that hold.
//!
//! Cost: linear in the events and transitions of the parts.

use crate::automaton::StateId;
use crate::automaton::product::Product;
use crate::check::context::{Blocked, Context};
use crate::check::elaborate::component::Component;
use crate::check::elaborate::naming::Placed;
use crate::check::elaborate::parts::Composed;
use crate::check::lint::systems;
use crate::check::observe::inherited::Ends;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic, near};
use crate::source::{FileId, Span};
use crate::syntax::spelling;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Of longer names only the whole ones are compared.
const LONG: usize = 40;

/// The most names with a letter in common lacking that are compared with one name.
const CANDIDATES: usize = 16;

/// The events of a composition, and which parts list them.
struct Sharing<'a> {
    parts: &'a [Placed],
    /// For each event the parts that list it, with the local event.
    listed: Vec<Vec<(usize, u32)>>,
    /// For each part and local event whether the part alone can ever do it.
    able: Vec<Vec<bool>>,
    entry: FileId,
    /// The `compose` statement.
    at: Span,
    product: Option<&'a Product>,
    /// The ends that compositions declare with `final`.
    ends: &'a [Ends],
}

/// Warns about blocked and misspelt events of a composition.
pub(in crate::check) fn warn(cx: &mut Context<'_>, composed: &Composed<'_, '_>, ends: &[Ends], entry: FileId) {
    let parts = &composed.tree.components;
    let at = composed.tree.root.at;
    if parts.len() < 2 {
        return;
    }
    let mut listed = vec![Vec::new(); composed.tree.events.names.len()];
    let mut bytes = size_of_val(&listed[..]);
    for (part, placed) in parts.iter().enumerate() {
        bytes += 4 * placed.events.len() * size_of::<(usize, u32)>();
        if !cx.tick(size(placed), std::mem::take(&mut bytes) as u64, at) {
            return;
        }
        (0u32..).zip(&placed.events).for_each(|(local, event)| listed[event.index()].push((part, local)));
    }
    let able = parts.iter().map(|placed| able(&placed.component)).collect();
    let sharing = Sharing { parts, listed, able, entry, at, product: composed.product, ends };
    if sharing.blocked(cx) {
        sharing.misspelt(cx);
    }
}

/// Warns about the blocked events of all systems: one warning for each declaration. An event that some other instance of the
/// component does, in whatever system, is left out on purpose: `Battery(0)` has no level to change.
pub(in crate::check) fn blocked(cx: &mut Context<'_>) {
    let able = std::mem::take(&mut cx.witnessed.able);
    for (at, mut blocked) in std::mem::take(&mut cx.witnessed.blocked) {
        blocked.events.retain(|event| !able.get(&(at, event.clone())).is_some_and(|able| *able));
        if !blocked.events.is_empty() {
            cx.fault(blocks(&blocked, at));
        }
    }
}

fn size(placed: &Placed) -> u64 {
    let automaton = &placed.component.automaton;
    (automaton.n_states() + automaton.n_transitions() + placed.events.len()) as u64
}

/// For each event of a component whether it can do it when nobody hinders it.
fn able(component: &Component) -> Vec<bool> {
    let automaton = &component.automaton;
    let (mut able, mut reached) = (vec![false; automaton.n_events()], vec![false; automaton.n_states()]);
    let mut pending: Vec<StateId> = automaton.initial().to_vec();
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut reached[state.index()], true) {
            for step in automaton.steps(state) {
                able[step.event.index()] = true;
                pending.push(step.target);
            }
        }
    }
    able
}

impl Sharing<'_> {
    fn can(&self, (part, local): (usize, u32)) -> bool {
        self.able[part][local as usize]
    }

    fn name(&self, (part, local): (usize, u32)) -> String {
        self.parts[part].component.events.names.get(local).into_owned()
    }

    /// Where a part lists an event, if that is in the file that is checked.
    fn place(&self, (part, local): (usize, u32)) -> Option<Span> {
        self.parts[part].component.events.span(local).filter(|span| span.file == self.entry)
    }

    /// Remembers the events that one part lists and never does, and another one could do. False: there is no time for it.
    fn blocked(&self, cx: &mut Context<'_>) -> bool {
        for all in self.listed.iter().filter(|all| all.len() > 1) {
            if !cx.tick(all.len() as u64, 0, self.at) || !self.witness(cx, all) {
                return false;
            }
            let doer = all.iter().find(|one| self.can(**one)).copied();
            let is_blocked = doer.is_some() && all.iter().any(|one| !self.can(*one));
            let Some(doer) = doer.filter(|_| is_blocked && !self.is_meant(cx, all)) else { continue };
            all.iter().filter(|one| !self.can(**one)).for_each(|&one| self.block(cx, one, doer));
        }
        true
    }

    /// Remembers for each declaration of an event whether some part that lists it there can do it.
    fn witness(&self, cx: &mut Context<'_>, all: &[(usize, u32)]) -> bool {
        // WHY by place: a thousand instances of a component list the event at one place, and it has one name in all of them.
        let mut places: Vec<(Option<Span>, bool)> = Vec::new();
        for &one in all {
            let (place, can) = (self.place(one), self.can(one));
            match places.iter_mut().rev().find(|(known, _)| *known == place) {
                Some((_, able)) => *able |= can,
                None => places.push((place, can)),
            }
        }
        let name = self.name(all[0]);
        places
            .into_iter()
            .all(|(place, able)| systems::witness(cx, |all| &mut all.able, place, name.as_str().into(), able))
    }

    /// Whether the blocking of an event is meant: wherever a part could do it, `final` says that this part may stay.
    /// Cost: the states of the product, if there is a `final`.
    fn is_meant(&self, cx: &mut Context<'_>, all: &[(usize, u32)]) -> bool {
        let no_final = self.ends.is_empty() && self.parts.iter().all(|part| part.component.finals.is_empty());
        let Some(product) = self.product.filter(|_| !no_final) else { return false };
        let doers: Vec<(usize, u32)> = all.iter().copied().filter(|one| self.can(*one)).collect();
        let mut is_waited_for = false;
        for state in product.automaton().states() {
            if !cx.tick(doers.len() as u64, 0, self.at) {
                return true;
            }
            for &(part, event) in &doers {
                let (local, component) = (product.local(state, part), &self.parts[part].component);
                let waits = component.automaton.steps(local).iter().any(|step| step.event.0 == event);
                let stays = |ends: &Ends| {
                    ends.leaves.binary_search(&part).is_ok() && ends.states.binary_search(&state.0).is_ok()
                };
                if waits && component.finals.binary_search(&local.0).is_err() && !self.ends.iter().any(stays) {
                    return false;
                }
                is_waited_for |= waits;
            }
        }
        is_waited_for
    }

    fn block(&self, cx: &mut Context<'_>, blocker: (usize, u32), doer: (usize, u32)) {
        let at = self.place(blocker).unwrap_or(self.at);
        let found = cx.witnessed.blocked.entry(at).or_insert_with(|| Blocked {
            part: self.parts[blocker.0].path.clone(),
            doer: self.parts[doer.0].path.clone(),
            listed: self.place(doer).filter(|place| *place != at),
            events: Vec::new(),
        });
        let name = self.name(blocker);
        if !found.events.contains(&name) {
            found.events.push(name);
        }
    }

    /// Events of one part only that look like a slip for an event of another part.
    fn misspelt(&self, cx: &mut Context<'_>) {
        let Some(families) = self.families(cx) else { return };
        let near = resembling(&families);
        let mut told: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (at, family) in families.iter().enumerate() {
            let Some(one) = family.alone else { continue };
            let others = near.get(&at).into_iter().flatten().copied();
            let others = others.filter(|&other| self.may_mean(family, &families[other]));
            let Some(other) = others.min_by_key(|&other| (families[other].alone.is_none(), other)) else { continue };
            // WHY once: of two events that are alone, either may be the misspelt one.
            if told.insert((at.min(other), at.max(other))) {
                let meant = families[other].alone.unwrap_or(families[other].first);
                self.tell_unshared(cx, one, meant);
            }
        }
    }

    fn tell_unshared(&self, cx: &mut Context<'_>, one: (usize, u32), meant: (usize, u32)) {
        let at = self.place(one).unwrap_or(self.at);
        let listed = self.place(meant).filter(|place| *place != at);
        let of = |one: (usize, u32)| (self.name(one), &*self.parts[one.0].path);
        cx.fault(unshared(of(one), of(meant), at, listed));
    }

    /// The events by their declaration and their name without indices, in order. None: there is no time for it.
    fn families(&self, cx: &mut Context<'_>) -> Option<Vec<Family>> {
        let mut families: BTreeMap<(Option<Span>, String, usize), Family> = BTreeMap::new();
        for all in &self.listed {
            let mut last = None;
            for &one in all {
                let at = self.parts[one.0].component.events.span(one.1);
                // WHY: the instances of a component list it at one place, and it has one name in all parts.
                if last.replace(at) == Some(at) {
                    continue;
                }
                let name = self.name(one);
                let (base, indices) = split(&name);
                let bytes = size_of::<Family>() + 2 * base.len().pow(2);
                let key = (at, base.to_owned(), indices);
                let is_new = !families.contains_key(&key);
                if !cx.tick(1, if is_new { bytes as u64 } else { 0 }, self.at) {
                    return None;
                }
                let family = families.entry(key).or_insert_with(|| Family::new(base, indices, one));
                if all.len() == 1 {
                    family.alone.get_or_insert(one);
                } else {
                    family.is_shared = true;
                }
            }
        }
        Some(families.into_values().collect())
    }

    /// Whether an event of a family, alone in its part, may be a slip for one of another family.
    fn may_mean(&self, family: &Family, other: &Family) -> bool {
        let Some(one) = family.alone else { return false };
        // A part that has both names distinguishes them.
        let has = |part: usize, base: &str| self.parts[part].component.events.has(base);
        if family.base == other.base {
            // Another number of indices, or members on both sides that find no partner.
            return other.alone.is_some_and(|meant| meant.0 != one.0)
                && (family.indices != other.indices || family.is_shared || other.is_shared);
        }
        !family.is_shared && !has(one.0, &other.base) && !has(other.first.0, &family.base)
    }
}

/// The events of one declaration that differ only in their indices.
struct Family {
    base: String,
    /// How many indices they have.
    indices: usize,
    first: (usize, u32),
    /// The first one that is in one part only.
    alone: Option<(usize, u32)>,
    /// Whether another one is in several parts.
    is_shared: bool,
}

impl Family {
    fn new(base: &str, indices: usize, first: (usize, u32)) -> Family {
        Family { base: base.to_owned(), indices, first, alone: None, is_shared: false }
    }
}

/// For each family with an event that is alone, the families of the same name or one that is a slip away.
///
/// Two names that are one letter apart have a name in common that lacks one letter. So all names are filed under such
/// names: the cost is linear in the names, and quadratic only in their length.
fn resembling(families: &[Family]) -> BTreeMap<usize, Vec<usize>> {
    let mut filed: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (at, family) in families.iter().enumerate() {
        lacking_one(&family.base).into_iter().for_each(|lacking| filed.entry(lacking).or_default().push(at));
    }
    let mut near: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, family) in families.iter().enumerate().filter(|(_, family)| family.alone.is_some()) {
        let candidates = lacking_one(&family.base).into_iter().filter_map(|lacking| filed.get(&lacking));
        let candidates = candidates.flat_map(|all| all.iter().take(CANDIDATES)).copied();
        let is_near = |&other: &usize| {
            other != at && (families[other].base == family.base || is_slip(&family.base, &families[other].base))
        };
        near.insert(at, candidates.filter(is_near).collect());
    }
    near
}

/// A name in lower case, and every name that lacks one of its letters.
fn lacking_one(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let without = |out: usize| (0..letters.len()).filter(|&at| at != out).map(|at| letters[at]).collect();
    let shorter = (0..letters.len()).filter(|_| letters.len() <= LONG).map(without);
    std::iter::once(letters.iter().collect()).chain(shorter).collect()
}

/// Whether one name may be the other one mistyped: one letter inserted, removed, replaced or swapped, or another case.
fn is_slip(left: &str, right: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let length = left.chars().count().min(right.chars().count());
    length >= 3 && letters(left) != letters(right) && near::distance(left, right) <= 1
}

/// A name without its indices, and how many there are.
fn split(name: &str) -> (&str, usize) {
    match name.split_once('[') {
        Some((base, rest)) if rest.ends_with(']') => (base, 1 + rest.matches(',').count()),
        _ => (name, 0),
    }
}

fn blocks(found: &Blocked, at: Span) -> Diagnostic {
    let Blocked { part, doer, listed, events } = found;
    let (noun, it) = if events.len() == 1 { ("event", "it") } else { ("events", "them") };
    let names = wording::list(events);
    let fault = Diagnostic::new(
        Code::W0408,
        at,
        format!("the part `{part}` lists the {noun} {names} and never does {it}: `{doer}` cannot do {it} either"),
    )
    .label(format!("no transition of `{part}` that can be reached has {it}"))
    .help(format!(
        "give `{part}` a transition with {it}, or remove {it} from its `events`: then `{doer}` does {it} alone; if {it} must \
         not happen, list the states in which `{doer}` waits in `final`"
    ));
    listed.iter().fold(fault, |fault, place| fault.also(*place, format!("`{doer}` could do {it}")))
}

fn unshared(
    (name, part): (String, &str),
    (meant, other): (String, &str),
    at: Span,
    listed: Option<Span>,
) -> Diagnostic {
    let fault = Diagnostic::new(
        Code::W0409,
        at,
        format!("only `{part}` has the event `{name}`, and `{other}` has `{meant}`: they do not synchronise"),
    )
    .label(format!("`{part}` does it alone"))
    .help(format!(
        "write the same event in both, `{}` or `{}`; if two events are meant, give one another name",
        spelling::member(&meant),
        spelling::member(&name)
    ));
    listed.iter().fold(fault, |fault, place| fault.also(*place, format!("`{other}` has `{meant}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_letter_and_never_a_number() {
        assert!(is_slip("send", "sned") && is_slip("send", "sends") && is_slip("Send", "send"));
        assert!(!is_slip("a1", "a2") && !is_slip("in", "on") && !is_slip("step1", "step2"));
        assert!(!is_slip("send", "deliver") && !is_slip("send", "send"));
    }

    #[test]
    fn indices_are_counted() {
        assert_eq!(split("hop[1, 2]"), ("hop", 2));
        assert_eq!(split("hop"), ("hop", 0));
    }
}
