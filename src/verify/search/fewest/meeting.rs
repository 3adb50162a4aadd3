//! The two-way observer by |αβ|: the least sum of two that expose, an estimate at its least |α| and a backward set at its least |β|.
//!
//! Sets are found breadth first, so each is met at its least depth, and the first estimate that a set exposes is the one with the least
//! |α|. Sets are taken by |β|, and only with estimates that would be better than the best so far.

use super::{Aim, Nothing};
use crate::verify::engine::resources::ResourceMonitor;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::search::exposure_test::{ExposureTester, Tested, exposes};
use crate::verify::search::two_way::Observer;
use crate::verify::sets::{Id, Set, SetId, vec_bytes};
use crate::verify::views::belief_system::{BeliefSystem, LabelId};
use crate::verify::views::static_view::StaticView;
use crate::verify::{Phase, Progress};

/// α and β.
pub(crate) type Labels = (Vec<LabelId>, Vec<LabelId>);

/// The state of the search.
pub(crate) struct Meeting<S> {
    exposed: ExposedSets,
    aim: Aim,
    forward: Observer<S>,
    /// |α| of each estimate.
    alphas: Vec<u64>,
    backward: Option<Backward<S>>,
    /// The estimate and the set of the best exposure so far.
    best: Option<(SetId, Option<SetId>)>,
    /// The greatest |αβ| that would be better, and 1.
    below: u64,
    work: u64,
}

struct Backward<S> {
    observer: Observer<S>,
    /// |β| of each set.
    betas: Vec<u64>,
    tester: ExposureTester,
    /// The set that is tested next.
    at: usize,
    /// How many estimates it is tested with, once that has begun.
    with: Option<usize>,
}

impl<S: Set> Meeting<S> {
    /// Nothing explored.
    pub(crate) fn new(view: &StaticView<S>, exposed: &ExposedSets, aim: Aim) -> Meeting<S> {
        let mut view = view.fresh();
        let (_, mut start) = view.initial();
        let start = if aim.initial { S::collect(view.n_states(), &mut start) } else { view.close(start) };
        let mut search = Meeting {
            exposed: exposed.clone(),
            aim,
            forward: Observer::new(view, start),
            alphas: vec![0],
            backward: None,
            best: None,
            below: aim.most.saturating_add(1),
            work: 0,
        };
        search.look_at_estimates(0);
        search
    }

    /// Work done so far.
    fn effort(&self) -> u64 {
        self.work + self.backward.as_ref().map_or(0, |backward| backward.tester.work)
    }

    /// Explores until this much work is done; α and β, once everything was explored that could be better.
    pub(crate) fn explore(&mut self, meter: &mut ResourceMonitor<'_>, until: u64) -> Result<Labels, Nothing> {
        while self.effort() < until {
            meter.check(&self.progress())?;
            let goes_on = if self.backward.is_none() { self.explore_forward() } else { self.explore_backward() };
            if !goes_on {
                return self.labels().ok_or(Nothing::Exists);
            }
        }
        Err(Nothing::Soon)
    }

    /// Expands one estimate; after the last one, reverses the automaton.
    fn explore_forward(&mut self) -> bool {
        let (next, known) = (self.forward.next, self.alphas.len());
        let least = if self.best.is_some() { self.aim.least.max(1) } else { self.aim.least };
        let is_wanted = |alpha: u64| alpha.saturating_add(1).saturating_add(least) < self.below;
        if next < known && is_wanted(self.alphas[next]) && !self.aim.initial {
            self.work += self.forward.expand();
            self.alphas.resize(self.forward.sets.len(), self.alphas[next] + 1);
            self.look_at_estimates(known);
            return true;
        }
        if self.aim.least.max(1) >= self.below {
            return false;
        }
        let reversed = self.forward.view.reversed();
        let all = S::collect::<u32>(reversed.n_states(), &mut (0..reversed.n_states() as u32).collect());
        self.work += reversed.size();
        let tester = ExposureTester::new(&self.exposed, &reversed, self.forward.sets.iter());
        let observer = Observer::new(reversed, all);
        self.backward = Some(Backward { observer, betas: vec![0], tester, at: 0, with: None });
        true
    }

    /// Whether one of the estimates from this one on is exposed itself.
    fn look_at_estimates(&mut self, from: usize) {
        if self.aim.least > 0 || self.best.is_some() {
            return;
        }
        let (sets, exposed) = (&self.forward.sets, &self.exposed);
        let is_exposed = |set: &SetId| exposes(sets.get(*set), sets.get(*set), exposed);
        if let Some(set) = (from..self.alphas.len()).map(SetId::from_index).find(is_exposed) {
            self.below = self.alphas[set.index()];
            self.best = Some((set, None));
        }
    }

    /// Tests a set with some estimates, or expands the next one; whether there is more to do.
    fn explore_backward(&mut self) -> bool {
        let Some(Backward { observer, betas, tester, at, with }) = &mut self.backward else { return false };
        let Some(&beta) = betas.get(*at) else {
            let Some(&beta) = betas.get(observer.next) else { return false };
            if beta >= self.aim.horizon || beta + 1 >= self.below {
                return false;
            }
            self.work += observer.expand();
            betas.resize(observer.sets.len(), beta + 1);
            return true;
        };
        let below = self.below;
        let better = || self.alphas.partition_point(|alpha| alpha.saturating_add(beta) < below);
        let wanted = *with.get_or_insert_with(|| {
            let wanted = better();
            tester.begin(wanted);
            wanted
        });
        let set = SetId::from_index(*at);
        let tested = if wanted == 0 || beta < self.aim.least {
            Tested::All
        } else {
            tester.test(observer.sets.get(set), |at| self.forward.sets.get(SetId::from_index(at)))
        };
        if let Tested::Exposed(estimate) = tested
            && estimate < wanted
        {
            self.below = self.alphas[estimate] + beta;
            self.best = Some((SetId::from_index(estimate), Some(set)));
        }
        if tested != Tested::Some {
            (*at, *with) = (*at + 1, None);
        }
        true
    }

    fn labels(&self) -> Option<Labels> {
        let (estimate, set) = self.best?;
        let mut alpha = self.forward.labels(estimate);
        alpha.reverse();
        let backward = self.backward.as_ref();
        let beta = set.and_then(|set| backward.map(|backward| backward.observer.labels(set)));
        Some((alpha, beta.unwrap_or_default()))
    }

    fn progress(&self) -> Progress {
        let backward = self.backward.as_ref();
        let bytes =
            |backward: &Backward<S>| backward.observer.bytes() + backward.tester.bytes() + vec_bytes(&backward.betas);
        Progress {
            phase: if backward.is_some() { Phase::Layers } else { Phase::Estimates },
            layer: 0,
            pairs: self.forward.members + backward.map_or(0, |backward| backward.observer.members),
            frontier: 0,
            memory: self.forward.bytes() + vec_bytes(&self.alphas) + backward.map_or(0, bytes),
        }
    }
}
