//! What one run refutes: not a choice alone, but every choice that has some levers and lacks others.
//!
//! A run that exposes a choice is looked at again with ever more levers open, the cheapest that are not moved first: as long as it
//! [certainly](super::alike) exposes a goal, they do not matter for it. The levers that remain are a clause: a choice that is enough has one
//! that this choice lacks, or lacks one that it has.
//!
//! Cost: per run about as many looks at it as there are levers that matter, times the logarithm of all.

use super::alike::Alike;
use super::candidate::Bench;
use super::choice::Choice;
use super::looks::Looks;
use crate::model::change::Lever;
use crate::resources::{Monitor, Stop};
use crate::verdict::Run;

/// Choices that are violated: those with all levers of one kind, and without any of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The levers that such a choice has.
    pub with: Choice,
    /// The levers that it lacks.
    pub without: Choice,
}

impl Refuted {
    /// Whether a choice is one of them.
    pub fn covers(&self, choice: &Choice) -> bool {
        self.with.is_within(choice) && !choice.iter().any(|lever| self.without.contains(lever))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.with.bytes() + self.without.bytes()
    }
}

/// A run that exposed a choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exposing<'r> {
    /// The goal, by number.
    pub goal: usize,
    pub run: &'r Run,
    /// How many of its events belong to α.
    pub before: usize,
}

/// What can be said of a choice that is violated.
pub(super) struct Generaliser<'a, 'b> {
    pub bench: &'b Bench<'a>,
    /// The levers that can matter.
    pub useful: &'b [usize],
    /// For each lever, whether it keeps what holds.
    pub is_monotone: &'b [bool],
}

impl Generaliser<'_, '_> {
    /// A choice alone.
    pub fn only(&self, choice: &Choice) -> Refuted {
        let without = Choice::new(self.useful.iter().copied().filter(|&lever| !choice.contains(lever)));
        Refuted { with: choice.clone(), without }
    }

    /// What is known of a violated choice when no run tells more.
    pub fn violated(&self, choice: &Choice) -> Refuted {
        self.without_monotone(self.only(choice))
    }

    /// What a run that exposes a choice refutes beside it.
    pub fn all(&self, choice: &Choice, exposing: Exposing<'_>, monitor: &mut Monitor<'_>) -> Result<Refuted, Stop> {
        let mut widening = Widening { generaliser: self, choice, exposing, open: Choice::default(), monitor };
        if !widening.exposes(&Choice::default())? {
            return Ok(self.violated(choice));
        }
        let lever = |at: usize| &self.bench.levers[at];
        let mut others: Vec<usize> = self.useful.iter().copied().filter(|&at| !choice.contains(at)).collect();
        others.sort_by_key(|&at| lever(at).cost);
        widening.open_all(&others)?;
        widening.open_all(&choice.iter().collect::<Vec<_>>())?;
        let open = widening.open;
        let kept = |levers: &mut dyn Iterator<Item = usize>| Choice::new(levers.filter(|&lever| !open.contains(lever)));
        let (with, without) = (kept(&mut choice.iter()), kept(&mut others.iter().copied()));
        Ok(self.without_monotone(Refuted { with, without }))
    }

    /// Forgets levers that keep what holds: what is violated with them is violated without them. Only where every choice without
    /// them can have them, too.
    fn without_monotone(&self, refuted: Refuted) -> Refuted {
        let lever = |at: usize| -> &Lever { &self.bench.levers[at] };
        let fits = |at: usize| {
            let others = self.useful.iter().filter(|&&other| !refuted.without.contains(other));
            !others.into_iter().any(|&other| lever(at).change.contradicts(&lever(other).change))
        };
        let needed = Choice::new(refuted.with.iter().filter(|&at| !(self.is_monotone[at] && fits(at))));
        Refuted { with: needed, ..refuted }
    }
}

/// Opens levers as long as a run exposes a goal whatever becomes of them.
struct Widening<'w, 'a, 'b, 'm> {
    generaliser: &'w Generaliser<'a, 'b>,
    choice: &'w Choice,
    exposing: Exposing<'w>,
    open: Choice,
    monitor: &'w mut Monitor<'m>,
}

impl Widening<'_, '_, '_, '_> {
    /// Opens as many of these levers as can be, the first ones first.
    fn open_all(&mut self, levers: &[usize]) -> Result<(), Stop> {
        if levers.is_empty() {
            return Ok(());
        }
        let open = Choice::new(self.open.iter().chain(levers.iter().copied()));
        if self.exposes(&open)? {
            self.open = open;
        } else if levers.len() > 1 {
            let (first, second) = levers.split_at(levers.len() / 2);
            self.open_all(first)?;
            self.open_all(second)?;
        }
        Ok(())
    }

    fn exposes(&mut self, open: &Choice) -> Result<bool, Stop> {
        let Generaliser { bench, .. } = *self.generaliser;
        let Exposing { goal, run, before } = self.exposing;
        let goal = &bench.goals[goal];
        let moved = Choice::new(self.choice.iter().filter(|&lever| !open.contains(lever)));
        let looks = Looks::new(bench, goal, &moved, open);
        self.monitor.spend(bench.system.automaton.n_events() as u64)?;
        match Alike::new(&bench.system.automaton, goal, &looks, (run, before)) {
            Some(alike) => alike.exposes(self.monitor),
            None => Ok(false),
        }
    }
}
