//! The checker of certificates.

use super::model::{Ground, Left, Rival, SILENT};
use super::{Certificate, Cover, Pair};
use crate::automaton::view::View;
use crate::model::Property;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Checks a certificate. The error says where it fails.
pub fn check(view: &View<'_>, property: &Property, certificate: &Certificate) -> Result<(), String> {
    let ground = Ground::of_blocks(view, property, certificate.blocks.as_deref())?;
    let checker = Checker::new(&ground, certificate)?;
    checker.check_lasting()?;
    checker.check_start()?;
    for (at, pair) in by_set(&certificate.estimates) {
        checker.check_pair(Phase::Estimates, pair).map_err(|fault| format!("estimate {at}: {fault}"))?;
    }
    for (at, pair) in by_set(&certificate.layers) {
        checker.check_pair(Phase::Layers, pair).map_err(|fault| format!("layer pair {at}: {fault}"))?;
    }
    match &certificate.back {
        Some((start, back)) => checker.check_back(start, back),
        None => Ok(()),
    }
}

/// Which pairs a cover speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Estimates,
    Layers,
}

/// Pairs in the order of their sets, so that what is computed for a set is at hand.
fn by_set(pairs: &[Pair]) -> Vec<(usize, &Pair)> {
    let mut all: Vec<(usize, &Pair)> = pairs.iter().enumerate().collect();
    all.sort_by_key(|(_, pair)| pair.set);
    all
}

/// A certificate beside the view it speaks of.
pub(super) struct Checker<'a> {
    pub(super) ground: &'a Ground,
    pub(super) certificate: &'a Certificate,
    numbers: HashMap<&'a Rival, u32>,
    images: std::cell::RefCell<Images>,
}

/// A letter, and what the run remembers before and after it.
type Move = (Vec<u32>, u32, Vec<u32>);

/// A set that was computed once, and which sets of the certificate lie inside it, as far as that was asked.
#[derive(Default)]
struct Image {
    members: Vec<u32>,
    inside: std::cell::RefCell<BTreeSet<u32>>,
}

impl Image {
    fn new(members: Vec<u32>) -> Image {
        Image { members, ..Image::default() }
    }

    /// Whether a set of the certificate lies inside.
    fn holds(&self, certificate: &Certificate, set: u32) -> bool {
        let mut inside = self.inside.borrow_mut();
        if inside.contains(&set) {
            return true;
        }
        let holds = is_subset(&certificate.sets[set as usize], &self.members);
        holds && inside.insert(set)
    }
}

type Shared = std::rc::Rc<Image>;

/// What moves and jumps make of one set.
#[derive(Default)]
struct Images {
    set: Option<u32>,
    moves: BTreeMap<Move, Shared>,
    jumps: BTreeMap<Vec<u32>, Shared>,
}

type Checked = Result<(), String>;

impl<'a> Checker<'a> {
    /// Every number means something, every list is sorted.
    fn new(ground: &'a Ground, certificate: &'a Certificate) -> Result<Checker<'a>, String> {
        let past = ground.has_past();
        let remembers = !certificate.lefts.is_empty() || !certificate.rivals.is_empty();
        if remembers && !past {
            return Err("nothing is hidden in this view, so nothing has a past".to_owned());
        }
        if past && certificate.back.is_some() {
            return Err("a view with a past has no proof from behind".to_owned());
        }
        let n_rivals = if past { certificate.rivals.len() } else { ground.n_states() } as u32;
        let n_lefts = if past { certificate.lefts.len() } else { ground.n_states() } as u32;
        let n_sets = certificate.sets.len() as u32;
        let n_states = ground.n_states() as u32;
        let sorted = |list: &[u32]| list.is_sorted_by(|one, other| one < other);
        let fits = certificate.lefts.iter().all(|left| left.state < n_states && sorted(&left.used))
            && certificate.rivals.iter().all(|rival| rival.state < n_states && sorted(&rival.spent))
            && certificate.sets.iter().all(|set| sorted(set) && set.last().is_none_or(|&last| last < n_rivals));
        if !fits {
            return Err("a list is not sorted, or a number means nothing".to_owned());
        }
        let back = certificate.back.iter().flat_map(|(_, pairs)| pairs);
        let pairs = certificate.estimates.iter().chain(&certificate.layers).chain(back);
        for pair in pairs {
            let layer = pair.layer <= certificate.horizon.unwrap_or(0);
            if pair.left >= n_lefts || pair.set >= n_sets || !layer {
                return Err("a pair names what is not there".to_owned());
            }
        }
        for position in certificate.twins.iter().chain(&certificate.simulations) {
            if position.left >= n_lefts || position.rivals.iter().any(|&rival| rival >= n_rivals) {
                return Err("a position names what is not there".to_owned());
            }
        }
        let numbers = certificate.rivals.iter().zip(0u32..).collect();
        Ok(Checker { ground, certificate, numbers, images: std::cell::RefCell::default() })
    }

    /// The left of a number that means one.
    pub(super) fn left(&self, number: u32) -> Left {
        match self.certificate.lefts.get(number as usize) {
            Some(left) => left.clone(),
            None => Left { state: number, used: Vec::new() },
        }
    }

    /// The state of a rival.
    pub(super) fn rival_state(&self, number: u32) -> u32 {
        self.certificate.rivals.get(number as usize).map_or(number, |rival| rival.state)
    }

    /// Whether a number means this left.
    pub(super) fn is_left(&self, number: u32, left: &Left) -> bool {
        match self.certificate.lefts.get(number as usize) {
            Some(known) => known == left,
            None => !self.ground.has_past() && left.state == number,
        }
    }

    /// Where the moves of a left lead: (letter, left).
    pub(super) fn moves(&self, left: &Left) -> impl Iterator<Item = (u32, Left)> + '_ {
        let used = left.used.clone();
        self.ground.moves(left.state).iter().map(move |&(letter, target)| {
            (letter, Left { state: target, used: self.ground.used_after(&used, letter, target) })
        })
    }

    /// The rivals that the certificate knows, by number. Others may be left out of a set, which is sound.
    fn known(&self, rivals: &[Rival]) -> Vec<u32> {
        let mut known: Vec<u32> = rivals.iter().filter_map(|rival| self.numbers.get(rival).copied()).collect();
        known.sort_unstable();
        known
    }

    fn rivals(&self, set: &[u32]) -> Vec<Rival> {
        set.iter().filter_map(|&number| self.certificate.rivals.get(number as usize).cloned()).collect()
    }

    /// UR.
    fn close(&self, set: &[u32]) -> Vec<u32> {
        if self.ground.has_past() {
            return self.known(&self.ground.close_rivals(self.rivals(set)));
        }
        self.ground.close(set.iter().copied())
    }

    /// What a move of the run makes of a set.
    fn post(&self, set: &[u32], used: &[u32], letter: u32, after: &[u32]) -> Vec<u32> {
        match letter {
            _ if self.ground.has_past() => self.known(&self.ground.post_rivals(&self.rivals(set), used, letter, after)),
            SILENT => set.to_vec(),
            _ => self.ground.post(set, letter),
        }
    }

    /// What a move makes of one rival, silent moves before it included.
    pub(super) fn reply(&self, rival: u32, used: &[u32], letter: u32, after: &[u32]) -> Vec<u32> {
        if self.ground.has_past() {
            let before = self.ground.close_rivals(self.rivals(&[rival]));
            return self.known(&self.ground.post_rivals(&before, used, letter, after));
        }
        let mut replies = Vec::new();
        self.ground.becomes(rival, letter, &mut replies);
        replies
    }

    /// Whether a set holds the run's own double.
    pub(super) fn holds_double(&self, left: &Left, set: &[u32]) -> bool {
        let double = match self.ground.has_past() {
            true => self.numbers.get(&self.ground.double(left)).copied(),
            false => Some(left.state),
        };
        double.is_some_and(|double| set.binary_search(&double).is_ok())
    }

    /// Every state of UR(X0) with all of them; for `initial`, every jump over X0.
    fn check_start(&self) -> Checked {
        let ground = self.ground;
        let start = |states: Vec<u32>| match ground.has_past() {
            false => states,
            true => {
                let rival = |&state: &u32| Rival { state, images: Vec::new(), spent: Vec::new() };
                self.known(&states.iter().map(rival).collect::<Vec<Rival>>())
            }
        };
        let mut covers = self.certificate.start.iter();
        if self.certificate.initial && self.certificate.back.is_some() {
            return ended(covers);
        }
        if self.certificate.initial {
            let set = start(ground.initial().to_vec());
            for &state in ground.initial() {
                self.check_jumps(&Left { state, used: Vec::new() }, &set, None, &mut covers)?;
            }
        } else {
            let closed = ground.close(ground.initial().iter().copied());
            let set = Image::new(start(closed.clone()));
            for state in closed {
                let left = Left { state, used: Vec::new() };
                self.covered(Phase::Estimates, covers.next(), &left, &set, 0)
                    .map_err(|fault| format!("at the start, {fault}"))?;
            }
        }
        ended(covers)
    }

    /// Every move of a pair leads to what is covered, and so does every jump of an estimate.
    fn check_pair(&self, phase: Phase, pair: &Pair) -> Checked {
        let left = self.left(pair.left);
        let set = &self.certificate.sets[pair.set as usize];
        if phase == Phase::Layers && set.is_empty() {
            return Err("a set of rivals is empty".to_owned());
        }
        let mut covers = pair.covers.iter();
        for (letter, target) in self.moves(&left) {
            let Some(layer) = self.next_layer(phase, pair.layer, letter) else { continue };
            let image = self.image(pair.set, &left.used, letter, &target.used);
            self.covered(phase, covers.next(), &target, &image, layer)?;
        }
        if phase == Phase::Estimates && self.certificate.back.is_none() {
            self.check_jumps(&left, set, Some(pair.set), &mut covers)?;
        }
        ended(covers)
    }

    /// The layer after a letter; none when it lies beyond the horizon.
    fn next_layer(&self, phase: Phase, layer: u64, letter: u32) -> Option<u64> {
        match self.certificate.horizon {
            Some(horizon) if phase == Phase::Layers && letter != SILENT => {
                layer.checked_add(1).filter(|&next| next <= horizon)
            }
            _ => Some(layer),
        }
    }

    /// What a move makes of a set of the certificate, computed once while its pairs are looked at.
    fn image(&self, set: u32, used: &[u32], letter: u32, after: &[u32]) -> Shared {
        let mut images = self.images.borrow_mut();
        images.turn_to(set);
        let key = (used.to_vec(), letter, after.to_vec());
        let post = || Image::new(self.post(&self.certificate.sets[set as usize], used, letter, after)).into();
        images.moves.entry(key).or_insert_with(post).clone()
    }

    /// Every jump leads to rivals that are covered.
    fn check_jumps<'c>(
        &self,
        left: &Left,
        set: &[u32],
        place: Option<u32>,
        covers: &mut std::slice::Iter<'c, Cover>,
    ) -> Checked {
        if !self.ground.jumps(left.state) {
            return Ok(());
        }
        let mut classes: Vec<u32> = set.iter().map(|&rival| self.ground.class(self.rival_state(rival))).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut images = self.images.borrow_mut();
        images.turn_to(place.unwrap_or(u32::MAX));
        let most = covers.len();
        let exposed = exposed_sets(&classes, self.ground.class(left.state), self.ground.together(), most);
        for hidden in exposed.ok_or("there are fewer covers than jumps")? {
            let outside = || {
                let kept = |rival: &&u32| !hidden.contains(&self.ground.class(self.rival_state(**rival)));
                let outside: Vec<u32> = set.iter().filter(kept).copied().collect();
                Image::new(self.close(&outside)).into()
            };
            let image = images.jumps.entry(hidden.clone()).or_insert_with(outside).clone();
            self.covered(Phase::Layers, covers.next(), left, &image, 0)
                .map_err(|fault| format!("at a jump, {fault}"))?;
        }
        Ok(())
    }

    /// Whether a cover does cover a left with a set.
    fn covered(&self, phase: Phase, cover: Option<&Cover>, left: &Left, set: &Image, layer: u64) -> Checked {
        let own = &self.certificate;
        let holds = |rival: &u32| set.members.binary_search(rival).is_ok();
        let fine = match cover {
            Some(&Cover::Pair(at)) => {
                let pairs = if phase == Phase::Estimates { &own.estimates } else { &own.layers };
                pairs.get(at as usize).is_some_and(|pair| self.covers(pair, left, set, layer))
            }
            Some(&Cover::Twins(at)) => own.twins.get(at as usize).is_some_and(|twins| {
                let all = twins.rivals.iter().all(holds);
                let enough = all || (phase == Phase::Layers && twins.rivals.iter().any(holds));
                enough && self.is_left(twins.left, left)
            }),
            Some(&Cover::Simulation(at)) => own.simulations.get(at as usize).is_some_and(|position| {
                phase == Phase::Layers && self.is_left(position.left, left) && position.rivals.iter().all(holds)
            }),
            Some(&Cover::Lockstep(at, rival)) => {
                holds(&rival) && self.in_lockstep(at, left, rival, phase == Phase::Estimates)
            }
            Some(Cover::Double) => phase == Phase::Layers && self.holds_double(left, &set.members),
            None => false,
        };
        if fine {
            Ok(())
        } else {
            Err(format!("state {} with {} rivals is not covered", left.state, set.members.len()))
        }
    }

    fn covers(&self, pair: &Pair, left: &Left, set: &Image, layer: u64) -> bool {
        self.is_left(pair.left, left) && pair.layer <= layer && set.holds(self.certificate, pair.set)
    }

    /// From behind: every set that can show some β is covered, and none meets an estimate of the same state inside an
    /// exposed set.
    fn check_back(&self, start: &[Cover], back: &[Pair]) -> Checked {
        let turned = self.ground.turned_around();
        let all = Image::new((0..self.ground.n_states() as u32).collect());
        let covered = |cover: Option<&Cover>, state: u32, set: &Image, layer: u64| match cover {
            Some(&Cover::Pair(at)) => back
                .get(at as usize)
                .is_some_and(|pair| pair.left == state && pair.layer <= layer && set.holds(self.certificate, pair.set)),
            _ => false,
        };
        let mut states = (0u32..).zip(start);
        if start.len() != all.members.len() || !states.all(|(state, cover)| covered(Some(cover), state, &all, 0)) {
            return Err("from behind, the set of all states is not covered".to_owned());
        }
        let mut posts: BTreeMap<u32, Image> = BTreeMap::new();
        let mut of = None;
        for (at, pair) in by_set(back) {
            if of.replace(pair.set) != Some(pair.set) {
                posts.clear();
            }
            let set = &self.certificate.sets[pair.set as usize];
            let mut covers = pair.covers.iter();
            for &(letter, before) in turned.moves(pair.left) {
                let Some(layer) = self.next_layer(Phase::Layers, pair.layer, letter) else { continue };
                let post = |letter| if letter == SILENT { set.clone() } else { turned.post(set, letter) };
                let image = posts.entry(letter).or_insert_with(|| Image::new(post(letter)));
                if !covered(covers.next(), before, image, layer) {
                    return Err(format!("back pair {at}: state {before} is not covered"));
                }
            }
            ended(covers)?;
        }
        self.check_meetings(back)
    }

    /// No estimate of a state meets a set of the same state inside an exposed set.
    fn check_meetings(&self, back: &[Pair]) -> Checked {
        let initial = self.ground.initial().to_vec();
        let mut fronts: BTreeMap<u32, Vec<&[u32]>> = BTreeMap::new();
        if self.certificate.initial {
            self.ground.initial().iter().for_each(|&state| fronts.entry(state).or_default().push(&initial));
        }
        for pair in &self.certificate.estimates {
            fronts.entry(pair.left).or_default().push(&self.certificate.sets[pair.set as usize]);
        }
        let mut fine: BTreeSet<(*const u32, u32)> = BTreeSet::new();
        for pair in back.iter().filter(|pair| self.ground.jumps(pair.left)) {
            let rivals = &self.certificate.sets[pair.set as usize];
            for estimate in fronts.get(&pair.left).into_iter().flatten() {
                // WHY: a meeting that holds the state itself is the same for every such state.
                let own = estimate.binary_search(&pair.left).is_ok() && rivals.binary_search(&pair.left).is_ok();
                if own && !fine.insert((estimate.as_ptr(), pair.set)) {
                    continue;
                }
                if self.ground.is_exposed(common(estimate, rivals).chain([pair.left])) {
                    return Err(format!("the estimate {estimate:?} of state {} is exposed", pair.left));
                }
            }
        }
        Ok(())
    }
}

impl Images {
    /// Forgets what was computed for another set.
    fn turn_to(&mut self, set: u32) {
        if self.set.replace(set) != Some(set) {
            self.moves.clear();
            self.jumps.clear();
        }
    }
}

/// No cover is left over.
fn ended<'c>(mut covers: impl Iterator<Item = &'c Cover>) -> Checked {
    match covers.next() {
        None => Ok(()),
        Some(_) => Err("there are more covers than pairs to cover".to_owned()),
    }
}

/// The largest exposed sets around a class, out of these classes, in order: each sorted. None when there are more than `most`.
pub(crate) fn exposed_sets(classes: &[u32], own: u32, together: usize, most: usize) -> Option<Vec<Vec<u32>>> {
    let others: Vec<u32> = classes.iter().copied().filter(|&class| class != own).collect();
    let more = (together - 1).min(others.len());
    let mut chosen: Vec<usize> = (0..more).collect();
    let mut all = Vec::new();
    loop {
        if all.len() == most {
            return None;
        }
        let mut one: Vec<u32> = chosen.iter().map(|&at| others[at]).chain([own]).collect();
        one.sort_unstable();
        all.push(one);
        // The next choice in order: the last place that can move on does, and those after it follow it closely.
        let Some(at) = (0..more).rev().find(|&at| chosen[at] + (more - at) < others.len()) else { return Some(all) };
        chosen[at] += 1;
        for later in at + 1..more {
            chosen[later] = chosen[later - 1] + 1;
        }
    }
}

pub(crate) fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|member| rest.find(|other| *other >= member) == Some(member))
}

/// What two sorted lists have in common.
fn common<'l>(one: &'l [u32], other: &'l [u32]) -> impl Iterator<Item = u32> + 'l {
    let mut rest = other.iter().peekable();
    one.iter().copied().filter(move |member| {
        while rest.next_if(|next| *next < member).is_some() {}
        rest.peek() == Some(&member)
    })
}
