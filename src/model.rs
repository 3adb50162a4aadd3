//! The checked meaning of a file: what the verification needs, and what the reports need to name it.
//!
//! A [`Model`] has no public constructor: only [`check`](crate::check) makes one, so holding it is the proof that the text
//! was checked. Automata name nothing; the names and the places of states, events and transitions stand beside them here,
//! under the same ids.

pub mod change;
pub mod dump;
pub mod of_parts;
pub mod parts;
pub(crate) mod pool;
pub(crate) mod pooled_agents;
pub mod shard;
pub mod vacuity;

use crate::automaton::product::Exceeded;
use crate::automaton::view::{GroupId, Observability, Observer, Projection, Symbol};
use crate::automaton::{Automaton, EventId, StateId, StateSet, id};
use crate::resources::Stop;
use crate::source::Span;
use change::Lever;
use of_parts::PropertyOfParts;
use parts::Parts;
use std::borrow::Cow;
use std::sync::Arc;
use vacuity::Occurrence;

/// Everything a file says, checked.
#[derive(Debug)]
pub struct Model {
    pub(crate) systems: Vec<System>,
    pub(crate) unbuilt: Vec<Unbuilt>,
    /// Which questions of each system were kept, in the order of the text, if only a share was.
    pub(crate) kept: Vec<shard::Kept>,
    /// The constants that no other constant gives, with their values, in the order of the text.
    pub(crate) constants: Box<[(String, i64)]>,
}

impl Model {
    /// The systems, in the order of the text.
    pub fn systems(&self) -> &[System] {
        &self.systems
    }

    /// The systems that were left because their time or memory was used up before they were built. They stand apart, so that nobody
    /// takes one for a system without states.
    pub fn unbuilt(&self) -> &[Unbuilt] {
        &self.unbuilt
    }

    /// How many bytes all systems hold.
    pub fn bytes(&self) -> u64 {
        self.systems.iter().map(|system| system.bytes).sum()
    }

    /// Forgets the checks that are not to be kept, and the measures of systems without any check left.
    pub fn retain_checks(&mut self, keep: impl Fn(&System, &Check) -> bool) {
        for system in self.systems.iter_mut().chain(self.unbuilt.iter_mut().map(|unbuilt| &mut unbuilt.system)) {
            let checks = std::mem::take(&mut system.checks);
            let had_checks = !checks.is_empty();
            system.checks = checks.into_iter().filter(|check| keep(system, check)).collect();
            if had_checks && system.checks.is_empty() {
                system.measures.clear();
            }
        }
    }

    /// Forgets what was asked and asks for these measures; a system of which nothing is asked is forgotten too.
    pub fn measure_instead(&mut self, mut measures: impl FnMut(&System) -> Vec<Measure>) {
        for system in &mut self.systems {
            system.checks.clear();
            system.measures = measures(system);
        }
        self.systems.retain(|system| !system.measures.is_empty());
    }
}

/// One system: automaton, names, observers, checks.
#[derive(Clone, Debug)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Its documentation, one line per line.
    pub docs: Vec<String>,
    /// The name where it is declared.
    pub span: Span,
    /// The automaton; shared, because the names need its table to find the places of transitions.
    pub automaton: Arc<Automaton>,
    /// What states and events are called, and where they are written.
    pub names: Arc<dyn Naming>,
    /// The intruders: the first one is the system's own, the others are declared by `observer`.
    pub observers: Vec<NamedObserver>,
    /// The secret states, when any were declared.
    pub secret: Option<StateSet>,
    /// The checks, in the order of the text.
    pub checks: Vec<Check>,
    /// The measures, in the order of the text.
    pub measures: Vec<Measure>,
    /// What may be changed so that the checks hold, in the order of the text.
    pub levers: Vec<Lever>,
    /// Whether the text offers levers, even if none of them would change anything.
    pub offers_levers: bool,
    /// What its runs do and do not.
    pub occurrence: Occurrence,
    /// Why its product was not built, if it was not: it then has no states here, only parts, and its checks ask about
    /// [`Property::OfParts`].
    pub uncomposed: Option<Uncomposed>,
    /// The bytes that were counted while it was built.
    pub bytes: u64,
}

/// A product that was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uncomposed {
    /// Which bound it would pass.
    pub why: Exceeded,
    /// The most states that are allowed, more perhaps than were tried.
    pub states: usize,
    /// The most transitions.
    pub transitions: usize,
}

/// A system that was left before it was built.
#[derive(Debug)]
pub struct Unbuilt {
    /// What is known of it: names and questions, but neither states nor transitions.
    pub(crate) system: System,
    /// Why.
    pub stop: Stop,
}

impl Unbuilt {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.system.name
    }

    /// How many of its checks could be read.
    pub fn n_checks(&self) -> usize {
        self.system.checks.len()
    }
}

impl System {
    /// An observer.
    pub fn observer(&self, id: ObserverId) -> &NamedObserver {
        &self.observers[id.index()]
    }

    /// The name of what an observer sees, in ASCII: `c`, `?`, `?2`, `voted`, `voted#2`, `sends[1]#2`.
    pub fn sign_name(&self, observer: ObserverId, sign: Symbol) -> String {
        self.sign_text(observer, sign, "?")
    }

    /// The same with γ for `?`.
    pub fn sign_name_greek(&self, observer: ObserverId, sign: Symbol) -> String {
        self.sign_text(observer, sign, "γ")
    }

    fn sign_text(&self, observer: ObserverId, sign: Symbol, unnamed: &str) -> String {
        let label = |group: GroupId| self.observer(observer).labels[group.index()].as_deref();
        match sign {
            Symbol::Event(event) => self.names.event(event).into_owned(),
            Symbol::Group(group) => label(group).unwrap_or(unnamed).to_owned(),
            Symbol::Nth(group, number) => {
                label(group).map_or_else(|| format!("{unnamed}{number}"), |label| numbered(label, number))
            }
        }
    }
}

/// A label with its number: `voted#2`.
pub fn numbered(label: &str, number: u32) -> String {
    format!("{label}#{number}")
}

/// What states and events are called and where they are written. A product computes these when asked, so that a million
/// global states need no million names.
pub trait Naming: std::fmt::Debug + Send + Sync {
    /// The name of a state: `A`, `held[2]`, `(idle, held[2])`.
    fn state(&self, state: StateId) -> Cow<'_, str>;

    /// The name of an event: `a`, `send[2]`.
    fn event(&self, event: EventId) -> Cow<'_, str>;

    /// Where a state is declared; for a product, one place for each part.
    fn state_places(&self, state: StateId) -> Vec<Span>;

    /// Where an event is first declared.
    fn event_place(&self, event: EventId) -> Option<Span>;

    /// The places that give rise to a transition: one for a plain system, one for each part that takes part in a product.
    fn transition_places(&self, source: StateId, event: EventId, target: StateId) -> Vec<Span>;

    /// The lines of documentation of a state, if it has any.
    fn state_docs(&self, _state: StateId) -> Option<String> {
        None
    }

    /// The parts of a composed system, with the name of each part's state in a global state: `[("u[1]", "idle"), ...]`.
    fn parts(&self, _state: StateId) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The parts of a composed system themselves; none for a plain one.
    fn composition(&self) -> Option<&dyn Parts> {
        None
    }
}

id! {
    /// An observer of a system.
    ObserverId
}

/// The system's own observer.
pub const OWN: ObserverId = ObserverId(0);

/// An intruder with a name.
#[derive(Clone, Debug)]
pub struct NamedObserver {
    /// Its name; the system's own has none.
    pub name: Option<String>,
    /// Where it is declared; the system's own: the system's name.
    pub span: Span,
    /// How events appear to it.
    pub observer: Observer,
    /// The labels of its groups of anonymous events; none: `?`. At most one group has none.
    pub labels: Vec<Option<String>>,
    /// The names of its agents, by [`AgentId`](crate::automaton::view::AgentId); empty if every anonymous event is its own.
    pub agents: Vec<String>,
    /// The observers who pool what they see, declared before it; empty if it is no pool.
    pub members: Vec<ObserverId>,
}

impl NamedObserver {
    /// The name of the agent of an event; none if the event is its own agent, or not anonymous.
    pub fn agent_name(&self, event: EventId) -> Option<&str> {
        self.agents.get(self.observer.agent(event)?.index()).map(String::as_str)
    }

    /// The same intruder, to whom some events appear otherwise; none: these events are no events of theirs.
    pub fn changed(&self, events: &[EventId], sight: Observability) -> Option<Observer> {
        let mut sights = self.observer.observabilities().to_vec();
        for event in events {
            *sights.get_mut(event.index())? = sight;
        }
        let agents: Vec<_> = (0..sights.len()).map(|event| self.observer.agent(EventId::from_index(event))).collect();
        Some(Observer::with_agents(sights, &agents))
    }

    /// The group whose label a word shows, with its number. The group without a label is called by one of `unnamed`.
    pub fn labelled(&self, word: &str, unnamed: &[&str]) -> Option<(GroupId, Option<u32>)> {
        let group = |name: &str| {
            let is = |label: &Option<String>| label.as_deref().map_or(unnamed.contains(&name), |label| label == name);
            self.labels.iter().position(is).map(GroupId::from_index)
        };
        read_label(word, group, |group| self.observer.n_numbers(group))
    }
}

/// The group whose label a word shows, with its number: of several readings (`a12` with the labels `a` and `a1`) one that an
/// observation can show, where there is one.
pub fn read_label(
    word: &str,
    group: impl Fn(&str) -> Option<GroupId>,
    size: impl Fn(GroupId) -> usize,
) -> Option<(GroupId, Option<u32>)> {
    let found = || label_readings(word).filter_map(|(label, number)| Some((group(label)?, number)));
    let fits = |&(group, number): &(GroupId, Option<u32>)| number.is_none_or(|number| number as usize <= size(group));
    found().find(fits).or_else(|| found().next())
}

/// How many digits the number of a label may have.
const LONGEST_NUMBER: usize = 20;

/// Every way to read a word as a label with or without a number, the longest label first: `a12` is `a12`, or `a1` and 2, or `a` and 12;
/// `a#12` is `a` and 12 too. A number that does not fit is the largest that does: no group has so many events.
pub fn label_readings(word: &str) -> impl Iterator<Item = (&str, Option<u32>)> {
    let number = |digits: &str| Some(digits.parse().unwrap_or(u32::MAX));
    let marked = word.rsplit_once('#').filter(|(label, digits)| {
        !label.is_empty() && !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    });
    let marked = marked.map(|(label, digits)| (label, number(digits)));
    let stem = word.trim_end_matches(|digit: char| digit.is_ascii_digit()).len();
    let first = stem.max(1).max(word.len().saturating_sub(LONGEST_NUMBER));
    let numbered = (first..word.len()).rev().map(move |at| {
        let (label, digits) = word.split_at(at);
        (label, number(digits))
    });
    std::iter::once((word, None)).chain(marked).chain(numbered)
}

/// A check: an assertion of the user.
#[derive(Clone, Debug)]
pub struct Check {
    /// `name:`.
    pub name: Option<String>,
    /// The text, white space folded, without the `;`. A check inside `for` has the values of its indices; those it does not mention stand at its end: `(i = 2)`.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Its documentation.
    pub docs: Vec<String>,
    /// Whether it passes when what it asks is not so.
    pub negated: bool,
    /// What it asks.
    pub question: Question,
    /// The property by the states of parts, if the system is composed, its product is built and this is known.
    pub by_parts: Option<Arc<PropertyOfParts>>,
}

/// A measure: asks for numbers, promises nothing.
#[derive(Clone, Debug)]
pub struct Measure {
    /// `name:`.
    pub name: Option<String>,
    /// The text, white space folded, without the `;`.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Through whose eyes.
    pub view_id: ViewId,
    /// What must not be exposed.
    pub property: Property,
}

/// An observer and a projection: together with the automaton they make a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ViewId {
    /// The observer.
    pub observer: ObserverId,
    /// The projection.
    pub projection: Projection,
}

/// What a check asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Whether a property holds up to a horizon.
    Property {
        /// Through whose eyes.
        view_id: ViewId,
        /// What must not be exposed.
        property: Property,
        /// How late the intruder may be.
        horizon: Horizon,
    },
    /// Whether the delayed estimate at α given αβ is this set.
    Estimate {
        /// Through whose eyes.
        view_id: ViewId,
        /// αβ.
        observation: Vec<Symbol>,
        /// |α|.
        at: usize,
        /// The set it must be.
        expected: StateSet,
    },
    /// Whether a string shows this.
    Projection {
        /// Through whose eyes.
        view_id: ViewId,
        /// The string.
        string: Vec<EventId>,
        /// What it must show.
        expected: Vec<Symbol>,
    },
    /// What it takes for every property of the system to hold.
    Repair {
        /// What it must take.
        promised: LeastCost,
    },
}

impl Question {
    /// Through whose eyes; a repair is for everyone's, and the system's own stand for them.
    pub fn view_id(&self) -> ViewId {
        match self {
            Question::Property { view_id, .. }
            | Question::Estimate { view_id, .. }
            | Question::Projection { view_id, .. } => *view_id,
            Question::Repair { .. } => ViewId { observer: OWN, projection: Projection::Natural },
        }
    }
}

/// What the cheapest choice of levers costs under which every property of a system holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeastCost {
    /// The sum of the costs of its levers; 0: every property holds as it is.
    Costs(u64),
    /// No choice is enough.
    Impossible,
}

/// How late the intruder may be: |β|.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Horizon {
    /// |β| ≤ K.
    Steps(u64),
    /// The maximal K is this.
    Exactly(u64),
    /// Any β.
    Infinite,
    /// α = ε over X0, any β: only with opacity.
    Initial,
}

/// What must never be exposed. Anonymity and opacity: the delayed estimate, when not empty, is never inside an exposed set.
/// The other properties say more about a run than its state at one instant; each is the opacity of a set of states of a
/// derived automaton, with the same distance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Exposed sets: at most `among - 1` classes together, none of which lies inside `except`.
    Anonymity {
        /// How many classes must stay possible: at least 2.
        among: u32,
        /// The classes; none: every state is a class of its own.
        classes: Option<Classes>,
        /// Classes inside this set are in no exposed set; they still count as alternatives. None: the empty set.
        except: Option<StateSet>,
    },
    /// Exposed set: the secret.
    Opacity {
        /// The secret states.
        secret: StateSet,
    },
    /// For every run and every α that it shows at most K labels before its end, some run that looks the same visits no secret
    /// state after α: neither the state that the last label of α enters (at α = ε: the initial one), nor any later one.
    Throughout {
        /// The secret states.
        secret: StateSet,
    },
    /// Exposed: that the run began in `from` and was in `to` at α. With a horizon of 0 steps: that it is there now.
    InitialFinal {
        /// Where the run began.
        from: StateSet,
        /// Where it is.
        to: StateSet,
    },
    /// Any of these, of a system whose product is not built.
    OfParts(Arc<PropertyOfParts>),
}

impl Property {
    /// Whether a family of exposed sets of states is all it says.
    pub fn has_exposed_sets(&self) -> bool {
        matches!(self, Property::Anonymity { .. } | Property::Opacity { .. })
    }
}

id! {
    /// A class of states.
    ClassId
}

/// A partition of the states into classes.
//
// INVARIANT: `of.len()` is the number of states, and every id below `names.len()` is meant by some name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Classes {
    /// The class of each state.
    pub of: Vec<ClassId>,
    /// What each class is called: `idle`, `{A, B}`, `the other states`.
    pub names: Vec<String>,
    /// What the classes are of: `u[1]`; none for a partition that was written out.
    pub subject: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_may_end_in_digits_itself() {
        assert_eq!(label_readings("a12").collect::<Vec<_>>(), [("a12", None), ("a1", Some(2)), ("a", Some(12))]);
        assert_eq!(label_readings("a[1]#2").collect::<Vec<_>>()[1], ("a[1]", Some(2)));
        assert_eq!(label_readings("ü").collect::<Vec<_>>(), [("ü", None)]);
        assert_eq!(label_readings("12").collect::<Vec<_>>(), [("12", None), ("1", Some(2))]);
        assert_eq!(label_readings("a99999999999").last(), Some(("a", Some(u32::MAX))));
    }
}
