//! From what was built to the certificate: only what the start leads to, with new numbers.

use super::context::Terms;
use super::covering::Chain;
use super::prover::{Built, Wanted};
use super::simulation::Positions;
use crate::verify::certificate::{Certificate, Cover, Pair, Position, Step};

/// Things that are in use, in the order in which they were met.
#[derive(Default)]
struct Uses {
    /// The new number of each, or `UNUSED`.
    numbers: Vec<u32>,
    order: Vec<u32>,
}

const UNUSED: u32 = u32::MAX;

impl Uses {
    fn number(&mut self, old: u32) -> u32 {
        let at = old as usize;
        if self.numbers.len() <= at {
            self.numbers.resize(at + 1, UNUSED);
        }
        if self.numbers[at] == UNUSED {
            self.numbers[at] = self.order.len() as u32;
            self.order.push(old);
        }
        self.numbers[at]
    }
}

/// The new numbers of everything.
struct Renumbering<'t, 'a> {
    terms: &'t Terms<'a>,
    past: bool,
    lefts: Uses,
    rivals: Uses,
    sets: Uses,
    pairs: [Uses; 3],
    twins: Uses,
    simulations: Uses,
    permutations: Uses,
    steps: Uses,
}

/// The certificate of a proof.
pub(super) fn assemble(terms: &Terms<'_>, wanted: Wanted, built: &Built) -> Certificate {
    let mut new = Renumbering {
        terms,
        past: terms.ground.has_past(),
        lefts: Uses::default(),
        rivals: Uses::default(),
        sets: Uses::default(),
        pairs: Default::default(),
        twins: Uses::default(),
        simulations: Uses::default(),
        permutations: Uses::default(),
        steps: Uses::default(),
    };
    let first = if wanted.initial { &built.layers } else { &built.estimates };
    let phase = usize::from(wanted.initial);
    let start = built.start.iter().map(|cover| new.cover(cover, phase, first)).collect();
    let estimates = new.pairs(0, &built.estimates, built);
    let layers = new.pairs(1, &built.layers, built);
    let back = built.back.as_ref().map(|(start, chain)| {
        let start: Vec<Cover> = start.iter().map(|cover| new.cover(cover, 2, chain)).collect();
        (start, new.pairs(2, chain, built))
    });
    let twins = new.positions(&built.twins, true);
    let simulations = new.positions(&built.simulations, false);
    let lockstep = new.lockstep(built);
    let permutations =
        new.permutations.order.iter().map(|&at| built.lockstep.permutations[at as usize].clone()).collect();
    let sets = new.sets();
    if new.past {
        terms.named.iter().for_each(|&rival| {
            new.rival(rival);
        });
    }
    Certificate {
        horizon: wanted.horizon,
        initial: wanted.initial,
        blocks: None,
        start,
        estimates,
        layers,
        back,
        twins,
        simulations,
        permutations,
        lockstep,
        sets,
        rivals: new.rivals.order.iter().map(|&at| terms.rivals[at].clone()).collect(),
        lefts: new.lefts.order.iter().map(|&at| terms.lefts[at].clone()).collect(),
    }
}

impl Renumbering<'_, '_> {
    fn left(&mut self, left: u32) -> u32 {
        if self.past { self.lefts.number(left) } else { left }
    }

    fn rival(&mut self, rival: u32) -> u32 {
        if self.past { self.rivals.number(rival) } else { rival }
    }

    fn cover(&mut self, cover: &Cover, phase: usize, chain: &Chain) -> Cover {
        match *cover {
            Cover::Pair(at) => Cover::Pair(self.pairs[phase].number(chain.standing(at))),
            Cover::Twins(at) => Cover::Twins(self.twins.number(at)),
            Cover::Simulation(at) => Cover::Simulation(self.simulations.number(at)),
            Cover::Lockstep(at, rival) => Cover::Lockstep(self.steps.number(at), self.rival(rival)),
            Cover::Double => Cover::Double,
        }
    }

    /// The pairs of a phase that are in use; the covers of an estimate's jumps speak of layers.
    fn pairs(&mut self, phase: usize, chain: &Chain, built: &Built) -> Vec<Pair> {
        let mut pairs = Vec::new();
        while let Some(&at) = self.pairs[phase].order.get(pairs.len()) {
            let entry = &chain.entries[at as usize];
            let n_moves = self.terms.ground.moves(self.terms.left_state(entry.left)).len();
            let covers = entry.covers.iter().enumerate().map(|(place, cover)| match phase {
                0 if place >= n_moves => self.cover(cover, 1, &built.layers),
                _ => self.cover(cover, phase, chain),
            });
            let covers = covers.collect();
            let (left, set) = (self.left(entry.left), self.sets.number(entry.set));
            pairs.push(Pair { left, set, layer: entry.layer, covers });
        }
        pairs
    }

    fn positions(&mut self, positions: &Positions, apart: bool) -> Vec<Position> {
        let mut found = Vec::new();
        let none = Chain::default();
        loop {
            let uses = if apart { &self.twins } else { &self.simulations };
            let Some(&at) = uses.order.get(found.len()) else { return found };
            let (left, rivals) = &positions.all[at as usize];
            let covers = positions.covers(at).iter().map(|cover| self.cover(cover, 0, &none)).collect();
            let rivals = rivals.iter().map(|&rival| self.rival(rival)).collect();
            found.push(Position { left: self.left(*left), rivals, covers });
        }
    }

    fn lockstep(&mut self, built: &Built) -> Vec<Step> {
        let mut found = Vec::new();
        while let Some(&at) = self.steps.order.get(found.len()) {
            let (permutation, left, rival, next) = &built.lockstep.steps[at as usize];
            let next = next.iter().map(|&at| self.steps.number(at)).collect();
            let permutation = self.permutations.number(*permutation);
            found.push(Step { permutation, left: *left, rival: *rival, next });
        }
        found
    }

    fn sets(&mut self) -> Vec<Vec<u32>> {
        let order = std::mem::take(&mut self.sets.order);
        let each = order.into_iter().map(|at| {
            let mut set: Vec<u32> = self.terms.set(at).iter().map(|&rival| self.rival(rival)).collect();
            set.sort_unstable();
            set
        });
        each.collect()
    }
}
