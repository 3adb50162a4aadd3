//! From a property to its exposed sets: the sets that must not contain a delayed estimate.
//!
//! Every property gives each state a *class*, and some classes are *exposable*. An exposed set is the union of at most
//! `max_classes` exposable classes. Anonymity: up to `among - 1` of the classes that do not lie inside `except`. Opacity: there
//! are two classes, secret and not, and only the secret is exposable. A state of another class is in no exposed set: an estimate
//! that holds one is safe.

use crate::automaton::{Automaton, StateId, StateSet};
use crate::model::Property;
use rustc_hash::FxHashMap;

/// The family of exposed sets, by classes of states.
#[derive(Clone, Debug)]
pub(crate) struct ExposedSets {
    class: Vec<u32>,
    /// The most classes of one exposed set: `among - 1`.
    pub(crate) max_classes: usize,
    /// For each state, whether its class is exposable.
    exposable: Vec<bool>,
    /// For each state, whether a run from it reaches an exposable one; empty: that was not looked at.
    threatened: Vec<bool>,
    /// Whether each state is a class of its own.
    pub(crate) of_states: bool,
}

impl ExposedSets {
    /// The exposed sets of a property over this many states.
    ///
    /// # Panics
    /// If the property has no exposed sets: it is decided on its derived automaton.
    pub(crate) fn of(property: &Property, n_states: usize) -> ExposedSets {
        let states = (0..n_states).map(StateId::from_index);
        match property {
            Property::Anonymity { among, classes, except } => {
                let class: Vec<u32> = match classes {
                    Some(classes) => classes.of.iter().map(|class| class.0).collect(),
                    None => states.map(|state| state.0).collect(),
                };
                let exposable = except.as_ref().map_or_else(|| vec![true; n_states], |set| outside(&class, set));
                let max_classes = among.saturating_sub(1).max(1) as usize;
                ExposedSets { class, max_classes, exposable, threatened: Vec::new(), of_states: classes.is_none() }
            }
            Property::Opacity { secret } => {
                let exposable: Vec<bool> = states.map(|state| secret.contains(state)).collect();
                let class = exposable.iter().map(|&secret| u32::from(!secret)).collect();
                ExposedSets { class, max_classes: 1, exposable, threatened: Vec::new(), of_states: false }
            }
            Property::Throughout { .. } | Property::InitialFinal { .. } | Property::OfParts(_) => {
                unreachable!("the property is decided as the opacity of a derived automaton")
            }
        }
    }

    /// The exposed sets without some states, and which states are threatened by what is left. All others are in one class.
    pub(crate) fn without(&self, safe: &[StateId], automaton: &Automaton) -> ExposedSets {
        let mut left = self.clone();
        safe.iter().for_each(|state| left.exposable[state.index()] = false);
        let none = self.class.iter().max().map_or(0, |last| last + 1);
        left.class.iter_mut().zip(&left.exposable).filter(|(_, kept)| !**kept).for_each(|(class, _)| *class = none);
        left.of_states = false;
        left.threatened = left.find_threatened(automaton);
        left
    }

    /// The exposed sets of blocks of states that are all exposable and of one class, or all not.
    pub(crate) fn merged(&self, block: &[u32], n_blocks: usize) -> ExposedSets {
        let mut merged = ExposedSets {
            class: vec![0; n_blocks],
            exposable: vec![false; n_blocks],
            threatened: vec![false; if self.threatened.is_empty() { 0 } else { n_blocks }],
            ..*self
        };
        for (state, &block) in block.iter().enumerate() {
            merged.class[block as usize] = self.class[state];
            merged.exposable[block as usize] = self.exposable[state];
            if let Some(threatened) = merged.threatened.get_mut(block as usize) {
                *threatened |= self.threatened[state];
            }
        }
        merged
    }

    /// The exposed sets of cells. None: some cell lies in an exposed set, but not in one class.
    pub(crate) fn of_cells(&self, cell: &[u32], n_cells: usize) -> Option<ExposedSets> {
        let mut of = ExposedSets {
            class: vec![u32::MAX; n_cells],
            exposable: vec![true; n_cells],
            threatened: Vec::new(),
            of_states: false,
            ..*self
        };
        let mut mixed = vec![false; n_cells];
        for (state, cell) in cell.iter().map(|&cell| cell as usize).enumerate() {
            of.exposable[cell] &= self.exposable[state];
            mixed[cell] |= of.class[cell] != u32::MAX && of.class[cell] != self.class[state];
            of.class[cell] = self.class[state];
        }
        if self.max_classes == 1 {
            of.exposable.iter_mut().zip(&mixed).for_each(|(exposable, mixed)| *exposable &= !mixed);
        } else if of.exposable.iter().zip(&mixed).any(|(exposable, mixed)| *exposable && *mixed) {
            return None;
        }
        Some(of)
    }

    fn find_threatened(&self, automaton: &Automaton) -> Vec<bool> {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); automaton.n_states()];
        automaton.transitions().for_each(|(_, source, step)| rows[step.target.index()].push(source.0));
        let mut threatened = vec![false; automaton.n_states()];
        let mut pending: Vec<u32> =
            automaton.states().filter(|&state| self.can_be_exposed(state)).map(|s| s.0).collect();
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut threatened[state as usize], true) {
                pending.extend(&rows[state as usize]);
            }
        }
        threatened
    }

    /// How many states there are.
    pub(crate) fn n_states(&self) -> usize {
        self.class.len()
    }

    /// Whether every state may be threatened, as far as that was looked at.
    pub(crate) fn threatens_all(&self) -> bool {
        self.threatened.is_empty()
    }

    /// Whether a run from a state may reach one of an exposed set.
    pub(crate) fn is_threatened(&self, state: StateId) -> bool {
        self.threatened.get(state.index()).is_none_or(|&threatened| threatened)
    }

    /// The class of each state, and how many there are: states that cannot be exposed are one class.
    pub(crate) fn partition(&self) -> (Vec<u32>, usize) {
        let none = self.class.iter().max().map_or(0, |last| last + 1);
        let class = |(&class, &kept): (&u32, &bool)| if kept { class } else { none };
        renumbered(self.class.iter().zip(&self.exposable).map(class))
    }

    /// The class of a state.
    pub(crate) fn class(&self, state: StateId) -> u32 {
        self.class[state.index()]
    }

    /// Whether a state lies in some exposed set.
    pub(crate) fn can_be_exposed(&self, state: StateId) -> bool {
        self.exposable[state.index()]
    }

    /// Whether an estimate is exposed: not empty, and inside an exposed set.
    pub(crate) fn exposes(&self, estimate: &StateSet) -> bool {
        let mut classes: Vec<u32> = estimate.iter().map(|state| self.class(state)).collect();
        classes.sort_unstable();
        classes.dedup();
        !classes.is_empty()
            && classes.len() <= self.max_classes
            && estimate.iter().all(|state| self.can_be_exposed(state))
    }
}

/// For each state, whether its class has a member outside a set.
fn outside(class: &[u32], set: &StateSet) -> Vec<bool> {
    let mut has_other = vec![false; class.iter().max().map_or(0, |&last| last as usize + 1)];
    for (state, &class) in class.iter().enumerate() {
        has_other[class as usize] |= !set.contains(StateId::from_index(state));
    }
    class.iter().map(|&class| has_other[class as usize]).collect()
}

/// New numbers in the order of first use, and how many there are.
pub(crate) fn renumbered(old: impl Iterator<Item = u32>) -> (Vec<u32>, usize) {
    let mut numbers = FxHashMap::default();
    let new = old
        .map(|old| {
            let next = numbers.len() as u32;
            *numbers.entry(old).or_insert(next)
        })
        .collect();
    (new, numbers.len())
}
