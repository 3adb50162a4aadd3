//! From an interrupted run to its results: what is known from the last progress report and from the searches that ended.
//!
//! A search that reports layer L has explored every layer below L, so nothing is exposed with |β| < L. A report does not say which
//! search it comes from, so it counts only if the system has one search.

use super::schedule::{Answers, Key, searches};
use super::{Phase, Progress};
use crate::model::System;
use crate::resources::Resources;
use crate::resources::Stop;
use crate::verdict::{Cost, Exposure, Finding, Results};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The results of a system that was not decided, given the last progress report, and the findings of the searches that ended
/// (each with whether it is about the initial state). What takes no search is computed as far as the resources reach.
pub fn partial_results(
    system: &System,
    progress: Option<&Progress>,
    found: &[(bool, Arc<Finding>)],
    resources: Resources<'_>,
) -> Results {
    let keys = searches(system).0;
    let progress = progress.filter(|_| keys.len() == 1);
    let mut findings: FxHashMap<Key<'_>, Arc<Finding>> =
        keys.into_iter().map(|key| (key, Arc::new(undecided(key, progress)))).collect();
    for (initial, finding) in found {
        if let Some(known) = findings.get_mut(&(finding.view_id, &finding.property, *initial)) {
            *known = Arc::clone(finding);
        }
    }
    Answers::new(system, resources).results(&findings)
}

/// The finding of a search that has not ended.
fn undecided((view_id, property, _): Key<'_>, progress: Option<&Progress>) -> Finding {
    let cost = |progress: &Progress| Cost { pairs: progress.pairs, memory: progress.memory, ..Cost::default() };
    Finding {
        exposure: progress.map_or(Exposure::Unknown, explored),
        stopped: Some(Stop::Interrupted),
        cost: progress.map_or_else(Cost::default, cost),
        ..Finding::unsearched(view_id, property.clone())
    }
}

/// The exposure that a progress report implies.
fn explored(progress: &Progress) -> Exposure {
    match progress.layer.checked_sub(1) {
        Some(safe) if progress.phase == Phase::Layers => Exposure::Beyond(safe),
        _ => Exposure::Unknown,
    }
}
