//! Opacity throughout and initial-final opacity, each by a route of its own that shares nothing with the engine or with the paper's
//! method: no delay branch, no derived automaton.
//!
//! [`by_age`]: the *age* of a run is how many labels it has shown since it was last in a secret state. A run of age a has avoided the
//! secret states after each α that ends less than a labels before its end. So an observation exposes at the greatest age of
//! the runs that show it, and the distance is the least of these. [`by_window`]: for each K, every run carries the last K + 1
//! stretches between labels, and whether it was in a secret state in each. [`initial_final`]: every run carries where it
//! began and, from the instant on, where it was then.

use super::oracle::{Augmented, Bits, Distance, augment, members, put};
use desc::automaton::view::{Symbol, View};
use desc::automaton::{StateId, StateSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The age of a run that was never in a secret state, and of every run that is older than this.
const AGELESS: u32 = 40;

/// The greatest age of the runs that are in each augmented state.
type Ages = BTreeMap<u32, u32>;

/// The greatest ages after silent moves.
fn settled(augmented: &Augmented, secret: &StateSet, entered: impl Iterator<Item = (u32, u32)>) -> Ages {
    let mut ages = Ages::new();
    let mut todo: Vec<(u32, u32)> = entered.collect();
    while let Some((state, age)) = todo.pop() {
        let age = if secret.contains(augmented.origin[state as usize]) { 0 } else { age };
        if ages.get(&state).is_none_or(|&known| known < age) {
            ages.insert(state, age);
            todo.extend(augmented.silent[state as usize].iter().map(|&target| (target, age)));
        }
    }
    ages
}

fn aged(augmented: &Augmented, secret: &StateSet, ages: &Ages, sign: u32) -> Ages {
    let shown = ages.iter().flat_map(|(&state, &age)| {
        let moves = augmented.seen[state as usize].iter().filter(move |step| step.0 == sign);
        moves.map(move |step| (step.1, (age + 1).min(AGELESS)))
    });
    settled(augmented, secret, shown)
}

fn first_ages(augmented: &Augmented, secret: &StateSet) -> Ages {
    settled(augmented, secret, augmented.initial.iter().map(|&state| (state, AGELESS)))
}

/// The distance of opacity throughout, by the ages of runs.
pub fn by_age(view: &View<'_>, secret: &StateSet, most: usize) -> Distance {
    let Some(augmented) = augment(view, most) else { return Distance::TooLarge };
    let first = first_ages(&augmented, secret);
    let mut known: FxHashSet<Ages> = FxHashSet::from_iter([first.clone()]);
    let mut todo = vec![first];
    let mut least = AGELESS;
    while let Some(ages) = todo.pop() {
        least = least.min(ages.values().copied().max().unwrap_or(AGELESS));
        for sign in 0..augmented.signs.len() as u32 {
            let next = aged(&augmented, secret, &ages, sign);
            if !next.is_empty() && known.insert(next.clone()) {
                todo.push(next);
            }
        }
        if known.len() > most {
            return Distance::TooLarge;
        }
    }
    if least == AGELESS { Distance::Never } else { Distance::At(u64::from(least)) }
}

/// The greatest age of the runs that show an observation; none: one was never in a secret state.
pub fn age(view: &View<'_>, secret: &StateSet, observation: &[Symbol]) -> Option<u64> {
    let augmented = augment(view, usize::MAX)?;
    let mut ages = first_ages(&augmented, secret);
    for sign in observation {
        ages = aged(&augmented, secret, &ages, augmented.signs[sign]);
    }
    let greatest = ages.values().copied().max().expect("some run shows it");
    (greatest < AGELESS).then_some(u64::from(greatest))
}

/// An augmented state, and the last stretches between labels in which the run was in a secret state, the latest in bit 0.
type Windowed = (u32, u32);

/// The distance of opacity throughout, if it is small: for each K by the definition.
pub fn by_window(view: &View<'_>, secret: &StateSet, most: usize) -> Distance {
    const LONGEST: u64 = 6;
    let Some(augmented) = augment(view, most) else { return Distance::TooLarge };
    for steps in 0..=LONGEST {
        match violated(&augmented, secret, steps, most) {
            Some(true) => return Distance::At(steps),
            Some(false) => {}
            None => return Distance::TooLarge,
        }
    }
    Distance::TooLarge
}

fn violated(augmented: &Augmented, secret: &StateSet, steps: u64, most: usize) -> Option<bool> {
    let mask = (1u32 << (steps + 1)) - 1;
    let close = |entered: Vec<Windowed>| {
        let mut set: std::collections::BTreeSet<Windowed> = std::collections::BTreeSet::new();
        let mut todo = entered;
        while let Some((state, visited)) = todo.pop() {
            let visited = visited | u32::from(secret.contains(augmented.origin[state as usize]));
            if set.insert((state, visited)) {
                todo.extend(augmented.silent[state as usize].iter().map(|&target| (target, visited)));
            }
        }
        set
    };
    let first = close(augmented.initial.iter().map(|&state| (state, 0)).collect());
    let mut known = FxHashSet::from_iter([first.clone()]);
    let mut todo = vec![first];
    while let Some(set) = todo.pop() {
        if set.iter().all(|&(_, visited)| visited != 0) {
            return Some(true);
        }
        for sign in 0..augmented.signs.len() as u32 {
            let shown = set.iter().flat_map(|&(state, visited)| {
                let moves = augmented.seen[state as usize].iter().filter(move |step| step.0 == sign);
                moves.map(move |step| (step.1, visited << 1 & mask))
            });
            let next = close(shown.collect());
            if !next.is_empty() && known.insert(next.clone()) {
                todo.push(next);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(false)
}

/// For each key, where the runs of that key may be now.
type Keyed<K> = BTreeMap<K, Bits>;

fn moved<K: Ord + Copy>(augmented: &Augmented, sets: &Keyed<K>, sign: u32) -> Keyed<K> {
    let moved = sets.iter().map(|(&key, set)| (key, augmented.post(set, sign)));
    moved.filter(|(_, set)| members(set).next().is_some()).collect()
}

/// By beginnings: what may be now.
fn beginnings(augmented: &Augmented) -> Keyed<StateId> {
    let mut sets = Keyed::new();
    for &state in &augmented.initial {
        let mut set = augmented.empty();
        put(&mut set, state);
        sets.insert(augmented.origin[state as usize], augmented.close(set));
    }
    sets
}

/// By beginnings and by where they are at this instant.
fn at_instant(augmented: &Augmented, sets: &Keyed<StateId>) -> Keyed<(StateId, StateId)> {
    let mut keyed: Keyed<(StateId, StateId)> = Keyed::new();
    for (&began, set) in sets {
        for state in members(set) {
            let own = keyed.entry((began, augmented.origin[state as usize])).or_insert_with(|| augmented.empty());
            put(own, state);
        }
    }
    keyed.into_iter().map(|(key, set)| (key, augmented.close(set))).collect()
}

fn is_certain(sets: &Keyed<(StateId, StateId)>, from: &StateSet, to: &StateSet) -> bool {
    !sets.is_empty() && sets.keys().all(|(began, then)| from.contains(*began) && to.contains(*then))
}

/// The distance of initial-final opacity.
pub fn initial_final(view: &View<'_>, (from, to): (&StateSet, &StateSet), most: usize) -> Distance {
    let Some(augmented) = augment(view, most) else { return Distance::TooLarge };
    let signs = 0..augmented.signs.len() as u32;
    let first = beginnings(&augmented);
    let mut known = FxHashSet::from_iter([first.clone()]);
    let mut sets = vec![first];
    let mut at = 0;
    while at < sets.len() {
        let next = signs.clone().map(|sign| moved(&augmented, &sets[at], sign));
        let new: Vec<_> = next.filter(|next| !next.is_empty() && known.insert(next.clone())).collect();
        sets.extend(new);
        at += 1;
        if known.len() > most {
            return Distance::TooLarge;
        }
    }
    let mut layer: Vec<_> = sets.iter().map(|sets| at_instant(&augmented, sets)).collect();
    let mut known: FxHashMap<_, ()> = layer.iter().map(|sets| (sets.clone(), ())).collect();
    let mut distance = 0;
    while !layer.is_empty() {
        if layer.iter().any(|sets| is_certain(sets, from, to)) {
            return Distance::At(distance);
        }
        let next = layer.iter().flat_map(|sets| signs.clone().map(|sign| moved(&augmented, sets, sign)));
        let next: Vec<_> = next.filter(|next| !next.is_empty()).collect();
        layer = next.into_iter().filter(|next| known.insert(next.clone(), ()).is_none()).collect();
        distance += 1;
        if known.len() > most {
            return Distance::TooLarge;
        }
    }
    Distance::Never
}

/// Whether an observation makes it certain that the run began in the one set and was in the other after its first labels.
pub fn shows_initial_final(
    view: &View<'_>,
    (from, to): (&StateSet, &StateSet),
    observation: &[Symbol],
    at: usize,
) -> bool {
    let Some(augmented) = augment(view, usize::MAX) else { return false };
    let mut sets = beginnings(&augmented);
    for sign in &observation[..at] {
        sets = moved(&augmented, &sets, augmented.signs[sign]);
    }
    let mut keyed = at_instant(&augmented, &sets);
    for sign in &observation[at..] {
        keyed = moved(&augmented, &keyed, augmented.signs[sign]);
    }
    is_certain(&keyed, from, to)
}
