//! ρ-simulation: simulation under a fixed permutation ρ of the anonymous events.
//!
//! Definition. Let ρ permute each group of anonymous events. State y ρ-simulates x if y replies to each event a of x with
//! ρ(a), to every other event with the same event, and the two states that are reached are again in the relation. A
//! hypothesis (y, π, F) of an actual state (x, U) never dies if y ρ-simulates x, π is ρ on U, and F contains no event that ρ
//! will still ask for. If the relation avoids the class of x, it is a twin.
//!
//! Method. The [`SimulationGame`] on states, once for each ρ of a short list: identity, rotations of a group,
//! transpositions. Positions do not record which events were used, so there are at most |X|² for each ρ, whatever |Γ| is. In
//! a static view the identity alone is tried: it leaves no choice between events that look alike.

use super::game::{Arena, SimulationGame, SimulationKind};
use crate::automaton::view::{Observability, Observer, Projection, View};
use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Sparse, map_bytes, smallvec_bytes};
use crate::verify::views::belief_system::{ActualId, BeliefSystem, Heuristics, HypothesisId, LabelId};
use crate::verify::views::static_view::StaticView;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A hypothesis (y, π, F).
#[derive(Clone, Copy, Debug)]
pub(crate) struct HypothesisRef<'a> {
    /// y.
    pub(crate) state: u32,
    /// π: the event that it used in place of each used event of the actual run.
    pub(crate) images: &'a [u32],
    /// F: the events that it may not use as new ones.
    pub(crate) spent: &'a [u32],
}

/// An actual state (x, U).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActualRef<'a> {
    /// x.
    pub(crate) state: u32,
    /// U: the events that the run has used.
    pub(crate) used: &'a [u32],
    /// The events that the run may still use for the first time.
    pub(crate) ahead: &'a [u32],
}

impl ActualRef<'_> {
    /// Whether a hypothesis has used ρ(a) for each a of U, and none that ρ will still ask for.
    fn agrees(self, hypothesis: HypothesisRef<'_>, rho: &[u32]) -> bool {
        self.used.iter().zip(hypothesis.images).all(|(&event, &image)| rho[event as usize] == image)
            && !self.ahead.iter().any(|&event| hypothesis.spent.contains(&rho[event as usize]))
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
    /// The automaton, every event visible as itself.
    automaton: StaticView<Sparse>,
    permutations: Vec<Permutation>,
    /// The permutations under which a state is known to simulate another.
    known: FxHashMap<(SimulationKind, u32, u32), SmallVec<[u32; 4]>>,
    /// Work that found nothing.
    pub(crate) work: u64,
    /// Heap bytes of the games and of the lists in `known`.
    list_bytes: u64,
}

#[derive(Debug)]
struct Permutation {
    rho: Vec<u32>,
    class_avoiding: SimulationGame,
    plain: SimulationGame,
    /// Work on a query that has no answer yet.
    pending_work: u64,
}

impl PermutationSimulation {
    /// No game played yet.
    pub(crate) fn new(view: &View<'_>) -> PermutationSimulation {
        let all_visible = Observer::new(vec![Observability::Visible; view.automaton.n_events()]);
        let natural = View { projection: Projection::Natural, observer: &all_visible, ..*view };
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
            PermutationRelation { rho: permutation.rho.clone(), pairs }
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
        let rho = std::mem::take(&mut self.rho);
        let game = self.game_mut(kind);
        let most = game.work.saturating_add(most);
        let mut arena = PermutedArena { automaton, rho: &rho };
        let won = game.query(&mut arena, exposed, ActualId(actual), &[HypothesisId(hypothesis)], most);
        self.rho = rho;
        won
    }
}

/// The game on states, events answered through ρ.
struct PermutedArena<'a> {
    automaton: &'a mut StaticView<Sparse>,
    rho: &'a [u32],
}

impl Arena for PermutedArena<'_> {
    fn add_moves(&mut self, actual: ActualId, into: &mut Vec<(LabelId, ActualId)>) {
        self.automaton.add_moves(actual, into);
    }

    fn add_replies(&mut self, hypothesis: HypothesisId, label: LabelId, weak: bool, into: &mut Vec<HypothesisId>) {
        self.automaton.add_replies(hypothesis, LabelId(self.rho[label.0 as usize]), weak, into);
    }

    fn is_identity(&mut self, actual: ActualId, hypothesis: HypothesisId) -> bool {
        actual.0 == hypothesis.0 && self.rho.iter().enumerate().all(|(at, &image)| at as u32 == image)
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

/// Identity, then rotations of each group, then transpositions within groups.
fn permutations(view: &View<'_>) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..view.automaton.n_events() as u32).collect();
    let mut groups: Vec<Vec<u32>> = vec![Vec::new(); view.observer.n_groups()];
    for (event, observability) in view.observer.observabilities().iter().enumerate() {
        if let Observability::Anonymous(group) = observability {
            groups[group.index()].push(event as u32);
        }
    }
    let replacing = |pairs: &mut dyn Iterator<Item = (u32, u32)>| {
        let mut rho = identity.clone();
        pairs.for_each(|(event, image)| rho[event as usize] = image);
        rho
    };
    let rotations = groups.iter().flat_map(|group| (1..group.len()).map(move |shift| (group, shift)));
    let rotations = rotations.map(|(group, shift)| {
        let rotated = group.iter().cycle().skip(shift);
        replacing(&mut group.iter().copied().zip(rotated.copied()))
    });
    let pairs = groups.iter().filter(|group| group.len() > 2).flat_map(|group| {
        let from = move |at: usize| group[at + 1..].iter().map(move |&other| (group[at], other));
        (0..group.len()).flat_map(from)
    });
    let transpositions = pairs.map(|(one, other)| replacing(&mut [(one, other), (other, one)].into_iter()));
    let most = if view.projection == Projection::Weak { Tuning::MAX_PERMUTATIONS } else { 1 };
    std::iter::once(identity.clone()).chain(rotations).chain(transpositions).take(most).collect()
}
