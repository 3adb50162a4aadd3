//! A smaller automaton with the same answers.
//!
//! Definition. States stand in one *block* when they are of the same class and, after silent moves inside the block, can do
//! the same: show the same label, or leave the block silently, and stand in the same block again (branching bisimulation
//! that respects classes). Whatever a block can do, each of its members can; so the estimates of the quotient are those of
//! the automaton, block by block, what a state can show its block can, and exposed sets are made of whole blocks: verdict
//! and distance are the same. Under the weak projection, too, because blocks are built on events there, not on what they show.
//!
//! Method. States on a silent cycle inside a class are one *node*. Blocks are split by the *signatures* of their nodes, what
//! they can do, until nothing splits. After the first round only nodes are looked at whose moves lead to what was just split;
//! those have a signature that no other node of their block has. Cost: linear for each round in what is looked at.
//!
//! Where every state is a class of its own there is nothing to merge.

use crate::automaton::view::{Sight, View};
use crate::automaton::{Automaton, Builder, EventId, StateId, Step};
use crate::model::{ClassId, Classes, Property};
use crate::resources::strike;
use crate::verify::limits::Meter;
use crate::verify::sets::SliceInterner;
use crate::verify::views::belief_system::STAY;
use crate::verify::views::static_view::{Marks, label};
use crate::verify::{Phase, Progress, Run};
use rustc_hash::FxHashMap;

/// The quotient is used when it has at most this many eighths of the states.
const WORTHWHILE: usize = 7;
/// How much may be looked at, for each state and transition.
const MOST_WORK: u64 = 64;
/// Bytes that it takes for each state and transition.
const BYTES: u64 = 64;
/// Work between two looks at the limits.
const LOOK_EVERY: u64 = 100_000;

/// A smaller automaton with the same answers.
#[derive(Debug)]
pub(crate) struct Quotient {
    pub(crate) automaton: Automaton,
    pub(crate) property: Property,
    /// The block of each state.
    pub(crate) block: Vec<u32>,
}

/// Whether a property leaves anything to merge.
pub(crate) fn may_merge(property: &Property) -> bool {
    !matches!(property, Property::Anonymity { classes: None, .. })
}

/// The quotient of a view, if it is smaller and can be had for little.
pub(crate) fn quotient(
    view: &View<'_>,
    by_event: bool,
    property: &Property,
    meter: &mut Meter<'_>,
) -> Option<Quotient> {
    let (class, n_classes) = classes(property, view.automaton)?;
    let most = view.automaton.n_states() * WORTHWHILE / 8;
    let size = (view.automaton.n_states() + view.automaton.n_transitions()) as u64;
    if n_classes > most || meter.is_too_much(size * BYTES) {
        return None;
    }
    let letters: Vec<u32> = view.automaton.events().map(|event| letter(view, by_event, event)).collect();
    let (node, n_nodes) = silent_cycles(view.automaton, &letters, &class);
    let graph = Graph::new(view.automaton, &letters, &class, &node, n_nodes);
    let of_node = Blocks::new(&graph).refined(&graph, most, MOST_WORK * size, meter)?;
    let (block, n_blocks) = in_order(node.iter().map(|&node| of_node[node as usize]));
    let mut builder = Builder::new(n_blocks, view.automaton.n_events());
    view.automaton.initial().iter().for_each(|state| builder.initial(StateId(block[state.index()])));
    for (_, source, step) in view.automaton.transitions() {
        let (from, to) = (block[source.index()], block[step.target.index()]);
        if from != to || letters[step.event.index()] != STAY {
            builder.transition(StateId(from), step.event, StateId(to));
        }
    }
    Some(Quotient { automaton: builder.freeze(), property: merged(property, &block, n_blocks), block })
}

/// What an event shows, as far as states may differ in it.
fn letter(view: &View<'_>, by_event: bool, event: EventId) -> u32 {
    match by_event {
        true if view.observer.sight(event) == Sight::Silent => STAY,
        true => event.0,
        false => label(view, event),
    }
}

/// The class of each state, and how many there are; none where every state is its own.
fn classes(property: &Property, automaton: &Automaton) -> Option<(Vec<u32>, usize)> {
    match property {
        Property::Anonymity { classes, .. } => Some(in_order(classes.as_ref()?.of.iter().map(|class| class.0))),
        Property::Opacity { secret } => {
            Some(in_order(automaton.states().map(|state| u32::from(secret.contains(state)))))
        }
    }
}

/// The property, said of blocks.
fn merged(property: &Property, block: &[u32], n_blocks: usize) -> Property {
    match property {
        Property::Opacity { secret } => {
            Property::Opacity { secret: secret.iter().map(|state| StateId(block[state.index()])).collect() }
        }
        Property::Anonymity { among, classes } => {
            let classes = classes.as_ref().map(|classes| {
                let mut of = vec![ClassId(0); n_blocks];
                block.iter().zip(&classes.of).for_each(|(&block, &class)| of[block as usize] = class);
                Classes { of, names: classes.names.clone(), subject: classes.subject.clone() }
            });
            Property::Anonymity { among: *among, classes }
        }
    }
}

/// New numbers in the order in which the old ones are met.
fn in_order(old: impl Iterator<Item = u32>) -> (Vec<u32>, usize) {
    let mut numbers = FxHashMap::default();
    let new = old
        .map(|old| {
            let next = numbers.len() as u32;
            *numbers.entry(old).or_insert(next)
        })
        .collect();
    (new, numbers.len())
}

impl Quotient {
    /// A run of the automaton that does what a run of the quotient does, and how many of its events come before the instant that
    /// the first `before` events of the other lead to.
    pub(crate) fn lift(&self, view: &View<'_>, by_event: bool, run: &Run, before: usize) -> Option<(Run, usize)> {
        let start = view.automaton.initial().iter().find(|state| self.block[state.index()] == run.states[0].0)?;
        let mut lifted = Run { states: vec![*start], events: Vec::new() };
        let mut earlier = 0;
        for (at, event) in run.events.iter().enumerate() {
            let moves = self.reach(view, by_event, *lifted.states.last()?, *event, run.states[at + 1])?;
            for (event, state) in moves {
                lifted.events.push(event);
                lifted.states.push(state);
            }
            if at < before {
                earlier = lifted.events.len();
            }
        }
        Some((lifted, earlier))
    }

    /// Silent moves from a state inside its block, then one to this block that shows what the event shows.
    fn reach(
        &self,
        view: &View<'_>,
        by_event: bool,
        start: StateId,
        event: EventId,
        to: StateId,
    ) -> Option<Vec<(EventId, StateId)>> {
        let block = |state: StateId| self.block[state.index()];
        let shown = letter(view, by_event, event);
        let mut from: FxHashMap<StateId, Option<(EventId, StateId)>> = FxHashMap::default();
        from.insert(start, None);
        let mut queue = vec![start];
        let mut at = 0;
        while let Some(&state) = queue.get(at) {
            at += 1;
            for step in view.automaton.steps(state) {
                let letter = letter(view, by_event, step.event);
                if letter == shown && block(step.target) == to.0 {
                    let mut moves = vec![(step.event, step.target)];
                    let mut place = state;
                    while let Some(&Some((event, before))) = from.get(&place) {
                        moves.push((event, place));
                        place = before;
                    }
                    moves.reverse();
                    return Some(moves);
                }
                if letter == STAY && block(step.target) == block(start) && !from.contains_key(&step.target) {
                    from.insert(step.target, Some((step.event, state)));
                    queue.push(step.target);
                }
            }
        }
        None
    }
}

/// The nodes and their moves, forwards and backwards.
#[derive(Debug)]
struct Graph {
    class: Vec<u32>,
    rows: Vec<u32>,
    /// (letter, target), sorted in each row.
    moves: Vec<(u32, u32)>,
    rows_before: Vec<u32>,
    before: Vec<u32>,
}

impl Graph {
    fn new(automaton: &Automaton, letters: &[u32], class: &[u32], node: &[u32], n: usize) -> Graph {
        let mut all: Vec<(u32, u32, u32)> = Vec::with_capacity(automaton.n_transitions());
        for (_, source, step) in automaton.transitions() {
            let (from, to) = (node[source.index()], node[step.target.index()]);
            let letter = letters[step.event.index()];
            if letter != STAY || from != to {
                all.push((from, letter, to));
            }
        }
        all.sort_unstable();
        all.dedup();
        let rows = rows(n, all.iter().map(|edge| edge.0));
        let moves = all.iter().map(|edge| (edge.1, edge.2)).collect();
        all.sort_unstable_by_key(|edge| (edge.2, edge.0));
        let rows_before = self::rows(n, all.iter().map(|edge| edge.2));
        let before = all.iter().map(|edge| edge.0).collect();
        let mut classes = vec![0; n];
        node.iter().zip(class).for_each(|(&node, &class)| classes[node as usize] = class);
        Graph { class: classes, rows, moves, rows_before, before }
    }

    fn moves(&self, node: u32) -> &[(u32, u32)] {
        &self.moves[self.rows[node as usize] as usize..self.rows[node as usize + 1] as usize]
    }

    /// The targets of the silent moves of a node.
    fn silent(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.moves(node).iter().rev().take_while(|step| step.0 == STAY).map(|step| step.1)
    }

    fn before(&self, node: u32) -> &[u32] {
        &self.before[self.rows_before[node as usize] as usize..self.rows_before[node as usize + 1] as usize]
    }
}

/// Where the edges of each node begin, given the node of each edge in order.
fn rows(n: usize, of: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut rows = vec![0u32; n + 1];
    of.for_each(|node| rows[node as usize + 1] += 1);
    for at in 1..rows.len() {
        rows[at] += rows[at - 1];
    }
    rows
}

/// The node of each state: states that reach each other silently inside their class are one. A silent move inside a class leads
/// to a node of a smaller number (Tarjan, 1972).
fn silent_cycles(automaton: &Automaton, letters: &[u32], class: &[u32]) -> (Vec<u32>, usize) {
    const NEW: u32 = u32::MAX;
    let n = automaton.n_states();
    let (mut node, mut order, mut low) = (vec![NEW; n], vec![NEW; n], vec![NEW; n]);
    let (mut n_nodes, mut met) = (0, 0);
    let (mut open, mut path): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    for root in 0..n as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (state, ref mut next)) = path.last_mut() {
            let here = state as usize;
            if *next == 0 {
                (order[here], low[here]) = (met, met);
                met += 1;
                open.push(state);
            }
            let steps = automaton.steps(StateId(state));
            let inside = |step: &Step| letters[step.event.index()] == STAY && class[step.target.index()] == class[here];
            if let Some((at, step)) = steps.iter().enumerate().skip(*next).find(|(_, step)| inside(step)) {
                *next = at + 1;
                let target = step.target.index();
                if order[target] == NEW {
                    path.push((target as u32, 0));
                } else if node[target] == NEW {
                    low[here] = low[here].min(order[target]);
                }
                continue;
            }
            if low[here] == order[here] {
                while let Some(member) = open.pop() {
                    node[member as usize] = n_nodes;
                    if member == state {
                        break;
                    }
                }
                n_nodes += 1;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above as usize] = low[above as usize].min(low[here]);
            }
        }
    }
    (node, n_nodes as usize)
}

/// The blocks while they are being split.
#[derive(Debug)]
struct Blocks {
    of: Vec<u32>,
    sizes: Vec<u32>,
    signatures: Signatures,
}

/// A node, and the block that it has left.
type Moved = (u32, u32);

impl Blocks {
    fn new(graph: &Graph) -> Blocks {
        let n_classes = graph.class.iter().max().map_or(0, |last| last + 1);
        let mut sizes = vec![0; n_classes as usize];
        graph.class.iter().for_each(|&class| sizes[class as usize] += 1);
        Blocks { of: graph.class.clone(), sizes, signatures: Signatures::new(graph.class.len()) }
    }

    /// The blocks when nothing splits any more; none when there are more than `most` of them, or it takes too long.
    fn refined(mut self, graph: &Graph, most: usize, mut work: u64, meter: &mut Meter<'_>) -> Option<Vec<u32>> {
        let mut dirty: Vec<u32> = (0..graph.class.len() as u32).collect();
        while !dirty.is_empty() {
            work = work.checked_sub(self.signatures.write(graph, &self.of, &dirty, meter)?)?;
            let moved = self.split(&mut dirty);
            if self.sizes.len() > most {
                return None;
            }
            dirty = self.touched(graph, &moved);
        }
        Some(self.of)
    }

    /// Splits the blocks of these nodes by their signatures. The nodes of a block that were not looked at have one of their own.
    fn split(&mut self, dirty: &mut [u32]) -> Vec<Moved> {
        let Blocks { of, sizes, signatures } = self;
        dirty.sort_unstable_by_key(|&node| (of[node as usize], signatures.of[node as usize]));
        let mut moved: Vec<Moved> = Vec::new();
        for members in dirty.chunk_by(|&one, &other| of[one as usize] == of[other as usize]) {
            let block = of[members[0] as usize];
            let alike = |one: &u32, other: &u32| signatures.of[*one as usize] == signatures.of[*other as usize];
            let whole = members.len() == sizes[block as usize] as usize;
            let largest = members.chunk_by(alike).map(<[u32]>::len).max().filter(|_| whole);
            let mut kept = false;
            for part in members.chunk_by(alike) {
                if !kept && largest == Some(part.len()) {
                    kept = true;
                    continue;
                }
                sizes[block as usize] -= part.len() as u32;
                sizes.push(part.len() as u32);
                // WHY not at once: the blocks of the others are still read.
                moved.extend(part.iter().map(|&node| (node, sizes.len() as u32 - 1)));
            }
        }
        moved.iter_mut().for_each(|(node, block)| std::mem::swap(&mut of[*node as usize], block));
        moved
    }

    /// The nodes whose signatures have changed.
    fn touched(&mut self, graph: &Graph, moved: &[Moved]) -> Vec<u32> {
        let of = &self.of;
        let marks = &mut self.signatures.marks;
        marks.clear();
        let mut touched = Vec::new();
        for &(node, left) in moved {
            // WHY: who moved along with what it reaches silently can do what it could.
            let along = |source: u32| {
                of[source as usize] == of[node as usize]
                    && !graph.moves(source).iter().any(|&(letter, target)| target == node && letter != STAY)
            };
            let before = graph.before(node).iter().copied();
            touched.extend(before.filter(|&source| !along(source) && marks.insert(source)));
            if graph.silent(node).any(|target| of[target as usize] == left) && marks.insert(node) {
                touched.push(node);
            }
        }
        let mut at = 0;
        while let Some(&node) = touched.get(at) {
            let inert = |&source: &u32| {
                of[source as usize] == of[node as usize] && graph.silent(source).any(|target| target == node)
            };
            touched.extend(graph.before(node).iter().copied().filter(inert).filter(|&source| marks.insert(source)));
            at += 1;
        }
        touched
    }
}

/// What nodes can do: for those of one round, each list kept once.
#[derive(Debug)]
struct Signatures {
    /// The number of each node's list.
    of: Vec<u32>,
    marks: Marks,
    /// (letter, block), sorted.
    lists: SliceInterner<(u32, u32)>,
    list: Vec<(u32, u32)>,
}

impl Signatures {
    fn new(n: usize) -> Signatures {
        Signatures { of: vec![0; n], marks: Marks::new(n), lists: SliceInterner::new(), list: Vec::new() }
    }

    /// Writes down the signatures of these nodes; how much was looked at.
    fn write(&mut self, graph: &Graph, block: &[u32], nodes: &[u32], meter: &mut Meter<'_>) -> Option<u64> {
        self.lists.clear();
        let (mut work, mut looked) = (0, 0);
        for node in self.with_inert(graph, block, nodes) {
            work += self.add(graph, block, node);
            if work - looked > LOOK_EVERY || strike::everywhere() {
                looked = work;
                meter.look(&Progress { phase: Phase::Quotient, ..Progress::default() }).ok()?;
            }
        }
        Some(work)
    }

    /// The nodes, and those that they reach silently inside their blocks, whose signatures are part of theirs; those come first.
    fn with_inert(&mut self, graph: &Graph, block: &[u32], nodes: &[u32]) -> Vec<u32> {
        self.marks.clear();
        let mut all = nodes.to_vec();
        all.iter().for_each(|&node| {
            self.marks.insert(node);
        });
        let mut at = 0;
        while let Some(&node) = all.get(at) {
            let inert = graph.silent(node).filter(|&target| block[target as usize] == block[node as usize]);
            all.extend(inert.filter(|&target| self.marks.insert(target)));
            at += 1;
        }
        all.sort_unstable();
        all
    }

    fn add(&mut self, graph: &Graph, block: &[u32], node: u32) -> u64 {
        self.list.clear();
        for &(letter, target) in graph.moves(node) {
            let to = block[target as usize];
            if letter == STAY && to == block[node as usize] {
                self.list.extend(self.lists.get(self.of[target as usize]));
            } else {
                self.list.push((letter, to));
            }
        }
        let work = 1 + self.list.len() as u64;
        self.list.sort_unstable();
        self.list.dedup();
        self.of[node as usize] = self.lists.intern(&self.list).0;
        work
    }
}
