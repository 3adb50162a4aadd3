//! The two systems of the paper, written down without the language, and random ones.

use super::dice::Dice;
use desc::automaton::view::{GroupId, Observability, Observer, Projection, Symbol, View};
use desc::automaton::{Automaton, Builder, EventId, StateId, StateSet};
use desc::model::{Horizon, OWN, Property, ViewId};
use desc::paper::adjoint::single_states;
use desc::paper::plant::{NodeId, Plant};
use desc::paper::{Budget, decide};
use desc::verdict::{Exposure, Finding};

/// A system with names.
pub struct Named {
    pub automaton: Automaton,
    pub observer: Observer,
    pub states: Vec<String>,
    pub events: Vec<String>,
}

/// The system of figure 3.1: the figure is not in the text, the tables fix it.
pub fn figure_3_1() -> Named {
    let transitions = ["0 a 2", "0 b 2", "1 b 3", "2 b 2", "3 a 3", "2 c 4", "3 c 5", "4 u 6"];
    named("0 1 2 3 4 5 6", "a b c u", &transitions, "0 1", "a b c", "a b")
}

/// The same with Γ = ∅, as in remark 3.2.
pub fn figure_3_1_without_anonymous_events() -> Named {
    let Named { automaton, states, events, observer } = figure_3_1();
    let observability = |observability: &Observability| {
        if *observability == Observability::Silent { Observability::Silent } else { Observability::Visible }
    };
    let observer = Observer::new(observer.observabilities().iter().map(observability).collect());
    Named { automaton, observer, states, events }
}

/// The case study of section 6.
pub fn questioning() -> Named {
    let transitions = ["M a A", "A c C", "C e E", "E f F", "F g G", "N b B", "B d D", "D f F", "N c C"];
    named("M N A B C D E F G", "a b c d e f g", &transitions, "M N", "a b c d f", "a b c d f")
}

pub fn named(
    states: &str,
    events: &str,
    transitions: &[&str],
    initial: &str,
    observable: &str,
    anonymous: &str,
) -> Named {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (states, events) = (words(states), words(events));
    let at = |names: &[String], name: &str| names.iter().position(|known| known == name).unwrap() as u32;
    let mut builder = Builder::new(states.len(), events.len());
    for state in words(initial) {
        builder.initial(StateId(at(&states, &state)));
    }
    for transition in transitions {
        let parts = words(transition);
        let event = EventId(at(&events, &parts[1]));
        builder.transition(StateId(at(&states, &parts[0])), event, StateId(at(&states, &parts[2])));
    }
    let observability = |event: &String| match (words(observable).contains(event), words(anonymous).contains(event)) {
        (false, _) => Observability::Silent,
        (true, false) => Observability::Visible,
        (true, true) => Observability::Anonymous(GroupId(0)),
    };
    let observer = Observer::new(events.iter().map(observability).collect());
    Named { automaton: builder.freeze(), observer, states, events }
}

impl Named {
    pub fn view(&self, projection: Projection) -> View<'_> {
        View { automaton: &self.automaton, observer: &self.observer, projection }
    }

    /// A string of events with one letter each.
    pub fn string(&self, letters: &str) -> Vec<EventId> {
        let event = |letter: char| self.events.iter().position(|known| known.chars().eq([letter])).unwrap();
        letters.chars().map(|letter| EventId::from_index(event(letter))).collect()
    }

    /// `γ γ1 c` as signs.
    pub fn signs(&self, text: &str) -> Vec<Symbol> {
        let group = GroupId(0);
        let sign = |word: &str| match word.strip_prefix('γ') {
            Some("") => Symbol::Group(group),
            Some(number) => Symbol::Nth(group, number.parse().unwrap()),
            None => Symbol::Event(self.string(word)[0]),
        };
        text.split_whitespace().map(sign).collect()
    }

    pub fn sign_text(&self, signs: &[Symbol]) -> String {
        let text = |sign: &Symbol| match *sign {
            Symbol::Event(event) => self.events[event.index()].clone(),
            Symbol::Group(_) => "γ".to_owned(),
            Symbol::Nth(_, number) => format!("γ{number}"),
        };
        signs.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    pub fn state_text(&self, set: &StateSet) -> String {
        set.iter().map(|state| self.states[state.index()].as_str()).collect::<Vec<_>>().join(" ")
    }

    /// A node as the paper writes it: `2`, `0ε`, `2a1b2`.
    pub fn node_text(&self, plant: &Plant, id: NodeId) -> String {
        let node = plant.node(id);
        let state = &self.states[node.state.index()];
        let Some(order) = node.arrived.first() else { return state.clone() };
        let indexed = order.iter().zip(1..).map(|(event, index)| format!("{}{index}", self.events[event.index()]));
        let past: String = indexed.collect();
        format!("{state}{}", if past.is_empty() { "ε" } else { &past })
    }

    /// A set of nodes, sorted by name: `2a1 2b1 3b1`.
    pub fn nodes_text(&self, plant: &Plant, set: &[NodeId]) -> String {
        let mut names: Vec<String> = set.iter().map(|&node| self.node_text(plant, node)).collect();
        names.sort_unstable();
        names.join(" ")
    }

    pub fn decide(&self, projection: Projection) -> Finding {
        self.decide_property(projection, &single_states(), Horizon::Infinite)
    }

    pub fn decide_property(&self, projection: Projection, property: &Property, horizon: Horizon) -> Finding {
        let view_id = ViewId { observer: OWN, projection };
        decide(self.view(projection), view_id, property, horizon, Budget::unlimited())
    }

    pub fn exposure(&self, projection: Projection) -> Option<u64> {
        match self.decide(projection).exposure {
            Exposure::At(least) => Some(least),
            Exposure::Never => None,
            other => panic!("without limits the answer is known, not {other:?}"),
        }
    }
}

/// A random system: 2 to 5 states, 2 to 4 events, one or two groups of anonymous events.
pub fn random(seed: u64) -> Named {
    let mut dice = Dice::new(seed);
    let n_states = 2 + dice.below(4);
    let n_events = 2 + dice.below(3);
    let mut builder = Builder::new(n_states, n_events);
    for state in 0..n_states {
        if state == 0 || dice.below(2) == 0 {
            builder.initial(StateId::from_index(state));
        }
    }
    for _ in 0..n_states + dice.below(2 * n_states) {
        let (source, target) = (dice.below(n_states), dice.below(n_states));
        let event = EventId::from_index(dice.below(n_events));
        builder.transition(StateId::from_index(source), event, StateId::from_index(target));
    }
    let n_groups = 1 + dice.below(2) as u32;
    let mut observability = |event: usize| match dice.below(5) {
        _ if event == 0 => Observability::Anonymous(GroupId(0)),
        0 => Observability::Silent,
        1 => Observability::Visible,
        _ => Observability::Anonymous(GroupId(event as u32 % n_groups)),
    };
    let observer = Observer::new((0..n_events).map(&mut observability).collect());
    let states = (0..n_states).map(|state| state.to_string()).collect();
    let events = ["a", "b", "c", "d"].map(str::to_owned)[..n_events].to_vec();
    Named { automaton: builder.freeze(), observer, states, events }
}
