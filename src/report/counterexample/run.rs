//! The run of a story, with names and places.

use super::composed::Composed;
use super::names::Names;
use super::parts::{PartMove, PartNames};
use crate::automaton::StateSet;
use crate::automaton::view::Symbol;
use crate::report::SignName;
use crate::resources::{Monitor, Stop};
use crate::source::Span;
use crate::verdict::Witness;
use std::mem::size_of;
use std::sync::Arc;

/// One real run.
#[derive(Clone, Debug, Default)]
pub struct RunStory {
    /// The ids of the states it goes through.
    pub ids: Vec<u32>,
    /// Their names.
    pub states: Vec<Arc<str>>,
    /// The events between them.
    pub events: Vec<Arc<str>>,
    /// The events of which something is seen, by their place: one for each label of the observation.
    pub visible: Vec<u32>,
    /// Who acts in each event, if the observer names agents; empty otherwise.
    pub agents: Vec<Option<Arc<str>>>,
    /// The agents by their numbers, in the order in which they appear: `opens[3]#1` is an act of the first. Under `weak` only.
    pub who: Vec<(u32, Arc<str>)>,
    /// The state at the exposed instant: an index into `states`.
    pub instant: usize,
    /// What the parts do in each event, if the system is composed.
    pub lanes: Vec<Vec<PartMove>>,
    /// Where every part starts, if the system is composed.
    pub starts: Vec<Arc<str>>,
    places: Vec<Span>,
    /// Where the places of each event end.
    ends: Vec<u32>,
}

impl RunStory {
    /// The run of a witness.
    pub(super) fn new(
        names: &mut Names<'_>,
        composed: Option<&Composed<'_>>,
        witness: &Witness,
        monitor: &mut Monitor<'_>,
    ) -> Result<RunStory, Stop> {
        let run = &witness.run;
        let per_step = size_of::<u32>() * 3 + size_of::<Arc<str>>() * 4 + size_of::<Span>() + size_of::<SignName>();
        monitor.hold((run.states.len() * per_step) as u64)?;
        let mut story = RunStory { instant: instant(names, witness), ..RunStory::default() };
        for &state in &run.states {
            monitor.spend(2)?;
            story.ids.push(state.0);
            story.states.push(names.state(state));
        }
        let view = names.view;
        for (at, (&event, sign)) in run.events.iter().zip(view.signs(&run.events)).enumerate() {
            monitor.spend(4)?;
            story.events.push(names.event(event));
            story.visible.extend(sign.map(|_| at as u32));
            story.places.extend(names.system.names.transition_places(run.states[at], event, run.states[at + 1]));
            story.ends.push(story.places.len() as u32);
        }
        if let Some(composed) = composed {
            story.follow_parts(names, composed, witness, monitor)?;
        }
        story.name_agents(names, witness, monitor)?;
        Ok(story)
    }

    fn follow_parts(
        &mut self,
        names: &mut Names<'_>,
        composed: &Composed<'_>,
        witness: &Witness,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), Stop> {
        let run = &witness.run;
        let Some(&first) = run.states.first() else { return Ok(()) };
        let parts = 0..composed.parts.n_parts();
        self.starts = parts.map(|part| names.local(composed.parts, part, composed.parts.local(first, part))).collect();
        for (at, &event) in run.events.iter().enumerate() {
            let n_users = composed.n_users(event);
            monitor.spend(1 + n_users as u64)?;
            monitor.hold((size_of::<Vec<PartMove>>() + n_users * size_of::<PartMove>()) as u64)?;
            let act = composed.act((run.states[at], event, run.states[at + 1]));
            self.lanes.push(PartNames { names: &mut *names, composed }.act(&act).moves);
        }
        Ok(())
    }

    fn name_agents(&mut self, names: &mut Names<'_>, witness: &Witness, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        let view = names.view;
        if !view.observer.has_named_agents() {
            return Ok(());
        }
        let events = &witness.run.events;
        monitor.hold((events.len() * size_of::<Option<Arc<str>>>()) as u64)?;
        for (&event, sign) in events.iter().zip(view.signs(events)) {
            monitor.spend(2)?;
            let agent = names.agent(event);
            if let (Some(agent), Some(Symbol::Nth(_, number))) = (&agent, sign)
                && self.who.last().is_none_or(|(last, _)| *last < number)
            {
                self.who.push((number, Arc::clone(agent)));
            }
            self.agents.push(agent);
        }
        Ok(())
    }

    /// Where a transition is written.
    pub fn places(&self, event: usize) -> &[Span] {
        let start = event.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.places[start as usize..self.ends[event] as usize]
    }

    /// The event that shows the label of a step, counted from 1.
    pub fn shown_at(&self, step: usize) -> Option<usize> {
        self.visible.get(step.checked_sub(1)?).map(|&event| event as usize)
    }

    /// What each event shows, given the observation.
    pub fn shows<'a>(&'a self, observation: &'a [SignName]) -> impl Iterator<Item = Option<&'a SignName>> {
        let mut signs = self.visible.iter().zip(observation).peekable();
        (0..self.events.len()).map(move |at| signs.next_if(|(event, _)| **event as usize == at).map(|(_, sign)| sign))
    }

    /// A transition of the run: `3 -a-> 4`.
    pub fn transition(&self, event: usize) -> String {
        format!("{} -{}-> {}", self.states[event], self.events[event], self.states[event + 1])
    }
}

/// The first state that shows α and is one of those that the intruder is sure of.
fn instant(names: &Names<'_>, witness: &Witness) -> usize {
    let run = &witness.run;
    let exposed: &StateSet = &witness.exposed;
    let mut seen = 0;
    let shown = names.view.signs(&run.events).map(|sign| {
        seen += usize::from(sign.is_some());
        seen
    });
    let seen = std::iter::once(0).chain(shown);
    let found = seen.zip(&run.states).position(|(seen, state)| seen == witness.at && exposed.contains(*state));
    found.unwrap_or(0)
}
