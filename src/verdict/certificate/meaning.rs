//! From a system to the hash of its meaning: states, events, transitions, observers and checks as the verification sees them.

use crate::automaton::view::{Observability, Observer, Projection, Symbol};
use crate::automaton::{EventId, StateSet};
use crate::model::of_parts::{ClassesOfParts, PartSet, PropertyOfParts};
use crate::model::parts::Parts;
use crate::model::{Horizon, LeastCost, Property, Question, System, ViewId};
use crate::resources::{Monitor, Stop};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::convert::Infallible;

/// The hash of what a system means, in hexadecimal.
pub fn meaning(system: &System) -> String {
    let Ok(meaning) = meaning_paid(system, |_| Ok::<(), Infallible>(()));
    meaning
}

/// The same within resources.
pub(super) fn meaning_within(system: &System, monitor: &mut Monitor<'_>) -> Result<String, Stop> {
    meaning_paid(system, |bytes| monitor.spend(1 + bytes / BYTES_PER_UNIT))
}

/// So many bytes take as long to hash as one unit of work.
const BYTES_PER_UNIT: u64 = 8;

fn meaning_paid<E>(system: &System, mut pay: impl FnMut(u64) -> Result<(), E>) -> Result<String, E> {
    let mut hash = Hash { sha: Sha256::new(), unpaid: 0 };
    let has_agents = system.observers.iter().any(|observer| observer.observer.has_named_agents());
    hash.text(if has_agents { "desc meaning 2" } else { "desc meaning 1" });
    let automaton = &system.automaton;
    if let Some(parts) = system.names.composition().filter(|_| system.uncomposed.is_some()) {
        hash.parts(parts, &mut pay)?;
    }
    hash.number(automaton.n_states() as u64);
    for state in automaton.states() {
        hash.text(&system.names.state(state));
        pay(hash.unpaid())?;
    }
    hash.number(automaton.n_events() as u64);
    for event in automaton.events() {
        hash.text(&system.names.event(event));
        pay(hash.unpaid())?;
    }
    hash.list(automaton.initial().iter().map(|state| state.0));
    for state in automaton.states() {
        hash.list(automaton.steps(state).iter().flat_map(|step| [step.event.0, step.target.0]));
        pay(hash.unpaid())?;
    }
    hash.number(system.observers.len() as u64);
    for observer in &system.observers {
        hash.list(observer.observer.observabilities().iter().map(|observability| match observability {
            Observability::Silent => 0,
            Observability::Visible => 1,
            Observability::Anonymous(group) => 2 + group.0,
        }));
        if has_agents {
            hash.agents(&observer.observer);
        }
    }
    hash.number(system.checks.len() as u64);
    for check in &system.checks {
        hash.number(u64::from(check.negated));
        hash.question(&check.question);
        pay(hash.unpaid())?;
    }
    let digest = hash.sha.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes unambiguously: every list and every text comes after its length.
struct Hash {
    sha: Sha256,
    /// Bytes that were written since they were last asked for.
    unpaid: u64,
}

impl Hash {
    fn unpaid(&mut self) -> u64 {
        std::mem::take(&mut self.unpaid)
    }

    fn write(&mut self, bytes: &[u8]) {
        self.unpaid += bytes.len() as u64;
        self.sha.update(bytes);
    }

    fn number(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.write(text.as_bytes());
    }

    fn list(&mut self, list: impl IntoIterator<Item = u32>) {
        let list: Vec<u32> = list.into_iter().collect();
        self.number(list.len() as u64);
        list.iter().for_each(|number| self.write(&number.to_le_bytes()));
    }

    /// The parts of a system whose product is not built.
    fn parts<E>(&mut self, parts: &dyn Parts, pay: &mut impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
        self.text("parts");
        self.number(parts.n_parts() as u64);
        for part in 0..parts.n_parts() {
            let automaton = parts.automaton(part);
            self.text(parts.name(part));
            self.list(parts.events(part).iter().map(|event| event.0));
            self.list(automaton.initial().iter().map(|state| state.0));
            self.number(automaton.n_states() as u64);
            for state in automaton.states() {
                self.text(&parts.state_name(part, state));
                self.list(automaton.steps(state).iter().flat_map(|step| [step.event.0, step.target.0]));
            }
            pay(self.unpaid())?;
        }
        Ok(())
    }

    /// The named agent of each event, as the first event of that agent.
    fn agents(&mut self, observer: &Observer) {
        let events = (0..observer.observabilities().len()).map(EventId::from_index);
        self.list(events.map(|event| observer.agent(event).map_or(0, |_| 1 + observer.actor(event).0)));
    }

    fn view_id(&mut self, view_id: ViewId) {
        self.number(u64::from(view_id.observer.0));
        self.number(match view_id.projection {
            Projection::Natural => 0,
            Projection::Strong => 1,
            Projection::Weak => 2,
        });
    }

    fn question(&mut self, question: &Question) {
        match question {
            Question::Property { view_id, property, horizon } => {
                self.number(0);
                self.view_id(*view_id);
                self.property(property);
                let (kind, steps) = match *horizon {
                    Horizon::Steps(steps) => (0, steps),
                    Horizon::Exactly(steps) => (1, steps),
                    Horizon::Infinite => (2, 0),
                    Horizon::Initial => (3, 0),
                };
                self.number(kind);
                self.number(steps);
            }
            Question::Estimate { view_id, observation, at, expected } => {
                self.number(1);
                self.view_id(*view_id);
                self.signs(observation);
                self.number(*at as u64);
                self.list(expected.iter().map(|state| state.0));
            }
            Question::Projection { view_id, string, expected } => {
                self.number(2);
                self.view_id(*view_id);
                self.list(string.iter().map(|event| event.0));
                self.signs(expected);
            }
            Question::Repair { promised } => {
                self.number(3);
                self.number(match promised {
                    LeastCost::Impossible => u64::MAX,
                    LeastCost::Costs(cost) => *cost,
                });
            }
        }
    }

    fn property(&mut self, property: &Property) {
        match property {
            Property::Anonymity { among, classes, except } => {
                self.number(if except.is_some() { 2 } else { 0 });
                except.iter().for_each(|except| self.set(except));
                self.number(u64::from(*among));
                // The classes in the order in which the states meet them, so that their own order does not count.
                let mut classes_seen: FxHashMap<u32, u32> = FxHashMap::default();
                let of = classes.iter().flat_map(|classes| &classes.of).map(|class| {
                    let next = classes_seen.len() as u32;
                    *classes_seen.entry(class.0).or_insert(next)
                });
                let of: Vec<u32> = of.collect();
                self.list(of);
            }
            Property::Opacity { secret } => {
                self.number(1);
                self.set(secret);
            }
            Property::Throughout { secret } => {
                self.number(3);
                self.set(secret);
            }
            Property::InitialFinal { from, to } => {
                self.number(4);
                self.set(from);
                self.set(to);
            }
            Property::OfParts(property) => {
                self.number(5);
                self.of_parts(property);
            }
        }
    }

    fn of_parts(&mut self, property: &PropertyOfParts) {
        match property {
            PropertyOfParts::Anonymity { among, classes, except } => {
                self.number(0);
                self.number(u64::from(*among));
                match classes {
                    None => self.number(0),
                    Some(ClassesOfParts::By(parts, _)) => {
                        self.number(1);
                        self.list(parts.iter().map(|part| *part as u32));
                    }
                    Some(ClassesOfParts::Sets(sets)) => {
                        self.number(2);
                        self.number(sets.len() as u64);
                        sets.iter().for_each(|(set, _)| self.part_set(set));
                    }
                }
                self.number(u64::from(except.is_some()));
                except.iter().for_each(|except| self.part_set(except));
            }
            PropertyOfParts::Opacity { secret } => {
                self.number(1);
                self.part_set(secret);
            }
            PropertyOfParts::Throughout { secret } => {
                self.number(2);
                self.part_set(secret);
            }
            PropertyOfParts::InitialFinal { from, to } => {
                self.number(3);
                self.part_set(from);
                self.part_set(to);
            }
        }
    }

    fn part_set(&mut self, set: &PartSet) {
        let (kind, below): (u64, &[PartSet]) = match set {
            PartSet::Somewhere(places) => {
                self.number(places.len() as u64);
                for (part, states) in places {
                    self.number(*part as u64);
                    self.set(states);
                }
                (0, &[])
            }
            PartSet::Everywhere => (1, &[]),
            PartSet::Union(sets) => (2, sets),
            PartSet::Intersection(both) => (3, &both[..]),
            PartSet::Difference(both) => (4, &both[..]),
        };
        self.number(kind);
        self.number(below.len() as u64);
        below.iter().for_each(|set| self.part_set(set));
    }

    fn set(&mut self, set: &StateSet) {
        self.list(set.iter().map(|state| state.0));
    }

    fn signs(&mut self, signs: &[Symbol]) {
        self.list(signs.iter().flat_map(|sign| match *sign {
            Symbol::Event(event) => [0, event.0, 0],
            Symbol::Group(group) => [1, group.0, 0],
            Symbol::Nth(group, number) => [2, group.0, number],
        }));
    }
}
