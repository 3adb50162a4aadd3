//! Seeded generators of models for the benchmark, every family by its size.
//!
//! Most families are hard for the method of the paper; some are hard for everything (`incomparable`, `roles`), and
//! are here so that the table is honest.

use super::dice::Dice;
use desc::automaton::view::{GroupId, Observability, Observer, Projection, View};
use desc::automaton::{Automaton, Builder, EventId, StateId};
use desc::model::{ClassId, Classes, Property};

/// A model with a view and a property.
pub struct Instance {
    pub family: &'static str,
    pub size: usize,
    pub automaton: Automaton,
    pub observer: Observer,
    pub projection: Projection,
    pub property: Property,
}

impl Instance {
    pub fn view(&self) -> View<'_> {
        View { automaton: &self.automaton, observer: &self.observer, projection: self.projection }
    }
}

/// Collects a model.
struct Draft {
    n_states: usize,
    initial: Vec<usize>,
    edges: Vec<(usize, usize, usize)>,
}

impl Draft {
    fn new(n_states: usize) -> Draft {
        Draft { n_states, initial: Vec::new(), edges: Vec::new() }
    }

    fn edge(&mut self, source: usize, event: usize, target: usize) {
        self.edges.push((source, event, target));
    }

    fn finish(
        self,
        family: &'static str,
        size: usize,
        observabilities: Vec<Observability>,
        projection: Projection,
        property: Property,
    ) -> Instance {
        let mut builder = Builder::new(self.n_states, observabilities.len());
        for state in self.initial {
            builder.initial(StateId::from_index(state));
        }
        for (source, event, target) in self.edges {
            builder.transition(StateId::from_index(source), EventId::from_index(event), StateId::from_index(target));
        }
        Instance {
            family,
            size,
            automaton: builder.freeze(),
            observer: Observer::new(observabilities),
            projection,
            property,
        }
    }

    fn natural(self, family: &'static str, size: usize, n_events: usize) -> Instance {
        self.finish(family, size, vec![Observability::Visible; n_events], Projection::Natural, anonymity())
    }
}

fn anonymity() -> Property {
    Property::Anonymity { among: 2, classes: None, except: None }
}

fn hidden(group: usize) -> Observability {
    Observability::Anonymous(GroupId::from_index(group))
}

/// Two copies of a random automaton in the model of Tabakov and Vardi, edges crossing between the copies at random.
fn twins_draft(n_states: usize, labels: usize, dice: &mut Dice) -> Draft {
    let base = n_states / 2;
    let mut draft = Draft::new(2 * base);
    draft.initial = vec![0, base];
    for _ in 0..base * 31 / 10 {
        let (source, event, target) = (dice.below(base), dice.below(labels), dice.below(base));
        let cross = dice.below(2);
        draft.edge(source, event, target + base * cross);
        draft.edge(source + base, event, target + base * (1 - cross));
    }
    draft
}

/// Random with twins: holds.
pub fn random_twins(n_states: usize, seed: u64) -> Instance {
    twins_draft(n_states, 4, &mut Dice::with_state(seed)).natural("random with twins", n_states, 4)
}

/// The same with some edges cut.
pub fn random_twins_cut(n_states: usize, cuts: usize, seed: u64) -> Instance {
    let dice = &mut Dice::with_state(seed);
    let mut draft = twins_draft(n_states, 2, dice);
    for _ in 0..cuts {
        let at = dice.below(draft.edges.len());
        draft.edges.swap_remove(at);
    }
    draft.natural("twins, edges cut", n_states, 2)
}

/// Random with this many edges per state and label, starts as many as given.
fn random_draft(n_states: usize, n_events: usize, tenths: usize, starts: usize, seed: u64) -> Draft {
    let dice = &mut Dice::with_state(seed);
    let mut draft = Draft::new(n_states);
    for _ in 0..n_states * n_events * tenths / 10 {
        draft.edge(dice.below(n_states), dice.below(n_events), dice.below(n_states));
    }
    draft.initial = (0..starts).map(|start| start * n_states / starts).collect();
    draft
}

/// Random and dense.
pub fn random_dense(n_states: usize, seed: u64) -> Instance {
    random_draft(n_states, 2, 18, 2, seed).natural("random, dense", n_states, 2)
}

/// Random, every state initial.
pub fn all_initial(n_states: usize, seed: u64) -> Instance {
    random_draft(n_states, 2, 18, n_states, seed).natural("every state initial", n_states, 2)
}

/// The n-th letter from the end is `a`: two copies.
pub fn nth_letter(n: usize) -> Instance {
    let base = n + 1;
    let mut draft = Draft::new(2 * base);
    draft.initial = vec![0, base];
    for copy in [0, base] {
        draft.edge(copy, 0, copy);
        draft.edge(copy, 1, copy);
        draft.edge(copy, 0, copy + 1);
        for at in 1..n {
            draft.edge(copy + at, 0, copy + at + 1);
            draft.edge(copy + at, 1, copy + at + 1);
        }
    }
    draft.natural("n-th letter from the end", n, 2)
}

/// A robot on an n × n grid; entering a cell with a sensor shows `ping`, any other step shows `step`. The sensors lie alike
/// when the grid is turned by 180°.
pub fn grid(n: usize, seed: u64) -> Instance {
    let dice = &mut Dice::with_state(seed);
    let mut sensor = vec![false; n * n];
    for _ in 0..(n * n / 32).max(1) {
        let at = dice.below(n * n);
        sensor[at] = true;
        sensor[n * n - 1 - at] = true;
    }
    let mut draft = Draft::new(n * n);
    draft.initial = (0..n * n).collect();
    for row in 0..n {
        for column in 0..n {
            let here = row * n + column;
            let mut go = |target: usize| draft.edges.push((here, usize::from(sensor[target]), target));
            if row > 0 {
                go(here - n);
            }
            if row + 1 < n {
                go(here + n);
            }
            if column > 0 {
                go(here - 1);
            }
            if column + 1 < n {
                go(here + 1);
            }
        }
    }
    draft.natural("location grid", n, 2)
}

/// Users that ask and are served, interleaved, and a switch that an observer cannot read: 2 · 3^n states.
pub fn users(n: usize) -> Instance {
    let total = 3usize.pow(n as u32);
    let mut draft = Draft::new(2 * total);
    draft.initial = vec![0, total];
    let tick = 3 * n;
    for state in 0..total {
        for switch in [0, total] {
            draft.edge(state + switch, tick, state + total - switch);
            for user in 0..n {
                let weight = 3usize.pow(user as u32);
                let at = state / weight % 3;
                let target = state - at * weight + (at + 1) % 3 * weight;
                draft.edge(state + switch, 3 * user + at, target + switch);
            }
        }
    }
    let mut observabilities = Vec::new();
    for _ in 0..n {
        observabilities.extend([hidden(0), hidden(1), Observability::Silent]);
    }
    observabilities.push(Observability::Visible);
    draft.finish("interleaved users", n, observabilities, Projection::Strong, anonymity())
}

/// Users in a ring: a token goes round, and whoever has it may do what it has come to want. Every place may have the token first.
pub fn ring(n: usize) -> Instance {
    let wants = 1usize << n;
    let mut draft = Draft::new(n * wants);
    draft.initial = (0..n).map(|place| place * wants).collect();
    let tick = 2 * n;
    for place in 0..n {
        for wanted in 0..wants {
            let here = place * wants + wanted;
            draft.edge(here, tick, (place + 1) % n * wants + wanted);
            for user in (0..n).filter(|user| wanted >> user & 1 == 0) {
                draft.edge(here, n + user, here | 1 << user);
            }
            if wanted >> place & 1 == 1 {
                draft.edge(here, place, here ^ 1 << place);
            }
        }
    }
    let mut observabilities = vec![hidden(0); n];
    observabilities.extend(vec![Observability::Silent; n]);
    observabilities.push(Observability::Visible);
    draft.finish("users in a ring", n, observabilities, Projection::Strong, anonymity())
}

/// A batch mix: n messages come in, in any order; when all are there they go out, in any order. Secret: the first user's has left, others have not.
pub fn mix(n: usize) -> Instance {
    let sets = 1usize << n;
    let mut draft = Draft::new(2 * sets);
    draft.initial = vec![0];
    for inside in 0..sets {
        for user in 0..n {
            if inside >> user & 1 == 0 {
                let full = usize::from((inside | 1 << user) == sets - 1);
                draft.edge(inside, user, full * sets + (inside | 1 << user));
            } else {
                draft.edge(sets + inside, n + user, if inside == 1 << user { 0 } else { sets + (inside ^ 1 << user) });
            }
        }
    }
    let secret = (1..sets).filter(|inside| inside & 1 == 0).map(|inside| StateId::from_index(sets + inside)).collect();
    let observabilities = (0..2 * n).map(|event| hidden(event / n)).collect();
    draft.finish("batch mix", n, observabilities, Projection::Strong, Property::Opacity { secret })
}

/// Crowds: a request goes from member to member, nobody sees how often; some member's neighbour sees who hands it over, or it is delivered. Asked about who began.
pub fn crowds(n: usize) -> Instance {
    let stride = n + 1;
    let mut draft = Draft::new(n * stride);
    let (forward, deliver, again) = (n, n + 1, n + 2);
    for first in 0..n {
        draft.initial.push(first * stride + first);
        let over = first * stride + n;
        draft.edge(over, again, first * stride + first);
        for holder in 0..n {
            let here = first * stride + holder;
            draft.edge(here, holder, over);
            draft.edge(here, deliver, over);
            for next in (0..n).filter(|&next| next != holder) {
                draft.edge(here, forward, first * stride + next);
            }
        }
    }
    let mut observabilities = vec![Observability::Visible; n + 3];
    observabilities[forward] = Observability::Silent;
    let of = (0..n * stride).map(|state| ClassId::from_index(state / stride)).collect();
    let names = (0..n).map(|first| format!("member {first}")).collect();
    let property = Property::Anonymity { among: 2, classes: Some(Classes { of, names, subject: None }), except: None };
    draft.finish("Crowds", n, observabilities, Projection::Natural, property)
}

/// Permutations of n points: no two estimates are comparable; two copies.
pub fn permutations(points: usize) -> Instance {
    let mut draft = Draft::new(2 * points);
    for copy in [0, points] {
        permute(&mut draft, points, copy);
        draft.initial.extend((0..points / 2).map(|point| copy + point));
    }
    draft.natural("permutations", 2 * points, 2)
}

fn permute(draft: &mut Draft, points: usize, shift: usize) {
    for point in 0..points {
        draft.edge(shift + point, 0, shift + (point + 1) % points);
        let swapped = if point < 2 { 1 - point } else { point };
        draft.edge(shift + point, 1, shift + swapped);
    }
}

/// Permutations asked about two halves that they mix: no two estimates comparable, and no twins.
pub fn incomparable(points: usize) -> Instance {
    let mut draft = Draft::new(points);
    permute(&mut draft, points, 0);
    draft.initial = (0..points / 2 + 1).collect();
    let of = (0..points).map(|point| ClassId::from_index(point % 2)).collect();
    let classes = Classes { of, names: vec!["even".to_owned(), "odd".to_owned()], subject: None };
    let property = Property::Anonymity { among: 2, classes: Some(classes), except: None };
    draft.finish("incomparable, no twins", points, vec![Observability::Visible; 2], Projection::Natural, property)
}

/// Ballots: voters vote once each in any order, the poll closes, votes are taken back; with or without a double of everything.
pub fn ballots(voters: usize, doubles: bool) -> Instance {
    let copies = if doubles { 2 } else { 1 };
    let sets = 1usize << voters;
    let place = |copy: usize, closed: usize, voted: usize| (copy * 2 + closed) * sets + voted;
    let mut draft = Draft::new(2 * sets * copies);
    for copy in 0..copies {
        draft.initial.push(place(copy, 0, 0));
        if !doubles {
            draft.initial.extend((0..voters).map(|voter| place(0, 0, 1 << voter)));
        }
        for voted in 0..sets {
            draft.edge(place(copy, 0, voted), voters, place(copy, 1, voted));
            for voter in 0..voters {
                let phase = voted >> voter & 1;
                draft.edge(place(copy, phase, voted), voter, place(copy, phase, voted ^ (1 << voter)));
            }
        }
    }
    let mut observabilities = vec![hidden(0); voters];
    observabilities.push(Observability::Visible);
    let family = if doubles { "weak: ballots" } else { "weak: ballots, no doubles" };
    draft.finish(family, voters, observabilities, Projection::Weak, anonymity())
}

/// Agents that come to a hub and leave it, again and again; two copies.
pub fn agents(n: usize) -> Instance {
    let base = n + 1;
    let mut draft = Draft::new(2 * base);
    draft.initial = vec![0, base];
    for copy in [0, base] {
        for agent in 0..n {
            draft.edge(copy, agent, copy + 1 + agent);
            draft.edge(copy + 1 + agent, agent, copy);
        }
    }
    draft.finish("weak: agents", n, vec![hidden(0); n], Projection::Weak, anonymity())
}

/// A token that is handed on: the station that has it acts twice, then hands it to any other one.
pub fn relay(stations: usize) -> Instance {
    let mut draft = Draft::new(4 * stations);
    let tick = stations;
    for station in 0..stations {
        let at = 4 * station;
        draft.initial.push(at);
        draft.edge(at, station, at + 1);
        draft.edge(at + 1, tick, at + 2);
        draft.edge(at + 2, station, at + 3);
        for next in (0..stations).filter(|&next| next != station) {
            draft.edge(at + 3, tick, 4 * next);
        }
    }
    let mut observabilities = vec![hidden(0); stations];
    observabilities.push(Observability::Visible);
    draft.finish("weak: relay", stations, observabilities, Projection::Weak, anonymity())
}

/// Random weak models whose agents play different roles: nothing is symmetric.
pub fn roles(agents: usize, n_states: usize, seed: u64) -> Instance {
    let dice = &mut Dice::with_state(seed);
    let mut draft = Draft::new(n_states);
    draft.initial = (0..n_states).collect();
    for agent in 0..agents {
        for _ in 0..n_states * 2 / 3 {
            draft.edge(dice.below(n_states), agent, dice.below(n_states));
        }
    }
    for _ in 0..n_states {
        draft.edge(dice.below(n_states), agents, dice.below(n_states));
    }
    let mut observabilities = vec![hidden(0); agents];
    observabilities.push(Observability::Visible);
    draft.finish("weak: roles", agents, observabilities, Projection::Weak, anonymity())
}

/// Sparse and large: a random graph with three edges per state over many labels; copies by construction, or not.
pub fn sparse(n_states: usize, copies: usize, seed: u64) -> Instance {
    let dice = &mut Dice::with_state(seed);
    let base = n_states / copies;
    let labels = 50;
    let mut draft = Draft::new(base * copies);
    draft.initial = (0..copies).map(|copy| copy * base).collect();
    if copies == 1 {
        draft.initial.push(1);
    }
    for source in 0..base {
        for _ in 0..3 {
            let (event, target) = (dice.below(labels), dice.below(base));
            for copy in 0..copies {
                draft.edge(copy * base + source, event, copy * base + target);
            }
        }
    }
    let family = if copies == 1 { "sparse, early violation" } else { "sparse, twins" };
    draft.natural(family, n_states, labels)
}

/// A random automaton of Tabakov and Vardi without silent moves, in the range where neither a proof nor an exposure is near.
pub fn random_automaton(seed: u64) -> Instance {
    let dice = &mut Dice::new(seed ^ 0x7AB4_C0F0);
    let n_states = [150, 200, 250, 300][dice.below(4)];
    let (labels, hundredths) = (2 + dice.below(2), [125, 140, 150, 160][dice.below(4)]);
    let mut draft = Draft::new(n_states);
    for label in 0..labels {
        for _ in 0..n_states * hundredths / 100 {
            draft.edge(dice.below(n_states), label, dice.below(n_states));
        }
    }
    let every = [1, 10][dice.below(2)];
    draft.initial = (0..n_states).step_by(every).collect();
    let property = match dice.below(2) {
        0 => anonymity(),
        _ => Property::Opacity { secret: (0..n_states).filter(|_| dice.chance(50)).map(StateId::from_index).collect() },
    };
    let seen = vec![Observability::Visible; labels];
    draft.finish("random automata", n_states, seen, Projection::Natural, property)
}

/// A random weak model without symmetry: 6 to 12 states, 3 to 6 agents, one or two edges for each state and agent.
pub fn random_weak(seed: u64) -> Instance {
    let dice = &mut Dice::new(seed ^ 0x3EA4);
    let (n_states, agents, density) = (6 + dice.below(7), 3 + dice.below(4), 1 + dice.below(2));
    let mut draft = Draft::new(n_states);
    for agent in 0..agents {
        for _ in 0..n_states * density {
            draft.edge(dice.below(n_states), agent, dice.below(n_states));
        }
    }
    draft.initial = (0..n_states).step_by(2).collect();
    let property = match dice.below(2) {
        0 => anonymity(),
        _ => Property::Opacity { secret: (0..n_states).filter(|_| dice.chance(50)).map(StateId::from_index).collect() },
    };
    draft.finish("random weak models", agents, vec![hidden(0); agents], Projection::Weak, property)
}

/// A random weak model that is asked for several candidates: 20 states, two agents, `among 4` or `among 5`.
pub fn random_among(seed: u64) -> Instance {
    let dice = &mut Dice::new(seed ^ 0xA707);
    let (n_states, edges) = (18 + dice.below(8), 5);
    let mut draft = Draft::new(n_states);
    for _ in 0..n_states * edges {
        draft.edge(dice.below(n_states), dice.below(2), dice.below(n_states));
    }
    draft.initial = (0..n_states).step_by(2).collect();
    let property = Property::Anonymity { among: 4 + dice.below(2) as u32, classes: None, except: None };
    draft.finish("weak, among N", n_states, vec![hidden(0); 2], Projection::Weak, property)
}
