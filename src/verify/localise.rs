//! From a question about a system whose product is not built to a finding on the product of a few of its parts.
//!
//! Some parts are kept and composed; the others are left out in two ways.
//! - A *stronger* intruder ([`stronger`]) also sees everything that the others do. What is hidden from them is hidden from the
//!   real one: infinite-step opacity or anonymity of the kept parts is that of the system, for every K.
//! - A *weaker* intruder does not know what the others do: they may do anything at any time. If even so an exposure is found, and
//!   a run of the whole system shows what exposes ([`realise`]), then the system is exposed.
//!
//! With every part kept both are the real intruder. So the parts that the question mentions are kept first, and the exposing runs
//! of the stronger intruder tell which parts to add ([`grow`]), until one of them answers. The proofs are in `docs/src/theory.md`.
//! Where nothing answers the whole product is built, as far as the limits allow.

mod grow;
mod realise;
mod sharing;
mod small;
mod stronger;
mod weaker;

pub(super) use sharing::Sharing;

use super::engine::driver::{self, Query};
use super::engine::tuning::Tuning;
use super::search::forward::SearchBound;
use super::{Limits, Options};
use crate::automaton::product::Exceeded;
use crate::automaton::view::{Observer, Projection, View};
use crate::automaton::{Automaton, EventId};
use crate::clock::Instant;
use crate::model::of_parts::PropertyOfParts;
use crate::model::{Property, System, Uncomposed, ViewId};
use crate::resources::{Monitor, Stop};
use crate::verdict::certificate::kept;
use crate::verdict::{Cost, DecidingParts, Exposure, Finding};
use grow::Waiting;
use small::{Size, Small};
use std::sync::Arc;
use std::time::Duration;
use stronger::Stronger;

/// One question about the parts of a system.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) system: &'a System,
    pub(super) sharing: &'a Sharing,
    pub(super) view_id: ViewId,
    pub(super) property: &'a Arc<PropertyOfParts>,
    pub(super) bound: SearchBound,
    /// The least finite horizon that is asked for.
    pub(super) shortest: Option<u64>,
}

/// Decides a question. Time is counted from `started`; the search ends after `slice`, if one is given.
pub(super) fn decide(
    asked: Asked<'_>,
    options: &Options<'_>,
    tuning: Tuning,
    started: Instant,
    slice: Option<Duration>,
) -> Finding {
    let begun = Instant::now();
    let end = slice.map(|slice| started.elapsed().saturating_add(slice));
    let timeout = options.limits.timeout.into_iter().chain(end).min();
    let options = Options { limits: Limits { timeout, ..options.limits }, ..*options };
    let resources = options.resources(started);
    let mut search = Localising { asked, options, tuning, started, tried: Vec::new(), safe: None };
    let finding = match search.run(&mut resources.monitor()) {
        Ok(Some(finding)) => finding,
        Ok(None) => search.undecided(Stop::States),
        Err(stop) => search.undecided(stop),
    };
    Finding { cost: Cost { time: begun.elapsed(), ..finding.cost }, ..finding }
}

/// What these parts say, if they decide the question.
pub(super) fn keep(asked: Asked<'_>, kept: &[usize], options: &Options<'_>, tuning: Tuning) -> Option<Finding> {
    let started = Instant::now();
    let mut search = Localising { asked, options: *options, tuning, started, tried: Vec::new(), safe: None };
    let marks = marks(kept, search.n_parts());
    match search.attempt(kept, &marks, &mut options.resources(started).monitor()) {
        Ok(Attempt::Decided(finding)) => Some(*finding),
        _ => None,
    }
}

struct Localising<'a> {
    asked: Asked<'a>,
    options: Options<'a>,
    tuning: Tuning,
    started: Instant,
    /// The sets of parts that did not answer.
    tried: Vec<Vec<usize>>,
    /// What is known to hold: a finding for fewer steps than are asked for.
    safe: Option<Finding>,
}

/// What a set of parts says.
enum Attempt {
    Decided(Box<Finding>),
    /// The stronger intruder knows too much, by a run with these events.
    Open(Vec<EventId>),
    /// The product of these parts is too large.
    TooLarge,
}

impl<'a> Localising<'a> {
    fn run(&mut self, monitor: &mut Monitor<'_>) -> Result<Option<Finding>, Stop> {
        let (n_parts, begun) = (self.n_parts(), Instant::now());
        let mut waiting = Waiting::default();
        match self.asked.property.mentioned() {
            none if none.is_empty() => {
                (0..n_parts).take(Tuning::FIRST_PARTS).for_each(|part| waiting.add(part, vec![part]))
            }
            mentioned => waiting.add(0, mentioned),
        }
        while let Some((rank, kept)) = waiting.next() {
            // WHY here: a search that was stopped answers nothing, and neither would the next one.
            monitor.look()?;
            let is_late = begun.elapsed() >= Tuning::PART_SETS_TIME;
            if is_late || self.tried.len() >= Tuning::MOST_PART_SETS || kept.len() == n_parts {
                break;
            }
            let marks = marks(&kept, n_parts);
            match self.attempt(&kept, &marks, monitor)? {
                Attempt::Decided(finding) => return Ok(Some(*finding)),
                Attempt::TooLarge => {}
                Attempt::Open(run) => {
                    let sharing = self.asked.sharing;
                    let mut more = grow::candidates(sharing, &marks, self.observer(), &run, monitor)?;
                    if more.is_empty() {
                        let every: Vec<EventId> = (0..sharing.n_events()).map(EventId::from_index).collect();
                        more = grow::candidates(sharing, &marks, self.observer(), &every, monitor)?;
                    }
                    for (more_rank, added) in more.into_iter().enumerate() {
                        let mut larger = kept.clone();
                        larger.extend(added);
                        larger.sort_unstable();
                        waiting.add(rank + more_rank, larger);
                    }
                }
            }
            self.tried.push(kept);
        }
        monitor.look()?;
        self.whole()
    }

    fn n_parts(&self) -> usize {
        self.asked.system.names.composition().map_or(0, |parts| parts.n_parts())
    }

    /// The real intruder.
    fn observer(&self) -> (&'a Observer, Projection) {
        (&self.asked.system.observer(self.asked.view_id.observer).observer, self.asked.view_id.projection)
    }

    /// Whether the time of the question is over.
    fn is_over(&self) -> bool {
        self.options.limits.timeout.is_some_and(|most| self.started.elapsed() >= most)
    }

    /// The time of one attempt.
    fn slice(&self) -> Duration {
        let left = self.options.limits.timeout.map(|most| most.saturating_sub(self.started.elapsed()));
        left.map_or(Tuning::PART_SET_TIME, |left| Tuning::PART_SET_TIME.min(left / 4))
    }

    /// Keeps some parts and asks both intruders.
    fn attempt(&mut self, kept: &[usize], marks: &[bool], monitor: &mut Monitor<'_>) -> Result<Attempt, Stop> {
        let Asked { system, property, .. } = self.asked;
        let size = Size { states: Tuning::SMALL_STATES, transitions: 8 * Tuning::SMALL_STATES };
        let small = match Small::new(system, property, kept, size, monitor.resources().within(self.slice())) {
            Err(Stop::Timeout) if !self.is_over() => None,
            small => small?,
        };
        let Some(small) = small else { return Ok(Attempt::TooLarge) };
        let bytes = small.bytes;
        monitor.hold(bytes)?;
        let attempt = self.ask(small, marks, monitor);
        monitor.release(bytes);
        attempt
    }

    /// Asks both intruders about the product of some parts, which the monitor holds.
    fn ask(&mut self, small: Small, marks: &[bool], monitor: &mut Monitor<'_>) -> Result<Attempt, Stop> {
        let Asked { property, sharing, .. } = self.asked;
        let stronger = Stronger::new(sharing, marks, self.observer(), monitor)?;
        let found = self.search_stronger(&small, &stronger, monitor.held());
        if found.fault.is_some() || self.is_enough(found.exposure, &stronger) {
            return Ok(Attempt::Decided(Box::new(self.localised(found, &small, &stronger))));
        }
        let run = found.witness.as_ref().map(|witness| witness.run.events.clone()).unwrap_or_default();
        self.keep_safe(found, &small, &stronger);
        if weaker::applies(property)
            && let Some((automaton, found)) = self.weaker(&small, monitor)?
            && found.exposure.most().is_some_and(|most| most <= self.asked.bound.horizon)
        {
            return Ok(Attempt::Decided(Box::new(self.exposed(found, small, automaton))));
        }
        Ok(Attempt::Open(run))
    }

    fn search_stronger(&self, small: &Small, stronger: &Stronger, held: u64) -> Finding {
        let view = View { automaton: &small.automaton, observer: &stronger.observer, projection: stronger.projection };
        // WHY every horizon: an intruder who sees more labels needs more of them for the same moment.
        let horizon = if stronger.counts_alike { self.asked.bound.horizon } else { u64::MAX };
        let query = Query {
            view,
            view_id: self.asked.view_id,
            property: &small.property,
            bound: SearchBound { horizon, ..self.asked.bound },
            shortest: self.asked.shortest.filter(|_| stronger.counts_alike),
        };
        driver::decide(&query, &self.quiet(held), self.tuning, self.started, Some(self.slice()))
    }

    /// The options of a search on a few parts, beside what is held: its progress says nothing about the whole.
    fn quiet(&self, held: u64) -> Options<'a> {
        let memory = self.options.limits.memory.map(|most| most.saturating_sub(held));
        let limits = Limits { memory, ..self.options.limits };
        Options { limits, progress: None, found: None, ..self.options }
    }

    /// Whether an exposure distance of the stronger intruder answers all that is asked.
    fn is_enough(&self, exposure: Exposure, stronger: &Stronger) -> bool {
        match exposure {
            Exposure::Never => true,
            _ => stronger.counts_alike && exposure.safe().is_some_and(|safe| safe >= self.asked.bound.horizon),
        }
    }

    /// A finding on a few parts as one of the system: what the stronger intruder does not see in so many steps, the real one does
    /// not.
    fn localised(&self, found: Finding, small: &Small, stronger: &Stronger) -> Finding {
        let exposure = match found.exposure {
            Exposure::Never => Exposure::Never,
            exposure => exposure.safe().filter(|_| stronger.counts_alike).map_or(Exposure::Unknown, Exposure::Beyond),
        };
        let parts = DecidingParts { kept: small.kept.clone(), total: self.n_parts(), ..DecidingParts::default() };
        let property = Property::OfParts(Arc::clone(self.asked.property));
        let fault = found.fault.clone().or_else(|| self.labels_differ(small, stronger));
        let exposure = if fault.is_some() { Exposure::Unknown } else { exposure };
        Finding { property, exposure, fault, witness: None, unreplayed: None, parts: Some(Arc::new(parts)), ..found }
    }

    /// An internal error, if the checker of certificates gives the stronger intruder other labels.
    fn labels_differ(&self, small: &Small, stronger: &Stronger) -> Option<String> {
        let parts = self.asked.system.names.composition()?;
        let sees = kept::sees(parts, &small.kept, self.observer());
        let alike = (&sees.observer, sees.projection, sees.counts_alike)
            == (&stronger.observer, stronger.projection, stronger.counts_alike);
        (!alike).then(|| "the labels of the stronger intruder are refused".to_owned())
    }

    /// Remembers what holds for some steps.
    fn keep_safe(&mut self, found: Finding, small: &Small, stronger: &Stronger) {
        let better = self.safe.as_ref().and_then(|safe| safe.exposure.safe());
        if stronger.counts_alike && found.exposure.safe() > better {
            self.safe = Some(self.localised(found, small, stronger));
        }
    }

    /// Composes every part, if that was not tried, and asks the real intruder.
    fn whole(&mut self) -> Result<Option<Finding>, Stop> {
        let Asked { system, property, view_id, bound, shortest, .. } = self.asked;
        let Some(Uncomposed { why, states, transitions }) = system.uncomposed else { return Ok(None) };
        if !matches!(why, Exceeded::States(tried) if tried < states) {
            return Ok(None);
        }
        let all: Vec<usize> = (0..self.n_parts()).collect();
        let resources = self.options.resources(self.started);
        let Some(small) = Small::new(system, property, &all, Size { states, transitions }, resources)? else {
            return Ok(None);
        };
        let (observer, projection) = self.observer();
        let view = View { automaton: &small.automaton, observer, projection };
        let query = Query { view, view_id, property: &small.property, bound, shortest };
        let found = driver::decide(&query, &self.options, self.tuning, self.started, None);
        let automaton = Automaton::clone(&small.automaton);
        Ok(Some(self.exposed(found, small, automaton)))
    }

    /// A finding of the real intruder on the kept parts as one of the system.
    fn exposed(&self, found: Finding, small: Small, automaton: Automaton) -> Finding {
        let property = Property::OfParts(Arc::clone(self.asked.property));
        let (kept, total) = (small.kept.clone(), self.n_parts());
        let tried = if found.stopped.is_some() { self.tried.clone() } else { Vec::new() };
        let outer = Finding {
            exposure: found.exposure,
            saturation: found.saturation,
            stopped: found.stopped,
            fault: found.fault.clone(),
            unreplayed: found.unreplayed,
            certificate: found.certificate.clone(),
            cost: found.cost.clone(),
            ..Finding::unsearched(self.asked.view_id, property)
        };
        let exposed =
            found.witness.is_some().then(|| Box::new((small.into_system(self.asked.system, automaton), found)));
        Finding { parts: Some(Arc::new(DecidingParts { kept, total, exposed, tried })), ..outer }
    }

    fn undecided(&mut self, stop: Stop) -> Finding {
        let unsearched = || Finding::unsearched(self.asked.view_id, Property::OfParts(Arc::clone(self.asked.property)));
        let safe = self.safe.take().unwrap_or_else(unsearched);
        let kept = safe.parts.as_ref().map_or_else(Vec::new, |parts| parts.kept.clone());
        let tried = std::mem::take(&mut self.tried);
        let parts = DecidingParts { kept, total: self.n_parts(), exposed: None, tried };
        Finding { stopped: Some(stop), parts: Some(Arc::new(parts)), ..safe }
    }
}

/// For each part whether it is kept.
fn marks(kept: &[usize], n_parts: usize) -> Vec<bool> {
    let mut marks = vec![false; n_parts];
    kept.iter().for_each(|&part| marks[part] = true);
    marks
}
