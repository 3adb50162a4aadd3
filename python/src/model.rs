//! A model that was read: what is wrong with it, its systems, and its checks decided.

use crate::limits::{Allowed, word};
use crate::reading::{Import, Shelf};
use crate::refusal::{question, raised, stopped};
use crate::repair::{Asked, Read, Repaired, repaired};
use crate::report::Report;
use crate::running::attended;
use crate::system::System;
use desc::diagnostic::render::DiagnosticJson;
use desc::draw::observation::Unreadable;
use desc::model;
use desc::verdict::Answer;
use desc::verdict::certificate::document::{Document, confirm};
use desc::verdict::certificate::{Refused, read};
use desc::{Checked, Severity};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A check in a certificate: its system, its text, and the answer that is proved.
type Confirmed = (String, String, Option<&'static str>);

/// A model.
#[pyclass(frozen, module = "deslang._native")]
pub struct Model {
    checked: Arc<Checked>,
    imports: Vec<Import>,
    read: Read,
}

impl Model {
    pub fn new(checked: Checked, imports: Vec<Import>, read: Read) -> Model {
        Model { checked: Arc::new(checked), imports, read }
    }

    fn missing(&self, name: &str, systems: &[model::System]) -> PyErr {
        let unbuilt = self.checked.model().map_or(&[][..], |model| model.unbuilt());
        if let Some(left) = unbuilt.iter().find(|left| left.name() == name) {
            return stopped(&format!("system `{name}` was not built"), left.stop);
        }
        let unknown = Unreadable::unknown("system", name, systems.iter().map(|system| system.name.as_str()));
        question(unknown.message, unknown.help.as_deref())
    }
}

#[pymethods]
impl Model {
    /// Errors and warnings, as a JSON list.
    fn diagnostics(&self) -> String {
        let sources = self.checked.sources();
        let all = self.checked.diagnostics().iter().map(|diagnostic| DiagnosticJson::new(sources, diagnostic));
        serde_json::to_string(&all.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// Errors and warnings as a terminal shows them.
    fn explained(&self) -> String {
        self.checked.explained()
    }

    /// Whether there is an error among the diagnostics.
    #[getter]
    fn is_faulty(&self) -> bool {
        self.checked.diagnostics().iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The limit that was reached before it was read to its end, if one was.
    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.checked.stopped().map(word)
    }

    /// The names of the systems that were built.
    fn systems(&self) -> Vec<String> {
        self.checked.model().map_or(&[][..], |model| model.systems()).iter().map(|system| system.name.clone()).collect()
    }

    /// Whether the product of a system is not built, because its properties are decided on its parts.
    #[getter]
    fn is_partial(&self) -> bool {
        let systems = self.checked.model().map_or(&[][..], |model| model.systems());
        systems.iter().any(|system| system.uncomposed.is_some())
    }

    /// The names of the systems that were not built, with the limit that was reached.
    fn unbuilt(&self) -> Vec<(String, &'static str)> {
        let left = self.checked.model().map_or(&[][..], |model| model.unbuilt());
        left.iter().map(|unbuilt| (unbuilt.name().to_owned(), word(unbuilt.stop))).collect()
    }

    /// The system of this name.
    fn system(&self, name: &str) -> PyResult<System> {
        let systems = self.checked.model().map_or(&[][..], |model| model.systems());
        let found = systems.iter().position(|system| system.name == name);
        let at = found.ok_or_else(|| self.missing(name, systems))?;
        Ok(System::new(Arc::clone(&self.checked), at))
    }

    /// What was imported: importer, path, identity, name, bytes.
    fn imports<'py>(&self, py: Python<'py>) -> Vec<(String, String, String, String, Bound<'py, PyBytes>)> {
        let one = |(importer, path, identity, name, bytes): &Import| {
            (importer.clone(), path.clone(), identity.clone(), name.clone(), PyBytes::new(py, bytes))
        };
        self.imports.iter().map(one).collect()
    }

    /// Decides every check.
    #[pyo3(signature = (*, timeout=None, memory=None, max_pairs=None, threads=0, method="engine", certificates=false))]
    #[allow(clippy::too_many_arguments)]
    fn verify(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        memory: Option<u64>,
        max_pairs: Option<u64>,
        threads: usize,
        method: &str,
        certificates: bool,
    ) -> PyResult<Report> {
        let allowed = Allowed::new(timeout, memory, max_pairs)?.by(threads, method, certificates)?;
        attended(py, |interrupted| self.decided(&allowed, interrupted))
    }

    /// The cheapest changes under which every check passes: the JSON document of `desc repair`, its text, and the changed model.
    #[pyo3(signature = (*, system=None, checks=None, may=None, most=1, timeout=None, memory=None, max_pairs=None, threads=0))]
    #[allow(clippy::too_many_arguments)]
    fn repair(
        &self,
        py: Python<'_>,
        system: Option<String>,
        checks: Option<Vec<String>>,
        may: Option<Vec<String>>,
        most: usize,
        timeout: Option<f64>,
        memory: Option<u64>,
        max_pairs: Option<u64>,
        threads: usize,
    ) -> PyResult<Repaired> {
        let allowed = Allowed::new(timeout, memory, max_pairs)?.by(threads, "engine", false)?;
        let asked = Asked { system, checks: checks.unwrap_or_default(), may: may.unwrap_or_default(), most };
        attended(py, |interrupted| {
            let shelf = Shelf::new(None, self.imports.clone(), "");
            repaired(&self.checked, (&self.read, &shelf), &asked, (&allowed, interrupted))
        })?
    }

    /// Checks the proofs of a certificate of this model.
    #[pyo3(signature = (certificate, *, timeout=None, memory=None))]
    fn confirm(
        &self,
        py: Python<'_>,
        certificate: String,
        timeout: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<Vec<Confirmed>> {
        let allowed = Allowed::new(timeout, memory, None)?;
        attended(py, |interrupted| self.confirmed(&certificate, &allowed, interrupted))?
    }
}

impl Model {
    pub fn decided(&self, allowed: &Allowed, interrupted: &AtomicBool) -> Report {
        Report::new(self.checked.verify(&allowed.options(interrupted)))
    }

    fn confirmed(&self, text: &str, allowed: &Allowed, interrupted: &AtomicBool) -> PyResult<Vec<Confirmed>> {
        let mut monitor = allowed.resources(interrupted).monitor();
        let systems = self.checked.model().map_or(&[][..], |model| model.systems());
        let n_states = systems.iter().map(|system| system.automaton.n_states()).max().unwrap_or(0);
        let document = read(text, n_states, &mut monitor).map_err(refused)?;
        if !is_about(&document, systems) {
            return Err(raised("CertificateError", "it is about another model: it has other systems", None));
        }
        let mut all = Vec::new();
        for (system, certified) in systems.iter().zip(&document.systems) {
            let refuse = |fault: String| raised("CertificateError", &format!("{}: {fault}", system.name), None);
            let confirmed = confirm(system, certified, &mut monitor).map_err(refuse)?;
            let answers = system.checks.iter().zip(confirmed.answers);
            all.extend(
                answers.map(|(check, proved)| (system.name.clone(), check.text.clone(), proved.and_then(answer))),
            );
        }
        Ok(all)
    }
}

fn is_about(document: &Document, systems: &[model::System]) -> bool {
    document.systems.len() == systems.len()
        && systems.iter().zip(&document.systems).all(|(system, certified)| system.name == certified.name)
}

fn refused(refused: Refused) -> PyErr {
    match refused {
        Refused::Stopped(stop) => stopped("the certificate was not read", stop),
        Refused::Wrong(fault) => raised("CertificateError", &fault, None),
    }
}

fn answer(answer: Answer) -> Option<&'static str> {
    match answer {
        Answer::Holds => Some("holds"),
        Answer::Violated => Some("violated"),
        Answer::Undecided => None,
    }
}
