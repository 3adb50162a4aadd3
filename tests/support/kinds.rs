//! Every kind of exposure with its fewest observations, by brute force: every estimate with the classes that the estimates before it
//! have exposed, and from each of its instants every later observation, label by label, until the class is exposed.

use super::fewest::instant;
use super::oracle::{Augmented, Bits, augment, exposed_around, exposes, members};
use super::random::Case;
use desc::automaton::view::Symbol;
use desc::automaton::{StateId, StateSet};
use desc::model::Property;
use desc::verdict::Witness;
use std::collections::{BTreeMap, BTreeSet};

/// The class that is exposed, and the label of the last observation without its number.
pub type Kind = (u32, Option<Symbol>);

/// Where each member of an instant may be now.
type Members = Vec<(StateId, Bits)>;

/// A later observation of one instant: |β| (0 where the horizon does not matter), the class, the exposed set around it, the members.
type Followed = (u64, u32, Vec<StateId>, Members);

/// An estimate, and the classes that those before it have exposed.
type Estimate<'a> = (&'a Bits, &'a BTreeSet<u32>);

/// The fewest observations of every kind with |β| up to a horizon; none: too large.
pub fn kinds(case: &Case, horizon: u64, limit: usize) -> Option<BTreeMap<Kind, u64>> {
    let initial = case.initial;
    let case = &case.derived();
    let augmented = augment(&case.view(), limit)?;
    let mut search = Search { case, augmented: &augmented, horizon, found: BTreeMap::new(), known: BTreeSet::new() };
    let start = if initial { augmented.start() } else { augmented.close(augmented.start()) };
    let mut estimates = BTreeSet::from([(start.clone(), BTreeSet::new())]);
    let mut known = estimates.clone();
    let mut followed: Vec<Followed> = Vec::new();
    search.arrive((&start, &BTreeSet::new()), None, 0);
    for total in 0.. {
        for (estimate, before) in &estimates {
            search.branch((estimate, before), &mut followed);
        }
        if followed.is_empty() && (estimates.is_empty() || initial) {
            break;
        }
        let mut next = BTreeSet::new();
        for (estimate, before) in estimates.iter().filter(|_| !initial) {
            let before: BTreeSet<u32> = before.iter().copied().chain(search.exposed_classes(estimate)).collect();
            for (&sign, &number) in &augmented.signs {
                let post = augmented.post(estimate, number);
                if members(&post).next().is_some() {
                    search.arrive((&post, &before), Some(sign), total + 1);
                    if known.insert((post.clone(), before.clone())) {
                        next.insert((post, before.clone()));
                    }
                }
            }
        }
        followed = search.follow(followed, total + 1);
        estimates = next;
        if known.len() + search.known.len() > limit {
            return None;
        }
    }
    Some(search.found)
}

struct Search<'a> {
    case: &'a Case,
    augmented: &'a Augmented,
    horizon: u64,
    found: BTreeMap<Kind, u64>,
    known: BTreeSet<Followed>,
}

impl Search<'_> {
    /// Notes what an estimate exposes itself, and what those before it do not.
    fn arrive(&mut self, (estimate, before): Estimate<'_>, sign: Option<Symbol>, total: u64) {
        for class in self.exposed_classes(estimate).difference(before) {
            self.note(*class, sign, total);
        }
    }

    fn exposed_classes(&self, estimate: &Bits) -> BTreeSet<u32> {
        let states: StateSet = members(estimate).map(|state| self.augmented.origin[state as usize]).collect();
        let is_exposed = exposes(&self.case.property, &states);
        states.iter().filter(|_| is_exposed).map(|state| class(&self.case.property, state)).collect()
    }

    fn note(&mut self, class: u32, sign: Option<Symbol>, total: u64) {
        self.found.entry((class, sign.map(without_number))).or_insert(total);
    }

    /// Adds what is not exposed yet of each member of an estimate.
    fn branch(&mut self, (estimate, before): Estimate<'_>, into: &mut Vec<Followed>) {
        if self.horizon == 0 {
            return;
        }
        let property = &self.case.property;
        let states: StateSet = members(estimate).map(|state| self.augmented.origin[state as usize]).collect();
        let members = instant(self.augmented, estimate);
        for state in states.iter().filter(|state| !before.contains(&class(property, *state))) {
            for set in exposed_around(property, state, &states) {
                let fresh = (0, class(property, state), set, members.clone());
                if !self.is_exposed(&fresh) && self.known.insert(fresh.clone()) {
                    into.push(fresh);
                }
            }
        }
    }

    /// Whether all that is possible lies in the exposed set, and the class among it.
    fn is_exposed(&self, (_, class, set, members): &Followed) -> bool {
        !members.is_empty() && members.iter().all(|(state, _)| set.contains(state)) && self.has_class(*class, members)
    }

    fn has_class(&self, wanted: u32, members: &Members) -> bool {
        members.iter().any(|(state, _)| class(&self.case.property, *state) == wanted)
    }

    /// After one more label.
    fn follow(&mut self, followed: Vec<Followed>, total: u64) -> Vec<Followed> {
        let mut next = Vec::new();
        for (beta, class, set, members) in followed {
            for (&sign, &number) in &self.augmented.signs {
                let after = members.iter().map(|(state, now)| (*state, self.augmented.post(now, number)));
                let after: Members = after.filter(|(_, now)| self::members(now).next().is_some()).collect();
                let later = if self.horizon == u64::MAX { 0 } else { beta + 1 };
                let fresh = (later, class, set.clone(), after);
                if !self.has_class(class, &fresh.3) {
                    continue;
                }
                if self.is_exposed(&fresh) {
                    self.note(class, Some(sign), total);
                } else if later < self.horizon && self.known.insert(fresh.clone()) {
                    next.push(fresh);
                }
            }
        }
        next
    }
}

fn class(property: &Property, state: StateId) -> u32 {
    match property {
        Property::Anonymity { classes, .. } => classes.as_ref().map_or(state.0, |all| all.of[state.index()].0),
        _ => 0,
    }
}

fn without_number(sign: Symbol) -> Symbol {
    match sign {
        Symbol::Nth(group, _) => Symbol::Group(group),
        other => other,
    }
}

/// The kinds that a witness may be of: its run may be in several exposed classes at the instant, one after the other.
pub fn kinds_of(case: &Case, witness: &Witness) -> Vec<Kind> {
    let view = case.view();
    let last = witness.observation.last().copied().map(without_number);
    let seen = |events: usize| view.project(&witness.run.events[..events]).len();
    let states = witness.run.states.iter().enumerate();
    let at = states.filter(|(events, state)| seen(*events) == witness.at && witness.exposed.contains(**state));
    let class = |state: StateId| match case.property {
        Property::Anonymity { .. } => class(&case.property, state),
        _ => 0,
    };
    at.map(|(_, &state)| (class(state), last)).collect()
}
