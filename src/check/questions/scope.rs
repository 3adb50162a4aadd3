//! The scope of questions: the system, its observers and their labels.

use crate::automaton::view::{GroupId, Observability};
use crate::check::scope::SystemScope;
use crate::model::{NamedObserver, ViewId, read_label};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// The scope of checks.
pub(in crate::check) struct QuestionScope<'a, 'w> {
    pub system: &'a SystemScope<'a, 'w>,
    pub observers: &'a [NamedObserver],
    /// The observers without errors.
    pub sound: &'a [bool],
    /// Where each observer that has a name stands.
    pub by_name: FxHashMap<&'a str, usize>,
    /// The labels of each observer.
    pub labels: Vec<OnceCell<Labels>>,
    /// Whether the system has no errors; only then a missing declaration is reported.
    pub whole: bool,
}

impl<'c> QuestionScope<'c, '_> {
    /// The labels of the observer of a view.
    pub(in crate::check) fn labels(&self, view_id: ViewId) -> &Labels {
        let at = view_id.observer.index();
        self.labels[at].get_or_init(|| Labels::new(&self.observers[at]))
    }
}

/// The labels of an observer.
#[derive(Debug)]
pub(in crate::check) struct Labels {
    /// The group of each label; none: `?`.
    groups: FxHashMap<Option<String>, GroupId>,
    /// How many events each group has.
    pub sizes: Vec<u32>,
}

impl Labels {
    fn new(observer: &NamedObserver) -> Labels {
        let numbered = observer.labels.iter().enumerate().rev();
        let groups = numbered.map(|(at, label)| (label.clone(), GroupId::from_index(at))).collect();
        let mut sizes = vec![0; observer.labels.len()];
        for observability in observer.observer.observabilities() {
            if let Observability::Anonymous(group) = observability {
                sizes[group.index()] += 1;
            }
        }
        Labels { groups, sizes }
    }

    /// The group of a label with or without a number.
    pub fn read(&self, word: &str) -> Option<(GroupId, Option<u32>)> {
        read_label(word, |label| self.group(Some(label)), |group| self.sizes[group.index()] as usize)
    }

    pub fn group(&self, label: Option<&str>) -> Option<GroupId> {
        self.groups.get(&label.map(str::to_owned)).copied()
    }
}
