//! The code quality report of GitLab: a JSON list with one issue for each annotation.
//!
//! The fingerprint says which issue of another commit is the same one: it depends on the file, the code and the text, and not on
//! the line.

use super::annotation::{Annotation, Level, each};
use crate::report::Report;
use crate::report::counterexample::BRIEF;
use crate::report::scribe::{Scribe, Written};
use crate::resources::Resources;
use rustc_hash::FxHashMap;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io;

#[derive(Serialize)]
struct Issue<'a> {
    description: &'a str,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// Writes the list, with a final line break.
///
/// # Errors
/// When it cannot be written.
pub fn write(report: &Report, out: &mut dyn io::Write, resources: Resources<'_>) -> io::Result<Written> {
    let mut scribe = Scribe::new(out, resources, BRIEF);
    let mut alike: FxHashMap<String, usize> = FxHashMap::default();
    let mut before = "[\n";
    each(report, &mut scribe, |scribe, annotation| {
        scribe.put(before);
        before = ",\n";
        scribe.put(&issue(annotation, &mut alike));
    });
    scribe.put(if before == "[\n" { "[]\n" } else { "\n]\n" });
    scribe.finish()
}

fn issue(annotation: &Annotation, alike: &mut FxHashMap<String, usize>) -> String {
    let what = format!("{}\n{}\n{}", annotation.file, annotation.code, annotation.title);
    let number = alike.entry(what.clone()).or_default();
    *number += 1;
    let sum = Sha256::digest(format!("{what}\n{number}"));
    let description = match annotation.code == annotation.title {
        true => annotation.message.clone(),
        false => format!("{}: {}", annotation.title, annotation.message),
    };
    let issue = Issue {
        description: &description,
        check_name: annotation.code,
        fingerprint: sum.iter().map(|byte| format!("{byte:02x}")).collect(),
        severity: match annotation.level {
            Level::Error => "critical",
            Level::Warning => "minor",
            Level::Tolerated => "info",
        },
        location: Location {
            path: &annotation.file,
            lines: Lines { begin: annotation.start.line, end: annotation.end.line },
        },
    };
    serde_json::to_string(&issue).unwrap_or_default()
}
