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
pub(super) mod turns;
mod weaker;

pub(super) use sharing::Sharing;

use super::engine::driver::{self, Query};
use super::engine::tuning::Tuning;
use super::schedule::Wanted;
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
use crate::verdict::{Cost, DecidingParts, Exposure, Finding, Levels};
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
    /// What is asked of the system.
    pub(super) property: &'a Property,
    /// The same by the states of parts.
    pub(super) by_parts: &'a Arc<PropertyOfParts>,
    pub(super) initial: bool,
    pub(super) wanted: &'a Wanted<'a>,
}

/// What a search on parts may take. Work, not time: the same parts decide on every machine.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    /// The work of one search.
    search: u64,
    /// The work for all sets of parts.
    all: u64,
    /// How large a product of some parts may be.
    size: Size,
}

/// Decides a question about a system whose product is not built. Time is counted from `started`; the search ends after `slice`, if
/// one is given.
pub(super) fn decide(
    asked: Asked<'_>,
    options: &Options<'_>,
    tuning: Tuning,
    started: Instant,
    slice: Option<Duration>,
) -> Finding {
    let begun = Instant::now();
    let size = Size { states: Tuning::SMALL_STATES, transitions: 8 * Tuning::SMALL_STATES };
    let allowance = Allowance { search: Tuning::PART_SET_WORK, all: Tuning::PART_SETS_WORK, size };
    let sliced = options.ending(started, slice);
    let mut search =
        Localising { slice: sliced.limits.timeout, ..Localising::new(asked, options, tuning, started, allowance) };
    let mut monitor = sliced.resources(started).monitor();
    let found = search.run(&mut monitor).and_then(|found| match found {
        Some(found) => Ok(Some(found)),
        None => search.whole(),
    });
    let finding = match found {
        Ok(Some(finding)) => finding,
        Ok(None) => search.undecided(Stop::States),
        Err(stop) => search.undecided(stop),
    };
    Finding { cost: Cost { time: begun.elapsed(), ..finding.cost }, ..finding }
}

/// What these parts say, if they decide the question.
pub(super) fn keep(asked: Asked<'_>, kept: &[usize], options: &Options<'_>, tuning: Tuning) -> Option<Finding> {
    let started = Instant::now();
    let size = Size { states: Tuning::SMALL_STATES, transitions: 8 * Tuning::SMALL_STATES };
    let allowance = Allowance { search: u64::MAX, all: u64::MAX, size };
    let mut search = Localising::new(asked, options, tuning, started, allowance);
    let marks = marks(kept, search.n_parts());
    match search.attempt(kept, &marks, &mut options.resources(started).monitor()) {
        Ok(Attempt::Decided(finding)) => Some(*finding),
        _ => None,
    }
}

struct Localising<'a> {
    asked: Asked<'a>,
    options: Options<'a>,
    /// When to end, counted from `started`: no later than the limits, which proofs may use up.
    slice: Option<Duration>,
    tuning: Tuning,
    started: Instant,
    allowance: Allowance,
    /// The work that was done.
    spent: u64,
    /// Whether more work could tell more.
    is_cut: bool,
    /// The sets of parts that did not answer.
    tried: Vec<Vec<usize>>,
    /// The best of what is known, if it does not answer all that is asked.
    best: Option<Finding>,
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
    fn new(
        asked: Asked<'a>,
        options: &Options<'a>,
        tuning: Tuning,
        started: Instant,
        allowance: Allowance,
    ) -> Localising<'a> {
        let (options, tuning) = (*options, Tuning { turn: allowance.search, ..tuning });
        Localising {
            asked,
            options,
            slice: options.limits.timeout,
            tuning,
            started,
            allowance,
            spent: 0,
            is_cut: false,
            tried: Vec::new(),
            best: None,
        }
    }

    /// Tries sets of some of the parts, cheapest first, as far as the allowance reaches.
    fn run(&mut self, monitor: &mut Monitor<'_>) -> Result<Option<Finding>, Stop> {
        let n_parts = self.n_parts();
        let mut waiting = Waiting::default();
        match self.asked.by_parts.mentioned() {
            none if none.is_empty() => {
                (0..n_parts).take(Tuning::FIRST_PARTS).for_each(|part| waiting.add(part, vec![part]))
            }
            mentioned => waiting.add(0, mentioned),
        }
        while let Some((rank, kept)) = waiting.next() {
            if kept.len() == n_parts {
                continue;
            }
            // WHY here: a search that was stopped answers nothing, and neither would the next one.
            monitor.look()?;
            if self.spent >= self.allowance.all || self.tried.len() >= Tuning::MOST_PART_SETS {
                self.is_cut |= self.spent >= self.allowance.all;
                break;
            }
            let marks = marks(&kept, n_parts);
            match self.attempt(&kept, &marks, monitor)? {
                Attempt::Decided(finding) => return Ok(Some(*finding)),
                Attempt::TooLarge => {}
                Attempt::Open(run) => {
                    for (more_rank, added) in self.more(&marks, &run, monitor)?.into_iter().enumerate() {
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
        Ok(None)
    }

    /// The parts that could be kept as well, by a run that exposes; if it names none, by all events.
    fn more(&self, marks: &[bool], run: &[EventId], monitor: &mut Monitor<'_>) -> Result<Vec<Vec<usize>>, Stop> {
        let (sharing, real) = (self.asked.sharing, self.observer());
        let more = grow::candidates(sharing, marks, real, run, monitor)?;
        if !more.is_empty() {
            return Ok(more);
        }
        let every: Vec<EventId> = (0..sharing.n_events()).map(EventId::from_index).collect();
        grow::candidates(sharing, marks, real, &every, monitor)
    }

    fn n_parts(&self) -> usize {
        self.asked.system.names.composition().map_or(0, |parts| parts.n_parts())
    }

    /// The real intruder.
    fn observer(&self) -> (&'a Observer, Projection) {
        (&self.asked.system.observer(self.asked.view_id.observer).observer, self.asked.view_id.projection)
    }

    /// The time of one search, if time is limited: a part of what is left.
    fn slice(&self) -> Option<Duration> {
        Some(self.slice?.saturating_sub(self.started.elapsed()) / 4)
    }

    /// Keeps some parts and asks both intruders.
    fn attempt(&mut self, kept: &[usize], marks: &[bool], monitor: &mut Monitor<'_>) -> Result<Attempt, Stop> {
        let Asked { system, by_parts, .. } = self.asked;
        let resources = self.slice().map_or(monitor.resources(), |slice| monitor.resources().within(slice));
        let small = match Small::new(system, by_parts, kept, self.allowance.size, resources) {
            Err(Stop::Timeout) => {
                monitor.look()?;
                None
            }
            small => small?,
        };
        let Some(small) = small else {
            self.spent = self.spent.saturating_add(self.allowance.size.transitions as u64);
            return Ok(Attempt::TooLarge);
        };
        let bytes = small.bytes;
        monitor.hold(bytes)?;
        let attempt = self.ask(small, marks, monitor);
        monitor.release(bytes);
        attempt
    }

    /// Asks both intruders about the product of some parts, which the monitor holds.
    fn ask(&mut self, small: Small, marks: &[bool], monitor: &mut Monitor<'_>) -> Result<Attempt, Stop> {
        let Asked { by_parts, sharing, .. } = self.asked;
        let size = small.size();
        self.spent = self.spent.saturating_add(size);
        let stronger = Stronger::new(sharing, marks, self.observer(), monitor)?;
        let found = self.search_stronger(&small, &stronger, monitor.held());
        self.pay(&found, size);
        let run = found.witness.as_ref().map(|witness| witness.run.events.clone()).unwrap_or_default();
        let carried = stronger.carried(found.exposure);
        if found.fault.is_some() || self.asked.wanted.is_answered(carried) {
            return Ok(Attempt::Decided(Box::new(self.localised(found, &small, &stronger))));
        }
        if self.is_better(carried) {
            self.best = Some(self.localised(found, &small, &stronger));
        }
        if weaker::applies(by_parts)
            && let Some((automaton, found)) = self.weaker(&small, monitor)?
        {
            let found = self.exposed(found, small, automaton);
            if self.asked.wanted.is_answered(found.exposure) {
                return Ok(Attempt::Decided(Box::new(found)));
            }
            if self.is_better(found.exposure) {
                self.best = Some(found);
            }
        }
        Ok(Attempt::Open(run))
    }

    /// Counts a search as work: all of its turn if it used that up.
    fn pay(&mut self, found: &Finding, size: u64) {
        let was_cut = found.stopped.is_some();
        self.is_cut |= was_cut;
        self.spent = self.spent.saturating_add(if was_cut { self.allowance.search } else { 2 * size });
    }

    /// Whether a distance answers more than what was known before.
    fn is_better(&self, exposure: Exposure) -> bool {
        let answers = |exposure: Exposure| (self.asked.wanted.n_answered(exposure), exposure.safe());
        let known = self.best.as_ref().map_or(Exposure::Unknown, |best| best.exposure);
        answers(exposure) > answers(known)
    }

    fn search_stronger(&self, small: &Small, stronger: &Stronger, held: u64) -> Finding {
        let view = View { automaton: &small.automaton, observer: &stronger.observer, projection: stronger.projection };
        // WHY every horizon: an intruder who sees more labels needs more of them for the same moment.
        let Asked { view_id, initial, wanted, .. } = self.asked;
        let horizon = if stronger.counts_alike { wanted.horizon } else { u64::MAX };
        let query = Query {
            view,
            view_id,
            property: &small.property,
            bound: SearchBound { horizon, initial },
            shortest: wanted.shortest.filter(|_| stronger.counts_alike),
            enough: None,
            shared: None,
        };
        driver::decide(&query, &self.quiet(held), self.tuning, self.started, self.slice())
    }

    /// The options of a search on a few parts, beside what is held: its progress says nothing about the whole.
    fn quiet(&self, held: u64) -> Options<'a> {
        let memory = self.options.limits.memory.map(|most| most.saturating_sub(held));
        let limits = Limits { memory, ..self.options.limits };
        Options { limits, progress: None, found: None, ..self.options }
    }

    /// A finding on a few parts as one of the system: what the stronger intruder does not see in so many steps, the real one does
    /// not.
    fn localised(&self, found: Finding, small: &Small, stronger: &Stronger) -> Finding {
        let exposure = stronger.carried(found.exposure);
        let parts = DecidingParts { kept: small.kept.clone(), total: self.n_parts(), ..DecidingParts::default() };
        let property = self.asked.property.clone();
        let fault = found.fault.clone().or_else(|| self.labels_differ(small, stronger));
        let exposure = if fault.is_some() { Exposure::Unknown } else { exposure };
        let parts = Some(Arc::new(parts));
        // WHY no levels: what the stronger intruder sees is more than what the real one sees.
        Finding {
            property,
            exposure,
            fault,
            witness: None,
            unreplayed: None,
            levels: Levels::default(),
            parts,
            ..found
        }
    }

    /// An internal error, if the checker of certificates gives the stronger intruder other labels.
    fn labels_differ(&self, small: &Small, stronger: &Stronger) -> Option<String> {
        let parts = self.asked.system.names.composition()?;
        let sees = kept::sees(parts, &small.kept, self.observer());
        let alike = (&sees.observer, sees.projection, sees.counts_alike)
            == (&stronger.observer, stronger.projection, stronger.counts_alike);
        (!alike).then(|| "the labels of the stronger intruder are refused".to_owned())
    }

    /// Composes every part, if that was not tried, and asks the real intruder.
    fn whole(&mut self) -> Result<Option<Finding>, Stop> {
        let Asked { system, by_parts, view_id, initial, wanted, .. } = self.asked;
        let Some(Uncomposed { why, states, transitions }) = system.uncomposed else { return Ok(None) };
        if !matches!(why, Exceeded::States(tried) if tried < states) {
            return Ok(None);
        }
        let all: Vec<usize> = (0..self.n_parts()).collect();
        let sliced = Options { limits: Limits { timeout: self.slice, ..self.options.limits }, ..self.options };
        let Some(small) =
            Small::new(system, by_parts, &all, Size { states, transitions }, sliced.resources(self.started))?
        else {
            return Ok(None);
        };
        let (observer, projection) = self.observer();
        let view = View { automaton: &small.automaton, observer, projection };
        let bound = SearchBound { horizon: wanted.horizon, initial };
        let (shortest, enough) = (wanted.shortest, wanted.enough());
        let query = Query { view, view_id, property: &small.property, bound, shortest, enough, shared: None };
        let tuning = Tuning { turn: u64::MAX, ..self.tuning };
        let left = self.slice.map(|most| most.saturating_sub(self.started.elapsed()));
        let found = driver::decide(&query, &self.options, tuning, self.started, left);
        let automaton = Automaton::clone(&small.automaton);
        Ok(Some(self.exposed(found, small, automaton)))
    }

    /// A finding of the real intruder on the kept parts as one of the system.
    fn exposed(&self, found: Finding, small: Small, automaton: Automaton) -> Finding {
        let property = self.asked.property.clone();
        let (kept, total) = (small.kept.clone(), self.n_parts());
        let tried = if found.stopped.is_some() { self.tried.clone() } else { Vec::new() };
        let outer = Finding {
            exposure: found.exposure,
            saturation: found.saturation,
            stopped: found.stopped,
            // WHY not of some parts: the others may do anything beside them.
            levels: if kept.len() == total { found.levels.clone() } else { Levels::default() },
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
        let unsearched = || Finding::unsearched(self.asked.view_id, self.asked.property.clone());
        let mut best = self.best.take().unwrap_or_else(unsearched);
        let parts = best.parts.take().and_then(Arc::into_inner).unwrap_or_default();
        let parts = DecidingParts { total: self.n_parts(), tried: std::mem::take(&mut self.tried), ..parts };
        Finding { stopped: Some(stop), parts: Some(Arc::new(parts)), ..best }
    }
}

/// For each part whether it is kept.
fn marks(kept: &[usize], n_parts: usize) -> Vec<bool> {
    let mut marks = vec![false; n_parts];
    kept.iter().for_each(|&part| marks[part] = true);
    marks
}
