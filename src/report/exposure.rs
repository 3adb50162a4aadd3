//! Which exposure of a violated property is told: the one with the fewest observations in all, not the one with the least hindsight.
//!
//! The verdict rests on the latter, so it is told if the other is not known, or is not that of the whole system.

use crate::model::{Horizon, System};
use crate::resources::Resources;
use crate::verdict::{Evidence, Fewest, Finding, Witness};
use crate::verify::{Limits, Options, fewest_observations, view};
use std::borrow::Cow;

/// The exposure that is told.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// The system that shows it: the kept parts, if it was found there.
    pub system: &'a System,
    /// The finding about that system.
    pub finding: &'a Finding,
    /// The exposure itself.
    pub witness: Cow<'a, Witness>,
    /// Whether no other within the horizon is known to have fewer observations.
    pub is_fewest: bool,
}

/// The share of the time that is left which the search for fewer observations may take is one in this many.
const SHARE: u32 = 4;

/// The exposure that is told of a piece of evidence; none: there is none, or it was not replayed. Few observations are looked for
/// with so much more work than that of the verdict.
pub fn told<'a>(system: &'a System, evidence: &'a Evidence, free: u64, resources: Resources<'_>) -> Option<Told<'a>> {
    let (shown, finding) = evidence.finding.shown(system);
    let known = finding.witness.as_ref()?;
    let Fewest { other, is_proved } = match is_whole(&evidence.finding) {
        true => fewest(shown, finding, (evidence, free), resources),
        false => Fewest::default(),
    };
    let witness = other.map_or(Cow::Borrowed(known), Cow::Owned);
    Some(Told { system: shown, finding, witness, is_fewest: is_proved })
}

/// Whether the exposure is one of all parts: beside a few of them the others may do anything, and not all of it is possible.
fn is_whole(finding: &Finding) -> bool {
    finding.parts.as_ref().is_none_or(|parts| parts.kept.len() == parts.total)
}

fn fewest(system: &System, finding: &Finding, (evidence, free): (&Evidence, u64), resources: Resources<'_>) -> Fewest {
    let timeout = resources.time_left().map(|left| left / SHARE);
    let limits = Limits { timeout, memory: resources.memory, pairs: None };
    let options = Options { limits, threads: 1, interrupted: resources.interrupted, ..Options::default() };
    let view = view(system, finding.view_id);
    fewest_observations(&view, &finding.property, evidence.horizon, (finding, free), &options)
}

/// How far the horizon of a check reaches, as far as that matters for what is told: two checks that share a finding and this share
/// the exposure that is told.
pub fn reach(evidence: &Evidence) -> u64 {
    let known = evidence.finding.exposing();
    let (total, distance) = known.map_or((0, 0), |known| (known.observation.len() as u64, known.distance()));
    match evidence.horizon {
        Horizon::Steps(steps) => steps.min(total),
        Horizon::Infinite => total,
        Horizon::Exactly(_) => distance,
        Horizon::Initial => u64::MAX,
    }
}
