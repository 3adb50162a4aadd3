//! The checker of certificates: from a view, a property and a certificate to whether the certificate is a proof.

use super::model::{Actual, CheckerModel, EPSILON, Hypothesis};
use super::{Certificate, Cover, Pair};
use crate::automaton::view::View;
use crate::model::Property;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Checks a certificate. The error says where it fails.
pub fn check(view: &View<'_>, property: &Property, certificate: &Certificate) -> Result<(), String> {
    let model = CheckerModel::with_quotient(view, property, certificate.blocks.as_deref())?;
    let checker = Checker::new(&model, certificate)?;
    checker.check_simulations()?;
    checker.check_start()?;
    for (at, pair) in by_set(&certificate.estimates) {
        checker.check_pair(Phase::Estimates, pair).map_err(|fault| format!("estimate {at}: {fault}"))?;
    }
    for (at, pair) in by_set(&certificate.layers) {
        checker.check_pair(Phase::Layers, pair).map_err(|fault| format!("layer pair {at}: {fault}"))?;
    }
    match &certificate.backward {
        Some((start, back)) => checker.check_backward(start, back),
        None => Ok(()),
    }
}

/// Which pairs a cover refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Estimates,
    Layers,
}

/// Pairs in the order of their sets, so that what is computed for a set is used for all of them.
fn by_set(pairs: &[Pair]) -> Vec<(usize, &Pair)> {
    let mut all: Vec<(usize, &Pair)> = pairs.iter().enumerate().collect();
    all.sort_by_key(|(_, pair)| pair.set);
    all
}

/// A certificate and the model that it is about.
pub(super) struct Checker<'a> {
    pub(super) model: &'a CheckerModel,
    pub(super) certificate: &'a Certificate,
    numbers: HashMap<&'a Hypothesis, u32>,
    posts: std::cell::RefCell<Posts>,
}

/// U before a label, the label, and U after it.
type Move = (Vec<u32>, u32, Vec<u32>);

/// A computed set, and which sets of the certificate are known to be subsets.
#[derive(Default)]
struct ComputedSet {
    members: Vec<u32>,
    inside: std::cell::RefCell<BTreeSet<u32>>,
}

impl ComputedSet {
    fn new(members: Vec<u32>) -> ComputedSet {
        ComputedSet { members, ..ComputedSet::default() }
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

type Shared = std::rc::Rc<ComputedSet>;

/// The successors of one set, and what survives its delay branches.
#[derive(Default)]
struct Posts {
    set: Option<u32>,
    moves: BTreeMap<Move, Shared>,
    branches: BTreeMap<Vec<u32>, Shared>,
}

type Checked = Result<(), String>;

impl<'a> Checker<'a> {
    /// Checks that every number refers to something and every list is sorted.
    fn new(model: &'a CheckerModel, certificate: &'a Certificate) -> Result<Checker<'a>, String> {
        let history = model.has_history();
        let remembers = !certificate.actuals.is_empty() || !certificate.hypotheses.is_empty();
        if remembers && !history {
            return Err("nothing is anonymous in this view, so nothing has a history".to_owned());
        }
        if history && certificate.backward.is_some() {
            return Err("a view with a history has no backward proof".to_owned());
        }
        let n_hypotheses = if history { certificate.hypotheses.len() } else { model.n_states() } as u32;
        let n_actuals = if history { certificate.actuals.len() } else { model.n_states() } as u32;
        let n_sets = certificate.sets.len() as u32;
        let n_states = model.n_states() as u32;
        let sorted = |list: &[u32]| list.is_sorted_by(|one, other| one < other);
        let fits = certificate.actuals.iter().all(|actual| actual.state < n_states && sorted(&actual.used))
            && certificate.hypotheses.iter().all(|hypothesis| hypothesis.state < n_states && sorted(&hypothesis.spent))
            && certificate.sets.iter().all(|set| sorted(set) && set.last().is_none_or(|&last| last < n_hypotheses));
        if !fits {
            return Err("a list is not sorted, or a number refers to nothing".to_owned());
        }
        let back = certificate.backward.iter().flat_map(|(_, pairs)| pairs);
        let pairs = certificate.estimates.iter().chain(&certificate.layers).chain(back);
        for pair in pairs {
            let layer = pair.layer <= certificate.horizon.unwrap_or(0);
            if pair.actual >= n_actuals || pair.set >= n_sets || !layer {
                return Err("a pair refers to nothing".to_owned());
            }
        }
        for position in certificate.twins.iter().chain(&certificate.simulations) {
            if position.actual >= n_actuals || position.hypotheses.iter().any(|&hypothesis| hypothesis >= n_hypotheses)
            {
                return Err("a position refers to nothing".to_owned());
            }
        }
        let numbers = certificate.hypotheses.iter().zip(0u32..).collect();
        Ok(Checker { model, certificate, numbers, posts: std::cell::RefCell::default() })
    }

    /// The actual state of a number.
    pub(super) fn actual(&self, number: u32) -> Actual {
        match self.certificate.actuals.get(number as usize) {
            Some(actual) => actual.clone(),
            None => Actual { state: number, used: Vec::new() },
        }
    }

    /// The state of a hypothesis.
    pub(super) fn hypothesis_state(&self, number: u32) -> u32 {
        self.certificate.hypotheses.get(number as usize).map_or(number, |hypothesis| hypothesis.state)
    }

    /// Whether a number refers to this actual state.
    pub(super) fn is_actual(&self, number: u32, actual: &Actual) -> bool {
        match self.certificate.actuals.get(number as usize) {
            Some(known) => known == actual,
            None => !self.model.has_history() && actual.state == number,
        }
    }

    /// The moves of an actual state: label and target.
    pub(super) fn moves(&self, actual: &Actual) -> impl Iterator<Item = (u32, Actual)> + '_ {
        let used = actual.used.clone();
        self.model.moves(actual.state).iter().map(move |&(label, target)| {
            (label, Actual { state: target, used: self.model.used_after(&used, label, target) })
        })
    }

    /// The hypotheses that the certificate names, by number. Leaving others out of a set is sound.
    fn known(&self, hypotheses: &[Hypothesis]) -> Vec<u32> {
        let mut known: Vec<u32> =
            hypotheses.iter().filter_map(|hypothesis| self.numbers.get(hypothesis).copied()).collect();
        known.sort_unstable();
        known
    }

    fn hypotheses(&self, set: &[u32]) -> Vec<Hypothesis> {
        set.iter().filter_map(|&number| self.certificate.hypotheses.get(number as usize).cloned()).collect()
    }

    /// UR.
    fn close(&self, set: &[u32]) -> Vec<u32> {
        if self.model.has_history() {
            return self.known(&self.model.close_hypotheses(self.hypotheses(set)));
        }
        self.model.close(set.iter().copied())
    }

    /// The successors of a set under a move of the run.
    fn post(&self, set: &[u32], used: &[u32], label: u32, after: &[u32]) -> Vec<u32> {
        match label {
            _ if self.model.has_history() => {
                self.known(&self.model.post_hypotheses(&self.hypotheses(set), used, label, after))
            }
            EPSILON => set.to_vec(),
            _ => self.model.post(set, label),
        }
    }

    /// The successors of one hypothesis under a move, with silent moves before it.
    pub(super) fn reply(&self, hypothesis: u32, used: &[u32], label: u32, after: &[u32]) -> Vec<u32> {
        if self.model.has_history() {
            let before = self.model.close_hypotheses(self.hypotheses(&[hypothesis]));
            return self.known(&self.model.post_hypotheses(&before, used, label, after));
        }
        let mut replies = Vec::new();
        self.model.weak_successors(hypothesis, label, &mut replies);
        replies
    }

    /// Whether a set contains the hypothesis that is identical to the run.
    pub(super) fn holds_identity(&self, actual: &Actual, set: &[u32]) -> bool {
        let identity = match self.model.has_history() {
            true => self.numbers.get(&self.model.identity(actual)).copied(),
            false => Some(actual.state),
        };
        identity.is_some_and(|identity| set.binary_search(&identity).is_ok())
    }

    /// Every state of UR(X0) with all of them; for `initial`, every delay branch over X0.
    fn check_start(&self) -> Checked {
        let model = self.model;
        let start = |states: Vec<u32>| match model.has_history() {
            false => states,
            true => {
                let hypothesis = |&state: &u32| Hypothesis { state, images: Vec::new(), spent: Vec::new() };
                self.known(&states.iter().map(hypothesis).collect::<Vec<Hypothesis>>())
            }
        };
        let mut covers = self.certificate.start.iter();
        if self.certificate.initial && self.certificate.backward.is_some() {
            return ended(covers);
        }
        if self.certificate.initial {
            let set = start(model.initial().to_vec());
            for &state in model.initial() {
                self.check_delay_branches(&Actual { state, used: Vec::new() }, &set, None, &mut covers)?;
            }
        } else {
            let closed = model.close(model.initial().iter().copied());
            let set = ComputedSet::new(start(closed.clone()));
            for state in closed {
                let actual = Actual { state, used: Vec::new() };
                self.covered(Phase::Estimates, covers.next(), &actual, &set, 0)
                    .map_err(|fault| format!("at the start, {fault}"))?;
            }
        }
        ended(covers)
    }

    /// Every move of a pair leads to a covered pair, and so does every delay branch of an estimate.
    fn check_pair(&self, phase: Phase, pair: &Pair) -> Checked {
        let actual = self.actual(pair.actual);
        let set = &self.certificate.sets[pair.set as usize];
        if phase == Phase::Layers && set.is_empty() {
            return Err("a set of hypotheses is empty".to_owned());
        }
        let mut covers = pair.covers.iter();
        for (label, target) in self.moves(&actual) {
            let Some(layer) = self.next_layer(phase, pair.layer, label) else { continue };
            let image = self.image(pair.set, &actual.used, label, &target.used);
            self.covered(phase, covers.next(), &target, &image, layer)?;
        }
        if phase == Phase::Estimates && self.certificate.backward.is_none() {
            self.check_delay_branches(&actual, set, Some(pair.set), &mut covers)?;
        }
        ended(covers)
    }

    /// The layer after a label; none if it is beyond the horizon.
    fn next_layer(&self, phase: Phase, layer: u64, label: u32) -> Option<u64> {
        match self.certificate.horizon {
            Some(horizon) if phase == Phase::Layers && label != EPSILON => {
                layer.checked_add(1).filter(|&next| next <= horizon)
            }
            _ => Some(layer),
        }
    }

    /// The successors of a set of the certificate, computed once while its pairs are checked.
    fn image(&self, set: u32, used: &[u32], label: u32, after: &[u32]) -> Shared {
        let mut posts = self.posts.borrow_mut();
        posts.select(set);
        let key = (used.to_vec(), label, after.to_vec());
        let post = || ComputedSet::new(self.post(&self.certificate.sets[set as usize], used, label, after)).into();
        posts.moves.entry(key).or_insert_with(post).clone()
    }

    /// Every delay branch leads to a covered pair.
    fn check_delay_branches<'c>(
        &self,
        actual: &Actual,
        set: &[u32],
        place: Option<u32>,
        covers: &mut std::slice::Iter<'c, Cover>,
    ) -> Checked {
        if !self.model.can_be_exposed(actual.state) {
            return Ok(());
        }
        let mut classes: Vec<u32> =
            set.iter().map(|&hypothesis| self.model.class(self.hypothesis_state(hypothesis))).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut posts = self.posts.borrow_mut();
        posts.select(place.unwrap_or(u32::MAX));
        let most = covers.len();
        let exposed = exposed_sets(&classes, self.model.class(actual.state), self.model.max_classes(), most);
        for hidden in exposed.ok_or("there are fewer covers than delay branches")? {
            let outside = || {
                let kept = |hypothesis: &&u32| !hidden.contains(&self.model.class(self.hypothesis_state(**hypothesis)));
                let outside: Vec<u32> = set.iter().filter(kept).copied().collect();
                ComputedSet::new(self.close(&outside)).into()
            };
            let image = posts.branches.entry(hidden.clone()).or_insert_with(outside).clone();
            self.covered(Phase::Layers, covers.next(), actual, &image, 0)
                .map_err(|fault| format!("at a delay branch, {fault}"))?;
        }
        Ok(())
    }

    /// Whether a cover covers a pair.
    fn covered(&self, phase: Phase, cover: Option<&Cover>, actual: &Actual, set: &ComputedSet, layer: u64) -> Checked {
        let proof = &self.certificate;
        let holds = |hypothesis: &u32| set.members.binary_search(hypothesis).is_ok();
        let is_covered = match cover {
            Some(&Cover::Pair(at)) => {
                let pairs = if phase == Phase::Estimates { &proof.estimates } else { &proof.layers };
                pairs.get(at as usize).is_some_and(|pair| self.covers(pair, actual, set, layer))
            }
            Some(&Cover::Twins(at)) => proof.twins.get(at as usize).is_some_and(|twins| {
                let all = twins.hypotheses.iter().all(holds);
                let enough = all || (phase == Phase::Layers && twins.hypotheses.iter().any(holds));
                enough && self.is_actual(twins.actual, actual)
            }),
            Some(&Cover::Simulation(at)) => proof.simulations.get(at as usize).is_some_and(|position| {
                phase == Phase::Layers
                    && self.is_actual(position.actual, actual)
                    && position.hypotheses.iter().all(holds)
            }),
            Some(&Cover::Permutation(at, hypothesis)) => {
                holds(&hypothesis) && self.permutation_simulates(at, actual, hypothesis, phase == Phase::Estimates)
            }
            Some(Cover::Identity) => phase == Phase::Layers && self.holds_identity(actual, &set.members),
            None => false,
        };
        if is_covered {
            Ok(())
        } else {
            Err(format!("state {} with {} hypotheses is not covered", actual.state, set.members.len()))
        }
    }

    fn covers(&self, pair: &Pair, actual: &Actual, set: &ComputedSet, layer: u64) -> bool {
        self.is_actual(pair.actual, actual) && pair.layer <= layer && set.holds(self.certificate, pair.set)
    }

    /// Backward: every set that can show some β is covered, and none meets an estimate of the same state inside an exposed
    /// set.
    fn check_backward(&self, start: &[Cover], back: &[Pair]) -> Checked {
        let reversed = self.model.reversed();
        let all = ComputedSet::new((0..self.model.n_states() as u32).collect());
        let covered = |cover: Option<&Cover>, state: u32, set: &ComputedSet, layer: u64| match cover {
            Some(&Cover::Pair(at)) => back.get(at as usize).is_some_and(|pair| {
                pair.actual == state && pair.layer <= layer && set.holds(self.certificate, pair.set)
            }),
            _ => false,
        };
        let mut states = (0u32..).zip(start);
        if start.len() != all.members.len() || !states.all(|(state, cover)| covered(Some(cover), state, &all, 0)) {
            return Err("backward, the set of all states is not covered".to_owned());
        }
        let mut posts: BTreeMap<u32, ComputedSet> = BTreeMap::new();
        let mut current = None;
        for (at, pair) in by_set(back) {
            if current.replace(pair.set) != Some(pair.set) {
                posts.clear();
            }
            let set = &self.certificate.sets[pair.set as usize];
            let mut covers = pair.covers.iter();
            for &(label, before) in reversed.moves(pair.actual) {
                let Some(layer) = self.next_layer(Phase::Layers, pair.layer, label) else { continue };
                let post = |label| if label == EPSILON { set.clone() } else { reversed.post(set, label) };
                let image = posts.entry(label).or_insert_with(|| ComputedSet::new(post(label)));
                if !covered(covers.next(), before, image, layer) {
                    return Err(format!("back pair {at}: state {before} is not covered"));
                }
            }
            ended(covers)?;
        }
        self.check_intersections(back)
    }

    /// No estimate of a state meets a backward set of the same state inside an exposed set.
    fn check_intersections(&self, back: &[Pair]) -> Checked {
        let initial = self.model.initial().to_vec();
        let mut estimates_of: BTreeMap<u32, Vec<&[u32]>> = BTreeMap::new();
        if self.certificate.initial {
            self.model.initial().iter().for_each(|&state| estimates_of.entry(state).or_default().push(&initial));
        }
        for pair in &self.certificate.estimates {
            estimates_of.entry(pair.actual).or_default().push(&self.certificate.sets[pair.set as usize]);
        }
        let mut checked: BTreeSet<(*const u32, u32)> = BTreeSet::new();
        for pair in back.iter().filter(|pair| self.model.can_be_exposed(pair.actual)) {
            let hypotheses = &self.certificate.sets[pair.set as usize];
            for estimate in estimates_of.get(&pair.actual).into_iter().flatten() {
                // WHY: an intersection that contains the state itself is the same for every such state.
                let contains_state =
                    estimate.binary_search(&pair.actual).is_ok() && hypotheses.binary_search(&pair.actual).is_ok();
                if contains_state && !checked.insert((estimate.as_ptr(), pair.set)) {
                    continue;
                }
                if self.model.is_exposed(intersection(estimate, hypotheses).chain([pair.actual])) {
                    return Err(format!("the estimate {estimate:?} of state {} is exposed", pair.actual));
                }
            }
        }
        Ok(())
    }
}

impl Posts {
    /// Forgets what was computed for another set.
    fn select(&mut self, set: u32) {
        if self.set.replace(set) != Some(set) {
            self.moves.clear();
            self.branches.clear();
        }
    }
}

/// Checks that all covers were used.
fn ended<'c>(mut covers: impl Iterator<Item = &'c Cover>) -> Checked {
    match covers.next() {
        None => Ok(()),
        Some(_) => Err("there are more covers than pairs to cover".to_owned()),
    }
}

/// The largest exposed sets with a class, out of these classes, in order, each sorted. None if there are more than `most`.
pub(crate) fn exposed_sets(classes: &[u32], class: u32, max_classes: usize, most: usize) -> Option<Vec<Vec<u32>>> {
    let others: Vec<u32> = classes.iter().copied().filter(|&other| other != class).collect();
    let more = (max_classes - 1).min(others.len());
    let mut chosen: Vec<usize> = (0..more).collect();
    let mut all = Vec::new();
    loop {
        if all.len() == most {
            return None;
        }
        let mut one: Vec<u32> = chosen.iter().map(|&at| others[at]).chain([class]).collect();
        one.sort_unstable();
        all.push(one);
        // The next combination: the last index that can advance does, and those after it follow it.
        let Some(at) = (0..more).rev().find(|&at| chosen[at] + (more - at) < others.len()) else { return Some(all) };
        chosen[at] += 1;
        for later in at + 1..more {
            chosen[later] = chosen[later - 1] + 1;
        }
    }
}

/// Whether every member of a sorted list is one of another.
pub(crate) fn is_subset<T: Ord>(small: &[T], large: &[T]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|member| rest.find(|other| *other >= member) == Some(member))
}

/// The common members of two sorted lists.
fn intersection<'l>(one: &'l [u32], other: &'l [u32]) -> impl Iterator<Item = u32> + 'l {
    let mut rest = other.iter().peekable();
    one.iter().copied().filter(move |member| {
        while rest.next_if(|next| *next < member).is_some() {}
        rest.peek() == Some(&member)
    })
}
