//! The results of a system whose searches were left behind: what can be said from the last word that came.
//!
//! A search that says it is at layer L has looked through every layer below L, so nothing exposes with |β| < L. That word can be
//! put down to a check only when the system has one search.

use super::schedule::{outcome, view};
use super::{Cost, Exposure, Finding, Measured, Phase, Progress, Results, Stop};
use crate::model::{Horizon, Lens, Property, Question, System};
use crate::paper::bound::bound;
use std::sync::Arc;

/// The results of a system that was not decided, given how far its search was and what its searches found that have ended
/// (whether each is about the initial state).
pub fn unfinished(system: &System, told: Option<&Progress>, found: Vec<(bool, Arc<Finding>)>) -> Results {
    let mut findings = Findings { told, found, alone: searches(system) == 1 };
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

/// How many searches a system needs.
fn searches(system: &System) -> usize {
    let mut findings = Findings { told: None, found: Vec::new(), alone: false };
    for check in &system.checks {
        if let Question::Property { lens, property, horizon } = &check.question {
            findings.of(*lens, property, *horizon == Horizon::Initial);
        }
    }
    system.measures.iter().for_each(|measure| drop(findings.of(measure.lens, &measure.property, false)));
    findings.found.len()
}

/// One finding for each search, as [`super::verify`] has it.
struct Findings<'a> {
    told: Option<&'a Progress>,
    found: Vec<(bool, Arc<Finding>)>,
    /// Whether there is only one search, so that what was told is about it.
    alone: bool,
}

impl Findings<'_> {
    fn of(&mut self, lens: Lens, property: &Property, initial: bool) -> Arc<Finding> {
        let same = |(of_start, finding): &&(bool, Arc<Finding>)| {
            *of_start == initial && finding.lens == lens && finding.property == *property
        };
        if let Some((_, known)) = self.found.iter().find(same) {
            return Arc::clone(known);
        }
        let told = self.told.filter(|_| self.alone);
        let finding = Arc::new(Finding {
            lens,
            property: property.clone(),
            exposure: told.map_or(Exposure::Unknown, safe),
            witness: None,
            saturation: None,
            stopped: Some(Stop::Interrupted),
            fault: None,
            certificate: None,
            cost: told.map_or_else(Cost::default, |told| Cost {
                pairs: told.pairs,
                memory: told.memory,
                ..Cost::default()
            }),
        });
        self.found.push((initial, Arc::clone(&finding)));
        finding
    }
}

/// What a search that goes on has made sure of.
fn safe(told: &Progress) -> Exposure {
    match told.layer.checked_sub(1) {
        Some(safe) if told.phase == Phase::Layers => Exposure::Beyond(safe),
        _ => Exposure::Unknown,
    }
}
