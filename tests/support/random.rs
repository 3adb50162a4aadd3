//! Random models, shaped so that every distance and every kind of question occurs.

use super::dice::Dice;
use desc::automaton::view::{GroupId, Observability, Observer, Projection, View};
use desc::automaton::{Automaton, Builder, EventId, StateId, StateSet};
use desc::model::{ClassId, Classes, Property};

/// How many random cases each law is tried on: `DESC_LAWS=20000` for a long run.
pub fn cases() -> u64 {
    std::env::var("DESC_LAWS").ok().and_then(|word| word.parse().ok()).unwrap_or(2_400)
}

/// One question: a model, a view of it, a property.
#[derive(Clone, Debug)]
pub struct Case {
    pub automaton: Automaton,
    pub observer: Observer,
    pub projection: Projection,
    pub property: Property,
    pub initial: bool,
    /// What kind of question it is, for the histogram.
    pub kind: &'static str,
}

impl Case {
    pub fn view(&self) -> View<'_> {
        View { automaton: &self.automaton, observer: &self.observer, projection: self.projection }
    }

    /// The opacity that the question is: of the states, or of two copies of them, x and x + |X|.
    pub fn derived(&self) -> Case {
        let n = self.automaton.n_states();
        let all = || (0..2 * n).map(StateId::from_index);
        let state = |at: StateId| StateId::from_index(at.index() % n);
        let second = |at: StateId| at.index() >= n;
        let silent = |event: EventId| self.observer.observability(event) == Observability::Silent;
        match &self.property {
            Property::Anonymity { .. } | Property::Opacity { .. } | Property::OfParts(_) => self.clone(),
            Property::Throughout { secret } => {
                let exists = |at: StateId| !second(at) || !secret.contains(state(at));
                self.doubled(all().filter(|at| !second(*at)).collect(), exists, |source, event, target| {
                    exists(source)
                        && exists(target)
                        && (second(source) == second(target) || (second(target) && !silent(event)))
                })
            }
            Property::InitialFinal { from, to } => self.doubled(
                all().filter(|at| second(*at) && to.contains(state(*at))).collect(),
                |at| second(at) == from.contains(state(at)),
                |source, _, target| second(source) == second(target),
            ),
        }
    }

    /// Two copies of each state, with some of the starts and transitions between them.
    fn doubled(
        &self,
        secret: StateSet,
        starts: impl Fn(StateId) -> bool,
        moves: impl Fn(StateId, EventId, StateId) -> bool,
    ) -> Case {
        let n = self.automaton.n_states();
        let copies = |state: StateId| [state, StateId::from_index(state.index() + n)];
        let mut builder = Builder::new(2 * n, self.automaton.n_events());
        let initial = self.automaton.initial().iter().flat_map(|&state| copies(state));
        initial.filter(|&at| starts(at)).for_each(|at| builder.initial(at));
        for (_, source, step) in self.automaton.transitions() {
            for (from, to) in copies(source).into_iter().flat_map(|from| copies(step.target).map(|to| (from, to))) {
                if moves(from, step.event, to) {
                    builder.transition(from, step.event, to);
                }
            }
        }
        Case { automaton: builder.freeze(), property: Property::Opacity { secret }, ..self.clone() }
    }
}

/// The transitions and initial states of a model, before it is frozen.
pub struct Shape {
    pub n_states: usize,
    pub n_events: usize,
    pub initial: Vec<usize>,
    pub edges: Vec<(usize, usize, usize)>,
    /// Which copy of the same thing each state belongs to.
    pub copy: Vec<usize>,
}

impl Shape {
    pub fn freeze(&self) -> Automaton {
        let mut builder = Builder::new(self.n_states, self.n_events);
        for &state in &self.initial {
            builder.initial(StateId::from_index(state));
        }
        for &(source, event, target) in &self.edges {
            builder.transition(StateId::from_index(source), EventId::from_index(event), StateId::from_index(target));
        }
        builder.freeze()
    }
}

/// A model of one of five shapes.
pub fn shape(dice: &mut Dice) -> Shape {
    match dice.below(7) {
        0 => plain(dice),
        1 => copies(dice, 0),
        2 => {
            let cuts = 1 + dice.below(2);
            copies(dice, cuts)
        }
        3 => forked_chain(dice),
        _ => late_parting(dice),
    }
}

/// Any transitions.
fn plain(dice: &mut Dice) -> Shape {
    let (n_states, n_events) = (2 + dice.below(5), 1 + dice.below(5));
    let edges =
        (0..dice.below(3 * n_states)).map(|_| (dice.below(n_states), dice.below(n_events), dice.below(n_states)));
    let edges = edges.collect();
    let initial = (0..1 + dice.below(3)).map(|_| dice.below(n_states)).collect();
    Shape { n_states, n_events, initial, edges, copy: (0..n_states).map(|state| state % 3).collect() }
}

/// Two or three copies of one random model, with some edges cut.
fn copies(dice: &mut Dice, cuts: usize) -> Shape {
    let (base, copies) = (2 + dice.below(3), 2 + dice.below(2));
    let n_events = 2 + dice.below(3);
    let copies = if base > 3 { 2 } else { copies };
    let mut edges = Vec::new();
    for _ in 0..base + dice.below(base + 2) {
        let (source, event, target) = (dice.below(base), dice.below(n_events), dice.below(base));
        edges.extend((0..copies).map(|copy| (copy * base + source, event, copy * base + target)));
    }
    for _ in 0..cuts.min(edges.len()) {
        edges.remove(dice.below(edges.len()));
    }
    let start = dice.below(base);
    let initial = (0..copies).map(|copy| copy * base + start).collect();
    let copy = (0..base * copies).map(|state| state / base).collect();
    Shape { n_states: base * copies, n_events, initial, edges, copy }
}

/// Two chains that part late: long distances.
fn forked_chain(dice: &mut Dice) -> Shape {
    let length = 2 + dice.below(6);
    let n_events = 2 + dice.below(3);
    let mut edges = Vec::new();
    for at in 0..length {
        let (one, two) = (dice.below(n_events), dice.below(n_events));
        edges.push((2 * at, one, 2 * at + 2));
        edges.push((2 * at + 1, if dice.chance(85) { one } else { two }, 2 * at + 3));
    }
    if dice.chance(50) {
        edges.push((2 * length, dice.below(n_events), 2 * length));
    }
    if dice.chance(40) {
        edges.push((2 * length + 1, dice.below(n_events), 2 * dice.below(length) + 1));
    }
    if dice.chance(30) {
        edges.push((2 * dice.below(length), dice.below(n_events), 2 * dice.below(length)));
    }
    let copy = (0..2 * length + 2).map(|state| state % 2).collect();
    Shape { n_states: 2 * length + 2, n_events, initial: vec![0, 1], edges, copy }
}

/// Two or three starts whose futures look alike for a while, each future in two or three versions, so that only the start is
/// exposed, and late.
fn late_parting(dice: &mut Dice) -> Shape {
    let starts = 2 + usize::from(dice.chance(25));
    let width = if starts == 3 { 2 } else { 2 + dice.below(2) };
    let length = 1 + dice.below(6 - width / 3);
    let n_events = 2 + dice.below(3);
    let place = |start: usize, level: usize, version: usize| starts + (start * length + level) * width + version;
    let n_states = starts + starts * length * width;
    let labels: Vec<usize> = (0..=length).map(|_| dice.below(n_events)).collect();
    let mut edges = Vec::new();
    for start in 0..starts {
        edges.extend((0..width).map(|version| (start, labels[0], place(start, 0, version))));
        for (level, &label) in labels.iter().enumerate().take(length).skip(1) {
            let versions =
                (0..width).map(|version| (place(start, level - 1, version), label, place(start, level, version)));
            edges.extend(versions);
        }
        // Where they part: some starts can go on, others not, or in other ways.
        for _ in 0..dice.below(3) {
            let (event, other) = (dice.below(n_events), dice.below(starts));
            let on =
                (0..width).map(|version| (place(start, length - 1, version), event, place(other, length - 1, version)));
            edges.extend(on);
        }
    }
    for _ in 0..dice.below(2) {
        edges.push((dice.below(n_states), dice.below(n_events), dice.below(n_states)));
    }
    let copy =
        (0..n_states).map(|state| if state < starts { state } else { (state - starts) / (length * width) }).collect();
    Shape { n_states, n_events, initial: (0..starts).collect(), edges, copy }
}

/// A random question about a random model.
pub fn case(seed: u64) -> Case {
    let mut dice = Dice::new(seed);
    let shape = shape(&mut dice);
    let automaton = shape.freeze();
    let observer = observer(&mut dice, shape.n_events);
    let projection = [Projection::Natural, Projection::Strong, Projection::Weak][dice.below(3)];
    let (property, kind) = property(&mut dice, &shape);
    let initial = matches!(property, Property::Opacity { .. }) && dice.chance(25);
    let (property, further) = said_further(property, initial, &shape, &mut Dice::new(seed ^ 0xF0_07E5));
    let kind = further.unwrap_or(if initial { "initial-state" } else { kind });
    Case { automaton, observer, projection, property, initial, kind }
}

fn observer(dice: &mut Dice, n_events: usize) -> Observer {
    let (silent, hidden, groups) = (dice.below(40), dice.below(100), 1 + dice.below(2));
    let observabilities = (0..n_events).map(|_| {
        if dice.chance(silent) {
            Observability::Silent
        } else if dice.chance(hidden) {
            Observability::Anonymous(GroupId::from_index(dice.below(groups)))
        } else {
            Observability::Visible
        }
    });
    Observer::new(observabilities.collect())
}

pub fn property(dice: &mut Dice, shape: &Shape) -> (Property, &'static str) {
    let n_states = shape.n_states;
    match dice.below(6) {
        0 | 1 => (Property::Anonymity { among: 2, classes: None, except: None }, "anonymity"),
        2 => (Property::Anonymity { among: 3, classes: None, except: None }, "among"),
        3 => {
            let among = 2 + dice.below(4) as u32 / 3;
            (Property::Anonymity { among, classes: Some(classes(dice, shape)), except: None }, "about")
        }
        _ => {
            let percent = dice.below(70);
            let mut secret: Vec<usize> = (0..n_states).filter(|_| dice.chance(percent)).collect();
            if dice.chance(50) {
                secret = vec![0];
            }
            (Property::Opacity { secret: secret.into_iter().map(StateId::from_index).collect() }, "opacity")
        }
    }
}

fn classes(dice: &mut Dice, shape: &Shape) -> Classes {
    let n = 3 + dice.below(2);
    let by_copy = dice.chance(60);
    let class = |state: usize, dice: &mut Dice| if by_copy { shape.copy[state] } else { dice.below(n) };
    let of = (0..shape.n_states).map(|state| ClassId::from_index(class(state, dice))).collect();
    Classes { of, names: (0..n).map(|class| format!("class {class}")).collect(), subject: None }
}

/// The same question with several copies of each state that can do the same, some of them only after silent moves among copies.
pub fn multiplied(case: &Case, dice: &mut Dice) -> Case {
    let copies: Vec<usize> = case.automaton.states().map(|_| 1 + dice.below(4)).collect();
    let first: Vec<usize> = (0..copies.len()).map(|state| copies[..state].iter().sum()).collect();
    let copy = |state: StateId, at: usize| StateId::from_index(first[state.index()] + at);
    let silent = case.automaton.events().find(|&event| case.observer.observability(event) == Observability::Silent);
    let mut builder = Builder::new(copies.iter().sum(), case.automaton.n_events());
    let rings: Vec<bool> = copies.iter().map(|_| silent.is_some() && dice.chance(40)).collect();
    for state in case.automaton.states() {
        let n = copies[state.index()];
        if let (Some(event), true) = (silent, rings[state.index()]) {
            (0..n).for_each(|at| builder.transition(copy(state, at), event, copy(state, (at + 1) % n)));
        }
    }
    for (_, source, step) in case.automaton.transitions() {
        let (n, targets) = (copies[source.index()], copies[step.target.index()]);
        let able = if rings[source.index()] { dice.below(n)..n } else { 0..n };
        for at in able {
            for _ in 0..1 + dice.below(2) {
                builder.transition(copy(source, at), step.event, copy(step.target, dice.below(targets)));
            }
        }
    }
    for &state in case.automaton.initial() {
        builder.initial(copy(state, dice.below(copies[state.index()])));
    }
    let each = |state: StateId| std::iter::repeat_n(Some(state), copies[state.index()]);
    let sources: Vec<Option<StateId>> = case.automaton.states().flat_map(each).collect();
    let property = with_states(&case.property, &sources);
    Case { automaton: builder.freeze(), property, ..case.clone() }
}

/// The same question about other states: each of them stands for one of the old ones, or for none of them; those are in every
/// set, and in the class of the first.
pub fn with_states(property: &Property, sources: &[Option<StateId>]) -> Property {
    let set = |old: &StateSet| -> StateSet {
        let holds = |at: &usize| sources[*at].is_none_or(|source| old.contains(source));
        (0..sources.len()).filter(holds).map(StateId::from_index).collect()
    };
    match property {
        Property::OfParts(_) => property.clone(),
        Property::Opacity { secret } => Property::Opacity { secret: set(secret) },
        Property::Throughout { secret } => Property::Throughout { secret: set(secret) },
        Property::InitialFinal { from, to } => Property::InitialFinal { from: set(from), to: set(to) },
        Property::Anonymity { among, classes, except } => {
            let classes = classes.clone().map(|classes| {
                let class = |source: &Option<StateId>| classes.of[source.map_or(0, StateId::index)];
                Classes { of: sources.iter().map(class).collect(), ..classes }
            });
            Property::Anonymity { among: *among, classes, except: except.as_ref().map(set) }
        }
    }
}

/// Some of the questions in a form that says more: anonymity with `except`, opacity throughout, of beginnings with ends.
pub fn said_further(
    property: Property,
    initial: bool,
    shape: &Shape,
    dice: &mut Dice,
) -> (Property, Option<&'static str>) {
    let percent = 20 + dice.below(60);
    let some: StateSet = (0..shape.n_states).filter(|_| dice.chance(percent)).map(StateId::from_index).collect();
    match property {
        Property::Anonymity { among, classes, .. } if dice.chance(35) => {
            (Property::Anonymity { among, classes, except: Some(some) }, Some("except"))
        }
        Property::Opacity { secret } if !initial && dice.chance(35) => {
            (Property::Throughout { secret }, Some("throughout"))
        }
        Property::Opacity { .. } if !initial && dice.chance(50) => {
            let first = shape.initial.first().copied().into_iter().map(StateId::from_index).collect();
            let to = if dice.chance(30) { (0..shape.n_states).map(StateId::from_index).collect() } else { some };
            (Property::InitialFinal { from: first, to }, Some("initial-final"))
        }
        property => (property, None),
    }
}
