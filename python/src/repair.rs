//! The least that must change for the checks of a model to hold.

use crate::limits::{Allowed, Sizes, settings};
use crate::reading::Shelf;
use crate::refusal::{question, unreadable};
use desc::Checked;
use desc::diagnostic::any_error;
use desc::draw::observation::Unreadable;
use desc::model::System;
use desc::repair::fresh::Original;
use desc::repair::offered;
use desc::report::phrasing::Words;
use desc::report::repairs::{NoGoal, Wanted, changed_text, json, named_goals, repair, text};
use desc::syntax;
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What is asked.
pub struct Asked {
    pub system: Option<String>,
    pub checks: Vec<String>,
    pub may: Vec<String>,
    pub most: usize,
}

/// How the model was read: it is read again with the changes.
#[derive(Clone)]
pub struct Read {
    pub defines: Vec<(String, i64)>,
    pub sizes: Sizes,
}

/// The JSON document of `desc repair`, what a terminal shows, and the changed text, if anything changes.
pub type Repaired = (String, String, Option<String>);

pub fn repaired(
    checked: &Checked,
    (read, shelf): (&Read, &Shelf),
    asked: &Asked,
    (allowed, interrupted): (&Allowed, &'static AtomicBool),
) -> PyResult<Repaired> {
    let file = checked.sources().get(checked.entry());
    let parsed = syntax::parse(checked.entry(), file);
    if any_error(&parsed.diagnostics) {
        return Err(question("only a `.des` model can be repaired", Some("convert it: `parse(model.to_des())`")));
    }
    let systems = chosen(checked, asked.system.as_deref())?;
    known(&systems, &asked.checks)?;
    let settings = settings(true, read.defines.clone(), read.sizes, allowed, interrupted);
    let (sources, entry, tree) = (checked.sources(), checked.entry(), &parsed.file);
    let original = Original { sources, entry, tree, loader: shelf, settings: &settings };
    let started = Instant::now();
    let mut reports = Vec::new();
    for system in systems {
        let levers = match asked.may.is_empty() {
            true => None,
            false => Some(offers(&original, system, &asked.may)?),
        };
        let wanted = Wanted { checks: asked.checks.clone(), most: asked.most, levers };
        let options = allowed.after(started.elapsed());
        reports.push(repair(&original, system, &wanted, &options.options(interrupted), false));
    }
    let words = Words { ascii: false, whole: false };
    let told: Vec<String> = reports.iter().map(|report| text::text(report, sources, &[], words)).collect();
    let document = json::document(file, sources, checked.diagnostics(), &reports);
    Ok((document, told.join("\n"), changed_text(file, &reports)))
}

fn chosen<'m>(checked: &'m Checked, name: Option<&str>) -> PyResult<Vec<&'m System>> {
    let systems = checked.model().map_or(&[][..], |model| model.systems());
    let Some(name) = name else { return Ok(systems.iter().collect()) };
    let unknown = || Unreadable::unknown("system", name, systems.iter().map(|system| system.name.as_str()));
    let found = systems.iter().find(|system| system.name == name);
    found.map(|system| vec![system]).ok_or_else(|| unreadable(unknown()))
}

fn known(systems: &[&System], names: &[String]) -> PyResult<()> {
    named_goals(systems, names).map_err(|no_goal| match no_goal {
        NoGoal::Unknown(name) => {
            let names = systems.iter().flat_map(|system| &system.checks).filter_map(|check| check.name.as_deref());
            unreadable(Unreadable::unknown("check", &name, names))
        }
        NoGoal::Fact(name) => question(NoGoal::message(&name), Some(NoGoal::HELP)),
    })
}

fn offers(original: &Original<'_>, system: &System, may: &[String]) -> PyResult<Vec<desc::model::change::Lever>> {
    offered::levers(original, system, may).map_err(|fault| {
        let help = "write it as after `may`: `may=[\"hide log cost 3\"]`";
        question(format!("`may`, in system `{}`: {fault}", system.name), Some(help))
    })
}
