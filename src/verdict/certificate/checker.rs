//! The checker of certificates: from a view, a property and a certificate to whether the certificate is a proof.

use super::form::check_form;
use super::model::{Actual, CheckerModel, EPSILON, Hypothesis};
use super::once::check_once;
use super::sides::check_sides;
use super::{Certificate, Cover, Pair, Position, Refused};
use crate::automaton::view::{Projection, View};
use crate::model::Property;
use crate::resources::{Monitor, Stop};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Checks a certificate. The error says where it fails, or why it ended early.
pub fn check(
    view: &View<'_>,
    property: &Property,
    certificate: &Certificate,
    monitor: &mut Monitor<'_>,
) -> Result<(), Refused> {
    let held = monitor.held();
    check_all(view, property, certificate, monitor)?;
    monitor.release_to(held);
    Ok(())
}

fn check_all(view: &View<'_>, property: &Property, certificate: &Certificate, monitor: &mut Monitor<'_>) -> Checked {
    let mut view = *view;
    if certificate.once {
        check_once(&view, monitor)?;
        view.projection = Projection::Strong;
    }
    if let (Some(cells), Some(sides)) = (&certificate.cells, &certificate.sides) {
        let model = CheckerModel::new(&view, property, monitor)?;
        model.check_cells(cells, false, monitor)?;
        return check_sides(&model, certificate, (cells, sides), monitor);
    }
    if certificate.sides.is_some() {
        return Err("sides need cells".into());
    }
    let model = CheckerModel::reduced(
        &view,
        property,
        (certificate.cells.as_ref(), certificate.blocks.as_deref()),
        certificate.initial,
        monitor,
    )?;
    let checker = Checker::new(&model, certificate, monitor)?;
    checker.check_simulations()?;
    checker.check_start()?;
    for (at, pair) in by_set(&certificate.estimates) {
        checker.check_pair(Phase::Estimates, pair).map_err(|fault| fault.at(format_args!("estimate {at}: ")))?;
    }
    for (at, pair) in by_set(&certificate.layers) {
        checker.check_pair(Phase::Layers, pair).map_err(|fault| fault.at(format_args!("layer pair {at}: ")))?;
    }
    match &certificate.backward {
        Some((start, back)) => checker.check_backward(start, back),
        None => Ok(()),
    }
}

/// Which pairs a cover refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Estimates,
    Layers,
}

/// Pairs in the order of their sets, so that what is computed for a set is used for all of them.
pub(super) fn by_set(pairs: &[Pair]) -> Vec<(usize, &Pair)> {
    let mut all: Vec<(usize, &Pair)> = pairs.iter().enumerate().collect();
    all.sort_by_key(|(_, pair)| pair.set);
    all
}

/// A certificate and the model that it is about.
pub(super) struct Checker<'a, 'm> {
    pub(super) model: &'a CheckerModel,
    pub(super) certificate: &'a Certificate,
    numbers: HashMap<&'a Hypothesis, u32>,
    posts: RefCell<Posts>,
    pub(super) monitor: RefCell<&'a mut Monitor<'m>>,
}

/// U before a label, the label, and U after it.
type Move = (Vec<u32>, u32, Vec<u32>);

/// A computed set, and which sets of the certificate are known to be subsets.
#[derive(Default)]
pub(super) struct ComputedSet {
    pub(super) members: Vec<u32>,
    inside: RefCell<BTreeSet<u32>>,
}

impl ComputedSet {
    pub(super) fn new(members: Vec<u32>) -> ComputedSet {
        ComputedSet { members, ..ComputedSet::default() }
    }

    /// Whether a set of the certificate lies inside.
    pub(super) fn holds(&self, certificate: &Certificate, set: u32) -> bool {
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
    bytes: u64,
}

pub(super) type Checked = Result<(), Refused>;

impl<'a, 'm> Checker<'a, 'm> {
    fn new(
        model: &'a CheckerModel,
        certificate: &'a Certificate,
        monitor: &'a mut Monitor<'m>,
    ) -> Result<Checker<'a, 'm>, Refused> {
        monitor.spend(certificate.len() as u64)?;
        check_form(model, certificate)?;
        let n_back = certificate.backward.as_ref().map_or(0, |(_, pairs)| pairs.len());
        let longest = certificate.estimates.len().max(certificate.layers.len()).max(n_back);
        monitor.hold((longest * size_of::<(usize, &Pair)>()) as u64)?;
        monitor.hold(4 * (certificate.hypotheses.len() * size_of::<(&Hypothesis, u32)>()) as u64)?;
        let numbers = certificate.hypotheses.iter().zip(0u32..).collect();
        Ok(Checker { model, certificate, numbers, posts: RefCell::default(), monitor: RefCell::new(monitor) })
    }

    /// Counts members that are looked at.
    pub(super) fn spend(&self, members: usize) -> Result<(), Stop> {
        self.monitor.borrow_mut().spend(1 + members as u64)
    }

    /// A set that is kept while the pairs of one set are checked.
    fn keep(&self, posts: &mut Posts, members: Vec<u32>) -> Result<Shared, Stop> {
        let bytes = (size_of::<ComputedSet>() + size_of::<Move>() + 2 * members.len() * size_of::<u32>()) as u64;
        self.monitor.borrow_mut().hold(bytes)?;
        posts.bytes += bytes;
        Ok(ComputedSet::new(members).into())
    }

    /// Forgets what was computed for another set.
    fn select(&self, posts: &mut Posts, set: u32) {
        if posts.set.replace(set) != Some(set) {
            posts.moves.clear();
            posts.branches.clear();
            self.monitor.borrow_mut().release(std::mem::take(&mut posts.bytes));
        }
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
    fn close(&self, set: &[u32]) -> Result<Vec<u32>, Stop> {
        self.spend(set.len())?;
        if self.model.has_history() {
            let closed = self.model.close_hypotheses(self.hypotheses(set), &mut self.monitor.borrow_mut())?;
            return Ok(self.known(&closed));
        }
        Ok(self.model.close(set.iter().copied()))
    }

    /// The successors of a set under a move of the run.
    fn post(&self, set: &[u32], used: &[u32], label: u32, after: &[u32]) -> Result<Vec<u32>, Stop> {
        self.spend(set.len())?;
        Ok(match label {
            _ if self.model.has_history() => self.known_post(&self.hypotheses(set), used, label, after)?,
            EPSILON => set.to_vec(),
            _ => self.model.post(set, label),
        })
    }

    /// The successors of hypotheses that the certificate names.
    fn known_post(&self, from: &[Hypothesis], used: &[u32], label: u32, after: &[u32]) -> Result<Vec<u32>, Stop> {
        let monitor = &mut self.monitor.borrow_mut();
        Ok(self.known(&self.model.post_hypotheses(from, used, label, after, monitor)?))
    }

    /// The successors of one hypothesis under a move, with silent moves before it.
    pub(super) fn reply(&self, hypothesis: u32, used: &[u32], label: u32, after: &[u32]) -> Result<Vec<u32>, Stop> {
        if self.model.has_history() {
            let own = self.hypotheses(&[hypothesis]);
            let before = self.model.close_hypotheses(own, &mut self.monitor.borrow_mut())?;
            return self.known_post(&before, used, label, after);
        }
        let mut replies = Vec::new();
        self.model.weak_successors(hypothesis, label, &mut replies);
        self.spend(replies.len())?;
        Ok(replies)
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
                    .map_err(|fault| fault.at("at the start, "))?;
            }
        }
        ended(covers)
    }

    /// Every move of a pair leads to a covered pair, and so does every delay branch of an estimate.
    fn check_pair(&self, phase: Phase, pair: &Pair) -> Checked {
        let actual = self.actual(pair.actual);
        let set = &self.certificate.sets[pair.set as usize];
        if phase == Phase::Layers && set.is_empty() {
            return Err("a set of hypotheses is empty".into());
        }
        let mut covers = pair.covers.iter();
        for (label, target) in self.moves(&actual) {
            let Some(layer) = self.next_layer(phase, pair.layer, label) else { continue };
            let image = self.image(pair.set, &actual.used, label, &target.used)?;
            self.covered(phase, covers.next(), &target, &image, layer)?;
        }
        if phase == Phase::Estimates && self.certificate.backward.is_none() {
            self.check_delay_branches(&actual, set, Some(pair.set), &mut covers)?;
        }
        ended(covers)
    }

    /// The layer after a label; none if it is beyond the horizon.
    pub(super) fn next_layer(&self, phase: Phase, layer: u64, label: u32) -> Option<u64> {
        match self.certificate.horizon {
            Some(horizon) if phase == Phase::Layers && label != EPSILON => {
                layer.checked_add(1).filter(|&next| next <= horizon)
            }
            _ => Some(layer),
        }
    }

    /// The successors of a set of the certificate, computed once while its pairs are checked.
    fn image(&self, set: u32, used: &[u32], label: u32, after: &[u32]) -> Result<Shared, Stop> {
        let posts = &mut self.posts.borrow_mut();
        self.select(posts, set);
        let key = (used.to_vec(), label, after.to_vec());
        if let Some(known) = posts.moves.get(&key) {
            return Ok(known.clone());
        }
        let post = self.post(&self.certificate.sets[set as usize], used, label, after)?;
        let image = self.keep(posts, post)?;
        posts.moves.insert(key, image.clone());
        Ok(image)
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
        self.spend(set.len())?;
        let mut classes: Vec<u32> =
            set.iter().map(|&hypothesis| self.model.class(self.hypothesis_state(hypothesis))).collect();
        classes.sort_unstable();
        classes.dedup();
        classes.retain(|&class| self.model.is_exposable(class));
        let posts = &mut self.posts.borrow_mut();
        self.select(posts, place.unwrap_or(u32::MAX));
        for hidden in exposed_sets(&classes, self.model.class(actual.state), self.model.max_classes()) {
            let Some(cover) = covers.next() else { return Err("there are fewer covers than delay branches".into()) };
            let image = self.surviving(posts, set, hidden)?;
            self.covered(Phase::Layers, Some(cover), actual, &image, 0)
                .map_err(|fault| fault.at("at a delay branch, "))?;
        }
        Ok(())
    }

    /// UR(S \ D), D being the states of some classes; computed once while the pairs of S are checked.
    fn surviving(&self, posts: &mut Posts, set: &[u32], hidden: Vec<u32>) -> Result<Shared, Stop> {
        if let Some(known) = posts.branches.get(&hidden) {
            return Ok(known.clone());
        }
        let class = |hypothesis: u32| self.model.class(self.hypothesis_state(hypothesis));
        let kept = |hypothesis: &u32| hidden.binary_search(&class(*hypothesis)).is_err();
        let outside: Vec<u32> = set.iter().copied().filter(kept).collect();
        let image = self.keep(posts, self.close(&outside)?)?;
        posts.branches.insert(hidden, image.clone());
        Ok(image)
    }

    /// Whether a cover covers a pair.
    fn covered(&self, phase: Phase, cover: Option<&Cover>, actual: &Actual, set: &ComputedSet, layer: u64) -> Checked {
        let proof = &self.certificate;
        self.spend(self.members_of(cover, set))?;
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
            Some(Cover::Safe) => phase == Phase::Estimates && !self.model.is_threatened(actual.state),
            None => false,
        };
        if is_covered {
            Ok(())
        } else {
            Err(format!("state {} with {} hypotheses is not covered", actual.state, set.members.len()).into())
        }
    }

    /// How many members have to be looked at for a cover of a pair with this set.
    fn members_of(&self, cover: Option<&Cover>, set: &ComputedSet) -> usize {
        let of = |all: &[Position], at: u32| all.get(at as usize).map_or(0, |one| one.hypotheses.len());
        match cover {
            Some(Cover::Pair(_)) => set.members.len(),
            Some(&Cover::Twins(at)) => of(&self.certificate.twins, at),
            Some(&Cover::Simulation(at)) => of(&self.certificate.simulations, at),
            Some(Cover::Permutation(..) | Cover::Identity | Cover::Safe) | None => 1,
        }
    }

    fn covers(&self, pair: &Pair, actual: &Actual, set: &ComputedSet, layer: u64) -> bool {
        self.is_actual(pair.actual, actual) && pair.layer <= layer && set.holds(self.certificate, pair.set)
    }
}

/// Checks that all covers were used.
pub(super) fn ended<'c>(mut covers: impl Iterator<Item = &'c Cover>) -> Checked {
    match covers.next() {
        None => Ok(()),
        Some(_) => Err("there are more covers than pairs to cover".into()),
    }
}

/// The largest exposed sets with a class, out of these classes, in order, each sorted.
pub(crate) fn exposed_sets(classes: &[u32], class: u32, max_classes: usize) -> impl Iterator<Item = Vec<u32>> + use<> {
    let others: Vec<u32> = classes.iter().copied().filter(|&other| other != class).collect();
    let more = (max_classes - 1).min(others.len());
    let n = others.len();
    let first: Vec<usize> = (0..more).collect();
    let next = move |chosen: &Vec<usize>| next_combination(chosen, n);
    std::iter::successors(Some(first), next).map(move |chosen| {
        let mut one: Vec<u32> = chosen.iter().map(|&at| others[at]).chain([class]).collect();
        one.sort_unstable();
        one
    })
}

/// The next combination out of `n`: the last index that can advance does, and those after it follow it.
fn next_combination(chosen: &[usize], n: usize) -> Option<Vec<usize>> {
    let more = chosen.len();
    let at = (0..more).rev().find(|&at| chosen[at] + (more - at) < n)?;
    let follow = (chosen[at] + 1)..;
    Some(chosen[..at].iter().copied().chain(follow).take(more).collect())
}

/// Whether every member of a sorted list is one of another.
pub(crate) fn is_subset<T: Ord>(small: &[T], large: &[T]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|member| rest.find(|other| *other >= member) == Some(member))
}
