//! What is known so far of the systems of one model, while they are decided one after the other.

use desc::model::System;
use desc::verify::{Finding, Progress, Results, partial_results};
use std::sync::Arc;

/// What was found, and how far the search under way is.
#[derive(Debug, Default)]
pub struct Known {
    /// Of the first so many systems.
    pub results: Vec<Results>,
    /// How far the search of the next one is.
    told: Option<Progress>,
    /// What the searches of the next one found that have ended, and whether each is about the initial state.
    found: Vec<(bool, Arc<Finding>)>,
}

impl Known {
    /// The search of a system goes on.
    pub fn told(&mut self, progress: &Progress) {
        self.told = Some(*progress);
    }

    /// A search of a system has ended.
    pub fn found(&mut self, initial: bool, finding: &Arc<Finding>) {
        self.found.push((initial, Arc::clone(finding)));
    }

    /// The next system was decided.
    pub fn decided(&mut self, results: Results) {
        self.results.push(results);
        self.told = None;
        self.found.clear();
    }

    /// Takes the systems that were not decided for undecided, but for what their searches told.
    pub fn give_up(&mut self, systems: &[System]) {
        for system in &systems[self.results.len()..] {
            let found = std::mem::take(&mut self.found);
            self.results.push(partial_results(system, self.told.take().as_ref(), found));
        }
    }
}
