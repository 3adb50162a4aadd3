//! What the engine may use, and the figures that it is tuned with.

/// Which ways of pruning are used. Tests switch them off one by one; users cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Only minimal sets are kept.
    pub antichain: bool,
    /// A pair whose rivals hold the run's own double is dropped in phase 2.
    pub own: bool,
    /// Lefts with a twin in their estimate are dropped in phase 1.
    pub twins: bool,
    /// Lefts that some rival simulates are dropped in phase 2.
    pub simulation: bool,
    /// Phase 2 is also searched from behind.
    pub behind: bool,
    /// Phase 2 is searched from the front.
    pub front: bool,
    /// Both observers are built whole beside the search.
    pub two_way: bool,
    /// Work for each state and transition that both observers may do before anything else.
    pub head_start: u64,
    /// How much work the first turn is, when several ways take turns.
    pub first_turn: u64,
    /// The strong view is looked at before the weak one: what exposes there exposes here.
    pub strong_first: bool,
    /// From how many states on those that are alike are merged first.
    pub merged_from: usize,
    /// After how many images a table makes them, and whether estimates are tested many at a time; `u32::MAX`: never.
    pub tables_from: u32,
    /// So many estimates are expanded in the order in which they were met; then small and early ones first.
    pub in_order: usize,
}

/// Smaller models are decided before alike states are found.
const MERGED_FROM: usize = 64;

/// So many images cost as much as a table of them.
const TABLES_FROM: u32 = 100;

/// Models with no more estimates than this have the shortest α.
const IN_ORDER: usize = 256;

/// Enough for models that have few estimates.
const HEAD_START: u64 = 2;

/// Most small models are decided in one turn of this much work.
const FIRST_TURN: u64 = 5_000;

impl Default for Switches {
    fn default() -> Switches {
        Switches {
            antichain: true,
            own: true,
            twins: true,
            simulation: true,
            behind: true,
            front: true,
            two_way: true,
            head_start: HEAD_START,
            first_turn: FIRST_TURN,
            strong_first: true,
            merged_from: MERGED_FROM,
            tables_from: TABLES_FROM,
            in_order: IN_ORDER,
        }
    }
}

impl Switches {
    /// Nothing but the two phases.
    pub fn none() -> Switches {
        Switches {
            antichain: false,
            own: false,
            twins: false,
            simulation: false,
            behind: false,
            front: true,
            two_way: false,
            head_start: HEAD_START,
            first_turn: FIRST_TURN,
            strong_first: false,
            merged_from: usize::MAX,
            tables_from: u32::MAX,
            in_order: usize::MAX,
        }
    }
}
