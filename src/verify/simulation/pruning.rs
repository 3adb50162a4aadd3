//! Pairs that need no search, because a rival stands by that can answer for ever.
//!
//! In phase 1 a left is covered by an estimate that holds a *twin* of it (for `among N`: N - 1 twins that stay apart); in
//! phase 2 by any rival that *simulates* it. Both are asked of the [`Game`], lazily and within an allowance of work that
//! grows with the search's own, so that models without twins pay little for having none.
//!
//! Under the weak projection there is a cheaper game beside: fix a permutation ρ of the anonymous events, let y answer
//! each event a of x with ρ(a), whatever was used before. A rival (y, π, F) with π inside ρ and F out of ρ's way is then a
//! twin for ever.

use super::game::{Arena, Game, Rule, Together};
use crate::verify::Progress;
use crate::verify::exposed_sets::Exposed;
use crate::verify::limits::Meter;
use crate::verify::sets::Set;
use crate::verify::views::belief_system::{Frame, Left, Rival, STAY};
use rustc_hash::FxHashMap;

/// Work that may be spent for each state and transition before the search has done any.
const FREE_WORK: u64 = 8;
/// And this much beside, for the smallest models.
const FREE_START: u64 = 2_000;
/// Work in lockstep, whose steps are cheap, for each step of the search.
const STEADY_PER_STEP: u64 = 1;
/// What one unit of the game's work costs, in steps of the search.
const STEPS_PER_WORK: u64 = 16;
/// Work between two looks at the limits.
const SLICE: u64 = 25_000;
/// The most rivals of one estimate that are ranked in one go.
const MOST_RANKED: usize = 512;

/// One game, and what is known from it for each left.
#[derive(Debug)]
pub(crate) struct Cover<S> {
    game: Game,
    width: usize,
    good: FxHashMap<Left, Vec<Together>>,
    tried: FxHashMap<Left, S>,
    /// Where the last slice ended: at this rival of this left, or after all of them.
    resume: Option<(Left, Rival)>,
    bytes: u64,
    /// Lefts that were covered.
    pub(crate) covered: u64,
}

impl<S: Set> Cover<S> {
    /// Twins: rivals that stay apart, this many together.
    pub(crate) fn twins(width: usize) -> Cover<S> {
        Cover::new(Rule::Apart, width)
    }

    /// Simulation: one rival, anywhere.
    pub(crate) fn simulation() -> Cover<S> {
        Cover::new(Rule::Anywhere, 1)
    }

    fn new(rule: Rule, width: usize) -> Cover<S> {
        Cover {
            game: Game::new(rule),
            width,
            good: FxHashMap::default(),
            tried: FxHashMap::default(),
            resume: None,
            bytes: 0,
            covered: 0,
        }
    }

    /// The positions that are known to be good.
    pub(crate) fn relation(&self) -> impl Iterator<Item = (Left, &[Rival])> {
        self.game.good()
    }

    /// Work done so far, in steps of the search.
    pub(crate) fn effort(&self) -> u64 {
        self.game.work * STEPS_PER_WORK
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.game.bytes() + self.bytes
    }

    /// The lefts that are not covered by a set of rivals, as far as the limits allow to find out. `search_work` is what the search itself
    /// has done so far, `progress` what it holds with this.
    pub(crate) fn uncovered<F: Frame<Set = S>>(
        &mut self,
        frame: &mut F,
        exposed: &Exposed,
        (lefts, rivals): (S, &S),
        search_work: u64,
        (meter, mut progress): (&mut Meter<'_>, Progress),
    ) -> S {
        let beside = progress.memory - self.bytes() - frame.bytes();
        let mut stopped = false;
        let mut is_covered = |left: Left| loop {
            // WHY: a limit that is passed here is noticed again at the next step of the search, which ends it.
            progress.memory = beside + self.bytes() + frame.bytes();
            stopped = stopped || meter.check(&progress).is_err();
            if stopped {
                return false;
            }
            match self.covers(frame, exposed, left, rivals, search_work) {
                Some(answer) => return answer,
                None => stopped = meter.look(&progress).is_err(),
            }
        };
        let mut open: Vec<Left> = lefts.iter().filter(|&left| !is_covered(left)).collect();
        S::collect(frame.universe(), &mut open)
    }

    /// Whether a left is covered by a set of rivals; `search_work` is what the search itself has done so far. None: a slice of
    /// work is over, and it pays to ask again.
    fn covers<F: Frame<Set = S>>(
        &mut self,
        frame: &mut F,
        exposed: &Exposed,
        left: Left,
        rivals: &S,
        search_work: u64,
    ) -> Option<bool> {
        let free = FREE_WORK * frame.size();
        let most = FREE_START + free + search_work / 2;
        let steady = FREE_START + free * frame.steady_share() + search_work * STEADY_PER_STEP;
        let covered = self.known(left, rivals)
            || (self.width == 1 && self.steadily(frame, exposed, (left, rivals), steady)?)
            || match self.try_new(frame, exposed, left, rivals, most / frame.game_cost()) {
                Some(covered) => covered,
                None => {
                    self.resume = Some((left, Rival::MAX));
                    return None;
                }
            };
        self.covered += u64::from(covered);
        Some(covered)
    }

    fn steadily<F: Frame<Set = S>>(
        &mut self,
        frame: &mut F,
        exposed: &Exposed,
        (left, rivals): (Left, &S),
        most: u64,
    ) -> Option<bool> {
        let until = most.min(frame.steady_work() + SLICE);
        let from = self.resume.take().filter(|resume| resume.0 == left).map_or(0, |resume| resume.1);
        match frame.steadily(self.game.rule(), exposed, left, (rivals, from), until) {
            Ok(held) => Some(held),
            Err(_) if until == most => Some(false),
            Err(rival) => {
                self.resume = Some((left, rival));
                None
            }
        }
    }

    fn known(&self, left: Left, rivals: &S) -> bool {
        let good = self.good.get(&left).map_or(&[][..], |good| good);
        good.iter().any(|some| some.iter().all(|&rival| rivals.contains(rival)))
    }

    /// Tries the rivals that were not tried with this left before.
    fn try_new<F: Frame<Set = S>>(
        &mut self,
        frame: &mut F,
        exposed: &Exposed,
        left: Left,
        rivals: &S,
        most: u64,
    ) -> Option<bool> {
        if self.game.work > most {
            return Some(false);
        }
        let until = most.min(self.game.work + SLICE);
        let tried = self.tried.get(&left).filter(|_| self.width == 1);
        if tried.is_some_and(|tried| rivals.is_subset(tried)) {
            return Some(false);
        }
        let mut untried = rivals.clone();
        if let Some(tried) = tried {
            untried.difference_with(tried);
        }
        let lookalikes =
            if self.width == 1 && untried.len() > MOST_RANKED { frame.lookalikes(left) } else { Vec::new() };
        for rival in lookalikes.into_iter().filter(|&rival| untried.contains(rival)).take(MOST_RANKED) {
            match self.put(frame, exposed, left, &[rival], until) {
                None => return (until == most).then_some(false),
                Some(true) => return Some(true),
                Some(false) => {}
            }
        }
        self.game.work += 1 + untried.len() as u64 / 2;
        let ranked = rank(frame, left, &untried);
        for some in self.choices(&ranked) {
            match self.put(frame, exposed, left, &some, until) {
                None => return (until == most).then_some(false),
                Some(true) => return Some(true),
                Some(false) => {}
            }
        }
        if self.width == 1 {
            let tried = self.tried.entry(left).or_default();
            self.bytes = self.bytes + untried.bytes() - tried.bytes().min(untried.bytes());
            tried.union_with(&untried);
        }
        Some(false)
    }

    /// Puts one question to the game, and writes down what it proved in passing.
    fn put<F: Frame<Set = S>>(
        &mut self,
        frame: &mut F,
        exposed: &Exposed,
        left: Left,
        some: &[Rival],
        until: u64,
    ) -> Option<bool> {
        let good = self.game.ask(frame, exposed, left, some, until)?;
        self.note();
        let known = self.good.get(&left).is_some_and(|all| all.iter().any(|known| known[..] == *some));
        if good && !known {
            self.good.entry(left).or_default().push(Together::from_slice(some));
        }
        Some(good)
    }

    /// The groups of rivals that are tried together.
    fn choices(&self, ranked: &[Rival]) -> Vec<Together> {
        if self.width == 1 {
            return ranked.iter().map(|&rival| Together::from_slice(&[rival])).collect();
        }
        let mut choices: Vec<Together> = vec![Together::new()];
        for _ in 0..self.width {
            let longer = choices.iter().flat_map(|some| {
                let rest = ranked.iter().skip_while(|rival| some.contains(rival)).filter(|rival| !some.contains(rival));
                rest.take(8).map(|&rival| some.iter().copied().chain([rival]).collect())
            });
            choices = longer.take(64).collect();
        }
        choices
    }

    /// Writes down the positions that the last question proved good in passing.
    fn note(&mut self) {
        for (left, rivals) in self.game.take_news() {
            self.good.entry(left).or_default().push(rivals);
            self.bytes += 32;
        }
    }
}

/// The rivals, the most promising first.
fn rank<F: Frame>(frame: &mut F, left: Left, rivals: &F::Set) -> Vec<Rival> {
    let mut ranked: Vec<Rival> = rivals.iter().collect();
    if ranked.len() <= MOST_RANKED {
        ranked.sort_by_cached_key(|&rival| frame.strangeness(left, rival));
    }
    ranked
}

impl<F: Frame> Arena for F {
    fn left_moves(&mut self, left: u32, into: &mut Vec<(u32, u32)>) {
        into.extend(self.moves(left).iter().map(|step| (step.op, step.target)));
    }

    fn replies(&mut self, rival: u32, op: u32, all: bool, into: &mut Vec<u32>) {
        match (op, all) {
            (STAY, true) => self.drift(rival, into),
            (_, true) => self.answers(rival, op, into),
            (_, false) => self.direct(rival, op, into),
        }
    }

    fn is_double(&mut self, left: u32, rival: u32) -> bool {
        self.own(left) == rival
    }

    fn left_class(&self, left: u32, exposed: &Exposed) -> (u32, bool) {
        let state = self.left_state(left);
        (exposed.class(state), exposed.jumps(state))
    }

    fn rival_class(&self, rival: u32, exposed: &Exposed) -> u32 {
        exposed.class(self.rival_state(rival))
    }

    fn distrust(&self, left: u32, rival: u32) -> u32 {
        self.strangeness(left, rival)
    }
}
