//! Writes a report piece by piece, as far as time and memory reach.
//!
//! Readers put text here check by check, and look between two checks whether they may [go on](Scribe::goes_on). What they leave
//! out they count, so that the report can say it.

use super::counterexample::{BRIEF, Story};
use super::exposure::{self, Others, Reported, depth, reach};
use super::remedy::{self, Remedy};
use super::{CheckReport, Kind, PropertyReport};
use crate::automaton::view::Projection;
use crate::model::{Horizon, System};
use crate::resources::{Monitor, Resources, Stop};
use crate::verdict::{Answer, Evidence, Finding, Further, Witness};
use crate::verify::Tuning;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::io;
use std::sync::Arc;

/// What the writing of a report may use, and what it leaves out.
pub struct Teller<'a> {
    monitor: Monitor<'a>,
    stories: Stories,
    /// Whether the exposure with the least hindsight is reported beside that with the fewest observations.
    both: bool,
    /// How many exposures of one check are reported that are really different.
    most: usize,
    left_out: usize,
}

/// An exposure, step by step.
#[derive(Clone, Debug)]
pub struct Exposed {
    /// The one with the fewest observations, as far as that is known.
    pub story: Arc<Story>,
    /// Whether no exposure within the horizon has fewer observations.
    pub is_fewest: bool,
    /// The one with the least hindsight, if that is another, and if both were asked for.
    pub nearest: Option<Arc<Story>>,
    /// Others that are really different, if they were asked for.
    pub others: Option<Others<Arc<Story>>>,
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
        Teller { monitor: resources.monitor(), stories: Stories::new(edge), both: false, most: 1, left_out: 0 }
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

    /// The same, and of an exposure with fewer observations than that with the least hindsight both are reported.
    #[must_use]
    pub fn with_both(self) -> Teller<'a> {
        Teller { both: true, ..self }
    }

    /// The same, and of each check up to so many exposures are reported that are really different.
    #[must_use]
    pub fn with_up_to(self, most: usize) -> Teller<'a> {
        Teller { most: most.max(1), ..self }
    }

    /// The story of the exposure in a piece of evidence, if there is one.
    ///
    /// # Errors
    /// When a limit was reached before it was reported.
    pub fn story(&mut self, system: &System, evidence: &Evidence) -> Result<Option<Exposed>, Stop> {
        self.stories.tell(system, evidence, (self.both, self.most), self.monitor.resources())
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

/// The stories that were written already: checks that share a finding and the reach of their horizon share its story.
struct Stories {
    edge: usize,
    known: FxHashMap<(*const Finding, u64), Exposed>,
    bytes: u64,
    remedies: FxHashMap<(*const Finding, Horizon), Vec<Remedy>>,
    /// How many searches for remedies may still be made.
    tries: usize,
    /// How many searches for few observations may still take longer than that for the verdict.
    quick: usize,
}

/// How many searches for few observations may take longer than that for the verdict.
const QUICK: usize = 100;

/// How many searches for remedies one report makes.
const TRIES: usize = 200;

/// How many bytes of stories are kept for checks to come.
const KEPT: u64 = 4 << 20;

impl Stories {
    fn new(edge: usize) -> Stories {
        let (known, remedies) = (FxHashMap::default(), FxHashMap::default());
        Stories { edge, known, bytes: 0, remedies, tries: TRIES, quick: QUICK }
    }

    fn tell(
        &mut self,
        system: &System,
        evidence: &Evidence,
        (both, most): (bool, usize),
        resources: Resources<'_>,
    ) -> Result<Option<Exposed>, Stop> {
        let key = (Arc::as_ptr(&evidence.finding), if most > 1 { depth(evidence) } else { reach(evidence) });
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(known.clone()));
        }
        self.quick = self.quick.saturating_sub(1);
        let free = if self.quick > 0 { Tuning::FEWEST_FREE_WORK } else { 0 };
        let Some(reported) = exposure::reported(system, evidence, free, resources) else {
            return evidence.finding.shown(system).1.unreplayed.map_or(Ok(None), Err);
        };
        let (story, mut bytes) = self.follow(&reported, evidence.horizon, &reported.witness, resources)?;
        let mut exposed = Exposed { story, is_fewest: reported.is_fewest, nearest: None, others: None };
        if let (Some(nearest), Cow::Owned(_), true) = (&reported.finding.witness, &reported.witness, both) {
            let (story, more) = self.follow(&reported, evidence.horizon, nearest, resources)?;
            (exposed.nearest, bytes) = (Some(story), bytes + more);
        }
        if let Some(more) = most.checked_sub(1).filter(|&more| more > 0) {
            let (others, more) = self.others(evidence, &reported, more, resources)?;
            (exposed.others, bytes) = (Some(others), bytes + more);
        }
        self.keep(key, &exposed, bytes);
        Ok(Some(exposed))
    }

    /// The stories of exposures that are really different, and the bytes that they hold.
    fn others(
        &self,
        evidence: &Evidence,
        reported: &Reported<'_>,
        most: usize,
        resources: Resources<'_>,
    ) -> Result<(Others<Arc<Story>>, u64), Stop> {
        let Further { witnesses, is_all } = exposure::others(evidence, reported, most, resources);
        let (mut others, mut bytes) = (Others { stories: Vec::new(), is_all }, 0);
        for witness in &witnesses {
            let (story, more) = self.follow(reported, evidence.horizon, witness, resources.less(bytes))?;
            others.stories.push(story);
            bytes += more;
        }
        Ok((others, bytes))
    }

    /// The story of a witness, and the bytes that it holds.
    fn follow(
        &self,
        reported: &Reported<'_>,
        horizon: Horizon,
        witness: &Witness,
        resources: Resources<'_>,
    ) -> Result<(Arc<Story>, u64), Stop> {
        let tell = |edge: usize| {
            let mut monitor = resources.monitor();
            let story = Story::new(reported.system, reported.finding, horizon, witness, edge, &mut monitor);
            story.map(|story| (Arc::new(story), monitor.held()))
        };
        match tell(self.edge) {
            Err(Stop::Memory) if self.edge > BRIEF => tell(BRIEF),
            story => story,
        }
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

    fn keep(&mut self, key: (*const Finding, u64), exposed: &Exposed, bytes: u64) {
        self.bytes += bytes;
        if self.bytes > KEPT {
            self.known.clear();
            self.bytes = bytes;
        }
        self.known.insert(key, exposed.clone());
    }
}

/// Which check of a system is the first with a story: checks have the same one if the same is seen by the same intruder and exposes
/// the same.
#[derive(Default)]
pub struct SharedStories<'a> {
    known: FxHashMap<Exposing<'a>, usize>,
}

/// Through whose eyes, and for each reported exposure αβ, |α|, and what is exposed.
type Exposing<'a> = (Option<&'a str>, Projection, Vec<(Vec<Arc<str>>, usize, Vec<u32>)>);

impl<'a> SharedStories<'a> {
    /// The first check with the story of this one, which is check `at`; none: it has no story.
    pub fn first(&mut self, check: &CheckReport<'a>, at: usize) -> Option<usize> {
        let Kind::Property(found) = &check.kind else { return None };
        let PropertyReport { story: Some(story), others, .. } = &**found else { return None };
        if check.answer != Answer::Violated {
            return None;
        }
        let row = |story: &Arc<Story>| {
            let seen = story.observation.iter().map(|sign| Arc::clone(&sign.ascii)).collect();
            (seen, story.at, story.exposed.ids.clone())
        };
        let all = std::iter::once(story).chain(others.iter().flat_map(|others| &others.stories)).map(row).collect();
        Some(*self.known.entry((check.observer, check.projection, all)).or_insert(at))
    }
}
