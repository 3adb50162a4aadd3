//! Proofs that a property holds, as plain data, and a checker that trusts no search.
//!
//! # What is proved
//!
//! S(α) are the runs that look like α, E(α|αβ) those of them that go on to look like αβ; no E(α|αβ) with |β| up to the
//! horizon may be exposed. In the words of the engine: from every pair (x, S), x the run's own place and S its rivals,
//! jump to (x, R), R = UR(S \ D), for each exposed set D around x; then R never runs empty while x moves on.
//!
//! # What a certificate says
//!
//! An inductive invariant. `estimates` are pairs (x, S), `layers` are pairs (x, R), and every move and every jump of
//! every pair carries a [`Cover`] that says *what covers* the pair it leads to, so that the checker never searches:
//!
//! - a pair of the certificate with the same left and a smaller set (and a layer that is not later);
//! - *twins*: rivals in S that answer every move of x for ever and stay in other classes than x and each other;
//! - a *simulation*: one rival in R that answers every move of x for ever;
//! - *lockstep*: one rival that answers each letter a of x with ρ(a), for a fixed permutation ρ;
//! - the *double*: the rival that does just what x does.
//!
//! Up to a horizon K a pair of `layers` has a number d: it promises that nothing is exposed within K - d more seen
//! moves, and pairs at d = K have no seen moves to answer for. Without a horizon every d is 0. Instead of `layers` there may be
//! `back`: pairs (x, R) with R inside the states that can show some β, for the automaton turned around; then no
//! S ∩ R of one x may be exposed.
//!
//! # Why covering is sound
//!
//! *Smaller sets.* What a move makes of S only grows with S. So if S' ⊆ S, an exposure that (x, S) leads to, (x, S') leads to
//! as well, no later: proving the smaller pair safe proves the larger one. For the same reason a set of the certificate may
//! leave out rivals. The checker only ever asks that members *are* justified, never that all are there.
//!
//! *Rivals with a past.* Under Pw two runs look alike iff at each position the letter is new in both, or old in both with the
//! same first position. Let V be the hidden letters that the real run has used and σ (injective) the letter that another run used
//! in place of each. A rival (y, π, F) of a left (x, U) *stands for* (y, σ) when
//! (1) U ⊆ V, and no letter of V \ U can be reached from x;
//! (2) for a in U, π(a) = σ(a), or y cannot reach σ(a) and π(a) is `NEVER`;
//! (3) every letter of the range of σ that y can reach is in the range of π or in F.
//! If x does a: by (1) a is old iff a is in U. If it is old, y does π(a), which by (2) is what the other run must do. If it is new, y
//! does some b outside the range of π and F; y does b, so it can reach b, so by (3) b is new for the other run too. So each answer of a rival is an
//! answer of the run it stands for, and the rival after it, with what is out of reach forgotten, stands for that run again. A set of rivals that is not empty
//! therefore means a set of runs that is not empty. Conversely nothing is lost: (1) to (3) hold with equality for what the
//! successor function computes, so a run has its rival, which is what [`Exposed`] relies on.
//!
//! *Twins.* If S holds twins of x, they stay in every later S, each outside the class of x and of each other. An exposed set D around x has room for
//! fewer classes than there are of x and its twins together, so one is left in R, and it answers for ever.
//!
//! *Lockstep.* A rival (y, π, F) with π = ρ on U, and F without ρ(a) for each a that x may still do for the first time: ρ is
//! injective, so ρ(a) is new for y when a is new for x, and both conditions hold again after the move.
//!
//! *Blocks.* States of one class that, after silent moves inside their block, can do the same up to blocks. Every run has its
//! run of blocks, and every run of blocks can be done from each member of its first block. So S(α) and E(α|αβ) have the same
//! blocks as those of the quotient, and as no class parts a block, one is exposed iff the other is.
//!
//! *From behind.* x with its estimate is covered by (x, S), what it goes on to show by (x, R). If the delayed estimate were inside an exposed
//! set D, then D would hold x and S ∩ R.
//!
//! Cost: one successor set for each set and letter, one walk along two sorted lists for each cover. From behind there is
//! also one walk for each pair of an estimate and a set that share a state.

mod quotient;
pub(crate) mod checker;
pub mod document;
mod violation;
pub(crate) mod model;
mod simulation;
mod read;
mod write;

pub use checker::check;
pub use model::{Left, Rival};
pub use read::read;
pub use violation::{Exposed, check_exposed};
pub use write::{sealed, write};

/// A proof that nothing is exposed. States, letters, classes and places in the lists here are numbers from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// For all |β| up to this; none: for all β.
    pub horizon: Option<u64>,
    /// Only α = ε, over X0 itself.
    pub initial: bool,
    /// The block of each state, numbered in the order of their first states; what follows speaks of blocks in place of states.
    /// None: of states.
    pub blocks: Option<Vec<u32>>,
    /// Where runs are. Empty where nothing is hidden: there a left is a state.
    pub lefts: Vec<Left>,
    /// Other runs. Empty where nothing is hidden: there a rival is a state.
    pub rivals: Vec<Rival>,
    /// SetInterner of rivals, each sorted.
    pub sets: Vec<Vec<u32>>,
    /// What covers the start: for each state of UR(X0) in order; for `initial`, for each jump of each state of X0.
    pub start: Vec<Cover>,
    /// Minimal estimates, as far as no twins cover them.
    pub estimates: Vec<Pair>,
    /// Minimal sets of rivals, as far as none of them answers for ever.
    pub layers: Vec<Pair>,
    /// In place of `layers`: for each state in order what covers it together with all states, and the pairs.
    pub back: Option<(Vec<Cover>, Vec<Pair>)>,
    /// Rivals that stay apart and answer every move.
    pub twins: Vec<Position>,
    /// Single rivals that answer every move.
    pub simulations: Vec<Position>,
    /// Permutations of letters: for each letter its image, and whether its positions stay apart.
    pub permutations: Vec<(Vec<u32>, bool)>,
    /// States that answer in lockstep.
    pub lockstep: Vec<Step>,
}

/// A left and a set, with what covers each pair that it leads to: first by moves, then by jumps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The left.
    pub left: u32,
    /// The place of the set.
    pub set: u32,
    /// The layer d.
    pub layer: u64,
    /// One for each move in the order of letter and target, then one for each jump in the order of the exposed sets.
    pub covers: Vec<Cover>,
}

/// Rivals of a left, and the positions of the same list that they answer each move with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The left.
    pub left: u32,
    /// The rivals.
    pub rivals: Vec<u32>,
    /// One for each move.
    pub covers: Vec<Cover>,
}

/// Two states in lockstep under a permutation, and the places of the pairs that each move leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The place of the permutation.
    pub permutation: u32,
    /// The state of the run.
    pub left: u32,
    /// The state of the rival.
    pub rival: u32,
    /// One for each move of `left`.
    pub next: Vec<u32>,
}

/// A permutation of events, and pairs (x, y) of states: what the searches know of twins in lockstep.
pub(crate) type Lockstep = (Vec<u32>, Vec<(u32, u32)>);

/// What covers a left with a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cover {
    /// A pair of the phase it belongs to.
    Pair(u32),
    /// Twins in the set.
    Twins(u32),
    /// A rival in the set that answers for ever.
    Simulation(u32),
    /// A place in `lockstep`, and the rival of the set that it speaks of.
    Lockstep(u32, u32),
    /// The run's own double in the set.
    Double,
}

impl Certificate {
    /// How many numbers it holds.
    pub fn len(&self) -> usize {
        let pairs = |pairs: &[Pair]| pairs.iter().map(|pair| 3 + pair.covers.len()).sum::<usize>();
        let positions = |all: &[Position]| all.iter().map(|one| 1 + one.rivals.len() + one.covers.len()).sum::<usize>();
        self.blocks.as_ref().map_or(0, Vec::len)
            + self.lefts.iter().map(|left| 1 + left.used.len()).sum::<usize>()
            + self.rivals.iter().map(|rival| 1 + rival.images.len() + rival.spent.len()).sum::<usize>()
            + self.sets.iter().map(Vec::len).sum::<usize>()
            + self.start.len()
            + pairs(&self.estimates)
            + pairs(&self.layers)
            + self.back.as_ref().map_or(0, |(start, back)| start.len() + pairs(back))
            + positions(&self.twins)
            + positions(&self.simulations)
            + self.permutations.iter().map(|(images, _)| images.len()).sum::<usize>()
            + self.lockstep.iter().map(|step| 3 + step.next.len()).sum::<usize>()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
