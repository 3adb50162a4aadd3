//! A report beside an older one: what got worse, what got better, and what is gone.
//!
//! The older report is the document of `desc check --message-format json`. A check is recognised by its file, its system and its
//! name, or its text if it has no name; of several alike, by their order. Passed is better than undecided, undecided is better than
//! failed; between two violations, the later exposure is better. A measure is worse if its maximal K is smaller. A check that
//! is new is worse if it does not pass.

use super::recorded::{RecordedDocument, RecordedSystem};
use super::{CheckReport, FileReport, Kind, MaxK, MeasureReport, Report, SystemReport};
use crate::report::phrasing::count;
use crate::resources::Resources;
use crate::resources::json::Unread;
use crate::verdict::{Exposure, Mark};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::Serialize;

/// An older report, as far as it is compared.
#[derive(Debug)]
pub struct Baseline {
    /// Its checks and measures, in order.
    known: Vec<(Key, Standing)>,
}

/// File, system, name or text, and how many of the same came before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key(String, String, String, usize);

/// How good the result of a check or a measure is: the larger the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// It failed; exposed after so many steps.
    Failed(Option<u64>),
    Undecided,
    /// A measure: -1 is none, and the largest number is infinite.
    Measured(i64),
    Passed,
}

/// What differs between two reports.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Comparison {
    /// What got worse, and what is new and does not pass: the run fails if there is any.
    pub worse: Vec<Change>,
    /// What got better.
    pub better: Vec<Change>,
    /// What the older report has, and this one has not.
    pub gone: Vec<Gone>,
    /// The number of checks that do not pass, but are no worse than before.
    pub tolerated: usize,
    /// Which checks got worse: file, system and check.
    #[serde(skip)]
    at: FxHashSet<(usize, usize, usize)>,
}

/// A check or a measure with another result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Change {
    /// The file.
    pub file: String,
    /// The first line of the check.
    pub line: u32,
    /// The system.
    pub system: String,
    /// Its text.
    pub text: String,
    /// The older result; null if the check is new.
    pub before: Option<String>,
    /// The result.
    pub after: String,
    /// Whether it is only undecided.
    pub undecided: bool,
}

/// A check or a measure of the older report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Gone {
    pub file: String,
    pub system: String,
    /// Its name, or its text.
    pub check: String,
}

impl Baseline {
    /// Reads the document of an older run.
    ///
    /// # Errors
    /// What is wrong with it, if it is none, and when it takes more than the resources allow.
    pub fn read(text: &str, resources: Resources<'_>) -> Result<Baseline, Unread> {
        let document = RecordedDocument::read(text, resources)?;
        let mut keys = Keys::default();
        let known = document.systems.iter().flat_map(|system| keys.of_old(system)).collect();
        Ok(Baseline { known })
    }

    /// Compares a report with this older one. If the report is whole, checks that it does not have are gone.
    pub fn compare(&self, report: &Report, whole: bool) -> Comparison {
        let old: FxHashMap<&Key, Standing> = self.known.iter().map(|(key, standing)| (key, *standing)).collect();
        let mut comparing =
            Comparing { old, keys: Keys::default(), seen: FxHashSet::default(), found: Comparison::default() };
        for (file_at, file) in report.files.iter().enumerate() {
            for (system_at, system) in file.systems().iter().enumerate() {
                comparing.system((file_at, system_at), file, system);
            }
        }
        let files: FxHashSet<String> = report.files.iter().map(|file| slashes(file.name())).collect();
        let is_gone = |(key, _): &&(Key, Standing)| whole && files.contains(&key.0) && !comparing.seen.contains(key);
        let gone = self.known.iter().filter(is_gone).map(|(Key(file, system, check, _), _)| Gone {
            file: file.clone(),
            system: system.clone(),
            check: check.clone(),
        });
        Comparison { gone: gone.collect(), ..comparing.found }
    }
}

impl Comparison {
    /// Whether a check got worse: the number of its file, of its system in the file, and its own.
    pub fn is_worse(&self, file: usize, system: usize, check: usize) -> bool {
        self.at.contains(&(file, system, check))
    }

    /// The numbers in one line: `1 worse, 2 better, 3 as before`.
    pub fn summary(&self) -> String {
        let mut parts = vec![format!("{} worse", self.worse.len()), format!("{} better", self.better.len())];
        if self.tolerated > 0 {
            parts.push(format!("{} known not to pass", count(self.tolerated as u64, "check")));
        }
        if !self.gone.is_empty() {
            parts.push(format!("{} gone", count(self.gone.len() as u64, "check")));
        }
        parts.join(", ")
    }
}

impl Change {
    /// `holds before, now violated: exposed after 2 steps`
    pub fn words(&self) -> String {
        match &self.before {
            Some(before) => format!("{before} before, now {}", self.after),
            None => format!("new: {}", self.after),
        }
    }
}

/// Numbers checks that are alike.
#[derive(Default)]
struct Keys(FxHashMap<(String, String, String), usize>);

impl Keys {
    fn next(&mut self, file: &str, system: &str, name: Option<&str>, text: &str) -> Key {
        let parts = (slashes(file), system.to_owned(), name.unwrap_or(text).to_owned());
        let number = self.0.entry(parts.clone()).or_default();
        *number += 1;
        Key(parts.0, parts.1, parts.2, *number)
    }

    fn of_old(&mut self, system: &RecordedSystem) -> Vec<(Key, Standing)> {
        let RecordedSystem { file, checks, measures, .. } = system;
        let name = &system.title();
        let mut known = Vec::new();
        for check in checks {
            known.push((self.next(file, name, check.name.as_deref(), &check.text), check.standing()));
        }
        for measure in measures {
            known.push((self.next(file, name, measure.name.as_deref(), &measure.text), measure.standing()));
        }
        known
    }
}

/// The same file has the same name on every system.
pub(super) fn slashes(file: &str) -> String {
    let file = file.replace('\\', "/");
    file.strip_prefix("./").unwrap_or(&file).to_owned()
}

/// The comparison so far.
struct Comparing<'a> {
    old: FxHashMap<&'a Key, Standing>,
    keys: Keys,
    seen: FxHashSet<Key>,
    found: Comparison,
}

impl Comparing<'_> {
    fn system(&mut self, (file_at, system_at): (usize, usize), file: &FileReport, system: &SystemReport<'_>) {
        let name = &*system.title();
        for at in 0..system.n_checks() {
            let check = system.check(at);
            let key = self.keys.next(file.name(), name, check.name, check.text);
            let line = super::line(&file.sources, check.span);
            if self.compare(key, of_check(&check), line, check.text) {
                self.found.at.insert((file_at, system_at, at));
            }
        }
        for measure in system.measures() {
            let key = self.keys.next(file.name(), name, measure.name, measure.text);
            self.compare(key, of_measure(&measure), super::line(&file.sources, measure.span), measure.text);
        }
    }

    /// Files one result; whether it got worse.
    fn compare(&mut self, key: Key, now: Standing, line: u32, text: &str) -> bool {
        let before = self.old.get(&key).copied();
        let (better, worse) = match before {
            Some(before) => (now.is_better(before), before.is_better(now)),
            None => (false, now.fails()),
        };
        let change = || Change {
            file: key.0.clone(),
            line,
            system: key.1.clone(),
            text: text.to_owned(),
            before: before.map(Standing::words),
            after: now.words(),
            undecided: now == Standing::Undecided,
        };
        match (better, worse) {
            (true, _) => self.found.better.push(change()),
            (_, true) => self.found.worse.push(change()),
            _ => self.found.tolerated += usize::from(now.fails()),
        }
        self.seen.insert(key);
        worse
    }
}

impl Standing {
    fn fails(self) -> bool {
        matches!(self, Standing::Failed(_) | Standing::Undecided)
    }

    /// Whether this is better than another result. A violation whose distance is not known is as good as any.
    pub(super) fn is_better(self, other: Standing) -> bool {
        match (self, other) {
            (Standing::Failed(None), Standing::Failed(_)) | (Standing::Failed(_), Standing::Failed(None)) => false,
            // To know less is no progress.
            (Standing::Undecided, Standing::Failed(_)) => false,
            _ => self > other,
        }
    }

    pub(super) fn words(self) -> String {
        match self {
            Standing::Passed => "passed".to_owned(),
            Standing::Undecided => "undecided".to_owned(),
            Standing::Failed(None) => "failed".to_owned(),
            Standing::Failed(Some(steps)) => format!("failed, exposed after {}", count(steps, "step")),
            Standing::Measured(-1) => "maximal K none".to_owned(),
            Standing::Measured(i64::MAX) => "maximal K infinite".to_owned(),
            Standing::Measured(steps) => format!("maximal K {steps}"),
        }
    }
}

fn of_check(check: &CheckReport<'_>) -> Standing {
    match (check.mark, &check.kind) {
        (Mark::Passed, _) => Standing::Passed,
        (Mark::Undecided, _) => Standing::Undecided,
        // What was expected to be exposed, and is not, has no distance that could be better.
        (Mark::Failed, Kind::Property(found)) => match found.exposure {
            Exposure::At(least) if !check.negated => Standing::Failed(Some(least)),
            _ => Standing::Failed(None),
        },
        (Mark::Failed, _) => Standing::Failed(None),
    }
}

fn of_measure(measure: &MeasureReport<'_>) -> Standing {
    match MaxK::from(measure.exposure) {
        MaxK::None => Standing::Measured(-1),
        MaxK::Steps(steps) => Standing::Measured(i64::try_from(steps).unwrap_or(i64::MAX)),
        MaxK::Infinite => Standing::Measured(i64::MAX),
        MaxK::Unknown => Standing::Undecided,
    }
}
