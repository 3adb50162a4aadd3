//! From check and measure statements to the questions of the model.

pub(in crate::check) mod checks;
pub(in crate::check) mod classes;
pub(in crate::check) mod levers;
pub(in crate::check) mod observation;
mod of_parts;
mod properties;
pub(in crate::check) mod scope;
