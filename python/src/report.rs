//! The results of one run, in the forms that the command line has.

use crate::refusal::{internal, question};
use crate::story;
use desc::report::difference::Difference;
use desc::report::{FileReport, Kind, SystemReport};
use desc::resources::Resources;
use desc::resources::json::Unread;
use desc::verdict::certificate::document::{Document, certify};
use desc::verdict::certificate::write;
use pyo3::prelude::*;

/// The results of a model.
#[pyclass(frozen, module = "deslang._native")]
pub struct Report(desc::Report);

impl Report {
    pub fn new(report: desc::Report) -> Report {
        Report(report)
    }

    fn file(&self) -> PyResult<&FileReport> {
        self.0.files.first().ok_or_else(|| internal("a report without a file"))
    }
}

#[pymethods]
impl Report {
    /// The document of `desc check --message-format json`.
    fn json(&self) -> String {
        self.0.to_json()
    }

    /// Verdicts and stories as a terminal shows them.
    fn text(&self) -> String {
        self.0.to_text()
    }

    /// The page of `desc report`.
    fn html(&self) -> String {
        self.0.to_html()
    }

    /// The same as a part of another page.
    fn fragment(&self, name: &str) -> String {
        self.0.to_html_fragment(name)
    }

    /// For each system, for each check: the seconds that its search took, which checks may share.
    fn times(&self) -> PyResult<Vec<Vec<Option<f64>>>> {
        Ok(self.file()?.systems().iter().map(times).collect())
    }

    /// The story of a check as a JSON document; none: there is nothing to tell.
    fn story(&self, system: usize, check: usize) -> PyResult<Option<String>> {
        let file = self.file()?;
        let systems = file.systems();
        let of = systems.get(system).filter(|system| check < system.n_checks());
        of.map(|system| story::story(file, system, check)).ok_or_else(|| question("there is no such check", None))
    }

    /// The proofs of all decided checks that have one.
    fn certificate(&self) -> PyResult<String> {
        let systems = self.file()?.decided().map(|(system, results)| certify(system, results)).collect();
        Ok(write(&Document { version: env!("CARGO_PKG_VERSION").to_owned(), systems }))
    }
}

/// What differs between two documents of `desc check --message-format json`: the JSON document of `desc diff`, and its text.
#[pyfunction]
pub fn difference(old: &str, new: &str) -> PyResult<(String, String)> {
    let wrong = |(newer, why): (bool, Unread)| {
        let why = match why {
            Unread::Wrong(why) => why,
            Unread::Stopped(stop) => format!("it was not read {}", stop.limit()),
        };
        question(format!("the {} report cannot be compared: {why}", if newer { "newer" } else { "older" }), None)
    };
    let found = Difference::new(old, new, Resources::default()).map_err(wrong)?;
    let json = serde_json::to_string(&found).map_err(|error| internal(&error.to_string()))?;
    Ok((json, found.text(false)))
}

fn times(system: &SystemReport<'_>) -> Vec<Option<f64>> {
    let time = |at: usize| match system.check(at).kind {
        Kind::Property(found) => Some(found.cost.time.as_secs_f64()),
        _ => None,
    };
    (0..system.n_checks()).map(time).collect()
}
