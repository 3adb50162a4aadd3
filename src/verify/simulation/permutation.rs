//! ρ-simulation: simulation under a fixed permutation ρ of the agents.
//!
//! Definition. Let ρ permute agents that have the same labels. State y ρ-simulates x if y replies to each anonymous event of an
//! agent a with one of ρ(a) that has the same label, to every other event with the same event, and the two states that are
//! reached are again in the relation. A hypothesis (y, π, F) of an actual state (x, U) never dies if y ρ-simulates x, π is ρ on
//! U, and F contains no agent that ρ will still ask for. If the relation avoids the class of x, it is a twin. Without named
//! agents ρ permutes each group of anonymous events.
//!
//! Method. The [`SimulationGame`] on states, once for each ρ of a short list: identity, rotations of all agents with the same
//! labels, transpositions. Events of one act, which look alike, are one event here. Positions do not record which agents were
//! used, so there are at most |X|² for each ρ, whatever |Γ| is. In a static view the identity alone is tried: it leaves no
//! choice between events that look alike.

use super::game::{Arena, SimulationGame, SimulationKind};
use crate::automaton::view::{Observability, Observer, Projection, View};
use crate::automaton::{Automaton, Builder, EventId};
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Sparse, map_bytes, smallvec_bytes};
use crate::verify::views::belief_system::{ActualId, BeliefSystem, Heuristics, HypothesisId, LabelId};
use crate::verify::views::static_view::StaticView;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A hypothesis (y, π, F).
#[derive(Clone, Copy, Debug)]
pub(crate) struct HypothesisRef<'a> {
    /// y.
    pub(crate) state: u32,
    /// π: the agent that it used in place of each used agent of the actual run.
    pub(crate) images: &'a [u32],
    /// F: the agents that it may not use as new ones.
    pub(crate) spent: &'a [u32],
}

/// An actual state (x, U).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActualRef<'a> {
    /// x.
    pub(crate) state: u32,
    /// U: the agents that the run has used.
    pub(crate) used: &'a [u32],
    /// The agents that the run may still use for the first time.
    pub(crate) ahead: &'a [u32],
}

impl ActualRef<'_> {
    /// Whether a hypothesis has used ρ(a) for each a of U, and none that ρ will still ask for.
    fn agrees(self, hypothesis: HypothesisRef<'_>, rho: &Rho) -> bool {
        let image = |agent: u32| rho.agents[agent as usize];
        self.used.iter().zip(hypothesis.images).all(|(&agent, &own)| image(agent) == own)
            && !self.ahead.iter().any(|&agent| hypothesis.spent.contains(&image(agent)))
    }
}

/// The states that simulate each other under one permutation.
#[derive(Clone, Debug)]
pub(crate) struct PermutationRelation {
    /// The image of each event.
    pub(crate) rho: Vec<u32>,
    /// Pairs (x, y): y simulates x.
    pub(crate) pairs: Vec<(u32, u32)>,
}

/// The games, one of each kind for each permutation.
#[derive(Debug)]
pub(crate) struct PermutationSimulation {
    /// The automaton, every event visible as itself; in a weak view, as its act.
    automaton: StaticView<Sparse>,
    permutations: Vec<Permutation>,
    /// The permutations under which a state is known to simulate another.
    known: FxHashMap<(SimulationKind, u32, u32), SmallVec<[u32; 4]>>,
    /// Work that found nothing.
    pub(crate) work: u64,
    /// Heap bytes of the games and of the lists in `known`.
    list_bytes: u64,
}

/// A permutation ρ of the agents, each denoted by its first event.
#[derive(Clone, Debug)]
struct Rho {
    /// The image of each agent.
    agents: Vec<u32>,
    /// The event that replies to each event: of the agent's image, with the same label.
    events: Vec<u32>,
    is_identity: bool,
}

#[derive(Debug)]
struct Permutation {
    rho: Rho,
    class_avoiding: SimulationGame,
    plain: SimulationGame,
    /// Work on a query that has no answer yet.
    pending_work: u64,
}

impl PermutationSimulation {
    /// No game played yet.
    pub(crate) fn new(view: &View<'_>) -> PermutationSimulation {
        let all_visible = Observer::new(vec![Observability::Visible; view.automaton.n_events()]);
        let merged = merged_acts(view);
        let automaton = merged.as_ref().unwrap_or(view.automaton);
        let natural = View { projection: Projection::Natural, observer: &all_visible, automaton };
        let permutations = permutations(view).into_iter().map(|rho| Permutation {
            rho,
            class_avoiding: SimulationGame::new(SimulationKind::ClassAvoiding),
            plain: SimulationGame::new(SimulationKind::Plain),
            pending_work: 0,
        });
        PermutationSimulation {
            automaton: StaticView::new(&natural, u32::MAX),
            permutations: permutations.collect(),
            known: FxHashMap::default(),
            work: 0,
            list_bytes: 0,
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.automaton.bytes() + map_bytes(&self.known) + self.list_bytes
    }

    /// The simulations that are known, for each permutation that has some.
    pub(crate) fn relations(&self, kind: SimulationKind) -> Vec<PermutationRelation> {
        let relations = self.permutations.iter().map(|permutation| {
            let proved = permutation.game(kind).proved();
            let pairs = proved.map(|(actual, tuple)| (actual.0, tuple[0].0)).collect();
            PermutationRelation { rho: permutation.rho.events.clone(), pairs }
        });
        relations.filter(|relation| !relation.pairs.is_empty()).collect()
    }

    /// Whether one of the hypotheses never dies, under some ρ. First all are looked up among the known ones; then they are
    /// tried in order, beginning with `from`. An error names the one at which `most` work was done.
    pub(crate) fn any_simulates<'r>(
        &mut self,
        (kind, exposed): (SimulationKind, &ExposedSets),
        actual: ActualRef<'_>,
        hypotheses: impl Iterator<Item = (HypothesisId, HypothesisRef<'r>)> + Clone,
        from: HypothesisId,
        most: u64,
    ) -> Result<bool, HypothesisId> {
        if from.0 == 0 && hypotheses.clone().any(|(_, hypothesis)| self.is_known(kind, actual, hypothesis)) {
            return Ok(true);
        }
        for (id, hypothesis) in hypotheses.skip_while(|&(id, _)| id < from) {
            if self.simulates(kind, exposed, actual, hypothesis, most) {
                return Ok(true);
            }
            if self.work >= most {
                return Err(id);
            }
        }
        Ok(false)
    }

    fn is_known(&self, kind: SimulationKind, actual: ActualRef<'_>, hypothesis: HypothesisRef<'_>) -> bool {
        let known = self.known.get(&(kind, actual.state, hypothesis.state));
        known.into_iter().flatten().any(|&at| actual.agrees(hypothesis, &self.permutations[at as usize].rho))
    }

    /// Whether a hypothesis never dies, under some ρ.
    fn simulates(
        &mut self,
        kind: SimulationKind,
        exposed: &ExposedSets,
        actual: ActualRef<'_>,
        hypothesis: HypothesisRef<'_>,
        most: u64,
    ) -> bool {
        for (number, permutation) in (0u32..).zip(&mut self.permutations) {
            self.work += 1;
            if !actual.agrees(hypothesis, &permutation.rho) || self.work >= most {
                continue;
            }
            let before = permutation.cost();
            let states = (actual.state, hypothesis.state);
            let won = permutation.query(&mut self.automaton, kind, exposed, states, most - self.work);
            let after = permutation.cost();
            self.list_bytes = self.list_bytes + after.1 - before.1;
            self.work += after.0 - before.0;
            permutation.pending_work += after.0 - before.0;
            if won.is_none() {
                continue;
            }
            let spent = std::mem::take(&mut permutation.pending_work);
            for (actual, tuple) in permutation.game_mut(kind).take_newly_proved() {
                let known = self.known.entry((kind, actual.0, tuple[0].0)).or_default();
                self.list_bytes -= smallvec_bytes(known);
                known.push(number);
                self.list_bytes += smallvec_bytes(known);
            }
            if won == Some(true) {
                // WHY: work that finds a simulation is not charged, nor are the slices before it.
                self.work -= spent;
                return true;
            }
        }
        false
    }
}

impl Permutation {
    /// Work that was done, and bytes held.
    fn cost(&self) -> (u64, u64) {
        (self.class_avoiding.work + self.plain.work, self.class_avoiding.bytes() + self.plain.bytes())
    }

    fn game(&self, kind: SimulationKind) -> &SimulationGame {
        match kind {
            SimulationKind::ClassAvoiding => &self.class_avoiding,
            SimulationKind::Plain => &self.plain,
        }
    }

    fn game_mut(&mut self, kind: SimulationKind) -> &mut SimulationGame {
        match kind {
            SimulationKind::ClassAvoiding => &mut self.class_avoiding,
            SimulationKind::Plain => &mut self.plain,
        }
    }

    /// Whether a state simulates another; none when `most` further work does not suffice to tell.
    fn query(
        &mut self,
        automaton: &mut StaticView<Sparse>,
        kind: SimulationKind,
        exposed: &ExposedSets,
        (actual, hypothesis): (u32, u32),
        most: u64,
    ) -> Option<bool> {
        let game = match kind {
            SimulationKind::ClassAvoiding => &mut self.class_avoiding,
            SimulationKind::Plain => &mut self.plain,
        };
        let most = game.work.saturating_add(most);
        let mut arena = PermutedArena { automaton, rho: &self.rho };
        game.query(&mut arena, exposed, ActualId(actual), &[HypothesisId(hypothesis)], most)
    }
}

/// The game on states, events answered through ρ.
struct PermutedArena<'a> {
    automaton: &'a mut StaticView<Sparse>,
    rho: &'a Rho,
}

impl Arena for PermutedArena<'_> {
    fn add_moves(&mut self, actual: ActualId, into: &mut Vec<(LabelId, ActualId)>) {
        self.automaton.add_moves(actual, into);
    }

    fn add_replies(&mut self, hypothesis: HypothesisId, label: LabelId, weak: bool, into: &mut Vec<HypothesisId>) {
        self.automaton.add_replies(hypothesis, LabelId(self.rho.events[label.0 as usize]), weak, into);
    }

    fn is_identity(&mut self, actual: ActualId, hypothesis: HypothesisId) -> bool {
        actual.0 == hypothesis.0 && self.rho.is_identity
    }

    fn actual_class(&self, actual: ActualId, exposed: &ExposedSets) -> Option<u32> {
        self.automaton.actual_class(actual, exposed)
    }

    fn hypothesis_class(&self, hypothesis: HypothesisId, exposed: &ExposedSets) -> u32 {
        self.automaton.hypothesis_class(hypothesis, exposed)
    }

    fn reply_rank(&self, actual: ActualId, hypothesis: HypothesisId) -> u32 {
        self.automaton.dissimilarity(actual, hypothesis)
    }
}

/// The automaton of a weak view with one event for each act; none if no act has several.
fn merged_acts(view: &View<'_>) -> Option<Automaton> {
    let act = |event: EventId| view.observer.act(event);
    if view.projection != Projection::Weak || view.automaton.events().all(|event| act(event) == event) {
        return None;
    }
    let mut builder = Builder::new(view.automaton.n_states(), view.automaton.n_events());
    view.automaton.initial().iter().for_each(|&state| builder.initial(state));
    for (_, source, step) in view.automaton.transitions() {
        builder.transition(source, act(step.event), step.target);
    }
    Some(builder.freeze())
}

/// Identity, then rotations of all agents with the same labels, then transpositions of two of them.
fn permutations(view: &View<'_>) -> Vec<Rho> {
    let acts = acts(view);
    let identity: Vec<u32> = (0..view.automaton.n_events() as u32).collect();
    let replacing = |pairs: &mut dyn Iterator<Item = (u32, u32)>| {
        let mut agents = identity.clone();
        pairs.for_each(|(agent, image)| agents[agent as usize] = image);
        Rho::new(view, &acts, agents)
    };
    let classes = agents_by_labels(&acts);
    let rotations = classes.iter().flat_map(|class| (1..class.len()).map(move |shift| (class, shift)));
    let rotations = rotations.map(|(class, shift)| {
        let rotated = class.iter().cycle().skip(shift);
        replacing(&mut class.iter().copied().zip(rotated.copied()))
    });
    let pairs = classes.iter().filter(|class| class.len() > 2).flat_map(|class| {
        let from = move |at: usize| class[at + 1..].iter().map(move |&other| (class[at], other));
        (0..class.len()).flat_map(from)
    });
    let transpositions = pairs.map(|(one, other)| replacing(&mut [(one, other), (other, one)].into_iter()));
    let most = if view.projection == Projection::Weak { Tuning::MAX_PERMUTATIONS } else { 1 };
    let first = std::iter::once_with(|| replacing(&mut std::iter::empty()));
    first.chain(rotations).chain(transpositions).take(most).collect()
}

/// The acts of each agent: the label of each, and its first event.
type Acts = BTreeMap<u32, BTreeMap<u32, u32>>;

fn acts(view: &View<'_>) -> Acts {
    let mut acts = Acts::new();
    for event in view.observer.anonymous(None) {
        if let Observability::Anonymous(group) = view.observer.observability(event) {
            let of_agent = acts.entry(view.observer.actor(event).0).or_default();
            of_agent.entry(group.0).or_insert(event.0);
        }
    }
    acts
}

/// The agents that have the same labels, in order.
fn agents_by_labels(acts: &Acts) -> Vec<Vec<u32>> {
    let mut classes: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for (&agent, acts) in acts {
        classes.entry(acts.keys().copied().collect()).or_default().push(agent);
    }
    classes.into_values().collect()
}

impl Rho {
    /// A permutation of agents that keeps their labels.
    fn new(view: &View<'_>, acts: &Acts, agents: Vec<u32>) -> Rho {
        let reply = |event: EventId| match view.observer.observability(event) {
            Observability::Anonymous(group) => acts[&agents[view.observer.actor(event).index()]][&group.0],
            Observability::Silent | Observability::Visible => event.0,
        };
        let has_acts = view.projection == Projection::Weak && view.observer.has_named_agents();
        let events = if has_acts { view.automaton.events().map(reply).collect() } else { agents.clone() };
        let is_identity = agents.iter().zip(0u32..).all(|(&image, agent)| image == agent);
        Rho { agents, events, is_identity }
    }
}
