//! A stronger intruder: they see of each event what the real intruder sees, and what it does to the parts that are left out.
//!
//! Definition: of the events that a kept part takes part in, two look alike iff they show the real intruder the same and have
//! exactly the same transitions in every part outside. An event is silent iff it is unobservable and no part outside takes part.
//! Under Pw an agent who has an anonymous event in which no kept part takes part is *outer*: they know who it is. All other agents
//! are numbered as the real intruder numbers them.
//! Consequence: whatever a run of the kept parts does, a run that looks the same to them can take its place in a run of the
//! whole system, and the real intruder sees no difference (docs/src/theory.md).

use super::sharing::Sharing;
use crate::automaton::EventId;
use crate::automaton::view::{AgentId, GroupId, Observability, Observer, Projection};
use crate::resources::{Monitor, Stop};
use crate::verdict::Exposure;
use rustc_hash::FxHashMap;

/// What a stronger intruder sees of the kept parts.
#[derive(Debug)]
pub(super) struct Stronger {
    pub(super) observer: Observer,
    pub(super) projection: Projection,
    /// Whether every label of theirs is one of the real intruder's: then they need no more steps than the real one.
    pub(super) counts_alike: bool,
}

/// What an event shows, before what it does outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shown {
    Nothing,
    Itself(EventId),
    Label(GroupId),
    /// The label of an agent whom they know.
    Of(GroupId, EventId),
    /// The label of an agent who is numbered.
    Numbered(GroupId),
}

impl Stronger {
    pub(super) fn new(
        sharing: &Sharing,
        kept: &[bool],
        (real, projection): (&Observer, Projection),
        monitor: &mut Monitor<'_>,
    ) -> Result<Stronger, Stop> {
        let events: Vec<EventId> =
            (0..sharing.n_events()).map(EventId::from_index).filter(|&event| sharing.moves(event, kept)).collect();
        let outer = outer(sharing, kept, real);
        let shown = |event: EventId| shown(real, projection, &outer, event);
        let mut groups = Groups { sharing, kept, known: FxHashMap::default(), n_groups: 0 };
        let mut seen = vec![Observability::Silent; sharing.n_events()];
        let mut agents = vec![None; sharing.n_events()];
        let (mut counts_alike, mut is_dynamic) = (true, false);
        for &event in &events {
            monitor.spend(1 + sharing.of(event).len() as u64 / 4)?;
            let shows = shown(event);
            let is_alone = sharing.outside(event, kept).next().is_none();
            seen[event.index()] = match shows {
                Shown::Nothing if is_alone => Observability::Silent,
                Shown::Itself(_) => Observability::Visible,
                _ => Observability::Anonymous(groups.of(event, shows)),
            };
            counts_alike &= is_alone || shows != Shown::Nothing;
            is_dynamic |= matches!(shows, Shown::Numbered(_));
            if let Observability::Anonymous(group) = seen[event.index()] {
                agents[event.index()] = agent(real, event, shows, group);
            }
        }
        let (observer, projection) = match is_dynamic {
            true => (Observer::with_agents(seen, &agents), Projection::Weak),
            false => (Observer::new(seen), Projection::Strong),
        };
        Ok(Stronger { observer, projection, counts_alike })
    }
}

impl Stronger {
    /// What a distance of theirs says about the real intruder: what they do not see in so many steps, the real one does not.
    pub(super) fn carried(&self, exposure: Exposure) -> Exposure {
        match exposure {
            Exposure::Never => Exposure::Never,
            _ => exposure.safe().filter(|_| self.counts_alike).map_or(Exposure::Unknown, Exposure::Beyond),
        }
    }
}

/// The agents who also act where no kept part does, each by its first event.
fn outer(sharing: &Sharing, kept: &[bool], real: &Observer) -> Vec<bool> {
    let mut outer = vec![false; sharing.n_events()];
    for event in real.anonymous(None).filter(|&event| !sharing.moves(event, kept)) {
        outer[real.actor(event).index()] = true;
    }
    outer
}

fn shown(real: &Observer, projection: Projection, outer: &[bool], event: EventId) -> Shown {
    match (real.observability(event), projection) {
        (Observability::Silent, _) => Shown::Nothing,
        (Observability::Visible, _) | (_, Projection::Natural) => Shown::Itself(event),
        (Observability::Anonymous(group), Projection::Strong) => Shown::Label(group),
        (Observability::Anonymous(group), Projection::Weak) => match real.actor(event) {
            actor if outer[actor.index()] => Shown::Of(group, actor),
            _ => Shown::Numbered(group),
        },
    }
}

/// Who acts, under Pw. A label that belongs to one agent alone shows who it is, whatever its number.
fn agent(real: &Observer, event: EventId, shows: Shown, group: GroupId) -> Option<AgentId> {
    let n_events = real.observabilities().len() as u32;
    match shows {
        Shown::Numbered(_) => real.agent(event),
        Shown::Of(_, actor) => Some(real.agent(event).unwrap_or(AgentId(n_events + actor.0))),
        Shown::Nothing | Shown::Itself(_) | Shown::Label(_) => Some(AgentId(2 * n_events + group.0)),
    }
}

/// The labels of the stronger intruder.
struct Groups<'a> {
    sharing: &'a Sharing,
    kept: &'a [bool],
    /// By what is shown and a hash of what is done outside: an event of each label, and the label.
    known: FxHashMap<(Shown, u64), Vec<(EventId, GroupId)>>,
    n_groups: u32,
}

impl Groups<'_> {
    fn of(&mut self, event: EventId, shows: Shown) -> GroupId {
        let does = |event: EventId| self.sharing.outside(event, self.kept);
        let hash = does(event).fold(0u64, |hash, (part, effect)| {
            (hash.rotate_left(5) ^ (u64::from(part) << 32 | u64::from(effect))).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        let alike = self.known.entry((shows, hash)).or_default();
        if let Some((_, group)) = alike.iter().find(|(other, _)| does(*other).eq(does(event))) {
            return *group;
        }
        let group = GroupId(self.n_groups);
        alike.push((event, group));
        self.n_groups += 1;
        group
    }
}
