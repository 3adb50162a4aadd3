//! Random models whose agents have several labels and several events with one label, and what "look alike" means, word by word.

use super::dice::Dice;
use super::oracle::{Distance, exposes};
use super::random::{Case, Shape, property, said_further, shape};
use desc::automaton::view::{AgentId, GroupId, Observability, Observer, Projection, View};
use desc::automaton::{Builder, EventId, StateId, StateSet};
use desc::model::Property;
use std::collections::BTreeMap;

/// A kind of act of a shape, and who does it: an event of the model.
type Act = (usize, Option<usize>, usize);

/// A random question about a random model with agents. The events of a shape are kinds of acts here; who does them differs from
/// copy to copy of the shape, so that runs look alike under a bijection that is no identity.
pub fn agent_case(seed: u64) -> Case {
    let mut dice = Dice::new(seed ^ 0xA6E7);
    let shape = shape(&mut dice);
    let kinds = kinds(&mut dice, shape.n_events);
    let (edges, acts) = cast(&mut dice, &shape, &kinds);
    let mut builder = Builder::new(shape.n_states, acts.len());
    shape.initial.iter().for_each(|&state| builder.initial(StateId::from_index(state)));
    for (source, event, target) in edges {
        builder.transition(StateId::from_index(source), EventId::from_index(event), StateId::from_index(target));
    }
    let observabilities = acts.iter().map(|act| kinds.observabilities()[act.0]).collect();
    let agents: Vec<Option<AgentId>> = acts.iter().map(|act| act.1.map(AgentId::from_index)).collect();
    let observer = Observer::with_agents(observabilities, &agents);
    let projection = [Projection::Strong, Projection::Natural][dice.below(2)];
    let projection = if dice.chance(88) { Projection::Weak } else { projection };
    let (property, kind) = property(&mut dice, &shape);
    let initial = matches!(property, Property::Opacity { .. }) && dice.chance(25);
    let (property, further) = said_further(property, initial, &shape, &mut dice);
    let kind = further.unwrap_or(if initial { "initial-state" } else { kind });
    Case { automaton: builder.freeze(), observer, projection, property, initial, kind }
}

/// How each kind of act appears: most are anonymous, with two to four labels.
fn kinds(dice: &mut Dice, n_kinds: usize) -> Observer {
    let (silent, visible, labels) = (dice.below(25), dice.below(25), 2 + dice.below(3));
    let kind = |_| match () {
        () if dice.chance(silent) => Observability::Silent,
        () if dice.chance(visible) => Observability::Visible,
        () => Observability::Anonymous(GroupId::from_index(dice.below(labels))),
    };
    Observer::new((0..n_kinds).map(kind).collect())
}

/// The edges with the agents who act, and the events that are needed for them.
fn cast(dice: &mut Dice, shape: &Shape, kinds: &Observer) -> (Vec<(usize, usize, usize)>, Vec<Act>) {
    let n_agents = 2 + dice.below(2);
    let own = dice.below(30);
    let twice = dice.below(35);
    let n_copies = shape.copy.iter().max().map_or(1, |last| last + 1);
    let named: Vec<bool> = (0..shape.n_events).map(|_| !dice.chance(own)).collect();
    let casts: Vec<Vec<usize>> = (0..n_copies).map(|_| shuffled(dice, n_agents)).collect();
    let parts: Vec<usize> = (0..shape.n_events * 4).map(|_| dice.below(n_agents)).collect();
    let slips = dice.below(12);
    let mut acts: Vec<Act> = Vec::new();
    let mut edges = Vec::new();
    for &(source, kind, target) in &shape.edges {
        let anonymous = matches!(kinds.observabilities()[kind], Observability::Anonymous(_));
        let part = parts[kind * 4 + (target / n_copies.max(2)) % 4];
        let actor = if dice.chance(slips) { dice.below(n_agents) } else { casts[shape.copy[source]][part] };
        let variant = usize::from(anonymous && dice.chance(twice));
        let act = match (anonymous, named[kind]) {
            (true, true) => (kind, Some(actor), variant),
            (true, false) => (kind, None, actor.min(1)),
            (false, _) => (kind, None, 0),
        };
        let event = acts.iter().position(|known| *known == act).unwrap_or_else(|| {
            acts.push(act);
            acts.len() - 1
        });
        edges.push((source, event, target));
    }
    (edges, acts)
}

fn shuffled(dice: &mut Dice, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    (1..n).rev().for_each(|at| order.swap(at, dice.below(at + 1)));
    order
}

/// Who acts in an anonymous event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    Named(AgentId),
    Own(EventId),
}

pub fn who(observer: &Observer, event: EventId) -> Who {
    observer.agent(event).map_or(Who::Own(event), Who::Named)
}

/// Whether two strings look alike under the weak projection, by its definition: they show equally many observations, and there is
/// a bijection between the agents that they have used under which the labels agree, position by position.
pub fn alike(observer: &Observer, one: &[EventId], other: &[EventId]) -> bool {
    let seen = |string: &[EventId]| -> Vec<EventId> {
        let visible = |event: &&EventId| observer.observability(**event) != Observability::Silent;
        string.iter().filter(visible).copied().collect()
    };
    let (one, other) = (seen(one), seen(other));
    let mut bijection: BTreeMap<Who, Who> = BTreeMap::new();
    for (&left, &right) in one.iter().zip(&other) {
        match (observer.observability(left), observer.observability(right)) {
            (Observability::Anonymous(label), Observability::Anonymous(same)) if label == same => {
                let (actor, partner) = (who(observer, left), who(observer, right));
                if *bijection.entry(actor).or_insert(partner) != partner {
                    return false;
                }
            }
            _ if left == right && observer.observability(left) == Observability::Visible => {}
            _ => return false,
        }
    }
    let mut partners: Vec<Who> = bijection.values().copied().collect();
    partners.sort_unstable();
    partners.dedup();
    one.len() == other.len() && partners.len() == bijection.len()
}

/// The least |β| that exposes with |αβ| at most `longest`, by following every word of observable events and comparing each with
/// each. None: there are too many words, or the property says more than which states are exposed.
pub fn by_words(case: &Case, longest: usize, most: usize) -> Option<Distance> {
    let view = case.view();
    by_alike_words(case, longest, most, &|one, other| same_look(&view, one, other))
}

/// The same, where words look alike as they are said to.
pub fn by_alike_words(
    case: &Case,
    longest: usize,
    most: usize,
    alike: &dyn Fn(&[EventId], &[EventId]) -> bool,
) -> Option<Distance> {
    if !matches!(case.property, Property::Anonymity { .. } | Property::Opacity { .. }) {
        return None;
    }
    let view = case.view();
    let mut words: Vec<Vec<EventId>> = vec![Vec::new()];
    let (mut best, mut from) = (Distance::Never, 0);
    for length in 0..=longest {
        let now = &words[from..];
        for word in now {
            let looks_alike: Vec<&Vec<EventId>> = now.iter().filter(|other| alike(word, other)).collect();
            for at in if case.initial { 0..1 } else { 0..length + 1 } {
                let states = looks_alike.iter().flat_map(|word| delayed(&view, word, at, case.initial)).collect();
                if exposes(&case.property, &states) {
                    best = best.min(Distance::At((length - at) as u64));
                }
            }
        }
        let longer: Vec<Vec<EventId>> = now.iter().flat_map(|word| extended(&view, word)).collect();
        from = words.len();
        words.extend(longer);
        if words.len() > most {
            return None;
        }
    }
    Some(best)
}

fn same_look(view: &View<'_>, one: &[EventId], other: &[EventId]) -> bool {
    match view.projection {
        Projection::Weak => alike(view.observer, one, other),
        _ => view.project(one) == view.project(other),
    }
}

/// The states at the `at`-th event of a word from which its rest can be done.
fn delayed(view: &View<'_>, word: &[EventId], at: usize, initial: bool) -> Vec<StateId> {
    let start: StateSet = view.automaton.initial().iter().copied().collect();
    let then = if initial { start } else { follow(view, closed(view, start), &word[..at]) };
    let lasts = |state: &StateId| {
        let alone: StateSet = [*state].into_iter().collect();
        !follow(view, closed(view, alone), &word[at..]).is_empty()
    };
    then.iter().filter(lasts).collect()
}

fn follow(view: &View<'_>, start: StateSet, word: &[EventId]) -> StateSet {
    word.iter().fold(start, |states, &event| {
        let targets = states.iter().flat_map(|state| view.automaton.successors(state, event).iter());
        closed(view, targets.map(|step| step.target).collect())
    })
}

fn closed(view: &View<'_>, states: StateSet) -> StateSet {
    let mut all: Vec<StateId> = states.iter().collect();
    let mut at = 0;
    while at < all.len() {
        for step in view.automaton.steps(all[at]) {
            if view.observer.observability(step.event) == Observability::Silent && !all.contains(&step.target) {
                all.push(step.target);
            }
        }
        at += 1;
    }
    all.into_iter().collect()
}

/// The words of the system with one observable event more.
fn extended(view: &View<'_>, word: &[EventId]) -> Vec<Vec<EventId>> {
    let start = closed(view, view.automaton.initial().iter().copied().collect());
    let states = follow(view, start, word);
    let seen = view.automaton.events().filter(|&event| view.observer.observability(event) != Observability::Silent);
    let can = |event: &EventId| states.iter().any(|state| !view.automaton.successors(state, *event).is_empty());
    seen.filter(can).map(|event| word.iter().copied().chain([event]).collect()).collect()
}
