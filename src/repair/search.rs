//! From levers and goals to the cheapest choice, or to every minimal one.
//!
//! Choices are visited in order of cost. A lever costs at least 1, so every part of a choice comes before it. Let M be the
//! [monotone](super::monotone) levers. A node is a choice of other levers, P, with some of M. When it is violated, it is grown: levers of
//! M are added as long as a known run still exposes it. Every choice between the node and what it grew to is violated, so only levers
//! outside of it lead on: one child for each, as in the hitting-set tree of Reiter (1987). The other levers are enumerated: a node
//! without levers of M has a child for each of them that comes after its last. So every minimal choice is reached through cheaper ones,
//! whatever was grown: the answer depends neither on the order of searches nor on the number of threads.
//!
//! A choice is decided by the first of: a part of it is enough (then it is not minimal), it lies inside something that was grown, a
//! [known run](super::known_runs) exposes it, a search.

use super::candidate::{Bench, Exposed, Tried};
use super::choice::Choice;
use super::known_runs::KnownRuns;
use super::monotone::monotone;
use crate::parallel::Pool;
use crate::resources::{Monitor, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What the search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many choices were visited.
    pub candidates: u64,
    /// How many of them a known run refuted.
    pub refuted: u64,
    /// How many were known to be violated, because a choice that hides more is.
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
}

/// A choice to visit.
#[derive(Debug, PartialEq, Eq)]
struct Node {
    cost: u64,
    choice: Choice,
}

impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        self.cost.cmp(&other.cost).then_with(|| self.choice.order(&other.choice))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

pub(super) struct Search<'a, 'b> {
    bench: &'b Bench<'a>,
    is_monotone: Vec<bool>,
    /// The levers that can matter.
    useful: Vec<usize>,
    open: BinaryHeap<Reverse<Node>>,
    seen: FxHashSet<Choice>,
    /// Choices that were decided before their turn.
    holding: FxHashSet<Choice>,
    /// By their levers that are not monotone: choices that are violated with all monotone levers that they leave out.
    grown: FxHashMap<Choice, Vec<Choice>>,
    known: KnownRuns,
    pool: Pool,
    monitor: Monitor<'a>,
    most: usize,
    found: Found,
}

/// After so many searches a sufficient choice is shrunk, so that there is something to show when the time is over.
const PATIENCE: u64 = 32;

impl<'a, 'b> Search<'a, 'b> {
    /// A search for the first `most` minimal choices.
    pub fn new(bench: &'b Bench<'a>, most: usize) -> Search<'a, 'b> {
        let is_useful =
            |&lever: &usize| bench.goals.iter().any(|goal| goal.may_feel(bench.system, &bench.levers[lever].change));
        Search {
            bench,
            is_monotone: monotone(bench.system, bench.levers, &bench.goals),
            useful: (0..bench.levers.len()).filter(is_useful).collect(),
            open: BinaryHeap::new(),
            seen: FxHashSet::default(),
            holding: FxHashSet::default(),
            grown: FxHashMap::default(),
            known: KnownRuns::default(),
            pool: Pool::new(bench.options.n_threads()),
            monitor: bench.monitor(),
            most,
            found: Found::default(),
        }
    }

    /// Visits choices until enough are found, none is left, or a limit is reached.
    pub fn run(mut self) -> (Found, KnownRuns) {
        let stop = self.visit_all().err();
        let left = self.open.peek().map_or(0, |Reverse(node)| node.cost);
        let left = stop.map(|_| left);
        self.found.open = self.found.open.into_iter().chain(left).min();
        self.found.stop = stop.or(self.found.stop);
        (self.found, self.known)
    }

    fn visit_all(&mut self) -> Result<(), Stop> {
        self.push(Choice::default())?;
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
        while batch.len() < self.width() && self.found.enough.len() < self.most {
            let Some(Reverse(node)) = self.open.pop() else { break };
            if let Err(stop) = self.monitor.spend(1 + node.choice.len() as u64) {
                self.open.extend(batch.into_iter().chain([node]).map(Reverse));
                return Err(stop);
            }
            if self.found.enough.iter().any(|enough| enough.is_within(&node.choice)) {
                continue;
            }
            if self.holding.contains(&node.choice) {
                // WHY: a choice of the batch may have children that are cheaper.
                if !batch.is_empty() {
                    self.open.push(Reverse(node));
                    break;
                }
                self.found.enough.push(node.choice);
                continue;
            }
            match self.settled_without_search(&node.choice) {
                Ok(true) => {}
                Ok(false) => batch.push(node),
                Err(stop) => {
                    self.open.extend(batch.into_iter().chain([node]).map(Reverse));
                    return Err(stop);
                }
            }
        }
        Ok(batch)
    }

    /// The first choices are visited one by one: their witnesses refute the others.
    fn width(&self) -> usize {
        if self.found.effort.searched < 2 { 1 } else { self.pool.threads() }
    }

    /// Whether a choice is known to be violated; then its children are open.
    fn settled_without_search(&mut self, choice: &Choice) -> Result<bool, Stop> {
        self.found.effort.candidates += 1;
        let others = self.others(choice);
        let above =
            self.grown.get(&others).and_then(|grown| grown.iter().find(|grown| choice.is_within(grown))).cloned();
        if let Some(above) = above {
            self.found.effort.implied += 1;
            self.expand(choice, &above)?;
            return Ok(true);
        }
        if !self.is_refuted(choice)? {
            return Ok(false);
        }
        self.found.effort.refuted += 1;
        self.violated(choice)?;
        Ok(true)
    }

    fn is_refuted(&mut self, choice: &Choice) -> Result<bool, Stop> {
        let Some(altered) = self.bench.altered(choice) else { return Ok(false) };
        self.monitor.spend(64)?;
        Ok(self.known.refute(self.bench, &altered, &mut self.monitor)?.is_some())
    }

    fn search(&mut self, batch: Vec<Node>) -> Result<(), Stop> {
        let (first, threads) = (self.known.last_goal(), self.threads_each(batch.len()));
        let bench = self.bench;
        let tried = self.pool.map(&batch, |_, node| bench.decide(&node.choice, first, threads));
        self.found.effort.searched += batch.len() as u64;
        let mut late = None;
        for (node, tried) in batch.into_iter().zip(tried) {
            let settled = match tried {
                Tried::Holds => {
                    self.holding.insert(node.choice.clone());
                    self.open.push(Reverse(node));
                    continue;
                }
                Tried::Violated(exposed) => self.learn(&node.choice, &exposed),
                Tried::Inapplicable => self.expand(&node.choice, &node.choice),
                Tried::Undecided(stop @ (Stop::Timeout | Stop::Interrupted)) => Err(stop),
                Tried::Undecided(stop) => {
                    self.found.stop = Some(stop);
                    self.found.open = Some(self.found.open.map_or(node.cost, |open| open.min(node.cost)));
                    self.expand(&node.choice, &node.choice)
                }
            };
            // WHY: what is not settled to its end counts for the lower bound.
            if let Err(stop) = settled {
                self.open.push(Reverse(node));
                late = Some(stop);
            }
        }
        late.map_or(Ok(()), Err)
    }

    fn threads_each(&self, at_once: usize) -> usize {
        if at_once > 1 { 1 } else { self.bench.options.threads }
    }

    fn learn(&mut self, choice: &Choice, exposed: &Exposed) -> Result<(), Stop> {
        self.known.add(exposed);
        self.violated(choice)
    }

    /// Grows a violated choice and opens its children.
    fn violated(&mut self, choice: &Choice) -> Result<(), Stop> {
        let grown = self.grow(choice)?;
        let others = self.others(choice);
        self.monitor.hold(grown.bytes())?;
        self.expand(choice, &grown)?;
        self.grown.entry(others).or_default().push(grown);
        Ok(())
    }

    /// A violated choice with as many monotone levers more as a known run allows.
    fn grow(&mut self, choice: &Choice) -> Result<Choice, Stop> {
        let everything = self.with_monotone(choice);
        if everything == *choice || self.is_refuted(&everything)? {
            return Ok(everything);
        }
        let mut grown = choice.clone();
        for lever in everything.iter().filter(|&lever| !choice.contains(lever)) {
            let larger = grown.with(lever);
            if self.is_refuted(&larger)? {
                grown = larger;
            }
        }
        Ok(grown)
    }

    /// A choice with every monotone lever that does not contradict it, in order.
    fn with_monotone(&self, choice: &Choice) -> Choice {
        let levers = self.useful.iter().filter(|&&lever| self.is_monotone[lever] && !choice.contains(lever));
        levers.fold(choice.clone(), |choice, &lever| match self.is_compatible(&choice, lever) {
            true => choice.with(lever),
            false => choice,
        })
    }

    fn is_compatible(&self, choice: &Choice, lever: usize) -> bool {
        let change = &self.bench.levers[lever].change;
        !choice.iter().any(|other| self.bench.levers[other].change.contradicts(change))
    }

    /// The levers of a choice that are not monotone.
    fn others(&self, choice: &Choice) -> Choice {
        Choice::new(choice.iter().filter(|&lever| !self.is_monotone[lever]))
    }

    /// Opens the children of a violated choice, given a larger one that is violated, too.
    fn expand(&mut self, choice: &Choice, grown: &Choice) -> Result<(), Stop> {
        let others = self.others(choice);
        let is_root = others.len() == choice.len();
        let last = others.iter().next_back();
        for at in 0..self.useful.len() {
            let lever = self.useful[at];
            let leads_on = match self.is_monotone[lever] {
                true => !grown.contains(lever),
                false => is_root && last.is_none_or(|last| lever > last),
            };
            if leads_on && !choice.contains(lever) && self.is_compatible(choice, lever) {
                self.push(choice.with(lever))?;
            }
        }
        Ok(())
    }

    fn push(&mut self, choice: Choice) -> Result<(), Stop> {
        self.monitor.spend(1 + choice.len() as u64)?;
        if !self.seen.contains(&choice) {
            self.monitor.hold(2 * choice.bytes())?;
            self.seen.insert(choice.clone());
            self.open.push(Reverse(Node { cost: choice.cost(self.bench.levers), choice }));
        }
        Ok(())
    }

    /// Decides the choice of all monotone levers, once the system itself is violated: if it is violated, too, its run refutes all others
    /// like it at once; if it holds, there is something to show when the time is over.
    fn try_everything(&mut self) -> Result<(), Stop> {
        let everything = self.with_monotone(&Choice::default());
        let is_new = everything.len() > 1 && self.found.enough.is_empty() && self.holding.is_empty();
        if !is_new || self.is_refuted(&everything)? {
            return Ok(());
        }
        self.found.effort.searched += 1;
        match self.bench.decide(&everything, self.known.last_goal(), self.bench.options.threads) {
            Tried::Holds => self.found.fallback = Some(everything),
            Tried::Violated(exposed) => {
                self.known.add(&exposed);
                let bytes = everything.bytes();
                self.grown.entry(Choice::default()).or_default().push(everything);
                self.monitor.hold(bytes)?;
            }
            Tried::Inapplicable | Tried::Undecided(Stop::Memory | Stop::Pairs) => {}
            Tried::Undecided(stop) => return Err(stop),
        }
        Ok(())
    }

    /// Leaves levers out of the sufficient choice that is known, the dearest first, as long as it is sufficient.
    fn shrink(&mut self) -> Result<(), Stop> {
        let Some(mut small) = self.found.fallback.clone() else { return Ok(()) };
        let mut levers: Vec<usize> = small.iter().collect();
        levers.sort_by_key(|&lever| Reverse(self.bench.levers[lever].cost));
        for lever in levers {
            let less = small.without(lever);
            if self.is_refuted(&less)? {
                continue;
            }
            self.found.effort.searched += 1;
            match self.bench.decide(&less, self.known.last_goal(), self.bench.options.threads) {
                Tried::Holds => small = less,
                Tried::Violated(exposed) => self.known.add(&exposed),
                Tried::Inapplicable | Tried::Undecided(Stop::Memory | Stop::Pairs) => {}
                Tried::Undecided(stop) => {
                    self.found.fallback = Some(small);
                    return Err(stop);
                }
            }
        }
        self.found.fallback = Some(small);
        Ok(())
    }
}
