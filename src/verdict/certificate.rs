//! Proofs that a property holds, as plain data, and a checker that shares no code with the search.
//!
//! # What is proved
//!
//! S(α) are the runs that look like α, E(α|αβ) those of them that go on to look like αβ; no E(α|αβ) with |β| up to the
//! horizon may be exposed. In terms of beliefs: from every pair (x, S), x the actual state and S the hypotheses, take the
//! delay branch (x, R), R = UR(S \ D), for each exposed set D that contains x; then R never becomes empty while x moves on.
//!
//! # What a certificate says
//!
//! It is an inductive invariant. `estimates` are pairs (x, S), `layers` are pairs (x, R), and every move and every delay
//! branch of every pair carries a [`Cover`] that says *what covers* the pair that it leads to, so that the checker never
//! searches:
//!
//! - a pair of the certificate with the same actual state and a subset (and a layer that is not later);
//! - *twins*: hypotheses in S that always reply to every move of x, and stay in classes other than those of x and each
//!   other;
//! - a *simulation*: a hypothesis in R that always replies to every move of x;
//! - a *ρ-simulation*: a hypothesis that replies to each label a of x with ρ(a), for a fixed permutation ρ;
//! - the *identity*: the hypothesis that is identical to the actual run.
//!
//! Up to a horizon K a pair of `layers` has a layer d: it claims that nothing is exposed within K - d more observed moves, and
//! pairs at d = K need no covers of observed moves. Without a horizon every d is 0. Instead of `layers` there may be
//! `backward`: pairs (x, R) with R a subset of the states that can show some β, in the reversed automaton; then no S ∩ R of
//! one x may be exposed.
//!
//! # Why covering is sound
//!
//! *Subsets.* The successors of S grow with S. So if S' ⊆ S, an exposure that (x, S) leads to, (x, S') leads to as well, no
//! later: proving the smaller pair safe proves the larger one. For the same reason a set of the certificate may leave out
//! hypotheses. The checker only asks that members *are* justified, never that all are there.
//!
//! *Hypotheses with a history.* Under Pw two runs look alike iff at each position the label is new in both, or old in both
//! with the same first position. Let V be the anonymous labels that the actual run has used and σ (injective) the label that
//! another run used in place of each. A hypothesis (y, π, F) of an actual state (x, U) *represents* (y, σ) if
//! (1) U ⊆ V, and no label of V \ U can be reached from x;
//! (2) for a in U, π(a) = σ(a), or y cannot reach σ(a) and π(a) is `DEAD`;
//! (3) every label of the range of σ that y can reach is in the range of π or in F.
//! If x does a: by (1) a is old iff a is in U. If it is old, y does π(a), which by (2) is what the other run must do. If it is
//! new, y does some b outside the range of π and F; y does b, so it can reach b, so by (3) b is new for the other run, too. So
//! each reply of a hypothesis is a reply of the run that it represents, and the hypothesis after it, without what is
//! out of reach, represents that run again. A set of hypotheses that is not empty therefore means a set of runs that is not
//! empty. Conversely nothing is lost: (1) to (3) hold with equality for what the successor function computes, so a run has its
//! hypothesis, which is what [`Violation`] relies on.
//!
//! *Twins.* If S contains twins of x, they stay in every later S, each outside the class of x and of each other. An exposed
//! set D that contains x has fewer classes than x and its twins together, so one of them is in R, and it always replies.
//!
//! *ρ-simulations.* A hypothesis (y, π, F) with π = ρ on U, and F without ρ(a) for each a that x may still do for the first
//! time: ρ is injective, so ρ(a) is new for y when a is new for x, and both conditions hold again after the move.
//!
//! *Blocks.* States of one class that, after silent moves inside their block, can do the same up to blocks. Every run has its
//! run of blocks, and every run of blocks can be done from each member of its first block. So S(α) and E(α|αβ) have the same
//! blocks as those of the quotient; every block lies in one class, so one is exposed iff the other is.
//!
//! *Cells.* E(α|αβ) holds all states of a cell or none (`cells.rs`), so a state whose cell no exposed set contains is in no
//! estimate that is exposed: leaving it out of every exposed set changes nothing. A run that can reach no state of an exposed set
//! needs no proof.
//!
//! *Sides.* S(α) is a set of pasts and R(β) a set of futures, so both are computed on blocks, and E(α|αβ) is what the cells of both
//! have in common (`sides.rs`). Such a proof names every set of either side.
//!
//! *Once.* If no run has two acts of one agent, every agent is new at each position where it acts, so two runs look alike under Pw
//! iff their labels agree, which is Pstr: S(α) and E(α|αβ) are the same under both, and a proof under Pstr is one under Pw.
//!
//! *Backward.* x with its estimate is covered by (x, S), what it goes on to show by (x, R). If the delayed estimate were
//! inside an exposed set D, then D would contain x and S ∩ R.
//!
//! Cost: one successor set for each set and label, one walk along two sorted lists for each cover. Backward there is also
//! one walk for each pair of an estimate and a set that share a state.

mod backward;
mod cells;
pub(crate) mod checker;
mod derivation;
pub mod document;
mod form;
mod hypotheses;
pub(crate) mod kept;
mod labels;
mod meaning;
pub(crate) mod model;
mod once;
mod quotient;
mod read;
mod sides;
mod simulation;
mod violation;
mod write;

use crate::resources::Stop;
pub use checker::check;
pub use model::{Actual, Hypothesis};
pub use read::read;
pub use violation::{Violation, check_violation};
pub use write::{with_checksum, write};

/// Why a proof is not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is no proof: what is wrong with it.
    Wrong(String),
    /// A limit was reached before it was read and checked.
    Stopped(Stop),
}

impl Refused {
    /// The same, with the place where it is wrong.
    pub(super) fn at(self, place: impl std::fmt::Display) -> Refused {
        match self {
            Refused::Wrong(fault) => Refused::Wrong(format!("{place}{fault}")),
            stopped => stopped,
        }
    }
}

impl From<Stop> for Refused {
    fn from(stop: Stop) -> Refused {
        Refused::Stopped(stop)
    }
}

impl From<String> for Refused {
    fn from(fault: String) -> Refused {
        Refused::Wrong(fault)
    }
}

impl From<&str> for Refused {
    fn from(fault: &str) -> Refused {
        Refused::Wrong(fault.to_owned())
    }
}

/// A proof that nothing is exposed. States, labels, classes and indices into the lists here are numbers from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// For all |β| up to this; none: for all β.
    pub horizon: Option<u64>,
    /// Only α = ε, over X0 itself.
    pub initial: bool,
    /// Under Pw: no agent acts twice, and what follows is a proof under Pstr.
    pub once: bool,
    /// The past and the future of each state: what follows is about the exposed sets without the states that these save.
    pub cells: Option<Cells>,
    /// In place of all that follows: the sets of pasts and futures between which nothing is exposed.
    pub sides: Option<Sides>,
    /// The block of each state, numbered in the order of their first states; then blocks take the place of states in what
    /// follows. None: no states are merged.
    pub blocks: Option<Vec<u32>>,
    /// Actual states. Empty in a view without history: there an actual state is a state.
    pub actuals: Vec<Actual>,
    /// Hypotheses. Empty in a view without history: there a hypothesis is a state.
    pub hypotheses: Vec<Hypothesis>,
    /// Sets of hypotheses, each sorted.
    pub sets: Vec<Vec<u32>>,
    /// The covers of the start: for each state of UR(X0) in order; for `initial`, for each delay branch of each state of X0.
    pub start: Vec<Cover>,
    /// Minimal estimates that no twins cover.
    pub estimates: Vec<Pair>,
    /// Minimal pairs of phase 2 that no simulation covers.
    pub layers: Vec<Pair>,
    /// In place of `layers`: for each state in order the cover of the state with the set of all states, and the pairs.
    pub backward: Option<(Vec<Cover>, Vec<Pair>)>,
    /// Twins.
    pub twins: Vec<Position>,
    /// Simulations by one hypothesis.
    pub simulations: Vec<Position>,
    /// Permutations of labels: the image of each label, and whether its steps are class-avoiding.
    pub permutations: Vec<(Vec<u32>, bool)>,
    /// ρ-simulations.
    pub permutation_steps: Vec<PermutationStep>,
}

/// Two partitions of the states, each numbered in the order of first states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// States with the same number are reached by the same strings.
    pub past: Vec<u32>,
    /// States with the same number can show the same.
    pub future: Vec<u32>,
}

/// Every estimate, and every set that can show some β.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// S(α) for every α, as sets of pasts.
    pub estimates: Vec<Vec<u32>>,
    /// The sets of states that can show some β, as sets of futures, and the least |β|.
    pub backward: Vec<(Vec<u32>, u64)>,
}

/// An actual state and a set, with the covers of the pairs that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The actual state.
    pub actual: u32,
    /// The index of the set.
    pub set: u32,
    /// The layer d.
    pub layer: u64,
    /// One for each move in the order of label and target, then one for each delay branch in the order of the exposed sets.
    pub covers: Vec<Cover>,
}

/// Hypotheses that simulate an actual state together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The actual state.
    pub actual: u32,
    /// The hypotheses.
    pub hypotheses: Vec<u32>,
    /// The position of the same list that replies to each move.
    pub covers: Vec<Cover>,
}

/// A state that simulates another under a permutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermutationStep {
    /// The index of the permutation.
    pub permutation: u32,
    /// The state of the actual run.
    pub actual: u32,
    /// The state of the hypothesis.
    pub hypothesis: u32,
    /// The index of the step that replies to each move of `actual`.
    pub next: Vec<u32>,
}

/// What covers a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cover {
    /// A pair of the same phase; of a delay branch, a pair of `layers`.
    Pair(u32),
    /// Twins in the set.
    Twins(u32),
    /// A simulation by a hypothesis in the set.
    Simulation(u32),
    /// A step of a ρ-simulation, and the hypothesis of the set that it is about.
    Permutation(u32, u32),
    /// The hypothesis in the set that is identical to the actual run.
    Identity,
    /// Nothing, for an estimate: the actual run can reach no state of an exposed set.
    Safe,
}

impl Certificate {
    /// How many numbers it has.
    pub fn len(&self) -> usize {
        let pairs = |pairs: &[Pair]| pairs.iter().map(|pair| 3 + pair.covers.len()).sum::<usize>();
        let positions =
            |all: &[Position]| all.iter().map(|one| 1 + one.hypotheses.len() + one.covers.len()).sum::<usize>();
        let sides = |sides: &Sides| {
            let backward = sides.backward.iter().map(|(set, _)| 1 + set.len());
            sides.estimates.iter().map(Vec::len).chain(backward).sum::<usize>()
        };
        self.sides.as_ref().map_or(0, sides)
            + self.cells.as_ref().map_or(0, |cells| cells.past.len() + cells.future.len())
            + self.blocks.as_ref().map_or(0, Vec::len)
            + self.actuals.iter().map(|actual| 1 + actual.used.len()).sum::<usize>()
            + self
                .hypotheses
                .iter()
                .map(|hypothesis| 1 + hypothesis.images.len() + hypothesis.spent.len())
                .sum::<usize>()
            + self.sets.iter().map(Vec::len).sum::<usize>()
            + self.start.len()
            + pairs(&self.estimates)
            + pairs(&self.layers)
            + self.backward.as_ref().map_or(0, |(start, all)| start.len() + pairs(all))
            + positions(&self.twins)
            + positions(&self.simulations)
            + self.permutations.iter().map(|(images, _)| images.len()).sum::<usize>()
            + self.permutation_steps.iter().map(|step| 3 + step.next.len()).sum::<usize>()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
