//! Two reports side by side: which verdicts, distances and stories changed.
//!
//! Both are documents of `desc check --message-format json`. A check is recognised by its system and its name, or its text if it has no
//! name; of several alike, by their order. The files do not count: they are the two versions of one model.

use super::baseline::Standing;
use super::phrasing::count;
use super::recorded::{
    RecordedCheck, RecordedDocument, RecordedMaxK, RecordedMeasure, RecordedSystem, RecordedWitness,
};
use crate::resources::Resources;
use crate::resources::json::Unread;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// What differs between two reports.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// The version of this format: 1.
    schema: u32,
    /// Whether nothing differs.
    pub same: bool,
    /// How many checks and measures have the same result, and the same story.
    as_before: usize,
    /// Whether a check is undecided in one of the reports.
    pub undecided: bool,
    /// The systems whose size changed, and those that only one report has.
    systems: Vec<SystemChange>,
    /// The checks and measures whose result changed, in the order of the newer report; those that are gone at the end.
    changes: Vec<CheckChange>,
}

#[derive(Debug, Serialize)]
struct SystemChange {
    name: String,
    before: Option<Size>,
    after: Option<Size>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Size {
    states: usize,
    events: usize,
    transitions: usize,
}

#[derive(Debug, Serialize)]
struct CheckChange {
    kind: ChangeKind,
    system: String,
    text: String,
    /// The line in the newer report; of a check that is gone, in the older.
    line: u32,
    before: Option<Outcome>,
    after: Option<Outcome>,
}

/// The most important difference of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ChangeKind {
    /// The result got worse.
    Worse,
    /// The result got better.
    Better,
    /// The verdict, the distance or the maximal K is another, but neither better nor worse.
    Other,
    /// The result is the same, but another observation exposes it.
    Story,
    New,
    Gone,
}

/// The result of a check or a measure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Outcome {
    /// `holds`, `violated`, `undecided` or `measured`.
    verdict: String,
    /// Null for a measure.
    passed: Option<bool>,
    exposure: Option<u64>,
    max_k: Option<RecordedMaxK>,
    witness: Option<RecordedWitness>,
}

impl Difference {
    /// Compares two documents.
    ///
    /// # Errors
    /// What is wrong with one of them: whether it is the newer one, and why.
    pub fn new(old: &str, new: &str, resources: Resources<'_>) -> Result<Difference, (bool, Unread)> {
        let old = RecordedDocument::read(old, resources).map_err(|why| (false, why))?;
        let new = RecordedDocument::read(new, resources).map_err(|why| (true, why))?;
        let changes = changes(&entries(&old), &entries(&new));
        let systems = resized(&old, &new);
        let undecided = |document: &RecordedDocument| {
            document.systems.iter().any(|system| system.checks.iter().any(|check| check.verdict == "undecided"))
        };
        Ok(Difference {
            schema: 1,
            same: changes.found.is_empty() && systems.is_empty(),
            as_before: changes.as_before,
            undecided: undecided(&old) || undecided(&new),
            systems,
            changes: changes.found,
        })
    }

    /// The difference as text, a line or two for each change.
    pub fn text(&self, ascii: bool) -> String {
        let arrow = if ascii { "->" } else { "→" };
        let mut out: String = self.systems.iter().map(|system| system.line(arrow)).collect();
        let mut system = "";
        for change in &self.changes {
            if system != change.system {
                system = &change.system;
                out += &format!("{}{system}\n", if out.is_empty() { "" } else { "\n" });
            }
            out += &change.lines(arrow);
        }
        out + &self.summary(!self.changes.is_empty() || !self.systems.is_empty())
    }

    fn summary(&self, apart: bool) -> String {
        use ChangeKind::*;
        let kinds = [
            (Worse, "worse"),
            (Better, "better"),
            (Other, "changed"),
            (Story, "with another story"),
            (New, "new"),
            (Gone, "gone"),
        ];
        let number = |kind: ChangeKind| self.changes.iter().filter(|change| change.kind == kind).count();
        let mut parts: Vec<String> = kinds
            .iter()
            .filter(|(kind, _)| number(*kind) > 0)
            .map(|(kind, words)| format!("{} {words}", number(*kind)))
            .collect();
        parts.push(format!("{} as before", self.as_before));
        format!("{}{}\n", if apart { "\n" } else { "" }, parts.join(", "))
    }
}

/// A check or a measure of a report.
struct Entry<'a> {
    /// System, name or text, and how many of the same came before.
    key: (String, &'a str, usize),
    text: &'a str,
    line: u32,
    outcome: Outcome,
    standing: Standing,
}

fn entries(document: &RecordedDocument) -> Vec<Entry<'_>> {
    let mut all: Vec<Entry<'_>> = Vec::new();
    for system in &document.systems {
        let title = system.title();
        all.extend(system.checks.iter().map(|check| of_check(&title, check)));
        all.extend(system.measures.iter().map(|measure| of_measure(&title, measure)));
    }
    let mut numbers: FxHashMap<(String, &str), usize> = FxHashMap::default();
    for Entry { key: (system, name, number), .. } in &mut all {
        let same = numbers.entry((system.clone(), name)).or_default();
        *number = *same;
        *same += 1;
    }
    all
}

fn of_check<'a>(system: &str, check: &'a RecordedCheck) -> Entry<'a> {
    let outcome = Outcome {
        verdict: check.verdict.clone(),
        passed: Some(check.passed),
        exposure: check.exposure,
        max_k: check.max_k.clone(),
        witness: check.witness.clone(),
    };
    let key = (system.to_owned(), check.name.as_deref().unwrap_or(&check.text), 0);
    Entry { key, text: &check.text, line: check.line, outcome, standing: check.standing() }
}

fn of_measure<'a>(system: &str, measure: &'a RecordedMeasure) -> Entry<'a> {
    let verdict = "measured".to_owned();
    let outcome = Outcome { verdict, passed: None, exposure: None, max_k: measure.max_k.clone(), witness: None };
    let key = (system.to_owned(), measure.name.as_deref().unwrap_or(&measure.text), 0);
    Entry { key, text: &measure.text, line: measure.line, outcome, standing: measure.standing() }
}

/// The changes, and the number of entries without one.
#[derive(Default)]
struct Changes {
    found: Vec<CheckChange>,
    as_before: usize,
}

fn changes(old: &[Entry<'_>], new: &[Entry<'_>]) -> Changes {
    let before: FxHashMap<_, &Entry<'_>> = old.iter().map(|entry| (&entry.key, entry)).collect();
    let after: FxHashMap<_, &Entry<'_>> = new.iter().map(|entry| (&entry.key, entry)).collect();
    let mut changes = Changes::default();
    for entry in new {
        match before.get(&entry.key) {
            None => changes.found.push(change(ChangeKind::New, None, Some(entry), entry)),
            Some(known) => match kind(known, entry) {
                Some(kind) => changes.found.push(change(kind, Some(known), Some(entry), entry)),
                None => changes.as_before += 1,
            },
        }
    }
    let gone = old.iter().filter(|entry| !after.contains_key(&entry.key));
    changes.found.extend(gone.map(|entry| change(ChangeKind::Gone, Some(entry), None, entry)));
    changes
}

fn kind(old: &Entry<'_>, new: &Entry<'_>) -> Option<ChangeKind> {
    let (before, after) = (&old.outcome, &new.outcome);
    let same = before.verdict == after.verdict && before.passed == after.passed;
    if old.standing.is_better(new.standing) {
        Some(ChangeKind::Worse)
    } else if new.standing.is_better(old.standing) {
        Some(ChangeKind::Better)
    } else if !same || before.exposure != after.exposure || before.max_k != after.max_k {
        Some(ChangeKind::Other)
    } else {
        (before.witness != after.witness).then_some(ChangeKind::Story)
    }
}

fn change(kind: ChangeKind, old: Option<&Entry<'_>>, new: Option<&Entry<'_>>, shown: &Entry<'_>) -> CheckChange {
    CheckChange {
        kind,
        system: shown.key.0.clone(),
        text: shown.text.to_owned(),
        line: shown.line,
        before: old.map(|entry| entry.outcome.clone()),
        after: new.map(|entry| entry.outcome.clone()),
    }
}

/// The systems whose size changed, in the order of the newer report; then those that are gone.
fn resized(old: &RecordedDocument, new: &RecordedDocument) -> Vec<SystemChange> {
    let sizes = |document: &RecordedDocument| -> Vec<(String, Size)> {
        document.systems.iter().map(|system| (system.title(), size(system))).collect()
    };
    let (old, new) = (sizes(old), sizes(new));
    let (before, after): (FxHashMap<_, _>, FxHashMap<_, _>) =
        (old.iter().cloned().collect(), new.iter().cloned().collect());
    let names = new
        .iter()
        .map(|(name, _)| name)
        .chain(old.iter().map(|(name, _)| name).filter(|name| !after.contains_key(*name)));
    names
        .map(|name| SystemChange {
            name: name.clone(),
            before: before.get(name).copied(),
            after: after.get(name).copied(),
        })
        .filter(|change| change.before != change.after)
        .collect()
}

fn size(system: &RecordedSystem) -> Size {
    Size { states: system.states, events: system.events, transitions: system.transitions }
}

impl SystemChange {
    fn line(&self, arrow: &str) -> String {
        let name = &self.name;
        let words = |size: &Size| {
            let transitions = count(size.transitions as u64, "transition");
            format!("{}, {}, {transitions}", count(size.states as u64, "state"), count(size.events as u64, "event"))
        };
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => format!("{name}: {} {arrow} {}\n", words(before), words(after)),
            (None, Some(after)) => format!("{name}: new, {}\n", words(after)),
            _ => format!("{name}: gone\n"),
        }
    }
}

impl CheckChange {
    /// `  worse   check weak 2-step (line 14): holds → violated, exposed after 1 step`
    fn lines(&self, arrow: &str) -> String {
        let word = match self.kind {
            ChangeKind::Worse => "worse",
            ChangeKind::Better => "better",
            ChangeKind::Other => "changed",
            ChangeKind::Story => "story",
            ChangeKind::New => "new",
            ChangeKind::Gone => "gone",
        };
        let outcomes = || [&self.before, &self.after].into_iter().flatten();
        let mut out = format!("  {word:<7}  {} (line {})\n", self.text, self.line);
        if self.kind == ChangeKind::Story {
            let stories = ["before:", "now:   "].into_iter().zip(outcomes());
            return out + &stories.map(|(when, it)| format!("           {when} {}\n", it.story())).collect::<String>();
        }
        let words: Vec<String> = outcomes().map(Outcome::words).collect();
        out += &format!("           {}\n", words.join(&format!(" {arrow} ")));
        let told = self.after.as_ref().filter(|after| after.witness.is_some());
        if let Some(after) = told {
            out += &format!("           {}\n", after.story());
        }
        out
    }
}

impl Outcome {
    /// `violated, exposed after 1 step, failed`
    fn words(&self) -> String {
        let mut parts = vec![self.verdict.clone()];
        match (self.exposure, &self.max_k) {
            (Some(steps), _) => parts.push(format!("exposed after {}", count(steps, "step"))),
            (None, Some(RecordedMaxK::Steps(most))) => parts.push(format!("maximal K {most}")),
            (None, Some(RecordedMaxK::Word(word))) => parts.push(format!("maximal K {word}")),
            (None, None) => {}
        }
        parts.extend(self.passed.filter(|passed| !passed).map(|_| "failed".to_owned()));
        parts.join(", ")
    }

    /// What the intruder sees, and what they are sure of.
    fn story(&self) -> String {
        let Some(RecordedWitness { observation, at, estimate }) = &self.witness else { return "no story".to_owned() };
        let seen = if observation.is_empty() { "nothing".to_owned() } else { format!("`{}`", observation.join(" ")) };
        format!("they see {seen} and are sure of {{{}}} after {}", estimate.join(", "), count(*at, "observation"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(checks: &str) -> String {
        format!(
            r#"{{"schema": 1, "diagnostics": [], "systems": [{{"file": "a.des", "name": "S", "states": 2, "events": 1, "transitions": 2, "checks": [{checks}]}}]}}"#
        )
    }

    fn check(text: &str, verdict: &str, exposure: &str, seen: &str) -> String {
        let passed = verdict == "holds";
        let witness = if seen.is_empty() {
            "null".to_owned()
        } else {
            format!(
                r#"{{"observation": ["{seen}"], "at": 1, "estimate": ["A"], "run": {{"states": [], "events": []}}}}"#
            )
        };
        format!(
            r#"{{"text": "{text}", "line": 3, "verdict": "{verdict}", "passed": {passed}, "exposure": {exposure}, "witness": {witness}}}"#
        )
    }

    fn kinds(old: &str, new: &str) -> Vec<ChangeKind> {
        let difference = Difference::new(&document(old), &document(new), Resources::default()).expect("two documents");
        difference.changes.iter().map(|change| change.kind).collect()
    }

    #[test]
    fn each_kind_of_change_is_told() {
        let holds = check("check 1-step", "holds", "null", "");
        let (near, far) = (check("check 1-step", "violated", "0", "a"), check("check 1-step", "violated", "1", "a"));
        let other = check("check 1-step", "violated", "0", "b");
        let second = check("check 2-step", "holds", "null", "");
        assert_eq!(kinds(&holds, &holds), []);
        assert_eq!(kinds(&holds, &near), [ChangeKind::Worse]);
        assert_eq!(kinds(&near, &holds), [ChangeKind::Better]);
        assert_eq!(kinds(&near, &far), [ChangeKind::Better]);
        assert_eq!(kinds(&near, &other), [ChangeKind::Story]);
        assert_eq!(kinds(&holds, &second), [ChangeKind::New, ChangeKind::Gone]);
    }

    #[test]
    fn checks_alike_are_recognised_by_their_order() {
        let (holds, fails) = (check("check 1-step", "holds", "null", ""), check("check 1-step", "violated", "0", "a"));
        assert_eq!(kinds(&format!("{holds}, {fails}"), &format!("{holds}, {fails}")), []);
        assert_eq!(kinds(&format!("{holds}, {holds}"), &format!("{holds}, {fails}")), [ChangeKind::Worse]);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert!(matches!(Difference::new("{}", "{}", Resources::default()), Err((false, _))));
        assert!(matches!(
            Difference::new(&document(""), r#"{"schema": 2, "systems": []}"#, Resources::default()),
            Err((true, _))
        ));
    }
}
