//! Sets of ids in two representations, interners, and the iterator of k-subsets: the data structures of the engine.

mod dense;
mod id;
mod interner;
mod memory;
mod set;
mod sparse;
mod visited;

pub(crate) use dense::Dense;
pub(crate) use id::{Id, ids};
pub(crate) use interner::{Interner, SetId, SetInterner, SetSummary, SliceInterner, Slices};
pub(crate) use memory::{map_bytes, smallvec_bytes, vec_bytes};
pub(crate) use set::Set;
pub(crate) use sparse::Sparse;
pub(crate) use visited::VisitedSet;
