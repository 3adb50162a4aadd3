//! Writes a report piece by piece, as far as time and memory reach.
//!
//! Readers put text here check by check, and look between two checks whether they may [go on](Scribe::goes_on). What they leave
//! out they count, so that the report can say it.

use super::counterexample::{BRIEF, Story};
use super::remedy::{self, Remedy};
use super::{CheckReport, Kind, PropertyReport};
use crate::automaton::StateSet;
use crate::automaton::view::Symbol;
use crate::model::{Horizon, System, ViewId};
use crate::resources::{Monitor, Resources, Stop};
use crate::verdict::{Answer, Evidence, Finding};
use rustc_hash::FxHashMap;
use std::io;
use std::sync::Arc;

/// What the writing of a report may use, and what it leaves out.
pub struct Teller<'a> {
    monitor: Monitor<'a>,
    stories: Stories,
    left_out: usize,
}

/// How much of a report was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// How many checks are left out.
    pub left_out: usize,
    /// The limit that was reached, if anything is left out.
    pub stop: Option<Stop>,
}

impl<'a> Teller<'a> {
    /// Tells within these resources. Stories have this many steps at each end.
    pub fn new(resources: Resources<'a>, edge: usize) -> Teller<'a> {
        Teller { monitor: resources.monitor(), stories: Stories::new(edge), left_out: 0 }
    }

    /// Whether there is time for so much more.
    pub fn goes_on(&mut self, units: u64) -> bool {
        self.monitor.spend(units).is_ok()
    }

    /// Counts checks that are left out.
    pub fn leave_out(&mut self, checks: usize) {
        self.left_out += checks;
    }

    /// How much is left out so far.
    pub fn written(&self) -> Written {
        Written { left_out: self.left_out, stop: self.monitor.stopped().filter(|_| self.left_out > 0) }
    }

    /// The story of the exposure in a piece of evidence, if there is one.
    ///
    /// # Errors
    /// When a limit was reached before it was told.
    pub fn story(&mut self, system: &System, evidence: &Evidence) -> Result<Option<Arc<Story>>, Stop> {
        self.stories.tell(system, evidence, self.monitor.resources())
    }

    /// What could be changed so that a violated check passes.
    pub fn remedies(&mut self, system: &System, evidence: &Evidence, story: &Story) -> Vec<Remedy> {
        self.stories.remedies(system, evidence, story, self.monitor.resources())
    }
}

/// Where a report goes.
pub struct Scribe<'a> {
    out: &'a mut dyn io::Write,
    failed: Option<io::Error>,
    /// What it may use.
    pub teller: Teller<'a>,
}

/// How many bytes are written for one unit of work.
const BYTES_PER_UNIT: usize = 32;

impl<'a> Scribe<'a> {
    /// Writes to `out`. Stories have this many steps at each end.
    pub fn new(out: &'a mut dyn io::Write, resources: Resources<'a>, edge: usize) -> Scribe<'a> {
        Scribe { out, failed: None, teller: Teller::new(resources, edge) }
    }

    /// Writes a piece. Once it has failed nothing more is written.
    pub fn put(&mut self, text: &str) {
        // WHY nobody asks: what was begun is finished, and whoever goes on asks before.
        self.teller.goes_on((1 + text.len() / BYTES_PER_UNIT) as u64);
        if self.failed.is_none() {
            self.failed = self.out.write_all(text.as_bytes()).err();
        }
    }

    /// Whether there is time for more, and anybody who reads it.
    pub fn goes_on(&mut self) -> bool {
        self.failed.is_none() && self.teller.goes_on(1)
    }

    /// The end of the report.
    ///
    /// # Errors
    /// When a piece could not be written.
    pub fn finish(self) -> io::Result<Written> {
        self.failed.map_or_else(|| Ok(self.teller.written()), Err)
    }
}

impl std::fmt::Write for Scribe<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.put(text);
        Ok(())
    }
}

/// The stories that were told already: checks that share a finding share its story.
struct Stories {
    edge: usize,
    known: FxHashMap<(*const Finding, bool), Arc<Story>>,
    bytes: u64,
    remedies: FxHashMap<(*const Finding, Horizon), Vec<Remedy>>,
    /// How many searches for remedies may still be made.
    tries: usize,
}

/// How many searches for remedies one report makes.
const TRIES: usize = 200;

/// How many bytes of stories are kept for checks to come.
const KEPT: u64 = 4 << 20;

impl Stories {
    fn new(edge: usize) -> Stories {
        Stories { edge, known: FxHashMap::default(), bytes: 0, remedies: FxHashMap::default(), tries: TRIES }
    }

    fn tell(
        &mut self,
        system: &System,
        evidence: &Evidence,
        resources: Resources<'_>,
    ) -> Result<Option<Arc<Story>>, Stop> {
        let (system, finding) = evidence.finding.shown(system);
        let Some(witness) = &finding.witness else { return finding.unreplayed.map_or(Ok(None), Err) };
        let key = (Arc::as_ptr(&evidence.finding), evidence.horizon == Horizon::Initial);
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(Arc::clone(known)));
        }
        let tell = |edge: usize| {
            let mut monitor = resources.monitor();
            let told = Story::new(system, finding, evidence.horizon, witness, edge, &mut monitor);
            told.map(|story| (Arc::new(story), monitor.held()))
        };
        let (story, bytes) = match tell(self.edge) {
            Err(Stop::Memory) if self.edge > BRIEF => tell(BRIEF)?,
            told => told?,
        };
        self.keep(key, &story, bytes);
        Ok(Some(story))
    }

    fn remedies(
        &mut self,
        system: &System,
        evidence: &Evidence,
        story: &Story,
        resources: Resources<'_>,
    ) -> Vec<Remedy> {
        let key = (Arc::as_ptr(&evidence.finding), evidence.horizon);
        if let Some(known) = self.remedies.get(&key) {
            return known.clone();
        }
        let found = remedy::remedies(system, evidence, story, resources, &mut self.tries);
        self.remedies.insert(key, found.clone());
        found
    }

    fn keep(&mut self, key: (*const Finding, bool), story: &Arc<Story>, bytes: u64) {
        self.bytes += bytes;
        if self.bytes > KEPT {
            self.known.clear();
            self.bytes = bytes;
        }
        self.known.insert(key, Arc::clone(story));
    }
}

/// Which check of a system is the first with a story. Checks have the same story if they share a finding, or if the same is seen by
/// the same intruder and exposes the same.
#[derive(Default)]
pub struct SharedStories<'a> {
    findings: FxHashMap<*const Finding, usize>,
    exposures: FxHashMap<Exposing<'a>, usize>,
}

/// Through whose eyes, αβ, |α|, and what is exposed.
type Exposing<'a> = (ViewId, &'a [Symbol], usize, &'a StateSet);

impl<'a> SharedStories<'a> {
    /// The first check with the story of this one, which is check `at`; none: it has no story.
    pub fn first(&mut self, check: &CheckReport<'a>, at: usize) -> Option<usize> {
        let Kind::Property(PropertyReport { finding: Some(finding), .. }) = &check.kind else { return None };
        let witness = finding.exposing().filter(|_| check.answer == Answer::Violated)?;
        let exposing = (finding.view_id, &witness.observation[..], witness.at, &witness.exposed);
        let exposures = &mut self.exposures;
        let first = || *exposures.entry(exposing).or_insert(at);
        Some(*self.findings.entry(std::ptr::from_ref(*finding)).or_insert_with(first))
    }
}
