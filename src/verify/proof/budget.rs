//! The limits of a proof, and what it has used of them.

use crate::resources::{Resources, Stop, strike};
use crate::verdict::certificate::Refused;
use crate::verify::engine::tuning::Tuning;

/// What a proof may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofLimits<'a> {
    /// Members of sets visited.
    pub(crate) work: u64,
    /// Time and memory, with what the certificate and its checker take.
    pub(crate) resources: Resources<'a>,
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
    /// Work since the last look at the clock, and since tables were last counted.
    since_look: u64,
    since_count: u64,
    /// Bytes of pairs, sets and hypotheses, without those of tables.
    pub(super) bytes: u64,
}

impl<'a> ProofBudget<'a> {
    pub(super) fn new(limits: ProofLimits<'a>) -> ProofBudget<'a> {
        ProofBudget { remaining: limits, since_look: 0, since_count: 0, bytes: 0 }
    }

    /// Spends work while tables have so many bytes; an error when a limit is reached.
    pub(super) fn spend(&mut self, work: u64, table_bytes: impl FnOnce() -> u64) -> Result<(), Stopped> {
        self.remaining.work = self.remaining.work.checked_sub(work).ok_or(Stopped::TooLarge)?;
        self.since_count += work;
        if self.since_count > Tuning::PROOF_WORK_PER_COUNT {
            self.since_count = 0;
            // WHY a third: the certificate takes about as much again, and so does its checker.
            if self.remaining.resources.memory.is_some_and(|most| self.bytes + table_bytes() > most / 3) {
                return Err(Stopped::TooLarge);
            }
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
        Resources { memory: Some(self.resources.memory.unwrap_or(u64::MAX) / 3), growth: None, ..self.resources }
    }

    fn is_over(&self) -> bool {
        self.resources.late().is_some() || self.resources.outgrows(50)
    }
}
