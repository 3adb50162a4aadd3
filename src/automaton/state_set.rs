//! Sets of states, shared.

use super::StateId;
use rustc_hash::FxBuildHasher;
use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

/// A set of states: sorted, without repeats. It is shared: a copy costs nothing, and comparing two copies neither.
#[derive(Clone, Debug)]
pub struct StateSet {
    states: Arc<[StateId]>,
    /// The hash of the states, so that a set that is looked up often is read once.
    hash: u64,
}

impl StateSet {
    /// The states of the set, sorted.
    pub fn as_slice(&self) -> &[StateId] {
        &self.states
    }

    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Whether it holds this state.
    pub fn contains(&self, state: StateId) -> bool {
        self.states.binary_search(&state).is_ok()
    }

    /// The states of the set, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + '_ {
        self.states.iter().copied()
    }

    /// A set of states that are sorted and have no repeats.
    fn from_sorted(states: Vec<StateId>) -> StateSet {
        let hash = FxBuildHasher.hash_one(&states);
        StateSet { states: states.into(), hash }
    }
}

impl Default for StateSet {
    fn default() -> StateSet {
        StateSet::from_sorted(Vec::new())
    }
}

impl PartialEq for StateSet {
    fn eq(&self, other: &StateSet) -> bool {
        Arc::ptr_eq(&self.states, &other.states) || (self.hash == other.hash && self.states == other.states)
    }
}

impl Eq for StateSet {}

impl Hash for StateSet {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

impl PartialOrd for StateSet {
    fn partial_cmp(&self, other: &StateSet) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for StateSet {
    fn cmp(&self, other: &StateSet) -> Ordering {
        self.states.cmp(&other.states)
    }
}

impl FromIterator<StateId> for StateSet {
    fn from_iter<I: IntoIterator<Item = StateId>>(states: I) -> StateSet {
        let mut states: Vec<StateId> = states.into_iter().collect();
        if !states.is_sorted_by(|one, next| one < next) {
            states.sort_unstable();
            states.dedup();
        }
        StateSet::from_sorted(states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(states: &[u32]) -> StateSet {
        states.iter().copied().map(StateId).collect()
    }

    #[test]
    fn a_set_is_told_by_its_members() {
        assert_eq!(set(&[3, 1, 3]), set(&[1, 3]));
        assert_ne!(set(&[1]), set(&[1, 3]));
        assert_eq!((set(&[]), set(&[1, 3]).contains(StateId(3))), (StateSet::default(), true));
        assert!(set(&[1, 3]) < set(&[2]));
    }

    #[test]
    fn a_copy_is_the_same_memory() {
        let set = set(&[1, 2]);
        assert!(std::ptr::eq(set.as_slice(), set.clone().as_slice()));
    }
}
