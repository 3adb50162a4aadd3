//! A sweep as one table: a row for each run and check, with the sizes of the system, the verdict, the maximal K and the time.
//!
//! Checks that one line of the model makes (in a `for`) share a row: their verdicts are counted, and the maximal K is the least of
//! theirs.

use super::text::{Telling, answer_word, seconds, totals};
use crate::diagnostic::any_error;
use crate::draw::table::Table;
use crate::report::scribe::{Scribe, Written};
use crate::report::{FileReport, Kind, MaxK, Report, SystemReport};
use crate::resources::Resources;
use crate::source::Span;
use crate::verdict::{Exposure, Mark};
use std::io;

/// Writes the table, and the numbers of checks.
///
/// # Errors
/// When it cannot be written.
pub fn write(
    report: &Report,
    telling: &Telling,
    out: &mut dyn io::Write,
    resources: Resources<'_>,
) -> io::Result<Written> {
    let mut scribe = Scribe::new(out, resources, 0);
    let names = constants(report);
    let mut table = Table { heading: heading(&names), rows: Vec::new() };
    for file in &report.files {
        if !scribe.goes_on() {
            scribe.teller.leave_out(file.systems().iter().map(SystemReport::n_checks).sum());
            continue;
        }
        table.rows.extend(rows(file, &names, telling));
    }
    scribe.put(&table.text());
    let time = telling.time.map(|time| format!(" in {}", seconds(time))).unwrap_or_default();
    scribe.put(&format!("\n{} runs; {}{time}\n", report.files.len(), totals(report)));
    scribe.finish()
}

/// The swept constants, in the order of the command line.
fn constants(report: &Report) -> Vec<String> {
    let swept = report.files.iter().find_map(|file| file.swept.as_ref());
    swept.iter().flat_map(|swept| &swept.values).map(|(name, _)| name.clone()).collect()
}

fn heading(names: &[String]) -> Vec<String> {
    let rest = ["system", "states", "transitions", "check", "verdict", "maximal K", "time"];
    names.iter().map(String::as_str).chain(rest).map(str::to_owned).collect()
}

/// The rows of one run.
fn rows(file: &FileReport, names: &[String], telling: &Telling) -> Vec<Vec<String>> {
    let values = file.swept.iter().flat_map(|swept| &swept.values);
    let mut lead: Vec<String> = values.map(|(_, value)| value.to_string()).collect();
    lead.resize(names.len(), String::new());
    let mut time = file.swept.as_ref().filter(|_| telling.time.is_some()).map(|swept| seconds(swept.time));
    if any_error(&file.diagnostics) {
        lead.extend(["", "", "", "", "not checked: errors"].map(str::to_owned));
        return vec![lead];
    }
    let mut rows = Vec::new();
    for system in file.systems() {
        let size = |number: usize| if system.unbuilt.is_some() { "-".to_owned() } else { number.to_string() };
        let mut first = lead.clone();
        first.extend([system.system.name.clone(), size(system.n_states()), size(system.n_transitions())]);
        let mut asked = asked(&system, telling.style.ascii);
        if asked.is_empty() {
            asked.push([system.unbuilt.map_or("no check", |_| "not built").to_owned(), String::new(), String::new()]);
        }
        for cells in asked {
            let blank = vec![String::new(); first.len()];
            let mut row = std::mem::replace(&mut first, blank);
            row.extend(cells);
            row.extend(time.take());
            rows.push(row);
        }
    }
    rows
}

/// Check, verdict and maximal K, for each line of the model that asks something.
fn asked(system: &SystemReport<'_>, ascii: bool) -> Vec<[String; 3]> {
    let mut groups: Vec<Group> = Vec::new();
    for at in 0..system.n_checks() {
        let check = system.check(at);
        let exposure = match &check.kind {
            Kind::Property(found) => Some(found.exposure),
            _ => None,
        };
        let (word, mark) = (answer_word(&check), check.mark);
        match groups.last_mut().filter(|group| group.span == check.span) {
            Some(group) => group.add(word, mark, exposure),
            None => groups.push(Group::new(check.span, check.text, word, mark, exposure)),
        }
    }
    let checks = groups.iter().map(|group| group.cells(ascii));
    let measures = system.measures();
    let measured =
        measures.map(|measure| [measure.text.to_owned(), "measured".to_owned(), most(measure.exposure, ascii)]);
    checks.chain(measured).collect()
}

/// The checks that one line makes.
struct Group {
    span: Span,
    text: String,
    /// Each verdict, and how many have it.
    words: Vec<(&'static str, usize)>,
    failed: usize,
    undecided: usize,
    least: Option<Exposure>,
}

impl Group {
    fn new(span: Span, text: &str, word: &'static str, mark: Mark, exposure: Option<Exposure>) -> Group {
        let mut group = Group { span, text: text.to_owned(), words: Vec::new(), failed: 0, undecided: 0, least: None };
        group.add(word, mark, exposure);
        group
    }

    fn add(&mut self, word: &'static str, mark: Mark, exposure: Option<Exposure>) {
        match self.words.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => self.words.push((word, 1)),
        }
        self.failed += usize::from(mark == Mark::Failed);
        self.undecided += usize::from(mark == Mark::Undecided);
        self.least = match (self.least, exposure) {
            (Some(one), Some(other)) => Some(lesser(one, other)),
            (one, other) => one.or(other),
        };
    }

    fn cells(&self, ascii: bool) -> [String; 3] {
        let verdict = match &self.words[..] {
            [(word, _)] => (*word).to_owned(),
            words => words.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", "),
        };
        let mark = match (self.failed, self.undecided) {
            (0, _) => "",
            _ => " FAILED",
        };
        let most = self.least.map(|least| most(least, ascii)).unwrap_or_default();
        [self.line().to_owned(), format!("{verdict}{mark}"), most]
    }

    /// The text; of several checks without the indices of the first.
    fn line(&self) -> &str {
        let is_one = self.words.iter().map(|(_, count)| count).sum::<usize>() == 1;
        let indices = self.text.rsplit_once(" (").filter(|(_, indices)| !is_one && indices.contains(" = "));
        indices.map_or(&self.text, |(line, _)| line)
    }
}

/// The exposure of which less is known to hold.
fn lesser(one: Exposure, other: Exposure) -> Exposure {
    let safe = |exposure: Exposure| match exposure {
        Exposure::Never => (u64::MAX, 1),
        Exposure::At(least) => (least, 0),
        Exposure::Beyond(safe) => (safe.saturating_add(1), 1),
        Exposure::AtMost { safe, .. } => (safe.map_or(0, |safe| safe.saturating_add(1)), 1),
        Exposure::Unknown => (0, 1),
    };
    if safe(other) < safe(one) { other } else { one }
}

fn most(exposure: Exposure, ascii: bool) -> String {
    let (infinite, at_least) = if ascii { ("infinite", ">=") } else { ("∞", "≥") };
    match (MaxK::from(exposure), exposure) {
        (MaxK::Steps(steps), _) => steps.to_string(),
        (MaxK::Infinite, _) => infinite.to_owned(),
        (MaxK::None, _) => "none".to_owned(),
        (MaxK::Unknown, Exposure::Beyond(safe)) => format!("{at_least} {safe}"),
        (MaxK::Unknown, _) => "?".to_owned(),
    }
}
