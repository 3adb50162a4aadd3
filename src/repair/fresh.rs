//! A choice, proved on the changed text: written into the file, read again, decided again.
//!
//! Nothing here trusts the search: the text is parsed and checked like any other, the changed system must see and do exactly what the
//! choice says, and every goal must pass. What is not proved like this is not told.

use super::rewrite::{Edit, Way, applied, edits, promises};
use super::{Choice, Problem};
use crate::check::{self, Settings};
use crate::clock::Instant;
use crate::diagnostic::{Diagnostic, any_error};
use crate::model::{Model, System};
use crate::resources::{Resources, Stop};
use crate::source::{FileId, Loader, Sources};
use crate::syntax::{self, ast};
use crate::verdict::{Answer, Results};
use crate::verify::Options;

/// The file that a system is written in, and how it was read.
pub struct Original<'a> {
    /// The files.
    pub sources: &'a Sources,
    /// The file.
    pub entry: FileId,
    /// Its tree.
    pub tree: &'a ast::File,
    /// Finds what it imports.
    pub loader: &'a dyn Loader,
    /// Constants and limits.
    pub settings: &'a Settings,
}

/// The changed file, and the repaired system in it, decided.
#[derive(Debug)]
pub struct Fresh {
    /// What changed.
    pub edits: Vec<Edit>,
    /// The changed text.
    pub text: String,
    /// The changed files.
    pub sources: Sources,
    /// The changed file.
    pub entry: FileId,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The repaired system alone.
    pub model: Model,
    /// Its results.
    pub results: Results,
}

/// Why a choice was not proved.
#[derive(Debug)]
pub enum Unproved {
    /// A limit was reached.
    Stopped(Stop),
    /// The changed text is not what was meant: an internal error.
    Wrong(String),
}

/// Writes a choice into the file, reads it again and decides it again.
///
/// # Errors
/// When the changed file does not pass; see [`Unproved`].
pub fn prove(
    original: &Original<'_>,
    problem: &Problem<'_>,
    choice: &Choice,
    options: &Options<'_>,
) -> Result<Fresh, Unproved> {
    let mut last = Unproved::Wrong("the system is not written in this file".to_owned());
    for way in [Way::InPlace, Way::WrittenOut] {
        match attempt(original, problem, choice, way, options) {
            Err(Unproved::Wrong(fault)) => last = Unproved::Wrong(fault),
            settled => return settled,
        }
    }
    Err(last)
}

fn attempt(
    original: &Original<'_>,
    problem: &Problem<'_>,
    choice: &Choice,
    way: Way,
    options: &Options<'_>,
) -> Result<Fresh, Unproved> {
    let wrong = |what: &str| Unproved::Wrong(what.to_owned());
    let file = original.sources.get(original.entry);
    let made = edits(file, original.tree, problem.system, (&problem.levers, choice), way);
    let mut edits = made.ok_or_else(|| wrong("the system is not written in this file"))?;
    if problem.checks.len() == problem.system.checks.iter().filter(|check| super::is_goal(check)).count() {
        edits.extend(promises(original.tree, problem.system));
        edits.sort();
    }
    let text = applied(file.text(), &edits);
    let mut sources = Sources::new();
    let (entry, mut diagnostics) = syntax::read(&mut sources, file.name(), text.clone().into_bytes());
    let read = check::check(entry, &mut sources, original.loader, &settings(original, options));
    diagnostics.extend(read.diagnostics);
    if let Some(stop) = read.stopped {
        return Err(Unproved::Stopped(stop));
    }
    let fault = || diagnostics.iter().find(|found| any_error(std::slice::from_ref(found))).map(|found| &found.message);
    let mut model =
        read.model.ok_or_else(|| Unproved::Wrong(format!("the changed text has an error: {:?}", fault())))?;
    model.systems.retain(|system| system.name == problem.system.name);
    model.unbuilt.clear();
    let results = decided(&model, problem, choice, options)?;
    Ok(Fresh { edits, text, sources, entry, diagnostics, model, results })
}

/// The settings for reading the changed text. After an interrupt it is read all the same: what was found is proved before it is told.
fn settings(original: &Original<'_>, options: &Options<'_>) -> Settings {
    let mut settings = original.settings.clone();
    if options.interrupted.is_none() {
        let resources = settings.limits.resources;
        settings.limits.resources = Resources { interrupted: None, deadline: None, ..resources };
    }
    settings
}

/// The results of the repaired system, if it is what was meant and passes.
fn decided(model: &Model, problem: &Problem<'_>, choice: &Choice, options: &Options<'_>) -> Result<Results, Unproved> {
    let wrong = |what: &str| Unproved::Wrong(what.to_owned());
    let [system] = &model.systems[..] else { return Err(wrong("the changed text has no such system")) };
    let meant = problem.system.changed(&choice.changes(&problem.levers));
    if !meant.is_some_and(|meant| is_same(&meant, system)) {
        return Err(wrong("the changed text means another change"));
    }
    let results = super::verify(system, &Options { certificates: true, ..options.left_since(Instant::now()) });
    for &check in &problem.checks {
        match results.checks.get(check).map(|outcome| outcome.answer()) {
            Some(Answer::Holds) => {}
            Some(Answer::Undecided) => return Err(Unproved::Stopped(Stop::Timeout)),
            Some(Answer::Violated) | None => return Err(wrong("a check is still violated")),
        }
    }
    Ok(results)
}

/// Whether two systems do the same, look the same and ask equally many questions.
fn is_same(meant: &System, read: &System) -> bool {
    let seen = |system: &System| -> Vec<_> {
        let one = |of: &crate::model::NamedObserver| {
            let shown = system.automaton.events().map(|event| {
                let label = match of.observer.observability(event) {
                    crate::automaton::view::Observability::Anonymous(group) => Some(of.labels[group.index()].clone()),
                    _ => None,
                };
                (
                    of.observer.observability(event) == crate::automaton::view::Observability::Silent,
                    label,
                    of.agent_name(event).map(str::to_owned),
                )
            });
            (of.name.clone(), shown.collect::<Vec<_>>())
        };
        system.observers.iter().map(one).collect()
    };
    *meant.automaton == *read.automaton && seen(meant) == seen(read) && meant.checks.len() == read.checks.len()
}
