//! Builds the proof: explores from the start, and says of every pair that it meets what covers it.

use super::Hints;
use super::assemble::assemble;
use super::chain::Chain;
use super::lasting::{Positions, Steps};
use crate::automaton::view::View;
use crate::model::Property;
use crate::verify::certificate::check::{exposed_sets, is_subset};
use crate::verify::certificate::ground::{Ground, SILENT};
use crate::verify::certificate::{Certificate, Cover, Left, Rival};
use crate::verify::kept::Kept;
use crate::verify::limits::Growth;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What is to be proved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// For |β| up to this; none: for all.
    pub(crate) horizon: Option<u64>,
    /// Only α = ε, over X0 itself.
    pub(crate) initial: bool,
}

/// What a proof may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance<'a> {
    /// Members of sets looked at.
    pub(crate) work: u64,
    /// Bytes, with those of the certificate and of its checker.
    pub(crate) memory: u64,
    pub(crate) growth: Growth<'a>,
    pub(crate) until: Option<Instant>,
    pub(crate) interrupted: Option<&'a AtomicBool>,
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

/// Why a proof ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    TooLarge,
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
    let mut prover = Prover::new(&ground, wanted, allowance);
    match prover.run(hints, turned.as_ref()) {
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
pub(super) struct Prover<'a> {
    ground: &'a Ground,
    pub(super) wanted: Wanted,
    allowance: Allowance<'a>,
    looks: u64,
    bytes: u64,
    pub(super) lefts: Kept<Left>,
    pub(super) rivals: Kept<Rival>,
    pub(super) sets: Kept<Vec<u32>>,
    /// One bit for each member, modulo 64.
    masks: Vec<u64>,
    pasts: Kept<(Vec<u32>, Vec<u32>)>,
    images: FxHashMap<(u32, u32, u32), u32>,
    /// Rivals that the certificate names, though they may stand in none of its sets: doubles that cover something, and X0.
    pub(super) named: Vec<u32>,
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

impl<'a> Prover<'a> {
    fn new(ground: &'a Ground, wanted: Wanted, allowance: Allowance<'a>) -> Prover<'a> {
        Prover {
            ground,
            wanted,
            allowance,
            looks: 0,
            bytes: 0,
            lefts: Kept::new(),
            rivals: Kept::new(),
            sets: Kept::new(),
            masks: Vec::new(),
            pasts: Kept::new(),
            images: FxHashMap::default(),
            named: Vec::new(),
        }
    }

    fn run(&mut self, hints: Hints, turned: Option<&Ground>) -> Result<Certificate, Stopped> {
        let mut built = Built {
            twins: Positions::new(self, hints.twins, true),
            simulations: Positions::new(self, hints.simulations, false),
            lockstep: Steps::new(self, hints.lockstep),
            ..Built::default()
        };
        if self.wanted.initial {
            if turned.is_none() {
                self.start_initial(&mut built)?;
            }
        } else {
            self.explore_estimates(&mut built)?;
        }
        match turned {
            Some(turned) => self.explore_back(&mut built, turned)?,
            None => self.explore_layers(&mut built)?,
        }
        Ok(assemble(self, built))
    }

    pub(super) fn ground(&self) -> &'a Ground {
        self.ground
    }

    /// Spends work; an error when there is none left.
    pub(super) fn spend(&mut self, work: u64) -> Result<(), Stopped> {
        let left = self.allowance.work.checked_sub(work);
        self.allowance.work = left.ok_or(Stopped::TooLarge)?;
        // WHY a third: the certificate that is made of it takes about as much again, and so does its checker.
        if self.bytes > self.allowance.memory / 3 {
            return Err(Stopped::TooLarge);
        }
        self.looks += work;
        if self.looks > 100_000 {
            self.looks = 0;
            let late = self.allowance.until.is_some_and(|until| Instant::now() >= until);
            let ended = self.allowance.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed));
            if late || ended || self.allowance.growth.passes(50, self.allowance.memory) {
                return Err(Stopped::TooLarge);
            }
        }
        Ok(())
    }

    /// The number of a left.
    pub(super) fn left(&mut self, left: Left) -> u32 {
        if !self.ground.has_past() {
            return left.state;
        }
        self.bytes += 8;
        self.lefts.intern(left).0
    }

    /// The number of a rival.
    pub(super) fn rival(&mut self, rival: Rival) -> u32 {
        if !self.ground.has_past() {
            return rival.state;
        }
        let bytes = 160 + 8 * (rival.images.len() + rival.spent.len()) as u64;
        let (number, new) = self.rivals.intern(rival);
        if new {
            self.bytes += bytes;
        }
        number
    }

    pub(super) fn left_state(&self, left: u32) -> u32 {
        self.lefts.get(left).map_or(left, |left| left.state)
    }

    fn left_of(&self, left: u32) -> Left {
        self.lefts.get(left).cloned().unwrap_or(Left { state: left, used: Vec::new() })
    }

    pub(super) fn rival_state(&self, rival: u32) -> u32 {
        self.rivals.get(rival).map_or(rival, |rival| rival.state)
    }

    pub(super) fn set(&self, set: u32) -> &[u32] {
        &self.sets[set]
    }

    /// The number of a set.
    fn intern(&mut self, set: Vec<u32>) -> u32 {
        let (number, new) = self.sets.intern(set);
        if new {
            let set = &self.sets[number];
            self.masks.push(set.iter().fold(0, |mask, member| mask | 1 << (member % 64)));
            self.bytes += 120 + 8 * set.len() as u64;
        }
        number
    }

    fn is_subset(&self, small: u32, large: u32) -> bool {
        small == large
            || (self.masks[small as usize] & !self.masks[large as usize] == 0
                && is_subset(self.set(small), self.set(large)))
    }

    /// The moves of a left: (letter, left).
    pub(super) fn moves(&mut self, left: u32) -> Vec<(u32, u32)> {
        let ground = self.ground;
        if !ground.has_past() {
            return ground.moves(left).to_vec();
        }
        let from = self.left_of(left);
        let moves = ground.moves(from.state).iter();
        moves
            .map(|&(letter, target)| {
                let used = ground.used_after(&from.used, letter, target);
                (letter, self.left(Left { state: target, used }))
            })
            .collect()
    }

    /// The run's own double.
    pub(super) fn double(&mut self, left: u32) -> u32 {
        let double = self.ground.double(&self.left_of(left));
        self.rival(double)
    }

    /// Whether a rival has used ρ(a) for each a that the left used, and none that ρ will ask for.
    pub(super) fn agrees(&self, left: u32, rival: u32, rho: &[u32]) -> bool {
        let (Some(left), Some(rival)) = (self.lefts.get(left), self.rivals.get(rival)) else {
            return true;
        };
        let image = |letter: &u32| rho[*letter as usize];
        let ahead = self.ground.reach(left.state).iter().filter(|letter| left.used.binary_search(letter).is_err());
        rival.images.len() == left.used.len()
            && left.used.iter().zip(&rival.images).all(|(letter, own)| image(letter) == *own)
            && ahead.map(image).all(|own| rival.spent.binary_search(&own).is_err())
    }

    /// What a move makes of one rival, silent moves before it included.
    pub(super) fn reply(&mut self, left: u32, rival: u32, letter: u32, target: u32) -> Result<Vec<u32>, Stopped> {
        let ground = self.ground;
        let replies = if ground.has_past() {
            let before = ground.close_rivals([self.rivals[rival].clone()]);
            let (used, after) = (self.left_of(left).used, self.left_of(target).used);
            let after = ground.post_rivals(&before, &used, letter, &after);
            self.numbers(after)
        } else {
            ground.becomes(rival, letter)
        };
        self.spend(1 + replies.len() as u64)?;
        Ok(replies)
    }

    fn numbers(&mut self, rivals: Vec<Rival>) -> Vec<u32> {
        let mut numbers: Vec<u32> = rivals.into_iter().map(|rival| self.rival(rival)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// What a move makes of a set; computed once.
    fn image(&mut self, ground: &Ground, set: u32, left: u32, letter: u32, target: u32) -> Result<u32, Stopped> {
        let past = match ground.has_past() {
            true => self.pasts.intern((self.left_of(left).used, self.left_of(target).used)).0,
            false if letter == SILENT => return Ok(set),
            false => 0,
        };
        if let Some(&image) = self.images.get(&(set, letter, past)) {
            return Ok(image);
        }
        self.spend(1 + self.set(set).len() as u64)?;
        let image = if ground.has_past() {
            let rivals = self.rivals_of(set);
            let (used, after) = &self.pasts[past];
            let after = ground.post_rivals(&rivals, used, letter, after);
            self.numbers(least(after))
        } else {
            ground.post(self.set(set), letter)
        };
        let image = self.intern(image);
        self.bytes += 32;
        self.images.insert((set, letter, past), image);
        Ok(image)
    }

    fn rivals_of(&self, set: u32) -> Vec<Rival> {
        self.set(set).iter().map(|&rival| self.rivals[rival].clone()).collect()
    }

    /// UR of states that start.
    fn start_set(&mut self, states: &[u32]) -> u32 {
        let fresh = |&state: &u32| Rival { state, images: Vec::new(), spent: Vec::new() };
        let mut set: Vec<u32> = states.iter().map(|state| self.rival(fresh(state))).collect();
        set.sort_unstable();
        self.intern(set)
    }

    fn explore_estimates(&mut self, built: &mut Built) -> Result<(), Stopped> {
        let states = self.ground.close(self.ground.initial().iter().copied());
        let set = self.start_set(&states);
        for &state in &states {
            let left = self.left(Left { state, used: Vec::new() });
            let cover = self.cover(built, Phase::Estimates, left, set, (0, false))?;
            built.start.push(cover);
        }
        while let Some(at) = built.estimates.todo.pop_front() {
            self.expand(built, Phase::Estimates, self.ground, at)?;
        }
        Ok(())
    }

    fn start_initial(&mut self, built: &mut Built) -> Result<(), Stopped> {
        let states = self.ground.initial().to_vec();
        let set = self.start_set(&states);
        // WHY: the checker closes what is left of X0 under silent moves, so it must know all of X0.
        self.named.extend(self.sets[set].iter().copied());
        for &state in &states {
            let left = self.left(Left { state, used: Vec::new() });
            let covers = self.jump(built, left, set)?;
            built.start.extend(covers);
        }
        Ok(())
    }

    fn explore_layers(&mut self, built: &mut Built) -> Result<(), Stopped> {
        for at in 0..built.estimates.entries.len() {
            let entry = &built.estimates.entries[at];
            let (left, set) = (entry.left, entry.set);
            if entry.instead.is_none() {
                let covers = self.jump(built, left, set)?;
                built.estimates.entries[at].covers.extend(covers);
            }
        }
        while let Some(at) = built.layers.todo.pop_front() {
            self.expand(built, Phase::Layers, self.ground, at)?;
        }
        Ok(())
    }

    fn explore_back(&mut self, built: &mut Built, turned: &Ground) -> Result<(), Stopped> {
        let set = self.intern((0..turned.n_states() as u32).collect());
        built.back = Some((Vec::new(), Chain::default()));
        // What moves make of sets in the automaton as it is says nothing about it turned around.
        self.images.clear();
        for state in 0..turned.n_states() as u32 {
            let cover = self.cover(built, Phase::Back, state, set, (0, false))?;
            if let Some((start, _)) = &mut built.back {
                start.push(cover);
            }
        }
        while let Some(at) = built.back.as_mut().and_then(|(_, chain)| chain.todo.pop_front()) {
            self.expand(built, Phase::Back, turned, at)?;
        }
        Ok(())
    }

    /// Covers what the moves of a pair lead to, unless a smaller pair stands in its place by now.
    fn expand(&mut self, built: &mut Built, phase: Phase, ground: &Ground, at: u32) -> Result<(), Stopped> {
        let entry = &chain(built, phase).entries[at as usize];
        let (left, set, layer) = (entry.left, entry.set, entry.layer);
        if let Some(other) = self.smaller(built, phase, left, set, layer, Some(at))? {
            chain(built, phase).entries[at as usize].instead = Some(other);
            return Ok(());
        }
        let moves = if phase == Phase::Back { ground.moves(left).to_vec() } else { self.moves(left) };
        for (letter, target) in moves {
            let later = phase != Phase::Estimates && letter != SILENT && self.wanted.horizon.is_some();
            let next = layer + u64::from(later);
            if self.wanted.horizon.is_some_and(|horizon| next > horizon) {
                continue;
            }
            let image = self.image(ground, set, left, letter, target)?;
            let soon = self.wanted.horizon.is_some() && !later;
            let cover = self.cover(built, phase, target, image, (next, soon))?;
            chain(built, phase).entries[at as usize].covers.push(cover);
        }
        Ok(())
    }

    /// Covers the jumps of a left from an estimate.
    fn jump(&mut self, built: &mut Built, left: u32, set: u32) -> Result<Vec<Cover>, Stopped> {
        let state = self.left_state(left);
        if !self.ground.jumps(state) {
            return Ok(Vec::new());
        }
        let mut classes: Vec<u32> =
            self.set(set).iter().map(|&rival| self.ground.class(self.rival_state(rival))).collect();
        classes.sort_unstable();
        classes.dedup();
        // WHY: each choice is a list of its own, and all are held.
        let held = self.allowance.memory / (64 + 8 * self.ground.together() as u64);
        let most = usize::try_from(self.allowance.work.min(held / 8)).unwrap_or(usize::MAX).min(1 << 24);
        let exposed = exposed_sets(&classes, self.ground.class(state), self.ground.together(), most);
        let mut covers = Vec::new();
        for hidden in exposed.ok_or(Stopped::TooLarge)? {
            let rivals = self.outside(set, &hidden)?;
            covers.push(self.cover(built, Phase::Layers, left, rivals, (0, false))?);
        }
        Ok(covers)
    }

    /// UR(S \ D).
    fn outside(&mut self, set: u32, hidden: &[u32]) -> Result<u32, Stopped> {
        self.spend(1 + self.set(set).len() as u64)?;
        let kept = |rival: &u32| !hidden.contains(&self.ground.class(self.rival_state(*rival)));
        let outside: Vec<u32> = self.set(set).iter().copied().filter(kept).collect();
        let closed = if self.ground.has_past() {
            let rivals: Vec<Rival> = outside.iter().map(|&rival| self.rivals[rival].clone()).collect();
            self.numbers(least(self.ground.close_rivals(rivals)))
        } else {
            self.ground.close(outside)
        };
        Ok(self.intern(closed))
    }

    /// What covers a left with a set: a rival that lasts, a pair that is there, or a new one.
    fn cover(
        &mut self,
        built: &mut Built,
        phase: Phase,
        left: u32,
        set: u32,
        (layer, soon): (u64, bool),
    ) -> Result<Cover, Stopped> {
        if phase != Phase::Back
            && let Some(lasting) = self.lasting(built, phase == Phase::Layers, left, set)?
        {
            return Ok(lasting);
        }
        if let Some(pair) = self.smaller(built, phase, left, set, layer, None)? {
            return Ok(Cover::Pair(pair));
        }
        if phase == Phase::Layers && self.set(set).is_empty() {
            return Err(Stopped::Refuted);
        }
        self.bytes += 96;
        Ok(Cover::Pair(chain(built, phase).add(left, set, layer, soon)))
    }

    fn lasting(&mut self, built: &mut Built, layers: bool, left: u32, set: u32) -> Result<Option<Cover>, Stopped> {
        if layers {
            let double = self.double(left);
            if self.set(set).binary_search(&double).is_ok() {
                self.named.push(double);
                return Ok(Some(Cover::Double));
            }
        }
        if let Some((place, rival)) = built.lockstep.find(self, left, set, !layers)? {
            return Ok(Some(Cover::Lockstep(place, rival)));
        }
        if let Some(at) = built.twins.find(self, left, set, layers)? {
            return Ok(Some(Cover::Twins(at)));
        }
        let found = if layers { built.simulations.find(self, left, set, false)? } else { None };
        Ok(found.map(Cover::Simulation))
    }

    /// A pair of the same left with a smaller set, no later.
    fn smaller(
        &mut self,
        built: &mut Built,
        phase: Phase,
        left: u32,
        set: u32,
        layer: u64,
        except: Option<u32>,
    ) -> Result<Option<u32>, Stopped> {
        if except.is_none()
            && let Some(same) = chain(built, phase).same(left, set, layer)
        {
            return Ok(Some(same));
        }
        let mut tests = 0;
        let found = chain(built, phase).of(left).find(|(at, entry)| {
            tests += 1;
            Some(*at) != except && entry.layer <= layer && self.is_subset(entry.set, set)
        });
        let found = found.map(|(at, _)| at);
        let chain = chain(built, phase);
        chain.tests += tests;
        chain.gains += u64::from(found.is_some());
        self.spend(tests)?;
        Ok(found)
    }
}

fn chain(built: &mut Built, phase: Phase) -> &mut Chain {
    match phase {
        Phase::Estimates => &mut built.estimates,
        Phase::Layers => &mut built.layers,
        Phase::Back => &mut built.back.get_or_insert_default().1,
    }
}

/// The rivals without those that have the same state and π as another, and have spent more.
fn least(rivals: Vec<Rival>) -> Vec<Rival> {
    let mut kept: Vec<Rival> = Vec::with_capacity(rivals.len());
    for some in rivals.chunk_by(|one, other| one.state == other.state && one.images == other.images) {
        let less =
            |one: &Rival, other: &Rival| one.spent.len() < other.spent.len() && is_subset(&one.spent, &other.spent);
        kept.extend(some.iter().filter(|rival| !some.iter().any(|other| less(other, rival))).cloned());
    }
    kept
}
