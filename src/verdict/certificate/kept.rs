//! Proofs about the product of some parts: what the parts that are left out do, recomputed from the parts themselves.
//!
//! The product of all parts is never built. A proof that something holds is about the product of the kept parts and a *stronger*
//! intruder, who also sees what each event does to every other part; here that is written out, transition by transition. A proof
//! that something is exposed is about the kept parts and a *weaker* intruder, for whom events of other parts may happen at any
//! time, and it carries the events of a run of the whole system that shows the same.
//! Cost: linear in the transitions of all parts, and the product of the kept ones.

use super::Refused;
use super::labels::labels;
use super::model::EPSILON;
use super::{Violation, check_violation};
use crate::automaton::product::{self, Bounds, Exceeded};
use crate::automaton::view::{AgentId, GroupId, Observability, Observer, Projection, View};
use crate::automaton::{Automaton, Builder, EventId, StateId};
use crate::model::of_parts::PropertyOfParts;
use crate::model::parts::Parts;
use crate::model::{Property, System, ViewId};
use crate::resources::Monitor;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The product of the kept parts, and what is asked of it.
pub(super) struct Kept {
    pub(super) automaton: Arc<Automaton>,
    pub(super) property: Property,
}

/// Composes the parts of a proof.
pub(super) fn compose(
    parts: &dyn Parts,
    property: &PropertyOfParts,
    (kept, n_events): (&[usize], usize),
    monitor: &mut Monitor<'_>,
) -> Result<Kept, Refused> {
    let in_order = kept.windows(2).all(|pair| pair[0] < pair[1]);
    if kept.is_empty() || !in_order || kept.iter().any(|&part| part >= parts.n_parts()) {
        return Err("it keeps no such parts".into());
    }
    if property.mentioned().iter().any(|part| kept.binary_search(part).is_err()) {
        return Err("it leaves out a part that the question is about".into());
    }
    let factors: Vec<_> = kept.iter().map(|&part| parts.factor(part)).collect();
    let bounds = Bounds { states: usize::MAX, transitions: usize::MAX, resources: monitor.resources() };
    let product = product::product(&factors, n_events, bounds).map_err(|exceeded| match exceeded {
        Exceeded::Stopped(stop, _) => Refused::Stopped(stop),
        Exceeded::States(_) | Exceeded::Transitions(_) => "the parts that it keeps are too large together".into(),
    })?;
    let automaton = Arc::clone(product.automaton());
    let names = parts.restricted(kept, product);
    let own = names.composition().ok_or("it is not about a composition")?;
    let property = property.on(kept, own, automaton.n_states(), monitor)?;
    Ok(Kept { automaton, property: property.ok_or("its classes overlap")? })
}

/// Checks that a property of the states of parts is a property of the product that was built of them. Cost: the product.
pub(super) fn check_same(
    system: &System,
    by_parts: &PropertyOfParts,
    property: &Property,
    monitor: &mut Monitor<'_>,
) -> Result<(), Refused> {
    let parts = system.names.composition().ok_or("it is not about a composition")?;
    if !Arc::ptr_eq(parts.product(), &system.automaton) {
        return Err("the system is not the product of its parts".into());
    }
    let all: Vec<usize> = (0..parts.n_parts()).collect();
    let n_states = system.automaton.n_states();
    let read = by_parts.on(&all, parts, n_states, monitor)?.ok_or("its classes overlap")?;
    monitor.spend(n_states as u64)?;
    if is_same(&read, property) { Ok(()) } else { Err("the parts are not asked what the product is asked".into()) }
}

/// Whether two properties have the same exposed sets, whatever their classes are called.
fn is_same(one: &Property, other: &Property) -> bool {
    match (one, other) {
        (
            Property::Anonymity { among, classes: Some(classes), except },
            Property::Anonymity { among: wanted, classes: Some(written), except: excepted },
        ) => {
            let pairs = || classes.of.iter().zip(&written.of);
            let (mut there, mut back) = (FxHashMap::default(), FxHashMap::default());
            (among, except, classes.of.len()) == (wanted, excepted, written.of.len())
                && pairs().all(|(one, other)| {
                    *there.entry(one).or_insert(other) == other && *back.entry(other).or_insert(one) == one
                })
        }
        _ => one == other,
    }
}

/// What a stronger intruder sees, and whether they need no more labels than the real one.
pub(crate) struct Sees {
    pub(crate) observer: Observer,
    pub(crate) projection: Projection,
    pub(crate) counts_alike: bool,
}

/// What an event shows: its label, whose it is where that is known, and what it does to each part outside.
type Look = (u32, Option<u32>, Effect);

/// What the stronger intruder sees of the kept parts.
pub(crate) fn sees(parts: &dyn Parts, kept: &[usize], (real, projection): (&Observer, Projection)) -> Sees {
    let n_events = real.observabilities().len();
    let (moves_kept, mut outside) = effects(parts, kept, n_events);
    let strangers: BTreeSet<EventId> =
        real.anonymous(None).filter(|event| !moves_kept[event.index()]).map(|event| real.actor(event)).collect();
    let mut looks = Looks { groups: FxHashMap::default(), agents: vec![None; n_events] };
    let mut seen = vec![Observability::Silent; n_events];
    let (mut counts_alike, mut numbers) = (true, false);
    for event in (0..n_events).map(EventId::from_index).filter(|event| moves_kept[event.index()]) {
        let does = std::mem::take(&mut outside[event.index()]);
        seen[event.index()] = match (real.observability(event), projection) {
            (Observability::Silent, _) if does.is_empty() => Observability::Silent,
            (Observability::Silent, _) => {
                counts_alike = false;
                looks.fixed(event, (0, None, does), n_events)
            }
            (Observability::Visible, _) | (_, Projection::Natural) => Observability::Visible,
            (Observability::Anonymous(group), Projection::Strong) => {
                looks.fixed(event, (1 + group.0, None, does), n_events)
            }
            (Observability::Anonymous(group), Projection::Weak) => {
                let actor = real.actor(event);
                let known = strangers.contains(&actor);
                numbers |= !known;
                let look = looks.group((1 + group.0, known.then_some(actor.0), does));
                let own = real.agent(event).unwrap_or(AgentId(n_events as u32 + actor.0));
                looks.agents[event.index()] = if known { Some(own) } else { real.agent(event) };
                Observability::Anonymous(look)
            }
        };
    }
    match numbers {
        true => {
            Sees { observer: Observer::with_agents(seen, &looks.agents), projection: Projection::Weak, counts_alike }
        }
        false => Sees { observer: Observer::new(seen), projection: Projection::Strong, counts_alike },
    }
}

/// What an event does to the parts outside: part, source, target.
type Effect = Vec<(u32, u32, u32)>;

/// For each event, whether it moves a kept part, and what it does to the parts outside.
fn effects(parts: &dyn Parts, kept: &[usize], n_events: usize) -> (Vec<bool>, Vec<Effect>) {
    let (mut moves_kept, mut outside) = (vec![false; n_events], vec![Vec::new(); n_events]);
    for part in 0..parts.n_parts() {
        let events = parts.events(part);
        if kept.binary_search(&part).is_ok() {
            events.iter().for_each(|event| moves_kept[event.index()] = true);
            continue;
        }
        // An event without transitions blocks, which is something that it does.
        events.iter().for_each(|event| outside[event.index()].push((part as u32, u32::MAX, u32::MAX)));
        for (_, source, step) in parts.automaton(part).transitions() {
            outside[events[step.event.index()].index()].push((part as u32, source.0, step.target.0));
        }
    }
    (moves_kept, outside)
}

/// The labels of the stronger intruder, and who acts.
struct Looks {
    groups: FxHashMap<Look, GroupId>,
    agents: Vec<Option<AgentId>>,
}

impl Looks {
    /// The label of a look.
    fn group(&mut self, look: Look) -> GroupId {
        let next = GroupId::from_index(self.groups.len());
        *self.groups.entry(look).or_insert(next)
    }

    /// An event that shows its look and no number: all events of the look are one agent.
    fn fixed(&mut self, event: EventId, look: Look, n_events: usize) -> Observability {
        let group = self.group(look);
        self.agents[event.index()] = Some(AgentId(2 * n_events as u32 + group.0));
        Observability::Anonymous(group)
    }
}

/// Checks an exposure on the kept parts, with the events of a run of the whole system; gives |β|.
pub(super) fn check_exposure(
    (system, view_id): (&System, ViewId),
    property: &PropertyOfParts,
    (kept, run): (&[usize], &[EventId]),
    violation: &Violation,
    monitor: &mut Monitor<'_>,
) -> Result<u64, Refused> {
    let parts = system.names.composition().ok_or("it is not about a composition")?;
    let n_events = system.automaton.n_events();
    if !supports(property) && kept.len() < parts.n_parts() {
        return Err("an exposure of this kind is none of some parts".into());
    }
    if run.iter().any(|event| event.index() >= n_events) {
        return Err("its run has an event that the system has not".into());
    }
    (0..parts.n_parts()).try_for_each(|part| can_do(parts, part, run, monitor))?;
    let small = compose(parts, property, (kept, n_events), monitor)?;
    let (observer, projection) = (&system.observer(view_id.observer).observer, view_id.projection);
    let automaton = with_others(parts, kept, &small.automaton, (observer, projection), run, monitor)?;
    let view = View { automaton: &automaton, observer, projection };
    let shows = labels(&view).labels;
    let silent = |label: &u32| *label != EPSILON;
    let shown = run.iter().map(|event| shows[event.index()]).filter(silent);
    if !shown.eq(violation.moves.iter().map(|step| step.0).filter(silent)) {
        return Err("its run of the whole system shows something else".into());
    }
    check_violation(&view, &small.property, violation, monitor)
}

/// Whether an exposed set of the kept parts is one of the system.
fn supports(property: &PropertyOfParts) -> bool {
    !matches!(
        property,
        PropertyOfParts::Anonymity { classes: None, .. } | PropertyOfParts::Anonymity { except: Some(_), .. }
    )
}

/// Follows the events of a run in one part.
fn can_do(parts: &dyn Parts, part: usize, run: &[EventId], monitor: &mut Monitor<'_>) -> Result<(), Refused> {
    let (automaton, events) = (parts.automaton(part), parts.events(part));
    let local: FxHashMap<EventId, usize> = events.iter().enumerate().map(|(local, &event)| (event, local)).collect();
    monitor.spend((events.len() + run.len()) as u64)?;
    let mut here: BTreeSet<StateId> = automaton.initial().iter().copied().collect();
    for event in run {
        let Some(&event) = local.get(event) else { continue };
        let event = EventId::from_index(event);
        here = here.iter().flat_map(|&state| automaton.successors(state, event)).map(|step| step.target).collect();
        if here.is_empty() {
            return Err(format!("`{}` cannot do its run", parts.name(part)).into());
        }
    }
    Ok(())
}

/// The kept parts, with the events of the others that the observation may show happening at any time.
fn with_others(
    parts: &dyn Parts,
    kept: &[usize],
    automaton: &Automaton,
    (observer, projection): (&Observer, Projection),
    run: &[EventId],
    monitor: &mut Monitor<'_>,
) -> Result<Automaton, Refused> {
    let mut moves_kept = vec![false; automaton.n_events()];
    kept.iter().flat_map(|&part| parts.events(part)).for_each(|event| moves_kept[event.index()] = true);
    let is_other = |event: &EventId| !moves_kept[event.index()];
    let mut free: BTreeSet<EventId> = run.iter().copied().filter(is_other).collect();
    if projection != Projection::Natural {
        let mut labels: BTreeSet<GroupId> = BTreeSet::new();
        for event in observer.anonymous(None).filter(is_other) {
            let Observability::Anonymous(group) = observer.observability(event) else { continue };
            // Under Pstr one event of a label is as good as another.
            if projection == Projection::Weak || labels.insert(group) {
                free.insert(event);
            }
        }
    }
    let size = automaton.n_transitions() + free.len() * automaton.n_states();
    monitor.hold(16 * size as u64)?;
    monitor.spend(size as u64)?;
    let mut builder = Builder::from(automaton);
    for state in automaton.states() {
        free.iter().for_each(|&event| builder.transition(state, event, state));
    }
    Ok(builder.freeze())
}
