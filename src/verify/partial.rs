//! From an interrupted run to its results: what is known from the last progress report and from the searches that ended.
//!
//! A search that reports layer L has explored every layer below L, so nothing is exposed with |β| < L. A report does not say which
//! search it comes from, so it counts only if the system has one search.

use super::schedule::{outcome, searches, view};
use super::{Cost, Exposure, Finding, Measured, Phase, Progress, Results, Stop};
use crate::model::{Lens, Property, System};
use crate::paper::bound::bound;
use std::sync::Arc;

/// The results of a system that was not decided, given the last progress report, and the findings of the searches that ended
/// (each with whether it is about the initial state).
pub fn partial_results(system: &System, progress: Option<&Progress>, found: Vec<(bool, Arc<Finding>)>) -> Results {
    let single = searches(system).0.len() == 1;
    let mut findings = Findings { progress: progress.filter(|_| single), found };
    let checks = system
        .checks
        .iter()
        .map(|check| outcome(system, &check.question, |(lens, property, initial)| findings.of(lens, property, initial)))
        .collect();
    let measures = system.measures.iter().map(|measure| Measured {
        finding: findings.of(measure.lens, &measure.property, false),
        bound: bound(view(system, measure.lens)),
    });
    let measures = measures.collect();
    Results { checks, measures }
}

/// One finding for each search.
struct Findings<'a> {
    /// The progress of the only search.
    progress: Option<&'a Progress>,
    found: Vec<(bool, Arc<Finding>)>,
}

impl Findings<'_> {
    fn of(&mut self, lens: Lens, property: &Property, initial: bool) -> Arc<Finding> {
        let same = |(of_start, finding): &&(bool, Arc<Finding>)| {
            *of_start == initial && finding.lens == lens && finding.property == *property
        };
        if let Some((_, known)) = self.found.iter().find(same) {
            return Arc::clone(known);
        }
        let finding = Arc::new(Finding {
            lens,
            property: property.clone(),
            exposure: self.progress.map_or(Exposure::Unknown, explored),
            witness: None,
            saturation: None,
            stopped: Some(Stop::Interrupted),
            fault: None,
            certificate: None,
            cost: self.progress.map_or_else(Cost::default, |progress| Cost {
                pairs: progress.pairs,
                memory: progress.memory,
                ..Cost::default()
            }),
        });
        self.found.push((initial, Arc::clone(&finding)));
        finding
    }
}

/// The exposure that a progress report implies.
fn explored(progress: &Progress) -> Exposure {
    match progress.layer.checked_sub(1) {
        Some(safe) if progress.phase == Phase::Layers => Exposure::Beyond(safe),
        _ => Exposure::Unknown,
    }
}
