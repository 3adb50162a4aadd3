//! Checks the backward part of a certificate: the sets that can show some β, and that no estimate meets one of them inside an
//! exposed set.

use super::checker::{Checked, Checker, ComputedSet, Phase, by_set, ended};
use super::model::EPSILON;
use super::{Cover, Pair};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

impl Checker<'_, '_> {
    /// Backward: every set that can show some β is covered, and none meets an estimate of the same state inside an exposed
    /// set.
    pub(super) fn check_backward(&self, start: &[Cover], back: &[Pair]) -> Checked {
        let reversed = self.model.reversed(&mut self.monitor.borrow_mut())?;
        let covered = |cover: Option<&Cover>, state: u32, set: &ComputedSet, layer: u64| match cover {
            Some(&Cover::Pair(at)) => back.get(at as usize).is_some_and(|pair| {
                pair.actual == state && pair.layer <= layer && set.holds(self.certificate, pair.set)
            }),
            _ => false,
        };
        let starts = |(state, cover): (u32, &Cover)| match cover {
            // WHY no subset test: every set of the certificate is inside the set of all states.
            Cover::Pair(at) => back.get(*at as usize).is_some_and(|pair| pair.actual == state && pair.layer == 0),
            _ => false,
        };
        if start.len() != self.model.n_states() || !(0u32..).zip(start).all(starts) {
            return Err("backward, the set of all states is not covered".into());
        }
        let mut posts: BTreeMap<u32, ComputedSet> = BTreeMap::new();
        let mut current = None;
        let held = self.monitor.borrow().held();
        for (at, pair) in by_set(back) {
            if current.replace(pair.set) != Some(pair.set) {
                posts.clear();
                self.monitor.borrow_mut().release_to(held);
            }
            let set = &self.certificate.sets[pair.set as usize];
            let mut covers = pair.covers.iter();
            for &(label, before) in reversed.moves(pair.actual) {
                self.spend(set.len())?;
                let Some(layer) = self.next_layer(Phase::Layers, pair.layer, label) else { continue };
                let post = |label| if label == EPSILON { set.clone() } else { reversed.post(set, label) };
                let image = match posts.entry(label) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(free) => {
                        let members = post(label);
                        self.monitor.borrow_mut().hold((members.len() * size_of::<u32>()) as u64)?;
                        free.insert(ComputedSet::new(members))
                    }
                };
                self.spend(image.members.len())?;
                if !covered(covers.next(), before, image, layer) {
                    return Err(format!("back pair {at}: state {before} is not covered").into());
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
                self.spend(0)?;
                if contains_state && !checked.insert((estimate.as_ptr(), pair.set)) {
                    continue;
                }
                self.monitor.borrow_mut().hold(size_of::<(*const u32, u32)>() as u64)?;
                self.spend(estimate.len() + hypotheses.len())?;
                if self.model.is_exposed(intersection(estimate, hypotheses).chain([pair.actual])) {
                    return Err(format!("an estimate of state {} is exposed", pair.actual).into());
                }
            }
        }
        Ok(())
    }
}

/// The common members of two sorted lists.
fn intersection<'l>(one: &'l [u32], other: &'l [u32]) -> impl Iterator<Item = u32> + 'l {
    let mut rest = other.iter().peekable();
    one.iter().copied().filter(move |member| {
        while rest.next_if(|next| *next < member).is_some() {}
        rest.peek() == Some(&member)
    })
}
