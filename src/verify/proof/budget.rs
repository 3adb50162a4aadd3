//! The limits of a proof, and what it has used of them.

use crate::clock::Instant;
use crate::resources::{Resources, Stop, strike};
use crate::verdict::certificate::Refused;
use crate::verify::engine::tuning::Tuning;
use crate::verify::limits::Growth;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a proof may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofLimits<'a> {
    /// Members of sets visited.
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

impl From<Stop> for Stopped {
    fn from(_: Stop) -> Stopped {
        Stopped::TooLarge
    }
}

impl From<Refused> for Stopped {
    fn from(refused: Refused) -> Stopped {
        match refused {
            Refused::Wrong(_) => Stopped::Refuted,
            Refused::Stopped(_) => Stopped::TooLarge,
        }
    }
}

/// What is left of the limits.
#[derive(Debug)]
pub(super) struct ProofBudget<'a> {
    pub(super) remaining: ProofLimits<'a>,
    /// Work since the last look at the clock.
    since_look: u64,
    /// Bytes of pairs, sets and hypotheses, without those of tables.
    pub(super) bytes: u64,
}

impl<'a> ProofBudget<'a> {
    pub(super) fn new(limits: ProofLimits<'a>) -> ProofBudget<'a> {
        ProofBudget { remaining: limits, since_look: 0, bytes: 0 }
    }

    /// Spends work while tables have this many bytes; an error when a limit is reached.
    pub(super) fn spend(&mut self, work: u64, table_bytes: u64) -> Result<(), Stopped> {
        self.remaining.work = self.remaining.work.checked_sub(work).ok_or(Stopped::TooLarge)?;
        // WHY a third: the certificate takes about as much again, and so does its checker.
        if self.bytes + table_bytes > self.remaining.memory / 3 {
            return Err(Stopped::TooLarge);
        }
        self.since_look += work;
        if self.since_look > Tuning::PROOF_WORK_PER_LOOK || strike::everywhere() {
            self.since_look = 0;
            if self.remaining.is_over() || strike::now().is_some() {
                return Err(Stopped::TooLarge);
            }
        }
        Ok(())
    }
}

impl<'a> ProofLimits<'a> {
    /// The same as resources, for tables that the checker has, too.
    pub(super) fn resources(&self) -> Resources<'a> {
        Resources {
            deadline: self.until,
            memory: Some(self.memory / 3),
            interrupted: self.interrupted,
            ..Resources::default()
        }
    }

    fn is_over(&self) -> bool {
        let late = self.until.is_some_and(|until| Instant::now() >= until);
        let interrupted = self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed));
        late || interrupted || self.growth.passes(50, self.memory)
    }
}
