//! From an observation to its estimates, straight from the definition.
//!
//! E(α|αβ): the states x such that some string s leads from X0 to x and shows α, and some t continues from x with st showing
//! αβ. Every run that shows the observation is followed, symbol by symbol, with the events that it used in their order of
//! arrival; runs that the rest of the observation cannot distinguish are followed once.
//!
//! This module shares no code with the search: it replays witnesses and decides `check estimate`. Cost: for memoryless labels
//! |αβ| · |δ| (times |X| for the delay); under Pw up to |Γ|! times more.

use crate::automaton::view::{Projection, Sight, Sign, View};
use crate::automaton::{EventId, StateId, StateSet};
use std::collections::BTreeSet;

/// What matters of a run: its state at α (after α), its state, the event behind each γi that is still to come, and all
/// anonymous events that it used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Follower {
    origin: Option<StateId>,
    state: StateId,
    stands: Vec<(Sign, EventId)>,
    used: Vec<EventId>,
}

/// The estimates along an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Followed {
    /// The estimate after each prefix.
    pub(crate) estimates: Vec<StateSet>,
    /// The delayed estimate.
    pub(crate) delayed: StateSet,
}

/// Follows αβ, with |α| = `at`. With `initial`, α must be ε and the delayed estimate is over X0 itself.
pub(crate) fn follow(view: &View<'_>, observation: &[Sign], at: usize, initial: bool) -> Followed {
    let start = view.automaton.initial().iter().map(|&state| Follower {
        origin: (initial && at == 0).then_some(state),
        state,
        stands: Vec::new(),
        used: Vec::new(),
    });
    let mut followers = reach_silently(view, start.collect());
    let mut estimates = vec![states(&followers)];
    let mark = |followers: BTreeSet<Follower>, position: usize| {
        // WHY reach again: a run may go on silently after the instant, before it shows the next symbol.
        let marks = position == at && !initial;
        if marks { reach_silently(view, followers.into_iter().map(marked).collect()) } else { followers }
    };
    followers = mark(followers, 0);
    for (position, &sign) in observation.iter().enumerate() {
        let rest = &observation[position + 1..];
        let next = followers.iter().flat_map(|follower| show(view, follower, sign, rest)).collect();
        followers = reach_silently(view, next);
        estimates.push(states(&followers));
        followers = mark(followers, position + 1);
    }
    Followed { estimates, delayed: followers.iter().filter_map(|follower| follower.origin).collect() }
}

/// The delayed estimate at α given αβ.
pub(crate) fn delayed(view: &View<'_>, observation: &[Sign], at: usize) -> StateSet {
    follow(view, observation, at, false).delayed
}

fn marked(follower: Follower) -> Follower {
    Follower { origin: Some(follower.state), ..follower }
}

fn states(followers: &BTreeSet<Follower>) -> StateSet {
    followers.iter().map(|follower| follower.state).collect()
}

/// Adds the runs that continue by unobservable events.
fn reach_silently(view: &View<'_>, from: BTreeSet<Follower>) -> BTreeSet<Follower> {
    let mut reached = from;
    let mut todo: Vec<Follower> = reached.iter().cloned().collect();
    while let Some(follower) = todo.pop() {
        for step in view.automaton.steps(follower.state) {
            if view.observer.sight(step.event) == Sight::Silent {
                let next = Follower { state: step.target, ..follower.clone() };
                if reached.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    reached
}

/// The followers after one more event that shows this symbol.
fn show(view: &View<'_>, follower: &Follower, sign: Sign, rest: &[Sign]) -> Vec<Follower> {
    let mut next = Vec::new();
    for step in view.automaton.steps(follower.state) {
        if shows(view, follower, step.event, sign) {
            let mut moved = Follower { state: step.target, ..follower.clone() };
            if let Sign::Nth(..) = sign {
                remember(&mut moved, sign, step.event, rest);
            }
            next.push(moved);
        }
    }
    next
}

/// Whether an event shows a symbol, given what a run has done.
fn shows(view: &View<'_>, follower: &Follower, event: EventId, sign: Sign) -> bool {
    match (view.observer.sight(event), view.projection, sign) {
        (Sight::Silent, ..) => false,
        (Sight::Visible, _, Sign::Event(seen)) | (_, Projection::Natural, Sign::Event(seen)) => seen == event,
        (Sight::Anonymous(group), Projection::Strong, Sign::Group(seen)) => seen == group,
        (Sight::Anonymous(group), Projection::Weak, Sign::Nth(seen, number)) => {
            let arrived = follower.used.iter().filter(|&&used| view.observer.sight(used) == Sight::Anonymous(group));
            let count = arrived.count() as u32;
            let new = !follower.used.contains(&event);
            seen == group && if new { number == count + 1 } else { follower.stands.contains(&(sign, event)) }
        }
        _ => false,
    }
}

/// Records which event is behind γi, as long as γi comes again.
fn remember(follower: &mut Follower, sign: Sign, event: EventId, rest: &[Sign]) {
    if let Err(place) = follower.used.binary_search(&event) {
        follower.used.insert(place, event);
        follower.stands.push((sign, event));
        follower.stands.sort_unstable();
    }
    follower.stands.retain(|(stands, _)| rest.contains(stands));
}
