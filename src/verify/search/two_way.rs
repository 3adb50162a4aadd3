//! Both observers, whole: every estimate from the front, every set that can show some β from behind.
//!
//! No lefts, no comparisons, no twins: a set costs what it costs to make and to find again. Where estimates are few, or many and
//! none inside another, nothing is faster; elsewhere there are exponentially more sets than the other searches keep. So this runs
//! beside them (Yin and Lafortune, 2017). Cost: one test for each estimate and each set from behind.

use super::exposure_test::{Exposing, Tested, exposes};
use super::forward::Goal;
use crate::verify::engine::portfolio::Turn;
use crate::verify::exposed_sets::Exposed;
use crate::verify::limits::Meter;
use crate::verify::sets::{Id, Set, SetId, SetInterner};
use crate::verify::views::belief_system::{Frame, Op};
use crate::verify::views::static_view::Fixed;
use crate::verify::{Phase, Progress, Stop};

/// What it costs to make a set and to find it again, in units of work.
const SET_COST: u64 = 12;

/// The two observers under way.
pub(crate) struct TwoWay<S> {
    exposed: Exposed,
    goal: Goal,
    front: Observer<S>,
    back: Option<(Observer<S>, Exposing)>,
    /// SetInterner from behind before this one were tested with every estimate.
    tested: usize,
    /// Where the layer that is being tested ends.
    end: usize,
    layer: u64,
    /// The last layer that was tested to its end.
    pub(crate) safe: Option<u64>,
    work: u64,
}

/// Every set that labels lead to, in the order in which they were met.
struct Observer<S> {
    frame: Fixed<S>,
    sets: SetInterner<S>,
    from: Vec<Option<(SetId, Op)>>,
    /// SetInterner before this one were expanded.
    next: usize,
    members: u64,
}

impl<S: Set> Observer<S> {
    fn new(frame: Fixed<S>, start: S) -> Observer<S> {
        let mut sets = SetInterner::new(frame.n_states());
        let members = start.len() as u64;
        sets.intern(start);
        Observer { frame, sets, from: vec![None], next: 0, members }
    }

    /// Expands the next set; the work that it took.
    fn expand(&mut self) -> u64 {
        let at = SetId::from_index(self.next);
        self.next += 1;
        let images = self.frame.advance(self.sets.get(at));
        let work = self.frame.image_work(self.sets.summary(at).len) + SET_COST * images.len() as u64;
        for (op, _, image) in images {
            let len = image.len() as u64;
            let id = self.sets.intern(image);
            if id.index() == self.from.len() {
                self.from.push(Some((at, op)));
                self.members += len;
            }
        }
        work
    }

    /// The labels from a set back to the start.
    fn labels(&self, mut at: SetId) -> Vec<Op> {
        let mut labels = Vec::new();
        while let Some((from, op)) = self.from[at.index()] {
            labels.push(op);
            at = from;
        }
        labels
    }

    fn bytes(&self) -> u64 {
        self.sets.bytes() + self.frame.bytes() + 12 * self.from.len() as u64
    }
}

impl<S: Set> TwoWay<S> {
    /// Nothing done yet.
    pub(crate) fn new(frame: &Fixed<S>, exposed: &Exposed, goal: Goal) -> TwoWay<S> {
        let mut frame = frame.bare();
        let (_, mut start) = frame.start();
        let start = if goal.initial { S::collect(frame.n_states(), &mut start) } else { frame.close(start) };
        TwoWay {
            exposed: exposed.clone(),
            goal,
            front: Observer::new(frame, start),
            back: None,
            tested: 0,
            end: 1,
            layer: 0,
            safe: None,
            work: 0,
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.front.bytes() + self.back.as_ref().map_or(0, |(back, exposing)| back.bytes() + exposing.bytes())
    }

    /// Members of all sets, and sets.
    pub(crate) fn stored(&self) -> (u64, u64) {
        let both = || std::iter::once(&self.front).chain(self.back.as_ref().map(|(back, _)| back));
        (both().map(|observer| observer.members).sum(), both().map(|observer| observer.sets.len() as u64).sum())
    }

    /// Work done so far.
    pub(crate) fn effort(&self) -> u64 {
        self.work + self.back.as_ref().map_or(0, |(_, exposing)| exposing.work)
    }

    /// The layer after which nothing new came.
    pub(crate) fn depth(&self) -> u64 {
        self.layer.saturating_sub(1)
    }

    /// Goes on until this much work is done.
    pub(crate) fn explore(&mut self, meter: &mut Meter<'_>, until: u64) -> Result<Turn, Stop> {
        while self.effort() < until {
            meter.check(&self.progress())?;
            let done = match &mut self.back {
                None => self.estimate(),
                Some(_) => self.look_back(),
            };
            if let Some(turn) = done {
                return Ok(turn);
            }
        }
        Ok(Turn::Unfinished)
    }

    /// Expands one estimate; at the end of all turns around.
    fn estimate(&mut self) -> Option<Turn> {
        let whole = self.front.sets.len();
        if self.front.next < whole && !self.goal.initial {
            let before = whole;
            self.work += self.front.expand();
            let news = before..self.front.sets.len();
            let first = if self.front.next == 1 { 0 } else { news.start };
            return (first..news.end).find_map(|at| self.exposes_at_once(SetId::from_index(at)));
        }
        if self.goal.initial {
            // WHY: labels that nobody can show are never asked about, so the start alone is the estimate.
            self.front.next = whole;
        }
        let turned = self.front.frame.turned_around();
        let all = S::collect(turned.n_states(), &mut (0..turned.n_states() as u32).collect());
        self.work += turned.size();
        let estimates = self.front.sets.iter();
        let exposing = Exposing::new(&self.exposed, &turned, estimates);
        self.back = Some((Observer::new(turned, all), exposing));
        None
    }

    fn exposes_at_once(&self, at: SetId) -> Option<Turn> {
        let estimate = self.front.sets.get(at);
        exposes(estimate, estimate, &self.exposed).then(|| Turn::Exposed { estimate: at.index(), beta: Vec::new() })
    }

    /// What a run shows that ends in an estimate.
    pub(crate) fn alpha(&self, estimate: usize) -> Vec<Op> {
        let mut alpha = self.front.labels(SetId::from_index(estimate));
        alpha.reverse();
        alpha
    }

    /// Tests the sets of a layer against every estimate, then expands the layer.
    fn look_back(&mut self) -> Option<Turn> {
        let (back, exposing) = self.back.as_mut()?;
        if self.tested < self.end {
            let (set, front) = (SetId::from_index(self.tested), &self.front);
            match exposing.test(back.sets.get(set), |at| front.sets.get(SetId::from_index(at))) {
                Tested::Exposed(estimate) => return Some(Turn::Exposed { estimate, beta: back.labels(set) }),
                Tested::Some => {}
                Tested::All => self.tested += 1,
            }
            return None;
        }
        if back.next < self.end {
            self.safe = Some(self.layer);
            if self.layer >= self.goal.horizon {
                return Some(Turn::Safe { for_ever: false });
            }
            self.work += back.expand();
            return None;
        }
        if self.end == back.sets.len() {
            self.layer += 1;
            return Some(Turn::Safe { for_ever: true });
        }
        self.layer += 1;
        self.end = back.sets.len();
        None
    }

    fn progress(&self) -> Progress {
        let (members, sets) = self.stored();
        let expanded = self.front.next + self.back.as_ref().map_or(0, |(back, _)| back.next);
        Progress {
            phase: if self.back.is_some() { Phase::Layers } else { Phase::Estimates },
            layer: self.layer,
            pairs: members,
            frontier: sets - expanded as u64,
            memory: self.bytes(),
        }
    }
}
