//! A system with something changed: an event hidden, anonymised or switched off.
//!
//! A [`Change`] says what is done to some events, for every observer or for one of them; [`apply`] does it. The language reads its
//! `must hide`, `must anonymise` and `must disable` through it, and `desc repair` tries its choices with it. What is changed is a new
//! automaton and new observers under the same ids, so states, events and questions keep their meaning. Observers who pool what they
//! see are pooled again.

use super::pool::{Pool, pool};
use super::{NamedObserver, ObserverId, System};
use crate::automaton::view::{AgentId, GroupId, Observability, Observer};
use crate::automaton::{Automaton, EventId};
use crate::source::Span;
use std::sync::Arc;

/// What is done to some events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// What is done.
    pub kind: ChangeKind,
    /// The events, sorted.
    pub events: Vec<EventId>,
    /// For whom; none: for every observer.
    pub from: Option<ObserverId>,
}

/// What is done to an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It becomes unobservable.
    Hide,
    /// It joins a group, for those who observe it.
    Anonymise {
        /// The label of the group; none: `?`.
        label: Option<String>,
        /// Who acts; none: the event is its own agent.
        agent: Option<String>,
    },
    /// Its transitions are removed.
    Disable,
}

impl ChangeKind {
    /// The word for it in the language.
    pub fn word(&self) -> &'static str {
        match self {
            ChangeKind::Hide => "hide",
            ChangeKind::Anonymise { .. } => "anonymise",
            ChangeKind::Disable => "disable",
        }
    }
}

/// A change that the author of a model allows, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lever {
    /// The change.
    pub change: Change,
    /// At least 1.
    pub cost: u64,
    /// The statement that offers it; none: it was not offered in the file.
    pub span: Option<Span>,
}

impl Change {
    /// Whether the two cannot be made at once: one hides what the other anonymises, or they give an event two labels or agents.
    pub fn contradicts(&self, other: &Change) -> bool {
        let same_eyes = self.from.is_none() || other.from.is_none() || self.from == other.from;
        let both_show = self.kind != ChangeKind::Disable && other.kind != ChangeKind::Disable;
        both_show && same_eyes && self.kind != other.kind && shares(&self.events, &other.events)
    }

    fn concerns(&self, observer: usize) -> bool {
        self.from.is_none_or(|from| from.index() == observer)
    }
}

fn shares(some: &[EventId], others: &[EventId]) -> bool {
    some.iter().any(|event| others.binary_search(event).is_ok())
}

/// What changes make of a system.
#[derive(Clone, Debug)]
pub struct Altered {
    /// The automaton.
    pub automaton: Arc<Automaton>,
    /// The observers, under the same ids.
    pub observers: Vec<NamedObserver>,
}

/// Makes changes that do not contradict each other. None: observers that pool what they see cannot be pooled any more.
///
/// Cost: observers times events, and the transitions if some are removed.
pub fn apply(system: &System, changes: &[&Change]) -> Option<Altered> {
    let observers = changed_observers(&system.observers, changes, &|event| system.names.event(event).into_owned())?;
    Some(Altered { automaton: without_disabled(&system.automaton, changes), observers })
}

/// What observers see after changes, with the names of events; none: see [`apply`].
pub(crate) fn changed_observers(
    observers: &[NamedObserver],
    changes: &[&Change],
    name: &dyn Fn(EventId) -> String,
) -> Option<Vec<NamedObserver>> {
    let mut changed: Vec<NamedObserver> = Vec::with_capacity(observers.len());
    for (at, observer) in observers.iter().enumerate() {
        let members: Vec<&NamedObserver> = observer.members.iter().map(|member| &changed[member.index()]).collect();
        let observer = if members.is_empty() { seen(observer, at, changes) } else { pooled(observer, &members, name)? };
        changed.push(observer);
    }
    Some(changed)
}

impl System {
    /// The same system after changes; none: see [`apply`].
    pub fn changed(&self, changes: &[&Change]) -> Option<System> {
        let Altered { automaton, observers } = apply(self, changes)?;
        Some(System { automaton, observers, ..self.clone() })
    }
}

/// The automaton without the transitions of disabled events.
pub(crate) fn without_disabled(automaton: &Arc<Automaton>, changes: &[&Change]) -> Arc<Automaton> {
    let disabled = changes.iter().filter(|change| change.kind == ChangeKind::Disable);
    let mut is_gone = vec![false; automaton.n_events()];
    disabled.flat_map(|change| &change.events).for_each(|event| is_gone[event.index()] = true);
    if !is_gone.contains(&true) {
        return Arc::clone(automaton);
    }
    let left = automaton.transitions().filter(|(_, _, step)| !is_gone[step.event.index()]);
    Arc::new(Automaton::from_sorted(
        automaton.n_states(),
        automaton.n_events(),
        automaton.initial().iter().map(|state| state.0),
        left.map(|(_, source, step)| (source, step)),
    ))
}

/// What an observer sees after changes.
fn seen(observer: &NamedObserver, at: usize, changes: &[&Change]) -> NamedObserver {
    let concerned = || changes.iter().filter(|change| change.concerns(at) && change.kind != ChangeKind::Disable);
    if concerned().next().is_none() {
        return observer.clone();
    }
    let mut builder = ObserverBuilder::of(observer);
    for change in concerned() {
        change.events.iter().for_each(|&event| builder.take(event, &change.kind));
    }
    let ObserverBuilder { observabilities, of, labels, agents } = builder;
    NamedObserver { observer: Observer::with_agents(observabilities, &of), labels, agents, ..observer.clone() }
}

fn pooled(
    observer: &NamedObserver,
    members: &[&NamedObserver],
    name: &dyn Fn(EventId) -> String,
) -> Option<NamedObserver> {
    let Pool { observer: seen, labels, agents } = pool(members, name).ok()?;
    Some(NamedObserver { observer: seen, labels, agents, ..observer.clone() })
}

/// How events appear, event by event.
struct ObserverBuilder {
    observabilities: Vec<Observability>,
    of: Vec<Option<AgentId>>,
    labels: Vec<Option<String>>,
    agents: Vec<String>,
}

impl ObserverBuilder {
    fn of(observer: &NamedObserver) -> ObserverBuilder {
        let n_events = observer.observer.observabilities().len();
        ObserverBuilder {
            observabilities: observer.observer.observabilities().to_vec(),
            of: (0..n_events).map(|event| observer.observer.agent(EventId::from_index(event))).collect(),
            labels: observer.labels.clone(),
            agents: observer.agents.clone(),
        }
    }

    fn take(&mut self, event: EventId, kind: &ChangeKind) {
        let at = event.index();
        match kind {
            ChangeKind::Hide => (self.observabilities[at], self.of[at]) = (Observability::Silent, None),
            ChangeKind::Anonymise { label, agent } if self.observabilities[at] != Observability::Silent => {
                let group = GroupId::from_index(place_of(&mut self.labels, label));
                let agent = agent.as_ref().map(|agent| AgentId::from_index(place_of(&mut self.agents, agent)));
                (self.observabilities[at], self.of[at]) = (Observability::Anonymous(group), agent);
            }
            ChangeKind::Anonymise { .. } | ChangeKind::Disable => {}
        }
    }
}

/// Where something stands in a list; it is added if it does not.
fn place_of<T: Clone + PartialEq>(list: &mut Vec<T>, wanted: &T) -> usize {
    list.iter().position(|known| known == wanted).unwrap_or_else(|| {
        list.push(wanted.clone());
        list.len() - 1
    })
}
