//! Exit codes.

pub use crate::failure::Failure;

use desc::report::scribe::Written;
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// 0: every check passed.
    Passed,
    /// 1: the input is valid and at least one check did not pass.
    Failed,
    /// 2: invalid input or I/O error.
    Fault,
    /// 3: undecided: a limit was reached, or the run was interrupted.
    Undecided,
}

impl Status {
    /// Combines two results: an error outweighs a failed check, which outweighs an undecided one.
    pub fn and(self, other: Status) -> Status {
        if self.weight() >= other.weight() { self } else { other }
    }

    /// What a report that was written adds: one that leaves out checks is not whole.
    pub fn of(written: Written) -> Status {
        if written.left_out > 0 { Status::Undecided } else { Status::Passed }
    }

    fn weight(self) -> u8 {
        match self {
            Status::Passed => 0,
            Status::Undecided => 1,
            Status::Failed => 2,
            Status::Fault => 3,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Passed => 0,
            Status::Failed => 1,
            Status::Fault => 2,
            Status::Undecided => 3,
        })
    }
}

pub type Ended = Result<Status, Failure>;

#[cfg(test)]
mod tests {
    use super::Status::*;

    #[test]
    fn a_fault_outweighs_a_failure_which_outweighs_undecided() {
        assert_eq!(Passed.and(Undecided), Undecided);
        assert_eq!(Undecided.and(Failed), Failed);
        assert_eq!(Failed.and(Undecided), Failed);
        assert_eq!(Failed.and(Fault), Fault);
    }
}
