//! The paper's method by the letter, and a third route: slow, small, and sharing nothing with the engine.
//!
//! [`literal`]: the augmented automaton with the order of arrival, its observer with every reachable set, the adjoint set of
//! every member, and a breadth-first search of the composition. [`member_by_member`]: from every estimate, follows each
//! member on its own and looks at which members are left. Both give the exposure distance or none. What an event shows, closures
//! and exposed sets are computed here from their definitions: of the library only the table of transitions is used. Properties
//! without exposed sets have routes of their own ([`notions`]).

use super::agents::{Who, who};
use super::notions;
use desc::automaton::view::{Observability, Projection, Symbol, View};
use desc::automaton::{EventId, StateId, StateSet};
use desc::model::{Classes, Property};
use desc::verdict::Exposure;
use rustc_hash::{FxHashMap, FxHashSet};

/// The answer of a reference method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Distance {
    /// The least |β| that exposes.
    At(u64),
    /// Nothing ever exposes.
    Never,
    /// It would have needed more sets than allowed.
    TooLarge,
}

impl From<Exposure> for Distance {
    fn from(exposure: Exposure) -> Distance {
        match exposure {
            Exposure::At(least) => Distance::At(least),
            Exposure::Never => Distance::Never,
            Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => Distance::TooLarge,
        }
    }
}

/// A set of augmented states, one bit each.
pub(super) type Bits = Box<[u64]>;

/// The agents of a run in the order of their first act: for each group without named agents, then for all others together.
type Arrived = Vec<Vec<Who>>;

/// The automaton with the order of arrival in its states, every move with its sign.
pub(super) struct Augmented {
    pub(super) origin: Vec<StateId>,
    pub(super) initial: Vec<u32>,
    pub(super) signs: FxHashMap<Symbol, u32>,
    pub(super) seen: Vec<Vec<(u32, u32)>>,
    pub(super) silent: Vec<Vec<u32>>,
}

pub(super) fn augment(view: &View<'_>, most: usize) -> Option<Augmented> {
    let mut ids: FxHashMap<(StateId, Arrived), u32> = FxHashMap::default();
    let mut states: Vec<(StateId, Arrived)> = Vec::new();
    let mut found = Augmented {
        origin: Vec::new(),
        initial: Vec::new(),
        signs: FxHashMap::default(),
        seen: Vec::new(),
        silent: Vec::new(),
    };
    let mut intern = |state: (StateId, Arrived), states: &mut Vec<_>| {
        *ids.entry(state.clone()).or_insert_with(|| {
            states.push(state);
            states.len() as u32 - 1
        })
    };
    for &state in view.automaton.initial() {
        let id = intern((state, vec![Vec::new(); view.observer.n_groups() + 1]), &mut states);
        found.initial.push(id);
    }
    let mut at = 0;
    while at < states.len() {
        let (state, arrived) = states[at].clone();
        let (mut seen, mut silent) = (Vec::new(), Vec::new());
        for step in view.automaton.steps(state) {
            let mut order = arrived.clone();
            let sign = shown(view, step.event, &mut order);
            let target = intern((step.target, order), &mut states);
            match sign {
                None => silent.push(target),
                Some(sign) => {
                    let next = found.signs.len() as u32;
                    seen.push((*found.signs.entry(sign).or_insert(next), target));
                }
            }
        }
        found.origin.push(state);
        found.seen.push(seen);
        found.silent.push(silent);
        at += 1;
        if at > most {
            return None;
        }
    }
    Some(found)
}

/// What an event shows to the intruder, by the definitions of the three projections; its arrival is noted.
pub(super) fn shown(view: &View<'_>, event: EventId, arrived: &mut [Vec<Who>]) -> Option<Symbol> {
    let group = match view.observer.observability(event) {
        Observability::Silent => return None,
        Observability::Visible => return Some(Symbol::Event(event)),
        Observability::Anonymous(group) => group,
    };
    match view.projection {
        Projection::Natural => Some(Symbol::Event(event)),
        Projection::Strong => Some(Symbol::Group(group)),
        Projection::Weak => {
            // WHY one order for all as soon as one agent is named: it is simpler than the library's numbers, and says the same.
            let named = view.automaton.events().any(|event| view.observer.agent(event).is_some());
            let order = &mut arrived[if named { view.observer.n_groups() } else { group.index() }];
            let agent = who(view.observer, event);
            if !order.contains(&agent) {
                order.push(agent);
            }
            let before = order.iter().take_while(|&&earlier| earlier != agent).count();
            Some(Symbol::Nth(group, before as u32 + 1))
        }
    }
}

impl Augmented {
    pub(super) fn empty(&self) -> Bits {
        vec![0; self.origin.len().div_ceil(64)].into()
    }

    pub(super) fn close(&self, mut set: Bits) -> Bits {
        let mut todo: Vec<u32> = members(&set).collect();
        while let Some(state) = todo.pop() {
            for &target in &self.silent[state as usize] {
                if !has(&set, target) {
                    put(&mut set, target);
                    todo.push(target);
                }
            }
        }
        set
    }

    pub(super) fn post(&self, set: &Bits, sign: u32) -> Bits {
        let mut next = self.empty();
        for state in members(set) {
            for &(shown, target) in &self.seen[state as usize] {
                if shown == sign {
                    put(&mut next, target);
                }
            }
        }
        self.close(next)
    }

    pub(super) fn start(&self) -> Bits {
        let mut set = self.empty();
        self.initial.iter().for_each(|&state| put(&mut set, state));
        set
    }

    /// Every reachable set of the observer.
    fn observer(&self, most: usize) -> Option<Vec<Bits>> {
        let first = self.close(self.start());
        let mut known: FxHashSet<Bits> = FxHashSet::from_iter([first.clone()]);
        let mut sets = vec![first];
        let mut at = 0;
        while at < sets.len() {
            for sign in 0..self.signs.len() as u32 {
                let next = self.post(&sets[at], sign);
                if members(&next).next().is_some() && known.insert(next.clone()) {
                    sets.push(next);
                }
            }
            at += 1;
            if sets.len() > most {
                return None;
            }
        }
        Some(sets)
    }
}

pub(super) fn members(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter()
        .enumerate()
        .flat_map(|(at, &word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit))
}

fn has(set: &[u64], member: u32) -> bool {
    set[member as usize / 64] >> (member % 64) & 1 == 1
}

pub(super) fn put(set: &mut [u64], member: u32) {
    set[member as usize / 64] |= 1 << (member % 64);
}

/// Whether states are exposed, straight from the property.
pub fn exposes(property: &Property, states: &StateSet) -> bool {
    match property {
        Property::Opacity { secret } => !states.is_empty() && states.iter().all(|state| secret.contains(state)),
        Property::Anonymity { among, classes, except } => {
            let mut known: Vec<u32> = states
                .iter()
                .map(|state| classes.as_ref().map_or(state.0, |classes| classes.of[state.index()].0))
                .collect();
            known.sort_unstable();
            known.dedup();
            let alternatives = states.iter().any(|state| is_excepted(classes.as_ref(), except.as_ref(), state));
            !known.is_empty() && known.len() < *among as usize && !alternatives
        }
        _ => panic!("not a matter of states alone"),
    }
}

/// Whether every state of the class of a state is excepted.
fn is_excepted(classes: Option<&Classes>, except: Option<&StateSet>, state: StateId) -> bool {
    let Some(except) = except else { return false };
    let Some(classes) = classes else { return except.contains(state) };
    let mut members = classes.of.iter().enumerate().filter(|(_, class)| **class == classes.of[state.index()]);
    members.all(|(member, _)| except.contains(StateId::from_index(member)))
}

/// The sets D around a state that are exposed, each as a test of states: all choices among the states of an estimate.
pub(super) fn exposed_around(property: &Property, state: StateId, estimate: &StateSet) -> Vec<Vec<StateId>> {
    match property {
        Property::Opacity { secret } => {
            if secret.contains(state) {
                vec![secret.as_slice().to_vec()]
            } else {
                Vec::new()
            }
        }
        Property::Anonymity { classes, except, .. } if is_excepted(classes.as_ref(), except.as_ref(), state) => {
            Vec::new()
        }
        Property::Anonymity { among, classes, except } => {
            let class = |state: StateId| classes.as_ref().map_or(state.0, |classes| classes.of[state.index()].0);
            let meant = estimate.iter().filter(|&other| !is_excepted(classes.as_ref(), except.as_ref(), other));
            let mut others: Vec<u32> = meant.map(class).filter(|&other| other != class(state)).collect();
            others.sort_unstable();
            others.dedup();
            let wanted = (*among as usize).saturating_sub(2).min(others.len());
            let mut found = Vec::new();
            for choice in 0u64..1 << others.len().min(20) {
                if choice.count_ones() as usize == wanted {
                    let inside = |other: u32| {
                        other == class(state)
                            || others.iter().position(|&known| known == other).is_some_and(|at| choice >> at & 1 == 1)
                    };
                    found.push(estimate.iter().filter(|&state| inside(class(state))).collect());
                }
            }
            found
        }
        _ => panic!("not a matter of states alone"),
    }
}

/// The exposure distance by the paper's composition. `most` bounds each of its parts.
pub fn literal(view: &View<'_>, property: &Property, initial: bool, most: usize) -> Distance {
    match property {
        Property::Throughout { secret } => return notions::by_age(view, secret, most),
        Property::InitialFinal { from, to } => return notions::initial_final(view, (from, to), most),
        Property::Anonymity { .. } | Property::Opacity { .. } => {}
        Property::OfParts(_) => panic!("its product is built first"),
    }
    let Some(augmented) = augment(view, most) else { return Distance::TooLarge };
    let sets = if initial { Some(vec![augmented.start()]) } else { augmented.observer(most) };
    let Some(sets) = sets else { return Distance::TooLarge };
    let mut known: FxHashSet<(u32, Bits)> = FxHashSet::default();
    let mut layer: Vec<(u32, Bits)> = Vec::new();
    for set in &sets {
        let estimate: StateSet = members(set).map(|state| augmented.origin[state as usize]).collect();
        for left in members(set) {
            for hidden in exposed_around(property, augmented.origin[left as usize], &estimate) {
                let mut rest = augmented.empty();
                let outside = members(set).filter(|&state| !hidden.contains(&augmented.origin[state as usize]));
                outside.for_each(|state| put(&mut rest, state));
                let pair = (left, augmented.close(rest));
                if known.insert(pair.clone()) {
                    layer.push(pair);
                }
            }
        }
    }
    compose(&augmented, known, layer, most)
}

/// Breadth-first through the composition.
fn compose(
    augmented: &Augmented,
    mut known: FxHashSet<(u32, Bits)>,
    mut layer: Vec<(u32, Bits)>,
    most: usize,
) -> Distance {
    let mut distance = 0;
    while !layer.is_empty() {
        if layer.iter().any(|(_, rivals)| members(rivals).next().is_none()) {
            return Distance::At(distance);
        }
        let mut next = Vec::new();
        let mut at = 0;
        while at < layer.len() {
            let (left, rivals) = layer[at].clone();
            at += 1;
            for &target in &augmented.silent[left as usize] {
                let pair = (target, rivals.clone());
                if known.insert(pair.clone()) {
                    layer.push(pair);
                }
            }
            for &(sign, target) in &augmented.seen[left as usize] {
                let pair = (target, augmented.post(&rivals, sign));
                if known.insert(pair.clone()) {
                    next.push(pair);
                }
            }
        }
        if known.len() > most {
            return Distance::TooLarge;
        }
        layer = next;
        distance += 1;
    }
    Distance::Never
}

/// The exposure distance by following each member of each estimate on its own.
pub fn member_by_member(view: &View<'_>, property: &Property, initial: bool, most: usize) -> Distance {
    match property {
        Property::Throughout { secret } => return notions::by_window(view, secret, most),
        Property::InitialFinal { from, to } => return notions::initial_final(view, (from, to), most),
        Property::Anonymity { .. } | Property::Opacity { .. } => {}
        Property::OfParts(_) => panic!("its product is built first"),
    }
    let Some(augmented) = augment(view, most) else { return Distance::TooLarge };
    let sets = if initial { Some(vec![augmented.start()]) } else { augmented.observer(most) };
    let Some(sets) = sets else { return Distance::TooLarge };
    let mut layer: Vec<Vec<(StateId, Bits)>> = Vec::new();
    for set in &sets {
        let mut members: Vec<(StateId, Bits)> = Vec::new();
        let mut by_state: FxHashMap<StateId, usize> = FxHashMap::default();
        for state in self::members(set) {
            let origin = augmented.origin[state as usize];
            let at = *by_state.entry(origin).or_insert_with(|| {
                members.push((origin, augmented.empty()));
                members.len() - 1
            });
            put(&mut members[at].1, state);
        }
        layer.push(members.into_iter().map(|(origin, set)| (origin, augmented.close(set))).collect());
    }
    let mut known: FxHashSet<Vec<(StateId, Bits)>> = layer.iter().cloned().collect();
    let mut distance = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for members in layer {
            if exposes(property, &members.iter().map(|(origin, _)| *origin).collect()) {
                return Distance::At(distance);
            }
            for sign in 0..augmented.signs.len() as u32 {
                let moved = members.iter().map(|(origin, now)| (*origin, augmented.post(now, sign)));
                let left: Vec<(StateId, Bits)> = moved.filter(|(_, now)| self::members(now).next().is_some()).collect();
                if !left.is_empty() && known.insert(left.clone()) {
                    next.push(left);
                }
            }
        }
        if known.len() > most {
            return Distance::TooLarge;
        }
        layer = next;
        distance += 1;
    }
    Distance::Never
}
