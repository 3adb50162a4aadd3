//! From one query to one finding: represent the view, run the portfolio of searches, certify the result.

mod certification;
pub(crate) mod driver;
pub(crate) mod fewest;
pub(crate) mod further;
mod lookout;
mod portfolio;
mod representation;
pub(crate) mod resources;
mod spread;
pub(crate) mod tuning;
