//! Which levers keep "holds": with such a lever more is hidden, and never less.
//!
//! A lever preserves "holds" if what the intruder sees with it is a function of what they see without it: runs that looked alike still
//! do, so every delayed estimate is a union of former ones.
//!
//! - `anonymise` an event that is its own agent: always. Under `weak`, not if its agent has other acts: joining them links them.
//! - `hide` an event that shows a label of its own: for infinite-step, initial-state, current-state and 1-step; not for K from 2 on,
//!   since K counts observations, and hiding makes windows longer. (In a window of one observation nothing is hidden: the estimate
//!   contains the one after the last hidden event before it.) For `throughout` not for K = 1: a hidden event may stand inside the
//!   window. For K = 0 yes: the window has the last observation, and a run that ends there may take the place of one that goes on.
//! - `hide` an event that looks like others: not at all, it tells the others apart.
//! - `disable`: not at all, the intruder loses hypotheses.
//!
//! A property that asks for `exactly` K is not kept by anything. Where this is in doubt (observers who pool what they see) the answer is
//! no: a lever that counts as not monotone costs time, one that wrongly counts as monotone would cost the answer.

use super::goal::Goal;
use crate::automaton::EventId;
use crate::automaton::view::{Observability, Projection};
use crate::model::change::{Change, ChangeKind, Lever};
use crate::model::{Horizon, NamedObserver, Property, System};

/// For each lever, whether it keeps every goal in every choice that it can join.
pub(super) fn monotone(system: &System, levers: &[Lever], goals: &[Goal<'_>]) -> Vec<bool> {
    let keeps = |lever: &Lever| goals.iter().all(|goal| Case { system, levers, goal, lever }.keeps());
    levers.iter().map(keeps).collect()
}

struct Case<'a> {
    system: &'a System,
    levers: &'a [Lever],
    goal: &'a Goal<'a>,
    lever: &'a Lever,
}

impl Case<'_> {
    fn keeps(&self) -> bool {
        let change = &self.lever.change;
        if change.kind == ChangeKind::Disable {
            return false;
        }
        if !self.goal.may_feel(self.system, change) {
            return true;
        }
        let is_exact = matches!(self.goal.horizon, Horizon::Exactly(_));
        !is_exact
            && self.is_alone_to_change()
            && match change.kind {
                ChangeKind::Hide => self.hiding_keeps(change),
                _ => self.anonymising_keeps(change),
            }
    }

    fn observer(&self) -> &NamedObserver {
        self.system.observer(self.goal.view_id.observer)
    }

    /// Whether no lever that can stand beside it changes how the same events look.
    fn is_alone_to_change(&self) -> bool {
        let change = &self.lever.change;
        let meets = |other: &Change| other.events.iter().any(|event| change.events.contains(event));
        let others = self.levers.iter().map(|lever| &lever.change).filter(|other| *other != change);
        let clash = |other: &Change| {
            other.kind != ChangeKind::Disable && meets(other) && !change.contradicts(other) && other.kind != change.kind
        };
        !others.into_iter().any(clash) && (self.observer().members.is_empty() || change.from.is_none())
    }

    fn hiding_keeps(&self, change: &Change) -> bool {
        let horizon = match self.goal.horizon {
            Horizon::Infinite | Horizon::Initial => true,
            Horizon::Steps(0) => true,
            Horizon::Steps(1) => !matches!(self.goal.property, Property::Throughout { .. }),
            Horizon::Steps(_) | Horizon::Exactly(_) => false,
        };
        horizon && change.events.iter().all(|&event| self.shows_itself(event))
    }

    /// Whether an event shows a label that no other event shows.
    fn shows_itself(&self, event: EventId) -> bool {
        self.goal.view_id.projection == Projection::Natural
            || !matches!(self.observer().observer.observability(event), Observability::Anonymous(_))
    }

    fn anonymising_keeps(&self, change: &Change) -> bool {
        let ChangeKind::Anonymise { agent, .. } = &change.kind else { return false };
        let was_itself = change.events.iter().all(|&event| self.shows_itself(event));
        let links = self.goal.view_id.projection == Projection::Weak;
        was_itself && (!links || agent.as_ref().is_none_or(|agent| self.has_no_other_acts(agent)))
    }

    /// Whether an agent has no acts but those of this lever, whatever is chosen.
    fn has_no_other_acts(&self, agent: &str) -> bool {
        let named = |of: &NamedObserver| of.agents.iter().any(|known| known == agent);
        let acts = |lever: &Lever| matches!(&lever.change.kind, ChangeKind::Anonymise { agent: Some(other), .. } if other == agent);
        let others = self.levers.iter().filter(|other| other.change != self.lever.change);
        !self.system.observers.iter().any(named) && !others.into_iter().any(acts)
    }
}
