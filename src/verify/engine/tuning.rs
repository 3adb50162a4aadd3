//! The configuration of the engine: which methods it uses, and every figure that it was tuned with.
//!
//! The fields of [`Tuning`] can be set by tests and benchmarks; users cannot set them. The associated constants are fixed.
//! Each names the rows of `benches/engine` (or `benches/limits`) that justify it: change one, and run these rows first.

use std::time::Duration;

/// Which methods are used, and their most important figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Only ⊆-minimal sets are kept. Rows: random with twins, `plain`.
    pub antichain: bool,
    /// In phase 2, a pair whose hypotheses include the actual run is dropped. Rows: incomparable.
    pub identity: bool,
    /// In phase 1, actual states with a twin in their estimate are dropped. Rows: random with twins, location grid.
    pub twins: bool,
    /// In phase 2, actual states that a hypothesis simulates are dropped. Rows: interleaved users.
    pub simulation: bool,
    /// Phase 2 is also searched backward. Rows: twins, edges cut.
    pub backward: bool,
    /// Phase 2 is searched forward. Rows: weak: roles.
    pub forward: bool,
    /// The two-way observer runs beside the search. Rows: random, dense; every state initial.
    pub two_way: bool,
    /// Work for each state and transition that the two-way observer may do before anything else. Rows: users in a ring.
    pub probe_work: u64,
    /// The work of the first slice, when several methods take turns. Rows: twins, edges cut; incomparable.
    pub first_slice: u64,
    /// The strong view is searched before the weak one: an exposure there is one here. Rows: weak: ballots, no doubles.
    pub strong_first: bool,
    /// A weak view in which no agent acts twice is searched as a strong one. Rows: weak: ballots, no doubles.
    pub acts_once: bool,
    /// Equivalent states are merged in models of at least this many states. Rows: Crowds 30; users in a ring.
    pub quotient_from: usize,
    /// Cells are looked for after so much work for each state and transition; `u64::MAX`: never. Rows: `benches/parts`, onions and
    /// batch mix; users in a ring.
    pub cells_after: u64,
    /// After this many post-images a table computes them, and estimates are tested in blocks; `u32::MAX`: never. Rows: twins,
    /// edges cut 180; incomparable 18.
    pub post_table_from: u32,
    /// This many estimates are expanded breadth first; then small and early ones first. Rows: weak: roles.
    pub breadth_first: usize,
    /// The work of all slices after which a search ends, as if its time were over.
    pub turn: u64,
    /// The work after which an exposure with few observations is looked for beside the portfolio; `u64::MAX`: never. Rows: weak: roles;
    /// random, dense; incomparable 18.
    pub lookout_from: u64,
    /// Each of its turns has so many hundredths of the work that was done.
    pub lookout_percent: u64,
    /// The work after which an exposure is looked for best first; `u64::MAX`: never. Rows: random automata.
    pub best_first_from: u64,
    /// Each of its turns has so many hundredths of the work that was done.
    pub best_first_percent: u64,
    /// Under `among N`, a weak view in which an estimate has so many choices of classes follows what survives of each class instead;
    /// `u64::MAX`: never. Rows: weak, among 5.
    pub bundles_from: u64,
    /// The work for the distance itself where only a violation is asked for, and one is known. Rows: weak: roles.
    pub distance_work: u64,
    /// The work of all slices, about half a second, after which all threads share one search; `u64::MAX`: never. Rows:
    /// `benches/engine -- threads`.
    pub share_from: u64,
    /// The work of the first turn of a search on a product that is built; then its parts have a turn. Rows: `benches/parts`.
    pub first_turn: u64,
    /// The parts of a product with at least this many states and transitions have the first turn. Rows: `benches/parts`, dining
    /// cryptographers 9.
    pub parts_first_from: u64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            antichain: true,
            identity: true,
            twins: true,
            simulation: true,
            backward: true,
            forward: true,
            two_way: true,
            probe_work: 2,
            first_slice: 5_000,
            strong_first: true,
            acts_once: true,
            quotient_from: 64,
            cells_after: 4,
            post_table_from: 100,
            breadth_first: 256,
            turn: u64::MAX,
            lookout_from: 4_000_000,
            lookout_percent: 20,
            best_first_from: 1_000_000,
            best_first_percent: 25,
            bundles_from: 64,
            distance_work: 2_000_000,
            share_from: 20_000_000,
            first_turn: 400_000,
            parts_first_from: 10_000,
        }
    }
}

impl Tuning {
    /// The two phases alone: no pruning, no second method.
    pub fn none() -> Tuning {
        Tuning {
            antichain: false,
            identity: false,
            twins: false,
            simulation: false,
            backward: false,
            two_way: false,
            strong_first: false,
            acts_once: false,
            quotient_from: usize::MAX,
            cells_after: u64::MAX,
            post_table_from: u32::MAX,
            breadth_first: usize::MAX,
            lookout_from: u64::MAX,
            share_from: u64::MAX,
            best_first_from: u64::MAX,
            bundles_from: u64::MAX,
            ..Tuning::default()
        }
    }
}

/// Scheduling of searches and of methods.
impl Tuning {
    /// When a system has several searches, the time of the first attempt at each; enough for every row but `sparse, twins`.
    pub(crate) const FIRST_ATTEMPT: Duration = Duration::from_millis(250);
    /// The share of the time limit that all first attempts may use together is one in this many.
    pub(crate) const FIRST_ATTEMPT_SHARE: u32 = 2;
    /// Each slice is longer than the one before by one part in this many, so that no method runs long after another could
    /// have answered. Rows: twins, edges cut; random, dense.
    pub(crate) const SLICE_GROWTH: u64 = 4;
    /// Slices shorter than this many first slices are not worth a thread. Rows: incomparable 18.
    pub(crate) const THREADED_SLICE: u64 = 20;
    /// The share of the probe that is spent before states are merged is one in this many: what holds has a smaller proof
    /// on the quotient. Rows: Crowds 30; users in a ring.
    pub(crate) const PROBE_BEFORE_QUOTIENT: u64 = 8;
    /// Work for each state and transition that a search on both sides of the cells may do. Rows: `benches/parts`, batch mix.
    pub(crate) const SIDES_WORK: u64 = 8;
    /// A view with at least this many states and transitions, and several checks, has its cells looked for after the probe. Rows:
    /// `benches/parts`, batch mix.
    pub(crate) const SHARED_SIDES_FROM: u64 = 10_000;
    /// The same work for this many more, so that nothing small is delayed. Rows: random, dense; permutations 20.
    pub(crate) const CELLS_FREE_SIZE: u64 = 500_000;
    /// Bytes for each state and transition of the strong view, an upper estimate. Rows: sparse, in `benches/limits`.
    pub(crate) const STRONG_VIEW_BYTES: u64 = 64;
    /// Bytes for each state and transition of an automaton while another is derived from it, an upper estimate.
    pub(crate) const DERIVED_BYTES: u64 = 64;
}

/// Representation of views and sets.
impl Tuning {
    /// Views with at most this many states use dense sets. Rows: users in a ring 8; interleaved users 7.
    pub(crate) const MAX_DENSE_STATES: usize = 4_096;
    /// A larger post table does not fit the cache, and is slower than the transitions. Rows: every state initial 400.
    pub(crate) const POST_TABLE_MAX_WORDS: usize = 1 << 17;
    /// The most words of a post table that are read for one set, for each transition. Rows: random, dense.
    pub(crate) const POST_TABLE_WORDS_PER_MOVE: usize = 2;
    /// How many times faster a post table is than the transitions. Rows: twins, edges cut.
    pub(crate) const POST_TABLE_SPEEDUP: u32 = 8;
    /// Hypotheses of a weak estimate between two looks at the limits. Rows: weak: roles, in `benches/limits`.
    pub(crate) const HYPOTHESES_PER_LOOK: usize = 512;
    /// The limits are looked at after the post-image of a set larger than this. Rows: weak: roles, in `benches/limits`.
    pub(crate) const LARGE_SET: u64 = 4_096;
}

/// Antichains.
impl Tuning {
    /// Subset tests before their success is measured. Rows: incomparable 14.
    pub(crate) const ANTICHAIN_FREE_TESTS: u64 = 20_000;
    /// Subset tests that each set may cost: about what it costs to compute it. Rows: incomparable 18.
    pub(crate) const ANTICHAIN_TESTS_PER_SET: u64 = 64;
    /// Subset tests that each successful one may cost. Rows: twins, edges cut; incomparable 18.
    pub(crate) const ANTICHAIN_TESTS_PER_SUCCESS: u64 = 4_000;
    /// How many recent subsumers are kept. Rows: incomparable 18.
    pub(crate) const RECENT_SUBSUMERS: usize = 32;
    /// Summaries that are compared in the time of one subset test. Rows: random, dense.
    pub(crate) const SUMMARIES_PER_TEST: u64 = 8;
    /// Redundant sets are removed when there are more than this many. Rows: twins, edges cut.
    pub(crate) const MIN_REDUNDANT: usize = 64;
}

/// The two-way observer and the exposure test.
impl Tuning {
    /// The work of computing and interning a set. Rows: random, dense; every state initial.
    pub(crate) const OBSERVER_SET_WORK: u64 = 12;
    /// Estimates that are tested one by one in one step. Rows: sparse, early violation.
    pub(crate) const ESTIMATES_PER_TEST: usize = 1_024;
    /// Estimates that are tested one by one in one unit of work. Rows: sparse, early violation.
    pub(crate) const ESTIMATES_PER_WORK: u64 = 4;
    /// Blocks of estimates that are tested in one step. Rows: twins, edges cut.
    pub(crate) const BLOCKS_PER_TEST: usize = 16;
    /// The work of testing a block. Rows: twins, edges cut; every state initial.
    pub(crate) const BLOCK_WORK: u64 = 8;
}

/// Simulation games and pruning.
impl Tuning {
    /// Work on games for each state and transition before the search has done any. Rows: location grid 100; ballots 11.
    pub(crate) const GAME_WORK_PER_SIZE: u64 = 8;
    /// Further work on games, for the smallest models. Rows: permutations 20; n-th letter from the end 18.
    pub(crate) const GAME_FREE_WORK: u64 = 2_000;
    /// Steps of the search for each unit of further work on games. Rows: incomparable; weak: roles.
    pub(crate) const SEARCH_STEPS_PER_GAME_WORK: u64 = 2;
    /// Work on permutations for each step of the search. Rows: weak: roles 5.
    pub(crate) const PERMUTATION_WORK_PER_STEP: u64 = 1;
    /// How many times more a static view may spend on permutations than on games at first. Rows: interleaved users.
    pub(crate) const STATIC_PERMUTATION_SHARE: u64 = 8;
    /// The same of a weak view. Rows: weak: relay 20, and how far `reach` gets with relays.
    pub(crate) const WEAK_PERMUTATION_SHARE: u64 = 48;
    /// The cost of a step of a game on a weak view, in steps on a static view. Rows: weak: roles.
    pub(crate) const WEAK_GAME_COST: u64 = 32;
    /// The cost of a unit of game work, in steps of the search. Rows: random, dense; incomparable.
    pub(crate) const SEARCH_STEPS_PER_GAME_STEP: u64 = 16;
    /// Work on a game between two looks at the limits. Rows: sparse, twins, in `benches/limits`.
    pub(crate) const GAME_SLICE: u64 = 25_000;
    /// The most hypotheses of one estimate that are ranked. Rows: sparse, twins; random with twins 10000.
    pub(crate) const MAX_RANKED: usize = 512;
    /// The most tuples of hypotheses that are tried, or that reply together, for `among N`. Rows: the laws of `among N`.
    pub(crate) const MAX_TUPLES: usize = 64;
    /// The most hypotheses with which a tuple is extended. Rows: the laws of `among N`.
    pub(crate) const MAX_EXTENSIONS: usize = 8;
    /// The most permutations that are tried. Rows: weak: relay 20; weak: agents 40.
    pub(crate) const MAX_PERMUTATIONS: usize = 256;
    /// The depth of colour refinement, in models of up to [`Tuning::LARGE_MODEL`] states. Rows: random with twins.
    pub(crate) const COLOUR_DEPTH: usize = 8;
    /// The depth in larger ones. Rows: sparse, twins.
    pub(crate) const LARGE_COLOUR_DEPTH: usize = 4;
    /// Models with more states are large. Rows: sparse, twins.
    pub(crate) const LARGE_MODEL: usize = 50_000;
}

/// The exposure with the fewest observations.
impl Tuning {
    /// Each of the turns of its search beside the portfolio is so many times longer than the one before. Rows: weak: roles.
    pub(crate) const LOOKOUT_GROWTH: u64 = 2;
    /// A turn of the best-first search comes after so many times the work of the one before. Rows: random automata.
    pub(crate) const BEST_FIRST_GROWTH: u64 = 3;
    /// The choices of classes of one estimate that it follows, under `among N`. Rows: the laws of `among N`.
    pub(crate) const BEST_FIRST_CHOICES: usize = 64;
    /// How many times the work of the verdict may be spent. Rows: twins, edges cut; roles.
    pub(crate) const FEWEST_WORK_SHARE: u64 = 2;
    /// Further work, for what is decided at once. Rows: no doubles; sparse, early violation.
    pub const FEWEST_FREE_WORK: u64 = 200_000;
    /// How many times the work of the verdict may be spent on exposures of other kinds, which somebody asked for.
    pub(crate) const FURTHER_WORK_SHARE: u64 = 16;
    /// Further work on them.
    pub const FURTHER_FREE_WORK: u64 = 5_000_000;
}

/// Keeping some of the parts of a system.
impl Tuning {
    /// The most states of the product of kept parts. Rows: `benches/parts`, dining cryptographers 1200.
    pub(crate) const SMALL_STATES: usize = 400_000;
    /// The most sets of parts that are tried for one question. Rows: `benches/parts`.
    pub(crate) const MOST_PART_SETS: usize = 64;
    /// The most moves of parts that are left out, of a weaker intruder under Pw. Rows: `benches/parts`.
    pub(crate) const FREE_MOVES: usize = 4_000_000;
    /// The work for one set of parts and one intruder. Rows: `benches/parts`.
    pub(crate) const PART_SET_WORK: u64 = 4_000_000;
    /// The work for all sets of parts of one question: then the whole product is built. Rows: `benches/parts`.
    pub(crate) const PART_SETS_WORK: u64 = 40_000_000;
    /// Each turn is so many times longer than the one before. Rows: `benches/parts`.
    pub(crate) const TURN_GROWTH: u64 = 8;
    /// One search on some parts may take so many parts of a turn. Rows: `benches/parts`.
    pub(crate) const SEARCHES_PER_TURN: u64 = 8;
    /// The single parts that are tried first where a question mentions none. Rows: `benches/parts`.
    pub(crate) const FIRST_PARTS: usize = 8;
}

/// The quotient.
impl Tuning {
    /// The quotient is used when it has at most this many eighths of the states. Rows: users in a ring; Crowds.
    pub(crate) const QUOTIENT_EIGHTHS: usize = 7;
    /// Work for each state and transition. Rows: users in a ring; interleaved users 7.
    pub(crate) const QUOTIENT_WORK_PER_SIZE: u64 = 64;
    /// Bytes for each state and transition, an upper estimate. Rows: users, in `benches/limits`.
    pub(crate) const QUOTIENT_BYTES: u64 = 64;
    /// Work between two looks at the limits. Rows: users, in `benches/limits`.
    pub(crate) const QUOTIENT_WORK_PER_LOOK: u64 = 100_000;
}

/// Proofs.
impl Tuning {
    /// Proofs of more work are built only on request: a member of a set is one unit. Rows: the column `of it proof`.
    pub(crate) const FREE_PROOF_WORK: u64 = 100_000;
    /// A long search may have a long proof: one more unit for this many of its steps. Rows: every state initial.
    pub(crate) const SEARCH_STEPS_PER_PROOF_WORK: u64 = 16;
    /// Proofs with more seeds are built only on request. Rows: sparse, twins.
    pub(crate) const FREE_PROOF_SEEDS: usize = 200_000;
    /// Subset tests before their success is measured. Rows: incomparable 18.
    pub(crate) const PROOF_FREE_TESTS: u64 = 500_000;
    /// Subset tests that each successful one may cost. Rows: incomparable 18.
    pub(crate) const PROOF_TESTS_PER_SUCCESS: u64 = 1_000;
    /// Pairs that are compared when tests rarely succeed. Rows: incomparable 18.
    pub(crate) const PROOF_FEW_TESTS: usize = 32;
    /// Work between two counts of the bytes of tables. Rows: random with twins; `benches/limits`.
    pub(crate) const PROOF_WORK_PER_COUNT: u64 = 1_000;
    /// Work between two looks at the limits. Rows: `benches/limits`.
    pub(crate) const PROOF_WORK_PER_LOOK: u64 = 100_000;
}
