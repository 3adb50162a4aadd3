//! What a proof may cost, and what it has cost so far.

use crate::clock::Instant;
use crate::resources::strike;
use crate::verify::limits::Growth;
use std::sync::atomic::{AtomicBool, Ordering};

/// Work between two looks at the clock.
const LOOK_EVERY: u64 = 100_000;

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

/// Why a proof ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    TooLarge,
    Refuted,
}

/// An allowance while it is spent.
#[derive(Debug)]
pub(super) struct Spending<'a> {
    /// What is left of it.
    pub(super) left: Allowance<'a>,
    /// Work since the last look at the clock.
    looks: u64,
    /// Bytes held.
    pub(super) bytes: u64,
}

impl<'a> Spending<'a> {
    pub(super) fn new(allowance: Allowance<'a>) -> Spending<'a> {
        Spending { left: allowance, looks: 0, bytes: 0 }
    }

    /// Spends work; an error when there is none left.
    pub(super) fn spend(&mut self, work: u64) -> Result<(), Stopped> {
        self.left.work = self.left.work.checked_sub(work).ok_or(Stopped::TooLarge)?;
        // WHY a third: the certificate that is made of it takes about as much again, and so does its checker.
        if self.bytes > self.left.memory / 3 {
            return Err(Stopped::TooLarge);
        }
        self.looks += work;
        if self.looks > LOOK_EVERY || strike::everywhere() {
            self.looks = 0;
            if self.left.is_over() || strike::now().is_some() {
                return Err(Stopped::TooLarge);
            }
        }
        Ok(())
    }
}

impl Allowance<'_> {
    /// Whether it is time to give up.
    fn is_over(&self) -> bool {
        let late = self.until.is_some_and(|until| Instant::now() >= until);
        let ended = self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed));
        late || ended || self.growth.passes(50, self.memory)
    }
}
