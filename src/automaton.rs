//! The automaton: a frozen, compact table that names nothing.
//!
//! G = (X, Σ, δ, X0) of the paper. States and events are 32-bit ids; what they are called and where they are declared
//! stands in side tables of the [`Model`](crate::model::Model), under the same ids. [`Builder`] is loose and mutable, the
//! [`Automaton`] strict and immutable.

pub(crate) mod combinations;
pub mod product;
pub(crate) mod union_find;
mod state_set;
pub mod view;

pub use state_set::StateSet;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into a side table.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of an index.
            pub fn from_index(index: usize) -> $name {
                $name(u32::try_from(index).expect("tables are limited to 2^32 rows"))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}
pub(crate) use id;

id! {
    /// A state.
    StateId
}
id! {
    /// An event.
    EventId
}
id! {
    /// A transition: its place in the table.
    TransitionId
}

/// One transition as seen from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// The event.
    pub event: EventId,
    /// The state it leads to.
    pub target: StateId,
}

/// A finite automaton, frozen: built once by [`Builder`], then only read.
///
/// The steps that leave state `s` are `steps[rows[s]..rows[s + 1]]`.
//
// INVARIANT: `rows.len() == n_states + 1`, `rows` never decreases, its last entry is `steps.len()`.
// INVARIANT: a row is sorted by `(event, target)` and has no repeats.
// INVARIANT: `initial` is sorted and has no repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    n_events: u32,
    initial: Vec<StateId>,
    rows: Vec<u32>,
    steps: Vec<Step>,
}

impl Automaton {
    /// An automaton whose transitions come sorted by source, event and target, without repeats. Cost: one pass.
    pub(crate) fn from_sorted(
        n_states: usize,
        n_events: usize,
        initial: impl IntoIterator<Item = u32>,
        transitions: impl IntoIterator<Item = (StateId, Step)>,
    ) -> Automaton {
        let mut rows = vec![0u32; n_states + 1];
        let mut steps = Vec::new();
        for (source, step) in transitions {
            rows[source.index() + 1] += 1;
            steps.push(step);
        }
        for at in 1..rows.len() {
            rows[at] += rows[at - 1];
        }
        let initial: StateSet = initial.into_iter().map(StateId).collect();
        let automaton = Automaton { n_events: n_events as u32, initial: initial.as_slice().to_vec(), rows, steps };
        debug_assert!(automaton.states().all(|state| automaton.steps(state).is_sorted_by(|a, b| a < b)));
        automaton
    }

    /// |X|.
    pub fn n_states(&self) -> usize {
        self.rows.len() - 1
    }

    /// |Σ|.
    pub fn n_events(&self) -> usize {
        self.n_events as usize
    }

    /// How many transitions there are.
    pub fn n_transitions(&self) -> usize {
        self.steps.len()
    }

    /// X, in order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + use<> {
        (0..self.n_states() as u32).map(StateId)
    }

    /// Σ, in order.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = EventId> + ExactSizeIterator + use<> {
        (0..self.n_events).map(EventId)
    }

    /// X0, sorted.
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }

    /// Whether a state is in X0.
    pub fn is_initial(&self, state: StateId) -> bool {
        self.initial.binary_search(&state).is_ok()
    }

    /// The transitions that leave a state, sorted by event and target.
    pub fn steps(&self, state: StateId) -> &[Step] {
        &self.steps[self.row(state)]
    }

    /// δ(state, event), sorted by target.
    pub fn successors(&self, state: StateId, event: EventId) -> &[Step] {
        let row = self.steps(state);
        let start = row.partition_point(|step| step.event < event);
        let end = row.partition_point(|step| step.event <= event);
        &row[start..end]
    }

    /// All transitions in table order, with their ids and sources.
    pub fn transitions(&self) -> impl Iterator<Item = (TransitionId, StateId, Step)> + '_ {
        self.states()
            .flat_map(move |source| self.row(source).map(move |at| (TransitionId(at as u32), source, self.steps[at])))
    }

    /// The id of a transition, if it is one.
    pub fn find(&self, source: StateId, event: EventId, target: StateId) -> Option<TransitionId> {
        let row = self.row(source);
        let at = self.steps[row.clone()].binary_search(&Step { event, target }).ok()?;
        Some(TransitionId::from_index(row.start + at))
    }

    fn row(&self, state: StateId) -> std::ops::Range<usize> {
        self.rows[state.index()] as usize..self.rows[state.index() + 1] as usize
    }
}

/// Collects states, events and transitions in any order; [`Builder::freeze`] makes the table.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    n_states: u32,
    n_events: u32,
    initial: Vec<StateId>,
    transitions: Vec<(StateId, Step)>,
}

impl Builder {
    /// A builder of an automaton with this many states and events, and nothing else yet.
    pub fn new(n_states: usize, n_events: usize) -> Builder {
        let fits = |n: usize| u32::try_from(n).expect("tables are limited to 2^32 rows");
        Builder { n_states: fits(n_states), n_events: fits(n_events), ..Builder::default() }
    }

    /// Adds a state.
    pub fn state(&mut self) -> StateId {
        self.n_states += 1;
        StateId(self.n_states - 1)
    }

    /// Adds an event.
    pub fn event(&mut self) -> EventId {
        self.n_events += 1;
        EventId(self.n_events - 1)
    }

    /// Makes a state initial.
    pub fn initial(&mut self, state: StateId) {
        self.initial.push(state);
    }

    /// Adds a transition.
    pub fn transition(&mut self, source: StateId, event: EventId, target: StateId) {
        self.transitions.push((source, Step { event, target }));
    }

    /// How many transitions were added so far.
    pub fn len(&self) -> usize {
        self.transitions.len()
    }

    /// Whether no transition was added yet.
    pub fn is_empty(&self) -> bool {
        self.transitions.is_empty()
    }

    /// Sorts and removes repeats.
    pub fn freeze(mut self) -> Automaton {
        self.initial.sort_unstable();
        self.initial.dedup();
        self.transitions.sort_unstable();
        self.transitions.dedup();
        let mut rows = vec![0u32; self.n_states as usize + 1];
        for &(source, _) in &self.transitions {
            rows[source.index() + 1] += 1;
        }
        for at in 1..rows.len() {
            rows[at] += rows[at - 1];
        }
        let steps = self.transitions.into_iter().map(|(_, step)| step).collect();
        Automaton { n_events: self.n_events, initial: self.initial, rows, steps }
    }
}

impl From<&Automaton> for Builder {
    /// A builder that has all that the automaton has.
    fn from(automaton: &Automaton) -> Builder {
        let transitions = automaton.transitions().map(|(_, source, step)| (source, step)).collect();
        let (n_states, n_events) = (automaton.n_states() as u32, automaton.n_events);
        Builder { n_states, n_events, initial: automaton.initial.clone(), transitions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freezing_sorts_rows_and_removes_repeats() {
        let mut builder = Builder::new(3, 2);
        builder.transition(StateId(2), EventId(1), StateId(0));
        builder.transition(StateId(0), EventId(1), StateId(2));
        builder.transition(StateId(0), EventId(0), StateId(1));
        builder.transition(StateId(0), EventId(1), StateId(2));
        builder.initial(StateId(1));
        builder.initial(StateId(0));
        let automaton = builder.freeze();
        assert_eq!(automaton.n_transitions(), 3);
        assert_eq!(automaton.initial(), [StateId(0), StateId(1)]);
        assert_eq!(automaton.successors(StateId(0), EventId(1)), [Step { event: EventId(1), target: StateId(2) }]);
        assert_eq!(automaton.find(StateId(2), EventId(1), StateId(0)), Some(TransitionId(2)));
        assert_eq!(automaton.find(StateId(1), EventId(1), StateId(0)), None);
        assert_eq!(Builder::from(&automaton).freeze(), automaton);
    }
}
