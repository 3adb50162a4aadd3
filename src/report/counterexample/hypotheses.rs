//! The hypotheses along one observation, step by step.
//!
//! A hypothesis is a state and, under the weak projection, the agents that it used with their numbers. Cost: the number of
//! hypotheses times the length of the observation; past a budget the story goes on without reasons. Reasons are kept as ids
//! here: only those of the steps that are told get [names](super::names).

use super::composed::{Act, Composed};
use super::fallen::{Classes, Fall};
use super::names::{Names, Transition};
use super::parts::{PartNames, PartStep, SameOrNew};
use super::{Lost, Need, SomeEvents, Step, Stuck};
use crate::automaton::view::{GroupId, Observability, Projection, Symbol, View};
use crate::automaton::{EventId, StateId, StateSet, Step as Transit};
use crate::resources::{Monitor, Stop};
use crate::verdict::Witness;
use crate::verify::{Histories, HistoryId};
use std::collections::{BTreeMap, BTreeSet};

/// The maximal number of moves examined for one counterexample.
const BUDGET: u64 = 2_000_000;

/// The maximal number of moves listed per step, or per excluded hypothesis.
const NAMED: usize = 8;

/// The maximal number of excluded hypotheses explained per step.
const EXPLAINED: usize = 64;

/// The most names of an estimate that a story keeps.
const NAMED_STATES: usize = 1000;

/// The most names of the states to which a lost candidate could have come.
const NAMED_NOW: usize = 64;

/// The states outside the exposed set: while one is possible, the intruder is unsure.
pub(super) struct Rivals<'a> {
    pub(super) before: &'a dyn Fn(StateId) -> bool,
    pub(super) at: &'a dyn Fn(StateId) -> bool,
}

/// Which candidates are followed.
#[derive(Clone, Copy)]
pub(super) struct Focus<'a> {
    /// From this instant on they are looked back at.
    pub(super) at: usize,
    /// Only initial states are candidates.
    pub(super) about_start: bool,
    /// The question is about the start alone: it is what the steps show.
    pub(super) shows_start: bool,
    /// From the instant on the candidates are the states of the runs that avoid these since then.
    pub(super) avoided: Option<&'a StateSet>,
}

impl Focus<'_> {
    fn avoids(&self, state: StateId) -> bool {
        self.avoided.is_some_and(|avoided| avoided.contains(state))
    }
}

/// Why the estimate changed in a step.
#[derive(Default)]
pub(super) struct Reason {
    looking_back: Option<StateSet>,
    moves: Vec<Transition>,
    n_moves: usize,
    lost: Vec<LostCandidate>,
    /// What the parts of a composed system did: the first few, that of the run first.
    acts: Vec<Act>,
    n_acts: usize,
    /// What of the parts in question can no longer be.
    fallen: Vec<Fall>,
    /// Whether a numbered label is of an agent that was seen before.
    agent: Option<SameOrNew>,
}

impl Reason {
    /// Whether the step rules out a candidate that would have kept the intruder unsure.
    pub(super) fn rules_out_a_rival(&self) -> bool {
        self.lost.iter().any(|lost| lost.rival)
    }

    /// Heap bytes, about.
    pub(super) fn bytes(&self) -> u64 {
        let lost = self.lost.iter().map(|lost| 64 + 8 * lost.hypotheses.len() + 24 * lost.can.len());
        let sets = 4 * self.looking_back.as_ref().map_or(0, StateSet::len) + 12 * self.moves.len();
        (sets + lost.sum::<usize>()) as u64 + self.fallen.iter().map(Fall::bytes).sum::<u64>()
    }
}

/// A candidate that cannot show what was seen.
struct LostCandidate {
    state: StateId,
    rival: bool,
    /// It can show it, and enters a state that is to be avoided.
    enters_avoided: bool,
    hypotheses: Vec<Hypothesis>,
    can: Vec<(Transition, Symbol)>,
}

/// A state, and the agents that arrived, with their numbers (weak only). An agent is denoted by the first of its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hypothesis {
    state: StateId,
    history: HistoryId,
}

/// An observable move of a hypothesis.
struct Visible {
    transition: Transition,
    target: Hypothesis,
    sign: Symbol,
}

/// For each candidate, what it may have come to.
type Candidates = BTreeMap<StateId, BTreeSet<Hypothesis>>;

/// Follows the candidates along the observation of a witness.
pub(super) struct Reasons<'a> {
    view: View<'a>,
    composed: Option<&'a Composed<'a>>,
    witness: &'a Witness,
    focus: Focus<'a>,
    rivals: Rivals<'a>,
    histories: Histories,
    /// How many agents of each sequence of numbers arrived.
    arrived: Vec<u32>,
    position: usize,
    /// None once the budget is spent.
    now: Option<Candidates>,
    spent: u64,
    /// The events of the run that show something, by their place.
    shown: Vec<usize>,
    /// How many events of hypotheses were asked who refuses them.
    asked: u64,
}

impl<'a> Reasons<'a> {
    /// Before anything is seen.
    pub(super) fn new(
        view: View<'a>,
        composed: Option<&'a Composed<'a>>,
        witness: &'a Witness,
        focus: Focus<'a>,
        rivals: Rivals<'a>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Reasons<'a>, Stop> {
        let arrived = vec![0; view.observer.n_sequences()];
        let histories = Histories::new(view.automaton.n_events());
        let signs = view.signs(&witness.run.events).enumerate();
        let shown = signs.filter_map(|(at, sign)| sign.map(|_| at)).filter(|_| composed.is_some()).collect();
        let mut reasons = Reasons {
            view,
            composed,
            witness,
            focus,
            rivals,
            histories,
            arrived,
            position: 0,
            now: None,
            spent: 0,
            asked: 0,
            shown,
        };
        let start = view.automaton.initial().iter().map(|&state| Hypothesis { state, history: HistoryId::EMPTY });
        let start = start.collect();
        reasons.now = Some(by_state(reasons.closure(&start, focus.at == 0, monitor)?));
        Ok(reasons)
    }

    /// The reason of the first step: there is nothing to explain but what the instant is.
    pub(super) fn first(&mut self) -> Reason {
        Reason { looking_back: self.instant(), ..Reason::default() }
    }

    /// Sees the next label; no reason once the budget is spent.
    pub(super) fn advance(&mut self, monitor: &mut Monitor<'_>) -> Result<Option<Reason>, Stop> {
        let sign = self.witness.observation[self.position];
        let looks_back = self.position >= self.focus.at;
        let Some(now) = self.now.take().filter(|_| self.spent <= BUDGET) else { return Ok(None) };
        let Some((next, mut reason)) = self.step(&now, sign, looks_back, monitor)? else { return Ok(None) };
        self.position += 1;
        if let Symbol::Nth(group, number) = sign {
            let arrived = &mut self.arrived[self.view.observer.sequence(group)];
            *arrived = number.max(*arrived);
        }
        if looks_back && self.focus.avoided.is_none() {
            reason.looking_back = Some(next.keys().copied().collect());
            self.now = Some(next);
            return Ok(Some(reason));
        }
        let everything = next.into_values().flatten().collect();
        let now = by_state(self.closure(&everything, self.position >= self.focus.at, monitor)?);
        reason.looking_back = looks_back.then(|| now.keys().copied().collect());
        self.now = Some(now);
        reason.looking_back = reason.looking_back.or_else(|| self.instant());
        Ok(Some(reason))
    }

    /// At the exposed instant: the candidates that are looked back at from now on.
    fn instant(&mut self) -> Option<StateSet> {
        let now = self.now.as_mut().filter(|_| self.position == self.focus.at)?;
        if self.focus.about_start {
            let initial = self.view.automaton.initial();
            now.retain(|state, _| initial.binary_search(state).is_ok());
        }
        Some(now.keys().copied().collect())
    }

    /// Which candidates go on under a label, and why the others do not; nothing once the budget is spent.
    fn step(
        &mut self,
        now: &Candidates,
        sign: Symbol,
        looks_back: bool,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<(Candidates, Reason)>, Stop> {
        let mut next = BTreeMap::new();
        let mut moves = BTreeSet::new();
        let mut reason = Reason { agent: self.same_or_new(sign), ..Reason::default() };
        let mut classes = Classes::default();
        let showing = self.showing(sign);
        for (&candidate, hypotheses) in now {
            if self.spent > BUDGET {
                return Ok(None);
            }
            let closed = self.closure(hypotheses, looks_back, monitor)?;
            let (fits, others): (Vec<_>, Vec<_>) =
                self.visible(&closed, monitor)?.into_iter().partition(|visible| visible.sign == sign);
            moves.extend(fits.iter().map(|fit| fit.transition));
            let may_enter = |fit: &Visible| !(looks_back && self.focus.avoids(fit.target.state));
            let targets: BTreeSet<Hypothesis> =
                fits.iter().filter(|fit| may_enter(fit)).map(|fit| fit.target).collect();
            if !targets.is_empty() {
                next.insert(candidate, targets);
                self.composed.iter().for_each(|composed| classes.keep(composed.key(candidate)));
                continue;
            }
            self.lose(candidate, &closed, (&fits, &others), (sign, &showing), looks_back, &mut classes);
            if reason.lost.len() < EXPLAINED {
                let hypotheses = if looks_back { closed } else { hypotheses.clone() };
                let enters_avoided = !fits.is_empty();
                let others = if enters_avoided { fits } else { others };
                let lost = self.lost(candidate, hypotheses, others, looks_back);
                reason.lost.push(LostCandidate { enters_avoided, ..lost });
            }
        }
        reason.n_moves = moves.len();
        if let Some(composed) = self.composed {
            let own = self.own_move().map(|transition| composed.act(transition));
            let acts: BTreeSet<Act> = moves.iter().map(|&transition| composed.act(transition)).collect();
            reason.n_acts = acts.len();
            let first = own.into_iter().filter(|own| acts.contains(own));
            let others = acts.iter().filter(|act| Some(*act) != self.own_move().map(|own| composed.act(own)).as_ref());
            reason.acts = first.chain(others.cloned()).take(NAMED).collect();
            reason.fallen = classes.fallen(composed);
        }
        reason.moves = moves.into_iter().take(NAMED).collect();
        Ok(Some((next, reason)))
    }

    /// The transition of the run that shows the next label.
    fn own_move(&self) -> Option<Transition> {
        let run = &self.witness.run;
        let at = *self.shown.get(self.position)?;
        Some((run.states[at], run.events[at], run.states[at + 1]))
    }

    /// Whether a numbered label is of an agent who arrived before.
    fn same_or_new(&self, sign: Symbol) -> Option<SameOrNew> {
        let Symbol::Nth(group, number) = sign else { return None };
        let is_new = number > self.arrived[self.view.observer.sequence(group)];
        Some(if is_new { SameOrNew::New } else { SameOrNew::Same })
    }

    /// The events that may show a label.
    fn showing(&self, sign: Symbol) -> Vec<EventId> {
        match sign {
            _ if self.composed.is_none() => Vec::new(),
            Symbol::Event(event) => vec![event],
            Symbol::Group(group) | Symbol::Nth(group, _) => self.view.observer.anonymous(Some(group)).collect(),
        }
    }

    /// Notes which parts of a lost candidate refuse the label, and what it could show instead.
    fn lose(
        &mut self,
        candidate: StateId,
        closed: &BTreeSet<Hypothesis>,
        (fits, others): (&[Visible], &[Visible]),
        (sign, showing): (Symbol, &[EventId]),
        looks_back: bool,
        classes: &mut Classes,
    ) {
        let Some(composed) = self.composed else { return };
        let rival = if looks_back { (self.rivals.at)(candidate) } else { (self.rivals.before)(candidate) };
        let losing = classes.lose(composed.key(candidate), rival, !fits.is_empty());
        if !fits.is_empty() {
            return;
        }
        for hypothesis in closed {
            self.asked += showing.len() as u64;
            if self.asked > BUDGET {
                return;
            }
            for &event in showing.iter().filter(|&&event| self.would_show(*hypothesis, event, sign)) {
                losing.lacks(composed, hypothesis.state, event);
            }
        }
        for other in others {
            losing.can(other.sign, other.transition.1, &composed.act(other.transition).moves);
        }
    }

    /// Whether an event would show a label after what a hypothesis has done.
    fn would_show(&self, hypothesis: Hypothesis, event: EventId, sign: Symbol) -> bool {
        let Symbol::Nth(group, number) = sign else { return true };
        let known = self.histories.get(hypothesis.history, self.view.observer.actor(event));
        known.unwrap_or(self.arrived[self.view.observer.sequence(group)] + 1) == number
    }

    fn lost(
        &self,
        state: StateId,
        hypotheses: BTreeSet<Hypothesis>,
        others: Vec<Visible>,
        looks_back: bool,
    ) -> LostCandidate {
        let rival = if looks_back { (self.rivals.at)(state) } else { (self.rivals.before)(state) };
        // Before the instant, what it reaches unseen is a candidate too, and speaks for itself.
        let own = others.into_iter().filter(|other| looks_back || other.transition.0 == state);
        let can: BTreeSet<(Transition, Symbol)> = own.map(|other| (other.transition, other.sign)).collect();
        LostCandidate {
            state,
            rival,
            enters_avoided: false,
            hypotheses: hypotheses.into_iter().collect(),
            can: can.into_iter().take(NAMED).collect(),
        }
    }

    /// The silent closure, from the instant on without what is to be avoided.
    fn closure(
        &mut self,
        hypotheses: &BTreeSet<Hypothesis>,
        avoiding: bool,
        monitor: &mut Monitor<'_>,
    ) -> Result<BTreeSet<Hypothesis>, Stop> {
        let may_visit = |state: StateId| !(avoiding && self.focus.avoids(state));
        let mut closed: BTreeSet<Hypothesis> =
            hypotheses.iter().copied().filter(|hypothesis| may_visit(hypothesis.state)).collect();
        let mut waiting: Vec<Hypothesis> = closed.iter().copied().collect();
        while let Some(hypothesis) = waiting.pop() {
            self.spend(hypothesis, monitor)?;
            for step in self.view.automaton.steps(hypothesis.state) {
                let next = Hypothesis { state: step.target, ..hypothesis };
                let is_silent = self.view.observer.observability(step.event) == Observability::Silent;
                if is_silent && !(avoiding && self.focus.avoids(step.target)) && closed.insert(next) {
                    waiting.push(next);
                }
            }
        }
        Ok(closed)
    }

    fn visible(&mut self, hypotheses: &BTreeSet<Hypothesis>, monitor: &mut Monitor<'_>) -> Result<Vec<Visible>, Stop> {
        let mut visible = Vec::new();
        for &hypothesis in hypotheses {
            self.spend(hypothesis, monitor)?;
            let view = self.view;
            visible
                .extend(view.automaton.steps(hypothesis.state).iter().filter_map(|step| self.seen(hypothesis, step)));
        }
        Ok(visible)
    }

    fn spend(&mut self, hypothesis: Hypothesis, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        let work = self.view.automaton.steps(hypothesis.state).len() as u64;
        self.spent += work;
        monitor.spend(1 + work)
    }

    /// A move, if anything is seen of it.
    fn seen(&mut self, from: Hypothesis, step: &Transit) -> Option<Visible> {
        let mut target = Hypothesis { state: step.target, ..from };
        let sign = match (self.view.observer.observability(step.event), self.view.projection) {
            (Observability::Silent, _) => return None,
            (Observability::Visible, _) | (_, Projection::Natural) => Symbol::Event(step.event),
            (Observability::Anonymous(group), Projection::Strong) => Symbol::Group(group),
            (Observability::Anonymous(group), Projection::Weak) => {
                let agent = self.view.observer.actor(step.event);
                let known = self.histories.get(from.history, agent);
                let number = known.unwrap_or(self.arrived[self.view.observer.sequence(group)] + 1);
                if known.is_none() {
                    target.history = self.histories.with(from.history, agent, number);
                }
                Symbol::Nth(group, number)
            }
        };
        Some(Visible { transition: (from.state, step.event, step.target), target, sign })
    }
}

fn by_state(hypotheses: BTreeSet<Hypothesis>) -> Candidates {
    let mut states = Candidates::new();
    for hypothesis in hypotheses {
        states.entry(hypothesis.state).or_default().insert(hypothesis);
    }
    states
}

/// One step, without names.
pub(super) struct Unnamed {
    pub(super) number: usize,
    pub(super) sign: Option<Symbol>,
    pub(super) estimate: StateSet,
    pub(super) reason: Option<Reason>,
}

impl Unnamed {
    /// Heap bytes, about.
    pub(super) fn bytes(&self) -> u64 {
        4 * self.estimate.len() as u64 + self.reason.as_ref().map_or(0, Reason::bytes)
    }
}

impl Reasons<'_> {
    /// A step with its names.
    pub(super) fn named(&self, step: &Unnamed, names: &mut Names<'_>, monitor: &mut Monitor<'_>) -> Result<Step, Stop> {
        let nothing = Reason::default();
        let reason = step.reason.as_ref().unwrap_or(&nothing);
        let back = reason.looking_back.as_ref();
        let named = step.estimate.len().min(NAMED_STATES) + back.map_or(0, StateSet::len).min(NAMED_STATES);
        monitor.spend(named as u64)?;
        let parts = self.part_step(step, reason, names, monitor)?;
        let mut lost = Vec::new();
        for candidate in &reason.lost {
            lost.extend(step.sign.map(|sign| self.named_lost(candidate, sign, names, monitor)).transpose()?);
        }
        Ok(Step {
            number: step.number,
            sees: step.sign.map(|sign| names.sign(sign)),
            estimate: names.set(&step.estimate, NAMED_STATES),
            looking_back: back.map(|states| names.set(states, NAMED_STATES)),
            moves: reason.moves.iter().map(|&transition| names.transition(transition, step.sign)).collect(),
            n_moves: reason.n_moves,
            lost,
            parts,
        })
    }

    /// The step in terms of the parts of a composed system.
    fn part_step(
        &self,
        step: &Unnamed,
        reason: &Reason,
        names: &mut Names<'_>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<PartStep>, Stop> {
        let Some(composed) = self.composed else { return Ok(None) };
        let back = reason.looking_back.as_ref().filter(|_| step.number > self.witness.at || self.focus.shows_start);
        let possible = back.unwrap_or(&step.estimate);
        let acts = (&reason.acts[..], reason.n_acts);
        let mut parts = PartNames { names, composed };
        parts.step(possible, acts, &reason.fallen, (reason.agent, self.focus.about_start), monitor).map(Some)
    }

    fn named_lost(
        &self,
        lost: &LostCandidate,
        sign: Symbol,
        names: &mut Names<'_>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Lost, Stop> {
        let states: StateSet = lost.hypotheses.iter().map(|hypothesis| hypothesis.state).collect();
        let elsewhere = states.as_slice() != [lost.state];
        Ok(Lost {
            state: names.state(lost.state),
            id: lost.state.0,
            rival: lost.rival,
            began: self.focus.about_start,
            now: if elsewhere { names.set(&states, NAMED_NOW) } else { Default::default() },
            last: names.state(states.iter().next_back().unwrap_or(lost.state)),
            need: self.need(lost, sign, names, monitor)?,
            can: lost.can.iter().map(|&(transition, sign)| names.transition(transition, Some(sign))).collect(),
            stuck: states.iter().take(NAMED).map(|state| self.stuck(state, names)).collect(),
        })
    }

    fn stuck(&self, state: StateId, names: &mut Names<'_>) -> Stuck {
        Stuck {
            state: names.state(state),
            dead: self.view.automaton.steps(state).is_empty(),
            places: names.system.names.state_places(state),
        }
    }

    fn need(
        &self,
        lost: &LostCandidate,
        sign: Symbol,
        names: &mut Names<'_>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Need, Stop> {
        match sign {
            _ if lost.enters_avoided => Ok(Need::Avoiding),
            Symbol::Event(event) => Ok(Need::Event(names.event(event))),
            Symbol::Group(group) => Ok(Need::OneOf(names.some_of(group, NAMED))),
            Symbol::Nth(group, number) => {
                let used = self.used(lost, group, monitor)?;
                let again: BTreeSet<EventId> =
                    used.iter().filter(|(_, known)| *known == number).map(|&(agent, _)| agent).collect();
                let is_new = again.is_empty();
                let agents = if is_new { used.into_iter().map(|(agent, _)| agent).collect() } else { again };
                let events = self.events_of(&agents, group);
                let first = events.iter().take(NAMED).map(|&event| names.event(event)).collect();
                let some = SomeEvents { names: first, more: events.len().saturating_sub(NAMED) };
                Ok(if is_new { Need::New(some) } else { Need::Again(some) })
            }
        }
    }

    /// The events of some agents in a group.
    fn events_of(&self, agents: &BTreeSet<EventId>, group: GroupId) -> BTreeSet<EventId> {
        let observer = self.view.observer;
        if !observer.has_named_agents() {
            return agents.clone();
        }
        observer.anonymous(Some(group)).filter(|&event| agents.contains(&observer.actor(event))).collect()
    }

    /// The agents that a lost candidate may have used, with their numbers in the sequence of a group.
    fn used(
        &self,
        lost: &LostCandidate,
        group: GroupId,
        monitor: &mut Monitor<'_>,
    ) -> Result<BTreeSet<(EventId, u32)>, Stop> {
        let histories: BTreeSet<HistoryId> = lost.hypotheses.iter().map(|hypothesis| hypothesis.history).collect();
        let mut used = BTreeSet::new();
        for history in histories {
            for (agent, number) in self.histories.events(history) {
                monitor.spend(1)?;
                if self.sequence_of(agent) == Some(self.view.observer.sequence(group)) {
                    used.insert((agent, number));
                }
            }
        }
        Ok(used)
    }

    /// The sequence of numbers of an agent.
    fn sequence_of(&self, agent: EventId) -> Option<usize> {
        match self.view.observer.observability(agent) {
            Observability::Anonymous(group) => Some(self.view.observer.sequence(group)),
            Observability::Silent | Observability::Visible => None,
        }
    }
}
