//! The two-way observer on pasts and futures: estimates are sets of pasts, sets that can show some β are sets of futures, and what both
//! have in common are cells.
//!
//! Verdict and distance are those of the two-way observer on states ([`two_way`](super::two_way)), with as many sets; a set has as many
//! members as there are pasts or futures, which in systems of alike parts are few.

use super::SliceResult;
use super::exposure_test::{ExposureTester, Tested};
use super::two_way::Observer;
use crate::automaton::view::View;
use crate::resources::Stop;
use crate::verdict::certificate::Sides;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::reduce::two_sided::TwoSided;
use crate::verify::sets::{Id, Set, SetId, vec_bytes};
use crate::verify::views::belief_system::{BeliefSystem, LabelId};
use crate::verify::views::static_view::StaticView;
use crate::verify::{Phase, Progress};

/// The state of the search.
pub(crate) struct SideSearch<'a, S> {
    sides: &'a TwoSided,
    /// The exposed sets of cells.
    exposed: &'a ExposedSets,
    horizon: u64,
    forward: Observer<S>,
    backward: Observer<S>,
    /// The cells of each estimate.
    estimates: Vec<S>,
    /// Once every estimate is known.
    tester: Option<ExposureTester>,
    /// The layer of each backward set.
    layers: Vec<u64>,
    /// Backward sets before this one were tested with every estimate.
    tested: usize,
    /// Bytes of the cells of estimates.
    bytes: u64,
    work: u64,
}

impl<'a, S: Set> SideSearch<'a, S> {
    /// Nothing explored. The exposed sets are those of cells.
    pub(crate) fn new(view: &View<'_>, sides: &'a TwoSided, exposed: &'a ExposedSets, horizon: u64) -> Self {
        let of = |automaton| StaticView::new(&View { automaton, ..*view }, u32::MAX);
        let (mut past, future): (StaticView<S>, StaticView<S>) = (of(&sides.past), of(&sides.future));
        let (_, start) = past.initial();
        let start = past.close(start);
        let reversed = future.reversed();
        let all = S::collect::<u32>(reversed.n_states(), &mut (0..reversed.n_states() as u32).collect());
        SideSearch {
            sides,
            exposed,
            horizon,
            forward: Observer::new(past, start),
            backward: Observer::new(reversed, all),
            estimates: Vec::new(),
            tester: None,
            layers: vec![0],
            tested: 0,
            bytes: 0,
            work: 0,
        }
    }

    /// Explores until this much work is done.
    pub(crate) fn explore(&mut self, meter: &mut ResourceMonitor<'_>, until: u64) -> Result<SliceResult, Stop> {
        while self.effort() < until {
            meter.check(&self.progress())?;
            if self.forward.next < self.forward.sets.len() {
                self.expand_estimate();
            } else if let Some(found) = self.explore_backward() {
                return Ok(found);
            }
        }
        Ok(SliceResult::Unfinished)
    }

    fn expand_estimate(&mut self) {
        self.work += self.forward.expand();
        while self.estimates.len() < self.forward.sets.len() {
            let set = self.forward.sets.get(SetId::from_index(self.estimates.len()));
            let cells = self.cells(set, &self.sides.of_past);
            self.work += cells.len() as u64;
            self.bytes += cells.bytes();
            self.estimates.push(cells);
        }
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        self.work + self.tester.as_ref().map_or(0, |tester| tester.work)
    }

    fn cells(&self, blocks: &S, of: &[Vec<u32>]) -> S {
        let cells = blocks.iter::<u32>().flat_map(|block| of[block as usize].iter().copied());
        S::collect(self.sides.n_cells(), &mut cells.collect::<Vec<u32>>())
    }

    /// Tests a set with some estimates, or expands one whose layer was tested.
    fn explore_backward(&mut self) -> Option<SliceResult> {
        let next = self.backward.next;
        let layer = self.layers[next.min(self.layers.len() - 1)];
        if self.tested < self.layers.len() && self.layers[self.tested] <= layer {
            return self.test();
        }
        if next == self.layers.len() {
            return Some(SliceResult::Safe);
        }
        if layer >= self.horizon {
            return Some(SliceResult::SafeToHorizon);
        }
        self.work += self.backward.expand();
        self.layers.resize(self.backward.sets.len(), layer + 1);
        None
    }

    fn test(&mut self) -> Option<SliceResult> {
        let set = SetId::from_index(self.tested);
        let cells = self.cells(self.backward.sets.get(set), &self.sides.of_future);
        self.work += cells.len() as u64;
        let (estimates, exposed) = (&self.estimates, self.exposed);
        let tester = self.tester.get_or_insert_with(|| ExposureTester::one_by_one(exposed, estimates.len()));
        match tester.test(&cells, |at| &estimates[at]) {
            Tested::Exposed(estimate) => {
                return Some(SliceResult::Exposed { estimate, beta: self.backward.labels(set) });
            }
            Tested::Some => {}
            Tested::All => self.tested += 1,
        }
        None
    }

    /// α: the labels that lead to an estimate.
    pub(crate) fn alpha(&self, estimate: usize) -> Vec<LabelId> {
        let mut alpha = self.forward.labels(SetId::from_index(estimate));
        alpha.reverse();
        alpha
    }

    /// The last layer that was tested completely.
    pub(crate) fn depth(&self) -> u64 {
        self.layers.last().copied().unwrap_or(0)
    }

    /// Members of all sets, and sets.
    pub(crate) fn stored(&self) -> (u64, u64) {
        let sets = self.forward.sets.len() + self.backward.sets.len();
        (self.forward.members + self.backward.members, sets as u64)
    }

    /// Both sides, backward as far as a horizon.
    pub(crate) fn proof(&self, horizon: Option<u64>) -> Sides {
        let members = |set: &S| set.iter::<u32>().collect::<Vec<u32>>();
        let is_near = |&(_, layer): &(usize, &u64)| horizon.is_none_or(|horizon| *layer <= horizon);
        let backward = self.layers.iter().enumerate().filter(is_near);
        Sides {
            estimates: self.forward.sets.iter().map(members).collect(),
            backward: backward
                .map(|(at, &layer)| (members(self.backward.sets.get(SetId::from_index(at))), layer))
                .collect(),
        }
    }

    fn progress(&self) -> Progress {
        let (members, sets) = self.stored();
        Progress {
            phase: if self.tested > 0 { Phase::Layers } else { Phase::Estimates },
            layer: self.layers[self.tested.min(self.layers.len() - 1)],
            pairs: members,
            frontier: sets.saturating_sub((self.forward.next + self.backward.next) as u64),
            memory: self.forward.bytes() + self.backward.bytes() + self.bytes + vec_bytes(&self.layers),
        }
    }
}
