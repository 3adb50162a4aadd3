//! From a view (automaton, observer, projection) to the belief system that the searches explore.

pub(crate) mod belief_system;
pub(crate) mod post_table;
pub(crate) mod static_view;
pub(crate) mod weak_view;
