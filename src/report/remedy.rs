//! What could be changed so that a violated check passes. Each change is tried before it is said: the changed model is decided, and
//! only a change under which the property holds is kept.
//!
//! First what can be deployed: hide a label from the intruder, let two labels look alike, ask for a projection that tells less. Of a
//! system without parts, then new behaviour: an initial state, a transition. What can be written in the file, and nothing else.
//! Cost: at most `TRIES` searches of a small system for each exposure, each within `PAIRS`.

use super::counterexample::Story;
use super::phrasing::decisive;
use crate::automaton::view::{GroupId, Observability, Observer, Projection, Symbol, View};
use crate::automaton::{Automaton, Builder, EventId, StateId};
use crate::model::{Horizon, NamedObserver, System, ViewId};
use crate::resources::Resources;
use crate::verdict::{Answer, Evidence, Witness};
use crate::verify::{self, Limits, Options};

/// A change under which the check passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// These events are observable no longer.
    Hide(Vec<String>),
    /// These events are anonymous, with one label.
    Alike(Vec<String>),
    /// The check asks for this projection.
    Projection(Projection),
    /// This state is initial too.
    Initial(String),
    /// This transition is added.
    Transition(String),
}

/// The most searches for one exposure.
const TRIES: usize = 24;

/// The most pairs of a search.
const PAIRS: u64 = 5_000;

/// Larger systems are not tried.
const TRANSITIONS: usize = 5_000;

/// The most labels that are hidden, or joined with another one, to try.
const LABELS: usize = 6;

/// How many changes are said.
const SAID: usize = 2;

/// The changes that are enough; `tries` is what is left of the searches that a report may make.
pub(super) fn remedies(
    system: &System,
    evidence: &Evidence,
    story: &Story,
    resources: Resources<'_>,
    tries: &mut usize,
) -> Vec<Remedy> {
    let Some(witness) = evidence.witness() else { return Vec::new() };
    if system.automaton.n_transitions() > TRANSITIONS || matches!(evidence.horizon, Horizon::Exactly(_)) {
        return Vec::new();
    }
    let mut left = TRIES.min(*tries);
    let before = left;
    let mut trial = Trial { system, evidence, witness, story, resources, left: &mut left };
    let mut found = trial.deployable();
    if found.is_empty() && system.names.composition().is_none() {
        found = trial.behaviour();
    }
    *tries -= before - left;
    found
}

/// What is tried.
struct Trial<'t, 'a> {
    system: &'a System,
    evidence: &'a Evidence,
    witness: &'a Witness,
    story: &'a Story,
    resources: Resources<'a>,
    left: &'t mut usize,
}

impl<'a> Trial<'_, 'a> {
    fn view_id(&self) -> ViewId {
        self.evidence.finding.view_id
    }

    fn named(&self) -> &'a NamedObserver {
        self.system.observer(self.view_id().observer)
    }

    /// Whether the property holds in a changed view.
    fn holds(&mut self, view: &View<'_>) -> bool {
        if *self.left == 0 {
            return false;
        }
        *self.left -= 1;
        let limits = Limits { timeout: self.resources.time_left(), memory: self.resources.memory, pairs: Some(PAIRS) };
        let options = Options { limits, threads: 1, interrupted: self.resources.interrupted, ..Options::default() };
        let horizon = self.evidence.horizon;
        let found = verify::decide(view, &self.evidence.finding.property, horizon, &options);
        found.fault.is_none() && found.exposure.answer(horizon) == Answer::Holds
    }

    fn holds_for(&mut self, observer: &Observer, projection: Projection) -> bool {
        let automaton = &self.system.automaton;
        self.holds(&View { automaton, observer, projection })
    }

    /// One change of each kind, in the order in which they are easy to deploy.
    fn deployable(&mut self) -> Vec<Remedy> {
        let hide = self.hide();
        let alike = self.alike();
        let mut found: Vec<Remedy> = hide.into_iter().chain(alike).collect();
        if found.len() < SAID {
            found.extend(self.projection());
        }
        found
    }

    fn hide(&mut self) -> Option<Remedy> {
        let labels = self.seen();
        let hidden = |events: &[EventId]| self.named().changed(events, Observability::Silent);
        let tried: Vec<(Vec<EventId>, Observer)> = labels
            .into_iter()
            .map(|events| hidden(&events).map(|observer| (events, observer)))
            .collect::<Option<_>>()?;
        let projection = self.view_id().projection;
        let (events, _) = tried.into_iter().find(|(_, observer)| self.holds_for(observer, projection))?;
        Some(Remedy::Hide(self.names(&events)))
    }

    fn alike(&mut self) -> Option<Remedy> {
        let (named, projection) = (self.named(), self.view_id().projection);
        if projection == Projection::Natural || named.observer.has_named_agents() {
            return None;
        }
        let decisive = self.seen().into_iter().next()?;
        let group = GroupId::from_index(named.observer.n_groups());
        for other in self.others(&decisive) {
            let both: Vec<EventId> = decisive.iter().chain(&other).copied().collect();
            let observer = named.changed(&both, Observability::Anonymous(group))?;
            if self.holds_for(&observer, projection) {
                return Some(Remedy::Alike(self.names(&both)));
            }
        }
        None
    }

    /// A projection that tells less.
    fn projection(&mut self) -> Option<Remedy> {
        let observer = &self.named().observer;
        let less: &[Projection] = match self.view_id().projection {
            _ if observer.n_groups() == 0 => &[],
            Projection::Natural => &[Projection::Weak, Projection::Strong],
            Projection::Weak => &[Projection::Strong],
            Projection::Strong => &[],
        };
        less.iter().copied().find(|&projection| self.holds_for(observer, projection)).map(Remedy::Projection)
    }

    /// The events of the labels in the observation: those of the step that decides first, then from the last to the first.
    fn seen(&self) -> Vec<Vec<EventId>> {
        let observation = &self.witness.observation;
        let first = decisive(self.story).map_or(self.story.at, |(step, _)| step.number);
        let order = first.checked_sub(1).into_iter().chain((0..observation.len()).rev());
        let mut labels: Vec<Vec<EventId>> = Vec::new();
        for at in order {
            let events = self.showing(observation[at]);
            if labels.len() < LABELS && !labels.contains(&events) {
                labels.push(events);
            }
        }
        labels
    }

    fn showing(&self, sign: Symbol) -> Vec<EventId> {
        match sign {
            Symbol::Event(event) => vec![event],
            Symbol::Group(group) | Symbol::Nth(group, _) => self.named().observer.anonymous(Some(group)).collect(),
        }
    }

    /// The events of other labels: first those that hypotheses would have shown instead.
    fn others(&self, decisive: &[EventId]) -> Vec<Vec<EventId>> {
        let observer = &self.named().observer;
        let groups = (0..observer.n_groups()).map(|group| Symbol::Group(GroupId::from_index(group)));
        let visible = observer.observabilities().iter().enumerate();
        let visible = visible.filter(|(_, sight)| **sight == Observability::Visible);
        let visible = visible.map(|(event, _)| Symbol::Event(EventId::from_index(event)));
        let mut labels: Vec<(bool, Vec<EventId>)> = Vec::new();
        for sign in groups.chain(visible) {
            let events = self.showing(sign);
            if !events.is_empty() && events != decisive {
                labels.push((!self.would_come(sign), events));
            }
        }
        labels.sort_by_key(|(is_late, _)| *is_late);
        labels.into_iter().map(|(_, events)| events).take(LABELS).collect()
    }

    /// Whether a hypothesis that fell would have shown a label.
    fn would_come(&self, sign: Symbol) -> bool {
        let name = self.system.sign_name(self.view_id().observer, sign);
        let Some((step, _)) = decisive(self.story) else { return false };
        let parts = step.parts.iter().flat_map(|parts| &parts.fallen).flat_map(|fallen| &fallen.next);
        let states = step.lost.iter().flat_map(|lost| &lost.can).filter_map(|can| can.shows.as_ref());
        parts.chain(states).any(|next| next.ascii.split('#').next() == Some(&*name))
    }

    fn names(&self, events: &[EventId]) -> Vec<String> {
        events.iter().map(|&event| self.system.names.event(event).into_owned()).collect()
    }

    /// One new initial state, or one new transition of what the intruder could rule out.
    fn behaviour(&mut self) -> Vec<Remedy> {
        let found = self.initial().or_else(|| self.transition());
        found.into_iter().collect()
    }

    fn initial(&mut self) -> Option<Remedy> {
        let is_known_at_start = self.witness.observation.is_empty() || self.story.unchanged;
        let automaton = &self.system.automaton;
        let other = automaton.states().filter(|state| !automaton.is_initial(*state)).take(LABELS);
        let mut other = other.filter(|_| is_known_at_start);
        let state = other.find(|&state| self.holds_with(Some(state), None))?;
        Some(Remedy::Initial(self.system.names.state(state).into_owned()))
    }

    fn transition(&mut self) -> Option<Remedy> {
        let automaton = &self.system.automaton;
        let (step, _) = decisive(self.story)?;
        let sign = *self.witness.observation.get(step.number.checked_sub(1)?)?;
        let sources: Vec<StateId> = step.lost.iter().filter(|lost| lost.rival).map(|lost| StateId(lost.id)).collect();
        let events = self.showing(sign);
        for &source in sources.iter().take(2) {
            for &event in events.iter().take(2) {
                for target in automaton.states().take(LABELS) {
                    if self.holds_with(None, Some((source, event, target))) {
                        let names = &self.system.names;
                        let text =
                            format!("{} -{}-> {};", names.state(source), names.event(event), names.state(target));
                        return Some(Remedy::Transition(text));
                    }
                }
            }
        }
        None
    }

    fn holds_with(&mut self, initial: Option<StateId>, transition: Option<(StateId, EventId, StateId)>) -> bool {
        let automaton = extended(&self.system.automaton, initial, transition);
        let ViewId { projection, .. } = self.view_id();
        self.holds(&View { automaton: &automaton, observer: &self.named().observer, projection })
    }
}

/// An automaton with a further initial state or transition.
fn extended(
    automaton: &Automaton,
    initial: Option<StateId>,
    transition: Option<(StateId, EventId, StateId)>,
) -> Automaton {
    let mut builder = Builder::new(automaton.n_states(), automaton.n_events());
    automaton.initial().iter().copied().chain(initial).for_each(|state| builder.initial(state));
    let own = automaton.transitions().map(|(_, source, step)| (source, step.event, step.target));
    own.chain(transition).for_each(|(source, event, target)| builder.transition(source, event, target));
    builder.freeze()
}
