//! The hypotheses along one observation, step by step.
//!
//! A hypothesis is a state and, under the weak projection, the anonymous events in the order of first appearance. Cost: the number of
//! hypotheses times the length of the observation; beyond a budget the steps have no reasons.

use super::{Lost, Move, Need, Stuck};
use crate::automaton::view::{Projection, Sight, Sign, View};
use crate::automaton::{EventId, StateId, StateSet};
use crate::model::{Lens, System};
use crate::report::{SignName, event_name};
use crate::verify::Witness;
use std::collections::{BTreeMap, BTreeSet};

/// The maximal number of moves examined for one counterexample.
const BUDGET: usize = 2_000_000;

/// The maximal number of moves listed per step, or per excluded hypothesis.
const NAMED: usize = 8;

/// The maximal number of excluded hypotheses explained per step.
const EXPLAINED: usize = 64;

/// One reason per step; fewer if the budget was exhausted.
pub(super) struct Reasons {
    pub(super) steps: Vec<Reason>,
}

/// The states outside the exposed set: while one is possible, the intruder is unsure.
pub(super) struct Rivals<'a> {
    pub(super) before: &'a dyn Fn(StateId) -> bool,
    pub(super) at: &'a dyn Fn(StateId) -> bool,
}

/// Why the estimate changed in a step.
#[derive(Default)]
pub(super) struct Reason {
    pub(super) looking_back: Option<StateSet>,
    pub(super) moves: Vec<Move>,
    pub(super) n_moves: usize,
    pub(super) lost: Vec<Lost>,
}

/// A state, and under `weak` the used anonymous events of each group in the order of first appearance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hypothesis {
    state: StateId,
    arrived: Vec<Vec<EventId>>,
}

type Hypotheses = BTreeSet<Hypothesis>;

/// An observable move of a hypothesis.
struct Visible {
    source: StateId,
    event: EventId,
    target: Hypothesis,
    sign: Sign,
}

struct Follower<'a> {
    system: &'a System,
    lens: Lens,
    view: View<'a>,
    spent: usize,
}

impl Reasons {
    /// Follows the observation of a witness.
    pub(super) fn new(
        system: &System,
        lens: Lens,
        witness: &Witness,
        about_start: bool,
        rivals: &Rivals<'_>,
    ) -> Reasons {
        let observer = &system.observer(lens.observer).observer;
        let view = View { automaton: &system.automaton, observer, projection: lens.projection };
        let mut follower = Follower { system, lens, view, spent: 0 };
        let mut steps = Vec::new();
        follower.follow(witness, about_start, rivals, &mut steps);
        Reasons { steps }
    }
}

impl Follower<'_> {
    fn follow(&mut self, witness: &Witness, about_start: bool, rivals: &Rivals<'_>, steps: &mut Vec<Reason>) {
        let groups = if self.lens.projection == Projection::Weak { self.view.observer.n_groups() } else { 0 };
        let start = |&state: &StateId| Hypothesis { state, arrived: vec![Vec::new(); groups] };
        let initial: Hypotheses = self.view.automaton.initial().iter().map(start).collect();
        let mut now = by_state(&self.closure(&initial));
        steps.push(Reason::default());
        for &sign in &witness.observation[..witness.at] {
            let Some((next, reason)) = self.step(&now, sign, rivals.before, false) else { return };
            now = by_state(&self.closure(&next.into_values().flatten().collect()));
            steps.push(reason);
        }
        if about_start {
            now.retain(|state, _| self.view.automaton.initial().binary_search(state).is_ok());
        }
        let Some(last) = steps.last_mut() else { return };
        last.looking_back = Some(now.keys().copied().collect());
        for &sign in &witness.observation[witness.at..] {
            let Some((next, mut reason)) = self.step(&now, sign, rivals.at, true) else { return };
            reason.looking_back = Some(next.keys().copied().collect());
            now = next;
            steps.push(reason);
        }
    }

    /// The hypotheses that can show a symbol, and why the others cannot; `None` after the budget is exhausted.
    fn step(
        &mut self,
        now: &BTreeMap<StateId, Hypotheses>,
        sign: Sign,
        rival: &dyn Fn(StateId) -> bool,
        looking_back: bool,
    ) -> Option<(BTreeMap<StateId, Hypotheses>, Reason)> {
        let mut next = BTreeMap::new();
        let mut moves = BTreeSet::new();
        let mut reason = Reason::default();
        for (&candidate, hypotheses) in now {
            if self.spent > BUDGET {
                return None;
            }
            let closed = self.closure(hypotheses);
            let visible = self.visible(&closed);
            let (fits, mut others): (Vec<_>, Vec<_>) = visible.into_iter().partition(|visible| visible.sign == sign);
            moves.extend(fits.iter().map(|fit| (fit.source, fit.event, fit.target.state)));
            if !fits.is_empty() {
                next.insert(candidate, fits.into_iter().map(|fit| fit.target).collect());
            } else if reason.lost.len() < EXPLAINED && looking_back {
                reason.lost.push(self.lost(candidate, rival(candidate), &closed, sign, &others));
            } else if reason.lost.len() < EXPLAINED {
                // What it reaches unseen is a candidate too, and speaks for itself.
                others.retain(|other| other.source == candidate);
                reason.lost.push(self.lost(candidate, rival(candidate), hypotheses, sign, &others));
            }
        }
        reason.n_moves = moves.len();
        let named = moves.into_iter().take(NAMED);
        reason.moves = named.map(|(source, event, target)| self.named(source, event, target, Some(sign))).collect();
        Some((next, reason))
    }

    fn lost(&self, candidate: StateId, rival: bool, closed: &Hypotheses, sign: Sign, others: &[Visible]) -> Lost {
        let states: StateSet = closed.iter().map(|hypothesis| hypothesis.state).collect();
        let elsewhere = states.as_slice() != [candidate];
        let named: BTreeSet<_> =
            others.iter().map(|other| (other.source, other.event, other.target.state, other.sign)).collect();
        Lost {
            state: self.system.names.state(candidate).into_owned(),
            id: candidate.0,
            rival,
            now: if elsewhere { crate::report::state_names(self.system, &states) } else { Vec::new() },
            need: self.need(closed, sign),
            can: named
                .into_iter()
                .take(NAMED)
                .map(|(source, event, target, sign)| self.named(source, event, target, Some(sign)))
                .collect(),
            stuck: states.iter().take(NAMED).map(|state| self.stuck(state)).collect(),
        }
    }

    fn stuck(&self, state: StateId) -> Stuck {
        let names = &self.system.names;
        Stuck {
            state: names.state(state).into_owned(),
            dead: self.view.automaton.steps(state).is_empty(),
            places: names.state_places(state),
        }
    }

    fn need(&self, hypotheses: &Hypotheses, sign: Sign) -> Need {
        let names =
            |events: BTreeSet<EventId>| events.into_iter().map(|event| event_name(self.system, event)).collect();
        match sign {
            Sign::Event(event) => Need::Event(event_name(self.system, event)),
            Sign::Group(group) => Need::OneOf(names(self.view.observer.anonymous(Some(group)).collect())),
            Sign::Nth(group, number) => {
                let order = |hypothesis: &Hypothesis| hypothesis.arrived[group.index()].clone();
                let again: BTreeSet<EventId> =
                    hypotheses.iter().filter_map(|one| order(one).get(number as usize - 1).copied()).collect();
                if again.is_empty() {
                    Need::New(names(hypotheses.iter().flat_map(order).collect()))
                } else {
                    Need::Again(names(again))
                }
            }
        }
    }

    fn named(&self, source: StateId, event: EventId, target: StateId, sign: Option<Sign>) -> Move {
        let names = &self.system.names;
        Move {
            source: names.state(source).into_owned(),
            event: event_name(self.system, event),
            target: names.state(target).into_owned(),
            shows: sign.map(|sign| SignName::new(self.system, self.lens.observer, sign)),
            places: names.transition_places(source, event, target),
        }
    }

    /// The silent closure.
    fn closure(&mut self, hypotheses: &Hypotheses) -> Hypotheses {
        let mut closed = hypotheses.clone();
        let mut waiting: Vec<Hypothesis> = hypotheses.iter().cloned().collect();
        while let Some(hypothesis) = waiting.pop() {
            for step in self.view.automaton.steps(hypothesis.state) {
                self.spent += 1;
                if self.view.observer.sight(step.event) == Sight::Silent {
                    let next = Hypothesis { state: step.target, arrived: hypothesis.arrived.clone() };
                    if closed.insert(next.clone()) {
                        waiting.push(next);
                    }
                }
            }
        }
        closed
    }

    fn visible(&mut self, hypotheses: &Hypotheses) -> Vec<Visible> {
        let mut visible = Vec::new();
        for hypothesis in hypotheses {
            for step in self.view.automaton.steps(hypothesis.state) {
                self.spent += 1;
                let mut arrived = hypothesis.arrived.clone();
                if let Some(sign) = self.view.sign(step.event, &mut arrived) {
                    let target = Hypothesis { state: step.target, arrived };
                    visible.push(Visible { source: hypothesis.state, event: step.event, target, sign });
                }
            }
        }
        visible
    }
}

fn by_state(hypotheses: &Hypotheses) -> BTreeMap<StateId, Hypotheses> {
    let mut states: BTreeMap<StateId, Hypotheses> = BTreeMap::new();
    for hypothesis in hypotheses {
        states.entry(hypothesis.state).or_default().insert(hypothesis.clone());
    }
    states
}
