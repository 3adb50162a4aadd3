//! The two-way observer: every estimate forward, every set that can show some β backward.
//!
//! There are no actual states, no subset tests and no simulation: a set costs only its computation and its lookup. Where
//! estimates are few, or many and incomparable, nothing is faster; elsewhere there are exponentially more sets than the other
//! searches keep. So it is a member of the portfolio (Yin and Lafortune, 2017). Cost: one test for each estimate and each
//! backward set.

use super::exposure_test::{ExposureTester, Tested, exposes};
use super::forward::SearchBound;
use crate::resources::Stop;
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::search::SliceResult;
use crate::verify::sets::{Id, Set, SetId, SetInterner, vec_bytes};
use crate::verify::views::belief_system::{BeliefSystem, LabelId, Successors};
use crate::verify::views::static_view::StaticView;
use crate::verify::{Phase, Progress};

/// The state of the construction.
pub(crate) struct TwoWayObserver<S> {
    pub(super) exposed: ExposedSets,
    pub(super) bound: SearchBound,
    pub(super) forward: Observer<S>,
    pub(super) backward: Option<(Observer<S>, ExposureTester)>,
    /// Backward sets before this one were tested with every estimate.
    pub(super) tested: usize,
    /// Where the layer that is being tested ends.
    end: usize,
    layer: u64,
    /// The last layer that was tested completely.
    pub(crate) safe: Option<u64>,
    work: u64,
}

/// The subset construction, in the order of discovery.
pub(super) struct Observer<S> {
    pub(super) view: StaticView<S>,
    pub(super) sets: SetInterner<S>,
    parents: Vec<Option<(SetId, LabelId)>>,
    /// Sets before this one were expanded.
    pub(super) next: usize,
    /// Members of all sets.
    pub(super) members: u64,
}

impl<S: Set> Observer<S> {
    pub(super) fn new(view: StaticView<S>, start: S) -> Observer<S> {
        let mut sets = SetInterner::new(view.n_states());
        let members = start.len() as u64;
        sets.intern(start);
        Observer { view, sets, parents: vec![None], next: 0, members }
    }

    /// Expands the next set; the work that it took.
    pub(super) fn expand(&mut self) -> u64 {
        let at = SetId::from_index(self.next);
        self.next += 1;
        let posts = self.view.post_actuals(self.sets.get(at));
        let work = self.view.post_work(self.sets.summary(at).len) + Tuning::OBSERVER_SET_WORK * posts.len() as u64;
        for Successors { label, targets, .. } in posts {
            let len = targets.len() as u64;
            let id = self.sets.intern(targets);
            if id.index() == self.parents.len() {
                self.parents.push(Some((at, label)));
                self.members += len;
            }
        }
        work
    }

    /// The labels from a set back to the start.
    pub(super) fn labels(&self, mut set: SetId) -> Vec<LabelId> {
        let mut labels = Vec::new();
        while let Some((parent, label)) = self.parents[set.index()] {
            labels.push(label);
            set = parent;
        }
        labels
    }

    /// The set from which one was reached, and the label; none: it is the start.
    pub(super) fn origin(&self, set: SetId) -> Option<(SetId, LabelId)> {
        self.parents[set.index()]
    }

    /// How many labels lead to each set.
    pub(super) fn levels(&self) -> Vec<usize> {
        let mut levels = Vec::with_capacity(self.parents.len());
        for parent in &self.parents {
            levels.push(parent.map_or(0, |(set, _)| levels[set.index()] + 1));
        }
        levels
    }

    pub(super) fn bytes(&self) -> u64 {
        self.sets.bytes() + self.view.bytes() + vec_bytes(&self.parents)
    }
}

impl<S: Set> TwoWayObserver<S> {
    /// Nothing explored.
    pub(crate) fn new(view: &StaticView<S>, exposed: &ExposedSets, bound: SearchBound) -> TwoWayObserver<S> {
        let mut view = view.fresh();
        let (_, mut start) = view.initial();
        let start = if bound.initial { S::collect(view.n_states(), &mut start) } else { view.close(start) };
        TwoWayObserver {
            exposed: exposed.clone(),
            bound,
            forward: Observer::new(view, start),
            backward: None,
            tested: 0,
            end: 1,
            layer: 0,
            safe: None,
            work: 0,
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let backward = self.backward.as_ref().map_or(0, |(observer, tester)| observer.bytes() + tester.bytes());
        self.forward.bytes() + backward
    }

    /// Members of all sets, and sets.
    pub(crate) fn stored(&self) -> (u64, u64) {
        let both = || std::iter::once(&self.forward).chain(self.backward.as_ref().map(|(observer, _)| observer));
        (both().map(|observer| observer.members).sum(), both().map(|observer| observer.sets.len() as u64).sum())
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        self.work + self.backward.as_ref().map_or(0, |(_, tester)| tester.work)
    }

    /// The last layer that had something new.
    pub(crate) fn depth(&self) -> u64 {
        self.layer.saturating_sub(1)
    }

    /// Explores until this much work is done.
    pub(crate) fn explore(&mut self, meter: &mut ResourceMonitor<'_>, until: u64) -> Result<SliceResult, Stop> {
        while self.effort() < until {
            meter.check(&self.progress())?;
            let found = match &mut self.backward {
                None => self.explore_forward(),
                Some(_) => self.explore_backward(),
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
        Ok(SliceResult::Unfinished)
    }

    /// Expands one estimate; after the last one, reverses the automaton.
    fn explore_forward(&mut self) -> Option<SliceResult> {
        let before = self.forward.sets.len();
        if self.forward.next < before && !self.bound.initial {
            self.work += self.forward.expand();
            let first = if self.forward.next == 1 { 0 } else { before };
            return (first..self.forward.sets.len()).find_map(|at| self.exposed_itself(SetId::from_index(at)));
        }
        if self.bound.initial {
            // WHY: the start alone is the estimate; labels that nobody can show are never asked about.
            self.forward.next = before;
        }
        let reversed = self.forward.view.reversed();
        let all = S::collect::<u32>(reversed.n_states(), &mut (0..reversed.n_states() as u32).collect());
        self.work += reversed.size();
        let tester = ExposureTester::new(&self.exposed, &reversed, self.forward.sets.iter());
        self.backward = Some((Observer::new(reversed, all), tester));
        None
    }

    fn exposed_itself(&self, set: SetId) -> Option<SliceResult> {
        let estimate = self.forward.sets.get(set);
        let found = || SliceResult::Exposed { estimate: set.index(), beta: Vec::new() };
        exposes(estimate, estimate, &self.exposed).then(found)
    }

    /// α: the labels that lead to an estimate.
    pub(crate) fn alpha(&self, estimate: usize) -> Vec<LabelId> {
        let mut alpha = self.forward.labels(SetId::from_index(estimate));
        alpha.reverse();
        alpha
    }

    /// Tests the sets of a layer with every estimate, then expands the layer.
    fn explore_backward(&mut self) -> Option<SliceResult> {
        let (backward, tester) = self.backward.as_mut()?;
        if self.tested < self.end {
            let (set, forward) = (SetId::from_index(self.tested), &self.forward);
            match tester.test(backward.sets.get(set), |at| forward.sets.get(SetId::from_index(at))) {
                Tested::Exposed(estimate) => {
                    return Some(SliceResult::Exposed { estimate, beta: backward.labels(set) });
                }
                Tested::Some => {}
                Tested::All => self.tested += 1,
            }
            return None;
        }
        if backward.next < self.end {
            self.safe = Some(self.layer);
            if self.layer >= self.bound.horizon {
                return Some(SliceResult::SafeToHorizon);
            }
            self.work += backward.expand();
            return None;
        }
        self.layer += 1;
        let saturated = self.end == backward.sets.len();
        self.end = backward.sets.len();
        saturated.then_some(SliceResult::Safe)
    }

    fn progress(&self) -> Progress {
        let (members, sets) = self.stored();
        let expanded = self.forward.next + self.backward.as_ref().map_or(0, |(observer, _)| observer.next);
        Progress {
            phase: if self.backward.is_some() { Phase::Layers } else { Phase::Estimates },
            layer: self.layer,
            pairs: members,
            frontier: sets - expanded as u64,
            memory: self.bytes(),
        }
    }
}
