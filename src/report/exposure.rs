//! Which exposure of a violated property is reported: the one with the fewest observations in all, not the one with the least hindsight.
//!
//! The verdict rests on the latter, so it is reported if the other is not known, or is not that of the whole system.

use crate::model::{Horizon, System};
use crate::resources::Resources;
use crate::verdict::{Evidence, Fewest, Finding, Further, Witness};
use crate::verify::{Limits, Options, Tuning, fewest_observations, further_exposures, view};
use std::borrow::Cow;

/// The exposure that is reported.
#[derive(Clone, Debug)]
pub struct Reported<'a> {
    /// The system that shows it: the kept parts, if it was found there.
    pub system: &'a System,
    /// The finding about that system.
    pub finding: &'a Finding,
    /// The exposure itself.
    pub witness: Cow<'a, Witness>,
    /// Whether no other within the horizon is known to have fewer observations.
    pub is_fewest: bool,
}

/// Exposures that are really different from the one that is reported.
#[derive(Clone, Debug, Default)]
pub struct Others<T> {
    /// They, the ones with the fewest observations first.
    pub stories: Vec<T>,
    /// Whether there is no other; none: that is not known.
    pub is_all: Option<bool>,
}

/// Up to `most` exposures that are really different from the one that is reported. Beside a few of the parts nothing is known of others.
pub fn others(evidence: &Evidence, reported: &Reported<'_>, most: usize, resources: Resources<'_>) -> Further {
    if !is_whole(&evidence.finding) {
        return Further::default();
    }
    let view = view(reported.system, reported.finding.view_id);
    let known = (reported.finding, reported.witness.as_ref());
    let most = (most, Tuning::FURTHER_FREE_WORK);
    further_exposures(&view, &reported.finding.property, evidence.horizon, known, most, &options(resources))
}

/// The share of the time that is left which the search for fewer observations may take is one in this many.
const SHARE: u32 = 4;

/// The exposure that is reported of a piece of evidence; none: there is none, or it was not replayed. Few observations are looked for
/// with so much more work than that of the verdict.
pub fn reported<'a>(
    system: &'a System,
    evidence: &'a Evidence,
    free: u64,
    resources: Resources<'_>,
) -> Option<Reported<'a>> {
    let (shown, finding) = evidence.finding.shown(system);
    let known = finding.witness.as_ref()?;
    let Fewest { other, is_proved } = match is_whole(&evidence.finding) {
        true => fewest(shown, finding, (evidence, free), resources),
        false => Fewest::default(),
    };
    let witness = other.map_or(Cow::Borrowed(known), Cow::Owned);
    Some(Reported { system: shown, finding, witness, is_fewest: is_proved })
}

/// Whether the exposure is one of all parts: beside a few of them the others may do anything, and not all of it is possible.
fn is_whole(finding: &Finding) -> bool {
    finding.parts.as_ref().is_none_or(|parts| parts.kept.len() == parts.total)
}

fn fewest(system: &System, finding: &Finding, (evidence, free): (&Evidence, u64), resources: Resources<'_>) -> Fewest {
    let view = view(system, finding.view_id);
    fewest_observations(&view, &finding.property, evidence.horizon, (finding, free), &options(resources))
}

/// What one search for another exposure may use.
fn options(resources: Resources<'_>) -> Options<'_> {
    let timeout = resources.time_left().map(|left| left / SHARE);
    let limits = Limits { timeout, memory: resources.memory, pairs: None };
    Options { limits, threads: 1, interrupted: resources.interrupted, ..Options::default() }
}

/// How far the horizon of a check reaches, as far as that matters for the one that is reported: two checks that share a finding and this share
/// the exposure that is reported.
pub fn reach(evidence: &Evidence) -> u64 {
    let total = evidence.finding.exposing().map_or(0, |known| known.observation.len() as u64);
    match evidence.horizon {
        Horizon::Steps(_) | Horizon::Infinite => depth(evidence).min(total),
        Horizon::Exactly(_) | Horizon::Initial => depth(evidence),
    }
}

/// The greatest hindsight of an exposure that is reported.
pub fn depth(evidence: &Evidence) -> u64 {
    match evidence.horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Infinite | Horizon::Initial => u64::MAX,
        Horizon::Exactly(_) => evidence.finding.exposing().map_or(0, |known| known.distance()),
    }
}
