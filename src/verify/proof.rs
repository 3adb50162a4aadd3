//! From the searches to a certificate.
//!
//! A search ends with an answer and with rivals that it knows to answer for ever. Those are the [`Hints`]; the proof itself is
//! built anew from them, in the checker's own terms ([`prove`]): every pair that is met is covered by a hint, by a pair
//! that is there already, or by itself as a new pair. A pair that runs empty on the way refutes the search.

mod renumber;
mod covering;
mod simulation;
mod prover;
mod budget;
mod context;

use super::certificate::{Left, Rival};
use super::search::forward::Search;
use super::simulation::game::{Rule, Together};
use super::simulation::pruning::Cover;
use super::views::belief_system::Frame;
pub(crate) use budget::Allowance;
pub(crate) use prover::{Proved, Wanted, prove};
use std::collections::BTreeSet;

/// What the searches know that makes proofs short.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    /// Rivals that stay apart and answer for ever.
    pub(crate) twins: Vec<Hinted>,
    /// Rivals that answer for ever.
    pub(crate) simulations: Vec<Hinted>,
    /// The lefts and rivals of these, with their numbers; none where those are states.
    pub(crate) lefts: Numbered<Left>,
    pub(crate) rivals: Numbered<Rival>,
    /// Pairs of states in lockstep, staying apart or not.
    pub(crate) lockstep: Vec<Lockstep>,
    /// Whether the answer was found from behind.
    pub(crate) behind: bool,
}

/// Things with their numbers.
pub(crate) type Numbered<T> = Vec<(u32, T)>;

/// A left, and rivals that answer together.
pub(crate) type Hinted = (u32, Together);

/// Pairs of states in lockstep.
#[derive(Debug)]
pub(crate) struct Lockstep {
    /// A permutation of events.
    pub(crate) rho: Vec<u32>,
    pub(crate) apart: bool,
    pub(crate) pairs: Vec<(u32, u32)>,
}

/// What a search knows when it ends.
pub(super) fn hints<F: Frame>(search: &Search<'_, F>, behind: bool) -> Hints {
    let frame = &*search.frame;
    let lockstep = |rule: Rule| {
        let tables = frame.lockstep(rule).into_iter();
        tables.map(move |(rho, pairs)| Lockstep { rho, apart: rule == Rule::Apart, pairs })
    };
    let positions = |cover: &Cover<F::Set>| -> Vec<Hinted> {
        cover.relation().map(|(left, rivals)| (left, Together::from_slice(rivals))).collect()
    };
    let (twins, simulations) = (positions(&search.twins), positions(&search.simulation));
    let (lefts, rivals) =
        if frame.as_fixed().is_some() { Default::default() } else { named(frame, &twins, &simulations) };
    let lockstep = lockstep(Rule::Apart).chain(lockstep(Rule::Anywhere)).collect();
    Hints { twins, simulations, lefts, rivals, lockstep, behind }
}

/// The lefts and rivals of hints as plain data, with their numbers.
fn named<F: Frame>(frame: &F, twins: &[Hinted], simulations: &[Hinted]) -> (Numbered<Left>, Numbered<Rival>) {
    let letters = |events: Vec<u32>| events.into_iter().map(|event| event.wrapping_add(1)).collect();
    let left = |left: u32| Left { state: frame.left_state(left).0, used: letters(frame.left_past(left)) };
    let rival = |rival: u32| {
        let (images, spent) = frame.rival_past(rival);
        Rival { state: frame.rival_state(rival).0, images: letters(images), spent: letters(spent) }
    };
    let all = || twins.iter().chain(simulations);
    let lefts: BTreeSet<u32> = all().map(|hint| hint.0).collect();
    let rivals: BTreeSet<u32> = all().flat_map(|hint| hint.1.iter().copied()).collect();
    (lefts.into_iter().map(|at| (at, left(at))).collect(), rivals.into_iter().map(|at| (at, rival(at))).collect())
}
