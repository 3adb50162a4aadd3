//! The figures of the paper, as graphs: G, G_m, Ĝ, Ĝ_w, the observers, the compositions.
//!
//! Names are the paper's: a state (x, {a₁, b₂}) of Ĝ is `xa₁b₂` where names are short, a state of a composition is
//! `(x, {..})`, its events are `(a, γ)` and `(u, ε)`. The empty set is a state of every observer, since they are total; as in
//! the paper's figures it is omitted, with the edges to it, unless it is initial.

use super::table::Table;
use super::{Graph, Kind, Label, Node};
use crate::automaton::view::{GroupId, Observability, Projection, Symbol, View};
use crate::automaton::{EventId, StateId};
use crate::model::parts::Parts;
use crate::model::{System, ViewId};
use crate::paper::adjoint::Row;
use crate::paper::composition::{Composition, PairId};
use crate::paper::decide::Structures;
use crate::paper::observer::{SetId, Subsets};
use crate::paper::plant::{Move, NodeId, Plant};
use crate::resources::{Monitor, Resources, Stop};
use crate::verdict::Run;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

/// A system, a view of it, and the spelling of its names.
#[derive(Clone, Copy, Debug)]
pub struct DrawContext<'a> {
    pub system: &'a System,
    pub view_id: ViewId,
    /// ASCII only: `?1` for `γ₁`.
    pub ascii: bool,
}

impl<'a> DrawContext<'a> {
    pub fn view(&self) -> View<'a> {
        let observer = &self.system.observer(self.view_id.observer).observer;
        View { automaton: &self.system.automaton, observer, projection: self.view_id.projection }
    }

    pub fn state(&self, state: StateId) -> String {
        self.system.names.state(state).into_owned()
    }

    pub fn event(&self, event: EventId) -> String {
        self.system.names.event(event).into_owned()
    }

    /// A symbol: `c`, `γ`, `γ₂`, `voted₂`; in ASCII `?`, `?2`, `voted2`.
    pub fn sign(&self, sign: Symbol) -> String {
        match sign {
            _ if self.ascii => self.system.sign_name(self.view_id.observer, sign),
            Symbol::Nth(group, number) => {
                self.system.sign_name_greek(self.view_id.observer, Symbol::Group(group)) + &self.index(number)
            }
            _ => self.system.sign_name_greek(self.view_id.observer, sign),
        }
    }

    /// An observation; the empty one is ε.
    pub fn signs(&self, signs: &[Symbol]) -> String {
        match signs {
            [] => self.nothing().to_owned(),
            _ => signs.iter().map(|&sign| self.sign(sign)).collect::<Vec<_>>().join(" "),
        }
    }

    pub fn states(&self, states: impl IntoIterator<Item = StateId>) -> String {
        self.braces(states.into_iter().map(|state| self.state(state)).collect())
    }

    /// A node of a plant: `2`, `0ε`, `2a₁b₂`, `(idle, send[1]₁ send[2]₂)`.
    pub fn node(&self, plant: &Plant, id: NodeId) -> String {
        let node = plant.node(id);
        let state = self.state(node.state);
        if node.arrived.is_empty() {
            return state;
        }
        let past: Vec<String> = node.arrived.iter().flat_map(|order| self.indexed(order)).collect();
        let short = self.is_short();
        match (past.is_empty(), short) {
            (true, true) => format!("{state}{}", self.nothing()),
            (true, false) => format!("({state}, {})", self.nothing()),
            (false, true) => format!("{state}{}", past.concat()),
            (false, false) => format!("({state}, {})", past.join(" ")),
        }
    }

    /// A set of nodes: `{2a₁, 2b₁, 3b₁}`.
    pub fn nodes(&self, plant: &Plant, nodes: &[NodeId]) -> String {
        self.braces(nodes.iter().map(|&node| self.node(plant, node)).collect())
    }

    fn indexed(&self, order: &[EventId]) -> Vec<String> {
        let observer = self.system.observer(self.view_id.observer);
        let agent = |event| observer.agent_name(event).map_or_else(|| self.event(event), str::to_owned);
        order.iter().zip(1..).map(|(&event, number)| agent(event) + &self.index(number)).collect()
    }

    fn braces(&self, names: Vec<String>) -> String {
        match names.as_slice() {
            [] if !self.ascii => "∅".to_owned(),
            _ => format!("{{{}}}", names.join(", ")),
        }
    }

    fn nothing(&self) -> &'static str {
        if self.ascii { "<eps>" } else { "ε" }
    }

    fn index(&self, number: u32) -> String {
        let digits = number.to_string();
        if self.ascii {
            return digits;
        }
        digits.bytes().map(|digit| char::from_u32('₀' as u32 + u32::from(digit - b'0')).unwrap_or('?')).collect()
    }

    /// Whether names can be written without brackets: states of at most two letters, events of one.
    fn is_short(&self) -> bool {
        let automaton = &self.system.automaton;
        let observer = &self.system.observer(self.view_id.observer).observer;
        let letters = |name: String| name.chars().count();
        !observer.has_named_agents()
            && observer.anonymous(None).all(|event| letters(self.event(event)) == 1)
            && automaton.states().take(100).all(|state| letters(self.state(state)) <= 2)
    }

    fn kind(&self, event: EventId) -> Kind {
        match self.system.observer(self.view_id.observer).observer.observability(event) {
            Observability::Silent => Kind::Silent,
            Observability::Anonymous(_) if self.view_id.projection != Projection::Natural => Kind::Anonymous,
            _ => Kind::Visible,
        }
    }

    /// The groups of anonymous events and their labels.
    fn anonymous(&self) -> Vec<(String, String)> {
        let observer = &self.system.observer(self.view_id.observer).observer;
        if self.view_id.projection == Projection::Natural {
            return Vec::new();
        }
        let group = |group: GroupId| {
            let events: Vec<String> = observer.anonymous(Some(group)).map(|event| self.event(event)).collect();
            let sign = match self.view_id.projection {
                Projection::Weak if observer.n_numbers(group) > 1 => {
                    let last = Symbol::Nth(group, observer.n_numbers(group) as u32);
                    format!("{} to {}", self.sign(Symbol::Nth(group, 1)), self.sign(last))
                }
                Projection::Weak => self.sign(Symbol::Nth(group, 1)),
                _ => self.sign(Symbol::Group(group)),
            };
            let shown = if events.len() > 8 { format!("{}, ...", events[..8].join(", ")) } else { events.join(", ") };
            (shown, sign)
        };
        (0..observer.n_groups()).map(|at| group(GroupId::from_index(at))).collect()
    }

    fn graph(&self, what: &str) -> Graph {
        let name = &self.system.name;
        let against = self.system.observer(self.view_id.observer).name.as_deref();
        let against = against.map_or(String::new(), |observer| format!(" against {observer}"));
        let title = format!("{what} of {name}, {}{against}", self.view_id.projection);
        Graph { title, anonymous: self.anonymous(), ..Graph::default() }
    }
}

/// G with every declared state, or its variant G_m.
pub fn system(eye: &DrawContext<'_>, variant: bool) -> Graph {
    system_within(eye, variant, &mut Resources::default().monitor()).expect("nothing is limited")
}

/// The same within limits.
///
/// # Errors
/// When one is reached.
pub fn system_within(eye: &DrawContext<'_>, variant: bool, monitor: &mut Monitor<'_>) -> Result<Graph, Stop> {
    let system = eye.system;
    let mut graph = eye.graph(if variant { "G_m" } else { "G" });
    for state in system.automaton.states() {
        let label = eye.state(state);
        monitor.hold(NODE + 2 * label.len() as u64)?;
        monitor.spend(1 + label.len() as u64 / 32)?;
        let docs = system.names.state_docs(state);
        graph.node(Node {
            title: docs.map_or_else(|| label.clone(), |docs| format!("{label}: {docs}")),
            label,
            states: vec![state.0],
            initial: variant || system.automaton.is_initial(state),
            secret: system.secret.as_ref().is_some_and(|secret| secret.contains(state)),
            ..Node::default()
        });
    }
    for (_, source, step) in system.automaton.transitions() {
        let label = Label { text: eye.event(step.event), kind: eye.kind(step.event) };
        monitor.hold(EDGE + 2 * label.text.len() as u64)?;
        monitor.spend(2)?;
        graph.connect(source.index(), step.target.index(), label);
    }
    Ok(graph)
}

/// One part of a composed system, with its own states. An event is marked as the intruder sees it in the system.
pub fn part(eye: &DrawContext<'_>, parts: &dyn Parts, at: usize) -> Graph {
    let automaton = parts.automaton(at);
    let mut graph = Graph::new(format!("{} of {}", parts.name(at), eye.system.name));
    for state in automaton.states() {
        let label = parts.state_name(at, state).into_owned();
        let initial = automaton.is_initial(state);
        graph.node(Node { title: label.clone(), label, states: vec![state.0], initial, ..Node::default() });
    }
    for (_, source, step) in automaton.transitions() {
        let Some(&event) = parts.events(at).get(step.event.index()) else { continue };
        let label = Label { text: eye.event(event), kind: eye.kind(event) };
        graph.connect(source.index(), step.target.index(), label);
    }
    graph
}

/// What a node takes beside its label: in the graph, and in what is written of it.
const NODE: u64 = 320;

/// What a transition takes beside its label.
const EDGE: u64 = 192;

/// Ĝ, or Ĝ_w if the plant is the variant: events have the index of their first appearance.
pub fn plant(eye: &DrawContext<'_>, plant: &Plant, what: &str) -> Graph {
    let mut graph = eye.graph(what);
    let initial: FxHashSet<NodeId> = plant.initial().iter().copied().collect();
    for id in plant.ids() {
        let label = eye.node(plant, id);
        graph.node(Node {
            title: label.clone(),
            label,
            states: vec![plant.state(id).0],
            initial: initial.contains(&id),
            ..Node::default()
        });
    }
    for source in plant.ids() {
        for step in plant.moves(source) {
            let label = Label { text: augmented_event(eye, step), kind: eye.kind(step.event) };
            graph.connect(source.index(), step.target.index(), label);
        }
    }
    graph
}

/// σ, or σᵢ under the weak projection.
fn augmented_event(eye: &DrawContext<'_>, step: &Move) -> String {
    match step.sign {
        Some(Symbol::Nth(_, number)) => eye.event(step.event) + &eye.index(number),
        _ => eye.event(step.event),
    }
}

/// An observer without the empty set and the edges to it, unless the empty set is initial.
pub fn observer(eye: &DrawContext<'_>, plant: &Plant, subsets: &Subsets, what: &str) -> Graph {
    let mut graph = eye.graph(what);
    let mut place = vec![None; subsets.len()];
    for id in subsets.ids() {
        let nodes = subsets.set(id);
        if nodes.is_empty() && !subsets.initial().contains(&id) {
            continue;
        }
        let label = eye.nodes(plant, nodes);
        place[id.index()] = Some(graph.node(Node {
            title: label.clone(),
            label,
            states: states_of(plant, nodes),
            initial: subsets.initial().contains(&id),
            empty: nodes.is_empty(),
            ..Node::default()
        }));
    }
    for id in subsets.ids().filter(|&id| !subsets.set(id).is_empty()) {
        for (&sign, target) in subsets.next(id) {
            let shown = !subsets.set(*target).is_empty();
            if let (true, Some(from), Some(to)) = (shown, place[id.index()], place[target.index()]) {
                graph.connect(from, to, Label { text: eye.sign(sign), kind: sign_kind(sign) });
            }
        }
    }
    graph
}

fn states_of(plant: &Plant, nodes: &[NodeId]) -> Vec<u32> {
    let mut states: Vec<u32> = nodes.iter().map(|&node| plant.state(node).0).collect();
    states.sort_unstable();
    states.dedup();
    states
}

fn sign_kind(sign: Symbol) -> Kind {
    match sign {
        Symbol::Event(_) => Kind::Visible,
        Symbol::Group(_) | Symbol::Nth(..) => Kind::Anonymous,
    }
}

/// A concurrent composition: `(x, {..})`, exposures marked.
pub fn composition(eye: &DrawContext<'_>, structures: &Structures, what: &str) -> Graph {
    let Structures { plant, modified, composition, .. } = structures;
    let mut graph = eye.graph(what);
    for id in composition.ids() {
        let pair = composition.pair(id);
        let right = modified.set(pair.set);
        let label = format!("({}, {})", eye.node(plant, pair.node), eye.nodes(plant, right));
        graph.node(Node {
            title: label.clone(),
            label,
            states: vec![plant.state(pair.node).0],
            initial: composition.initial().contains(&id),
            empty: right.is_empty(),
            ..Node::default()
        });
    }
    for id in composition.ids() {
        for joint in composition.moves(id) {
            let step = Move { event: joint.event, sign: joint.sign, target: NodeId(0) };
            let shown = joint.sign.map_or_else(|| eye.nothing().to_owned(), |sign| eye.sign(sign));
            let text = format!("({}, {shown})", augmented_event(eye, &step));
            graph.connect(id.index(), joint.target.index(), Label { text, kind: eye.kind(joint.event) });
        }
    }
    graph
}

/// The adjoint table: tables 4.1 and 4.2.
pub fn adjoint(eye: &DrawContext<'_>, plant: &Plant, observer: &Subsets, rows: &[Row]) -> Table {
    let mut table = Table::new(["x_obs", "state", "adjoint state set"]);
    let mut last: Option<SetId> = None;
    for row in rows {
        let repeated = last.replace(row.set) == Some(row.set);
        let set = if repeated { String::new() } else { eye.nodes(plant, observer.set(row.set)) };
        table.row([set, eye.node(plant, row.node), eye.nodes(plant, &row.adjoint)]);
    }
    table
}

/// The adjoint table as JSON.
pub fn adjoint_value(eye: &DrawContext<'_>, plant: &Plant, observer: &Subsets, rows: &[Row]) -> Value {
    let names = |nodes: &[NodeId]| nodes.iter().map(|&node| eye.node(plant, node)).collect::<Vec<String>>();
    let row = |row: &Row| {
        json!({
            "set": names(observer.set(row.set)), "state": eye.node(plant, row.node), "adjoint": names(&row.adjoint),
        })
    };
    json!({"schema": 1, "rows": rows.iter().map(row).collect::<Vec<_>>()})
}

impl Graph {
    /// Highlights a path.
    pub fn light(&mut self, nodes: &[usize]) {
        for &node in nodes {
            self.nodes[node].highlight = true;
        }
        let steps: FxHashSet<(usize, usize)> = nodes.windows(2).map(|pair| (pair[0], pair[1])).collect();
        for edge in self.edges.iter_mut().filter(|edge| steps.contains(&(edge.source, edge.target))) {
            edge.highlight = true;
        }
    }

    /// Highlights the path through the nodes with these labels.
    pub fn light_labels(&mut self, labels: &[String]) {
        let numbered = self.nodes.iter().enumerate().rev();
        let by_label: FxHashMap<&str, usize> = numbered.map(|(at, node)| (node.label.as_str(), at)).collect();
        let nodes: Vec<usize> = labels.iter().filter_map(|label| by_label.get(label.as_str()).copied()).collect();
        self.light(&nodes);
    }
}

/// The nodes of a plant along a run.
pub fn run_nodes(plant: &Plant, run: &Run) -> Vec<NodeId> {
    // WHY: of the nodes of the first state, the one without a past was built first.
    let mut at = plant.ids().find(|&node| plant.state(node) == run.states[0]);
    let mut nodes = Vec::from_iter(at);
    for (event, state) in run.events.iter().zip(&run.states[1..]) {
        let next = |node: NodeId| {
            let mut moves = plant.moves(node).iter();
            moves.find(|step| step.event == *event && plant.state(step.target) == *state).map(|step| step.target)
        };
        at = at.and_then(next);
        nodes.extend(at);
    }
    nodes
}

/// The sets along an observation.
pub fn observed_sets(subsets: &Subsets, from: SetId, observation: &[Symbol]) -> Vec<SetId> {
    let mut at = from;
    let mut sets = vec![from];
    for sign in observation {
        let Some(&next) = subsets.next(at).get(sign) else { break };
        at = next;
        sets.push(at);
    }
    sets
}

/// The pairs on a shortest path to an exposure.
pub fn exposure_pairs(composition: &Composition) -> Vec<PairId> {
    let Some(exposed) = composition.exposed() else { return Vec::new() };
    let (_, first, joints) = composition.path(exposed);
    std::iter::once(first).chain(joints.iter().map(|joint| joint.target)).collect()
}
