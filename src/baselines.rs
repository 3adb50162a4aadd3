//! The classic methods, each as short as its definition: to compare with, and as further opinions in tests.
//!
//! | method | decides | size | source |
//! | --- | --- | --- | --- |
//! | [`observer()`] | current-state | 2^\|X\| | Saboori and Hadjicostis 2007; the subset construction |
//! | [`two_way()`] | K-step and infinite-step | 2^\|X\| · 2^\|X\| | Yin and Lafortune 2017 |
//! | [`initial_estimator`] | initial-state | 2^(\|X0\|·\|X\|) | Saboori and Hadjicostis 2008 |
//!
//! The paper's own method, the concurrent composition, is in [`paper`](crate::paper); the engine is in
//! [`verify`](crate::verify). Nothing is shared with either: views are unfolded anew by [`graph`], sets are plain bitsets.
//! Where the literature speaks of secret states, these methods take any [`Property`] that has exposed sets: an estimate exposes
//! when it is not empty and lies inside one.

pub mod estimator;
pub mod graph;
pub mod observer;
pub mod two_way;

pub use estimator::initial_estimator;
pub use observer::observer;
pub use two_way::two_way;

use crate::automaton::{StateId, StateSet};
use crate::clock::Instant;
use crate::model::Property;
use crate::resources::{Monitor, Resources, Stop};
use crate::verdict::Exposure;
use std::collections::BTreeSet;
use std::time::Duration;

/// What a method found and how large its structure became.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The exposure distance, as far as the method can know it: the observer only tells 0 from more.
    pub exposure: Exposure,
    /// States of the structure that the method searches.
    pub states: u64,
    /// Bytes of its sets, about.
    pub memory: u64,
    /// Why it gave up, if it did.
    pub stopped: Option<Stop>,
    /// How long it took.
    pub time: Duration,
}

/// Whether a delayed estimate exposes: it is not empty, and inside an exposed set.
///
/// # Panics
/// If the property has no exposed sets ([`Property::has_exposed_sets`]).
pub fn exposes(property: &Property, estimate: impl Iterator<Item = StateId>) -> bool {
    let mut estimate = estimate.peekable();
    if estimate.peek().is_none() {
        return false;
    }
    match property {
        Property::Opacity { secret } => estimate.all(|state| secret.contains(state)),
        Property::Anonymity { among, classes, except } => {
            let class = |state: StateId| classes.as_ref().map_or(state.0, |classes| classes.of[state.index()].0);
            let estimate: BTreeSet<u32> = estimate.map(class).collect();
            let members = |own: u32| match classes {
                Some(classes) => (0..classes.of.len()).filter(|&at| classes.of[at].0 == own).collect(),
                None => vec![own as usize],
            };
            let is_safe = |own: u32, except: &StateSet| {
                members(own).into_iter().all(|state| except.contains(StateId::from_index(state)))
            };
            let any_safe = except.as_ref().is_some_and(|except| estimate.iter().any(|&own| is_safe(own, except)));
            !any_safe && estimate.len() < *among as usize
        }
        Property::Throughout { .. } | Property::InitialFinal { .. } | Property::OfParts(_) => {
            panic!("the classic methods know exposed sets only")
        }
    }
}

/// Time and memory that are left, and since when it runs.
struct Meter<'a> {
    begun: Instant,
    monitor: Monitor<'a>,
}

/// What one set or pair costs in units of work.
const UNITS_PER_SET: u64 = 16;

impl<'a> Meter<'a> {
    fn new(resources: Resources<'a>) -> Meter<'a> {
        Meter { begun: Instant::now(), monitor: resources.monitor() }
    }

    /// Pays for some work and some bytes.
    fn pay(&mut self, bytes: usize) -> Result<(), Stop> {
        self.monitor.hold(bytes as u64)?;
        self.monitor.spend(UNITS_PER_SET)
    }

    fn outcome(&self, exposure: Exposure, states: u64, stopped: Option<Stop>) -> Outcome {
        Outcome { exposure, states, memory: self.monitor.held(), stopped, time: self.begun.elapsed() }
    }
}
