//! From one query to one finding: picks the view's representation, runs the searches and checks their result.

pub(crate) mod driver;
pub(crate) mod portfolio;
pub(crate) mod tuning;
