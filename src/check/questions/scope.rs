//! The scope of questions: the system, its observers and their labels.

use crate::automaton::view::{GroupId, Observability};
use crate::check::scope::SystemScope;
use crate::model::{NamedObserver, ViewId, read_label};
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// The names of families of labels: `sends` of `sends[2]`.
    families: FxHashSet<String>,
    /// How many numbers each label may have: the events of its group, or all named agents.
    pub sizes: Vec<u32>,
}

impl Labels {
    fn new(observer: &NamedObserver) -> Labels {
        let numbered = observer.labels.iter().enumerate().rev();
        let groups = numbered.map(|(at, label)| (label.clone(), GroupId::from_index(at))).collect();
        let seen = &observer.observer;
        let mut numbers = vec![0u32; seen.n_sequences()];
        for event in seen.anonymous(None).filter(|&event| seen.actor(event) == event) {
            if let Observability::Anonymous(group) = seen.observability(event) {
                numbers[seen.sequence(group)] += 1;
            }
        }
        let sizes = (0..observer.labels.len()).map(|at| numbers[seen.sequence(GroupId::from_index(at))]).collect();
        let base = |label: &String| label.split_once('[').map(|(base, _)| base.to_owned());
        let families = observer.labels.iter().flatten().filter_map(base).collect();
        Labels { groups, families, sizes }
    }

    /// The group of a label with or without a number.
    pub fn read(&self, word: &str) -> Option<(GroupId, Option<u32>)> {
        read_label(word, |label| self.group(Some(label)), |group| self.sizes[group.index()] as usize)
    }

    /// Whether some label is a member of this family.
    pub fn has_family(&self, base: &str) -> bool {
        self.families.contains(base)
    }

    pub fn group(&self, label: Option<&str>) -> Option<GroupId> {
        self.groups.get(&label.map(str::to_owned)).copied()
    }
}
