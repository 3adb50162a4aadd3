//! The results so far of the systems of one model, which are decided one after the other.

use desc::model::System;
use desc::resources::Resources;
use desc::verdict::{Finding, Results};
use desc::verify::{Progress, partial_results};
use std::sync::Arc;

/// The results, and the progress of the current search.
#[derive(Debug, Default)]
pub struct Known {
    /// The results of the first systems.
    pub results: Vec<Results>,
    /// The progress of the next system.
    told: Option<Progress>,
    /// The results of the finished searches of the next system, and whether each is an initial-state search.
    found: Vec<(bool, Arc<Finding>)>,
}

impl Known {
    /// Records progress.
    pub fn told(&mut self, progress: &Progress) {
        self.told = Some(*progress);
    }

    /// Records the result of one search.
    pub fn found(&mut self, initial: bool, finding: &Arc<Finding>) {
        self.found.push((initial, Arc::clone(finding)));
    }

    /// Records the results of the next system.
    pub fn decided(&mut self, results: Results) {
        self.results.push(results);
        self.told = None;
        self.found.clear();
    }

    /// Completes the results: undecided systems keep the partial results of their searches.
    pub fn give_up(&mut self, systems: &[System], resources: Resources<'_>) {
        for system in &systems[self.results.len()..] {
            let found = std::mem::take(&mut self.found);
            self.results.push(partial_results(system, self.told.take().as_ref(), &found, resources));
        }
    }
}
