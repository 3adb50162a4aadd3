//! How events may look to one intruder while some levers are left open.
//!
//! Some levers are moved, some are not, and the others are *open*: each may be moved or not. An event then has several possible looks.
//! What is said of all of them is true of every choice; that two events are taken to look alike in more cases than there are only adds
//! hypotheses.
//!
//! Observers who pool what they see are looked through: two runs look alike to a pool iff they look alike to each of its members.

use super::candidate::Bench;
use super::choice::Choice;
use super::goal::Goal;
use crate::automaton::EventId;
use crate::automaton::view::{Observability, Projection};
use crate::model::change::{Change, ChangeKind};
use crate::model::{NamedObserver, ObserverId, System};

/// What one member is shown of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Nothing,
    Itself,
    Label(u32),
}

/// Who acts, as one member numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Actor {
    /// The event is its own agent.
    Own(EventId),
    /// An agent with a name.
    Named(u32),
}

/// One way in which an event may look to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    shown: Shown,
    actor: Actor,
}

/// How events may look to the members of an observer.
#[derive(Debug)]
pub(super) struct Looks {
    members: Vec<Member>,
    /// Events that are switched off.
    gone: Vec<bool>,
    /// Events that are, or may be.
    doubtful: Vec<bool>,
    is_weak: bool,
}

/// How events may look to an observer who pools nothing.
#[derive(Debug)]
struct Member {
    /// With no open lever moved.
    first: Vec<Look>,
    /// What open levers may make of them, sorted by event.
    others: Vec<(EventId, Look)>,
}

impl Looks {
    /// The looks for the intruder of a goal, with these levers moved and those open.
    pub fn new(bench: &Bench<'_>, goal: &Goal<'_>, moved: &Choice, open: &Choice) -> Looks {
        let changes = |of: &Choice| of.iter().map(|lever| &bench.levers[lever].change).collect::<Vec<_>>();
        let (moved, open) = (changes(moved), changes(open));
        let mut names = Names::default();
        let projection = goal.view_id.projection;
        let members = leaves(bench.system, goal.view_id.observer);
        let members = members.into_iter().map(|id| names.member(bench.system, id, projection, (&moved, &open)));
        let members = members.collect();
        let n_events = bench.system.automaton.n_events();
        let gone = disabled(vec![false; n_events], &moved);
        let doubtful = disabled(gone.clone(), &open);
        Looks { members, gone, doubtful, is_weak: projection == Projection::Weak }
    }

    /// Whether an event certainly does not happen.
    pub fn is_gone(&self, event: EventId) -> bool {
        self.gone[event.index()]
    }

    /// Whether an event may be switched off.
    pub fn may_be_gone(&self, event: EventId) -> bool {
        self.doubtful[event.index()]
    }

    /// Whether an event may show nothing to all members.
    pub fn may_be_silent(&self, event: EventId) -> bool {
        self.members.iter().all(|member| member.may_be_silent(event))
    }

    /// Whether an event may show something to a member.
    pub fn may_show(&self, event: EventId) -> bool {
        self.members.iter().any(|member| member.looks(event).any(|look| look.shown != Shown::Nothing))
    }

    /// Whether two events may show the same, and something.
    pub fn may_look_alike(&self, one: EventId, other: EventId) -> bool {
        let alike = || self.members.iter().all(|member| member.may_look_alike(one, other));
        self.may_show(one) && (one == other || alike())
    }

    /// By member: whose act an event is, where that is certain.
    pub fn actors_of(&self, event: EventId) -> impl Iterator<Item = (u32, Actor)> + '_ {
        let members = self.members.iter().zip(0..).filter(|_| self.is_weak);
        members.filter_map(move |(member, at)| Some((at, member.actor(event)?)))
    }

    /// By member: whose acts two events are, where they look alike and it is certain. Nobody's, unless agents are told apart.
    pub fn actors(&self, one: EventId, other: EventId) -> impl Iterator<Item = (u32, Actor, Actor)> + '_ {
        let single = self.members.len() == 1;
        let members = self.members.iter().zip(0..).filter(|_| self.is_weak);
        members.filter_map(move |(member, at)| {
            let unseen = !single && member.may_be_silent(one) && member.may_be_silent(other);
            let (one, other) = (member.actor(one)?, member.actor(other)?);
            (!unseen).then_some((at, one, other))
        })
    }
}

impl Member {
    fn looks(&self, event: EventId) -> impl Iterator<Item = Look> + '_ {
        let from = self.others.partition_point(|(other, _)| *other < event);
        let others = self.others[from..].iter().take_while(move |(other, _)| *other == event);
        std::iter::once(self.first[event.index()]).chain(others.map(|(_, look)| *look))
    }

    fn may_be_silent(&self, event: EventId) -> bool {
        self.looks(event).any(|look| look.shown == Shown::Nothing)
    }

    fn may_look_alike(&self, one: EventId, other: EventId) -> bool {
        let alike = |shown: Shown| shown != Shown::Itself && self.looks(other).any(|look| look.shown == shown);
        self.looks(one).any(|look| alike(look.shown))
    }

    /// Who acts in an event when it shows a label; none: it never does, or that is not certain.
    fn actor(&self, event: EventId) -> Option<Actor> {
        let mut actors = self.looks(event).filter(|look| look.shown != Shown::Nothing).map(|look| look.actor);
        let first = actors.next()?;
        let is_certain = actors.all(|actor| actor == first);
        let has_label = || self.looks(event).any(|look| matches!(look.shown, Shown::Label(_)));
        (is_certain && has_label()).then_some(first)
    }
}

/// The observers whose sights an observer pools; itself, if it is no pool.
fn leaves(system: &System, id: ObserverId) -> Vec<ObserverId> {
    let members = &system.observer(id).members;
    if members.is_empty() {
        return vec![id];
    }
    members.iter().flat_map(|&member| leaves(system, member)).collect()
}

fn disabled(mut gone: Vec<bool>, changes: &[&Change]) -> Vec<bool> {
    let disabling = changes.iter().filter(|change| change.kind == ChangeKind::Disable);
    disabling.flat_map(|change| &change.events).for_each(|event| gone[event.index()] = true);
    gone
}

/// Numbers for labels and agents.
#[derive(Default)]
struct Names<'a> {
    labels: Vec<Option<&'a str>>,
    agents: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn member(
        &mut self,
        system: &'a System,
        id: ObserverId,
        projection: Projection,
        (moved, open): (&[&'a Change], &[&'a Change]),
    ) -> Member {
        let observer = system.observer(id);
        let is_natural = projection == Projection::Natural;
        let concerned = |change: &&&'a Change| {
            change.kind != ChangeKind::Disable
                && change.from.is_none_or(|from| from == id)
                && !(is_natural && change.kind != ChangeKind::Hide)
        };
        let mut first: Vec<Look> =
            system.automaton.events().map(|event| self.as_written(observer, event, is_natural)).collect();
        let is_seen: Vec<bool> = first.iter().map(|look| look.shown != Shown::Nothing).collect();
        for change in moved.iter().filter(concerned) {
            for event in change.events.iter().filter(|event| is_seen[event.index()]) {
                first[event.index()] = self.changed(&change.kind, *event);
            }
        }
        let mut others = Vec::new();
        for change in open.iter().filter(concerned) {
            let seen = change.events.iter().filter(|event| is_seen[event.index()]);
            others.extend(seen.map(|&event| (event, self.changed(&change.kind, event))));
        }
        others.sort_by_key(|(event, _)| *event);
        Member { first, others }
    }

    fn as_written(&mut self, observer: &'a NamedObserver, event: EventId, is_natural: bool) -> Look {
        let own = Actor::Own(event);
        match observer.observer.observability(event) {
            Observability::Silent => Look { shown: Shown::Nothing, actor: own },
            Observability::Anonymous(group) if !is_natural => {
                let label = observer.labels[group.index()].as_deref();
                let agent = observer.agent_name(event).map(|agent| Actor::Named(number(&mut self.agents, agent)));
                Look { shown: Shown::Label(number(&mut self.labels, label)), actor: agent.unwrap_or(own) }
            }
            Observability::Visible | Observability::Anonymous(_) => Look { shown: Shown::Itself, actor: own },
        }
    }

    fn changed(&mut self, kind: &'a ChangeKind, event: EventId) -> Look {
        let own = Actor::Own(event);
        match kind {
            ChangeKind::Anonymise { label, agent } => {
                let agent = agent.as_deref().map(|agent| Actor::Named(number(&mut self.agents, agent)));
                let label = number(&mut self.labels, label.as_deref());
                Look { shown: Shown::Label(label), actor: agent.unwrap_or(own) }
            }
            ChangeKind::Hide | ChangeKind::Disable => Look { shown: Shown::Nothing, actor: own },
        }
    }
}

fn number<T: PartialEq>(known: &mut Vec<T>, wanted: T) -> u32 {
    let at = known.iter().position(|one| *one == wanted).unwrap_or_else(|| {
        known.push(wanted);
        known.len() - 1
    });
    at as u32
}
