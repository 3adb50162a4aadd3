//! From a finding that holds to its certificate, built and checked.

use super::driver::Query;
use super::tuning::Tuning;
use crate::clock::Instant;
use crate::verdict::certificate::{Cells, Certificate, Refused, Sides};
use crate::verdict::{Exposure, Finding, certificate};
use crate::verify::Options;
use crate::verify::proof::{Goal, ProofLimits, ProofSeeds, Proved, prove};
use crate::verify::reduce::Reduction;

/// Builds the proof of the greatest horizon that holds, about the view that was searched, after a search of this effort, and
/// checks it about the view that was asked for.
pub(super) fn certify(
    finding: &mut Finding,
    (query, simple): (&Query<'_>, &Query<'_>),
    (reduction, seeds): (Reduction, ProofSeeds),
    effort: u64,
    options: &Options<'_>,
    started: Instant,
) {
    let Some(goal) = goal(finding.exposure, query) else { return };
    if !options.certificates && seeds.len() > Tuning::FREE_PROOF_SEEDS {
        return;
    }
    let free = Tuning::FREE_PROOF_WORK + effort / Tuning::SEARCH_STEPS_PER_PROOF_WORK;
    let resources = options.resources(started);
    let limits = ProofLimits {
        work: if options.certificates { u64::MAX } else { free },
        // WHY half of the time left: checking and writing the proof take about as long as building it.
        resources: resources.time_left().map_or(resources, |left| resources.within(left / 2)),
    };
    let proved = match reduction {
        Reduction { cells, sides: Some(sides), .. } => by_sides(goal, cells, sides, limits.work),
        reduction => prove(&simple.view, query.property, goal, (reduction, seeds), limits),
    };
    match proved {
        Proved::TooLarge => {}
        Proved::Refuted => record_internal_error(finding, "an exposure was found while the proof was built"),
        Proved::Certificate(mut proof) => {
            proof.once = simple.view.projection != query.view.projection;
            let mut monitor = resources.monitor();
            match certificate::check(&query.view, query.property, &proof, &mut monitor) {
                Ok(()) => {
                    finding.cost.certified = true;
                    finding.certificate = Some(*proof);
                }
                Err(Refused::Stopped(_)) => {}
                Err(Refused::Wrong(fault)) => {
                    record_internal_error(finding, &format!("the certificate is refused: {fault}"));
                }
            }
        }
    }
}

/// A proof on both sides of the cells, unless checking it takes more than this work.
fn by_sides(goal: Goal, cells: Option<Cells>, sides: Sides, work: u64) -> Proved {
    let pairs = sides.estimates.len() as u64 * sides.backward.len() as u64;
    if pairs > work {
        return Proved::TooLarge;
    }
    let (Goal { horizon, initial }, sides) = (goal, Some(sides));
    Proved::Certificate(Box::new(Certificate { horizon, initial, cells, sides, ..Certificate::default() }))
}

/// Records that the engine contradicts itself: nothing else in the finding counts.
pub(super) fn record_internal_error(finding: &mut Finding, fault: &str) {
    finding.fault = Some(fault.to_owned());
    finding.exposure = Exposure::Unknown;
}

/// The greatest horizon that holds, if one that is asked for does.
pub(super) fn goal(exposure: Exposure, query: &Query<'_>) -> Option<Goal> {
    let initial = query.bound.initial;
    let up_to = |safe: u64| {
        let asked = query.shortest.filter(|&steps| steps <= safe);
        asked.map(|_| Goal { horizon: Some(safe), initial })
    };
    match exposure {
        Exposure::Never => Some(Goal { horizon: None, initial }),
        Exposure::At(least) if !initial => least.checked_sub(1).and_then(up_to),
        Exposure::Beyond(safe) | Exposure::AtMost { safe: Some(safe), .. } if !initial => up_to(safe),
        Exposure::At(_) | Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => None,
    }
}
