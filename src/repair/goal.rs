//! The goal of a repair: the plain assertions of properties of a system.
//!
//! `check not`, estimates, projections, measures and what repairs cost state facts of the model as it is written: they are left out.
//! Of several horizons of one property through the same eyes, the greatest decides all.

use crate::automaton::view::{Observability, Projection};
use crate::model::change::{Change, ChangeKind, Lever};
use crate::model::{Check, Horizon, Property, Question, System, ViewId};

/// A property that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Goal<'a> {
    /// The check that asks for it.
    pub check: usize,
    pub view_id: ViewId,
    pub property: &'a Property,
    pub horizon: Horizon,
}

/// Whether a check is part of the goal.
pub fn is_goal(check: &Check) -> bool {
    !check.negated && matches!(check.question, Question::Property { .. })
}

/// The goals of these checks.
pub(super) fn goals<'a>(system: &'a System, checks: &[usize]) -> Vec<Goal<'a>> {
    let mut goals: Vec<Goal<'a>> = Vec::new();
    for &at in checks {
        let Question::Property { view_id, property, horizon } = &system.checks[at].question else { continue };
        let goal = Goal { check: at, view_id: *view_id, property, horizon: *horizon };
        let known = goals.iter_mut().find(|known| known.is_about(&goal));
        match known {
            Some(known) if depth(known.horizon) < depth(goal.horizon) => *known = goal,
            Some(_) => {}
            None => goals.push(goal),
        }
    }
    goals
}

fn depth(horizon: Horizon) -> Option<u64> {
    match horizon {
        Horizon::Steps(steps) | Horizon::Exactly(steps) => Some(steps),
        Horizon::Infinite | Horizon::Initial => Some(u64::MAX),
    }
}

impl Goal<'_> {
    /// Whether one answer decides both.
    fn is_about(&self, other: &Goal<'_>) -> bool {
        let plain = |goal: &Goal<'_>| matches!(goal.horizon, Horizon::Steps(_) | Horizon::Infinite);
        let same_kind = plain(self) && plain(other) || self.horizon == other.horizon;
        same_kind && self.view_id == other.view_id && self.property == other.property
    }

    /// Whether a change can make a difference to what this intruder sees or to what happens.
    pub fn may_feel(&self, system: &System, change: &Change) -> bool {
        let observer = system.observer(self.view_id.observer);
        let is_meant = change.from.is_none_or(|from| from == self.view_id.observer) || !observer.members.is_empty();
        let seen =
            || change.events.iter().any(|&event| observer.observer.observability(event) != Observability::Silent);
        match change.kind {
            ChangeKind::Disable => true,
            ChangeKind::Hide => is_meant && seen(),
            ChangeKind::Anonymise { .. } => is_meant && seen() && self.view_id.projection != Projection::Natural,
        }
    }
}

/// What may be changed where a file says nothing: every event that someone observes may be hidden, or join the plain group.
pub fn usual_levers(system: &System, checks: &[usize]) -> Vec<Lever> {
    let goals = goals(system, checks);
    let plain = ChangeKind::Anonymise { label: None, agent: None };
    let change = |kind: &ChangeKind, event| Change { kind: kind.clone(), events: vec![event], from: None };
    let events = || system.automaton.events();
    let changes =
        events().map(|event| change(&ChangeKind::Hide, event)).chain(events().map(|event| change(&plain, event)));
    let useful =
        |change: &Change| goals.iter().any(|goal| goal.may_feel(system, change)) && !is_in_plain_group(system, change);
    changes.filter(useful).map(|change| Lever { change, cost: 1, span: None }).collect()
}

/// Whether an event is in the plain group of everyone who sees it.
fn is_in_plain_group(system: &System, change: &Change) -> bool {
    let ChangeKind::Anonymise { .. } = change.kind else { return false };
    let plain = |event| {
        system.observers.iter().all(|of| match of.observer.observability(event) {
            Observability::Silent => true,
            Observability::Visible => false,
            Observability::Anonymous(group) => of.labels[group.index()].is_none() && of.observer.agent(event).is_none(),
        })
    };
    change.events.iter().all(|&event| plain(event))
}
