//! A share of what a model asks, so that several machines can decide it together.
//!
//! Questions that share a search stay together, because their results depend on the whole group: the maximal K of `2-step` is known if
//! `infinite-step` is asked beside it. Groups are dealt out in turn, in the order of the text, so that every machine has about as many.

use super::{Horizon, Model, Property, Question, System, ViewId};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

/// One share of several: the third of sixteen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shard {
    /// Which one, from 1.
    pub index: u32,
    /// How many there are.
    pub of: u32,
}

/// The questions of a system that were kept, by their places in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Kept {
    /// The checks.
    pub checks: Vec<usize>,
    /// The measures.
    pub measures: Vec<usize>,
}

impl Model {
    /// Keeps the questions of one share. `first` moves the first group to another share: files are dealt out in turn too.
    pub fn retain_shard(&mut self, shard: Shard, first: usize) {
        let mut dealer = Dealer { shard, next: first as u64 };
        let unbuilt = self.unbuilt.iter_mut().map(|unbuilt| &mut unbuilt.system);
        let mut systems: Vec<&mut System> = self.systems.iter_mut().chain(unbuilt).collect();
        systems.sort_by_key(|system| (system.span.file, system.span.start));
        self.kept = systems.into_iter().map(|system| dealer.keep(system)).collect();
    }
}

/// What questions of one search have in common.
type Key = (ViewId, Property, bool);

struct Dealer {
    shard: Shard,
    /// The number of the next group.
    next: u64,
}

impl Dealer {
    fn keep(&mut self, system: &mut System) -> Kept {
        let mut groups: FxHashMap<Key, bool> = FxHashMap::default();
        let checks: Vec<bool> = system.checks.iter().map(|check| self.is_ours(&check.question, &mut groups)).collect();
        let measures = system.measures.iter().map(|measure| (measure.view_id, measure.property.clone(), false));
        let measures: Vec<bool> = measures.map(|key| *groups.entry(key).or_insert_with(|| self.deal())).collect();
        retain(&mut system.checks, &checks);
        retain(&mut system.measures, &measures);
        Kept { checks: places(&checks), measures: places(&measures) }
    }

    fn is_ours(&mut self, question: &Question, groups: &mut FxHashMap<Key, bool>) -> bool {
        match question {
            Question::Property { view_id, property, horizon } => {
                let key = (*view_id, property.clone(), *horizon == Horizon::Initial);
                *groups.entry(key).or_insert_with(|| self.deal())
            }
            _ => self.deal(),
        }
    }

    /// Whether the next group is ours.
    fn deal(&mut self) -> bool {
        let number = self.next;
        self.next += 1;
        number % u64::from(self.shard.of.max(1)) + 1 == u64::from(self.shard.index)
    }
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    items.retain(|_| keep.next().is_some_and(|&keep| keep));
}

fn places(keep: &[bool]) -> Vec<usize> {
    keep.iter().enumerate().filter(|(_, keep)| **keep).map(|(at, _)| at).collect()
}
