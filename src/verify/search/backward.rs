//! Phase 2 from behind: which states can show β, from the last sign to the first.
//!
//! E(α|αβ) = S(α) ∩ R(β), R(β) being the states from which some run shows β. R(ε) = X, and R(lβ) are the states that reach R(β) by
//! silent moves, l, silent moves: a step of the automaton turned around. Layers of |β| as in the front; for each state x only
//! the ⊆-minimal R that hold x matter, just as only the minimal estimates do. A layer exposes when some estimate meets
//! some R inside an exposed set. Cost: one test for each pair of an estimate and a set; the sets do not depend on the
//! estimates, so this wins where the front meets many (the two-way observer of Yin and Lafortune, with antichains).

use super::antichain::Antichain;
use super::exposure_test::{Exposing, Tested};
use crate::verify::engine::portfolio::Turn;
use crate::verify::exposed_sets::Exposed;
use crate::verify::limits::Meter;
use crate::verify::sets::{Set, SetId, SetInterner};
use crate::verify::views::belief_system::{Frame, Op};
use crate::verify::views::static_view::Fixed;
use crate::verify::{Phase, Progress, Stop};
use rustc_hash::FxHashMap;

/// The search from behind.
pub(crate) struct Behind<S> {
    /// The automaton turned around.
    back: Fixed<S>,
    /// What may be exposed.
    estimates: Vec<S>,
    estimate_bytes: u64,
    sets: SetInterner<S>,
    images: FxHashMap<(SetId, Op), SetId>,
    chain: Antichain<S>,
    cohorts: Vec<Cohort<S>>,
    cohort_bytes: u64,
    /// Cohorts before this one are expanded.
    next: usize,
    /// Where the current layer ends.
    end: usize,
    /// Cohorts before this one were tested with every estimate.
    tested: usize,
    exposing: Exposing,
    /// The layer that is being tested.
    layer: u64,
    horizon: u64,
    /// The last layer that was tested to its end.
    pub(crate) safe: Option<u64>,
    work: u64,
}

#[derive(Debug)]
struct Cohort<S> {
    set: SetId,
    lefts: S,
    from: Option<(usize, Op)>,
}

impl<S: Set> Behind<S> {
    /// Nothing done yet.
    pub(crate) fn new(
        back: Fixed<S>,
        estimates: Vec<S>,
        exposed: &Exposed,
        subsumption: bool,
        horizon: u64,
    ) -> Behind<S> {
        let universe = back.n_states();
        let mut sets: SetInterner<S> = SetInterner::new(universe);
        let all = sets.collect(&mut (0..universe as u32).collect());
        let lefts = sets.get(all).clone();
        let mut chain = Antichain::new(subsumption);
        let admitted = chain.admit(&sets, all, lefts).unwrap_or_default();
        Behind {
            estimate_bytes: estimates.iter().map(|set| set.bytes() + 16).sum(),
            exposing: Exposing::new(exposed, &back, estimates.iter()),
            back,
            estimates,
            sets,
            images: FxHashMap::default(),
            chain,
            cohorts: vec![Cohort { set: all, lefts: admitted, from: None }],
            cohort_bytes: 0,
            next: 0,
            end: 1,
            tested: 0,
            layer: 0,
            horizon,
            safe: None,
            work: 0,
        }
    }

    /// The layer after which nothing new came.
    pub(crate) fn depth(&self) -> u64 {
        self.layer.saturating_sub(1)
    }

    /// How many pairs and sets are stored.
    pub(crate) fn stored(&self) -> (u64, u64) {
        (self.chain.pairs, self.sets.len() as u64)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let images = 32 * self.images.len() as u64;
        let estimates = self.estimate_bytes + self.exposing.bytes();
        self.sets.bytes() + self.chain.bytes() + self.cohort_bytes + self.back.bytes() + estimates + images
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        self.work + self.exposing.work + self.chain.effort()
    }

    /// Goes on until this much work is done.
    pub(crate) fn explore(&mut self, meter: &mut Meter<'_>, until: u64) -> Result<Turn, Stop> {
        while self.effort() < until {
            meter.check(&self.progress())?;
            if self.tested < self.end {
                if let Some(found) = self.test() {
                    return Ok(found);
                }
            } else if self.next < self.end {
                self.safe = Some(self.layer);
                if self.layer >= self.horizon {
                    return Ok(Turn::Safe { for_ever: false });
                }
                self.expand();
            } else if self.end == self.cohorts.len() {
                return Ok(Turn::Safe { for_ever: true });
            } else {
                self.close_layer();
            }
        }
        Ok(Turn::Unfinished)
    }

    fn progress(&self) -> Progress {
        Progress {
            phase: Phase::Layers,
            layer: self.layer,
            pairs: self.chain.pairs,
            frontier: (self.cohorts.len() - self.next) as u64,
            memory: self.bytes(),
        }
    }

    /// Tests the next set of the layer with some estimates.
    fn test(&mut self) -> Option<Turn> {
        let cohort = self.tested;
        match self.exposing.test(self.sets.get(self.cohorts[cohort].set), |at| &self.estimates[at]) {
            Tested::Exposed(estimate) => return Some(Turn::Exposed { estimate, beta: self.beta(cohort) }),
            Tested::Some => {}
            Tested::All => self.tested += 1,
        }
        None
    }

    /// β: the operations from a set back to R(ε).
    fn beta(&self, cohort: usize) -> Vec<Op> {
        let mut beta = Vec::new();
        let mut at = cohort;
        while let Some((from, op)) = self.cohorts[at].from {
            beta.push(op);
            at = from;
        }
        beta
    }

    /// Expands one set of the layer.
    fn expand(&mut self) {
        let at = self.next;
        self.next += 1;
        let (set, lefts) = (self.cohorts[at].set, self.cohorts[at].lefts.clone());
        self.work += lefts.len() as u64;
        for (op, _, targets) in self.back.advance(&lefts) {
            let image = self.image(set, op);
            if let Some(lefts) = self.chain.admit(&self.sets, image, targets) {
                self.cohort_bytes += lefts.bytes() + std::mem::size_of::<Cohort<S>>() as u64;
                self.cohorts.push(Cohort { set: image, lefts, from: Some((at, op)) });
            }
        }
    }

    /// The next layer is whole: fixes what is of interest in it.
    fn close_layer(&mut self) {
        self.layer += 1;
        self.end = self.cohorts.len();
        for cohort in &mut self.cohorts[self.next..] {
            self.chain.refresh(&self.sets, cohort.set, &mut cohort.lefts);
        }
    }

    fn image(&mut self, set: SetId, op: Op) -> SetId {
        if let Some(&image) = self.images.get(&(set, op)) {
            return image;
        }
        let post = self.back.post(self.sets.get(set), op);
        self.work += u64::from(self.sets.summary(set).len);
        let image = self.sets.intern(post);
        self.images.insert((set, op), image);
        image
    }
}
