//! From levers and goals to the cheapest choice, or to every minimal one.
//!
//! Choices are visited in order of cost, as implicit hitting sets: the next one is a cheapest that no [clause](super::refuted) covers
//! ([`frontier`](super::frontier)). It is decided by the first of: a part of it is enough (then it is not minimal), a [known
//! run](super::known_runs) exposes it, a search. If it is violated, the run that shows it gives a clause, and the choice is left by the
//! levers that the clause wants. A lever costs at least 1, so every part of a choice comes before it, and what is found is minimal.
//!
//! A clause never covers a choice that is enough. So the answer depends neither on the order of searches nor on the number of threads.

use super::candidate::{Bench, Tried};
use super::choice::Choice;
use super::frontier::{Frontier, Node};
use super::known_runs::KnownRuns;
use super::monotone::monotone;
use super::refuted::{Generaliser, Refuted};
use crate::parallel::Pool;
use crate::resources::{Monitor, Stop};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// What the search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many choices were visited.
    pub candidates: u64,
    /// How many of them a known run refuted.
    pub refuted: u64,
    /// How many were known to be violated, because a clause of another choice covers them.
    pub implied: u64,
    /// How many were searched.
    pub searched: u64,
}

/// What the search found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Sufficient choices, cheapest first; minimal as far as everything cheaper was decided.
    pub enough: Vec<Choice>,
    /// A sufficient choice that need not be minimal.
    pub fallback: Option<Choice>,
    /// The least cost of a choice that is not decided; none: all are.
    pub open: Option<u64>,
    /// Why not all are.
    pub stop: Option<Stop>,
    pub effort: Effort,
    /// What runs refuted.
    pub refuted: Vec<Refuted>,
}

/// The levers that can matter for a goal.
pub(super) fn useful(bench: &Bench<'_>) -> Vec<usize> {
    let is_useful =
        |&lever: &usize| bench.goals.iter().any(|goal| goal.may_feel(bench.system, &bench.levers[lever].change));
    (0..bench.levers.len()).filter(is_useful).collect()
}

pub(super) struct Search<'a, 'b> {
    bench: &'b Bench<'a>,
    is_monotone: Vec<bool>,
    useful: &'b [usize],
    frontier: Frontier<'b>,
    /// Choices that were decided before their turn.
    holding: FxHashSet<Choice>,
    known: KnownRuns,
    pool: Pool,
    monitor: Monitor<'a>,
    most: usize,
    found: Found,
}

/// After so many searches a sufficient choice is shrunk, so that there is something to show when the time is over.
const PATIENCE: u64 = 32;

impl<'a, 'b> Search<'a, 'b> {
    /// A search for the first `most` minimal choices of [`useful`] levers.
    pub fn new(bench: &'b Bench<'a>, useful: &'b [usize], most: usize) -> Search<'a, 'b> {
        Search {
            bench,
            is_monotone: monotone(bench.system, bench.levers, &bench.goals),
            useful,
            frontier: Frontier::new(bench.levers, useful),
            holding: FxHashSet::default(),
            known: KnownRuns::default(),
            pool: Pool::new(bench.options.n_threads()),
            monitor: bench.monitor(),
            most,
            found: Found::default(),
        }
    }

    /// Visits choices until enough are found, none is left, or a limit is reached.
    pub fn run(mut self) -> Found {
        let stop = self.visit_all().err();
        let left = stop.and_then(|_| self.frontier.bound());
        self.found.open = self.found.open.into_iter().chain(left).min();
        self.found.stop = stop.or(self.found.stop);
        let effort = &mut self.found.effort;
        effort.implied = self.frontier.implied;
        effort.candidates += effort.implied;
        Found { refuted: self.frontier.into_refuted(), ..self.found }
    }

    fn visit_all(&mut self) -> Result<(), Stop> {
        let mut shrunk = false;
        while self.found.enough.len() < self.most {
            let batch = self.next_batch()?;
            if batch.is_empty() {
                break;
            }
            self.search(batch)?;
            if self.found.effort.searched == 1 {
                self.try_everything()?;
            }
            if self.found.effort.searched > PATIENCE && !shrunk {
                shrunk = true;
                self.shrink()?;
            }
        }
        Ok(())
    }

    /// The next choices that only a search can decide: at most one for each thread.
    fn next_batch(&mut self) -> Result<Vec<Node>, Stop> {
        let mut batch = Vec::new();
        let filled = self.fill(&mut batch);
        // WHY: what is not settled to its end counts for the lower bound.
        if filled.is_err() {
            batch.drain(..).for_each(|node| self.frontier.put_back(node));
        }
        filled.map(|()| batch)
    }

    fn fill(&mut self, batch: &mut Vec<Node>) -> Result<(), Stop> {
        while batch.len() < self.width() && self.found.enough.len() < self.most {
            let Some(node) = self.frontier.next(&self.found.enough, &mut self.monitor)? else { break };
            if self.holding.contains(&node.choice) {
                // WHY: a choice of the batch may have children that are cheaper.
                if !batch.is_empty() {
                    self.frontier.put_back(node);
                    break;
                }
                self.found.enough.push(node.choice);
                continue;
            }
            self.found.effort.candidates += 1;
            match self.refuted(&node) {
                Ok(true) => {}
                Ok(false) => batch.push(node),
                Err(stop) => {
                    self.frontier.put_back(node);
                    return Err(stop);
                }
            }
        }
        Ok(())
    }

    /// The first choices are visited one by one: their witnesses refute the others.
    fn width(&self) -> usize {
        if self.found.effort.searched < 2 { 1 } else { self.pool.threads() }
    }

    /// Whether a known run exposes a choice; then it is left.
    fn refuted(&mut self, node: &Node) -> Result<bool, Stop> {
        if !self.is_exposed(&node.choice)? {
            return Ok(false);
        }
        self.found.effort.refuted += 1;
        self.leave(node, Why::KnownRun)?;
        Ok(true)
    }

    /// Whether a known run exposes a choice. That run is then the last known one.
    fn is_exposed(&mut self, choice: &Choice) -> Result<bool, Stop> {
        let Some(altered) = self.bench.altered(choice) else { return Ok(false) };
        self.monitor.spend(64)?;
        self.known.refute(self.bench, &altered, &mut self.monitor)
    }

    fn search(&mut self, batch: Vec<Node>) -> Result<(), Stop> {
        let (first, threads) = (self.known.last_goal(), self.threads_each(batch.len()));
        let bench = self.bench;
        let tried = self.pool.map(&batch, |_, node| bench.decide(&node.choice, first, threads));
        self.found.effort.searched += batch.len() as u64;
        let mut late = None;
        for (node, tried) in batch.into_iter().zip(tried) {
            if let Err(stop) = self.settle(&node, tried) {
                self.frontier.put_back(node);
                late = Some(stop);
            }
        }
        late.map_or(Ok(()), Err)
    }

    fn threads_each(&self, at_once: usize) -> usize {
        if at_once > 1 { 1 } else { self.bench.options.threads }
    }

    fn settle(&mut self, node: &Node, tried: Tried) -> Result<(), Stop> {
        match tried {
            Tried::Holds => {
                self.holding.insert(node.choice.clone());
                self.frontier.put_back(node.clone());
                Ok(())
            }
            Tried::Violated(exposed) => {
                let why = Why::of(self.known.add(exposed));
                self.leave(node, why)
            }
            Tried::Inapplicable => self.leave(node, Why::Itself),
            Tried::Undecided(stop @ (Stop::Timeout | Stop::Interrupted)) => Err(stop),
            Tried::Undecided(stop) => {
                self.found.stop = Some(stop);
                self.found.open = Some(self.found.open.map_or(node.bound, |open| open.min(node.bound)));
                self.leave(node, Why::Itself)
            }
        }
    }

    /// Learns why a choice is left, and goes beyond it.
    fn leave(&mut self, node: &Node, why: Why) -> Result<(), Stop> {
        self.learn(&node.choice, why)?;
        self.frontier.expand(node, &mut self.monitor)
    }

    fn learn(&mut self, choice: &Choice, why: Why) -> Result<(), Stop> {
        let (bench, useful, is_monotone) = (self.bench, self.useful, &self.is_monotone[..]);
        let generaliser = Generaliser { bench, useful, is_monotone };
        let refuted = match (why, self.known.last()) {
            (Why::KnownRun, Some(run)) => generaliser.all(choice, run, &mut self.monitor)?,
            (Why::KnownRun | Why::NoRun, _) => generaliser.violated(choice),
            (Why::Itself, _) => generaliser.only(choice),
        };
        self.frontier.learn(refuted, &mut self.monitor)
    }

    /// As many of these levers as do not contradict each other, the first ones first.
    fn together(&self, levers: impl Iterator<Item = usize>) -> Choice {
        let fits = |choice: &Choice, lever: usize| {
            let change = &self.bench.levers[lever].change;
            !choice.iter().any(|other| self.bench.levers[other].change.contradicts(change))
        };
        levers.fold(Choice::default(), |choice, lever| if fits(&choice, lever) { choice.with(lever) } else { choice })
    }

    /// Decides the choice of all levers, once the system itself is violated: if it is violated, too, its run often refutes all others at
    /// once; if it holds, there is something to show when the time is over. Then the same with all monotone levers.
    fn try_everything(&mut self) -> Result<(), Stop> {
        let everything = self.together(self.useful.iter().copied());
        let monotone = self.together(self.useful.iter().copied().filter(|&lever| self.is_monotone[lever]));
        let is_violated = self.found.enough.is_empty() && self.holding.is_empty();
        for choice in [everything, monotone] {
            if is_violated && self.found.fallback.is_none() && choice.len() > 1 && self.tried(&choice)? {
                self.found.fallback = Some(choice);
            }
        }
        Ok(())
    }

    /// Leaves levers out of the sufficient choice that is known, the dearest first, as long as it is sufficient.
    fn shrink(&mut self) -> Result<(), Stop> {
        let Some(whole) = self.found.fallback.clone() else { return Ok(()) };
        let mut levers: Vec<usize> = whole.iter().collect();
        levers.sort_by_key(|&lever| Reverse(self.bench.levers[lever].cost));
        let mut small = whole;
        for lever in levers {
            let less = small.without(lever);
            if self.tried(&less)? {
                self.found.fallback = Some(less.clone());
                small = less;
            }
        }
        Ok(())
    }

    /// Whether a choice is enough that is tried before its turn.
    fn tried(&mut self, choice: &Choice) -> Result<bool, Stop> {
        if self.frontier.covers(choice) {
            return Ok(false);
        }
        if self.is_exposed(choice)? {
            return self.learn(choice, Why::KnownRun).map(|()| false);
        }
        self.found.effort.searched += 1;
        match self.bench.decide(choice, self.known.last_goal(), self.bench.options.threads) {
            Tried::Holds => Ok(true),
            Tried::Violated(exposed) => {
                let why = Why::of(self.known.add(exposed));
                self.learn(choice, why).map(|()| false)
            }
            Tried::Inapplicable | Tried::Undecided(Stop::Memory | Stop::Pairs | Stop::States) => Ok(false),
            Tried::Undecided(stop) => Err(stop),
        }
    }
}

/// Why a choice is left.
#[derive(Clone, Copy)]
enum Why {
    /// The last known run exposes it.
    KnownRun,
    /// It is violated, and no run shows that.
    NoRun,
    /// It is no choice, or was not decided: that says nothing of others.
    Itself,
}

impl Why {
    fn of(has_run: bool) -> Why {
        if has_run { Why::KnownRun } else { Why::NoRun }
    }
}
