//! From trees to an [`Index`]: name resolution.
//!
//! Three passes over the trees. The first one collects the declarations (`declaring`); the second one joins the containers that are
//! composed with each other, because they share their events by name (`names`); the third one resolves every use, innermost
//! scope first (`using`). All files of a document share one namespace of items; the checker reports conflicts.

mod declaring;
mod names;
mod using;

use super::index::Index;
use crate::source::Sources;
use crate::syntax::Parsed;
use declaring::Declaring;
use names::Names;
use using::Using;

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
