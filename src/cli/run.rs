//! What every command does: terminal, exit codes, limits, interrupts, reading models, guarding output files.

pub mod foreign;
pub mod interrupt;
pub mod known;
pub mod limits;
pub mod load;
pub mod outputs;
pub mod session;
pub mod status;
pub mod sweep;
