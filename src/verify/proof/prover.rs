//! Builds the proof: explores from the start, and says of every pair that it meets what covers it.

use super::budget::{Allowance, Stopped};
use super::context::Terms;
use super::covering::Chain;
use super::renumber::assemble;
use super::simulation::{Positions, Steps};
use super::{Hinted, Hints};
use crate::automaton::view::View;
use crate::model::Property;
use crate::verify::certificate::checker::exposed_sets;
use crate::verify::certificate::model::{Ground, SILENT};
use crate::verify::certificate::{Certificate, Cover};
use crate::verify::simulation::game::Together;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// What is to be proved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// For |β| up to this; none: for all.
    pub(crate) horizon: Option<u64>,
    /// Only α = ε, over X0 itself.
    pub(crate) initial: bool,
}

/// What became of it.
#[derive(Debug)]
pub(crate) enum Proved {
    Certificate(Box<Certificate>),
    /// The allowance was spent.
    TooLarge,
    /// There is an exposure, so there is no proof.
    Refuted,
}

/// Builds a proof; of blocks of states, where there are any.
pub(crate) fn prove(
    view: &View<'_>,
    property: &Property,
    wanted: Wanted,
    (blocks, hints): (Option<Vec<u32>>, Hints),
    allowance: Allowance<'_>,
) -> Proved {
    let Ok(ground) = Ground::of_blocks(view, property, blocks.as_deref()) else { return Proved::Refuted };
    let behind = hints.behind && !ground.has_past();
    let turned = behind.then(|| ground.turned_around());
    let prover = Prover::new(Terms::new(&ground, allowance), wanted, hints);
    match prover.run(turned.as_ref()) {
        Ok(certificate) => Proved::Certificate(Box::new(Certificate { blocks, ..certificate })),
        Err(Stopped::TooLarge) => Proved::TooLarge,
        Err(Stopped::Refuted) => Proved::Refuted,
    }
}

/// Which pairs are being explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Estimates,
    Layers,
    Back,
}

/// A proof under way.
struct Prover<'a> {
    terms: Terms<'a>,
    wanted: Wanted,
    built: Built,
}

/// The pairs of every phase, and the rivals that last.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub(super) start: Vec<Cover>,
    pub(super) estimates: Chain,
    pub(super) layers: Chain,
    pub(super) back: Option<(Vec<Cover>, Chain)>,
    pub(super) twins: Positions,
    pub(super) simulations: Positions,
    pub(super) lockstep: Steps,
}

impl Built {
    fn chain(&mut self, phase: Phase) -> &mut Chain {
        match phase {
            Phase::Estimates => &mut self.estimates,
            Phase::Layers => &mut self.layers,
            Phase::Back => &mut self.back.get_or_insert_default().1,
        }
    }
}

impl<'a> Prover<'a> {
    fn new(mut terms: Terms<'a>, wanted: Wanted, hints: Hints) -> Prover<'a> {
        let lefts: FxHashMap<u32, u32> = hints.lefts.into_iter().map(|(at, left)| (at, terms.left(left))).collect();
        let rivals: FxHashMap<u32, u32> =
            hints.rivals.into_iter().map(|(at, rival)| (at, terms.rival(rival))).collect();
        // INVARIANT: where lefts and rivals have a past, each that is hinted has its meaning beside it.
        let translated = |all: Vec<Hinted>| -> Vec<Hinted> {
            let own = |(left, others): Hinted| {
                let others = others.iter().map(|rival| rivals.get(rival).copied()).collect::<Option<Together>>()?;
                Some((*lefts.get(&left)?, others))
            };
            if terms.ground.has_past() { all.into_iter().filter_map(own).collect() } else { all }
        };
        let built = Built {
            twins: Positions::new(translated(hints.twins), true),
            simulations: Positions::new(translated(hints.simulations), false),
            lockstep: Steps::new(&terms, hints.lockstep),
            ..Built::default()
        };
        Prover { terms, wanted, built }
    }

    fn run(mut self, turned: Option<&Ground>) -> Result<Certificate, Stopped> {
        if self.wanted.initial {
            if turned.is_none() {
                self.start_initial()?;
            }
        } else {
            self.explore_estimates()?;
        }
        match turned {
            Some(turned) => self.explore_back(turned)?,
            None => self.explore_layers()?,
        }
        Ok(assemble(&self.terms, self.wanted, &self.built))
    }

    fn explore_estimates(&mut self) -> Result<(), Stopped> {
        let ground = self.terms.ground;
        let states = ground.close(ground.initial().iter().copied());
        let set = self.terms.start_set(&states);
        for state in states {
            let left = self.terms.start_left(state);
            let cover = self.cover(Phase::Estimates, left, set, (0, false))?;
            self.built.start.push(cover);
        }
        while let Some(at) = self.built.estimates.todo.pop_front() {
            self.expand(Phase::Estimates, ground, at)?;
        }
        Ok(())
    }

    fn start_initial(&mut self) -> Result<(), Stopped> {
        let states = self.terms.ground.initial();
        let set = self.terms.start_set(states);
        // WHY: the checker closes what is left of X0 under silent moves, so it must know all of X0.
        self.terms.name_all(set);
        for &state in states {
            let left = self.terms.start_left(state);
            let covers = self.jump(left, set)?;
            self.built.start.extend(covers);
        }
        Ok(())
    }

    fn explore_layers(&mut self) -> Result<(), Stopped> {
        for at in 0..self.built.estimates.entries.len() {
            let entry = &self.built.estimates.entries[at];
            let (left, set) = (entry.left, entry.set);
            if entry.instead.is_none() {
                let covers = self.jump(left, set)?;
                self.built.estimates.entries[at].covers.extend(covers);
            }
        }
        while let Some(at) = self.built.layers.todo.pop_front() {
            self.expand(Phase::Layers, self.terms.ground, at)?;
        }
        Ok(())
    }

    fn explore_back(&mut self, turned: &Ground) -> Result<(), Stopped> {
        let set = self.terms.set_of((0..turned.n_states() as u32).collect());
        self.built.back = Some((Vec::new(), Chain::default()));
        self.terms.forget_images();
        for state in 0..turned.n_states() as u32 {
            let cover = self.cover(Phase::Back, state, set, (0, false))?;
            if let Some((start, _)) = &mut self.built.back {
                start.push(cover);
            }
        }
        while let Some(at) = self.built.back.as_mut().and_then(|(_, chain)| chain.todo.pop_front()) {
            self.expand(Phase::Back, turned, at)?;
        }
        Ok(())
    }

    /// Covers what the moves of a pair lead to, unless a smaller pair stands in its place by now.
    fn expand(&mut self, phase: Phase, ground: &Ground, at: u32) -> Result<(), Stopped> {
        let entry = &self.built.chain(phase).entries[at as usize];
        let (left, set, layer) = (entry.left, entry.set, entry.layer);
        if let Some(other) = self.smaller(phase, left, set, layer, Some(at))? {
            self.built.chain(phase).entries[at as usize].instead = Some(other);
            return Ok(());
        }
        let moves = if phase == Phase::Back { Cow::Borrowed(ground.moves(left)) } else { self.terms.moves(left) };
        for &(letter, target) in moves.iter() {
            let later = phase != Phase::Estimates && letter != SILENT && self.wanted.horizon.is_some();
            let next = layer + u64::from(later);
            if self.wanted.horizon.is_some_and(|horizon| next > horizon) {
                continue;
            }
            let image = self.terms.image(ground, set, left, letter, target)?;
            let soon = self.wanted.horizon.is_some() && !later;
            let cover = self.cover(phase, target, image, (next, soon))?;
            self.built.chain(phase).entries[at as usize].covers.push(cover);
        }
        Ok(())
    }

    /// Covers the jumps of a left from an estimate.
    fn jump(&mut self, left: u32, set: u32) -> Result<Vec<Cover>, Stopped> {
        let ground = self.terms.ground;
        let state = self.terms.left_state(left);
        if !ground.jumps(state) {
            return Ok(Vec::new());
        }
        let classes = self.terms.classes(set);
        // WHY: each choice is a list of its own, and all are held.
        let held = self.terms.spending.left.memory / (64 + 8 * ground.together() as u64);
        let most = usize::try_from(self.terms.spending.left.work.min(held / 8)).unwrap_or(usize::MAX).min(1 << 24);
        let exposed = exposed_sets(&classes, ground.class(state), ground.together(), most);
        let mut covers = Vec::new();
        for hidden in exposed.ok_or(Stopped::TooLarge)? {
            let rivals = self.terms.outside(set, &hidden)?;
            covers.push(self.cover(Phase::Layers, left, rivals, (0, false))?);
        }
        Ok(covers)
    }

    /// What covers a left with a set: a rival that lasts, a pair that is there, or a new one.
    fn cover(&mut self, phase: Phase, left: u32, set: u32, (layer, soon): (u64, bool)) -> Result<Cover, Stopped> {
        if phase != Phase::Back
            && let Some(lasting) = self.lasting(phase == Phase::Layers, left, set)?
        {
            return Ok(lasting);
        }
        if let Some(pair) = self.smaller(phase, left, set, layer, None)? {
            return Ok(Cover::Pair(pair));
        }
        if phase == Phase::Layers && self.terms.set(set).is_empty() {
            return Err(Stopped::Refuted);
        }
        self.terms.spending.bytes += 96;
        Ok(Cover::Pair(self.built.chain(phase).add(left, set, layer, soon)))
    }

    fn lasting(&mut self, layers: bool, left: u32, set: u32) -> Result<Option<Cover>, Stopped> {
        if layers {
            let double = self.terms.double(left);
            if self.terms.set(set).binary_search(&double).is_ok() {
                self.terms.named.push(double);
                return Ok(Some(Cover::Double));
            }
        }
        if let Some((place, rival)) = self.built.lockstep.find(&mut self.terms, left, set, !layers)? {
            return Ok(Some(Cover::Lockstep(place, rival)));
        }
        if let Some(at) = self.built.twins.find(&mut self.terms, left, set, layers)? {
            return Ok(Some(Cover::Twins(at)));
        }
        let found = if layers { self.built.simulations.find(&mut self.terms, left, set, false)? } else { None };
        Ok(found.map(Cover::Simulation))
    }

    /// A pair of the same left with a smaller set, no later.
    fn smaller(
        &mut self,
        phase: Phase,
        left: u32,
        set: u32,
        layer: u64,
        except: Option<u32>,
    ) -> Result<Option<u32>, Stopped> {
        if except.is_none()
            && let Some(same) = self.built.chain(phase).same(left, set, layer)
        {
            return Ok(Some(same));
        }
        let mut tests = 0;
        let found = self.built.chain(phase).of(left).find(|(at, entry)| {
            tests += 1;
            Some(*at) != except && entry.layer <= layer && self.terms.is_subset(entry.set, set)
        });
        let found = found.map(|(at, _)| at);
        let chain = self.built.chain(phase);
        chain.tests += tests;
        chain.gains += u64::from(found.is_some());
        self.terms.spend(tests)?;
        Ok(found)
    }
}
