//! From trees to an [`Index`]: who declares a name, who uses it.
//!
//! Three passes over the trees. First every item and every name that a body declares (`declaring`); then the containers that are
//! composed with each other are joined, because they share their events by name (`names`); then every use is looked up, innermost
//! scope first (`using`). All files of a document share one space of items: which of two imports wins is the checker's business.

mod declaring;
mod names;
mod using;

use super::index::Index;
use crate::source::Sources;
use crate::syntax::Parsed;
use declaring::Declaring;
use names::Names;
use using::Using;

/// The index of parsed files.
pub fn index(sources: &Sources, trees: &[Parsed]) -> Index {
    let mut names = Names::default();
    for tree in trees {
        Declaring { names: &mut names, file: sources.get(tree.file.id) }.file(&tree.file);
    }
    names.share_events();
    for tree in trees {
        Using::new(&mut names, sources.get(tree.file.id)).file(&tree.file);
    }
    names.finish()
}
