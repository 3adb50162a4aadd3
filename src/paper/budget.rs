//! How much the constructions may cost.

use crate::resources::{Monitor, Resources, Stop};

/// What nodes, sets and pairs may cost; they all count alike.
#[derive(Clone, Debug)]
pub struct Budget<'a> {
    most: Option<u64>,
    spent: u64,
    monitor: Monitor<'a>,
}

/// What a node, a set or a pair costs in units of work: each is compared and hashed with its members.
const UNITS_PER_ITEM: u64 = 64;

impl<'a> Budget<'a> {
    /// No limit at all.
    pub fn unlimited() -> Budget<'static> {
        Budget::new(None, Resources::default())
    }

    /// At most this many nodes, sets and pairs together.
    pub fn items(most: u64) -> Budget<'static> {
        Budget::new(Some(most), Resources::default())
    }

    /// At most this many nodes, sets and pairs, within the resources of a run.
    pub fn new(most: Option<u64>, resources: Resources<'a>) -> Budget<'a> {
        Budget { most, spent: 0, monitor: resources.monitor() }
    }

    /// The same resources, for any number of nodes: a witness in hand is followed whatever was spent on finding it.
    pub(super) fn following(self) -> Budget<'a> {
        Budget { most: None, ..self }
    }

    /// Nodes, sets and pairs that were built.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The bytes they hold, about.
    pub fn bytes(&self) -> u64 {
        self.monitor.held()
    }

    /// Pays for one more node, set or pair of about this many bytes.
    pub(super) fn pay(&mut self, bytes: usize) -> Result<(), Stop> {
        self.spent += 1;
        if self.most.is_some_and(|most| self.spent > most) {
            return Err(Stop::Pairs);
        }
        self.monitor.hold(bytes as u64)?;
        self.work(UNITS_PER_ITEM)
    }

    /// Pays for work that builds nothing.
    pub(super) fn work(&mut self, units: u64) -> Result<(), Stop> {
        self.monitor.spend(units)
    }
}
