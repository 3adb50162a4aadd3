//! How much the constructions may cost.

use crate::verify::limits::{ENOUGH, Growth, MEASURE_EVERY};
use crate::verify::{Limits, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What is left to spend: nodes, sets and pairs all count alike.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    items: Option<u64>,
    memory: Option<u64>,
    deadline: Option<Instant>,
    interrupted: Option<&'a AtomicBool>,
    growth: Growth<'a>,
    measured: Option<Instant>,
    spent: u64,
    bytes: u64,
}

impl<'a> Budget<'a> {
    /// No limit at all.
    pub fn unlimited() -> Budget<'static> {
        Budget::default()
    }

    /// At most this many nodes, sets and pairs together.
    pub fn items(most: u64) -> Budget<'static> {
        Budget { items: Some(most), ..Budget::default() }
    }

    /// The limits of a verification that ends at `deadline`.
    pub fn new(limits: &Limits, deadline: Option<Instant>, interrupted: Option<&'a AtomicBool>) -> Budget<'a> {
        Budget { items: limits.pairs, memory: limits.memory, deadline, interrupted, ..Budget::default() }
    }

    /// The same, looking at how much the whole program grows too.
    pub fn measuring(self, grown: Option<&'a (dyn Fn() -> u64 + Sync)>) -> Budget<'a> {
        Budget { growth: Growth(grown), ..self }
    }

    /// Nodes, sets and pairs that were built.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Bytes held by them, about.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Pays for one more node, set or pair of about this many bytes.
    pub(super) fn pay(&mut self, bytes: usize) -> Result<(), Stop> {
        self.spent += 1;
        self.bytes += bytes as u64;
        if self.items.is_some_and(|most| self.spent > most) {
            return Err(Stop::Pairs);
        }
        if self.memory.is_some_and(|most| self.bytes > most) {
            return Err(Stop::Memory);
        }
        // WHY: the clock is slow beside one item, so it is read now and then.
        if !self.spent.is_multiple_of(64) {
            return Ok(());
        }
        if self.outgrows() {
            return Err(Stop::Memory);
        }
        self.tick()
    }

    /// Whether the program has grown by more than is allowed, whatever was counted.
    fn outgrows(&mut self) -> bool {
        let Some(most) = self.memory.filter(|_| self.measured.is_none_or(|last| last.elapsed() >= MEASURE_EVERY))
        else {
            return false;
        };
        self.measured = Some(Instant::now());
        self.growth.passes(ENOUGH, most)
    }

    /// Looks at the clock and at the interrupt.
    pub(super) fn tick(&self) -> Result<(), Stop> {
        if self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Timeout);
        }
        Ok(())
    }
}
