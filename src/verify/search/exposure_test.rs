//! The exposure test: which estimates does a backward set expose? S(α) ∩ R(β) is tested for all α and one β after another.
//!
//! Dense estimates are bit-sliced: for each state, one bit for each estimate that contains it. If exposed sets have one class,
//! the states of R are visited class by class: an estimate that contained one of an earlier class and contains another one
//! is ruled out. A block of estimates is left as soon as all are ruled out, which is after a few states if estimates are
//! large. Cost: as many bits as the estimates have; at most one step for each state of R and block of estimates. If exposed
//! sets have several classes, and for sparse sets, each estimate is intersected with R on its own.

use crate::automaton::StateId;
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Set, vec_bytes};
use crate::verify::views::static_view::StaticView;

/// The result of some tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tested {
    /// This estimate is exposed, and none before it.
    Exposed(usize),
    /// None of those tested; there are more.
    Some,
    /// None.
    All,
}

/// All estimates, to be tested with one set after another, some at a time.
#[derive(Debug)]
pub(crate) struct ExposureTester {
    exposed: ExposedSets,
    n_estimates: usize,
    slices: Option<BitSlices>,
    /// Estimates before this one were tested with the set of the last call.
    from: usize,
    /// Work done so far.
    pub(crate) work: u64,
}

impl ExposureTester {
    /// Nothing tested yet.
    pub(crate) fn new<'a, S: Set + 'a>(
        exposed: &ExposedSets,
        view: &StaticView<S>,
        estimates: impl ExactSizeIterator<Item = &'a S>,
    ) -> ExposureTester {
        let n_estimates = estimates.len();
        let sliced = S::DENSE && view.uses_tables() && exposed.max_classes == 1;
        let slices = sliced.then(|| BitSlices::new(exposed, view.n_states(), estimates));
        ExposureTester { exposed: exposed.clone(), n_estimates, slices, from: 0, work: 0 }
    }

    /// Nothing tested yet; each of so many estimates is intersected on its own.
    pub(crate) fn one_by_one(exposed: &ExposedSets, n_estimates: usize) -> ExposureTester {
        ExposureTester { exposed: exposed.clone(), n_estimates, slices: None, from: 0, work: 0 }
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.slices.as_ref().map_or(0, BitSlices::bytes)
    }

    /// Begins with another set, and with the first `n_estimates` estimates only: no more than before.
    pub(super) fn begin(&mut self, n_estimates: usize) {
        (self.from, self.n_estimates) = (0, n_estimates.min(self.n_estimates));
    }

    /// Tests some more estimates with a set, which is the same until all were tested.
    pub(crate) fn test<'a, S: Set + 'a>(&mut self, set: &S, estimate: impl Fn(usize) -> &'a S) -> Tested {
        let from = self.from;
        let at_once = if self.slices.is_some() { Tuning::BLOCKS_PER_TEST * BLOCK } else { Tuning::ESTIMATES_PER_TEST };
        let until = self.n_estimates.min(from + at_once);
        self.from = if until == self.n_estimates { 0 } else { until };
        let found = match &mut self.slices {
            Some(slices) => {
                if from == 0 {
                    slices.select(set);
                }
                let blocks = from / BLOCK..until.div_ceil(BLOCK);
                self.work += Tuning::BLOCK_WORK * blocks.len() as u64;
                blocks.into_iter().find_map(|block| slices.exposed_in(block))
            }
            None => {
                self.work += (until - from) as u64 / Tuning::ESTIMATES_PER_WORK + 1;
                (from..until).find(|&at| exposes(estimate(at), set, &self.exposed))
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
/// States between two looks whether all of a block is ruled out.
const STATES_PER_LOOK: usize = 4;

/// The estimates, by state.
#[derive(Debug)]
struct BitSlices {
    /// For each block and each state, the estimates that contain it.
    slices: Vec<[u64; WORDS]>,
    /// The class of each state from 1 on; 0: it cannot be exposed.
    class: Vec<u32>,
    /// The states of the selected set, by class, and whether a class begins.
    selected: Vec<(u32, bool)>,
}

impl BitSlices {
    fn new<'a, S: Set + 'a>(
        exposed: &ExposedSets,
        n_states: usize,
        estimates: impl ExactSizeIterator<Item = &'a S>,
    ) -> BitSlices {
        let class = |state| if exposed.can_be_exposed(state) { exposed.class(state) + 1 } else { 0 };
        let mut slices = vec![[0; WORDS]; n_states * estimates.len().div_ceil(BLOCK)];
        for (at, estimate) in estimates.enumerate() {
            let (block, bit) = (at / BLOCK * n_states, at % BLOCK);
            estimate.iter().for_each(|state: u32| slices[block + state as usize][bit / 64] |= 1 << (bit % 64));
        }
        BitSlices { slices, class: (0..n_states).map(StateId::from_index).map(class).collect(), selected: Vec::new() }
    }

    /// Heap bytes.
    fn bytes(&self) -> u64 {
        vec_bytes(&self.slices) + vec_bytes(&self.class)
    }

    /// Selects the set for [`BitSlices::exposed_in`].
    fn select<S: Set>(&mut self, set: &S) {
        let class = &self.class;
        self.selected.clear();
        self.selected.extend(set.iter::<u32>().map(|state| (state, true)));
        self.selected.sort_by_key(|&(state, _)| class[state as usize]);
        for at in 1..self.selected.len() {
            self.selected[at].1 = class[self.selected[at].0 as usize] != class[self.selected[at - 1].0 as usize];
        }
    }

    /// The first estimate of a block that the selected set exposes.
    fn exposed_in(&self, block: usize) -> Option<usize> {
        let slices = &self.slices[block * self.class.len()..(block + 1) * self.class.len()];
        // Estimates with a state of an earlier class, of this class, and those that are ruled out.
        let (mut earlier, mut current, mut out) = ([0u64; WORDS], [0u64; WORDS], [0u64; WORDS]);
        for some in self.selected.chunks(STATES_PER_LOOK) {
            for &(state, begins) in some {
                let (slice, never) = (&slices[state as usize], self.class[state as usize] == 0);
                if begins {
                    (0..WORDS).for_each(|at| earlier[at] |= current[at]);
                    current = [0; WORDS];
                }
                (0..WORDS).for_each(|at| {
                    out[at] |= slice[at] & earlier[at];
                    current[at] |= slice[at];
                });
                if never {
                    (0..WORDS).for_each(|at| out[at] |= slice[at]);
                }
            }
            if out.iter().fold(u64::MAX, |all, word| all & word) == u64::MAX {
                return None;
            }
        }
        let exposed = |at: usize| (earlier[at] | current[at]) & !out[at];
        let word = (0..WORDS).find(|&at| exposed(at) != 0)?;
        Some(block * BLOCK + word * 64 + exposed(word).trailing_zeros() as usize)
    }
}

/// Whether S ∩ R is not empty and inside an exposed set.
pub(super) fn exposes<S: Set>(estimate: &S, set: &S, exposed: &ExposedSets) -> bool {
    let mut first = None;
    let mut others: Vec<u32> = Vec::new();
    for state in estimate.intersection::<u32>(set).map(StateId) {
        let class = exposed.class(state);
        if !exposed.can_be_exposed(state) {
            return false;
        }
        if *first.get_or_insert(class) != class && !others.contains(&class) {
            if others.len() + 2 > exposed.max_classes {
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
            Property::Anonymity { among: 2, classes: None, except: None },
            Property::Anonymity { among: 2, classes: Some(classes), except: None },
            Property::Opacity { secret: (0..N).filter(|state| state % 3 > 0).map(StateId).collect() },
        ]
    }

    /// A set with about one in `one_of` states.
    fn random(seed: &mut u64, one_of: u64) -> Dense {
        let mut is_in = |_: &u32| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33).is_multiple_of(one_of)
        };
        Dense::collect(N as usize, &mut (0..N).filter(&mut is_in).collect())
    }

    #[test]
    fn bit_slices_find_the_first_estimate_that_a_test_one_by_one_finds() {
        let mut seed = 1;
        let mut met = (0, 0);
        for property in properties() {
            let exposed = ExposedSets::of(&property, N as usize);
            for density in [2, 3, 6] {
                let estimates: Vec<Dense> = (0..1_300).map(|_| random(&mut seed, density)).collect();
                let mut slices = BitSlices::new(&exposed, N as usize, estimates.iter());
                for sparsity in [2, 5, 10, 20, 30].repeat(8) {
                    let set = random(&mut seed, sparsity);
                    slices.select(&set);
                    let found = (0..3).find_map(|block| slices.exposed_in(block));
                    let wanted = estimates.iter().position(|estimate| exposes(estimate, &set, &exposed));
                    assert_eq!(found, wanted, "{property:?} {set:?}");
                    met = (met.0 + usize::from(found.is_some()), met.1 + usize::from(found.is_none()));
                }
            }
        }
        assert!(met.0 > 40 && met.1 > 40, "{met:?}");
    }
}
