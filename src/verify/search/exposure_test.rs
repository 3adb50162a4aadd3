//! Which estimates does a set from behind expose? S(α) ∩ R(β) is asked about for every α and one β after the other.
//!
//! Dense estimates are turned on their side: for each state a *column* of bits, one for each estimate that holds it. With S ∩ R of
//! one class wanted, the states of R are gone through class by class: an estimate that had one of an earlier class and has another
//! now is out. A block of estimates that are all out is left at once, which is after a few states where estimates are
//! large. Cost: as many bits as the estimates have; at most one step for each state of R and block of estimates. Where
//! states of several classes may be left together, and for sparse sets, each estimate is met with R by itself.

use crate::automaton::StateId;
use crate::verify::exposed_sets::Exposed;
use crate::verify::sets::Set;
use crate::verify::views::static_view::Fixed;

/// What some tests came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tested {
    /// This estimate is exposed, and none before it.
    Exposed(usize),
    /// None of those that were tested; there are more.
    Some,
    /// None.
    All,
}

/// Every estimate, to be tested with one set after the other, some at a time.
#[derive(Debug)]
pub(crate) struct Exposing {
    exposed: Exposed,
    n_estimates: usize,
    columns: Option<Columns>,
    /// Estimates before this one were tested with the set of the last call.
    from: usize,
    /// Work done so far.
    pub(crate) work: u64,
}

/// Estimates that are tested one by one in one call.
const AT_ONCE: usize = 1_024;
/// Blocks that are tested in one call.
const BLOCKS_AT_ONCE: usize = 16;
/// What it costs to test a block.
const BLOCK_WORK: u64 = 8;

impl Exposing {
    /// Nothing tested yet.
    pub(crate) fn new<'a, S: Set + 'a>(
        exposed: &Exposed,
        frame: &Fixed<S>,
        estimates: impl ExactSizeIterator<Item = &'a S>,
    ) -> Exposing {
        let n_estimates = estimates.len();
        let fit = S::DENSE && frame.has_tables() && exposed.together == 1;
        let columns = fit.then(|| Columns::new(exposed, frame.n_states(), estimates));
        Exposing { exposed: exposed.clone(), n_estimates, columns, from: 0, work: 0 }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.columns.as_ref().map_or(0, Columns::bytes)
    }

    /// Tests some more estimates with a set, which is the same until all were tested.
    pub(crate) fn test<'a, S: Set + 'a>(&mut self, rivals: &S, estimate: impl Fn(usize) -> &'a S) -> Tested {
        let (from, at_once) = match self.columns {
            Some(_) => (self.from, BLOCKS_AT_ONCE * BLOCK),
            None => (self.from, AT_ONCE),
        };
        let until = self.n_estimates.min(from + at_once);
        self.from = if until == self.n_estimates { 0 } else { until };
        let found = match &mut self.columns {
            Some(columns) => {
                if from == 0 {
                    columns.ask(rivals);
                }
                let blocks = from / BLOCK..until.div_ceil(BLOCK);
                self.work += BLOCK_WORK * blocks.len() as u64;
                blocks.into_iter().find_map(|block| columns.exposed_in(block))
            }
            None => {
                self.work += (until - from) as u64 / 4 + 1;
                (from..until).find(|&at| exposes(estimate(at), rivals, &self.exposed))
            }
        };
        match found {
            Some(at) => Tested::Exposed(at),
            None if until == self.n_estimates => Tested::All,
            None => Tested::Some,
        }
    }
}

/// Words of a block of estimates.
const WORDS: usize = 8;
/// Estimates of a block.
const BLOCK: usize = 64 * WORDS;
/// Columns between two looks whether a block is out.
const LOOK: usize = 4;

/// The estimates, by state.
#[derive(Debug)]
struct Columns {
    /// For each block and each state, which estimates hold it.
    columns: Vec<[u64; WORDS]>,
    /// The class of each state from 1 on; 0: it may not be left at all.
    class: Vec<u32>,
    /// The states of the set that is asked about, by class, and whether a class begins.
    asked: Vec<(u32, bool)>,
}

impl Columns {
    fn new<'a, S: Set + 'a>(
        exposed: &Exposed,
        n_states: usize,
        estimates: impl ExactSizeIterator<Item = &'a S>,
    ) -> Columns {
        let class = |state| if exposed.jumps(state) { exposed.class(state) + 1 } else { 0 };
        let mut columns = vec![[0; WORDS]; n_states * estimates.len().div_ceil(BLOCK)];
        for (at, estimate) in estimates.enumerate() {
            let (block, bit) = (at / BLOCK * n_states, at % BLOCK);
            estimate.iter().for_each(|state: u32| columns[block + state as usize][bit / 64] |= 1 << (bit % 64));
        }
        Columns { columns, class: (0..n_states).map(StateId::from_index).map(class).collect(), asked: Vec::new() }
    }

    /// Bytes held.
    fn bytes(&self) -> u64 {
        (self.columns.len() * WORDS * 8 + self.class.len() * 4) as u64
    }

    /// The set about which [`Columns::exposed_in`] is asked next.
    fn ask<S: Set>(&mut self, rivals: &S) {
        let class = &self.class;
        self.asked.clear();
        self.asked.extend(rivals.iter().map(|state| (state, true)));
        self.asked.sort_by_key(|&(state, _)| class[state as usize]);
        for at in 1..self.asked.len() {
            self.asked[at].1 = class[self.asked[at].0 as usize] != class[self.asked[at - 1].0 as usize];
        }
    }

    /// The first estimate of a block that the set exposes.
    fn exposed_in(&self, block: usize) -> Option<usize> {
        let columns = &self.columns[block * self.class.len()..(block + 1) * self.class.len()];
        let (mut before, mut now, mut out) = ([0u64; WORDS], [0u64; WORDS], [0u64; WORDS]);
        for some in self.asked.chunks(LOOK) {
            for &(state, begins) in some {
                let (column, never) = (&columns[state as usize], self.class[state as usize] == 0);
                if begins {
                    (0..WORDS).for_each(|at| before[at] |= now[at]);
                    now = [0; WORDS];
                }
                (0..WORDS).for_each(|at| {
                    out[at] |= column[at] & before[at];
                    now[at] |= column[at];
                });
                if never {
                    (0..WORDS).for_each(|at| out[at] |= column[at]);
                }
            }
            if out.iter().fold(u64::MAX, |all, word| all & word) == u64::MAX {
                return None;
            }
        }
        let left = |at: usize| (before[at] | now[at]) & !out[at];
        let word = (0..WORDS).find(|&at| left(at) != 0)?;
        Some(block * BLOCK + word * 64 + left(word).trailing_zeros() as usize)
    }
}

/// Whether S ∩ R is not empty and inside an exposed set.
pub(crate) fn exposes<S: Set>(estimate: &S, rivals: &S, exposed: &Exposed) -> bool {
    let mut first = None;
    let mut others: Vec<u32> = Vec::new();
    for state in estimate.intersection(rivals) {
        let class = exposed.class(StateId(state));
        if !exposed.jumps(StateId(state)) {
            return false;
        }
        if *first.get_or_insert(class) != class && !others.contains(&class) {
            if others.len() + 2 > exposed.together {
                return false;
            }
            others.push(class);
        }
    }
    first.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClassId, Classes, Property};
    use crate::verify::sets::Dense;

    const N: u32 = 70;

    fn properties() -> [Property; 3] {
        let of = (0..N).map(|state| ClassId(state * 7 % 5)).collect();
        let classes = Classes { of, names: vec![String::new(); 5], subject: None };
        [
            Property::Anonymity { among: 2, classes: None },
            Property::Anonymity { among: 2, classes: Some(classes) },
            Property::Opacity { secret: (0..N).filter(|state| state % 3 > 0).map(StateId).collect() },
        ]
    }

    /// A set in which about one state of `one_of` is.
    fn random(seed: &mut u64, one_of: u64) -> Dense {
        let mut is_in = |_: &u32| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33).is_multiple_of(one_of)
        };
        Dense::collect(N as usize, &mut (0..N).filter(&mut is_in).collect())
    }

    #[test]
    fn columns_find_the_first_estimate_that_a_test_one_by_one_finds() {
        let mut seed = 1;
        let mut met = (0, 0);
        for property in properties() {
            let exposed = Exposed::of(&property, N as usize);
            for density in [2, 3, 6] {
                let estimates: Vec<Dense> = (0..1_300).map(|_| random(&mut seed, density)).collect();
                let mut columns = Columns::new(&exposed, N as usize, estimates.iter());
                for sparsity in [2, 5, 10, 20, 30].repeat(8) {
                    let rivals = random(&mut seed, sparsity);
                    columns.ask(&rivals);
                    let found = (0..3).find_map(|block| columns.exposed_in(block));
                    let wanted = estimates.iter().position(|estimate| exposes(estimate, &rivals, &exposed));
                    assert_eq!(found, wanted, "{property:?} {rivals:?}");
                    met = (met.0 + usize::from(found.is_some()), met.1 + usize::from(found.is_none()));
                }
            }
        }
        assert!(met.0 > 40 && met.1 > 40, "{met:?}");
    }
}
